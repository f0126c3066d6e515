"""The symbols at the Hugging Face hub and the authors' repository, which draws its split in code."""

from __future__ import annotations

import datetime as dt
from importlib.resources import files

from nature_gym.demo.model import CategoryTruth, Commit, Deposit, DepositFile, Page, Repository
from nature_gym.demo.studies import datasets
from nature_gym.demo.studies.author_files import author_files

HUB = "kitayama-glyphs/symbols-8x8"
SPLIT_SEED = 2023
PREVIEW = "https://www.dropbox.com/scl/fi/q7gk2mx0/kler_embeddings.npz?rlkey=w81kd0c3&dl=0"
_MADE = frozenset({"cache", "models", "runs", "results", "figures"})

CATEGORIES = (
    CategoryTruth("data/noisy_queries.npz", "data_preparation", "the second set of queries, the same for every method"),
    CategoryTruth("external/zernike_8x8.npz", "external_resource", "a basis that another project distributes"),
    CategoryTruth(
        "cache/*", "algorithm_preprocessing_output", "landmarks, read by the method's run_experiment.py only"
    ),
    CategoryTruth("models/*", "algorithm_output", "coefficients that run_experiment.py saved"),
    CategoryTruth("runs/*", "algorithm_output", "ranked lists of the paper's own runs"),
    CategoryTruth("results/*", "algorithm_output", "tables of the paper's own runs"),
    CategoryTruth("figures/*", "algorithm_output", "drawn from the results"),
    CategoryTruth("*.py", "code", "source code"),
    CategoryTruth("*.R", "code", "source code"),
    CategoryTruth("*.sh", "code", "source code"),
    CategoryTruth("*.ipynb", "code", "a notebook that looks at failures"),
    CategoryTruth("experiments/*.json", "code", "settings of the runs"),
    CategoryTruth("*", "irrelevant", "documents, notices and project files"),
)


def symbols() -> bytes:
    """``symbols.csv``: sample id, symbol, 64 pixel values from 0 to 16."""
    digits = datasets.load("digits")
    rows = (
        (f"S{number:04d}", *target, *row)
        for number, (row, target) in enumerate(zip(digits.rows, digits.targets, strict=True), 1)
    )
    return datasets.csv_bytes(("sample_id", "symbol", *digits.columns), rows)


def downloads() -> dict[str, bytes]:
    """What ``scripts/download_symbols.py`` puts into a checkout."""
    return {"data/symbols.csv": symbols()}


def deposits(published: dt.date) -> tuple[Deposit, ...]:
    """The data set at the hub, with its card."""
    notice = datasets.load("digits").notice
    card = f"---\nlicense: cc-by-4.0\npretty_name: Symbols 8x8\n---\n\n# Symbols 8x8\n\n{notice}\n"
    deposited = (DepositFile("README.md", card.encode()), DepositFile("symbols.csv", symbols()))
    return (Deposit("huggingface.co", HUB, "Symbols 8x8", deposited, published - dt.timedelta(days=150)),)


def pages() -> tuple[Page, ...]:
    """The authors' embeddings in a cloud: ``dl=0`` shows a preview, ``dl=1`` sends the file."""
    preview = b"<!doctype html><title>kler_embeddings.npz</title><p>Sign in or <a href='#'>download</a></p>"
    content = files(__package__).joinpath("kler_embeddings.npz").read_bytes()
    return (
        Page(PREVIEW, body=preview),
        Page(
            PREVIEW.replace("dl=0", "dl=1"),
            media_type="application/octet-stream",
            body=content,
            headers={"content-disposition": 'attachment; filename="kler_embeddings.npz"'},
        ),
    )


def repository(published: dt.date) -> Repository:
    """Code, then noisy queries for the reviewers, then the runs; a README is mended after publication."""
    tree = author_files(__package__)
    made = {path: content for path, content in tree.items() if path.split("/")[0] in _MADE}
    noisy = {path: tree[path] for path in ("data/noisy_queries.npz", "src/glyphrank/corrupt.py")}
    first = {path: content for path, content in tree.items() if path not in made and path not in noisy}
    when = dt.datetime.combine(published, dt.time(4, 30), tzinfo=dt.UTC)
    return Repository(
        "kitayama-glyphs",
        "glyphrank",
        (
            Commit(when - dt.timedelta(days=270), "first commit", first, author="h-nakagawa"),
            Commit(when - dt.timedelta(days=130), "noisy queries (reviewer 2)", noisy, author="h-nakagawa"),
            Commit(when - dt.timedelta(days=41), "final runs", made, author="h-nakagawa"),
            Commit(
                when + dt.timedelta(days=9),
                "README: cite the paper",
                {"README.md": tree["README.md"] + b"\n## Citation\n\nSee the article page.\n"},
                author="h-nakagawa",
            ),
        ),
        description="Retrieval of handwritten symbols by kernel label embeddings",
        licence="MIT",
        categories=CATEGORIES,
    )
