"""How long building packages takes, against copying their data to the disk: the limit is twice the copy.

Packages of one size are made anew: tables as text and as Parquet whose answers are cut out, and arrays that are taken
as they are. Sources are put out of the disk's cache before a copy and before a build, as they are in a folder that
nobody has looked at for a day; both copy and build wait until what they wrote is on the disk, and both use two threads.
A build is made three times: from nothing; after its package was removed (what was found out about each content is
kept); and where all is as it was. Imports, which all packages share, are made before the clock starts. On a machine
that others use, go by the processor's seconds.

Run it: .venv/bin/python benches/build.py [--packages 6] [--megabytes 50] [--json FILE].
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import yaml

TIMES = 2.0
THREADS = 2
KINDS = ("tables", "parquet", "arrays")
WORDS = ["alloy", "polymer", "glass", "ceramic", "fibre", "foam", "paper", "timber"]


def write_table(folder: Path, megabytes: float, seed: int) -> None:
    """``train.csv`` and ``test.csv``, four fifths and one, with ids, whole numbers, measurements, words and notes."""
    random = np.random.default_rng(seed)
    head = b"id,batch,a,b,c,d,e,y,kind,note\n"
    for name, share in (("train.csv", 0.8), ("test.csv", 0.2)):  # of other rows: answers to be seen stop a build
        block = _rows(random)
        wanted = int(megabytes * 1e6 * share)
        with (folder / name).open("wb") as file:
            file.write(head)
            for _ in range(wanted // len(block)):
                file.write(block)
            file.write(block[: block.rfind(b"\n", 0, wanted % len(block)) + 1])


def _rows(random: np.random.Generator) -> bytes:
    rows = 20_000
    numbers = random.normal(size=(rows, 6))
    words = random.choice(WORDS, rows)
    lines = [
        f"s{place},{place % 97},{','.join(f'{number:.8f}' for number in row)},{word},note {word} {place}\n"
        for place, (row, word) in enumerate(zip(numbers.tolist(), words.tolist(), strict=True))
    ]
    return "".join(lines).encode()


def write_parquet(folder: Path, megabytes: float, seed: int) -> None:
    """The same as Parquet: as many rows as make files of that size."""
    write_table(folder, megabytes * 1.9, seed)
    for name in ("train", "test"):
        text = folder / f"{name}.csv"
        duckdb.read_csv(str(text)).write_parquet(str(folder / f"{name}.parquet"))
        text.unlink()


def write_arrays(folder: Path, megabytes: float, seed: int) -> None:
    """``train.npz``, ``test.npy`` and the answers ``y.npy``."""
    random = np.random.default_rng(seed)
    rows = int(megabytes * 1e6 / 4 / 65)
    x = random.normal(size=(rows, 64)).astype(np.float32)
    y = random.normal(size=rows).astype(np.float32)
    cut = rows * 4 // 5
    np.savez(folder / "train.npz", x=x[:cut], y=y[:cut])
    np.save(folder / "test.npy", x[cut:])
    np.save(folder / "y.npy", y[cut:])


def task(name: str, kind: str) -> dict[str, Any]:
    """A task with a label to be predicted."""
    if kind != "arrays":
        end = "csv" if kind == "tables" else kind
        files = [
            {"file": f"train.{end}", "take": f"data/train.{end}", "role": "development"},
            {"file": f"test.{end}", "take": f"data/test.{end}", "steps": [{"drop": ["y"]}], "role": "inputs"},
        ]
        kept = [{"keep": ["id", "y"]}, *([{"convert": "csv"}] if kind == "parquet" else [])]
        reference = {"file": "y.csv", "take": f"data/test.{end}", "steps": kept, "role": "answers"}
        answer = {"file": "answer.csv", "format": "csv", "columns": [{"name": "y"}]}
        compared = {"prediction": "answer.csv:y", "reference": "y.csv:y"}
    else:
        files = [
            {"file": "train.npz", "take": "data/train.npz", "role": "development"},
            {"file": "test.npy", "take": "data/test.npy", "role": "inputs"},
        ]
        reference = {"file": "y.npy", "take": "data/y.npy", "role": "answers"}
        answer = {"file": "answer.npy", "format": "npy"}
        compared = {"prediction": "answer.npy", "reference": "y.npy"}
    metric = {"name": "RMSE", "metric": "rmse", "primary": True, "direction": "lower_is_better", **compared}
    return {
        "format": 1, "id": name, "name": "Strength of a material from its measurements",
        "domain": {"primary": "Physics", "sub": "Materials", "tags": ["regression", "strength", "tables"]},
        "problem": {"background": "Strength depends on make-up.", "objective": "Predict the strength.",
                    "input": "Measurements of each sample.", "output": "One number a sample."},
        "paper": {"doi": "10.5555/s41467-099-54321-0", "journal": "Nature Communications",
                  "title": "Quizzical lattices foretell the strength of seventeen materials", "authors": [
                      "Ada Quillfeather", "Borin Oxblood", "Cleo Underhay", "Dag Wintersleep", "Eda Sorrowfield"],
                  "repositories": ["https://github.com/quill-lab/quizzical"]},
        "method": {"name": "QuizzLat", "variants": ["QuizzLat-small", "QuizzLat XL"]},
        "sources": {"data": {"path": "data", "licence": "CC-BY-4.0"}},
        "instances": [{"name": "main", "files": files, "reference": {"kind": "label", "files": [reference]},
                       "answer": [answer], "metrics": [metric]}],
    }  # fmt: skip


def write_tasks(folder: Path, packages: int, megabytes: float) -> list[Path]:
    """The tasks' files, each kind in turn."""
    made = []
    for number in range(packages):
        kind = KINDS[number % len(KINDS)]
        root = folder / f"{kind}-{number:04d}"
        (root / "data").mkdir(parents=True)
        {"tables": write_table, "parquet": write_parquet, "arrays": write_arrays}[kind](
            root / "data", megabytes, number
        )
        (root / "task.yaml").write_text(yaml.safe_dump(task(root.name, kind)), encoding="utf-8")
        made.append(root / "task.yaml")
    return made


