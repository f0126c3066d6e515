"""Metrics by name: what a header or a sentence calls them, which direction is better, and what they measure.

A lexicon of the names that the fields of science use, most specific first. What is in it is a deterministic program
of output and reference where its nature is ``quality``; ``efficiency`` measures cost, ``human`` needs people, and
``unknown`` names something that has to be looked up in the text (``match score``).
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import Literal

from nature_gym.metrics.entry import Direction

Nature = Literal["quality", "efficiency", "human", "unknown"]


@dataclass(frozen=True, slots=True)
class MetricKind:
    """A metric of the lexicon: ``key`` is one for all its spellings."""

    key: str
    direction: Direction | None
    nature: Nature


_UP: Direction = "higher_is_better"
_DOWN: Direction = "lower_is_better"

# (key, direction, nature, pattern); patterns are searched in lower-cased text whose dashes are plain.
_ENTRIES: tuple[tuple[str, Direction | None, Nature, str], ...] = (
    # people
    ("preference", _UP, "human", r"\bpreference|\bpreferred\b|\bwin rate\b"),
    (
        "opinion score",
        _UP,
        "human",
        (
            r"\b(?:mean )?opinion score|\bmos\b|\blikert\b|\b(?:expert|human|reader|clinician)s?"
            r" (?:score|rating|grade|preference|judge?ment)|\brating\b"
        ),
    ),
    # cost
    (
        "latency",
        _DOWN,
        "efficiency",
        (
            r"\blatency|\b(?:inference|run|running|wall[- ]?clock|computation(?:al)?|cpu|gpu|"
            r"training|prediction|processing|execution|elapsed|computing|simulation|solve|solution) ?-?times?\b"
            r"|\bruntime"
            r"|\btime \((?:ms|s|sec|seconds|min|minutes|h|hours)\)|^times?$|\b(?:gpu|cpu|core)[- ]?(?:hours|days)"
            r"|\bseconds per\b|\btime per\b"
        ),
    ),
    (
        "throughput",
        _UP,
        "efficiency",
        (
            r"\bthroughput|\bspeed-?up|\b(?:frames|samples|steps|tokens|images) (?:per|/) ?"
            r"(?:second|s)\b|\bfps\b|\bspeed\b|\bns/day\b"
        ),
    ),
    ("memory", _DOWN, "efficiency", r"\bmemory|\bvram\b|\bram\b|\bmodel size\b|\bstorage\b|\bfootprint\b"),
    ("operations", _DOWN, "efficiency", r"\b[gmt]?flops?\b|\bmacs?\b|\boperations\b|\bcomplexity\b"),
    (
        "parameters",
        _DOWN,
        "efficiency",
        (
            r"^(?:# ?|no\.? of |number of |trainable |model )*param(?:eter)?s\b(?! of)|\bnumber of (?:trainable "
            r"|model )?parameters\b|\bweights \((?:m|k)\)"
        ),
    ),
    (
        "energy use",
        _DOWN,
        "efficiency",
        (
            r"\benergy (?:use|consumption|cost|per)\b|\bpower (?:consumption|draw)\b"
            r"|\bcarbon (?:footprint|emissions)\b|\bcomput\w+ cost\b|\bcost of (?:computation|inference|training)\b"
        ),
    ),
    # ranking and classification
    (
        "auroc",
        _UP,
        "quality",
        (
            r"\bau-?roc\w*|\broc[- ]?auc\b|\bauc[- ]?roc\b|area under (?:the )?(?:receiver|roc)"
            r"|\bc-?statistic\b"
        ),
    ),
    (
        "auprc",
        _UP,
        "quality",
        r"\bau-?prc?\b|\bauc[- ]?prc?\b|\bprc?[- ]?auc\b|\baupr\w*|area under (?:the )?precision",
    ),
    ("average precision", _UP, "quality", r"\bmap\b|\bm?ap(?:50|75|@[\w.:]+)|\b(?:mean )?average precision\b|^m?ap$"),
    ("auc", _UP, "quality", r"\baucs?\b|\barea under (?:the|a) (?:\w+ )?curve\b"),
    ("macro f1", _UP, "quality", r"\bmacro[- ]?(?:averaged )?f-?1|\bf-?1[- ]?(?:macro)\b"),
    ("micro f1", _UP, "quality", r"\bmicro[- ]?(?:averaged )?f-?1|\bf-?1[- ]?(?:micro)\b"),
    ("f1", _UP, "quality", r"\bf-?(?:1|score|measure|beta|0\.5|2)\b|\bf₁"),
    ("balanced accuracy", _UP, "quality", r"\bbalanced accurac|\bbacc\b"),
    ("top-k accuracy", _UP, "quality", r"\btop[- ]?(?:\d+|k|n|one|five|ten)\b"),
    ("mcc", _UP, "quality", r"\bmcc\b|\bmatthews\b"),
    ("kappa", _UP, "quality", r"\bkappa\b|\bcohen'?s\b|\bqwk\b|κ"),
    (
        "sensitivity",
        _UP,
        "quality",
        (
            r"\bsensitivity\b(?! to)|\btrue[- ]positive rate|\btpr\b|\bspecificity\b"
            r"|\btrue[- ]negative rate|\btnr\b"
        ),
    ),
    (
        "hit rate",
        _UP,
        "quality",
        (
            r"\bhits?@|\bhit[- ]?(?:rate|ratio)\b|\brecall@|\brecall at\b|\bprecision@|\bprecision at\b"
            r"|\bp@\d+|\br@\d+"
        ),
    ),
    ("ndcg", _UP, "quality", r"\bndcg|\bdiscounted cumulative gain"),
    ("mrr", _UP, "quality", r"\bmrr\b|\breciprocal rank"),
    ("enrichment", _UP, "quality", r"\benrichment factor|\bbedroc\b|\bef\s?\d+ ?%"),
    ("precision", _UP, "quality", r"\bprecision\b|\bppv\b|\bnpv\b|\bpositive predictive value"),
    ("recall", _UP, "quality", r"\brecall\b"),
    (
        "false rate",
        _DOWN,
        "quality",
        (
            r"\bfalse[- ](?:positive|negative|discovery|alarm)s?(?:[- ]rates?)?\b|\bfpr\b|\bfnr\b"
            r"|\bfdr\b|\bfar\b|\beer\b|\bequal error rate"
        ),
    ),
    ("brier", _DOWN, "quality", r"\bbrier"),
    ("calibration error", _DOWN, "quality", r"\bm?ece\b|\bcalibration error"),
    ("c-index", _UP, "quality", r"\bc-?index\b|\bconcordance(?: index)?\b|\bccc\b"),
    ("csi", _UP, "quality", r"\bcsi\b|\bcritical success|\bthreat score|\bheidke|\bhss\b|\bets\b|\bgilbert skill"),
    (
        "skill score",
        _UP,
        "quality",
        (
            r"\bskill score|\bnse\b|\bnash[-–]sutcliffe|\bkge\b|\bkling[-–]gupta|\bacc skill"
            r"|\banomaly correlation"
        ),
    ),
    # segmentation, images, structures
    ("dice", _UP, "quality", r"\bdice\b|\bdsc\b"),
    ("iou", _UP, "quality", r"\bm?iou\b|\bintersection[- ]over[- ]union|\bjaccard"),
    ("panoptic quality", _UP, "quality", r"\bpanoptic quality|\bpq\b"),
    ("hausdorff", _DOWN, "quality", r"\bhausdorff|\bhd ?95\b|\bhd\b|\bassd\b|\bsurface distance"),
    ("psnr", _UP, "quality", r"\bpsnr\b|\bsignal-to-noise|\bsi-?sdr\b|\bsnr\b"),
    ("ssim", _UP, "quality", r"\b(?:ms-?)?ssim\b|\bstructural similarity"),
    ("lpips", _DOWN, "quality", r"\blpips\b|\bfid\b|\bkid\b|\bfr[eé]chet|\bfcd\b"),
    ("inception score", _UP, "quality", r"\binception score"),
    ("tm-score", _UP, "quality", r"\btm-?score|\bgdt(?:[-_ ]?(?:ts|ha))?\b|\blddt\b|\bdockq\b|\bplddt\b|\bqs-?score"),
    ("rmsd", _DOWN, "quality", r"\br\.?m\.?s\.?d\b\.?\w*|\broot[- ]mean[- ]square(?:d)? deviation"),
    (
        "sequence recovery",
        _UP,
        "quality",
        r"\b(?:sequence|amino[- ]acid|residue)? ?recovery(?: rate)?\b|\bdesignability",
    ),
    ("validity", _UP, "quality", r"\bvalidity\b|\buniqueness\b|\bnovelty\b|\bexact match(?:es)?\b|\bstability rate"),
    # regression and distributions
    (
        "r2",
        _UP,
        "quality",
        (
            r"\br ?[²2]\b|\br\^\{?2\}?|\bcoefficient of determination|\bvariance explained|"
            r"\bexplained variance|r²"
        ),
    ),
    ("nrmse", _DOWN, "quality", r"\bn-?rmse\b|\bnormali[sz]ed (?:rmse|root)|\brelative rmse\b|\brrmse\b"),
    ("rmse", _DOWN, "quality", r"\brmse[sp]?\b|\brmses\b|\brms error|\broot[- ]mean[- ]squared?[- ]error|\bμ?rmsle\b"),
    (
        "mape",
        _DOWN,
        "quality",
        r"\bs?mape\b|\b(?:mean )?absolute percentage error|\bmard\b|\bmre\b|\bmean relative error",
    ),
    ("mae", _DOWN, "quality", r"\bmaes?\b|\bmean absolute (?:error|deviation)|\babsolute error|\bmad\b|\bmedae\b"),
    ("mse", _DOWN, "quality", r"\bn?mse\b|\bmean[- ]squared?[- ]error|\bsquared error"),
    ("relative l2", _DOWN, "quality", r"\b(?:relative )?l[12₁₂](?: (?:error|norm))?\b|\brelative error"),
    ("spearman", _UP, "quality", r"\bspearman|\bρ\b|\bsrcc\b|\brank correlation|\bkendall|\bτ\b"),
    ("pearson", _UP, "quality", r"\bpearson|\bpcc\b|\bplcc\b|\blinear correlation|^r$"),
    ("correlation", _UP, "quality", r"\bcorrelations?\b|\bcorrelation coefficient"),
    (
        "wasserstein",
        _DOWN,
        "quality",
        r"\bwasserstein|\bearth mover|\bemd\b|\bw[12]\b|\bmmd\b|\bmaximum mean discrepancy",
    ),
    (
        "divergence",
        _DOWN,
        "quality",
        r"\bdivergence\b|\bkl\b|\bjsd?\b|\bjensen[-–]shannon|\bkullback|\btotal variation",
    ),
    ("crps", _DOWN, "quality", r"\bcrps\b|\bcontinuous ranked"),
    ("log-likelihood", _UP, "quality", r"\blog[- ]?likelihood|\bllh?\b|\belbo\b|\bbits per spike|\bco-bps\b"),
    (
        "negative log-likelihood",
        _DOWN,
        "quality",
        r"\bnll\b|\bnegative log|\bcross[- ]entropy|\blog[- ]?loss|\bbits per",
    ),
    ("perplexity", _DOWN, "quality", r"\bperplexity|\bppl\b"),
    ("edit distance", _DOWN, "quality", r"\bedit distance|\blevenshtein|\b[wc]er\b|\b(?:word|character) error rate"),
    ("bleu", _UP, "quality", r"\bbleu\b|\brouge\b|\bmeteor\b|\bcider\b|\bbertscore|\bchrf"),
    ("error rate", _DOWN, "quality", r"\berror rate\b|\bmisclassification"),
    # clustering, single cells
    ("ari", _UP, "quality", r"\bari\b|\badjusted rand|\brand index"),
    ("nmi", _UP, "quality", r"\bn?a?mi\b|\bmutual information"),
    ("silhouette", _UP, "quality", r"\bsilhouette|\basw\b|\bpurity\b|\bhomogeneity\b|\bv-measure|\bi?lisi\b|\bkbet\b"),
    # reinforcement, search
    (
        "return",
        _UP,
        "quality",
        (
            r"\b(?:episode|cumulative|average|mean|total|episodic) (?:return|reward)\b|^returns?$"
            r"|^rewards?$|\bregret\b"
        ),
    ),
    ("success rate", _UP, "quality", r"\bsuccess(?: ?rate)?\b|\bsolved\b|\bcompletion rate"),
    ("cosine similarity", _UP, "quality", r"\bcosine|\bspectral (?:similarity|angle|contrast)|\btanimoto"),
    (
        "accuracy",
        _UP,
        "quality",
        (
            r"\baccurac(?:y|ies)\b|\bacc\b\.?|\bcorrect(?:ly)? classified|\bclassification rate"
            r"|\bpercent(?:age)? correct"
        ),
    ),
    # anything that is called an error, a distance or a deviation is computed from output and reference
    (
        "error",
        _DOWN,
        "quality",
        (
            r"\berrors?\b|\bdistances?\b|\bdeviation\b|\bresidual\b|\bbias\b|\bdiscrepancy\b"
            r"|\bloss\b"
        ),
    ),
    (
        "score",
        _UP,
        "unknown",
        (
            r"\bscores?\b|\bsimilarity\b|\bagreement\b|\breward\b|\bquality\b|\boverlap\b|\bindex\b"
            r"|\bcleanliness\b|\bplausib\w+|\brealism\b|\bfidelity\b|\brank\b|\bconsistency\b"
        ),
    ),
)
_COMPILED = tuple(
    (MetricKind(key, direction, nature), re.compile(pattern)) for key, direction, nature, pattern in _ENTRIES
)
_ANY = re.compile("|".join(f"(?:{pattern})" for _, _, _, pattern in _ENTRIES))
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-") | {"’": "'", "_": " "})
_PARENTHESES = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_ARROW = re.compile(r"[↑⬆▲]|\\uparrow")
_ARROW_DOWN = re.compile(r"[↓⬇▼]|\\downarrow")


def folded(text: str) -> str:
    """Lower case, with plain dashes and apostrophes: what the patterns are searched in."""
    return text.translate(_DASHES).lower()


@functools.lru_cache(maxsize=8192)
def metric_kind(text: str) -> MetricKind | None:
    """What a column's heading or a phrase names, or None.

    Arrows in it tell the direction.

    >>> metric_kind("Brier score").direction, metric_kind("Latency (ms)").nature, metric_kind("Species")
    ('lower_is_better', 'efficiency', None)
    """
    low = folded(text)
    if not low or len(low) > 120 or not _ANY.search(low):
        return None
    bare = _PARENTHESES.sub("", low)
    found = next((kind for kind, pattern in _COMPILED if pattern.search(bare)), None) or next(
        (kind for kind, pattern in _COMPILED if pattern.search(low)), None
    )
    if found is None:
        return None
    if _ARROW.search(text):
        return MetricKind(found.key, _UP, found.nature)
    if _ARROW_DOWN.search(text):
        return MetricKind(found.key, _DOWN, found.nature)
    return found


def metric_name(text: str) -> str:
    """A heading without its unit, its arrow and its marks.

    >>> metric_name("RMSE (points) ↓")
    'RMSE'
    """
    bare = _PARENTHESES.sub("", _ARROW_DOWN.sub("", _ARROW.sub("", text))).strip(" *†‡:,;")
    return bare or text.strip()


@functools.lru_cache(maxsize=2048)
def mentions(text: str) -> tuple[tuple[int, MetricKind], ...]:
    """Every metric that ``text`` (a sentence) names, with its place."""
    low = folded(text)
    if len(low) != len(text):
        return ()
    found = []
    for match in _ANY.finditer(low):
        # In prose "map", "far" and "ram" are words; as acronyms they have capitals.
        word = text[match.start() : match.end()].strip()
        if len(word) <= _ACRONYM and word.isalpha() and word.islower() and word not in _SHORT_WORDS:
            continue
        kind = metric_kind(word)
        if kind is not None:
            found.append((match.start(), kind))
    return tuple(found)


_ACRONYM = 4
_SHORT_WORDS = frozenset({"dice", "loss"})
