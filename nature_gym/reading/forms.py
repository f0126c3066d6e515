"""Which form of an article a file holds: by its first bytes, for its name may say anything.

A saved page may be called ``paper.pdf``, a PDF ``download``, and either may be packed with gzip. Nothing here reads
more than the beginning of a file, but for what copies or unpacks one, up to a limit.
"""

from __future__ import annotations

import codecs
import gzip
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from nature_gym.reading.document import Source
from nature_gym.reading.refusals import MEBIBYTE, UnreadableError

SUFFIXES: dict[str, Source] = {
    ".html": "html", ".htm": "html", ".xhtml": "html", ".xml": "xml", ".nxml": "xml", ".pdf": "pdf",
}  # fmt: skip
"""What the names of articles end with, and the form that they claim by it."""

LARGEST = 300 * MEBIBYTE
"""Bytes that a packed file may unpack to, which is what the largest of the readers takes."""

_HEAD = 1 << 16
_PACKED = b"\x1f\x8b\x08"
_BLOCK = 1 << 20
_PDF_WITHIN = 1024
_TAG = re.compile(r"<([A-Za-z_][\w.-]*(?::[\w.-]+)?)")
_DOCTYPE = re.compile(r"<!doctype\s+([\w:.-]+)", re.IGNORECASE)
_PAGE = frozenset({"html", "head", "body", "title", "meta", "link", "script", "style", "base", "main", "div", "section",
                   "header", "nav", "h1", "h2", "p", "span", "table", "figure", "center", "font"})  # fmt: skip
_JATS = re.compile(
    r"article-type=|<(?:\w+:)?(?:front|article-meta|journal-meta)[\s>]|jats|nlm\.nih\.gov", re.IGNORECASE
)


def form_of(head: bytes) -> Source | None:
    """The form that a file has, by its first bytes; None where they tell of none.

    >>> form_of(b"%PDF-1.7"), form_of(b"<!DOCTYPE html><title>x"), form_of(b"words")
    ('pdf', 'html', None)
    """
    text = _text(head).lstrip("\ufeff \t\r\n\f")
    if not text.startswith("<"):
        return "pdf" if b"%PDF-" in head[:_PDF_WITHIN] else None
    doctype, is_xml, root = _prolog(text)
    if doctype == "html" or root in _PAGE:
        return "html"
    if root == "article" or doctype == "article":
        return "xml" if is_xml or doctype == "article" or _JATS.search(text) else "html"
    return "xml" if root and (is_xml or ("<article" in text and _JATS.search(text))) else None


def _text(head: bytes) -> str:
    """The beginning as text: only ASCII matters, in whatever encoding it is told."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return head[: len(head) & ~1].decode("utf-16", "replace")
    return head.removeprefix(codecs.BOM_UTF8).decode("latin-1")


def _prolog(text: str) -> tuple[str, bool, str]:
    """What stands before the root: (the document type, whether it is declared XML, the root's local name).

    Each part is looked for once, from where the last ended.
    """
    place, doctype, is_xml = 0, "", False
    while True:
        place = next((at for at in range(place, len(text)) if not text[at].isspace()), len(text))
        if text.startswith("<?", place):
            is_xml = is_xml or text.startswith("<?xml", place)
            end = text.find("?>", place)
        elif text.startswith("<!--", place):
            end = text.find("-->", place)
        elif text.startswith("<!", place):
            named = _DOCTYPE.match(text, place)
            doctype = named[1].casefold() if named else doctype
            end = text.find(">", place)
            inside = text.find("[", place, end)
            if inside >= 0 and (closed := text.find("]", inside)) >= 0:
                end = text.find(">", closed)
        else:
            tag = _TAG.match(text, place)
            return doctype, is_xml, tag[1].rpartition(":")[2].casefold() if tag else ""
        if end < 0:
            return doctype, is_xml, ""
        place = text.find(">", end) + 1


# -- files -------------------------------------------------------------------------


def is_packed(path: Path) -> bool:
    """Whether a file is packed with gzip. Raises OSError where it cannot be opened."""
    with path.open("rb") as file:
        return file.read(len(_PACKED)) == _PACKED


def head_of(path: Path) -> bytes:
    """The first bytes of what a file holds, unpacked.

    Raises OSError where it cannot be opened, UnreadableError where it cannot be unpacked.
    """
    with open_plain(path) as file:
        return file.read(_HEAD)


@contextmanager
def open_plain(path: Path) -> Iterator[BinaryIO]:
    """A file opened for reading what it holds, unpacked where it is packed.

    Raises OSError where it cannot be opened; inside the block, UnreadableError where it cannot be unpacked.
    """
    if not is_packed(path):
        with path.open("rb") as file:
            yield file
        return
    try:
        with gzip.open(path, "rb") as file:
            yield file  # type: ignore[misc]  # it reads like a file, and is no BinaryIO by name
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise UnreadableError(
            f"the file is packed with gzip and cannot be unpacked: {error}", hint="Supply it whole, or unpacked."
        ) from error


def copy_plain(path: Path, target: Path) -> None:
    """Copy what a file holds, unpacked where it is packed. Raises as :func:`open_plain`, and for what is too large."""
    packed = is_packed(path)
    with open_plain(path) as file, target.open("wb") as copy:
        left = LARGEST
        while block := file.read(_BLOCK):
            left -= len(block)
            if packed and left < 0:
                raise UnreadableError(
                    f"the file unpacks to more than the {LARGEST // MEBIBYTE} MB that an article may have",
                    hint="Look at what it holds.",
                )
            copy.write(block)


@contextmanager
def plain(path: Path) -> Iterator[Path]:
    """A path of what a file holds: its own, or for the block's time that of an unpacked copy. Raises as above."""
    if not is_packed(path):
        yield path
        return
    with TemporaryDirectory(prefix="naturegym-") as folder:
        copy = Path(folder, "article")
        copy_plain(path, copy)
        yield copy
