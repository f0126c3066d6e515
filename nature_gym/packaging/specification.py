"""``task.yaml``: the one reviewed file from which a package is rendered.

Words about the science are written here by a decider or a person. What follows from the data (trees, shapes, dtypes,
counts, ranges) is not: it is measured when the package is built.
"""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from nature_gym.metrics.entry import Direction
from nature_gym.packaging.operations import Named, Part, SourcePath, Split, Step, TableForm, check_path
from nature_gym.packaging.vocabulary import Model, PrimaryDomain, Tooling

ReleaseDomain = Literal[
    "Cellular Omics", "Protein Biology", "Biomedical Modeling", "Physical Modeling", "Molecular Design",
    "Relational Reasoning",
]  # fmt: skip
Separability = Literal["trivial", "simple", "moderate", "complex", "ambiguous", "infeasible", "not_applicable"]
FileName = Annotated[str, Field(min_length=1, max_length=240), AfterValidator(check_path)]


class Paper(Model):
    """The paper. Never rendered: the firewall searches for all of it."""

    id: str | None = None
    doi: str | None = None
    title: str = ""
    authors: tuple[str, ...] = ()
    journal: str = ""
    published: dt.date | None = None
    repositories: tuple[str, ...] = ()


class Method(Model):
    """The paper's core algorithm: what the task must never name."""

    name: str = ""
    variants: tuple[str, ...] = ()
    common_word: Annotated[
        bool, Field(description="The name is also a common word: matched only in its own spelling.")
    ] = False


class Domain(Model):
    """Where the task belongs."""

    primary: PrimaryDomain
    sub: str
    tags: Annotated[tuple[str, ...], Field(min_length=3, max_length=5)]
    release: ReleaseDomain | None = None


class Problem(Model):
    """The words about the science, in Markdown; the method, the paper and what the authors did stay out."""

    background: Annotated[str, Field(min_length=1, description="README 1: the scientific problem.")]
    objective: Annotated[str, Field(min_length=1, description="README 2: what is to be done.")]
    input: Annotated[str, Field(min_length=1)]
    output: Annotated[str, Field(min_length=1)]
    dataset: Annotated[str, Field(description="README 3: what the data are, beside the table made from them.")] = ""
    notes: tuple[str, ...] = ()


class Source(Model):
    """Where bytes come from. ``path`` is a folder or file, relative to ``task.yaml``."""

    path: str
    kind: Literal["repository", "download", "folder"] = "folder"
    url: str | None = None
    commit: str | None = None
    digest: str | None = None
    licence: Annotated[str | None, Field(description="SPDX name, or as the source states it.")] = None
    licence_file: Annotated[SourcePath | None, Field(description="The licence's text in the source.")] = None
    citation: str = ""


class FieldNote(Model):
    """What a column or key means, and on which side it stands."""

    name: str
    role: Literal["INPUT", "TARGET", "ID", "META"] = "INPUT"
    meaning: str = ""
    unit: str = ""


_RANKS = {"member": 0, "rows": 1, "matching": 1}


class MadeFile(Model):
    """A file of the package, and how it is made.

    With a glob in ``take``, ``file`` is a folder that ends in ``/``. ``part`` takes only the rows of a
    split's part, ``steps`` come after: first a member, then what chooses rows, then what changes columns.
    """

    file: FileName
    take: SourcePath
    part: Part | None = None
    steps: tuple[Step, ...] = ()
    meaning: str = ""
    fields: tuple[FieldNote, ...] = ()
    role: Annotated[
        Literal["development", "inputs", "resource", "scorer", "answers", "statistics"],
        Field(description="development: to learn from; inputs: X_test; resource: external; scorer: an oracle's code."),
    ]

    @model_validator(mode="after")
    def _check_steps(self) -> MadeFile:
        ranks = [_RANKS.get(next(iter(type(step).model_fields)), 2) for step in self.steps]
        if ranks != sorted(ranks) or ranks.count(0) > 1:
            raise ValueError(f"{self.file}: steps go: one member; rows, matching; join, keep, drop, rename, convert")
        if self.part is not None and 0 in ranks:
            raise ValueError(f"{self.file}: a part is of a file, not of a member of an archive")
        return self


