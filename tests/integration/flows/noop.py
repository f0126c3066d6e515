"""A stage that does next to nothing, and its flow, for tests and benches of the runtime.

A paper's id says what shall happen to it: ``...-reject``, ``...-unusable``, ``...-error``; ``...-gate`` waits
at the FIFO ``gate`` in the home, where there is one, until its writer closes it.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from flows.stage_flow import stage_flow
from nature_gym.config import Settings
from nature_gym.errors import InfrastructureError, PaperError
from nature_gym.records import PaperFolder, Papers
from nature_gym.stages import Outcome


class Noop:
    name = "noop"
    rules = "1"

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def inputs(self, paper: PaperFolder) -> Any:
        return {"paper": paper.id}

    def work(self, paper: PaperFolder, draft: Path) -> Outcome:
        (draft / "worked.txt").write_text(paper.id)
        with (self.settings.home / "worked.log").open("a") as log:
            log.write(f"{paper.id}\n")
        if paper.id.endswith("-reject"):
            return Outcome("rejected", "no machine learning")
        if paper.id.endswith("-unusable"):
            raise PaperError("it is truncated", hint="Fetch it again.")
        if paper.id.endswith("-error"):
            raise InfrastructureError("the disk failed", hint="Mend it.")
        if paper.id.endswith("-gate"):
            with suppress(FileNotFoundError):
                (self.settings.home / "gate").read_bytes()
        return Outcome("passed")


class OneByOne(Noop):
    name = "singly"


def everybody(papers: Papers) -> list[str]:
    return [paper.id for paper in papers]


noop = stage_flow("noop", Noop, seconds_each=0.0, ready=everybody, description="Nothing, to papers in chunks.")
singly = stage_flow("singly", OneByOne, seconds_each=1.0, ready=everybody, description="Nothing, one by one.")
