"""What each expression is made of: the half of :mod:`nature_gym.judging.tracing` that looks at values."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import PurePosixPath
from typing import Any

from nature_gym.judging import calls
from nature_gym.judging.given import Given, Role, literal
from nature_gym.judging.origins import (
    DATA,
    LONGEST_TEXT,
    NOTHING,
    Label,
    Value,
    shape_of,
    through_condition,
    union,
)
from nature_gym.judging.program import Program
from nature_gym.judging.scopes import Scope, Scopes

LEAST_LITERAL = 16
"""So many values written down together are more than settings."""
LEAST_IDS = 5
LEAST_BLOB = 200
_PLACES = {"OUTPUT_DIR": "out", "DATA_DIR": "data_dir", "EVAL_SERVICE_URL": "service", "EVAL_TOKEN": "service"}
_SERVICE = re.compile(r"(?:^|/)evaluate$|127\.0\.0\.1:8321|/best_score")
_TEST_KEY = re.compile(r"(?:^|_)(?:test|eval|query)|test(?:_|$)", re.IGNORECASE)
_TRAIN_KEY = re.compile(r"(?:^|_)(?:train|dev|val|fit)|train(?:_|$)", re.IGNORECASE)
_BLOB = re.compile(r"[A-Za-z0-9+/=_-]{120,}")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_WORD = re.compile(r"[\w.-]+")
LONGEST_BLOB = 100_000


class Expressions:
    """Values of expressions. State of a tracer: what names, attributes, columns and files hold so far."""

    def __init__(self, program: Program, given: Given, workspace: Mapping[str, str]) -> None:
        self.program, self.given, self.workspace = program, given, workspace
        self.scopes = Scopes(program)
        self.changed = False
        self.condition = NOTHING
        self._ids_compared: dict[str, set[str]] = {}
        self._inner: list[dict[str, Value]] = []
        """What the names of comprehensions hold, innermost last."""
        self.climbing = False
        self.names: dict[tuple[int, str], Value] = {}
        self.given_back: dict[int, Value] = {}
        self.mutated: dict[tuple[int, str], Value] = {}
        self.attributes: dict[str, Value] = {}
        self.columns: dict[str, Value] = {}
        self.files: dict[str, Value] = {}
        self.sinks: dict[tuple[str, int, int], tuple[Value, Value]] = {}
        self.reads: dict[tuple[str, int], Value] = {}
        """Where something was opened, and what."""
        self.submitting: set[int] = set()
        """Calls that hand in an answer, by the identity of their nodes."""
        self.literals: dict[tuple[str, int], Any] = {}
        self._labels_of_texts: dict[str, frozenset[Label]] = {}
        self._clock_replaced: bool | None = None

    def file_numbers(self, name: str) -> list[float] | None:
        """The numbers of a text in the workspace by the name of its file; None where there is no such text."""
        for path, text in self.workspace.items():
            if PurePosixPath(path).name == name:
                return _numbers(text)
        return None

    # -- what is held ------------------------------------------------------------------------

    def put(self, scope: Scope, name: str, value: Value) -> None:
        """A name of a scope gains a value."""
        key = (id(scope), name)
        old = self.names.get(key, NOTHING)
        new = old | value
        if new != old:
            self.names[key] = new
            self.changed = True

    def give_back(self, scope: Scope, value: Value) -> None:
        """A function gains something that it returns."""
        old = self.given_back.get(id(scope), NOTHING)
        if (new := old | value) != old:
            self.given_back[id(scope)] = new
            self.changed = True

    def put_column(self, name: str, value: Value) -> None:
        """A column or key of that name gains a value, in whatever table."""
        old = self.columns.get(name, NOTHING)
        if (new := old | value.without("column")) != old:
            self.columns[name] = new
            self.changed = True

    def write(self, node: ast.AST, value: Value, target: Value, scope: Scope) -> None:
        """Something is written to what ``target`` names."""
        line, column = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
        value |= self.condition
        self.sinks[scope.module.file, line, column] = (value, target)
        for text in target.texts:
            name = PurePosixPath(text).name
            if "." in name:
                old = self.files.get(name, NOTHING)
                if (new := old | value.bare()) != old:
                    self.files[name] = new
                    self.changed = True

    def bind(self, target: ast.expr, value: Value, scope: Scope) -> None:
        """Put a value into a name, an attribute, an item, or each of several."""
        match target:
            case ast.Name():
                self.put(scope.holder(target.id) or scope, target.id, value)
            case ast.Tuple() | ast.List():
                for one in target.elts:
                    self.bind(one, value, scope)
            case ast.Starred():
                self.bind(target.value, value, scope)
            case ast.Attribute():
                old = self.attributes.get(target.attr, NOTHING)
                if (new := old | value) != old:
                    self.attributes[target.attr] = new
                    self.changed = True
                if target.attr in ("loc", "iloc", "at", "iat", "data", "values", "flat", "T"):
                    self.bind(target.value, value, scope)
            case ast.Subscript():
                self.bind(target.value, value, scope)
            case ast.Call() if isinstance(target.func, ast.Attribute):
                self.bind(target.func.value, value, scope)
            case _:
                return

    # -- expressions -------------------------------------------------------------------------

    def value(self, node: ast.expr, scope: Scope) -> Value:  # noqa: C901, PLR0911, PLR0912 -- one branch a kind of expression
        """What an expression is made of."""
        match node:
            case ast.Constant():
                return self._constant(node, scope)
            case ast.Name():
                return self._name(node, scope)
            case ast.Attribute():
                return self._attribute(node, scope)
            case ast.Subscript():
                return self._item(node, scope)
            case ast.Call():
                return self.call(node, scope)
            case ast.List() | ast.Tuple() | ast.Set():
                return self._listed(node, node.elts, scope)
            case ast.Dict():
                return self._table(node, scope)
            case ast.BinOp():
                found = self.value(node.left, scope) | self.value(node.right, scope)
                return self.named(found) if isinstance(node.op, ast.Div | ast.Add | ast.Mod) else found
            case ast.JoinedStr():
                parts = union(self.value(one, scope) for one in node.values)
                return self.named(parts)
            case ast.FormattedValue():
                return self.value(node.value, scope)
            case ast.IfExp():
                test = through_condition(self.value(node.test, scope), scope.module.file, node.lineno)
                return self.value(node.body, scope) | self.value(node.orelse, scope) | test
            case ast.Compare():
                return self._compared(node, scope)
            case ast.Lambda():
                return self.given_back.get(id(self.scopes.by_node.get(node)), NOTHING)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
                with self._generators(node, scope):
                    return self.value(node.elt, scope)
            case ast.DictComp():
                with self._generators(node, scope):
                    return self._keyed(node, scope)
            case ast.NamedExpr():
                found = self.value(node.value, scope)
                self.bind(node.target, found, scope)
                return found
            case ast.Yield() | ast.Await() | ast.YieldFrom() | ast.Starred():
                found = self.value(node.value, scope) if node.value is not None else NOTHING
                if isinstance(node, ast.Yield | ast.YieldFrom):
                    self.give_back(scope, found)
                return found
            case _:
                return union(self.value(one, scope) for one in _parts(node))

    def call(self, node: ast.Call, scope: Scope) -> Value:
        """What a call gives."""
        raise NotImplementedError

    def items(self, node: ast.expr, scope: Scope) -> Value:
        """What a loop over an expression goes through."""
        return self.value(node, scope)

    def named(self, value: Value) -> Value:
        """With the labels that the paths in its texts give it."""
        labels = {label for text in value.texts for label in self._named_by(text)}
        return value.plus(*labels) if labels else value

    def _named_by(self, text: str) -> frozenset[Label]:
        """The labels of one text, found out once: the same few texts are met at every turn."""
        known = self._labels_of_texts.get(text)
        if known is not None:
            return known
        labels = set()
        role = self.given.role(text)
        if role is not None:
            labels.add(Label(role, text))
        if calls.TRUTH.search(text):
            labels.add(Label("truth", text))
        elif calls.PAPER.search(text):
            labels.add(Label("paper", text))
        elif _SERVICE.search(text):
            labels.add(Label("service"))
        elif text.startswith("/task/problem"):
            labels.add(Label("data_dir"))
        elif re.match(r"(?:\.?/)?(?:workspace/)?output(?:/|$)", text.lstrip("/")):
            labels.add(Label("out"))
        found = self._labels_of_texts[text] = frozenset(labels)
        return found

    def _constant(self, node: ast.Constant, scope: Scope) -> Value:
        value, file = node.value, scope.module.file
        if isinstance(value, str):
            texts = frozenset({value[:LONGEST_TEXT]}) if value else frozenset()
            return Value(self._of_text(value, file, node.lineno), texts)
        if isinstance(value, bytes) and len(value) >= LEAST_BLOB:
            return Value(frozenset({Label("blob", str(len(value)), file, node.lineno)}))
        if isinstance(value, float) and value not in (0.0, 1.0, 2.0, 0.5):
            return Value(frozenset({Label("constant", repr(value), file, node.lineno)}))
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 2:
            return Value(frozenset({Label("constant", repr(value)[:40], file, node.lineno)}))
        return NOTHING

    def _of_text(self, text: str, file: str, line: int) -> frozenset[Label]:
        """What a long text in the source holds: something packed or many numbers, and ids of test items."""
        if len(text) < LEAST_BLOB:
            return frozenset()
        numbers = len(_NUMBER.findall(text[:LONGEST_BLOB]))
        labels = set()
        if _BLOB.search(text[:LONGEST_BLOB]) or (numbers >= 40 and numbers * 24 > len(text[:LONGEST_BLOB])):
            labels.add(Label("blob", str(len(text)), file, line))
        if sum(word in self.given.ids for word in set(_WORD.findall(text[:LONGEST_BLOB]))) >= LEAST_IDS:
            labels.add(Label("lookup", str(len(text)), file, line))
        return frozenset(labels)

    def _compared(self, node: ast.Compare, scope: Scope) -> Value:
        """A comparison: of inputs with numbers written by hand a rule, with many ids of test items a table."""
        file = scope.module.file
        found = union(self.value(one, scope) for one in (node.left, *node.comparators))
        if found.has("test") and found.has("constant") and not found.has("train", "fit"):
            found = found.plus(Label("rule", "", file, node.lineno))
        ids = self._ids_compared.setdefault(file, set())
        ids.update(text for text in _strings(node) if text in self.given.ids)
        if len(ids) >= LEAST_IDS and any(text in ids for text in _strings(node)):
            found = found.plus(Label("lookup", str(len(ids)), file, node.lineno))
        return found

    def _name(self, node: ast.Name, scope: Scope) -> Value:
        for own in reversed(self._inner):
            if node.id in own:
                return own[node.id]
        holder = scope.holder(node.id)
        if holder is None:
            return NOTHING
        if inner := holder.functions.get(node.id):
            return self.given_back.get(id(inner), NOTHING)
        if dotted := holder.imports.get(node.id):
            return self._imported(dotted, node.id)
        return self.names.get((id(holder), node.id), NOTHING)

    def _imported(self, dotted: str, name: str) -> Value:
        """A name that an import brought: of another module of the program, or of the package's code."""
        if found := self.scopes.module_value(dotted):
            module, own = found
            if inner := module.functions.get(own):
                return self.given_back.get(id(inner), NOTHING)
            return self.names.get((id(module), own), NOTHING)
        return self.code_of(dotted) | self.code_of(name)

    def code_of(self, dotted: str) -> Value:
        """The label of the package's own code, where a name belongs to it."""
        named = dotted.partition(".")[0] in self.given.modules
        return Value(frozenset({Label("code", dotted)})) if named else NOTHING

    def _attribute(self, node: ast.Attribute, scope: Scope) -> Value:
        name = node.attr
        if self.scopes.is_outer(node, scope):
            return self.code_of(self.scopes.dotted(node, scope))
        base = self.value(node.value, scope)
        if name in calls.SHAPE_ATTRIBUTES:
            return shape_of(base)
        if name in calls.ORDER:
            return Value(frozenset({Label("order", name, scope.module.file, node.lineno)}))
        if name in self.given.id_columns and base.has(*DATA):
            return _id_of(base)
        dotted = self.scopes.dotted(node, scope)
        if dotted and (found := self.scopes.module_value(dotted)):
            module, own = found
            return self.names.get((id(module), own), NOTHING)
        return base | self.attributes.get(name, NOTHING)

    def _item(self, node: ast.Subscript, scope: Scope) -> Value:
        base, key = self.value(node.value, scope), node.slice
        if self.scopes.dotted(node.value, scope) == "os.environ":
            return place(self.value(key, scope))
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            return self._by_name(base, key.value)
        if isinstance(key, ast.Slice):
            return base
        index = self.value(key, scope)
        if isinstance(key, ast.List):
            return base | index.bare()
        return self.looked_up(base, index, node, scope)

    def looked_up(self, base: Value, index: Value, node: ast.AST, scope: Scope) -> Value:
        """An item of ``base`` by ``index``: a table of the data by ids, asked for a test item, is a book of answers."""
        found = base.without("keyed") | index.bare().without("constant")
        of_test = index.has("test") or any(label.what == "test" for label in index.of("id"))
        if of_test and not index.has("train", "fit", "aggregate"):
            line = getattr(node, "lineno", 0)
            found = found.plus(*(Label("book", label.what, scope.module.file, line) for label in base.of("keyed")))
        return found

    def _by_name(self, base: Value, name: str) -> Value:
        """A column, a key of an archive, a file by its name."""
        if name in self.given.id_columns and base.has(*DATA):
            return _id_of(base)
        role = self.given.role(name)
        if role is not None and base.has(*DATA, "data_dir"):
            return base.without(*DATA).plus(Label(role, name))
        if name in self.columns and Label("column", name) in base.labels:
            return self.columns[name]
        if base.has("train", "test"):
            if _TEST_KEY.search(name):
                return _as_role(base, "test")
            if _TRAIN_KEY.search(name) and base.has("train"):
                return _as_role(base, "train")
        return base

    def _listed(self, node: ast.expr, items: list[ast.expr], scope: Scope) -> Value:
        count = _leaves(node)
        if count is None:
            return union(self.value(one, scope) for one in items)
        if count >= LEAST_LITERAL:
            return self._written_down(node, count, len(items), scope)
        return union(self.value(one, scope) for one in items)

    def _written_down(self, node: ast.expr, count: int, rows: int, scope: Scope) -> Value:
        """Many values that stand in the source."""
        place_ = (scope.module.file, node.lineno)
        known = self.literals.get(place_)
        if known is None:
            self.literals[place_] = literal(node)
        texts = frozenset(text for text in _strings(node) if "." in text or "/" in text)
        return Value(frozenset({Label("literal", f"{rows}/{count}", *place_)}), texts)

    def _table(self, node: ast.Dict, scope: Scope) -> Value:
        found = NOTHING
        keys = [one.value for one in node.keys if isinstance(one, ast.Constant)]
        for key, item in zip(node.keys, node.values, strict=True):
            value = self.value(item, scope)
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                self.put_column(key.value, value)
                value = value.plus(Label("column", key.value)) if len(keys) < LEAST_LITERAL else value
            found |= value
        known = sum(str(key) in self.given.ids for key in keys)
        if known >= LEAST_IDS and known * 2 >= len(keys):
            found = found.plus(Label("lookup", str(known), scope.module.file, node.lineno))
        elif len(keys) >= LEAST_LITERAL and all(_leaves(one) is not None for one in node.values):
            found |= self._written_down(node, len(keys), len(keys), scope)
        return found

    def _keyed(self, node: ast.DictComp, scope: Scope) -> Value:
        """A table that is made of pairs."""
        key, value = self.value(node.key, scope), self.value(node.value, scope)
        return value | self.keyed(key, value, scope, node.lineno, whole_row=_is_whole_row(node.key))

    def keyed(self, key: Value, value: Value, scope: Scope, line: int, *, whole_row: bool = False) -> Value:
        """The label of a table by the ids of the data, or by their whole rows; nothing where it is none."""
        roles = {label.what for label in key.of("id")} & {"train", "resource"}
        if whole_row and key.has("train"):
            roles.add("train")
        roles = {role for role in roles if value.has("train" if role == "train" else "resource")}
        return Value(frozenset(Label("keyed", role, scope.module.file, line) for role in roles))

    @contextmanager
    def _generators(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, scope: Scope
    ) -> Iterator[None]:
        """The names of a comprehension are its own: the same name elsewhere is another."""
        own: dict[str, Value] = {}
        self._inner.append(own)
        try:
            for one in node.generators:
                found = self.items(one.iter, scope)
                for name in _names_in(one.target):
                    own[name] = found
                for condition in one.ifs:
                    self.value(condition, scope)
            if any(isinstance(inner, ast.Lambda) for inner in ast.walk(node)):
                for name, found in own.items():  # a lambda looks its names up in the scope around
                    self.put(scope, name, found)
            yield
        finally:
            self._inner.pop()


