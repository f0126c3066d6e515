"""Coating design: an oracle task, whose answers are scored by the optics simulator in the repository."""

from __future__ import annotations

import datetime as dt

from nature_gym.demo.model import (
    CategoryTruth,
    Commit,
    Entry,
    MetricTruth,
    Paper,
    Repository,
    RuleTruth,
    SettingTruth,
    TaskTruth,
    Truth,
)
from nature_gym.demo.studies.author_files import author_files
from nature_gym.demo.studies.manuscript import Manuscript, manuscript
from nature_gym.demo.venues import VENUES, suffix
from nature_gym.demo.words import Words

PUBLISHED = dt.date(2023, 5, 23)

CATEGORIES = (
    CategoryTruth("simulator/*", "external_resource", "the transfer-matrix simulator and its refractive indices"),
    CategoryTruth("data/library.npz", "data_preparation", "made for everyone by scripts/generate_library.py"),
    CategoryTruth("data/targets/*.json", "data_preparation", "made for everyone by scripts/make_targets.py"),
    CategoryTruth("data/encoded/*", "algorithm_preprocessing_output", "phase features, read by the surrogate only"),
    CategoryTruth("checkpoints/*", "algorithm_output", "the trained surrogate"),
    CategoryTruth("results/*", "algorithm_output", "designs, scores and logs of the paper's own runs"),
    CategoryTruth("figures/*", "algorithm_output", "drawn from the designs and scores"),
    CategoryTruth("*.py", "code", "source code"),
    CategoryTruth("run_all.sh", "code", "the commands of the paper's runs"),
    CategoryTruth("conf/*.yaml", "code", "settings that the source code reads"),
    CategoryTruth("*", "irrelevant", "documents and environment files"),
)


def _setting(family: str, error: str, success: str, baseline: tuple[str, str]) -> SettingTruth:
    return SettingTruth(
        f"{family} targets",
        accepted=True,
        reason="a fixed file of eight targets with scores of its own in Table 2",
        development=("data/library.npz", "simulator/tmm.py", "simulator/nk/*.csv"),
        evaluation=(f"data/targets/{family.lower()}.json",),
        separability="trivial",
        split={
            "kind": "files",
            "development": "data/library.npz",
            "evaluation": f"data/targets/{family.lower()}.json",
            "id": "name",
            "oracle": "simulator/tmm.py",
            "simulator_calls_per_target": 400,
            "made_by": {"script": "scripts/make_targets.py", "seed": 7},
        },
        sota={"Mean band error": error, "Success rate": success},
        baseline={"Mean band error": baseline[0], "Success rate": baseline[1]},
    )


TASK = TaskTruth(
    task_type="inverse design",
    domain="Physics",
    method="FilmScout",
    variants=("FilmScout-norefine", "FilmScout-nosurr"),
    baselines=("Random search", "Nearest neighbour", "Inverse network", "Genetic search"),
    reference_kind="oracle",
    metrics=(
        MetricTruth("Mean band error", "lower_is_better", primary=True, place="Table 2"),
        MetricTruth("Success rate", "higher_is_better", primary=False, place="Table 2"),
    ),
    settings=(
        _setting("Antireflection", "0.96 ± 0.44", "8/8", ("2.92 ± 1.20", "6/8")),
        _setting("Edge", "3.04 ± 0.75", "3/8", ("4.69 ± 1.24", "1/8")),
        _setting("Splitter", "0.64 ± 0.34", "8/8", ("2.70 ± 1.57", "4/8")),
    ),
)


def _truth(text: Manuscript) -> Truth:
    return Truth(
        (
            RuleTruth("1.1", "pass", quote=text.quote("novelty")),
            RuleTruth("2.1", "pass", quote=text.quote("win")),
            RuleTruth("2.2", "pass", quote=text.quote("metric"), note="The simulator is deterministic and shipped."),
            RuleTruth("3.1", "pass", quote=text.quote("available"), note="The repository answers and is public."),
            RuleTruth("3.2", "pass", quote=text.quote("development")),
            RuleTruth("3.3", "pass", quote=text.quote("evaluation"), note="The simulator stands in for answers."),
            RuleTruth("3.4", "pass", quote=text.quote("counts"), note="The files hold 1,600 stacks and 3 x 8 targets."),
            RuleTruth("3.5", "pass", quote=text.quote("fixed")),
            RuleTruth("3.6", "pass", note="The host lists the repository with less than 1 MB: tier S."),
        ),
        traps=("superscripts", "thousands_separator_size", "trailing_punctuation", "code_link_in_data_section"),
        task=TASK,
    )


def repository() -> Repository:
    """Three commits: simulator and data, then the method, then the runs of the paper."""
    tree = author_files(__package__)
    runs = ("checkpoints/", "results/", "figures/", "data/encoded/")
    base = ("simulator/", "data/", "scripts/", "LICENSE", "environment.yml", ".gitignore")
    made = {path: content for path, content in tree.items() if path.startswith(runs)}
    first = {path: content for path, content in tree.items() if path.startswith(base) and path not in made}
    second = {path: content for path, content in tree.items() if path not in made and path not in first}
    author, email = "F. Coater", "coater@calder.example.org"
    return Repository(
        "calder-thin-films",
        "filmscout",
        (
            Commit(
                dt.datetime(2022, 9, 5, 14, 2, tzinfo=dt.UTC), "simulator, library, targets", first, (), author, email
            ),
            Commit(
                dt.datetime(2022, 12, 19, 17, 40, tzinfo=dt.UTC), "FilmScout + baselines", second, (), author, email
            ),
            Commit(dt.datetime(2023, 4, 28, 8, 55, tzinfo=dt.UTC), "final runs for the paper", made, (), author, email),
        ),
        description="Inverse design of thin-film stacks with a surrogate and evolution",
        categories=CATEGORIES,
    )


def entry(words: Words) -> Entry:
    """The paper in the words picked, what is true of it, and its repository."""
    code = repository()
    text = manuscript(__name__, words, {"LINK": code.url})
    paper = Paper(
        suffix=suffix("s41467", PUBLISHED.year, 38217),
        venue=VENUES["s41467"],
        title="Surrogate-guided evolution designs optical coatings within a few hundred simulator calls",
        article_type="Article",
        published=PUBLISHED,
        authors=words.authors(4),
        abstract=text.abstract,
        sections=text.sections,
        openalex_id="W4386500105",
        tables=text.tables,
        figures=text.figures,
        references=text.references,
        subjects=("Optical physics", "Computational science", "Thin films"),
    )
    return Entry(paper, _truth(text), (code,))
