"""The stricter reading by rules: what a rule had weighed and found too light is reason enough to ask a person.

It knows no cues of its own: it reads the signs that the rules read, with lower thresholds, and any sentence that speaks
against a pass where the rule went by the balance of all. Rules 3.2, 3.3 and 3.4 weigh nothing, and are not read again.
"""

from __future__ import annotations

from collections.abc import Callable

from nature_gym.screening import scope_cues as cues
from nature_gym.screening.access import offer_of
from nature_gym.screening.claims import claims
from nature_gym.screening.contributions import contributions
from nature_gym.screening.cues import scoped
from nature_gym.screening.deciders import Case
from nature_gym.screening.decisions import Decision
from nature_gym.screening.methods import methods_of
from nature_gym.screening.metric_mentions import doubts, main_metrics, names_metric
from nature_gym.screening.result_tables import result_tables
from nature_gym.screening.rules import NAME, Finding
from nature_gym.screening.settings import BLOCKED, core_experiments, dataset_names
from nature_gym.screening.sizes import GB, estimate_size, readable, stated_sizes

VERSION = "1"
_SUSPECT = 3.0
"""Points of a code of rule 1.1 that are worth a look."""
_DOUBTFUL = 2.0
"""Points against a metric that are worth a look."""
_NEAR = 25 * GB
"""So large that an estimate by anything but headers may hide the limit."""


class StrictReader:
    """Objects to passes by rules."""

    name = NAME

    def version(self, rule: str) -> str:  # noqa: ARG002 -- critics are called alike
        return VERSION

    def objection(self, rule: str, case: Case) -> Decision | None:
        """The strongest sign against what ``rule`` passed, as a rejection; None where there is none."""
        look = _LOOKS.get(rule)
        found = look(case) if look is not None else None
        if found is None:
            return None
        return Decision(
            rule=rule,
            verdict="reject",
            code=found.code,
            reason=found.reason,
            evidence=found.evidence,
            decider=NAME,
            version=VERSION,
        )


def _task(case: Case) -> Finding | None:
    """Signs of a code of rejection, although a method of the authors' own outweighs them."""
    paper, methods = scoped(case.manuscript), methods_of(case.manuscript)
    made = contributions(paper)
    own = bool(methods.comparisons)
    found = {
        "attribution_explainability": cues.attribution(paper, own),
        "non_ml_factor_comparison": cues.factor_comparison(paper, methods.tables, own),
        "general_methodology": cues.general_methodology(paper, made),
        "hardware_dependent": cues.hardware(paper),
        "other_out_of_scope": cues.resource(paper, made, case.manuscript.document.article_type),
    }
    code = max(found, key=lambda name: found[name].points)
    lines = [line for line in found[code].lines() if line.zone != "title"]
    if found[code].points < _SUSPECT or not lines:
        return None
    reason = f"Sentences speak for {code.replace('_', ' ')}, beside the method of the authors' own."
    return Finding("reject", reason, code, tuple(line.evidence() for line in lines))


def _quality(case: Case) -> Finding | None:
    """A sentence in which the authors say that others are better."""
    paper, methods = scoped(case.manuscript), methods_of(case.manuscript)
    worse = [one for one in claims(paper, methods) if one.side == "worse" and one.matter == "quality"]
    if not worse:
        return None
    reason = "The authors name a comparison in which the method stays behind."
    return Finding("reject", reason, "non_competitive_quality", tuple(one.line.evidence() for one in worse[:2]))


def _metric(case: Case) -> Finding | None:
    """A sentence that names the primary metric and says that more than a program is needed."""
    paper, methods = scoped(case.manuscript), methods_of(case.manuscript)
    metrics = main_metrics(paper, methods, claims(paper, methods))
    primary = [one for one in metrics if one.metric.primary]
    for doubt in doubts(paper, methods, metrics):
        if doubt.points >= _DOUBTFUL and any(names_metric(doubt.line.text, one) for one in primary):
            reason = f"A sentence on {primary[0].metric.name} speaks for {doubt.how.replace('_', ' ')}."
            return Finding("reject", reason, doubt.how, (doubt.line.evidence(),))
    return None


def _access(case: Case) -> Finding | None:
    """Data on request or under conditions, even where the task seems to do without them."""
    for one in offer_of(case, _names(case)).everything:
        if one.of_data and one.term in BLOCKED and not one.not_needed:
            reason = f"A part of the data is not open: {one.clause}"
            return Finding("reject", reason, BLOCKED[one.term], (one.evidence,))
    return None


def _protocol(case: Case) -> Finding | None:
    """Cross-validation is told of, and no setting says that its test data are fixed."""
    offer = offer_of(case, _names(case))
    core = core_experiments(case.manuscript, offer.everything, case.task.method, case.task.variants)
    fixed = any(one.accepted and one.protocol in ("fixed_split", "external_test") for one in core.settings)
    folds = [one for one in core.mentions if one.protocol == "k_fold"]
    if fixed or not folds:
        return None
    reason = "The paper tells of cross-validation, and of no setting that its test data are fixed."
    return Finding("reject", reason, "invalid_eval_method", (folds[0].sentence.evidence(),))


def _size(case: Case) -> Finding | None:
    """An estimate near the limit that is not made by headers."""
    offer = offer_of(case, _names(case))
    names = _names(case)
    stated = stated_sizes(case.manuscript, [one.sentence for one in offer.everything if one.of_data], names)
    estimate = estimate_size(offer.urls, case.probe(offer.urls), stated)
    if estimate.size is None or estimate.size < _NEAR or estimate.confidence == "high":
        return None
    reason = f"{readable(estimate.size)} by an estimate of {estimate.confidence} confidence may hide more than 50 GB."
    quotes = tuple(part.sentence.evidence() for part in estimate.parts if part.sentence is not None)
    return Finding("reject", reason, "too_large", quotes)


def _names(case: Case) -> tuple[str, ...]:
    own = [name for name in (case.task.method, *case.task.variants) if name]
    return dataset_names(result_tables(case.manuscript.document.tables, own))


_LOOKS: dict[str, Callable[[Case], Finding | None]] = {
    "1.1": _task,
    "2.1": _quality,
    "2.2": _metric,
    "3.1": _access,
    "3.5": _protocol,
    "3.6": _size,
}
