"""The result package: what an agent did on a set of tasks, in the form in which it is handed in and published.

``submission.yaml`` says who, when and how; ``results.csv`` has a row a task; ``raw-results/<case_id>/`` holds the
evidence of each. A package comes from anyone: links are not followed and files are read up to a bound.
"""

from __future__ import annotations

import datetime as dt
import json
import shutil
import stat
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, PositiveInt, ValidationError

from nature_gym.errors import NatureGymError, UsageError
from nature_gym.files import to_json
from nature_gym.scoring.results import COLUMNS, Result, of_the_set, read_results, results_table

SUBMISSION, RESULTS, RAW = "submission.yaml", "results.csv", "raw-results"
EVIDENCE = ("result.json", "submissions.jsonl", "judge_verdict.json")
"""Of a task with a score; beside them a ``trajectory`` with any ending."""
LARGEST_TEXT = 8 << 20
ROUNDED = 1e-6
"""How far the score of result.json may be from that of results.csv, which has six decimals."""
Text = Annotated[str, Field(min_length=1, max_length=2000)]


class About(BaseModel):
    """Who ran what, and when."""

    model_config = ConfigDict(extra="forbid")
    model: Annotated[Text, Field(description="The language model, with its version; 'none' for a program without one.")]
    agent: Annotated[Text, Field(description="The agent, with its version.")]
    organization: Annotated[Text, Field(description="Who hands it in.")]
    url: Annotated[str, Field(max_length=2000, description="Where to read about it; may be empty.")] = ""
    submission_date: Annotated[dt.date, Field(description="As YYYY-MM-DD.")]
    contact: Annotated[Text, Field(description="Whom to ask.")]


class Conditions(BaseModel):
    """Under which conditions it ran."""

    model_config = ConfigDict(extra="forbid")
    timeout_seconds: Annotated[PositiveInt, Field(description="Budget of a task.")]
    web_search: Annotated[bool, Field(description="Whether the agent could search the web.")]
    compute: Annotated[Text, Field(description="The machine: processors, memory, accelerators.")]
    judge_model: Annotated[Text, Field(description="Who judged: a model, or 'forensic'.")]
    human_intervention: Annotated[str | bool, Field(description="Whether, and how, a person helped.")]
    deviations_from_reference: Annotated[
        str | list[str] | None, Field(description="What was otherwise than in the reference harness; empty if nothing.")
    ]


class Submission(BaseModel):
    """``submission.yaml``."""

    model_config = ConfigDict(extra="forbid")
    submission: About
    evaluation: Conditions


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a result package, and where; ``file`` is relative to it."""

    file: str
    message: str


def write_package(
    folder: Path, submission: Submission, results: Sequence[Result], evidence: Mapping[str, Mapping[str, bytes]]
) -> None:
    """Write a result package: whole, or not at all.

    ``evidence`` maps each task to the files of its folder under raw-results, by name. Raises UsageError where there is
    something already.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is there already.", hint="Name a new folder, or an empty one.")
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        told = submission.model_dump()
        (draft / SUBMISSION).write_text(yaml.safe_dump(told, sort_keys=False, allow_unicode=True), encoding="utf-8")
        (draft / RESULTS).write_bytes(results_table(results))
        for case, files in evidence.items():
            place = draft / RAW / case
            place.mkdir(parents=True)
            for name, content in files.items():
                (place / name).write_bytes(content)
        draft.chmod(0o755)
        draft.rename(folder)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise


def problems_of(folder: Path, cases: Sequence[str] = ()) -> list[Problem]:
    """What keeps a result package from being taken, ordered by file; none if it is in order.

    ``cases`` are the tasks of the set that it has to cover; without them, any are right.
    """
    return [*_submission_problems(folder), *_result_problems(folder, cases)]


def read_submission(folder: Path) -> Submission:
    """Who and how. Raises ValueError with one line a problem."""
    try:
        told = yaml.safe_load(_text(folder / SUBMISSION))
        return Submission.model_validate(told)
    except ValidationError as error:
        raise ValueError("\n".join(_told(one) for one in error.errors())) from None
    except yaml.YAMLError as error:
        raise ValueError(f"no YAML: {str(error).splitlines()[0]}") from None


def _submission_problems(folder: Path) -> Iterator[Problem]:
    try:
        read_submission(folder)
    except ValueError as error:
        yield from (Problem(SUBMISSION, line) for line in str(error).splitlines())


