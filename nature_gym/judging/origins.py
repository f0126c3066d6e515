"""Where a value comes from: labels with the place in the source that gave them.

The idea: a value is what it was made from. A label names one thing it was made from (data to learn from, test inputs, a
literal, chance, a fit, a score that came back), and passes on with the value until it is written as an answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Kind = Literal[
    "train", "test", "code", "resource",  # data of the package, by their role
    "id", "shape", "order",  # ids (``what`` is the role of the file), sizes, what is told of a file by its system
    "fit", "aggregate", "estimator", "scaler",  # learned; a mean and the like; constructors
    "literal", "lookup", "constant", "blob", "decoded", "file",  # written by hand, or in a file beside the program
    "rule", "random", "feedback", "chosen", "climb",  # conditions on test inputs, chance, scores that came back
    "keyed", "book",  # a table of the data by ids, and a test item looked up in it
    "outside", "network", "model", "truth", "paper",  # what is not of the package, or kept back
    "data_dir", "out", "service", "column", "opened",  # places, a column that was stored, a path that was opened
]  # fmt: skip
DATA: frozenset[Kind] = frozenset({"train", "test", "code", "resource"})
_THROUGH_CONDITIONS: frozenset[Kind] = frozenset(
    {
        "train",
        "test",
        "code",
        "resource",
        "random",
        "fit",
        "aggregate",
        "outside",
        "network",
        "model",
        "truth",
        "paper",
        "lookup",
    }
)
MOST_LABELS = 160
MOST_TEXTS = 40
LONGEST_TEXT = 400


class Label(NamedTuple):
    """One origin. ``what`` depends on the kind: a file's name, a role, a count."""

    kind: Kind
    what: str = ""
    file: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Value:
    """``labels``: what it was made from; ``texts``: pieces of strings in it, of which paths are made."""

    labels: frozenset[Label] = field(default_factory=frozenset)
    texts: frozenset[str] = field(default_factory=frozenset)

    def __or__(self, other: Value) -> Value:
        if other is NOTHING or (other.labels <= self.labels and other.texts <= self.texts):
            return self
        if self is NOTHING:
            return other
        return Value(_few(self.labels | other.labels), _short(self.texts | other.texts))

    def kinds(self) -> frozenset[Kind]:
        """The kinds of its labels."""
        return frozenset(label.kind for label in self.labels)

    def has(self, *kinds: Kind) -> bool:
        """Whether it has a label of one of these kinds."""
        return any(label.kind in kinds for label in self.labels)

    def of(self, *kinds: Kind) -> list[Label]:
        """Its labels of these kinds, in the order of the source."""
        return sorted(label for label in self.labels if label.kind in kinds)

    def without(self, *kinds: Kind) -> Value:
        """Without labels of these kinds."""
        return Value(frozenset(label for label in self.labels if label.kind not in kinds), self.texts)

    def plus(self, *labels: Label) -> Value:
        """With more labels."""
        return Value(_few(self.labels | frozenset(labels)), self.texts)

    def bare(self) -> Value:
        """Its labels without its texts."""
        return Value(self.labels)


NOTHING = Value()


def union(values: Iterable[Value]) -> Value:
    """All of them together."""
    found = NOTHING
    for one in values:
        found |= one
    return found


def shape_of(value: Value) -> Value:
    """What a size or form of it tells."""
    return Value(frozenset({Label("shape")})) if value.labels else NOTHING


def through_condition(value: Value, file: str, line: int) -> Value:
    """What a condition passes on to what is done under it: a score chooses, and numbers compared with inputs rule."""
    labels = {label for label in value.labels if label.kind in _THROUGH_CONDITIONS}
    if value.has("feedback"):
        labels.add(Label("chosen", "", file, line))
    if value.has("test") and value.has("constant") and not value.has("train", "fit"):
        labels.add(Label("rule", "", file, line))
    return Value(_few(frozenset(labels)))


def _few(labels: frozenset[Label]) -> frozenset[Label]:
    """At most so many: of a kind that is there often, the first in the source stay."""
    if len(labels) <= MOST_LABELS:
        return labels
    kept: dict[Kind, int] = {}
    found = []
    for label in sorted(labels):
        kept[label.kind] = kept.get(label.kind, 0) + 1
        if kept[label.kind] <= 5:
            found.append(label)
    return frozenset(found)


def _short(texts: frozenset[str]) -> frozenset[str]:
    return texts if len(texts) <= MOST_TEXTS else frozenset(sorted(texts)[:MOST_TEXTS])
