"""Runs a package's evaluator several times on one answer, each time in a fresh process, and measures it.

Each run has another seed of Python's hashes, so that what goes through a set goes in another order. The last one goes
through the instances in reverse: the module's lists of them, and folders as they are listed, are turned round.

    python3 again.py EVALUATOR ANSWER FOLDER DESCRIPTOR [turned]
"""

from __future__ import annotations

import ast
import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import scoring  # type: ignore[import-not-found]

Told = dict[str, Any]
RUNS = (("first", "0"), ("second", "1"), ("turned", "2"))
"""Each run's name, and its seed of hashes."""
LISTS = re.compile(r"_?(?:INSTANCES?|DATASETS?|TASKS?|CASES|CONFIGS?)(?:_(?:NAMES|LIST|IDS))?", re.IGNORECASE)


def again(evaluator: Path, answer: Path, seconds: float, workspace: Path) -> dict[str, Told]:
    """What came of each run, as ``scoring.score`` has it, and its ``seconds``, ``processor`` (s), ``memory`` (B)."""
    told = {}
    for name, seed in RUNS:
        folder = workspace / "again" / name
        folder.mkdir(parents=True, exist_ok=True)
        told[name] = measured(evaluator, answer, folder, seed, seconds, turned=name == "turned")
    return told


def measured(evaluator: Path, answer: Path, folder: Path, seed: str, seconds: float, *, turned: bool) -> Told:
    """One run in a process of its own."""
    heard, said = os.pipe()
    argv = [sys.executable, "-B", __file__, str(evaluator), str(answer), str(folder), str(said)]
    began = time.monotonic()
    process = subprocess.Popen(
        [*argv, *(["turned"] if turned else [])], pass_fds=(said,), start_new_session=True,
        env={**os.environ, "PYTHONHASHSEED": seed},
    )  # fmt: skip
    os.close(said)
    content, ended = scoring.received(heard, began + seconds)
    with contextlib.suppress(OSError):
        if not ended:
            os.killpg(process.pid, signal.SIGKILL)
    _, _, used = os.wait4(process.pid, 0)
    process.returncode = 0  # it was waited for
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    told: Told = scoring.understood(content, ended, seconds)
    told["seconds"] = round(time.monotonic() - began, 3)
    told["processor"] = round(used.ru_utime + used.ru_stime, 3)
    told["memory"] = used.ru_maxrss * 1024
    return told


def turn_round(tree: ast.Module) -> None:
    """Reverse the lists of instances that a module has as literals."""
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        value = getattr(node, "value", None)
        if any(isinstance(one, ast.Name) and LISTS.fullmatch(one.id) for one in targets):
            if isinstance(value, (ast.List, ast.Tuple)):
                value.elts.reverse()
            elif isinstance(value, ast.Dict):
                value.keys.reverse()
                value.values.reverse()


def turned_code(source: Any, filename: str, mode: str) -> Any:
    """What ``compile`` gives for the evaluator, its lists of instances reversed."""
    tree = ast.parse(source, filename)
    turn_round(tree)
    return compile(ast.fix_missing_locations(tree), filename, mode)


def main() -> None:
    """In a process of its own: the evaluator once."""
    evaluator, answer, folder, said = Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4])
    if len(sys.argv) > 5:
        scoring.compile = turned_code  # what it would call by that name
        listed = os.listdir
        os.listdir = lambda *given: listed(*given)[::-1]  # type: ignore[assignment]
    scoring.answered(evaluator, answer, folder, said, script=False)


if __name__ == "__main__":
    main()
