"""``filter_result.json``: screening's record in the layout of NatureGym, so that work can move between two systems."""

from __future__ import annotations

from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from nature_gym.metrics.entry import Direction
from nature_gym.screening.decisions import BEFORE, Decision, Evidence
from nature_gym.screening.record import Screening
from nature_gym.screening.task import Metric, Score, Setting, TaskTuple
from nature_gym.screening.task_size import TaskSize

IMPORTED = "imported"

LEVELS: dict[str, str] = {BEFORE: "level_0", "1": "level_1", "2": "level_2", "3": "level_3"}


class _Layout(BaseModel):
    """What others write is read leniently: they add fields."""

    model_config = ConfigDict(extra="ignore")


class ExchangedMetric(_Layout):
    """A metric with the place that its score stands at."""

    name: str
    score_source: str | None = None


class ExchangedData(_Layout):
    """D: the data of the task."""

    pattern: str | None = None
    size_tier: str | None = None
    evaluation_settings: list[dict[str, Any]] = Field(default_factory=list)
    rejected_settings: list[dict[str, Any]] = Field(default_factory=list)
    setting_dependencies: list[Any] = Field(default_factory=list)


class ExchangedTask(_Layout):
    """The task tuple."""

    task_type: str | None = None
    algorithm: Any = None
    metrics: list[ExchangedMetric] = Field(default_factory=list)
    sota: Any = None
    baseline: Any = None
    data: ExchangedData = Field(default_factory=ExchangedData)
    dependencies: Any = None


class ExchangedRule(_Layout):
    """One rule's outcome; ``passed`` is null where it was left undecided."""

    rule_id: str
    passed: bool | None
    reason: str = ""
    evidence: Any = None


class ExchangedLevel(_Layout):
    """A level and its rules."""

    level_id: str | int
    rules: list[ExchangedRule] = Field(default_factory=list)


class ExchangedResult(_Layout):
    """The verdict."""

    passed: bool | None
    decision_summary: str = ""
    stopped_at: str | None = None


class FilterResult(_Layout):
    """The whole file."""

    paper_id: str
    paper_title: str = ""
    task_info: ExchangedTask = Field(default_factory=ExchangedTask)
    filtering_process: list[ExchangedLevel] = Field(default_factory=list)
    final_result: ExchangedResult


def to_filter_result(screening: Screening) -> dict[str, Any]:
    """A screening in that layout. What it has no place for goes into fields of its own, which others ignore."""
    return {
        "paper_id": screening.id,
        "paper_title": screening.title,
        "task_info": _task_info(screening.task, screening.size),
        "filtering_process": _levels(screening.decisions),
        "final_result": {
            "passed": _passed(screening.verdict),
            "decision_summary": screening.summary,
            "stopped_at": screening.stopped_at,
        },
    }


def _passed(verdict: str) -> bool | None:
    return {"passed": True, "pass": True, "rejected": False, "reject": False}.get(verdict)


def _task_info(task: TaskTuple, size: TaskSize | None) -> dict[str, Any]:
    settings = [setting for setting in task.settings if setting.accepted]
    return {
        "task_type": task.task_type or None,
        "algorithm": {"name": task.method, "variants": list(task.variants)},
        "metrics": [
            {
                "name": metric.name,
                "score_source": metric.place or None,
                "direction": metric.direction,
                "primary": metric.primary,
            }
            for metric in task.metrics
        ],
        "sota": _scores(settings, "sota"),
        "baseline": {"methods": list(task.baselines), "scores": _scores(settings, "baseline")},
        "data": {
            "pattern": None,
            "size_tier": size.tier if size is not None else None,
            "evaluation_settings": [
                {"name": setting.name, "reason": setting.reason, "protocol": setting.protocol} for setting in settings
            ],
            "rejected_settings": [
                {
                    "name": setting.name,
                    "reason": setting.reason,
                    "protocol": setting.protocol,
                    "sota": [score.model_dump() for score in setting.sota],
                    "baseline": [score.model_dump() for score in setting.baseline],
                }
                for setting in task.settings
                if not setting.accepted
            ],
            "setting_dependencies": [],
        },
        "dependencies": None,
    }


def _scores(settings: list[Setting], which: Literal["sota", "baseline"]) -> list[dict[str, Any]]:
    return [
        {"setting": setting.name, **score.model_dump()} for setting in settings for score in getattr(setting, which)
    ]


def _levels(decisions: tuple[Decision, ...]) -> list[dict[str, Any]]:
    levels: dict[str, list[dict[str, Any]]] = {}
    for decision in decisions:
        levels.setdefault(LEVELS[decision.rule.partition(".")[0]], []).append(
            {
                "rule_id": decision.rule,
                "passed": _passed(decision.verdict),
                "reason": decision.reason,
                "evidence": [evidence.model_dump() for evidence in decision.evidence],
                "code": decision.code,
                "decider": decision.decider,
                "version": decision.version,
            }
        )
    return [{"level_id": level, "rules": rules} for level, rules in levels.items()]


