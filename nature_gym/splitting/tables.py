"""Tables of any size: what a row's columns say, and the rows that are wanted, written.

Delimited text is taken apart as bytes (:mod:`~nature_gym.splitting.lines`), so that what passes through survives to the
letter. DuckDB looks at columns, and writes where columns change or the format does; it may touch the files that it
was given, and nothing else.
"""

from __future__ import annotations

import contextlib
import functools
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import duckdb
import numpy as np
import numpy.typing as npt

from nature_gym.splitting.expressions import check_expression
from nature_gym.splitting.faults import SplitError
from nature_gym.splitting.lines import Form, Mask, count_rows, take_rows

MEMORY = "700MB"
_SUFFIXES = {".csv": "csv", ".tsv": "csv", ".tab": "csv", ".txt": "csv", ".data": "csv", ".dat": "csv",
             ".parquet": "parquet", ".pq": "parquet", ".jsonl": "jsonl", ".ndjson": "jsonl"}  # fmt: skip

Kind = Literal["csv", "parquet", "jsonl"]


def is_table(path: Path) -> bool:
    """Whether a file is a table that can be split by rows, by its name."""
    return path.suffix.lower() in _SUFFIXES


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a delimited file is written."""

    delimiter: str
    quote: str
    header: bool
    encoding: str = "utf-8"


class Table:
    """A table in a file. Nothing of it is held in memory but what is asked for, a column at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.kind: Kind = _SUFFIXES[path.suffix.lower()]  # type: ignore[assignment]

    @functools.cached_property
    def dialect(self) -> Dialect:
        """For delimited text. Raises SplitError where the file is none."""
        try:
            with _connection([self.path]) as connection:
                row = connection.execute(
                    "SELECT Delimiter, Quote, HasHeader FROM sniff_csv(?, sample_size = 20000)", [str(self.path)]
                ).fetchall()[0]
        except duckdb.Error as error:
            raise self._unreadable(error) from error
        delimiter, quote, header = row
        return Dialect(str(delimiter), "" if quote in (None, "\0", "(empty)") else str(quote), bool(header))

    @property
    def form(self) -> Form:
        """How its records lie in the file, for delimited text and JSON lines."""
        if self.kind == "jsonl":
            return Form(None, 0)
        quote = self.dialect.quote.encode() or None
        return Form(quote, 1 if self.dialect.header else 0)

    @functools.cached_property
    def rows(self) -> int:
        """How many rows there are. Raises SplitError for a file that cannot be read."""
        if self.kind == "parquet":
            return int(self._one("SELECT count(*) FROM {}"))
        return count_rows(self.path, self.form)

    @functools.cached_property
    def columns(self) -> list[str]:
        """The columns' names; of a file without headings ``column0``, ``column1``, ..."""
        with _connection([self.path]) as connection:
            try:
                described = connection.execute(f"DESCRIBE SELECT * FROM {self.scan(text=True)}").fetchall()
            except duckdb.Error as error:
                raise self._unreadable(error) from error
        return [str(row[0]) for row in described]

    def holds(self, expression: str) -> Mask:
        """For each row whether ``expression`` is true. Raises SplitError where it cannot be evaluated."""
        check_expression(expression, self.columns)
        values = self._select(f"coalesce(CAST(({expression}\n) AS BOOLEAN), false)")
        return np.asarray(values, dtype=bool)

    def matches(self, column: str, pattern: str) -> Mask:
        """For each row whether the column's text has a match of a regular expression."""
        self.check(column)
        values = self._select(
            f"coalesce(regexp_matches({quoted(column)}, ?), false)", [pattern], text=self.kind == "csv"
        )
        return np.asarray(values, dtype=bool)

    def texts(self, column: str) -> npt.NDArray[np.object_]:
        """The column's values as text; an empty one is an empty text."""
        self.check(column)
        values = self._select(f"coalesce(CAST({quoted(column)} AS VARCHAR), '')", text=self.kind == "csv")
        return np.asarray(values, dtype=object)

    def values(self, column: str) -> npt.NDArray[Any]:
        """The column's values in the type that they look like (numbers as numbers)."""
        self.check(column)
        return np.asarray(self._select(quoted(column)))

    def check(self, column: str) -> None:
        """Raises SplitError where there is no such column."""
        if column not in self.columns:
            shown = ", ".join(self.columns[:12]) + (", ..." if len(self.columns) > 12 else "")
            raise SplitError(f"{self.path.name} has no column {column!r}", hint=f"Its columns: {shown}.")

    def head(self, rows: int) -> list[dict[str, str]]:
        """The first rows as text, for looking at."""
        with _connection([self.path]) as connection:
            found = connection.execute(f"SELECT * FROM {self.scan(text=True)} LIMIT {int(rows)}").fetchall()
        return [dict(zip(self.columns, ("" if v is None else str(v) for v in row), strict=True)) for row in found]

    def select(self, what: str, rest: str = "") -> list[tuple[Any, ...]]:
        """The rows of ``SELECT what FROM this table rest``, with the types that its values look like."""
        with _connection([self.path]) as connection:
            return connection.execute(f"SELECT {what} FROM {self.scan()} {rest}").fetchall()

    def types(self) -> list[tuple[str, str]]:
        """Each column's name and SQL type, as its values look."""
        with _connection([self.path]) as connection:
            described = connection.execute(f"DESCRIBE SELECT * FROM {self.scan()}").fetchall()
        return [(str(row[0]), str(row[1])) for row in described]

    # -- writing -------------------------------------------------------------------------------

    def write_rows(self, keep: Mask | None, target: Path) -> int:
        """Write the rows that are kept (all, if None), in the format that they have; how many that are."""
        if self.kind == "parquet":
            return self.write_columns(keep, [(name, quoted(name)) for name in self.columns], target, "parquet")
        if keep is None:
            keep = np.ones(self.rows, dtype=bool)
        return take_rows(self.path, keep, target, self.form)

    def write_columns(
        self, keep: Mask | None, columns: Sequence[tuple[str, str]], target: Path, to: str, join: str = ""
    ) -> int:
        """Write ``columns`` (new name, SQL) of the rows that are kept, in the format ``to``; how many rows that are.

        ``join`` is SQL that joins other tables to ``t``; it must neither drop nor double rows.
        """
        selected = ", ".join(f"{sql} AS {quoted(name)}" for name, sql in columns)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".split-") as scratch:
            source, where = self, ""
            extra: list[Path] = []
            if keep is not None and self.kind != "parquet":
                part = Path(scratch, f"rows{self.path.suffix.lower()}")
                self.write_rows(keep, part)
                source = Table(part)
                source.__dict__["dialect"] = self.dialect if self.kind == "csv" else None
            elif keep is not None:
                flags = Path(scratch, "keep.csv")
                flags.write_bytes(b"\n".join(b"1" if kept else b"0" for kept in keep.tolist()) + b"\n")
                extra.append(flags)
                where = (
                    f" POSITIONAL JOIN read_csv({literal(str(flags))}, header = false, "
                    "columns = {'kept': 'UTINYINT'}) AS k WHERE k.kept = 1"
                )
            query = f"SELECT {selected} FROM {source.scan(text=self.kind == 'csv')} AS t{join}{where}"
            with _connection([source.path, *extra, target, *_named_files(join)], scratch) as connection:
                try:
                    result = connection.execute(f"COPY ({query}) TO {literal(str(target))} ({_format(to)})").fetchall()
                except duckdb.Error as error:
                    raise SplitError(
                        f"{self.path.name}: {_brief(error)}", hint="See the operation's columns."
                    ) from error
        return int(result[0][0])

    # -- reading -------------------------------------------------------------------------------

    def scan(self, *, text: bool = False) -> str:
        """The table in SQL; ``text`` leaves every column as it is written."""
        name = literal(str(self.path))
        if self.kind == "parquet":
            return f"read_parquet({name})"
        if self.kind == "jsonl":
            return f"read_json({name}, format = 'newline_delimited', sample_size = -1)"
        dialect = self.dialect
        types = "all_varchar = true" if text else "sample_size = -1"
        return (
            f"read_csv({name}, delim = {literal(dialect.delimiter)}, quote = {literal(dialect.quote)}, "
            f"escape = {literal(dialect.quote)}, header = {str(dialect.header).lower()}, "
            f"max_line_size = 33554432, null_padding = true, strict_mode = false, {types})"
        )

    def _select(self, sql: str, parameters: Sequence[Any] = (), *, text: bool = False) -> npt.NDArray[Any]:
        with _connection([self.path]) as connection:
            try:
                result = connection.execute(f"SELECT {sql} AS v FROM {self.scan(text=text)}", list(parameters))
                values = result.fetchnumpy()["v"]
            except duckdb.Error as error:
                raise SplitError(f"{self.path.name}: {_brief(error)}", hint="Correct the operation.") from error
        values = np.ma.getdata(values) if isinstance(values, np.ma.MaskedArray) else np.asarray(values)
        if len(values) != self.rows:
            raise SplitError(
                f"{self.path.name} has {self.rows:,} records, of which {len(values):,} can be read as rows",
                hint="Look at its quotation marks and line ends.",
            )
        return values

    def _one(self, query: str) -> Any:
        with _connection([self.path]) as connection:
            try:
                return connection.execute(query.format(self.scan(text=True))).fetchall()[0][0]
            except duckdb.Error as error:
                raise self._unreadable(error) from error

    def _unreadable(self, error: duckdb.Error) -> SplitError:
        return SplitError(f"{self.path.name} cannot be read as a table: {_brief(error)}", hint="Look at the file.")


