"""The paper's own method by name, its variants, and the baselines.

A name is what the authors introduce in their own voice (``we propose X, a ...``, ``called X``), what the title gives
before a colon, and what a row of the result tables is labelled with; the candidate with most of these wins. Other rows
that carry the name, or that an ablation lists, are variants; what remains are baselines.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from nature_gym.screening.contributions import Contribution, contributions
from nature_gym.screening.cues import Line, Scoped, scoped
from nature_gym.screening.manuscript import Manuscript
from nature_gym.screening.metric_lexicon import folded
from nature_gym.screening.result_tables import OURS, ResultTable, is_named, number_in, result_tables

_NAME = r"[A-Za-z0-9]*[A-Z][\w]*(?:[-–+.][A-Za-z0-9]+)*\+*"
_TOKEN = re.compile(rf"\b{_NAME}")
_MIXED = re.compile(r"[A-Z].*[A-Z]|[a-z].*[A-Z]|[A-Z].*\d")
_NOT_NAMES = frozenset(
    [
        "a",
        "an",
        "the",
        "we",
        "our",
        "here",
        "this",
        "in",
        "on",
        "of",
        "for",
        "and",
        "results",
        "methods",
        "table",
        "fig",
        "figure",
        "eq",
        "rna",
        "dna",
        "mrna",
        "ai",
        "ml",
        "dl",
        "cnn",
        "cnns",
        "rnn",
        "rnns",
        "gnn",
        "gnns",
        "lstm",
        "gru",
        "mlp",
        "gan",
        "gans",
        "vae",
        "svm",
        "knn",
        "pca",
        "lda",
        "llm",
        "llms",
        "nlp",
        "ood",
        "sota",
        "gpu",
        "gpus",
        "cpu",
        "cpus",
        "mri",
        "fmri",
        "eeg",
        "ecg",
        "ct",
        "pet",
        "ms",
        "nmr",
        "xrd",
        "dft",
        "md",
        "pdb",
        "gwas",
        "snp",
        "snps",
        "scrna-seq",
        "rna-seq",
        "chip-seq",
        "atac-seq",
        "covid-19",
        "3d",
        "2d",
        "1d",
        "usa",
        "uk",
        "eu",
        "ii",
        "iii",
        "iv",
        "auc",
        "auroc",
        "auprc",
        "f1",
        "mae",
        "mse",
        "rmse",
        "r2",
        "bayesian",
        "gaussian",
        "fourier",
        "markov",
        "monte",
        "carlo",
        "boltzmann",
        "hilbert",
        "euclidean",
        "wasserstein",
        "transformer",
        "i",
        "it",
        "its",
        "they",
        "these",
        "those",
        "that",
        "which",
        "as",
        "at",
        "by",
        "from",
        "with",
        "to",
        "is",
        "are",
        "was",
        "were",
        "using",
        "based",
    ]
)
_CALLED = re.compile(
    rf"\b(?:called|named|termed|dubbed|coined|denoted|abbreviated|baptised|christened|known as|referred to as"
    rf"|(?:we|which) (?:call|name|term|dub|refer to)(?: (?:it|this|the \w+(?: \w+)?|them|as))*"
    rf"|go(?:es)? by the name(?: of)?|under the name(?: of)?)\s(?:as\s)?[\"“‘']?(?:the\s)?(?P<name>{_NAME})"
)
_PARENTHESIS = re.compile(rf"[(]\s*(?:hereafter |henceforth |called |or |abbreviated )?(?P<name>{_NAME})\s*[);,]")
_LEADING = re.compile(
    rf"^(?:the\s+|our\s+)?(?:(?:new|novel)\s+)?(?P<name>{_NAME})\b(?=\s*(?:[,.:;(]|that\b"
    rf"|which\b|to\b|for\b|as\b|with\b|and\b|is\b|in\b|on\b|—|–|$))"
)
_PHRASE = re.compile(
    r"^(?:the|our)\s+(?P<name>[a-z][\w-]*(?:\s[a-z][\w-]*){0,2})\s*(?=[:,;(]|\bthat\b|\bwhich\b"
    r"|\bin which\b)"
)
_RESULT_IS = re.compile(
    rf"\b(?:the result(?:ing \w+)?|the outcome|our answer|our method|our model|our approach|our network"
    rf"|our solution|the proposed \w+|solve it with|solved (?:it )?(?:by|with)|show that|by means of|embodied in"
    rf"|our contribution|our proposal|implemented (?:as|in)|realised (?:as|in|by)|realized (?:as|in|by)"
    rf"|learned (?:by|with))\s*(?:is\s+)?,?\s*(?:is\s+)?(?P<name>{_NAME})\b"
)
_APPOSITIVE = re.compile(rf"(?<![\w-])(?P<name>{_NAME}),?\s(?:is|,)?\s?(?:our|an?)\s(?:new|novel|\w+[-–]\w+|\w+)\s")
_TITLE_COLON = re.compile(rf"^(?P<name>{_NAME})\s?[:—]\s")
_TITLE_START = re.compile(
    rf"^(?P<name>{_NAME})\s(?=(?:for|is|enables|predicts|makes|improves|learns|identifies"
    rf"|reveals|can|infers|detects|finds|accurately)\b|–\s)"
)
_TITLE_WITH = re.compile(rf"\b(?:with|by|using|via|through|from)\s(?P<name>{_NAME})(?=,|$|\s(?:and|for|in)\b|:)")
_AGAINST = re.compile(
    r"\b(?:against|than|over|versus|vs\.?|compared (?:with|to)|baselines?(?: are| were|:)?|beats?|outperform(?:s"
    r"|ed)?|exceed(?:s|ed)?|surpass(?:es|ed)?|behind|of|unlike)\s+(?:the\s)?$",
    re.IGNORECASE,
)


COMMON_LEARNER = re.compile(
    r"(?:the |a |linear |logistic |multinomial |multiple |ordinary |kernel |gaussian |bayesian |deep |plain "
    r"|standard |vanilla |simple )*"
    r"(?:(?:random|decision|extra|regression) (?:forests?|trees?)|(?:gradient|tree|extreme gradient"
    r"|ada)[- ]?boost\w*|xgboost|xgb|lightgbm|lgbm"
    r"|catboost|rf|gbm|gbdt|svm|svr|svc|lr|lasso|ridge(?: regression)?|elastic ?net|regression|least squares|ols"
    r"|pls(?:-da)?|lda|qda|pca|k?-?nn"
    r"|(?:k-)?nearest neighbou?rs?|naive bayes|support[- ]vector (?:machines?|regression|classifiers?)|(?:neural"
    r"|convolutional|recurrent|graph|residual|feed-?forward|artificial)"
    r"(?: neural)?(?: networks?)?|network|cnn|rnn|dnn|gnn|gcn|gat|ann|mlp|lstm|gru|bilstm|tcn|transformers?"
    r"|(?:3d[- ])?u-?net(?:\+\+)?"
    r"|resnet-?\d*|vgg-?\d*|densenet-?\d*|efficientnet\S*|inception\S*|mobilenet\S*|alexnet|vit\S*|bert|gpt-?\S*"
    r"|llama\S*|auto-?encoders?|vae|gan"
    r"|gaussian process(?:es)?|gp|cox(?: model| regression)?|mean|persistence|random|baseline|control|ensemble"
    r"|average|all|none|full|total)",
    re.IGNORECASE,
)
"""Learners that everybody knows: no paper's own method goes by such a name alone."""


