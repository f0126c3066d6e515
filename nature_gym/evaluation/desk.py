"""One trial's submissions: from a token to an answer, and to the record.

The idea: an attempt goes through begin (database), intake, scoring, end (database), record (folder), and may be killed
between any two. What was begun and taken in is scored when the service is back; what was begun and not taken in is
ended as interrupted, for the folder it would be taken from has changed since. Nothing is counted twice, for ending is
done once.
"""

from __future__ import annotations

import fcntl
import logging
import os
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from types import TracebackType
from typing import Any, Self

from nature_gym.digests import digest_folder, digest_json
from nature_gym.errors import FindingsError, InfrastructureError, NatureGymError, UsageError
from nature_gym.evaluation.evaluator import CURRENT, Evaluator
from nature_gym.evaluation.events import SOURCE, TrialRecord
from nature_gym.evaluation.improvement import EvaluatorFaultError, Scores, read_result
from nature_gym.evaluation.intake import IntakeError, Taken, answer_digests, clear_away, take_in
from nature_gym.evaluation.sources import FOLDER as SOURCES
from nature_gym.evaluation.sources import SourceKeeper
from nature_gym.evaluation.state import Attempt, Ending, Opening, ScoringRunningError, Standing, TrialState
from nature_gym.evaluation.tokens import is_token, token_digest, token_of
from nature_gym.evaluation.trial import Trial
from nature_gym.files import to_json

log = logging.getLogger(__name__)

ANSWERS, TAKING = "scoring", "taking"
Json = dict[str, Any]


class UnknownTokenError(NatureGymError):
    """The token is none of this trial."""


class TooFastError(NatureGymError):
    """Submissions come faster than they may. ``wait`` in seconds."""

    def __init__(self, wait: float) -> None:
        super().__init__("submissions come too fast", hint="Wait, and submit again.")
        self.wait = wait


class InvalidAnswerError(FindingsError):
    """An answer was taken and no instance could be scored; ``body`` says why, by instance."""

    def __init__(self, message: str, body: Json) -> None:
        super().__init__(message, hint="Correct the answer, and submit again.")
        self.body = body


class ServiceFaultError(InfrastructureError):
    """Disk, database or sandbox failed while an answer was handled."""


@dataclass(slots=True)
class Pace:
    """A bucket of submissions that fills up with time."""

    per_minute: int
    level: float = 0.0
    at: float = 0.0

    def take(self, now: float) -> None:
        """Take one out. Raises TooFastError where there is none; ``now`` in seconds of any clock."""
        self.level = max(0.0, self.level - (now - self.at) * self.per_minute / 60.0)
        self.at = now
        if self.level + 1.0 > self.per_minute:
            raise TooFastError((self.level + 1.0 - self.per_minute) * 60.0 / self.per_minute)
        self.level += 1.0