def quoted(name: str) -> str:
    """A column's name in SQL."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text in SQL."""
    return "'" + text.replace("'", "''") + "'"


def _named_files(sql: str) -> list[Path]:
    """The files that a join reads; it is made by us, with each file in a scan of :class:`Table`."""
    import re

    return [Path(name.replace("''", "'")) for name in re.findall(r"read_(?:csv|parquet|json)\('((?:[^']|'')*)'", sql)]


def _format(to: str) -> str:
    return {
        "csv": "FORMAT csv, HEADER true",
        "tsv": "FORMAT csv, HEADER true, DELIMITER '\t'",
        "parquet": "FORMAT parquet, COMPRESSION zstd",
        "json": "FORMAT json, ARRAY true",
        "jsonl": "FORMAT json",
    }[to]


@contextlib.contextmanager
def _connection(paths: Sequence[Path], scratch: str | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """DuckDB with leave to touch ``paths``, and nothing else."""
    with duckdb.connect(config={"threads": 2, "memory_limit": MEMORY, "preserve_insertion_order": True}) as connection:
        if scratch is not None:
            connection.execute(f"SET temp_directory = {literal(scratch)}")
            connection.execute(f"SET allowed_directories = [{literal(scratch)}]")
        allowed = ", ".join(literal(str(path)) for path in paths)
        connection.execute(f"SET allowed_paths = [{allowed}]")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
        yield connection


def _brief(error: duckdb.Error) -> str:
    return " ".join(str(error).split())[:300]
