"""The whole site, written from the records: which files there are, and what stands in each.

The idea: nothing in it depends on the hour or the machine, so the same records give the same bytes, and two reports can
be compared.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nature_gym.digests import PREFIX, digest_bytes
from nature_gym.errors import NatureGymError
from nature_gym.files import to_json
from nature_gym.kept import Kept
from nature_gym.records import Papers
from nature_gym.reporting import charts, pages
from nature_gym.reporting.board import board_of_trials, board_page
from nature_gym.reporting.chunks import parted, safe_json, script
from nature_gym.reporting.failures import failure_groups
from nature_gym.reporting.folder import MARK, replaced
from nature_gym.reporting.life import STEPS, Standing, standing_of, steps_of
from nature_gym.reporting.packages import CheckRun, cut_pages, gather_packages
from nature_gym.reporting.papers import KEPT_RULES, Paper, gather_papers
from nature_gym.reporting.sankey import sankey
from nature_gym.reporting.trials import trial_detail, trial_row
from nature_gym.sweeping.folders import TrialFolder, TrialFolders
from nature_gym.sweeping.results import domains_of

log = logging.getLogger(__name__)
FORMAT = 1
ROWS, DETAILS = 1_000, 60
"""Papers of a chunk of the list, and most of one of evidence."""
CUT_FOLDER = "cuts"
Tell = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Site:
    """What was written: counts by kind, and bytes."""

    out: Path
    counts: dict[str, int]
    files: int
    size: int


@dataclass(frozen=True, slots=True)
class Records:
    """Where the records lie. ``checks`` are the newest runs of the checks, which others collect."""

    home: Path
    papers: Path
    packages: Path
    checks: Sequence[CheckRun] = ()


class _Writing:
    """Files put into a folder, counted. What they say of a place in the home is said without where the home is."""

    def __init__(self, folder: Path, home: Path) -> None:
        self.folder = folder
        self.files = self.size = 0
        self._places = [f"{place}/".encode(errors="replace") for place in (home.absolute(), home.resolve())]

    def put(self, name: str, content: bytes) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        for place in self._places:
            content = content.replace(place, b"")
        path.write_bytes(content)
        self.files += 1
        self.size += len(content)


def write_report(records: Records, out: Path, *, tell: Tell = lambda *_: None) -> Site:
    """Write the site to ``out``, in the place of the one that is there.

    Raises UsageError where ``out`` holds something else, OSError as the file system gives it.
    """
    kept = Kept(records.home / "reporting.db", KEPT_RULES)
    folders = list(Papers(records.papers))
    papers = gather_papers(folders, kept, tell=lambda done: tell("papers read", done, len(folders)))
    packages = gather_packages(records.packages, records.home, records.checks)
    by_name = {package["name"]: package for package in packages}
    standings = [standing_of(paper, by_name.get(paper["package"])) for paper in papers]
    with replaced(out) as folder:
        writing = _Writing(folder, records.home)
        for name in pages.ASSETS:
            writing.put(name, pages.asset(name))
        rows = _put_trials(writing, TrialFolders(records.home), by_name, tell)
        _put_papers(writing, papers, standings, by_name)
        _put_packages(writing, packages, papers, rows, Papers(records.papers), kept)
        board = _put_board(writing, TrialFolders(records.home))
        groups = failure_groups(papers, packages, rows)
        writing.put("failures.html", pages.page("failures.html", here="failures.html", groups=groups))
        counts = {
            "papers": len(papers), "passed": sum(_passed(paper) for paper in papers), "packages": len(packages),
            "admitted": sum(package["verdict"] == "admit" for package in packages), "trials": len(rows),
            "agents": len({row["agent"] for row in rows}), "failures": sum(group.count for group in groups),
        }  # fmt: skip
        steps = steps_of(standings)
        writing.put("index.html", pages.page(
            "index.html", here="index.html", counts=counts, steps=steps, drawing=sankey(steps),
            months=charts.months(papers), venues=_venues(papers), board=board, until=_until(papers),
        ))  # fmt: skip
        told = {"format": FORMAT, "counts": counts, "steps": {one.name: [one.came, one.passed] for one in steps}}
        writing.put(MARK, to_json(told))
        tell("files written", writing.files, writing.files)
    return Site(out, counts, writing.files, writing.size)


def _passed(paper: Paper) -> bool:
    return bool(paper["stages"].get("screen", {}).get("verdict") == "passed")


def _until(papers: Sequence[Paper]) -> str:
    """The day of the newest record."""
    return max((stage["finished"] for paper in papers for stage in paper["stages"].values()), default="")[:10]


def _venues(papers: Sequence[Paper]) -> list[tuple[str, int, int]]:
    every = Counter(paper["venue"] or "unknown" for paper in papers)
    passed = Counter(paper["venue"] or "unknown" for paper in papers if _passed(paper))
    return [(name, count, passed[name]) for name, count in sorted(every.items(), key=lambda pair: (-pair[1], pair[0]))]


# -- papers ------------------------------------------------------------------------------------------


class _Words:
    """Words by number: a list of papers says the same few thousands of times."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self._places: dict[str, int] = {}

    def __call__(self, word: str) -> int:
        if word not in self._places:
            self._places[word] = len(self.words)
            self.words.append(word)
        return self._places[word]


