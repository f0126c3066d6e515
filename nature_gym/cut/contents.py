"""What a file's first bytes say of who made it: columns of predictions, of metrics, lines of a log, a pickled model.

The one idea: what was measured bears the names of what was measured; what a run put out bears the names of the run
(epoch, loss, y_pred, AUC). Only the bytes that the walk has read anyway are looked at, and nothing is unpickled.
"""

from __future__ import annotations

import re

from nature_gym.cut.names import A, I, N, O, P, Weights
from nature_gym.cut.tree import Entry

_PREDICTED = re.compile(
    r"(y_?)?(pred(s|icted|ictions?)?|hat|prob(s|a|ability|abilities)?|logits?)|y_?true|"
    r"(.*_)?(pred|preds|predicted|predictions?)|(pred|predicted|prediction)_.*|residuals?|.*_prob|prob_\d+|"
    r"ground_?truth|uncertainty|epistemic.*|aleatoric.*",
    re.IGNORECASE,
)
_RUN = re.compile(
    r"epochs?|iter(ation)?s?|global_?step|steps?|lr|learning_?rate|wall_?time|run_?time|run|trial(_?id)?|seed|elapsed.*|"
    r"((train(ing)?|val(id(ation)?)?|test|best|dev|total|avg|mean)_)?(loss|losses)(_.*)?|"
    r"loss_.*|hidden.*|dropout|batch_?size|"
    r"n_?estimators|max_?depth|optimi[sz]er|hyper_?param.*|n_?layers|num_?layers|weight_?decay|params",
    re.IGNORECASE,
)
_METRIC = re.compile(
    r"((train(ing)?|val(id(ation)?)?|test|best|dev|mean|std|avg|average|macro|micro|weighted|balanced|cv)[ _-])*"
    r"(auc|auroc|au_?roc|roc(_?auc)?|auprc|aupr|au_?prc|prc|prauc|pr_?auc|acc|accuracy|precision|recall|"
    r"f1(_?score)?|f_?score|mcc|r2|r\^2|"
    r"rmse|mae|mse|mape|nrmse|pearson(r|_?r)?|spearman(r|_?r)?|kendall.*|kappa|sensitivity|specificity|fpr|tpr|tnr|fnr|"
    r"ndcg(@.*)?|"
    r"mrr|hits?@?\d+|map|bleu.*|rouge.*|dice|iou|miou|psnr|ssim|fid|nll|elbo|c_?index|silhouette|ari|nmi|"
    r"ppv|npv|perplexity|jaccard|"
    r"tp|fp|tn|fn|support|validity|uniqueness|novelty)"
    r"([ _-](mean|std|avg|train|val|valid|test|macro|micro|weighted|sd|se))?",
    re.IGNORECASE,
)
_STATISTIC = re.compile(
    r"p[._ -]?val(ue)?s?|pval(ue)?|p[._]?adj|padj|fdr|q[._ -]?val(ue)?|adj[._ ]?p.*|log2?_?fc|"
    r"log2?_?fold_?change|nes|odds_?ratio|"
    r"importances?|feature_?importances?|mean_?importance|shap(_.*)?|coef(ficient)?s?|"
    r"t_?stat(istic)?|z_?scores?|enrichment.*|overlap|"
    r"ci_?(low|high|lower|upper)|lower_?ci|upper_?ci|std_?err(or)?|adjusted p-value|combined score",
    re.IGNORECASE,
)
_ARRANGED = re.compile(r"split|fold|folds|cv_?fold|partition|subset|is_?(train|test|valid)|train_?test", re.IGNORECASE)
_DIMENSION = re.compile(
    r"(feat|feature|features|dim|emb|embedding|latent|z|pc|v|umap|tsne|f|x|component|comp|node)[ _-]?\d+", re.IGNORECASE
)
_LOG_LINE = re.compile(
    rb"(?m)^\W*([Ee]poch|[Ii]ter(ation)?|[Ss]tep)\b\W*\d|"
    rb"\b([Ll]oss|[Aa]cc(uracy)?|AUC|auc|rmse|RMSE|MAE|mae)\s*[:=]\s*\d|"
    rb"\b(INFO|WARNING|DEBUG)\b\s*[:\]-]|"
    rb"^Namespace\(|Traceback \(most recent|\b\d+/\d+ \[[=>.]+\]|"
    rb"^Using (\w+ )?(backend|device)|\bit/s\]|^\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d"
)
_MODEL = re.compile(
    rb"sklearn\.(ensemble|svm|linear_model|tree|neighbors|neural_network|naive_bayes|gaussian_process|pipeline|model_selection|"
    rb"cluster|mixture|cross_decomposition)|xgboost|lightgbm|catboost|keras|torch\.nn|collections\nOrderedDict|state_dict|c__main__\n|"
    rb"HDF.{0,500}model_weights",
    re.DOTALL,
)
_FITTED = re.compile(
    rb"sklearn\.(preprocessing|decomposition|feature_extraction|feature_selection|impute)|StandardScaler"
)
_BINARY_MODELS = re.compile(rb"^(TFL3|.{4}TFL3)|^\x08\x0a?.{0,20}pytorch|ir_version", re.DOTALL)
_KEYS = re.compile(rb'"([^"\n]{1,60})"\s*:')