@dataclass(frozen=True, slots=True)
class Methods:
    """The paper's own method and what it is compared with, as the result tables and the text call them."""

    name: str
    """Empty where the method has none."""
    names: tuple[str, ...]
    """All its names: what labels and sentences are searched for."""
    variants: tuple[str, ...]
    baselines: tuple[str, ...]
    tables: tuple[ResultTable, ...]
    """All tables of results of the paper, read with the names."""

    @property
    def comparisons(self) -> tuple[ResultTable, ...]:
        """Main tables in which the own method stands beside others."""
        return tuple(
            table
            for table in self.tables
            if table.kind in ("main", "cost")
            and self.own_in(table)
            and any(not self.is_own(method) for method in table.methods)
        )

    def is_own(self, label: str) -> bool:
        """Whether a row is the own method or one of its variants."""
        return is_named(label, self.names) or label in self.variants

    def own_in(self, table: ResultTable) -> tuple[str, ...]:
        return tuple(method for method in table.methods if self.is_own(method))

    def main_row(self, table: ResultTable) -> str | None:
        """The row of the method itself: the label nearest to its name, the last of equals."""
        own = [method for method in table.methods if is_named(method, self.names)] or list(self.own_in(table))
        if not own:
            return None
        return min(
            reversed(own),
            key=lambda label: (not OURS.search(label), len(label)) if not self.name else _distance(label, self.name),
        )


