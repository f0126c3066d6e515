"""What models have answered, by the digest of what they were asked: the same question is not paid for twice.

Only answers that passed every check are kept. Each is one file, written whole.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from nature_gym.files import to_json, write_atomically


class Remembered(BaseModel):
    """An answer, and what it took to get it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    question: str
    """Digest of the question."""
    model: str
    answer: dict[str, Any]
    input_tokens: int
    output_tokens: int
    cost: float


class Memory:
    """The answers below ``folder``. Holds no state."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, question: str) -> Path:
        """Where the answer to the question with this digest is, or would be."""
        name = question.removeprefix("sha256:")
        return self._folder / name[:2] / f"{name[2:]}.json"

    def get(self, question: str) -> Remembered | None:
        """The answer, where there is one that can be read."""
        try:
            found = Remembered.model_validate_json(self.path(question).read_bytes())
        except (FileNotFoundError, ValidationError):
            return None
        return found if found.question == question else None

    def put(self, answer: Remembered) -> None:
        """Keep an answer, in the place of what was there."""
        write_atomically(self.path(answer.question), to_json(answer.model_dump(mode="json")))
