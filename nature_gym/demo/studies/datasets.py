"""The real data sets that scikit-learn ships, as the studies deposit them.

The files are read where scikit-learn is installed, without importing it: a world is then made in
seconds, and cells keep the very text in which they were published. CSV and NPZ are
written byte for byte the same on every machine.
"""

from __future__ import annotations

import csv
import gzip
import io
import zipfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nature_gym.errors import InfrastructureError, UsageError

_UCI = "Licensed under CC BY 4.0 by the UCI Machine Learning Repository"


@dataclass(frozen=True, slots=True)
class ShippedSet:
    """A data set as it was published: one row a sample, each cell in its original text.

    ``columns`` name the cells of ``rows``. Answers stand in ``targets`` (their columns in
    ``target_columns``); a class is its number, whose name is in ``classes``.
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    target_columns: tuple[str, ...]
    targets: tuple[tuple[str, ...], ...]
    classes: tuple[str, ...]
    notice: str
    """Attribution and licence, to be shipped with every copy."""

    def __len__(self) -> int:
        return len(self.rows)

    def numbers(self) -> NDArray[np.float64]:
        """The inputs, samples x columns."""
        return np.array(self.rows, dtype=np.float64)

    def answers(self) -> NDArray[np.float64]:
        """The targets, samples x target columns."""
        return np.array(self.targets, dtype=np.float64)

    def class_names(self) -> tuple[str, ...]:
        """The class of each sample by name."""
        return tuple(self.classes[int(row[0])] for row in self.targets)


# -- reading scikit-learn's files ----------------------------------------------------


@cache
def _folder() -> Path:
    spec = find_spec("sklearn")
    places = list(spec.submodule_search_locations or ()) if spec else []
    if not places:
        raise InfrastructureError(
            "scikit-learn is not installed, so its data sets cannot be read",
            hint="run `make setup`; scikit-learn is a dependency of this project",
        )
    return Path(places[0], "datasets", "data")


def _lines(name: str) -> list[str]:
    path = _folder() / name
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InfrastructureError(
            f"scikit-learn's data file {name} is missing", hint="reinstall scikit-learn in the locked version"
        ) from error
    return (gzip.decompress(content) if path.suffix == ".gz" else content).decode().splitlines()


Cells = tuple[tuple[str, ...], ...]


def _cells(lines: Iterable[str], separator: str | None = ",") -> Cells:
    return tuple(tuple(line.split(separator)) for line in lines)


def _labelled(name: str, header: bool) -> tuple[Cells, Cells]:
    """Files whose last cell is the class; with scikit-learn's own header line or without."""
    cells = _cells(_lines(name)[1 if header else 0 :])
    return tuple(row[:-1] for row in cells), tuple(row[-1:] for row in cells)


_MEASUREMENTS = (
    "radius", "texture", "perimeter", "area", "smoothness", "compactness", "concavity", "concave_points",
    "symmetry", "fractal_dimension",
)  # fmt: skip


def _breast_cancer() -> ShippedSet:
    rows, targets = _labelled("breast_cancer.csv", header=True)
    return ShippedSet(
        "breast_cancer",
        tuple(f"{name}_{view}" for view in ("mean", "se", "worst") for name in _MEASUREMENTS),
        rows,
        ("diagnosis",),
        targets,
        ("malignant", "benign"),
        "Breast Cancer Wisconsin (Diagnostic). W. Wolberg, O. Mangasarian, N. Street, W. Street (1993), UCI Machine "
        f"Learning Repository, https://doi.org/10.24432/C5DW2B. {_UCI}.",
    )


def _diabetes() -> ShippedSet:
    return ShippedSet(
        "diabetes",
        ("age", "sex", "bmi", "bp", "tc", "ldl", "hdl", "tch", "ltg", "glu"),
        _cells(_lines("diabetes_data_raw.csv.gz"), None),
        ("progression",),
        tuple((f"{float(line):g}",) for line in _lines("diabetes_target.csv.gz")),
        (),
        "Diabetes data of B. Efron, T. Hastie, I. Johnstone and R. Tibshirani, Least Angle Regression, Ann. Statist. "
        "32, 407-499 (2004), https://www4.stat.ncsu.edu/~boos/var.select/diabetes.html. The source states no "
        "licence; the copy is the one distributed with scikit-learn under BSD-3-Clause.",
    )


def _digits() -> ShippedSet:
    rows, targets = _labelled("digits.csv.gz", header=False)
    return ShippedSet(
        "digits",
        tuple(f"pixel_{line}_{column}" for line in range(8) for column in range(8)),
        rows,
        ("digit",),
        targets,
        tuple("0123456789"),
        "Optical Recognition of Handwritten Digits (test part). E. Alpaydin, C. Kaynak (1998), UCI Machine Learning "
        f"Repository, https://doi.org/10.24432/C50P49. {_UCI}.",
    )


def _iris() -> ShippedSet:
    rows, targets = _labelled("iris.csv", header=True)
    return ShippedSet(
        "iris",
        ("sepal_length", "sepal_width", "petal_length", "petal_width"),
        rows,
        ("species",),
        targets,
        ("setosa", "versicolor", "virginica"),
        "Iris. R. A. Fisher (1936), UCI Machine Learning Repository, https://doi.org/10.24432/C56C76. " + _UCI + ".",
    )


def _wine() -> ShippedSet:
    rows, targets = _labelled("wine_data.csv", header=True)
    return ShippedSet(
        "wine",
        (
            "alcohol", "malic_acid", "ash", "alcalinity_of_ash", "magnesium", "total_phenols", "flavanoids",
            "nonflavanoid_phenols", "proanthocyanins", "color_intensity", "hue", "od280_od315", "proline",
        ),
        rows,
        ("cultivar",),
        targets,
        ("cultivar_1", "cultivar_2", "cultivar_3"),
        "Wine. S. Aeberhard, M. Forina (1992), UCI Machine Learning Repository, https://doi.org/10.24432/C5PC7J. "
        f"{_UCI}.",
    )  # fmt: skip


def _linnerud() -> ShippedSet:
    exercise, physiology = _lines("linnerud_exercise.csv"), _lines("linnerud_physiological.csv")
    return ShippedSet(
        "linnerud",
        tuple(exercise[0].lower().split()),
        _cells(exercise[1:], None),
        tuple(physiology[0].lower().split()),
        _cells(physiology[1:], None),
        (),
        "Linnerud exercise data, from M. Tenenhaus, La regression PLS: theorie et pratique, Editions Technip (1998). "
        "The source states no licence; the copy is the one distributed with scikit-learn under BSD-3-Clause.",
    )


_READERS: dict[str, Callable[[], ShippedSet]] = {
    "breast_cancer": _breast_cancer,
    "diabetes": _diabetes,
    "digits": _digits,
    "iris": _iris,
    "linnerud": _linnerud,
    "wine": _wine,
}
NAMES = tuple(_READERS)


@cache
def load(name: str) -> ShippedSet:
    """The data set called ``name``, one of :data:`NAMES`; :class:`UsageError` for any other."""
    if name not in _READERS:
        raise UsageError(f"there is no shipped data set {name!r}", hint=f"choose one of {', '.join(NAMES)}")
    return _READERS[name]()


# -- writing -------------------------------------------------------------------------


def csv_bytes(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """A CSV file with a header line, UTF-8, Unix line ends."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue().encode()


def npz_bytes(**arrays: NDArray[np.generic]) -> bytes:
    """An uncompressed NPZ archive whose members carry no time of making."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name, array in arrays.items():
            member = io.BytesIO()
            np.lib.format.write_array(member, array, allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0)), member.getvalue())
    return target.getvalue()
