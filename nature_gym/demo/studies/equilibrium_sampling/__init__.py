"""Equilibrium sampling: a distribution task at three temperatures, with its data at Zenodo.

The repository goes on after the publication, and then fetches version 2.0 of the data: the cited
version is told by the record's own DOI, the concept DOI leads to the newest.
"""

from __future__ import annotations

import datetime as dt

from nature_gym.demo.model import (
    CategoryTruth,
    Commit,
    Deposit,
    DepositFile,
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

PUBLISHED = dt.date(2024, 3, 11)
RECORD, CONCEPT, LATER_RECORD = "97412903", "97412902", "97988214"

CATEGORIES = (
    CategoryTruth("external/*", "external_resource", "the potential: given to every method, copied from other work"),
    CategoryTruth("prep/*", "algorithm_preprocessing_output", "thinned frames, read by the training of BREW only"),
    CategoryTruth("checkpoints/*", "algorithm_output", "trained mixtures"),
    CategoryTruth("results/*", "algorithm_output", "samples, scores and logs of the paper's own runs"),
    CategoryTruth("figs/*.png", "algorithm_output", "drawn from the samples"),
    CategoryTruth("*.py", "code", "source code"),
    CategoryTruth("*.sh", "code", "fetches the deposited data"),
    CategoryTruth("Makefile", "code", "the commands of the paper's runs"),
    CategoryTruth("*.sbatch", "code", "the same commands for a cluster"),
    CategoryTruth("notebooks/*", "irrelevant", "a look at the weights that the paper does not use"),
    CategoryTruth("*", "irrelevant", "documents and environment files"),
)


def _setting(name: str, thermal_energy: int, sota: tuple[str, str], baseline: tuple[str, str]) -> SettingTruth:
    return SettingTruth(
        f"{name.capitalize()} (kT = {thermal_energy})",
        accepted=True,
        reason="trajectories and reference of one temperature, with scores of its own in Table 1",
        development=(f"trajectories_{name}.npz", "external/muller_brown.py"),
        evaluation=(f"reference_{name}.npz",),
        separability="trivial",
        split={
            "kind": "files",
            "development": f"trajectories_{name}.npz",
            "evaluation": f"reference_{name}.npz",
            "record": RECORD,
            "reference": "distribution",
            "draws_to_submit": 1500,
            "made_by": {"script": "data_tools/simulate.py", "seed": 1979},
        },
        sota={"Sliced Wasserstein distance": sota[0], "Jensen–Shannon divergence": sota[1]},
        baseline={"Sliced Wasserstein distance": baseline[0], "Jensen–Shannon divergence": baseline[1]},
    )


TASK = TaskTruth(
    task_type="distribution sampling",
    domain="Chemistry",
    method="BREW",
    variants=("BREW-nodefence", "BREW-1"),
    baselines=("MD", "KDE", "GMM", "KDE-RW"),
    reference_kind="distribution",
    metrics=(
        MetricTruth("Sliced Wasserstein distance", "lower_is_better", primary=True, place="Table 1"),
        MetricTruth("Jensen–Shannon divergence", "lower_is_better", primary=False, place="Table 1"),
    ),
    settings=(
        _setting("cold", 15, ("7.5 ± 1.5", "2.2 ± 0.6"), ("100.6 ± 1.5", "33.4 ± 0.4")),
        _setting("warm", 20, ("16.6 ± 2.1", "4.4 ± 0.3"), ("18.9 ± 6.4", "6.5 ± 0.6")),
        _setting("hot", 30, ("13.6 ± 1.4", "5.3 ± 1.5"), ("18.9 ± 3.7", "5.9 ± 1.6")),
    ),
)


def _truth(text: Manuscript) -> Truth:
    return Truth(
        (
            RuleTruth("1.1", "pass", quote=text.quote("novelty")),
            RuleTruth("2.1", "pass", quote=text.quote("win")),
            RuleTruth("2.2", "pass", quote=text.quote("metric")),
            RuleTruth("3.1", "pass", quote=text.quote("available"), note="Zenodo's record lists six public files."),
            RuleTruth("3.2", "pass", quote=text.quote("development")),
            RuleTruth("3.3", "pass", quote=text.quote("evaluation")),
            RuleTruth(
                "3.4", "pass", quote=text.quote("counts"), note=f"Record {RECORD} is version 1.0, the one cited."
            ),
            RuleTruth("3.5", "pass", quote=text.quote("fixed")),
            RuleTruth("3.6", "pass", note="Zenodo lists six files of less than 1 MB together: tier S."),
        ),
        traps=("concept_doi", "commit_after_publication", "thousands_separator_size", "superscripts"),
        task=TASK,
    )


def deposits() -> tuple[Deposit, Deposit]:
    """Version 1.0, the one cited, and 2.0, in which the cold set was made at another temperature."""
    cited = author_files(__package__, "deposit")
    newest = {**cited, **author_files(__package__, "deposit_later")}
    title = "Short trajectories and equilibrium references for the Müller–Brown potential"

    def deposit(number: str, files: dict[str, bytes], published: dt.date, version: str) -> Deposit:
        listed = tuple(DepositFile(name, content) for name, content in files.items())
        return Deposit("zenodo.org", number, title, listed, published, concept=CONCEPT, version=version)

    return (
        deposit(RECORD, cited, dt.date(2023, 11, 20), "1.0"),
        deposit(LATER_RECORD, newest, dt.date(2024, 6, 18), "2.0"),
    )


def repository() -> Repository:
    """Two commits before the publication, and one after it that moves on to other data."""
    tree = author_files(__package__)
    made = {path: tree[path] for path in tree if path.startswith(("checkpoints/", "results/", "prep/", "figs/"))}
    first = {path: content for path, content in tree.items() if path not in made}
    author, email = "brew developers", "brew@monteluz.example.org"
    return Repository(
        "monteluz-sampling",
        "brew",
        (
            Commit(
                dt.datetime(2023, 11, 22, 10, 30, tzinfo=dt.UTC), "brew and its baselines", first, (), author, email
            ),
            Commit(dt.datetime(2024, 2, 2, 16, 5, tzinfo=dt.UTC), "results of the paper", made, (), author, email),
            Commit(
                dt.datetime(2024, 6, 18, 9, 0, tzinfo=dt.UTC),
                "switch to data v2.0",
                author_files(__package__, "repository_later"),
                (),
                author,
                email,
            ),
        ),
        description="Boltzmann-reweighted mixtures: equilibrium samples from short trajectories",
        categories=CATEGORIES,
    )


def entry(words: Words) -> Entry:
    """The paper in the words picked, what is true of it, its repository and both versions of its data."""
    code = repository()
    text = manuscript(__name__, words, {"LINK": code.url, "RECORD": RECORD, "CONCEPT": CONCEPT})
    paper = Paper(
        suffix=suffix("s43588", PUBLISHED.year, 612),
        venue=VENUES["s43588"],
        title="Boltzmann-reweighted mixtures recover equilibrium from trajectories that never reached it",
        article_type="Article",
        published=PUBLISHED,
        authors=words.authors(3),
        abstract=text.abstract,
        sections=text.sections,
        openalex_id="W4386500106",
        tables=text.tables,
        figures=text.figures,
        references=text.references,
        subjects=("Computational chemistry", "Statistical physics", "Machine learning"),
        oa_status="hybrid",
        pmcid="PMC99106106",
        formats=frozenset({"html", "pdf", "xml"}),
    )
    return Entry(paper, _truth(text), (code,), deposits())
