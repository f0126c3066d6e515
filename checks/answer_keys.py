"""Which columns and keys an evaluator takes out of an answer, and with which lengths it compares its arrays.

The idea: where following the source says which file a call reads (:mod:`checks.following`), what that call returns is
the answer's or the reference's; so is whatever is made of it in the same function. Names that are looked up in either
are noted on its side, in a function that reads both on both. Nothing is run; what cannot be told is on no side.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from checks.package import EVALUATOR, CheckedPackage

ANSWER, REFERENCE, BOTH = "answer", "reference", "both"
LOOKS_UP = {
    "get", "pop", "set_index", "sort_values", "merge", "join", "groupby", "drop_duplicates", "duplicated", "issubset",
    "issuperset", "difference", "create_dataset",
}  # fmt: skip
"""Methods whose texts are names of columns or keys."""
BY_NAME = {"on", "by", "subset", "left_on", "right_on", "usecols", "index_col", "columns", "dtype", "id_vars"}
READS_TABLES = {"read_csv", "read_table", "read_excel"}
Place = tuple[int, int]


@dataclass(slots=True)
class Taken:
    """Names by side, each with the place where it is first looked up; and shapes that the answer's have to be."""

    answer: dict[str, Place] = field(default_factory=dict)
    reference: dict[str, Place] = field(default_factory=dict)
    shapes: dict[tuple[int, ...], Place] = field(default_factory=dict)


def taken_by_evaluator(package: CheckedPackage) -> Taken:
    """What the evaluator looks up in answers and references."""
    tree = package.code(EVALUATOR).tree
    taken = Taken()
    if tree is None:
        return taken
    sides: dict[Place, str] = {}
    for one in package.followed.readings:
        if one.verb == "read":
            side = ANSWER if one.place.startswith("output/") else REFERENCE
            before = sides.setdefault((one.line, one.column), side)
            sides[one.line, one.column] = side if before == side else BOTH
    texts = {name: list(_texts_of(value)) for name, value in package.followed.globals.items()}
    texts |= {f".{name}": found for name, found in _fields(tree).items()}
    given = _arguments(tree)
    numbers = {name: value for name, value in package.followed.globals.items() if type(value) is int}
    for scope in (tree, *(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))):
        own = texts if isinstance(scope, ast.Module) else texts | given.get(scope.name, {})
        _Scope(sides, own, numbers, taken).follow(scope.body)
    return taken


