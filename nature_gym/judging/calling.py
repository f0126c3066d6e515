"""What calls give, change and write: the part of :mod:`nature_gym.judging.tracing` that knows functions.

A function of the program gets what its arguments hold, and gives what it returns; a function of a library gives all
that it was given, unless :mod:`nature_gym.judging.calls` says more of it. Functions that are handed on (to an
optimiser, to ``apply``) are called with whatever is handed on beside them.
"""

from __future__ import annotations

import ast
import fnmatch
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from nature_gym.judging import calls
from nature_gym.judging.expressions import Expressions, place
from nature_gym.judging.origins import DATA, NOTHING, Kind, Label, Value, shape_of, union
from nature_gym.judging.scopes import Scope

_CLIENT = ("scoring_client", "nature_gym.agents.client")
_CLOCK = "time_left"
_LOADED = (
    ".csv", ".tsv", ".json", ".jsonl", ".npy", ".npz", ".pkl", ".pickle", ".pt", ".pth", ".joblib", ".txt", ".h5",
    ".parquet", ".feather", ".mat", ".bin", ".dat", ".yaml", ".yml", ".model", ".ckpt", ".safetensors",
)  # fmt: skip
_LOOKUPS = frozenset({"get", "map", "replace", "reindex", "__getitem__", "pop", "take"})
_MERGES = frozenset({"merge", "join", "merge_asof", "align", "combine_first", "update"})


@dataclass(slots=True)
class Call:
    """A call with the values of its parts."""

    node: ast.Call
    scope: Scope
    name: str
    dotted: str
    receiver: Value
    arguments: list[Value]
    named: dict[str, Value]

    @property
    def given(self) -> Value:
        """All that is given, the receiver left out."""
        return union(self.arguments) | union(self.named.values())

    @property
    def whole(self) -> Value:
        """All that is given, the receiver with it."""
        return self.receiver | self.given

    def at(self, kind: Kind, what: str = "") -> Label:
        """A label with the place of the call."""
        return Label(kind, what, self.scope.module.file, self.node.lineno)


