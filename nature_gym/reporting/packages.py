"""Packages as the report shows them: their files, the checks' last word, the admission report, the page of the cut."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from nature_gym.cut.drawing import page as cut_page
from nature_gym.cut.folder import cut_folder
from nature_gym.digests import digest_json
from nature_gym.errors import NatureGymError
from nature_gym.kept import Kept
from nature_gym.packaging.package import Package
from nature_gym.records import PaperFolder
from nature_gym.reporting.texts import plain, size
from nature_gym.sweeping.admission import Verdict, report_of

MOST_FILES, MOST_FINDINGS, LARGEST_PAGE = 400, 20, 4 << 20
CUT_RULES = "cut-page-1"
SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,120}")


@dataclass(frozen=True, slots=True)
class CheckRun:
    """The newest run of the checks on a package. ``results`` are check results as JSON values; ``at`` is ISO 8601."""

    path: Path
    at: str
    results: Sequence[Mapping[str, Any]]


def gather_packages(folder: Path, home: Path, runs: Sequence[CheckRun]) -> list[dict[str, Any]]:
    """A row for each package in ``folder`` that has metadata, by name, with all that its page shows."""
    if not folder.is_dir():
        return []
    newest = {str(one.path): one for one in sorted(runs, key=lambda one: one.at)}
    places = sorted(place for place in folder.iterdir() if SAFE.fullmatch(place.name))
    return [
        _row(Package(place), home, newest.get(str(place.resolve())))
        for place in places
        if (place / "metadata.json").is_file()
    ]


def _row(package: Package, home: Path, run: CheckRun | None) -> dict[str, Any]:
    summary = package.summary()
    name = package.path.name
    results = [_result(one) for one in run.results] if run else []
    admission = _admission(home, name)
    domain = package.metadata.get("domain_metadata")
    files = [{"name": plain(file, 300), "size": size(one)} for file, one in package.files.items()]
    return {
        "name": name,
        "title": plain(summary["task_name"], 300) or name,
        "domain": plain(domain.get("primary_domain") if isinstance(domain, dict) else "", 80),
        "instances": [plain(one, 100) for one in summary["instances"]],
        "metrics": [_metric(one) for one in summary["metrics"][:200]],
        "files": files[:MOST_FILES],
        "file_count": summary["files"],
        "size": size(summary["size"]),
        "bytes": summary["size"],
        "checked": run is not None,
        "checked_at": run.at[:16].replace("T", " ") if run else "",
        "checks": results,
        "failing": [one["id"] for one in results if one["status"] == "fail"],
        "warned": [one["id"] for one in results if one["status"] == "warn"],
        "admission": admission,
        "verdict": admission["verdict"] if admission else "",
    }


def _metric(one: Mapping[str, Any]) -> dict[str, Any]:
    reach = one.get("sota_score")
    base = one.get("baseline_score")
    scores = reach if isinstance(reach, list) else [reach]
    return {
        "instance": plain(one.get("instance"), 100),
        "name": plain(one.get("name"), 100),
        "primary": one.get("is_primary") is True,
        "better": plain(one.get("metric_direction"), 40).partition("_")[0],
        "reach": ", ".join(plain(score.get("value"), 40) for score in scores if isinstance(score, dict)),
        "baseline": plain(base.get("value"), 40) if isinstance(base, dict) else "",
    }


def _result(one: Mapping[str, Any]) -> dict[str, Any]:
    status = one["status"] if one.get("status") in {"pass", "fail", "warn", "skip"} else "skip"
    findings = list(one.get("findings") or ())
    return {
        "id": plain(one.get("id"), 12), "title": plain(one.get("title"), 120), "status": status,
        "reason": plain(one.get("reason")), "more": max(0, len(findings) - MOST_FINDINGS),
        "findings": [
            {
                "place": plain(f"{found.get('file', '')}:{found.get('line', 1)}", 320),
                "message": plain(found.get("message"), 320), "text": plain(found.get("text"), 200),
                "hint": plain(found.get("hint")), "suppressed": plain(found.get("suppressed")),
            }
            for found in findings[:MOST_FINDINGS]
        ],
    }  # fmt: skip


def _admission(home: Path, name: str) -> dict[str, Any] | None:
    told = report_of(home, name)
    try:
        verdict = told["verdict"]
        return {
            "verdict": verdict if verdict in get_args(Verdict) else "repair",
            "summary": plain(told.get("summary"), 400),
            "passes": [
                {
                    "name": plain(one.get("name"), 40), "agent": plain(one.get("agent"), 60),
                    "trial": plain(one.get("trial"), 40), "grade": plain(one.get("grade"), 20).replace("_", " "),
                    "gap": one["gap"] if isinstance(one.get("gap"), int | float) else None,
                    "reason": plain(one.get("reason")),
                }
                for one in told.get("passes", [])[:10]
            ],
            "defects": [
                {
                    "kind": plain(one.get("kind"), 60).replace("_", " "), "evidence": plain(one.get("evidence"), 400),
                    "mend": plain(one.get("mend"), 300),
                }
                for one in told.get("defects", [])[:50]
            ],
        }  # fmt: skip
    except (KeyError, TypeError, AttributeError):
        return None


def cut_pages(paper: PaperFolder, kept: Kept) -> tuple[dict[str, str], str]:
    """Source -> the page of its cut, for a paper that was cut; and why there is none, or ''.

    A page is drawn once for what the cut was made of. Nothing of the sources is run.
    """
    from nature_gym.acquisition.acquired import read_acquisition
    from nature_gym.acquisition.plan import screened
    from nature_gym.cut.stage import named_sources

    try:
        record = paper.record("cut")
        if record is None or record.status != "done":
            return {}, "the paper was not cut"
        key = digest_json([CUT_RULES, paper.id, record.inputs, record.rules])
        if (known := kept.get([key]).get(key)) is not None:
            return dict(known), ""
        method = screened(paper).task.method or None
        sources = named_sources(read_acquisition(paper.path / "acquire"))
        pages = {}
        for name, source in sources.items():
            place = (paper.path / "acquire" / "sources" / source.name).resolve()
            if not place.is_dir():
                return {}, f"the source {plain(source.name, 80)} is gone; 'naturegym acquire' fetches it again"
            pages[name] = plain(cut_page(cut_folder(place, method=method), f"{paper.id}: {name}"), LARGEST_PAGE)
    except (NatureGymError, OSError, ValueError) as error:
        return {}, plain(error.message if isinstance(error, NatureGymError) else error)
    kept.put({key: pages})
    return pages, ""
