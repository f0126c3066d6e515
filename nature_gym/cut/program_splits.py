"""All splits that programs make otherwise than by ``train_test_split``, and the partings that they are.

The one idea: a program's split is drafted where one file that it reads fits it: as many rows, columns of these names.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from nature_gym.cut.core import words_of
from nature_gym.cut.declared import Declared, Operation
from nature_gym.cut.draws import piece_near
from nature_gym.cut.masks import masked
from nature_gym.cut.material import Material, Piece
from nature_gym.cut.permutations import permuted, sampled
from nature_gym.cut.scaffolds import scaffolded
from nature_gym.cut.splitters import folded
from nature_gym.cut.values import Project

_ROLES = frozenset({"idx", "index", "indices", "inds", "ids", "mask", "df", "data", "set", "rows", "ind"})


def find_declared(project: Project, written: Collection[str]) -> Iterator[Declared]:
    """The splits of all programs but those in ``written``, which lie in files."""
    for module in project.modules:
        if module.path not in written:
            for scope in module.scopes:
                for finder in (permuted, sampled, folded, masked, scaffolded):
                    yield from finder(scope, project)


def on_file(declared: Declared, material: Material) -> tuple[Piece, Operation] | None:
    """The one file that a split is of, with its operation there; None where there is no such, or several."""
    piece = piece_near(declared.scope, material, lambda each, _: declared.on(each) is not None)
    operation = declared.on(piece) if piece is not None else None
    return (piece, operation) if piece is not None and operation is not None else None


def part_names(declared: Declared) -> tuple[str, str]:
    """What the authors call the parts, without what says that these are rows: ``train`` for ``train_idx``."""
    found = []
    for name, meant in zip(declared.parts, ("train", "test"), strict=True):
        words = [word for word in words_of(name) if word not in _ROLES]
        found.append(re.sub(r"[^A-Za-z0-9_-]", "", "_".join(words)).lstrip("_-") or meant)
    return (found[0], found[1]) if found[0] != found[1] else ("train", "test")
