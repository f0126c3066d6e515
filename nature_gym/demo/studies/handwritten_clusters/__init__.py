"""Handwritten clusters: images without their labels, which lie under another key of the same file."""

from __future__ import annotations

import datetime as dt

from nature_gym.demo.model import Entry, MetricTruth, Paper, RuleTruth, SettingTruth, TaskTruth, Truth
from nature_gym.demo.studies.handwritten_clusters.sources import DATA, repository
from nature_gym.demo.studies.manuscript import Manuscript, manuscript
from nature_gym.demo.venues import VENUES, suffix
from nature_gym.demo.words import Words

PUBLISHED = dt.date(2024, 4, 18)

TASK = TaskTruth(
    task_type="clustering",
    domain="Computer Science",
    method="SNADE",
    variants=("SNADE, no sharpening", "SNADE, local scales"),
    baselines=("k-means", "PCA + k-means", "Gaussian mixture", "Spectral clustering", "Ward’s method"),
    reference_kind="label",
    metrics=(
        MetricTruth("ARI", "higher_is_better", primary=True, place="Table 1"),
        MetricTruth("NMI", "higher_is_better", primary=False, place="Table 1"),
        MetricTruth("Matched accuracy", "higher_is_better", primary=False, place="Table 1"),
    ),
    settings=(
        SettingTruth(
            "Handwritten digits, all 1,797 images",
            accepted=True,
            reason="one public file with scores in Table 1; nothing is trained, so nothing is split",
            development=(DATA,),
            evaluation=(DATA,),
            separability="simple",
            split={
                "kind": "key",
                "file": DATA,
                "inputs": ["images"],
                "targets": ["labels"],
                "id": "sample_id",
                "development": "the images without their labels",
                "evaluation": "the same images",
            },
            sota={"ARI": "0.832 ± 0.000", "NMI": "0.908 ± 0.000", "Matched accuracy": "0.885 ± 0.000"},
            baseline={"ARI": "0.794", "NMI": "0.868", "Matched accuracy": "0.840"},
        ),
        SettingTruth(
            "Other numbers of neighbours", accepted=False, reason="a sensitivity study of the method on the same images"
        ),
    ),
)


def _truth(text: Manuscript) -> Truth:
    return Truth(
        (
            RuleTruth("1.1", "pass", quote=text.quote("novelty")),
            RuleTruth("2.1", "pass", quote=text.quote("win")),
            RuleTruth("2.2", "pass", quote=text.quote("metric")),
            RuleTruth("3.1", "pass", quote=text.quote("available"), note="The repository answers and is public."),
            RuleTruth("3.2", "pass", quote=text.quote("development")),
            RuleTruth(
                "3.3", "pass", quote=text.quote("evaluation"), note="True of the newest commit before publication."
            ),
            RuleTruth("3.4", "pass", quote=text.quote("counts"), note="The file holds 1,797 images."),
            RuleTruth("3.5", "pass", quote=text.quote("fixed")),
            RuleTruth("3.6", "pass", note="The host lists the repository with less than 1 MB: tier S."),
        ),
        traps=("availability_under_other_heading", "commit_after_publication"),
        task=TASK,
    )


def entry(words: Words) -> Entry:
    """The paper in the words picked, what is true of it, and its repository."""
    code = repository(PUBLISHED)
    text = manuscript(__name__, words, {"CODE": code.url})
    paper = Paper(
        suffix=suffix("s42256", PUBLISHED.year, 829),
        venue=VENUES["s42256"],
        title="Shared neighbours sharpen diffusion embeddings of handwritten characters",
        article_type="Article",
        published=PUBLISHED,
        authors=words.authors(3),
        abstract=text.abstract,
        sections=text.sections,
        openalex_id="W4394700103",
        tables=text.tables,
        figures=text.figures,
        references=text.references,
        subjects=("Computer science", "Machine learning", "Statistics"),
        oa_status="hybrid",
        pmcid="PMC9900103",
        formats=frozenset({"html", "pdf", "xml"}),
    )
    return Entry(paper, _truth(text), (code,))
