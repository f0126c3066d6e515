"""Texts of others, fit to stand on a page: no signs that command, hide or reorder, and no longer than anyone reads."""

from __future__ import annotations

from typing import Any

SHORT, LONG = 240, 1_200
CUT = "\N{HORIZONTAL ELLIPSIS}"


def plain(value: Any, longest: int = SHORT) -> str:
    """``value`` as text of at most ``longest`` characters; '' for None.

    What is not printable (control characters, terminal escapes, marks that turn the direction of writing, halves of
    surrogate pairs) becomes U+FFFD; line ends and tabs stay.

    >>> plain("a\\x1b[31mred\\u202e", 20) == "a\\ufffd[31mred\\ufffd"
    True
    """
    if value is None:
        return ""
    text = str(value)
    cut = len(text) > longest
    if not cut and text.isprintable():
        return text
    told = "".join(
        sign if sign.isprintable() or sign in "\n\t" else "\N{REPLACEMENT CHARACTER}" for sign in text[:longest]
    )
    return told[: longest - 1] + CUT if cut else told


def spoken(name: str) -> str:
    """A name of ours as words: ``agent_error`` -> ``agent error``."""
    return plain(name).replace("_", " ")


def size(number: float) -> str:
    """Bytes for people, in powers of ten.

    >>> size(1_530_000)
    '1.5 MB'
    """
    for unit, one in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if number >= one:
            return f"{number / one:.1f} {unit}"
    return f"{number:.0f} B"
