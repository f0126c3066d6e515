"""Names of a program: which function, class or module a name means in some place, and which libraries it comes from."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from nature_gym.judging.program import Module, Program

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(slots=True, eq=False)
class Scope:
    """A module's body, a class's, or a function's. ``names`` are what is bound in it."""

    module: Module
    node: ast.Module | ast.ClassDef | Function
    parent: Scope | None = None
    names: set[str] = field(default_factory=set)
    functions: dict[str, Scope] = field(default_factory=dict)
    classes: dict[str, Scope] = field(default_factory=dict)
    imports: dict[str, str] = field(default_factory=dict)

    @property
    def is_class(self) -> bool:
        return isinstance(self.node, ast.ClassDef)

    @property
    def parameters(self) -> list[str]:
        """The names of a function's parameters in their order, the starred ones last."""
        if not isinstance(self.node, Function):
            return []
        given = self.node.args
        starred = [one.arg for one in (given.vararg, given.kwarg) if one is not None]
        return [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)] + starred

    @property
    def is_method(self) -> bool:
        return self.parent is not None and self.parent.is_class

    def holder(self, name: str) -> Scope | None:
        """The scope that a name is bound in, seen from here."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names and (scope is self or not scope.is_class):
                return scope
            scope = scope.parent
        return None


class Scopes:
    """All scopes of a program."""

    def __init__(self, program: Program) -> None:
        self.by_node: dict[ast.AST, Scope] = {}
        self.modules: dict[str, Scope] = {}
        self.methods: dict[str, list[Scope]] = {}
        self._by_name: dict[str, Scope] = {}
        for module in program.modules.values():
            scope = Scope(module, module.tree)
            self.by_node[module.tree] = scope
            self.modules[module.file] = self._by_name[module.name] = scope
            self._fill(scope)

    def __iter__(self) -> Iterator[Scope]:
        return iter(self.by_node.values())

    def dotted(self, node: ast.expr, scope: Scope) -> str:
        """The whole name of what is called or named, imports resolved: ``numpy.random.rand``; '' where it has none."""
        parts = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return ""
        holder = scope.holder(node.id)
        imported = holder.imports.get(node.id) if holder is not None else None
        if holder is not None and imported is None:
            return "" if parts else node.id
        return ".".join([imported or node.id, *reversed(parts)])

    def resolve(self, node: ast.expr, scope: Scope) -> list[Scope]:
        """The functions or classes of the program that an expression means."""
        if isinstance(node, ast.Lambda):
            return [self.by_node[node]] if node in self.by_node else []
        if isinstance(node, ast.Name):
            return self._named(node.id, scope)
        if isinstance(node, ast.Attribute):
            dotted = self.dotted(node, scope)
            if dotted and (module := self._module(dotted.rpartition(".")[0])) is not None:
                found = module.functions.get(node.attr) or module.classes.get(node.attr)
                return [found] if found is not None else []
            return self.methods.get(node.attr, [])
        return []

    def is_outer(self, node: ast.expr, scope: Scope) -> bool:
        """Whether a dotted name begins with a module of a library."""
        dotted = self.dotted(node, scope)
        return "." in dotted and self._module(dotted.partition(".")[0]) is None

    def module_value(self, dotted: str) -> tuple[Scope, str] | None:
        """The module of the program and the name in it that an import means."""
        head, _, name = dotted.rpartition(".")
        module = self._module(head)
        return (module, name) if module is not None and name in module.names else None

    def _module(self, dotted: str) -> Scope | None:
        return self._by_name.get(dotted.rpartition(".")[2]) if dotted else None

    def _named(self, name: str, scope: Scope) -> list[Scope]:
        holder = scope.holder(name)
        if holder is None:
            return []
        if found := holder.functions.get(name) or holder.classes.get(name):
            return [found]
        imported = self.module_value(holder.imports.get(name, ""))
        if imported is not None:
            module, own = imported
            inner = module.functions.get(own) or module.classes.get(own)
            return [inner] if inner is not None else []
        return []

    # -- filling -----------------------------------------------------------------------------

    def _fill(self, scope: Scope) -> None:
        body: list[ast.AST] = [scope.node.body] if isinstance(scope.node, ast.Lambda) else list(scope.node.body)
        scope.names.update(scope.parameters)
        outside: set[str] = set()
        stack = body
        while stack:
            node = stack.pop()
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                scope.names.add(node.name)
                inner = self._open(node, scope)
                kind: dict[str, Scope] = scope.classes if isinstance(node, ast.ClassDef) else scope.functions
                kind[node.name] = inner
                if scope.is_class and not isinstance(node, ast.ClassDef):
                    self.methods.setdefault(node.name, []).append(inner)
                stack.extend(_around(node))
                continue
            if isinstance(node, ast.Lambda):
                self._open(node, scope)
                stack.extend(_around(node))
                continue
            _bind(node, scope, outside)
            stack.extend(ast.iter_child_nodes(node))
        scope.names -= outside

    def _open(self, node: ast.ClassDef | Function, parent: Scope) -> Scope:
        inner = Scope(parent.module, node, parent)
        self.by_node[node] = inner
        self._fill(inner)
        return inner


def _around(node: ast.ClassDef | Function) -> list[ast.AST]:
    """What stands at a function or class and is looked up around it: decorators, defaults, bases."""
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases, *node.keywords]
    decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
    return [*decorators, *node.args.defaults, *(one for one in node.args.kw_defaults if one is not None)]


def _bind(node: ast.AST, scope: Scope, outside: set[str]) -> None:
    """What one node binds."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        scope.names.add(node.id)
    elif isinstance(node, ast.Global | ast.Nonlocal):
        outside.update(node.names)
    elif isinstance(node, ast.ExceptHandler) and node.name:
        scope.names.add(node.name)
    elif isinstance(node, ast.Import):
        for one in node.names:
            name = one.asname or one.name.partition(".")[0]
            scope.names.add(name)
            scope.imports[name] = one.name if one.asname else name
    elif isinstance(node, ast.ImportFrom):
        for one in node.names:
            scope.names.add(one.asname or one.name)
            scope.imports[one.asname or one.name] = f"{node.module or ''}.{one.name}".lstrip(".")


def defaults(node: Function) -> Mapping[str, ast.expr]:
    """The parameters of a function that have a default."""
    given = node.args
    placed = [*given.posonlyargs, *given.args]
    ended = zip(placed[len(placed) - len(given.defaults) :], given.defaults, strict=True)
    named = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    return {one.arg: value for one, value in (*ended, *named) if value is not None}
