"""The declarative operations of ``task.yaml``: how files are taken, split and cut. Nothing here touches data.

A *path* names a file as ``<source>/<path in the source>``: ``code/data/train.csv`` is ``data/train.csv`` of the
source called ``code``; ``*`` and ``**`` match as in a shell. A *part* names rows as ``<split>/<part>``.

Conservation is by construction: a split puts each row of what it splits into exactly one of its parts or,
where ``rest`` says so, into none; whoever carries it out counts both sides and fails where a row is lost or doubled.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Discriminator, Field, PositiveInt, Tag, model_validator

from nature_gym.packaging.vocabulary import Model

Named = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$")]


def check_path(path: str) -> str:
    """``path`` as it is, where it can only mean a place below its root. Raises ValueError otherwise."""
    if any(part in ("", ".", "..") for part in path.removesuffix("/").split("/")) or re.search(r"[\x00-\x1f\\]", path):
        raise ValueError("a path is relative, without empty parts, '.', '..', backslashes and control characters")
    return path


SourcePath = Annotated[
    str,
    Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*/.+$", description="<source>/<path in the source>"),
    AfterValidator(check_path),
]
Part = Annotated[str, Field(pattern=r"^[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*$", description="<split>/<part>")]


# -- how a file is read -----------------------------------------------------------------------


class TableForm(Model):
    """How a file is written or to be read, where it cannot be seen in it. What is left out is looked for."""

    delimiter: Annotated[str | None, Field(min_length=1, max_length=1)] = None
    quote: Annotated[str | None, Field(max_length=1, description="The quotation mark; '' for none.")] = None
    header: Annotated[bool | None, Field(description="Whether the first line names the columns.")] = None
    encoding: Literal["utf-8", "latin-1"] | None = None
    rows_of: Annotated[
        str | None, Field(description="For files of several arrays: the one whose first axis counts the rows.")
    ] = None


# -- steps: one key each, so that a line of YAML reads as what it does ----------------------


class Rows(Model):
    """Keep the rows for which an SQL expression over the columns holds: ``rows: "age > 18 AND split = 'train'"``."""

    rows: str


class Matching(Model):
    """Keep the rows whose ``column`` has a match of a regular expression."""

    class Match(Model):
        """Where to look, for what."""

        column: str
        pattern: str

    matching: Match


class Keep(Model):
    """Keep these columns, or keys of an archive of arrays, in this order."""

    keep: Annotated[tuple[str, ...], Field(min_length=1)]


class Drop(Model):
    """Drop these columns or keys."""

    drop: Annotated[tuple[str, ...], Field(min_length=1)]


class Rename(Model):
    """Rename columns or keys: old name -> new name."""

    rename: Annotated[dict[str, str], Field(min_length=1)]


class Join(Model):
    """Join the columns of another table by an id that both have; each row must find exactly one partner."""

    class With(Model):
        """The other table, the id column, and which of its columns are taken (all, if not said)."""

        table: SourcePath
        on: str
        columns: tuple[str, ...] | None = None

    join: With


class Member(Model):
    """Go on with one file inside an archive (zip, tar); the first step."""

    member: Annotated[str, AfterValidator(check_path)]


class Convert(Model):
    """Write in another format than the source's."""

    convert: Literal["csv", "tsv", "parquet", "npy", "npz", "json", "jsonl"]


def _key(value: Any) -> str | None:
    """A step is told by its one key."""
    if isinstance(value, dict):
        return next(iter(value), None) if len(value) == 1 else None
    fields = type(value).model_fields
    return next(iter(fields), None)


Step = Annotated[
    Annotated[Rows, Tag("rows")]
    | Annotated[Matching, Tag("matching")]
    | Annotated[Keep, Tag("keep")]
    | Annotated[Drop, Tag("drop")]
    | Annotated[Rename, Tag("rename")]
    | Annotated[Join, Tag("join")]
    | Annotated[Member, Tag("member")]
    | Annotated[Convert, Tag("convert")],
    Discriminator(
        _key,
        custom_error_type="step",
        custom_error_message="a step has one key: rows, matching, keep, drop, rename, join, member or convert",
    ),
]

