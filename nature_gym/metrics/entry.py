"""What the registry knows of a metric: a plain record, written beside the function it describes."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Direction = Literal["higher_is_better", "lower_is_better"]
DIRECTIONS: tuple[Direction, ...] = ("higher_is_better", "lower_is_better")
HIGHER: Direction = "higher_is_better"
LOWER: Direction = "lower_is_better"
_SHAPE = re.compile(r"\(([^()]*,[^()]*)\)")


@dataclass(frozen=True, slots=True)
class Example:
    """Small inputs and the value that the metric gives for them, worked out apart from its code."""

    reference: Any
    prediction: Any
    value: float
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A metric.

    ``function(reference, prediction, **parameters) -> float`` raises ValueError with a sentence for inputs that
    it cannot score. ``aliases`` are names as papers print them. ``reference`` and ``prediction`` say what the two
    inputs hold, with shapes; an empty ``reference`` means that it is not looked at. ``perfect`` is None where no
    best value exists. ``undefined`` says what comes of a prediction for which the formula has no value.
    ``requires`` names packages beyond numpy.
    """

    function: Callable[..., float]
    title: str
    aliases: tuple[str, ...] = ()
    direction: Direction = HIGHER
    low: float = -math.inf
    high: float = math.inf
    perfect: float | None
    reference: str
    prediction: str
    formula: str
    source: str
    undefined: str = ""
    requires: tuple[str, ...] = ()
    example: Example

    @property
    def name(self) -> str:
        """What the registry calls it, which is also the function's name."""
        return self.function.__name__

    @property
    def family(self) -> str:
        """The module it is written in."""
        return self.function.__module__.rpartition(".")[2]

    @property
    def range(self) -> str:
        """The interval of its values, as mathematics writes it."""
        low = "(-∞" if math.isinf(self.low) else f"[{self.low:g}"
        high = "∞)" if math.isinf(self.high) else f"{self.high:g}]"
        return f"{low}, {high}"

    @property
    def one_a_sample(self) -> tuple[bool, bool]:
        """Whether reference and prediction hold one value a sample, and never columns, by the shapes that they say."""

        def one(text: str) -> bool:
            shapes = [[axis for axis in shape.split(",") if axis.strip()] for shape in _SHAPE.findall(text)]
            return bool(shapes) and all(len(axes) == 1 for axes in shapes)

        return one(self.reference), one(self.prediction)

    @property
    def parameters(self) -> dict[str, Any]:
        """Its parameters beyond the two inputs, with their defaults."""
        given = list(inspect.signature(self.function).parameters.values())[2:]
        return {one.name: None if one.default is inspect.Parameter.empty else one.default for one in given}

    def as_dict(self) -> dict[str, Any]:
        """As JSON has it: an end of the range that is infinite is null."""
        return {
            "name": self.name,
            "title": self.title,
            "family": self.family,
            "aliases": list(self.aliases),
            "direction": self.direction,
            "range": [None if math.isinf(end) else end for end in (self.low, self.high)],
            "perfect": self.perfect,
            "reference": self.reference,
            "prediction": self.prediction,
            "parameters": self.parameters,
            "formula": self.formula,
            "source": self.source,
            "undefined": self.undefined,
            "requires": list(self.requires),
        }
