"""How long splits of large tables take: within 3 times a copy of the file, in under 1.5 GB, whatever the size.

CSV and Parquet are split by an expression, by index files and at random, both parts written with their provenance, at
three sizes: the slope between the smallest and the largest is what a larger file costs. Each case runs in a process of
its own, for its memory, after a copy to the disk, as a split's parts are. Processor time is of the whole process; it
says more than seconds do where others are at work.

Run it: .venv/bin/python benches/split.py [--megabytes 600] [--tables table.csv] [--kinds random] [--json FILE];
10 GB are ``--megabytes 10000 --sizes 1``.
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
from pathlib import Path

import duckdb
import numpy as np

TIMES = 3.0
GIGABYTES = 1.5
KINDS = ("expression", "index file", "random")


def write_csv(path: Path, megabytes: int) -> int:
    """A table with numbers and quoted texts; how many rows it has."""
    random = np.random.default_rng(0)
    rows = [
        b'%d,%d,%.12f,%s,"a note, with a comma %d"\n' % (n, random.integers(90), random.random(), side, n)
        for n, side in enumerate(random.choice([b"train", b"test"], 20_000, p=[0.8, 0.2]).tolist())
    ]
    block = b"".join(rows)
    times = max(1, megabytes * 1_000_000 // len(block))
    with path.open("wb") as file:
        file.write(b"id,age,score,side,note\n")
        for _ in range(times):
            file.write(block)
    return times * len(rows)


def write_parquet(path: Path, megabytes: int) -> int:
    """A table of numbers that cannot be made smaller, and a side; how many rows it has."""
    rows = megabytes * 1_000_000 // 33
    columns = ", ".join(f"random() AS x{n}" for n in range(4))
    with duckdb.connect(config={"threads": 2, "memory_limit": "700MB"}) as connection:
        connection.execute("SET enable_progress_bar = false")
        table = connection.sql(f"SELECT range AS id, {columns}, (random() * 90)::INT AS age FROM range({rows})")  # noqa: S608
        table.write_parquet(str(path), compression="zstd")
    return rows


TABLES = {"table.csv": write_csv, "table.parquet": write_parquet}


def write_index(folder: Path, rows: int) -> None:
    """A fifth of the rows in one file, the others in another, a number a line."""
    is_test = np.random.default_rng(1).random(rows) < 0.2
    for name, chosen in (("train", ~is_test), ("test", is_test)):
        np.savetxt(folder / f"{name}.txt", np.flatnonzero(chosen), fmt="%d")


def task(folder: Path, table: str, kind: str) -> dict[str, object]:
    """The task that splits ``table``."""
    split: dict[str, object] = {
        "expression": {"kind": "expression", "parts": {"train": "age < 72", "test": "age >= 72"}},
        "index file": {"kind": "index_file", "parts": {"train": "data/train.txt", "test": "data/test.txt"}},
        "random": {"kind": "random", "parts": ["train", "test"], "seed": 13, "size": 0.2},
    }[kind] | {"of": f"data/{table}"}  # type: ignore[operator]
    suffix = Path(table).suffix
    files = [
        {"file": f"{part}{suffix}", "take": f"data/{table}", "part": f"main/{part}", "role": role}
        for part, role in (("train", "development"), ("test", "inputs"))
    ]
    metric = {"name": "RMSE", "metric": "rmse", "primary": True, "direction": "lower_is_better",
              "prediction": "answer.csv:x", "reference": "test.csv:x"}  # fmt: skip
    return {
        "id": "bench-task", "name": "A bench", "domain": {"primary": "Other", "sub": "None", "tags": ["a", "b", "c"]},
        "problem": {"background": "b", "objective": "o", "input": "i", "output": "o"},
        "sources": {"data": {"path": str(folder)}},
        "instances": [{
            "name": "main", "splits": {"main": split}, "files": files, "reference": {"kind": "label"},
            "answer": [{"file": "answer.csv", "format": "csv"}], "metrics": [metric],
        }],
    }  # fmt: skip


def measured(specification: str, target: str, results: multiprocessing.Queue[tuple[float, float, float]]) -> None:
    """Split one table, in a process of its own."""
    from nature_gym.packaging.specification import TaskSpecification
    from nature_gym.splitting.engine import carry_out_task

    began, worked = time.perf_counter(), time.process_time()
    made = carry_out_task(TaskSpecification.model_validate_json(specification), Path("/"), Path(target))
    for file in made.files:
        flush(Path(target, file.file))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    results.put((time.perf_counter() - began, time.process_time() - worked, peak))


def flush(path: Path) -> None:
    """Wait until a file is on the disk."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def copied(path: Path) -> float:
    """Seconds that reading a file and writing it to the disk takes."""
    began = time.perf_counter()
    copy = path.with_name("copy")
    with path.open("rb") as source, copy.open("wb") as target:
        shutil.copyfileobj(source, target, 1 << 20)
    flush(copy)
    seconds = time.perf_counter() - began
    copy.unlink()
    return seconds


