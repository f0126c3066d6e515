"""A person's answers to what a draft leaves open, put into its ``task.yaml``.

The one idea: an answer is an edit like one by hand. So a later cut keeps it, and what a person wrote is not lost:
a question is cut out of the text by its place, and values change only in a file that is still as it was drafted.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import orjson
import yaml
from pydantic import ValidationError

from nature_gym.cut.questions import CUT, LONGEST, Question
from nature_gym.errors import InfrastructureError, UsageError
from nature_gym.files import write_atomically
from nature_gym.packaging.specification import TaskSpecification
from nature_gym.packaging.task_file import read_task, task_text
from nature_gym.records import PaperFolder

TASK = "task.yaml"
REPORT = "report.json"
_MOST_FILES = 200

Kind = Literal["needed", "shown", "licence", "other"]
"""What is asked: is a file that no setting has needed, is one that is shown needed, a licence, or something else."""


def kind_of(question: Question) -> Kind:
    """How a question can be answered."""
    if question.about.startswith(("file ", "files ")):
        if question.asks.startswith("does a task need it?"):
            return "needed"
        if question.asks.startswith("does any method need it?"):
            return "shown"
    if question.about.startswith("source ") and "licence" in question.asks:
        return "licence"
    return "other"


def settle(paper: PaperFolder, question: Question, answer: str = "") -> None:
    """Put an answer into the paper's ``task.yaml``, and take the question out of it.

    ``answer`` is ``yes`` or ``no`` to what is asked of files, the words for a licence, and empty where the
    draft is right.
    Raises UsageError where the file has no such question, or would be none with the answer.
    """
    path = paper.path / CUT / TASK
    task = read_task(path)
    text = path.read_text(encoding="utf-8")
    place = _place(task, question)
    change = _change(paper, question, answer)
    if change is None:
        write_atomically(path, _without_question(text, place).encode())
        return
    if text != task_text(task):
        raise UsageError(
            f"{path} was changed by hand, and is left as it is.",
            hint="Put the answer there, and remove the question.",
        )
    value = task.model_dump(mode="json", exclude_defaults=True)
    del value["questions"][place]
    change(value)
    try:
        changed = TaskSpecification.model_validate(value)
    except ValidationError as error:
        what = error.errors(include_url=False)[0]["msg"]
        raise UsageError(f"With that answer the task is none: {what}.", hint=f"Change {path} by hand.") from error
    write_atomically(path, task_text(changed).encode())


def _place(task: TaskSpecification, question: Question) -> int:
    asked = [" ".join(each.split()) for each in task.questions]
    try:
        return asked.index(" ".join(str(question)[:LONGEST].split()))
    except ValueError:
        raise UsageError(f"{question.about} is settled already.", hint="See 'naturegym review list'.") from None


def _without_question(text: str, place: int) -> str:
    """The text without one of its questions, and all else to the letter."""
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    for key, value in root.value if isinstance(root, yaml.MappingNode) else ():
        if key.value == "questions":
            items = value.value
            begin = key.start_mark if len(items) == 1 else items[place].start_mark
            end = items[place].end_mark  # not that of the list: it lies behind comments that follow
            lines = text.splitlines(keepends=True)
            return "".join(lines[: begin.line] + lines[end.line + (end.column > 0) :])
    raise UsageError("The task has no questions.", hint="See 'naturegym review list'.")


def _change(paper: PaperFolder, question: Question, answer: str) -> Callable[[dict[str, Any]], None] | None:
    """What an answer changes in the task; None where it is what the draft says."""
    kind, named = kind_of(question), question.about.partition(" ")[2]
    if kind == "licence" and answer:
        return lambda value: value["sources"][named].update(licence=answer)
    if kind == "needed" and answer == "yes":
        taken = _files(paper, question)
        return lambda value: _show(value, taken)
    if kind == "shown" and answer == "no":
        return lambda value: _hide(value, named)
    return None


def _show(value: dict[str, Any], paths: list[str]) -> None:
    """Give files to every instance as resources."""
    for instance in value["instances"]:
        names = {made["file"] for made in instance["files"]}
        for path in paths:
            inner = path.partition("/")[2]
            name = path if inner in names else inner
            instance["files"].append({"file": name, "take": path, "role": "resource"})
            names.add(name)


def _hide(value: dict[str, Any], path: str) -> None:
    for instance in value["instances"]:
        instance["files"] = [made for made in instance["files"] if made["take"] != path]


def _files(paper: PaperFolder, question: Question) -> list[str]:
    """The kept files of the group that a question is about: never those beside them that were dropped."""
    word, _, named = question.about.partition(" ")
    if word == "file":
        return [named]
    folder, _, suffix = named.rpartition(" (")[0].rpartition("/*")
    try:
        reports = orjson.loads((paper.path / CUT / REPORT).read_bytes())
    except (OSError, ValueError) as error:
        raise InfrastructureError(
            f"the cut of {paper.id} cannot be read: {error}", hint=f"Cut it again: naturegym cut {paper.id}."
        ) from error
    found = [
        path
        for source, report in reports.items()
        for file in report["files"]
        if (path := f"{source}/{file['path']}").rpartition("/")[0] == folder
        and path.endswith(suffix)
        and file["kept"]
        and f"kept as {file['category']} " in question.asks
    ]
    if not 0 < len(found) <= _MOST_FILES:
        raise UsageError(
            f"{len(found):,} files are meant, which nobody can list.",
            hint="Take them in task.yaml by a pattern, and remove the question.",
        )
    return sorted(found)


def task_of(paper: PaperFolder) -> Path:
    """Where a paper's task is."""
    return paper.path / CUT / TASK
