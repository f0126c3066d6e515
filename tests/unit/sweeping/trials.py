"""Folders of trials that were never run, for what only reads them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nature_gym.evaluation.events import TrialRecord
from nature_gym.evaluation.state import Attempt
from nature_gym.files import write_json
from nature_gym.sweeping.folders import TrialFolder, TrialFolders
from nature_gym.sweeping.spec import TrialSpec

ANCHORS = {"a": {"metric": "Score", "direction": "higher_is_better", "value": 0.5}}


def stored(
    home: Path, package: str, agent: str, seed: int, gaps: Sequence[float | None], *,
    verdict: dict[str, Any] | None = None, status: str | None = "succeeded", spec: dict[str, Any] | None = None,
    **record: Any,
) -> TrialFolder:  # fmt: skip
    """A trial as it lies there after its end, with an attempt for each of ``gaps``."""
    trial = TrialSpec(package, "sha256:0", agent, seed, **(spec or {}))
    folders = TrialFolders(home)
    folder = folders.begin(trial)
    told = {
        "id": trial.id, "run": f"{trial.id}-1", "status": status, "evaluation": "sha256:e", "anchors": ANCHORS,
        "attempts": len(gaps), "finished": 1.0, "comparable": True, "domain": "Testing",
        "phases": {"solving": 360.0}, "paused": 0.0, "spent": {"cost": 2.0}, **record,
    }  # fmt: skip
    write_json(folder / "trial.json", told)
    for number, gap in enumerate(gaps, start=1):
        result = {"raw_scores": {"a": {"Score": 0.5 + 0.5 * gap}} if gap is not None else {}}
        TrialRecord(folder).write(
            Attempt(number, 1.0, "invalid" if gap is None else "scored", 2.0, 1.0, gap, result)
        )  # fmt: skip
    if verdict is not None:
        write_json(folder / "verdict.json", verdict)
    found = folders.get(trial.id)
    assert found is not None
    return found
