"""A host on loopback for tests of the prober: pages are functions that write what they like, HEAD or GET."""

from __future__ import annotations

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Page = Callable[[BaseHTTPRequestHandler], None]


def page(
    status: int = 200, body: bytes = b"<html><body>Data.</body></html>", kind: str = "text/html", **headers: str
) -> Page:
    """An honest answer; no body for HEAD."""

    def answer(to: BaseHTTPRequestHandler) -> None:
        to.send_response(status)
        told = {"Content-Type": kind, "Content-Length": str(len(body)), **headers}
        for name, value in told.items():
            to.send_header(name.replace("_", "-"), value)
        to.end_headers()
        if to.command != "HEAD":
            to.wfile.write(body)

    return answer


def json_page(body: bytes, status: int = 200) -> Page:
    return page(status, body, "application/json")


class LinksHost:
    """``pages[path]`` with its query, else 404. ``asked``: method and path; ``most_at_once``: requests in flight."""

    def __init__(self) -> None:
        self.pages: dict[str, Page] = {}
        self.asked: list[tuple[str, str]] = []
        self.most_at_once = 0
        self._open = 0
        self._lock = threading.Lock()
        host = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                with host._lock:
                    host.asked.append((self.command, self.path))
                    host._open += 1
                    host.most_at_once = max(host.most_at_once, host._open)
                try:
                    host.pages.get(self.path, page(404, b"nothing"))(self)
                finally:
                    with host._lock:
                        host._open -= 1

            do_HEAD = do_GET  # noqa: N815 -- the name by which it is called

            def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002

        class Server(ThreadingHTTPServer):
            def handle_error(self, request: object, client_address: object) -> None:
                """The prober hangs up on purpose."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self.port = self._server.server_port
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def paths(self, method: str | None = None) -> list[str]:
        return [path for asked, path in self.asked if method in (None, asked)]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