def _put_papers(
    writing: _Writing, papers: Sequence[Paper], standings: Sequence[Standing], packages: Collection[str]
) -> None:
    """The list in chunks of rows, newest paper first, and what each rests on in chunks of details."""
    order = sorted(range(len(papers)), key=lambda at: papers[at]["id"])
    order.sort(key=lambda at: papers[at]["published"], reverse=True)
    weighed = [(papers[at], safe_json(_shown(papers[at], standings[at], packages))) for at in order]
    words, rows = _Words(), []
    for number, part in enumerate(parted(weighed, lambda pair: len(pair[1]), most=DETAILS)):
        details = b"[" + b",".join(content for _, content in part) + b"]"
        writing.put(f"data/paper-details/{number}.js", _script(f"paper-details/{number}", details))
        rows += [(paper, number, place) for place, (paper, _) in enumerate(part)]
    lines = [
        [paper["id"], paper["title"], words(paper["venue"]), paper["published"], words(standing.step),
         words(standing.why), words(paper["stages"].get("screen", {}).get("verdict", "")), words(paper["rule"]),
         words(paper["code"]), number, place]
        for (paper, number, place), standing in zip(rows, (standings[at] for at in order), strict=True)
    ]  # fmt: skip
    chunks = [lines[start : start + ROWS] for start in range(0, len(lines), ROWS)]
    for number, chunk in enumerate(chunks):
        writing.put(f"data/papers/{number}.js", script(f"papers/{number}", chunk))
    about = {"words": words.words, "chunks": len(chunks), "total": len(lines), "steps": dict(STEPS)}
    writing.put("data/papers.js", script("papers", about))
    shown = [standing for standing in standings if standing.rule]
    filters = {
        "verdict": _counted(paper["stages"].get("screen", {}).get("verdict", "") for paper in papers),
        "rule": sorted(_counted(standing.rule for standing in shown)),
        "code": _counted(standing.code for standing in shown),
        "step": [
            (name, title, count) for name, title in STEPS if (count := sum(one.step == name for one in standings))
        ],
        "venue": sorted(_counted(paper["venue"] for paper in papers)),
        "year": sorted(_counted(paper["published"][:4] for paper in papers), reverse=True),
    }
    writing.put("papers.html", pages.page("papers.html", here="papers.html", total=len(papers), filters=filters))


def _shown(paper: Paper, standing: Standing, packages: Collection[str]) -> dict[str, Any]:
    return {
        **paper["detail"], "id": paper["id"], "stages": paper["stages"], "errors": paper["errors"],
        "package": paper["package"] if paper["package"] in packages else "",
        "stands": [standing.step, standing.kind, standing.why],
    }  # fmt: skip


