"""Who touches which file: sites in programs, with their paths worked out, matched against the folder.

The one idea: a read inside ``load(path)`` belongs to whoever said which path. A site whose path depends on
parameters is lifted to the callers, call by call, so that a loader that everybody uses does not tie everything to
everybody.
"""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from nature_gym.cut import io_table
from nature_gym.cut.io_table import Action, Call
from nature_gym.cut.plain_calls import looks_like_path
from nature_gym.cut.python_units import Scope
from nature_gym.cut.shell import Commands
from nature_gym.cut.tree import Entry, Tree
from nature_gym.cut.uses import model_loads
from nature_gym.cut.values import Evaluator, Frame, Project, join

MAX_LIFT = 3
"""How many calls a path is followed up, beyond the first."""
MAX_CALLERS = (500, 20, 10, 10)
"""How many callers are looked at on each step up."""
MAX_MATCHES = 3_000
MAX_COMPARISONS = 5_000_000
"""Files held against patterns in one folder; with more, the last patterns mean nothing, and a warning says so."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A part of a program: the file and, in Python, the function (empty for the module's own statements)."""

    file: str
    name: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.name}()" if self.name else self.file


@dataclass(frozen=True, slots=True)
class Site:
    """One place where a unit touches files. ``pattern`` is as :mod:`nature_gym.cut.values` gives it."""

    action: Action
    pattern: str
    file: str
    line: int
    what: str
    unit: Unit
    inner: Unit
    """Where the call itself stands; ``unit`` decided the path."""
    folder: bool = False
    """All that lies in the folder ``pattern`` is meant."""
    is_model: bool = False
    """What is read becomes a model: its weights, or the object itself."""


@dataclass(slots=True)
class Graph:
    """Sites, calls between units, and which files each site means."""

    sites: list[Site] = field(default_factory=list)
    calls: dict[Unit, set[Unit]] = field(default_factory=dict)
    touching: dict[str, list[tuple[Site, float]]] = field(default_factory=dict)
    """Path of a file -> the sites that can mean it, each with how sure the match is (0 to 1)."""
    unmatched: list[Site] = field(default_factory=list)


def unit_of(scope: Scope) -> Unit:
    """The unit that a scope is."""
    return Unit(scope.module.path, scope.name)


def build_graph(tree: Tree, project: Project, commands: Commands) -> Graph:
    """The graph of a folder."""
    graph = Graph()
    evaluator = Evaluator(project)
    for module in project.modules:
        for scope in module.scopes:
            models = model_loads(scope)
            for call in scope.calls:
                found = _sites(call, scope, project, evaluator)
                graph.sites.extend(replace(each, is_model=True) if id(call) in models else each for each in found)
                graph.calls.setdefault(unit_of(scope), set()).update(
                    unit_of(each) for each in project.callees(call, scope)
                )
        graph.sites.extend(_plain_sites(module.path, module.text) if _is_unparsed(module.top) else ())
    for touch in commands.touched:
        unit = Unit(touch.file)
        graph.sites.append(Site(touch.action, touch.path, touch.file, touch.line, touch.what, unit, unit))
    graph.sites = list(dict.fromkeys(graph.sites))
    matcher = _Matcher(tree)
    matcher.match(graph)
    if matcher.left < 0:
        tree.warnings.append("there are too many files and patterns: the last patterns were not looked for")
    return graph


def _is_unparsed(top: Scope) -> bool:
    return len(top.module.scopes) == 1 and not top.calls and not top.bindings


# -- sites -----------------------------------------------------------------------------


def _sites(call: ast.Call, scope: Scope, project: Project, evaluator: Evaluator) -> Iterator[Site]:
    known = _known(call, scope, project)
    if known is None:
        return
    kind, node, full, guessed = known
    for given, decided in _lifted(node, scope, evaluator):
        pattern = _with_suffix(given, full)
        if pattern == "*" or (guessed and not looks_like_path(pattern)):
            continue
        if not _telling(pattern):
            continue
        here = unit_of(scope)
        line = call.lineno if decided.file == here.file else _line(scope, decided, project)
        what = f"{full.rpartition('.')[2] or full}({pattern.removeprefix('//')})"
        yield Site(kind, pattern, decided.file, line, what, decided, here, full in io_table.DATASET_FOLDERS)


_SUFFIX_ADDED = {"numpy.save": ".npy", "numpy.savez": ".npz", "numpy.savez_compressed": ".npz"}


