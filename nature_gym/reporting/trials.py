"""Trials as the report shows them: a row each for the list, and of each its time line, trajectory, network, verdicts.

What a trial's folder holds is bounded by who writes it, and still large: of a trajectory the beginning and the end are
shown, and the rest is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson

from nature_gym.agents.events import KINDS
from nature_gym.errors import NatureGymError
from nature_gym.evaluation.events import TrialRecord
from nature_gym.judging.verdict import Evidence, read_outcome, read_verdicts
from nature_gym.reporting.texts import plain, spoken
from nature_gym.sweeping.folders import EGRESS, TRAJECTORY, TrialFolder
from nature_gym.sweeping.plan import cost_of, solving_seconds
from nature_gym.sweeping.results import outcome_of
from nature_gym.sweeping.scores import scores_of

FIRST_EVENTS, LAST_EVENTS, EVENT_LENGTH = 60, 40, 700
MOST_ATTEMPTS, MOST_HOSTS, MOST_SEEN = 400, 60, 20
HEAD_BYTES, TAIL_BYTES, LOG_BYTES = 2 << 20, 512 << 10, 8 << 20


def trial_row(trial: TrialFolder) -> dict[str, Any]:
    """A trial in the list. ``gap`` is that of its best attempt; ``status`` is ``unended`` where it has none."""
    outcome = outcome_of(trial)
    spec, judged = trial.spec, read_outcome(trial.path)
    return {
        "id": trial.id, "agent": plain(spec.agent, 80), "package": plain(spec.package, 120), "seed": spec.seed,
        "pass": spec.policy.purpose, "status": spoken(trial.status or "unended"), "gap": _finite(outcome.gap),
        "attempts": _whole(trial.record.get("attempts")),
        "verdict": judged.verdict if judged else "not judged", "judged": plain(judged.reason if judged else "", 300),
        "categories": [spoken(name) for name in judged.categories] if judged else [],
        "hours": round(_of(solving_seconds, trial) / 3600, 4), "cost": round(_of(cost_of, trial), 4),
        "reason": plain(trial.record.get("reason"), 200),
    }  # fmt: skip


def trial_detail(trial: TrialFolder) -> dict[str, Any]:
    """What is shown of one trial alone."""
    spec, record = trial.spec, trial.record
    events, left_out = _trajectory(trial.path / TRAJECTORY)
    return {
        "budget": spec.budget, "feedback": plain(spec.feedback, 40), "image": plain(spec.image, 200),
        "backend": plain(record.get("backend") or spec.policy.backend, 40), "comparable": record.get("comparable"),
        "version": plain(record.get("agent_version"), 120), "task_digest": plain(spec.task_digest, 90),
        "hint": plain(record.get("hint")), "phases": _numbers(record.get("phases")),
        "spent": _numbers(record.get("spent")), "attempts": _attempts(trial), "events": events, "left_out": left_out,
        "network": _network(trial.path / EGRESS), "judges": _judges(trial),
    }  # fmt: skip


def _attempts(trial: TrialFolder) -> list[dict[str, Any]]:
    """The time line: seconds since the trial was opened, what each attempt counts now, and why not."""
    opened = trial.record.get("opened")
    start = float(opened) if isinstance(opened, int | float) else None
    now = {one.number: one for one in scores_of(trial).attempts}
    found = []
    for one in TrialRecord(trial.path).attempts()[:MOST_ATTEMPTS]:
        score = now.get(one.number)
        found.append({
            "number": one.number, "at": round(one.begun - start, 1) if start is not None else None,
            "status": plain(score.status if score else one.status, 20),
            "gap": _finite(score.gap if score else one.gap),
            "reason": plain(one.result.get("reason"), 300),
            "gaps": {plain(name, 80): _finite(gap) for name, gap in list((score.gaps if score else {}).items())[:30]},
        })  # fmt: skip
    return found


def _trajectory(path: Path) -> tuple[list[dict[str, Any]], int]:
    """The first and the last events, and how many between them are left out (-1: not counted)."""
    try:
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
            length = file.seek(0, 2)
            file.seek(max(0, length - TAIL_BYTES))
            tail = file.read(TAIL_BYTES) if length > HEAD_BYTES else b""
    except OSError:
        return [], 0
    lines = head.splitlines()
    if tail:
        return [*_events(lines[:FIRST_EVENTS]), *_events(tail.splitlines()[1:][-LAST_EVENTS:])], -1
    if len(lines) <= FIRST_EVENTS + LAST_EVENTS:
        return _events(lines), 0
    return _events(lines[:FIRST_EVENTS] + lines[-LAST_EVENTS:]), len(lines) - FIRST_EVENTS - LAST_EVENTS


def _events(lines: Sequence[bytes]) -> list[dict[str, Any]]:
    return [event for line in lines if (event := _event(line)) is not None]


def _event(line: bytes) -> dict[str, Any] | None:
    try:
        told = orjson.loads(line)
    except ValueError:
        return None
    if not isinstance(told, dict) or told.get("kind") not in KINDS:
        return None
    return {
        "kind": told["kind"], "tool": plain(told.get("tool"), 60), "text": plain(told.get("text"), EVENT_LENGTH),
        "time": _finite(told.get("time")),
    }  # fmt: skip


def _network(path: Path) -> list[dict[str, Any]]:
    """What was asked of the way out, by host, port, answer and reason, the most often asked first."""
    counts: Counter[tuple[str, str, str, str]] = Counter()
    received: Counter[tuple[str, str, str, str]] = Counter()
    for line in _lines(path):
        try:
            told = orjson.loads(line)
        except ValueError:
            continue
        if isinstance(told, dict):
            names = [("host", 120), ("port", 8), ("verdict", 20), ("reason", 160)]
            host, port, verdict, reason = (plain(told.get(name), longest) for name, longest in names)
            key = (host, port, verdict, reason)
            counts[key] += 1
            received[key] += _whole(told.get("received"))
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_HOSTS]
    return [
        {"host": key[0], "port": key[1], "verdict": key[2], "reason": key[3], "count": count, "bytes": received[key]}
        for key, count in ordered
    ]


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            yield from file.read(LOG_BYTES).splitlines()
    except OSError:
        return


def _judges(trial: TrialFolder) -> list[dict[str, Any]]:
    return [
        {
            "judge": plain(one.judge, 80), "verdict": one.verdict, "reason": plain(one.reason, 600),
            "categories": [spoken(name) for name in one.categories], "attempt": one.attempt,
            "evidence": _seen(one.evidence), "notes": _seen(one.notes),
        }
        for one in read_verdicts(trial.path)
    ]  # fmt: skip


def _seen(places: Sequence[Evidence]) -> list[dict[str, str]]:
    return [
        {"place": plain(f"{one.file}:{one.line}", 320), "text": plain(one.text, 300), "about": plain(one.about, 300)}
        for one in places[:MOST_SEEN]
    ]


def _numbers(value: Any) -> dict[str, float]:
    if not isinstance(value, dict):
        return {}
    return {plain(name, 40): round(one, 4) for name, one in value.items() if _finite(one) is not None}


def _finite(value: Any) -> float | None:
    """A number that JSON and a drawing can hold, to six decimals."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e300:
        return None
    return round(float(value), 6)


def _whole(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 53 else 0


def _of(measure: Any, trial: TrialFolder) -> float:
    """A measure of a trial's record; nothing where the record has something else there."""
    try:
        return _finite(measure(trial)) or 0.0
    except (NatureGymError, TypeError, ValueError):
        return 0.0
