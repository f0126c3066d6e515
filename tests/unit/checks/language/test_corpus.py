"""Every labelled sentence is told apart by its check, as a paragraph of its own in the README of a good package."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from checks.running import run_checks
from tests.unit.checks.language.corpus import Labelled, labelled
from tests.unit.checks.mutations import DESCRIPTION, README, said
from tests.unit.checks.packages import STYLES, written

FILES = ("sentences.txt", "fresh.txt", "second.txt", "third.txt", "marks.txt")
SENTENCES = [one for name in FILES for one in labelled(name)]
IN_DATA = ("esm_embeddings.npy", "oracle.pt", "couplings.json", "splits.json")


@pytest.mark.parametrize("one", [pytest.param(one, id=f"{n}-{one.check}") for n, one in enumerate(SENTENCES)])
def test_a_sentence_is_told_apart(one: Labelled, tmp_path: Path) -> None:
    files = {name: content for name, content in STYLES["cells"]().items() if name in (README, DESCRIPTION)}
    said(one.text)(files)
    for name in IN_DATA:
        files[f"problem/data/breast/{name}"] = b"\x00"
    names = (one.method,) if one.method else ()
    report = run_checks(written(tmp_path, files), chosen={one.check}, method_names=names)
    assert report.check(one.check).status == one.label, (one.text, report.check(one.check).findings)


def test_the_corpus_has_both_sides_of_every_domain() -> None:
    assert len({one.text for one in SENTENCES}) == len(SENTENCES) >= 400
    sides = Counter((one.domain, one.label) for one in SENTENCES if one.check == "C2.5")
    domains = {domain for domain, _ in sides}
    assert len(domains) == 10
    assert all(sides[domain, label] >= 5 for domain in domains for label in ("pass", "fail"))
