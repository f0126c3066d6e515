"""C4.8 and C4.9: the truth handed in as the answer scores perfectly, and what is no answer gets no number."""

from __future__ import annotations

from collections.abc import Iterator

from checks.dynamic.runs import Scored
from checks.dynamic.scores import FAULTS, number, results_of, wanted
from checks.facts import MetricFact, evaluator_metrics
from checks.model import Finding
from checks.package import EVALUATOR, METADATA, README, CheckedPackage
from checks.registry import Skip, check
from nature_gym.errors import NatureGymError

PERFECT, PER_CENT, NO_ERROR = 0.99, 99.0, 1e-6
CLEARLY = 0.1
"""How much better than the baseline a right answer is, as a share of the baseline's score, where nothing is perfect."""


@check("C4.8", reads=(README, EVALUATOR, METADATA))
def truth_scores_perfectly(package: CheckedPackage) -> Iterator[Finding]:
    """The ground truth handed in as the answer scores perfectly.

    At least 0.99 (99 per cent), an error of at most 1e-6; a metric without a best value clearly better than the
    baseline. How references become an answer is told by names and shapes; where it is not, and for oracles, which
    compare with nothing, this is skipped.

    Passes: RMSE 0 and accuracy 1 for the labels themselves.
    Fails: the evaluator reads the reference in another order or scale than section 5 says, or refuses it.
    Mend: hand in one row of the truth, and follow it through the evaluator.
    """
    runs, results = results_of(package)
    facts = wanted(package)
    oracles = _oracles(package)
    names = [
        one for one in dict.fromkeys(fact.instance for fact in facts) if one in runs.instances and one not in oracles
    ]
    if not names:
        raise Skip("an oracle scores the answers: there is no truth to hand in")
    truths = runs.truths(names)
    _, line = evaluator_metrics(package)
    unclear = dict(truths.not_told)
    for instance in names:
        if instance in unclear:
            continue
        own = [fact for fact in facts if fact.instance == instance]
        certain = any(facts_of.get(instance, {}).get("certain") for facts_of in truths.facts.values())
        answers = [(truths.scored[name], of[instance]["exact"]) for name, of in truths.facts.items() if instance in of]
        misses = [
            list(dict.fromkeys(filter(None, (_missed(fact, one, results, exact) for fact in own))))
            for one, exact in answers
        ]
        best = min(misses, key=len, default=["no answer could be made of it"])
        if best and not certain:
            unclear[instance] = f"how the ground truth becomes an answer is not told: {best[0]}"
        for message in best if certain else ():
            yield Finding(
                file=EVALUATOR, line=line, text=instance, message=f"{instance!r}: the truth as the answer: {message}",
                hint="Follow one row of the truth through the evaluator.",
            )  # fmt: skip
    if unclear:
        instance, reason = next(iter(unclear.items()))
        if _scorer_beside(package) and instance in truths.not_told:
            reason = "a scorer of its own scores the answers, and the ground truth is no answer"
        raise Skip(f"{instance!r}: {reason}")


def _oracles(package: CheckedPackage) -> set[str]:
    """The instances that task.yaml says an oracle scores."""
    import yaml

    try:
        task = yaml.safe_load(package.text("task.yaml").content)
    except (yaml.YAMLError, RecursionError, ValueError):
        return set()
    listed = task.get("instances") if isinstance(task, dict) else None
    found = set()
    for one in listed if isinstance(listed, list) else ():
        reference = one.get("reference") if isinstance(one, dict) else None
        if isinstance(reference, dict) and reference.get("kind") == "oracle":
            found.add(str(one.get("name")))
    return found


def _scorer_beside(package: CheckedPackage) -> bool:
    return any(name.endswith(".py") and name != EVALUATOR for name in package.below("evaluation"))


