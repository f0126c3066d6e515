"""What expressions of a source are, as far as is known: the part of :mod:`checks.following` that gives values."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any

from checks.library import MOST_ROUNDS, environment, sequence
from checks.readings import TESTS, Names, Notes
from checks.texts import formatted, plain_text
from checks.values import (
    LONGEST,
    MOST,
    UNKNOWN,
    WILD,
    Class,
    Dotted,
    Filling,
    Function,
    Instance,
    alternatives,
    either,
    got,
    join,
    named,
    placed,
    put,
)  # fmt: skip


class Expressions(Notes):
    """Values of expressions, and names that are bound to them."""

    def _bind(self, target: ast.expr, value: Any, names: Names) -> None:
        if isinstance(target, ast.Name):
            names[target.id] = value
        elif isinstance(target, ast.Starred):
            self._bind(target.value, UNKNOWN, names)
        elif isinstance(target, ast.Tuple | ast.List):
            fits = isinstance(value, list | tuple) and len(value) == len(target.elts)
            for place, one in enumerate(target.elts):
                self._bind(one, value[place] if fits else UNKNOWN, names)
        elif isinstance(target, ast.Subscript):
            holder, key = self._value(target.value, names), self._value(target.slice, names)
            for one in alternatives(holder):
                if isinstance(one, dict):
                    put(one, key, value, perhaps=self._perhaps > 0)
        elif isinstance(target, ast.Attribute):
            holder = self._value(target.value, names)
            if isinstance(holder, Instance):
                holder.attributes[target.attr] = value

    def _tested(self, test: ast.expr, names: Names) -> list[str]:
        """The places whose existence an expression asks for, noted before or not."""
        found = []
        for node in ast.walk(test):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
                if name in TESTS:
                    of = (
                        node.args[0] if node.args else node.func.value if isinstance(node.func, ast.Attribute) else None
                    )
                    value = self._value(of, names) if of is not None else UNKNOWN
                    found += [placed(one) for one in alternatives(value) if isinstance(one, str)]
        return found

    def _function(self, node: ast.FunctionDef | ast.Lambda, names: Names) -> Function:
        arguments = node.args
        positional = [*arguments.posonlyargs, *arguments.args]
        given = dict(zip([one.arg for one in reversed(positional)], reversed(arguments.defaults), strict=False))
        given |= {
            one.arg: value
            for one, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
            if value is not None
        }
        return Function(node, names, None, {name: self._value(value, names) for name, value in given.items()})

    def _value(self, node: ast.expr, names: Names) -> Any:
        """What an expression is, as far as is known."""
        self._step()
        visit: Callable[[Any, Names], Any] | None = getattr(self, f"_of_{type(node).__name__.lower()}", None)
        if visit is not None:
            return visit(node, names)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self._value(child, names)
        return UNKNOWN

    def _of_constant(self, node: ast.Constant, _: Names) -> Any:
        value = node.value
        if isinstance(value, str):
            return value[:LONGEST]
        return value if isinstance(value, int | float | bool | type(None)) else UNKNOWN

    def _of_name(self, node: ast.Name, names: Names) -> Any:
        return names.find(node.id)

    def _of_namedexpr(self, node: ast.NamedExpr, names: Names) -> Any:
        value = self._value(node.value, names)
        self._bind(node.target, value, names)
        return value

    def _of_list(self, node: ast.List | ast.Tuple | ast.Set, names: Names) -> Any:
        found: list[Any] = []
        for one in node.elts[:MOST]:
            if isinstance(one, ast.Starred):
                found += sequence(self._value(one.value, names)) or []
            else:
                found.append(self._value(one, names))
        return tuple(found) if isinstance(node, ast.Tuple) else found

    _of_tuple = _of_list
    _of_set = _of_list

    def _of_dict(self, node: ast.Dict, names: Names) -> Any:
        found: dict[Any, Any] = {}
        for key, value in list(zip(node.keys, node.values, strict=True))[:MOST]:
            entry = self._value(value, names)
            if key is None:
                found.update(entry if isinstance(entry, dict) else {WILD: UNKNOWN})
            else:
                put(found, self._value(key, names), entry)
        return found

    def _of_joinedstr(self, node: ast.JoinedStr, names: Names) -> Any:
        found = [""]
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                value = self._value(part.value, names)
                spec = ast.unparse(part.format_spec)[2:-1] if part.format_spec else ""
                ends = [formatted(one, spec) for one in alternatives(value)]
            else:
                ends = [str(part.value)] if isinstance(part, ast.Constant) else [WILD]
            found = [(start + end)[:LONGEST] for start in found for end in ends][:64]
        return either(list(found))

    def _of_binop(self, node: ast.BinOp, names: Names) -> Any:
        return self._operate(node.op, self._value(node.left, names), self._value(node.right, names))

    def _operate(self, operator: ast.operator, left: Any, right: Any) -> Any:
        if isinstance(operator, ast.Div) and any(isinstance(one, str) for one in alternatives(left)):
            return join(left, right)
        if isinstance(operator, ast.Add):
            if isinstance(left, str) or isinstance(right, str):
                pairs = [(one, other) for one in alternatives(left) for other in alternatives(right)][:64]
                return either([(plain_text(one) + plain_text(other))[:LONGEST] for one, other in pairs])
            if isinstance(left, list | tuple) and isinstance(right, list | tuple) and len(left) + len(right) < MOST:
                self._steps += (len(left) + len(right)) // 8
                return [*left, *right]
            if isinstance(left, int) and isinstance(right, int) and abs(left) + abs(right) < 1 << 40:
                return left + right
        if isinstance(operator, ast.Mod) and isinstance(left, str):
            given = list(right) if isinstance(right, tuple) else [right]
            return re.sub(
                r"%(0?\d{0,2}[sdi])",
                lambda m: formatted(given.pop(0) if given else UNKNOWN, m[1].replace("i", "d")),
                left,
            )[:LONGEST]
        if isinstance(operator, ast.BitOr) and isinstance(left, dict) and isinstance(right, dict):
            return {**left, **right} if len(left) + len(right) < MOST else UNKNOWN
        return UNKNOWN

    def _of_boolop(self, node: ast.BoolOp, names: Names) -> Any:
        value: Any = UNKNOWN
        known = True
        for one in node.values:
            value = self._value(one, names)
            plain = isinstance(value, str | int | float | bool | type(None) | list | dict | tuple)
            if known and plain and bool(value) == isinstance(node.op, ast.Or):
                return value
            known = known and plain
        return value if known else UNKNOWN

    def _of_unaryop(self, node: ast.UnaryOp, names: Names) -> Any:
        value = self._value(node.operand, names)
        if isinstance(node.op, ast.Not) and isinstance(value, str | int | bool | type(None) | list | dict):
            return not value
        return -value if isinstance(node.op, ast.USub) and isinstance(value, int | float) else UNKNOWN

    def _of_compare(self, node: ast.Compare, names: Names) -> Any:
        left = self._value(node.left, names)
        rights = [self._value(one, names) for one in node.comparators]
        plain = (str, int, float, bool, type(None))
        if len(rights) != 1 or not isinstance(left, plain) or WILD in str(left):
            return UNKNOWN
        right, operator = rights[0], node.ops[0]
        if isinstance(operator, ast.Eq | ast.NotEq | ast.Is | ast.IsNot) and isinstance(right, plain):
            return (left == right) == isinstance(operator, ast.Eq | ast.Is)
        if not isinstance(operator, ast.In | ast.NotIn) or not isinstance(right, list | tuple | dict | str):
            return UNKNOWN
        if (
            WILD not in right
            and all(isinstance(one, plain) for one in right)
            and (isinstance(left, str) or not isinstance(right, str))
        ):
            return (left in right) == isinstance(operator, ast.In)
        return UNKNOWN

    def _of_ifexp(self, node: ast.IfExp, names: Names) -> Any:
        test = self._value(node.test, names)
        if isinstance(test, str | int | bool | type(None) | list | dict):
            return self._value(node.body if test else node.orelse, names)
        tested = self._tested(node.test, names)
        self._optional += tested
        yes = self._value(node.body, names)
        del self._optional[len(self._optional) - len(tested) :]
        return either([yes, self._value(node.orelse, names)])

    def _of_lambda(self, node: ast.Lambda, names: Names) -> Any:
        return self._function(node, names)

    def _of_yield(self, node: ast.Yield, names: Names) -> Any:
        value = self._value(node.value, names) if node.value is not None else None
        here: Names | None = names
        while here is not None and "yield" not in here:
            here = here.around
        if here is not None and len(here["yield"]) < MOST:
            here["yield"].append(value)
        return UNKNOWN

    def _of_listcomp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, names: Names) -> Any:
        found: list[Any] = []
        known = self._comprehend(
            node.generators, Names(names), lambda inside: found.append(self._value(node.elt, inside))
        )
        return found if known else UNKNOWN

    _of_setcomp = _of_listcomp
    _of_generatorexp = _of_listcomp

    def _of_dictcomp(self, node: ast.DictComp, names: Names) -> Any:
        found: dict[Any, Any] = {}

        def add(inside: Names) -> None:
            put(found, self._value(node.key, inside), self._value(node.value, inside))

        if not self._comprehend(node.generators, Names(names), add):
            found.setdefault(WILD, UNKNOWN)
        return found

    def _comprehend(self, generators: list[ast.comprehension], names: Names, then: Callable[[Names], None]) -> bool:
        """Call ``then`` for each round; whether all of them are known."""
        if not generators:
            then(names)
            return True
        first, *rest = generators
        rounds_known = sequence(self._value(first.iter, names))
        known = rounds_known is not None and len(rounds_known) <= MOST_ROUNDS
        for one in rounds_known if known and rounds_known is not None else [UNKNOWN]:
            self._bind(first.target, one, names)
            tests = [self._value(test, names) for test in first.ifs]
            known = known and UNKNOWN not in tests
            if not any(test is False or test is None for test in tests):
                known = self._comprehend(rest, names, then) and known
        return known

    def _of_subscript(self, node: ast.Subscript, names: Names) -> Any:
        holder = self._value(node.value, names)
        key = self._value(node.slice, names)
        if holder == Dotted("os.environ"):
            return environment(key, UNKNOWN)
        if isinstance(holder, dict):
            if isinstance(holder, Filling):
                self._fill(holder, key)
            if isinstance(key, str | int | float | bool):
                return got(holder, key, UNKNOWN)
            return either(list(holder.values()))
        if isinstance(holder, list | tuple):
            if isinstance(key, int) and -len(holder) <= key < len(holder):
                return holder[key]
            return either(list(holder)) if key is UNKNOWN else UNKNOWN
        if isinstance(holder, Dotted) and holder.name.endswith(".parents"):
            return UNKNOWN
        return UNKNOWN

    def _fill(self, holder: Filling, key: Any) -> None:
        """Make the entry that is asked for, where it is not there."""
        if (key if isinstance(key, str | int | float | bool) else WILD) not in holder:
            made = holder.factory
            plain: dict[Any, Any] = {Dotted("builtins.dict"): {}, Dotted("builtins.list"): []}
            value = self._made_by(made) if isinstance(made, Function) else UNKNOWN
            put(holder, key, plain.get(made, UNKNOWN) if isinstance(made, Dotted) else value)

    def _made_by(self, function: Function) -> Any:
        """What a function without arguments gives, where that is an expression."""
        return self._value(function.node.body, function.around) if isinstance(function.node, ast.Lambda) else UNKNOWN

    def _of_attribute(self, node: ast.Attribute, names: Names) -> Any:
        value = self._value(node.value, names)
        return either([self._attribute(one, node.attr) for one in alternatives(value)])

    def _attribute(self, value: Any, name: str) -> Any:
        if isinstance(value, Dotted):
            full = f"{value.name}.{name}"
            return "/" if full in ("os.sep", "os.path.sep") else Dotted(full)
        if isinstance(value, Instance):
            found = value.attributes.get(name, value.of.members.get(name, UNKNOWN))
            return Function(found.node, found.around, value, found.defaults) if isinstance(found, Function) else found
        if isinstance(value, Class):
            return value.members.get(name, UNKNOWN)
        if isinstance(value, str):
            path = PurePosixPath(value)
            if name in ("name", "stem", "suffix"):
                return str(getattr(path, name))
            if name == "parent":
                return str(path.parent)
            if name == "parents":
                return [str(one) for one in path.parents]
            return UNKNOWN
        return named(name) if value is UNKNOWN else UNKNOWN
