"""Patterns that are compiled when they are first asked for: a document that names no method needs few of them."""

from __future__ import annotations

import re
from typing import Any, cast

_ASKED = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn", "pattern", "flags", "groups")


class _Later:
    """Becomes the pattern when anything is asked of it."""

    def __init__(self, text: str, flags: int) -> None:
        self._text, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:
        if name not in _ASKED:
            raise AttributeError(name)
        compiled = re.compile(self._text, self._flags)
        self.__dict__.update({one: getattr(compiled, one) for one in _ASKED})
        return self.__dict__[name]


def later(text: str, flags: int = 0) -> re.Pattern[str]:
    """``re.compile(text, flags)``, done at the first use."""
    return cast("re.Pattern[str]", _Later(text, flags))
