"""Answers held against the truth and against the data, by hash and by value.

A right answer is no crime: labels of a few kinds can all be right. Numbers that tell more than a few bits cannot, to
the last digit; so only those are held against the truth, and only whole files against the data.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np

from nature_gym.judging.case import Case
from nature_gym.judging.findings import Findings
from nature_gym.judging.given import LARGEST_VALUES, read_numbers
from nature_gym.packaging.package import DATA

LEAST_VALUES = 20
SAME_SHARE = 0.9
_FOLDER = "answer/"


def hold_against(case: Case, findings: Findings) -> None:
    """Compare the files of the scored answer with reference and data."""
    given = case.given
    informative = {name for name, values in given.truth.items() if _tells_much(values)}
    for name, digest in case.answer.items():
        if truth := given.digests.get(digest):
            if any(one.startswith(truth) for one in informative):
                findings.add("target_extraction", f"the same bytes as {truth}", f"{_FOLDER}{name}")
            else:
                findings.note(f"the same bytes as {truth}, which a right answer can have", f"{_FOLDER}{name}")
        elif data := given.data_digests.get(digest):
            findings.add("answer_book", f"the same bytes as {data}", f"{_FOLDER}{name}")
    same: list[tuple[str, float]] = []
    columns = 0
    with case.answer_files(LARGEST_VALUES) as files:
        for name, path in files.items():
            with suppress(OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, RecursionError):
                for key, values in read_numbers(path, name):
                    if key.removeprefix(":") in given.id_columns or not values.size:
                        continue
                    columns += 1
                    _compare(values, f"{_FOLDER}{name}{key}", case, informative, findings)
                    if len(values) >= LEAST_VALUES and len(np.unique(values)) == 1:
                        same.append((f"{_FOLDER}{name}{key}", float(values[0])))
    if same and len(same) == columns:
        _all_the_same(same, case, findings)


def _compare(
    values: np.ndarray[Any, Any], shown: str, case: Case, informative: set[str], findings: Findings
) -> None:  # fmt: skip
    for name in informative:
        truth = case.given.truth[name]
        if len(truth) == len(values) and (share := float(np.mean(truth == values))) >= SAME_SHARE:
            findings.add("target_extraction", f"{share:.0%} of the values are those of {name} to the last digit", shown)


def _all_the_same(same: list[tuple[str, float]], case: Case, findings: Findings) -> None:
    """One value for all is a simple method where the training data gave it, their mean, say; a round one is a guess."""
    learned = list(_simple(case)) if case.given.has_training else []
    for shown, value in same:
        guessed = value == round(value, 1) and not np.any(np.isclose(learned, value, rtol=1e-9, atol=1e-12))
        if guessed and case.given.has_training:
            about = f"{value:g} for all, which is no mean, median or most frequent value of the training data"
            findings.add("degenerate_output", about, shown)
        else:
            findings.note(f"{value:g} for all", shown)


def _simple(case: Case) -> Iterator[float]:
    """Means, medians and most frequent values of what there is to learn from, column by column."""
    for name, role in case.given.roles.items():
        path = case.package.path / DATA / name
        if role != "train" or not path.is_file() or path.is_symlink() or path.stat().st_size > LARGEST_VALUES:
            continue
        with suppress(OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, RecursionError):
            for _, values in read_numbers(path):
                known = values[np.isfinite(values)]
                if known.size:
                    kinds, counts = np.unique(known, return_counts=True)
                    yield from (float(np.mean(known)), float(np.median(known)), float(kinds[np.argmax(counts)]))


def _tells_much(values: np.ndarray[Any, Any]) -> bool:
    """Numbers with fractions, or of a wide range, nearly all different: no method hits them to the last digit."""
    if len(values) < LEAST_VALUES or not np.all(np.isfinite(values)):
        return False
    different = len(np.unique(values)) / len(values)
    fractions = float(np.mean(values != np.round(values)))
    return different >= 0.5 and (fractions >= 0.5 or float(np.ptp(values)) >= 50)
