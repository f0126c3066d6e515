"""What paths say: words in the names of folders and files, as evidence for a category.

The one idea: names are evidence, not the verdict. A word adds to the score of the categories that it speaks for; the
file's own name counts more than its nearest folder, and that more than the folders above.
"""

from __future__ import annotations

import re
from typing import Literal

from nature_gym.cut.core import words_of
from nature_gym.cut.tree import Entry, known_suffix

Category = Literal[
    "initial_state",
    "data_preparation",
    "external_resource",
    "algorithm_preprocessing_output",
    "algorithm_output",
    "irrelevant",
]
CATEGORIES: tuple[Category, ...] = (
    "initial_state",
    "data_preparation",
    "external_resource",
    "algorithm_preprocessing_output",
    "algorithm_output",
    "irrelevant",
)
KEPT: frozenset[Category] = frozenset({"initial_state", "data_preparation", "external_resource"})
Weights = dict[Category, float]

I, P, E, A, O, N = CATEGORIES  # noqa: E741 -- the tables below are read by their columns

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
    "archive": {I: 1.4, N: 0.2},
    "binary": {E: 1.6, N: 1.2},
    "other": {N: 0.8, I: 0.4},
}

_FOLDERS: tuple[tuple[str, Weights], ...] = (
    (
        """
        result results output outputs out outcome outcomes logs log runs run lightning wandb mlruns tensorboard tb
        tblogs predictions preds prediction saved save experiments exp exps evaluation eval metrics
        gridsearch scores ablation reports report history
        submissions
        """,
        {O: 2.2},
    ),
    ("checkpoint checkpoints ckpt ckpts weights snapshots snapshot trained", {O: 2.2, E: 0.4}),
    ("model models", {O: 1.2, E: 0.4}),
    ("figure figures fig figs plot plots", {O: 1.8, N: 0.6}),
    (
        """
        doc docs documentation assets asset img imgs media static website web tutorial tutorials screenshots paper
        manuscript poster github templates theme slides
        """,
        {N: 1.8},
    ),
    ("images image pics pictures", {N: 0.5, I: 0.3}),
    (
        """
        external pretrained pretrain resource resources vendor ontology ontologies vocab vocabulary vocabularies
        glove bert knowledge lexicon lexicons thirdparty party simulator simulators reference references
        """,
        {E: 3.5},
    ),
    ("data dataset datasets corpus corpora", {I: 0.8, P: 0.3}),
    ("raw input inputs original", {I: 1.8}),
    ("source sources", {I: 0.5}),
    ("split splits fold folds cv partition partitions indices index idx", {P: 2.2}),
    ("processed preprocessed prepared cleaned interim preprocess", {P: 0.9, A: 0.9}),
    (
        "feature features cache cached encoded encodings embedding embeddings augmented intermediate tmp temp",
        {A: 1.6, O: 0.3},
    ),
    ("tests unittest unittests", {N: 3.0}),
    ("example examples demo demos sample samples toy", {I: 0.4, N: 0.3}),
    ("baseline baselines", {O: 0.8}),
)

_FILES: tuple[tuple[str, Weights], ...] = (
    (
        """
        result results output outputs prediction predictions predicted preds pred metrics history performance
        evaluation summary loss losses accuracy auc auroc submission leaderboard report confusion ablation tuning
        scores best epoch losscurve roc
        """,
        {O: 1.9},
    ),
    ("checkpoint ckpt weights model trained finetuned last", {O: 1.4}),
    ("raw original", {I: 1.2}),
    ("train training valid validation val test dev testing heldout holdout", {I: 0.5, P: 0.7}),
    ("split splits fold folds idx index indices partition ids", {P: 1.7}),
    (
        """
        pretrained obo glove word2vec embeddings bert lexicon stopwords mapping
        mappings reference genome hg hg19 hg38 mm10 blosum blosum62 aaindex codebook elements periodic pathway
        pathways
        """,
        {E: 1.4},
    ),
    (
        """
        embedding embed encoded encoding features feature feat feats fingerprints descriptors normalized normalised
        scaled augmented cache cached selected
        """,
        {A: 1.0},
    ),
    ("processed preprocessed cleaned clean filtered", {P: 0.7, A: 0.5}),
    ("vocab vocabulary ontology lexicon stopwords dictionary codebook dictionaries", {E: 3.2}),
    ("label labels annotation annotations target targets groundtruth gt metadata meta", {I: 0.8}),
    ("figure fig plot heatmap curve diagram", {O: 0.9, N: 0.4}),
    (
        """
        logo banner architecture overview framework workflow pipeline teaser icon screenshot badge flowchart
        schematic toc graphical
        """,
        {N: 2.5},
    ),
    ("log logs", {O: 1.5}),
    ("config configs params hyperparameters hyperparams settings args", {N: 1.2, O: 0.3}),
    ("baseline baselines", {O: 0.8}),
)
_OF_FOLDER = {word: weights for words, weights in _FOLDERS for word in words.split()}
_OF_FILE = {word: weights for words, weights in _FILES for word in words.split()}
_PUBLISHED = re.compile(
    r"(resnet\d+|vgg\d+|bert-base|biobert|scibert|esm\d|esm_msa|prot_?t5|prot_?bert|glove\.\d+b|wiki-news|googlenews|imagenet|inception|efficientnet|"
    r"mobilenet|densenet\d+|vit_|clip|go-basic|go\.obo|hp\.obo|uniprot|pfam|blosum|aaindex|chembl|roberta|gpt2|yolov\d|swin_)",
    re.IGNORECASE,
)


def name_evidence(entry: Entry) -> list[tuple[str, Weights]]:
    """What the words of a path speak for: a sentence and weights for each."""
    found: list[tuple[str, Weights]] = [(f"a file of the kind {entry.kind}", KIND_WEIGHTS.get(entry.kind, {}))]
    if entry.kind in {"document", "environment"}:
        return found
    parts = entry.path.split("/")
    stem = parts[-1]
    while known_suffix(stem):
        stem = stem.rpartition(".")[0]
    found.extend(
        (f"'{word}' in the file's name", _OF_FILE[word]) for word in dict.fromkeys(words_of(stem)) if word in _OF_FILE
    )
    if _PUBLISHED.search(parts[-1]):
        found.append(("the name of something published elsewhere", {E: 2.0}))
    for distance, part in enumerate(reversed(parts[:-1])):
        words = [word for word in words_of(part) if word in _OF_FOLDER]
        for word in words[:2]:
            weight = max(0.35, 1.0 - 0.3 * distance)
            found.append((f"it lies in {part}/", {c: w * weight for c, w in _OF_FOLDER[word].items()}))
    return found
