"""Transfer across cultivars: one training set, three drifted test sets, and prototypes pretrained, then adapted.

Repository and Figshare hold the same tables. The original data stay at their source: its labels
would give the answers of all three test sets away.
"""

from __future__ import annotations

import datetime as dt

from nature_gym.demo.fates.accessions import ena_page
from nature_gym.demo.model import (
    CategoryTruth,
    Commit,
    Deposit,
    DepositFile,
    Entry,
    MetricTruth,
    Page,
    Paper,
    Repository,
    RuleTruth,
    SettingTruth,
    TaskTruth,
    Truth,
)
from nature_gym.demo.studies import datasets
from nature_gym.demo.studies.author_files import author_files
from nature_gym.demo.studies.manuscript import Manuscript, manuscript
from nature_gym.demo.venues import VENUES, suffix
from nature_gym.demo.words import Words

PUBLISHED = dt.date(2022, 8, 30)
NUMBER = "94012345"
WINE_URL = "https://archive.ics.uci.edu/ml/machine-learning-databases/wine/wine.data"

CATEGORIES = (
    CategoryTruth(
        "data/*.csv", "data_preparation", "the split and the drift that make_drift_sets.py made for everyone"
    ),
    CategoryTruth("external/drift_axes.csv", "external_resource", "published by other work, given to every method"),
    CategoryTruth("artifacts/whitened_*.npz", "algorithm_preprocessing_output", "training set in DAPPLE's own metric"),
    CategoryTruth("artifacts/*.joblib", "algorithm_output", "pretrained prototypes"),
    CategoryTruth("outputs/*", "algorithm_output", "predictions and scores of the paper's own runs"),
    CategoryTruth("assets/*.png", "algorithm_output", "drawn from the scores"),
    CategoryTruth("*.py", "code", "source code"),
    CategoryTruth("*.sh", "code", "the commands of the paper's runs"),
    CategoryTruth("configs/*.yaml", "code", "settings that the source code composes"),
    CategoryTruth("*", "irrelevant", "documents and environment files"),
)


def _setting(state: str, table: str, sota: tuple[str, str], baseline: tuple[str, str]) -> SettingTruth:
    return SettingTruth(
        f"Drift state {state}",
        accepted=True,
        reason="a test table of its own for the one training table, with scores of its own in Table 2",
        development=("data/train.csv", "external/drift_axes.csv"),
        evaluation=(f"data/{table}.csv",),
        separability="simple",
        split={
            "kind": "files",
            "development": "data/train.csv",
            "evaluation": f"data/{table}.csv",
            "id": "sample_id",
            "target": "cultivar",
            "made_by": {
                "script": "scripts/make_drift_sets.py",
                "kind": "random",
                "seed": 42,
                "test_size": 0.5,
                "stratify": "cultivar",
            },
        },
        sota={"Macro F1": sota[0], "Accuracy": sota[1]},
        baseline={"Macro F1": baseline[0], "Accuracy": baseline[1]},
    )


TASK = TaskTruth(
    task_type="multi-class classification",
    domain="Chemistry",
    method="DAPPLE",
    variants=("DAPPLE-noaxes", "DAPPLE-hard", "DAPPLE-static"),
    baselines=(
        "k-nearest neighbours",
        "Support vector machine",
        "Random forest",
        "Linear discriminant analysis",
        "CORAL",
        "EPO",
    ),
    reference_kind="label",
    metrics=(
        MetricTruth("Macro F1", "higher_is_better", primary=True, place="Table 2"),
        MetricTruth("Accuracy", "higher_is_better", primary=False, place="Table 2"),
    ),
    settings=(
        _setting("B, after service", "test_b_after_service", ("0.976", "0.978"), ("0.956", "0.955")),
        _setting("C, six months later", "test_c_six_months", ("0.990", "0.989"), ("0.959", "0.955")),
        _setting("D, other laboratory", "test_d_other_laboratory", ("0.969", "0.966"), ("0.924", "0.921")),
    ),
)


