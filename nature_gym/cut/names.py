"""What paths say: words in the names of folders and files, as evidence for a category.

The one idea: names are evidence, not the verdict. A word adds to the score of the categories that it speaks for; the
file's own name counts more than its nearest folder, and that more than the folders above.
"""

from __future__ import annotations

import re
from typing import Literal, get_args

from nature_gym.cut.core import words_of
from nature_gym.cut.published import published_as
from nature_gym.cut.tree import Entry, known_suffix

Category = Literal[
    "initial_state",
    "data_preparation",
    "external_resource",
    "algorithm_preprocessing_output",
    "algorithm_output",
    "irrelevant",
]
CATEGORIES: tuple[Category, ...] = get_args(Category)
KEPT: frozenset[Category] = frozenset({"initial_state", "data_preparation", "external_resource"})
Weights = dict[Category, float]

I, P, E, A, O, N = CATEGORIES  # noqa: E741 -- the tables below are read by their columns

Source = Literal["kind", "file", "folder", "whole name", "document", "read", "write", "likeness"]
TRUST: dict[Source, float] = {
    "kind": 1.1,
    "file": 1.4,
    "folder": 1.1,
    "whole name": 0.9,
    "document": 1.2,
    "read": 0.8,
    "write": 0.95,
    "likeness": 0.8,
}
"""How much the weights of each source of evidence count, beside each other.

Fitted by a logistic loss on the ``tune`` pages of the truth table (each group weighs the same), drawn towards 1, with
each repository left out in turn to see that it helps where nothing was fitted (docs/cut-accuracy.md). That somebody
reads a file tells less than the tables below had it, and what the authors called it tells more.
"""


def trusted(weights: Weights, source: Source) -> Weights:
    """Weights as they count for a source."""
    return {category: TRUST[source] * weight for category, weight in weights.items()}


KIND_WEIGHTS: dict[str, Weights] = {
    "document": {N: 7.0},
    "environment": {N: 7.0},
    "page": {N: 4.0},
    "config": {N: 3.5},
    "picture": {N: 1.3, O: 1.0, I: 0.2},
    "log": {O: 4.0},
    "weights": {O: 2.0, E: 0.8},
    "table": {I: 1.2, O: 0.6, P: 0.5, E: 0.2},
    "array": {I: 0.8, O: 0.6, P: 0.4, A: 0.5},
    "text": {I: 1.1, N: 0.2, P: 0.4, E: 0.3},
    "plain": {I: 0.7, N: 0.6, P: 0.3, E: 0.2},
    "archive": {I: 1.4, N: 0.2},
    "binary": {E: 1.6, N: 1.2},
    "other": {I: 0.6, N: 0.6},
}

_RUN_FOLDERS = """
    result results output outputs out outcome outcomes logs log runs run lightning wandb mlruns tensorboard tb tblogs
    predictions preds pred prediction checkpoint checkpoints checkpts ckpt ckpts chkpt chkpts submissions sweep sweeps
    """
_RUNS = frozenset(_RUN_FOLDERS.split())
"""Folders in which runs leave what they made: their name tells as much of what lies deeper."""

_AMBIGUOUS = frozenset({"output", "outputs", "out", "pred"})
_OF_DATA = frozenset({"data", "dataset", "datasets"})
"""What a preparation puts out lies in data/output/; that is no run's output."""
_FAR_REACHING = _RUNS | {
    "tests",
    "unittests",
    "doc",
    "docs",
    "documentation",
    "doctrees",
    "manuscript",
    "poster",
    "posters",
    "talks",
    "slides",
    "presentation",
    "split",
    "splits",
}

