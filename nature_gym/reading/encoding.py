"""From the bytes of a page to its characters, whatever it says of itself, and no character that is a command.

Pages lie about their encoding more often than they are in another one than UTF-8. So UTF-8 is believed
where the bytes bear it out, then what the page declares, then what browsers fall back to.
"""

from __future__ import annotations

import codecs
import dataclasses
import re
from typing import Any, TypeVar

_DECLARED = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_.:-]{2,40})""", re.IGNORECASE)
_CONTROLS = bytes([*range(0x09), *range(0x0E, 0x20), 0x7F])
_HEAD = 4096
T = TypeVar("T")
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_FALLBACK = "windows-1252"
_COMMANDS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
"""What no article means: characters that command a terminal, turn the direction of writing, or hide other text."""


def as_utf8(content: bytes) -> tuple[bytes, list[str]]:
    """A page in UTF-8, without control characters, and what was odd about its encoding, in words.

    >>> page, odd = as_utf8(b"caf\\xe9")
    >>> page.decode(), odd
    ('café', ['the page is not UTF-8; it was read as windows-1252'])
    """
    for mark, name in _MARKS:
        if content.startswith(mark):
            return content.decode(name, "replace").removeprefix("\ufeff").encode(), []
    content = content.translate(None, _CONTROLS)
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        text, problems = _decode(content)
        return text.encode(), problems
    return content, []


def _decode(content: bytes) -> tuple[str, list[str]]:
    """A page that is not all UTF-8."""
    text = content.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    if len(re.findall(r"[^\x00-\x7f\ufffd]", text)) >= broken:
        return text, [f"{broken} characters of the page are not valid UTF-8"]
    name = _declared(content)
    told = ", as it declares," if name != _FALLBACK else ""
    return content.decode(name, "replace"), [f"the page is not UTF-8; it was read{told} as {name}"]


def _declared(content: bytes) -> str:
    """The encoding that a page declares, where it is one we know and not the one that was just tried."""
    match = _DECLARED.search(content, 0, _HEAD)
    if match is None:
        return _FALLBACK
    try:
        name = codecs.lookup(match[1].decode("ascii")).name
    except LookupError:
        return _FALLBACK
    # What is called Latin-1 is Windows' extension of it, in pages as in browsers.
    return _FALLBACK if name in {"utf-8", "ascii", "iso8859-1", "cp1252", "utf-16"} else name


def printable(text: str) -> str:
    """``text`` with a space for each character that commands instead of being printed: places in it stay as they are.

    >>> printable("a\\x1b[31mb\\u202e")
    'a [31mb '
    """
    return _COMMANDS.sub(" ", text) if not text.isprintable() else text


def all_printable(value: T) -> T:
    """A dataclass, tuple or dict with all its text made :func:`printable`; itself where nothing had to be changed."""
    made: Any = _made_printable(value)
    return made  # type: ignore[no-any-return]  # of the same type, field by field


def _made_printable(value: Any) -> Any:
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, tuple):
        made = tuple(map(_made_printable, value))
        return value if all(one is other for one, other in zip(made, value, strict=True)) else made
    if isinstance(value, dict):
        return {printable(key): _made_printable(one) for key, one in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        changed = {}
        for field in dataclasses.fields(value):
            before = getattr(value, field.name)
            if (after := _made_printable(before)) is not before:
                changed[field.name] = after
        return dataclasses.replace(value, **changed) if changed else value
    return value
