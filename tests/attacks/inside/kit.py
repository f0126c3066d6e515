"""What an attack has at hand inside the box: its task, the service, and all that the worst agent could have learned."""

from __future__ import annotations

import json
import os
import shutil
import socket
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

_GIVEN = Path(__file__).with_name("known.json")
KNOWN: dict[str, Any] = json.loads(_GIVEN.read_text()) if _GIVEN.exists() else {}
"""Paths on the host, tokens of others, ports: given to every attack, so that nothing is safe by being unknown."""
OUTPUT = Path(os.environ.get("OUTPUT_DIR", "/workspace/output"))
SERVICE, EGRESS = "/run/service.sock", "/run/egress.sock"
RIGHT = [1, 0, 0, 0]
"""An answer of which two of four are right."""


def ask(method: str, path: str, body: object = None, headers: dict[str, str] | None = None) -> tuple[int, Any]:
    """One request to the service: the code, and what it said."""
    content = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
    request = Request(os.environ["EVAL_SERVICE_URL"] + path, content, headers or {}, method=method)
    try:
        with urlopen(request, timeout=60) as answer:
            return answer.status, json.loads(answer.read())
    except HTTPError as error:
        with error:
            return error.code, json.loads(error.read() or b"null")


def submit(token: object = None) -> tuple[int, Any]:
    """Hand in what lies in the folder of answers."""
    return ask("POST", "/evaluate", {"eval_token": os.environ["EVAL_TOKEN"] if token is None else token})


def fresh(**files: object) -> Path:
    """An empty folder of answers; ``files`` as JSON, by name."""
    if OUTPUT.is_symlink():
        OUTPUT.unlink()
    shutil.rmtree(OUTPUT, ignore_errors=True)
    folder = OUTPUT / "a"
    folder.mkdir(parents=True)
    for name, value in files.items():
        (folder / f"{name}.json").write_text(json.dumps(value))
    return folder


def scored() -> object:
    """Hand in, and say what was given for it: something only where the answer was taken and has a score."""
    code, said = submit()
    return {"code": code, "said": said} if code == 200 else None


def unix(path: str) -> socket.socket:
    """A connection to a Unix socket."""
    one = socket.socket(socket.AF_UNIX)
    one.settimeout(20)
    one.connect(path)
    return one


def text_of(*paths: str) -> str:
    """What can be read of some files."""
    found = []
    for path in paths:
        try:
            found.append(f"{path}: {Path(path).read_bytes()[:100_000].decode('utf-8', 'replace')}")
        except OSError:
            continue
    return "\n".join(found)
