"""The authors' repository, with the images and their labels under keys of one file."""

from __future__ import annotations

import datetime as dt

import numpy as np

from nature_gym.demo.model import CategoryTruth, Commit, Repository
from nature_gym.demo.studies import datasets
from nature_gym.demo.studies.author_files import author_files

DATA = "data/digits.npz"
_MADE = frozenset({"cache", "embeddings", "results", "checkpoints"})

CATEGORIES = (
    CategoryTruth(DATA, "initial_state", "images and labels, written by no program of the repository"),
    CategoryTruth("cache/*", "algorithm_preprocessing_output", "neighbour lists that only the method reads"),
    CategoryTruth("embeddings/*", "algorithm_output", "the method's embedding"),
    CategoryTruth("checkpoints/*", "algorithm_output", "the method's cluster centres"),
    CategoryTruth("results/*", "algorithm_output", "assignments and scores of the paper's own runs"),
    CategoryTruth("figures/*.svg", "algorithm_output", "drawn from the method's embedding"),
    CategoryTruth("*.py", "code", "source code"),
    CategoryTruth("*.R", "code", "source code"),
    CategoryTruth("*.sh", "code", "source code"),
    CategoryTruth("*.ipynb", "code", "a notebook that looks at the images"),
    CategoryTruth("settings.ini", "code", "settings of the runs"),
    CategoryTruth("Makefile", "code", "the commands of the paper's runs"),
    CategoryTruth("*", "irrelevant", "documents and project files"),
)


def archive(*, with_labels: bool = True) -> bytes:
    """``digits.npz``: images (1797 x 8 x 8), sample ids and, unless withheld, the digits written."""
    digits = datasets.load("digits")
    images = digits.numbers().astype(np.uint8).reshape(-1, 8, 8)
    ids = np.array([f"D{number:04d}" for number in range(1, len(digits) + 1)])
    labels = {"labels": digits.answers().astype(np.uint8).ravel()} if with_labels else {}
    return datasets.npz_bytes(images=images, **labels, sample_id=ids)


def repository(published: dt.date) -> Repository:
    """Code and data, then the runs; after publication the labels were taken out of the file."""
    tree = {**author_files(__package__), DATA: archive()}
    made = {path: content for path, content in tree.items() if path.split("/")[0] in _MADE}
    first = {path: content for path, content in tree.items() if path not in made}
    when = dt.datetime.combine(published, dt.time(11, 3), tzinfo=dt.UTC)
    readme = tree["README.md"].replace(b"`labels` (what was written; for scoring only)\nand ", b"and ")
    return Repository(
        "monteluz-patterns",
        "snade",
        (
            Commit(when - dt.timedelta(days=301), "snade, first public version", first, author="Carla M."),
            Commit(when - dt.timedelta(days=12), "runs for camera ready", made, author="Carla M."),
            Commit(
                when + dt.timedelta(days=97),
                "move labels to the leaderboard server",
                {DATA: archive(with_labels=False), "README.md": readme},
                author="Carla M.",
            ),
        ),
        description="Shared-neighbour affinity diffusion embedding",
        default_branch="master",
        categories=CATEGORIES,
    )