_FOLDERS: tuple[tuple[str, Weights], ...] = (
    (_RUN_FOLDERS, {O: 2.4}),
    (
        """
        saved save experiments experiment exp exps evaluation eval metrics gridsearch scores ablation ablations reports
        report history
        """,
        {O: 1.6},
    ),
    ("weights snapshots snapshot trained network networks", {O: 1.8, E: 0.5}),
    ("model models", {O: 1.2, E: 0.4}),
    ("figure figures fig figs plot plots", {O: 1.8, N: 0.6}),
    (
        """
        assets asset img imgs media static website web tutorial tutorials screenshots paper
        github templates theme docker
        """,
        {N: 1.8},
    ),
    ("doc docs documentation doctrees talks poster posters slides presentation manuscript", {N: 2.8}),
    ("conf config configs settings args specs configurations", {N: 2.4}),
    ("comparison comparisons", {O: 0.5}),
    ("classifier classifiers regressors", {O: 1.0}),
    ("tokenizer tokenizers geneset genesets", {E: 2.4}),
    ("images image pics pictures", {N: 0.5, I: 0.3}),
    (
        """
        external resource resources vendor ontology ontologies vocab vocabulary vocabularies
        glove bert knowledge lexicon lexicons thirdparty party simulator simulators reference references
        """,
        {E: 3.5},
    ),
    ("pretrained pretrain", {O: 1.6, E: 1.6}),
    ("data dataset datasets corpus corpora", {I: 0.8, P: 0.3}),
    ("raw input inputs original", {I: 1.8}),
    ("source sources", {I: 0.5}),
    ("split splits fold folds cv partition partitions indices index idx", {P: 2.2}),
    ("processed preprocessed prepared cleaned interim preprocess", {P: 1.9, A: 0.9}),
    (
        "feature features cache cached encoded encodings embedding embeddings augmented intermediate tmp temp",
        {A: 1.6, O: 0.3},
    ),
    ("tests unittest unittests", {N: 3.0}),
    ("software tools tool", {E: 1.4, N: 0.4}),
    ("example examples demo demos sample samples toy", {I: 0.4, N: 0.3}),
    ("baseline baselines", {O: 0.8}),
)