def forget(folder: Path) -> None:
    """Put what is below ``folder`` out of the disk's cache."""
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                os.fsync(file.fileno())
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def copied(tasks: list[Path], target: Path) -> None:
    """Copy the data of all tasks, and wait until they are on the disk."""
    with ThreadPoolExecutor(THREADS) as threads:
        for _ in threads.map(lambda task_file: copy_one(task_file, target), tasks):
            pass


def copy_one(task_file: Path, target: Path) -> None:
    """Copy the data of one task."""
    for path in sorted((task_file.parent / "data").iterdir()):
        copy = target / task_file.parent.name / path.name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
        with copy.open("rb") as file:
            os.fsync(file.fileno())


def built(tasks: list[Path], target: Path) -> None:
    """Build all packages, as the flow does: by threads."""
    from nature_gym.kept import Kept
    from nature_gym.packaging.build import build

    kept = Kept(target.with_name("kept.db"), 1)
    with ThreadPoolExecutor(THREADS) as threads:
        for _ in threads.map(lambda task_file: build(task_file, target, kept=kept), tasks):
            pass


def in_process(results: Any, work: Callable[[list[Path], Path], None], tasks: list[Path], target: Path) -> None:
    """Do ``work`` in a process of its own, where imports are made before the clock starts."""
    import nature_gym.metrics.registry
    import nature_gym.packaging.build

    nature_gym.metrics.registry.names()
    began, worked = time.perf_counter(), time.process_time()
    work(tasks, target)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    results.put((time.perf_counter() - began, time.process_time() - worked, peak))


def measured(work: Callable[[list[Path], Path], None], tasks: list[Path], target: Path) -> tuple[float, float, float]:
    """Seconds, seconds of processor, and GB of memory of ``work`` on data that are not in the disk's cache."""
    forget(tasks[0].parent.parent)
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    process = context.Process(target=in_process, args=(results, work, tasks, target))
    process.start()
    found: tuple[float, float, float] = results.get()
    process.join()
    return found


def main() -> int:
    """Measure and print; 1 where the limit is missed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--packages", type=int, default=6)
    parser.add_argument("--megabytes", type=float, default=50, help="the size of each")
    parser.add_argument("--folder", type=Path, help="where to work; else in the folder of temporary files")
    parser.add_argument("--json", type=Path, help="write the figures to this file, too")
    arguments = parser.parse_args()
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name:
        folder = Path(name)
        every = write_tasks(folder / "tasks", arguments.packages, arguments.megabytes)
        for kind in (*KINDS, "all"):
            tasks = [one for one in every if kind == "all" or one.parent.name.startswith(kind)]
            if not tasks:
                continue
            runs = []
            for _ in range(2):
                runs.append(measured(copied, tasks, folder / "copy"))
                shutil.rmtree(folder / "copy")
            copy = min(runs)
            for how in ("new", "again", "same"):
                if how == "again":
                    shutil.rmtree(folder / "out")
                wall, cpu, memory = measured(built, tasks, folder / "out")
                megabytes = arguments.megabytes * len(tasks)
                rows.append({"kind": kind, "how": how, "megabytes": megabytes, "copy": copy[0],
                             "seconds": wall, "processor": cpu, "gigabytes": memory})  # fmt: skip
                print(f"{kind:<8}{how:<7}{len(tasks)} packages of {arguments.megabytes:4.0f} MB  copy {copy[0]:5.2f} s "
                      f"({copy[1]:.2f})  build {wall:6.2f} s ({cpu:.2f} of processor) = {wall / copy[0]:5.2f} "
                      f"copies  {memory:.2f} GB", flush=True)  # fmt: skip
            shutil.rmtree(folder / "out")
            (folder / "kept.db").unlink()
    held = all(row["seconds"] <= TIMES * row["copy"] for row in rows)
    print(f"limit {TIMES:.0f} copies: {'held' if held else 'MISSED'}")
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