# -- splits ----------------------------------------------------------------------------------


class _Split(Model):
    of: Annotated[
        str,
        Field(
            description="What is split: a path, or a part of another split.",
            pattern=r"^[A-Za-z0-9][\w.-]*/.+$",
        ),
    ]
    taken_in: Annotated[
        Literal["file", "drawn"],
        Field(
            description="Of a part of a random split: rows in the file's order, or as drawn, for code that splits on."
        ),
    ] = "file"
    rest: Annotated[Literal["refuse", "drop"], Field(description="What becomes of rows that fall into no part.")] = (
        "refuse"
    )
    because: Annotated[str, Field(description="Why rows are dropped; needed where rest is drop.")] = ""

    @model_validator(mode="after")
    def _check_rest(self) -> _Split:
        if self.rest == "drop" and not self.because.strip():
            raise ValueError("a split with rest: drop says why in because:")
        names = tuple(getattr(self, "parts", ()))
        if len(set(names)) != len(names):
            raise ValueError("two parts have the same name")
        return self


class ByExpression(_Split):
    """Each part has an SQL expression over the columns."""

    kind: Literal["expression"]
    parts: Annotated[dict[Named, str], Field(min_length=1)]


class ByColumn(_Split):
    """A column says which part a row belongs to: part -> the column's values. Also for ids joined from a table."""

    kind: Literal["column"]
    column: str
    table: Annotated[
        SourcePath | None, Field(description="The table that has the column, where it is another one; joined by id.")
    ] = None
    id: Annotated[str | None, Field(description="The id by which that table is joined.")] = None
    parts: Annotated[dict[Named, tuple[bool | int | float | str, ...]], Field(min_length=1)]

    @model_validator(mode="after")
    def _check(self) -> ByColumn:
        if (self.table is None) != (self.id is None):
            raise ValueError("a column of another table needs both table and id")
        return self


class ByIndexFile(_Split):
    """A file for each part lists row numbers of the file that is split, one a line, or as an array.

    ``counted: part`` where they number the rows of the part that is split, and not those of the file.
    """

    kind: Literal["index_file"]
    parts: Annotated[dict[Named, SourcePath], Field(min_length=1)]
    key: Annotated[dict[Named, str], Field(description="Part -> key, for index files of several arrays.")] = {}  # noqa: RUF012 - pydantic copies it
    first: Annotated[Literal[0, 1], Field(description="The number of the first row.")] = 0
    counted: Literal["file", "part"] = "file"


class ByIdFile(_Split):
    """A file for each part lists the ids of its rows."""

    kind: Literal["id_file"]
    id: str
    parts: Annotated[dict[Named, SourcePath], Field(min_length=1)]
    key: Annotated[dict[Named, str], Field(description="Part -> column or key, where the file has several.")] = {}  # noqa: RUF012 - the same


