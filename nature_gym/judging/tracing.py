"""Where a program's answers come from: one pass after another over its statements, until no name gains an origin.

The idea: order is left out. A name holds what anything in its scope ever put into it, a function gets what any call
gives it, a file what anything wrote to it; so nothing that may flow is missed, and the price is that what only might
flow counts too. Conditions pass on what they rest on, for a rule is made of its conditions.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath

from nature_gym.judging.calling import Calling
from nature_gym.judging.origins import NOTHING, Label, Value, through_condition, union
from nature_gym.judging.scopes import Function, Scope, defaults

MOST_PASSES = 14


@dataclass(frozen=True, slots=True)
class Sink:
    """A place where something is written. ``answer``: it goes to the folder of answers; ``known``: where it goes is
    known at all."""

    file: str
    line: int
    value: Value
    answer: bool
    known: bool


class Tracer(Calling):
    """Traces one program. :meth:`run` once, then read ``sinks``, ``reads`` and ``files``."""

    def run(self) -> None:
        """Pass over the program until nothing changes."""
        for _ in range(MOST_PASSES):
            self.changed = False
            self.sinks.clear()
            for scope in list(self.scopes):
                self._scope(scope)
            if not self.changed:
                return

    def written(self) -> list[Sink]:
        """What is written, and where to."""
        found = []
        for (file, line, _), (value, target) in sorted(self.sinks.items(), key=lambda one: one[0]):
            names = {PurePosixPath(text).name for text in target.texts}
            answer = target.has("out") or bool(names & self.given.asked)
            found.append(Sink(file, line, self.answer_part(value), answer, bool(target.texts) or target.has("out")))
        return found

    def answer_part(self, value: Value) -> Value:
        """Of a table, the columns that are asked for, where it is known what was put into them."""
        stored = [label.what for label in value.of("column") if label.what in self.given.target_columns]
        if stored:
            return union(self.columns.get(name, NOTHING) for name in stored)
        return value

    # -- statements --------------------------------------------------------------------------

    def _scope(self, scope: Scope) -> None:
        node = scope.node
        if isinstance(node, ast.Lambda):
            self.give_back(scope, self.value(node.body, scope))
            return
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            self.take_defaults(node, scope)
        self._body(node.body, scope)

    def _body(self, statements: list[ast.stmt], scope: Scope) -> None:
        for statement in statements:
            self._statement(statement, scope)

    def _statement(self, node: ast.stmt, scope: Scope) -> None:  # noqa: C901, PLR0912 -- one branch a kind of statement
        match node:
            case ast.Assign():
                value = self.value(node.value, scope)
                for target in node.targets:
                    self.store(target, value, scope, node.value)
            case ast.AnnAssign() if node.value is not None:
                self.store(node.target, self.value(node.value, scope), scope, node.value)
            case ast.AugAssign():
                self.store(node.target, self.value(node.value, scope), scope, node.value, added=True)
            case ast.Return():
                value = self.value(node.value, scope) if node.value is not None else NOTHING
                self.give_back(scope, value | self.condition)
            case ast.Expr():
                self.value(node.value, scope)
            case ast.If():
                with self._under(node.test, scope):
                    self._body(node.body, scope)
                    self._body(node.orelse, scope)
            case ast.While():
                with self._under(node.test, scope), self._looping(node):
                    self._body(node.body, scope)
                self._body(node.orelse, scope)
            case ast.For() | ast.AsyncFor():
                self.bind(node.target, self.items(node.iter, scope), scope)
                with self._looping(node):
                    self._body(node.body, scope)
                self._body(node.orelse, scope)
            case ast.With() | ast.AsyncWith():
                for item in node.items:
                    value = self.value(item.context_expr, scope)
                    if item.optional_vars is not None:
                        self.bind(item.optional_vars, value, scope)
                self._body(node.body, scope)
            case ast.Try() | ast.TryStar():
                for body in (node.body, node.orelse, node.finalbody, *(one.body for one in node.handlers)):
                    self._body(body, scope)
            case ast.Match():
                with self._under(node.subject, scope):
                    for case in node.cases:
                        self._body(case.body, scope)
            case ast.Assert():
                self.value(node.test, scope)
            case _:
                return

    @contextmanager
    def _under(self, test: ast.expr, scope: Scope) -> Iterator[None]:
        """Statements under a condition."""
        outer = self.condition
        value = self.value(test, scope)
        if not _asks_for_none(test):
            self.condition = outer | through_condition(value, scope.module.file, test.lineno)
        try:
            yield
        finally:
            self.condition = outer

    @contextmanager
    def _looping(self, node: ast.For | ast.AsyncFor | ast.While) -> Iterator[None]:
        """Statements in a loop; in one that submits, changes of single answers climb by the scores."""
        outer = self.climbing
        self.climbing = outer or any(id(one) in self.submitting for one in ast.walk(node))
        try:
            yield
        finally:
            self.climbing = outer

    def take_defaults(self, node: Function, scope: Scope) -> None:
        """The values of parameters that no call gives."""
        for name, value in defaults(node).items():
            self.put(scope, name, self.value(value, scope.parent or scope))

    def store(self, target: ast.expr, value: Value, scope: Scope, source: ast.expr, *, added: bool = False) -> None:
        """Put a value into what is assigned to, under the conditions that hold."""
        value |= self.condition
        pairs = _pairs(target, source)
        if pairs:
            for one, inner in pairs:
                self.store(one, self.value(inner, scope), scope, inner)
        elif isinstance(target, ast.Subscript):
            self._store_item(target, value, scope, added=added, empty=_is_empty(source))
        else:
            self.bind(target, value, scope)

    def _store_item(self, target: ast.Subscript, value: Value, scope: Scope, *, added: bool, empty: bool) -> None:
        """``x[key] = value``: a column, an item, something in an open file. An empty container is no answer."""
        holder = self.value(target.value, scope)
        key = target.slice
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            self.put_column(key.value, value)
            value = value.plus(Label("column", key.value))
        elif self.climbing and not empty and (added or not value.has("train", "fit", "code", "feedback")):
            value = value.plus(Label("climb", "", scope.module.file, target.lineno))
        if holder.has("opened") and holder.has("out"):
            self.write(target, value, holder, scope)
        # The index does not matter for what is stored; but a table by ids is one that can be looked up in.
        index = self.value(key, scope)
        if index.has("id") and any(label.what == "train" for label in index.of("id")) and value.has("train"):
            value = value.plus(Label("keyed", "train", scope.module.file, target.lineno))
        self.bind(target.value, value.bare(), scope)


def _is_empty(node: ast.expr) -> bool:
    """``[]``, ``{}``, ``()``: something to be filled."""
    match node:
        case ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Dict(keys=[]):
            return True
    return False


def _asks_for_none(node: ast.expr) -> bool:
    """``x is None`` and the like: says whether there is something, not what it is."""
    return isinstance(node, ast.Compare) and all(isinstance(one, ast.Is | ast.IsNot) for one in node.ops)


def _pairs(target: ast.expr, source: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """``a, b = x, y`` one by one; nothing for another assignment."""
    if not (isinstance(target, ast.Tuple | ast.List) and isinstance(source, ast.Tuple | ast.List)):
        return []
    if len(target.elts) != len(source.elts) or any(isinstance(one, ast.Starred) for one in target.elts):
        return []
    return list(zip(target.elts, source.elts, strict=True))
