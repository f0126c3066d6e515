"""What an expression's text can be, without running it: the paths that programs read and write.

The one idea: a value is a small set of patterns, in which ``*`` stands for what is not known. Names lead to what is
assigned to them, parameters to what callers pass, attributes to what classes, options and settings say; a
frame remembers through which call we came, so that ``load("train")`` and ``load("test")`` stay apart.

A path that begins with ``//`` is anchored at the folder's root (it came from ``__file__``); any other is relative to
wherever the program is started.
"""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import product

from nature_gym.cut.configs import Settings
from nature_gym.cut.python_units import Binding, ClassUnit, Module, Scope, dotted_name

Values = frozenset[str]
UNKNOWN: Values = frozenset({"*"})
MAX_VALUES = 24
MAX_LENGTH = 300
MAX_DEPTH = 24
MAX_CALLERS = 40
STEPS = 3_000_000
"""Evaluations in one folder; after that everything is unknown."""
STEPS_EACH = 2_000
"""Evaluations for one path."""


@dataclass(eq=False, slots=True)
class Frame:
    """A call through which a function was entered: what its parameters are, as the caller wrote them."""

    scope: Scope
    arguments: dict[str, tuple[ast.expr, Scope, Frame | None]]


@dataclass(slots=True)
class Project:
    """All programs of a folder, to look names up in."""

    modules: list[Module]
    settings: Settings
    given: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    """Program -> option -> values that commands in scripts and READMEs give it."""
    by_name: dict[str, list[Module]] = field(default_factory=dict)
    callers: dict[str, list[tuple[ast.Call, Scope]]] = field(default_factory=dict)
    options: dict[str, list[tuple[ast.expr, Scope]]] = field(default_factory=dict)
    class_attributes: dict[str, list[tuple[Binding, Scope]]] = field(default_factory=dict)
    methods: dict[str, list[Scope]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for module in self.modules:
            parts = module.dotted.split(".")
            for start in range(len(parts)):
                self.by_name.setdefault(".".join(parts[start:]), []).append(module)
            for key, values in module.options.items():
                self.options.setdefault(key, []).extend(values)
            for unit in module.classes.values():
                for key, bindings in unit.attributes.items():
                    self.class_attributes.setdefault(key, []).extend(bindings)
                for name, method in unit.methods.items():
                    self.methods.setdefault(name, []).append(method)
            for scope in module.scopes:
                for call in scope.calls:
                    self.callers.setdefault(_called(call), []).append((call, scope))

    def module(self, dotted: str, near: Module) -> Module | None:
        """The module that ``import dotted`` in ``near`` means, if it is one of the folder's."""
        found = self.by_name.get(dotted)
        if not found:
            return None
        folder = near.folder
        return min(
            found, key=lambda each: (-len(posixpath.commonprefix([each.folder + "/", folder + "/"])), len(each.path))
        )

    def symbol(self, dotted: str, near: Module) -> tuple[Module, str] | None:
        """The module and the name in it that a full name leads to; the name is empty for the module itself."""
        if whole := self.module(dotted, near):
            return whole, ""
        base, _, name = dotted.rpartition(".")
        if base and (module := self.module(base, near)):
            if (
                name in module.imports
                and name not in module.functions
                and name not in module.classes
                and module is not near
            ):
                return self.symbol(module.imports[name], module) or (module, name)
            return module, name
        return None

    def full_name(self, node: ast.expr, scope: Scope) -> str:
        """The dotted name of what is called or named, with its import undone."""
        name = dotted_name(node)
        first, dot, rest = name.partition(".")
        return f"{scope.module.imports.get(first, first)}{dot}{rest}"

    def is_foreign(self, node: ast.expr, scope: Scope) -> bool:
        """Whether an expression is a module from outside of the folder."""
        name = dotted_name(node)
        target = scope.module.imports.get(name.partition(".")[0]) if name else None
        return target is not None and self.symbol(target, scope.module) is None

    def callees(self, call: ast.Call, scope: Scope) -> list[Scope]:
        """The functions of the folder that a call can lead to."""
        node = call.func
        if isinstance(node, ast.Name):
            return self._named(node.id, scope.module)
        if not isinstance(node, ast.Attribute):
            return []
        owner = owner_of(scope) if isinstance(node.value, ast.Name) and node.value.id == "self" else None
        if owner is not None and (method := self.method(owner, node.attr)):
            return [method]
        if (name := dotted_name(node)) and (target := scope.module.imports.get(name.partition(".")[0])):
            rest = name.partition(".")[2]
            if found := self.symbol(f"{target}.{rest}", scope.module):
                return self._named(found[1], found[0])
            if self.symbol(target, scope.module) is None:
                return []
        methods = self.methods.get(node.attr, [])
        return methods if len(methods) <= 3 and node.attr not in _COMMON_METHODS else []

    def _named(self, name: str, module: Module, depth: int = 0) -> list[Scope]:
        if name in module.functions:
            return [module.functions[name]]
        if name in module.classes:
            unit = module.classes[name]
            return [each for each in (self.method(unit, "__init__"),) if each]
        if depth < 4 and name in module.imports and (found := self.symbol(module.imports[name], module)):
            return self._named(found[1], found[0], depth + 1) if found[0] is not module else []
        for star in module.stars:
            other = self.module(star, module) if depth < 4 else None
            if other is not None and other is not module and (there := self._named(name, other, depth + 1)):
                return there
        return []

    def class_named(self, name: str, module: Module, depth: int = 0) -> ClassUnit | None:
        short = name.rpartition(".")[2]
        if name in module.classes:
            return module.classes[name]
        target = module.imports.get(name.partition(".")[0])
        if target and depth < 4:
            rest = name.partition(".")[2]
            if (found := self.symbol(f"{target}.{rest}" if rest else target, module)) and found[0] is not module:
                return self.class_named(found[1] or short, found[0], depth + 1)
        return None

    def method(self, unit: ClassUnit, name: str, depth: int = 0) -> Scope | None:
        """A method of a class or of the nearest of its bases in the folder."""
        if name in unit.methods:
            return unit.methods[name]
        for base in unit.bases if depth < 6 else ():
            found = self.class_named(base, unit.module)
            if found is not None and found is not unit and (method := self.method(found, name, depth + 1)):
                return method
        return None

    def attribute(self, unit: ClassUnit, name: str, depth: int = 0) -> list[tuple[Binding, Scope]]:
        """What an attribute of a class is bound to, there or in its bases."""
        if name in unit.attributes:
            return unit.attributes[name]
        for base in unit.bases if depth < 6 else ():
            found = self.class_named(base, unit.module)
            if found is not None and found is not unit and (bindings := self.attribute(found, name, depth + 1)):
                return bindings
        return []


_COMMON_METHODS = {
    "get",
    "load",
    "save",
    "read",
    "write",
    "fit",
    "forward",
    "run",
    "train",
    "predict",
    "transform",
    "__init__",
    "update",
    "reset",
    "step",
    "append",
    "copy",
    "close",
    "open",
    "eval",
    "items",
    "keys",
    "values",
}


def _called(call: ast.Call) -> str:
    node = call.func
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def owner_of(scope: Scope | None) -> ClassUnit | None:
    """The class inside which a scope stands."""
    while scope is not None:
        if scope.owner is not None:
            return scope.owner
        scope = scope.parent
    return None


def limited(values: Iterable[str]) -> Values:
    """At most :data:`MAX_VALUES` patterns; more are made one for each folder and suffix, or unknown."""
    kept = frozenset(value[:MAX_LENGTH] for value in values)
    if len(kept) <= MAX_VALUES:
        return kept
    groups = frozenset(posixpath.join(posixpath.dirname(each), "*" + posixpath.splitext(each)[1]) for each in kept)
    return groups if len(groups) <= MAX_VALUES else UNKNOWN


def join(*parts: str) -> str:
    """Paths put together as ``os.path.join`` does, with the folder's root kept as ``//``."""
    result = ""
    for part in parts:
        if part.startswith("/") or not result:
            result = part
        elif part:
            result = result + part if result.endswith("/") else f"{result}/{part}"
    return result


def join_all(parts: tuple[str, ...]) -> str:
    """:func:`join` of a tuple."""
    return join(*parts)


class Evaluator:
    """Answers what expressions can be, within a budget of steps."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.steps = STEPS
        self._left = STEPS_EACH
        self._active: set[tuple[int, int, int]] = set()
        self._entries: dict[tuple[Scope, int], list[Frame]] = {}
        self.touched: set[Scope] = set()
        """Scopes of which a parameter was needed, without a frame to say what it is."""

        self._handlers: dict[type, Callable[..., Iterable[str]]] = {
            ast.Constant: self._constant,
            ast.Name: self._name,
            ast.JoinedStr: self._joined,
            ast.BinOp: self._operation,
            ast.IfExp: self._either,
            ast.BoolOp: self._any,
            ast.List: self._sequence,
            ast.Tuple: self._sequence,
            ast.Set: self._sequence,
            ast.ListComp: self._comprehension,
            ast.GeneratorExp: self._comprehension,
            ast.SetComp: self._comprehension,
            ast.NamedExpr: self._walrus,
            ast.Subscript: self._subscript,
            ast.Attribute: self._attribute,
            ast.Call: self._call,
        }

    def path(self, node: ast.expr, scope: Scope, frame: Frame | None = None) -> Values:
        """The patterns that a path argument can be; ``touched`` then says on whose parameters it depends."""
        self._left = STEPS_EACH
        self.touched = set()
        return self.value(node, scope, frame)

    def value(self, node: ast.expr, scope: Scope, frame: Frame | None = None, depth: int = 0) -> Values:
        """What an expression can be; unknown where the budget is spent, or where it leads back to itself."""
        key = (id(node), id(scope), id(frame))
        if not self._may_go_on(key, depth):
            return UNKNOWN
        self._active.add(key)
        try:
            return limited(self._value(node, scope, frame, depth + 1)) or UNKNOWN
        finally:
            self._active.discard(key)

    def _may_go_on(self, key: tuple[int, int, int], depth: int) -> bool:
        self.steps -= 1
        self._left -= 1
        return self.steps >= 0 and self._left >= 0 and depth <= MAX_DEPTH and key not in self._active

    def _value(self, node: ast.expr, scope: Scope, frame: Frame | None, depth: int) -> Iterable[str]:
        handler = self._handlers.get(type(node))
        return handler(node, scope, frame, depth) if handler else UNKNOWN

    def items(self, node: ast.expr, scope: Scope, frame: Frame | None, depth: int) -> Values:
        """What a loop over an expression runs over."""
        key = (-id(node), id(scope), id(frame))
        if not self._may_go_on(key, depth):
            return UNKNOWN
        self._active.add(key)
        try:
            return self._items(node, scope, frame, depth + 1)
        finally:
            self._active.discard(key)

    def _items(self, node: ast.expr, scope: Scope, frame: Frame | None, depth: int) -> Values:
        match node:
            case ast.List() | ast.Tuple() | ast.Set():
                return limited(v for each in node.elts for v in self.value(each, scope, frame, depth))
            case ast.Dict():
                return limited(v for each in node.keys if each for v in self.value(each, scope, frame, depth))
            case ast.Name():
                found: set[str] = set()
                for binding, where, inner in self._bindings(node.id, scope, frame):
                    if binding.how == "value":
                        found |= self.items(binding.value, where, inner, depth)
                    else:
                        found |= self.value(binding.value, where, inner, depth)
                return limited(found) or self.value(node, scope, frame, depth)
            case ast.Call():
                return self._items_of_call(node, scope, frame, depth)
            case ast.Attribute() | ast.Subscript():
                chain = self._chain(node)
                if values := self.project.settings.lookup(chain) or self.project.settings.children(chain):
                    return limited(values)
        return self.value(node, scope, frame, depth)

    def _items_of_call(self, node: ast.Call, scope: Scope, frame: Frame | None, depth: int) -> Values:
        name = _called(node)
        if (
            name in {"sorted", "list", "set", "tuple", "reversed", "tqdm", "enumerate", "natsorted", "trange", "track"}
            and node.args
        ):
            return self.items(node.args[0], scope, frame, depth + 1)
        if name in {"values", "keys", "items"} and isinstance(node.func, ast.Attribute):
            base = node.func.value
            for literal, where, inner in self._literals(base, scope, frame):
                if isinstance(literal, ast.Dict):
                    parts = literal.values if name == "values" else [key for key in literal.keys if key]
                    return limited(v for each in parts for v in self.value(each, where, inner, depth))
            if name == "values" and (found := self.project.settings.children(self._chain(base))):
                return limited(found)
            return UNKNOWN
        if (
            name == "range"
            and node.args
            and len(node.args) <= 2
            and all(isinstance(each, ast.Constant) for each in node.args)
        ):
            bounds = [
                each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, int)
            ]
            if len(bounds) == len(node.args):
                return limited(map(str, range(*bounds)[: MAX_VALUES + 1])) if len(range(*bounds)) <= 12 else UNKNOWN
        return self.value(node, scope, frame, depth)

    def _literals(
        self, node: ast.expr, scope: Scope, frame: Frame | None
    ) -> list[tuple[ast.expr, Scope, Frame | None]]:
        """The displays (dictionaries, lists) that an expression can be."""
        if isinstance(node, ast.Dict | ast.List | ast.Tuple):
            return [(node, scope, frame)]
        if isinstance(node, ast.Name):
            return [(b.value, s, f) for b, s, f in self._bindings(node.id, scope, frame) if b.how == "value"]
        if isinstance(node, ast.Attribute) and (owner := owner_of(scope)):
            return [(b.value, s, None) for b, s in self.project.attribute(owner, node.attr) if b.how == "value"]
        return []

    def _bindings(self, name: str, scope: Scope, frame: Frame | None) -> list[tuple[Binding, Scope, Frame | None]]:
        """What a name is bound to, in its scope, around it, or in the module that it is imported from."""
        where: Scope | None = scope
        while where is not None:
            inner = frame if frame is not None and frame.scope is where else None
            found: list[tuple[Binding, Scope, Frame | None]] = []
            if name in where.params:
                found.extend(self._parameter(name, where, inner))
            found.extend((each, where, inner) for each in where.bindings.get(name, ()))
            if found or name in where.params:
                return found
            where = where.parent
        return self._imported(name, scope.module)

    def _imported(self, name: str, module: Module, depth: int = 0) -> list[tuple[Binding, Scope, Frame | None]]:
        target = module.imports.get(name)
        if target and (found := self.project.symbol(target, module)) and found[1]:
            there = found[0]
            if bindings := there.top.bindings.get(found[1]):
                return [(each, there.top, None) for each in bindings]
            return self._imported(found[1], there, depth + 1) if there is not module and depth < 4 else []
        for star in module.stars:
            other = self.project.module(star, module)
            if other is not None and other is not module:
                if bindings := other.top.bindings.get(name):
                    return [(each, other.top, None) for each in bindings]
                if depth < 3 and (further := self._imported(name, other, depth + 1)):
                    return further
        return []

    def _parameter(self, name: str, scope: Scope, frame: Frame | None) -> list[tuple[Binding, Scope, Frame | None]]:
        if frame is not None:
            if name in frame.arguments:
                value, where, outer = frame.arguments[name]
                return [(Binding("value", value), where, outer)]
            default = scope.defaults.get(name)
            return [(Binding("value", default), scope.parent or scope, None)] if default is not None else []
        self.touched.add(scope)
        found: list[tuple[Binding, Scope, Frame | None]] = []
        default = scope.defaults.get(name)
        if default is not None and not (isinstance(default, ast.Constant) and default.value is None):
            found.append((Binding("value", default), scope.parent or scope, None))
        for each in self.entries(scope):
            if name in each.arguments:
                value, where, outer = each.arguments[name]
                found.append((Binding("value", value), where, outer))
        return found

    def entries(self, scope: Scope, limit: int = MAX_CALLERS) -> list[Frame]:
        """The calls through which a function of the folder is entered, at most ``limit``."""
        key = (scope, limit)
        if key not in self._entries:
            self._entries[key] = self._enterings(scope, limit)
        return self._entries[key]

    def _enterings(self, scope: Scope, limit: int) -> list[Frame]:
        found: list[Frame] = []
        for call, where in self.project.callers.get(scope.called, ()):
            if where is scope or (
                isinstance(call.func, ast.Attribute) and self.project.is_foreign(call.func.value, where)
            ):
                continue
            if isinstance(call.func, ast.Name) and scope not in self.project.callees(call, where):
                continue
            found.append(self.enter(call, where, scope, None))
            if len(found) >= limit:
                break
        return found

    def enter(self, call: ast.Call, where: Scope, scope: Scope, outer: Frame | None) -> Frame:
        """The frame of ``scope`` when it is entered by ``call``."""
        params = (
            scope.params[1:] if scope.owner is not None and scope.params[:1] in {("self",), ("cls",)} else scope.params
        )
        arguments: dict[str, tuple[ast.expr, Scope, Frame | None]] = {}
        for name, value in zip(params, call.args, strict=False):
            if isinstance(value, ast.Starred):
                break
            arguments[name] = (value, where, outer)
        for keyword in call.keywords:
            if keyword.arg:
                arguments[keyword.arg] = (keyword.value, where, outer)
        return Frame(scope, arguments)

    # -- kinds of expressions --------------------------------------------------------

    def _constant(self, node: ast.Constant, _scope: Scope, _frame: Frame | None, _depth: int) -> Iterable[str]:
        value = node.value
        if isinstance(value, str):
            return {value[:MAX_LENGTH]}
        if isinstance(value, bytes):
            return {value[:MAX_LENGTH].decode(errors="replace")}
        number = isinstance(value, int | float) and not isinstance(value, bool)
        return {repr(value)} if number else ()

    def _name(self, node: ast.Name, scope: Scope, frame: Frame | None, depth: int) -> Iterable[str]:
        if node.id == "__file__":
            return {f"//{scope.module.path}"}
        found: set[str] = set()
        for binding, where, inner in self._bindings(node.id, scope, frame)[:MAX_CALLERS]:
            if binding.how == "item":
                found |= self.items(binding.value, where, inner, depth)
            else:
                found |= self.value(binding.value, where, inner, depth)
        return found

    def _joined(self, node: ast.JoinedStr, scope: Scope, frame: Frame | None, depth: int) -> Iterable[str]:
        parts: list[Values] = []
        for each in node.values:
            if isinstance(each, ast.FormattedValue):
                formatted = each.format_spec is not None
                parts.append(UNKNOWN if formatted else self.value(each.value, scope, frame, depth))
            else:
                parts.append(self.value(each, scope, frame, depth))
        return _products("".join, parts)

    def _operation(self, node: ast.BinOp, scope: Scope, frame: Frame | None, depth: int) -> Iterable[str]:
        if isinstance(node.op, ast.Mod):
            return self._percent(node, scope, frame, depth)
        if not isinstance(node.op, ast.Add | ast.Div):
            return UNKNOWN
        left = self.value(node.left, scope, frame, depth)
        right = self.value(node.right, scope, frame, depth)
        glue: Callable[[tuple[str, ...]], str] = "".join if isinstance(node.op, ast.Add) else join_all
        return _products(glue, [left, right])

    def _percent(self, node: ast.BinOp, scope: Scope, frame: Frame | None, depth: int) -> Iterable[str]:
        right = node.right
        arguments = right.elts if isinstance(right, ast.Tuple) else [right]
        values = [self.value(each, scope, frame, depth) for each in arguments]
        found: set[str] = set()
        for template in self.value(node.left, scope, frame, depth):
            pieces = re.split(r"%(?:\(\w+\))?[-+ #0]*[\d.*]*[a-zA-Z]", template)
            named = "%(" in template
            slots = [UNKNOWN if named or place >= len(values) else values[place] for place in range(len(pieces) - 1)]
            found |= set(_products(lambda parts, p=pieces: _interleave(p, parts), slots))  # type: ignore[misc]
        return found

    def _either(self, node: ast.IfExp, scope: Scope, frame: Frame | None, depth: int) -> Iterable[str]:
        return self.value(node.body, scope, frame, depth) | self.value(node.orelse, scope, frame, depth)

    def _any(self, node: ast.BoolOp, scope: Scope, frame: Frame | None, depth: int) -> Iterable[str]:
        return frozenset().union(*(self.value(each, scope, frame, depth) for each in node.values))

    def _sequence(self, node: ast.expr, scope: Scope, frame: Frame | None, depth: int) -> Iterable[str]:
        return self.items(node, scope, frame, depth)

    def _comprehension(
        self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp, scope: Scope, frame: Frame | None, depth: int
    ) -> Iterable[str]:
        return self.value(node.elt, scope, frame, depth)

    def _walrus(self, node: ast.NamedExpr, scope: Scope, frame: Frame | None, depth: int) -> Iterable[str]:
        return self.value(node.value, scope, frame, depth)

    def _subscript(self, node: ast.Subscript, scope: Scope, frame: Frame | None, depth: int) -> Iterable[str]:
        key = node.slice.value if isinstance(node.slice, ast.Constant) else None
        for literal, where, inner in self._literals(node.value, scope, frame):
            if isinstance(literal, ast.Dict):
                chosen = [v for k, v in zip(literal.keys, literal.values, strict=True)
                          if key is None or (isinstance(k, ast.Constant) and k.value == key)]  # fmt: skip
                return limited(v for each in chosen for v in self.value(each, where, inner, depth))
            if isinstance(literal, ast.List | ast.Tuple):
                chosen = literal.elts[key : key + 1] if isinstance(key, int) and key >= 0 else literal.elts
                return limited(v for each in chosen for v in self.value(each, where, inner, depth))
        if isinstance(node.value, ast.Call) and _called(node.value) in {"splitext", "split"} and node.value.args:
            whole = self.value(node.value.args[0], scope, frame, depth)
            return {_part(each, _called(node.value), key) for each in whole}
        if isinstance(node.value, ast.Attribute) and node.value.attr == "parents" and isinstance(key, int):
            return {_up(each, key + 1) for each in self.value(node.value.value, scope, frame, depth)}
        if dotted_name(node.value) == "sys.argv" and isinstance(key, int):
            return _and_others(self.project.given.get(scope.module.path, {}).get(f"#{key}", ["*"]))
        if isinstance(node.value, ast.Attribute) and node.value.attr in {"processed_paths", "raw_paths"}:
            return {f"*/{node.value.attr.partition('_')[0]}/*"}
        return self._keyed(node, scope, depth) if isinstance(key, str) else UNKNOWN

    def _keyed(self, node: ast.Subscript | ast.Attribute, scope: Scope, depth: int) -> Iterable[str]:
        """A value by its key: from an option, an assignment to such a key, or the settings files."""
        key = node.attr if isinstance(node, ast.Attribute) else str(getattr(node.slice, "value", ""))
        module = scope.module
        given = self.project.given.get(module.path, {}).get(key, [])
        bound = [
            *module.options.get(key, ()),
            *((b.value, s) for b, s in module.attributes.get(key, ()) if b.how == "value"),
        ]
        if not bound and not given:
            bound = self.project.options.get(key, [])[:8]
        found = {v for value, where in bound[:12] for v in self.value(value, where, None, depth)}
        if found or given:
            is_open = (given or key in module.options) and len(bound) <= 1 and not _PLACE.search(key)
            return _and_others({*found, *given}) if is_open else {*found, *given}
        if settings := self.project.settings.lookup(self._chain(node)):
            return settings
        if isinstance(node, ast.Attribute):
            others = self.project.class_attributes.get(key, [])
            if 0 < len(others) <= 6:
                return {v for b, s in others for v in self.value(b.value, s, None, depth)}
        return UNKNOWN

    def _chain(self, node: ast.expr) -> tuple[str, ...]:
        keys: list[str] = []
        while True:
            if isinstance(node, ast.Attribute):
                keys.append(node.attr)
                node = node.value
            elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
                keys.append(str(node.slice.value))
                node = node.value
            elif (
                isinstance(node, ast.Call)
                and _called(node) in {"get", "getint", "getfloat"}
                and isinstance(node.func, ast.Attribute)
            ):
                keys.extend(str(each.value) for each in reversed(node.args[:2]) if isinstance(each, ast.Constant))
                node = node.func.value
            else:
                return tuple(reversed(keys))

    def _attribute(self, node: ast.Attribute, scope: Scope, frame: Frame | None, depth: int) -> Iterable[str]:
        base, name = node.value, node.attr
        if name in _PATH_PARTS:
            return {_PATH_PARTS[name](each) for each in self.value(base, scope, frame, depth)}
        if name in {"processed_dir", "raw_dir"}:
            return {f"*/{name.partition('_')[0]}"}
        bindings = self._attribute_bindings(base.id, name, scope) if isinstance(base, ast.Name) else []
        found: set[str] = set()
        for binding, where in bindings[:MAX_VALUES]:
            ask = self.items if binding.how == "item" else self.value
            found |= ask(binding.value, where, None, depth)
        return found or self._keyed(node, scope, depth)

    def _attribute_bindings(self, base: str, name: str, scope: Scope) -> list[tuple[Binding, Scope]]:
        """What ``base.name`` is bound to, where ``base`` is ``self``, a class or a module of the folder."""
        if base in {"self", "cls"} and (owner := owner_of(scope)):
            if bindings := self.project.attribute(owner, name):
                return bindings
            method = self.project.method(owner, name)  # a property
            return [(Binding("value", each), method) for each in method.returns] if method else []
        if unit := self.project.class_named(base, scope.module):
            return self.project.attribute(unit, name)
        target = scope.module.imports.get(base)
        found = self.project.symbol(target, scope.module) if target else None
        if found is None or found[1]:
            return []
        return [(each, found[0].top) for each in found[0].top.bindings.get(name, ())]

    def _call(self, node: ast.Call, scope: Scope, frame: Frame | None, depth: int) -> Iterable[str]:
        full = self.project.full_name(node.func, scope)
        found: Iterable[str] | None = None
        if full in _JOINS:
            found = _products(join_all, [self.value(each, scope, frame, depth) for each in node.args])
        elif full in _HERE:
            found = {"."}
        elif full in {"os.environ.get", "os.getenv", "getattr", "environ.get"}:
            found = self.value(node.args[-1], scope, frame, depth) if len(node.args) >= 2 else UNKNOWN
        elif full in _SAME and node.args:
            found = self.value(node.args[0], scope, frame, depth)
        elif full in _PATHS and node.args:
            found = {_PATHS[full](each) for each in self.value(node.args[0], scope, frame, depth)}
        elif isinstance(node.func, ast.Attribute):
            found = self._method(node, node.func, scope, frame, depth)
        return self._returned(node, scope, frame, depth) if found is None else found

    def _method(
        self, node: ast.Call, function: ast.Attribute, scope: Scope, frame: Frame | None, depth: int
    ) -> Iterable[str] | None:
        """What a method of a text, a path or a mapping gives; None where it is no such method."""
        base, name = function.value, function.attr
        if name in _METHODS_SAME:
            return self.value(base, scope, frame, depth)
        if name == "format":
            return self._format(node, base, scope, frame, depth)
        if name in {"get", "getint"} and node.args and isinstance(node.args[0], ast.Constant):
            return self._got(node, base, scope, frame, depth)
        if name in _PATH_METHODS and not (name in {"glob", "rglob"} and self.project.is_foreign(base, scope)):
            arguments = [self.value(each, scope, frame, depth) for each in (base, *node.args)]
            return _products(lambda parts: _PATH_METHODS[name](*parts), arguments)
        return None

    def _got(self, node: ast.Call, base: ast.expr, scope: Scope, frame: Frame | None, depth: int) -> Iterable[str]:
        """``mapping.get(key, default)``: of a display, of the settings, else the default."""
        found = frozenset(self._subscript(ast.Subscript(base, node.args[0], ast.Load()), scope, frame, depth))
        if found - UNKNOWN:
            return found
        chained = self.project.settings.lookup(self._chain(node))
        return chained or (self.value(node.args[1], scope, frame, depth) if len(node.args) > 1 else UNKNOWN)

    def _format(self, node: ast.Call, base: ast.expr, scope: Scope, frame: Frame | None, depth: int) -> Iterable[str]:
        keywords = {each.arg: each.value for each in node.keywords if each.arg}
        found: set[str] = set()
        for template in self.value(base, scope, frame, depth):
            pieces: list[str] = [""]
            slots: list[Values] = []
            for place, (literal, name, spec) in enumerate(_fields(template)):
                pieces[-1] += literal
                if name is None:
                    continue
                chosen = keywords.get(name) if name and not name.isdigit() else None
                number = int(name) if name.isdigit() else place
                if chosen is None and number < len(node.args) and not isinstance(node.args[number], ast.Starred):
                    chosen = node.args[number]
                slots.append(UNKNOWN if chosen is None or spec else self.value(chosen, scope, frame, depth))
                pieces.append("")
            found |= set(_products(lambda parts, p=tuple(pieces): _interleave(p, parts), slots))  # type: ignore[misc]
        return found

    def _returned(self, node: ast.Call, scope: Scope, frame: Frame | None, depth: int) -> Iterable[str]:
        found: set[str] = set()
        for function in self.project.callees(node, scope)[:3]:
            if function.short == "__init__":
                continue
            inner = self.enter(node, scope, function, frame)
            for each in function.returns[:6]:
                found |= self.value(each, function, inner, depth)
        return found or UNKNOWN


def _products(glue: Callable[[tuple[str, ...]], str], parts: list[Values]) -> Values:
    """All combinations put together; with too many, the widest part becomes unknown."""
    parts = [part or UNKNOWN for part in parts]
    size = 1
    for place, part in enumerate(parts):
        if size * len(part) > MAX_VALUES * 2:
            parts[place] = UNKNOWN
        size *= len(parts[place])
    return limited(glue(each) for each in product(*parts))


def _interleave(pieces: Iterable[str], parts: tuple[str, ...]) -> str:
    result = ""
    for place, piece in enumerate(pieces):
        result += piece + (parts[place] if place < len(parts) else "")
    return result


def _fields(template: str) -> list[tuple[str, str | None, str]]:
    from string import Formatter

    try:
        return [(literal, name, spec or "") for literal, name, spec, _ in Formatter().parse(template)]
    except ValueError:
        return [(template, None, "")]


def _up(path: str, levels: int = 1) -> str:
    for _ in range(levels):
        path = _dirname(path)
    return path


def _dirname(path: str) -> str:
    if path in {".", ""}:
        return ".."
    if path.startswith("//"):
        return "//" + posixpath.dirname(path[2:].rstrip("/"))
    return posixpath.dirname(path.rstrip("/")) or ("*" if path == "*" else ".")


def _basename(path: str) -> str:
    return posixpath.basename(path.rstrip("/"))


def _part(path: str, how: str, key: object) -> str:
    if how == "split":
        return _dirname(path) if key == 0 else _basename(path)
    stem, suffix = posixpath.splitext(path)
    return stem if key == 0 else suffix


def _stem(path: str) -> str:
    return posixpath.splitext(_basename(path))[0]


def _renamed(how: str, path: str, new: str) -> str:
    if how == "with_suffix":
        return posixpath.splitext(path)[0] + new
    return join(_dirname(path), new if how == "with_name" else new + posixpath.splitext(path)[1])


def _replaced(text: str, old: str = "*", new: str = "*", *_: str) -> str:
    return text.replace(old, new) if old != "*" else "*"


_PATH_METHODS: dict[str, Callable[..., str]] = {
    "joinpath": join,
    "glob": join,
    "rglob": lambda base, name="*", *_: join(base, "*", name),
    "iterdir": lambda base, *_: join(base, "*"),
    "with_suffix": lambda base, new="*", *_: _renamed("with_suffix", base, new),
    "with_name": lambda base, new="*", *_: _renamed("with_name", base, new),
    "with_stem": lambda base, new="*", *_: _renamed("with_stem", base, new),
    "replace": _replaced,
}
_PATH_PARTS: dict[str, Callable[[str], str]] = {"parent": _dirname, "stem": _stem}
_PATHS: dict[str, Callable[[str], str]] = {"os.path.dirname": _dirname, "os.path.basename": _basename}
_JOINS = {
    "os.path.join",
    "posixpath.join",
    "pathlib.Path",
    "pathlib.PurePath",
    "os.path.join.join",
    "pathlib.PosixPath",
    "Path",
    "path.join",
    "osp.join",
}
_SAME = {
    "str",
    "os.path.abspath",
    "os.path.realpath",
    "os.path.normpath",
    "os.path.expanduser",
    "os.path.expandvars",
    "os.fspath",
    "hydra.utils.to_absolute_path",
    "to_absolute_path",
    "pathlib.Path.resolve",
    "repr",
    "os.path.relpath",
    "int",
    "tqdm.tqdm",
    "pandas.ExcelFile",
    "inspect.getfile",
    "open",
    "codecs.open",
    "io.open",
    "gzip.open",
    "h5py.File",
    "sorted",
    "list",
}
_HERE = {
    "os.getcwd",
    "pathlib.Path.cwd",
    "Path.cwd",
    "hydra.utils.get_original_cwd",
    "get_original_cwd",
    "pathlib.Path.home",
}
_METHODS_SAME = {
    "resolve",
    "absolute",
    "expanduser",
    "as_posix",
    "strip",
    "rstrip",
    "lstrip",
    "lower",
    "upper",
    "open",
    "parse_args",
    "encode",
    "decode",
    "title",
}


_PLACE = re.compile(r"dir|folder|path|root|file", re.IGNORECASE)
"""Options that name a place: what is given is where it lies, and no choice among alike things."""


def _and_others(given: Iterable[str]) -> set[str]:
    """The values an option is known to get; a bare name, as of a data set, stands for others of its kind as well."""
    values = set(given)
    return values | {"*"} if any(re.fullmatch(r"[A-Za-z]\w*|\d+[A-Za-z]\w*", each) for each in values) else values
