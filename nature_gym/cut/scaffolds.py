"""Splits of molecules by scaffold in programs: DeepChem's splitter, and functions that are called for it.

The one idea: what the splitter of the library does is known and is drafted as such; a function of the authors' own may
do something else under the same name, so it is drafted with a question.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from nature_gym.cut.amounts import amount, ending
from nature_gym.cut.core import words_of
from nature_gym.cut.declared import Declared, Operation
from nature_gym.cut.material import Piece
from nature_gym.cut.python_units import Scope
from nature_gym.cut.values import Project

_OF_LIBRARY = {"train_valid_test_split": ("train", "valid", "test"), "train_test_split": ("train", "test")}
_USUAL = {3: (0.8, 0.1, 0.1), 2: (0.8, 0.2)}
_SHARES = ("frac_train", "frac_valid", "frac_test")
_SMILES = frozenset({"smiles", "smile", "smi"})


def scaffolded(scope: Scope, project: Project) -> Iterator[Declared]:
    """``ScaffoldSplitter().train_valid_test_split(data, frac_train=0.7, ...)``, ``scaffold_split(data, sizes=...)``."""
    for call in scope.calls:
        name = ending(call.func)
        if isinstance(call.func, ast.Attribute) and name in _OF_LIBRARY and _is_splitter(call.func.value, scope):
            yield _declared(call, _OF_LIBRARY[name], scope, project, own="")
        elif name == "scaffold_split" and name not in scope.name:
            yield _declared(call, (), scope, project, own=name)


def _is_splitter(node: ast.expr, scope: Scope) -> bool:
    if isinstance(node, ast.Name):
        bound = [each.value for each in scope.bindings.get(node.id, ())]
        node = bound[0] if len(bound) == 1 else node
    return isinstance(node, ast.Call) and ending(node.func) == "ScaffoldSplitter"


def _declared(call: ast.Call, parts: Sequence[str], scope: Scope, project: Project, own: str) -> Declared:
    sizes = _sizes(call, len(parts), scope, project)
    parts = parts or (("train", "valid", "test") if len(sizes or ()) != 2 else ("train", "test"))
    texts = [node.value for node in ast.walk(call) if isinstance(node, ast.Constant) and isinstance(node.value, str)]

    def on(piece: Piece) -> Operation | None:
        column = _column(piece, texts)
        if column is None or not piece.rows:
            return None
        questions = []
        if own:
            questions.append(f"does {own} take the largest scaffolds first, and draw nothing? The draft does so")
        if sizes is None:
            questions.append("how large are the parts? The program does not say it in numbers")
        fields = {"kind": "scaffold", "column": column, "sizes": list(sizes or _USUAL[len(parts)])}
        return Operation(fields, questions, tuple(parts))

    told = {"function": ending(call.func), "sizes": sizes}
    return Declared(scope.module.path, call.lineno, "scaffold", ("train", "test"), scope, told, on)


def _sizes(call: ast.Call, count: int, scope: Scope, project: Project) -> tuple[float, ...] | None:
    """The shares of the parts; the library's own where none is given; None where nobody knows."""
    given = {each.arg: each.value for each in call.keywords if each.arg}
    asked = [name for name in _SHARES if count != 2 or name != "frac_valid"]
    if any(name in given for name in asked):
        found = [amount(given.get(name), scope, project, 0) for name in asked]
        known = [share for share in found if share is not None]
        if len(known) == len(asked) - 1:  # the last one is what is left
            known.insert(found.index(None), 1 - sum(known))
        return _whole(known, len(asked))
    for node in (*call.args, *given.values()):
        if isinstance(node, ast.Tuple | ast.List) and len(node.elts) in (2, 3):
            shares = [amount(each, scope, project, 0) for each in node.elts]
            return _whole([share for share in shares if share is not None], len(node.elts))
    return _USUAL[count] if count else None


def _whole(shares: list[float], count: int) -> tuple[float, ...] | None:
    rounded = tuple(round(share, 9) for share in shares)
    return rounded if len(rounded) == count and abs(sum(rounded) - 1) < 1e-6 and min(rounded) > 0 else None


def _column(piece: Piece, texts: Sequence[str]) -> str | None:
    """The column of structures: one that the call names, or the one whose name says so."""
    found = [name for name in piece.columns if name in texts and piece.kinds.get(name) == "VARCHAR"]
    found = found or [name for name in piece.columns if _SMILES & set(words_of(name))]
    return found[0] if len(found) == 1 else None
