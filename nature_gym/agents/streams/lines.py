"""Lines of what a program printed, in bounds; and JSON objects where a line is one.

The idea: a stream may be torn anywhere (a deadline, a cut in the middle of what was kept), so a line that is no JSON is
text and stops nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

MOST_LINE = 4 << 20
"""Bytes of a line that are looked at; the rest of it is passed over."""
Json = dict[str, Any]


def lines(path: Path) -> Iterator[bytes]:
    """The lines of a file without their ends; none where there is no file."""
    try:
        file = path.open("rb")
    except FileNotFoundError:
        return
    with file:
        while piece := file.readline(MOST_LINE):
            yield piece.rstrip(b"\r\n")
            while piece and not piece.endswith(b"\n"):
                piece = file.readline(MOST_LINE)


def objects(path: Path) -> Iterator[Json | str]:
    """Each line that is not empty: a JSON object, or its text."""
    for line in lines(path):
        if not line.strip():
            continue
        try:
            value = orjson.loads(line)
        except orjson.JSONDecodeError:
            value = None
        yield value if isinstance(value, dict) else line.decode("utf-8", "replace")


def plain(value: Any) -> str:
    """A value as text: a text as it is, JSON otherwise."""
    if value is None:
        return ""
    return value if isinstance(value, str) else orjson.dumps(value, default=str).decode()


def count(value: Any) -> int:
    """A number of tokens: what is none, or negative, or absurd, is 0."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 48 else 0


def mapping(value: Any) -> Json:
    """An object, or an empty one."""
    return value if isinstance(value, dict) else {}


def items(value: Any) -> list[Any]:
    """A list, or an empty one."""
    return value if isinstance(value, list) else []
