"""Running the mini-web: in a thread for tests and one-off runs, or in the foreground."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

import uvicorn
from starlette.applications import Starlette

from nature_gym.demo.miniweb.app import make_app
from nature_gym.demo.miniweb.behaviour import Behaviour
from nature_gym.demo.miniweb.press import Press
from nature_gym.demo.miniweb.requestlog import RequestLog
from nature_gym.demo.model import World
from nature_gym.errors import InfrastructureError

LOOPBACK = "127.0.0.1"


class _Server(uvicorn.Server):
    """A server that says when it listens."""

    def __init__(self, app: Starlette, on_ready: Callable[[], None]) -> None:
        super().__init__(_config(app))
        self._app = app
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        # While nobody asks yet; a thread of its own, which may be left behind when the server stops.
        threading.Thread(target=self._app.state.prepare, name="mini-web-works", daemon=True).start()
        self._on_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await super().shutdown(sockets)
        # Here, and not after run(): there uvicorn lets SIGTERM end the process.
        self._app.state.close()


def _config(app: Starlette) -> uvicorn.Config:
    # No log: connections that are cut on purpose would fill it with errors.
    return uvicorn.Config(
        app,
        loop="asyncio",
        http="h11",
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="critical",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=1,
    )


def _listen(port: int) -> socket.socket:
    """A listening socket on the loopback interface. Raises :class:`InfrastructureError` where the port is taken."""
    # Named as TCP, or asyncio would leave Nagle's algorithm on: 40 ms for each small answer.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((LOOPBACK, port))
        listener.listen(2048)
    except OSError as problem:
        listener.close()
        message = f"Port {port} cannot be listened on: {problem.strerror}."
        raise InfrastructureError(message, hint="Give another port, or 0 for any free one.") from problem
    return listener


def environment(url: str) -> dict[str, str]:
    """The settings that point a run at the mini-web at ``url``."""
    return {"NATUREGYM_MIRROR": url}


class MiniWeb:
    """A mini-web in a thread of this process, for the length of a ``with`` block.

    >>> with MiniWeb(world) as web:                     # doctest: +SKIP
    ...     requests.get(f"{web.url}/zenodo.org/api/records/1000001")
    """

    def __init__(
        self,
        world: World,
        *,
        behaviour: Behaviour | None = None,
        git_cache: Path | None = None,
        press: Press | None = None,
        port: int = 0,
    ) -> None:
        self._app = make_app(world, behaviour=behaviour, git_cache=git_cache, press=press)
        self._port = port
        self._server: _Server | None = None
        self._thread: threading.Thread | None = None
        self.url = ""

    @property
    def log(self) -> RequestLog:
        """What was asked so far."""
        log: RequestLog = self._app.state.log
        return log

    def environment(self) -> dict[str, str]:
        """The settings that point a run here."""
        return environment(self.url)

    def address(self, real: str) -> str:
        """Where a real address is served: ``https://zenodo.org/x`` as ``http://127.0.0.1:PORT/zenodo.org/x``."""
        return f"{self.url}/{real.split('://', 1)[-1]}"

    def __enter__(self) -> Self:
        listener = _listen(self._port)
        ready = threading.Event()
        server = _Server(self._app, ready.set)
        thread = threading.Thread(target=server.run, args=([listener],), name="mini-web", daemon=True)
        thread.start()
        while not ready.wait(0.05):
            if not thread.is_alive():
                listener.close()
                raise InfrastructureError(
                    "The mini-web did not start.", hint="Its log is under nature_gym.demo.miniweb."
                )
        self._server, self._thread = server, thread
        self.url = f"http://{LOOPBACK}:{listener.getsockname()[1]}"
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        if self._server is not None and self._thread is not None:
            # Requests in flight are cut: some of them hang on purpose.
            self._server.should_exit = self._server.force_exit = True
            self._thread.join(timeout=10)
            self._server = self._thread = None


def serve(
    world: World,
    port: int = 0,
    *,
    behaviour: Behaviour | None = None,
    git_cache: Path | None = None,
    press: Press | None = None,
    on_ready: Callable[[str], None] | None = None,
) -> None:
    """Serve until Ctrl-C or SIGTERM. ``on_ready`` is told the address as soon as it answers.

    Raises :class:`InfrastructureError` where the port is taken.
    """
    app = make_app(world, behaviour=behaviour, git_cache=git_cache, press=press)
    listener = _listen(port)
    url = f"http://{LOOPBACK}:{listener.getsockname()[1]}"
    server = _Server(app, lambda: on_ready(url) if on_ready is not None else None)
    try:
        server.run([listener])
    except KeyboardInterrupt:
        # uvicorn has shut down in order and passes the signal on.
        return
