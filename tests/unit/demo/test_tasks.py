"""Every demo paper that passes ends as a package whose evaluator gives the paper's own numbers."""

from __future__ import annotations

import csv
import importlib.util
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nature_gym.cli.problems import problems_of
from nature_gym.demo.model import Entry
from nature_gym.demo.tasks import task_id, write_task
from nature_gym.demo.world import build_world
from nature_gym.digests import digest_folder
from nature_gym.packaging.build import build
from nature_gym.packaging.package import Package

EXAMPLES = Path(__file__).resolve().parents[3] / "task_packages" / "examples"
PASSING = [entry for entry in build_world().entries if entry.truth.verdict == "passed"]
Answers = dict[tuple[str, str], bytes]


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    root = tmp_path_factory.mktemp("demo")
    return {
        entry.paper.id: build(write_task(entry, root / "tasks" / task_id(entry)), root / "packages").path
        for entry in PASSING
    }


def evaluator(package: Path) -> Any:
    spec = importlib.util.spec_from_file_location("evaluator", package / "evaluation/evaluator.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def score(package: Path, answers: Answers, folder: Path, patch: pytest.MonkeyPatch) -> dict[str, dict[str, Any]]:
    for (instance, file), content in answers.items():
        path = folder / instance / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    patch.setenv("OUTPUT_DIR", str(folder))
    result: dict[str, dict[str, Any]] = evaluator(package).run_evaluation()
    return result


def _table(heading: str, rows: Iterator[str]) -> bytes:
    return (heading + "\n" + "\n".join(rows) + "\n").encode()


def _npy(array: Any) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def by_authors(entry: Entry, package: Path) -> Answers:  # noqa: PLR0911 -- one return a study
    """What the authors' own predictions, which their repository holds, are in the form that the task asks for."""
    files = {
        name: content
        for commit in entry.repositories[0].commits
        if commit.date.date() <= entry.paper.published
        for name, content in commit.files.items()
    }

    def rows(name: str) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(files[name].decode())))

    match entry.repositories[0].name:
        case "cytologit":
            lines = (
                f"{row['case_id']},{row['probability']},{'M' if float(row['probability']) >= 0.5 else 'B'}"
                for row in rows("results/predictions_committee.csv")
            )
            return {("aspirates", "predictions.csv"): _table("case_id,probability,diagnosis", lines)}
        case "panora":
            lines = (f"{row['patient_id']},{row['predicted']}" for row in rows("results/pred_panora.csv"))
            return {("cohort", "predictions.csv"): _table("patient_id,progression", lines)}
        case "snade":
            groups = [int(list(row.values())[1]) for row in rows("results/assign_snade.csv")]
            return {("digits", "groups.npy"): _npy(np.array(groups))}
        case "glyphrank":
            heading = ",".join(["sample_id", *(f"rank_{rank}" for rank in range(1, 11))])
            return {
                (condition, "ranking.csv"): _table(
                    heading,
                    (f"{r['query']},{','.join(r['ranked'].split())}" for r in rows(f"runs/kler.{condition}.csv")),
                )
                for condition in ("clean", "noisy")
            }
        case "filmscout":
            heading = "name," + ",".join(f"d{layer}_nm" for layer in range(1, 7))
            designs = {row["target"]: [row[f"d{layer}_nm"] for layer in range(1, 7)] for row in rows(
                "results/designs/filmscout.csv")}  # fmt: skip
            found: Answers = {}
            for instance in ("antireflection", "edge", "splitter"):
                targets = json.loads((package / f"problem/data/{instance}/targets.json").read_text())["targets"]
                lines = (",".join([one["name"], *designs[one["name"]]]) for one in targets)
                found[instance, "designs.csv"] = _table(heading, lines)
            return found
        case "dapple":
            tests = {"after-service": "b_after_service", "six-months": "c_six_months",
                     "other-laboratory": "d_other_laboratory"}  # fmt: skip
            return {
                (instance, "predictions.csv"): _table(
                    "sample_id,cultivar",
                    (f"{row['sample_id']},{row['predicted']}" for row in rows(f"outputs/dapple/{name}.csv")),
                )
                for instance, name in tests.items()
            }
        case "copan":
            return {("cohort", "predictions.csv"): files["results/predictions_copan.csv"]}
        case "brew":
            return {
                (name, "samples.npy"): _npy(np.load(io.BytesIO(files[f"results/samples/brew_{name}.npz"]))["xy"][0])
                for name in ("cold", "warm", "hot")
            }
    found = {}
    for name in Package(package).instances():
        with (package / f"problem/data/{name}/test.csv").open(newline="") as file:
            ids = [row["id"] for row in csv.DictReader(file)]
        values = files[f"results/{name}_predictions.csv"].decode().split()[1:]
        lines = (",".join(pair) for pair in zip(ids, values, strict=True))
        found[name, "predictions.csv"] = _table("id,y", lines)
    return found


