from __future__ import annotations

import hashlib
import io
import json
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from nature_gym.environment.manifests import Manifest

BASE = Manifest("small:v1", "3.11", "these tests", True, {"numpy": "1.26.4", "scikit-learn": "1.6.1"}, frozenset())


def wheel(name: str, version: str, requires: tuple[str, ...] = ()) -> bytes:
    """A wheel with one empty module."""
    info = f"{name}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    metadata += "".join(f"Requires-Dist: {one}\n" for one in requires)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr(f"{name}.py", "")
        archive.writestr(f"{info}/METADATA", metadata)
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    return content.getvalue()


class Index(ThreadingHTTPServer):
    """A package index of the standard's JSON form, with upload times, in this process."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.files: dict[str, dict[str, tuple[bytes, str]]] = {}
        self.fetched: list[str] = []

    def add(self, name: str, version: str, uploaded: str, requires: tuple[str, ...] = ()) -> None:
        file = f"{name}-{version}-py3-none-any.whl"
        project = self.files.setdefault(name.replace("_", "-"), {})
        project[file] = (wheel(name, version, requires), f"{uploaded}T12:00:00Z")

    def add_source(self, name: str, version: str, uploaded: str) -> None:
        self.files.setdefault(name, {})[f"{name}-{version}.tar.gz"] = (b"", f"{uploaded}T12:00:00Z")


class _Handler(BaseHTTPRequestHandler):
    server: Index

    def do_GET(self) -> None:
        parts = self.path.strip("/").split("/")
        project = self.server.files.get(parts[1] if len(parts) > 1 else "", {})
        if parts[0] == "files" and parts[2] in project:
            self.server.fetched.append(parts[2])
            return self._answer(project[parts[2]][0], "application/octet-stream")
        if parts[0] == "simple" and project:
            files = [
                {
                    "filename": file, "url": f"/files/{parts[1]}/{file}", "upload-time": uploaded,
                    "hashes": {"sha256": hashlib.sha256(content).hexdigest()},
                }
                for file, (content, uploaded) in project.items()
            ]  # fmt: skip
            document = {"meta": {"api-version": "1.1"}, "name": parts[1], "files": files}
            return self._answer(json.dumps(document).encode(), "application/vnd.pypi.simple.v1+json")
        return self.send_error(404)

    def do_HEAD(self) -> None:
        self.do_GET()

    def _answer(self, content: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    """The only index that uv sees, empty but for what the base has."""
    server = Index()
    server.add("numpy", "1.26.4", "2024-02-05", ("nothing-there",))
    server.add("numpy", "2.1.0", "2024-08-18")
    server.add("scikit_learn", "1.6.1", "2025-01-10")
    monkeypatch.setenv("UV_DEFAULT_INDEX", f"http://127.0.0.1:{server.server_port}/simple")
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path_factory.mktemp("uv")))
    for name in ("UV_INDEX", "UV_EXTRA_INDEX_URL", "UV_FIND_LINKS", "UV_INDEX_URL"):
        monkeypatch.delenv(name, raising=False)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()
