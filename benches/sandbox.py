"""What a box costs: create, start, stop and remove, for a command that does nothing.

The limits: 0.3 s for bubblewrap and a bare process, 2 s for Docker (the median of one after the other). Also told:
eight at a time, each one's share.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from nature_gym.sandbox.choosing import back_end
from nature_gym.sandbox.interface import Box, Sandbox

LIMITS = {"bubblewrap": 0.3, "docker": 2.0, "process": 0.3}


def one(sandbox: Sandbox, argv: list[str]) -> float:
    began = time.perf_counter()
    outcome = sandbox.run(Box(), argv)
    if not outcome.well:
        sys.exit(f"{sandbox.name}: {outcome}")
    return time.perf_counter() - began


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    rows = []
    held = True
    for name, limit in LIMITS.items():
        sandbox = back_end(name)
        if reason := sandbox.missing():
            print(f"{name:<11}left out: {reason}")
            continue
        one(sandbox, ["true"])
        times = [one(sandbox, ["true"]) for _ in range(arguments.runs)]
        began = time.perf_counter()
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda _: one(sandbox, ["true"]), range(arguments.runs)))  # noqa: B023 -- used up at once
        together = (time.perf_counter() - began) / arguments.runs
        median = statistics.median(times)
        held = held and median <= limit
        rows.append({"back_end": name, "median": median, "worst": max(times), "eight_at_a_time": together})
        print(
            f"{name:<11}median {median:.3f} s (limit {limit} s, {'held' if median <= limit else 'MISSED'})  "
            f"worst {max(times):.3f} s  eight at a time {together:.3f} s each"
        )
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
