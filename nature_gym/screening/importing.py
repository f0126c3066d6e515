"""Records of another system taken in: its decisions become answers, as a person's are, under the name ``imported``.

Its task tuple is kept with them, and tells what screening here does not find out itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
from pydantic import ValidationError

from nature_gym.errors import UsageError
from nature_gym.records import PaperFolder, Papers, paper_id
from nature_gym.screening.decisions import CODES, RULES, Decision
from nature_gym.screening.exchange import IMPORTED, from_filter_result
from nature_gym.screening.review import answer_all
from nature_gym.screening.task import TaskTuple
from nature_gym.stages import Clock, now


def import_file(path: Path, papers: Papers, *, clock: Clock = now) -> dict[str, Any]:
    """Take a ``filter_result.json`` in: ``{"file", "paper", "outcome"}``; ``paper`` is None where it could not be."""
    try:
        screening = from_filter_result(orjson.loads(path.read_bytes()))
    except (OSError, orjson.JSONDecodeError, ValidationError, AttributeError) as error:
        return {"file": str(path), "paper": None, "outcome": f"is no filter_result.json: {_short(error)}"}
    folder = _folder(screening.id, papers)
    if folder is None:
        return {"file": str(path), "paper": None, "outcome": f"there is no paper {screening.id} here"}
    decisions = [
        decision.model_copy(update={"decider": IMPORTED, "by": path.name, "at": clock(), "code": _code(decision)})
        for decision in screening.decisions
        if decision.rule in RULES and decision.verdict != "undecided"
    ]
    task = screening.task if screening.task != TaskTuple() else None
    if decisions or task is not None:
        answer_all(folder, decisions, task=task, clock=clock)
    return {"file": str(path), "paper": folder.id, "outcome": f"{len(decisions)} decisions"}


def _folder(name: str, papers: Papers) -> PaperFolder | None:
    """The paper of that id; other systems name papers by DOI, by DOI with underscores, or by its suffix."""
    for candidate in (name, name.replace("_", "/", 1)):
        try:
            folder = (
                papers[paper_id(candidate)] if candidate.startswith("10.") and "/" in candidate else papers.find(name)
            )
        except UsageError:
            continue
        if folder.exists():
            return folder
    return None


def _code(decision: Decision) -> str | None:
    """The rejection's code: as told, or the one that its reason names; the rule's last one where neither is known."""
    if decision.verdict != "reject":
        return None
    known = CODES.get(decision.rule, ())
    if decision.code in known or not known:
        return decision.code
    return next((code for code in known if code in decision.reason), known[-1])


def _short(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return str(error)
