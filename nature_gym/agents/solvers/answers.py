"""From a form and the data of an instance to answers: several, each made by fitted models, the most promising first.

Runs inside a box. An answer is columns of values by the names that the form has, with one named '' for an array.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from nature_gym.agents.solvers.fitting import Fitted, fit
from nature_gym.agents.solvers.grading import score_for, threshold
from nature_gym.agents.solvers.grouping import groups
from nature_gym.agents.solvers.ranking import rankings
from nature_gym.agents.solvers.roles import Said
from nature_gym.agents.solvers.tables import Array, Table, aligned, empty, features, is_text, table_of, texts
from nature_gym.agents.solvers.targets import Part, Source, classes_of, parts_of, positive_of, sources
from nature_gym.baseline.data import TO_ANSWER, Data, NoAnswerError
from nature_gym.baseline.extent import Form, count_for, ids_for

Answer = dict[str, list[Any]]
ARRAY = ""
OTHER_MODELS = 3
"""How many single models are tried beside the blend."""


@dataclass(slots=True)
class Case:
    """What one answer is made from. ``seconds`` is the time that fitting may take."""

    form: Form
    data: Data
    told: Said
    seed: int
    seconds: float

    @property
    def columns(self) -> list[dict[str, Any]]:
        """The columns of the answer but the id; an array is one without a name."""
        if self.form["format"] in ("npy", "txt"):
            return [{**self.form, "name": ARRAY}]
        return [one for one in self.form["columns"] if one["name"] != self.form["id"]]


@dataclass(slots=True)
class Model:
    """The models of one target, with the inputs to be answered, as they are and aligned."""

    fitted: Fitted
    inputs: Array
    moved: Array
    truth: Array


def answers(case: Case) -> Iterator[tuple[str, Answer]]:
    """Names and answers. Raises NoAnswerError where there is nothing to learn from."""
    ids, asked = _asked(case)
    tables = [table_of(case.data, name) for name in case.data.ranked()]
    key = case.form["id"]
    found = sources(tables, asked, key, case.told)
    head = {key: ids} if key else {}
    if _is_ranking(case):
        made = rankings(case.columns, asked, tables, found, key, case.told, case.seed)
        yield from ((name, head | answer) for name, answer in made)
        return
    if not found and _is_grouping(case):
        yield from ((name, head | answer) for name, answer in groups(case.columns[0], asked, key, case.seed))
        return
    by_name = {one.name: one for one in tables}
    column_of = {one["name"]: one for one in case.columns}
    kinds = {
        one: classes_of(by_name[one.table].columns[one.column], _nearest(column_of, one), case.told) for one in found
    }
    labels = {one: [_plain(label) for label in each] for one, each in kinds.items() if each is not None}
    parts = parts_of(case.columns, found, labels, case.told)
    if not parts:
        raise NoAnswerError("no training table has a target that the answer names")
    wanted = list(dict.fromkeys(one.source for one in parts))
    share = case.seconds / len(wanted)
    models = {one: _fitted(case, one, kinds[one], found, by_name, asked, share) for one in wanted}
    for name in _variants(models):
        yield name, head | {one.column: _made(case, one, models[one.source], name, labels) for one in parts}


def _asked(case: Case) -> tuple[list[str], Table]:
    """The ids to be answered, and the table of their inputs, a row each."""
    form, data = case.form, case.data
    if form["id"]:
        ids, name = ids_for(form, data)
        return ids, table_of(data, name)
    rows = count_for(form, data)
    for name in data.ranked(form["follows"]):
        table = table_of(data, name)
        if table.rows == rows and table.columns and (TO_ANSWER.search(name) or name in form["follows"]):
            return [], table
    raise NoAnswerError(f"no table of the data has the {rows} rows that are to be answered")


def _is_ranking(case: Case) -> bool:
    columns = case.columns
    stems = {one["name"].rstrip("0123456789") for one in columns}
    return len(columns) > 1 and len(stems) == 1 and all(str(one["dtype"]).startswith("str") for one in columns)


def _is_grouping(case: Case) -> bool:
    one = case.columns[0]
    return len(case.columns) == 1 and "int" in str(one["dtype"]) and None not in (one["least"], one["most"])


def _nearest(columns: dict[str, dict[str, Any]], source: Source) -> dict[str, Any]:
    """The column of the answer that is named as the target, or the only one, or none."""
    if source.column in columns:
        return columns[source.column]
    return next(iter(columns.values())) if len(columns) == 1 else {}


def _fitted(case: Case, source: Source, classes: Array | None, found: list[Source], tables: dict[str, Table],
            asked: Table, seconds: float) -> Model:  # fmt: skip
    """Fit the models of a target."""
    train = tables[source.table]
    left_out = [case.form["id"], *(one.column for one in found)]
    left_out += [name for file in (train.name, asked.name) for name in case.told.of(file, "ID")]
    target = train.columns[source.column]
    pair = features(train, asked, left_out)
    for other in tables.values() if pair is None else ():  # inputs and labels in files of their own
        if other.name not in (train.name, asked.name) and other.rows == train.rows:
            pair = pair or features(other, asked, left_out)
    if pair is None:
        raise NoAnswerError(f"{train.name} and {asked.name} share no inputs")
    known = ~empty(target) if target.ndim == 1 else np.isfinite(target).all(axis=1)
    inputs, truth = pair[0][known], target[known]
    if len(truth) < 4:
        raise NoAnswerError(f"{train.name} has too few rows with {source.column}")
    if classes is not None:
        place = {label: number for number, label in enumerate(classes)}
        values = texts(truth) if is_text(truth) else truth
        truth = np.array([place[one] for one in values])
    elif truth.ndim > 1 or is_text(truth):
        raise NoAnswerError(f"{source.column} of {train.name} is no number")
    score = score_for(case.told.metric, classes)
    began = time.monotonic()
    fitted = fit(inputs, truth, classes, score, case.seed, seconds)
    told = ", ".join(f"{name} {value:.4g}" for name, value in fitted.scores.items())
    sys.stdout.write(
        f"{case.data.folder.name}: {source.column} from {inputs.shape[0]} rows x {inputs.shape[1]}, "
        f"{time.monotonic() - began:.1f} s: {told}\n"
    )
    return Model(fitted, pair[1], aligned(*pair), truth)


def _variants(models: dict[Source, Model]) -> Iterator[str]:
    """What is tried, in this order: the blend, the blend of aligned inputs, single models that came near it."""
    yield "blend"
    yield "blend, aligned"
    one = max(models.values(), key=lambda each: len(each.fitted.scores))
    singles = [name for name in one.fitted.scores if name != "blend"]
    yield from singles[:OTHER_MODELS]
    yield from (f"{name}, aligned" for name in singles[:OTHER_MODELS])


def _made(case: Case, part: Part, model: Model, variant: str, labels: dict[Source, list[str]]) -> list[Any]:
    """The values of a column of the answer."""
    name, _, moved = variant.partition(", ")
    name = name if name in model.fitted.scores else "blend"
    given = model.fitted.predict(name, model.moved if moved else model.inputs)
    column = next(one for one in case.columns if one["name"] == part.column)
    kinds = labels.get(part.source)
    if kinds is None or model.fitted.classes is None:
        return _in_bounds(given, column, model.truth)
    if part.is_probability:
        return [float(one) for one in np.clip(given[:, kinds.index(part.label)], 0.0, 1.0)]
    if len(case.form["shape"]) == 2 and case.form["shape"][1] == len(kinds):
        return (given / given.sum(axis=1, keepdims=True)).tolist()  # type: ignore[no-any-return]
    if len(kinds) == 2:
        positive = kinds.index(positive_of(kinds, case.told, part.column))
        held = model.fitted.held_out
        cut = threshold(model.truth == positive, held[:, positive], case.told.metric) if held is not None else 0.5
        chosen = np.where(given[:, positive] >= cut, positive, 1 - positive)
    else:
        chosen = given.argmax(axis=1)
    return [_typed(kinds[one], str(column["dtype"])) for one in chosen]


def _in_bounds(values: Array, column: dict[str, Any], truth: Array) -> list[Any]:
    """Numbers within the limits of the form, whole where it wants them."""
    low = column["least"] if column["least"] is not None else -np.inf
    high = column["most"] if column["most"] is not None else np.inf
    kept = np.clip(np.nan_to_num(values, nan=float(np.mean(truth))), low, high)
    return [round(float(one)) for one in kept] if "int" in str(column["dtype"]) else [float(one) for one in kept]


def _plain(label: Any) -> str:
    """A class as it is written: whole numbers without a point."""
    return str(label) if isinstance(label, str) else f"{label:g}"


def _typed(label: str, dtype: str) -> Any:
    convert: Callable[[str], Any] = int if "int" in dtype else float if "float" in dtype else str
    return convert(label)
