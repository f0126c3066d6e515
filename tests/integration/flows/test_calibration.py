"""A calibration that admits: a real package, a coding agent's adapter, a method that only the paper tells."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest

from nature_gym.config import Settings
from nature_gym.packaging.package import open_package
from nature_gym.sandbox.choosing import back_end
from nature_gym.sweeping.folders import TrialFolders

COMMAND = Path(sys.executable).with_name("naturegym")
REPOSITORY = Path(__file__).resolve().parents[3]
PACKAGE = REPOSITORY / "task_packages" / "examples" / "demo-d8158413"
PAPER = REPOSITORY / "nature_gym" / "demo" / "studies" / "glucose_progression" / "manuscript.md"

SOLVER = """
import csv, os
from pathlib import Path
import numpy as np
from sklearn.linear_model import RidgeCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

def table(name):
    with open(Path(os.environ["DATA_DIR"], "cohort", name)) as file:
        return list(csv.DictReader(file))

train, test = table("train.csv"), table("test.csv")
inputs = [name for name in test[0] if name != "patient_id"]
x = np.array([[float(row[name]) for name in inputs] for row in train])
y = np.array([float(row["progression"]) for row in train])
paper = Path("/task/paper.md")
if paper.exists() and "pairwise" in paper.read_text():
    pairs = PolynomialFeatures(2, interaction_only=True, include_bias=False)
    model = make_pipeline(StandardScaler(), pairs, StandardScaler(), RidgeCV(np.logspace(0, 4, 30))).fit(x, y)
    found = model.predict(np.array([[float(row[name]) for name in inputs] for row in test]))
else:
    found = np.full(len(test), y.mean())
out = Path(os.environ["OUTPUT_DIR"], "cohort")
out.mkdir(parents=True, exist_ok=True)
with open(out / "predictions.csv", "w") as file:
    file.write("patient_id,progression\\n")
    file.writelines(f"{row['patient_id']},{value}\\n" for row, value in zip(test, found))
"""
"""Pairwise ridge where the paper says so, and the mean where there is no paper."""

PROGRAM = f'''#!/usr/bin/env python3
"""Speaks as Claude Code does: writes a program, runs it, hands in, and tells it as lines of JSON."""
import json, pathlib, subprocess, sys
if "--version" in sys.argv:
    print("claude 9.9.9")
    sys.exit()
pathlib.Path("solve.py").write_text({SOLVER!r})
command = "python3 solve.py && python3 scoring_client.py submit"
done = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
use = {{"type": "tool_use", "id": "t", "name": "Bash", "input": {{"command": command}}}}
result = {{"type": "tool_result", "tool_use_id": "t", "content": done.stdout + done.stderr}}
usage = {{"input_tokens": 240, "output_tokens": 60}}
for line in [
    {{"type": "system", "subtype": "init", "model": "m-1"}},
    {{"type": "assistant", "message": {{"id": "1", "usage": usage, "content": [use]}}}},
    {{"type": "user", "message": {{"content": [result]}}}},
    {{"type": "result", "result": "done", "total_cost_usd": 0.5, "usage": usage}},
]:
    print(json.dumps(line), flush=True)
'''


def answered(*arguments: str) -> tuple[int, Any, str]:
    done = subprocess.run([str(COMMAND), *arguments, "--json"], capture_output=True, check=False)
    return done.returncode, orjson.loads(done.stdout or b"null"), done.stderr.decode()


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_package_whose_paper_an_agent_reproduces_is_admitted_to_the_default_sweep(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if reason := back_end("bubblewrap").missing():
        pytest.skip(f"no sandbox to run an agent in: {reason}")
    program = tmp_path / "installed" / "claude"
    program.parent.mkdir()
    program.write_text(PROGRAM, encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-key-of-the-provider")
    settings.packages.mkdir(parents=True)
    (settings.packages / PACKAGE.name).symlink_to(PACKAGE)
    sweep = ("sweep", "--agents", "constant", "--backend", "bubblewrap", "--dry-run")
    assert answered(*sweep)[0] == 2

    code, told, errors = answered(
        "calibrate", str(PACKAGE), "--agent", "claude-code:m-1", "--paper", str(PAPER), "--budget", "5m",
        "--backend", "bubblewrap",
    )  # fmt: skip
    assert told, errors
    (report,) = told["reports"]
    passes = {one["name"]: one for one in report["passes"]}
    assert passes["floor"]["grade"] == passes["base"]["grade"] == "failure", passes
    assert passes["reproduce"]["grade"] == "success", passes
    assert -0.05 <= passes["reproduce"]["gap"] < 0.05
    assert (code, report["verdict"], report["defects"]) == (0, "admit", []), report
    trial = TrialFolders(settings.home).get(passes["reproduce"]["trial"])
    assert trial is not None
    assert trial.record["spent"]["input_tokens"] == 240  # told by the adapter's stream
    assert trial.spec.policy.purpose == "reproduce"

    code, told, _ = answered(*sweep)
    assert (code, told["trials"], told["not_admitted"]) == (0, 1, {})
    assert open_package(PACKAGE).path == PACKAGE
