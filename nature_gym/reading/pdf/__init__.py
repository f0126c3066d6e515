"""PDF articles: opened here, by the one module that knows PyMuPDF, and read by those beside it.

The one idea: the library is asked once a page for text and drawings together, and what it gives becomes the plain
values of :mod:`nature_gym.reading.pdf.page`. Files come from strangers and the library is written in C, so
:func:`read_pdf` reads in a child process with limits; :func:`read_here` is what that child does.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from nature_gym.reading.document import Document
from nature_gym.reading.pdf.glyphs import is_signs, sign_table
from nature_gym.reading.pdf.page import (
    Box,
    Hyperlink,
    Line,
    Page,
    Run,
    family,
    is_italic,
    is_strong,
    turn,
)
from nature_gym.reading.refusals import MEBIBYTE, NoArticleError, UnreadableError, refuse_size

MAX_BYTES = 300 * MEBIBYTE
MAX_PAGES = 5_000
MAX_SHAPES = 4_000
"""Drawn shapes of a page that are looked at: plots of tens of thousands of dots say nothing about the layout."""
MAX_LINES = 20_000
SECONDS, SECONDS_A_PAGE = 20.0, 0.5
"""Time that reading a file may take in the child before it stops at the page it has come to."""
LONGEST = 300.0
_TURNS = {(1, 0): 0, (0, -1): 1, (0, 1): 3}


def read_pdf(content: bytes | Path, *, figures: bool = True) -> Document:
    """The article in a PDF, given as its bytes or its path; ``figures`` asks for pictures of the figures, too.

    Raises NoArticleError for what is no PDF, and UnreadableError for one that is locked by a password, too large, or
    so damaged that nothing can be got out of it. Damage that leaves text is told in ``problems``.
    """
    from nature_gym.reading.pdf.supervision import read_supervised

    if isinstance(content, bytes):
        refuse_size(content, MAX_BYTES, "PDF")
    return read_supervised(content, figures=figures)


def read_here(content: bytes | Path, *, figures: bool = True, pulse: Callable[[], None] | None = None) -> Document:
    """Like :func:`read_pdf`, in this process: for trusted files, and for the child itself.

    ``pulse`` is called after every step that may take long, as a sign of life.
    """
    from nature_gym.reading.pdf.article import compose

    with PdfFile(content, pulse) as file:
        return compose(file, figures=figures)


def warm_up() -> None:
    """Load what reading needs."""
    from nature_gym.reading.pdf import article

    _library()
    del article


@lru_cache(1)
def _library() -> ModuleType:
    import pymupdf

    # What MuPDF has to say becomes problems of the document, not lines on the terminal.
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    return pymupdf


@dataclass(frozen=True, slots=True)
class Picture:
    """An image as bytes."""

    content: bytes
    media_type: str


class PdfFile:
    """An opened file that gives its pages as plain values."""

    def __init__(self, content: bytes | Path, pulse: Callable[[], None] | None = None) -> None:
        self.problems: list[str] = []
        self._pulse = pulse or _nothing
        self._began = time.monotonic()
        self._mupdf = _library()
        self._mupdf.TOOLS.reset_mupdf_warnings()
        m = self._mupdf
        self._flags = m.TEXT_PRESERVE_LIGATURES | m.TEXT_MEDIABOX_CLIP | m.TEXT_CID_FOR_UNKNOWN_UNICODE
        self._signs: dict[str, dict[int, str]] | None = None
        self._document = self._open(content)
        self.page_count = self._pages()
        self.metadata: Mapping[str, str] = {
            key: value for key, value in (self._document.metadata or {}).items() if isinstance(value, str) and value
        }

    def __enter__(self) -> PdfFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._document.close()

    # -- opening --

    def _open(self, content: bytes | Path) -> Any:  # noqa: ANN401 -- the library is untyped
        if isinstance(content, Path):
            try:
                size = content.stat().st_size
                with content.open("rb") as file:
                    head = file.read(1024)
            except OSError as error:
                raise NoArticleError(
                    f"{content.name} cannot be read: {error.strerror}", hint="Check the path."
                ) from error
            _refuse_large(size)
        else:
            refuse_size(content, MAX_BYTES, "PDF")
            head = content[:1024]
        if not head.strip():
            raise NoArticleError("the PDF is empty", hint="Fetch it again; nothing was sent.")
        if b"%PDF" not in head:
            if b"<html" in head.lower() or b"<!doctype" in head.lower():
                raise NoArticleError(
                    "this is a web page, not a PDF", hint="Fetch the PDF itself, or read the page as HTML."
                )
            self.problems.append("the file does not begin like a PDF; it was read as one all the same")
        try:
            if isinstance(content, Path):
                document = self._mupdf.open(str(content), filetype="pdf")
            else:
                document = self._mupdf.open(stream=content, filetype="pdf")
            locked = bool(document.needs_pass)
        except Exception as error:  # noqa: BLE001 -- the library raises whatever its C code met
            raise _damaged(str(error)) from error
        if locked:
            raise UnreadableError(
                "the PDF is encrypted and asks for a password",
                hint="Save it without a password, or supply the article as HTML or XML.",
            )
        if document.is_repaired:
            self.problems.append("the file is damaged; it was repaired for reading, and something may be missing")
        return document

    def _pages(self) -> int:
        try:
            count = int(self._document.page_count)
        except Exception as error:  # noqa: BLE001 -- as above
            raise _damaged(str(error)) from error
        if count == 0:
            raise _damaged("it has no pages")
        if count > MAX_PAGES:
            raise UnreadableError(
                f"the PDF has {count:,} pages, more than the {MAX_PAGES:,} that are read",
                hint="Split off the article's own pages.",
            )
        return count

    # -- pages --

    def pages(self) -> Iterator[list[Page]]:
        """For each sheet its page, and what stands turned on it; broken sheets are left out and told of."""
        broken: list[int] = []
        for number in range(self.page_count):
            if time.monotonic() - self._began > min(SECONDS + SECONDS_A_PAGE * self.page_count, LONGEST):
                self.problems.append(f"reading took too long: pages from {number + 1} on were left out")
                break
            try:
                pages = self._read(number)
            except Exception:  # noqa: BLE001 -- as above; one bad page is no reason to lose the others
                broken.append(number + 1)
                continue
            self._pulse()
            yield pages
        if broken:
            self.problems.append(f"pages that could not be read: {', '.join(map(str, broken[:20]))}")
        self._mupdf.TOOLS.reset_mupdf_warnings()

    def _read(self, number: int) -> list[Page]:
        page = self._document[number]
        m = self._mupdf
        flags = self._flags | m.TEXT_PRESERVE_WHITESPACE | m.TEXT_COLLECT_VECTORS
        blocks = page.get_text("dict", flags=flags)["blocks"]
        width, height = page.rect.width, page.rect.height
        shapes = [block["bbox"] for block in blocks if block["type"] == 3]
        if len(shapes) > MAX_SHAPES:
            shapes = sorted(shapes, key=lambda box: (box[0] - box[2]) + (box[1] - box[3]))[:MAX_SHAPES]
        links = list(self._links(page))
        lines: dict[int, list[Line]] = {0: []}
        for index, block in enumerate(blocks):
            if block["type"] == 0:
                _take(block["lines"], lines, number, index, (width, height))
        for found in lines.values():
            self._mend(found)
        pages = []
        for turned, found in lines.items():
            if turned and len(found) < 5:
                continue
            size = (width, height) if turned == 0 else (height, width)
            pages.append(
                Page(
                    number,
                    *size,
                    lines=_with_loose_scripts(found[:MAX_LINES]),
                    shapes=[turn(box, turned, width, height) for box in shapes] if turned else shapes,
                    links=[Hyperlink(turn(link.box, turned, width, height), link.uri) for link in links]
                    if turned
                    else links,
                    turned=turned,
                )
            )
        return pages

    def _mend(self, lines: Iterable[Line]) -> None:
        """Put right the signs of fonts that name them after letters."""
        for line in lines:
            odd = [run for run in line.runs if is_signs(run.font)]
            if not odd:
                continue
            if self._signs is None:
                self._signs = self._sign_tables()
            for run in odd:
                run.text = run.text.translate(self._signs.get(run.font) or sign_table(run.font, ""))
            line.plain = "".join(run.text for run in line.runs)

    def _sign_tables(self) -> dict[str, dict[int, str]]:
        tables: dict[str, dict[int, str]] = {}
        for number in range(min(self.page_count, 60)):
            for entry in self._document.get_page_fonts(number):
                name = family(entry[3])
                if name in tables or not is_signs(name):
                    continue
                kind, value = self._document.xref_get_key(entry[0], "Encoding")
                written = self._document.xref_object(int(value.split()[0]), compressed=True) if kind == "xref" else ""
                tables[name] = sign_table(name, written)
        return tables

    def _links(self, page: Any) -> Iterator[Hyperlink]:  # noqa: ANN401 -- as above
        inner = page.this
        link = self._mupdf.mupdf.fz_load_links(inner.super() if hasattr(inner, "super") else inner)
        count = 0
        while link.m_internal and count < 2_000:
            box, uri = link.rect(), link.uri() or ""
            yield Hyperlink((box.x0, box.y0, box.x1, box.y1), uri if "://" in uri or uri.startswith("mailto:") else "")
            link = link.next()
            count += 1

    def words(self, page: Page, box: Box) -> list[Line]:
        """The words in a box of a page, each a line of its own, with exact places."""
        self._pulse()
        sheet = self._document[page.number]
        blocks = sheet.get_text("rawdict", flags=self._flags)["blocks"]
        width, height = sheet.rect.width, sheet.rect.height
        words: list[Line] = []
        for index, block in enumerate(blocks):
            for line in block.get("lines", ()):
                if _turned(line["dir"]) != page.turned:
                    continue
                inside = turn(line["bbox"], page.turned, width, height)
                if inside[3] < box[1] or inside[1] > box[3] or inside[2] < box[0] or inside[0] > box[2]:
                    continue
                words += _split(line["spans"], page, index, (width, height))
        self._mend(words)
        return [
            word
            for word in _with_loose_scripts(words)
            if box[0] <= (word.x0 + word.x1) / 2 <= box[2] and box[1] <= (word.y0 + word.y1) / 2 <= box[3]
        ]

    def images(self, page: Page) -> list[tuple[Box, int]]:
        """Places of a page's images and their numbers in the file."""
        sheet = self._document[page.number]
        found = sheet.get_image_info(xrefs=True)[:500]
        return [(turn(entry["bbox"], page.turned, *sheet.rect.br), int(entry["xref"])) for entry in found]

    def image(self, number: int) -> Picture | None:
        """An image as it is stored in the file, where it is stored in a common format."""
        try:
            stored = self._document.extract_image(number)
        except Exception:  # noqa: BLE001 -- as above; the figure is drawn instead
            return None
        media_type = {"png": "image/png", "jpeg": "image/jpeg", "jpg": "image/jpeg"}.get(stored.get("ext", ""))
        if not media_type or stored.get("smask") or stored.get("colorspace") == 4:
            return None
        return Picture(stored["image"], media_type)

    def drawn(self, page: Page, box: Box, *, dpi: int = 150) -> Picture | None:
        """A picture of a part of a page."""
        self._pulse()
        sheet = self._document[page.number]
        clip = self._mupdf.Rect(page.on_sheet(box)) & sheet.rect
        if clip.is_empty or clip.width < 4 or clip.height < 4:
            return None
        scale = min(dpi / 72, 3000 / max(clip.width, clip.height))
        try:
            pixels = sheet.get_pixmap(matrix=self._mupdf.Matrix(scale, scale), clip=clip, alpha=False)
            return Picture(pixels.tobytes("png"), "image/png")
        except Exception:  # noqa: BLE001 -- as above
            self.problems.append(f"a figure on page {page.number + 1} could not be drawn")
            return None


