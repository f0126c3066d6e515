"""Which expressions of a source are tables of pandas or arrays of NumPy, as far as their making tells.

The idea: a name is of a kind where everything that is assigned to it in its function is: ``pd.read_csv(...)``, what
methods of tables give, parameters that say so or are handed tables at each call. Nothing is run; whatever is in doubt
is of no kind, so that a list's ``append`` is never taken for a table's.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["frame", "series", "table", "array"]
"""A table is a frame or a series."""
MADE: dict[str, Kind] = {
    **dict.fromkeys(
        (
            *(f"pandas.read_{one}" for one in ("csv", "table", "parquet", "excel", "json", "feather", "fwf", "sql")),
            "pandas.DataFrame", "pandas.DataFrame.from_dict", "pandas.DataFrame.from_records", "pandas.merge",
            "pandas.get_dummies", "pandas.crosstab", "pandas.pivot_table", "pandas.melt",
        ),
        "frame",
    ),
    "pandas.Series": "series",
    "pandas.concat": "table",
    **dict.fromkeys(
        (
            f"numpy.{one}"
            for one in (
                "array", "asarray", "load", "loadtxt", "genfromtxt", "zeros", "ones", "empty", "full", "arange",
                "linspace", "concatenate", "vstack", "hstack", "stack", "sort", "abs", "exp", "log", "sqrt", "where",
                "zeros_like", "ones_like", "fromfile",
            )
        ),
        "array",
    ),
}  # fmt: skip
SAME = {
    "copy", "head", "tail", "sample", "sort_values", "sort_index", "dropna", "fillna", "rename", "drop",
    "drop_duplicates", "astype", "reindex", "replace", "round", "abs", "clip", "shift", "diff", "isin", "isna",
    "isnull", "notna", "notnull", "append", "where", "mask", "cumsum", "set_axis", "interpolate", "ffill", "bfill",
}  # fmt: skip
OF_FRAMES = {
    "merge", "join", "reset_index", "set_index", "assign", "query", "filter", "transpose", "melt", "pivot",
    "pivot_table", "select_dtypes", "explode", "describe", "corr", "add_prefix", "add_suffix",
}  # fmt: skip
OF_ARRAYS = {"copy", "astype", "reshape", "ravel", "flatten", "transpose", "squeeze", "clip", "round"}
ANNOTATED: dict[str, Kind] = {"pandas.DataFrame": "frame", "pandas.Series": "series", "numpy.ndarray": "array"}
DEEPEST = 40
_BODIES = ("body", "orelse", "finalbody", "handlers", "cases")


def bound_names(tree: ast.Module) -> dict[str, str]:
    """Names that imports bind -> what they stand for."""
    bound: dict[str, str] = {}
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        for name in _BODIES:  # imports are statements: expressions need not be gone through
            todo += getattr(node, name, ())
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                bound[alias.asname or top] = alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                bound[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return bound


def dotted_name(node: ast.expr, bound: Mapping[str, str]) -> str | None:
    """The dotted name that an expression stands for, where its root was imported."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in bound:
        return None
    return ".".join([bound[node.id], *reversed(parts)])


@dataclass(slots=True)
class _Scope:
    """A function or the module: what is assigned to each name in it."""

    around: _Scope | None
    names: dict[str, list[ast.expr | Kind | None]] = field(default_factory=dict)
    node: ast.AST | None = None


