"""The demo without a sandbox: it says so and goes on, unless one was asked for by name."""

import shutil
from pathlib import Path

import pytest

from nature_gym.cli import demo_measured
from nature_gym.config import Settings, load_settings
from nature_gym.errors import InfrastructureError

EXAMPLE = Path(__file__).parents[3] / "task_packages/examples/demo-7f972ad0"


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A home with a package, on a machine without a sandbox; which one was asked for is in the message."""

    def none(name: str, *, image: str) -> None:
        raise InfrastructureError(f"no {name} here{image}", hint="Install one.")

    monkeypatch.setattr("nature_gym.sweeping.request.chosen_sandbox", none)
    made = load_settings(home=tmp_path, database_url="")
    shutil.copytree(EXAMPLE, made.packages / EXAMPLE.name)
    return made


def test_without_a_sandbox_nothing_is_run_and_it_says_why(settings: Settings) -> None:
    measured = demo_measured.measure(settings, lambda *_: None)
    assert measured.skipped == "no auto here Install one."
    assert not measured.steps
    assert measured.board is None


def test_a_sandbox_that_was_asked_for_has_to_be_there(settings: Settings) -> None:
    with pytest.raises(InfrastructureError, match="no docker here"):
        demo_measured.measure(settings, lambda *_: None, backend="docker")
