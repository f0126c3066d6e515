"""Can the task be scored at all: each metric is tried on its own reference before a package is written.

The idea: an evaluator that no answer satisfies is found by no check of its text. So the registry's functions, which are
ours, are called as the evaluator would call them, with an answer of the form that the task asks for and, where the
metric compares like with like, with the reference as its own answer. What they refuse then, they refuse from everybody.
A task's own metrics and scorers are code of a package and are not run here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nature_gym.digests import digest_json
from nature_gym.errors import NatureGymError
from nature_gym.kept import Kept
from nature_gym.metrics.entry import Metric
from nature_gym.metrics.registry import resolve
from nature_gym.packaging import grading
from nature_gym.packaging.evaluator import OWN
from nature_gym.packaging.faults import BuildError
from nature_gym.packaging.grading import ValidationError
from nature_gym.packaging.marks import program
from nature_gym.packaging.specification import MetricUse, TaskSpecification
from nature_gym.splitting.engine import HIDDEN

LINEAR = ("classification", "regression", "multitarget", "ranking")
MOST_SAMPLES = 3_000
"""Of metrics of other families, which compare samples pair by pair, longer references are not tried."""
HINT = "Correct the metric, its options, what it is given, or the form of the answer."


def rehearse(
    task: TaskSpecification,
    contracts: Mapping[str, grading.Contract],
    package: Path,
    digests: Mapping[str, str] | None = None,
    kept: Kept | None = None,
) -> None:
    """Raises BuildError, in the metric's own words, where an instance cannot be scored whatever is handed in.

    ``digests`` are those of files by path in the package; with them what was found in order is ``kept``.
    """
    for instance in task.instances:
        contract = contracts[instance.name]
        below = f"{HIDDEN}/{instance.name}/"
        known = {name: one for name, one in (digests or {}).items() if name.startswith(below)}
        key = f"scored {digest_json([contract, known, program()])}"
        if contract["scorer"] is not None or (kept is not None and known and key in kept.get([key])):
            continue
        for use, form in zip(instance.metrics, contract["metrics"], strict=True):
            if not use.metric.startswith(OWN) and form["reference"] is not None:
                try:
                    _try(use, form, contract["answers"], package / below)
                except (ValidationError, ValueError) as error:
                    sentence = " ".join(str(error).split())[:300]
                    raise BuildError(
                        f"{instance.name}: {use.name} cannot be scored, not even with the reference as the answer: "
                        f"{sentence}",
                        hint=HINT,
                    ) from error
        if kept is not None and known:
            kept.put({key: True})


def _try(use: MetricUse, form: Mapping[str, Any], answers: Mapping[str, Any], truth: Path) -> None:
    """Raises ValidationError or ValueError where no answer can be scored."""
    metric, _ = resolve(use.metric)
    file, chosen = form["prediction"]
    answer = answers[file]
    reference = grading.read_reference(truth, form, answer)
    alike = metric.reference == metric.prediction
    prediction = _answer(metric, reference, answer, chosen or answer["keys"])
    if alike and np.shape(prediction) == np.shape(reference):
        _fits(prediction, answer, chosen or answer["keys"], file)
    if form["missing"] == "drop":
        reference, prediction = grading.without_missing(reference, prediction)
    if metric.family not in LINEAR and len(np.atleast_1d(reference)) > MOST_SAMPLES:
        return
    try:
        value = float(metric.function(reference, prediction, **form["options"]))
    except (ImportError, NatureGymError):
        return  # a package that this metric needs is not here
    except ValueError as error:
        if _takes_itself(metric) or _is_of_reference(str(error)):
            raise
        return
    except Exception as error:
        if alike:
            raise ValidationError(f"the reference could not be scored ({type(error).__name__})") from error
        return
    if alike and not math.isfinite(value):
        raise ValidationError("it is not a finite number")


def _takes_itself(metric: Metric) -> bool:
    """Whether the metric is to score whatever answer is made here: its own example's reference is an answer to it."""
    try:
        metric.function(metric.example.reference, metric.example.reference, **metric.example.parameters)
    except Exception:  # noqa: BLE001 -- whatever it says, it does not take it
        return _of_classes(metric)
    return True


