"""The judges that are language models: each is asked one question on a case, and its answer has a schema.

What the model says is bound three ways: the answer's form, quotations that are looked up in what it was shown, and the
rule that categories go with invalid and only with it. An answer in prose, one that contradicts itself, and one that
cannot be had are ``error``.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files as resources
from typing import Annotated, Literal

import jinja2
from pydantic import BaseModel, ConfigDict, Field

from nature_gym.config import Settings
from nature_gym.digests import digest_json
from nature_gym.judging.case import Case
from nature_gym.judging.policy import CATEGORIES, INVALID, NOT_INVALID, REPRODUCE, Category, policy_digest
from nature_gym.judging.shown import Shown, addresses, shown
from nature_gym.judging.verdict import Evidence, Verdict
from nature_gym.models.client import Question, client_for
from nature_gym.models.faults import ModelError

PREFIX = "llm:"
VERSION = "1"
_PROMPTS = ("judge.j2", "judge_case.j2")


class Place(BaseModel):
    """A passage that proves a verdict."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    file: str
    quote: str


class Opinion(BaseModel):
    """A model's answer."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    verdict: Literal["valid", "invalid"]
    categories: tuple[Category, ...] = ()
    reason: Annotated[str, Field(min_length=1)]
    evidence: tuple[Place, ...] = ()
    addressed: tuple[str, ...] = ()


class ModelJudge:
    """One model as a judge. ``model`` as the settings name it; its service is that of the settings."""

    def __init__(self, model: str, settings: Settings) -> None:
        self.model = model
        self.name = f"{PREFIX}{model}"
        self._settings = settings.model_copy(update={"model": model})

    @property
    def version(self) -> str:
        """Changes with the model, the words of the question, and the form of the answer."""
        told = [VERSION, self.model, self._settings.model_provider, prompt_digest(), Opinion.model_json_schema()]
        return digest_json(told).removeprefix("sha256:")[:12]

    def judge(self, case: Case) -> Verdict:
        """The verdict on a case. A model that gives no answer that can be used gives ``error``."""
        seen = shown(case, self._settings.model_paper_tokens)
        withheld = [_withheld(heading, line) for heading, line in seen.addressed][:20]
        try:
            opinion, use = client_for(self._settings).ask(
                Question(
                    paper=case.name,
                    instructions=_rendered("judge.j2", mark=seen.mark, invalid=INVALID, not_invalid=NOT_INVALID,
                                           has_paper=case.has_paper, reproduce=REPRODUCE),
                    prompt=_rendered("judge_case.j2", mark=seen.mark, parts=seen.parts, attempt=case.attempt.number),
                    answer=Opinion,
                    check=lambda answer: complaint(answer, seen),
                )
            )  # fmt: skip
        except ModelError as error:
            hint = f" ({error.hint})" if error.hint else ""
            return self._verdict(case, "error", f"{error.message}{hint}", notes=tuple(withheld))
        reported = [_withheld("the material", text) for text in opinion.addressed]
        return self._verdict(
            case, opinion.verdict, " ".join(opinion.reason.split())[:1000], categories=opinion.categories,
            evidence=_evidence(opinion, seen), notes=tuple((withheld + reported)[:20]), input_tokens=use.input_tokens,
            output_tokens=use.output_tokens, cost=use.cost,
        )  # fmt: skip

    def _verdict(self, case: Case, verdict: str, reason: str, **more: object) -> Verdict:
        told = {
            "judge": self.name, "version": self.version, "verdict": verdict, "reason": reason, "model": self.model,
            "attempt": case.attempt.number, "policy_digest": policy_digest(), "prompt_digest": prompt_digest(),
            "inputs": case.inputs,
        }  # fmt: skip
        return Verdict.model_validate({**told, **more})


def complaint(opinion: Opinion, seen: Shown) -> str | None:
    """What is wrong with an answer, in words for the model; None where nothing is."""
    faults = []
    if opinion.verdict == "invalid" and not opinion.categories:
        faults.append(f"An invalid verdict has one or more categories of {', '.join(CATEGORIES)}.")
    if opinion.verdict == "valid" and opinion.categories:
        faults.append("A valid verdict has no categories: say invalid, or leave them out.")
    if not opinion.evidence:
        faults.append("Quote what proves the verdict.")
    faults += [
        f"This quote is not in the material, letter for letter, or too short: {one.quote[:200]!r}."
        for one in opinion.evidence
        if seen.find(one.file, one.quote) is None
    ]
    if any(addresses(one.quote) for one in opinion.evidence):
        faults.append("A passage that speaks to the judge proves nothing; quote what the programs do.")
    return " ".join(faults) or None


def prompt_digest() -> str:
    """The digest of the words around the material."""
    return digest_json([_source(name) for name in _PROMPTS])


def _evidence(opinion: Opinion, seen: Shown) -> tuple[Evidence, ...]:
    found = []
    for one in opinion.evidence[:6]:
        place = seen.find(one.file, one.quote)
        if place is not None:
            found.append(Evidence(file=place[0][:300], line=place[1], text=" ".join(one.quote.split())[:500]))
    return tuple(found)


def _withheld(heading: str, line: str) -> Evidence:
    return Evidence(file=heading[:300], text=line[:500], about="speaks to the judge")


def _rendered(template: str, **values: object) -> str:
    return _environment().get_template(template).render(**values).strip() + "\n"


@cache
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FunctionLoader(_source),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # noqa: S701 -- plain text for a model; what is untrusted in it has no brackets
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def _source(name: str) -> str:
    return resources("templates").joinpath("prompts").joinpath(name).read_text(encoding="utf-8")
