"""What each column of an answer is: a value, a class, a class's probability, of which target in which training table.

Runs inside a box. A column of the answer that a training table has, too, is that target; any other is named after the
target or after one of its classes, or there is one target alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nature_gym.agents.solvers.roles import GRADED_BY_CLASS, Said
from nature_gym.agents.solvers.tables import Array, Table, empty, is_text, texts
from nature_gym.baseline.data import TO_LEARN

MOST_CLASSES = 1_000
_AROUND = re.compile(
    r"^(?:pred(?:icted|iction)?|prob(?:ability)?|p|y|score)_|_(?:pred|prediction|hat|prob|score)$", re.IGNORECASE
)
_PROBABILITY = re.compile(r"prob|likel|score|confid|^p_", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Source:
    """A target: its training table, the table with its inputs (often the same), its column."""

    table: str
    column: str


@dataclass(frozen=True, slots=True)
class Part:
    """How a column of the answer is made. ``label`` is the class whose probability it is, '' for value or decision."""

    column: str
    source: Source
    label: str = ""
    is_probability: bool = False


def sources(tables: Sequence[Table], asked: Table, id_name: str | None, told: Said) -> list[Source]:
    """Columns that training tables have and the evaluation inputs have not; those that are said to be TARGET first."""
    found: dict[Source, int] = {}
    for table in tables:
        if table.name == asked.name or not table.rows:
            continue
        named = told.of(table.name, "TARGET")
        shared = [one for one in table.columns if one in asked.columns and one != id_name]
        for column, values in table.columns.items():
            if column in asked.columns or column == id_name or told.roles.get(table.name, {}).get(column) == "META":
                continue
            if told.roles.get(table.name, {}).get(column) == "ID" or empty(values).all():
                continue
            rank = 4 * (column in named) + 2 * bool(shared) + bool(TO_LEARN.search(table.name))
            if rank >= 2 or re.search(r"label|target|^y|class|answer", f"{column} {table.name}", re.IGNORECASE):
                found[Source(table.name, column)] = rank
    return sorted(found, key=lambda one: -found[one])


def classes_of(values: Array, asked: dict[str, Any], told: Said) -> Array | None:
    """The classes of a target, sorted; None where it is a quantity."""
    if values.ndim > 1:
        return None
    known = values[~empty(values)]
    if is_text(values):
        kinds = np.unique(texts(known))
        return kinds if len(kinds) <= MOST_CLASSES else None
    whole = bool(len(known)) and bool(np.all(known == np.round(known)))
    kinds = np.unique(known)
    few = whole and len(kinds) <= min(MOST_CLASSES, max(2, len(known) // 3))
    decided = bool(asked.get("values")) or GRADED_BY_CLASS.search(told.metric) or str(asked.get("dtype")) == "bool"
    return kinds if few and decided else None


def parts_of(columns: Sequence[dict[str, Any]], found: Sequence[Source], labels: dict[Source, list[str]],
             told: Said) -> list[Part] | None:  # fmt: skip
    """A part for each column of the answer but its id; None where one of them cannot be told."""
    parts = []
    for column in columns:
        name = column["name"]
        source = next((one for one in found if one.column.casefold() == name.casefold()), None)
        if source is None:
            bare = _AROUND.sub("", name).casefold()
            source = next((one for one in found if one.column.casefold() == bare), None) or (
                found[0] if found else None
            )
        if source is None:
            return None
        kinds = labels.get(source, [])
        exact = source.column.casefold() == name.casefold()
        named = [one for one in kinds if not exact and re.search(rf"(?:^|[_\W]){re.escape(one)}$", name, re.IGNORECASE)]
        chance = (column.get("least"), column.get("most")) == (0, 1) or bool(_PROBABILITY.search(name))
        if named:
            parts.append(Part(name, source, named[0], is_probability=True))
        elif kinds and chance and not column.get("values") and not exact:
            parts.append(Part(name, source, positive_of(kinds, told, name), is_probability=True))
        else:
            parts.append(Part(name, source))
    return parts


def positive_of(kinds: Sequence[str], told: Said, column: str = "") -> str:
    """The positive of two classes: the one that is said, else one that the column's meaning names, else the last."""
    for one in kinds:
        if one.casefold() == told.positive.casefold():
            return one
    meaning = told.meanings.get(column, "").casefold()
    named = [one for one in kinds if re.search(rf"\b{re.escape(one.casefold())}\b", meaning)]
    return named[0] if len(named) == 1 else kinds[-1]
