"""Rule 1.1: whether an ML task can be extracted. The default is to reject.

A pass needs a method of learning that the authors say is their own, and a sign that it was put to the test. Each
rejection code has its cues (:mod:`nature_gym.screening.scope_cues`); where neither the one nor the other is clear, and
the abstract speaks of learning, the rule is undecided.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from nature_gym.screening import scope_cues as cues
from nature_gym.screening.claims import claims
from nature_gym.screening.contributions import LEARNER, Contribution, contributions
from nature_gym.screening.cues import LEARNERS, LEARNING, TRAINING, Line, Scoped, hits, scoped, speaks_of_others, words
from nature_gym.screening.deciders import Case
from nature_gym.screening.decisions import Evidence
from nature_gym.screening.methods import Methods, methods_of
from nature_gym.screening.ownership import is_plain, is_public_learner, own_lines, public_learners_of, taken_lines
from nature_gym.screening.result_tables import is_named
from nature_gym.screening.rules import Finding, rule
from nature_gym.screening.task_types import task_type_of

_REASONS = {
    "attribution_explainability": "The aim is to explain a model that exists, not to make a better one.",
    "non_ml_factor_comparison": "The model is exchangeable; what is compared are inputs, devices, labels or data.",
    "intermediate_data_evaluation": "What is made is scored only by training other models on it.",
    "general_methodology": "A way of training is shown over many models and tasks; it is no method for one of them.",
    "hardware_dependent": "Learning or inference cannot be separated from an instrument or a chip.",
    "other_out_of_scope": "A resource, an assessment of what exists or a study of another kind; no method of learning.",
    "validation_tool_usage": "Learning is a tool of the analysis; the study is about something else.",
    "non_computational": "Laboratory work, theory or hardware; computation assists at most.",
}
_PASSES = {
    "formulation": "problem formulation",
    "adaptation": "methodological adaptation",
    "learner": "algorithmic innovation",
    "method": "algorithmic innovation",
}
_THRESHOLDS = {
    "attribution_explainability": 4.5,
    "non_ml_factor_comparison": 3.5,
    "intermediate_data_evaluation": 4.5,
    "general_methodology": 4.5,
    "hardware_dependent": 3.0,
    "other_out_of_scope": 3.5,
}


@dataclass(frozen=True, slots=True)
class _Signs:
    """What speaks for a method of the authors' own."""

    best: Contribution | None
    """The sentence that says so."""
    compared: bool
    """A result table has the own method beside others."""
    learning: int
    """Sentences with words of learning."""
    in_abstract: int

    @property
    def is_own_learner(self) -> bool:
        if self.best is None:
            return False
        return self.compared or self.in_abstract > 0 or self.learning >= _SOME_LEARNING


_SOME_LEARNING = 2
_SEVERAL = 2
"""Sentences of the abstract on learning from which on it may be the paper's matter; one may be said in passing."""
_MUCH_LEARNING = 4
_TOOL_SENTENCES = 1


@rule("1.1", version="2")
def ml_task(case: Case) -> Finding:
    """Whether the paper's core is a method of learning of its own."""
    paper = scoped(case.manuscript)
    methods = methods_of(case.manuscript)
    made = contributions(paper)
    signs = _signs(paper, methods, made)
    codes = _codes(case, paper, methods, made, own=signs.is_own_learner and signs.compared)
    over = {code: found for code, found in codes.items() if found.points >= _THRESHOLDS[code]}
    if over:
        code = max(over, key=lambda name: over[name].points / _THRESHOLDS[name])
        return _rejected(code, over[code].lines(), paper)
    if signs.best is not None and signs.is_own_learner:
        kind = _PASSES[signs.best.kind]
        task = case.task.model_copy(
            update={"method": methods.name or _described(signs.best), "task_type": task_type_of(case.manuscript)}
        )
        return Finding(
            "pass",
            f"{kind.capitalize()}: the authors say so of their own method.",
            None,
            (signs.best.line.evidence(),),
            task,
        )
    spoken = signs.in_abstract > 0 or signs.learning >= _MUCH_LEARNING
    in_text = spoken and not methods.tables and _outdoes_others(paper, methods)
    named = own_lines(paper, methods, made) if signs.compared or in_text or _is_in_title(paper, methods) else []
    learns = signs.learning >= _SOME_LEARNING or signs.in_abstract or any(map(is_public_learner, methods.names))
    if named and learns:
        where = "in the title"
        if signs.compared or in_text:
            where = "beside others in the result tables" if signs.compared else "against others in the text"
        reason = f"Algorithmic innovation: a method of learning with a name of its own stands {where}."
        task = case.task.model_copy(update={"method": methods.name, "task_type": task_type_of(case.manuscript)})
        told = max(named, key=lambda line: (line.zone == "abstract", len(LEARNING.findall(line.text))))
        return Finding("pass", reason, None, (told.evidence(),), task)
    return _without_method(paper, methods, signs, codes)


