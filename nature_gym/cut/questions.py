"""What a person has to settle before a drafted task can be built, with what is known of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import orjson

from nature_gym.errors import FindingsError, InfrastructureError
from nature_gym.files import to_json
from nature_gym.packaging.task_file import read_task
from nature_gym.records import PaperFolder, Papers

QUESTIONS = "questions.json"
CUT = "cut"
LONGEST = 1_000
"""Characters of a question in task.yaml."""


@dataclass(frozen=True, slots=True)
class Question:
    """One thing to settle: the field or file group that it is about, what is asked, and what speaks for what."""

    about: str
    asks: str
    evidence: tuple[str, ...] = ()

    def __str__(self) -> str:
        said = f" [{'; '.join(self.evidence)}]" if self.evidence else ""
        return f"{self.about}: {self.asks}{said}"


def write_questions(questions: list[Question], folder: Path) -> None:
    """Write them into ``folder``."""
    value = [{"about": one.about, "asks": one.asks, "evidence": list(one.evidence)} for one in questions]
    (folder / QUESTIONS).write_bytes(to_json(value))


def questions_of(paper: PaperFolder) -> list[Question]:
    """What is still to be settled of a paper's draft: the questions that its ``task.yaml`` still has.

    Raises InfrastructureError where the record cannot be read.
    """
    published = paper.published(CUT)
    if published is None or not (published.folder / QUESTIONS).is_file():
        return []
    try:
        asked = orjson.loads((published.folder / QUESTIONS).read_bytes())
        found = [Question(one["about"], one["asks"], tuple(one["evidence"])) for one in asked]
        still = {" ".join(each.split()) for each in read_task(published.folder / "task.yaml").questions}
    except FindingsError:
        return found  # a person is at work on it; nothing is settled before it can be read again
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InfrastructureError(
            f"the draft of {paper.id} cannot be read: {error}", hint=f"Cut it again: naturegym cut {paper.id}."
        ) from error
    return [one for one in found if " ".join(str(one)[:LONGEST].split()) in still]


def open_questions(papers: Papers) -> Iterator[tuple[PaperFolder, Question]]:
    """What is to be settled in the drafts of all papers. Raises InfrastructureError as :func:`questions_of` does."""
    for paper in papers:
        yield from ((paper, question) for question in questions_of(paper))
