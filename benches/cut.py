"""How long the cut of a folder takes: 200,000 lines of Python in under 60 seconds, in under 2 GB; and many files.

The lines are those of the packages that this project is installed with, copied into a folder of their own with data
files beside them. The second case has few programs and 50,000 data files, with patterns that mean thousands of them.
Each case runs in a process of its own, for its memory.

Run it: .venv/bin/python benches/cut.py [--json FILE].
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

LINES = 200_000
SECONDS = 60.0
GIGABYTES = 2.0
FILES = 50_000
PACKAGES = ("sklearn", "pandas", "scipy", "numpy", "sqlalchemy", "prefect", "networkx")


def many_lines(root: Path) -> int:
    """A folder with at least :data:`LINES` lines of programs."""
    installed = Path(sysconfig.get_paths()["purelib"])
    lines = 0
    for package in PACKAGES:
        for path in sorted((installed / package).rglob("*.py")):
            if lines >= LINES:
                break
            target = root / "src" / path.relative_to(installed)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
            lines += path.read_bytes().count(b"\n")
    for number in range(2_000):
        target = root / "data" / f"set_{number % 20}" / f"part_{number}.csv"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("a,b\n1,2\n", encoding="utf-8")
    return lines


def many_files(root: Path) -> int:
    """A folder with :data:`FILES` data files that three programs read and write by patterns."""
    (root / "train.py").write_text(
        "import numpy as np\nfor s in sets:\n    x = np.load(f'data/{s}/x_{k}.npy')\n    model.fit(x)\n"
        "    np.save(f'out/{s}/x_{k}.npy', model.predict(x))\n",
        encoding="utf-8",
    )
    (root / "evaluate.py").write_text(
        "import glob\nfor f in glob.glob('out/*/*.npy'):\n    open(f)\n", encoding="utf-8"
    )
    for number in range(FILES):
        folder = root / ("data", "out")[number % 2] / f"set_{number % 500}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"x_{number}.npy").write_bytes(b"\x93NUMPY")
    return FILES


CASES: dict[str, Callable[[Path], int]] = {"lines": many_lines, "files": many_files}


def measured(root: str, results: multiprocessing.Queue[tuple[float, float, float, int]]) -> None:
    """Cut one folder, in a process of its own."""
    from nature_gym.cut.folder import cut_folder

    began, worked = time.perf_counter(), time.process_time()
    cut = cut_folder(Path(root))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    results.put((time.perf_counter() - began, time.process_time() - worked, peak, len(cut.files)))


def main() -> int:
    """Measure and print; 1 where a limit is missed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--json", type=Path, help="write the figures to this file, too")
    arguments = parser.parse_args()
    rows: list[dict[str, object]] = []
    context = multiprocessing.get_context("spawn")
    for case, build in CASES.items():
        with tempfile.TemporaryDirectory() as root:
            size = build(Path(root))
            results = context.Queue()
            process = context.Process(target=measured, args=(root, results))
            process.start()
            wall, cpu, memory, files = results.get()
            process.join()
        rows.append(
            {"case": case, "size": size, "files": files, "seconds": wall, "processor": cpu, "gigabytes": memory}
        )
        print(f"{case:<8}{size:>9,}  {wall:6.1f} s ({cpu:.1f} s of processor)  {memory:.2f} GB  {files:,} verdicts")
    held = all(float(str(row["processor"])) < SECONDS and float(str(row["gigabytes"])) < GIGABYTES for row in rows)
    print(f"limits {SECONDS:.0f} s, {GIGABYTES:.0f} GB: {'held' if held else 'MISSED'}")
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
