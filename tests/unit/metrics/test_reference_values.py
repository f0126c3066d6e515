"""Metrics give what other people's programs gave for the same inputs (see write_reference_values.py)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nature_gym.metrics.registry import compute, find, missing_packages

ROWS = json.loads(Path(__file__).with_name("reference_values.json").read_text(encoding="utf-8"))
# Programs that search for the best superposition stop at different ones; the others compute one formula.
TOLERANCE = {"tm_score": 2e-3, "ilisi": 2e-3, "clisi": 2e-3, "rmsd": 1e-5, "lddt": 1e-6}


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['metric']}-{place}" for place, row in enumerate(ROWS)])
def test_a_metric_agrees_with_another_program(row: dict[str, Any]) -> None:
    metric = find(row["metric"])
    if absent := missing_packages(metric):
        pytest.skip(f"{', '.join(absent)} is not installed")
    value = compute(metric, row["reference"], row["prediction"], row["parameters"])
    assert value == pytest.approx(row["value"], abs=TOLERANCE.get(metric.name, 1e-8)), row["by"]
