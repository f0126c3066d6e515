"""Carrying a stage out for a paper: skip what is current, record what happened, never half.

A stage is a small object with a name, a rule version, and two methods: what it would read, and the
work. Everything else is the same for all stages and lives here: staleness, timing, the
record, and which failure is the paper's and which is ours.
"""

from __future__ import annotations

import datetime as dt
import shutil
import traceback
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import repeat
from pathlib import Path
from typing import Any, Literal, Protocol, runtime_checkable

from nature_gym.digests import digest_file, digest_json, regular_files
from nature_gym.errors import NatureGymError, PaperError
from nature_gym.files import Draft, flush_folder
from nature_gym.records import RECORD, Output, PaperFolder, StageError, StageRecord

Clock = Callable[[], dt.datetime]


def now() -> dt.datetime:
    """The clock on the wall, in UTC; tests bring their own."""
    return dt.datetime.now(dt.UTC)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a stage's work came to: its verdict, a sentence, and small facts for lists.

    ``rules`` where the work was done by fewer rules than the stage has: see :class:`JudgesItsRules`.
    """

    verdict: str = "done"
    reason: str = ""
    facts: dict[str, Any] = field(default_factory=dict)
    rules: str | None = None


class Stage(Protocol):
    """One step in a paper's life.

    ``name`` is also the name of its folder. ``rules`` changes whenever the same inputs would give
    another outcome.
    """

    @property
    def name(self) -> str: ...

    @property
    def rules(self) -> str: ...

    def inputs(self, paper: PaperFolder) -> Any:
        """What the work depends on, as a JSON value: digests of files, settings that matter.

        Raises PaperError where the paper lacks what the stage needs.
        """
        ...

    def work(self, paper: PaperFolder, draft: Path) -> Outcome:
        """Do it; files go into the folder ``draft``.

        Raises PaperError where the paper's own input is unusable, and anything else where we failed.
        """
        ...


@runtime_checkable
class JudgesItsRules(Protocol):
    """A stage whose outcomes each depend on some of its rules only, so that a changed rule makes few papers stale."""

    def still_holds(self, recorded: str) -> bool:
        """Whether the rules that an outcome named (``Outcome.rules``) would work as they did."""
        ...


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one paper at one stage.

    ``kind``: ``current`` (nothing to do), ``done``, ``failed`` (the paper's input), ``error`` (ours).
    """

    paper: str
    kind: Literal["current", "done", "failed", "error"]
    verdict: str = ""
    reason: str = ""
    stands_failed: bool = False
    """Of what is current: the paper failed when the stage was carried out, and would again."""

    @property
    def is_failure(self) -> bool:
        """Whether the paper's input is unusable for the stage, found out now or the last time."""
        return self.kind == "failed" or self.stands_failed


def current_record(stage: Stage, paper: PaperFolder) -> StageRecord | None:
    """The record that makes ``stage`` current for ``paper``: same inputs, same rules, no error in between."""
    record = paper.record(stage.name)
    if record is None or not _same_rules(stage, record) or paper.has_error(stage.name):
        return None
    try:
        inputs = digest_json(stage.inputs(paper))
    except PaperError as error:
        inputs = _missing(error)
    return record if record.inputs == inputs else None


def _same_rules(stage: Stage, record: StageRecord) -> bool:
    if record.rules != stage.rules and isinstance(stage, JudgesItsRules):
        return stage.still_holds(record.rules)
    return record.rules == stage.rules


def is_current(stage: Stage, paper: PaperFolder) -> bool:
    """Whether ``stage`` has nothing to do for ``paper``."""
    return current_record(stage, paper) is not None


def carry_out(stage: Stage, paper: PaperFolder, *, clock: Clock = now, force: bool = False) -> Result:
    """Bring ``stage`` up to date for ``paper``, and record how it went.

    Never raises for what goes wrong with the paper or around it: that is in the result and on the disk.
    Only a record that cannot be written at all (full disk) passes through, as OSError.
    """
    started = clock()
    try:
        record = None if force else current_record(stage, paper)
        if record is not None:
            return _current(paper, record)
        with paper.draft(stage.name) as draft:
            record = _work(stage, paper, draft, clock, started)
            paper.publish(draft, record)
        return Result(paper.id, record.status, record.verdict, record.reason)
    except Exception as error:  # noqa: BLE001 -- one paper's trouble, of whatever kind, never stops the others
        return _fail(stage, paper, error, clock)


