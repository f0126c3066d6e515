"""Submitted answers, kept: so that a corrected evaluator can score them without an agent running again.

An attempt's record names each file of its answer by digest; here the file itself goes into the content store under that
digest, before the evaluator sees it. The same answer submitted twice is kept once.

Threat: an agent submits without end to fill the disk. Invariant: an answer larger than :data:`LARGEST_ANSWER` is not
kept, and of one trial no more than :data:`LARGEST_OF_TRIAL` in all. What was not kept cannot be scored again, which
:mod:`nature_gym.sweeping.scores` says of each attempt; its score stays as it was given.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from nature_gym.digests import PREFIX, digest_file
from nature_gym.errors import FindingsError
from nature_gym.evaluation.evaluator import CURRENT, Evaluator, Given
from nature_gym.store import Store

log = logging.getLogger(__name__)

LARGEST_ANSWER = 256 << 20
LARGEST_OF_TRIAL = 2 << 30


class NotKeptError(FindingsError):
    """The files of an answer are not in the store."""


class KeepingEvaluator(Evaluator):
    """An evaluator that keeps what it is given to score."""

    def __init__(self, evaluation: Path, answers: Path, *arguments: Any, store: Store, **options: Any) -> None:
        super().__init__(evaluation, answers, *arguments, **options)
        self._current = answers / CURRENT
        self._store = store
        self._room = LARGEST_OF_TRIAL

    def score(self, seconds: float) -> Given:
        """As every evaluator, after the answer was kept. A store that fails keeps no answer from being scored."""
        try:
            self._room -= keep(self._current, self._store, min(LARGEST_ANSWER, self._room))
        except OSError as error:
            log.warning("an answer is not kept: %s", error)
        return super().score(seconds)


def keep(folder: Path, store: Store, most: int) -> int:
    """Put the files of an answer into the store unless they are larger than ``most``; bytes that are new there."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()]
    if sum(path.stat().st_size for path in files) > most:
        return 0
    new = 0
    for path in files:
        if digest_file(path) not in store:
            new += store.put_file(path).size
    return new


def put_back(answer: Mapping[str, Any], store: Store, folder: Path) -> None:
    """Make ``folder`` the answer that an attempt's record names. Raises NotKeptError, and then it may be half there."""
    if not answer or not all(isinstance(one, Mapping) and "sha256" in one for one in answer.values()):
        raise NotKeptError("the attempt's record names no files", hint="Its score stays as it was given.")
    for name, one in answer.items():
        parts = PurePosixPath(name).parts
        digest = f"{PREFIX}{one['sha256']}"
        if not parts or ".." in parts or PurePosixPath(name).is_absolute() or digest not in store:
            raise NotKeptError(f"{name} is not in the store", hint="Its score stays as it was given.")
        path = folder.joinpath(*parts)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(store.read(digest))
        path.chmod(0o644)
