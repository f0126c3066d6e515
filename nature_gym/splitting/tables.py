"""Tables of any size: what a row's columns say, and the rows that are wanted, written.

Delimited text is taken apart as bytes (:mod:`~nature_gym.splitting.lines`), so that what passes through survives to the
letter. DuckDB looks at columns, and writes where columns change or the format does
(:mod:`~nature_gym.splitting.database`). Nothing is guessed from a sample that the rest of a file could belie: a column
is a number where all of its values are.
"""

from __future__ import annotations

import functools
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from nature_gym.packaging.operations import TableForm
from nature_gym.splitting.categories import Categories, sorted_categories
from nature_gym.splitting.database import literal, locked_in, quoted
from nature_gym.splitting.dealing import compressed, take_rows
from nature_gym.splitting.expressions import check_expression
from nature_gym.splitting.faults import SplitError
from nature_gym.splitting.flags import Flags, packed_in_sql
from nature_gym.splitting.forms import Written, labels, written
from nature_gym.splitting.lines import Form, Mask, Survey, survey

__all__ = ["Categories", "Extent", "Table", "is_real", "is_table", "is_whole", "literal", "quoted"]

_SUFFIXES = {".csv": "csv", ".tsv": "csv", ".tab": "csv", ".txt": "csv", ".data": "csv", ".dat": "csv",
             ".parquet": "parquet", ".pq": "parquet", ".jsonl": "jsonl", ".ndjson": "jsonl"}  # fmt: skip
_MISSING = ("na", "n/a", "nan", "null", "none", "#n/a", "<na>")
"""What pandas reads as missing; here, too, in columns of numbers."""
_FETCHED = 100_000
_SMALL = 32 << 20
_FIRST = 10_000
_TOGETHER = 400
"""How many columns are looked at in one pass."""
_FEW = 1_000
"""Of columns that seem to have no more different texts than these, the texts are asked for."""
_CODECS = ("snappy", "zstd", "gzip", "brotli", "lz4", "lz4_raw", "uncompressed")
_REAL = re.compile(r"DOUBLE|FLOAT|DECIMAL\(\d+,\d+\)")
_WHOLE = re.compile(r"U?(?:TINY|SMALL|BIG|HUGE)?INT|U?INTEGER")

Kind = Literal["csv", "parquet", "jsonl"]
Result = TypeVar("Result")
Select = tuple[str, str]
"""(name, SQL) of a column to be written."""


@dataclass(frozen=True, slots=True)
class Extent:
    """What the values of a column come to: their SQL type, the ends of numbers, the texts where they are few."""

    name: str
    sql_type: str
    low: Any
    high: Any
    missing: int
    values: tuple[str, ...]


def is_whole(sql_type: str) -> bool:
    """Whether a SQL type is one of whole numbers."""
    return _WHOLE.fullmatch(sql_type) is not None


def is_real(sql_type: str) -> bool:
    """Whether a SQL type is one of numbers with decimals."""
    return _REAL.fullmatch(sql_type) is not None


def table_suffix(path: Path) -> str:
    """The ending that says what a file is: ``.csv`` for ``a.csv`` and ``a.csv.gz``."""
    name = path.name.lower().removesuffix(".gz")
    return Path(name).suffix


def is_table(path: Path) -> bool:
    """Whether a file is a table that can be split by rows, by its name."""
    suffix = table_suffix(path)
    return suffix in _SUFFIXES and not (_SUFFIXES[suffix] == "parquet" and path.suffix.lower() == ".gz")


