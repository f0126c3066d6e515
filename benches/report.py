"""The report at the size of the corpus: 5,500 papers and 900 trials, written, written again, and opened in a browser.

Run it: .venv/bin/python benches/report.py [--papers 5500] [--trials 900] [--keep DIR]. Limits: the first view of a page
within a second, and less than 1 MB for it. Times are of the processor; those of the browser are on the wall.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from nature_gym.reporting.packages import CheckRun
from nature_gym.reporting.site import Records, write_report

if TYPE_CHECKING:
    from playwright.sync_api import Request

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tests.unit.reporting.homes import grow

LARGEST_VIEW, LONGEST_VIEW = 1_000_000, 1.0
READY = {
    "index.html": "h1", "papers.html": "#papers tbody tr", "packages.html": "tbody tr", "leaderboard.html": "tbody tr",
    "trials.html": "#trials tbody tr", "failures.html": "h1",
}  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--papers", type=int, default=5_500)
    parser.add_argument("--trials", type=int, default=900)
    parser.add_argument("--keep", type=Path, help="Write the site to this folder, too.")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        home = Path(place)
        grow(home, papers=asked.papers, trials=asked.trials)
        checks: list[CheckRun] = []
        records = Records(home, home / "papers", home / "packages", checks)
        for what in ("first", "again"):
            began = time.process_time()
            site = write_report(records, home / "report")
            print(f"{what}: {time.process_time() - began:.1f} s of the processor")
        print(f"{site.files:,} files, {site.size / 1e6:.1f} MB")
        fine = look(home / "report")
        if asked.keep:
            shutil.copytree(home / "report", asked.keep, dirs_exist_ok=True)
    return 0 if fine else 1


def look(site: Path) -> bool:
    """Open each page in Chromium; whether all keep to the limits."""
    chromium = shutil.which("chromium")
    if chromium is None:
        print("pages were not opened: Chromium is not installed")
        return True
    from playwright.sync_api import sync_playwright

    fine = True
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for name, ready in READY.items():
            page = browser.new_page()
            loaded: list[str] = []
            page.on("request", _noting(loaded))
            began = time.perf_counter()
            page.goto((site / name).as_uri(), wait_until="commit")
            page.locator(ready).first.wait_for()
            took = time.perf_counter() - began
            size = sum((site / url.partition("/report/")[2].partition("#")[0]).stat().st_size for url in loaded)
            page.wait_for_load_state("load")
            within = took < LONGEST_VIEW and size < LARGEST_VIEW
            fine = fine and within
            print(f"{name}: first view {took:.2f} s, {size / 1e3:,.0f} kB{'' if within else '  TOO MUCH'}")
            page.close()
        browser.close()
    return fine


def _noting(urls: list[str]) -> Callable[[Request], None]:
    return lambda request: urls.append(request.url)


if __name__ == "__main__":
    raise SystemExit(main())
