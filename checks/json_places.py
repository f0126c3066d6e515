"""Where in a JSON text each value stands, so that a finding can name its line.

A small reader beside the standard library's, which gives values without places. It is asked only of texts that the
standard library could read.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right

Path = tuple[str | int, ...]
_SPACE = re.compile(r"[ \t\n\r]*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_SCALAR = re.compile(r"[-+.\w]+")
DEEPEST = 50


def places_of(text: str) -> dict[Path, tuple[int, int]]:
    """Line and column, from 1, of each value; of a value with a key, those of the key. Empty where it is no JSON."""
    try:
        json.loads(text)
        found: dict[Path, int] = {}
        _value(text, _skip(text, 0), (), found)
    except (ValueError, RecursionError, IndexError):
        return {}
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    return {
        path: (line := bisect_right(starts, offset), offset - starts[line - 1] + 1) for path, offset in found.items()
    }


def _value(text: str, at: int, path: Path, found: dict[Path, int]) -> int:
    """Note what stands at ``at``; the offset behind it."""
    found.setdefault(path, at)
    if len(path) > DEEPEST:
        raise RecursionError
    if text[at] == "{":
        return _members(text, at, path, found)
    if text[at] == "[":
        at = _skip(text, at + 1)
        index = 0
        while text[at] != "]":
            at = _skip(text, _value(text, at, (*path, index), found))
            at = _skip(text, at + 1) if text[at] == "," else at
            index += 1
        return at + 1
    if text[at] == '"':
        return _string(text, at)[1]
    match = _SCALAR.match(text, at)
    if match is None:
        raise ValueError(at)
    return match.end()


def _members(text: str, at: int, path: Path, found: dict[Path, int]) -> int:
    at = _skip(text, at + 1)
    while text[at] != "}":
        key, behind = _string(text, at)
        found[(*path, key)] = at
        at = _skip(text, behind)
        at = _skip(text, _value(text, _skip(text, at + 1), (*path, key), found))
        at = _skip(text, at + 1) if text[at] == "," else at
    return at + 1


def _string(text: str, at: int) -> tuple[str, int]:
    """The string that begins at ``at``, and the offset behind it."""
    match = _STRING.match(text, at)
    if match is None:
        raise ValueError(at)
    return str(json.loads(match[0])), match.end()


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at
