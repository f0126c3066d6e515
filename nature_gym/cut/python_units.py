"""Python programs as units: modules, functions and methods, with what each assigns, calls and returns.

The one idea: one pass over each syntax tree sorts its statements into scopes and keeps the expressions as they are;
nothing is worked out until somebody asks for a value (:mod:`nature_gym.cut.values`).
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from nature_gym.cut.notebooks import notebook_source
from nature_gym.cut.python2 import as_python3
from nature_gym.cut.tree import Tree, counted
from nature_gym.syntax import tree_of

How = Literal["value", "item"]
"""``value``: the name is bound to the expression; ``item``: to one of the things that it yields."""
MAX_TOTAL_BYTES = 40_000_000
"""Source beyond this in one folder is left unread: memory is limited, and such a folder is a distribution."""
MAX_LINE = 100_000
"""A program with a longer line is generated, or holds data."""


@dataclass(frozen=True, slots=True)
class Binding:
    """One way in which a name gets a value."""

    how: How
    value: ast.expr


@dataclass(eq=False, slots=True)
class Scope:
    """A module or a function. ``name`` is the qualified name in the module, empty for the module itself."""

    module: Module
    name: str
    line: int
    parent: Scope | None = None
    owner: ClassUnit | None = None
    params: tuple[str, ...] = ()
    defaults: dict[str, ast.expr] = field(default_factory=dict)
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    calls: list[ast.Call] = field(default_factory=list)
    returns: list[ast.expr] = field(default_factory=list)
    subscripts: list[ast.Subscript] = field(default_factory=list)

    @property
    def short(self) -> str:
        return self.name.rpartition(".")[2]

    @property
    def called(self) -> str:
        """The name by which this function is called: a constructor by its class's."""
        return self.owner.name if self.owner is not None and self.short == "__init__" else self.short


@dataclass(eq=False, slots=True)
class ClassUnit:
    """A class: its bases as written, and what its attributes are bound to, in its body or through ``self``."""

    module: Module
    name: str
    line: int
    bases: tuple[str, ...]
    attributes: dict[str, list[tuple[Binding, Scope]]] = field(default_factory=dict)
    methods: dict[str, Scope] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class Module:
    """A Python file or a notebook. ``dotted`` is the name by which others may import it."""

    path: str
    dotted: str
    text: str
    cells: tuple[int, ...] = ()
    """For a notebook: the line in ``text`` at which each cell begins."""
    scopes: list[Scope] = field(default_factory=list)
    classes: dict[str, ClassUnit] = field(default_factory=dict)
    functions: dict[str, Scope] = field(default_factory=dict)
    imports: dict[str, str] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)
    options: dict[str, list[tuple[ast.expr, Scope]]] = field(default_factory=dict)
    """Command-line options by the name of their attribute: defaults and choices."""
    attributes: dict[str, list[tuple[Binding, Scope]]] = field(default_factory=dict)
    """What is assigned to an attribute of any object but ``self``."""
    is_program: bool = False
    """It has a ``__main__`` part, or is a notebook."""

    @property
    def top(self) -> Scope:
        return self.scopes[0]

    @property
    def folder(self) -> str:
        return self.path.rpartition("/")[0]

    def line(self, number: int) -> str:
        """A line of the source, without the space around it."""
        lines = self.text.splitlines()
        return lines[number - 1].strip()[:200] if 0 < number <= len(lines) else ""


