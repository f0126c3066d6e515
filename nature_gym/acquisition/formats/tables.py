"""Tables: columns, kinds and rows, of text by DuckDB's sniffer on a sample, of the others by their own footers."""

from __future__ import annotations

import re
import struct
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from nature_gym.acquisition.formats.source import MOST_NAMES, Source, Structure, UnreadableError, count_lines, names
from nature_gym.acquisition.formats.texts import file_of
from nature_gym.splitting.database import locked_in

_SAMPLE = 1 << 20


def csv(source: Source) -> Structure:
    """Columns with kinds by a sample; rows by lines, which is more than there are where fields hold line breaks."""
    sample = source.beginning(_SAMPLE)
    if not sample.strip():
        raise UnreadableError("there is nothing in it")
    if sample.startswith((b"\xff\xfe", b"\xfe\xff")):
        sample = sample[: len(sample) & ~1].decode("utf-16", "replace").encode()
    if b"\0" in sample:
        raise UnreadableError("binary, not a table of text")
    if len(sample) >= _SAMPLE:
        sample = sample[: sample.rfind(b"\n") + 1] or sample
    lines, exact = count_lines(source)
    with tempfile.NamedTemporaryFile(suffix=".csv") as file, locked_in([Path(file.name)], threads=1) as database:
        file.write(sample.decode("utf-8", "replace").encode())
        file.flush()
        found = database.execute(
            "SELECT Delimiter, HasHeader, Columns, SkipRows FROM sniff_csv(?, ignore_errors=true)", [file.name]
        ).fetchone()
    if found is None:
        raise UnreadableError("no columns can be made out")
    delimiter, has_header, columns, skipped = found
    return {
        "columns": [{"name": names([one["name"]])[0], "kind": one["type"]} for one in columns[:MOST_NAMES]],
        "width": len(columns),
        "rows": max(0, lines - int(bool(has_header)) - int(skipped or 0)),
        "exact": exact,
        "delimiter": delimiter,
        "header": bool(has_header),
    }


def parquet(source: Source) -> Structure:
    """By the footer: columns with kinds, rows, groups of rows."""
    if source.packing is not None:
        raise UnreadableError("packed once more: it was not looked into")
    with locked_in([source.path], threads=1) as database:
        path = str(source.path)
        rows, groups = _one(database.execute("SELECT num_rows, num_row_groups FROM parquet_file_metadata(?)", [path]))
        columns = database.execute("SELECT name, type FROM parquet_schema(?) OFFSET 1", [path]).fetchmany(MOST_NAMES)
    return {
        "columns": [{"name": names([name])[0], "kind": kind} for name, kind in columns],
        "rows": rows,
        "groups": groups,
        "exact": True,
    }


def _one(result: Any) -> Any:
    row = result.fetchone()
    if row is None:
        raise UnreadableError("it has no footer")
    return row


# -- Feather: an Arrow file, whose footer is a FlatBuffer ------------------------------------

_ARROW_KINDS = (
    "", "null", "int", "float", "binary", "utf8", "bool", "decimal", "date", "time", "timestamp", "interval", "list",
    "struct", "union", "fixed_binary", "fixed_list", "map", "duration", "large_binary", "large_utf8", "large_list",
)  # fmt: skip
_MOST_FOOTER = 16 << 20


def feather(source: Source) -> Structure:
    """By the footer: the schema's columns, and how many batches there are.

    The layout is that of the Arrow columnar format: a FlatBuffer ``Footer {version, schema, dictionaries,
    recordBatches}``, its length, and the magic bytes again.
    """
    with source.open() as stream:
        if source.packing is not None:
            raise UnreadableError("packed once more: it was not looked into")
        end = stream.seek(0, 2)
        if source.head.startswith(b"FEA1"):
            return {"version": 1}
        stream.seek(max(0, end - 10))
        tail = stream.read(10)
        length = struct.unpack("<i", tail[:4])[0] if len(tail) == 10 else 0
        if tail[4:] != b"ARROW1" or not 0 < length <= min(end - 10, _MOST_FOOTER):
            raise UnreadableError("its end is missing")
        stream.seek(end - 10 - length)
        footer = _Flat(stream.read(length))
    root = footer.root()
    schema = footer.table(root, 1)
    columns = []
    for field in footer.tables(schema, 1)[:MOST_NAMES]:
        kind = footer.byte(field, 2)
        columns.append(
            {"name": names([footer.text(field, 0)])[0], "kind": _ARROW_KINDS[kind] if kind < len(_ARROW_KINDS) else "?"}
        )
    return {"version": 2, "columns": columns, "batches": footer.length(root, 3)}


class _Flat:
    """The little of FlatBuffers that a footer needs. Whatever leads out of the bytes raises struct.error."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def root(self) -> int:
        return self._int("<I", 0)

    def _int(self, form: str, at: int) -> int:
        if at < 0:
            raise UnreadableError("its footer is damaged")
        value: int = struct.unpack_from(form, self._data, at)[0]
        return value

    def _field(self, table: int, number: int) -> int:
        """Where a field is; 0 where the table lacks it."""
        vtable = table - self._int("<i", table)
        if 4 + 2 * number >= self._int("<H", vtable):
            return 0
        offset = self._int("<H", vtable + 4 + 2 * number)
        return table + offset if offset else 0

    def table(self, table: int, number: int) -> int:
        at = self._field(table, number)
        if not at:
            raise UnreadableError("its footer lacks the schema")
        return at + self._int("<I", at)

    def length(self, table: int, number: int) -> int:
        at = self._field(table, number)
        return self._int("<I", at + self._int("<I", at)) if at else 0

    def tables(self, table: int, number: int) -> list[int]:
        at = self._field(table, number)
        if not at:
            return []
        vector = at + self._int("<I", at)
        count = min(self._int("<I", vector), MOST_NAMES)
        places = [vector + 4 + 4 * index for index in range(count)]
        return [place + self._int("<I", place) for place in places]

    def text(self, table: int, number: int) -> str:
        at = self._field(table, number)
        if not at:
            return ""
        place = at + self._int("<I", at)
        return self._data[place + 4 : place + 4 + self._int("<I", place)].decode("utf-8", "replace")

    def byte(self, table: int, number: int) -> int:
        at = self._field(table, number)
        return self._int("<B", at) if at else 0


# -- Excel -----------------------------------------------------------------------------------

_SHEET = re.compile(rb'<(?:\w+:)?sheet [^>]*?name="([^"]*)"')
_MOST_WORKBOOK = 1 << 20


def xlsx(source: Source) -> Structure:
    """The names of its sheets."""
    with zipfile.ZipFile(file_of(source)) as archive, archive.open("xl/workbook.xml") as stream:
        found = _SHEET.findall(stream.read(_MOST_WORKBOOK))
    return {"sheets": names(name.decode("utf-8", "replace") for name in found)}
