"""Four repositories on scikit-learn's sets: their README's commands give the numbers that the papers print."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from sklearn.model_selection import train_test_split

from nature_gym.demo.model import Entry
from nature_gym.demo.studies import datasets, symbol_retrieval
from nature_gym.demo.studies.handwritten_clusters import sources as clusters
from nature_gym.demo.studies.tumour_cytology import sources as cytology
from nature_gym.demo.words import Words
from tests.unit.demo.studies.authors import SINGLE_THREAD, close, materialise, printed, read_scores, tree_at


@dataclass(frozen=True)
class Reproduction:
    """Where a repository writes the scores of a table: printed row -> key, printed column -> column."""

    table: int
    scores: str
    keys: tuple[str, ...]
    rows: Mapping[str, str]
    columns: tuple[tuple[str, ...], ...]
    """For each printed column: the column of the file, then the values of further keys."""
    made: tuple[str, ...]
    """Folders of what the commands make."""


STUDIES = {
    "tumour_cytology": Reproduction(
        2,
        "results/table2.csv",
        ("method",),
        {
            "Gaussian naive Bayes": "naive_bayes",
            "k-nearest neighbours": "knn",
            "Random forest": "random_forest",
            "Logistic regression": "logistic_regression",
            "SVM with Platt scaling": "svm",
            "Single whole-view member": "whole",
            "Logit committee, uniform weights": "uniform",
            "Logit committee": "committee",
        },
        (("f1",), ("auroc",), ("brier",)),
        made=("checkpoints", "results", "data/processed"),
    ),
    "glucose_progression": Reproduction(
        1,
        "results/table1.csv",
        ("method",),
        {
            "Gradient boosting": "boosting",
            "Random forest": "random_forest",
            "k-nearest neighbours": "knn",
            "Lasso": "lasso",
            "Ordinary least squares": "ols",
            "PANORA, additive": "panora_additive",
            "PANORA": "panora",
        },
        (("r2",), ("rmse",), ("spearman",)),
        made=("checkpoints", "results", "artifacts"),
    ),
    "handwritten_clusters": Reproduction(
        1,
        "results/scores.csv",
        ("method",),
        {
            "k-means": "kmeans",
            "PCA + k-means": "pca_kmeans",
            "Gaussian mixture": "gmm",
            "Spectral clustering": "spectral",
            "Ward’s method": "ward",
            "SNADE, no sharpening": "no_sharpening",
            "SNADE, local scales": "local_scales",
            "SNADE": "snade",
        },
        (("ari",), ("nmi",), ("acc",)),
        made=("checkpoints", "results", "embeddings", "cache"),
    ),
    "symbol_retrieval": Reproduction(
        1,
        "results/retrieval.csv",
        ("method", "condition"),
        {
            "Zernike moments": "zernike",
            "Pixel cosine": "pixel_cosine",
            "PCA": "pca",
            "LDA": "lda",
            "KLER, unscaled codes": "kler_unnormalised",
            "KLER, random landmarks": "kler_random_landmarks",
            "KLER": "kler",
        },
        (("ndcg10", "clean"), ("mrr", "clean"), ("ndcg10", "noisy"), ("mrr", "noisy")),
        made=("models", "runs", "results", "cache"),
    ),
}


def _entry(study: str) -> Entry:
    entry = import_module(f"nature_gym.demo.studies.{study}").entry(Words(0, study))
    assert isinstance(entry, Entry)
    return entry


def _checkout(entry: Entry, folder: Path) -> Path:
    """The repository at publication, with the deposited tables where the download script puts them."""
    materialise(entry.repositories[0], entry.paper.published, folder)
    for deposit in entry.deposits[:1]:
        for file in deposit.files:
            if file.name.endswith(".csv"):
                (folder / "data" / file.name).write_bytes(file.read())
    return folder


def _script(readme: str) -> str:
    """The README's bash blocks as one script, without the downloads, which were done by hand."""
    blocks = re.findall(r"```bash\n(.*?)```", readme, re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines() if "download" not in line]
    return "\n".join(("set -e", *lines))


