"""The evaluation settings of a paper, by data set: which can be used, which cannot, and why.

Settings are told apart by their data. Each group of columns (or rows) of a main result table is one: one training set
with three test sets makes three, several targets of one model make one, and the same data in two tables are one.
Ablations and sensitivity studies are never settings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from nature_gym.screening.manuscript import Manuscript, Sentence
from nature_gym.screening.protocols import Mention, Protocol, is_cross_validated, protocol_mentions
from nature_gym.screening.result_tables import ResultTable, best_of, is_named, result_tables, score_of
from nature_gym.screening.statements import Component, Term
from nature_gym.screening.task import Score, Setting

BLOCKED: dict[Term, str] = {
    "on_request": "on_request",
    "agreement": "agreement_required",
    "identity": "identity_required",
}
"""Terms under which data cannot be had without asking -> the code of that."""

_OVER_ALL = re.compile(r"^(?:average|mean|overall|all|total|avg\.?|macro|rank|mean rank)$", re.IGNORECASE)
_TARGETS = re.compile(
    r"\b(?:target (?:properties|quantities|variables)|properties|endpoints?|responses|quantities|traits|variables|"
    r"classes|organs)\b",
    re.IGNORECASE,
)
_SETS = re.compile(
    r"\b(?:data ?sets?|benchmarks?|cohorts?|test sets|corpora|collections|sites|hospitals|conditions|families|"
    r"temperatures|states)\b",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\s*[([][^()\[\]]*[)\]]")
_LONGEST_NAME = 120


@dataclass(frozen=True, slots=True)
class Core:
    """What the main experiments are: settings with the mention that tells how each is evaluated."""

    settings: tuple[Setting, ...]
    mentions: tuple[Mention, ...]
    tables: tuple[ResultTable, ...]


def plain_name(name: str) -> str:
    """A data set's name without what stands in brackets behind it.

    >>> plain_name("Exercise (5-fold)"), plain_name("OpenGap")
    ('Exercise', 'OpenGap')
    """
    return _ASIDE.sub("", name).strip() or name.strip()


def dataset_names(tables: Iterable[ResultTable]) -> tuple[str, ...]:
    """The names under which main tables list data sets."""
    names = [plain_name(group) for table in tables if table.kind == "main" for group in table.groups]
    return tuple(name for name in dict.fromkeys(names) if name and not _OVER_ALL.match(name))


def names_any(text: str, names: Iterable[str]) -> bool:
    """Whether ``text`` names one of the data sets ``names``, as a whole word."""
    return any(name in text and re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-]*\w)", text) for name in names)


def core_experiments(
    manuscript: Manuscript, components: Sequence[Component], method: str = "", variants: Sequence[str] = ()
) -> Core:
    """The settings of the main result tables, each with its protocol, its access and its scores."""
    own = [name for name in (method, *variants) if name]
    tables = result_tables(manuscript.document.tables, own)
    mentions = protocol_mentions(manuscript)
    names = dataset_names(tables)
    notes = {table.label: f"{table.caption} {table.notes}" for table in manuscript.document.tables}
    found: dict[str, Setting] = {}
    for table in tables:
        if table.kind == "subgroup":
            for group in table.groups:
                name = group or _named_by(table)
                reason = "a subgroup of the test data, with the same models and the same references"
                found.setdefault(name.casefold(), Setting(name=name, accepted=False, reason=reason))
        if table.kind != "main":
            continue
        for name, groups in _data_sets(table):
            made = _setting(table, name, groups, mentions, names, notes.get(table.label, ""), components, own)
            known = found.get(name.casefold())
            found[name.casefold()] = made if known is None else _merged(known, made)
    return Core(tuple(found.values()), mentions, tables)


def _merged(known: Setting, made: Setting) -> Setting:
    """The same data in another table: one setting, with the scores of both."""
    if not known.reason.startswith("a subgroup") and known.protocol != "unknown":
        return known.model_copy(
            update={"sota": (*known.sota, *made.sota), "baseline": (*known.baseline, *made.baseline)}
        )
    return made


def _data_sets(table: ResultTable) -> list[tuple[str, tuple[str, ...]]]:
    """(name, groups) of each data set of a table; targets of one model are one."""
    groups = tuple(group for group in table.groups if not _OVER_ALL.match(group.strip()))
    if not groups:
        return [(_named_by(table), table.groups)]
    shorter: dict[str, list[str]] = {}
    for group in groups:
        shorter.setdefault(_without_quantity(group) or "", []).append(group)
    if len(shorter) < len(groups):
        return [(name or _named_by(table), tuple(members)) for name, members in shorter.items()]
    if len(groups) > 1 and _TARGETS.search(table.caption) and not _SETS.search(table.caption):
        if any(is_cross_validated(group) for group in groups) or not all(groups):
            return [(group or _named_by(table), (group,)) for group in groups]
        return [(_named_by(table), groups)]
    return [(group or _named_by(table), (group,)) for group in groups]


_QUANTITY = re.compile(
    r"^(?:[EFSQ]|energ(?:y|ies)|forces?|stress(?:es)?|virials?|charges?|dipoles?|(?:dipole )?moments?|"
    r"polari[sz]abilit(?:y|ies)|"
    r"band ?gaps?|volumes?|densit(?:y|ies)|pressures?|temperatures?|velocit(?:y|ies)|x|y|z|[↑↓]|\((?:[^()]*)\))$",
    re.IGNORECASE,
)


def _without_quantity(group: str) -> str:
    """A heading without the physical quantity in it: one model predicts several of the same samples.

    >>> _without_quantity("300 K, E"), _without_quantity("Forces"), _without_quantity("OpenGap")
    ('300 K', '', 'OpenGap')
    """
    kept = [word for word in re.split(r"[\s,;/]+", group) if word and not _QUANTITY.match(word)]
    return " ".join(kept)


def _named_by(table: ResultTable) -> str:
    return re.split(r"(?<=\w)\.\s", table.caption.strip() or table.label)[0].rstrip(".")[:_LONGEST_NAME]


def _setting(
    table: ResultTable,
    name: str,
    groups: Sequence[str],
    mentions: Sequence[Mention],
    names: Sequence[str],
    notes: str,
    components: Sequence[Component],
    own: Sequence[str],
) -> Setting:
    protocol, mention = protocol_of(name, f"{table.caption} {notes}", mentions, names)
    sota, baseline = _scores(table, groups, own)
    setting = Setting(name=name, accepted=False, protocol=protocol, sota=sota, baseline=baseline)
    short = plain_name(name)
    blocked = next((one for one in components if one.term in BLOCKED and names_any(one.clause, [short])), None)
    if blocked is not None and not any(
        one.term == "public" and names_any(one.clause, [short]) for one in components if one is not blocked
    ):
        return setting.model_copy(update={"reason": f"{BLOCKED[blocked.term]}: {blocked.clause}"})
    where = f"with scores in {table.label}"
    told = f" ({mention.sentence.text})" if mention is not None else ""
    deposited = _deposited(components)
    if protocol == "unknown" and deposited is not None and not any(one.protocol == "k_fold" for one in mentions):
        # Test data that lie in a record are the same for everybody, whether or not the text says so.
        protocol, told = "fixed_split", f" ({deposited.sentence.text})"
        setting = setting.model_copy(update={"protocol": protocol})
    match protocol:
        case "k_fold":
            reason = f"invalid_eval_method: cross-validation, no fixed test set{told}"
        case "unknown":
            reason = "the paper does not say how its test data were chosen"
        case "random_split":
            reason = f"a random split that can be drawn again, {where}{told}"
        case "external_test":
            reason = f"a test set of its own, {where}{told}"
        case _:
            reason = f"a fixed split, {where}{told}"
    return setting.model_copy(update={"accepted": protocol not in {"k_fold", "unknown"}, "reason": reason})


def _deposited(components: Iterable[Component]) -> Component | None:
    """The clause that offers test data or their answers to everybody."""
    return next(
        (one for one in components if one.term == "public" and one.of_data and one.parts & {"evaluation", "reference"}),
        None,
    )


def protocol_of(
    name: str, caption: str, mentions: Sequence[Mention], names: Sequence[str]
) -> tuple[Protocol | Literal["unknown"], Mention | None]:
    """How the data set ``name`` is evaluated, and what tells so: its label, then sentences that name it, then any."""
    by_caption = bool(name) and caption.startswith(name)  # then it may be cut off before the test set is named
    if is_cross_validated(name) and not (by_caption and _speaks_of_test(caption)):
        return "k_fold", _first(mentions, "k_fold")
    short = plain_name(name)
    core = [one for one in mentions if one.role == "core"]
    here = [one for one in core if names_any(one.sentence.text, [short])]
    others = [one for one in names if one != short]
    anywhere = [one for one in core if one in here or not names_any(one.sentence.text, others)]
    if is_cross_validated(caption) and not _speaks_of_test(caption):
        return "k_fold", _first(anywhere, "k_fold")
    for found in (here, anywhere):
        best = _decisive(found)
        if best is not None:
            return best.protocol, best
    return "unknown", None


def _speaks_of_test(caption: str) -> bool:
    return bool(
        re.search(r"\b(?:test|held[- ]?out|hold[- ]?out|external|unseen|independent)\b", caption, re.IGNORECASE)
    )


def _decisive(mentions: Sequence[Mention]) -> Mention | None:
    """The mention that counts: a fixed test set that is spoken of outright, then folds, then a split, then any."""
    for protocol in ("fixed_split", "external_test"):
        for mention in mentions:
            if mention.protocol == protocol and mention.strong and not mention.repeated:
                return mention
    ranked = (
        _first(mentions, "k_fold"),
        next((one for one in mentions if one.protocol == "random_split" and not one.repeated), None),
        next((one for one in mentions if not one.strong and not _is_caption(one.sentence)), None),
        next(iter(mentions), None),
    )
    return next((one for one in ranked if one is not None), None)


def _first(mentions: Iterable[Mention], protocol: Protocol) -> Mention | None:
    found = [one for one in mentions if one.protocol == protocol]
    # A caption says less than a sentence does.
    return next((one for one in found if not _is_caption(one.sentence)), found[0] if found else None)


def _is_caption(sentence: Sentence) -> bool:
    return bool(re.match(r"(?:Extended Data |Supplementary )?(?:Table|Fig)", sentence.section))


def _scores(
    table: ResultTable, groups: Sequence[str], own: Sequence[str]
) -> tuple[tuple[Score, ...], tuple[Score, ...]]:
    """The paper's own score of each metric, and the best of the other methods' scores."""
    if not own:
        return (), ()
    sota, baseline = [], []
    for group in groups:
        for metric in table.metrics:
            entries = table.values(metric, group)
            ours = [entry for entry in entries if is_named(entry.method, own)]
            exact = [entry for entry in ours if entry.method.casefold() == own[0].casefold()]
            mine = best_of(exact or ours, table.direction(metric)) or next(iter(exact or ours), None)
            theirs = best_of([entry for entry in entries if entry not in ours], table.direction(metric))
            sota += [score_of(mine, table.label)] if mine is not None else []
            baseline += [score_of(theirs, table.label)] if theirs is not None else []
    return tuple(sota), tuple(baseline)