class Column(Model):
    """A column of an answer, or a key of a JSON one."""

    name: str
    dtype: Literal["float", "int", "string", "bool"] = "float"
    least: float | None = None
    most: float | None = None
    values: Annotated[
        tuple[str | int | float | bool, ...] | None, Field(description="The only values there may be.")
    ] = None
    meaning: str = ""
    missing_allowed: bool = False


class Answer(Model):
    """The output contract: one file that the agent writes for an instance.

    ``rows`` is the number of rows (or of the array's first axis): that of a reference file, a number, or free.
    Keyed answers name the ``id`` column; aligned ones (``.npy``) follow the order of ``aligned_with``.
    """

    file: FileName
    format: Literal["npy", "csv", "json", "npz", "fasta", "smi", "pdb", "h5ad", "txt"]
    dtype: str = "float64"
    shape: Annotated[
        tuple[str | int, ...], Field(description="For arrays: 'n' for the rows, numbers for other axes.")
    ] = ()
    columns: tuple[Column, ...] = ()
    id: str | None = None
    ids_of: Annotated[FileName | None, Field(description="The reference file whose ids the answer must have.")] = None
    aligned_with: Annotated[FileName | None, Field(description="The visible file whose row order it follows.")] = None
    rows: int | Literal["as reference", "free"] = "as reference"
    least: float | None = None
    most: float | None = None
    finite: bool = True
    meaning: str = ""


class Score(Model):
    """A value as the paper prints it, with the literal signs, and by which method."""

    value: str
    method: str


class MetricUse(Model):
    """One metric of an instance: what it is called here, which function of the registry computes it, from what.

    ``prediction`` and ``reference`` name a file, or a file and columns or a key as ``file:column`` (several by commas).
    """

    name: Annotated[str, Field(min_length=1)]
    metric: Annotated[str, Field(description="Name in the registry, or 'task:<function>' of the task's own file.")]
    primary: bool = False
    direction: Direction
    prediction: str
    reference: str
    options: dict[str, str | int | float | bool | tuple[str | int | float, ...]] = Field(default_factory=dict)
    definition: str = ""
    place: Annotated[str, Field(description="Where the paper prints it: Table 2, row 5.")] = ""
    unit: str | None = None
    anchor: Annotated[tuple[Score, ...], Field(description="The paper's own scores, by variant.")] = ()
    baseline: Score | None = None


class Reference(Model):
    """What answers are compared with. ``files`` are hidden."""

    kind: Literal["label", "oracle", "distribution"]
    files: tuple[MadeFile, ...] = ()
    scorer: Annotated[str | None, Field(description="Oracle: <file>:<function> among the files.")] = None
    shared: Annotated[bool, Field(description="Oracle: the agent may call the scorer, too.")] = False


