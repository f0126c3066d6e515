"""PDF articles: opened here, by the one module that knows PyMuPDF, and read by those beside it.

The one idea: the library is asked once a page for text and drawings together, and what it gives becomes the plain
values of :mod:`nature_gym.reading.pdf.page`. Files come from strangers and the library is written in C, so
:func:`read_pdf` reads in a child process with limits; :func:`read_here` is what that child does.
"""

from __future__ import annotations

import gc
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from nature_gym.reading.document import Document
from nature_gym.reading.pdf.glyphs import is_signs, sign_table
from nature_gym.reading.pdf.page import (
    Box,
    Hyperlink,
    Line,
    Page,
    Run,
    Words,
    family,
    is_italic,
    is_strong,
    turn,
    with_loose_scripts,
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
_ADDRESS = re.compile(r"(?:https?|ftp)://|file://www\.|mailto:", re.IGNORECASE)
"""What a link may lead to; files, programs and scripts are nothing to a reader."""
HEAVY = 16_000
"""Bytes of a page's packed content; a page of text alone has 5,000 to 15,000."""
TIGHT = 2
STAMP = 1_000
"""Bytes of a page's packed content that do no more than place a form."""
_REFERENCE = re.compile(r"(\d+) \d+ R")
_NEEDS_SHAPES = re.compile(r"\s*(?:Extended|Supplementa|Table|TABLE|Box)\b")
_TABLE = re.compile(r"\s*(?:Extended Data\s+|Supplement[a-z]+\s+)?Table\b", re.IGNORECASE)
_WORD = re.compile(r"[^\x00-\x20\xa0]+|[\x01-\x08]+")
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

    with _without_collector(), PdfFile(content, pulse, figures=figures) as file:
        return compose(file, figures=figures)


@contextmanager
def _without_collector() -> Iterator[None]:
    """No search for cycles while hundreds of thousands of small values come and stay: there are none to find."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def warm_up() -> None:
    """Load what reading needs."""
    from nature_gym.reading.pdf import article

    _library()
    del article


@lru_cache(1)
def _library() -> Any:
    import pymupdf

    library: Any = pymupdf
    # What MuPDF has to say becomes problems of the document, not lines on the terminal.
    library.TOOLS.mupdf_display_errors(False)
    library.TOOLS.mupdf_display_warnings(False)
    # Boxes of letters as MuPDF has them are as good as those the library corrects, at two thirds of the time.
    library.TOOLS.unset_quad_corrections(True)
    return library


@dataclass(frozen=True, slots=True)
class Picture:
    """An image as bytes."""

    content: bytes
    media_type: str


class PdfFile:
    """An opened file that gives its pages as plain values."""

    def __init__(self, content: bytes | Path, pulse: Callable[[], None] | None = None, *, figures: bool = True) -> None:
        self.problems: list[str] = []
        self._figures = figures
        self._pulse = pulse or _nothing
        self._began = time.monotonic()
        self._mupdf = _library()
        self._mupdf.TOOLS.reset_mupdf_warnings()
        m = self._mupdf
        self._flags = m.TEXT_PRESERVE_LIGATURES | m.TEXT_MEDIABOX_CLIP | m.TEXT_CID_FOR_UNKNOWN_UNICODE
        self._tight = 0
        """How many pages have words that are set too closely; after some, all pages are looked at by their letters."""
        self._signs: dict[str, dict[int, str]] = {}
        self._document = self._open(content)
        self.page_count = self._pages()
        self.metadata: Mapping[str, str] = {
            key: value for key, value in (self._document.metadata or {}).items() if isinstance(value, str) and value
        }

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._document.close()

    # -- opening --

    def _open(self, content: bytes | Path) -> Any:
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
        except Exception as error:
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
        except Exception as error:
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
        flags = self._flags | m.TEXT_PRESERVE_WHITESPACE
        drawn = self._is_heavy(page.xref) and not self._figures
        text = page.get_textpage(flags=flags if drawn else flags | m.TEXT_COLLECT_VECTORS)
        blocks = self._blocks(text)
        if drawn and any(_NEEDS_SHAPES.match(span["text"]) for span in _first_spans(blocks)):
            text = page.get_textpage(flags=flags | m.TEXT_COLLECT_VECTORS)
            blocks = self._blocks(text)
        sheet = page.rect
        size = (sheet.width, sheet.height)
        shapes = [block["bbox"] for block in blocks if block["type"] == 3]
        if len(shapes) > MAX_SHAPES:
            shapes = sorted(shapes, key=lambda box: (box[0] - box[2]) + (box[1] - box[3]))[:MAX_SHAPES]
        links = list(self._links(page))
        lines = _lines_of(blocks, number, size)
        if self._tight < TIGHT and any(map(_lost_spaces, lines[0])):
            self._tight += 1
            blocks = _respaced(text.extractRAWDICT()["blocks"])
            lines = _lines_of(blocks, number, size)
        words: dict[int, list[Words]] = {}
        if any(_TABLE.match(line.plain) for found in lines.values() for line in found):
            # Only where spaces set columns apart does it matter where in a span a word stands.
            boxes = text.extractWORDS() if _has_wide_spaces(blocks) else []
            words = self._words(blocks, boxes, number, size)
        pages = []
        for turned, found in lines.items():
            if turned and len(found) < 5:
                continue
            self._mend(found)
            width, height = size if turned == 0 else size[::-1]
            pages.append(
                Page(
                    number,
                    width,
                    height,
                    lines=with_loose_scripts(found[:MAX_LINES]),
                    shapes=[turn(box, turned, *size) for box in shapes] if turned else shapes,
                    links=[Hyperlink(turn(link.box, turned, *size), link.uri) for link in links] if turned else links,
                    turned=turned,
                    words=words.get(turned, []),
                )
            )
        return pages

    def _blocks(self, text: Any) -> list[dict[str, Any]]:
        blocks: list[dict[str, Any]]
        blocks = text.extractDICT()["blocks"] if self._tight < TIGHT else _respaced(text.extractRAWDICT()["blocks"])
        return blocks

    def _is_heavy(self, page: int) -> bool:
        """Whether a page's content is so large that most of it must be drawings."""
        kind, value = self._document.xref_get_key(page, "Contents")
        if kind != "xref":
            return False
        length = self._length(int(value.split()[0]))
        if length > STAMP:
            return length > HEAVY
        # Files that were stamped hold the page itself in a form.
        _, forms = self._document.xref_get_key(page, "Resources/XObject")
        numbers = [int(number) for number in _REFERENCE.findall(forms)[:4]]
        return any(
            self._length(number) > HEAVY and self._document.xref_get_key(number, "Subtype") == ("name", "/Form")
            for number in numbers
        )

    def _length(self, stream: int) -> int:
        kind, length = self._document.xref_get_key(stream, "Length")
        if kind == "xref":
            length = self._document.xref_object(int(length.split()[0]))
        return int(length) if length.isdigit() else 0

    def _words(
        self,
        blocks: Iterable[Mapping[str, Any]],
        boxes: Iterable[Sequence[Any]],
        number: int,
        size: tuple[float, float],
    ) -> dict[int, list[Words]]:
        """A page's words by line, not made before they are asked for: places from the library's list of words."""
        exact: list[list[Any]] = [
            [entry[:4] for entry in group] for _, group in groupby(boxes, key=lambda entry: entry[5:7])
        ]
        entries = [
            (line, block["number"])
            for block in blocks
            for line in block.get("lines", ())
            if any(_WORD.search(span["text"]) for span in line["spans"])
        ]
        places = exact if len(exact) == len(entries) else [[] for _ in entries]
        words: dict[int, list[Words]] = {}
        for (line, block), own in zip(entries, places, strict=True):
            turned = _turned(line["dir"])
            if turned >= 0:
                box = turn(line["bbox"], turned, *size) if turned else line["bbox"]
                made = partial(self._words_of, line["spans"], own, turned, size, (number, block))
                words.setdefault(turned, []).append(Words(box, made))
        return words

    def _words_of(
        self,
        spans: Sequence[Mapping[str, Any]],
        boxes: Sequence[Box],
        turned: int,
        size: tuple[float, float],
        place: tuple[int, int],
    ) -> list[Line]:
        tokens = _tokens([_upright(span, turned, size) for span in spans] if turned else spans)
        if len(tokens) == len(boxes):
            for token, box in zip(tokens, boxes, strict=True):
                _fit(token, turn(box, turned, *size) if turned else box)
        words = [
            Line(
                token,
                token[0].x0,
                min(run.baseline - run.size for run in token),
                token[-1].x1,
                max(run.baseline + 0.2 * run.size for run in token),
                *place,
            ).settle()
            for token in tokens
        ]
        self._mend(words)
        return words

    def _mend(self, lines: Iterable[Line]) -> None:
        """Put right the signs of fonts that name them after letters."""
        if not _seen_signs:
            return
        for line in lines:
            if len(line.runs) == 1 and line.font not in _seen_signs:
                continue
            odd = [run for run in line.runs if run.font in _seen_signs]
            if not odd:
                continue
            for run in odd:
                if run.font not in self._signs:
                    self._read_signs(line.page)
                run.text = run.text.translate(self._signs.setdefault(run.font, sign_table(run.font, "")))
            line.plain = "".join(run.text for run in line.runs)

    def _read_signs(self, page: int) -> None:
        """Read what the codes of a page's fonts of signs print."""
        for entry in self._document.get_page_fonts(page):
            name = family(entry[3])
            if name in self._signs or not is_signs(name):
                continue
            kind, value = self._document.xref_get_key(entry[0], "Encoding")
            written = self._document.xref_object(int(value.split()[0]), compressed=True) if kind == "xref" else ""
            self._signs[name] = sign_table(name, written)

    def _links(self, page: Any) -> Iterator[Hyperlink]:
        inner = page.this
        link = self._mupdf.mupdf.fz_load_links(inner.super() if hasattr(inner, "super") else inner)
        count = 0
        while link.m_internal and count < 2_000:
            box, uri = link.rect(), link.uri() or ""
            if uri.startswith("#") or not uri:
                yield Hyperlink((box.x0, box.y0, box.x1, box.y1), "")
            elif _ADDRESS.match(uri):
                yield Hyperlink((box.x0, box.y0, box.x1, box.y1), uri)
            link = link.next()
            count += 1

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
    # Where the file lies on this machine is nobody's business who reads of it elsewhere.
    why = re.sub(r"file '.*' as type pdf", "the file as a PDF", " ".join(why.split()))[:120]
    return UnreadableError(f"the PDF is damaged beyond repair: {why}", hint="Fetch it again, or supply another copy.")


# -- lines -----------------------------------------------------------------------------------------


def _first_spans(blocks: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    return (line["spans"][0] for block in blocks for line in block.get("lines", ()) if line["spans"])


def _has_wide_spaces(blocks: Iterable[Mapping[str, Any]]) -> bool:
    spans = (span["text"] for block in blocks for line in block.get("lines", ()) for span in line["spans"])
    return any("  " in text or "\t" in text for text in spans)


@lru_cache(4096)
def _style(font: str, flags: int) -> tuple[str, bool, bool]:
    name = family(font)
    if is_signs(name):
        _seen_signs.add(name)
    return name, is_strong(font, flags), is_italic(font, flags)


_seen_signs: set[str] = set()
"""Fonts of signs that were met: where there are none, nothing is to mend."""


def _turned(direction: tuple[float, float]) -> int:
    """Quarter turns of a line's direction; -1 for a slanted line."""
    if direction == (1.0, 0.0):
        return 0
    return _TURNS.get((round(direction[0]), round(direction[1])), -1) if abs(sum(map(abs, direction)) - 1) < 0.1 else -1


_LONG = 24
"""Letters of a word so long that it may be several, set too closely for the library to see the white between them."""
_NARROW = 0.09
"""The white of a narrow space, in sizes of the letters."""
_GLUED = re.compile(rf"[^\W\d_]{{{_LONG},}}")


def _lines_of(blocks: Iterable[Mapping[str, Any]], number: int, size: tuple[float, float]) -> dict[int, list[Line]]:
    """A page's lines, by how they are turned."""
    lines: dict[int, list[Line]] = {0: []}
    for index, block in enumerate(blocks):
        if block["type"] == 0:
            _take(block["lines"], lines, number, index, size)
    return lines


def _lost_spaces(line: Line) -> bool:
    text = line.plain
    return len(text) > _LONG and text.count(" ") * 12 < len(text) and _GLUED.search(text) is not None


def _respaced(blocks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Blocks of characters as blocks of texts, where a gap between characters is a space, however narrow."""
    for block in blocks:
        if block["type"] == 0:
            for line in block["lines"]:
                for span in line["spans"]:
                    span["text"] = "".join([one["c"] for one in span["chars"]])
                if line["dir"] == (1.0, 0.0):
                    _set_spaces(line["spans"])
    return blocks


def _set_spaces(spans: Sequence[dict[str, Any]]) -> None:
    """Set the spaces that a line's gaps stand for; where most letters stand apart, the white is no space."""
    places: list[list[int]] = []
    total = 0
    end, last, last_size = 1e9, " ", 0.0
    for span in spans:
        text, size = span["text"], span["size"]
        lefts = [one["bbox"][0] for one in span["chars"]]
        rights = [one["bbox"][2] for one in span["chars"]]
        least = _NARROW * size
        found = [
            index
            for index, (left, right) in enumerate(zip(lefts[1:], rights, strict=False), 1)
            if left - right > least and not text[index].isspace() and not text[index - 1].isspace()
        ]
        # Some white stands behind a script, too, and before one it is none.
        factor = 1.0 if abs(size - last_size) < 0.1 else 1.4 if size > last_size else 12.0
        if text and lefts[0] - end > factor * least and not last.isspace() and not text[0].isspace():
            found.insert(0, 0)
        if text:
            end, last, last_size = rights[-1], text[-1], size
        places.append(found)
        total += len(text)
    if not 0 < sum(map(len, places)) <= 0.35 * total:
        return
    for span, found in zip(spans, places, strict=True):
        text = span["text"]
        for index in reversed(found):
            text = f"{text[:index]} {text[index:]}"
        span["text"] = text


def _take(
    found: Iterable[Mapping[str, Any]], lines: dict[int, list[Line]], number: int, block: int, size: tuple[float, float]
) -> None:
    """Take a block's lines; those at the same height that stand close are one, however wide its words are set."""
    last: Line | None = None
    fresh: list[Line] = []
    before = lines[0][-1] if lines[0] else None
    for entry in found:
        turned = 0 if entry["dir"] == (1.0, 0.0) else _turned(entry["dir"])
        if turned < 0:
            continue
        runs = _runs(entry["spans"]) if not turned else _runs([_upright(span, turned, size) for span in entry["spans"]])
        if not runs:
            continue
        x0, y0, x1, y1 = entry["bbox"] if not turned else turn(entry["bbox"], turned, *size)
        if last is None and before is not None and not turned and _is_stacked(before, runs):
            last = before
        if last is not None and (_goes_on(last, runs, x0) or _is_stacked(last, runs)):
            _append(last, runs, x0)
            fresh.append(last)
            last.x1 = x1
            last.y0, last.y1 = min(last.y0, y0), max(last.y1, y1)
            continue
        main = runs[0]
        last = Line(runs, x0, y0, x1, y1, number, block, main.baseline, main.size, main.font, main.text)
        if len(runs) > 1:
            last.baseline, last.size = _most(runs)
            fresh.append(last)
        lines.setdefault(turned, []).append(last)
    for line in fresh:
        line.settle()


def _most(runs: Sequence[Run]) -> tuple[float, float]:
    """Baseline and size of the longest run."""
    main = runs[0] if len(runs) == 1 else max(runs, key=lambda run: len(run.text) * run.size)
    return main.baseline, main.size


def _goes_on(line: Line, runs: Sequence[Run], x0: float) -> bool:
    """Whether runs that begin at ``x0`` stand on the line, a word's distance behind it."""
    size = line.size
    if not -1 < x0 - line.x1 < 1.2 * max(size, runs[0].size):
        return False
    return -0.15 * size < _most(runs)[0] - line.baseline < 0.15 * size


def _is_stacked(line: Line, runs: Sequence[Run]) -> bool:
    """Whether runs begin with a script right above or below the one that ends the line."""
    first = runs[0]
    if first.size > 0.87 * line.size:
        return False
    last = line.runs[-1]
    return (
        last.size < 0.87 * line.size
        and last.x0 - 1 < first.x0 < last.x1
        and abs(first.baseline - last.baseline) > 0.3 * last.size
        and abs(_most(runs)[0] - line.baseline) < 0.4 * line.size
    )


def _append(line: Line, runs: list[Run], x0: float) -> None:
    last, first = line.runs[-1], runs[0]
    if last.text[-1:] != " " and first.text[:1] != " " and x0 - line.x1 > 0.15 * line.size:
        last.text += " "
    if (
        last.font == first.font
        and last.strong == first.strong
        and -0.1 < last.size - first.size < 0.1
        and -0.3 < last.baseline - first.baseline < 0.3
    ):
        last.text += first.text
        last.x1 = first.x1
        line.runs += runs[1:]
    else:
        line.runs += runs


def _upright(span: Mapping[str, Any], turned: int, size: tuple[float, float]) -> Mapping[str, Any]:
    x, y = span["origin"]
    box = turn((x, y, x, y), turned, *size)
    return {**span, "bbox": turn(span["bbox"], turned, *size), "origin": box[:2]}


def _runs(spans: Iterable[Mapping[str, Any]]) -> list[Run]:
    runs: list[Run] = []
    last: Run | None = None
    for span in spans:
        text = span["text"]
        if last is not None and text == " ":
            last.text += " "
            last.x1 = span["bbox"][2]
            continue
        size, box, baseline = span["size"], span["bbox"], span["origin"][1]
        font, strong, italic = _style(span["font"], span["flags"])
        if (
            last is not None
            and font == last.font
            and -0.3 < baseline - last.baseline < 0.3
            and -0.1 < size - last.size < 0.1
            and strong == last.strong
            and -0.5 * size < box[0] - last.x1 < 0.25 * size
        ):
            last.text += text
            last.x1 = box[2]
            continue
        last = Run(text, box[0], box[2], baseline, size, font, strong, italic)
        runs.append(last)
    while runs and not runs[-1].text.strip():
        runs.pop()
    return runs


def _tokens(spans: Iterable[Mapping[str, Any]]) -> list[list[Run]]:
    """What stands between white space, as runs; where each begins and ends is reckoned from its span."""
    tokens: list[list[Run]] = []
    is_open = False
    for span in spans:
        text, (x0, _, x1, _) = span["text"], span["bbox"]
        font, strong, italic = _style(span["font"], span["flags"])
        width = (x1 - x0) / max(len(text), 1)
        for found in _WORD.finditer(text):
            run = Run(
                found[0], x0 + width * found.start(), x0 + width * found.end(), span["origin"][1], span["size"], font,
                strong, italic,
            )  # fmt: skip
            if is_open and found.start() == 0:
                tokens[-1].append(run)
            else:
                tokens.append([run])
            is_open = True
        if text and (text[-1] <= " " or text[-1] == "\xa0"):
            is_open = False
    return tokens


def _fit(token: list[Run], box: Box) -> None:
    """Put a word where it stands exactly."""
    start, end = token[0].x0, token[-1].x1
    scale = (box[2] - box[0]) / (end - start) if end - start > 0.1 else 1.0
    for run in token:
        run.x0, run.x1 = box[0] + (run.x0 - start) * scale, box[0] + (run.x1 - start) * scale