def _nothing() -> None:
    """No sign of life is asked for."""


def _refuse_large(size: int) -> None:
    if size > MAX_BYTES:
        raise UnreadableError(
            f"the PDF has {size / MEBIBYTE:,.0f} MB, more than the {MAX_BYTES // MEBIBYTE} MB that are read",
            hint="Look at what was fetched, or split off the article's own pages.",
        )


def _damaged(why: str) -> UnreadableError:
    why = " ".join(why.split())[:120]
    return UnreadableError(f"the PDF is damaged beyond repair: {why}", hint="Fetch it again, or supply another copy.")


# -- lines -----------------------------------------------------------------------------------------


@lru_cache(4096)
def _style(font: str, flags: int) -> tuple[str, bool, bool]:
    return family(font), is_strong(font, flags), is_italic(font, flags)


def _turned(direction: tuple[float, float]) -> int:
    """Quarter turns of a line's direction; -1 for a slanted line."""
    if direction == (1.0, 0.0):
        return 0
    return _TURNS.get((round(direction[0], 1), round(direction[1], 1)), -1)  # type: ignore[call-overload, no-any-return]


def _take(
    found: Iterable[Mapping[str, Any]], lines: dict[int, list[Line]], number: int, block: int, size: tuple[float, float]
) -> None:
    """Take a block's lines; those at the same height that stand close are one, however wide its words are set."""
    last: Line | None = None
    for entry in found:
        turned = 0 if entry["dir"] == (1.0, 0.0) else _turned(entry["dir"])
        if turned < 0:
            continue
        runs = _runs(entry["spans"]) if not turned else _runs([_upright(span, turned, size) for span in entry["spans"]])
        if not runs:
            continue
        x0, y0, x1, y1 = entry["bbox"] if not turned else turn(entry["bbox"], turned, *size)
        line = Line(runs, x0, y0, x1, y1, number, block).settle()
        if (
            last is not None
            and abs(line.baseline - last.baseline) < 0.15 * last.size
            and -1 < line.x0 - last.x1 < 1.2 * max(line.size, last.size)
        ):
            if last.runs[-1].text[-1:] != " " and line.runs[0].text[:1] != " " and line.x0 - last.x1 > 0.15 * last.size:
                last.runs[-1].text += " "
            last.runs += line.runs
            last.x1, last.y0, last.y1 = line.x1, min(last.y0, line.y0), max(last.y1, line.y1)
            last.settle()
            continue
        lines.setdefault(turned, []).append(line)
        last = line


