"""The main job at scale: a simulated corpus through every stage, unattended; then ten new papers; then nothing new.

The stages are the installed commands with their flows, one after the other, and then `naturegym refresh`, beside one
local Prefect server, as an operator has it. The demo's mini-web is all hosts, with latencies and faults that depend on
nothing but the addresses. The one idea: each command is a process whose own cost the kernel counts, so that stages
can be compared on a machine that does other things, too. The clock cannot be; it is printed beside.

Limits: a refresh with nothing new takes 2 % of the first run's processor time; ten new papers, one of which passes,
cost twice what ten of the first run did at most, beside the two refreshes that nothing new costs, too.

Run it: .venv/bin/python benches/scale.py [--papers 500] [--json FILE] [--folder DIR].
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import os
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Self

import requests
import yaml

from nature_gym.cut.stage import cuttable
from nature_gym.demo.corpus import corpus
from nature_gym.demo.miniweb import Behaviour, serve
from nature_gym.demo.model import Entry
from nature_gym.demo.reviewed import review
from nature_gym.demo.venues import VENUES
from nature_gym.files import write_json
from nature_gym.packaging.stage import TASK
from nature_gym.records import Papers

COMMAND = Path(sys.executable).with_name("naturegym")
STAGES = ("harvest", "fetch", "read", "screen", "acquire", "cut", "review", "build")
RUNS = {
    "first": (0, STAGES),
    "ten new": (10, ("refresh to the cut", "review", "refresh")),
    "again": (10, ("refresh",)),
}
"""Each run: how many papers came since, and its stages. A person reviews between cut and build."""
LIMITS = {"again": 0.02, "ten": 2.0}
BEHAVIOUR = Behaviour(
    latency={"*": 0.05, "api.openalex.org": 0.4, "www.nature.com": 0.03, "api.github.com": 0.15, "zenodo.org": 0.1},
    jitter=0.5,
    faults={"*": {"error": 0.004, "unavailable": 0.004, "truncated": 0.002, "timeout": 0.0002}},
    faults_in_a_row=2,
    hang_seconds=20,
    crawl_delay=0,
)
"""Answers as from a near data centre; one in a hundred goes wrong, and comes right within three attempts."""
SETTINGS = {"REQUESTS_PER_SECOND": "1000", "PROBES_PER_SECOND": "1000", "TIMEOUT": "10"}
"""Nobody is bothered by the mini-web being asked fast; a real corpus goes at the pace of its hosts."""
ATTEMPTS, INFRASTRUCTURE = 3, 3
"""How often a command is run while it ends so: as by a schedule, or by an operator."""
LOOK_SECONDS = 0.5
TICK = os.sysconf("SC_CLK_TCK")


@dataclass(slots=True)
class Stage:
    """What one stage took. Sizes in bytes, times in seconds; ``server`` is Prefect's, beside the command's own."""

    name: str
    commands: int = 0
    seconds: float = 0.0
    processor: float = 0.0
    server_processor: float = 0.0
    memory: int = 0
    server_memory: int = 0
    requests: int = 0
    faults: int = 0
    flow_runs: int = 0
    task_runs: int = 0
    index_bytes: int = 0
    prefect_bytes: int = 0
    other_databases: int = 0
    files: int = 0
    file_bytes: int = 0
    told: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Bench:
    """One home, and what is measured on it."""

    folder: Path
    papers: int
    port: int
    runs: dict[str, list[Stage]] = field(default_factory=dict)

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("NATUREGYM_", "PREFECT_"))}
        ours = {f"NATUREGYM_{name}": value for name, value in SETTINGS.items()}
        return kept | ours | {"NATUREGYM_HOME": str(self.home), "NATUREGYM_MIRROR": self.url}


# -- the web and the server, each in a process of its own --------------------------------


def serve_corpus(told: Connection, papers: int, later: int, port: int, cache: str) -> None:
    """The mini-web's process."""
    serve(corpus(papers, later=later), port, behaviour=BEHAVIOUR, git_cache=Path(cache), on_ready=told.send)


@contextlib.contextmanager
def web(bench: Bench, later: int) -> Iterator[None]:
    """The corpus and ``later`` papers more, served at the bench's own address."""
    ours, theirs = multiprocessing.Pipe()
    arguments = (theirs, bench.papers, later, bench.port, str(bench.folder / "git"))
    process = multiprocessing.get_context("spawn").Process(target=serve_corpus, args=arguments, daemon=True)
    process.start()
    try:
        ours.recv()
        yield
    finally:
        process.terminate()
        process.join()


