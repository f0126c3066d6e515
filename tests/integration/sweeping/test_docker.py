"""Trials whose boxes an engine makes: the agent's and the evaluator's, with the same image or the usual one."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import docker
import pytest

from nature_gym.packaging.package import Package
from nature_gym.sandbox.choosing import back_end
from nature_gym.sweeping.folders import TrialFolders
from nature_gym.sweeping.scores import scores_of
from nature_gym.sweeping.spec import Policy
from nature_gym.sweeping.trial_run import Ground, run_trial
from tests.integration.sandbox.conftest import with_image
from tests.integration.sweeping.conftest import Script, make_spec

pytestmark = [pytest.mark.docker, pytest.mark.timeout(600)]


def test_a_trial_is_run_and_scored_in_containers_that_are_gone_after(
    tmp_path: Path, package: Package, ground: Ground, docker_client: docker.DockerClient
) -> None:
    with_image(docker_client)
    source = (
        "print(submit([1, 0, 1, 1])[1]['best_aggregate_improvement'], submit([0, 0])[0], os.getuid(), "
        "os.path.exists('/.dockerenv'))"
    )
    spec = make_spec(policy=Policy(backend="docker", scoring_seconds=120.0))
    folders = TrialFolders(tmp_path / "home")
    ground = replace(ground, sandbox=back_end("docker"))
    report = run_trial(spec, package, Script(source), folders.begin(spec), ground)
    assert report.status == "succeeded", report
    trial = folders.get(spec.id)
    assert trial is not None
    assert (trial.path / "stdout").read_text() == "1.0 200 1900000000 True\n"
    assert [one.gap for one in scores_of(trial).attempts] == [1.0, pytest.approx(-0.5)]
    assert trial.record["backend"] == "docker"
    assert docker_client.containers.list(all=True, filters={"label": "naturegym.box"}) == []


def test_submit_scores_in_a_container_without_an_image_being_named(
    tmp_path: Path, package: Package, docker_client: docker.DockerClient
) -> None:
    with_image(docker_client)
    (tmp_path / "answers" / "a").mkdir(parents=True)
    (tmp_path / "answers" / "a" / "answer.json").write_text("[1, 0, 1, 0]")
    done = subprocess.run(
        [
            sys.executable, "-m", "nature_gym.cli.main", "submit", str(package.path), str(tmp_path / "answers"),
            "--backend", "docker", "--json",
        ],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["aggregate_improvement"] == pytest.approx(0.5)
