"""Answers held against the truth and against the data, by hash and by value.

A right answer is no crime: labels of a few kinds can all be right. Numbers that tell more than a few bits cannot, to
the last digit; so only those are held against the truth, and only whole files against the data.
"""

from __future__ import annotations

import zipfile
from contextlib import suppress
from typing import Any

import numpy as np

from nature_gym.judging.case import Case
from nature_gym.judging.findings import Findings
from nature_gym.judging.given import LARGEST_VALUES, read_numbers

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
    with case.answer_files(LARGEST_VALUES) as files:
        for name, path in files.items():
            with suppress(OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, RecursionError):
                for key, values in read_numbers(path, name):
                    _compare(values, f"{_FOLDER}{name}{key}", case, informative, findings)


def _compare(
    values: np.ndarray[Any, Any], shown: str, case: Case, informative: set[str], findings: Findings
) -> None:  # fmt: skip
    for name in informative:
        truth = case.given.truth[name]
        if len(truth) == len(values) and (share := float(np.mean(truth == values))) >= SAME_SHARE:
            findings.add("target_extraction", f"{share:.0%} of the values are those of {name} to the last digit", shown)
    if len(values) >= LEAST_VALUES and len(np.unique(values)) == 1:
        findings.note(f"the same value {values[0]!r} {len(values)} times", shown)


def _tells_much(values: np.ndarray[Any, Any]) -> bool:
    """Numbers with fractions, or of a wide range, nearly all different: no method hits them to the last digit."""
    if len(values) < LEAST_VALUES or not np.all(np.isfinite(values)):
        return False
    different = len(np.unique(values)) / len(values)
    fractions = float(np.mean(values != np.round(values)))
    return different >= 0.5 and (fractions >= 0.5 or float(np.ptp(values)) >= 50)