def _result_problems(folder: Path, cases: Sequence[str]) -> Iterator[Problem]:
    try:
        header = _text(folder / RESULTS).lstrip("\ufeff").split("\n", 1)[0].strip().split(",")
        if header != list(COLUMNS):
            yield Problem(RESULTS, f"the columns are {','.join(header)[:200]}, and must be {','.join(COLUMNS)}")
        results = read_results(folder / RESULTS)
        if cases:
            results = of_the_set(results, cases)
    except (ValueError, NatureGymError) as error:
        yield Problem(RESULTS, str(error))
        return
    for result in results:
        yield from _row_problems(result)
        yield from _evidence_problems(folder, result)
    known = {result.case_id for result in results}
    raw = folder / RAW
    if raw.is_dir() and not raw.is_symlink():
        for child in sorted(raw.iterdir()):
            if child.name not in known:
                yield Problem(f"{RAW}/{child.name}", "is of no task in results.csv")


def _row_problems(result: Result) -> Iterator[Problem]:
    what = f"task {result.case_id}: "
    if not result.final_status:
        yield Problem(RESULTS, f"{what}final_status is empty")
    if result.judge_verdict == "unknown":
        yield Problem(RESULTS, f"{what}judge_verdict must be valid, invalid or not_applicable")
    if (result.best_score is None) != (result.judge_verdict == "not_applicable"):
        yield Problem(RESULTS, f"{what}judge_verdict is not_applicable where there is no score, and only there")
    if result.judge_verdict == "invalid" and not result.judge_reason:
        yield Problem(RESULTS, f"{what}an invalid score needs its judge_reason")


def _evidence_problems(folder: Path, result: Result) -> Iterator[Problem]:
    place = Path(RAW, result.case_id)
    if len(place.parts) != 2 or result.case_id in {".", ".."}:
        yield Problem(RESULTS, f"task {result.case_id[:80]!r}: the id is no folder's name")
        return
    if not (folder / place).is_dir() or (folder / place).is_symlink():
        yield Problem(str(place), "is missing")
        return
    names = {child.name for child in (folder / place).iterdir()}
    needed: tuple[str, ...] = EVIDENCE if result.best_score is not None else EVIDENCE[:1]
    for name in needed:
        if name not in names:
            yield Problem(str(place / name), "is missing")
            continue
        try:
            lines = _text(folder / place / name).splitlines() if name.endswith("l") else [_text(folder / place / name)]
            documents = [json.loads(line) for line in lines if line.strip()]
        except (ValueError, RecursionError) as error:
            yield Problem(str(place / name), f"cannot be read: {error}")
            continue
        if name == EVIDENCE[0]:
            yield from _score_problems(str(place / name), documents[0] if documents else None, result)
    if result.best_score is not None and not any(name.startswith("trajectory") for name in names):
        yield Problem(str(place), "has no trajectory")


def _score_problems(file: str, told: Any, result: Result) -> Iterator[Problem]:
    """result.json says the same score as the table."""
    if not isinstance(told, dict):
        yield Problem(file, "is no JSON object")
    elif "best_score" in told:
        score, listed = told["best_score"], result.best_score
        number = isinstance(score, int | float) and not isinstance(score, bool)
        if not (abs(score - listed) <= ROUNDED if number and listed is not None else score is listed):
            yield Problem(file, f"best_score is {score!r}, and in results.csv {result.best_score!r}")


def _text(path: Path) -> str:
    """A text of the package. Raises ValueError that says why there is none."""
    try:
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode):
            raise ValueError("is no regular file")
        if status.st_size > LARGEST_TEXT:
            raise ValueError(f"has {status.st_size} bytes, more than {LARGEST_TEXT}")
        return path.read_bytes()[: LARGEST_TEXT + 1].decode("utf-8")
    except FileNotFoundError:
        raise ValueError("is missing") from None
    except OSError as error:
        raise ValueError(f"cannot be read: {error.strerror}") from None


def _told(error: Mapping[str, Any]) -> str:
    place = ".".join(map(str, error["loc"])) or "the document"
    return f"{place}: {error['msg']}"


def result_document(result: Result, **more: Any) -> bytes:
    """``result.json`` of a task."""
    told = {"case_id": result.case_id, "final_status": result.final_status, "best_score": result.best_score}
    return to_json({**told, **more})