def _is_in_title(paper: Scoped, methods: Methods) -> bool:
    """Whether the title names the method and says that it is one of learning."""
    if not methods.names or not is_named(paper.title, methods.names):
        return False
    if LEARNER.search(paper.title) or LEARNING.search(paper.title):
        return True
    return any(is_named(line.text, methods.names) and LEARNING.search(line.text) for line in paper.abstract)


def _outdoes_others(paper: Scoped, methods: Methods) -> bool:
    """Whether the text says that the method, by name, is better than others: tables may be pictures."""
    return any(
        claim.side == "better" and claim.matter == "quality" and is_named(claim.line.text, methods.names)
        for claim in claims(paper, methods)
    )


def _signs(paper: Scoped, methods: Methods, made: Sequence[Contribution]) -> _Signs:
    usable = [contribution for contribution in made if contribution.kind in _PASSES and not is_plain(contribution)]
    compared = any(table.kind in ("main", "cost") for table in methods.comparisons)
    named = [one for one in usable if methods.name and is_named(one.line.text, methods.names)]
    learners = [one for one in usable if one.kind != "method"]
    # What the abstract or a name stands behind is a contribution; a standard learner that was trained on the way is
    # none, unless prediction is what the title promises.
    is_topic = bool(_TOPIC.search(paper.title) or LEARNING.search(paper.title))
    in_abstract = [
        one for one in learners if one.line in paper.abstract and (one in named or compared or not _is_standard(one))
    ]
    plain = [
        one
        for one in usable
        if one.line in paper.abstract and (compared or (is_topic and _speaks_of_learning(paper.abstract)))
    ]
    elsewhere = [one for one in learners if one.verb not in _TOOL_VERBS and compared]
    ranked = [
        *(one for one in in_abstract if one in named),
        *in_abstract,
        *(one for one in named if one in learners or compared),
        *plain,
        *elsewhere,
    ]
    learning = sum(
        1
        for line in paper.body
        if (LEARNING.search(line.text) or TRAINING.search(line.text)) and not speaks_of_others(line.text)
    )
    in_words = sum(1 for line in paper.abstract if LEARNING.search(line.text))
    return _Signs(ranked[0] if ranked else None, compared, learning, in_words)


_TOPIC = words(
    r"predict\w*",
    r"classif\w+",
    r"forecast\w*",
    r"nowcast\w*",
    r"segment\w+",
    r"recogni[sz]\w+",
    r"detect\w+",
    r"learn(?:ed|ing|s|able)?",
    r"networks?",
    r"models?",
    r"algorithms?",
    r"inference",
    r"imputation",
    r"estimation",
    r"retriev\w+",
    r"decod\w+",
    r"generat\w+",
    r"inverse design",
    r"super-?resolution",
    r"reconstruct\w+",
    r"clustering",
    r"data-driven",
    r"AI",
    r"artificial intelligence",
    r"potentials?",
    r"annotat\w+",
    r"diagnos\w+",
    r"prioriti[sz]\w+",
)
"""Titles that promise a prediction or a learner."""
_STANDARD = words(
    r"random forests?",
    r"(?:gradient|tree|extreme)[- ]?boost\w*",
    r"XGBoost",
    r"LightGBM",
    r"support[- ]vector machines?",
    r"SVMs?",
    r"logistic regressions?",
    r"lasso",
    r"elastic net",
    r"(?:linear )?(?:classifier|decoder|regression model)s?",
    r"artificial neural networks?",
    r"ANNs?",
    r"(?:several|various|multiple|different|two|three|four|five|six) (?:\w+[ -]){0,3}(?:models?|algorithms?"
    r"|classifiers?|techniques?)",
    r"machine[- ]learning (?:models?|classifiers?|algorithms?|approach(?:es)?|analysis|pipeline)",
    r"(?:predictive|prediction|statistical|risk|prognostic|diagnostic) (?:models?|scores?|classifiers?)",
)
_NOVEL = words(
    r"new (?:\w+ )?(?:architecture|loss|algorithm|network|kernel"
    r"|method)s?",
    r"novel",
    r"architectures?",
    r"loss",
    r"re-?engineer\w*",
    r"whose",
    r"first",
)


def _is_standard(contribution: Contribution) -> bool:
    """Whether what was made is a learner that everybody has, made for this study."""
    return bool(_STANDARD.search(contribution.object)) and not _NOVEL.search(contribution.object)


_TOOL_VERBS = frozenset({"trained", "train", "trains", "built", "build", "reported", "implemented", "is"})


def _speaks_of_learning(lines: Sequence[Line]) -> bool:
    return any(LEARNING.search(line.text) for line in lines)


def _codes(
    case: Case, paper: Scoped, methods: Methods, made: Sequence[Contribution], *, own: bool
) -> dict[str, cues.Points]:
    headings = [
        " ".join(row[:1])
        for table in case.manuscript.document.tables
        for row in table.rows[: max(1, table.header_rows)]
    ]
    article_type = case.manuscript.document.article_type
    found = {
        "attribution_explainability": cues.attribution(paper, own),
        "non_ml_factor_comparison": cues.factor_comparison(paper, methods.tables, own),
        "intermediate_data_evaluation": cues.intermediate_data(paper, made, headings, methods.names),
        "general_methodology": cues.general_methodology(paper, made),
        "hardware_dependent": cues.hardware(paper),
        "other_out_of_scope": cues.resource(paper, made, article_type),
    }
    if own:
        for code in ("general_methodology", "other_out_of_scope", "hardware_dependent"):
            found[code].points -= _OWN_METHOD
    return found