def _distance(label: str, name: str) -> tuple[int, int]:
    bare = OURS.sub("", label).replace("(full)", "").strip()
    return (0 if folded(bare) == folded(name) else 1, len(bare))


_kept: WeakKeyDictionary[Manuscript, Methods] = WeakKeyDictionary()


def methods_of(manuscript: Manuscript) -> Methods:
    """The methods of the paper, found once."""
    found = _kept.get(manuscript)
    if found is None:
        found = _kept[manuscript] = _methods(manuscript)
    return found


def _methods(manuscript: Manuscript) -> Methods:
    paper = scoped(manuscript)
    tables = result_tables(manuscript.document.tables)
    made = contributions(paper)
    names = _names(paper, made, tables)
    if names:
        tables = result_tables(manuscript.document.tables, names)
    elif not any(OURS.search(method) for table in tables for method in table.methods):
        return Methods("", (), (), (), tables)
    name = _as_printed(names[0], tables) if names else ""
    variants, baselines = _rows(paper, names, tables)
    return Methods(name, names, variants, baselines, tables)


def _as_printed(name: str, tables: Sequence[ResultTable]) -> str:
    """The name as a row prints it, where one does: ``we propose the logit committee`` is ``Logit committee`` there."""
    labels = (OURS.sub("", method).strip() for table in tables for method in table.methods)
    return next((label for label in labels if folded(label) == folded(name)), name)


# -- the name ------------------------------------------------------------------------


class _Ballot:
    """Candidates for the name, with the points that speak for each."""

    def __init__(self) -> None:
        self.worth: dict[str, float] = {}
        self.spelling: dict[str, str] = {}

    def add(self, name: str, points: float) -> None:
        key = folded(name)
        if len(name) > 1 and key not in _NOT_NAMES:
            self.spelling.setdefault(key, name)
            self.worth[key] = self.worth.get(key, 0.0) + points

    def best(self) -> tuple[str, float]:
        """The name with most points; an empty one where there is none."""
        if not self.worth:
            return "", 0.0
        key = max(self.worth, key=lambda name: self.worth[name])
        return self.spelling[key], self.worth[key]


def _names(paper: Scoped, made: Iterable[Contribution], tables: Sequence[ResultTable]) -> tuple[str, ...]:
    """The name that won, or none."""
    ballot = _Ballot()
    _from_title(paper.title, ballot)
    for contribution in made:
        if contribution.kind != "theory":
            weight = 2.0 if contribution.line.zone == "abstract" else 1.0
            _from_object(
                contribution, weight / 2 if contribution.kind in ("resource", "thing", "finding") else weight, ballot
            )
    for line in (*paper.abstract, *(line for line in paper.claims if line.zone != "abstract")):
        if match := _CALLED.search(line.text):
            ballot.add(_short(match, line.text), 6 if line.zone == "abstract" else 4)
        if line.zone == "abstract" and (match := _APPOSITIVE.search(line.text)):
            ballot.add(match["name"], 2)
    labels = _labels(tables)
    _weigh_rows(ballot, labels, paper)
    name, points = ballot.best()
    if points < _ENOUGH or not any(is_named(label, (name,)) for label in labels):
        by_row = _from_rows(paper, tables)
        if by_row or points < _ENOUGH:
            return by_row
    return (name,)