def main() -> int:
    """Measure and print; 1 where a limit is missed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--megabytes", type=int, default=600, help="the size of the larger files")
    parser.add_argument("--sizes", type=int, choices=(1, 2, 3), default=3, help="how many sizes, the largest last")
    parser.add_argument("--tables", nargs="+", choices=tuple(TABLES), default=tuple(TABLES))
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--json", type=Path, help="write the figures to this file, too")
    arguments = parser.parse_args()
    rows: list[dict[str, object]] = []
    context = multiprocessing.get_context("spawn")
    sizes = [arguments.megabytes // 8, arguments.megabytes // 3, arguments.megabytes][-arguments.sizes :]
    for megabytes in sizes:
        for table in arguments.tables:
            with tempfile.TemporaryDirectory() as folder:
                place = Path(folder)
                write_index(place, TABLES[table](place / table, megabytes))
                size = (place / table).stat().st_size / 1e6
                for kind in arguments.kinds:
                    copy = copied(place / table)
                    results = context.Queue()
                    arguments_ = (json.dumps(task(place, table, kind)), f"{folder}/{kind}", results)
                    process = context.Process(target=measured, args=arguments_)
                    process.start()
                    wall, cpu, memory = results.get()
                    process.join()
                    shutil.rmtree(f"{folder}/{kind}")
                    rows.append({"table": table, "kind": kind, "megabytes": size, "copy": copy, "seconds": wall,
                                 "processor": cpu, "gigabytes": memory})  # fmt: skip
                    print(
                        f"{table:<14}{kind:<11}{size:7,.0f} MB  copy {copy:5.2f} s  split {wall:6.2f} s = "
                        f"{wall / copy:4.1f} copies ({cpu:.1f} s of processor)  {memory:.2f} GB",
                        flush=True,
                    )
    cases = len(arguments.tables) * len(arguments.kinds)
    larger = rows[-cases:]
    if len(sizes) > 1:
        print(slopes(rows[:cases], larger))
    held = all(
        float(str(row["seconds"])) <= TIMES * float(str(row["copy"])) and float(str(row["gigabytes"])) < GIGABYTES
        for row in larger
    )
    print(f"limits {TIMES:.0f} copies, {GIGABYTES} GB: {'held' if held else 'MISSED'}")
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    return 0 if held else 1


def slopes(smaller: list[dict[str, object]], larger: list[dict[str, object]]) -> str:
    """What each further GB costs, from two sizes."""
    lines = []
    for small, large in zip(smaller, larger, strict=True):
        more = (float(str(large["megabytes"])) - float(str(small["megabytes"]))) / 1000
        seconds, memory = (float(str(large[key])) - float(str(small[key])) for key in ("processor", "gigabytes"))
        lines.append(f"{large['table']:<14}{large['kind']:<11}a further GB: {seconds / more:5.1f} s of processor, "
                     f"{memory / more:+.3f} GB of memory")  # fmt: skip
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