class ByChance(_Split):
    """A seeded random split, with the generator that made the paper's.

    ``sklearn``: ``sklearn.model_selection.train_test_split(range(n), test_size=, random_state=, stratify=, shuffle=)``.
    With ``group``: ``GroupShuffleSplit(1, test_size=, random_state=)``; several columns in ``stratify`` are strata
    together. ``numpy``: ``numpy.random.default_rng(seed).permutation(n)``; its first ``size`` entries are the second
    part, or its last ones with ``taken: last``. A share of n is rounded to the nearest number.
    ``numpy_legacy``: ``numpy.random.RandomState(seed).permutation(n)``; as above. ``python``: ``random.Random(seed)``'s
    ``shuffle`` of ``range(n)``; as above. ``torch``: ``torch.randperm`` under ``manual_seed(seed)``; as above.
    ``parts`` are two names: the larger or training part first.
    """

    kind: Literal["random"]
    parts: Annotated[tuple[Named, ...], Field(min_length=2, max_length=2)]
    seed: int
    size: Annotated[float, Field(gt=0, description="Of the second part: a share below 1, or a number of rows.")]
    generator: Literal["sklearn", "numpy", "numpy_legacy", "python", "torch"] = "sklearn"
    stratify: tuple[str, ...] = ()
    group: Annotated[str | None, Field(description="Rows with the same value stay together.")] = None
    shuffle: bool = True
    taken: Annotated[
        Literal["first", "last"], Field(description="Which end of the permutation is the second part.")
    ] = "first"

    @model_validator(mode="after")
    def _check(self) -> ByChance:
        if self.generator != "sklearn" and (self.stratify or self.group or not self.shuffle):
            raise ValueError("stratify, group and shuffle are of the generator sklearn")
        if self.generator == "sklearn" and self.taken != "first":
            raise ValueError("taken is of the other generators; scikit-learn has its own order")
        if self.stratify and self.group:
            raise ValueError("a random split is by group or by strata; use a fold split for both")
        if self.stratify and not self.shuffle:
            raise ValueError("strata need shuffle: true")
        if self.size >= 1 and self.size != int(self.size):
            raise ValueError("a size of 1 or more is a whole number of rows")
        return self


class ByFold(_Split):
    """One fold of a k-fold split is the second part: scikit-learn's (Stratified/Group/StratifiedGroup)KFold."""

    kind: Literal["fold"]
    parts: Annotated[tuple[Named, ...], Field(min_length=2, max_length=2)]
    folds: Annotated[int, Field(ge=2)]
    fold: Annotated[int, Field(ge=0)]
    seed: int | None = None
    shuffle: bool = False
    stratify: str | None = None
    group: str | None = None

    @model_validator(mode="after")
    def _check(self) -> ByFold:
        if self.fold >= self.folds:
            raise ValueError(f"there is no fold {self.fold} of {self.folds}; the first is 0")
        if self.seed is not None and not self.shuffle:
            raise ValueError("a seed does nothing without shuffle: true")
        return self


class ByTime(_Split):
    """Rows before a point of a column are the first part, the others the second.

    A number is compared with numbers, a date (``2020-01-31``, ``2020-01-31 12:00``) with dates, other text as text.
    """

    kind: Literal["time"]
    parts: Annotated[tuple[Named, ...], Field(min_length=2, max_length=2)]
    column: str
    cut: str | int | float


class ByScaffold(_Split):
    """Molecules by their Bemis-Murcko scaffold, the largest groups first into the first part (needs RDKit).

    A group goes into the first part that has room for all of it, as in DeepChem's ``ScaffoldSplitter``.
    """

    kind: Literal["scaffold"]
    parts: Annotated[tuple[Named, ...], Field(min_length=2, max_length=3)]
    column: str
    sizes: Annotated[tuple[float, ...], Field(description="The share of each part.")]

    @model_validator(mode="after")
    def _check(self) -> ByScaffold:
        if len(self.sizes) != len(self.parts) or abs(sum(self.sizes) - 1) > 1e-6 or min(self.sizes) <= 0:
            raise ValueError("sizes are a share for each part, which add up to 1")
        return self


class ByPattern(_Split):
    """Each part has a regular expression that a column's value matches."""

    kind: Literal["pattern"]
    column: str
    parts: Annotated[dict[Named, str], Field(min_length=1)]


class ByOrder(_Split):
    """The first rows are the first part: ``sizes`` in rows, the last one may be left out."""

    kind: Literal["order"]
    parts: Annotated[tuple[Named, ...], Field(min_length=2)]
    sizes: Annotated[tuple[PositiveInt, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _check(self) -> ByOrder:
        if len(self.sizes) not in (len(self.parts) - 1, len(self.parts)):
            raise ValueError("sizes are a number of rows for each part; the last one may be left out")
        return self


Split = Annotated[
    ByExpression | ByColumn | ByIndexFile | ByIdFile | ByChance | ByFold | ByTime | ByScaffold | ByPattern | ByOrder,
    Field(discriminator="kind"),
]
