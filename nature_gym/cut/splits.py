"""How development and evaluation data part, from the names of files and from the code that parts them."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from typing import Any

from nature_gym.cut.categories import Evidence
from nature_gym.cut.core import words_of
from nature_gym.cut.tree import Tree
from nature_gym.cut.values import UNKNOWN, Evaluator, Project

_SPLITTERS = {
    name: kind
    for kind, names in {
        "random": "train_test_split ShuffleSplit random_split RandomSplitter",
        "stratified": "StratifiedShuffleSplit",
        "k_fold": "KFold RepeatedKFold",
        "stratified_k_fold": "StratifiedKFold RepeatedStratifiedKFold",
        "group": "GroupShuffleSplit",
        "group_k_fold": "GroupKFold StratifiedGroupKFold",
        "temporal": "TimeSeriesSplit",
        "leave_one_out": "LeaveOneOut",
        "leave_one_group_out": "LeaveOneGroupOut",
        "column": "PredefinedSplit",
        "scaffold": "ScaffoldSplitter scaffold_split random_scaffold_split",
    }.items()
    for name in names.split()
}
_SPLIT_COLUMNS = {
    "split",
    "fold",
    "set",
    "partition",
    "subset",
    "is_train",
    "is_test",
    "train_test",
    "cv_fold",
    "dataset_split",
}
_DEVELOPMENT = {"train", "training", "dev", "development", "trn", "tr"}
_EVALUATION = {"test", "testing", "val", "valid", "validation", "heldout", "holdout", "eval"}
MAX_SPLITS = 100
_DECLARED = {
    "permutation": "permutation", "randperm": "permutation", "shuffle": "permutation", "sample": "sample", "": "mask",
}  # fmt: skip
"""Splits that have no function of their own, by what makes them."""


@dataclass(slots=True)
class Split:
    """One way in which data part."""

    kind: str
    evidence: list[Evidence] = field(default_factory=list)
    parameters: dict[str, Any] = field(default_factory=dict)


def find_splits(tree: Tree, project: Project) -> list[Split]:
    """The splits that files and programs show, at most :data:`MAX_SPLITS`."""
    evaluator = Evaluator(project)
    found = [*_of_files(tree), *_of_columns(tree)]
    for module in project.modules:
        for scope in module.scopes:
            for call in scope.calls:
                name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
                if name in _SPLITTERS and (call.args or call.keywords):
                    parameters = {
                        each.arg: _parameter(each.value, scope, evaluator) for each in call.keywords if each.arg
                    }
                    kind = (
                        "stratified"
                        if _SPLITTERS[name] == "random" and parameters.get("stratify")
                        else _SPLITTERS[name]
                    )
                    where = Evidence(module.path, call.lineno, module.line(call.lineno))
                    found.append(Split(kind, [where], {"function": name, **parameters}))
            found.extend(_masks(module.path, scope.subscripts))
    from nature_gym.cut.program_splits import find_declared  # it knows materials, which are made of what this finds

    for declared in find_declared(project, ()):
        if (made := _DECLARED.get(declared.parameters.get("function", ""))) is not None:
            line = next(module for module in project.modules if module.path == declared.file).line(declared.line)
            where = Evidence(declared.file, declared.line, line)
            found.append(Split(made, [where], {**declared.parameters, "parts": list(declared.parts)}))
    return found[:MAX_SPLITS]


def _parameter(node: ast.expr, scope: Any, evaluator: Evaluator) -> Any:
    if isinstance(node, ast.Constant):
        return node.value
    values = evaluator.path(node, scope) - UNKNOWN
    if len(values) == 1:
        (value,) = values
        try:
            return int(value)
        except ValueError:
            try:
                return float(value)
            except ValueError:
                return value
    return ast.unparse(node)[:200]


def _masks(path: str, subscripts: list[ast.Subscript]) -> list[Split]:
    """``table[table["split"] == "test"]``: rows parted by a column."""
    found: list[Split] = []
    for each in subscripts:
        test = each.slice
        if not (isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Eq | ast.NotEq | ast.In)):
            continue
        left, right = test.left, test.comparators[0]
        column = (
            left.slice.value
            if isinstance(left, ast.Subscript) and isinstance(left.slice, ast.Constant)
            else getattr(left, "attr", None)
        )
        if isinstance(column, str) and column.lower() in _SPLIT_COLUMNS:
            value = right.value if isinstance(right, ast.Constant) else ast.unparse(right)[:80]
            found.append(
                Split(
                    "column", [Evidence(path, each.lineno, ast.unparse(each)[:160])], {"column": column, "value": value}
                )
            )
    return found


def _of_files(tree: Tree) -> list[Split]:
    """Files whose names differ in nothing but ``train`` and ``test``, files of folds, of indices and of ids."""
    groups: dict[str, dict[str, list[str]]] = {}
    found: list[Split] = []
    for entry in tree.data:
        if entry.kind in {"document", "environment", "picture", "page", "config", "log", "weights"}:
            continue
        words = words_of(entry.path)
        sides = [word for word in words if word in _DEVELOPMENT | _EVALUATION]
        if sides:
            key = re.sub("|".join(map(re.escape, sorted(set(sides), key=len, reverse=True))), "*", entry.path.lower())
            groups.setdefault(key, {}).setdefault(
                "development" if sides[-1] in _DEVELOPMENT else "evaluation", []
            ).append(entry.path)
        name_words = set(words_of(entry.name.partition(".")[0]))
        if (
            name_words & {"fold", "folds", "split", "splits", "idx", "indices", "index", "ids"}
            and entry.size < 100_000_000
        ):
            kind = "fold_file" if name_words & {"fold", "folds"} else "index_file"
            found.append(Split(kind, [Evidence(entry.path, 0, "its name says so")], {"file": entry.path}))
    for sides_of in groups.values():
        if len(sides_of) == 2:
            first = sides_of["evaluation"][0]
            found.append(Split("files", [Evidence(first, 0, "files of the same name, but for the side")],
                               {side: sorted(paths)[:20] for side, paths in sides_of.items()}))  # fmt: skip
    return found


def _of_columns(tree: Tree) -> list[Split]:
    """Tables with a column that says which side a row is on, as far as their first line shows."""
    found: list[Split] = []
    for entry in tree.of_kind("table"):
        if entry.suffix not in {".csv", ".tsv"} or b"\n" not in entry.head:
            continue
        header = entry.head.split(b"\n", 1)[0].decode(errors="replace")
        for column in re.split(r"[,;\t]", header):
            if column.strip(" \"'\r").lower() in _SPLIT_COLUMNS:
                name = column.strip(" \"'\r")
                found.append(
                    Split("column", [Evidence(entry.path, 1, header[:160])], {"file": entry.path, "column": name})
                )
    return found