def _missed(fact: MetricFact, truth: Scored, baselines: dict[str, Scored], exact: bool) -> str:
    """What is wrong with the truth's score; '' where it is perfect, or clearly better than the baselines'.

    The latter is enough of an answer that is not ``exact``, and of a metric of which no best value is known.
    """
    value = number(truth.value(fact.instance, fact.name))
    numbers = [number(one.value(fact.instance, fact.name)) for one in baselines.values()]
    known = [one for one in numbers if one is not None]
    if value is None and not known:
        return ""  # told by C4.5
    if value is None:
        return truth.error(fact.instance) or truth.detail or f"{fact.name} has no value"
    higher = fact.direction == "higher_is_better"
    perfect = value >= PERFECT and (value <= 1.0 + PERFECT or value >= PER_CENT) if higher else value <= NO_ERROR
    if perfect or not known:
        return ""
    other = max(known) if higher else min(known)
    ahead = value - other if higher else other - value
    if ahead > CLEARLY * max(abs(other), NO_ERROR) and not (exact and _has_best(fact)):
        return ""
    return f"{fact.name} is {value:g}, and the baseline's {other:g}"


def _has_best(fact: MetricFact) -> bool:
    """Whether the registry knows a perfect value of the metric, which a truth then has to reach."""
    from nature_gym.metrics.registry import find

    try:
        return find(fact.name).perfect is not None
    except NatureGymError:
        return False


@check("C4.9", reads=(README, EVALUATOR, METADATA))
def malformed_answers_are_refused(package: CheckedPackage) -> Iterator[Finding]:
    """Six malformed answers never get a number: missing, empty, wrong format, NaN and Inf, wrong count, misaligned ids.

    Each is the baseline's answer, spoiled in one way, for all instances; a way that the format does not have is left
    out. The result has null and an error for such an instance.

    Passes: {"RMSE": null, "error": "predictions.csv lacks 3 ids"}.
    Fails: an RMSE for half of the rows, for ids that were joined away, for NaN that was dropped.
    Warns: the evaluator crashes, which leaves the other instances without a score; NaN as a score.
    Mend: validate existence, format, count, ids and finiteness before anything is computed.
    """
    runs, results = results_of(package)
    facts = wanted(package)
    scored = {
        name: [one for one in dict.fromkeys(fact.instance for fact in facts) if _has_score(facts, one, result)]
        for name, result in results.items()
    }
    right = max(scored, key=lambda name: len(scored[name]))
    if not scored[right]:
        raise Skip("no answer was scored that could be spoiled (C4.5)")
    line = next((one.line for one in package.followed.readings if one.place.startswith("output/")), 1)
    told = set()
    for one in runs.malformed(scored[right], right):
        for instance, file in one.spoiled.items():
            values = {fact.name: one.scored.value(instance, fact.name) for fact in facts if fact.instance == instance}
            numbers = {name: value for name, value in values.items() if number(value) is not None}
            if one.scored.fault and (one.kind, "crash") not in told:
                told.add((one.kind, "crash"))
                how = FAULTS.get(one.scored.fault, one.scored.fault)
                message = f"{file} ({one.kind}): it {how}: {one.scored.detail[-150:]}"
                hint = "Give null and an error for this instance, and score the others."
                yield Finding(
                    file=EVALUATOR, line=one.scored.line, text=one.kind, message=message, hint=hint, level="warn"
                )
            elif numbers and (one.kind, file) not in told:
                told.add((one.kind, file))
                name, value = next(iter(numbers.items()))
                message = f"{instance!r}: {file} ({one.kind}) gets {name} = {value:g}"
                yield Finding(
                    file=EVALUATOR, line=line, text=one.kind, message=message, hint=f"Refuse an answer with {one.kind}."
                )
            elif any(isinstance(value, float) for value in values.values()) and (one.kind, "nan") not in told:
                told.add((one.kind, "nan"))
                message = f"{instance!r}: {file} ({one.kind}) gets NaN, which JSON has not"
                yield Finding(
                    file=EVALUATOR, line=line, text=one.kind, message=message, hint="Give null.", level="warn"
                )


def _has_score(facts: list[MetricFact], instance: str, result: Scored) -> bool:
    return any(number(result.value(instance, fact.name)) is not None for fact in facts if fact.instance == instance)
