"""X3, X6 and X7: whether a solver of nothing beats the paper, the evaluator says the same twice, and what it takes.

The idea: scores of one answer are compared between runs in fresh processes: with another seed of hashes, and with the
instances in another order. Whatever differs then depends on chance, or on what was scored before.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Iterator, Mapping

from checks.dynamic.runs import Scored, runs_of
from checks.dynamic.scores import FAULTS, number, results_of, wanted
from checks.facts import MetricFact, evaluator_metrics
from checks.model import Finding
from checks.package import EVALUATOR, METADATA, README, CheckedPackage
from checks.registry import Skip, check
from nature_gym.errors import NatureGymError
from nature_gym.scoring.gap import anchor_value

SAME = 1e-9
"""Relative; sums of floats in another order differ by less."""
LONG_SECONDS = 60.0
MUCH_MEMORY = 4 << 30
WAYS = {"second": "run again", "turned": "with the instances in another order"}
Again = dict[str, tuple[Scored, Mapping[str, float]]]
_AGAIN: weakref.WeakKeyDictionary[CheckedPackage, Again] = weakref.WeakKeyDictionary()


def _again(package: CheckedPackage) -> Again:
    """The runs on one right answer, the same ones for each check. Raises Skip where there is no right answer."""
    if package not in _AGAIN:
        _, results = results_of(package)
        _AGAIN[package] = runs_of(package).again(next(iter(results)))
    if not _AGAIN[package]:
        raise Skip("the sandbox did not run the evaluator again")
    return _AGAIN[package]


@check("X3", reads=(README, EVALUATOR, METADATA))
def trivial_solver(package: CheckedPackage) -> Iterator[Finding]:
    """No solver that solves nothing beats the anchor.

    The baselines of family 4 answer by the mean, the majority, chance or a constant. Where one is better than the
    paper's result, the metric, the anchor or the split is not what it is taken for. Needs a sandbox.

    Passes: an R2 of -0.02 where the paper has 0.5.
    Fails: an accuracy of 0.93 by the majority class where the paper has 0.91.
    Mend: another metric (balanced accuracy, MCC), or the anchor of this split; see how the paper measures.
    """
    _, results = results_of(package)
    _, line = evaluator_metrics(package)
    facts = wanted(package)
    _scores_in(list(results.values()), facts)
    for fact in facts:
        anchor = _anchor(fact)
        if anchor is None:
            continue
        for strategy, scored in results.items():
            value = number(scored.value(fact.instance, fact.name))
            if value is not None and (value > anchor if fact.direction == "higher_is_better" else value < anchor):
                message = (
                    f"{fact.instance!r}: {fact.name} of the {strategy} baseline is {value:g}, the anchor {anchor:g}"
                )
                hint = "A solver that solves nothing must not beat the paper."
                yield Finding(file=EVALUATOR, line=line, text=fact.name, message=message, hint=hint)
                break


def _scores_in(results: list[Scored], facts: list[MetricFact]) -> None:
    """Raises Skip where the baseline has no score at all."""
    if all(number(one.value(fact.instance, fact.name)) is None for one in results for fact in facts):
        raise Skip("the baseline has no score (C4.5)")


def _anchor(fact: MetricFact) -> float | None:
    try:
        return anchor_value(fact.entry.get("sota_score"), fact.direction)
    except NatureGymError:
        return None


@check("X6", reads=(README, EVALUATOR, METADATA))
def deterministic(package: CheckedPackage) -> Iterator[Finding]:
    """The evaluator gives the same scores again, in a fresh process and with the instances in another order.

    Chance in a score is chance in a ranking; and what depends on the order carries something from one instance to the
    next. Differences up to a billionth are those of rounding. Needs a sandbox.

    Passes: numpy.random.default_rng(0) in a permutation test.
    Fails: an unseeded random number; a sample of a set's first 100 entries; state that the first instance leaves.
    Mend: seed what is drawn, sort what is listed, keep nothing between instances.
    """
    told = _again(package)
    first, _ = told["first"]
    facts = wanted(package)
    if first.fault:
        raise Skip(f"the evaluator {FAULTS.get(first.fault, first.fault)} when it runs by itself (C4.4)")
    _scores_in([first], facts)
    _, line = evaluator_metrics(package)
    for name, how in WAYS.items():
        scored = told[name][0] if name in told else Scored(fault="killed")
        if scored.fault:
            message = f"{how} it {FAULTS.get(scored.fault, scored.fault)}: {scored.detail[-180:]}"
            yield Finding(file=EVALUATOR, line=scored.line, message=message, hint="Keep nothing between instances.")
            return
        for fact in facts:
            one, other = (each.value(fact.instance, fact.name) for each in (first, scored))
            if not _same(one, other):
                message = f"{fact.instance!r}: {fact.name} is {one!r}, and {other!r} {how}"
                hint = "Seed what is drawn, sort what is listed."
                yield Finding(file=EVALUATOR, line=line, text=fact.name, message=message, hint=hint)
                return


def _same(one: object, other: object) -> bool:
    first, second = number(one), number(other)
    if first is None or second is None:
        return first is None and second is None
    return math.isclose(first, second, rel_tol=SAME, abs_tol=SAME)


@check("X7", reads=(README, EVALUATOR, METADATA))
def time_and_memory(package: CheckedPackage) -> Iterator[Finding]:
    """The evaluator takes at most a minute of processor time and 4 GiB for one answer, its start included.

    It runs for each submission of each agent: what it takes is taken hundreds of times. Needs a sandbox.

    Passes: 2 s, 200 MiB.
    Warns: 400 s in a loop over pairs; 9 GiB for a matrix of distances.
    Mend: compute by arrays and in parts; keep nothing that is not needed.
    """
    scored, took = _again(package)["first"]
    if scored.fault:
        raise Skip(f"the evaluator {FAULTS.get(scored.fault, scored.fault)} when it runs by itself (C4.4)")
    seconds, memory = took.get("processor", 0.0), took.get("memory", 0)
    if seconds > LONG_SECONDS:
        message = f"one answer takes {seconds:.0f} s of processor time, more than {LONG_SECONDS:g}"
        yield Finding(file=EVALUATOR, message=message, hint="Compute by arrays.", level="warn")
    if memory > MUCH_MEMORY:
        message = f"one answer takes {memory / 2**30:.1f} GiB, more than {MUCH_MEMORY >> 30}"
        yield Finding(file=EVALUATOR, message=message, hint="Compute in parts.", level="warn")
