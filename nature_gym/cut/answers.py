"""What a person should look at before a cut is used: above all, answers that would be shown.

The one idea: better a warning too many. A kept file that is named for an evaluation set or for labels, that has a
column of labels, that the evaluation reads, or that holds all samples unparted, is named with the reason; files
alike share a line.
"""

from __future__ import annotations

import posixpath
import re

from nature_gym.cut.categories import Verdict
from nature_gym.cut.core import Roles, words_of
from nature_gym.cut.graph import Graph
from nature_gym.cut.tree import Entry, Tree, counted

_EVALUATION = {
    "test",
    "testing",
    "tst",
    "heldout",
    "holdout",
    "eval",
    "evaluation",
    "val",
    "valid",
    "validation",
    "blind",
    "independent",
    "dev",
}
_DEVELOPMENT = {"train", "training", "trn", "development"}
_INDICES = {"fold", "folds", "split", "splits", "idx", "index", "indices", "ids"}
_LABELS = {
    "label",
    "labels",
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
    "targets",
    "responses",
    "outcomes",
    "ally",
    "ty",
}
_COLUMN = re.compile(
    r"label|labels|target|class|y|answer|truth|outcome|diagnosis|response|category|activity|affinity|score|value|output|"
    r"property|species|cultivar|status|survival|event|price|energy|gap|exp|measured|p_np|expt|yield|rating|progression",
    re.IGNORECASE,
)
_SAMPLES = {"table", "array", "text", "plain", "archive"}


def find_answers(tree: Tree, files: list[Verdict], graph: Graph, roles: Roles) -> list[str]:
    """Warnings on kept files that seem to hold answers of the evaluation, a line for each reason and folder."""
    found: dict[tuple[str, str], list[str]] = {}
    for path, reason in fears(tree, files, graph, roles).items():
        found.setdefault((posixpath.dirname(path), reason), []).append(path)
    return [
        f"kept, and may hold evaluation answers ({reason}); part them off before it is shown: {counted(paths)}"
        for (_, reason), paths in found.items()
    ]


def fears(tree: Tree, files: list[Verdict], graph: Graph, roles: Roles) -> dict[str, str]:
    """Kept files that may hold answers -> the reason to fear it."""
    found: dict[str, str] = {}
    for verdict in files:
        entry = tree.by_path.get(verdict.path)
        if entry is None or entry.is_code or not verdict.kept or entry.kind in {"document", "environment", "config"}:
            continue
        if reason := _why(entry, verdict, graph, roles):
            found[entry.path] = reason
    return found


def _why(entry: Entry, verdict: Verdict, graph: Graph, roles: Roles) -> str:
    """The reason to fear answers in a file; empty where there is none."""
    words, name = set(words_of(entry.path)), set(words_of(posixpath.splitext(entry.name)[0]))
    labelled = next((each for each in _columns(entry) if _is_label(each)), "")
    holds_places = name & _INDICES or (words & _INDICES and not name & _EVALUATION)
    if holds_places and not labelled and (entry.kind in {"text", "plain"} or entry.suffix in {".json", ".csv", ".tsv"}):
        return ""
    if words & _EVALUATION:
        return "an evaluation set by its name"
    if name & _LABELS:
        return "labels by its name"
    if name & _DEVELOPMENT or (verdict.category == "external_resource" and entry.kind != "archive"):
        return ""
    if labelled:
        return f"a column {labelled[:40]} of all samples"
    if any(
        roles.of_unit(site.unit) == "evaluate"
        for site, _ in graph.touching.get(entry.path, ())
        if site.action == "read"
    ):
        return "the evaluation reads it"
    return "all samples, as far as its name says" if entry.kind in _SAMPLES else ""


def _is_label(column: str) -> bool:
    """Whether a column is named as answers are."""
    return bool(_COLUMN.fullmatch(column) or _COLUMN.fullmatch(re.split(r"[_ ]", column)[-1]))


def _columns(entry: Entry) -> list[str]:
    """The cells of a table's first line, or the first keys of JSON."""
    if entry.suffix in {".json", ".jsonl"}:
        return [key.decode(errors="replace") for key in re.findall(rb'"([^"\n]{1,60})"\s*:', entry.head)]
    if entry.kind not in {"table", "text"} or b"\n" not in entry.head:
        return []
    first = entry.head.split(b"\n", 1)[0].decode(errors="replace")
    return [column.strip(" \"'\r") for column in re.split(r"[,;\t]", first)]