class Table:
    """A table in a file. Nothing of it is held in memory but what is asked for, a column at a time."""

    def __init__(self, path: Path, told: TableForm = TableForm()) -> None:  # noqa: B008 - it does not change
        self.path = path
        self._told = told
        self.kind: Kind = _SUFFIXES[table_suffix(path)]  # type: ignore[assignment]
        self._kinds: dict[str, str] = {}
        self._uneven: bool | None = None

    @functools.cached_property
    def written(self) -> Written:
        """For delimited text, how it is written. Raises SplitError where the file is none."""
        return written(self.path, table_suffix(self.path), self._told)

    @property
    def form(self) -> Form:
        """How its records lie in the file, for delimited text and JSON lines."""
        return Form(b"\0", None, 0) if self.kind == "jsonl" else self.written.form

    @functools.cached_property
    def survey(self) -> Survey:
        """What one look at the whole of a text tells."""
        return survey(self.path, self.form)

    @functools.cached_property
    def rows(self) -> int:
        """How many rows there are. Raises SplitError for a file that cannot be read."""
        if self.kind == "parquet":
            return int(self.select("count(*)", typed=False)[0][0])
        return self.survey.rows

    @functools.cached_property
    def columns(self) -> list[str]:
        """The columns' names: as they are written, doubled and missing ones as pandas calls them."""
        if self.kind == "csv":
            return labels(self.written)
        with locked_in([self.path]) as connection:
            return [str(row[0]) for row in connection.execute(f"DESCRIBE SELECT * FROM {self.scan()}").fetchall()]

    @functools.cached_property
    def headings(self) -> dict[str, str]:
        """Column -> its heading as it is written."""
        heads = self.written.heading if self.kind == "csv" else ()
        return dict(zip(self.columns, heads or self.columns, strict=True))

    @functools.cached_property
    def _names(self) -> dict[str, str]:
        """Column -> its name in SQL, which knows no case."""
        taken: set[str] = set()
        names: dict[str, str] = {}
        for column in self.columns:
            name = column
            while name.casefold() in taken:
                name += "_"
            taken.add(name.casefold())
            names[column] = name
        return names

    def sql(self, column: str) -> str:
        """A column's name in SQL. Raises SplitError where there is none of that name."""
        self.check(column)
        return quoted(self._names[column])

    def check(self, column: str) -> None:
        """Raises SplitError where there is no such column."""
        if column not in self._names:
            shown = ", ".join(self.columns[:12]) + (", ..." if len(self.columns) > 12 else "")
            raise SplitError(f"{self.path.name} has no column {column!r}", hint=f"Its columns: {shown}.")

    def like(self, path: Path) -> Table:
        """Another file of the same form: some of this one's records."""
        other = Table(path, self._told)
        if self.kind == "csv":
            other.__dict__["written"] = self.written
        return other

    # -- looking -------------------------------------------------------------------------------

    def holds(self, expression: str) -> Mask:
        """For each row whether ``expression`` is true; as :meth:`hold_each`."""
        return self.hold_each([expression])[0]

    def hold_each(self, expressions: Sequence[str]) -> Flags:
        """For each expression and row whether it is true. Raises SplitError where one cannot be evaluated.

        Columns are numbers, dates, truth values or texts as all of their values are; empty cells are NULL, and so is
        a number that is none. All is found in one pass: types that the first rows have are held against every row.
        """
        named = sorted(set().union(*(check_expression(expression, self.columns) for expression in expressions)))
        flags = [f"coalesce(CAST(({expression}\n) AS BOOLEAN), false)" for expression in expressions]
        kinds = self._first_kinds(named) if self.kind == "csv" else {}
        misfits = [_misfit(f"raw__.{self.sql(name)}", kind) for name, kind in kinds.items() if kind != "VARCHAR"]
        if not misfits:
            return self._flags(flags, self.typed(named) if self.kind != "csv" else self._cast_all(kinds))
        found = self._flags([*flags, " OR ".join(misfits)], self._cast_all(kinds, raw=True))
        if not found[-1].any():
            self._kinds |= kinds
            return found.without_last()
        return self._flags(flags, self._cast_all(self._kinds_of(named)))

    def matches(self, column: str, pattern: str) -> Mask:
        """For each row whether the column's text has a match of a regular expression (RE2's: in linear time)."""
        return self.match_each(column, [pattern])[0]

    def match_each(self, column: str, patterns: Sequence[str]) -> Flags:
        """For each pattern and row whether the column's text has a match."""
        if (longest := max(map(len, patterns))) > 2000:
            raise SplitError(f"a pattern of {longest:,} characters is too long", hint="Use ids or an expression.")
        text = f"CAST({self.sql(column)} AS VARCHAR)"
        return self._flags([f"coalesce(regexp_matches({text}, {literal(pattern)}), false)" for pattern in patterns])

    def before(self, column: str, cut: str, sql_type: Literal["DOUBLE", "TIMESTAMP", "VARCHAR"]) -> Mask:
        """For each row whether the column is less than ``cut``. Raises SplitError where it cannot be compared."""
        value = f"TRY_CAST(nullif(CAST({self.sql(column)} AS VARCHAR), '') AS {sql_type})"
        bad = f"{value} IS NULL" + (f" OR isnan({value})" if sql_type == "DOUBLE" else "")
        less = f"coalesce({value} < CAST({literal(cut)} AS {sql_type}), false)"
        unlike, before = self._flags([bad, less])
        if unlike.any():
            first = int(np.flatnonzero(unlike)[0])
            raise SplitError(
                f"{self.path.name}: {int(unlike.sum()):,} rows have no {_SPOKEN[sql_type]} in {column!r} to compare "
                f"with {cut!r} (the first is row {first})",
                hint="Choose rows by an expression instead.",
            )
        return before

    def texts(self, column: str) -> Iterator[list[str]]:
        """The column's values as text, block by block; an empty one is an empty text."""
        sql = f"coalesce(CAST({self.sql(column)} AS VARCHAR), '')"
        for block in self._blocks(sql):
            yield [row[0] for row in block]

    def categories(self, column: str, *, as_text: bool = False) -> Categories:
        """The column as categories, sorted as its values are: numbers as numbers, in text, too, as pandas does.

        ``as_text``: by their texts instead.
        """
        sql = self.sql(column)
        if as_text:
            sql = f"CAST({sql} AS VARCHAR)"
        elif self.kind != "csv":
            sql = _plain(sql, dict(self.types())[column])
        places: dict[Any, int] = {}
        codes = [
            np.fromiter((places.setdefault(row[0], len(places)) for row in block), np.int32, count=len(block))
            for block in self._blocks(sql)
        ]
        values, order = sorted_categories(list(places), as_text=as_text)
        found = np.concatenate(codes) if codes else np.zeros(0, dtype=np.int32)
        return Categories(np.asarray(order, dtype=np.int32)[found], values)

    def head(self, rows: int) -> list[dict[str, str]]:
        """The first rows as text, for looking at."""
        found = self.select("*", f"LIMIT {int(rows)}", typed=False)
        return [dict(zip(self.columns, ("" if v is None else str(v) for v in row), strict=True)) for row in found]

    def select(self, what: str, rest: str = "", *, typed: bool = True) -> list[tuple[Any, ...]]:
        """The rows of ``SELECT what FROM this table rest``, typed as values look, or text as it is written."""
        if typed:
            self._kinds_of(self.columns)

        def run() -> list[tuple[Any, ...]]:
            with locked_in([self.path]) as connection:
                source = self.typed(self.columns) if typed else self.readable()
                return connection.execute(f"SELECT {what} FROM {source} {rest}").fetchall()

        return self._try(run)

    def types(self) -> list[tuple[str, str]]:
        """Each column's name and SQL type, as its values look."""
        if self.kind == "csv":
            kinds = self._kinds_of(self.columns)
            return [(column, kinds[column]) for column in self.columns]
        with locked_in([self.path]) as connection:
            described = connection.execute(f"DESCRIBE SELECT * FROM {self.scan()}").fetchall()
        return [(str(row[0]), str(row[1])) for row in described]

    def extents(self, most: int = 0) -> tuple[int, list[Extent]]:
        """How many rows there are, and the extent of each column, from one look at all values.

        ``most``: columns of no more different texts than these get them told, sorted; that is a second look.
        """
        kinds = self._first_kinds(self.columns) if self.kind == "csv" else dict(self.types())
        rows = 0
        found: list[Extent] = []
        for start in range(0, len(self.columns), _TOGETHER):
            some = self.columns[start : start + _TOGETHER]
            rows, extents, misfits = self._extents(some, kinds, most)
            if misfits:  # the first rows had another type than all have
                kinds |= self._kinds_of(misfits)
                rows, extents, _ = self._extents(some, kinds, most)
            found += extents
        self._kinds |= kinds if self.kind == "csv" else {}
        return rows, found

    def _extents(
        self, columns: Sequence[str], kinds: Mapping[str, str], most: int
    ) -> tuple[int, list[Extent], list[str]]:
        """Rows, the columns' extents, and the columns that have values of other types than ``kinds`` says."""
        asked = ["count(*)"]
        for name in columns:
            kind = kinds[name]
            value = _cast(self.sql(name), kind) if self.kind == "csv" else self.sql(name)
            is_number = is_whole(kind) or is_real(kind)
            sure = self.kind != "csv" or kind == "VARCHAR" or self._kinds.get(name) == kind
            asked += [
                f"count({value})",
                f"min({value})" if is_number else "NULL",
                f"max({value})" if is_number else "NULL",
                "0" if sure else f"count_if({_misfit(self.sql(name), kind)})",
                f"approx_count_distinct({value})" if most and kind in ("VARCHAR", "BOOLEAN") else "NULL",
            ]
        rows, *rest = self._ask(", ".join(asked))
        each = dict(zip(columns, zip(*[iter(rest)] * 5, strict=True), strict=True))
        misfits = [name for name in columns if each[name][3]]
        few = [name for name in columns if each[name][4] is not None and each[name][4] <= _FEW]
        values = self._few_values(few, kinds, most) if few and not misfits else {}
        extents = [
            Extent(name, kinds[name], each[name][1], each[name][2], rows - each[name][0], values.get(name, ()))
            for name in columns
        ]
        return rows, extents, misfits

    def _few_values(self, columns: Sequence[str], kinds: Mapping[str, str], most: int) -> dict[str, tuple[str, ...]]:
        """Column -> its texts, sorted, for those with no more than ``most``."""
        value = {name: _cast(self.sql(name), kinds[name]) if self.kind == "csv" else self.sql(name) for name in columns}
        texts = self._ask(
            ", ".join(
                f"list(DISTINCT CAST({value[name]} AS VARCHAR)) FILTER ({value[name]} IS NOT NULL)" for name in columns
            )
        )
        return {
            name: tuple(sorted(found))
            for name, found in zip(columns, texts, strict=True)
            if found is not None and len(found) <= most
        }

    def _ask(self, what: str, source: str = "{}") -> tuple[Any, ...]:
        """The one row of ``SELECT what FROM`` the table: its text as it is written, or its values."""

        def run() -> tuple[Any, ...]:
            with locked_in([self.path]) as connection:
                scan = self.readable() if self.kind == "csv" else self.typed(self.columns)
                return tuple(connection.execute(f"SELECT {what} FROM {source.format(scan)}").fetchall()[0])

        return self._try(run)

    def values(self, column: str) -> npt.NDArray[Any]:
        """One column in memory as numpy has it: numbers (NaN where one is missing), else texts."""
        values = self._per_row(self.sql(column), [column])
        if isinstance(values, np.ma.MaskedArray):
            mask = np.ma.getmaskarray(values)
            values = np.ma.getdata(values)
            if values.dtype.kind in "iufb":
                values = np.where(mask, np.nan, values.astype(np.float64))
            else:
                values = np.where(mask, "", values.astype(object))
        return values.astype(str) if values.dtype.kind == "O" else values

    def arrays(self, columns: Sequence[str], keep: Mask | None) -> dict[str, npt.NDArray[Any]]:
        """Columns in memory, as numpy reads their values: numbers with NaN where one is missing, else texts."""
        found: dict[str, npt.NDArray[Any]] = {}
        for column in columns:
            values = self.values(column)
            found[column] = values if keep is None else values[keep]
        return found

    # -- writing -------------------------------------------------------------------------------

    def write_rows(self, keep: Mask | None, target: Path) -> int:
        """Write the rows that are kept (all, if None), in the format that they have; how many that are."""
        if self.kind == "parquet":
            columns = [(name, f"t.{self.sql(name)}") for name in self.columns]
            return self.write_columns(keep, columns, target, "parquet")
        return take_rows(self.path, np.ones(self.rows, dtype=bool) if keep is None else keep, target, self.form)

    def write_columns(
        self,
        keep: Mask | None,
        columns: Sequence[Select],
        target: Path,
        to: str,
        join: str = "",
        also: Sequence[Path] = (),
    ) -> int:
        """Write ``columns`` (heading, SQL over ``t``) of the rows that are kept, in the format ``to``; how many rows.

        ``join`` is SQL that joins other tables (the files ``also``) to ``t``; it must neither drop nor double rows.
        Order is that of the table. Text stays text in text; formats with types get the types that values have.
        """
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".split-") as folder:
            scratch = Path(folder)
            self._look_for_uneven()
            typed = to in ("parquet", "json", "jsonl") and self.kind == "csv"
            if typed:
                self._kinds_of(self.columns)
            source = self if keep is None or self.kind == "parquet" else self._chosen(keep, scratch)
            scan = source.typed(source.columns) if typed else source.readable()
            flags: dict[str, dict[str, npt.NDArray[Any]]] = {}
            if keep is not None and source is self:
                flags = {"naturegym_kept": {"kept": keep.view(np.uint8)}}
                scan = f"(SELECT s.* FROM {scan} AS s POSITIONAL JOIN naturegym_kept AS k WHERE k.kept = 1)"
            order = ""
            if join:  # a join keeps no order of its own
                scan, order = f"(SELECT *, row_number() OVER () AS row__ FROM {scan})", " ORDER BY t.row__"
            made = scratch / f"made.{to}"
            query = _query(columns, f"FROM {scan} AS t{join}{order}", to)
            with locked_in([source.path, made, *also], scratch, arrays=flags) as connection:
                copy = f"COPY ({query}) TO {literal(str(made))} ({_format(to, len(columns), self._codec)})"
                written_rows = int(connection.execute(copy).fetchall()[0][0])
            if target.suffix.lower() == ".gz":
                compressed(made, target)
            else:
                shutil.move(made, target)
        return written_rows - (1 if to in ("csv", "tsv") else 0)

    @functools.cached_property
    def _codec(self) -> str:
        """How Parquet that is made of this table is compressed: as it is, where it is Parquet."""
        if self.kind != "parquet":
            return "zstd"
        with locked_in([self.path]) as connection:
            asked = f"SELECT compression FROM parquet_metadata({literal(str(self.path))}) LIMIT 1"
            found = [str(row[0]).lower() for row in connection.execute(asked).fetchall()]
        return next((codec for codec in found if codec in _CODECS), "zstd")

    def _chosen(self, keep: Mask, scratch: Path) -> Table:
        """The rows that are kept as a table of their own."""
        part = scratch / f"rows{table_suffix(self.path)}"
        self.write_rows(keep, part)
        chosen = Table(part, self._told)
        if self.kind == "csv":
            chosen.__dict__ |= {"written": self.written, "survey": self.survey}
            chosen._kinds, chosen._uneven = dict(self._kinds), self._uneven
        return chosen

    # -- reading -------------------------------------------------------------------------------

    def scan(self, *, uneven: bool = False) -> str:
        """The table in SQL, text as it is written. ``uneven``: rows may lack cells."""
        name = literal(str(self.path))
        if self.kind == "parquet":
            return f"read_parquet({name})"
        if self.kind == "jsonl":
            return f"read_json({name}, format = 'newline_delimited', sample_size = -1, maximum_object_size = 67108864)"
        found = self.written
        columns = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in self._names.values())
        quote = literal((found.form.quote or b"").decode())
        survey = self.survey
        latin = self._told.encoding == "latin-1" or (self._told.encoding is None and not survey.is_utf8)
        scan = (
            f"read_csv({name}, auto_detect = false, columns = {{{columns}}}, delim = {literal(found.delimiter)}, "
            f"quote = {quote}, escape = {quote}, header = {str(bool(found.heading)).lower()}, strict_mode = false, "
            f"allow_quoted_nulls = false, comment = '', skip = 0, max_line_size = {max(2_000_000, survey.longest + 16)}"
            + (", encoding = 'latin-1'" if latin else "")
            + (", null_padding = true, parallel = false" if uneven else "")
            + ")"
        )
        if len(self._names) == 1:  # a blank line is no row, here as elsewhere
            (only,) = self._names.values()
            scan = f"(SELECT * FROM {scan} WHERE {quoted(only)} IS NOT NULL)"
        return scan

    def typed(self, columns: Sequence[str] | set[str]) -> str:
        """The table in SQL, where ``columns`` have the types that all of their values have, and the others are text."""
        if self.kind == "jsonl":
            return self.scan()
        if self.kind == "parquet":
            floats = [name for name, sql_type in self.types() if name in columns and sql_type in ("DOUBLE", "FLOAT")]
            if not floats:
                return self.scan()
            cast = ", ".join(f"nullif({self.sql(name)}, 'nan') AS {self.sql(name)}" for name in floats)
            return f"(SELECT * REPLACE ({cast}) FROM {self.scan()})"
        return self._cast_all(self._kinds_of(sorted(columns)))

    def _cast_all(self, kinds: Mapping[str, str], *, raw: bool = False) -> str:
        """The text in SQL with columns of types; ``raw``: with the columns as they are written beside them."""
        if not kinds:
            return self.readable()
        cast = ", ".join(f"{_cast(self.sql(name), kind)} AS {self.sql(name)}" for name, kind in kinds.items())
        if not raw:
            return f"(SELECT * REPLACE ({cast}) FROM {self.readable()})"
        written_too = f"struct_pack({', '.join(f'{self.sql(name)} := {self.sql(name)}' for name in kinds)})"
        return f"(SELECT {cast}, {written_too} AS raw__ FROM {self.readable()})"

    def _first_kinds(self, columns: Sequence[str]) -> dict[str, str]:
        """Column -> SQL type, where known, or as the first rows have it.

        That is certain where it is text, for one counterexample is enough. Columns without a value there are looked
        at throughout.
        """
        asked = [name for name in columns if name not in self._kinds]
        found: dict[str, str] = {}
        for start in range(0, len(asked), _TOGETHER):
            some = asked[start : start + _TOGETHER]
            found |= {name: kind for name, kind in self._glance(some).items() if kind is not None}
        rest = self._kinds_of([name for name in columns if name not in found])
        return {name: found.get(name) or rest[name] for name in columns}

    def _count_kinds(self, columns: Sequence[str], source: str = "{}") -> list[str | None]:
        """The narrowest type that all values of each column have; None where there are no values."""
        found = self._ask(", ".join(_classes(self.sql(name)) for name in columns), source)
        return [None if classes is None else _narrowest(classes) for classes in found]

    def _kinds_of(self, columns: Sequence[str]) -> dict[str, str]:
        """Column -> SQL type of all of its values, in passes over the file that look at many columns each."""
        asked = [name for name in columns if name not in self._kinds]
        if asked and self.path.stat().st_size < _SMALL:  # one pass, and not one for each column
            asked = [name for name in self.columns if name not in self._kinds]
        for name in asked:
            self.check(name)
        for start in range(0, len(asked), _TOGETHER):
            some = asked[start : start + _TOGETHER]
            glance = self._glance(some)
            if self.rows > _FIRST:  # a cheap test of what the first rows have; what fails it is counted by types
                guessed = [(name, kind) for name, kind in glance.items() if kind not in (None, "VARCHAR")]
                misfits = [f"count_if({_misfit(self.sql(name), kind)})" for name, kind in guessed if kind]
                fails = self._ask(", ".join(misfits)) if misfits else ()
                unsure = [name for name in some if glance[name] is None]
                unsure += [name for (name, _), misfit in zip(guessed, fails, strict=True) if misfit]
                glance |= zip(unsure, self._count_kinds(unsure), strict=True) if unsure else ()
            self._kinds |= {name: kind or "VARCHAR" for name, kind in glance.items()}
        return {name: self._kinds[name] for name in columns}

    def _glance(self, columns: Sequence[str]) -> dict[str, str | None]:
        """Column -> the narrowest type of the first rows' values, None where there are none."""
        kinds = self._count_kinds(columns, f"(SELECT * FROM {{}} LIMIT {_FIRST})")
        return dict(zip(columns, kinds, strict=True))

    def readable(self) -> str:
        """The table in SQL, as it can be read."""
        return self.scan(uneven=bool(self._uneven))

    def _try(self, run: Callable[[], Result]) -> Result:
        """``run``, and once more where rows turn out to lack cells: DuckDB must be told, and reads more slowly."""
        if self._uneven is not None or self.kind != "csv":
            return run()
        try:
            result = run()
        except SplitError as error:
            if "Expected Number of Columns" not in str(error.__cause__):
                raise
            self._uneven = True
            return run()
        self._uneven = False
        return result

    def _look_for_uneven(self) -> None:
        if self._uneven is None and self.kind == "csv":
            self.select("count(*)", typed=False)

    def _blocks(self, sql: str) -> Iterator[list[tuple[Any, ...]]]:
        """One value a row, block by block."""
        self._look_for_uneven()
        seen = 0
        with locked_in([self.path]) as connection:
            result = connection.execute(f"SELECT {sql} AS v FROM {self.readable()}")
            while block := result.fetchmany(_FETCHED):
                seen += len(block)
                yield block
        self._check_count(seen)

    def _per_row(self, sql: str, typed: Sequence[str] = ()) -> npt.NDArray[Any]:
        """One value a row, as numpy has them; ``typed`` are the columns that are to have types."""
        if typed and self.kind == "csv":
            self._kinds_of(typed)

        def run() -> npt.NDArray[Any]:
            with locked_in([self.path]) as connection:
                source = self.typed(typed) if typed else self.readable()
                found: Any = connection.execute(f"SELECT {sql} AS v FROM {source}").fetchnumpy()["v"]
                return found  # type: ignore[no-any-return]

        values = self._try(run)
        self._check_count(len(values))
        return values

    def _flags(self, flags: Sequence[str], source: str | None = None) -> Flags:
        """For each flag (SQL) and row whether it holds."""
        bytes_ = packed_in_sql(flags)
        if source is not None:
            self._look_for_uneven()

        def run() -> list[npt.NDArray[np.uint8]]:
            with locked_in([self.path]) as connection:
                asked = ", ".join(f"{sql} AS b{number}" for number, sql in enumerate(bytes_))
                found: Any = connection.execute(f"SELECT {asked} FROM {source or self.readable()}").fetchnumpy()
            return [np.ma.getdata(found[f"b{number}"]) for number in range(len(bytes_))]

        packed = self._try(run)
        self._check_count(len(packed[0]))
        return Flags(packed, len(flags))

    def _check_count(self, read: int) -> None:
        if read != self.rows:
            raise SplitError(
                f"{self.path.name} has {self.rows:,} records, of which {read:,} can be read as rows",
                hint="Look at its quotation marks and line ends; 'tables:' says how a file is written.",
            )