def content_evidence(entry: Entry) -> list[tuple[str, Weights]]:
    """What the first bytes of a file speak for: a sentence and weights for each."""
    head = entry.head
    if not head:
        return []
    if entry.kind in {"array", "weights"} and head.startswith((b"\x80", b"(", b"PK")):
        if match := _MODEL.search(head):
            return [(f"an object of {_shown(match[0])}", {O: 2.4})]
        if match := _FITTED.search(head):
            return [(f"an object of {_shown(match[0])}", {A: 2.0, O: 0.6})]
        return []
    if entry.kind not in {"table", "text", "plain", "log"} or b"\0" in head:
        return []
    names = _keys(head) if head.lstrip()[:1] in {b"{", b"["} else _columns(head)
    found = list(_of_names(names))
    if entry.kind in {"text", "plain"} and _is_options(head):
        found.append(("options of a command", {N: 3.0}))
    if entry.kind in {"text", "plain"} and len(lines := _LOG_LINE.findall(head)) >= 2:
        found.append((f"lines of a run's log, {len(lines)} of them", {O: 2.6}))
    return found


MAX_PROSE = 20_000
"""Bytes; what is longer is a text to work on."""
_OPTION = re.compile(rb"--[A-Za-z][\w-]*([ =\t]|$)")
_WORD = re.compile(r"[A-Za-z][a-z']*[,.:;!?)]?")
_COMMON_WORDS = """
    the of and to is are in for this that with from we by be on as it you can was were which each these should have not
    """
_COMMON = frozenset(_COMMON_WORDS.split())


def _is_options(head: bytes) -> bool:
    """Whether most lines are an option of a command (``--epochs``) or what stands below one."""
    lines = [line for line in head.split(b"\n") if line.strip()]
    return bool(lines and _OPTION.match(lines[0])) and sum(bool(_OPTION.match(line)) for line in lines) >= max(
        2, 0.4 * len(lines)
    )


def is_prose(entry: Entry) -> bool:
    """Whether a short file begins with sentences in English, as notes and instructions do."""
    if entry.kind not in {"text", "plain"} or not 0 < entry.size < MAX_PROSE or b"\0" in entry.head:
        return False
    words = entry.head.decode(errors="replace").split()
    plain = [word for word in words if _WORD.fullmatch(word)]
    common = sum(word.lower() in _COMMON for word in plain)
    return len(words) >= 12 and len(plain) > 0.7 * len(words) and common > 0.15 * len(words)


def _of_names(names: list[str]) -> list[tuple[str, Weights]]:
    """What the names of columns or keys speak for."""
    found: list[tuple[str, Weights]] = []
    told: tuple[tuple[re.Pattern[str], int, str, Weights], ...] = (
        (_PREDICTED, 1, "of predictions", {O: 2.2}),
        (_RUN, 2, "of a run", {O: 2.4}),
        (_METRIC, 2, "of metrics", {O: 2.4}),
        (_STATISTIC, 1, "of a statistical analysis", {O: 1.6}),
        (_ARRANGED, 1, "of a split", {P: 0.8}),
    )
    for pattern, least, of_what, weights in told:
        matching = [name for name in names if pattern.fullmatch(name)]
        if len(matching) >= least:
            found.append((f"fields {of_what}: {', '.join(matching[:3])}", weights))
    if len(names) >= 8 and sum(bool(_DIMENSION.fullmatch(name)) for name in names) > 0.7 * len(names):
        found.append((f"fields numbered as dimensions: {names[0]}, {names[1]}", {A: 1.4, O: 0.5, I: -0.3}))
    return found


def _columns(head: bytes) -> list[str]:
    """The cells of the first line where they are names: none is a number."""
    first = head.split(b"\n", 1)[0].decode(errors="replace").strip("\ufeff\r# ")
    cells = [cell.strip(" \"'") for cell in re.split(r"[,;\t]", first)]
    if (
        len(cells) < 2
        or max(map(len, cells)) > 60
        or sum(bool(re.fullmatch(r"[-+.\deE]+", cell)) for cell in cells) > len(cells) / 3
    ):
        return []
    return [cell for cell in cells if cell]


def _keys(head: bytes) -> list[str]:
    return [match.decode(errors="replace") for match in _KEYS.findall(head)]


def _shown(text: bytes) -> str:
    return re.sub(r"[^\w.]+", " ", text.decode(errors="replace"))[:40].strip()
