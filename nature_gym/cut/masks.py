"""Conditions on columns in programs, as SQL that is true of the same rows.

pandas and SQL differ over missing values: a comparison with one is false there and unknown here, and ``!=`` and ``~``
are true. The SQL says so.
"""

from __future__ import annotations

import ast
import datetime as dt
from collections.abc import Callable, Collection, Iterator

from nature_gym.cut.amounts import side_in
from nature_gym.cut.declared import Declared, Operation
from nature_gym.cut.draws import number
from nature_gym.cut.material import Piece
from nature_gym.cut.python_units import Scope
from nature_gym.cut.values import Evaluator, Project
from nature_gym.splitting.tables import literal, quoted
from nature_gym.syntax import tree_of

Number = Callable[[ast.expr], float | None]
_COMPARED: dict[type[ast.cmpop], str] = {
    ast.Eq: "=", ast.NotEq: "IS DISTINCT FROM", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_TURNED = {"=": "=", "IS DISTINCT FROM": "IS DISTINCT FROM", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def masked(scope: Scope, project: Project) -> Iterator[Declared]:
    """``train = table[table.year < 2015]`` and ``test = table[table.year >= 2015]``: names that say the sides."""
    sides: dict[str, tuple[str, ast.Subscript]] = {}
    for name, bindings in scope.bindings.items():
        side = side_in(name)
        match [each.value for each in bindings]:
            case [ast.Subscript() as taken] if side and _is_mask(taken.slice):
                sides.setdefault("evaluation" if side == "evaluation" else side, (name, taken))
    second = sides.get("evaluation") or sides.get("validation")
    first = sides.get("development")
    if first is None or second is None:
        return
    masks = [_mask(taken, scope) for _, taken in (first, second)]

    def on(piece: Piece) -> Operation | None:
        evaluator = Evaluator(project)
        made = [condition(mask, piece.fields, lambda node: number(node, scope, evaluator)) for mask in masks]
        if None in made or not piece.columns:
            return None
        parts = {name: sql for (name, _), sql in zip((first, second), made, strict=True)}
        return Operation({"kind": "expression", "parts": parts})

    told = {name: ast.unparse(taken.slice)[:200] for name, taken in (first, second)}
    line = second[1].lineno
    yield Declared(scope.module.path, line, "expression", (first[0], second[0]), scope, told, on)


def _is_mask(node: ast.expr) -> bool:
    match node:
        case ast.Name() | ast.Compare() | ast.BinOp(op=ast.BitAnd() | ast.BitOr()) | ast.UnaryOp(op=ast.Invert()):
            return True
        case ast.Call(func=ast.Attribute(attr="isin" | "between")):
            return True
    return False


def _mask(taken: ast.Subscript, scope: Scope) -> ast.expr:
    """The condition, under a name or not, with names of conditions in it put in their place."""

    class Placed(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            bound = [each.value for each in scope.bindings.get(node.id, ())]
            return bound[0] if len(bound) == 1 and _is_mask(bound[0]) and not isinstance(bound[0], ast.Name) else node

    placed: ast.expr = Placed().visit(tree_of(ast.unparse(taken.slice), "eval").body)
    return placed


def condition(node: ast.expr, columns: Collection[str], worth: Number) -> str | None:
    """SQL of a condition over ``columns``; None where it is about something else. ``worth`` works out values."""

    def inner(part: ast.expr) -> str | None:
        return condition(part, columns, worth)

    match node:
        case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr() as op, right=right):
            one, other = inner(left), inner(right)
            word = "AND" if isinstance(op, ast.BitAnd) else "OR"
            return None if one is None or other is None else f"({one} {word} {other})"
        case ast.UnaryOp(op=ast.Invert(), operand=of):
            one = inner(of)
            return None if one is None else f"(NOT coalesce({one}, false))"
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARED:
            word = _COMPARED[type(op)]
            if (column := _column(left, columns)) and (value := _value(right, worth)):
                return f"({quoted(column)} {word} {value})"
            if (column := _column(right, columns)) and (value := _value(left, worth)):
                return f"({quoted(column)} {_TURNED[word]} {value})"
        case ast.Call(func=ast.Attribute(value=of, attr="isin"), args=[ast.List(elts=each) | ast.Tuple(elts=each)]):
            values = [_value(one, worth) for one in each]
            if (column := _column(of, columns)) and values and None not in values:
                return f"({quoted(column)} IN ({', '.join(filter(None, values))}))"
        case ast.Call(func=ast.Attribute(value=of, attr="between"), args=[low, high], keywords=[]):
            ends = _value(low, worth), _value(high, worth)
            if (column := _column(of, columns)) and None not in ends:
                return f"({quoted(column)} >= {ends[0]} AND {quoted(column)} <= {ends[1]})"
    return None


def _column(node: ast.expr, columns: Collection[str]) -> str | None:
    match node:
        case ast.Subscript(value=ast.Name() | ast.Attribute(), slice=ast.Constant(value=str() as name)):
            return name if name in columns else None
        case ast.Attribute(value=ast.Attribute() | ast.Subscript() as of, attr="values"):
            return _column(of, columns)
        case ast.Attribute(value=ast.Name(), attr=name):
            return name if name in columns else None
        case ast.Call(func=ast.Attribute(attr="to_datetime"), args=[of]):
            return _column(of, columns)
    return None


def _value(node: ast.expr, worth: Number) -> str | None:
    match node:
        case ast.Constant(value=bool() as truth):
            return str(truth).lower()
        case ast.Constant(value=str() as text):
            return literal(text)
        case ast.Call(func=func, args=[ast.Constant(value=str() as text)]) if ast.unparse(func).rpartition(".")[2] in (
            "Timestamp", "to_datetime", "datetime64"
        ):  # fmt: skip
            return literal(text) if _is_date(text) else None
    found = worth(node)
    return None if found is None else repr(int(found) if found == int(found) else found)


def _is_date(text: str) -> bool:
    try:
        dt.datetime.fromisoformat(text)
    except ValueError:
        return False
    return True