_OWN_METHOD = 2.0
"""Points that a method of the authors' own, compared with others in a table, takes from a code."""


def _rejected(code: str, lines: Sequence[Line], paper: Scoped) -> Finding:
    evidence = tuple(line.evidence() for line in lines if line.zone != "title")
    return Finding("reject", _REASONS[code], code, evidence or (Evidence(quote=paper.title),))


def _without_method(paper: Scoped, methods: Methods, signs: _Signs, codes: dict[str, cues.Points]) -> Finding:
    """No method of the authors' own: is learning a tool here, or nothing at all?"""
    tools = [
        line
        for line in hits(paper.in_zones("abstract", "results", "methods"), LEARNERS, negations=True)
        if not speaks_of_others(line.text)
    ]
    near = max(codes, key=lambda code: codes[code].points / _THRESHOLDS[code])
    is_topic = LEARNING.search(paper.title) or (signs.in_abstract and _TOPIC.search(paper.title))
    if signs.in_abstract >= _SEVERAL or is_topic:
        if codes[near].points >= _THRESHOLDS[near] * _NEARLY:
            return _rejected(near, codes[near].lines(), paper)
        return _taken_from_others(paper, methods) or _learning_in_abstract(paper)
    if signs.compared and any(map(is_public_learner, methods.names)) and (found := _taken_from_others(paper, methods)):
        return found
    if len(tools) >= _TOOL_SENTENCES:
        return _rejected("validation_tool_usage", tools[:2], paper)
    wet, theory, computed = (
        sum(len(pattern.findall(line.text)) for line in (*paper.abstract, *paper.body[:_ENOUGH_LINES]))
        for pattern in (cues.WET, cues.THEORY, cues.COMPUTED)
    )
    if codes["other_out_of_scope"].points >= _THRESHOLDS["other_out_of_scope"] * _NEARLY:
        return _rejected("other_out_of_scope", codes["other_out_of_scope"].lines(), paper)
    if computed > wet + theory and computed >= _SOME_COMPUTING:
        statement = cues.best_statement(paper, cues.COMPUTED)
        return _rejected("other_out_of_scope", [statement] if statement else [], paper)
    statement = cues.best_statement(paper, cues.WET if wet >= theory else cues.THEORY)
    return _rejected("non_computational", [statement] if statement else [], paper)


_NEARLY = 0.6
_SOME_COMPUTING = 3
_ENOUGH_LINES = 120
"""Sentences of the body by which laboratory, theory and computation are told apart."""


def _taken_from_others(paper: Scoped, methods: Methods) -> Finding | None:
    """A rejection where what was learned with is a learner that everybody has, tuned or fed with other data."""
    used = public_learners_of(paper.abstract)
    taken = taken_lines(paper, methods)
    by_name = any(map(is_public_learner, methods.names)) or (taken and is_named(taken[0].text, methods.names))
    if not by_name and not (used and (taken or all(map(_is_in_use, used)))):
        return None
    studied, learned = (
        sum(len(pattern.findall(line.text)) for line in paper.abstract) for pattern in (cues.WET, LEARNING)
    )
    is_tool = studied > learned and not LEARNING.search(paper.title)
    proof = [*taken[:1], *used[:1]] or paper.abstract[:1]
    if is_tool:
        return _rejected("validation_tool_usage", proof, paper)
    evidence = tuple(line.evidence() for line in dict.fromkeys(proof))
    return Finding("reject", _TAKEN, "other_out_of_scope", evidence)


_TAKEN = "A learner that exists is tuned, or applied to other data; no method of learning is the authors' own."


def _is_in_use(line: Line) -> bool:
    """``A random forest trained on X predicted Y``: learning happened, nothing was made."""
    return (
        cues.USED_AS_TOOL.search(line.text) is not None
        or TRAINING.search(line.text) is not None
        or bool(re.search(r"\b(?:train|fitt?|fine-?tun|appl|us|evaluat|test|compar)(?:ed|ing|es|ies)?\b", line.text))
    )


def _learning_in_abstract(paper: Scoped) -> Finding:
    lines = [line for line in paper.abstract if LEARNING.search(line.text)]
    analysed = [line for line in lines if cues.USED_AS_TOOL.search(line.text)]
    if analysed and not _TOPIC.search(paper.title) and not LEARNING.search(paper.title):
        return _rejected("validation_tool_usage", analysed[:2], paper)
    reason = (
        "The abstract speaks of learning, but no sentence says that the authors made, cast or adapted a method of it."
    )
    return Finding("undecided", reason, None, tuple(line.evidence() for line in lines[:2]))


def _described(contribution: Contribution) -> str:
    """The method in the authors' words, where it has no name."""
    words = contribution.object.split(",")[0].split(" that ")[0].split(" which ")[0]
    return " ".join(words.split()[:12]).rstrip(".;: ")
