"""Judging: trials in chunks, each judged by all judges that were asked for; a table of verdicts to look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from prefect import flow, task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State
from prefect.states import Completed, Failed

from flows.artifacts import publish_markdown
from flows.session import open_session, stopping
from nature_gym.config import Settings
from nature_gym.judging.agreement import agreements
from nature_gym.judging.running import (
    UNSCORED,
    Judged,
    has_ended,
    judge_trials,
    judges_named,
    read_judged,
    trial_folders,
)

CHUNK = 10
"""Trials of a task run: the deterministic judge takes a fraction of a second for each."""


@flow(name="judge", flow_run_name="judge trials", persist_result=False)
def judge(trials: list[str] | None = None, judges: list[str] | None = None, failed: bool = False) -> State[Any]:
    """Judge the trials that are named, or all that ended; with ``failed`` those whose judging did not succeed.

    The run fails where a verdict is an error; a score that was not earned is a verdict like any other.
    """
    arguments = {"trials": trials or [], "judges": judges or [], "failed": failed}
    with open_session("judge", arguments) as session:
        judges_named(judges or [], session.settings)  # a name that is none is said before anything is begun
        found = trial_folders(session.settings.home, trials or [], failed=failed)
        folders = [folder for folder in found if trials or has_ended(folder)]
        given = session.settings.model_dump_json()
        counts: Counter[str] = Counter()
        for start in range(0, len(folders), CHUNK):
            chunk = [str(folder) for folder in folders[start : start + CHUNK]]
            future = judge_chunk.submit(chunk, judges or [], given, session.run.id)
            session.made_task_run()
            future.wait()
            words = future.state.result(raise_on_failure=False)
            counts.update(words if isinstance(words, list) else ["error"] * len(chunk))
            session.count(counts)
            session.tell("judge", start + len(chunk), len(folders), counts)
        publish_markdown(_table(map(read_judged, folders)), key="verdicts", description=f"{len(folders)} trials")
        return session.final_state()


@task(name="judge", task_run_name="judge {folders}", cache_policy=NO_CACHE, persist_result=False, retries=0)
def judge_chunk(folders: list[str], judges: list[str], settings: str, run: str) -> State[list[str]]:
    """Judge a few trials; a word for each."""
    if run in stopping:
        return Completed(message="not begun", data=[])
    current = Settings.model_validate_json(settings)
    words = [_word(one) for one in judge_trials(map(Path, folders), judges_named(judges, current), current)]
    make = Failed if "error" in words else Completed
    return make(message=", ".join(f"{count} {word}" for word, count in Counter(words).items()), data=words)


def _word(one: Judged) -> str:
    if one.outcome is not None:
        return one.outcome.verdict
    return "unscored" if one.why == UNSCORED else "error"


def _table(judged: Iterable[Judged]) -> str:
    """A line a trial, and the agreement of every two judges."""
    results = list(judged)
    lines = ["| trial | verdict | judges | categories |", "|---|---|---|---|"]
    for one in results:
        outcome = one.outcome
        judges = ", ".join(f"{name}: {word}" for name, word in outcome.judges.items()) if outcome else ""
        categories = ", ".join(outcome.categories) if outcome else ""
        lines.append(f"| {one.trial} | {_word(one)} | {judges.replace('|', ' ')} | {categories} |")
    for pair in agreements({one.trial: one.verdicts for one in results}):
        if pair.percent is not None:
            kappa = "-" if pair.kappa is None else f"{pair.kappa:.2f}"
            names = " and ".join(pair.judges).replace("|", " ")
            lines.append(f"\n{names}: {pair.percent:.0f} % of {pair.both} the same, kappa {kappa}")
    return "\n".join(lines) + "\n"
