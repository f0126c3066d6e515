"""One question a level: which rules, what is shown of the paper, and what comes back."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from importlib.resources import files as resources
from typing import Literal

import jinja2

from nature_gym.config import Settings
from nature_gym.digests import digest_json
from nature_gym.models.client import Client, Question, Use
from nature_gym.models.faults import ModelError
from nature_gym.screening.deciders import Case, DeciderError
from nature_gym.screening.decisions import BEFORE, CODES, RULES, ModelUse
from nature_gym.screening.llm.answers import ANSWERS, FIELDS, LevelAnswer, RuleAnswer, complaint
from nature_gym.screening.llm.shown import Shown, fit, shown

NAME = "llm"
Role = Literal["decide", "object"]
_PROGRAM = "1"
"""Raise it whenever the same answer of a model would make another decision."""


def level_of(rule: str) -> str:
    """The level that a rule belongs to."""
    return rule.partition(".")[0]


def rules_asked(settings: Settings, rule: str) -> tuple[str, ...]:
    """The rules of the level of ``rule`` that are the model's to answer; one question asks them all."""
    mine = {rule} | {one for one in RULES if settings.deciders.get(one, settings.decider) == NAME}
    return tuple(one for one in RULES if one in mine and one != BEFORE and level_of(one) == level_of(rule))


def version(settings: Settings, role: Role, rule: str) -> str:
    """Changes with the model, the words of the question and what may be answered."""
    rules = rules_asked(settings, rule)
    text = [_source(f"{role}.j2"), _source("paper.j2"), *(_source(f"rules/{one}.j2") for one in rules)]
    schema = _answer_type(role, rule).model_json_schema()
    limits = [settings.model_answer_tokens, settings.model_paper_tokens]
    asked = [_PROGRAM, settings.model_provider, settings.model_url, settings.model, list(rules), text, schema, limits]
    return digest_json(asked).removeprefix("sha256:")[:12]


def ask(client: Client, role: Role, rule: str, case: Case) -> tuple[LevelAnswer, RuleAnswer, Shown, ModelUse]:
    """The model's answer to the level of ``rule``, the part on ``rule`` itself, what was shown, and what it took.

    Raises DeciderError where there is none.
    """
    rules = rules_asked(client.settings, rule)
    level = level_of(rule)
    seen = shown(case, level, client.settings.model_paper_tokens)
    method = fit(case.task.method) if level != "1" else ""
    question = Question(
        paper=case.manuscript.paper,
        instructions=_instructions(role, rules, seen.mark),
        prompt=_render(
            "paper.j2",
            mark=seen.mark,
            title=seen.title,
            passages=seen.passages,
            tables=seen.tables,
            links=tuple(seen.links.values()),
            method=method,
        ),
        answer=_answer_type(role, rule),
        check=lambda answer: complaint(answer, rules, seen),
    )
    try:
        answer, use = client.ask(question)
    except ModelError as error:
        raise DeciderError(error.message, hint=error.hint) from error
    own = next(decision for decision in answer.decisions if decision.rule == rule)
    return answer, own, seen, _model_use(use)


def _answer_type(role: Role, rule: str) -> type[LevelAnswer]:
    return ANSWERS[level_of(rule)] if role == "decide" else LevelAnswer


def _model_use(use: Use) -> ModelUse:
    return ModelUse(
        model=use.model,
        prompt_digest=use.prompt_digest,
        input_tokens=use.input_tokens,
        output_tokens=use.output_tokens,
        cost=use.cost,
        remembered=use.remembered,
    )


def _instructions(role: Role, rules: Sequence[str], mark: str) -> str:
    level = level_of(rules[0])
    text = {rule: _source(f"rules/{rule}.j2").strip() for rule in rules}
    more = {"fields": FIELDS[level]} if role == "decide" else {}
    return _render(f"{role}.j2", rules=rules, text=text, codes=CODES, mark=mark, with_links=level == "3", **more)


def _render(template: str, **values: object) -> str:
    return _environment().get_template(template).render(**values).strip() + "\n"


@functools.lru_cache(maxsize=1)
def _environment() -> jinja2.Environment:
    """A prompt is no page: nothing is escaped, and what a template names and nobody gives is an error."""
    return jinja2.Environment(
        loader=jinja2.FunctionLoader(_source),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # noqa: S701 -- plain text for a model
        trim_blocks=True,
        lstrip_blocks=True,
    )


@functools.lru_cache(maxsize=64)
def _source(name: str) -> str:
    place = resources("templates").joinpath("prompts")
    for part in name.split("/"):
        place = place.joinpath(part)
    return place.read_text(encoding="utf-8")
