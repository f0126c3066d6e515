from __future__ import annotations

import re
import shutil
from pathlib import Path

import pandas as pd
import pytest

from nature_gym.demo.model import Entry
from nature_gym.demo.studies.transfer_across_cultivars import PUBLISHED, WINE_URL, entry
from nature_gym.demo.words import Words
from tests.unit.demo.studies.authors import (
    Scores,
    best,
    close,
    documented_commands,
    flaws,
    materialise,
    printed,
    read_scores,
    run,
)

TESTS = ("b_after_service", "c_six_months", "d_other_laboratory")
ROWS = {
    "k-nearest neighbours": "knn",
    "Support vector machine": "svm",
    "Random forest": "rf",
    "Linear discriminant analysis": "lda",
    "CORAL": "coral",
    "EPO": "epo",
    "DAPPLE": "dapple",
}


@pytest.fixture
def study() -> Entry:
    return entry(Words(0, "transfer_across_cultivars"))


@pytest.fixture
def checkout(study: Entry, tmp_path: Path) -> Path:
    return materialise(study.repositories[0], PUBLISHED, tmp_path)


def _compare(study: Entry, checkout: Path) -> Scores:
    measured = read_scores(checkout / "outputs/scores.csv", "method", "test")
    for label, method in ROWS.items():
        cells = printed(study.paper, 2)[label]
        for place, test in enumerate(TESTS):
            assert close(cells[2 * place], measured[method, test]["macro_f1"]), (label, test)
            assert close(cells[2 * place + 1], measured[method, test]["accuracy"]), (label, test)
    for label, cells in printed(study.paper, 3).items():
        for cell, test in zip(cells, TESTS, strict=True):
            assert close(cell, measured[label.lower(), test]["macro_f1"]), (label, test)
    return measured


def test_every_wording_agrees_with_its_truth() -> None:
    for seed in range(6):
        for unseen in (False, True):
            assert flaws(entry(Words(seed, "transfer_across_cultivars", unseen=unseen))) == []


def test_stored_predictions_score_as_printed(study: Entry, checkout: Path) -> None:
    (checkout / "outputs/scores.csv").unlink()
    run("python -m src.score", checkout)
    _compare(study, checkout)


def test_drift_sets_are_made_again_from_the_original(study: Entry, checkout: Path) -> None:
    stored = {path.name: pd.read_csv(path) for path in (checkout / "data").glob("*.csv")}
    (checkout / "data/raw").mkdir()
    page, _ = study.pages
    assert page.url == WINE_URL
    assert WINE_URL in (checkout / "scripts/get_raw.sh").read_text()
    (checkout / "data/raw/wine.data").write_bytes(page.body)
    run("python scripts/make_drift_sets.py", checkout)
    for name, table in stored.items():
        pd.testing.assert_frame_equal(pd.read_csv(checkout / "data" / name), table, rtol=0, atol=2e-3)


def test_order_and_numbers_of_wines_do_not_tell_the_cultivar(checkout: Path) -> None:
    for path in (checkout / "data").glob("*.csv"):
        cultivar = pd.read_csv(path).sort_values("sample_id")["cultivar"]
        assert (cultivar.to_numpy()[1:] == cultivar.to_numpy()[:-1]).mean() < 0.6


def test_deposit_and_repository_hold_the_same_tables(study: Entry, checkout: Path) -> None:
    (deposit,) = study.deposits
    for file in deposit.files:
        folder = "external" if file.name == "drift_axes.csv" else "data"
        assert file.read() == (checkout / folder / file.name).read_bytes()


@pytest.mark.slow
def test_documented_commands_give_the_printed_tables(study: Entry, checkout: Path) -> None:
    for folder in ("artifacts", "outputs"):
        shutil.rmtree(checkout / folder)
    commands = documented_commands(checkout / "README.md")
    whole, *steps, other_seed = commands
    assert whole == "bash scripts/run_all.sh"
    script = (checkout / "scripts/run_all.sh").read_text(encoding="utf-8")
    ours = re.findall(r"^OURS=(.*)", script, re.MULTILINE)[0]
    assert [line for line in script.replace("$OURS", ours).splitlines() if line.startswith("python")] == steps
    for command in (*steps, other_seed):
        run(command, checkout)
    measured = _compare(study, checkout)
    assert best(measured, "macro_f1", ROWS.values(), TESTS, lowest=False) == {"dapple"}
