"""What a judge is given: a trial's best attempt with all that was kept of it, and the package it was made for.

Threat: everything in the folder but our own records was written by the agent. Every read is bounded, texts are found
by digest and never by a path of the agent's, and nothing is run or unpickled.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any

from nature_gym.agents.events import Event, read_events
from nature_gym.digests import PREFIX, digest_json
from nature_gym.errors import InfrastructureError
from nature_gym.evaluation.events import SOURCE, TRIAL, TrialRecord
from nature_gym.evaluation.sources import FOLDER as SOURCES
from nature_gym.evaluation.state import Attempt
from nature_gym.judging.given import Given, given_of
from nature_gym.packaging.package import Package
from nature_gym.store import Store

LARGEST_RECORD = 64 << 20
LARGEST_SOURCE = 1 << 20
LARGEST_SOURCES = 32 << 20
MOST_EVENTS = 100_000
MOST_REQUESTS = 100_000
SPEC, TRAJECTORY, EGRESS = "spec.json", "trajectory.jsonl", "egress.jsonl"


class CaseError(InfrastructureError):
    """A trial's folder lacks what judging it needs."""


@dataclass(frozen=True)
class Case:
    """A trial to be judged. ``texts``: path in the workspace -> text, as it was at ``attempt``.

    ``changed`` are the paths that differ from the attempt before; ``left_out`` what the snapshot could not keep.
    """

    folder: Path
    record: Mapping[str, Any]
    attempts: Sequence[Attempt]
    attempt: Attempt
    texts: Mapping[str, str]
    changed: frozenset[str]
    left_out: Mapping[str, str]
    complete: bool
    package: Package
    store: Store | None = None
    source_digests: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def given(self) -> Given:
        """What the package gives and keeps back."""
        return given_of(self.package)

    @property
    def name(self) -> str:
        """The trial's id."""
        return self.folder.name

    @property
    def has_paper(self) -> bool:
        """Whether the paper was given on purpose."""
        policy = self._spec.get("policy")
        return isinstance(policy, dict) and policy.get("pass_") == "reproduce"

    @property
    def agent(self) -> str:
        """Who was measured."""
        return str(self._spec.get("agent", ""))

    @property
    def hosts(self) -> frozenset[str]:
        """The hosts that the agent's program was let through to: its provider's."""
        listed = self.record.get("hosts")
        return frozenset(str(one).lower() for one in listed) if isinstance(listed, list) else frozenset()

    @cached_property
    def inputs(self) -> str:
        """The digest of what is judged: the same attempt of the same trial with the same sources."""
        began = self.record.get("opened")
        answer = self.attempt.result.get("answer")
        return digest_json([self.name, began, self.attempt.number, dict(self.source_digests), answer])

    def events(self) -> list[Event]:
        """The trajectory, up to a bound."""
        with suppress(OSError, TypeError):
            return list(islice(read_events(self.folder / TRAJECTORY), MOST_EVENTS))
        return []

    def requests(self) -> list[dict[str, Any]]:
        """The lines of the network log."""
        found = []
        with suppress(OSError), (self.folder / EGRESS).open("rb") as file:
            for line in islice(file, MOST_REQUESTS):
                with suppress(ValueError):
                    value = json.loads(line)
                    if isinstance(value, dict):
                        found.append(value)
        return found

    @property
    def answer(self) -> dict[str, str]:
        """The files of the scored answer: path -> SHA-256, as the desk wrote it down."""
        listed = self.attempt.result.get("answer")
        if not isinstance(listed, dict):
            return {}
        return {name: str(one["sha256"]) for name, one in listed.items() if isinstance(one, dict) and "sha256" in one}

    @contextmanager
    def answer_files(self, largest: int) -> Iterator[dict[str, Path]]:
        """The files of the scored answer that were kept and are no larger than ``largest``."""
        found: dict[str, Path] = {}
        with tempfile.TemporaryDirectory(prefix="judging-") as folder:
            for number, (name, digest) in enumerate(sorted(self.answer.items())):
                if self.store is None or PREFIX + digest not in self.store:
                    continue
                kept = self.store.path(PREFIX + digest)
                if kept.stat().st_size <= largest:
                    path = Path(folder, f"{number}{PurePosixPath(name).suffix[:8]}")
                    path.symlink_to(kept)
                    found[name] = path
            yield found

    @property
    def _spec(self) -> Mapping[str, Any]:
        spec = self.record.get("spec")
        return spec if isinstance(spec, dict) else {}


def open_case(
    folder: Path, package: Package, store: Store | None = None, *, attempt: int | None = None
) -> Case | None:  # fmt: skip
    """The case of a trial's folder; None where no attempt has a score, so that there is nothing to judge.

    ``attempt`` is the one that counts, where scores were made anew since; else it is the best as it was scored.

    Raises CaseError where records cannot be read.
    """
    record = _json(folder / TRIAL)
    attempts = TrialRecord(folder).attempts()
    scored = [one for one in attempts if one.status == "scored" and one.gap is not None]
    if not scored:
        return None
    best = max(scored, key=lambda one: (one.number == attempt, one.gap or 0.0, -one.number))
    snapshot = _snapshot(folder, best.number)
    digests = _files(snapshot)
    earlier = [one.number for one in attempts if one.number < best.number]
    before = _files(_snapshot(folder, max(earlier))) if earlier else {}
    texts, missing = _texts(folder / SOURCES, digests)
    left_out = snapshot.get("left_out")
    return Case(
        folder, record, attempts, best, texts,
        changed=frozenset(name for name, digest in digests.items() if before.get(name) != digest),
        left_out={**(left_out if isinstance(left_out, dict) else {}), **missing},
        complete=snapshot.get("complete") is True and not missing,
        package=package, store=store, source_digests=digests,
    )  # fmt: skip


def trial_package(folder: Path) -> str:
    """The name of the package that a trial was made for; '' where its folder does not say it."""
    with suppress(CaseError):
        return str(_json(folder / SPEC).get("package", ""))
    return ""


def _snapshot(folder: Path, attempt: int) -> dict[str, Any]:
    try:
        return _json(TrialRecord(folder).attempt(attempt) / SOURCE)
    except CaseError:
        return {}


def _files(snapshot: Mapping[str, Any]) -> dict[str, str]:
    files = snapshot.get("files")
    return {str(name): str(digest) for name, digest in files.items()} if isinstance(files, dict) else {}


def _texts(folder: Path, digests: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Texts by path, and what is missing of them."""
    texts: dict[str, str] = {}
    missing: dict[str, str] = {}
    size = 0
    for name, digest in sorted(digests.items()):
        if not (len(digest) == 64 and all(one in "0123456789abcdef" for one in digest)):
            missing[name] = "its digest is none"
            continue
        try:
            with (folder / digest[:2] / digest).open("rb") as file:
                content = file.read(LARGEST_SOURCE + 1)
        except OSError:
            missing[name] = "its text is gone"
            continue
        size += len(content)
        if size > LARGEST_SOURCES:
            missing[name] = "beyond what is read"
            continue
        texts[name] = content.decode("utf-8", errors="replace")
    return texts, missing


def _json(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            value = json.loads(file.read(LARGEST_RECORD))
    except (OSError, ValueError) as error:
        raise CaseError(f"{path} cannot be read: {error}", hint="The trial cannot be judged without it.") from error
    if not isinstance(value, dict):
        raise CaseError(f"{path} is no record", hint="The trial cannot be judged without it.")
    return value
