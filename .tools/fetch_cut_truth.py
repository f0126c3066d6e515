"""Fetches the repositories of the cut's truth table, each at its commit, into a folder, to measure the cut again.

Run it: .venv/bin/python .tools/fetch_cut_truth.py FOLDER. What is there already is left as it is; a repository that is
gone is named and passed over. They come to some 3 GB. Nothing of them is run: git alone reads them, without hooks.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

TABLE = Path(__file__).parents[1] / "tests" / "data" / "cut_truth"
HOST = "https://github.com"
SAFE = ["-c", "core.hooksPath=/dev/null", "-c", "core.symlinks=false", "-c", "protocol.file.allow=never"]


def fetch(folder: Path, name: str, commit: str) -> str:
    """Fetch one repository; what came of it."""
    target = folder / name
    if target.is_dir():
        return "there already"
    started = target.with_name(f".{target.name}.part")
    shutil.rmtree(started, ignore_errors=True)
    started.mkdir(parents=True)
    for words in (
        ["init", "-q"],
        ["fetch", "-q", "--depth", "1", f"{HOST}/{name}.git", commit],
        ["checkout", "-q", "FETCH_HEAD"],
    ):
        done = subprocess.run(["git", *SAFE, *words], check=False, cwd=started, capture_output=True, text=True)
        if done.returncode:
            shutil.rmtree(started, ignore_errors=True)
            return f"not fetched: {' '.join(done.stderr.split())[:200] or 'git failed'}"
    shutil.rmtree(started / ".git")
    started.rename(target)
    return "fetched"


def main() -> int:
    """Fetch all; 1 where one could not be had."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    missing = 0
    for page in sorted(TABLE.glob("*.yaml")):
        fields = dict(re.findall(r"^(repository|commit): (\S+)$", page.read_text(encoding="utf-8"), re.MULTILINE))
        came = fetch(options.folder, fields["repository"], fields["commit"])
        missing += came.startswith("not")
        print(f"{fields['repository']}: {came}", flush=True)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