_FILES: tuple[tuple[str, Weights], ...] = (
    (
        """
        result results output outputs prediction predictions predicted preds pred metrics history performance
        evaluation summary loss losses accuracy auc auroc submission leaderboard report confusion ablation tuning
        scores score best epoch losscurve roc rmse mae
        """,
        {O: 1.9},
    ),
    ("checkpoint ckpt weights model models trained finetuned last network predictor classifier regressor", {O: 1.4}),
    ("raw original", {I: 1.2}),
    ("train training valid validation val test dev testing heldout holdout", {I: 0.5, P: 0.7}),
    ("split splits fold folds idx index indices partition ids", {P: 1.7}),
    ("list lists", {P: 0.7}),
    ("coefficient coefficients coef coefs", {O: 1.6}),
    (
        """
        pretrained obo glove word2vec bert lexicon stopwords mapping
        mappings reference genome hg hg19 hg38 mm10 blosum blosum62 aaindex codebook elements periodic pathway
        pathways
        """,
        {E: 1.4},
    ),
    (
        """
        encoded encoding features feature feat feats fingerprints descriptors desc representation representations
        onehot tokenized tokenised tokens normalized normalised scaled augmented cache cached
        selected
        """,
        {A: 1.7, I: -0.5},
    ),
    ("subword subwords bpe espf", {A: 2.8}),
    ("embedding embeddings embed embeds embedded latent tsne umap", {A: 1.7, O: 1.4, I: -0.5}),
    ("norm scaler scalers", {A: 1.4, O: 0.6}),
    ("processed preprocessed cleaned clean filtered renamed", {P: 1.5, A: 0.5}),
    ("restructured curated harmonized merged combined aggregated compendium", {P: 1.5}),
    ("vector vectors vecs", {O: 1.5, A: 1.5, I: -0.5}),
    ("kegg reactome msigdb geneset genesets gmt hetionet operon operons", {E: 1.6}),
    ("vocab voc vocabulary", {A: 2.2, E: 1.8}),
    ("ontology lexicon stopwords dictionary codebook dictionaries", {E: 3.2}),
    ("dict dicts", {A: 1.4}),
    ("pssm msa hhblits contact contacts cmap distmap fingerprint ecfp morgan kmer kmers descriptor", {A: 1.8}),
    ("graph graphs adj adjacency", {A: 0.6}),
    ("stats scale scales scaling normalization normalisation", {A: 1.4}),
    ("rationales templates fragments motifs substructures", {A: 1.2}),
    ("label labels annotation annotations target targets groundtruth gt metadata meta", {I: 0.8}),
    ("figure fig plot heatmap curve diagram", {O: 0.9, N: 0.4}),
    (
        """
        generated sampled reconstructed reconstruction imputed denoised ranking rankings ranked importance shap
        saliency
        """,
        {O: 1.6},
    ),
    ("hyperopt optuna trial trials ensemble benchmark residuals errors runtime timing", {O: 1.4}),
    ("pca svd nmf", {A: 1.2, O: 0.4}),
    ("sorted shuffled accessions manifest exclude excluded remove removed blacklist whitelist invalid", {P: 1.2}),
    ("instructions instruction description howto untitled readme", {N: 2.2}),
    (
        """
        logo banner architecture overview framework workflow pipeline teaser icon screenshot badge flowchart
        schematic toc graphical structure abstract
        """,
        {N: 2.5},
    ),
    ("log logs", {O: 2.8}),
    ("config configs params hyperparameters hyperparams settings setting args sweep parameters", {N: 2.0, O: 0.6}),
    ("baseline baselines", {O: 0.8}),
)
_OF_FOLDER = {word: weights for words, weights in _FOLDERS for word in words.split()}
_OF_FILE = {word: weights for words, weights in _FILES for word in words.split()}
_HYPERPARAMETERS = re.compile(
    r"(?:(?:^|[_,-]+)(?:lr|ep|epochs?|bs|batch(?:_?size)?|dp|dropout|corrupt|seed|hidden|hid|dim|wd|iteration)[_-]?=?\d[\w.-]*){2,}"
)
"""A folder named for the hyperparameters of a run, as in ``ep100_lr0.001_bs32``."""
_MAPPING = re.compile(r"(?:^|_)[A-Za-z]{2,}(?<![vV])2(?!(?:id|idx|index|vec)(?:[_.]|$))[A-Za-z]{2,}", re.IGNORECASE)
"""``ndc2atc``; numbers given to names of the data, as in ``entity2id``, belong to the data."""
_COMPILED = re.compile(r"\.py[co]$|\.cpython-\w+(-[\w-]+)?\.(so|pyd)$", re.IGNORECASE)
_ARRANGED = re.compile(
    r"[a-z]split|[kn]fold|folds?[_-]?\d|(^|[_-])cv[_-]?\d|"
    r"(train|test|val|valid|dev)(ing|ation)?[_-]?(ids?|idx|inds?|index|indices|list|names|samples|keys)([_.-]|$)",
    re.IGNORECASE,
)
_MADE_AT = re.compile(r"(?<!\d)20[12]\d-?[01]\d-?[0-3]\d[-_T ]+[0-2]\d[-:_h.]?[0-5]\d(?!\d)")
_FIGURE_OF = re.compile(
    r"^(ext(ended)?[ _.-]*(data)?[ _.-]*)?(supp?l?(ementary|emental)?[ _.-]*)?(fig(ure)?|tab(le)?)[ _.-]*s?\d|"
    r"source[ _-]?data|^supp?l(ementa\w*)?[ _.-]",
    re.IGNORECASE,
)
_SCORED = re.compile(
    r"(?:^|[^0-9.])0\.\d{2,}(?![.\d]*(?:lr|dropout))|(?:epochs?|iters?|iterations?|steps?)[_=-]?\d+", re.IGNORECASE
)
_WHOLE_NAMES: tuple[tuple[re.Pattern[str], str, Weights], ...] = (
    (_HYPERPARAMETERS, "named for the hyperparameters of a run", {O: 2.4}),
    (_MAPPING, "named for what it maps to what", {E: 3.4}),
    (_COMPILED, "compiled from a program", {N: 4.0}),
    (_ARRANGED, "named for how samples are parted", {P: 1.2}),
    (_MADE_AT, "named for the time of a run", {O: 1.6}),
    (_FIGURE_OF, "named for a figure or a table of the paper", {O: 1.8, N: 0.5}),
    (_SCORED, "a score or a step of training in its name", {O: 1.4}),
)
_SUFFIXES: dict[str, Weights] = {
    ".pt": {O: 0.7, E: 0.3},
    ".pkl": {O: 0.2, A: 0.2},
    ".xlsx": {O: 0.3},
}
"""What a suffix adds to its kind: some are used for models as often as for data."""


