"""Permutations and samples of rows in programs, with the generator that draws them, and what is sliced off them.

A draw can be repeated only where its seed is known and nothing was drawn from the generator before.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from nature_gym.cut.amounts import amount, ending, side_in, whole
from nature_gym.cut.declared import Declared, Operation
from nature_gym.cut.material import Piece
from nature_gym.cut.python_units import Scope, dotted_name
from nature_gym.cut.values import Project


@dataclass(frozen=True, slots=True)
class _Generator:
    name: str
    seed: int | None


def permuted(scope: Scope, project: Project) -> Iterator[Declared]:
    """``order = rng.permutation(n)``, or an ``arange`` shuffled in place, whose two ends are two parts."""
    orders: dict[str, tuple[ast.Call, ast.expr]] = {}
    for name, bindings in scope.bindings.items():
        match [each.value for each in bindings]:
            case [ast.Call(func=func, args=[of, *_]) as call] if ending(func) in ("permutation", "randperm"):
                orders[name] = call, of
    for call in scope.calls:
        match call:
            case ast.Call(func=func, args=[ast.Name(id=name)]) if ending(func) == "shuffle":
                match [each.value for each in scope.bindings.get(name, ())]:
                    case [ast.Call() as made] if (counted := _counted(made)) is not None:
                        orders[name] = call, counted
    for name, (call, of) in orders.items():
        generator = _generator(call, scope, project)
        ends = _ends(name, scope)
        if generator is not None and ends is not None:
            yield _of_order(call, of, generator, ends, scope, project)


def _counted(node: ast.expr) -> ast.expr | None:
    """What ``arange(n)``, ``list(range(n))`` count."""
    match node:
        case ast.Call(func=func, args=[inner]) if ending(func) in ("list", "array"):
            return _counted(inner)
        case ast.Call(func=func, args=[of]) if ending(func) in ("arange", "range"):
            return of
    return None


def _ends(name: str, scope: Scope) -> tuple[str, str, ast.expr] | None:
    """(name of the first end, name of the second, where they meet), where two names share a permutation."""
    first: dict[str, str] = {}
    second: dict[str, str] = {}
    places: dict[str, ast.expr] = {}
    for bound, bindings in scope.bindings.items():
        for each in (part for binding in bindings for part in ast.walk(binding.value)):
            match each:
                case ast.Subscript(value=ast.Name(id=of), slice=ast.Slice(lower=low, upper=high, step=None)) if (
                    of == name and (low is None) != (high is None)
                ):
                    place = low or high
                    assert place is not None  # noqa: S101 - one of both is there, as was asked
                    places[key := ast.dump(place)] = place
                    (first if low is None else second).setdefault(key, bound)
    shared = [key for key in first if key in second]
    return (first[shared[0]], second[shared[0]], places[shared[0]]) if len(shared) == 1 else None


def _of_order(
    call: ast.Call,
    of: ast.expr,
    generator: _Generator,
    ends: tuple[str, str, ast.expr],
    scope: Scope,
    project: Project,
) -> Declared:
    begins, rests, place = ends
    swapped = side_in(begins) in ("evaluation", "validation") and side_in(rests) not in ("evaluation", "validation")
    parts = (rests, begins) if swapped else (begins, rests)

    def on(piece: Piece) -> Operation | None:
        rows = piece.rows or 0
        count = amount(of, scope, project, rows)
        if count is not None and count != rows:
            return None
        fields: dict[str, Any] = {"kind": "random", "generator": generator.name, "seed": generator.seed or 0}
        cut = amount(place, scope, project, rows)
        questions = []
        if cut is None or not -rows < cut < rows or not cut:
            questions.append("how many rows are in each part? The program does not say it in numbers")
            fields |= {"size": 0.2, "taken": "first" if swapped else "last"}
        else:
            begin = int(cut) if cut > 0 else rows + int(cut)
            fields |= {"size": begin if swapped else rows - begin, "taken": "first" if swapped else "last"}
        if generator.seed is None:
            questions.append("the permutation has no seed, or is not the first that is drawn; 0 stands for it")
        return Operation(fields, questions)

    told = {"function": ending(call.func), "generator": generator.name, "random_state": generator.seed,
            "at": ast.unparse(place)}  # fmt: skip
    return Declared(scope.module.path, call.lineno, "random", parts, scope, told, on)


def _generator(call: ast.Call, scope: Scope, project: Project) -> _Generator | None:
    """Which generator draws, and its seed; None for the seed where it is not known, or others drew before."""
    name = dotted_name(call.func)
    if ending(call.func) == "randperm":
        given = next((each.value for each in call.keywords if each.arg == "generator"), None)
        return _Generator("torch", _seed_of(given, scope, project) if given else _global(call, "torch", scope, project))
    if not isinstance(call.func, ast.Attribute):
        return None
    if name in ("random.shuffle", "random.permutation") and scope.module.imports.get("random") == "random":
        return _Generator("python", _global(call, "random", scope, project))
    if name.endswith(("np.random." + call.func.attr, "numpy.random." + call.func.attr)):
        return _Generator("numpy_legacy", _global(call, name.rpartition(".")[0], scope, project))
    made, is_first = _made(call.func.value, call, scope)
    kind = {"RandomState": "numpy_legacy", "default_rng": "numpy", "Random": "python"}.get(ending(made.func)) if (
        made) else None  # fmt: skip
    if made is None or kind is None:
        return None
    return _Generator(kind, whole(made.args[0], scope, project) if made.args and is_first else None)


def _made(node: ast.expr, use: ast.Call, scope: Scope) -> tuple[ast.Call | None, bool]:
    """The call that made a generator, and whether ``use`` is the first to draw from it."""
    if isinstance(node, ast.Call):
        return node, True
    if not isinstance(node, ast.Name):
        return None, False
    bindings = scope.bindings.get(node.id, ())
    if len(bindings) != 1 or not isinstance(bindings[0].value, ast.Call):
        return None, False
    before = [
        each
        for each in scope.calls
        if isinstance(each.func, ast.Attribute)
        and isinstance(each.func.value, ast.Name)
        and each.func.value.id == node.id
        and each.lineno < use.lineno
    ]
    return bindings[0].value, not before


def _seed_of(node: ast.expr, scope: Scope, project: Project) -> int | None:
    """The seed of ``torch.Generator().manual_seed(s)``, here or under a name."""
    match node:
        case ast.Call(func=ast.Attribute(attr="manual_seed"), args=[seed]):
            return whole(seed, scope, project)
        case ast.Name(id=name):
            match [each.value for each in scope.bindings.get(name, ())]:
                case [ast.Call(func=ast.Attribute(attr="manual_seed")) as call]:
                    return _seed_of(call, scope, project)
            for call in scope.calls:
                match call:
                    case ast.Call(func=ast.Attribute(value=ast.Name(id=of), attr="manual_seed")) if of == name:
                        return _seed_of(call, scope, project)
    return None


_SETS = {"random": "seed", "torch": "manual_seed"}


def _global(use: ast.Call, of: str, scope: Scope, project: Project) -> int | None:
    """The seed that a library's own generator was given before ``use``, where nothing was drawn from it in between."""
    sets = f"{of}.{_SETS.get(of, 'seed')}"
    calls = [(each.lineno, each) for each in scope.calls if each.lineno < use.lineno]
    seeds = [(line, each) for line, each in calls if dotted_name(each.func) == sets and each.args]
    if not seeds:
        return None
    line, seed = max(seeds, key=lambda each: each[0])
    between = [
        each
        for at, each in calls
        if at > line and dotted_name(each.func).startswith(f"{of}.") and not _is_quiet(dotted_name(each.func), of)
    ]
    return whole(seed.args[0], scope, project) if not between else None


