"""What is wrong with a task that its schema cannot say: each thing with its place in the document.

The idea: whatever the build would refuse, or write so that nobody can read it back, is told while the task is edited,
at the line where it stands. A task with open questions is a draft, in which such things may still stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from nature_gym.errors import NatureGymError, UsageError
from nature_gym.metrics.registry import resolve
from nature_gym.packaging.specification import Answer, Instance, MetricUse, TaskSpecification
from nature_gym.scoring.printed import UnreadableScoreError, read_score

Place = tuple[str | int, ...]
Objection = tuple[Place, str]
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_OF_THE_DATA = ("tables", "steps", "splits")
"""What stands there names what is in the data, whatever that is called, and no document shows it."""
_NAMED = re.compile(r"[\w.+-]+(?:/[\w.+-]+)*", re.ASCII)
_NO_METRIC_NAME = re.compile(r"[`|*\r\n\t]")
_REGISTERED_ELSEWHERE = "task:"


def objections(task: TaskSpecification, document: Any) -> Iterator[Objection]:
    """Each thing that is wrong with ``task``, which was read from ``document``, with its place there."""
    yield from _unprintable(document, ())
    if not task.name.strip():
        yield ("name",), "it is blank"
    for number, instance in enumerate(task.instances):
        place: Place = ("instances", number)
        for which, answer in enumerate(instance.answer):
            yield from _of_answer(answer, (*place, "answer", which))
        seen: set[str] = set()
        for which, use in enumerate(instance.metrics):
            yield from _of_metric(use, instance, (*place, "metrics", which))
            name = use.name.strip()
            if name in seen:
                yield (*place, "metrics", which, "name"), f"two metrics are called {name!r}"
            seen.add(name)


def _unprintable(value: Any, place: Place) -> Iterator[Objection]:
    if isinstance(value, str):
        if (found := _UNPRINTABLE.search(value)) and not set(_OF_THE_DATA) & set(place):
            yield place, f"it holds the character U+{ord(found[0]):04X}, which no document can show"
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _unprintable(one, (*place, key))
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from _unprintable(one, (*place, number))


def _of_answer(answer: Answer, place: Place) -> Iterator[Objection]:
    if not _NAMED.fullmatch(answer.file):
        yield (*place, "file"), "a file to hand in is named by letters, digits, '.', '_', '-' and '+' alone"
    for number, column in enumerate(answer.columns):
        if not column.name.strip():
            yield (*place, "columns", number, "name"), "it is blank"


def _of_metric(use: MetricUse, instance: Instance, place: Place) -> Iterator[Objection]:
    if not use.name.strip():
        yield (*place, "name"), "it is blank"
    elif found := _NO_METRIC_NAME.search(use.name):
        yield (*place, "name"), f"a metric's name has no {found[0]!r}, which means something else in the documents"
    scores = [(("anchor", number, "value"), one.value) for number, one in enumerate(use.anchor)]
    for below, value in [*scores, *([(("baseline", "value"), use.baseline.value)] if use.baseline else [])]:
        try:
            read_score(value, use.direction)
        except UnreadableScoreError as error:
            yield (*place, *below), f"{value[:60]!r} cannot be read as a score: {error.message}"
    yield from _of_columns(use, instance, place)


def _of_columns(use: MetricUse, instance: Instance, place: Place) -> Iterator[Objection]:
    """Several columns for a metric that takes one value a sample."""
    if use.metric.startswith(_REGISTERED_ELSEWHERE) or instance.reference.scorer is not None:
        return
    try:
        metric, _ = resolve(use.metric)
    except UsageError as error:
        yield (*place, "metric"), f"{error.message} {error.hint or ''}".strip()
        return
    except NatureGymError:
        return
    of_reference, of_prediction = metric.one_a_sample
    known = {answer.file: [column.name for column in answer.columns if column.name != answer.id] for answer in
             instance.answer}  # fmt: skip
    if of_prediction and _count(use.prediction, known) > 1:
        yield (*place, "prediction"), f"{metric.name} takes one value a sample: name one column"
    if of_reference and _count(use.reference, {made.file: [] for made in instance.reference.files}) > 1:
        yield (*place, "reference"), f"{metric.name} takes one value a sample: name one column"


def _count(selection: str, known: dict[str, list[str]]) -> int:
    """How many columns ``file``, or ``file:column,column``, names; of a file whose columns are not known, one."""
    for file in sorted(known, key=len, reverse=True):
        if selection == file:
            return len(known[file])
        if selection.startswith(f"{file}:"):
            rest = selection[len(file) + 1 :]
            parts = [part.strip() for part in rest.split(",")]
            return 1 if rest in known[file] or (not known[file] and "" in parts) else len(parts)
    return 1
