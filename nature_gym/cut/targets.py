"""Which column or key is the answer, and which the id: what programs, settings, dictionaries and names say together.

The one idea: every hint adds to a column's weight and is kept as a sentence; what comes out too weak, or with a rival
nearly as strong, is a question and not an answer.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from nature_gym.cut.columns import LAST, Columns
from nature_gym.cut.core import words_of
from nature_gym.cut.material import Material, Piece, side_of
from nature_gym.cut.python_units import Scope
from nature_gym.cut.values import Project

ENOUGH = 2.5
"""A weight from which on a column is the answer without anybody being asked."""
_ANSWER = frozenset(
    [
        "y",
        "target",
        "targets",
        "label",
        "labels",
        "truth",
        "gt",
        "groundtruth",
        "outcome",
        "outcomes",
        "response",
        "responses",
        "answer",
        "answers",
        "y_true",
        "y_test",
        "y_train",
        "truths",
        "classes",
    ]
)
_ANSWER_NAME = re.compile(
    r"^(y|target|targets|label|labels|class|outcome|response|truth|ground_?truth|answer|y_?true|activity|property)$",
    re.IGNORECASE,
)
_ID_NAME = re.compile(
    r"(?i:^(id|ids|key|uid|name|identifier|accession|index)$|(_|^)(id|ids|key|uid|accession|identifier)$)|[a-z]I[Dd]$"
)
_ID_KEYS = frozenset({"id", "id_column", "id_col", "key", "index_col", "identifier"})


@dataclass(slots=True)
class Fields:
    """What the columns or keys of a file are."""

    id: str | None
    targets: tuple[str, ...]
    sure: bool
    reasons: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Hints:
    weights: dict[str, float] = field(default_factory=dict)
    reasons: dict[str, list[str]] = field(default_factory=dict)
    kinds: set[tuple[str, str]] = field(default_factory=set)

    def add(self, column: str, weight: float, kind: str, why: str) -> None:
        """The same kind of hint on the same column counts once."""
        if (column, kind) not in self.kinds:
            self.kinds.add((column, kind))
            self.weights[column] = self.weights.get(column, 0.0) + weight
            self.reasons.setdefault(column, []).append(why)


def find_fields(piece: Piece, material: Material, *, unlabelled: tuple[str, ...] = ()) -> Fields:
    """The id and the answers of a file with columns or keys.

    ``unlabelled``: the columns of a file of the same rows, or kind, that has no answers.
    """
    hints = _Hints()
    names = piece.fields
    for _, cut in material.programs:
        _of_programs(cut.project, piece, hints)
        _of_settings(cut.project, names, hints)
    for name in names:
        if _ANSWER_NAME.match(name):
            hints.add(name, 2.6, "name", f"its name, {name}")
        if unlabelled and name not in unlabelled:
            hints.add(name, 3.0, "lacking", f"{name} is not in the file without answers")
    described = _described(names, material, piece)
    for name in names if described else ():
        if name not in described:
            hints.add(name, 1.2, "dictionary", f"{name} is not among the inputs that the data dictionary describes")
    key = _id_of(piece, material)
    weights = {name: weight for name, weight in hints.weights.items() if name != key and name in names}
    best = max(weights.values(), default=0.0)
    chosen = tuple(name for name in names if weights.get(name, 0.0) >= max(1.0, 0.65 * best))
    if not chosen and piece.columns:
        rest = [name for name in names if name != key]
        return Fields(key, tuple(rest[-1:]), False, ["nothing says which column is the answer; the last one is taken"])
    reasons = [reason for name in chosen for reason in hints.reasons[name]]
    return Fields(key, chosen, best >= ENOUGH and len(chosen) < max(2, len(names)), reasons)


def _of_programs(project: Project, piece: Piece, hints: _Hints) -> None:
    columns = Columns(project, piece.fields)
    for scope, name, value in _answering(project):
        found = columns.named(value, scope) if name.isupper() or name.endswith(("col", "column", "name")) else ()
        for column in found or columns.of(value, scope):
            meant = piece.columns[-1] if column == LAST and piece.columns else column
            hints.add(
                meant, 3.0, "program", f"{scope.module.path}:{getattr(value, 'lineno', scope.line)} takes it as {name}"
            )


def _answering(project: Project) -> Iterator[tuple[Scope, str, ast.expr]]:
    """Everything that programs bind to a name that means answers, or return from a function of such a name."""
    for module in project.modules:
        for scope in module.scopes:
            for name, bindings in scope.bindings.items():
                if _is_answer(name):
                    yield from ((scope, name, each.value) for each in bindings[:6])
            if _is_answer(scope.short):
                yield from ((scope, f"{scope.short}()", each) for each in scope.returns[:4])


def _is_answer(name: str) -> bool:
    words = [word for word in re.split(r"[_\W]+", name.lower()) if word]
    rest = [word for word in words if not side_of(word) and word not in ("col", "column", "columns", "name", "names")]
    return bool(rest) and (rest[-1] in _ANSWER or "".join(rest) in _ANSWER or rest[0] == "y")


def _of_settings(project: Project, names: tuple[str, ...], hints: _Hints) -> None:
    for setting in project.settings.all:
        if setting.value in names and setting.keys and _is_answer(setting.keys[-1]):
            hints.add(setting.value, 3.0, "setting", f"{setting.file} has {'.'.join(setting.keys)}: {setting.value}")


def _described(names: tuple[str, ...], material: Material, piece: Piece) -> set[str]:
    """The columns that a data dictionary lists, where it lists most of them and not all."""
    for other in material.pieces:
        words = set(words_of(other.name))
        if other is piece or not other.columns or not words & {"dictionary", "codebook", "features", "variables"}:
            continue
        rows = other.rows or 0
        if 0.5 * len(names) <= rows < len(names) - 1:
            return {name for name in names if name not in _beyond(names, rows)}
    return set()


def _beyond(names: tuple[str, ...], rows: int) -> set[str]:
    """The first columns beyond those that a dictionary of so many rows can describe: ids and answers stand first."""
    return set(names[: len(names) - rows])


def _id_of(piece: Piece, material: Material) -> str | None:
    weights: dict[str, float] = {}
    for name in piece.fields:
        if _ID_NAME.search(name):
            weights[name] = 2.0 + (piece.kinds.get(name) == "VARCHAR")
    for _, cut in material.programs:
        for setting in cut.project.settings.all:
            if setting.value in piece.fields and setting.keys and setting.keys[-1] in _ID_KEYS:
                weights[setting.value] = weights.get(setting.value, 0.0) + 3.0
    for other in material.outputs:  # what predictions were written with
        if other.columns and other.columns[0] in piece.fields:
            weights[other.columns[0]] = weights.get(other.columns[0], 0.0) + 0.5
    return max(weights, key=lambda name: weights[name], default=None) if weights else None