def _is_quiet(name: str, of: str) -> bool:
    """Whether a call of a library with a generator draws nothing, as far as its name says."""
    return of == "torch" and not any(word in name for word in ("rand", "nn.", "normal", "bernoulli", "utils.data"))


def sampled(scope: Scope, project: Project) -> Iterator[Declared]:
    """``train = table.sample(frac=0.8, random_state=1)`` and ``test = table.drop(train.index)``."""
    for name, bindings in scope.bindings.items():
        match [each.value for each in bindings]:
            case [ast.Call(func=ast.Attribute(attr="sample")) as call]:
                rest = next((other for other, each in scope.bindings.items() if any(
                    _drops(binding.value, name) for binding in each)), None)  # fmt: skip
                if rest is not None:
                    yield _of_sample(call, name, rest, scope, project)


def _drops(node: ast.expr, name: str) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr="drop"), args=[ast.Attribute(value=ast.Name(id=of), attr="index")]):
            return of == name
    return False


def _of_sample(call: ast.Call, name: str, rest: str, scope: Scope, project: Project) -> Declared:
    given = {each.arg: each.value for each in call.keywords if each.arg}
    swapped = side_in(name) in ("evaluation", "validation") and side_in(rest) not in ("evaluation", "validation")
    seed = whole(given["random_state"], scope, project) if "random_state" in given else None

    def on(piece: Piece) -> Operation | None:
        rows = piece.rows or 0
        share = amount(given["frac"], scope, project, rows) if "frac" in given else None
        asked = given.get("n", call.args[0] if call.args else None)
        size = round(share * rows) if share is not None else amount(asked, scope, project, rows) if asked else None
        if {"weights", "replace"} & set(given) or not rows:
            return None
        fields = {"kind": "random", "generator": "numpy_legacy", "seed": seed or 0}
        fields |= {"taken": "first" if swapped else "last"}
        questions = [] if seed is not None else ["the sample has no seed; 0 stands for it"]
        if size is None or not 0 < size < rows:
            return Operation(fields | {"size": 0.2}, [*questions, "how many rows are sampled?"])
        return Operation(fields | {"size": int(size) if swapped else rows - int(size)}, questions)

    parts = (rest, name) if swapped else (name, rest)
    told = {"function": "sample", "random_state": seed, **{key: ast.unparse(value) for key, value in given.items()
            if key in ("frac", "n")}}  # fmt: skip
    return Declared(scope.module.path, call.lineno, "random", parts, scope, told, on)
