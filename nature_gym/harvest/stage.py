"""The harvest's record on a paper's folder: the work as OpenAlex has it, and whether it still stands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

from nature_gym.files import to_json
from nature_gym.harvest.works import Work
from nature_gym.records import PaperFolder
from nature_gym.stages import Outcome

STAGE = "harvest"
WORK = "work.json"
NEWS = "news"


class HarvestStage:
    """Publishes one work as the paper's record. It is given the work, so it is stale when that differs.

    ``verdict`` other than ``done``: ``withdrawn`` (retracted, or no longer listed), ``merged`` (now part of another).
    ``news`` is what the publication is to the corpus (``new``, ``updated``); it is kept among the facts, so that a
    harvest that was killed before it counted the work can count it when it meets it again.
    """

    name = STAGE
    rules = "1"

    def __init__(self, work: Work, *, verdict: str = "", reason: str = "", news: str = "") -> None:
        self._news = news
        self._work = work.model_dump(mode="json")
        self._verdict, self._reason = verdict, reason
        if work.retracted and not verdict:
            self._verdict, self._reason = "withdrawn", "OpenAlex lists it as retracted"

    def inputs(self, paper: PaperFolder) -> Any:  # noqa: ARG002 -- the work is the input
        """The work itself, word for word; and what was found out about it."""
        return self._work if not self._reason else self._work | {"found": self._reason}

    def work(self, paper: PaperFolder, draft: Path) -> Outcome:  # noqa: ARG002
        """Write it down."""
        (draft / WORK).write_bytes(to_json(self._work))
        return Outcome(self._verdict or "done", self._reason, {NEWS: self._news} if self._news else {})


def known_work(paper: PaperFolder) -> Work | None:
    """The work that the paper's harvest published; None where there is none that can be read."""
    publication = paper.publication(STAGE)
    if publication is None:
        return None
    try:
        return Work.model_validate(orjson.loads((paper.path / publication / WORK).read_bytes()))
    except (OSError, ValueError):
        return None  # whatever was damaged is written anew