class Instance(Model):
    """One evaluation setting: its data, its references, what is to be handed in, how it is scored."""

    name: Named
    title: str = ""
    task_type: Named = "main"
    description: str = ""
    depends_on: Annotated[Named | None, Field(description="The instance whose trained model this one starts from.")] = (
        None
    )
    separability: Separability = "trivial"
    splits: dict[Named, Split] = Field(default_factory=dict)
    files: Annotated[tuple[MadeFile, ...], Field(min_length=1)]
    reference: Reference
    answer: Annotated[tuple[Answer, ...], Field(min_length=1)]
    metrics: Annotated[tuple[MetricUse, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _check(self) -> Instance:
        if sum(metric.primary for metric in self.metrics) != 1:
            raise ValueError(f"instance {self.name} needs exactly one primary metric")
        for made in (*self.files, *self.reference.files):
            if made.part is not None:
                split, _, part = made.part.partition("/")
                if split not in self.splits:
                    raise ValueError(f"{made.file}: there is no split {split!r} in instance {self.name}")
                if part not in self.splits[split].parts:
                    raise ValueError(f"{made.file}: split {split!r} has no part {part!r}")
        _check_sides(self)
        _check_chains(self)
        names = [made.file for made in self.files]
        if doubled := {name for name in names if names.count(name) > 1}:
            raise ValueError(f"instance {self.name} makes {', '.join(sorted(doubled))} more than once")
        return self


class Compute(Model):
    """What solving takes."""

    cpu: Literal["low", "medium", "high"] = "low"
    cpu_quantity: str = ""
    gpu: Literal["none", "low", "medium", "high"] = "none"
    runtime: Literal["short", "moderate", "long"] = "short"


class Environment(Model):
    """What the task needs beside the base image; versions are resolved when not said."""

    base: str = "naturegym-slim:v1"
    packages: tuple[str, ...] = ()
    as_of: dt.date | None = None


class TaskSpecification(Model):
    """The whole of ``task.yaml``."""

    format: Literal[1] = 1
    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{3,40}$", description="Opaque: tells nothing of the paper.")]
    name: Annotated[str, Field(min_length=3, max_length=120, description="The problem, never the method.")]
    domain: Domain
    topology: Literal["strict_single_step", "serial_pipeline", "multi_task_parallel", "pretrain_finetune"] = (
        "strict_single_step"
    )
    paradigm: Literal["domain_specific_tooling", "general_ml_application", "other"] = "general_ml_application"
    tooling: Tooling | None = None
    compute: Compute = Compute()
    problem: Problem
    paper: Paper = Paper()
    method: Method = Method()
    forbidden: Annotated[tuple[str, ...], Field(description="More words that nothing visible may hold.")] = ()
    environment: Environment = Environment()
    sources: Annotated[dict[Named, Source], Field(min_length=1)]
    tables: Annotated[
        dict[SourcePath, TableForm],
        Field(description="Path -> how the file is written, where it cannot be seen in it."),
    ] = Field(default_factory=dict)
    metrics_file: Annotated[SourcePath | None, Field(description="The task's own metrics, a small Python file.")] = None
    instances: Annotated[tuple[Instance, ...], Field(min_length=1)]
    questions: Annotated[
        tuple[str, ...], Field(description="What a person has to settle first; a task with questions is not built.")
    ] = ()

    @model_validator(mode="after")
    def _check(self) -> TaskSpecification:
        names = [instance.name for instance in self.instances]
        if doubled := {name for name in names if names.count(name) > 1}:
            raise ValueError(f"more than one instance is called {', '.join(sorted(doubled))}")
        for instance in self.instances:
            if both := sorted(set(instance.splits) & set(self.sources)):
                raise ValueError(f"instance {instance.name}: {both[0]!r} is both a split and a source")
            for path in paths_of(instance):
                source = path.partition("/")[0]
                if source not in self.sources:
                    raise ValueError(
                        f"instance {instance.name}: {path} is of no source; there are: {', '.join(self.sources)}"
                    )
        primaries: dict[str, tuple[str, Direction]] = {}
        for instance in self.instances:
            primary = next((metric.name, metric.direction) for metric in instance.metrics if metric.primary)
            if primaries.setdefault(instance.task_type, primary) != primary:
                raise ValueError(f"task type {instance.task_type} has more than one primary metric")
        return self


def _check_sides(instance: Instance) -> None:
    """Nothing that is compared with is shown, and what is made for agents is not hidden. Raises ValueError."""
    for made in instance.files:
        if made.role in ("answers", "statistics"):
            raise ValueError(f"{made.file}: files of role {made.role} belong under reference, where nobody sees them")
    for made in instance.reference.files:
        if made.role in ("development", "inputs"):
            raise ValueError(f"{made.file}: files of role {made.role} belong under files; references are hidden")


def _check_chains(instance: Instance) -> None:
    """Splits of parts of splits: each part is there, and no split is of itself. Raises ValueError."""
    for name in instance.splits:
        seen = [name]
        while True:
            outer, _, part = instance.splits[seen[-1]].of.partition("/")
            if outer not in instance.splits:
                break
            if part not in instance.splits[outer].parts:
                raise ValueError(f"split {seen[-1]}: split {outer!r} has no part {part!r}")
            if outer in seen:
                raise ValueError(f"split {name!r} is of itself: {' of '.join([*seen, outer])}")
            seen.append(outer)


def paths_of(instance: Instance) -> list[str]:
    """Every path of a source that an instance names."""
    found: list[str] = [made.take for made in (*instance.files, *instance.reference.files)]
    for made in (*instance.files, *instance.reference.files):
        found += [step.join.table for step in made.steps if hasattr(step, "join")]
    for split in instance.splits.values():
        if split.of.partition("/")[0] not in instance.splits:
            found.append(split.of)
        parts: Any = getattr(split, "parts", None)
        if split.kind in ("index_file", "id_file"):
            found += parts.values()
        if split.kind == "column" and split.table is not None:
            found.append(split.table)
    return found


def json_schema() -> dict[str, Any]:
    """The published JSON Schema of ``task.yaml``, for editors."""
    schema = TaskSpecification.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "NatureGym task"}