def _upright(span: Mapping[str, Any], turned: int, size: tuple[float, float]) -> Mapping[str, Any]:
    x, y = span["origin"]
    box = turn((x, y, x, y), turned, *size)
    return {**span, "bbox": turn(span["bbox"], turned, *size), "origin": box[:2]}


def _runs(spans: Iterable[Mapping[str, Any]]) -> list[Run]:
    runs: list[Run] = []
    last: Run | None = None
    for span in spans:
        text, size, box = span["text"], span["size"], span["bbox"]
        baseline = span["origin"][1]
        font, strong, italic = _style(span["font"], span["flags"])
        if last is not None:
            blank = text.isspace()
            same = font == last.font and abs(size - last.size) < 0.1 and abs(baseline - last.baseline) < 0.3
            if blank and baseline - last.baseline < 0.3 and not same:
                same = True
            if same and strong == last.strong and -0.5 * size < box[0] - last.x1 < 0.25 * size + (size if blank else 0):
                last.text += text
                last.x1 = box[2]
                continue
        last = Run(text, box[0], box[2], baseline, size, font, strong, italic)
        runs.append(last)
    while runs and not runs[-1].text.strip():
        runs.pop()
    return runs


_SCRIPT_LENGTH = 14


def _with_loose_scripts(lines: list[Line]) -> list[Line]:
    """Scripts that came as lines of their own put into the lines that they belong to."""
    kept: list[Line] = []
    for index, line in enumerate(lines):
        if len(line.plain) > _SCRIPT_LENGTH or line.size > 9:
            kept.append(line)
            continue
        host = _host(line, lines, index)
        if host is None:
            kept.append(line)
            continue
        host.runs = sorted([*host.runs, *line.runs], key=lambda run: run.x0)
        host.x0, host.x1 = min(host.x0, line.x0), max(host.x1, line.x1)
        host.settle()
    return kept