def _fields(tree: ast.Module) -> dict[str, list[str]]:
    """Texts that attributes are set to: fields of classes with a default, self.column = "score"."""
    found: dict[str, list[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Constant):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                name = target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")
                if isinstance(node.value.value, str):
                    found.setdefault(name, []).append(node.value.value)
    return found


def _arguments(tree: ast.Module) -> dict[str, dict[str, list[str]]]:
    """Texts that functions of the source are given, by their names and those of their parameters."""
    functions = {node.name: node.args for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    found: dict[str, dict[str, list[str]]] = {}
    for node in ast.walk(tree):
        name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
        if isinstance(node, ast.Call) and name in functions:
            names = [one.arg for one in (*functions[name].posonlyargs, *functions[name].args)]
            pairs = [*zip(names, node.args, strict=False), *((one.arg or "", one.value) for one in node.keywords)]
            for parameter, value in pairs:
                parts = value.elts if isinstance(value, ast.Tuple | ast.List | ast.Set) else [value]
                given = [one.value for one in parts if isinstance(one, ast.Constant) and isinstance(one.value, str)]
                found.setdefault(name, {}).setdefault(parameter, []).extend(given)
    return found


def _texts_of(value: object) -> Iterator[str]:
    if isinstance(value, list | tuple | set | frozenset | dict):
        yield from (one for one in value if isinstance(one, str))


class _Scope:
    """One function: on which side each of its names is, statement by statement."""

    def __init__(
        self, sides: dict[Place, str], texts: dict[str, list[str]], numbers: dict[str, int], taken: Taken
    ) -> None:
        self._sides = sides
        self._texts = dict(texts)
        self._numbers = numbers
        self._taken = taken
        self._names: dict[str, str] = {}

    def follow(self, body: Iterable[ast.stmt]) -> None:
        """Go through statements."""
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            bound = list(_bound_by(node))
            for value in [value for _, value in bound] or ast.iter_child_nodes(node):
                if isinstance(value, ast.expr):
                    self._look(value)
            for target, value in bound:
                self._bind(target, value)
            for name in ("body", "orelse", "finalbody"):
                self.follow(getattr(node, name, ()))
            for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
                self.follow(part.body)

    def _bind(self, target: ast.expr, value: ast.expr) -> None:
        side = self._side(value)
        texts = list(self._constants(value)) if isinstance(value, ast.Tuple | ast.List | ast.Set | ast.Name) else []
        for node in ast.walk(target):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self._names[node.id] = side
                self._texts[node.id] = texts

    def _side(self, node: ast.AST) -> str:
        """On which side a value is: '' where it is of neither or cannot be told."""
        if isinstance(node, ast.Call):
            side = self._sides.get((node.lineno, node.col_offset + 1), "")
            if side:
                return side
        if isinstance(node, ast.Name):
            return self._names.get(node.id, "")
        found = {side for child in ast.iter_child_nodes(node) if (side := self._side(child))}
        return found.pop() if len(found) == 1 else BOTH if found else ""

    def _constants(self, node: ast.AST) -> Iterator[str]:
        """Texts of an expression; those of a list of the source that it names, too."""
        for one in ast.walk(node):
            if isinstance(one, ast.Constant) and isinstance(one.value, str):
                yield one.value
            elif isinstance(one, ast.Name):
                yield from self._texts.get(one.id, ())
            elif isinstance(one, ast.Attribute):
                yield from self._texts.get(f".{one.attr}", ())

    def _note(self, side: str, names: Iterable[str], node: ast.expr) -> None:
        place = (node.lineno, node.col_offset + 1)
        for name in names:
            if side in (ANSWER, BOTH):
                self._taken.answer.setdefault(name, place)
            if side in (REFERENCE, BOTH):
                self._taken.reference.setdefault(name, place)

    def _look(self, node: ast.expr) -> None:
        """Note what an expression looks up, from its inside to its outside."""
        if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
            for one in node.generators:
                self._look(one.iter)
                self._bind(one.target, one.iter)
        if isinstance(node, ast.NamedExpr):
            self._look(node.value)
            self._bind(node.target, node.value)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.comprehension):
                for test in child.ifs:
                    self._look(test)
            elif isinstance(child, ast.keyword):
                self._look(child.value)
            elif isinstance(child, ast.expr):
                self._look(child)
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            self._note(self._side(node.value), self._constants(node.slice), node)
        elif isinstance(node, ast.Compare):
            self._look_compare(node)
        elif isinstance(node, ast.Call):
            self._look_call(node)

    def _look_compare(self, node: ast.Compare) -> None:
        parts = [node.left, *node.comparators]
        for one in parts:
            side = self._side(one)
            if side and any(
                isinstance(part, ast.In | ast.NotIn | ast.LtE | ast.GtE | ast.Lt | ast.Gt) for part in node.ops
            ):
                others = [other for other in parts if other is not one]
                if _is_whole(one):
                    self._note(side, (text for other in others for text in self._constants(other)), node)
            if side == ANSWER and isinstance(one, ast.Attribute) and one.attr == "shape":
                for other in parts:
                    if isinstance(other, ast.Tuple) and (lengths := self._lengths(other)):
                        self._taken.shapes.setdefault(lengths, (node.lineno, node.col_offset + 1))

    def _lengths(self, node: ast.Tuple) -> tuple[int, ...]:
        found = []
        for one in node.elts:
            value = one.value if isinstance(one, ast.Constant) else None
            value = self._numbers.get(one.id) if isinstance(one, ast.Name) else value
            if type(value) is not int:
                return ()
            found.append(value)
        return tuple(found)

    def _look_call(self, node: ast.Call) -> None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        own = self._sides.get((node.lineno, node.col_offset + 1), "") if name in READS_TABLES else ""
        holder = self._side(node.func.value) if isinstance(node.func, ast.Attribute) and name in LOOKS_UP else ""
        given = {self._side(one) for one in node.args} if name in LOOKS_UP else set()
        named = [one.value for one in node.keywords if one.arg in BY_NAME]
        for side in {own, holder, *given} - {""}:
            texts = [text for one in named for text in self._constants(one) if text not in TYPES]
            self._note(side, texts, node)
        if holder:
            self._note(holder, (text for one in node.args for text in self._constants(one)), node)


def _bound_by(node: ast.stmt) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Each target that a statement binds, with the expression that it is bound to."""
    if isinstance(node, ast.With | ast.AsyncWith):
        for item in node.items:
            yield item.optional_vars or ast.Constant(None), item.context_expr
    elif isinstance(node, ast.For | ast.AsyncFor):
        yield node.target, node.iter
    elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            yield target, node.value


def _is_whole(node: ast.expr) -> bool:
    """Whether an expression is a table or archive, or its columns; what stands in a cell is no name of one."""
    if isinstance(node, ast.Attribute):
        return node.attr in ("columns", "files") and isinstance(node.value, ast.Name)
    if isinstance(node, ast.Call):
        parts = [*node.args, *([node.func.value] if isinstance(node.func, ast.Attribute) else [])]
        return bool(parts) and all(isinstance(one, ast.Name) or _is_whole(one) for one in parts)
    return isinstance(node, ast.Name)


TYPES = {"str", "string", "int", "float", "int64", "float64", "float32", "category", "object", "bool"}
