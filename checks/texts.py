"""What methods of texts and paths give for what is known, with bounds on what comes of it."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Any

from checks.library import MOST_ROUNDS, sequence
from checks.values import LONGEST, UNKNOWN, WILD, join

SAME = {"resolve", "absolute", "expanduser", "as_posix", "__str__", "__fspath__"}
ASKED = {"startswith", "endswith", "is_relative_to", "relative_to"}
PLAIN = {
    "lower", "upper", "strip", "lstrip", "rstrip", "replace", "split", "removesuffix", "removeprefix", "title",
    "partition", "rpartition",
}  # fmt: skip
SPEC = re.compile(r"0?\d{0,2}[ds]?")
_FIELD = re.compile(r"\{(\w*)(?:!r|!s)?(?::([^{}]*))?\}")


def of_text(text: str, name: str, given: list[Any], keywords: dict[str, Any]) -> tuple[bool, Any]:
    """(whether the method ``name`` is known here, what comes of it)."""
    first = given[0] if given else UNKNOWN
    value: Any = UNKNOWN
    known = True
    if name == "joinpath":
        value = join(text, *given)
    elif name in SAME:
        value = text
    elif name in ("with_suffix", "with_name") and isinstance(first, str):
        path = PurePosixPath(text)
        value = str(path.parent / (path.stem + first if name == "with_suffix" else first))
    elif name == "format":
        value = _filled(text, given, keywords)
    elif name == "join":
        parts = sequence(first)
        if parts is not None and len(parts) < MOST_ROUNDS:
            value = text.join(map(plain_text, parts))[:LONGEST]
    elif name in ASKED:
        value = getattr(text, name)(first) if isinstance(first, str) and name.endswith("with") else UNKNOWN
    elif name in PLAIN and all(isinstance(one, str) for one in given) and not keywords:
        result: Any = getattr(text, name)(*given) if all(given) else None
        if result is not None:
            value = result[:LONGEST] if isinstance(result, str) else list(result)
    else:
        known = False
    return known, value


def _filled(text: str, given: list[Any], keywords: dict[str, Any]) -> str:
    """``text.format(...)``, as far as its fields are plain."""
    places = iter(given)

    def field(match: re.Match[str]) -> str:
        name = match[1]
        if not name:
            value = next(places, UNKNOWN)
        elif name.isdigit():
            value = given[int(name)] if len(name) < 4 and int(name) < len(given) else UNKNOWN
        else:
            value = keywords.get(name, UNKNOWN)
        return formatted(value, match[2] or "")

    return _FIELD.sub(field, text)[:LONGEST]


def formatted(value: Any, spec: str) -> str:
    """A value in a text; the sign for anything where it, or how it is written, is not known."""
    if not isinstance(value, str | int | float) or not SPEC.fullmatch(spec):
        return WILD
    try:
        return format(value, spec)[:LONGEST]
    except (ValueError, OverflowError):
        return WILD


def plain_text(value: Any) -> str:
    """A text, or the sign for anything."""
    return value if isinstance(value, str) else WILD
