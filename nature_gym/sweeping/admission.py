"""Which packages may be swept: the admission report of each, by what an agent is given.

    calibration/<package>/report.json    the last report
                          report.md      the same as a page

The idea: a report speaks of one state of a package. When the package is built anew and is another one, its admission is
gone with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from nature_gym.files import write_atomically, write_json
from nature_gym.sweeping.folders import read_json

FOLDER, REPORT, PAGE = "calibration", "report.json", "report.md"
Verdict = Literal["admit", "repair", "drop"]


def report_folder(home: Path, package: str) -> Path:
    """Where a package's report lies."""
    return home / FOLDER / package


def keep_report(home: Path, package: str, report: Mapping[str, Any], page: str) -> Path:
    """Keep a report and its page; the page's path."""
    folder = report_folder(home, package)
    write_atomically(folder / PAGE, page.encode())
    write_json(folder / REPORT, dict(report))
    return folder / PAGE


def report_of(home: Path, package: str) -> dict[str, Any]:
    """A package's last report; empty where there is none that can be read."""
    try:
        report = read_json(report_folder(home, package) / REPORT)
    except (OSError, ValueError):
        return {}
    return report if isinstance(report, dict) else {}


def why_not_admitted(home: Path, package: str, task_digest: str) -> str:
    """Why a package is not in the default sweep, or '' where it is."""
    report = report_of(home, package)
    if not report:
        return "it was not calibrated"
    if report.get("task_digest") != task_digest:
        return "it was another one when it was calibrated"
    verdict = report.get("verdict")
    return "" if verdict == "admit" else f"its report says {verdict}"
