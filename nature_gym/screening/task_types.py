"""The kind of task, as the paper's own words have it: classification, regression, segmentation, generation..."""

from __future__ import annotations

import re
from collections import Counter

from nature_gym.screening.cues import scoped
from nature_gym.screening.manuscript import Manuscript
from nature_gym.screening.methods import methods_of

_TYPES: tuple[tuple[str, str], ...] = (
    ("clustering", r"\bcluster(?:s|ing|ed)?\b"),
    ("retrieval", r"\bretriev\w+|\bnearest images\b|\bsearch for similar\b"),
    ("segmentation", r"\bsegment(?:s|ation|ing|ed)?\b|\boutlin(?:e|ing)s?\b|\bmasks?\b"),
    ("object detection", r"\b(?:object|particle|cell|event) (?:detect|pick)\w+|\bbounding boxes\b|\bpicking\b"),
    (
        "inverse design",
        (
            r"\binverse design\b|\bdesign(?:s|ed)? (?:of )?(?:materials|molecules|coatings|sequences"
            r"|proteins)"
        ),
    ),
    ("distribution sampling", r"\bsampl(?:er|ers|ing) (?:of|from)?\b|\bequilibrium\b|\bboltzmann\b"),
    ("generation", r"\bgenerat(?:es?|ion|ive)\b|\bde novo\b"),
    ("reinforcement learning", r"\breinforcement learning\b|\bpolicy\b|\bagents?\b"),
    (
        "structure prediction",
        (
            r"\b(?:structure|structures|fold(?:s|ing)?) (?:prediction|predict)"
            r"|\bsecondary structures?\b|\bbase pairs\b"
        ),
    ),
    ("forecasting", r"\bforecast\w*|\bnowcast\w*|\btime series\b"),
    (
        "multi-target regression",
        (
            r"\bmulti-?(?:target|output|response) |\bseveral (?:targets|responses)\b"
            r"|\bcoupled responses\b"
        ),
    ),
    ("ranking", r"\brank(?:s|ing|ed)?\b|\bprioriti[sz]\w+|\brecommend\w+"),
    (
        "binary classification",
        (
            r"\bbenign\b|\bbinary\b|\bcase(?:s)? (?:and|or) controls?\b"
            r"|\binteraction(?:s)? of (?:two|pairs)"
        ),
    ),
    ("multi-class classification", r"\bmulti-?class\b|\bcell types?\b|\bcultivars?\b|\bclass(?:es)?\b"),
    ("classification", r"\bclassif\w+|\bdiagnos\w+|\bannotat\w+|\brecogni[sz]\w+|\bdetect\w+"),
    ("regression", r"\bregress\w+|\bpredict(?:s|ed|ion|ing)?\b|\bestimat\w+|\bvelocity\b|\bprogression\b"),
)
_COMPILED = tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _TYPES)
_BY_METRIC: dict[str, frozenset[str]] = {
    "classification": frozenset({"auroc", "auprc", "f1", "macro f1", "accuracy", "mcc", "balanced accuracy"}),
    "regression": frozenset({"rmse", "mae", "r2", "mape", "mse", "spearman", "pearson"}),
    "segmentation": frozenset({"dice", "iou", "hausdorff"}),
    "clustering": frozenset({"ari", "nmi"}),
    "retrieval": frozenset({"ndcg", "mrr"}),
    "distribution sampling": frozenset({"wasserstein", "divergence"}),
}
_FAMILY = {
    "binary classification": "classification",
    "multi-class classification": "classification",
    "multi-target regression": "regression",
    "forecasting": "regression",
}
_METRIC_POINTS = 4
_NO_TASK = re.compile(
    r"\b(?:\w+th|first|second|third|next|new|current|latest|last|previous|older|\d\w*)[- ]generations?\b"
    r"|\bgenerations? (?:of|sequencing)\b|\bcluster(?:ed)? expansions?\b|\bcoupled[- ]clusters?\b"
    r"|\b(?:galaxy|star|globular|compute|computing|gene|metal|atomic|cpu|gpu) clusters?\b"
    r"|\b(?:logistic|linear|ridge|lasso|cox|kernel|support[- ]vector|gaussian process|symbolic|stepwise|multinomial"
    r"|elastic[- ]net) regressions?\b|\b(?:time|first)[- ]class\b|\bpolicy[- ]?mak\w+|\bpublic polic(?:y|ies)\b"
    r"|\bgenerat(?:e|es|ed|ing) (?:new )?(?:insights?|hypothes[ei]s|interest|heat|power|electricity)\b",
    re.IGNORECASE,
)
"""Words of a task that stand in the name of something else."""
_OPPOSITE = {"classification": "regression", "regression": "classification"}


def task_type_of(manuscript: Manuscript) -> str:
    """What the method does to its input, by title, abstract and the metrics of the main tables; empty if unclear."""
    paper = scoped(manuscript)
    methods = methods_of(manuscript)
    labels = sorted({*methods.names, *methods.baselines, *methods.variants}, key=len, reverse=True)
    names = re.compile("|".join(rf"(?<!\w){re.escape(label)}(?!\w)" for label in labels) or r"(?!)")
    title, *lines = (
        _NO_TASK.sub(" ", names.sub(" ", text)) for text in (paper.title, *(line.text for line in paper.abstract))
    )
    points: Counter[str] = Counter()
    for name, pattern in _COMPILED:
        points[name] += 3 * len(pattern.findall(title))
        points[name] += sum(len(pattern.findall(line)) for line in lines)
    keys = {kind.key for table in methods.comparisons for kind in table.kinds.values()}
    families = {family for family, metrics in _BY_METRIC.items() if keys & metrics}
    for name in list(points):
        if points[name] and _FAMILY.get(name, name) in families:
            points[name] += _METRIC_POINTS
    for family in families:
        points[family] += 1
        if families == {family} and family in _OPPOSITE:
            # "predict" is said of classes, and "detect" of quantities: the metric knows better.
            points[family] += points.pop(_OPPOSITE[family], 0)
    best = points.most_common(1)
    return best[0][0] if best and best[0][1] > 0 else ""
