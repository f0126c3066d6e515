"""Plays a recorded trial: the sources and the answer of one of its attempts are put back, and handed in.

Threat: a recording was written by an agent. Names that lead out of the workspace, and files that are not what the
record's digests say, are refused, so that what is replayed is what was scored. The idea: a score that a replay does not
reach again is a change in the package, the evaluator or the machine, and of nothing else.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from nature_gym import __version__
from nature_gym.agents.events import Event
from nature_gym.agents.interface import Launch, View
from nature_gym.agents.shipping import CLIENT, client_files
from nature_gym.agents.streams.plain import read_plain
from nature_gym.digests import digest_folder, digest_json
from nature_gym.errors import UsageError
from nature_gym.evaluation.events import ATTEMPT, ATTEMPTS, SOURCE, TRIAL

MOST_BYTES = 1 << 30
LARGEST_RECORD = 64 << 20
ATTEMPT_OPTION = ",attempt="
SOURCES, ANSWERS, STORE, RECORD = "sources", "workspace/output", "store/sha256", "trial"


@dataclass(frozen=True, slots=True)
class Attempt:
    """One recorded attempt. ``record`` is the trial's folder that has attempts/."""

    record: Path
    number: int
    gap: float
    answer: Mapping[str, Any]
    evaluation: str
    """Digest of the evaluator that scored it."""


@dataclass(frozen=True, slots=True)
class Replay:
    """Replays from ``folder``: a trial, or a folder of trials. ``number`` 0 is the best attempt that fits the task."""

    name: str
    folder: Path
    number: int = 0

    def missing(self) -> str:
        """Whether there is nothing to replay."""
        if next(recorded(self.folder, self.number), None) is None:
            return f"{self.folder} holds no scored attempt; give the folder of a trial, or one of trials"
        return ""

    def version(self) -> str:
        """Ours."""
        return __version__

    def launch(self, view: View) -> Launch:
        """The files of the attempt. Raises UsageError where none fits, or where its files are not there any more."""
        argv = ("python3", str(view.workspace / CLIENT), "submit")
        if view.package is None:
            return Launch(argv, view.environment(), files=client_files())
        attempt = self._fitting(view.package)
        output = view.output.relative_to(view.workspace)
        files = {name: content for name, content in sources_of(attempt).items() if not _is_below(name, str(output))}
        files |= {str(output / name): content for name, content in answer_of(attempt).items()}
        return Launch(argv, view.environment(), files={**files, **client_files()})

    def events(self, stdout: Path, stderr: Path) -> Iterator[Event]:
        """Its lines."""
        return read_plain(stdout, stderr)

    def _fitting(self, package: Path) -> Attempt:
        """The best attempt on this package's evaluator; where one trial was named, its own."""
        wanted = digest_json(digest_folder(package / "evaluation"))
        found = sorted(recorded(self.folder, self.number), key=lambda one: (one.evaluation == wanted, one.gap))
        trials = {one.record for one in found}
        if not found or (found[-1].evaluation != wanted and len(trials) > 1):
            raise UsageError(
                f"{self.folder} holds no scored attempt on this package.", hint="Record one first, with another agent."
            )
        return found[-1]


def replay(name: str, options: str) -> Replay:
    """From ``FOLDER`` or ``FOLDER,attempt=N``. Raises ValueError."""
    folder, _, number = options.partition(ATTEMPT_OPTION)
    if not folder or (number and not (number.isdecimal() and int(number))):
        raise ValueError("it needs the folder of a recorded trial")
    return Replay(name, Path(folder).expanduser().absolute(), int(number or 0))


def recorded(folder: Path, number: int = 0) -> Iterator[Attempt]:
    """The scored attempts of a trial, or of the trials below a folder; only those with ``number`` where it is not 0."""
    places = [folder, folder / RECORD]
    if not any((one / ATTEMPTS).is_dir() for one in places) and folder.is_dir():
        children = [one for one in sorted(folder.iterdir()) if one.is_dir()]
        places = [one for child in children for one in (child, child / RECORD)]
    for place in places:
        evaluation = str(_read(place / TRIAL).get("evaluation", ""))
        for path in sorted((place / ATTEMPTS).glob(f"*/{ATTEMPT}")):
            record = _read(path)
            found, gap = record.get("number"), record.get("gap")
            answer = (record.get("result") or {}).get("answer") if isinstance(record.get("result"), dict) else None
            if not isinstance(gap, int | float) or not isinstance(found, int) or not isinstance(answer, dict):
                continue
            if number in (0, found):
                yield Attempt(place, found, float(gap), answer, evaluation)


def answer_of(attempt: Attempt) -> dict[str, bytes]:
    """The files of an answer, from the store of the trial's home or the workspace beside it, by their digests."""
    found: dict[str, bytes] = {}
    places = (attempt.record.parents[1] / STORE, attempt.record.parent / ANSWERS)
    for name, one in attempt.answer.items():
        digest = str(one.get("sha256", "")) if isinstance(one, dict) else ""
        candidates = (places[0] / digest[:2] / digest, places[1].joinpath(*_parts(name)))
        content = next((got for path in candidates if (got := _whole(path, digest)) is not None), None)
        if content is None:
            raise UsageError(
                f"{name} of attempt {attempt.number} in {attempt.record} is not there any more.",
                hint="Answers stay in the home's store, or in the workspace until the next one replaces them.",
            )
        found[name] = content
    _bounded(found, attempt)
    return found


def sources_of(attempt: Attempt) -> dict[str, bytes]:
    """The texts of the workspace at an attempt, as far as they were kept."""
    listed = _read(attempt.record / ATTEMPTS / str(attempt.number) / SOURCE).get("files")
    found = {}
    for name, digest in listed.items() if isinstance(listed, dict) else ():
        content = _whole(attempt.record / SOURCES / str(digest)[:2] / str(digest), str(digest))
        if content is not None and _parts(name):
            found[str(name)] = content
    _bounded(found, attempt)
    return found


def _whole(path: Path, digest: str) -> bytes | None:
    """A file's content if it is what the digest says; no link is followed."""
    if len(digest) != 64 or not set(digest) <= set("0123456789abcdef") or path.is_symlink() or not path.is_file():
        return None
    if path.stat().st_size > MOST_BYTES:
        return None
    content = path.read_bytes()
    return content if hashlib.sha256(content).hexdigest() == digest else None


def _parts(name: str) -> tuple[str, ...]:
    """The parts of a name below a folder. Raises UsageError for one that leads out of it."""
    path = PurePosixPath(name)
    if not path.parts or path.is_absolute() or ".." in path.parts:
        raise UsageError(
            f"{name[:200]!r} in a recording is no name of a file.", hint="The recording was tampered with."
        )
    return path.parts


def _bounded(files: Mapping[str, bytes], attempt: Attempt) -> None:
    if sum(map(len, files.values())) > MOST_BYTES:
        raise UsageError(
            f"Attempt {attempt.number} in {attempt.record} is larger than {MOST_BYTES >> 30} GiB.",
            hint="Choose another attempt.",
        )


def _is_below(name: str, folder: str) -> bool:
    return PurePosixPath(name).parts[:1] == (folder,)


def _read(path: Path) -> dict[str, Any]:
    """A JSON object; an empty one where there is none to read."""
    try:
        if path.stat().st_size > LARGEST_RECORD:
            return {}
        value = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
