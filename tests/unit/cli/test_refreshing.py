"""``naturegym refresh`` before it begins: the dry run, and slips of the pen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from nature_gym.cli import refresh
from nature_gym.cli.main import app
from nature_gym.errors import UsageError


def test_a_dry_run_tells_each_step_and_what_its_figures_rest_on_and_writes_nothing(naturegym_home: Path) -> None:
    result = CliRunner().invoke(app, ["refresh", "--dry-run", "--until", "read"])
    assert result.exit_code == 0, result.output
    rows = result.stdout.splitlines()
    assert [row.split()[0] for row in rows[1:4]] == ["harvest", "fetch", "read"]
    assert "  fetch: 3 s a paper assumed; one host, requests_per_second" in rows
    assert "no host was asked" in rows[-1]
    assert not (naturegym_home / "papers").exists()
    assert not (naturegym_home / "prefect").exists()


def test_a_dry_run_in_json_has_the_same_figures(naturegym_home: Path) -> None:
    value = json.loads(CliRunner().invoke(app, ["refresh", "--dry-run", "--until", "fetch", "--json"]).stdout)
    harvest, fetch = value["steps"]
    assert harvest["coming"] == fetch["coming"] > 0
    assert value["hours"] == pytest.approx(harvest["hours"] + fetch["hours"], abs=0.001)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--until", "sweep"], "a sweep needs agents"),
        (["--venues", "nowhere"], "no venue list"),
        (["--only", "10.1/none"], "no paper"),
        (["--budget", "never"], "never"),
    ],
)
def test_a_slip_of_the_pen_is_told_before_a_server_is_started(
    naturegym_home: Path, words: list[str], told: str
) -> None:
    result = CliRunner().invoke(app, ["refresh", *words])
    assert isinstance(result.exception, UsageError)
    assert told in result.exception.message
    assert not (naturegym_home / "prefect").exists()


def test_counts_of_a_run_are_told_by_step_and_what_did_not_happen_is_not() -> None:
    counts = {"read done": 3, "read current": 0, "check not run": 1}
    assert refresh._by_step(counts) == {"read": {"done": 3}, "check": {"not run": 1}}
