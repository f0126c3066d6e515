"""OpenAlex's bulk snapshot: millions of works from files on this machine, part by part, at no cost.

A part that was read is remembered by its size and time of change, so that reading a snapshot again, or a newer one of
which most is the same, reads only what is new; a killed run loses the parts that were under way. Large
snapshots are read by processes of their own, which take in what they find themselves; they are given
parts line by line (:mod:`nature_gym.harvest.part_worker`), and end when their owner does.
"""

from __future__ import annotations

import datetime as dt
import gzip
import json
import queue
import subprocess
import sys
import threading
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import orjson

from nature_gym.config import Settings
from nature_gym.digests import digest_json
from nature_gym.errors import InfrastructureError, UsageError
from nature_gym.files import exclusive, write_json
from nature_gym.harvest.intake import Intake, close, is_open
from nature_gym.harvest.parts import KEPT, Judge, PartReport, read_part
from nature_gym.harvest.query import Query, queries
from nature_gym.harvest.stage import known_work
from nature_gym.harvest.venues import VenueList
from nature_gym.records import PaperFolder, Papers
from nature_gym.stages import Clock, now

RULES = "2"
"""Changes whenever the same part would be judged in another way."""
WORTH_A_PROCESS = 16_000_000
"""Packed bytes for each process: starting one takes as long as reading a part of them."""


@dataclass(frozen=True, slots=True)
class Part:
    """A file of the snapshot; ``name`` is its path below the snapshot's works."""

    name: str
    path: Path
    size: int
    changed_ns: int

    @property
    def mark(self) -> list[int]:
        """Tells whether it is the same as it was."""
        return [self.size, self.changed_ns]


@dataclass(slots=True)
class SnapshotReport:
    """What a snapshot held, and what came of it.

    ``missing`` parts stand in the manifest, and not on the disk; ``damaged`` says of parts why they could not be
    read, ``unclear`` of parts that were read what in them could not.
    """

    seen: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    parts: int = 0
    read: int = 0
    missing: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)

    @property
    def kept(self) -> int:
        return sum(self.counts[kind] for kind in KEPT)

    def as_json(self) -> dict[str, Any]:
        """What ``naturegym harvest --snapshot`` ends with; ``problems`` is there where there are any."""
        told: dict[str, Any] = {
            "seen": self.seen,
            "kept": self.kept,
            **{kind: self.counts[kind] for kind in KEPT},
            "dropped": dict(sorted(self.dropped.items())),
            "seconds": round(self.seconds, 3),
        }
        return told | ({"problems": self.problems} if self.problems else {})

    @property
    def problems(self) -> list[str]:
        """Each a sentence: what was damaged, not there, or unclear."""
        lost = [f"{name} stands in the manifest, and is not there" for name in self.missing]
        return [*self.damaged, *lost, *self.unclear]

    def add(self, report: PartReport) -> None:
        """Count a part that was read."""
        self.seen += report.seen
        self.counts.update(report.counts)
        self.dropped.update(report.dropped)
        self.read += 1
        if report.problem:
            self.unclear.append(report.problem)

    def add_known(self, known: dict[str, Any], *, goes_on: bool) -> None:
        """Count a part that was read before: what was kept then is unchanged now.

        Where this run ``goes_on`` with one that was killed, it counts as what it was then.
        """
        self.seen += known["seen"]
        if goes_on:
            self.counts.update(known["counts"])
        else:
            self.counts["unchanged"] += sum(known["counts"].get(kind, 0) for kind in KEPT)
        self.dropped.update(known["dropped"])
        if known["problem"]:
            self.unclear.append(known["problem"])


PartDone = Callable[[SnapshotReport, Sequence[str]], None]
"""Called after each part with what there is so far, and the ids of the papers that it changed."""


def find_parts(folder: Path) -> tuple[list[Part], list[str]]:
    """The parts of the snapshot below ``folder``, and names of those that its manifest promises and that are not there.

    ``folder`` holds ``data/works``, or is that folder. Raises UsageError where there is no snapshot.
    """
    works = next((path for path in (folder / "data" / "works", folder / "works", folder) if _has_parts(path)), None)
    if works is None:
        raise UsageError(
            f"there is no snapshot in {folder}",
            hint="It is a folder with data/works/updated_date=*/part_*.gz, as OpenAlex's bulk download makes it.",
        )
    promised = _promised(works / "manifest")
    names = promised or sorted(path.relative_to(works).as_posix() for path in works.glob("updated_date=*/*.gz"))
    parts, missing = [], []
    for name in names:
        try:
            status = (works / name).stat()
        except FileNotFoundError:
            missing.append(name)
        else:
            parts.append(Part(name, works / name, status.st_size, status.st_mtime_ns))
    return parts, missing


