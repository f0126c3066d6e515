"""A host on loopback that answers as it is told, and remembers what it was asked."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from nature_gym.config import Settings, load_settings


@dataclass(frozen=True)
class Answer:
    """``status`` 0 cuts the connection; ``declared`` is a Content-Length other than the body's."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b"ok"
    declared: int | None = None
    drip: float = 0.0
    """Seconds between the body's bytes."""


Give = Callable[["Asked"], Answer]


@dataclass(frozen=True)
class Asked:
    path: str
    headers: dict[str, str]
    at: float
    at_once: int


class Host:
    """Gives ``pages[path]``, or what is next in ``answers``, one a request; else 200 and ``ok``."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.pages: dict[str, Answer | Give] = {}
        self.asked: list[Asked] = []
        self.hold = 0.0
        self._open = 0
        self._lock = threading.Lock()
        host = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                with host._lock:
                    host._open += 1
                    now = time.monotonic()
                    asked = Asked(self.path, {k.lower(): v for k, v in self.headers.items()}, now, host._open)
                    host.asked.append(asked)
                    answer = host._answer(asked)
                try:
                    if host.hold:
                        threading.Event().wait(host.hold)
                    self._send(answer)
                finally:
                    with host._lock:
                        host._open -= 1

            def _send(self, answer: Answer) -> None:
                if answer.status == 0:
                    self.close_connection = True
                    return
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                if answer.status != 304:
                    length = len(answer.body) if answer.declared is None else answer.declared
                    self.send_header("Content-Length", str(length))
                self.end_headers()
                if answer.status != 304:
                    for piece in (answer.body[at : at + 1] for at in range(len(answer.body))) if answer.drip else ():
                        self.wfile.write(piece)
                        threading.Event().wait(answer.drip)
                    self.wfile.write(b"" if answer.drip else answer.body)
                if answer.declared is not None:
                    self.close_connection = True

            def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002

        class Server(ThreadingHTTPServer):
            def handle_error(self, request: object, client_address: object) -> None:
                """Clients hang up on purpose here."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def _answer(self, asked: Asked) -> Answer:
        page = self.pages.get(asked.path)
        if page is not None:
            return page(asked) if callable(page) else page
        if asked.path.endswith("/robots.txt"):
            return Answer(404)
        return self.answers.pop(0) if self.answers else Answer()

    @property
    def paths(self) -> list[str]:
        """What was asked, robots.txt left out."""
        return [asked.path for asked in self.asked if not asked.path.endswith("/robots.txt")]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def host() -> Iterator[Host]:
    host = Host()
    yield host
    host.close()


@pytest.fixture
def settings(host: Host) -> Settings:
    return load_settings(mirror=host.url, requests_per_second=10_000, contact="us@example.org", max_wait=10, timeout=2)


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Nobody waits; what would have been waited, in order."""
    waits: list[float] = []
    monkeypatch.setattr("time.sleep", waits.append)
    return waits