@pytest.mark.parametrize("entry", PASSING, ids=lambda entry: entry.repositories[0].name)
def test_the_authors_predictions_get_the_printed_scores(
    entry: Entry, packages: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = packages[entry.paper.id]
    assert problems_of(package) == []
    scores = score(package, by_authors(entry, package), tmp_path, monkeypatch)
    for one in Package(package).raw_metadata["performance_entries"]:
        assert "error" not in scores[one["dataset_name"]], scores[one["dataset_name"]]
        for metric in one["metrics"]:
            printed, _, spread = metric["sota_score"][0]["value"].partition(" ± ")
            # One run of three is compared with the mean of three where the paper prints a spread of runs.
            runs = entry.repositories[0].name == "brew"
            close = 2 * float(spread) if runs else 0.51 * 10.0 ** -len(printed.partition(".")[2])
            assert scores[one["dataset_name"]][metric["name"]] == pytest.approx(float(printed), abs=close)


@pytest.mark.parametrize("entry", PASSING, ids=lambda entry: entry.repositories[0].name)
def test_malformed_answers_give_no_number(
    entry: Entry, packages: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = packages[entry.paper.id]
    good = by_authors(entry, package)
    for number, spoil in enumerate((_missing, _empty, _wrong_format, _not_finite, _wrong_count, _misaligned)):
        answers = {key: spoilt for key, content in good.items() if (spoilt := spoil(key[1], content)) is not None}
        if spoil is _misaligned and not answers:
            continue  # order-aligned: there are no ids to misalign
        scores = score(package, answers, tmp_path / str(number), monkeypatch)
        for instance, result in scores.items():
            assert {value for name, value in result.items() if name != "error"} == {None}, (spoil.__name__, instance)
            assert result["error"]


def _missing(_: str, __: bytes) -> bytes | None:
    return None


def _empty(_: str, __: bytes) -> bytes:
    return b""


def _wrong_format(_: str, __: bytes) -> bytes:
    return b"\x80\x04\x95not what it says\n\x00\xff"


def _not_finite(file: str, content: bytes) -> bytes:
    if file.endswith(".npy"):
        array = np.load(io.BytesIO(content)).astype(float)
        array.reshape(-1)[0] = np.nan
        return _npy(array)
    first, second, *others = content.decode().splitlines()
    return "\n".join([first, ",".join([second.partition(",")[0], *["inf"] * first.count(",")]), *others]).encode()


def _wrong_count(file: str, content: bytes) -> bytes:
    if file.endswith(".npy"):
        return _npy(np.load(io.BytesIO(content))[:-1])
    return b"\n".join(content.splitlines()[:-1])


def _misaligned(file: str, content: bytes) -> bytes | None:
    if file.endswith(".npy"):
        return None
    first, *others = content.decode().splitlines()
    return "\n".join([first, *(f"x{line}" for line in others)]).encode()


def test_the_truth_scores_perfectly_and_a_constant_does_not(
    packages: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = next(entry for entry in PASSING if entry.repositories[0].name == "panora")
    package = packages[entry.paper.id]
    truth = (package / "evaluation/ground_truth/cohort/progression.csv").read_bytes()
    key = ("cohort", "predictions.csv")
    assert score(package, {key: truth}, tmp_path / "a", monkeypatch)["cohort"] == {
        "R2": 1.0,
        "RMSE": 0.0,
        "Spearman": 1.0,
    }
    first, *others = truth.decode().splitlines()
    constant = "\n".join([first, *(f"{line.partition(',')[0]},150" for line in others)]).encode()
    scores = score(package, {key: constant}, tmp_path / "b", monkeypatch)["cohort"]
    assert scores["R2"] <= 0.0
    assert scores["RMSE"] > 50


@pytest.mark.parametrize("entry", PASSING, ids=lambda entry: entry.repositories[0].name)
def test_a_constant_answer_is_scored(
    entry: Entry, packages: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = packages[entry.paper.id]
    answers = {key: _constant(*key, content) for key, content in by_authors(entry, package).items()}
    for instance, result in score(package, answers, tmp_path, monkeypatch).items():
        assert "error" not in result, (instance, result)
        assert all(isinstance(value, float | int) for value in result.values()), (instance, result)


def _constant(_: str, file: str, content: bytes) -> bytes:
    """The first answer for every sample, ids as they are."""
    if file.endswith(".npy"):
        array = np.load(io.BytesIO(content))
        return _npy(np.broadcast_to(array[:1], array.shape).copy())
    first, *rows = content.decode().splitlines()
    same = rows[0].partition(",")[2]
    return "\n".join([first, *(f"{row.partition(',')[0]},{same}" for row in rows)]).encode() + b"\n"


@pytest.mark.parametrize("example", sorted(path.name for path in EXAMPLES.glob("demo-*")))
def test_the_shipped_examples_are_what_is_built_today(example: str, packages: dict[str, Path]) -> None:
    built = next(path for path in packages.values() if path.name == example)
    assert digest_folder(EXAMPLES / example) == digest_folder(built)


def test_the_kinds_of_reference_are_all_among_the_examples() -> None:
    kinds = {
        entry.truth.task.reference_kind
        for entry in PASSING
        if entry.truth.task and (EXAMPLES / task_id(entry)).exists()
    }
    assert kinds == {"label", "oracle", "distribution"}
