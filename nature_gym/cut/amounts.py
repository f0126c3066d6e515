"""Numbers in programs that split: of rows, shares and seeds, where the number of rows is known."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from operator import add, floordiv, mul, neg, sub, truediv

from nature_gym.cut.core import words_of
from nature_gym.cut.draws import number
from nature_gym.cut.material import side_of
from nature_gym.cut.python_units import Scope
from nature_gym.cut.values import Evaluator, Project

_DEEPEST = 6


def side_in(name: str) -> str:
    """The side that a name's first telling word means; empty for none."""
    return next(filter(None, map(side_of, words_of(name))), "")


def ending(node: ast.expr) -> str:
    """The last part of a dotted name."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def whole(node: ast.expr, scope: Scope, project: Project) -> int | None:
    """A whole number, as seeds are; None where nobody knows."""
    value = amount(node, scope, project, 0)
    return int(value) if value is not None and value == int(value) else None


_ROUNDED: dict[str, Callable[[float], float]] = {"int": int, "round": round, "floor": math.floor, "ceil": math.ceil}
_DONE: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: add, ast.Sub: sub, ast.Mult: mul, ast.Div: truediv, ast.FloorDiv: floordiv,
}  # fmt: skip


def amount(node: ast.expr | None, scope: Scope, project: Project, rows: int, depth: int = 0) -> float | None:
    """A number, where ``len(...)`` and ``.shape[0]`` are ``rows`` (0 for not known); None where nobody knows."""

    def inner(part: ast.expr) -> float | None:
        return amount(part, scope, project, rows, depth + 1)

    if node is None or depth > _DEEPEST:
        return None
    match node:
        case (
            ast.Call(func=ast.Name(id="len"))
            | ast.Subscript(value=ast.Attribute(attr="shape"), slice=ast.Constant(value=0))
        ):
            return rows or None
        case ast.Call(func=func, args=[of]) if ending(func) in _ROUNDED:
            return _done(_ROUNDED[ending(func)], inner(of))
        case ast.UnaryOp(op=ast.USub(), operand=of):
            return _done(neg, inner(of))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _DONE:
            return _done(_DONE[type(op)], inner(left), inner(right))
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return value
        case ast.Name(id=name):
            match scope.bindings.get(name, []):
                case [binding] if binding.how == "value":
                    return inner(binding.value)
    found = number(node, scope, Evaluator(project))
    return int(found) if found is not None and found == int(found) else found


def _done(do: Callable[..., float], *values: float | None) -> float | None:
    """An operation on values that are known, where it has a result."""
    if any(value is None for value in values):
        return None
    try:
        return do(*values)
    except (ZeroDivisionError, OverflowError, ValueError):
        return None
