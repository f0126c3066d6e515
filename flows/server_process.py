"""The process of a local Prefect server. Started by :class:`flows.server.LocalServer`, never by hand.

It takes its port itself, so that nobody can come between the choice and the use; says where it is
in ``server.json``, which it holds while it lives; and ends when nobody uses it any more.
"""

from __future__ import annotations

import errno
import fcntl
import os
import socket
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from flows.environment import server_environment
from flows.server import LOCK, PORT_TAKEN, STATE
from nature_gym.files import Held, write_json

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_POLL_SECONDS = 0.2
_LINGER_SECONDS = 1.5
_STOP_SECONDS = 5.0


def main(folder: Path, host: str, port: int) -> int:
    """Serve Prefect's API and user interface on ``host`` and ``port`` (0: any that is free)."""
    try:
        listener = _listen(host, port)
    except OSError as error:
        sys.stderr.write(f"{host}:{port}: {error.strerror}\n")
        return PORT_TAKEN if error.errno == errno.EADDRINUSE else 1
    port = listener.getsockname()[1]
    url = f"http://{_reachable(host)}:{port}"
    os.environ.update(server_environment(host, port) | {"PREFECT_API_URL": f"{url}/api"})
    write_json(folder / STATE, {"url": url, "pid": os.getpid()})
    held = Held(folder / STATE)
    watch = _Watch(folder / LOCK)
    threading.Thread(target=watch.run, name="users", daemon=True).start()
    try:
        _serve(listener, watch)
    finally:
        held.release()
    return 0


def _serve(listener: socket.socket, watch: _Watch) -> None:
    import uvicorn
    from prefect.server.api import collections
    from prefect.server.api.server import create_app

    # These lists of collections would be asked from a host outside; with an address that cannot be
    # asked, Prefect takes the copies that it ships.
    collections.KNOWN_VIEWS.update(dict.fromkeys(collections.KNOWN_VIEWS, "offline:"))
    server = uvicorn.Server(
        uvicorn.Config(
            _keep_pages_here(create_app(final=True)),
            log_level="warning",
            access_log=False,
            lifespan="on",
            timeout_graceful_shutdown=2,  # an open page in a browser shall not hold the end up
        )
    )
    watch.server = server
    server.run(sockets=[listener])


def _keep_pages_here(app: ASGIApp) -> ASGIApp:
    """Forbid the pages' scripts every other host: some would fetch logos, pictures and the settings of analytics."""
    policy = (b"content-security-policy", b"default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:")

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_policy(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), policy]}
            await send(message)

        await app(scope, receive, send_with_policy)

    return serve


def _listen(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    listener = socket.socket(family, kind, protocol)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(address)
    return listener


def _reachable(host: str) -> str:
    """How this machine itself reaches a server that listens on ``host``."""
    if host in ("", "0.0.0.0", "::"):  # noqa: S104 -- compared, not bound
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


class _Watch:
    """Ends the server when nobody holds the lock of its users, which the kernel frees for the dead."""

    def __init__(self, lock: Path) -> None:
        self._lock = lock
        self.server: uvicorn.Server | None = None

    def run(self) -> None:
        # Never closed: holding it exclusively from the decision on makes newcomers wait until we are gone.
        descriptor = os.open(self._lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        # Free twice in a row: a user that takes the lock in another mode drops it for an instant.
        while not (_take(descriptor) and _drop(descriptor) and _take(descriptor)):
            time.sleep(_POLL_SECONDS)
        # The last user died without a word. What it had sent is on its way into the database.
        time.sleep(_LINGER_SECONDS)
        if self.server is not None:
            self.server.should_exit = True
            time.sleep(_STOP_SECONDS)
        os._exit(0)


def _take(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _drop(descriptor: int) -> bool:
    fcntl.flock(descriptor, fcntl.LOCK_UN)
    time.sleep(_POLL_SECONDS)
    return True


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
