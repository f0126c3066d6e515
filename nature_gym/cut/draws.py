"""Random splits in programs: which call draws what from what, with all of its arguments, nested ones too.

The one idea: the names that a call's result is unpacked to tell the parts, and a call that splits one of these names
is a split of that part. What cannot be worked out (a seed that nobody sets, a size that depends on data) is said.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from operator import add, mul, sub, truediv

from nature_gym.cut.columns import Columns
from nature_gym.cut.graph import unit_of
from nature_gym.cut.material import Material, Piece
from nature_gym.cut.python_units import Scope
from nature_gym.cut.values import UNKNOWN, Evaluator, Project

_NAMES = frozenset({"train_test_split"})
_DEFAULT_TEST = 0.25


@dataclass(slots=True)
class Draw:
    """One seeded draw of two parts. ``of`` is the draw and the part that it splits, None where it splits the file."""

    file: str
    line: int
    parts: tuple[str, str]
    size: float | None
    seed: int | None
    shuffle: bool
    strata: ast.expr | None
    scope: Scope
    of: tuple[Draw, int] | None = None
    inner: list[Draw] = field(default_factory=list)

    @property
    def known(self) -> bool:
        """Whether it can be repeated."""
        return (
            self.size is not None and (self.seed is not None or not self.shuffle) and all(d.known for d in self.inner)
        )

    @property
    def leaves(self) -> list[tuple[Draw, int]]:
        """The parts that are not split again, in order."""
        found: list[tuple[Draw, int]] = []
        for number in range(2):
            further = [draw for draw in self.inner if draw.of is not None and draw.of[1] == number]
            found += further[0].leaves if further else [(self, number)]
        return found

    @property
    def all(self) -> list[Draw]:
        return [self, *(each for draw in self.inner for each in draw.all)]


def find_draws(project: Project, written: set[str]) -> list[Draw]:
    """The draws that no other draw comes before. Programs in ``written`` are left out: what they drew lies in files."""
    found: list[Draw] = []
    for module in project.modules:
        if module.path in written:
            continue
        for scope in module.scopes:
            made: dict[str, tuple[Draw, int]] = {}
            for call, names in _unpacked(scope):
                draw = _draw(call, names, scope, project)
                of = made.get(call.args[0].id) if isinstance(call.args[0], ast.Name) else None
                if of is not None:
                    draw.of = of
                    of[0].inner.append(draw)
                else:
                    found.append(draw)
                made |= {name: (draw, number) for number, name in enumerate(names)}
    return found


def _unpacked(scope: Scope) -> Iterator[tuple[ast.Call, tuple[str, str]]]:
    """Calls that split, by line, with the two names of the first argument's parts."""
    parts: dict[int, dict[int, str]] = {}
    for name, bindings in scope.bindings.items():
        for binding in bindings:
            match binding.value:
                case ast.Subscript(value=ast.Call() as call, slice=ast.Constant(value=int() as place)):
                    parts.setdefault(id(call), {})[place] = name
    for call in sorted(scope.calls, key=lambda each: each.lineno):
        if _called(call) not in _NAMES or not call.args or _is_of_object(call.func, scope):
            continue
        names = parts.get(id(call), {})
        yield call, (names.get(0, "train"), names.get(1, "test"))


def _is_of_object(called: ast.expr, scope: Scope) -> bool:
    """Whether it is the method of something that a call made, and so not the function of this name."""
    match called:
        case ast.Attribute(value=ast.Call()):
            return True
        case ast.Attribute(value=ast.Name(id=name)):
            return any(isinstance(each.value, ast.Call) for each in scope.bindings.get(name, ()))
    return False


def _draw(call: ast.Call, names: tuple[str, str], scope: Scope, project: Project) -> Draw:
    given = {each.arg: each.value for each in call.keywords if each.arg}
    evaluator = Evaluator(project)
    size: float | None = _DEFAULT_TEST
    if "test_size" in given:
        size = number(given["test_size"], scope, evaluator)
    elif "train_size" in given:
        train = number(given["train_size"], scope, evaluator)
        size = round(1 - train, 12) if train is not None and train < 1 else None
    seed = number(given["random_state"], scope, evaluator) if "random_state" in given else None
    shuffle = given.get("shuffle")
    strata = given.get("stratify")
    return Draw(
        scope.module.path,
        call.lineno,
        names,
        size or None,
        int(seed) if seed is not None and seed == int(seed) else None,
        not (isinstance(shuffle, ast.Constant) and shuffle.value is False),
        None if isinstance(strata, ast.Constant) and strata.value is None else strata,
        scope,
    )


_ARITHMETIC: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: add, ast.Sub: sub, ast.Mult: mul, ast.Div: truediv,
}  # fmt: skip


def number(node: ast.expr, scope: Scope, evaluator: Evaluator) -> float | None:
    """The one number that an expression can be; None where it can be several, or nobody knows."""
    if isinstance(node, ast.Constant):
        return float(node.value) if isinstance(node.value, int | float) and not isinstance(node.value, bool) else None
    if isinstance(node, ast.BinOp):
        left, right = number(node.left, scope, evaluator), number(node.right, scope, evaluator)
        do = _ARITHMETIC.get(type(node.op))
        return (
            do(left, right) if do and left is not None and right is not None and (right or do is not truediv) else None
        )
    values = evaluator.path(node, scope) - UNKNOWN
    try:
        (value,) = {float(each) for each in values}
    except ValueError:
        return None
    return value


def strata_of(draw: Draw, piece: Piece, project: Project) -> tuple[str, ...] | None:
    """The columns of ``piece`` that a draw keeps in proportion; None where it is something else."""
    if draw.strata is None:
        return ()
    return Columns(project, piece.fields).of(draw.strata, draw.scope) or None


def piece_of(draw: Draw, material: Material) -> Piece | None:
    """The one file whose rows a draw parts: what its program, or the functions it calls, read."""
    return piece_near(draw.scope, material, lambda piece, project: strata_of(draw, piece, project) is not None)


def piece_near(scope: Scope, material: Material, fits: Callable[[Piece, Project], bool]) -> Piece | None:
    """The one file with rows that fits among those that a scope, what it calls, or else its program reads."""
    for _, cut in material.programs:
        if scope.module not in cut.project.modules:
            continue
        unit = unit_of(scope)
        near = {unit, *cut.graph.calls.get(unit, ())}
        readers = {
            piece.path: {
                part for site in material.sites(piece) if site.action == "read" for part in (site.unit, site.inner)
            }
            for piece in material.pieces
            if piece.rows
        }
        same_file = {part for parts in readers.values() for part in parts if part.file == scope.module.path}
        for reached in (near, same_file):
            read = [piece for piece in material.pieces if readers.get(piece.path, set()) & reached]
            fitting = [piece for piece in read if fits(piece, cut.project)]
            if len(fitting) == 1:
                return fitting[0]
    return None


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
