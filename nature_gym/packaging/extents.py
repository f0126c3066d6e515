"""What the columns of a delimited table come to, in one look at its values where its first rows tell how to read it.

The idea: to read a cell as text, and the text as a number, and to ask of the text which type it is, takes three times
what it takes to read a number. So the first rows say which columns are certainly real numbers (one has a decimal
point) or certainly texts (one begins like a word): these can only turn out to be what they seem, or not to be readable.
Whole numbers are held against every row. Where anything is else than it seemed, :meth:`Table.extents` looks again,
which leaves nothing to certainty; both find the same.
"""

from __future__ import annotations

import csv
import io
import mmap
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from nature_gym.splitting.database import literal, locked_in
from nature_gym.splitting.faults import SplitError
from nature_gym.splitting.lines import head_records
from nature_gym.splitting.tables import Extent, Table

SAMPLE = 200
WIDEST = 400
LONGEST_LINE = 2_000_000
LARGEST_AT_ONCE = 256 << 20
"""Of smaller files the few texts of a column are asked for at once: were they many after all, they would fit."""
_REAL = re.compile(r"[+-]?\d{1,300}\.\d{1,300}(?:[eE][+-]?\d{1,2})?")
_WHOLE = re.compile(r"[+-]?\d{1,18}")
_WORD = re.compile(r"(?!(?:nan|inf|na|null|none|true|false|t|f)\b)[A-Za-z]", re.IGNORECASE)
Seeming = Literal["BIGINT", "DOUBLE", "VARCHAR"]


def extents(table: Table, most: int) -> tuple[int, list[Extent]]:
    """Rows and columns as :meth:`Table.extents` tells them. Raises SplitError for a file that cannot be read."""
    if table.kind == "csv" and 1 < len(table.columns) <= WIDEST:
        sample = _sample(table)
        seeming = {name: _seems([row[place] for row in sample]) for place, name in enumerate(table.columns)}
        if sample and None not in seeming.values():
            few = [
                name for place, name in enumerate(table.columns)
                if seeming[name] == "VARCHAR" and len({row[place] for row in sample} - {""}) <= most
            ]  # fmt: skip
            found = _look(table, {name: kind for name, kind in seeming.items() if kind}, few if most else [], most)
            if found is not None:
                return found
    return table.extents(most)


def _sample(table: Table) -> list[list[str]]:
    """The cells of the first rows; none where they are not all there."""
    heading = table.written.form.heading
    records = head_records(table.path, table.form, SAMPLE + heading)[heading:]
    quote = (table.form.quote or b"").decode()
    try:
        text = b"\n".join(records).decode()
        reader = csv.reader(
            io.StringIO(text, newline=""),
            delimiter=table.written.delimiter,
            quotechar=quote or None,
            quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
        )
        rows = list(reader)
    except (UnicodeDecodeError, csv.Error):
        return []
    return rows if all(len(row) == len(table.columns) for row in rows) else []


def _seems(values: Sequence[str]) -> Seeming | None:
    """What a column can only be, or what it seems to be and can be held against; None where that is open."""
    told = [value for value in values if value]
    if any(_WORD.match(value) for value in told):
        return "VARCHAR"
    if told and all(_WHOLE.fullmatch(value) for value in told):
        return "BIGINT"
    numbers = all(_REAL.fullmatch(value) or _WHOLE.fullmatch(value) for value in told)
    return "DOUBLE" if numbers and any(_REAL.fullmatch(value) for value in told) else None