def _has_parts(works: Path) -> bool:
    return (works / "manifest").is_file() or next(works.glob("updated_date=*/*.gz"), None) is not None


def _promised(manifest: Path) -> list[str]:
    """Names of the parts in the manifest; empty where there is no manifest."""
    try:
        entries = orjson.loads(manifest.read_bytes())["entries"]
        addresses = [urlsplit(str(entry["url"])).path for entry in entries]
    except FileNotFoundError:
        return []
    except (orjson.JSONDecodeError, KeyError, TypeError) as error:
        raise UsageError(f"{manifest} is no manifest: {error!r}", hint="Download it again, or remove it.") from error
    names = ("/".join(address.rsplit("/", 2)[1:]) for address in addresses)
    return sorted({name for name in names if ".." not in name.split("/")})


def read_snapshot(
    settings: Settings,
    venues: VenueList,
    first: dt.date,
    last: dt.date,
    folder: Path,
    *,
    full: bool = False,
    on_part: PartDone = lambda *_: None,
    clock: Clock = now,
) -> SnapshotReport:
    """Take in what a corpus wants of a snapshot; what was read before is read again only with ``full``.

    Parts that are damaged are in the report and do not stop the others. Raises UsageError where there is no
    snapshot, InfrastructureError where a reading process dies.
    """
    began = time.monotonic()
    wanted = queries(venues, first, last)
    parts, missing = find_parts(folder)
    report = SnapshotReport(parts=len(parts), missing=missing)
    papers = Papers(settings.papers)
    memory = _Memory(settings, wanted, folder)
    with exclusive(memory.path.with_suffix(".lock")):
        known, since = ({}, None) if full or next(iter(papers), None) is None else memory.read()
        todo = []
        for part in parts:
            entry = known.get(part.name)
            if entry is not None and entry["mark"] == part.mark:
                report.add_known(entry, goes_on=since is not None)
            else:
                todo.append(part)
        memory.begin({part.name: known[part.name] for part in parts if part not in todo}, since or clock())
        for part, came in _read_all(settings, wanted, todo, since):
            if isinstance(came, PartReport):
                report.add(came)
                memory.add(part, came)
                on_part(report, came.changed)
            else:
                report.damaged.append(came)
        if report.read or not known:
            merged = close_merged(papers, folder)
            report.counts["merged"] += len(merged)
            on_part(report, merged)
        memory.finish()
    report.seconds = time.monotonic() - began
    return report


class _Memory:
    """Which parts were read, and what they held. Written after each part."""

    def __init__(self, settings: Settings, wanted: Sequence[Query], folder: Path) -> None:
        name = digest_json([RULES, str(folder.absolute()), [query.as_json() for query in wanted]])[7:23]
        self.path = settings.home / "harvest" / f"snapshot-{name}.json"
        self._parts: dict[str, Any] = {}
        self._began = ""

    def read(self) -> tuple[dict[str, Any], dt.datetime | None]:
        """The parts; and when the run began that read them, where it did not come to its end."""
        try:
            told = orjson.loads(self.path.read_bytes())
            return dict(told["parts"]), None if told["finished"] else dt.datetime.fromisoformat(told["began"])
        except (OSError, ValueError, KeyError, TypeError):
            return {}, None  # it saves time; without it, the parts are read again

    def begin(self, parts: dict[str, Any], began: dt.datetime) -> None:
        self._parts, self._began = parts, began.isoformat()
        self._write(finished=False)

    def finish(self) -> None:
        self._write(finished=True)

    def _write(self, *, finished: bool) -> None:
        write_json(self.path, {"parts": self._parts, "began": self._began, "finished": finished})

    def add(self, part: Part, report: PartReport) -> None:
        if report.dropped["error"]:
            return  # a paper could not be written; the part is read again
        self._parts[part.name] = {
            "mark": part.mark,
            "seen": report.seen,
            "counts": dict(report.counts),
            "dropped": dict(report.dropped),
            "problem": report.problem,
        }
        self._write(finished=False)


Came = PartReport | str
"""What came of a part: its report, or why it could not be read."""


