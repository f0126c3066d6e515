"""A host of files on loopback, whose every whim can be set: ranges, validators, checksums, broken connections."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Host:
    """``files`` by path (``/example.org/x``); ``breaks`` are bytes after which the next answers break off."""

    files: dict[str, bytes] = field(default_factory=dict)
    etags: dict[str, str] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    statuses: dict[str, int] = field(default_factory=dict)
    breaks: list[int] = field(default_factory=list)
    ranges: bool = True
    seen: list[tuple[str, str | None]] = field(default_factory=list)
    """Paths and Range headers that were asked for."""
    url: str = ""


@contextmanager
def serve() -> Iterator[Host]:
    """The host, for as long as the block lasts."""
    host = Host()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = self.headers.get("Range")
            host.seen.append((self.path, asked))
            if (status := host.statuses.get(self.path)) is not None or self.path not in host.files:
                self.send_response(status or 404)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            body, etag = host.files[self.path], host.etags.get(self.path)
            if etag and self.headers.get("If-None-Match") == etag:
                self.send_response(304)
                self.end_headers()
                return
            start = 0
            if asked and host.ranges and self.headers.get("If-Range") in (None, etag):
                start = int(asked.removeprefix("bytes=").rstrip("-"))
            self.send_response(206 if start else 200)
            if start:
                self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
            if etag:
                self.send_header("ETag", etag)
            self.send_header("Content-Type", host.types.get(self.path, "application/octet-stream"))
            self.send_header("Content-Length", str(len(body) - start))
            self.end_headers()
            most = host.breaks.pop(0) if host.breaks else len(body)
            self.wfile.write(body[start : start + most])
            self.close_connection = most < len(body) - start

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    host.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield host
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
