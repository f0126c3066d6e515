"""Where a trial's service listens: a Unix socket of its own, or a port of the loopback interface.

The idea: each trial has a server of its own in a thread, so a trial's socket leads to its desk and to no other.

Threat: an agent opens connections without end and says nothing on them, until this process can open no file more.
Invariant: of one trial, :data:`MOST_CONNECTIONS` are open at once; a further one is hung up on.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol

from nature_gym.errors import InfrastructureError

LOOPBACK = "127.0.0.1"
START_SECONDS = 30.0
MOST_CONNECTIONS = 64


def on_loopback(port: int) -> socket.socket:
    """A listening socket on the loopback interface, 0 for any free port. Raises InfrastructureError for a taken one."""
    # Named as TCP, or asyncio would leave Nagle's algorithm on: 40 ms for each small answer.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((LOOPBACK, port))
        listener.listen(128)
    except (OSError, OverflowError) as error:
        listener.close()
        raise InfrastructureError(
            f"port {port} cannot be listened on: {error}", hint="Give another port, or 0 for any free one."
        ) from error
    return listener


def on_socket(path: Path) -> socket.socket:
    """A listening Unix socket at ``path``, in the place of one that a killed service left.

    Everybody who sees it may ask: a box's user is not ours, and who may submit is said by the token.
    """
    path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listener.bind(str(path))
        path.chmod(0o666)
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise InfrastructureError(
            f"{path} cannot be listened on: {error}", hint="Unix sockets need a path of less than 108 bytes."
        ) from error
    return listener


class _Bounded(H11Protocol):
    """A connection to the service, if it is not one too many."""

    _is_let_in = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take it in, or hang up."""
        if len(self.connections) >= MOST_CONNECTIONS:
            transport.abort()
            return
        self._is_let_in = True
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        if self._is_let_in:
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """What was sent before it was hung up on is not read."""
        if self._is_let_in:
            super().data_received(data)


class Listening:
    """A service answering on ``listener`` for as long as the block runs."""

    def __init__(self, app: Starlette, listener: socket.socket) -> None:
        self._listener = listener
        self._server = uvicorn.Server(
            uvicorn.Config(
                app, loop="asyncio", http=_Bounded, ws="none", lifespan="off", log_config=None, log_level="critical",
                access_log=False, proxy_headers=False, server_header=False, timeout_keep_alive=30,
                timeout_graceful_shutdown=1, h11_max_incomplete_event_size=32 << 10,
            )
        )  # fmt: skip
        self._thread = threading.Thread(target=self._run, name="evaluation-service", daemon=True)

    @property
    def port(self) -> int:
        """The port, where it is one."""
        return int(self._listener.getsockname()[1])

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._server.should_exit = True
        self._thread.join(START_SECONDS)
        self._listener.close()

    def is_alive(self) -> bool:
        """Whether it answers still."""
        return self._thread.is_alive()

    def _run(self) -> None:
        self._server.run(sockets=[self._listener])
