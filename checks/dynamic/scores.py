"""C4.4 to C4.6: what the evaluator makes of the baseline's answers. Does it run, is its result whole, can it be?"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from checks.dynamic.runs import Runs, Scored
from checks.facts import MetricFact, evaluator_metrics, metadata_metrics
from checks.family4 import answered, guessed
from checks.model import Finding
from checks.package import EVALUATOR, METADATA, README, CheckedPackage
from checks.registry import Skip, check
from nature_gym.errors import NatureGymError
from nature_gym.scoring.gap import anchor_value

FAULTS = {
    "crash": "ends with an error",
    "exit": "ends the program",
    "timeout": "takes too long",
    "memory": "takes too much memory",
    "killed": "is killed",
    "no_result": "gives no result",
}


@check("C4.4", reads=(README, EVALUATOR))
def evaluator_runs(package: CheckedPackage) -> Iterator[Finding]:
    """The evaluator runs on the baseline's answers, by itself, without network, in bounded time and memory.

    It sees what it sees when it scores an agent: its own folder, read-only, and the answer in OUTPUT_DIR. One that
    brings run_evaluation() and a command line is run both ways. Where it imports what the sandbox has not, this is
    skipped; whether the environment has it is C0.5.

    Passes: run_evaluation() returns a mapping, or the script writes score.json.
    Fails: an error, exit(), no result; a file beside the evaluator that is not there, or that it tries to write.
    Mend: see the line and the message; what an answer does wrong is told in its result, not raised.
    """
    runs = answered(package)
    told = set()
    for strategy, scored in _here(runs).items():
        if scored.fault and scored.detail not in told:
            told.add(scored.detail)
            message = f"on the {strategy} baseline it {FAULTS.get(scored.fault, scored.fault)}: {scored.detail[-180:]}"
            yield Finding(
                file=EVALUATOR, line=scored.line, text=scored.output[-120:].strip(), message=message,
                hint="Refuse an answer by its result, and let nothing else go wrong.",
            )  # fmt: skip
    for scored in runs.scripted.values() if not told else ():
        if scored.fault in ("crash", "exit"):
            said = scored.detail[-180:]
            message = f"run by its command line it {FAULTS[scored.fault]}: {said}"
            yield Finding(
                file=EVALUATOR, line=scored.line, text=scored.output[-120:].strip(), message=message,
                hint="End with 0 once score.json is written.",
                level="warn" if "Read-only file system" in said else "fail",
            )  # fmt: skip


def _here(runs: Runs) -> dict[str, Scored]:
    """What the evaluator made of the baseline. Raises Skip where it needs what the sandbox has not."""
    lacking = sorted({one.module for one in runs.scored.values() if one.fault == "import"})
    if lacking:
        raise Skip(f"the evaluator imports {', '.join(lacking)}, which this sandbox has not")
    return {name: one for name, one in runs.scored.items() if runs.solved.runs[name].code == 0}


def results_of(package: CheckedPackage) -> tuple[Runs, dict[str, Scored]]:
    """What the evaluator gave. Raises Skip where it gave nothing."""
    runs = answered(package)
    found = {name: one for name, one in _here(runs).items() if not one.fault}
    if not found:
        raise Skip("the evaluator gave no result (C4.4)")
    return runs, found


def wanted(package: CheckedPackage) -> list[MetricFact]:
    """The metrics of metadata.json. Raises Skip where there is none."""
    facts = metadata_metrics(package)
    if not facts:
        raise Skip(f"{METADATA} names no metrics (C0.3)")
    return facts


@check("C4.5", reads=(README, EVALUATOR, METADATA))
def result_is_whole(package: CheckedPackage) -> Iterator[Finding]:
    """The result has every instance with every metric of metadata.json, each a number, in valid JSON.

    A metric may be without a value for one of the baselines (a correlation with a constant is none), not for all.

    Passes: {"a": {"RMSE": 1.2}}.
    Fails: an instance or a metric is missing; NaN; text or a list in place of a number; the baseline is refused.
    Mend: see what the evaluator says of the answer; give null with an error only for an answer that is not in order.
    """
    runs, results = results_of(package)
    _, line = evaluator_metrics(package)
    facts = wanted(package)
    told = set()
    unsure = guessed(runs)
    refused = {name for name in unsure if all(one.error(name) for one in results.values())}
    for fact in facts:
        if fact.instance in refused:
            continue
        values = {name: one.value(fact.instance, fact.name) for name, one in results.items()}
        if any(number(one) is not None for one in values.values()):
            continue
        message = _unscored(fact, results, next(iter(values.values())))
        if message not in told:
            told.add(message)
            yield Finding(
                file=EVALUATOR, line=line, text=fact.name, message=message,
                hint="Give a finite number for an answer that is as section 5 says.",
            )  # fmt: skip
    known = {fact.instance for fact in facts}
    for name, scored in results.items():
        for instance, own in scored.result.items() if isinstance(scored.result, dict) else ():
            if isinstance(own, dict) and instance not in known and instance in runs.instances:
                message = f"the {name} result has {instance!r}, which {METADATA} has not"
                yield Finding(file=EVALUATOR, line=line, text=instance, message=message, hint="Name it in both.")
    if refused and not told:
        instance = min(refused)
        raise Skip(f"{instance!r}: what texts {unsure[instance]} may have is not told, and those made up are refused")


def _unscored(fact: MetricFact, results: dict[str, Scored], value: Any) -> str:
    """Why a metric has no value."""
    owns = [one.result.get(fact.instance) for one in results.values() if isinstance(one.result, dict)]
    if not any(isinstance(own, dict) for own in owns):
        return f"the result has no instance {fact.instance!r}"
    error = next((one.error(fact.instance) for one in results.values() if one.error(fact.instance)), "")
    if error:
        return f"{fact.instance!r}: a right answer is refused: {error}"
    if not any(isinstance(own, dict) and fact.name in own for own in owns):
        return f"the result of {fact.instance!r} has no metric {fact.name!r}"
    return f"{fact.instance!r}: {fact.name} is {value!r}, no finite number"


def number(value: Any) -> float | None:
    """A finite number, or None."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) else None