def _without(characters: str) -> str:
    """A value has none of these; to look for each is far cheaper than to look at each character once."""
    return " AND ".join(f"NOT contains({{v}}, {literal(character)})" for character in characters)


_SPOKEN = {"DOUBLE": "number", "TIMESTAMP": "date", "VARCHAR": "text"}
_TYPES: tuple[tuple[str, str], ...] = (
    ("BIGINT", "TRY_CAST({v} AS BIGINT) IS NOT NULL AND " + _without(".eE_xX")),
    ("DOUBLE", "TRY_CAST({v} AS DOUBLE) IS NOT NULL AND " + _without("_xX")),
    ("BOOLEAN", "lower({v}) IN ('true', 'false')"),
    ("DATE", r"regexp_full_match({v}, '\d{{4}}-\d\d-\d\d') AND TRY_CAST({v} AS DATE) IS NOT NULL"),
    ("TIMESTAMP", r"regexp_full_match({v}, '\d{{4}}-\d\d-\d\d.*') AND TRY_CAST({v} AS TIMESTAMP) IS NOT NULL"),
)
"""Types from the narrowest on, with what must hold of each value that is not missing."""


_WIDER = {"DOUBLE": ("BIGINT",), "TIMESTAMP": ("DATE",)}
"""Whose values are of a type, too."""


