"""A split that a program makes otherwise than by ``train_test_split``, as far as the program alone tells it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from nature_gym.cut.material import Piece
from nature_gym.cut.python_units import Scope


@dataclass(slots=True)
class Operation:
    """A split as ``task.yaml`` says it, but for what it splits, with what is not known of it."""

    fields: dict[str, Any]
    questions: list[str] = field(default_factory=list)
    parts: tuple[str, ...] = ()
    """The names of all parts in their order, where there are others than the two of the program: ``train``, ``valid``
    and ``gap`` as such, ``test`` for the one that is evaluated."""


@dataclass(slots=True)
class Declared:
    """A split in a program: ``parts`` in the order of the operation, the second one being evaluated.

    ``on`` works out the operation on a file; None where it cannot be of that file.
    """

    file: str
    line: int
    kind: str
    parts: tuple[str, str]
    scope: Scope
    parameters: dict[str, Any]
    on: Callable[[Piece], Operation | None]