def _read_all(
    settings: Settings, wanted: list[Query], parts: list[Part], since: dt.datetime | None
) -> Iterator[tuple[Part, Came]]:
    """Read parts, the largest first, in as many processes as are worth it."""
    parts = sorted(parts, key=lambda part: -part.size)
    processes = min(settings.workers, len(parts), sum(part.size for part in parts) // WORTH_A_PROCESS)
    if processes > 1:
        yield from _in_processes(settings, wanted, parts, processes, since)
        return
    judge = Judge(wanted)
    with Intake(Papers(settings.papers)) as intake:
        for part in parts:
            yield part, _read_here(part, judge, intake, since)


def _read_here(part: Part, judge: Judge, intake: Intake, since: dt.datetime | None) -> Came:
    try:
        return read_part(part.path, judge, intake, since)
    except InfrastructureError as error:
        return error.message


def _in_processes(
    settings: Settings, wanted: list[Query], parts: list[Part], processes: int, since: dt.datetime | None
) -> Iterator[tuple[Part, Came]]:
    """This process reads, too, while the others start."""
    todo: queue.SimpleQueue[Part] = queue.SimpleQueue()
    done: queue.SimpleQueue[tuple[Part, Came] | BaseException] = queue.SimpleQueue()
    for part in parts:
        todo.put(part)
    task = {
        "papers": str(settings.papers),
        "queries": [query.as_json() for query in wanted],
        "since": since.isoformat() if since else None,
    }
    workers = [_Worker(task, todo, done) for _ in range(processes - 1)]
    judge = Judge(wanted)
    left = len(parts)
    try:
        with Intake(Papers(settings.papers)) as intake:
            while left:
                if done.empty():
                    with suppress(queue.Empty):
                        part = todo.get_nowait()
                        done.put((part, _read_here(part, judge, intake, since)))
                came = done.get()
                if isinstance(came, BaseException):
                    raise came
                left -= 1
                yield came
    finally:
        for worker in workers:
            worker.stop()


class _Worker:
    """A process that reads parts one after the other, and the thread that talks to it."""

    def __init__(
        self,
        task: dict[str, Any],
        todo: queue.SimpleQueue[Part],
        done: queue.SimpleQueue[tuple[Part, Came] | BaseException],
    ) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "nature_gym.harvest.part_worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._todo, self._done = todo, done
        self._thread = threading.Thread(target=self._talk, args=(task,), name="snapshot", daemon=True)
        self._thread.start()

    def _talk(self, task: dict[str, Any]) -> None:
        try:
            self._say(task)
            while True:
                part = self._todo.get_nowait()
                self._say({"part": str(part.path)})
                answer = self._hear()
                report = answer.get("report")
                self._done.put((part, PartReport.from_json(report) if report else str(answer["error"])))
        except queue.Empty:
            return
        except (OSError, ValueError) as error:
            failure = InfrastructureError(
                f"a process that reads the snapshot died ({error!r})",
                hint="Run the same command again; it goes on with the parts that are left.",
            )
            self._done.put(failure)

    def _say(self, line: dict[str, Any]) -> None:
        assert self._process.stdin is not None  # noqa: S101 -- it was asked for, which types cannot tell
        self._process.stdin.write(json.dumps(line).encode() + b"\n")
        self._process.stdin.flush()

    def _hear(self) -> dict[str, Any]:
        assert self._process.stdout is not None  # noqa: S101
        return dict(orjson.loads(self._process.stdout.readline()))

    def stop(self) -> None:
        """End the process; a part that is under way is given up."""
        self._process.kill()
        self._process.wait()
        self._thread.join()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()


def close_merged(papers: Papers, folder: Path) -> list[str]:
    """Close papers whose work the snapshot lists as merged into another that we have; their ids."""
    lists = sorted((folder / "data" / "merged_ids" / "works").glob("*.csv.gz"))
    if not lists:
        return []
    ours = {
        work.openalex_id: paper
        for paper in papers
        if (work := known_work(paper)) is not None and work.openalex_id is not None
    }
    closed = []
    for former, present in _merges(lists):
        if former in ours and present in ours and _close_former(ours[former], ours[present]):
            closed.append(ours[former].id)
    return closed


def _close_former(former: PaperFolder, present: PaperFolder) -> bool:
    return is_open(former) and close(former, "merged", f"OpenAlex merged it into {present.id}")


def _merges(lists: Sequence[Path]) -> Iterator[tuple[str, str]]:
    for path in lists:
        try:
            with gzip.open(path, "rt", encoding="utf-8", errors="replace") as file:
                for line in file:
                    cells = line.strip().split(",")
                    if len(cells) == 3:
                        yield cells[1], cells[2]
        except (OSError, EOFError, zlib.error) as error:
            raise InfrastructureError(f"{path} is damaged: {error}", hint="Download the file again.") from error