def _look(table: Table, kinds: dict[str, Seeming], few: list[str], most: int) -> tuple[int, list[Extent]] | None:
    """The extents, if every value is what its column seems to be."""
    reals = {name: "DOUBLE" for name, kind in kinds.items() if kind == "DOUBLE"}
    if reals and _has_joined_digits(table.path):
        return None
    at_once = table.path.stat().st_size <= LARGEST_AT_ONCE
    asked = ["count(*)"]
    for name, kind in kinds.items():
        asked += _asked(table.sql(name), kind, listed=at_once and name in few)
    source = f" FROM {_scan(table, reals)}"
    try:
        with locked_in([table.path]) as connection:
            rows, *rest = connection.execute(f"SELECT {', '.join(asked)}{source}").fetchall()[0]
            each = dict(zip(kinds, zip(*[iter(rest)] * 5, strict=True), strict=True))
            if any(misfits for _, _, _, misfits, _ in each.values()):
                return None
            texts = {name: each[name][4] for name in few} if at_once else {}
            rare = [name for name in few if not at_once and each[name][4] <= most * 2]
            if rare:
                listed = ", ".join(_listed(table.sql(name)) for name in rare)
                texts = dict(zip(rare, connection.execute(f"SELECT {listed}{source}").fetchall()[0], strict=True))
    except SplitError:
        return None
    return rows, [
        Extent(name, kinds[name], low, high, rows - count, _few(texts.get(name), most))
        for name, (count, low, high, _, _) in each.items()
    ]


def _scan(table: Table, kinds: Mapping[str, str]) -> str:
    """The table in SQL as it is most often: UTF-8, even rows, lines that are not too long. It fails on any other."""
    form = table.written.form
    columns = ", ".join(
        f"{literal(_sql_name(table, name))}: {literal(kinds.get(name, 'VARCHAR'))}" for name in table.columns
    )
    quote = literal((form.quote or b"").decode())
    return (
        f"read_csv({literal(str(table.path))}, auto_detect = false, columns = {{{columns}}}, "
        f"delim = {literal(table.written.delimiter)}, quote = {quote}, escape = {quote}, "
        f"header = {str(bool(table.written.heading)).lower()}, strict_mode = false, allow_quoted_nulls = false, "
        f"comment = '', skip = 0, max_line_size = {LONGEST_LINE})"
    )


def _sql_name(table: Table, column: str) -> str:
    return table.sql(column)[1:-1].replace('""', '"')


def _asked(column: str, kind: Seeming, *, listed: bool) -> Iterator[str]:
    """What is asked of a column: how many values, the least, the most, how many misfits, texts or how many."""
    if kind == "DOUBLE":
        value = f"nullif({column}, 'nan')"
        yield from (f"count({value})", f"min({value})", f"max({value})", "0", "NULL")
    elif kind == "BIGINT":
        text = f"nullif({column}, '')"
        value = f"TRY_CAST({text} AS BIGINT)"
        plain = " AND ".join(f"NOT contains({text}, '{mark}')" for mark in ".eE_xX")
        misfits = f"count({text}) - count_if({value} IS NOT NULL AND {plain})"
        yield from (f"count({value})", f"min({value})", f"max({value})", misfits, "NULL")
    else:
        texts = _listed(column) if listed else f"approx_count_distinct({column})"
        yield from (f"count(nullif({column}, ''))", "NULL", "NULL", "0", texts)


def _listed(column: str) -> str:
    return f"list(DISTINCT {column}) FILTER ({column} <> '')"


def _few(texts: Any, most: int) -> tuple[str, ...]:
    return tuple(sorted(texts)) if isinstance(texts, list) and len(texts) <= most else ()


def _has_joined_digits(path: Path) -> bool:
    """Whether ``1_000`` may be in the file, which the database takes for a number, and nothing else does."""
    if path.suffix.lower() == ".gz" or not path.stat().st_size:
        return True
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        if data.find(b"_") < 0:
            return False
        for start in range(0, len(data), 1 << 20):
            block = np.frombuffer(data[max(0, start - 1) : start + (1 << 20) + 1], dtype=np.uint8)
            digits = (block >= ord("0")) & (block <= ord("9"))
            if np.any(digits[:-2] & (block[1:-1] == ord("_")) & digits[2:]):
                return True
    return False