def _with_suffix(pattern: str, full: str) -> str:
    """The path that a call writes: numpy adds its suffix where the name has none of its own."""
    suffix = _SUFFIX_ADDED.get(full, "")
    return pattern if not pattern[-1:].isalnum() or pattern.endswith(suffix) else pattern + suffix


def _line(scope: Scope, decided: Unit, project: Project) -> int:
    """The line in the deciding unit at which the site's function is called, or else at which the unit begins."""
    for call, where in project.callers.get(scope.called, ()):
        if unit_of(where) == decided:
            return call.lineno
    found = next((module for module in project.modules if module.path == decided.file), None)
    scopes = found.scopes if found else []
    return next((each.line for each in scopes if each.name == decided.name), 1)


def _known(call: ast.Call, scope: Scope, project: Project) -> tuple[Action, ast.expr, str, bool] | None:
    """How a call touches files and which expression is the path; None where it does not."""
    full = project.full_name(call.func, scope)
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if full in io_table.OPENERS:
        node = _argument(
            call, Call("read", 0, ("name", "file", "filename", "path", "fp", "store", "filepath_or_buffer", "url"))
        )
        return (io_table.mode_action(_mode(call, 1)), node, full, False) if node is not None else None
    if method == "open" and isinstance(call.func, ast.Attribute) and not project.is_foreign(call.func.value, scope):
        return io_table.mode_action(_mode(call, 0)), call.func.value, full or method, True
    found = io_table.FUNCTIONS.get(full) or _by_tail(full)
    guessed = False
    if found is None and method:
        found = io_table.METHODS.get(method)
        guessed = found is not None and found.at != -1
        if found is None and method in {"glob", "rglob"} and not project.is_foreign(call.func.value, scope):  # type: ignore[attr-defined]
            return "list", call, method, False
        guessable = method in io_table.GUESSED_METHODS and not project.is_foreign(call.func.value, scope)  # type: ignore[attr-defined]
        if found is None and guessable and not project.callees(call, scope):
            found, guessed = io_table.GUESSED_METHODS[method], True
    if found is None:
        return None
    node = _argument(call, found)
    return (found.action, node, full or method, guessed) if node is not None else None


_TAILS = {name.rpartition(".")[2]: call for name, call in io_table.FUNCTIONS.items() if "_" in name.rpartition(".")[2]}


def _by_tail(full: str) -> Call | None:
    """A function known by its last name, where the library's alias is unknown (a star import, a notebook's)."""
    return _TAILS.get(full) if "." not in full else None


def _argument(call: ast.Call, kind: Call) -> ast.expr | None:
    if kind.at == -1:
        return call.func.value if isinstance(call.func, ast.Attribute) else None
    for keyword in call.keywords:
        if keyword.arg in kind.names:
            return keyword.value
    if kind.at < len(call.args):
        return None if isinstance(call.args[kind.at], ast.Starred) else call.args[kind.at]
    return None


def _mode(call: ast.Call, at: int) -> str | None:
    node = next(
        (each.value for each in call.keywords if each.arg in {"mode", "flag"}),
        call.args[at] if at < len(call.args) else None,
    )
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _lifted(node: ast.expr, scope: Scope, evaluator: Evaluator) -> Iterator[tuple[str, Unit]]:
    """The patterns of a path, each with the unit that decided it."""
    values = evaluator.path(node, scope)
    if scope not in evaluator.touched:
        yield from ((each, unit_of(scope)) for each in values)
        return
    seen: set[tuple[str, Unit]] = set()
    for each, unit in _through_callers(node, scope, scope, None, evaluator, 0):
        if (each, unit) not in seen:
            seen.add((each, unit))
            yield each, unit
    if not seen:
        yield from ((each, unit_of(scope)) for each in values)


def _through_callers(
    node: ast.expr, site: Scope, entered: Scope, inner: Frame | None, evaluator: Evaluator, depth: int
) -> Iterator[tuple[str, Unit]]:
    for frame in evaluator.entries(entered, MAX_CALLERS[depth]):
        callers = {where for _, where, _ in frame.arguments.values()}
        whole = frame if inner is None else _rebased(inner, entered, frame)
        values = evaluator.path(node, site, whole)
        caller = next(iter(callers), None)
        if caller is None:
            yield from ((each, unit_of(entered)) for each in values)
        elif caller in evaluator.touched and depth < MAX_LIFT and evaluator.steps > 0:
            deeper = list(_through_callers(node, site, caller, whole, evaluator, depth + 1))
            yield from deeper or ((each, unit_of(caller)) for each in values)
        else:
            yield from ((each, unit_of(caller)) for each in values)


