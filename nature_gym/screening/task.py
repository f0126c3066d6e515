"""The task tuple as far as screening fills it: algorithm, metrics, the paper's scores, baselines, settings."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from nature_gym.metrics.entry import Direction


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Metric(_Model):
    """A metric of the main results, and where the paper prints it (``Table 2``, ``Fig. 3``)."""

    name: str
    direction: Direction | None = None
    primary: bool = False
    place: str = ""


class Score(_Model):
    """A value as printed: of which metric, by which method, where."""

    metric: str
    value: str
    method: str
    place: str = ""


class Setting(_Model):
    """An evaluation setting: its data, whether it can be used, the paper's scores on it and the baselines'."""

    name: str
    accepted: bool
    reason: str = ""
    protocol: Literal["fixed_split", "random_split", "k_fold", "external_test", "unknown"] = "unknown"
    sota: tuple[Score, ...] = ()
    baseline: tuple[Score, ...] = ()


class TaskTuple(_Model):
    """(A, D, M, S, B) in the paper's own words; what is not known yet is empty."""

    task_type: str = ""
    method: str = ""
    variants: tuple[str, ...] = ()
    metrics: tuple[Metric, ...] = ()
    baselines: tuple[str, ...] = ()
    settings: tuple[Setting, ...] = ()

    def completed(self, other: TaskTuple) -> TaskTuple:
        """This tuple, with what it leaves empty taken from ``other``."""
        empty = {name: getattr(other, name) for name in type(self).model_fields if not getattr(self, name)}
        return self.model_copy(update=empty)
