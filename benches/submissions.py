"""What a submission costs: a fork of a loaded evaluator beside a process for each, asked over HTTP as an agent asks.

Run it: .venv/bin/python benches/submissions.py [--submissions 30] [--many 1000] [--json FILE]. The evaluator imports
pandas and scikit-learn and loads 55 MB of a table as its truth. Limits: the median of a submission is 20 times lower
with an answer of 50 MB and 100 times with one below 1 MB; the evaluator's memory after 1,000 submissions is at most 1.2
times that after 50; of 8 trials at the same time the slowest takes at most twice as long as the fastest.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from db.engine import open_database
from db.trials import Trials
from nature_gym.evaluation.desk import Desk
from nature_gym.evaluation.evaluator import Evaluator
from nature_gym.evaluation.listening import Listening, on_loopback
from nature_gym.evaluation.service import make_app
from nature_gym.evaluation.trial import Task, Trial
from nature_gym.metrics.entry import LOWER
from nature_gym.sandbox.choosing import back_end, chosen_sandbox
from nature_gym.scoring.gap import Anchor

ROWS = 2_100_000
"""Of truth: 55 MB of text; an answer of 50 MB has three numbers for each."""
SMALL_ROWS = 30_000
"""An answer of 0.7 MB."""
PROCESS, FORK = "process", "fork"
MOST_GROWTH, MOST_UNFAIR = 1.2, 2.0
LEAST_RATIO = {"50 MB": 20.0, "0.7 MB": 100.0}
EVALUATOR = """
import os
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import mean_absolute_error, r2_score

INSTANCES = ["only"]
TRUTH = Path(__file__).parent / "ground_truth" / "only" / "truth.csv"


def run_evaluation():
    path = Path(os.environ["OUTPUT_DIR"]) / "only" / "answer.npy"
    if not path.is_file():
        return {"only": {"MAE": None, "error": "answer.npy is missing"}}
    answer = np.load(path, allow_pickle=False)
    truth = pd.read_csv(TRUTH)["value"].to_numpy()[: len(answer)]
    middle = answer[:, 1]
    return {"only": {"MAE": float(mean_absolute_error(truth, middle)), "R2": float(r2_score(truth, middle))}}
"""


def write_truth(folder: Path) -> Path:
    truth = folder / "evaluation" / "ground_truth" / "only"
    truth.mkdir(parents=True)
    (folder / "evaluation" / "evaluator.py").write_text(EVALUATOR, encoding="utf-8")
    values = np.random.default_rng(0).normal(size=ROWS)
    lines = (f"row{number:07},{value:.12f}\n" for number, value in enumerate(values))
    (truth / "truth.csv").write_text("id,value\n" + "".join(lines), encoding="utf-8")
    return folder / "evaluation"


class Agent:
    """Submits over one connection."""

    def __init__(self, port: int, token: str, workspace: Path) -> None:
        self._port, self._token, self._output = port, token, workspace / "output" / "only"
        self._connection = http.client.HTTPConnection("127.0.0.1", port)
        self._output.mkdir(parents=True, exist_ok=True)

    def answer(self, rows: int) -> None:
        np.save(self._output / "answer.npy", np.random.default_rng(1).normal(size=(rows, 3)))

    def submit(self) -> float:
        self._connection.close()  # the service ends connections that nobody uses
        began = time.perf_counter()
        self._connection.request("POST", "/evaluate", json.dumps({"eval_token": self._token}))
        response = self._connection.getresponse()
        said = json.loads(response.read())
        if response.status != 200:
            raise RuntimeError(f"{response.status}: {said}")
        return time.perf_counter() - began


@contextmanager
def trial(folder: Path, evaluation: Path, name: str, *, as_processes: bool = False) -> Iterator[tuple[Agent, Desk]]:
    task = Task("bench", evaluation, {"only": Anchor("MAE", LOWER, 1.0)})
    one = Trial(name, task, folder / name, folder / f"{name}-workspace", submissions_per_minute=10**6)
    one.workspace.mkdir()
    (one.workspace / "run.py").write_text("import numpy\n", encoding="utf-8")
    sandbox = chosen_sandbox("bubblewrap")
    engine = open_database(f"sqlite:///{folder}/bench.db")

    def started(of: Trial) -> Evaluator:
        return Evaluator(of.task.evaluation, of.folder / "scoring", sandbox, as_processes=as_processes)

    with Desk(one, Trials(engine), started) as desk:
        desk.open()
        with Listening(make_app(desk), on_loopback(0)) as served:
            yield Agent(served.port, desk.token, one.workspace), desk
    engine.dispose()


def resident() -> int:
    """Bytes that the evaluators' processes below this one hold, shared pages by share."""
    total = 0
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and b"/scoring/host.py" in (folder / "cmdline").read_bytes():
                lines = (folder / "smaps_rollup").read_text().splitlines()
                total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) << 10
        except OSError:
            continue
    return total


