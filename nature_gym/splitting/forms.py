"""How a delimited file is written: told by ``task.yaml``, or seen in its first records.

The rule is that of the code which papers use, pandas' ``read_csv``: the first record is the heading, and where rows
have one cell more than it, the first cell is an index without a name. Only a first record that holds a number, above
rows that hold numbers in the same places, is a row.
"""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from nature_gym.packaging.operations import TableForm
from nature_gym.splitting.faults import SplitError
from nature_gym.splitting.lines import LONGEST, Form, head_records, open_text

_LOOKED_AT = 200
_DELIMITERS = ",\t;|"
_BY_SUFFIX = {".tsv": "\t", ".tab": "\t"}


@dataclass(frozen=True, slots=True)
class Written:
    """The form of a delimited file, with the cells of its heading (none where it has no heading) and its width."""

    form: Form
    heading: tuple[str, ...]
    width: int

    @property
    def delimiter(self) -> str:
        return self.form.delimiter.decode()


def written(path: Path, suffix: str, told: TableForm) -> Written:
    """How ``path`` is written. Raises SplitError for what is no text in lines."""
    _check_text(path)
    quote = None if told.quote == "" else (told.quote or '"').encode()
    first = head_records(path, Form(b",", quote, 0), _LOOKED_AT)
    if not first:
        raise SplitError(f"{path.name} is empty", hint="Look at the file.")
    delimiter = told.delimiter or _BY_SUFFIX.get(suffix) or _delimiter([_text(line) for line in first], quote)
    records = [_cells(line, delimiter, quote) for line in head_records(path, Form(delimiter.encode(), quote, 0), 200)]
    heads, rows = records[0], records[1:]
    has_heading = told.header if told.header is not None else _is_heading(heads, rows)
    width = len(heads)
    if has_heading and rows and all(len(row) == width + 1 for row in rows):
        width, heads = width + 1, ["", *heads]
    return Written(Form(delimiter.encode(), quote, 1 if has_heading else 0), tuple(heads) if has_heading else (), width)


def labels(found: Written) -> list[str]:
    """A name for each column, as pandas gives it: ``a``, a second ``a`` is ``a.1``, one without is ``Unnamed: 0``.

    Columns of a file without a heading are ``column0``, ``column1``, ...
    """
    if not found.heading:
        return [f"column{place}" for place in range(found.width)]
    names: list[str] = []
    taken = set(found.heading)
    seen: Counter[str] = Counter()
    for place, cell in enumerate(found.heading):
        name = cell or f"Unnamed: {place}"
        if seen[cell]:
            name = f"{cell}.{seen[cell]}"
            while name in taken:
                seen[cell] += 1
                name = f"{cell}.{seen[cell]}"
        seen[cell] += 1 if cell else 0
        taken.add(name)
        names.append(name)
    return names


def _check_text(path: Path) -> None:
    with open_text(path) as file:
        first = file.read(1 << 16)
    if first.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in first[:4096]:
        raise SplitError(f"{path.name} is UTF-16, or no text", hint="Only UTF-8 and Latin-1 can be split by rows.")
    if b"\r" in first and b"\n" not in first and (len(first) < 1 << 16):
        raise SplitError(f"{path.name} ends its lines with CR alone", hint="Convert its line ends first.")


def _text(record: bytes) -> str:
    text = record.removeprefix(b"\xef\xbb\xbf")
    try:
        return text.decode()
    except UnicodeDecodeError:
        return text.decode("latin-1")


def _cells(record: bytes, delimiter: str, quote: bytes | None) -> list[str]:
    csv.field_size_limit(LONGEST)
    if quote is None:
        return _text(record).split(delimiter)
    try:
        return next(csv.reader([_text(record)], delimiter=delimiter, quotechar=quote.decode()), [""])
    except csv.Error:  # a line end outside of quotation marks: with this delimiter it is no record
        return [_text(record)]


def _delimiter(lines: list[str], quote: bytes | None) -> str:
    """The delimiter by which most records have the same number of cells; the comma where none parts them."""

    def merit(delimiter: str) -> tuple[float, int]:
        widths = Counter(len(_cells(line.encode(), delimiter, quote)) for line in lines)
        width, count = max(widths.items(), key=lambda item: (item[1], item[0]))
        return (count / len(lines) if width > 1 else 0.0), width

    return max(_DELIMITERS, key=merit)


def _is_heading(heads: list[str], rows: list[list[str]]) -> bool:
    """Whether the first record names columns: unless one of its cells is a number, as those below it are."""
    for place, cell in enumerate(heads):
        below = [row[place] for row in rows if len(row) == len(heads)]
        if _is_number(cell) and below and all(_is_number(value) or not value for value in below):
            return all(_is_number(other) for other in heads) and _counts(heads)
    return True


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text


def _counts(heads: list[str]) -> bool:
    """Whether the cells are 0, 1, 2, ...: the names that pandas writes for columns without any."""
    return len(heads) > 1 and heads == [str(place) for place in range(len(heads))]
