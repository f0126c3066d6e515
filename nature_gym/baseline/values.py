"""One column's values: the mean, the commonest, or drawn from what the data show.

Part of a program that stands by itself (:mod:`nature_gym.baseline.solver`).
"""

from __future__ import annotations

import collections
import math
import os
import random
from collections.abc import Sequence
from typing import Any

from nature_gym.baseline.data import NoAnswerError
from nature_gym.baseline.extent import Form

STRATEGY = os.environ.get("STRATEGY", "varied")
"""``constant``: mean, commonest value, middle of a range; ``varied``: drawn, always the same."""
GUESSED: set[str] = set()
"""Columns and keys whose texts neither section 5 nor the data tell."""


def number(text: Any) -> float | None:
    """A number, or None."""
    try:
        value = float(text)
    except (TypeError, ValueError):
        return None
    return value if math.isfinite(value) else None


class Values:
    """One column's values: those allowed, those that the data show, or what fits the limits.

    Texts of which neither tells anything are guessed; :data:`GUESSED` has the names of such columns.
    """

    def __init__(self, form: Form, shown: Sequence[Any], draw: random.Random) -> None:
        self.draw = draw
        self.name = str(form.get("name") or form.get("file") or "its texts")
        self.least, self.most = form["least"], form["most"]
        if self.least is not None and self.most is not None and self.least > self.most:
            raise NoAnswerError(f"no value is at least {self.least:g} and at most {self.most:g}")
        dtype = form["dtype"] or (
            ""
            if form["values"]
            else "float64"
            if not shown or all(number(one) is not None for one in shown[:1000])
            else "string"
        )
        if form["values"] and not dtype:
            dtype = "float64" if all(number(one) is not None for one in form["values"]) else "string"
        self.kind = (
            "s" if dtype.startswith("str") else "b" if dtype.startswith("bool") else "i" if "int" in dtype else "f"
        )
        self.allowed = [self.plain(one) for one in form["values"]]
        fitting = [self.plain(one) for one in shown if self.kind == "s" or number(one) is not None]
        self.shown = [one for one in fitting if (not self.allowed or one in self.allowed) and self.fits(one)]

    def plain(self, one: Any) -> Any:
        """A value in its type."""
        if self.kind == "s":
            return str(one)
        value = number(one)
        if value is None:
            return str(one).strip().lower() == "true" if self.kind == "b" else 0
        return bool(value) if self.kind == "b" else int(value) if self.kind == "i" else value

    def fits(self, one: Any) -> bool:
        """Whether a value is within the limits."""
        if self.kind in "sb":
            return True
        return (self.least is None or one >= self.least) and (self.most is None or one <= self.most)

    def bounds(self) -> tuple[float, float]:
        """Limits for what is made up."""
        low = self.least if self.least is not None else min(0.0, self.most - 1.0) if self.most is not None else 0.0
        return low, self.most if self.most is not None else low + 1.0

    def constant(self) -> Any:
        """The mean, the commonest value, or the middle."""
        if self.shown and self.kind == "f" and not self.allowed:
            return math.fsum(self.shown) / len(self.shown)
        if self.shown:
            return collections.Counter(self.shown).most_common(1)[0][0]
        if self.allowed:
            return self.allowed[0]
        low, high = self.bounds()
        return {"s": "A", "b": False, "i": math.ceil(low), "f": (low + high) / 2}[self.kind]

    def varied(self) -> Any:
        """A value drawn from those shown or allowed, or from between the limits."""
        if self.shown or self.allowed:
            return self.draw.choice(self.shown or self.allowed)
        low, high = self.bounds()
        if self.kind == "i":
            return self.draw.randint(math.ceil(low), math.floor(high))
        return {"s": "A", "b": self.draw.random() < 0.5}.get(self.kind, self.draw.uniform(low, high))

    def many(self, count: int) -> list[Any]:
        """As many as are asked for, in the way of the strategy."""
        if self.kind == "s" and not self.shown and not self.allowed:
            GUESSED.add(self.name)
        if STRATEGY == "constant":
            return [self.constant()] * count
        return [self.varied() for _ in range(count)]
