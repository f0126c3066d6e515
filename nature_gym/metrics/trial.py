"""Tries metrics on their own examples: in this process, and as source that stands alone in another.

What `naturegym metrics test` shows: that each metric gives, here and in an evaluator, the value that was worked
out for its example apart from its code.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from nature_gym.errors import NatureGymError
from nature_gym.metrics.entry import Metric
from nature_gym.metrics.registry import compute, missing_packages
from nature_gym.metrics.source import take

SECONDS = 300.0
"""How long the process that runs the sources may take."""


@dataclass(frozen=True, slots=True)
class Trial:
    """How one metric did on its example; ``state`` is ``skipped`` where a package is not installed."""

    metric: str
    state: Literal["passed", "failed", "skipped"]
    detail: str

    def as_dict(self) -> dict[str, str]:
        return {"metric": self.metric, "state": self.state, "detail": self.detail}


def run_trials(metrics: Iterable[Metric]) -> list[Trial]:
    """Try each of ``metrics``; the sources of all run together, in one process of their own."""
    asked = list(metrics)
    ready = [metric for metric in asked if not missing_packages(metric)]
    apart = _values_apart(ready)
    trials = []
    for metric in asked:
        if absent := missing_packages(metric):
            trials.append(Trial(metric.name, "skipped", f"{', '.join(absent)} is not installed"))
            continue
        example = metric.example
        try:
            here = compute(metric, example.reference, example.prediction, dict(example.parameters))
        except NatureGymError as error:
            trials.append(Trial(metric.name, "failed", error.message))
            continue
        trials.append(_compared(metric, here, apart.get(metric.name)))
    return trials


def _compared(metric: Metric, here: float, apart: float | None) -> Trial:
    expected = metric.example.value
    if not math.isclose(here, expected, rel_tol=1e-9, abs_tol=1e-9):
        return Trial(metric.name, "failed", f"gives {here:.12g} for its example, and {expected:.12g} is right")
    if not metric.low - 1e-9 <= here <= metric.high + 1e-9:
        return Trial(metric.name, "failed", f"gives {here:.12g}, which is out of its range {metric.range}")
    if apart != here:
        return Trial(metric.name, "failed", f"gives {here!r} here and {apart!r} as source that stands alone")
    return Trial(metric.name, "passed", f"{here:.12g}")


def _values_apart(metrics: list[Metric]) -> dict[str, float | None]:
    """The example values as the stand-alone source gives them, in a process that cannot see this project."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "trial.py")
        lines = [take(metric.name for metric in metrics).text, "", "import json", "values = {}"]
        for metric in metrics:
            given = (metric.example.reference, metric.example.prediction, dict(metric.example.parameters))
            lines += [
                "try:",
                f"    reference, prediction, parameters = json.loads({json.dumps(given)!r})",
                f"    values[{metric.name!r}] = float({metric.name}(reference, prediction, **parameters))",
                "except Exception as error:",
                f"    values[{metric.name!r}] = None",
            ]
        script.write_text("\n".join([*lines, "print(json.dumps(values))", ""]), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-I", str(script)],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    if done.returncode:
        return {}
    values: dict[str, float | None] = json.loads(done.stdout)
    return values
