"""Level 2: the method wins on quality (2.1), by a metric that is a program of output and reference (2.2).

Result tables are read first: the own method's row against the best of the others, column by column. Where no table
compares, the paper's own claims count. Both rules fill the task tuple as far as they see it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from nature_gym.screening.claims import Claim, analysis_statements, claims
from nature_gym.screening.cues import Line, Scoped, scoped
from nature_gym.screening.deciders import Case
from nature_gym.screening.decisions import Evidence
from nature_gym.screening.methods import Methods, methods_of
from nature_gym.screening.metric_mentions import (
    IS_THE_SCORE,
    MainMetric,
    definitions,
    doubts,
    has_formula,
    judged_without_metric,
    main_metrics,
    names_metric,
    quality_tables,
)
from nature_gym.screening.result_tables import ResultTable
from nature_gym.screening.rules import Finding, rule
from nature_gym.screening.task import TaskTuple


@dataclass(frozen=True, slots=True)
class _Tally:
    """How often the own method is at or above the best of the others."""

    won: int
    of: int
    told: str
    """One comparison in words, for the reason."""

    @property
    def wins(self) -> bool:
        return self.of > 0 and self.won * 2 >= self.of

    @property
    def loses(self) -> bool:
        return self.of > 0 and self.won * 2 < self.of


@rule("2.1", version="2")
def wins_on_quality(case: Case) -> Finding:
    """Whether the main claim is one of quality, and the method is at or above the best baseline."""
    paper, methods = scoped(case.manuscript), methods_of(case.manuscript)
    made = claims(paper, methods)
    metrics = main_metrics(paper, methods, made)
    task = _filled(case.task, methods, metrics)
    tally = _tally(methods, metrics)
    studied = analysis_statements([line for line in paper.claims if line.zone != "discussion"])
    quality = [claim for claim in made if claim.matter != "efficiency"]
    better = [claim for claim in quality if claim.side == "better"]
    worse = [claim for claim in quality if claim.side == "worse"]
    cheaper = [claim for claim in made if claim.matter == "efficiency" and claim.side == "better"]
    if _is_about_cost(paper, methods, tally, better, cheaper):
        return _reject("efficiency_metric", "The main claim is one of cost, at equal quality.", cheaper)
    if (
        not methods.comparisons
        and studied
        and not [claim for claim in better if claim.matter == "quality" and claim.line.zone == "abstract"]
    ):
        return _rejected("model_analysis", "The model is studied, and not compared with others.", studied[:2])
    if tally.loses:
        reason = f"The method stays behind the best of the others: {tally.told}."
        found = _reject("non_competitive_quality", reason, worse, task=task)
        return found if found.evidence else replace(found, evidence=_table_evidence(quality_tables(methods)))
    if tally.wins:
        proof = _proof(better, metrics, methods)
        where = tuple(claim.line.evidence() for claim in proof) or _table_evidence(quality_tables(methods))
        return Finding("pass", f"The method is at or above the best of the others: {tally.told}.", None, where, task)
    if worse and not better:
        return _reject(
            "non_competitive_quality", "The authors say that the method stays behind others.", worse, task=task
        )
    strong = [claim for claim in better if claim.matter == "quality" or claim.line.zone == "abstract"]
    if strong and len(better) > len(worse):
        proof = _proof(strong, metrics, methods)
        return Finding("pass", "The authors claim better quality than others; no table compares.", None,
                       tuple(claim.line.evidence() for claim in proof), task)  # fmt: skip
    own_only = [table for table in methods.tables if table.kind in ("ablation", "sensitivity")]
    if studied or (own_only and not better):
        told = tuple(line.evidence() for line in studied[:2]) or _table_evidence(own_only)
        return Finding("reject", "The model is studied, and not compared with others.", "model_analysis", told)
    reason = "Neither a result table nor a sentence compares the method with others by a metric of quality."
    return Finding("undecided", reason, None, (), task)


_MEASURED_COST = re.compile(
    r"\d\s?(?:ms|s|min|h|GB|MB|mJ|[x×]|times|-?fold|%)(?![A-Za-z])"
    r"|\borders? of magnitude\b",
    re.IGNORECASE,
)
_SEVERAL = 2


def _is_about_cost(
    paper: Scoped, methods: Methods, tally: _Tally, better: Sequence[Claim], cheaper: Sequence[Claim]
) -> bool:
    """The abstract claims less cost and no better quality, and no table shows better quality."""
    in_abstract = [claim for claim in cheaper if claim.line in paper.abstract]
    quality_in_abstract = [claim for claim in better if claim.line in paper.abstract and claim.matter == "quality"]
    if not cheaper or quality_in_abstract:
        return False
    costs = [table for table in methods.comparisons if table.kind == "cost"]
    measured = [claim for claim in cheaper if _MEASURED_COST.search(claim.line.text)]
    if not costs and (not measured or len(cheaper) < _SEVERAL):
        return False
    first_is_cost = bool(costs) and methods.comparisons[0].kind == "cost"
    return (bool(in_abstract) or first_is_cost) and (not tally.wins or (first_is_cost and bool(in_abstract)))


def _tally(methods: Methods, metrics: Sequence[MainMetric]) -> _Tally:
    """The primary metric over all groups of the main tables; all metrics where the primary one is nowhere."""
    primary = next((one.metric.name for one in metrics if one.metric.primary), None)
    won, of, told_won, told_lost = 0, 0, "", ""
    for only in (primary, None):
        for table in quality_tables(methods):
            row = methods.main_row(table)
            for metric in table.metrics:
                if (only is not None and metric != only) or table.kinds[metric].nature == "efficiency":
                    continue
                for group in table.groups:
                    own = table.best(metric, group, methods.own_in(table))
                    main = table.best(metric, group, [row] if row else ())
                    others = [
                        method
                        for method in table.methods
                        if not methods.is_own(method) and not _NO_LEARNER.search(method)
                    ]
                    rival = table.best(metric, group, others)
                    if own is None or rival is None:
                        continue
                    mine = main or own
                    up = table.direction(metric) == "higher_is_better"
                    ahead = own.number >= rival.number if up else own.number <= rival.number
                    won, of = won + ahead, of + 1
                    told = f"{metric} {mine.text} against {rival.text} of {rival.method}"
                    told += (f" on {group}" if group else "") + f" ({table.label})"
                    told_won, told_lost = told_won or told * ahead, told_lost or told * (not ahead)
        if of:
            break
    return _Tally(won, of, told_won if won * 2 >= of else told_lost)


_NO_LEARNER = re.compile(
    r"\bsimulat(?:ion|ions|or|ed)\b|\b(?:numerical|physical|physics|dynamical|process-based|mechanistic"
    r"|general circulation"
    r"|ocean|climate) (?:models?|solvers?|simulations?)\b|\bexperiment(?:al|s)?\b|\bmeasured\b|\bmeasurements?\b"
    r"|\bobserv(?:ed|ations?|ers?)\b|\bhumans?\b|\b(?:human|domain) experts?\b|\bexperts\b|\b(?:radiolog|patholog"
    r"|dermatolog|cardiolog|neurolog)ists?\b|\bclinicians?\b|\bphysicians?\b|\binter-?(?:rater|observer|annotator)\b"
    r"|\bground[- ]truth\b|\boracle\b|\bupper bound\b|\bDFT\b|\bab initio\b|\bfinite[- ](?:element|difference"
    r"|volume)\b",
    re.IGNORECASE,
)
"""Rows that are no learners: what a surrogate replaces, and what people or experiments do."""


def _proof(better: Sequence[Claim], metrics: Sequence[MainMetric], methods: Methods) -> list[Claim]:
    """The claims that prove most: with numbers and the primary metric, in the results, before a table."""

    def worth(claim: Claim) -> float:
        text = claim.line.text
        primary = [one for one in metrics if one.metric.primary]
        points = 2.0 * any(names_metric(text, one) for one in primary) + (claim.line.zone == "results")
        points += any(character.isdigit() for character in text) + ("Table" in text or "Fig" in text)
        points += any(name.casefold() in text.casefold() for name in methods.names)
        return points

    return sorted(better, key=worth, reverse=True)[:1]


def _table_evidence(tables: Sequence[ResultTable]) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(quote=table.caption, section=table.label, start=0, end=len(table.caption))
        if table.caption
        else Evidence(quote=f"{table.label}: " + "; ".join(f"{one.method} {one.text}" for one in table.entries[:_ROWS]))
        for table in tables[:1]
    )


_ROWS = 8
"""Values of a table without a caption that are quoted."""


def _reject(code: str, reason: str, proof: Sequence[Claim], *, task: TaskTuple | None = None) -> Finding:
    ranked = sorted(
        proof, key=lambda claim: (claim.line.zone != "results", not any(c.isdigit() for c in claim.line.text))
    )
    return Finding("reject", reason, code, tuple(claim.line.evidence() for claim in ranked[:2]), task)


def _rejected(code: str, reason: str, lines: Sequence[Line]) -> Finding:
    return Finding("reject", reason, code, tuple(line.evidence() for line in lines))


def _filled(task: TaskTuple, methods: Methods, metrics: Sequence[MainMetric]) -> TaskTuple:
    return task.model_copy(
        update={
            "method": methods.name or task.method,
            "variants": methods.variants,
            "baselines": methods.baselines,
            "metrics": tuple(one.metric for one in metrics),
        }
    )


# -- 2.2 -------------------------------------------------------------------------------

_REASONS = {
    "human_evaluation": "People give the score.",
    "visual_inspection": "The score is given by looking.",
    "black_box_tool": "The score comes from a closed program.",
    "depends_on_algorithm": "The score needs a part of the method itself.",
    "external_service": "The score comes from a service.",
}
_LEAST_KNOWN = 3.0
"""Points against a metric that the lexicon knows as a program: the very sentence that names it has to say so."""
_LEAST_UNKNOWN = 1.2


@rule("2.2", version="2")
def deterministic_metric(case: Case) -> Finding:
    """Whether the metrics of the main results are programs of output and reference."""
    paper, methods = scoped(case.manuscript), methods_of(case.manuscript)
    metrics = main_metrics(paper, methods, claims(paper, methods))
    if not metrics:
        judged = judged_without_metric(paper, methods)
        if judged is not None:
            return Finding("reject", _REASONS[judged.how], judged.how, (judged.line.evidence(),))
        return Finding("undecided", "No metric of the main results has a place in a table or a figure.")
    primary = next(one for one in metrics if one.metric.primary)
    known = primary.kind.nature == "quality"
    against = [
        doubt
        for doubt in doubts(paper, methods, metrics)
        if doubt.points >= (_LEAST_KNOWN if known else _LEAST_UNKNOWN)
    ]
    if known:
        against = [
            doubt
            for doubt in against
            if (names_metric(doubt.line.text, primary) or IS_THE_SCORE.search(doubt.line.text))
            and doubt.line.zone in ("methods", "results")
        ]
    if against:
        worst = against[0]
        return Finding("reject", f"{_REASONS[worst.how]} ({primary.metric.name})", worst.how, (worst.line.evidence(),))
    if primary.kind.nature == "human":
        evidence = _table_evidence(quality_tables(methods))
        return Finding(
            "reject", f"{_REASONS['human_evaluation']} ({primary.metric.name})", "human_evaluation", evidence
        )
    defined = definitions(paper, metrics)
    if not known:
        formula = has_formula(paper, primary)
        if formula is None:
            reason = f"What {primary.metric.name} is, and who computes it, is not told."
            return Finding("undecided", reason, None, tuple(line.evidence() for line in defined[:1]))
        defined = [formula, *defined]
    told = ", ".join(one.metric.name for one in metrics[:4])
    evidence = tuple(line.evidence() for line in defined[:1]) or _table_evidence(quality_tables(methods))
    return Finding("pass", f"Computed from output and reference: {told}.", None, evidence)
