"""A trial's id: the same for the same conditions, another for others, and silent about package and agent."""

from __future__ import annotations

import dataclasses
import json

import pytest

from nature_gym.sweeping.spec import Policy, TrialSpec, read_spec

SPEC = TrialSpec("small-1", "sha256:0", "constant", 0)
OTHERS = {
    "package": "small-2", "task_digest": "sha256:1", "agent": "tabular", "seed": 1, "budget": 60.0, "feedback": "none",
    "image": "slim", "policy": Policy(memory=1 << 30),
}  # fmt: skip


def test_every_condition_is_part_of_the_id() -> None:
    assert set(OTHERS) == {field.name for field in dataclasses.fields(TrialSpec)}
    ids = [dataclasses.replace(SPEC, **{name: value}).id for name, value in OTHERS.items()]  # type: ignore[arg-type]
    assert len({SPEC.id, *ids}) == len(OTHERS) + 1


def test_the_id_tells_nothing_and_stays_the_same() -> None:
    assert SPEC.id == TrialSpec("small-1", "sha256:0", "constant", 0).id
    assert "small" not in SPEC.id
    assert len(SPEC.id) == 16


def test_conditions_are_read_back_as_they_were_written() -> None:
    assert read_spec(json.loads(json.dumps(SPEC.as_json()))) == SPEC


@pytest.mark.parametrize("value", [None, [], {}, {**SPEC.as_json(), "policy": None}, {**SPEC.as_json(), "seed": "0"},
                                   {**SPEC.as_json(), "more": 1}, {**SPEC.as_json(), "agent": 3}])  # fmt: skip
def test_what_is_no_trials_conditions_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="no trial's conditions"):
        read_spec(value)