def _classes(column: str) -> str:
    """Which types the values are of, as bits: each value's narrowest, and the bit after these for none; or NULL."""
    types = " ".join(f"WHEN {test.format(v=column)} THEN {1 << place}" for place, (_, test) in enumerate(_TYPES))
    missing = f"{column} IS NULL OR {column} = '' OR lower(trim({column})) IN {_MISSING!r}"
    return f"bit_or(CASE WHEN {missing} THEN NULL {types} ELSE {1 << len(_TYPES)} END)"


def _narrowest(classes: int) -> str:
    """The type that all values are of."""
    held = {name for place, name in enumerate([*(name for name, _ in _TYPES), "VARCHAR"]) if classes >> place & 1}
    return next((name for name, _ in _TYPES if held <= {name, *_WIDER.get(name, ())}), "VARCHAR")


def _cast(column: str, sql_type: str) -> str:
    if sql_type == "VARCHAR":
        return f"nullif({column}, '')"
    # Not of the bare column: DuckDB would have its reader convert, and fail where a value cannot be.
    cast = f"TRY_CAST(nullif({column}, '') AS {sql_type})"
    return f"nullif({cast}, 'nan')" if sql_type == "DOUBLE" else cast


def _misfit(column: str, sql_type: str) -> str:
    """Whether a value is neither missing nor of a type."""
    fits = dict(_TYPES)[sql_type].format(v=f"nullif({column}, '')")
    missing = f"{column} IS NULL OR {column} = '' OR lower(trim({column})) IN {_MISSING!r}"
    # Most whole numbers are written as they would be; that is seen at once, and the rest is for the others.
    plain = f"CAST(TRY_CAST(nullif({column}, '') AS BIGINT) AS VARCHAR) = {column}" if sql_type == "BIGINT" else "false"
    return f"(CASE WHEN {plain} OR coalesce({fits}, false) THEN false ELSE NOT ({missing}) END)"