@contextlib.contextmanager
def prefect(bench: Bench) -> Iterator[list[int]]:
    """A Prefect server of the home; gives the processes that make it up."""
    command = [str(COMMAND), "ui", "--port", "0", "--json"]
    process = subprocess.Popen(command, env=bench.environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        told = json.loads(process.stdout.readline() if process.stdout is not None else "")
        yield [process.pid, int(told["pid"])]
    finally:
        process.terminate()
        process.wait()


# -- what processes cost -------------------------------------------------------------------


def tree(roots: list[int]) -> list[int]:
    """The processes of ``roots`` and all that descend from them."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with contextlib.suppress(OSError):
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                children.setdefault(parent, []).append(int(entry.name))
    found, new = set(roots), list(roots)
    while new:
        new = [child for parent in new for child in children.get(parent, ()) if child not in found]
        found.update(new)
    return sorted(found)


def memory(roots: list[int]) -> int:
    """Bytes in memory of a tree of processes; a page that several share counts once."""
    total = 0
    for pid in tree(roots):
        with contextlib.suppress(OSError, StopIteration):
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            total += int(next(line for line in lines if line.startswith("Pss:")).split()[1]) * 1024
    return total


def processor(pids: list[int]) -> float:
    """Processor seconds of these processes so far, with children that ended."""
    ticks = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            ticks += sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:15]))
    return ticks / TICK


class Watch:
    """The most memory that two trees of processes take while the block lasts."""

    def __init__(self, command: int, server: list[int]) -> None:
        self._roots = {"command": [command], "server": server}
        self.most = dict.fromkeys(self._roots, 0)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._over.wait(LOOK_SECONDS):
            for name, roots in self._roots.items():
                self.most[name] = max(self.most[name], memory(roots))


# -- the stages ------------------------------------------------------------------------------


def carry_out(bench: Bench, name: str, server: list[int], entries: dict[str, Entry]) -> Stage:
    """One stage: its command, or the demo's reviewer."""
    stage = Stage(name)
    before, began, spent = counted(bench), time.monotonic(), processor(server)
    venues = ["--venues", str(bench.folder / "venues.yaml")]
    arguments = {
        "harvest": ["harvest", *venues],
        "build": ["build", "--all"],
        "refresh to the cut": ["refresh", *venues, "--until", "cut"],
        "refresh": ["refresh", *venues, "--until", "build"],
    }
    if name == "review":
        own = time.process_time()
        stage.told["changed"] = reviewed(bench, entries)
        stage.processor = time.process_time() - own
    else:
        run_command(bench, stage, arguments.get(name, [name]), server)
    stage.seconds = time.monotonic() - began
    stage.server_processor = processor(server) - spent
    after = counted(bench)
    for what in ("requests", "faults", "flow_runs", "task_runs"):
        setattr(stage, what, after[what] - before[what])
    measure_home(bench.home, stage)
    return stage


def run_command(bench: Bench, stage: Stage, arguments: list[str], server: list[int]) -> None:
    """Run it, and again while a host's trouble is left over; its processor time is with all that it started.

    Raises RuntimeError where it did not end well.
    """
    out, err = bench.folder / "out.json", bench.folder / "err.txt"
    for _ in range(ATTEMPTS):
        with out.open("wb") as file, err.open("wb") as complaints:
            command = [str(COMMAND), *arguments, "--json"]
            process = subprocess.Popen(command, env=bench.environment(), stdout=file, stderr=complaints)
            with Watch(process.pid, server) as watch:
                _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        stage.commands += 1
        stage.processor += used.ru_utime + used.ru_stime
        stage.memory = max(stage.memory, watch.most["command"])
        stage.server_memory = max(stage.server_memory, watch.most["server"])
        if process.returncode != INFRASTRUCTURE:
            break
    if process.returncode not in {0, 1}:  # 1: papers that are unusable
        raise RuntimeError(f"{' '.join(arguments)} ended with {process.returncode}: {err.read_text()[-2000:]}")
    said = json.loads(out.read_bytes())
    stage.told = said["steps"] if "steps" in said else said["counts"]


def reviewed(bench: Bench, entries: dict[str, Entry]) -> int:
    """The demo's maintainer goes through the drafts; how many were changed."""
    papers = Papers(bench.home / "papers")
    drafted = [paper for paper in cuttable(papers) if (papers[paper].path / TASK).is_file()]
    return sum(review(entries[paper], papers[paper], bench.home / "reviewed" / paper) for paper in drafted)


def counted(bench: Bench) -> dict[str, int]:
    """What the mini-web was asked so far, and what Prefect knows of."""
    answer = requests.get(f"{bench.url}/_demo/stats", timeout=60)
    hosts = [host for name, host in answer.json().items() if name != "_demo"]
    failed = sum(count for host in hosts for status, count in host["statuses"].items() if status in {"500", "503", "0"})
    counts = {"requests": sum(host["requests"] for host in hosts), "faults": failed}
    path = bench.home / "prefect" / "prefect.db"
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=60)) as connection:
        asked = "SELECT (SELECT count(*) FROM flow_run), (SELECT count(*) FROM task_run)"
        counts["flow_runs"], counts["task_runs"] = connection.execute(asked).fetchone()
    return counts