def _weigh_rows(ballot: _Ballot, labels: dict[str, bool], paper: Scoped) -> None:
    """Rows that carry a candidate speak for it; one that neither title, abstract nor tables know is dropped.

    Such a one is a part of the method, perhaps.
    """
    title, head = folded(paper.title), folded(" ".join([paper.title, *(line.text for line in paper.abstract)]))
    for key, name in ballot.spelling.items():
        rows = [label for label in labels if is_named(label, (name,))]
        if rows:
            ballot.worth[key] += 4 if any(folded(OURS.sub("", row)).strip() == key for row in rows) else 2
            ballot.worth[key] += 3 * any(labels[row] for row in rows)
        if key in title:
            ballot.worth[key] += 2
        elif key not in head and not rows:
            del ballot.worth[key]


_ENOUGH = 3


def _short(match: re.Match[str], text: str) -> str:
    """The name, or the acronym that follows where the name is the first of several words."""
    after = _ACRONYM.match(text, match.end())
    return after["name"] if after else match["name"]


_ACRONYM = re.compile(rf"(?:[\s-][\w-]+){{1,8}}\s\((?P<name>{_NAME})\)")


def _from_rows(paper: Scoped, tables: Sequence[ResultTable]) -> tuple[str, ...]:
    """No sentence names the method: the row that stands where authors put their own.

    Theirs is named in title or abstract, comes last, is best, has an ablation of its own, and is no learner that
    everybody knows.
    """
    head = folded(" ".join(line.text for line in paper.abstract))
    ablated = [
        folded(method) for table in tables if table.kind in ("ablation", "sensitivity") for method in table.methods
    ]
    worth: dict[str, float] = {}
    for table in tables:
        if table.kind not in ("main", "cost"):
            continue
        for method in table.methods:
            bare = OURS.sub("", method).strip()
            if len(bare) < _SHORTEST or COMMON_LEARNER.fullmatch(bare) or number_in(bare) is not None:
                continue
            points = 3.0 * _says(folded(paper.title), bare) + 2.0 * _says(head, bare)
            points += 2.0 * (method == table.methods[-1]) + 1.0 * bool(_MIXED.search(bare))
            points += 2.0 * any(_is_variant_of(other, bare) for other in table.methods)
            points += 2.0 * any(_says(label, bare) for label in ablated) + 1.5 * _is_best(table, method)
            worth[bare] = max(worth.get(bare, 0.0), points)
    best = max(worth, key=lambda label: worth[label], default="")
    return (best,) if best and worth[best] >= _ENOUGH_OF_A_ROW else ()


_SHORTEST = 3
_ENOUGH_OF_A_ROW = 5.0


def _says(low: str, label: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(folded(label))}(?![a-z0-9])", low) is not None


def _is_variant_of(label: str, name: str) -> bool:
    """``X, no sharpening``, ``X-small`` and ``X (one view)`` are variants of ``X``."""
    low, start = folded(label), folded(name)
    return low.startswith(start) and re.match(r"\s?[-,(/+]|\s(?:with|without|w/o?)\b", low[len(start) :]) is not None


def _is_best(table: ResultTable, method: str) -> bool:
    """Whether the method is best in most columns."""
    columns = [(metric, group) for metric in table.metrics for group in table.groups]
    best = [table.best(metric, group, table.methods) for metric, group in columns]
    won = sum(1 for entry in best if entry is not None and entry.method == method)
    return won * 2 > sum(1 for entry in best if entry is not None)


def _labels(tables: Sequence[ResultTable]) -> dict[str, bool]:
    """Row labels of all result tables, and whether each is the last row or marked as the authors' own."""
    found: dict[str, bool] = {}
    for table in tables:
        methods = table.methods
        for method in methods:
            last = table.kind == "main" and method == methods[-1]
            found[method] = found.get(method, False) or last or bool(OURS.search(method))
    return found


def _from_title(title: str, ballot: _Ballot) -> None:
    for pattern, points in ((_TITLE_COLON, 4), (_TITLE_START, 3), (_TITLE_WITH, 3)):
        match = pattern.search(title)
        if match and (_MIXED.search(match["name"]) or pattern is _TITLE_COLON):
            ballot.add(match["name"], points)


