"""Data for the pages' scripts: JavaScript files that each hand over one JSON value, and how lists are parted into them.

The idea: a page that was opened from a disk may load scripts, and not ask for JSON. What stands in such a file is JSON
with every sign escaped that HTML or JavaScript could take for something else, so it is safe wherever it is put.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import orjson

LARGEST = 200_000
"""Bytes of a chunk that holds more than one item."""
_ESCAPED = {sign: f"\\u{ord(sign):04x}".encode() for sign in "<>&\u2028\u2029"}
Item = TypeVar("Item")


def script(name: str, value: Any) -> bytes:
    """The file that hands over ``value`` under ``name``. The same value gives the same bytes."""
    return b"report.take(" + safe_json(name) + b"," + safe_json(value) + b");\n"


def safe_json(value: Any) -> bytes:
    """JSON that can stand in a script, an HTML element or an attribute.

    >>> safe_json("</script>")
    b'"\\\\u003c/script\\\\u003e"'
    """
    told = orjson.dumps(value)
    for sign, escaped in _ESCAPED.items():
        told = told.replace(sign.encode(), escaped)
    return told


def parted(
    items: Sequence[Item], weight: Callable[[Item], int], *, largest: int = LARGEST, most: int = 10_000
) -> list[list[Item]]:
    """The items in their order, in parts of at most ``largest`` by ``weight`` and ``most`` by number; none is empty."""
    parts: list[list[Item]] = []
    held = 0
    for item in items:
        weighs = weight(item)
        if not parts or held + weighs > largest or len(parts[-1]) >= most:
            parts.append([])
            held = 0
        parts[-1].append(item)
        held += weighs
    return parts