class Kinds:
    """The kinds of the expressions of one source; ``bound`` are the names of its imports."""

    def __init__(self, tree: ast.Module, bound: Mapping[str, str]) -> None:
        self._bound = bound
        self._scopes: dict[int, _Scope] = {}
        self._functions: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = {}
        self._returns: dict[int, list[ast.expr]] = {}
        self._calls: dict[str, list[ast.Call]] = {}
        self._attributes: dict[str, list[ast.expr]] = {}
        self._asked: dict[tuple[int, str], Kind | None] = {}
        self._depth = 0
        todo: list[tuple[ast.AST, _Scope]] = [(tree, _Scope(None, node=tree))]
        while todo:
            node, scope = todo.pop()
            inside = self._entered(node, scope)
            todo += [(child, inside) for child in ast.iter_child_nodes(node)]

    def of(self, node: ast.expr) -> Kind | None:
        """The kind of an expression of the tree; None where it is not known."""
        scope = self._scopes.get(id(node))
        if scope is None or self._depth > DEEPEST:
            return None
        self._depth += 1
        try:
            return self._kind(node, scope)
        finally:
            self._depth -= 1

    # -- names -------------------------------------------------------------------------------

    def _entered(self, node: ast.AST, scope: _Scope) -> _Scope:
        """Note what a node assigns; the scope of what is in it."""
        self._scopes[id(node)] = scope
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            inside = _Scope(scope, node=node)
            for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
                inside.names[one.arg] = [self._annotated(one.annotation)]
            if not isinstance(node, ast.Lambda):
                self._functions.setdefault(node.name, node)
            return inside
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._assign(target, node.value, scope)
        elif isinstance(node, ast.AnnAssign):
            self._assign(node.target, self._annotated(node.annotation) or node.value, scope)
        elif isinstance(node, ast.NamedExpr):
            self._assign(node.target, node.value, scope)
        elif isinstance(node, ast.For | ast.comprehension):
            self._assign_rounds(node.target, node.iter, scope)
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            self._assign(node.optional_vars, None, scope)
        elif isinstance(node, ast.Return) and node.value is not None:
            self._returns.setdefault(id(scope.node), []).append(node.value)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            self._calls.setdefault(node.func.id, []).append(node)
        return scope

    def _assign(self, target: ast.expr, value: ast.expr | Kind | None, scope: _Scope) -> None:
        if isinstance(target, ast.Name):
            nothing = isinstance(value, ast.Constant) and value.value is None
            scope.names.setdefault(target.id, []).extend([] if nothing else [value])
        elif isinstance(target, ast.Tuple | ast.List):
            same = isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts)
            for place, one in enumerate(target.elts):
                self._assign(one, value.elts[place] if same and isinstance(value, ast.Tuple) else None, scope)
        elif isinstance(target, ast.Starred):
            self._assign(target.value, None, scope)
        elif isinstance(target, ast.Attribute) and isinstance(value, ast.expr) and _is_self(target.value):
            self._attributes.setdefault(target.attr, []).append(value)

    def _assign_rounds(self, target: ast.expr, rounds: ast.expr, scope: _Scope) -> None:
        """``for key, group in table.groupby(...)`` and ``for place, row in table.iterrows()``."""
        called = rounds.func.attr if isinstance(rounds, ast.Call) and isinstance(rounds.func, ast.Attribute) else ""
        pair = isinstance(target, ast.Tuple) and len(target.elts) == 2 and "pandas" in self._bound.values()
        kinds: dict[str, Kind] = {"groupby": "frame", "iterrows": "series"}
        if pair and called in kinds and isinstance(target, ast.Tuple):
            self._assign(target.elts[0], None, scope)
            self._assign(target.elts[1], kinds[called], scope)
        else:
            self._assign(target, None, scope)

    def _annotated(self, node: ast.expr | None) -> Kind | None:
        return ANNOTATED.get(dotted_name(node, self._bound) or "") if node is not None else None

    # -- kinds -------------------------------------------------------------------------------

    def _kind(self, node: ast.expr, scope: _Scope) -> Kind | None:
        if isinstance(node, ast.Name):
            return self._of_name(node.id, scope)
        if isinstance(node, ast.Call):
            return self._of_call(node)
        if isinstance(node, ast.Subscript):
            return self._of_subscript(node)
        if isinstance(node, ast.Attribute):
            return self._of_attribute(node)
        if isinstance(node, ast.IfExp):
            return _common([self.of(node.body), self.of(node.orelse)])
        if isinstance(node, ast.NamedExpr):
            return self.of(node.value)
        if isinstance(node, ast.BinOp):
            sides = [self.of(node.left), self.of(node.right)]
            return next((one for one in ("frame", "series", "table", "array") if one in sides), None)
        return None

    def _of_name(self, name: str, scope: _Scope) -> Kind | None:
        here: _Scope | None = scope
        while here is not None and name not in here.names:
            here = here.around
        if here is None:
            return None
        place = (id(here), name)
        if place in self._asked:
            return self._asked[place]
        self._asked[place] = None
        try:
            values = here.names[name]
            own = [one for one in values if isinstance(one, ast.expr) and name in _names_first(one)]
            found = [
                self.of(one) if isinstance(one, ast.expr) else one or self._handed(name, here)
                for one in values
                if not any(one is again for again in own)
            ]
            self._asked[place] = _common(found)
            # df = df.append(...): of the kind that it was, if what it gives is
            return _common([*found, *map(self.of, own)])
        finally:
            del self._asked[place]

    def _handed(self, name: str, scope: _Scope) -> Kind | None:
        """The kind of a parameter, by what each call in this source hands in."""
        function = scope.node
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            return None
        places = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
        calls = self._calls.get(function.name, [])
        if name not in places or not calls or self._functions.get(function.name) is not function:
            return None
        place = places.index(name)
        given = []
        for call in calls:
            by_name = next((one.value for one in call.keywords if one.arg == name), None)
            value = call.args[place] if place < len(call.args) else by_name
            given.append(self.of(value) if value is not None else None)
        return _common(given)

    def _of_call(self, node: ast.Call) -> Kind | None:
        made = MADE.get(dotted_name(node.func, self._bound) or "")
        chunks = {one.arg for one in node.keywords} & {"chunksize", "iterator", "squeeze"}
        if made is not None:
            return None if chunks else made
        if isinstance(node.func, ast.Name):
            function = self._functions.get(node.func.id)
            return _common([self.of(one) for one in self._returns.get(id(function), [])]) if function else None
        if not isinstance(node.func, ast.Attribute):
            return None
        holder, name = self.of(node.func.value), node.func.attr
        if holder == "array":
            return "array" if name in OF_ARRAYS else None
        if holder is None or any(one.arg == "inplace" for one in node.keywords):
            return None
        if name == "to_numpy":
            return "array"
        if name in SAME:
            return holder
        return "frame" if name in OF_FRAMES and holder == "frame" else None

    def _of_subscript(self, node: ast.Subscript) -> Kind | None:
        key = node.slice
        if isinstance(node.value, ast.Attribute) and node.value.attr in ("loc", "iloc"):
            parts = key.elts if isinstance(key, ast.Tuple) else [key]
            several = any(isinstance(one, ast.Slice | ast.List | ast.Compare) for one in parts)
            return "table" if several and self.of(node.value.value) not in (None, "array") else None
        holder = self.of(node.value)
        if holder == "array":
            return "array" if isinstance(key, ast.Slice) else None
        if isinstance(key, ast.List | ast.Compare | ast.UnaryOp | ast.Slice):
            return holder
        return "series" if holder == "frame" and isinstance(key, ast.Constant) and isinstance(key.value, str) else None

    def _of_attribute(self, node: ast.Attribute) -> Kind | None:
        if _is_self(node.value):
            return _common([self.of(one) for one in self._attributes.get(node.attr, [])])
        holder = self.of(node.value)
        if node.attr == "T":
            return holder
        return "array" if node.attr == "values" and holder not in (None, "array") else None


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _names_first(node: ast.expr) -> set[str]:
    """The name that a chain of attributes, calls and subscripts begins with."""
    inner: Any = node
    while isinstance(inner, ast.Attribute | ast.Call | ast.Subscript):
        inner = inner.func if isinstance(inner, ast.Call) else inner.value
    return {inner.id} if isinstance(inner, ast.Name) else set()


def _common(kinds: list[Kind | None]) -> Kind | None:
    """What several values are alike."""
    if not kinds or None in kinds:
        return None
    if len(set(kinds)) == 1:
        return kinds[0]
    return None if "array" in kinds else "table"