class Calling(Expressions):
    """Values of calls."""

    def call(self, node: ast.Call, scope: Scope) -> Value:
        """What a call gives; what it changes or writes is put down."""
        one = self._call(node, scope)
        inner = self.scopes.resolve(node.func, scope)
        outer = self.scopes.is_outer(node.func, scope)
        found = NOTHING
        if inner:
            found = union(self._own(function, one) for function in inner)
            if found.has("feedback"):
                self.submitting.add(id(node))
        only_own = bool(inner) and (isinstance(node.func, ast.Name) or self.scopes.dotted(node.func, scope) != "")
        if not only_own or any(function.is_class for function in inner):
            found |= self._library(one, outer=outer)
        return found

    def _call(self, node: ast.Call, scope: Scope) -> Call:
        arguments = [self.value(one, scope) for one in node.args]
        named = {one.arg or "**": self.value(one.value, scope) for one in node.keywords}
        if isinstance(node.func, ast.Attribute):
            name = node.func.attr
            receiver = NOTHING if self.scopes.is_outer(node.func, scope) else self.value(node.func.value, scope)
        else:
            name = node.func.id if isinstance(node.func, ast.Name) else ""
            receiver = self.value(node.func, scope)
        dotted = self.scopes.dotted(node.func, scope)
        return Call(node, scope, name, dotted, receiver, arguments, named)

    # -- functions of the program ------------------------------------------------------------

    def _own(self, function: Scope, one: Call) -> Value:
        if function.is_class:
            start = function.functions.get("__init__")
            if start is not None:
                self._give(start, one, method=True)
            return one.given
        method = function.is_method and isinstance(one.node.func, ast.Attribute)
        self._give(function, one, method=method)
        self._take_back(function, one, method=method)
        return self.given_back.get(id(function), NOTHING)

    def _give(self, function: Scope, one: Call, *, method: bool) -> None:
        """Arguments go into parameters."""
        names = function.parameters
        if method and names:
            self.put(function, names[0], one.receiver)
        placed = names[1:] if method else names
        starred = any(isinstance(argument, ast.Starred) for argument in one.node.args)
        for place_, value in enumerate(one.arguments):
            for name in placed if starred else placed[place_ : place_ + 1] or placed[-1:]:
                self.put(function, name, value)
        for name, value in one.named.items():
            if name in names:
                self.put(function, name, value)
            elif names:
                for each in names if name == "**" else names[-1:]:
                    self.put(function, each, value)

    def _take_back(self, function: Scope, one: Call, *, method: bool) -> None:
        """What a function put into its arguments is in them afterwards."""
        names = function.parameters[1:] if method else function.parameters
        pairs = [*zip(one.node.args, names, strict=False)]
        pairs += [(item.value, item.arg) for item in one.node.keywords if item.arg in names]
        for argument, name in pairs:
            changed = self.mutated.get((id(function), name), NOTHING)
            if changed is not NOTHING:
                self.bind(argument, changed, one.scope)

    def _handed_on(self, one: Call) -> Value:
        """Functions among the arguments are called with what is beside them; what they give."""
        nodes = [*one.node.args, *(item.value for item in one.node.keywords)]
        found = NOTHING
        for node in nodes:
            for inner in self._functions_in(node, one.scope):
                others = one.whole.without("constant").bare()
                for name in inner.parameters:
                    self.put(inner, name, others)
                found |= self.given_back.get(id(inner), NOTHING)
        return found

    def _functions_in(self, node: ast.expr, scope: Scope) -> Sequence[Scope]:
        if isinstance(node, ast.Name | ast.Lambda | ast.Attribute):
            if isinstance(node, ast.Attribute) and not self.scopes.methods.get(node.attr):
                return []
            return [one for one in self.scopes.resolve(node, scope) if not one.is_class]
        if isinstance(node, ast.Call) and self.scopes.dotted(node.func, scope).endswith("partial") and node.args:
            return self._functions_in(node.args[0], scope)
        return []

    # -- functions of libraries --------------------------------------------------------------

    def _library(self, one: Call, *, outer: bool) -> Value:
        name = one.name
        if one.dotted == "os.getenv" or one.dotted.startswith("os.environ"):
            return place(one.given)
        self._written(one)
        self._changed(one)
        if self._hands_in(one):
            self.submitting.add(id(one.node))
            return Value(frozenset({one.at("feedback")}))
        if name in calls.SHAPE_CALLS and one.dotted != "numpy.load":
            return shape_of(one.whole) if name != "range" else Value(frozenset({Label("shape")}))
        found = self.named(one.whole)
        found |= self._opened(one, found)
        found |= self._handed_on(one)
        found = found.plus(*self._labels(one, found, outer=outer))
        return self._lookups(one, found)

    def _hands_in(self, one: Call) -> bool:
        """Whether the call goes to the service that scores."""
        if one.dotted.startswith(_CLIENT):
            return not one.dotted.endswith(f".{_CLOCK}") or self._is_clock_replaced()
        asks = bool(calls.NETWORK.search(one.dotted)) or one.name in ("urlopen", "post", "request", "get", "open")
        if asks and self.named(one.whole).has("service"):
            return True
        texts = " ".join(one.given.texts)
        return bool(calls.RUNS.search(one.dotted)) and ("scoring_client" in texts or "/evaluate" in texts)

    def _is_clock_replaced(self) -> bool:
        """Whether the program puts something of its own in the place of the client's clock, which tells no score."""
        if self._clock_replaced is None:
            nodes = (node for module in self.program.modules.values() for node in ast.walk(module.tree))
            self._clock_replaced = any(
                (isinstance(node, ast.Attribute) and node.attr == _CLOCK and not isinstance(node.ctx, ast.Load))
                or (isinstance(node, ast.Constant) and node.value == _CLOCK)
                for node in nodes
            )
        return self._clock_replaced

    def _opened(self, one: Call, value: Value) -> Value:
        """What comes out of the files that a call opens."""
        if one.name not in calls.READS and not any(one.name.startswith(word) for word in ("read", "load")):
            return NOTHING
        label = Label("opened")
        if value.has("data_dir") and not value.has(*DATA):
            value = value.plus(*self._any_of(value))
        if value.has("truth", "paper"):
            self.reads[one.scope.module.file, one.node.lineno] = value
        found = value.plus(label)
        if value.has("out") or value.has(*DATA):
            return found | self._from_files(one, value, strange=False)
        return found | self._from_files(one, value, strange=True)

    def _any_of(self, value: Value) -> list[Label]:
        """All files of the data that the pieces of a path may mean."""
        pieces = [text for text in value.texts if len(text) > 2 and text not in self.given.instances]
        fitting = {
            name for name in self.given.roles
            for text in pieces if text in name or fnmatch.fnmatch(name, text)
        }  # fmt: skip
        return [Label(self.given.roles[name], name) for name in sorted(fitting or self.given.roles.keys())[:40]]

    def _from_files(self, one: Call, value: Value, *, strange: bool) -> Value:
        """What the program wrote to a file, or that a file lies there that it did not write."""
        found = NOTHING
        for text in value.texts:
            name = PurePosixPath(text).name
            if name in self.files:
                found |= self.files[name]
            elif strange and name.lower().endswith(_LOADED) and name not in self.given.asked:
                mode = " ".join(union(one.arguments[1:]).texts | union(one.named.values()).texts)
                if not (one.name == "open" and set("wax") & set(mode.replace("utf-8", ""))):
                    found = found.plus(one.at("file", name))
        return found

    def _labels(self, one: Call, value: Value, *, outer: bool) -> list[Label]:  # noqa: C901 -- a list of cases
        """What a call adds of its own."""
        name, dotted = one.name, one.dotted
        found: list[Label] = []
        if calls.RANDOM.search(dotted) and not calls.SEEDS.search(dotted):
            found.append(one.at("random", name))
        if calls.DATASETS.search(dotted):
            found.append(one.at("outside", dotted))
        if calls.LANGUAGE_MODELS.search(dotted):
            found.append(one.at("model", dotted))
        if calls.NETWORK.search(dotted) and not value.has("service"):
            address = " ".join(value.texts)
            found.append(one.at("model" if calls.MODEL_ADDRESS.search(address) else "network", dotted))
        if calls.RUNS.search(dotted) and calls.MODEL_PROGRAMS.search(" ".join(one.given.texts)):
            found.append(one.at("model", "a program that asks one"))
        if outer and calls.MODELS.search(dotted) and name[:1].isupper():
            found.append(one.at("scaler" if calls.SCALER.search(name) else "estimator", name))
        if name in calls.FIT and (one.receiver.has("estimator") or (outer and calls.MODELS.search(dotted))):
            found.append(one.at("fit", name))
        fits = name in calls.FITTERS or (outer and bool(calls.MODELS.search(dotted)) and name[:1].islower())
        if fits and value.has(*DATA):
            found.append(one.at("fit", name))
        if name in calls.AGGREGATES and value.has(*DATA):
            found.append(one.at("aggregate", name))
        if name in calls.DECODERS and value.has("blob"):
            found.append(one.at("decoded", name))
        if code := self.code_of(dotted).of("code"):
            found.extend(code)
        by_ids = name == "set_index" and any(text in self.given.id_columns for text in one.given.texts)
        if by_ids and one.receiver.has("train", "resource"):
            found.extend(one.at("keyed", label.kind) for label in one.receiver.of("train", "resource")[:1])
        if name == "dict" and not value.has("keyed") and len(one.arguments) == 1:
            found.extend(self.keyed(value, value, one.scope, one.node.lineno).labels)
        return found

    def _lookups(self, one: Call, value: Value) -> Value:
        """A table by ids that is asked for test items, in whatever form."""
        given = one.given
        if one.name in _LOOKUPS:
            table, index = one.receiver, given
            if one.name in ("map", "replace"):
                table, index = given, one.receiver
            if table.has("keyed"):
                return self.looked_up(table, index, one.node, one.scope) | value.without("keyed", "book")
        on_ids = any(text in self.given.id_columns for text in given.texts)
        if one.name in _MERGES and (on_ids or value.has("keyed")):
            tested, other = (one.receiver, given) if one.receiver.has("test") else (given, one.receiver)
            role = "train" if other.has("train") else "resource" if other.has("resource") else ""
            if tested.has("test") and not tested.has("train") and role and not other.has("fit", "aggregate"):
                return value.plus(one.at("book", role))
        return value

    # -- what calls change and write ---------------------------------------------------------

    def _changed(self, one: Call) -> None:
        """The receiver gains what is put into it; what a loss rests on goes into what is trained."""
        func = one.node.func
        if not isinstance(func, ast.Attribute):
            return
        if one.name in calls.MUTATORS or self.scopes.methods.get(one.name):
            gained = one.given | self.condition
            if one.name in calls.FIT and one.receiver.has("estimator"):
                gained = gained.plus(one.at("fit", one.name))
            for keyword in one.named:
                if one.name == "assign":
                    self.put_column(keyword, one.named[keyword])
            self._mutate(func.value, gained.bare(), one.scope)
        if one.name == "assign":
            for keyword, value in one.named.items():
                self.put_column(keyword, value)
        if one.name == "backward" and one.receiver.labels:
            self._train(one.receiver.bare().plus(one.at("fit", "backward")), one.scope)

    def _mutate(self, node: ast.expr, value: Value, scope: Scope) -> None:
        self.bind(node, value, scope)
        root = node
        while isinstance(root, ast.Attribute | ast.Subscript):
            root = root.value
        if isinstance(root, ast.Name) and root.id in scope.parameters:
            key = (id(scope), root.id)
            old = self.mutated.get(key, NOTHING)
            if (new := old | value) != old:
                self.mutated[key] = new
                self.changed = True

    def _train(self, value: Value, scope: Scope) -> None:
        """Gradients go into whatever is called or has parameters where a loss is taken back: models by hand."""
        for node in ast.walk(scope.node):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                self._train_name(node.func, value, scope)
            elif isinstance(node, ast.Attribute) and node.attr in ("parameters", "grad", "weight", "requires_grad_"):
                self._train_name(node.value, value, scope)

    def _train_name(self, node: ast.expr, value: Value, scope: Scope) -> None:
        if isinstance(node, ast.Name):
            holder = scope.holder(node.id)
            if holder is not None and not (
                node.id in holder.functions or node.id in holder.classes or node.id in holder.imports
            ):
                self._mutate(node, value, scope)
        elif isinstance(node, ast.Attribute):
            self.bind(node, value, scope)

    def _written(self, one: Call) -> None:
        name, dotted, first = one.name, one.dotted, one.arguments[:1]
        rest = union(one.arguments[1:])
        named = union(value for key, value in one.named.items() if key not in ("indent", "index", "header", "fmt"))
        target: Value | None = None
        value = NOTHING
        if dotted in calls.WRITES_FIRST and first:
            value, target = first[0], rest | named
            if dotted.startswith(("shutil.", "os.")):
                value = self._opened_copy(one, value)
        elif dotted in calls.WRITES_SECOND and first:
            value, target = rest | named, first[0]
        elif name in calls.WRITES_RECEIVER and one.receiver.labels and not dotted.startswith("numpy"):
            value, target = one.receiver, one.given
        elif name in calls.WRITES_ARGUMENTS and isinstance(one.node.func, ast.Attribute):
            if one.receiver.labels or one.receiver.texts:
                value, target = one.given, self.named(one.receiver)
        elif name == "print" and "file" in one.named:
            value, target = union(one.arguments), one.named["file"]
        elif name == "savefig":
            return
        if target is not None:
            self.write(one.node, value.without("out", "opened", "data_dir"), self.named(target), one.scope)

    def _opened_copy(self, one: Call, value: Value) -> Value:
        value = self.named(value)
        return value | self._from_files(one, value, strange=not value.has(*DATA, "out"))