def _plain(column: str, sql_type: str) -> str:
    """A typed column so that equal values are equal, and can be sorted."""
    if sql_type in ("DOUBLE", "FLOAT"):
        return f"nullif({column}, 'nan')"
    if sql_type == "BOOLEAN" or sql_type.endswith(("INT", "INTEGER")):
        return column
    return f"CAST({column} AS VARCHAR)"


def _query(columns: Sequence[Select], rest: str, to: str) -> str:
    """The rows to be written; of text with the headings as the first, so that these may be any."""
    if to not in ("csv", "tsv"):
        return f"SELECT {', '.join(f'{sql} AS {quoted(name)}' for name, sql in columns)} {rest}"
    heads = ", ".join(f"{literal(name)} AS c{place}" if name else f"CAST(NULL AS VARCHAR) AS c{place}"
                      for place, (name, _) in enumerate(columns))  # fmt: skip
    cells = ", ".join(f"CAST({sql} AS VARCHAR) AS c{place}" for place, (_, sql) in enumerate(columns))
    return f"SELECT {heads} UNION ALL (SELECT {cells} {rest})"


def _format(to: str, columns: int, codec: str) -> str:
    """Row groups hold fewer rows the wider a table is: they are held in memory."""
    group = min(122_880, max(2_048, 8_000_000 // max(1, columns) // 2_048 * 2_048))
    return {
        "csv": "FORMAT csv, HEADER false",
        "tsv": "FORMAT csv, HEADER false, DELIMITER '\t'",
        "parquet": f"FORMAT parquet, COMPRESSION {codec}, ROW_GROUP_SIZE {group}",
        "json": "FORMAT json, ARRAY true",
        "jsonl": "FORMAT json",
    }[to]