def parse_modules(tree: Tree) -> list[Module]:
    """All Python files and notebooks that can be parsed; the others are warnings."""
    modules: list[Module] = []
    trouble: dict[str, list[str]] = {}
    total = 0
    # What other people's folders hold comes last, should there be too much.
    for entry in sorted(tree.of_kind("python", "notebook"), key=lambda each: (_is_vendored(each.path), each.path)):
        text = tree.text(entry.path, 20_000_000 if entry.kind == "notebook" else 2_000_000)
        if text is None:
            trouble.setdefault("programs that are too large, or binary, are not read", []).append(entry.path)
            continue
        source = text
        cells: tuple[int, ...] = ()
        try:
            if entry.kind == "notebook":
                source, cells = notebook_source(text)
            total += len(source)
            if total > MAX_TOTAL_BYTES or any(len(line) > MAX_LINE for line in source.splitlines()):
                trouble.setdefault("programs that are too long are not read", []).append(entry.path)
                continue
            modules.append(parse_module(entry.path, source, cells))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            if (old := _parsed_as_old(entry.path, source, cells)) is not None:
                modules.append(old)
                continue
            where = f"{entry.path}:{error.lineno}" if isinstance(error, SyntaxError) and error.lineno else entry.path
            trouble.setdefault("not Python 3 (what it reads and writes is taken from single lines)", []).append(where)
            modules.append(_unparsed(entry.path, source))
    tree.warnings.extend(f"{reason}: {counted(paths)}" for reason, paths in trouble.items())
    return modules


def _is_vendored(path: str) -> bool:
    return any(
        part in {"third_party", "thirdparty", "vendor", "external", "site-packages", "submodules"}
        for part in path.split("/")
    )


def _parsed_as_old(path: str, source: str, cells: tuple[int, ...]) -> Module | None:
    """A program of Python 2; None where it is none either."""
    try:
        rewritten = as_python3(source)
        return parse_module(path, rewritten, cells, shown=source) if rewritten is not None else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _unparsed(path: str, source: str) -> Module:
    module = Module(path, _dotted(path), source)
    module.scopes.append(Scope(module, "", 1))
    return module