class Desk:
    """Where one trial's answers are handed in. Safe to use from several threads; one process a trial."""

    def __init__(
        self, trial: Trial, state: TrialState, evaluator: Callable[[Trial], Evaluator], *,
        now: Callable[[], float] = time.time, ticks: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self.trial = trial
        self._state, self._now, self._ticks = state, now, ticks
        self._record = TrialRecord(trial.folder)
        self._answers = trial.folder / ANSWERS
        self._sources = SourceKeeper(trial.workspace, trial.folder / SOURCES, trial.output)
        self._busy = threading.Lock()
        self._pace, self._pace_lock = Pace(trial.submissions_per_minute, at=ticks()), threading.Lock()
        self._threads = ThreadPoolExecutor(2, thread_name_prefix=f"trial-{trial.id}")
        self._writer = ThreadPoolExecutor(1, thread_name_prefix=f"record-{trial.id}")
        """Writes the record behind the answers, one after another: what a crash keeps from it, the next open writes."""
        self._unended = False
        self._lock = self._locked()
        self.token = token_of(trial.folder)
        self._answers.mkdir(exist_ok=True)
        self._answers.chmod(0o755)
        self._evaluator = evaluator(trial)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def open(self) -> None:
        """Start the evaluator, begin the trial or go on with it, and score what a crash cut off (in a thread)."""
        self._evaluator.start()
        kept = self._record.opening()
        if kept is not None:
            self._state.restore(kept, self._record.attempts())
        trial = self.trial
        opening = self._state.open(
            Opening(trial.id, token_digest(self.token), self._now(), trial.budget, trial.pause_share)
        )
        if kept is None:
            self._record.write_opening(opening, self._facts())
        self._record.complete(self._state.attempts(trial.id))
        cut_off = self._state.standing(trial.id).scoring
        clear_away(self._answers / TAKING)
        if cut_off is None:
            clear_away(self._answers / CURRENT)
        elif (self._answers / CURRENT).is_dir():
            self._busy.acquire()
            began = self._now()
            self._state.begin_again(trial.id, cut_off.number, began)
            self._threads.submit(self._score_again, cut_off.number, began)
        else:
            reason = {"reason": "the service was stopped before it had the answer"}
            self._end(cut_off.number, cut_off.begun, self._ticks(), Ending("interrupted", 0.0, 0.0, None, reason))

    def close(self) -> None:
        """End the evaluator. What is being scored is scored again by the next :meth:`open`."""
        self._evaluator.close()
        self._threads.shutdown(wait=True, cancel_futures=True)
        self._writer.shutdown(wait=True)
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    @property
    def works_as(self) -> str:
        """How the evaluator scores now: ``fork`` or ``process``."""
        return str(self._evaluator.hello.get("mode", ""))

    def flush(self) -> None:
        """Wait until the trial's folder has all that the database has."""
        self._writer.submit(lambda: None).result()

    def check(self, token: object) -> None:
        """Raises UnknownTokenError unless ``token`` is this trial's."""
        if not is_token(token, token_digest(self.token)):
            raise UnknownTokenError("the token is not known", hint="Use the token that the task gave.")

    def evaluate(self, token: object) -> Json:
        """Take in and score what the folder of answers holds now.

        Raises UnknownTokenError, TooFastError, ScoringRunningError, DeadlineError, IntakeError, InvalidAnswerError,
        EvaluatorFaultError, ServiceFaultError.
        """
        self.check(token)
        with self._pace_lock:
            self._pace.take(self._ticks())
        if not self._busy.acquire(blocking=False):
            raise ScoringRunningError("an answer is being scored", hint="Wait for it, and submit again.")
        try:
            since, begun = self._ticks(), self._now()
            self._end_what_was_left()
            number = self._state.begin(self.trial.id, begun)
            try:
                taken = self._take_in(number, begun, since)
                return self._score(number, begun, since, taken)
            except NatureGymError:
                raise
            except Exception as error:  # the attempt ends, whatever went wrong, and the trial goes on
                log.exception("trial %s, attempt %d", self.trial.id, number)
                raise self._failed(number, begun, since, error) from error
        finally:
            self._busy.release()

    def standing(self) -> Standing:
        """Where the trial stands."""
        return self._state.standing(self.trial.id)

    def best_score(self, token: object) -> Json:
        """The best attempt so far."""
        self.check(token)
        standing = self.standing()
        return {**self._best(standing), "attempts": standing.attempts}

    def time_remaining(self, token: object) -> Json:
        """The trial's time, in seconds."""
        self.check(token)
        clock, now = self.standing().clock, self._now()
        return {
            "elapsed_seconds": clock.elapsed(now), "remaining_seconds": clock.remaining(now),
            "timeout_seconds": clock.budget, "is_paused": clock.is_paused(now),
            "total_paused_seconds": clock.paused(now),
        }  # fmt: skip

    def _end_what_was_left(self) -> None:
        """End an attempt whose end the database could not take when it came."""
        left = self.standing().scoring if self._unended else None
        if left is not None:
            facts = {"kind": "service", "reason": "the service could not keep how this attempt ended"}
            self._end(left.number, left.begun, self._ticks(), Ending("fault", 0.0, 0.0, None, facts))

    def _take_in(self, number: int, begun: float, since: float) -> Taken:
        taking, current = self._answers / TAKING, self._answers / CURRENT
        try:
            clear_away(taking)
            clear_away(current)
            taken = take_in(self.trial.workspace, self.trial.output, taking, self.trial.answers)
            folder = self._record.attempt(number)
            folder.mkdir(parents=True, exist_ok=True)
            draft = folder / f".tmp.{SOURCE}"
            draft.write_bytes(to_json(self._sources.snapshot().as_json()))
            draft.rename(folder / SOURCE)
            taking.rename(current)
        except IntakeError as error:
            self._end(number, begun, since, Ending("refused", 0.0, 0.0, None, {"reason": error.message}))
            raise
        except OSError as error:
            raise self._failed(number, begun, since, error) from error
        return taken

    def _score(self, number: int, begun: float, since: float, taken: Taken | None) -> Json:
        """Score the answer that lies there, and end the attempt."""
        digests = self._threads.submit(self._digests, taken)
        try:
            given = self._evaluator.score(self.trial.scoring_seconds)
            scores = read_result(given.result, self.trial.task)
        except EvaluatorFaultError as fault:
            log.warning("trial %s, attempt %d: %s: %s", self.trial.id, number, fault.message, fault.detail)
            facts: Json = {"kind": fault.kind, "reason": fault.message, "detail": fault.detail, "answer": _of(digests)}
            self._end(number, begun, since, Ending("fault", 0.0, 0.0, None, facts))
            raise
        except (OSError, InfrastructureError) as error:
            raise self._failed(number, begun, since, error) from error
        facts = {
            **_scored(scores), "seconds": given.seconds, "output": given.output, "answer": _of(digests),
            "mode": self.works_as,
        }  # fmt: skip
        if scores.scored:
            self._end(number, begun, since, Ending("scored", 0.0, 0.0, scores.gap, facts))
            return self._shown(number, scores)
        reason = "no instance of the answer could be scored"
        self._end(number, begun, since, Ending("invalid", 0.0, 0.0, None, {**facts, "reason": reason}))
        raise InvalidAnswerError(reason, self._shown(number, scores))

    def _end(self, number: int, begun: float, since: float, ending: Ending) -> None:
        """Keep how an attempt ended, in the database first, and clear its answer away."""
        paused = max(0.0, self._ticks() - since)
        ending = Ending(ending.status, self._now(), paused, ending.gap, ending.result)
        self._unended = True
        if self._state.finish(self.trial.id, number, ending):
            attempt = Attempt(number, begun, ending.status, ending.ended, ending.paused, ending.gap, ending.result)
            self._writer.submit(self._write, attempt)
        self._unended = False
        clear_away(self._answers / CURRENT)

    def _write(self, attempt: Attempt) -> None:
        try:
            self._record.write(attempt)
        except OSError as error:
            log.warning("trial %s, attempt %d is not in its folder: %s", self.trial.id, attempt.number, error)

    def _failed(self, number: int, begun: float, since: float, error: Exception) -> ServiceFaultError:
        log.error("trial %s, attempt %d: %s", self.trial.id, number, error)
        facts = {"kind": "service", "reason": "the service failed on this answer", "detail": str(error)}
        self._end(number, begun, since, Ending("fault", 0.0, 0.0, None, facts))
        return ServiceFaultError("the service failed on this answer", hint="Submit again.")

    def _score_again(self, number: int, begun: float) -> None:
        """Score an answer whose scoring a crash cut off; who asked for it is gone."""
        try:
            self._score(number, begun, self._ticks(), None)
        except NatureGymError as error:
            log.info("trial %s, attempt %d: %s", self.trial.id, number, error.message)
        finally:
            self._busy.release()

    def _digests(self, taken: Taken | None) -> Mapping[str, Any]:
        current = self._answers / CURRENT
        if taken is None:
            sizes = {path.relative_to(current).as_posix(): path.stat().st_size for path in current.rglob("*")
                     if path.is_file()}  # fmt: skip
            taken = Taken(sizes)
        return answer_digests(current, taken)

    def _shown(self, number: int, scores: Scores) -> Json:
        """What the agent is told of a scored answer."""
        if self.trial.feedback == "none":
            found: Json = {"raw_scores": {}, "per_instance_improvement": {}, "aggregate_improvement": None}
        else:
            found = _scored(scores)
        return {"attempt": number, **found, **self._best(self.standing())}

    def _best(self, standing: Standing) -> Json:
        best = standing.best if self.trial.feedback == "scores" else None
        return {
            "best_aggregate_improvement": best.gap if best else None, "best_attempt": best.number if best else None
        }  # fmt: skip

    def _facts(self) -> Json:
        trial, task = self.trial, self.trial.task
        return {
            "task": task.name, "evaluation": digest_json(digest_folder(task.evaluation)), "feedback": trial.feedback,
            "scoring_seconds": trial.scoring_seconds, "evaluator": dict(self._evaluator.hello),
            "anchors": {name: asdict(anchor) if anchor else None for name, anchor in task.anchors.items()},
        }  # fmt: skip

    def _locked(self) -> int:
        """The trial's folder is one process's alone, for as long as it lives."""
        self.trial.folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self.trial.folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise UsageError(
                f"{self.trial.folder} is served by another process", hint="Stop that one, or give another folder."
            ) from None
        return descriptor


def _scored(scores: Scores) -> Json:
    return {
        "raw_scores": scores.as_raw_scores(), "per_instance_improvement": scores.gaps,
        "aggregate_improvement": scores.gap,
    }  # fmt: skip


def _of(digests: Future[Mapping[str, Any]]) -> Mapping[str, Any]:
    try:
        return digests.result()
    except OSError as error:
        return {"error": str(error)}
