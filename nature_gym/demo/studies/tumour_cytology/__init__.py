"""Tumour cytology: a binary classification whose two tables lie side by side in the repository."""

from __future__ import annotations

import datetime as dt

from nature_gym.demo.model import Entry, MetricTruth, Paper, RuleTruth, SettingTruth, TaskTruth, Truth
from nature_gym.demo.studies.manuscript import Manuscript, manuscript
from nature_gym.demo.studies.tumour_cytology.sources import NAME, OWNER, SPLIT_SEED, TEST_SHARE, repository
from nature_gym.demo.venues import VENUES, suffix
from nature_gym.demo.words import Words

PUBLISHED = dt.date(2023, 9, 14)

TASK = TaskTruth(
    task_type="binary classification",
    domain="Medicine",
    method="Logit committee",
    variants=("Logit committee, uniform weights", "Single whole-view member"),
    baselines=(
        "Gaussian naive Bayes",
        "k-nearest neighbours",
        "Random forest",
        "Logistic regression",
        "SVM with Platt scaling",
    ),
    reference_kind="label",
    metrics=(
        MetricTruth("F1", "higher_is_better", primary=True, place="Table 2"),
        MetricTruth("AUROC", "higher_is_better", primary=False, place="Table 2"),
        MetricTruth("Brier score", "lower_is_better", primary=False, place="Table 2"),
    ),
    settings=(
        SettingTruth(
            "Breast Cancer Wisconsin, test table",
            accepted=True,
            reason="one fixed pair of public tables, with scores in Table 2",
            development=("data/train.csv", "data/feature_dictionary.csv"),
            evaluation=("data/test.csv",),
            separability="trivial",
            split={
                "kind": "files",
                "development": "data/train.csv",
                "evaluation": "data/test.csv",
                "id": "case_id",
                "target": "diagnosis",
                "made_by": {"script": "scripts/make_split.py", "seed": SPLIT_SEED, "test_size": TEST_SHARE},
            },
            sota={"F1": "0.984", "AUROC": "0.9993", "Brier score": "0.0134"},
            baseline={"F1": "0.960", "AUROC": "0.9942", "Brier score": "0.0231"},
        ),
    ),
)


def _truth(text: Manuscript) -> Truth:
    size = f"The host lists {OWNER}/{NAME} with less than 1 MB, and both tables lie in it: tier S."
    return Truth(
        (
            RuleTruth("1.1", "pass", quote=text.quote("novelty")),
            RuleTruth("2.1", "pass", quote=text.quote("win")),
            RuleTruth("2.2", "pass", quote=text.quote("metric")),
            RuleTruth("3.1", "pass", quote=text.quote("available"), note="The repository answers and is public."),
            RuleTruth("3.2", "pass", quote=text.quote("development")),
            RuleTruth("3.3", "pass", quote=text.quote("evaluation")),
            RuleTruth("3.4", "pass", quote=text.quote("counts"), note="The two files hold 398 and 171 rows."),
            RuleTruth("3.5", "pass", quote=text.quote("fixed")),
            RuleTruth("3.6", "pass", note=size),
        ),
        traps=(
            "dot_git_suffix",
            "cell_count_suffix",
            "superscripts",
            "request_beside_public",
            "code_link_in_data_section",
        ),
        task=TASK,
    )


def entry(words: Words) -> Entry:
    """The paper in the words picked, what is true of it, and its repository."""
    code = repository(PUBLISHED)
    text = manuscript(__name__, words, {"LINK": f"{code.url}.git", "SEED": SPLIT_SEED})
    paper = Paper(
        suffix=suffix("s41551", PUBLISHED.year, 1087),
        venue=VENUES["s41551"],
        title="Calibrated committees of view-wise kernel classifiers for breast cytology",
        article_type="Article",
        published=PUBLISHED,
        authors=words.authors(4),
        abstract=text.abstract,
        sections=text.sections,
        openalex_id="W4386500101",
        tables=text.tables,
        figures=text.figures,
        references=text.references,
        subjects=("Breast cancer", "Machine learning", "Cytological techniques"),
        oa_status="hybrid",
    )
    return Entry(paper, _truth(text), (code,))
