"""An agent's results over a set of tasks, as the published table has them: ``results.csv`` and the set's ``cases.csv``.

``results.csv`` has a row a task with exactly :data:`COLUMNS`; ``best_score`` is the task's g, empty without a score. A
set names its tasks and their domains in ``cases.csv``. Each task of the set must be there once, none beside it: a task
that is left out would raise every rate.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import get_args

from nature_gym.errors import FindingsError, UsageError
from nature_gym.scoring.leaderboard import TaskResult, Verdict

COLUMNS = ("case_id", "final_status", "best_score", "judge_verdict", "judge_reason")
CASE_COLUMNS = ("case_id", "domain")
LARGEST_TABLE = 64 << 20
"""Bytes of a table that are read; 90 tasks take a few thousand."""


class ResultsError(FindingsError):
    """A table of results or of tasks is not what it should be."""


@dataclass(frozen=True, slots=True)
class Result:
    """A row of results.csv. ``best_score`` is g of the best attempt, None without a score."""

    case_id: str
    final_status: str
    best_score: float | None
    judge_verdict: Verdict
    judge_reason: str = ""

    @property
    def counted(self) -> TaskResult:
        """As the leaderboard counts it."""
        return TaskResult(self.case_id, self.best_score, self.judge_verdict)


def read_results(path: Path) -> list[Result]:
    """The rows of a results.csv in their order.

    Columns may stand in any order; more than :data:`COLUMNS` are left unread. A verdict that is empty or no verdict is
    'unknown'. Raises ResultsError with the line for a score that is no finite number, an id that is empty or there
    twice, and where one of case_id, best_score and judge_verdict is missing.
    """
    results: dict[str, Result] = {}
    for line, row in _rows(path, needed=("case_id", "best_score", "judge_verdict")):
        case = row["case_id"]
        if not case or case in results:
            what = f"the task {case} is there twice" if case else "a row has no case_id"
            raise ResultsError(f"{path}:{line}: {what}.", hint="Give each task one row.")
        verdict = row["judge_verdict"].lower()
        results[case] = Result(
            case,
            row.get("final_status", ""),
            _score(row["best_score"], f"{path}:{line}"),
            verdict if verdict in get_args(Verdict) else "unknown",  # type: ignore[arg-type]  # narrowed by the test
            row.get("judge_reason", ""),
        )
    return list(results.values())


def read_cases(path: Path) -> dict[str, str]:
    """Task -> its domain. Raises ResultsError for a task without one, or that is there twice."""
    cases: dict[str, str] = {}
    for line, row in _rows(path, needed=CASE_COLUMNS):
        case, domain = row["case_id"], row["domain"]
        if not case or not domain or case in cases:
            what = f"the task {case} is there twice" if case in cases else "a row lacks its case_id or its domain"
            raise ResultsError(f"{path}:{line}: {what}.", hint="Give each task one row with its domain.")
        cases[case] = domain
    return cases


def of_the_set(results: Sequence[Result], cases: Iterable[str]) -> list[Result]:
    """The results in the order of the set's tasks. Raises ResultsError unless they are the set's tasks, all of them."""
    known = {result.case_id: result for result in results}
    wanted = dict.fromkeys(cases)
    lacking = [case for case in wanted if case not in known]
    strange = [case for case in known if case not in wanted]
    if lacking or strange:
        told = [f"{len(lacking)} tasks of the set are missing ({_some(lacking)})"] if lacking else []
        told += [f"{len(strange)} are not of the set ({_some(strange)})"] if strange else []
        raise ResultsError(
            f"The results are not those of the set: {' and '.join(told)}.",
            hint="Give a row to each task of the set, with an empty best_score where there is none.",
        )
    return [known[case] for case in wanted]


def results_table(results: Iterable[Result]) -> bytes:
    """``results.csv``: the rows in the order of their ids, scores to six decimals."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(COLUMNS)
    for result in sorted(results, key=lambda one: one.case_id):
        case, status, score, verdict, reason = astuple(result)
        table.writerow([case, status, "" if score is None else f"{score:.6f}", verdict, " ".join(reason.split())])
    return text.getvalue().encode()


def _rows(path: Path, *, needed: tuple[str, ...]) -> Iterator[tuple[int, dict[str, str]]]:
    """Each row with its line, values without blanks around them."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_TABLE + 1)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.", hint="Give the path of a table.") from None
    if len(content) > LARGEST_TABLE:
        raise ResultsError(f"{path} has more than {LARGEST_TABLE >> 20} MB.", hint="Is this the right file?")
    try:
        reader = csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline=""), restval="", strict=True)
        columns = reader.fieldnames or []
        if missing := [name for name in needed if name not in columns]:
            raise ResultsError(f"{path} has no column {_some(missing)}.", hint=f"Its columns are {', '.join(needed)}.")
        for row in reader:
            if None in row:
                raise ResultsError(
                    f"{path}:{reader.line_num}: more values than columns.", hint="Quote texts that have commas."
                )
            yield reader.line_num, {name: value.strip() for name, value in row.items()}
    except (UnicodeDecodeError, csv.Error) as error:
        raise ResultsError(f"{path} is no table of text: {error}.", hint="Write it as CSV in UTF-8.") from None


def _score(text: str, place: str) -> float | None:
    if not text:
        return None
    try:
        score = float(text)
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise ResultsError(
            f"{place}: best_score {text[:40]!r} is no finite number.", hint="Leave it empty without a score."
        )
    return score


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