def _rebased(inner: Frame, entered: Scope, outer: Frame) -> Frame:
    """``inner`` as it is when the function that calls it was itself entered through ``outer``."""
    arguments: dict[str, tuple[ast.expr, Scope, Frame | None]] = {}
    for name, (value, where, frame) in inner.arguments.items():
        deeper = _rebased(frame, entered, outer) if frame else None
        arguments[name] = (value, where, outer if where is entered else deeper)
    return Frame(inner.scope, arguments)


_PLAIN = re.compile(
    r"""(open|load|loadtxt|read_csv|imread|genfromtxt|save|savetxt|to_csv|savefig)\s*\(\s*(["'])([^"'\n]{1,200})\2(?:\s*,\s*["']([rwab+]{1,3})["'])?"""
)


def _plain_sites(path: str, text: str) -> Iterator[Site]:
    """What a program that cannot be parsed reads and writes by plain strings."""
    unit = Unit(path)
    for number, line in enumerate(text.splitlines()[:20_000], 1):
        for match in _PLAIN.finditer(line[:2_000]):
            writes = match[1] in {"save", "savetxt", "to_csv", "savefig"} or io_table.mode_action(match[4]) == "write"
            if looks_like_path(match[3]):
                yield Site("write" if writes else "read", match[3], path, number, f"{match[1]}({match[3]})", unit, unit)


def _telling(pattern: str) -> bool:
    """Whether a pattern says more than a suffix."""
    text = pattern.removeprefix("//")
    stem = re.sub(r"\.[A-Za-z0-9]{1,8}(\.gz)?$", "", text)
    return len(re.sub(r"[*/._\- ]", "", stem)) >= 2 and "://" not in text and "\n" not in text


# -- matching --------------------------------------------------------------------------


class _Matcher:
    """Finds the files that a pattern can mean, by indexes on names, suffixes and folders."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.by_name: dict[str, list[Entry]] = {}
        self.by_suffix: dict[str, list[Entry]] = {}
        self.by_folder: dict[str, list[Entry]] = {}
        for entry in tree.data:
            self.by_name.setdefault(entry.name, []).append(entry)
            self.by_suffix.setdefault(posixpath.splitext(entry.name)[1], []).append(entry)
            parts = entry.path.split("/")[:-1]
            for depth, part in enumerate(parts):
                self.by_folder.setdefault(part, []).append(entry)
                if depth > 8:
                    break
        self.known: dict[tuple[str, str, bool], list[tuple[Entry, float]]] = {}
        self.left = MAX_COMPARISONS

    def match(self, graph: Graph) -> None:
        for site in graph.sites:
            key = (site.pattern, posixpath.dirname(site.file), site.folder or site.action == "list")
            if key not in self.known:
                self.known[key] = list(self._find(*key))[:MAX_MATCHES]
            for entry, sure in self.known[key]:
                graph.touching.setdefault(entry.path, []).append((site, sure))
            if not self.known[key] and site.action in {"read", "write", "download"}:
                graph.unmatched.append(site)

    def _find(self, pattern: str, folder: str, is_folder: bool) -> Iterator[tuple[Entry, float]]:
        anchored = pattern.startswith("//")
        clean = normalised(pattern)
        if not clean:
            return
        exact = {clean, normalised(join(f"//{folder}", clean))} if not anchored else {clean}
        inside = is_folder or not (posixpath.splitext(clean)[1] or clean.endswith("*"))
        tail = r"(/.*)?" if inside else ""
        regexes = [re.compile(translate(each) + tail) for each in exact]
        guessed = 1.0 if is_folder or not inside else 0.4  # a path without a suffix is a folder perhaps
        ends = _ends(clean) if not anchored and _tells_alone(clean) else []
        loose = [(re.compile(r"(?:.*/)?" + translate(end) + tail), share) for end, share in ends]
        certain = _certain(clean, is_folder)
        for entry in self._candidates(clean, inside):
            self.left -= 1
            if self.left < 0:
                return
            if any(regex.fullmatch(entry.path) for regex in regexes):
                yield entry, certain if entry.path == clean else certain * guessed
            else:
                share = next((share for regex, share in loose if regex.fullmatch(entry.path)), 0.0)
                if share:
                    yield entry, certain * share * guessed

    def _candidates(self, pattern: str, inside: bool) -> Iterable[Entry]:
        name = posixpath.basename(pattern)
        if inside:
            part = next((each for each in reversed(pattern.split("/")) if each and "*" not in each), None)
            within = self.by_folder.get(part, []) if part else []
            return [*within, *self.by_name.get(name, [])] if within or name in self.by_name else self._starting(pattern)
        if "*" not in name:
            return self.by_name.get(name, ())
        parent = posixpath.basename(posixpath.dirname(pattern))
        beside = self.by_folder.get(parent, []) if parent and "*" not in parent else None
        suffix = posixpath.splitext(name)[1]
        alike = self.by_suffix.get(suffix, []) if suffix and "*" not in suffix else None
        known: list[list[Entry]] = [each for each in (beside, alike) if each is not None]
        if not known:
            return self._starting(pattern)
        return min(known, key=len)

    def _starting(self, pattern: str) -> Iterable[Entry]:
        """Files whose name begins as the pattern's does."""
        start = posixpath.basename(pattern).split("*")[0]
        if len(start) < 3:
            return ()
        return [entry for entry in self.tree.data if entry.name.startswith(start)]