def medians(folder: Path, evaluation: Path, count: int) -> dict[str, float]:
    """Median seconds of a submission, by mode and size of the answer."""
    found: dict[str, float] = {}
    for mode in (PROCESS, FORK):
        with trial(folder, evaluation, mode, as_processes=mode == PROCESS) as (agent, desk):
            for size, rows in (("50 MB", ROWS), ("0.7 MB", SMALL_ROWS)):
                agent.answer(rows)
                for _ in range(3):
                    agent.submit()  # the first forks teach the parent what to load
                times = [agent.submit() for _ in range(max(3, count // 6) if mode == PROCESS else count)]
                found[f"{mode}, {size}"] = statistics.median(times)
            if desk.works_as != mode:
                raise RuntimeError(f"asked for {mode}, got {desk.works_as}")
    return found


def growth(folder: Path, evaluation: Path, count: int) -> dict[str, float]:
    """Bytes that the evaluator holds after ``count`` submissions and after a twentieth; how many a minute."""
    with trial(folder, evaluation, "many") as (agent, _):
        agent.answer(SMALL_ROWS)
        for _ in range(max(5, count // 20)):
            agent.submit()
        early, began = resident(), time.perf_counter()
        for _ in range(count - count // 20):
            agent.submit()
        took = time.perf_counter() - began
        return {"early": early, "late": resident(), "a minute": 60 * (count - count // 20) / took}


def together(folder: Path, evaluation: Path, trials: int = 8, each: int = 20) -> list[float]:
    """Seconds that each of some trials at the same time takes for its submissions."""
    times: list[float] = []

    def work(agent: Agent) -> None:
        began = time.perf_counter()
        for _ in range(each):
            agent.submit()
        times.append(time.perf_counter() - began)

    with ExitStack() as stack:
        agents = [stack.enter_context(trial(folder, evaluation, f"trial{n}"))[0] for n in range(trials)]
        for agent in agents:
            agent.answer(SMALL_ROWS)
            for _ in range(3):
                agent.submit()
        threads = [threading.Thread(target=work, args=(agent,)) for agent in agents]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return times


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--submissions", type=int, default=30)
    parser.add_argument("--many", type=int, default=1000)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if reason := back_end("bubblewrap").missing():
        print(f"not measured: {reason}")
        return 0
    with tempfile.TemporaryDirectory(prefix="ng-bench-") as place:
        folder = Path(place)
        evaluation = write_truth(folder)
        found: dict[str, Any] = {
            "load": os.getloadavg()[0],
            "seconds": medians(folder, evaluation, options.submissions),
        }
        missed = []
        for size, least in LEAST_RATIO.items():
            slow, fast = (found["seconds"][f"{mode}, {size}"] for mode in (PROCESS, FORK))
            print(
                f"answer of {size}: a process {slow * 1e3:.0f} ms, a fork {fast * 1e3:.1f} ms: {slow / fast:.0f} times"
            )
            missed += [f"{size}: less than {least:.0f} times"] if slow / fast < least else []
        found["many"] = many = growth(folder, evaluation, options.many)
        print(f"{options.many} submissions: {many['early'] / 1e6:.0f} MB early, {many['late'] / 1e6:.0f} MB late, "
              f"{many['a minute']:.0f} a minute")  # fmt: skip
        missed += ["memory grows"] if many["late"] > MOST_GROWTH * many["early"] else []
        found["together"] = times = sorted(together(folder, evaluation))
        print(f"8 trials at the same time, 20 submissions each: {times[0]:.2f} to {times[-1]:.2f} s")
        missed += ["not fair"] if times[-1] > MOST_UNFAIR * times[0] else []
    if options.json:
        options.json.write_text(json.dumps(found, indent=2), encoding="utf-8")
    for one in missed:
        print(f"missed: {one}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