def _script(name: str, json: bytes) -> bytes:
    """:func:`nature_gym.reporting.chunks.script` for what is safe JSON already."""
    return b"report.take(" + safe_json(name) + b"," + json + b");\n"


def _counted(words: Any) -> list[tuple[str, int]]:
    """Words with their numbers, most first; '' is none."""
    return sorted(Counter(word for word in words if word).items(), key=lambda pair: (-pair[1], pair[0]))


# -- packages, trials, leaderboard -------------------------------------------------------------------


def _put_packages(
    writing: _Writing, packages: Sequence[dict[str, Any]], papers: Sequence[Paper], rows: Sequence[dict[str, Any]],
    folders: Papers, kept: Kept,
) -> None:  # fmt: skip
    of_package = {paper["package"]: paper for paper in papers if paper["package"]}
    trials: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        trials.setdefault(row["package"], []).append(row)
    for package in packages:
        name, paper = package["name"], of_package.get(package["name"])
        cuts, why = cut_pages(folders[paper["id"]], kept) if paper else ({}, "its paper is not in this home")
        for source, content in cuts.items():
            writing.put(_cut_name(name, source), content.encode("utf-8", "replace"))
        links = [(source, _cut_name(name, source)) for source in cuts]
        writing.put(f"packages/{name}.html", pages.page(
            "package.html", here="packages.html", root="../", package=package, paper=paper, cuts=links, why_no_cut=why,
            trials=trials.get(name, []),
        ))  # fmt: skip
    writing.put("packages.html", pages.page("packages.html", here="packages.html", packages=packages))


def _cut_name(package: str, source: str) -> str:
    plain = source if source.isalnum() and source.isascii() else digest_bytes(source.encode()).removeprefix(PREFIX)[:8]
    return f"{CUT_FOLDER}/{package}.{plain}.html"


def _put_trials(
    writing: _Writing, folders: TrialFolders, packages: Collection[str], tell: Tell
) -> list[dict[str, Any]]:
    """A row each, and a file each with the rest; a trial whose records are in pieces is passed over, and said."""
    rows: list[dict[str, Any]] = []
    every: list[TrialFolder] = list(folders)
    for done, trial in enumerate(every, start=1):
        try:
            row, detail = trial_row(trial), trial_detail(trial)
        except (NatureGymError, OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            log.warning("trial %s cannot be read: %s", trial.id, error)
            row, detail = _unreadable(trial), {}
        rows.append(row | {"page": row["package"] in packages})
        writing.put(f"data/trials/{trial.id}.js", script(f"trials/{trial.id}", detail))
        if done % 50 == 0 or done == len(every):
            tell("trials read", done, len(every))
    rows.sort(key=lambda row: (row["package"], row["agent"], row["seed"], row["pass"], row["id"]))
    writing.put("data/trials.js", script("trials", rows))
    filters = {
        "agent": sorted(_counted(row["agent"] for row in rows)),
        "package": sorted(_counted(row["package"] for row in rows)),
        "pass": _counted(row["pass"] for row in rows),
        "status": _counted(row["status"] for row in rows),
        "verdict": _counted(row["verdict"] for row in rows),
    }
    writing.put("trials.html", pages.page("trials.html", here="trials.html", total=len(rows), filters=filters))
    return rows


def _unreadable(trial: TrialFolder) -> dict[str, Any]:
    return {
        "id": trial.id, "agent": "", "package": "", "seed": 0, "pass": "sweep", "status": "unreadable", "gap": None,
        "attempts": 0, "verdict": "not judged", "judged": "", "categories": [], "hours": 0.0, "cost": 0.0,
        "reason": "its records cannot be read",
    }  # fmt: skip


def _put_board(writing: _Writing, folders: TrialFolders) -> dict[str, Any] | None:
    found = board_of_trials(folders, domains_of(folders))
    board = board_page(found) if found else None
    writing.put("leaderboard.html", pages.page("leaderboard.html", here="leaderboard.html", board=board))
    return board
