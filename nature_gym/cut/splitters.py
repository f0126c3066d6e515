"""scikit-learn's splitters in programs: folds, with strata and groups, shuffles, and series in time."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from nature_gym.cut.amounts import amount, ending, whole
from nature_gym.cut.columns import Columns
from nature_gym.cut.declared import Declared, Operation
from nature_gym.cut.material import Piece
from nature_gym.cut.python_units import Scope
from nature_gym.cut.values import Project

_FOLDS = frozenset({"KFold", "StratifiedKFold", "GroupKFold", "StratifiedGroupKFold"})
_SHUFFLES = frozenset({"ShuffleSplit", "StratifiedShuffleSplit", "GroupShuffleSplit"})
_SERIES = "TimeSeriesSplit"
_FOLDS_MEANT = 5
_SHARE = 0.1
_SHARES = {"GroupShuffleSplit": 0.2}


def folded(scope: Scope, project: Project) -> Iterator[Declared]:
    """``for train, test in KFold(5).split(x)``, and ``train, test = next(GroupShuffleSplit().split(x, groups=g))``."""
    for call in scope.calls:
        if not (isinstance(call.func, ast.Attribute) and call.func.attr == "split" and call.args):
            continue
        made = _made(call.func.value, scope)
        kind = ending(made.func) if made is not None else ""
        names = _names_of(call, scope)
        if made is not None and kind in _FOLDS | _SHUFFLES | {_SERIES} and names is not None:
            yield _of_splitter(call, made, kind, names, scope, project)


def _names_of(call: ast.Call, scope: Scope) -> tuple[str, str, bool] | None:
    """The names of both parts, and whether they run over several splits."""
    found: dict[int, str] = {}
    runs = False
    for name, bindings in scope.bindings.items():
        for binding in bindings:
            match binding.value:
                case ast.Subscript(value=value, slice=ast.Constant(value=int() as place)) if value is call or (
                    isinstance(value, ast.Call) and ending(value.func) == "next" and value.args[:1] == [call]
                ):
                    found[place] = name
                    runs = runs or binding.how == "item"
    return (found[0], found[1], runs) if set(found) == {0, 1} else None


def _of_splitter(
    call: ast.Call, made: ast.Call, kind: str, names: tuple[str, str, bool], scope: Scope, project: Project
) -> Declared:
    splitter = _Splitter(call, made, kind, names[2], scope, project)
    told = {"function": kind, **{key: ast.unparse(value)[:200] for key, value in splitter.given.items()}}
    meant = "fold" if kind in _FOLDS else "order" if kind == _SERIES else "random"
    return Declared(scope.module.path, call.lineno, meant, names[:2], scope, told, splitter.on)


class _Splitter:
    """A splitter with what it was made with, and what it is asked to split. ``runs``: over all of its splits."""

    def __init__(self, call: ast.Call, made: ast.Call, kind: str, runs: bool, scope: Scope, project: Project) -> None:
        self.given = {each.arg: each.value for each in made.keywords if each.arg}
        if made.args:
            self.given.setdefault("n_splits", made.args[0])
        asked = {each.arg: each.value for each in call.keywords if each.arg}
        asked |= dict(zip(("X", "y", "groups"), call.args, strict=False))
        self._kind, self._runs, self._scope, self._project = kind, runs, scope, project
        self._columns = {
            key: asked.get(argument)
            for key, argument, word in (("stratify", "y", "Stratified"), ("group", "groups", "Group"))
            if word in kind
        }
        seed = self.given.get("random_state")
        self._seed = whole(seed, scope, project) if seed is not None else None

    def on(self, piece: Piece) -> Operation | None:
        """The operation on a file."""
        if not piece.rows:
            return None
        questions: list[str] = []
        columns = Columns(self._project, piece.fields)
        by: dict[str, str] = {}
        for key, node in self._columns.items():
            found = columns.of(node, self._scope) if node is not None else ()
            if len(found) == 1:
                by[key] = found[0]
            else:
                questions.append(f"by which column does it {key}? It is no one column of {piece.path}")
        if self._kind == _SERIES:
            return self._series(piece.rows, questions)
        make = self._folds if self._kind in _FOLDS else self._shuffled
        return Operation(make(by, piece.rows, questions), questions)

    def _folds(self, by: dict[str, str], rows: int, questions: list[str]) -> dict[str, Any]:
        folds: float | None = _FOLDS_MEANT
        if "n_splits" in self.given:
            folds = amount(self.given["n_splits"], self._scope, self._project, rows)
        if folds is None:
            questions.append("how many folds are there?")
        if self._runs:
            questions.append("which fold is evaluated? The draft has the first; the paper may print a mean")
        fields: dict[str, Any] = {"kind": "fold", "folds": int(folds or _FOLDS_MEANT), "fold": 0, **by}
        shuffle = self.given.get("shuffle")
        if isinstance(shuffle, ast.Constant) and shuffle.value is True:
            self._ask_for_seed(questions)
            fields |= {"shuffle": True, "seed": self._seed or 0}
        return fields

    def _series(self, rows: int, questions: list[str]) -> Operation | None:
        """Rows before and rows after, in the order of the file: the first split, or of several the last one."""
        known = {
            name: amount(self.given[name], self._scope, self._project, rows) if name in self.given else meant
            for name, meant in (("n_splits", float(_FOLDS_MEANT)), ("gap", 0.0))
        }
        count, gap = known["n_splits"], known["gap"]
        size = amount(self.given.get("test_size"), self._scope, self._project, rows) if "test_size" in self.given else 0
        if count is None or gap is None or size is None or "max_train_size" in self.given:
            questions.append("which rows are in each part? The program does not say it in numbers")
        count, gap = int(count or _FOLDS_MEANT), int(gap or 0)
        each = int(size or 0) or rows // (count + 1)
        start = rows - each * (1 if self._runs else count)
        if each < 1 or start - gap < 1:
            return None
        if self._runs:
            questions.append("which of the splits is evaluated? The draft has the last, with most to learn from")
        sizes = [start - gap, *([gap] if gap else []), each]
        fields: dict[str, Any] = {"kind": "order", "sizes": sizes}
        if sum(sizes) < rows:
            fields |= {"rest": "drop", "because": "They are of later splits."}
        return Operation(fields, questions, ("train", "gap", "test") if gap else ())

    def _shuffled(self, by: dict[str, str], rows: int, questions: list[str]) -> dict[str, Any]:
        size: float | None = _SHARES.get(self._kind, _SHARE)
        if "test_size" in self.given:
            size = amount(self.given["test_size"], self._scope, self._project, rows)
        if not size or size < 0 or "train_size" in self.given:
            questions.append("how many rows are in each part?")
        if self._runs:
            questions.append("which of the splits is evaluated? The draft has the first")
        self._ask_for_seed(questions)
        strata = {"stratify": [by["stratify"]]} if "stratify" in by else {}
        group = {"group": by["group"]} if "group" in by else {}
        return {"kind": "random", "seed": self._seed or 0, "size": size or 0.2, **strata, **group}

    def _ask_for_seed(self, questions: list[str]) -> None:
        if self._seed is None:
            questions.append("the split has no seed, so it cannot be repeated; 0 stands for it")


def _made(node: ast.expr, scope: Scope) -> ast.Call | None:
    """The call that made a splitter, here or under a name."""
    if isinstance(node, ast.Name):
        bound = [each.value for each in scope.bindings.get(node.id, ())]
        node = bound[0] if len(bound) == 1 else node
    return node if isinstance(node, ast.Call) else None
