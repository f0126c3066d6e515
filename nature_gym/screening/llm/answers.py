"""What a model may answer: one type a level, and the checks that make its answer a decision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from nature_gym.metrics.entry import Direction
from nature_gym.models.instructions import is_instruction
from nature_gym.screening.decisions import CODES, Evidence, Verdict
from nature_gym.screening.llm.shown import Shown
from nature_gym.screening.task import Metric, Score, Setting, TaskTuple

WITHOUT_QUOTE = frozenset({"size_unknown", "no_reference", "dev_data_not_found", "eval_data_not_found"})
"""Codes that may rest on what the paper does not say."""
_MOST_QUOTES = 4
_LONGEST_REASON = 1_000


class _Answer(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class RuleAnswer(_Answer):
    """One rule's verdict, as the model gives it."""

    rule: str
    verdict: Verdict
    code: str | None = None
    reason: Annotated[str, Field(min_length=1)]
    quotes: tuple[str, ...] = ()
    links: tuple[str, ...] = ()


class LevelAnswer(_Answer):
    """The verdicts of one level."""

    decisions: tuple[RuleAnswer, ...]

    def filled(self, task: TaskTuple, shown: Shown) -> TaskTuple:  # noqa: ARG002 -- levels fill different things
        """The task tuple with what this level tells of it, as far as it stands in the paper."""
        return task


class NatureAnswer(LevelAnswer):
    """Level 1: the nature of the task."""

    task_type: str = ""
    method: str = ""
    variants: tuple[str, ...] = ()

    def filled(self, task: TaskTuple, shown: Shown) -> TaskTuple:
        known = {"task_type": self.task_type[:80], "method": _stands(self.method, shown)}
        variants = tuple(name for name in self.variants if _stands(name, shown))
        return task.model_copy(update={name: value for name, value in known.items() if value} | {"variants": variants})


class AnsweredMetric(_Answer):
    """A metric of the main results."""

    name: str
    direction: Direction | None = None
    primary: bool = False
    place: str = ""


class EvaluationAnswer(LevelAnswer):
    """Level 2: the evaluation."""

    metrics: tuple[AnsweredMetric, ...] = ()
    baselines: tuple[str, ...] = ()

    def filled(self, task: TaskTuple, shown: Shown) -> TaskTuple:
        metrics = tuple(Metric(**metric.model_dump()) for metric in self.metrics if _stands(metric.name, shown))
        baselines = tuple(name for name in self.baselines if _stands(name, shown))
        return task.model_copy(
            update={"metrics": metrics or task.metrics, "baselines": baselines or task.baselines},
        )


class AnsweredScore(_Answer):
    """A value as printed."""

    metric: str
    value: str
    method: str
    place: str = ""


class AnsweredSetting(_Answer):
    """An evaluation setting."""

    name: str
    accepted: bool
    reason: str = ""
    protocol: Literal["fixed_split", "random_split", "k_fold", "external_test", "unknown"] = "unknown"
    sota: tuple[AnsweredScore, ...] = ()
    baseline: tuple[AnsweredScore, ...] = ()


class DataAnswer(LevelAnswer):
    """Level 3: data and process."""

    settings: tuple[AnsweredSetting, ...] = ()

    def filled(self, task: TaskTuple, shown: Shown) -> TaskTuple:
        settings = tuple(
            Setting(
                name=one.name,
                accepted=one.accepted,
                reason=one.reason[:_LONGEST_REASON],
                protocol=one.protocol,
                sota=_scores(one.sota, shown),
                baseline=_scores(one.baseline, shown),
            )
            for one in self.settings
            if _stands(one.name, shown)
        )
        return task.model_copy(update={"settings": settings or task.settings})


ANSWERS: dict[str, type[LevelAnswer]] = {"1": NatureAnswer, "2": EvaluationAnswer, "3": DataAnswer}
FIELDS = {
    "1": "task_type, method and variants: the kind of task, the name of the authors' method, and of its variants.",
    "2": "metrics (name, direction, primary, place as 'Table 2') of the main results, and the baselines' names.",
    "3": "settings: each dataset of the main result tables, accepted or not and why, its protocol, and the printed "
    "scores on it of the authors' best (sota) and of the best baseline.",
}


def complaint(answer: LevelAnswer, rules: Sequence[str], shown: Shown) -> str | None:
    """What is wrong with an answer, in words for the model; None where nothing is."""
    told = [decision.rule for decision in answer.decisions]
    if sorted(told) != sorted(rules):
        return f"Answer each of the rules {', '.join(rules)} exactly once; you answered {', '.join(told) or 'none'}."
    faults = [fault for decision in answer.decisions for fault in _faults(decision, shown)]
    return " ".join(faults) or None


def _faults(answer: RuleAnswer, shown: Shown) -> list[str]:
    rule, faults = f"Rule {answer.rule}:", []
    if answer.verdict == "reject" and answer.code not in CODES[answer.rule]:
        faults.append(f"{rule} a rejection has one of the codes {', '.join(CODES[answer.rule])}.")
    if answer.verdict != "reject" and answer.code:
        faults.append(f"{rule} a code goes with a rejection only.")
    faults += [
        f"{rule} this quote is not in the paper, word for word, or too short: {quote[:200]!r}."
        for quote in answer.quotes
        if shown.locate(quote) is None
    ]
    faults += [f"{rule} this link is not listed: {url[:200]!r}." for url in answer.links if url not in shown.links]
    rests = answer.quotes or answer.links or answer.verdict == "undecided" or answer.code in WITHOUT_QUOTE
    if not rests:
        faults.append(f"{rule} quote what proves the verdict.")
    return faults


def evidence_of(answer: RuleAnswer, shown: Shown) -> tuple[Evidence, ...]:
    """The quotations with their places, and what was seen at the links; all were checked before."""
    quotes = [found for quote in answer.quotes[:_MOST_QUOTES] if (found := shown.locate(quote)) is not None]
    links = [Evidence(quote=shown.links[url]) for url in answer.links]
    return tuple(dict.fromkeys((*quotes, *links)))


def settled(answer: RuleAnswer, shown: Shown) -> tuple[Verdict, str | None, str]:
    """Verdict, code and reason: a rejection that rests on a link that could not be seen is none."""
    unseen = [url for url in answer.links if url in shown.seen and shown.seen[url].status == "error"]
    reason = " ".join(answer.reason.split())[:_LONGEST_REASON]
    if answer.verdict == "reject" and unseen:
        return "undecided", None, f"{reason} (But {unseen[0]} could not be seen, which proves nothing.)"
    return answer.verdict, answer.code if answer.verdict == "reject" else None, reason


def _stands(name: str, shown: Shown) -> str:
    """``name`` where the paper has it, in its text or in its tables; else nothing."""
    plain = " ".join(name.split())
    if not plain or len(plain) > 200 or is_instruction(plain):
        return ""
    if shown.manuscript.locate(plain) is not None:
        return plain
    in_tables = any(plain.casefold() in cell.casefold() for _, rows in shown.tables for row in rows for cell in row)
    return plain if in_tables or plain.casefold() in shown.title.casefold() else ""


def _scores(scores: Sequence[AnsweredScore], shown: Shown) -> tuple[Score, ...]:
    """Scores whose value is printed in the paper."""
    return tuple(Score(**score.model_dump()) for score in scores if _stands(score.value, shown))