def _run(script: str, folder: Path) -> None:
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env={**os.environ, **SINGLE_THREAD, "PATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]


def _agree(entry: Entry, told: Reproduction, folder: Path, *, hair: float = 0.0) -> list[str]:
    """The cells of the printed table that the scores in ``folder`` do not give."""
    scores = read_scores(folder / told.scores, *told.keys)
    table = printed(entry.paper, told.table)
    assert table.keys() == told.rows.keys()
    return [
        f"{label}, {column}: {cell} printed, {scores[key, *further][column]} found"
        for label, key in told.rows.items()
        for cell, (column, *further) in zip(table[label], told.columns, strict=True)
        if not close(cell, scores[key, *further][column])
        and abs(float(cell.split(" ± ")[0]) - scores[key, *further][column]) > hair
    ]


@pytest.mark.parametrize("study", STUDIES)
def test_the_stored_results_are_those_that_the_paper_prints(study: str, tmp_path: Path) -> None:
    entry = _entry(study)
    assert _agree(entry, STUDIES[study], _checkout(entry, tmp_path)) == []


@pytest.mark.parametrize("study", STUDIES)
def test_the_method_beats_every_baseline_on_the_primary_metric(study: str) -> None:
    entry = _entry(study)
    task = entry.truth.task
    assert task is not None
    column = printed(entry.paper, STUDIES[study].table)
    scores = {label: float(cells[0].split(" ± ")[0]) for label, cells in column.items()}
    assert task.metrics[0].primary
    assert task.metrics[0].direction == "higher_is_better"
    assert all(scores[task.method] > scores[baseline] for baseline in task.baselines)


@pytest.mark.slow
@pytest.mark.parametrize("study", STUDIES)
def test_the_commands_of_the_readme_give_the_printed_numbers(study: str, tmp_path: Path) -> None:
    entry, told = _entry(study), STUDIES[study]
    folder = _checkout(entry, tmp_path)
    outputs = [path for made in told.made for path in (folder / made).rglob("*") if path.is_file()]
    assert outputs
    for path in outputs:
        path.unlink()
    _run(_script((folder / "README.md").read_text(encoding="utf-8")), folder)
    # Other builds of BLAS move a case or two; a method that no longer works moves much more.
    assert _agree(entry, told, folder, hair=0.012) == []


def test_the_tables_of_the_cytology_study_are_made_by_its_own_script(tmp_path: Path) -> None:
    entry = _entry("tumour_cytology")
    folder = _checkout(entry, tmp_path)
    raw = folder / "data/raw/wdbc.data"
    raw.parent.mkdir()
    raw.write_text("".join(",".join(case) + "\n" for case in cytology.cases()), encoding="utf-8")
    stored = {name: (folder / name).read_bytes() for name in ("data/train.csv", "data/test.csv")}
    for name in stored:
        (folder / name).unlink()
    _run(f"python scripts/make_split.py --raw {raw} --seed {cytology.SPLIT_SEED}", folder)
    assert {name: (folder / name).read_bytes() for name in stored} == stored
    ids = [line.split(b",")[0] for content in stored.values() for line in content.splitlines()[1:]]
    assert len(ids) == len(set(ids)) == len(datasets.load("breast_cancer"))


def test_the_row_numbers_of_the_glucose_study_are_made_by_its_own_script(tmp_path: Path) -> None:
    entry = _entry("glucose_progression")
    folder = _checkout(entry, tmp_path)
    names = ("data/splits/train_idx.txt", "data/splits/test_idx.txt")
    stored = [(folder / name).read_text(encoding="utf-8") for name in names]
    for name in names:
        (folder / name).unlink()
    _run("python data/splits/make_splits.py", folder)
    assert [(folder / name).read_text(encoding="utf-8") for name in names] == stored
    rows = [int(line) for text in stored for line in text.split()]
    assert sorted(rows) == list(range(len(datasets.load("diabetes"))))


def test_the_stated_parameters_repeat_the_split_of_the_retrieval_study(tmp_path: Path) -> None:
    """From the truth alone, without the authors' code; the stored runs name the same queries."""
    entry = _entry("symbol_retrieval")
    folder = _checkout(entry, tmp_path)
    with (folder / "data/symbols.csv").open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    parts = {"all": np.arange(len(table))}
    symbols = np.array([int(row["symbol"]) for row in table])
    split = symbol_retrieval.SPLIT
    steps = split["steps"]
    assert isinstance(steps, list)
    for step in steps:
        rows = parts[step["of"]]
        parts[step["train"]], parts[step["test"]] = train_test_split(
            rows, test_size=step["test_size"], random_state=split["seed"], stratify=symbols[rows]
        )
    assert [len(parts[name]) for name in ("train", "gallery", "query")] == [898, 629, 270]
    with (folder / "runs/kler.clean.csv").open(encoding="utf-8", newline="") as file:
        queries = [row["query"] for row in csv.DictReader(file)]
    assert [table[row]["sample_id"] for row in parts["query"]] == queries
    with np.load(folder / "data/noisy_queries.npz") as noisy:
        assert noisy["sample_id"].tolist() == queries


def test_labels_of_the_clustering_study_lie_under_a_key_until_after_publication(tmp_path: Path) -> None:
    entry = _entry("handwritten_clusters")
    repository = entry.repositories[0]
    for tree, keys in (
        (tree_at(repository, entry.paper.published), {"images", "labels", "sample_id"}),
        (repository.files, {"images", "sample_id"}),
    ):
        path = tmp_path / "digits.npz"
        path.write_bytes(tree[clusters.DATA])
        with np.load(path) as archive:
            assert set(archive) == keys


def test_a_newer_version_of_the_glucose_deposit_is_another_table() -> None:
    cited, newer = _entry("glucose_progression").deposits
    assert cited.concept == newer.concept
    assert cited.published < newer.published
    assert cited.files[0].read() != newer.files[0].read()
    assert len(cited.files[0].read().splitlines()) == len(newer.files[0].read().splitlines()) == 443
