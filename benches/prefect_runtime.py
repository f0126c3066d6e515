"""What Prefect costs: 5,500 no-op papers by hand and through the runtime, and the start of a server.

    python benches/prefect_runtime.py [--papers N] [--json]

Everything is measured in one run, so that the ratios hold on whatever machine. The stage does nothing but
write its record, which is flushed to the disk; that is the cost of our records, with or without Prefect.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from flows.environment import apply
from flows.launch import local_server, run_flow
from flows.server import LocalServer
from nature_gym.config import Settings
from nature_gym.records import Papers
from nature_gym.stages import carry_out

if TYPE_CHECKING:
    from collections.abc import Sequence

WORKERS = 2


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="What Prefect costs.")
    parser.add_argument("--papers", type=int, default=5500)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        rows = measure(Path(folder), options.papers)
    if options.json:
        import orjson

        sys.stdout.buffer.write(orjson.dumps({"papers": options.papers, "rows": rows}) + b"\n")
        return
    for row in rows:
        seconds = "-" if row["seconds"] is None else f"{row['seconds']:.1f} s"
        sys.stdout.write(f"{row['what']:52} {seconds:>9}  {row['note']}\n")


def measure(folder: Path, papers: int) -> list[dict[str, Any]]:
    """One row a measurement: what, seconds, and a note."""
    rows: list[dict[str, Any]] = []

    def row(what: str, seconds: float, note: str = "") -> None:
        rows.append({"what": what, "seconds": round(seconds, 2), "note": note})

    by_hand = _home(folder / "by-hand", papers)
    apply(by_hand)  # comes before what imports Prefect
    from tests.integration.flows.noop import Noop

    stage, folders = Noop(by_hand), Papers(by_hand.papers)
    direct = _timed(lambda: [carry_out(stage, paper) for paper in folders])
    row(f"{papers} papers, stages called one after the other", direct)
    again = _timed(lambda: [carry_out(stage, paper) for paper in folders])
    row(f"{papers} papers, all current, called", again)

    settings = _home(folder / "home", papers)
    row("server, first start in a home", _timed(lambda: _start_and_stop(settings)))
    row("server, later start", _timed(lambda: _start_and_stop(settings)))
    with local_server(settings):
        for flow, what in (("noop", "chunks of 50"), ("singly", "a task run each")):
            name = f"tests.integration.flows.noop:{flow}"
            begun = time.monotonic()
            finished = run_flow(name, settings)
            seconds = time.monotonic() - begun
            recorded = "all recorded by Prefect" if finished.recorded else "NOT all recorded by Prefect"
            row(f"{papers} papers through the runtime, {what}", seconds, f"{seconds / direct:.2f} x; {recorded}")
        begun = time.monotonic()
        run_flow("tests.integration.flows.noop:noop", settings)
        row(f"{papers} papers through the runtime, all current", time.monotonic() - begun)
    return rows


def _home(home: Path, papers: int) -> Settings:
    settings = Settings(home=home, workers=WORKERS)
    for number in range(papers):
        (settings.papers / f"10.5555_{number:05}").mkdir(parents=True)
    return settings


def _start_and_stop(settings: Settings) -> None:
    with LocalServer(settings):
        pass


def _timed(work: Callable[[], object]) -> float:
    begun = time.monotonic()
    work()
    return time.monotonic() - begun


if __name__ == "__main__":
    main()
