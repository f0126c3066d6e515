"""Glucose progression: a regression whose table lies at Zenodo and whose split is a list of row numbers."""

from __future__ import annotations

import datetime as dt

from nature_gym.demo.model import Entry, MetricTruth, Paper, RuleTruth, SettingTruth, TaskTruth, Truth
from nature_gym.demo.studies.glucose_progression.sources import RECORD, SPLIT_SEED, TEST_SIZE, deposits, repository
from nature_gym.demo.studies.manuscript import Manuscript, manuscript
from nature_gym.demo.venues import VENUES, suffix
from nature_gym.demo.words import Words

PUBLISHED = dt.date(2022, 11, 3)

TASK = TaskTruth(
    task_type="regression",
    domain="Medicine",
    method="PANORA",
    variants=("PANORA, additive",),
    baselines=("Gradient boosting", "Random forest", "k-nearest neighbours", "Lasso", "Ordinary least squares"),
    reference_kind="label",
    metrics=(
        MetricTruth("R2", "higher_is_better", primary=True, place="Table 1"),
        MetricTruth("RMSE", "lower_is_better", primary=False, place="Table 1"),
        MetricTruth("Spearman", "higher_is_better", primary=False, place="Table 1"),
    ),
    settings=(
        SettingTruth(
            "Diabetes cohort, 133 test patients",
            accepted=True,
            reason="one fixed split with scores in Table 1; both sexes of Table 2 are parts of the same test patients",
            development=("cohort.csv", "data/splits/train_idx.txt"),
            evaluation=("cohort.csv", "data/splits/test_idx.txt"),
            separability="moderate",
            split={
                "kind": "index_files",
                "table": "cohort.csv",
                "development": "data/splits/train_idx.txt",
                "evaluation": "data/splits/test_idx.txt",
                "index": "zero-based row number",
                "id": "patient_id",
                "target": "progression",
                "made_by": {"script": "data/splits/make_splits.py", "seed": SPLIT_SEED, "test_size": TEST_SIZE},
            },
            sota={"R2": "0.423 ± 0.065", "RMSE": "55.30", "Spearman": "0.600"},
            baseline={"R2": "0.393 ± 0.067", "RMSE": "56.70", "Spearman": "0.582"},
        ),
        SettingTruth(
            "Test patients by sex",
            accepted=False,
            reason="subgroups of the accepted setting's test patients, with the same models and the same references",
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
                "3.1", "pass", quote=text.quote("available"), note="The bare DOI leads to an open Zenodo record."
            ),
            RuleTruth("3.2", "pass", quote=text.quote("development")),
            RuleTruth("3.3", "pass", quote=text.quote("evaluation")),
            RuleTruth("3.4", "pass", quote=text.quote("counts"), note="The cited version of the record has 442 rows."),
            RuleTruth("3.5", "pass", quote=text.quote("fixed")),
            RuleTruth("3.6", "pass", note="Zenodo states less than 1 MB for the record: tier S."),
        ),
        traps=(
            "superscripts",
            "bare_doi",
            "availability_under_other_heading",
            "concept_doi",
            "commit_after_publication",
        ),
        task=TASK,
    )


def entry(words: Words) -> Entry:
    """The paper in the words picked, what is true of it, its deposit and its repository."""
    code = repository(PUBLISHED)
    text = manuscript(__name__, words, {"CODE": code.url, "RECORD": RECORD, "SEED": SPLIT_SEED})
    paper = Paper(
        suffix=suffix("s41467", PUBLISHED.year, 34127),
        venue=VENUES["s41467"],
        title="Learning pairwise interactions of blood chemistry to predict the one-year progression of diabetes",
        article_type="Article",
        published=PUBLISHED,
        authors=words.authors(5),
        abstract=text.abstract,
        sections=text.sections,
        openalex_id="W4308200102",
        tables=text.tables,
        figures=text.figures,
        references=text.references,
        subjects=("Type 2 diabetes", "Machine learning", "Predictive markers"),
        pmcid="PMC9900102",
        formats=frozenset({"html", "pdf", "xml"}),
        template="old",
    )
    return Entry(paper, _truth(text), (code,), deposits(PUBLISHED))
