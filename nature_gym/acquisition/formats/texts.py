"""Text, JSON, lists of edges, and what archives list."""

from __future__ import annotations

import io
import re
import zipfile
from typing import Any

import orjson

from nature_gym.acquisition.formats.source import (
    MOST_READ,
    Source,
    Structure,
    UnreadableError,
    count_lines,
    names,
)

MOST_JSON = 64 << 20
"""A larger JSON file is told by its beginning."""
_DEEP = 3


def text(source: Source) -> Structure:
    """Lines and encoding."""
    lines, exact = count_lines(source)
    return {"lines": lines, "exact": exact, "encoding": encoding(source.head)}


def encoding(head: bytes) -> str:
    """As far as the first bytes tell."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    try:
        head.decode()
    except UnicodeDecodeError as error:
        return "utf-8" if error.start >= len(head) - 3 else "latin-1"
    return "utf-8"


def json(source: Source) -> Structure:
    """The shape of the value: keys, lengths, kinds, three levels deep."""
    body = source.beginning(MOST_JSON + 1)
    if len(body) > MOST_JSON:
        start = body[:200].lstrip()[:1]
        return {"top": {b"{": "object", b"[": "array"}.get(start, "other"), "exact": False}
    try:
        value = orjson.loads(body.removeprefix(b"\xef\xbb\xbf"))
    except orjson.JSONDecodeError as error:
        lines = [line for line in body.splitlines()[:3] if line.strip()]
        if len(lines) > 1 and all(_is_json(line) for line in lines):
            return jsonl(source)
        raise UnreadableError(f"no JSON: {error}") from error
    return _shape(value)


def _is_json(line: bytes) -> bool:
    try:
        orjson.loads(line)
    except orjson.JSONDecodeError:
        return False
    return True


def _shape(value: Any, depth: int = 0) -> Structure:
    if isinstance(value, dict):
        shape: Structure = {"top": "object", "keys": names(value), "length": len(value)}
        if depth < _DEEP and len(value) <= 20:
            shape["values"] = {names([key])[0]: _shape(inner, depth + 1) for key, inner in value.items()}
        return shape
    if isinstance(value, list):
        shape = {"top": "array", "length": len(value)}
        if value and depth < _DEEP:
            shape["first"] = _shape(value[0], depth + 1)
        return shape
    return {"top": type(value).__name__}


def jsonl(source: Source) -> Structure:
    """Lines, and the keys of the first hundred."""
    keys: dict[str, None] = {}
    head = source.beginning(4 << 20)
    lines = [line for line in head.split(b"\n")[: -1 if len(head) == 4 << 20 else None][:100] if line.strip()]
    for line in lines:
        try:
            value = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise UnreadableError(f"a line is no JSON: {error}") from error
        if isinstance(value, dict):
            keys |= dict.fromkeys(value)
    count, exact = count_lines(source)
    return {"rows": count, "exact": exact, "keys": names(keys)}


_NUMBER = re.compile(rb"-?\d")


def edges(source: Source) -> Structure:
    """Edges and the columns of a line; comments and a heading apart."""
    lines, exact = count_lines(source)
    body = [line for line in source.head.split(b"\n")[:200] if line.strip()]
    comments = sum(line.lstrip().startswith((b"#", b"%")) for line in body)
    first = next((line for line in body if not line.lstrip().startswith((b"#", b"%"))), b"")
    heading = 0 if _NUMBER.match(first.lstrip()) else 1
    return {
        "edges": max(0, lines - comments - heading),
        "exact": exact,
        "columns": len(re.split(rb"[\s,;]+", first.strip())),
    }


def zip_listing(source: Source) -> Structure:
    """Members and what they unpack to, by the archive's own directory."""
    with zipfile.ZipFile(file_of(source)) as archive:
        infos = archive.infolist()
    return {
        "members": names(info.filename for info in infos),
        "count": len(infos),
        "unpacked": sum(info.file_size for info in infos),
    }


def file_of(source: Source) -> Any:
    """What a library can seek in: the file itself; of a packed one, its content in memory, if that is not too much."""
    if source.packing is None:
        return source.path
    body = source.beginning(MOST_READ + 1)
    if len(body) > MOST_READ:
        raise UnreadableError(f"packed, and more than {MOST_READ:,} bytes: it was not looked into")
    return io.BytesIO(body)