def _names_in(target: ast.expr) -> Iterator[str]:
    return (one.id for one in ast.walk(target) if isinstance(one, ast.Name))


def place(value: Value) -> Value:
    """What a variable of the environment names."""
    labels = {Label(_PLACES[text]) for text in value.texts if text in _PLACES}  # type: ignore[arg-type]  # kinds all
    return Value(value.labels | labels, value.texts - _PLACES.keys())


def _id_of(base: Value) -> Value:
    """The ids of items, with the role of the file that they are of."""
    roles = {label.kind for label in base.of(*DATA)}
    return Value(frozenset(Label("id", role) for role in roles))


def _as_role(base: Value, role: Role) -> Value:
    names = [label.what for label in base.of("train", "test")]
    return base.without("train", "test").plus(*(Label(role, name) for name in names[:3]))


def _is_whole_row(node: ast.expr) -> bool:
    called = node.func if isinstance(node, ast.Call) else None
    return isinstance(called, ast.Name) and called.id in ("tuple", "frozenset", "str", "hash")


def _numbers(text: str) -> list[float]:
    """The last number of each line, or all numbers where there is one line."""
    lines = [re.findall(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?", line) for line in text.splitlines()]
    found = [line[-1] for line in lines if line]
    if len(found) <= 2:
        found = [one for line in lines for one in line]
    return [float(one) for one in found]


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    return (one for one in ast.iter_child_nodes(node) if isinstance(one, ast.expr))


def _leaves(node: ast.expr) -> int | None:
    """How many constants an expression holds that is made of nothing else; None where it is made of more."""
    count = 0
    stack = [node]
    while stack:
        one = stack.pop()
        if isinstance(one, ast.Constant):
            count += 1
        elif isinstance(one, ast.List | ast.Tuple | ast.Set):
            stack.extend(one.elts)
        elif isinstance(one, ast.UnaryOp) and isinstance(one.op, ast.USub | ast.UAdd):
            stack.append(one.operand)
        elif isinstance(one, ast.Dict) and None not in one.keys:
            stack.extend(one.values)
        else:
            return None
    return count


def _strings(node: ast.expr) -> Iterator[str]:
    for one in ast.walk(node):
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value[:LONGEST_TEXT]