def from_filter_result(value: Any) -> Screening:
    """A screening from a file in that layout, ours or another's.

    Raises pydantic's ValidationError where it is none.
    """
    told = FilterResult.model_validate(value)
    raw_rules = {
        rule.get("rule_id"): rule
        for level in value.get("filtering_process", [])
        for rule in level.get("rules", [])
        if isinstance(rule, dict)
    }
    decisions = tuple(
        _decision(rule, raw_rules.get(rule.rule_id, {})) for level in told.filtering_process for rule in level.rules
    )
    verdict: Literal["passed", "rejected", "undecided"] = (
        "undecided" if told.final_result.passed is None else "passed" if told.final_result.passed else "rejected"
    )
    return Screening(
        id=told.paper_id,
        title=told.paper_title,
        verdict=verdict,
        stopped_at=told.final_result.stopped_at,
        summary=told.final_result.decision_summary,
        task=_task(told.task_info, value.get("task_info") or {}),
        decisions=decisions,
    )


def _decision(rule: ExchangedRule, raw: dict[str, Any]) -> Decision:
    verdict: Literal["pass", "reject", "undecided"] = (
        "undecided" if rule.passed is None else "pass" if rule.passed else "reject"
    )
    return Decision(
        rule=rule.rule_id,
        verdict=verdict,
        code=raw.get("code"),
        reason=rule.reason,
        evidence=tuple(_evidence(rule.evidence)),
        decider=raw.get("decider") or IMPORTED,
        version=raw.get("version") or "1",
    )


def _evidence(told: Any) -> list[Evidence]:
    """Evidence as a list of ours, of texts, or as one text."""
    if told is None:
        return []
    if not isinstance(told, list):
        told = [told]
    found = []
    for entry in told:
        if isinstance(entry, dict) and isinstance(entry.get("quote"), str):
            found.append(Evidence.model_validate({key: entry.get(key) for key in Evidence.model_fields}))
        elif entry:
            found.append(Evidence(quote=str(entry)))
    return found


def _task(told: ExchangedTask, raw: dict[str, Any]) -> TaskTuple:
    algorithm = told.algorithm if isinstance(told.algorithm, dict) else {"name": told.algorithm}
    baseline = told.baseline if isinstance(told.baseline, dict) else {}
    raw_metrics = {metric.get("name"): metric for metric in raw.get("metrics") or [] if isinstance(metric, dict)}
    settings = [
        Setting(
            name=str(setting.get("name") or ""),
            accepted=True,
            reason=str(setting.get("reason") or ""),
            protocol=_protocol(setting),
            sota=_of_setting(told.sota, setting.get("name")),
            baseline=_of_setting(baseline.get("scores"), setting.get("name")),
        )
        for setting in told.data.evaluation_settings
    ]
    settings += [
        Setting(
            name=str(setting.get("name") or ""),
            accepted=False,
            reason=str(setting.get("reason") or ""),
            protocol=_protocol(setting),
            sota=_of_setting(setting.get("sota"), None),
            baseline=_of_setting(setting.get("baseline"), None),
        )
        for setting in told.data.rejected_settings
    ]
    return TaskTuple(
        task_type=told.task_type or "",
        method=str(algorithm.get("name") or ""),
        variants=tuple(map(str, algorithm.get("variants") or ())),
        metrics=tuple(
            Metric(
                name=metric.name,
                direction=_direction(raw_metrics.get(metric.name, {})),
                primary=bool(raw_metrics.get(metric.name, {}).get("primary")),
                place=metric.score_source or "",
            )
            for metric in told.metrics
        ),
        baselines=tuple(map(str, baseline.get("methods") or ())),
        settings=tuple(settings),
    )


def _protocol(setting: dict[str, Any]) -> Any:
    """The protocol, where it is one that we tell apart."""
    told = setting.get("protocol")
    return told if told in get_args(Setting.model_fields["protocol"].annotation) else "unknown"


def _direction(metric: dict[str, Any]) -> Any:
    told = metric.get("direction")
    return told if told in get_args(Direction) else None


def _of_setting(scores: Any, name: str | None) -> tuple[Score, ...]:
    if not isinstance(scores, list):
        return ()
    return tuple(
        Score(
            metric=str(score.get("metric") or ""),
            value=str(score.get("value") or ""),
            method=str(score.get("method") or ""),
            place=str(score.get("place") or ""),
        )
        for score in scores
        if isinstance(score, dict) and (name is None or score.get("setting") == name)
    )