def _from_object(contribution: Contribution, weight: float, ballot: _Ballot) -> None:
    named, text = contribution.object, contribution.line.text
    if match := _LEADING.match(named):
        ballot.add(match["name"], 3 * weight if _MIXED.search(match["name"]) else 2 * weight)
    elif match := _PHRASE.match(named):
        ballot.add(match["name"], 2 * weight)
    if match := _RESULT_IS.search(text):
        ballot.add(match["name"], 3 * weight)
    if match := _PARENTHESIS.search(named):
        ballot.add(match["name"], 2 * weight if _MIXED.search(match["name"]) else 0)
    for match in _TOKEN.finditer(named):
        if _MIXED.search(match[0]) and not _AGAINST.search(named[: match.start()]):
            ballot.add(match[0], 0.5 * weight)


# -- variants and baselines ------------------------------------------------------------

_VARIANT_TALK = re.compile(
    r"\bvariants?\b|\bablat|\b(?:reduced|simplified|stripped|lighter|smaller) versions?\b"
    r"|\bversions? of (?:it|our)\b|\bswitched off\b|\bturned off\b",
    re.IGNORECASE,
)
_BASELINE_TALK = re.compile(
    r"\bbaselines?\b|\bcompar(?:ed|ison|e|isons)\b|\bcompetitors?\b"
    r"|\breference methods?\b|\brivals?\b|\balternatives?\b|\bearlier methods?\b",
    re.IGNORECASE,
)
_BASELINE_SECTION = re.compile(
    r"\bbaselines?\b|\bcompar|\bcompetit|\breference methods\b|\brival"
    r"|\bother methods\b|\bearlier methods\b",
    re.IGNORECASE,
)


def _rows(
    paper: Scoped, names: Sequence[str], tables: Sequence[ResultTable]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Labels of the comparing tables other than the method: (variants, baselines)."""
    main = [
        table
        for table in tables
        if table.kind in ("main", "cost") and any(is_named(method, names) for method in table.methods)
    ]
    ablated = {folded(method) for table in tables if table.kind == "ablation" for method in table.methods}
    labels = list(dict.fromkeys(method for table in main for method in table.methods))
    variants: list[str] = []
    baselines: list[str] = []
    for label in labels:
        if any(folded(OURS.sub("", label).strip()) == folded(name) for name in names) or OURS.search(label):
            continue
        if is_named(label, names) or folded(label) in ablated or _described_as_variant(paper, label):
            variants.append(label)
        else:
            baselines.append(label)
    for table in tables:
        if table.kind == "ablation":
            variants += [
                method
                for method in table.methods
                if is_named(method, names) and not _is_plain(method, names) and method not in variants
            ]
    return tuple(variants), tuple(baselines)


def _is_plain(label: str, names: Sequence[str]) -> bool:
    bare = re.sub(r"\s*\((?:full|ours|complete|proposed|all)[^()]*\)", "", folded(label)).strip()
    return bare in {folded(name) for name in names}


@functools.lru_cache(maxsize=512)
def _stem_pattern(label: str) -> re.Pattern[str] | None:
    stems = [
        word[:6]
        for word in re.findall(r"[a-z0-9]+", folded(label))
        if len(word) > 2 and word not in {"the", "with", "and", "for", "single"}
    ]
    return re.compile(r".{0,60}?".join(map(re.escape, stems[:4]))) if stems else None


def _described_as_variant(paper: Scoped, label: str) -> bool:
    """Whether the methods call it a variant and no sentence calls it a baseline."""
    pattern = _stem_pattern(label)
    if pattern is None:
        return False
    variant = False
    for line in paper.in_zones("methods", "results"):
        if not pattern.search(folded(line.text)):
            continue
        if _BASELINE_SECTION.search(line.sentence.section) or _BASELINE_TALK.search(line.text):
            return False
        variant = variant or bool(_VARIANT_TALK.search(line.text))
    return variant


def line_names(line: Line, methods: Methods) -> bool:
    """Whether a sentence speaks of the paper's own method, by name or as ``our model``."""
    return is_named(line.text, methods.names) or bool(_OUR_METHOD.search(line.text))


_OUR_METHOD = re.compile(
    r"\b(?:our|the proposed|the new|the present)\s(?:\w+[\s-]){0,3}(?:method|model|approach|network|algorithm"
    r"|framework|architecture|system|decoder|classifier|potential|scheme|estimator|predictor|detector)s?\b"
    r"|\b[Ww]e (?:out|exceed|surpass|improve|achieve|obtain|reach|attain)",
    re.IGNORECASE,
)