def _host(line: Line, lines: list[Line], index: int) -> Line | None:
    for other in (*lines[index + 1 : index + 4], *reversed(lines[max(0, index - 4) : index])):
        if line.size > 0.85 * other.size or not other.runs:
            continue
        rise = (other.baseline - line.baseline) / other.size
        if not -0.4 < rise < 0.7:
            continue
        edges = [other.x0, *(run.x1 for run in other.runs)]
        if any(-0.25 * other.size < line.x0 - edge < 0.3 * other.size for edge in edges):
            return other
    return None


def _split(spans: Iterable[Mapping[str, Any]], page: Page, block: int, size: tuple[float, float]) -> list[Line]:
    """A line's words, from the boxes of its characters."""
    words: list[Line] = []
    runs: list[Run] = []
    top, bottom = 1e9, -1e9
    for span in spans:
        font, strong, italic = _style(span["font"], span["flags"])
        for character in span["chars"]:
            x0, y0, x1, y1 = turn(character["bbox"], page.turned, *size)
            letter = character["c"]
            apart = bool(runs) and x0 - runs[-1].x1 > 0.18 * max(span["size"], runs[-1].size)
            if (letter.isspace() or apart) and runs:
                words.append(Line(runs, runs[0].x0, top, runs[-1].x1, bottom, page.number, block).settle())
                runs, top, bottom = [], 1e9, -1e9
            if letter.isspace():
                continue
            x, y = character["origin"]
            baseline = turn((x, y, x, y), page.turned, *size)[1]
            top, bottom = min(top, y0), max(bottom, y1)
            last = runs[-1] if runs else None
            if (
                last
                and last.font == font
                and abs(last.size - span["size"]) < 0.1
                and abs(last.baseline - baseline) < 0.3
            ):
                last.text += letter
                last.x1 = max(last.x1, x1)
            else:
                runs.append(Run(letter, x0, x1, baseline, span["size"], font, strong, italic))
    if runs:
        words.append(Line(runs, runs[0].x0, top, runs[-1].x1, bottom, page.number, block).settle())
    return words