def _truth(text: Manuscript) -> Truth:
    return Truth(
        (
            RuleTruth("1.1", "pass", quote=text.quote("novelty")),
            RuleTruth("2.1", "pass", quote=text.quote("win")),
            RuleTruth("2.2", "pass", quote=text.quote("metric")),
            RuleTruth("3.1", "pass", quote=text.quote("available"), note="Figshare's record lists five public files."),
            RuleTruth("3.2", "pass", quote=text.quote("development")),
            RuleTruth("3.3", "pass", quote=text.quote("evaluation")),
            RuleTruth("3.4", "pass", quote=text.quote("counts"), note="Each of the four tables has 89 rows."),
            RuleTruth("3.5", "pass", quote=text.quote("fixed")),
            RuleTruth("3.6", "pass", note="Figshare lists five files of less than 1 MB together: tier S."),
        ),
        traps=("megabases", "accession_that_is_not_the_data", "file_and_record_once"),
        task=TASK,
    )


def deposit() -> Deposit:
    """The four tables and the drift axes."""
    tree = author_files(__package__)
    listed = [path for path in tree if path.startswith("data/") or path == "external/drift_axes.csv"]
    files = tuple(DepositFile(path.rpartition("/")[2], tree[path]) for path in listed)
    title = "Wine measurements under three states of instrument drift"
    return Deposit("figshare.com", NUMBER, title, files, dt.date(2022, 6, 9))


def parent_vines() -> Page:
    """The sequencing project that the paper mentions and does not use."""
    title = "Whole-genome sequencing of the parent vines"
    return ena_page("PRJEB99417", title, "Vitis vinifera", 24, "Illumina NovaSeq 6000")


def original() -> Page:
    """The wine recognition data as the UCI repository serves them: no header, sorted by cultivar."""
    wine = datasets.load("wine")
    lines = (",".join((str(int(target[0]) + 1), *row)) for target, row in zip(wine.targets, wine.rows, strict=True))
    return Page(WINE_URL, media_type="text/plain; charset=utf-8", body="".join(f"{line}\n" for line in lines).encode())


def repository() -> Repository:
    """Four commits: data, method, runs, and a last word on the deposit."""
    tree = author_files(__package__)
    made = {path: content for path, content in tree.items() if path.startswith(("artifacts/", "outputs/", "assets/"))}
    base = ("data/", "external/", "scripts/make", "scripts/get", "LICENSE", ".gitignore")
    first = {path: content for path, content in tree.items() if path.startswith(base)}
    second = {path: content for path, content in tree.items() if path not in made and path not in first}
    draft = second["README.md"].replace(
        b"> They are also on figshare: https://doi.org/10.6084/m9.figshare.94012345\n", b""
    )
    author, email = "dapple", "dapple@brueckstadt.example.org"
    return Repository(
        "brueckstadt-chemometrics",
        "dapple",
        (
            Commit(dt.datetime(2021, 12, 1, 11, 20, tzinfo=dt.UTC), "benchmark", first, (), author, email),
            Commit(
                dt.datetime(2022, 2, 14, 19, 3, tzinfo=dt.UTC),
                "add dapple, baselines, configs",
                {**second, "README.md": draft},
                (),
                author,
                email,
            ),
            Commit(dt.datetime(2022, 5, 30, 7, 45, tzinfo=dt.UTC), "results", made, (), author, email),
            Commit(
                dt.datetime(2022, 6, 10, 12, 0, tzinfo=dt.UTC),
                "figshare doi",
                {"README.md": second["README.md"]},
                (),
                author,
                email,
            ),
        ),
        description="Drift-aware precision and prototype learning",
        categories=CATEGORIES,
    )


def entry(words: Words) -> Entry:
    """The paper in the words picked, what is true of it, its repository and deposit, and the original data."""
    code = repository()
    text = manuscript(__name__, words, {"LINK": code.url, "NUMBER": NUMBER, "WINE": WINE_URL})
    paper = Paper(
        suffix=suffix("s42256", PUBLISHED.year, 531),
        venue=VENUES["s42256"],
        title="Drift-aware prototypes carry a cultivar classifier across instruments",
        article_type="Article",
        published=PUBLISHED,
        authors=words.authors(3),
        abstract=text.abstract,
        sections=text.sections,
        openalex_id="W4386500107",
        tables=text.tables,
        figures=text.figures,
        references=text.references,
        subjects=("Analytical chemistry", "Machine learning", "Plant sciences"),
        oa_status="hybrid",
        template="old",
    )
    return Entry(paper, _truth(text), (code,), (deposit(),), (original(), parent_vines()))