def _certain(pattern: str, is_folder: bool) -> float:
    """How sure it is that a file which fits is meant; little where the whole name is unknown and no folder is meant."""
    if not (stars := pattern.count("*")):
        return 1.0
    sure = 1.0 - 0.5 * min(1.0, stars * 4 / max(len(pattern), 1) + 0.2)
    name, suffix = posixpath.splitext(posixpath.basename(pattern))
    return sure * (1.0 if is_folder or re.search(r"\w", name) else 0.6 if suffix else 0.4)


_COMMON = re.compile(r"\b(data|datasets?|outputs?|results?|test|train|val|valid|models?|logs?|src|home|input|raw)\b")


def _tells_alone(pattern: str) -> bool:
    """Whether the end of a pattern may tell a file wherever it lies: it has letters that are no common word."""
    stem = posixpath.splitext(pattern)[0]
    if "*" in stem or stem == pattern:
        stem = _COMMON.sub("", stem)
    return len(re.sub(r"[*/.]", "", stem)) >= 4


def _ends(pattern: str) -> list[tuple[str, float]]:
    """Ends of a pattern by which a file may be known, each with how much it tells.

    A path that begins with what is unknown counts from its first telling part on; of an absolute path of the authors'
    machine, ends of at least two parts do.
    """
    parts = [part for part in pattern.split("/") if part]
    while len(parts) > 1 and set(parts[0]) <= {"*"}:
        parts = parts[1:]
    if pattern.startswith("/"):
        lengths = [length for length in (4, 3, 2) if length <= len(parts)]
        return [("/".join(parts[-length:]), 0.5 + 0.05 * length) for length in lengths]
    return [("/".join(parts), 0.7 if len(parts) > 1 else 0.5)]


_ELSEWHERE = re.compile(r"^([A-Za-z]:/*|\.{3,}/*)")
"""How a path of somebody's machine begins that is not here: a drive, or dots in place of the true folder."""


def normalised(pattern: str) -> str:
    """A pattern relative to the folder's root (or to where the program is started), without ``.`` and ``..``."""
    pattern = pattern.replace("\\", "/")
    pattern = _ELSEWHERE.sub("/", pattern)
    absolute = pattern.startswith("/") and not pattern.startswith("//")
    parts: list[str] = []
    for part in pattern.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in {"", ".", "~"}:
            parts.append(re.sub(r"\*+", "*", part))
    return ("/" if absolute else "") + "/".join(parts)


MAX_STARS = 3
"""Unknown parts in one name of a pattern; more are made one, or matching could take forever."""


def translate(pattern: str) -> str:
    """A regular expression for a pattern: a part that is all unknown may be several folders."""
    parts: list[str] = []
    for part in pattern.lstrip("/").split("/"):
        pieces = re.sub(r"\[[^\]]*\]|\?", "*", part).split("*")
        if len(pieces) > MAX_STARS + 1:
            pieces = [pieces[0], pieces[-1]]
        parts.append(".+" if part == "*" else "[^/]*".join(map(re.escape, pieces)))
    if parts[-1] == ".+":
        parts[-1] = "[^/]+"
    while parts.count(".+") > MAX_STARS:
        parts.remove(".+")
    return "/".join(parts)