@check("C4.6", reads=(README, EVALUATOR, METADATA))
def scores_are_plausible(package: CheckedPackage) -> Iterator[Finding]:
    """The baseline's scores are within the metric's range, not perfect, and not better than the paper's.

    A solver that solves nothing does badly. One that does well says that answers can be seen, that the evaluator
    measures something else, or that the anchor is of another scale.

    Passes: R2 of -0.02 where the paper has 0.5.
    Warns: an accuracy of 1.7; a perfect score; a score beyond the anchor.
    Mend: compare the metric's code, its unit and the anchor in metadata.json with the paper.
    """
    _, results = results_of(package)
    _, line = evaluator_metrics(package)
    for fact in wanted(package):
        values = [(name, number(one.value(fact.instance, fact.name))) for name, one in results.items()]
        for strategy, value in values:
            odd = _implausible(fact, value) if value is not None else ""
            if odd:
                message = f"{fact.instance!r}: the {strategy} baseline's {fact.name} of {value:g} {odd}"
                yield Finding(
                    file=EVALUATOR, line=line, text=fact.name, message=message, level="warn",
                    hint="Look at data, metric and anchor.",
                )  # fmt: skip
                break


def _implausible(fact: MetricFact, value: float) -> str:
    """What is odd about a baseline's score; '' where nothing is."""
    try:
        anchor = anchor_value(fact.entry.get("sota_score"), fact.direction)
    except NatureGymError:
        anchor = None
    low, high = _range(fact, anchor)
    if not low <= value <= high:
        return f"is not from {low:g} to {high:g}"
    higher = fact.direction == "higher_is_better"
    if (higher and math.isfinite(high) and value >= high) or (not higher and value == max(low, 0.0) == 0.0):
        return "is perfect"
    if anchor is not None and (value > anchor if higher else value < anchor):
        return f"is better than the paper's {anchor:g}"
    return ""


def _range(fact: MetricFact, anchor: float | None) -> tuple[float, float]:
    """The range of a metric that the registry knows, in its unit; no limits where the anchor is of another one."""
    from nature_gym.metrics.registry import find

    try:
        metric = find(fact.name)
    except NatureGymError:
        return -math.inf, math.inf
    scale = 100.0 if fact.entry.get("unit") == "%" else 1.0
    if anchor is None or not metric.low * scale <= anchor <= metric.high * scale:
        return -math.inf, math.inf
    return metric.low * scale, metric.high * scale
