"""What a Python source would read, followed through its syntax tree; nothing of it is run.

The idea: a small interpreter of ours goes through the source with what is known: constants, paths, loops over lists
that are known, calls of functions of the source. What is not known stays unknown, both branches of a condition that is
not known are followed, and every path that reaches a call which is not ours to follow is noted with its line. Steps,
depth, and the size of every value are bounded, whatever the source.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from checks.calling import Calls
from checks.library import MOST_ROUNDS, sequence
from checks.readings import Flow, Names, Reading
from checks.values import UNKNOWN, Class, Dotted, Either, Function, Instance, either
from nature_gym.syntax import tree_of

ENTRIES = ("run_evaluation", "evaluate", "main")
ENUMERATIONS = {"enum.Enum", "enum.StrEnum", "enum.IntEnum"}


class Follower(Calls):
    """Follows one source, statement by statement."""

    def follow(self) -> Follower:
        """Go through the whole source: as a script, then every function that was not called."""
        self._whole(lambda: self._block(self.tree.body, self.globals))
        functions = [value for value in self.globals.values() if isinstance(value, Function)]
        functions.sort(key=lambda one: getattr(one.node, "name", "") not in ENTRIES)
        for function in functions:
            name = getattr(function.node, "name", "")
            # What is called by nobody is followed where nothing else said what is read: its arguments are guesses.
            if name not in self._called and (name in ENTRIES or not any(one.verb == "read" for one in self.readings)):
                self._whole(lambda function=function: self._call(function, [], {}))  # type: ignore[misc]
        return self

    def _block(self, body: list[ast.stmt], names: Names) -> Flow:
        """Follow statements; how they end: '' or return, raise, break, continue."""
        for node in body:
            self._step()
            visit: Callable[[Any, Names], Flow | None] | None = getattr(
                self, f"_do_{type(node).__name__.lower()}", None
            )
            if visit is None:
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.expr):
                        self._value(child, names)
            elif flow := visit(node, names):
                return flow
        return ""

    def _do_assign(self, node: ast.Assign, names: Names) -> None:
        value = self._value(node.value, names)
        for target in node.targets:
            self._bind(target, value, names)

    def _do_annassign(self, node: ast.AnnAssign, names: Names) -> None:
        if node.value is not None:
            self._bind(node.target, self._value(node.value, names), names)

    def _do_augassign(self, node: ast.AugAssign, names: Names) -> None:
        load = tree_of(ast.unparse(node.target), "eval").body if isinstance(node.target, ast.Name) else None
        value = self._value(node.value, names)
        before = self._value(load, names) if load is not None else UNKNOWN
        self._bind(node.target, self._operate(node.op, before, value), names)

    def _do_for(self, node: ast.For, names: Names) -> Flow | None:
        rounds_known = sequence(self._value(node.iter, names))
        rounds = [UNKNOWN] if rounds_known is None or len(rounds_known) > MOST_ROUNDS else rounds_known
        for one in rounds:
            self._bind(node.target, one, names)
            flow = self._block(node.body, names)
            if flow == "break":
                break
            if flow == "return" and len(rounds) == 1 and rounds_known is not None:
                return flow
        return self._block(node.orelse, names) or None

    _do_asyncfor = _do_for

    def _do_while(self, node: ast.While, names: Names) -> None:
        if self._value(node.test, names) not in (False, None):
            self._block(node.body, names)

    def _do_if(self, node: ast.If, names: Names) -> Flow | None:
        before = len(self.readings)
        test = self._value(node.test, names)
        if test is not UNKNOWN and not isinstance(test, Either | Dotted | Function | Instance | Class):
            return self._block(node.body if test else node.orelse, names) or None
        tested = [one.place for one in list(self.readings)[before:] if one.verb == "test"]
        negated = isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not)
        tested += [] if negated else self._tested(node.test, names)
        yes, no = names.copy(), names.copy()
        self._optional += tested if not negated else []
        self._perhaps += 1
        ends_yes = self._block(node.body, yes)
        del self._optional[len(self._optional) - (len(tested) if not negated else 0) :]
        ends_no = self._block(node.orelse, no)
        self._perhaps -= 1
        if ends_yes and ends_no:
            return ends_yes if ends_yes == ends_no else "return"
        for one in ([] if ends_yes else [yes]), ([] if ends_no else [no]):
            for side in one:
                for name, value in side.items():
                    names[name] = value if ends_yes or ends_no else either([yes.get(name, value), no.get(name, value)])
        return None

    def _do_match(self, node: ast.Match, names: Names) -> Flow | None:
        """The case that fits what is known, else all of them."""
        subject = self._value(node.subject, names)
        flows = []
        for case in node.cases:
            wanted = self._value(case.pattern.value, names) if isinstance(case.pattern, ast.MatchValue) else UNKNOWN
            plain = isinstance(subject, str | int) and isinstance(wanted, str | int)
            if plain and wanted != subject:
                continue
            flow = self._block(case.body, names)
            if plain:
                return flow or None
            flows.append(flow)
        return flows[0] or None if flows and len(set(flows)) == 1 else None

    def _do_try(self, node: ast.Try, names: Names) -> Flow | None:
        flow = self._block(node.body, names)
        for handler in node.handlers:
            inside = names.copy()
            self._perhaps += 1
            self._block(handler.body, inside)
            self._perhaps -= 1
            for name, value in inside.items():
                names.setdefault(name, value)
        flow = flow or self._block(node.orelse, names)
        return self._block(node.finalbody, names) or (flow if flow == "return" else None)

    def _do_with(self, node: ast.With, names: Names) -> Flow | None:
        for item in node.items:
            value = self._value(item.context_expr, names)
            if item.optional_vars is not None:
                self._bind(item.optional_vars, value, names)
        return self._block(node.body, names) or None

    def _do_functiondef(self, node: ast.FunctionDef, names: Names) -> None:
        names[node.name] = self._function(node, names)

    _do_asyncfunctiondef = _do_functiondef

    def _do_classdef(self, node: ast.ClassDef, names: Names) -> None:
        inside = Names(names)
        self._block(node.body, inside)
        fields = [
            one.target.id for one in node.body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
        ]
        bases = [self._value(one, names) for one in node.bases]
        known = tuple(one for one in bases if isinstance(one, Class))
        members = {name: value for base in reversed(known) for name, value in base.members.items()} | dict(inside)
        fields = [name for base in known for name in base.fields if name not in fields] + fields
        made = Class(node.name, members, fields, known)
        if any(isinstance(one, Dotted) and one.name in ENUMERATIONS for one in bases):
            constants = {name: value for name, value in inside.items() if isinstance(value, str | int | float | tuple)}
            made.items = [Instance(made, {"name": name, "value": value}) for name, value in constants.items()]
            made.members |= dict(zip(constants, made.items, strict=True))
        names[node.name] = made

    def _do_return(self, node: ast.Return, names: Names) -> Flow:
        value = self._value(node.value, names) if node.value is not None else None
        here: Names | None = names
        while here is not None and "return" not in here:
            here = here.around
        if here is not None:
            here["return"].append(value)
        return "return"

    def _do_raise(self, node: ast.Raise, names: Names) -> Flow:
        if node.exc is not None:
            self._value(node.exc, names)
        return "raise"

    def _do_break(self, _: ast.Break, __: Names) -> Flow:
        return "break"

    def _do_continue(self, _: ast.Continue, __: Names) -> Flow:
        return "continue"

    def _do_import(self, node: ast.Import, names: Names) -> None:
        for alias in node.names:
            top = alias.name.partition(".")[0]
            names[alias.asname or top] = Dotted(alias.name if alias.asname else top)

    def _do_importfrom(self, node: ast.ImportFrom, names: Names) -> None:
        for alias in node.names:
            names[alias.asname or alias.name] = Dotted(f"{node.module or ''}.{alias.name}")


__all__ = ["Follower", "Reading"]