def carry_out_together(
    work: Sequence[tuple[Stage, PaperFolder]], pool: Executor, *, clock: Clock = now
) -> list[Result]:
    """:func:`carry_out` for several different papers whose work is next to nothing.

    What they publish goes to the disk at the same time, by the threads of ``pool``: waiting for it paper by
    paper would take longer than all the rest. A paper is published when it is flushed, as ever.
    """
    results: list[Result] = []
    drafts: dict[int, Draft] = {}
    with ExitStack() as stack:
        for place, (stage, paper) in enumerate(work):
            started = clock()
            try:
                record = current_record(stage, paper)
                if record is not None:
                    results.append(_current(paper, record))
                    continue
                draft = drafts[place] = stack.enter_context(paper.draft(stage.name))
                record = _work(stage, paper, draft, clock, started)
                paper.write_record(draft, record)
                results.append(Result(paper.id, record.status, record.verdict, record.reason))
            except Exception as error:  # noqa: BLE001 -- as above
                drafts.pop(place, None)
                results.append(_fail(stage, paper, error, clock))

        steps: tuple[tuple[Callable[..., Iterable[Exception | None]], Callable[[PaperFolder, Draft], None]], ...] = (
            (pool.map, lambda _, draft: draft.flush()),
            (map, lambda paper, draft: paper.put_in_place(draft)),
            (pool.map, lambda _, draft: flush_folder(draft.parent)),
        )
        for spread, step in steps:
            places = list(drafts)
            errors = spread(_trouble, repeat(step), (work[place][1] for place in places), drafts.values())
            for place, trouble in zip(places, list(errors), strict=True):
                if trouble is not None:
                    del drafts[place]
                    results[place] = _fail(*work[place], trouble, clock)
    return results


def _trouble(step: Callable[[PaperFolder, Draft], None], paper: PaperFolder, draft: Draft) -> Exception | None:
    """What a step failed with; a step that failed for one paper is no reason not to take it for the next."""
    try:
        step(paper, draft)
    except Exception as error:  # noqa: BLE001 -- it is told as the paper's
        return error
    return None


def _current(paper: PaperFolder, record: StageRecord) -> Result:
    return Result(paper.id, "current", record.verdict, record.reason, stands_failed=record.status == "failed")


def _fail(stage: Stage, paper: PaperFolder, error: Exception, clock: Clock) -> Result:
    """Keep why a stage could not be carried out. Raises OSError where not even that can be written."""
    known = isinstance(error, NatureGymError | OSError)
    failure = StageError(
        paper=paper.id,
        stage=stage.name,
        error=type(error).__name__,
        reason=str(error) or type(error).__name__,
        hint=error.hint if isinstance(error, NatureGymError) else "",
        at=clock(),
        trace="" if known else "".join(traceback.format_exception(error)),
    )
    paper.fail(failure)
    return Result(paper.id, "error", failure.error, failure.reason)


def _work(stage: Stage, paper: PaperFolder, draft: Draft, clock: Clock, started: dt.datetime) -> StageRecord:
    """Do the work in ``draft``; what came of it."""
    status: Literal["done", "failed"] = "done"
    hint = ""
    inputs = ""
    try:
        inputs = digest_json(stage.inputs(paper))
        outcome = stage.work(paper, draft.folder)
    except PaperError as error:
        status, hint = "failed", error.hint
        _empty(draft.folder)
        inputs = inputs or _missing(error)
        outcome = Outcome(verdict=type(error).__name__, reason=error.message)
    return StageRecord(
        paper=paper.id,
        stage=stage.name,
        status=status,
        verdict=outcome.verdict,
        reason=outcome.reason,
        hint=hint,
        inputs=inputs,
        rules=stage.rules if outcome.rules is None else outcome.rules,
        started=started,
        finished=clock(),
        outputs=_outputs(draft.folder),
        facts=outcome.facts,
    )


def _empty(folder: Path) -> None:
    """Remove what a stage had made before it gave up; the folder itself stays (its owner holds it)."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def _outputs(folder: Path) -> dict[str, Output]:
    return {
        path.relative_to(folder).as_posix(): Output(digest=digest_file(path), size=path.stat().st_size)
        for path in regular_files(folder)
        if path.name != RECORD
    }


def _missing(error: PaperError) -> str:
    """Stands for the inputs of a stage that could not even say what it would read."""
    return digest_json({"missing": error.message})
