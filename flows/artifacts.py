"""What the Prefect UI shows besides runs: how far a stage is, and the funnel as a table.

They are for looking at. An API that does not take them is told in the log and stops nothing.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from uuid import UUID

import httpx
from prefect.artifacts import (
    create_markdown_artifact,
    create_progress_artifact,
    create_table_artifact,
    update_progress_artifact,
)
from prefect.exceptions import PrefectException

log = logging.getLogger(__name__)

_UPDATE_SECONDS = 2.0


class ProgressBar:
    """A stage's bar in the Prefect UI, moved at most every two seconds.

    ``told`` puts what was done, and of what, into words; else it says how many papers there are.
    """

    def __init__(self, stage: str, told: Callable[[int, int], str] | None = None) -> None:
        self._key = f"{artifact_key(stage)}-progress"
        self._told = told or (lambda _, total: f"{stage}: {total} papers")
        self._artifact: UUID | None = None
        self._shown = 0.0

    def show(self, done: int, total: int, *, at_once: bool = False) -> bool:
        """Move the bar; the end is always shown, and so is what is to be seen ``at_once``. Whether it was moved."""
        if done < total and not at_once and time.monotonic() - self._shown < _UPDATE_SECONDS:
            return False
        self._shown = time.monotonic()
        percent = 100.0 * done / total if total else 100.0
        with _merely_looked_at():
            if self._artifact is None:
                self._artifact = create_progress_artifact(percent, key=self._key, description=self._told(done, total))  # type: ignore[assignment,unused-ignore]
            else:
                update_progress_artifact(self._artifact, percent, description=self._told(done, total))
        return True


def publish_funnel(rows: Sequence[Mapping[str, str | int]], *, key: str = "funnel", description: str = "") -> None:
    """Put the funnel into the Prefect UI as a table, a row a step, in the columns' order of the first row."""
    with _merely_looked_at():
        create_table_artifact([dict(row) for row in rows], key=artifact_key(key), description=description or None)


def publish_markdown(text: str, *, key: str, description: str = "") -> None:
    """Put a text into the Prefect UI."""
    with _merely_looked_at():
        create_markdown_artifact(text, key=artifact_key(key), description=description or None)


def artifact_key(name: str) -> str:
    """``name`` as Prefect wants keys: lower-case letters, digits and dashes."""
    return "-".join("".join(c if c.isalnum() and c.isascii() else " " for c in name.lower()).split())


@contextmanager
def _merely_looked_at() -> Iterator[None]:
    try:
        yield
    except (httpx.HTTPError, PrefectException) as error:
        log.warning("Prefect did not take an artifact: %s", error)
