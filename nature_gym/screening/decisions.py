"""A decision: what somebody says of one rule for one paper, why, and where the paper says so."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

Verdict = Literal["pass", "reject", "undecided"]

BEFORE = "0"
"""The rule before all others: the kind of article, and whether it still stands."""

RULES = (BEFORE, "1.1", "2.1", "2.2", "3.1", "3.2", "3.3", "3.4", "3.5", "3.6")
"""All rules, in the order in which they are asked."""

CODES: dict[str, tuple[str, ...]] = {
    "1.1": (
        "validation_tool_usage",
        "non_computational",
        "non_ml_factor_comparison",
        "intermediate_data_evaluation",
        "attribution_explainability",
        "general_methodology",
        "hardware_dependent",
        "other_out_of_scope",
    ),
    "2.1": ("efficiency_metric", "model_analysis", "non_competitive_quality"),
    "2.2": ("human_evaluation", "visual_inspection", "black_box_tool", "depends_on_algorithm", "external_service"),
    "3.1": ("on_request", "agreement_required", "identity_required"),
    "3.2": ("pretrained_model_unavailable", "private_dependency", "dev_data_not_found", "data_anomaly"),
    "3.3": ("no_reference", "eval_data_not_found", "data_anomaly"),
    "3.4": ("toy_data_only", "version_mismatch", "version_unclear"),
    "3.5": ("invalid_eval_method",),
    "3.6": ("too_large", "size_unknown"),
}
"""The rejection codes of each rule. Those of rule ``"0"`` are ``retracted`` and ``article_type:...``."""

ARTICLE_TYPES = (
    "news",
    "editorial",
    "review",
    "perspective",
    "comment",
    "correction",
    "retraction",
    "protocol",
    "correspondence",
    "author_reply",
)
"""The kinds of article that are no research: what stands behind ``article_type:`` in a code of rule ``"0"``."""


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Evidence(_Model):
    """What a decision rests on.

    A quotation stands word for word in the paper: ``start`` and ``end`` count characters in the text of the section
    that has the heading ``section`` (``Abstract`` for the abstract, ``Table 2`` and ``Fig. 3`` for what stands there).
    An observation (of a link, of OpenAlex's record) has neither section nor place, and ``quote`` tells what was seen.
    """

    quote: str
    section: str | None = None
    start: int | None = None
    end: int | None = None


class ModelUse(_Model):
    """What a language model was asked, and what that cost."""

    model: str
    prompt_digest: str
    input_tokens: int
    output_tokens: int
    cost: Annotated[float, Field(description="US dollars; nothing where the answer was remembered.")]
    remembered: bool = False


class Decision(_Model):
    """One rule's verdict.

    ``code`` is set where it is ``reject``: one of :data:`CODES`. ``undecided`` says in ``reason`` what is lacking,
    and is neither a pass nor a rejection.
    """

    rule: str
    verdict: Verdict
    code: str | None = None
    reason: str
    evidence: tuple[Evidence, ...] = ()
    decider: str
    version: str
    by: str | None = None
    """For a person's decision: who."""
    at: AwareDatetime | None = None
    """For a person's decision: when. What a program decides is dated by the stage's record."""
    model: ModelUse | None = None
