"""Where metrics are computed: functions named for one, and calls of libraries' metrics."""

from __future__ import annotations

import re
from dataclasses import dataclass

from nature_gym.cut.values import Project

_NAMED = re.compile(
    r"(^|_)(accuracy|acc|auc|auroc|auprc|aupr|roc|f1|f1_?score|precision|recall|mcc|matthews\w*|rmse|mse|mae|mape|r2|r_?squared|"
    r"pearson\w*|pearsonr|spearman\w*|kendall\w*|concordance\w*|c_?index|ci|dice|iou|jaccard|psnr|ssim|bleu|rouge|meteor|cider|fid|"
    r"ndcg|map|mrr|hit_?rate|hits|ari|nmi|silhouette\w*|log_?loss|brier\w*|ece|kappa|rmsd|tm_?score|gdt|lddt|wasserstein\w*|mmd|"
    r"kl_?divergence|enrichment|perplexity|wer|cer|nrmse|crps|kge|nse|hausdorff\w*|evaluate|metrics?|score|scores)($|_)",
    re.IGNORECASE,
)
_LIBRARIES = (
    "sklearn.metrics",
    "torchmetrics",
    "torcheval",
    "evaluate",
    "scipy.stats.pearsonr",
    "scipy.stats.spearmanr",
    "scipy.stats.kendalltau",
    "scipy.stats.wasserstein_distance",
    "skimage.metrics",
    "lifelines.utils.concordance_index",
    "sksurv.metrics",
    "nltk.translate",
    "rouge_score",
    "sacrebleu",
    "tensorflow.keras.metrics",
    "ignite.metrics",
    "scib.metrics",
)
MAX_FOUND = 200


@dataclass(frozen=True, slots=True)
class MetricCode:
    """A function that computes a metric, or a unit that calls a library's."""

    file: str
    name: str
    line: int


def find_metrics_code(project: Project) -> list[MetricCode]:
    """Where metrics are computed, at most :data:`MAX_FOUND` places."""
    found: dict[tuple[str, str], MetricCode] = {}
    for module in project.modules:
        for scope in module.scopes:
            if scope.name and _NAMED.search(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", scope.short)):
                found.setdefault((module.path, scope.name), MetricCode(module.path, scope.name, scope.line))
            for call in scope.calls:
                full = project.full_name(call.func, scope)
                if full.startswith(_LIBRARIES):
                    name = full.rpartition(".")[2]
                    found.setdefault((module.path, name), MetricCode(module.path, name, call.lineno))
    return list(found.values())[:MAX_FOUND]