def parse_module(path: str, source: str, cells: tuple[int, ...] = (), *, shown: str | None = None) -> Module:
    """One program. Raises what ``ast.parse`` raises. ``shown``: the text with the lines that evidence quotes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of escapes and literals that its authors should see, not we
        parsed = tree_of(source)
    module = Module(path, _dotted(path), shown if shown is not None else source, cells, is_program=bool(cells))
    top = Scope(module, "", 1)
    module.scopes.append(top)
    _Sorter(module).body(parsed.body, top)
    return module


def _dotted(path: str) -> str:
    parts = path.removesuffix(".py").removesuffix(".ipynb").split("/")
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


class _Sorter:
    """Sorts the statements of one module into its scopes."""

    def __init__(self, module: Module) -> None:
        self.module = module

    def body(self, statements: Iterable[ast.stmt], scope: Scope, owner: ClassUnit | None = None) -> None:
        """``owner``: the class whose body this is, if it is one's."""
        pending = [*reversed(list(statements))]
        while pending:
            statement = pending.pop()
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
                self._function(statement, scope, owner)
            elif isinstance(statement, ast.ClassDef):
                self._class(statement, scope)
            else:
                self._statement(statement, scope, owner)
                pending.extend(reversed(list(_blocks(statement))))

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, parent: Scope, owner: ClassUnit | None) -> None:
        prefix = f"{owner.name}." if owner else f"{parent.name}." if parent.name else ""
        scope = Scope(self.module, f"{prefix}{node.name}", node.lineno, parent, owner)
        arguments = node.args
        names = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
        scope.params = (*names, *(each.arg for each in arguments.kwonlyargs))
        scope.defaults = dict(zip(names[len(names) - len(arguments.defaults) :], arguments.defaults, strict=True))
        for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
            if default is not None:
                scope.defaults[each.arg] = default
        self.module.scopes.append(scope)
        if owner is not None:
            owner.methods[node.name] = scope
        else:
            self.module.functions.setdefault(node.name, scope)
        for decorator in node.decorator_list:
            self._expression(decorator, parent)
        self.body(node.body, scope)

    def _class(self, node: ast.ClassDef, scope: Scope) -> None:
        unit = ClassUnit(self.module, node.name, node.lineno, tuple(filter(None, map(dotted_name, node.bases))))
        self.module.classes.setdefault(node.name, unit)
        self.body(node.body, scope, unit)

    def _statement(self, node: ast.stmt, scope: Scope, owner: ClassUnit | None) -> None:
        if isinstance(node, ast.Import | ast.ImportFrom):
            self._import(node)
            return
        for target, binding in _assigned(node):
            self._bind(target, binding, scope, owner)
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add) and isinstance(node.target, ast.Name):
            before = scope.bindings.get(node.target.id, [])[:1]
            grown = [ast.BinOp(each.value, ast.Add(), node.value) for each in before if each.how == "value"]
            scope.bindings.setdefault(node.target.id, []).extend(Binding("value", each) for each in grown)
        elif isinstance(node, ast.Return) and node.value is not None:
            scope.returns.append(node.value)
        elif isinstance(node, ast.If) and _asks_for_main(node.test):
            self.module.is_program = True
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self._expression(child, scope)
            elif isinstance(child, ast.withitem):
                self._expression(child.context_expr, scope)

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.asname or alias.name.partition(".")[0]
                self.module.imports[name] = alias.name if alias.asname else name
            return
        base = node.module or ""
        if node.level:
            package = self.module.dotted.split(".")
            keep = len(package) - node.level + (1 if self.module.path.endswith("__init__.py") else 0)
            base = ".".join([*package[: max(keep, 0)], *([base] if base else [])])
        for alias in node.names:
            if alias.name == "*":
                self.module.stars.append(base)
            else:
                self.module.imports[alias.asname or alias.name] = f"{base}.{alias.name}" if base else alias.name

    def _bind(self, target: ast.expr, binding: Binding, scope: Scope, owner: ClassUnit | None) -> None:
        match target:
            case ast.Name():
                if owner is not None:
                    owner.attributes.setdefault(target.id, []).append((binding, scope))
                else:
                    scope.bindings.setdefault(target.id, []).append(binding)
            case ast.Tuple() | ast.List():
                self._unpack(target.elts, binding, scope, owner)
            case ast.Attribute():
                base = target.value
                if isinstance(base, ast.Name) and base.id in {"self", "cls"} and (unit := _class_of(scope)):
                    unit.attributes.setdefault(target.attr, []).append((binding, scope))
                else:
                    self.module.attributes.setdefault(target.attr, []).append((binding, scope))
            case ast.Subscript(slice=ast.Constant(value=str() as key)):
                self.module.attributes.setdefault(key, []).append((binding, scope))
            case ast.Starred():
                self._bind(target.value, binding, scope, owner)

    def _unpack(self, targets: list[ast.expr], binding: Binding, scope: Scope, owner: ClassUnit | None) -> None:
        """``a, b = x, y`` pairs; ``for a, b in [(x, y), ...]`` pairs each; else each name gets a part of the whole."""
        value = binding.value
        for place, target in enumerate(targets):
            how: How = binding.how
            part: ast.expr
            if binding.how == "value" and isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(targets):
                part = value.elts[place]
            elif binding.how == "item" and (columns := _columns(value, place, len(targets))) is not None:
                part = columns
            else:
                part = ast.Subscript(value, ast.Constant(place), ast.Load())
                how = "value" if binding.how == "value" else "item"
            self._bind(target, Binding(how, part), scope, owner)

    def _expression(self, node: ast.expr, scope: Scope) -> None:
        """Calls, comprehensions' names, and command-line options in an expression."""
        pending: list[ast.AST] = [node]
        while pending:
            each = pending.pop()
            if isinstance(each, ast.Call):
                scope.calls.append(each)
                self._option(each, scope)
            elif isinstance(each, ast.comprehension):
                self._bind(each.target, Binding("item", each.iter), scope, None)
            elif isinstance(each, ast.NamedExpr):
                self._bind(each.target, Binding("value", each.value), scope, None)
            elif isinstance(each, ast.Subscript):
                scope.subscripts.append(each)
            pending.extend(ast.iter_child_nodes(each))

    def _option(self, call: ast.Call, scope: Scope) -> None:
        """``parser.add_argument("--data", default="x")``, and the like of click, absl and typer."""
        name = (
            call.func.attr
            if isinstance(call.func, ast.Attribute)
            else call.func.id
            if isinstance(call.func, ast.Name)
            else ""
        )
        if name not in _OPTION_CALLS:
            return
        flags = [each.value for each in call.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        keywords = {each.arg: each.value for each in call.keywords if each.arg}
        values = [keywords[key] for key in ("default",) if key in keywords]
        if name.startswith("DEFINE_"):
            values += call.args[1:2]
            flags = flags[:1]
        choices = keywords.get("choices")
        if isinstance(choices, ast.List | ast.Tuple):
            values += choices.elts
        for flag in [*flags, *_constant(keywords.get("dest"))]:
            key = flag.lstrip("-").replace("-", "_")
            if key and " " not in key:
                self.module.options.setdefault(key, []).extend((value, scope) for value in values)


_OPTION_CALLS = {
    "add_argument",
    "option",
    "argument",
    "add_option",
    "DEFINE_string",
    "DEFINE_integer",
    "DEFINE_enum",
    "DEFINE_list",
}


def _assigned(node: ast.stmt) -> Iterator[tuple[ast.expr, Binding]]:
    """The targets that a statement binds, with what it binds them to."""
    match node:
        case ast.Assign():
            yield from ((target, Binding("value", node.value)) for target in node.targets)
        case ast.AnnAssign(value=ast.expr() as value):
            yield node.target, Binding("value", value)
        case ast.For() | ast.AsyncFor():
            yield node.target, Binding("item", node.iter)
        case ast.With() | ast.AsyncWith():
            for item in node.items:
                if item.optional_vars is not None:
                    yield item.optional_vars, Binding("value", item.context_expr)


def _asks_for_main(test: ast.expr) -> bool:
    """``__name__ == "__main__"``."""
    if not isinstance(test, ast.Compare):
        return False
    sides = [test.left, *test.comparators]
    return any(isinstance(each, ast.Name) and each.id == "__name__" for each in sides)


def _constant(node: ast.expr | None) -> list[str]:
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def _class_of(scope: Scope | None) -> ClassUnit | None:
    while scope is not None:
        if scope.owner is not None:
            return scope.owner
        scope = scope.parent
    return None


def _columns(value: ast.expr, place: int, width: int) -> ast.expr | None:
    """What the name at ``place`` runs over in ``for a, b in ...``."""
    if isinstance(value, ast.Tuple | ast.List):
        rows = [each for each in value.elts if isinstance(each, ast.Tuple | ast.List) and len(each.elts) == width]
        return ast.List([each.elts[place] for each in rows], ast.Load()) if rows else None
    if isinstance(value, ast.Call):
        name = dotted_name(value.func) or (value.func.attr if isinstance(value.func, ast.Attribute) else "")
        if name == "zip" and len(value.args) == width:
            return value.args[place]
        if name == "enumerate" and width == 2 and value.args:
            return value.args[0] if place == 1 else ast.List([], ast.Load())
        if name.rpartition(".")[2] == "items" and isinstance(value.func, ast.Attribute) and width == 2:
            method = "keys" if place == 0 else "values"
            return ast.Call(ast.Attribute(value.func.value, method, ast.Load()), [], [])
    return None


def _blocks(statement: ast.stmt) -> Iterator[ast.stmt]:
    """The statements inside a compound statement, in order."""
    for name in ("body", "orelse", "finalbody"):
        yield from getattr(statement, name, ())
    for handler in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield from handler.body


def dotted_name(node: ast.AST) -> str:
    """``a.b.c`` for such an expression; empty for any other."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""
