"""Symbol retrieval: a ranking task at the Hugging Face hub, whose split is a seed in the code."""

from __future__ import annotations

import datetime as dt

from nature_gym.demo.model import Entry, MetricTruth, Paper, RuleTruth, SettingTruth, TaskTruth, Truth
from nature_gym.demo.studies.manuscript import Manuscript, manuscript
from nature_gym.demo.studies.symbol_retrieval.sources import (
    HUB,
    PREVIEW,
    SPLIT_SEED,
    deposits,
    pages,
    repository,
)
from nature_gym.demo.venues import VENUES, suffix
from nature_gym.demo.words import Words

PUBLISHED = dt.date(2025, 2, 6)
DATA = f"https://huggingface.co/datasets/{HUB}"

SPLIT: dict[str, object] = {
    "kind": "random",
    "function": "sklearn.model_selection.train_test_split",
    "table": "symbols.csv",
    "seed": SPLIT_SEED,
    "stratify": "symbol",
    "steps": [
        {"of": "all", "test_size": 0.5, "train": "train", "test": "rest"},
        {"of": "rest", "test_size": 0.3, "train": "gallery", "test": "query"},
    ],
    "id": "sample_id",
    "target": "symbol",
}
"""Both calls split row numbers; the second stratifies by the symbols of the rest."""

TASK = TaskTruth(
    task_type="retrieval",
    domain="Computer Science",
    method="KLER",
    variants=("KLER, unscaled codes", "KLER, random landmarks"),
    baselines=("Zernike moments", "Pixel cosine", "PCA", "LDA"),
    reference_kind="label",
    metrics=(
        MetricTruth("nDCG@10", "higher_is_better", primary=True, place="Table 1"),
        MetricTruth("MRR", "higher_is_better", primary=False, place="Table 1"),
    ),
    settings=(
        SettingTruth(
            "Clean queries",
            accepted=True,
            reason="a seeded split of a public data set, with scores in Table 1",
            development=("symbols.csv",),
            evaluation=("symbols.csv",),
            separability="moderate",
            split=SPLIT,
            sota={"nDCG@10": "0.988", "MRR": "0.991"},
            baseline={"nDCG@10": "0.932", "MRR": "0.960"},
        ),
        SettingTruth(
            "Noisy queries",
            accepted=True,
            reason="one training set with a second test set: another setting",
            development=("symbols.csv",),
            evaluation=("symbols.csv", "data/noisy_queries.npz"),
            separability="moderate",
            split={**SPLIT, "queries": "data/noisy_queries.npz", "join": "sample_id"},
            sota={"nDCG@10": "0.962", "MRR": "0.971"},
            baseline={"nDCG@10": "0.886", "MRR": "0.967"},
        ),
    ),
)


def _truth(text: Manuscript) -> Truth:
    return Truth(
        (
            RuleTruth("1.1", "pass", quote=text.quote("novelty")),
            RuleTruth("2.1", "pass", quote=text.quote("win")),
            RuleTruth("2.2", "pass", quote=text.quote("metric")),
            RuleTruth(
                "3.1", "pass", quote=text.quote("available"), note="Repository and data set answer and are public."
            ),
            RuleTruth("3.2", "pass", quote=text.quote("development")),
            RuleTruth("3.3", "pass", quote=text.quote("evaluation")),
            RuleTruth("3.4", "pass", quote=text.quote("counts"), note="The table holds 1,797 rows."),
            RuleTruth("3.5", "pass", quote=text.quote("fixed")),
            RuleTruth("3.6", "pass", note="The hub lists the data set with less than 1 MB: tier S."),
        ),
        traps=("data_link_in_code_section", "dropbox_dl0", "superscripts"),
        task=TASK,
    )


def entry(words: Words) -> Entry:
    """The paper in the words picked, what is true of it, and what the web holds of it."""
    code = repository(PUBLISHED)
    values = {"CODE": code.url, "DATA": DATA, "PREVIEW": PREVIEW, "SEED": SPLIT_SEED}
    text = manuscript(__name__, words, values)
    paper = Paper(
        suffix=suffix("s43588", PUBLISHED.year, 764),
        venue=VENUES["s43588"],
        title="Retrieving handwritten symbols by kernel label embeddings",
        article_type="Article",
        published=PUBLISHED,
        authors=words.authors(3),
        abstract=text.abstract,
        sections=text.sections,
        openalex_id="W4407200104",
        tables=text.tables,
        figures=text.figures,
        references=text.references,
        subjects=("Computer science", "Information technology"),
        licence="cc-by-nc-nd",
        oa_status="hybrid",
    )
    return Entry(paper, _truth(text), (code,), deposits(PUBLISHED), pages())
