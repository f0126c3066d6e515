"""A client written from the published protocol alone: it knows the four paths, the fields and the codes."""

from __future__ import annotations

import http.client
import json
import socket
from pathlib import Path
from typing import Any, NamedTuple, Self
from urllib.parse import quote


class Answer(NamedTuple):
    code: int
    body: Any
    headers: dict[str, str]


class OverSocket(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=60)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(60)
        self.sock.connect(str(self._path))


class Client:
    def __init__(self, connection: http.client.HTTPConnection, token: str) -> None:
        self._connection, self._token = connection, token

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def close(self) -> None:
        self._connection.close()

    def ask(self, method: str, path: str, body: bytes | None = None) -> Answer:
        self._connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
        response = self._connection.getresponse()
        content = response.read()
        return Answer(
            response.status, json.loads(content), {key.lower(): value for key, value in response.getheaders()}
        )

    def evaluate(self, token: object = None) -> Answer:
        return self.ask("POST", "/evaluate", json.dumps({"eval_token": token or self._token}).encode())

    def best_score(self, token: str = "") -> Answer:
        return self.ask("GET", f"/best_score?eval_token={quote(token or self._token)}")

    def time_remaining(self, token: str = "") -> Answer:
        return self.ask("GET", f"/time_remaining?eval_token={quote(token or self._token)}")

    def health(self) -> Answer:
        return self.ask("GET", "/health")
