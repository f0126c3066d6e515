"""The cohort at Zenodo and the authors' repository, which holds row numbers instead of data."""

from __future__ import annotations

import datetime as dt

from nature_gym.demo.model import CategoryTruth, Commit, Deposit, DepositFile, Repository
from nature_gym.demo.studies import datasets
from nature_gym.demo.studies.author_files import author_files

RECORD, CONCEPT, NEXT_RECORD = "99000421", "99000420", "99000733"
SPLIT_SEED, TEST_SIZE = 6, 133

CATEGORIES = (
    CategoryTruth("data/splits/*.txt", "data_preparation", "row numbers of the split that every method uses"),
    CategoryTruth("resources/reference_ranges.json", "external_resource", "reporting limits of a laboratory handbook"),
    CategoryTruth("artifacts/*", "algorithm_preprocessing_output", "quantile knots, read by the method's run.py only"),
    CategoryTruth("checkpoints/*", "algorithm_output", "coefficients that run.py saved"),
    CategoryTruth("results/*", "algorithm_output", "predictions, logs and tables of the paper's own runs"),
    CategoryTruth("figures/*", "algorithm_output", "drawn from the bootstrap of the results"),
    CategoryTruth("*.py", "code", "source code"),
    CategoryTruth("*.R", "code", "source code"),
    CategoryTruth("*.sh", "code", "fetches the deposit"),
    CategoryTruth("*.ipynb", "code", "a notebook that looks at the cohort"),
    CategoryTruth("conf/*.yaml", "code", "settings of the runs"),
    CategoryTruth("conf/model/*.yaml", "code", "settings of the method"),
    CategoryTruth("*", "irrelevant", "documents and project files"),
)

_CODEBOOK = (
    ("patient_id", "identifier", ""),
    ("age", "age", "years"),
    ("sex", "coded 1 or 2 in the source", ""),
    ("bmi", "body mass index", "kg/m2"),
    ("bp", "average blood pressure", "mm Hg"),
    ("tc", "total serum cholesterol", "mg/dl"),
    ("ldl", "low-density lipoproteins", "mg/dl"),
    ("hdl", "high-density lipoproteins", "mg/dl"),
    ("tch", "total cholesterol / HDL", ""),
    ("ltg", "log of serum triglycerides", ""),
    ("glu", "blood sugar", "mg/dl"),
    ("progression", "disease progression one year after baseline", "points"),
)


def cohort() -> bytes:
    """``cohort.csv``: 442 patients, ten baseline variables, the outcome."""
    diabetes = datasets.load("diabetes")
    rows = (
        (f"P{number:03d}", *row, *target)
        for number, (row, target) in enumerate(zip(diabetes.rows, diabetes.targets, strict=True), 1)
    )
    return datasets.csv_bytes(("patient_id", *diabetes.columns, "progression"), rows)


def _newer_cohort() -> bytes:
    """The second version: a column was dropped and the rows were put in order of age."""
    header, *lines = (line.split(b",") for line in cohort().splitlines())
    lines.sort(key=lambda cells: int(cells[1]))
    place = header.index(b"tch")
    return b"\n".join(b",".join(cells[:place] + cells[place + 1 :]) for cells in (header, *lines)) + b"\n"


def downloads() -> dict[str, bytes]:
    """What ``scripts/download_data.sh`` puts into a checkout."""
    return {
        "data/cohort.csv": cohort(),
        "data/codebook.csv": datasets.csv_bytes(("column", "meaning", "unit"), _CODEBOOK),
    }


def deposits(published: dt.date) -> tuple[Deposit, ...]:
    """The version that the paper cites, and a newer one to which the concept DOI leads."""
    notice = datasets.load("diabetes").notice.encode() + b"\n"
    codebook = downloads()["data/codebook.csv"]
    title = "Ten baseline variables and one-year progression of 442 patients with diabetes"

    def files(table: bytes) -> tuple[DepositFile, ...]:
        return (
            DepositFile("cohort.csv", table),
            DepositFile("codebook.csv", codebook),
            DepositFile("NOTICE.txt", notice),
        )

    return (
        Deposit("zenodo.org", RECORD, title, files(cohort()), published - dt.timedelta(days=90), concept=CONCEPT),
        Deposit(
            "zenodo.org",
            NEXT_RECORD,
            title,
            files(_newer_cohort()),
            published + dt.timedelta(days=210),
            concept=CONCEPT,
            version="v2",
        ),
    )


def repository(published: dt.date) -> Repository:
    """Code first, then the runs of the revision; after publication the split was drawn anew."""
    tree = author_files(__package__)
    made = {path: content for path, content in tree.items() if path.split("/")[0] in _MADE}
    splits = {path: content for path, content in tree.items() if path.startswith("data/splits/")}
    first = {path: content for path, content in tree.items() if path not in made and path not in splits}
    when = dt.datetime.combine(published, dt.time(16, 40), tzinfo=dt.UTC)
    redrawn = tree["data/splits/make_splits.py"].replace(b"133, 6", b"88, 2023")
    return Repository(
        "calder-metabolic",
        "panora",
        (
            Commit(when - dt.timedelta(days=240), "initial import", first, author="K. Vance"),
            Commit(when - dt.timedelta(days=118), "fixed split for revision 1", splits, author="K. Vance"),
            Commit(when - dt.timedelta(days=20), "results as in the paper", made, author="K. Vance"),
            Commit(
                when + dt.timedelta(days=160),
                "80/20 split for the follow-up, see branch notes",
                {"data/splits/make_splits.py": redrawn},
                removed=("data/splits/train_idx.txt", "data/splits/test_idx.txt"),
                author="K. Vance",
            ),
        ),
        description="Pairwise ANOVA ridge regression",
        categories=CATEGORIES,
    )


_MADE = frozenset({"checkpoints", "results", "figures", "artifacts"})
