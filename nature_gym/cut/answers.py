"""What a person should look at before a cut is used: above all, answers that would be shown."""

from __future__ import annotations

import re

from nature_gym.cut.categories import Verdict
from nature_gym.cut.core import Roles, words_of
from nature_gym.cut.graph import Graph
from nature_gym.cut.tree import Entry, Tree

_EVALUATION = {
    "test",
    "testing",
    "heldout",
    "holdout",
    "eval",
    "evaluation",
    "val",
    "valid",
    "validation",
    "blind",
    "independent",
}
_ANSWERS = {
    "label",
    "labels",
    "target",
    "targets",
    "answer",
    "answers",
    "gt",
    "groundtruth",
    "truth",
    "gold",
    "y",
    "solution",
    "solutions",
    "annotation",
    "annotations",
    "mask",
    "masks",
}
_LABEL_COLUMNS = re.compile(
    r"label|target|class|y|answer|truth|outcome|diagnosis|response|category|activity|affinity|score|value|output|property|"
    r"species|cultivar|status|survival|event|time|price|energy|gap", re.IGNORECASE
)  # fmt: skip


def find_answers(tree: Tree, files: list[Verdict], graph: Graph, roles: Roles) -> list[str]:
    """A warning for each kept file that seems to hold answers of the evaluation."""
    found: list[str] = []
    for verdict in files:
        entry = tree.by_path.get(verdict.path)
        if not verdict.kept or entry is None or entry.is_code:
            continue
        if reason := _why(entry, graph, roles):
            found.append(
                f"{verdict.path} is kept and seems to hold evaluation answers ({reason}): part its answers off before it is shown"
            )
    return found


def _why(entry: Entry, graph: Graph, roles: Roles) -> str:
    words = set(words_of(entry.path))
    name = set(words_of(entry.name))
    if words & _EVALUATION and name & _ANSWERS:
        return "its name says labels of an evaluation set"
    if words & _EVALUATION:
        columns = _columns(entry)
        labelled = [
            column
            for column in columns
            if _LABEL_COLUMNS.fullmatch(column) or _LABEL_COLUMNS.fullmatch(column.rpartition("_")[2])
        ]
        if labelled:
            return f"an evaluation set with the column {labelled[0]}"
        return "an evaluation set: its answers may stand in it"
    readers = {roles.of_unit(site.unit) for site, _ in graph.touching.get(entry.path, ()) if site.action == "read"}
    if "evaluate" in readers:
        return "the evaluation reads it"
    return "labels of all samples" if name & _ANSWERS else ""


def _columns(entry: Entry) -> list[str]:
    if entry.kind not in {"table", "text"} or b"\n" not in entry.head:
        return []
    return [
        column.strip(" \"'\r") for column in re.split(r"[,;\t]", entry.head.split(b"\n", 1)[0].decode(errors="replace"))
    ]
