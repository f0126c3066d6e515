"""Papers as the report shows them, read from their folders: where each stands, and what every decision rests on.

The idea: a folder's mark tells whether anything in it changed, so what was read of a paper is kept under its mark, and
a report of a corpus in which nothing changed opens no record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import quote

from nature_gym.errors import NatureGymError
from nature_gym.harvest.stage import known_work
from nature_gym.kept import Kept
from nature_gym.records import PaperFolder, StageRecord
from nature_gym.reporting.life import LIFE
from nature_gym.reporting.texts import LONG, SHORT, plain
from nature_gym.screening.decisions import Decision
from nature_gym.screening.record import Screening, read_screening

KEPT_RULES = 1
MOST_EVIDENCE, MOST_AUTHORS, MOST_SETTINGS, MOST_METRICS = 6, 8, 12, 12
AT_ONCE = 500
"""Papers whose facts are looked up and kept in one go."""
Paper = dict[str, Any]
"""What is shown of a paper, as a JSON value: see :func:`paper_facts`."""


def gather_papers(
    folders: Iterable[PaperFolder], kept: Kept, *, tell: Callable[[int], None] = lambda _: None
) -> list[Paper]:
    """The facts of all papers, in the order of ``folders``; ``tell`` is told how many there are so far."""
    found: list[Paper] = []
    every = list(folders)
    for start in range(0, len(every), AT_ONCE):
        some = [(folder, f"{folder.path}:{_mark(folder)}") for folder in every[start : start + AT_ONCE]]
        known = kept.get(key for _, key in some)
        new = {key: paper_facts(folder) for folder, key in some if key not in known}
        kept.put({key: facts for key, facts in new.items() if not facts["unreadable"]})
        found += [known.get(key) or new[key] for _, key in some]
        tell(len(found))
    return found


def paper_facts(folder: PaperFolder) -> Paper:
    """What is shown of one paper.

    ``stages`` maps a stage to its status, verdict, reason and times; ``errors`` a stage to why its last attempt could
    not be carried out; ``detail`` is what is shown of the paper alone. A record that cannot be read is an error.
    """
    stages: dict[str, StageRecord] = {}
    errors = {
        name: {"error": plain(one.error, 80), "reason": plain(one.reason), "hint": plain(one.hint)}
        for name, one in folder.errors().items()
    }
    before = len(errors)
    for name in folder.publications():
        try:
            if (record := folder.record(name)) is not None:
                stages[name] = record
        except NatureGymError as error:
            errors[plain(name, 40)] = _unreadable(error)
    work, screening = None, None
    try:
        work = known_work(folder)
        if (published := folder.published("screen")) is not None and published.record.status == "done":
            screening = read_screening(published.folder)
    except (NatureGymError, OSError, ValueError) as error:
        errors.setdefault("screen" if work else "harvest", _unreadable(error))
    facts = stages["screen"].facts if "screen" in stages else {}
    read = stages["read"].facts if "read" in stages else {}
    title = (work.title if work else "") or (screening.title if screening else "") or str(read.get("title") or "")
    published_on = str((work.published if work else None) or read.get("published") or "")
    doi = (work.doi if work else None) or read.get("doi") or ""
    return {
        "id": plain(folder.id),
        "title": plain(title, 400),
        "venue": plain((work.venue if work else "") or read.get("journal"), 120),
        "published": plain(published_on, 10),
        "rule": plain(facts.get("stopped_at"), 8),
        "code": plain(facts.get("code"), 60),
        "package": plain(stages["build"].facts.get("task") if "build" in stages else "", 100),
        "stages": {name: _stage(stages[name]) for name in sorted(stages, key=_place)},
        "errors": errors,
        "unreadable": len(errors) > before,
        "detail": {
            "doi": plain(doi, 200),
            "link": f"https://doi.org/{quote(str(doi)[:200], safe='/.()-_;:')}" if doi else "",
            "authors": [plain(name, 80) for name in work.authors[:MOST_AUTHORS]] if work else [],
            "more_authors": max(0, len(work.authors) - MOST_AUTHORS) if work else 0,
            "type": plain(work.article_type if work else "", 40),
            "licence": plain(work.licence if work else "", 40),
            "screening": _screening(screening) if screening else None,
        },
    }


def _place(stage: str) -> tuple[int, str]:
    """Stages in the order of a paper's life, those beside it last."""
    return (LIFE.index(stage) if stage in LIFE else len(LIFE), stage)


def _mark(folder: PaperFolder) -> str:
    try:
        return folder.mark()
    except OSError:
        return "gone"


def _unreadable(error: Exception) -> dict[str, str]:
    told = error.message if isinstance(error, NatureGymError) else str(error)
    hint = error.hint if isinstance(error, NatureGymError) else ""
    return {"error": "Unreadable", "reason": plain(told), "hint": plain(hint)}


def _stage(record: StageRecord) -> dict[str, Any]:
    return {
        "status": record.status, "verdict": plain(record.verdict, 60), "reason": plain(record.reason, 400),
        "hint": plain(record.hint), "finished": f"{record.finished:%Y-%m-%d %H:%M}",
        "seconds": round(record.seconds, 2),
    }  # fmt: skip


def _screening(screening: Screening) -> dict[str, Any]:
    task = screening.task
    return {
        "summary": plain(screening.summary, 400),
        "decisions": [_decision(one) for one in screening.decisions],
        "task": {
            "type": plain(task.task_type, 80),
            "method": plain(task.method),
            "metrics": [
                plain(f"{one.name}{' (primary)' if one.primary else ''}", 80) for one in task.metrics[:MOST_METRICS]
            ],
            "settings": [
                {
                    "name": plain(one.name, 120), "accepted": one.accepted, "reason": plain(one.reason),
                    "scores": [plain(f"{score.metric} {score.value}", 80) for score in one.sota[:4]],
                }
                for one in task.settings[:MOST_SETTINGS]
            ],
        },
        "bytes": screening.size.size_bytes if screening.size else None,
    }  # fmt: skip


def _decision(one: Decision) -> dict[str, Any]:
    return {
        "rule": one.rule, "verdict": one.verdict, "code": plain(one.code, 60), "reason": plain(one.reason, 400),
        "decider": plain(f"{one.decider} {one.version}" + (f", by {one.by}" if one.by else ""), 120),
        "evidence": [
            {"quote": plain(said.quote, LONG // 2), "section": plain(said.section, SHORT // 2)}
            for said in one.evidence[:MOST_EVIDENCE]
        ],
    }  # fmt: skip