def measure_home(home: Path, stage: Stage) -> None:
    """Sizes of the databases; number and bytes of all other files, each file once."""
    seen: set[int] = set()
    for folder, folders, names in os.walk(home):
        if Path(folder) == home:
            folders.remove("prefect")
        for name in names:
            status = Path(folder, name).lstat()
            if folder == str(home) and ".db" in name:
                if name.startswith("naturegym.db"):
                    stage.index_bytes += status.st_size
                else:
                    stage.other_databases += status.st_size
            elif status.st_ino not in seen:
                seen.add(status.st_ino)
                stage.files += 1
                stage.file_bytes += status.st_size
    stage.prefect_bytes = sum(path.stat().st_size for path in (home / "prefect").glob("prefect.db*"))


def go_through(bench: Bench, run: str, server: list[int]) -> None:
    """All stages of a run."""
    later, names = RUNS[run]
    world = corpus(bench.papers, later=later)
    entries = {entry.paper.id: entry for entry in world.entries if entry.truth.task}
    passing = sum(entry.truth.verdict == "passed" for entry in world.entries)
    sys.stdout.write(f"\n{len(world.entries):,} papers, {passing} of which pass: {run}\n{HEAD}\n")
    stages = bench.runs[run] = []
    with web(bench, later):
        for name in names:
            stages.append(carry_out(bench, name, server, entries))
            print_stage(stages[-1])


# -- the whole ---------------------------------------------------------------------------------


def measure(folder: Path, papers: int) -> dict[str, Any]:
    """Three runs over a corpus of that many papers, in ``folder``, which is empty."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        bench = Bench(folder, papers, free.getsockname()[1])
    journals = [{"name": venue.name, "issn": venue.issn_l} for venue in VENUES.values()]
    venues = {"name": "scale", "from": "2022-01-01", "to": "2025-12-31", "types": [], "journals": journals}
    (folder / "venues.yaml").write_text(yaml.safe_dump(venues))
    with prefect(bench) as server:
        for run in RUNS:
            go_through(bench, run, server)
    first, ten, again = (sum(stage.processor for stage in bench.runs[run]) for run in RUNS)
    new, _ = RUNS["ten new"]
    figures = {"again": again / first, "ten": (ten - 2 * again) / (first / papers * new)}
    runs = {run: [asdict(stage) for stage in stages] for run, stages in bench.runs.items()}
    return {"papers": papers, "figures": figures, "runs": runs}


COLUMNS = (
    ("stage", "name", 1), ("s", "seconds", 1), ("CPU s", "processor", 1), ("server CPU s", "server_processor", 1),
    ("MB", "memory", 1e6), ("server MB", "server_memory", 1e6), ("requests", "requests", 1), ("faults", "faults", 1),
    ("task runs", "task_runs", 1), ("index MB", "index_bytes", 1e6), ("Prefect MB", "prefect_bytes", 1e6),
    ("files", "files", 1), ("files MB", "file_bytes", 1e6),
)  # fmt: skip
HEAD = "".join(f"{title:>13}" for title, _, _ in COLUMNS)


def print_stage(stage: Stage) -> None:
    cells = []
    for _, name, unit in COLUMNS:
        value = getattr(stage, name)
        cells.append(value if isinstance(value, str) else f"{value / unit:,.{1 if isinstance(value, float) else 0}f}")
    sys.stdout.write("".join(f"{cell:>13}" for cell in cells) + f"  {stage.told}\n")
    sys.stdout.flush()


def main() -> int:
    """Measure and print; 1 where a limit is not kept."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--papers", type=int, nargs="+", default=[500], help="sizes of the corpora")
    parser.add_argument("--json", type=Path, help="write the figures to this file, too")
    parser.add_argument("--folder", type=Path, help="keep homes below this folder, one a size")
    asked = parser.parse_args()
    with contextlib.ExitStack() as stack:
        root = asked.folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="naturegym-scale-")))
        found = []
        for papers in asked.papers:
            folder = root / str(papers)
            folder.mkdir(parents=True)
            found.append(measure(folder, papers))
    kept = True
    for one in found:
        for name, value in one["figures"].items():
            held = value <= LIMITS[name]
            kept = kept and held
            sys.stdout.write(
                f"{one['papers']:,} papers, {name}: {value:.3f}; limit {LIMITS[name]}: {'held' if held else 'MISSED'}\n"
            )
    if asked.json:
        write_json(asked.json, found)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