def _of_classes(metric: Metric) -> bool:
    """Whether the answer gives a number to each class, and the reference the number of the class."""
    return "classes" in metric.prediction and metric.prediction != metric.reference


def _is_of_reference(sentence: str) -> bool:
    return bool(re.match(r"(the reference|the labels of|the \w+ (in|of) the reference)\b", sentence))


def _fits(prediction: Any, answer: Mapping[str, Any], keys: Sequence[str], file: str) -> None:
    """Raises ValidationError where the true values themselves are not as the answer has to be."""
    columns = {column["name"]: column for column in answer["columns"]}
    parts = [prediction] if len(keys) < 2 else [prediction[:, place] for place in range(len(keys))]
    for key, part in zip(keys or [""], parts, strict=False):
        form = {**answer, **columns.get(key, {}), "missing_allowed": True}
        grading.check_values(part, form, f"the reference, taken for {file}{': ' + key if key else ''},")


# -- an answer ---------------------------------------------------------------------------------


def _answer(metric: Metric, reference: Any, form: Mapping[str, Any], keys: Sequence[str]) -> Any:
    """An answer of the form that is asked for: the reference itself as far as its shape lets it be."""
    if not isinstance(reference, np.ndarray) or reference.dtype.kind not in "biufU" or reference.ndim == 0:
        return reference
    shape = _shape(reference, form, keys)
    wide = len(shape) > 1
    if _of_classes(metric):
        return np.full(shape, 1.0 / shape[1] if wide else 0.5)
    kinds = {column["dtype"] for column in form["columns"] if column["name"] in keys} or {form["dtype"]}
    values = _typed(reference, kinds)
    if values.shape == shape:
        return values
    if values.ndim == 1 and wide:
        values = np.repeat(values, math.prod(shape[1:])) if len(values) == shape[0] else values
    return np.resize(values, shape)


def _typed(reference: npt.NDArray[Any], kinds: set[str]) -> npt.NDArray[Any]:
    """The reference's values as what the answer holds: texts or numbers."""
    text = kinds == {"string"} or any(one.startswith(("str", "<U", "U")) for one in kinds)
    if text:
        return reference if reference.dtype.kind == "U" else reference.astype(str)
    return (
        np.arange(reference.size, dtype=np.float64).reshape(reference.shape) % 2
        if (reference.dtype.kind == "U")
        else reference
    )


def _shape(reference: npt.NDArray[Any], form: Mapping[str, Any], keys: Sequence[str]) -> tuple[int, ...]:
    """The shape of an answer: of rows as many as the reference has, of columns as many as are asked for."""
    rows = len(reference)
    if form["format"] not in ("npy", "npz", "h5ad") or not form["shape"]:
        if len(keys) > 1:
            return (rows, len(keys))
        return (rows,) if form["format"] in ("csv", "fasta", "smi", "txt") or form["id"] else reference.shape
    axes = [
        axis if isinstance(axis, int) else rows if place == 0 or axis == "n"
        else reference.shape[place] if place < reference.ndim else _classes(reference)
        for place, axis in enumerate(form["shape"])
    ]  # fmt: skip
    return tuple(axes) if len(keys) < 2 else (*axes[:1], len(keys))


def _classes(reference: npt.NDArray[Any]) -> int:
    """How many classes there may be, where the reference holds their numbers."""
    numbers = reference[np.isfinite(reference)] if reference.dtype.kind == "f" else reference
    plain = numbers.dtype.kind in "iuf" and numbers.size and numbers.min() >= 0 and numbers.max() < 100_000
    return int(numbers.max()) + 1 if plain else 2