def in_runs(path: str) -> bool:
    """Whether a path lies in a folder in which runs leave what they made."""
    return any(word in _RUNS for part in path.split("/")[:-1] for word in words_of(part))


def name_evidence(entry: Entry) -> list[tuple[str, Weights]]:
    """What the words of a path speak for: a sentence and weights for each."""
    kind = trusted(KIND_WEIGHTS.get(entry.kind, {}), "kind")
    found: list[tuple[str, Weights]] = [(f"a file of the kind {entry.kind}", kind)]
    if entry.kind in {"document", "environment"}:
        return found
    if entry.suffix in _SUFFIXES:
        found.append((f"its suffix {entry.suffix}", trusted(_SUFFIXES[entry.suffix], "kind")))
    parts = entry.path.split("/")
    stem = parts[-1]
    while known_suffix(stem):
        stem = stem.rpartition(".")[0]
    runs = in_runs(entry.path)
    for word in dict.fromkeys(words_of(stem)):
        weights = _OF_FILE.get(word, {})
        if entry.kind == "binary":
            weights = {}
        elif entry.kind == "picture":  # the words of data and models are what it shows, not what it is
            weights = {category: weight for category, weight in weights.items() if category in {O, N} and weight < 2.6}
            weights = {} if word in {"model", "models", "network", "test", "train"} else weights
        if weights:
            weights = trusted(_less_kept(weights) if runs else weights, "file")
            found.append((f"'{word}' in the file's name", weights))
    found += [
        (what, trusted(_less_kept(weights) if runs else weights, "whole name"))
        for pattern, what, weights in _WHOLE_NAMES
        if pattern.search(parts[-1]) and not (entry.kind == "picture" and O in weights)
    ]
    if entry.kind != "config" and (resource := published_as(parts[-1])):
        found.append((f"the name of {resource}", trusted(_less_kept({E: 2.2}) if runs else {E: 2.2}, "whole name")))
    folders = _folder_evidence(parts[:-1])
    if entry.suffix in _DRAWINGS:
        folders = [(what, {c: w for c, w in weights.items() if c in {O, N}}) for what, weights in folders]
    return [*found, *((what, trusted(weights, "folder")) for what, weights in folders)]


def _less_kept(weights: Weights) -> Weights:
    """Of what runs left, a name like ``fold_0`` tells which data it was made of, not that it is data."""
    return {category: (0.4 if category in KEPT else 1.0) * weight for category, weight in weights.items()}


_DRAWINGS = {".pdf", ".svg", ".eps", ".ps", ".ai", ".gif", ".drawio"}
"""Pictures that are no data, wherever they lie."""


def _folder_evidence(folders: list[str]) -> list[tuple[str, Weights]]:
    """What the folders say, the nearest most; below a folder of runs, words of data say less."""
    found: list[tuple[str, Weights]] = []
    in_runs = False
    for depth, part in enumerate(folders):
        words = [word for word in words_of(part) if word in _OF_FOLDER][:2]
        share = max(0.35, 1.0 - 0.3 * (len(folders) - 1 - depth))
        for word in words:
            weight = max(share, 0.85) if word in _FAR_REACHING else share * (0.4 if in_runs else 1.0)
            if word in _AMBIGUOUS and depth and set(words_of(folders[depth - 1])) & _OF_DATA:
                weight *= 0.3
            found.append((f"it lies in {part}/", {c: w * weight for c, w in _OF_FOLDER[word].items()}))
        in_runs = in_runs or any(word in _RUNS for word in words)
        if _HYPERPARAMETERS.search(part):
            found.append((f"it lies in {part}/, named for a run", {O: 1.8}))
    return found
