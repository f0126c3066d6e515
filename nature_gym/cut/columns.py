"""Which columns of a table, or keys of an array file, an expression in a program means.

The one idea: programs name columns as text; whatever the expression is made of (names, calls, masks, parts of what a
function returns) is followed back to those texts, and only texts that are columns of the table in question count.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from nature_gym.cut.python_units import Scope
from nature_gym.cut.values import Evaluator, Project

LAST = "[-1]"
"""Stands for the last column of an array."""
_DEEPEST = 12
_STEPS = 3_000


class Columns:
    """Follows expressions of one project; ``known`` are the columns that there are."""

    def __init__(self, project: Project, known: Iterable[str]) -> None:
        self._project = project
        self._values = Evaluator(project)
        self._known = {*known, LAST}
        self._left = _STEPS

    def of(self, node: ast.expr, scope: Scope) -> tuple[str, ...]:
        """The columns, each once, in the order in which the program names them."""
        self._left = _STEPS
        return tuple(dict.fromkeys(name for name in self._of(node, scope, 0) if name in self._known))

    def _of(self, node: ast.expr, scope: Scope, depth: int) -> list[str]:
        self._left -= 1
        if depth > _DEEPEST or self._left < 0:
            return []
        parts: list[ast.expr] = []
        match node:
            case ast.Subscript(value=value, slice=key):
                return self._of_subscript(value, key, scope, depth)
            case ast.Name(id=name):
                return self._of_name(name, scope, depth)
            case ast.Call():
                return self._of_call(node, scope, depth)
            case ast.Attribute(attr=name) if name in self._known:
                return [name]
            case ast.Attribute(value=inner) | ast.Compare(left=inner) | ast.IfExp(body=inner):
                parts = [inner]
            case ast.BinOp(left=left, right=right):
                parts = [left, right]
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                pass
        return [name for part in parts for name in self._of(part, scope, depth + 1)]

    def _of_subscript(self, value: ast.expr, key: ast.expr, scope: Scope, depth: int) -> list[str]:
        if isinstance(key, ast.Constant) and isinstance(key.value, int):
            return self._of_part(value, key.value, scope, depth)
        if named := self.named(key, scope):
            return named
        if isinstance(key, ast.Tuple) and len(key.elts) == 2:
            last = key.elts[1]
            if named := self.named(last, scope):
                return named
            if isinstance(last, ast.UnaryOp) and ast.unparse(last) == "-1":
                return [LAST]
            if isinstance(last, ast.Slice):
                return []  # a range of columns, which names none
        return self._of(value, scope, depth + 1)

    def named(self, node: ast.expr, scope: Scope) -> list[str]:
        """The columns that a text, a list of texts, or a setting means."""
        if isinstance(node, ast.Constant):
            return [node.value] if isinstance(node.value, str) and node.value in self._known else []
        if isinstance(node, ast.List | ast.Tuple):
            return [name for each in node.elts for name in self.named(each, scope)]
        if isinstance(node, ast.Name):
            literal = self._literal(node.id, scope)
            if literal is not None:
                return self.named(*literal)
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call):
            return sorted(name for name in self._values.path(node, scope) if name in self._known)
        return []

    def _literal(self, name: str, scope: Scope) -> tuple[ast.expr, Scope] | None:
        """A list or text to which a name is bound here, around, or where it is imported from."""
        around: Scope | None = scope
        while around is not None:
            for binding in around.bindings.get(name, ()):
                if binding.how == "value" and isinstance(binding.value, ast.List | ast.Tuple | ast.Constant):
                    return binding.value, around
            around = around.parent
        if (target := scope.module.imports.get(name)) and (found := self._project.symbol(target, scope.module)):
            module, symbol = found
            if module is not scope.module:
                return self._literal(symbol, module.top)
        return None

    def _of_part(self, value: ast.expr, place: int, scope: Scope, depth: int) -> list[str]:
        """One of several things that a call returns, or that stand together."""
        if isinstance(value, ast.Tuple | ast.List):
            return self._of(value.elts[place], scope, depth + 1) if -len(value.elts) <= place < len(value.elts) else []
        if isinstance(value, ast.Call):
            found: list[str] = []
            callees = self._project.callees(value, scope)
            for inner in callees[:8]:
                for returned in inner.returns:
                    if isinstance(returned, ast.Tuple) and -len(returned.elts) <= place < len(returned.elts):
                        found += self._of(returned.elts[place], inner, depth + 1)
            if callees:
                return found
            arguments = value.args
            if arguments and _called(value) in _SPLITTING:  # the parts of each argument follow one another
                return self._of(arguments[min(place // 2, len(arguments) - 1)], scope, depth + 1)
        return []

    def _of_name(self, name: str, scope: Scope, depth: int) -> list[str]:
        around: Scope | None = scope
        while around is not None:
            if bindings := around.bindings.get(name):
                return [column for each in bindings[:6] for column in self._of(each.value, around, depth + 1)]
            if name in around.params:
                return []
            around = around.parent
        return []

    def _of_call(self, node: ast.Call, scope: Scope, depth: int) -> list[str]:
        callees = self._project.callees(node, scope)
        if callees:
            return [
                name for inner in callees[:8] for each in inner.returns for name in self._of(each, inner, depth + 1)
            ]
        if isinstance(node.func, ast.Attribute):
            if node.func.attr in ("get", "pop") and node.args and (named := self.named(node.args[0], scope)):
                return named
            if found := self._of(node.func.value, scope, depth + 1):
                return found
        return self._of(node.args[0], scope, depth + 1) if len(node.args) >= 1 else []


_SPLITTING = {"train_test_split"}


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
