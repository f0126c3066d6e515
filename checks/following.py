"""What a Python source would read, followed through its syntax tree; nothing of it is run.

The idea: a small interpreter of ours goes through the source with what is known: constants, paths, loops over lists
that are known, calls of functions of the source. What is not known stays unknown, both branches of a condition that is
not known are followed, and every path that reaches a call which is not ours to follow is noted with its line. Steps,
depth, and the size of every value are bounded, whatever the source.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from checks.library import LIBRARY, MOST_ROUNDS, environment, sequence
from checks.texts import formatted, of_text, plain_text
from checks.values import (
    LONGEST,
    MOST,
    OUTPUT,
    PACKAGE,
    ROOT,
    UNKNOWN,
    WILD,
    Class,
    Dotted,
    Either,
    Function,
    Instance,
    alternatives,
    either,
    is_path,
    join,
    matching,
    named,
    placed,
)

MOST_STEPS = 150_000
DEEPEST = 24
ENTRIES = ("run_evaluation", "evaluate", "main")
TESTS = {
    "exists",
    "is_file",
    "is_dir",
    "isfile",
    "isdir",
    "stat",
    "lstat",
    "getsize",
    "is_symlink",
    "lexists",
    "islink",
    "access",
}
WRITES = {
    "mkdir",
    "makedirs",
    "write_text",
    "write_bytes",
    "unlink",
    "touch",
    "dump",
    "savez",
    "save",
    "to_csv",
    "rename",
}
LISTS = {"glob", "rglob", "iterdir"}
Flow = str


@dataclass(frozen=True, slots=True)
class Reading:
    """A path that reaches a call: ``place`` in the package or below 'output', the call's name, and where.

    ``verb`` is read, test (does it exist), write or list; ``optional`` where it stands under a test of its existence.
    """

    place: str
    call: str
    verb: str
    line: int
    column: int
    optional: bool = False


class _Enough(Exception):  # noqa: N818 -- no error: the budget is spent
    pass


class Names(dict[str, Any]):
    """The names of a function; those that it has not are looked up around it."""

    def __init__(self, around: Names | None = None) -> None:
        super().__init__()
        self.around = around

    def find(self, name: str) -> Any:
        """The value of a name."""
        here: Names | None = self
        while here is not None:
            if name in here:
                return here[name]
            here = here.around
        return Dotted(f"builtins.{name}")

    def copy(self) -> Names:
        """The same names, to be changed apart."""
        again = Names(self.around)
        again.update(self)
        return again


class Follower:
    """Follows one source. ``names`` are the entries of the package, for folders that are listed."""

    def __init__(self, tree: ast.Module, script: str, names: Iterable[str] = ()) -> None:
        self.tree = tree
        self.names = names if isinstance(names, dict) else dict.fromkeys(names)
        self.globals = Names()
        self.globals.update({"__file__": f"{PACKAGE}/{script}", "__name__": "__main__"})
        self.readings: dict[Reading, None] = {}
        self.returned: dict[str, Any] = {}
        self.complete = True
        self._called: set[str] = set()
        self._steps = 0
        self._depth = 0
        self._optional: list[str] = []

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

    def _whole(self, work: Callable[[], Any]) -> None:
        try:
            work()
        except (_Enough, RecursionError):
            self.complete = False

    def _step(self) -> None:
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise _Enough

    # -- statements --------------------------------------------------------------------------

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
        load = ast.parse(ast.unparse(node.target), mode="eval").body if isinstance(node.target, ast.Name) else None
        value = self._value(node.value, names)
        before = self._value(load, names) if load is not None else UNKNOWN
        self._bind(node.target, self._operate(node.op, before, value), names)

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
            if isinstance(holder, dict) and isinstance(key, str | int) and len(holder) < MOST:
                holder[key] = value
        elif isinstance(target, ast.Attribute):
            holder = self._value(target.value, names)
            if isinstance(holder, Instance):
                holder.attributes[target.attr] = value

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
        ends_yes = self._block(node.body, yes)
        del self._optional[len(self._optional) - (len(tested) if not negated else 0) :]
        ends_no = self._block(node.orelse, no)
        if ends_yes and ends_no:
            return ends_yes if ends_yes == ends_no else "return"
        for one in ([] if ends_yes else [yes]), ([] if ends_no else [no]):
            for side in one:
                for name, value in side.items():
                    names[name] = value if ends_yes or ends_no else either([yes.get(name, value), no.get(name, value)])
        return None

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

    def _do_try(self, node: ast.Try, names: Names) -> Flow | None:
        flow = self._block(node.body, names)
        for handler in node.handlers:
            inside = names.copy()
            self._block(handler.body, inside)
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

    def _do_classdef(self, node: ast.ClassDef, names: Names) -> None:
        inside = Names(names)
        self._block(node.body, inside)
        fields = [
            one.target.id for one in node.body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
        ]
        names[node.name] = Class(node.name, dict(inside), fields)

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

    # -- expressions -------------------------------------------------------------------------

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
                found.update(entry if isinstance(entry, dict) else {})
            elif isinstance(name := self._value(key, names), str | int | float | bool | tuple) and _hashable(name):
                found[name] = entry
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
        if all(isinstance(one, plain) for one in right) and (isinstance(left, str) or not isinstance(right, str)):
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
            key, value = self._value(node.key, inside), self._value(node.value, inside)
            if isinstance(key, str | int):
                found[key] = value

        return found if self._comprehend(node.generators, Names(names), add) else UNKNOWN

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
            if isinstance(key, str | int | float | bool):
                return holder.get(key, UNKNOWN)
            return either(list(holder.values()))
        if isinstance(holder, list | tuple):
            if isinstance(key, int) and -len(holder) <= key < len(holder):
                return holder[key]
            return either(list(holder)) if key is UNKNOWN else UNKNOWN
        if isinstance(holder, Dotted) and holder.name.endswith(".parents"):
            return UNKNOWN
        return UNKNOWN

    def _of_attribute(self, node: ast.Attribute, names: Names) -> Any:
        value = self._value(node.value, names)
        return either([self._attribute(one, node.attr) for one in alternatives(value)])

    def _attribute(self, value: Any, name: str) -> Any:
        if isinstance(value, Dotted):
            return Dotted(f"{value.name}.{name}")
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

    # -- calls -------------------------------------------------------------------------------

    def _of_call(self, node: ast.Call, names: Names) -> Any:
        given: list[Any] = []
        for one in node.args:
            if isinstance(one, ast.Starred):
                given += sequence(self._value(one.value, names)) or [UNKNOWN]
            else:
                given.append(self._value(one, names))
        keywords: dict[str, Any] = {}
        for keyword in node.keywords:
            value = self._value(keyword.value, names)
            if keyword.arg is None:
                keywords.update({str(k): v for k, v in value.items()} if isinstance(value, dict) else {})
            else:
                keywords[keyword.arg] = value
        if isinstance(node.func, ast.Attribute):
            holder = self._value(node.func.value, names)
            results = [self._method(node, one, given, keywords) for one in alternatives(holder)]
            return either(results)
        return either([self._apply(node, one, given, keywords) for one in alternatives(self._value(node.func, names))])

    def _method(self, node: ast.Call, holder: Any, given: list[Any], keywords: dict[str, Any]) -> Any:
        assert_name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if isinstance(holder, Dotted | Instance | Class):
            return self._apply(node, self._attribute(holder, assert_name), given, keywords)
        if isinstance(holder, str):
            return self._of_text(node, holder, assert_name, given, keywords)
        if isinstance(holder, dict):
            return self._of_mapping(holder, assert_name, given)
        if isinstance(holder, list) and assert_name in ("append", "extend", "add"):
            more = given[:1] if assert_name != "extend" else (sequence(given[0]) if given else None) or []
            if len(holder) + len(more) < MOST:
                holder += more
            return None
        self._note(node, assert_name, [*given, *keywords.values()], keywords)
        return UNKNOWN

    def _of_mapping(self, holder: dict[Any, Any], name: str, given: list[Any]) -> Any:
        match name:
            case "items":
                return list(holder.items())
            case "keys":
                return list(holder)
            case "values":
                return list(holder.values())
            case "get" | "pop" | "setdefault" if given and isinstance(given[0], str | int):
                return holder.get(given[0], given[1] if len(given) > 1 else None)
            case "get":
                return either(list(holder.values()))
            case "update" if given and isinstance(given[0], dict) and len(holder) + len(given[0]) < MOST:
                holder.update(given[0])
            case "copy":
                return dict(holder)
        return UNKNOWN

    def _of_text(self, node: ast.Call, text: str, name: str, given: list[Any], keywords: dict[str, Any]) -> Any:
        if name in LISTS:
            pattern = given[0] if given and isinstance(given[0], str) else "*"
            return self._listed(node, text, pattern, deep=name == "rglob")
        known, value = of_text(text, name, given, keywords)
        if not known:
            self._note(node, name, [text], {**keywords, "mode": keywords.get("mode", given[0] if given else "r")})
        return value

    def _listed(self, node: ast.Call, folder: str, pattern: str, *, deep: bool = False) -> Any:
        self._steps += len(self.names) // 8
        where = placed(folder)
        self._note(node, "list", [folder], {}, verb="list")
        if not where or where.startswith("output"):
            return UNKNOWN
        inside = "**" if deep else pattern
        if deep or "**" in pattern:
            return UNKNOWN
        found = list(matching(f"{where}/{inside}", self.names))
        return [f"{PACKAGE}/{one}" for one in found[:MOST]]

    def _apply(self, node: ast.Call, function: Any, given: list[Any], keywords: dict[str, Any]) -> Any:
        if isinstance(function, Function):
            return self._call(function, given, keywords)
        if isinstance(function, Class):
            return self._construct(function, given, keywords)
        if not isinstance(function, Dotted):
            self._note(node, "", [*given, *keywords.values()], keywords)
            return UNKNOWN
        known, value = self._library(node, function.name, given, keywords)
        if not known:
            mode = keywords.get("mode", given[1] if len(given) > 1 and function.name.endswith("open") else "r")
            self._note(node, function.name, [*given, *keywords.values()], {"mode": mode})
        return value

    def _construct(self, of: Class, given: list[Any], keywords: dict[str, Any]) -> Any:
        made = Instance(of)
        start = of.members.get("__init__")
        if isinstance(start, Function):
            self._call(Function(start.node, start.around, made, start.defaults), given, keywords)
        else:
            made.attributes.update({**dict(zip(of.fields, given, strict=False)), **keywords})
        return made

    def _library(self, node: ast.Call, name: str, given: list[Any], keywords: dict[str, Any]) -> tuple[bool, Any]:
        """(known to us, what comes of it)."""
        first = given[0] if given else UNKNOWN
        if isinstance(first, str) and name in ("os.listdir", "os.scandir"):
            found = self._listed(node, first, "*")
            return True, [PurePosixPath(one).name for one in found] if isinstance(found, list) else UNKNOWN
        if isinstance(first, str) and name in ("glob.glob", "glob.iglob"):
            path = PurePosixPath(first)
            return True, self._listed(node, str(path.parent), path.name)
        known = LIBRARY.get(name.removeprefix("builtins."))
        return (False, UNKNOWN) if known is None else (True, known(given, keywords))

    def _call(self, function: Function, given: list[Any], keywords: dict[str, Any]) -> Any:
        """Follow a function of the source."""
        if self._depth >= DEEPEST:
            return UNKNOWN
        node = function.node
        self._called.add(getattr(node, "name", ""))
        names = Names(function.around)
        arguments = node.args
        positional = [one.arg for one in (*arguments.posonlyargs, *arguments.args)]
        if function.owner is not None:
            given = [function.owner, *given]
        for one in (*positional, *(one.arg for one in arguments.kwonlyargs)):
            names[one] = function.defaults[one] if one in function.defaults else named(one)
        names.update(dict(zip(positional, given, strict=False)))
        names.update({name: value for name, value in keywords.items() if name in names})
        if arguments.vararg is not None:
            names[arguments.vararg.arg] = given[len(positional) :]
        if arguments.kwarg is not None:
            names[arguments.kwarg.arg] = {name: value for name, value in keywords.items() if name not in names}
        self._depth += 1
        try:
            if isinstance(node, ast.Lambda):
                return self._value(node.body, names)
            names["return"], names["yield"] = [], []
            returned, yielded = names["return"], names["yield"]
            self._block(node.body, names)
        finally:
            self._depth -= 1
        value = yielded or (either(returned) if returned else None)
        self.returned[node.name] = value
        return value

    # -- notes -------------------------------------------------------------------------------

    def _note(self, node: ast.Call, name: str, values: list[Any], keywords: dict[str, Any], *, verb: str = "") -> None:
        """Note the paths among the values that a call is given."""
        short = name.rpartition(".")[2]
        mode = keywords.get("mode", "r")
        if not verb:
            writes = short in WRITES or (short == "open" and isinstance(mode, str) and mode[:1] in ("w", "a", "x"))
            verb = "test" if short in TESTS else "write" if writes else "read"
        for value in values:
            for one in _paths(value):
                if place := placed(one):
                    optional = any(place == tested or place.startswith(f"{tested}/") for tested in self._optional)
                    self.readings[Reading(place, name, verb, node.lineno, node.col_offset + 1, optional)] = None


def _paths(value: Any, depth: int = 0) -> Iterator[str]:
    for one in alternatives(value):
        if is_path(one) or (isinstance(one, str) and "/" in one):
            yield one
        elif isinstance(one, list | tuple) and depth < 3:
            for part in one[:MOST_ROUNDS]:
                yield from _paths(part, depth + 1)


def _hashable(value: Any) -> bool:
    return not isinstance(value, tuple) or all(isinstance(one, str | int | float | bool) for one in value)


__all__ = ["OUTPUT", "ROOT", "Follower", "Reading"]
