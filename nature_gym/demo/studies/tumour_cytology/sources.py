"""The authors' repository of this study: the feature tables, the history, and what each file is."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Mapping

from nature_gym.demo.model import CategoryTruth, Commit, Repository
from nature_gym.demo.studies import datasets
from nature_gym.demo.studies.author_files import author_files

SPLIT_SEED = 4
TEST_SHARE = 0.3
OWNER = "norvale-cytometrics"
NAME = "cytologit"

# Leftovers of the authors' machines: bytes that git took along. The first is the magic number
# of CPython 3.8 with nothing useful behind it, the second the start of a Finder file.
_STRAY = {
    "logit_committee/__pycache__/committee.cpython-38.pyc": b"U\r\r\n" + bytes(12) + b"\xe3" + bytes(63),
    ".DS_Store": b"\x00\x00\x00\x01Bud1" + bytes(120),
}
_MADE = ("checkpoints/", "results/", "figures/", "data/processed/")

CATEGORIES = (
    CategoryTruth("data/train.csv", "data_preparation", "one side of the split that make_split.py makes"),
    CategoryTruth("data/test.csv", "data_preparation", "the other side of that split"),
    CategoryTruth("data/feature_dictionary.csv", "external_resource", "UCI's description of the 30 columns"),
    CategoryTruth("data/processed/*", "algorithm_preprocessing_output", "normal scores, read by train.py only"),
    CategoryTruth("data/NOTICE.txt", "irrelevant", "attribution of the tables, read by no program"),
    CategoryTruth("checkpoints/*", "algorithm_output", "committees that train.py saved"),
    CategoryTruth("results/*", "algorithm_output", "predictions, logs and tables of the paper's own runs"),
    CategoryTruth("figures/*", "algorithm_output", "drawn from the committee's predictions"),
    CategoryTruth("*.pyc", "irrelevant", "a stray byte-code file"),
    CategoryTruth("*.py", "code", "source code"),
    CategoryTruth("*.R", "code", "source code"),
    CategoryTruth("*.sh", "code", "source code"),
    CategoryTruth("*.ipynb", "code", "a notebook that explores the training table"),
    CategoryTruth("Makefile", "code", "the commands of the paper's runs"),
    CategoryTruth("*", "irrelevant", "documents, environment files and leftovers"),
)  # fmt: skip


def cases() -> list[tuple[str, ...]]:
    """Case number, diagnosis and 30 measurements, in UCI's order: the lines of ``wdbc.data``."""
    wisconsin = datasets.load("breast_cancer")
    return [
        (f"C{number:04d}", name[0].upper(), *row)
        for number, (name, row) in enumerate(zip(wisconsin.class_names(), wisconsin.rows, strict=True), 1)
    ]


def tables() -> dict[str, bytes]:
    """``data/train.csv`` and ``data/test.csv``, split as the authors' ``make_split.py`` does."""
    everyone = cases()
    shuffle = random.Random(SPLIT_SEED)
    test: set[int] = set()
    for diagnosis in "BM":
        members = [place for place, case in enumerate(everyone) if case[1] == diagnosis]
        shuffle.shuffle(members)
        test.update(members[: round(TEST_SHARE * len(members))])
    columns = ("case_id", "diagnosis", *datasets.load("breast_cancer").columns)
    return {
        f"data/{name}.csv": datasets.csv_bytes(columns, [c for i, c in enumerate(everyone) if (i in test) is held_out])
        for name, held_out in (("train", False), ("test", True))
    }


def repository(published: dt.date) -> Repository:
    """Three commits: the code, the runs of the paper, and the stray files tidied up afterwards."""
    tree: Mapping[str, bytes] = {**author_files(__package__), **tables(), **_STRAY}
    made = {path: content for path, content in tree.items() if path.startswith(_MADE)}
    first = {path: content for path, content in tree.items() if path not in made}
    when = dt.datetime.combine(published, dt.time(9, 12), tzinfo=dt.UTC)
    return Repository(
        OWNER,
        NAME,
        (
            Commit(when - dt.timedelta(days=203), "Committee, baselines and tables", first, author="cytometrics lab"),
            Commit(when - dt.timedelta(days=31), "Runs of the revised manuscript", made, author="cytometrics lab"),
            Commit(
                when + dt.timedelta(days=44),
                "Remove files that should never have been here",
                {".gitignore": tree[".gitignore"] + b"__pycache__/\n.DS_Store\n"},
                removed=tuple(_STRAY),
                author="cytometrics lab",
            ),
        ),
        description="Calibrated committees of kernel classifiers for nucleus tables",
        categories=CATEGORIES,
    )
