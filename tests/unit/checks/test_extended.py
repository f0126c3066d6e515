"""Beyond the 36: answers in sight, samples twice, anchors without room, names that tell; good packages pass."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import random
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from checks.model import CheckResult
from checks.registry import EXTENDED_TITLES, RUN_CODE
from checks.running import STATIC_ONLY, run_checks
from nature_gym.cli.main import app
from tests.unit.checks.mutations import METADATA, fact
from tests.unit.checks.packages import cells, fold, written

Files = dict[str, Any]
CHANCE = random.Random(0)
ANSWERS = [CHANCE.random() for _ in range(40)]
TEST, TRUTH = "problem/data/breast/test.csv", "evaluation/ground_truth/breast/labels.csv"


def package() -> Files:
    """``cells`` with as many samples as it takes, their answers numbers of full precision."""
    files: Files = dict(cells())
    files["licenses/deposit.txt"] = "CC-BY-4.0\n"
    features = [(f"s{place}", CHANCE.random()) for place in range(40)]
    files[TEST] = "sample_id,dose\n" + "".join(f"{name},{dose}\n" for name, dose in features)
    files["problem/data/breast/train.csv"] = "sample_id,dose,response\n" + "".join(
        f"t{place},{CHANCE.random()},{CHANCE.random()}\n" for place in range(40)
    )
    files[TRUTH] = "sample_id,dose,response\n" + "".join(
        f"{name},{dose},{answer}\n" for (name, dose), answer in zip(features, ANSWERS, strict=True)
    )
    return files


def checked(folder: Path, files: Files, name: str) -> CheckResult:
    report = run_checks(written(folder / "p", files), static=True, extended=True)
    assert [(one.id, one.reason) for one in report.results if one.defect] == []
    return report.check(name)


def zipped(content: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("inner.bin", content)
    return file.getvalue()


def array(values: list[float], kind: str) -> bytes:
    file = io.BytesIO()
    np.save(file, np.asarray(values, dtype=kind))
    return file.getvalue()


# -- X1 --------------------------------------------------------------------------------------

TEXT = "\n".join(map(str, ANSWERS)).encode()
LEAKS = {
    "text": TEXT, "json": json.dumps(ANSWERS[::-1]).encode(),
    "half of them": "\n".join(map(str, ANSWERS[:20])).encode(),
    "gzip": gzip.compress(TEXT), "zip": zipped(TEXT), "zip in zip": zipped(zipped(TEXT)),
    "doubles": array(ANSWERS, "<f8"), "singles": array(ANSWERS, "<f4"),
    "doubles in a zip": zipped(array(ANSWERS, "<f8")),
    "doubles from an odd byte": b"\x01\x02\x03" + np.asarray(ANSWERS).tobytes(),
}  # fmt: skip


@pytest.mark.parametrize("way", LEAKS)
def test_answers_in_sight_are_found_however_they_are_packed(way: str, tmp_path: Path) -> None:
    files = package() | {"problem/data/breast/more.bin": LEAKS[way]}
    result = checked(tmp_path, files, "X1")
    assert (result.status, {one.file for one in result.findings}) == ("fail", {"problem/data/breast/more.bin"})


def test_a_column_of_answers_in_the_test_table_is_found(tmp_path: Path) -> None:
    files = package()
    files[TEST] = files[TRUTH]
    assert checked(tmp_path, files, "X1").status == "fail"


def test_answers_of_an_array_are_found(tmp_path: Path) -> None:
    files = package()
    files["evaluation/ground_truth/lung-2/more.npy"] = array(ANSWERS, "<f8")
    files["problem/data/lung-2/notes.txt"] = TEXT
    assert [one.file for one in checked(tmp_path, files, "X1").findings] == ["problem/data/lung-2/notes.txt"]


@pytest.mark.parametrize(("suffix", "packed"), [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)])
def test_references_that_are_packed_are_read(suffix: str, packed: Callable[[bytes], bytes], tmp_path: Path) -> None:
    files = package()
    files[f"{TRUTH}.{suffix}"] = packed(files.pop(TRUTH).encode())
    assert checked(tmp_path, files, "X1").status == "pass"
    files["problem/data/breast/notes.txt.gz"] = gzip.compress(TEXT)
    found = checked(tmp_path / "leak", files, "X1").findings
    assert [one.file for one in found] == ["problem/data/breast/notes.txt.gz"]


def test_a_packed_reference_that_is_broken_says_nothing(tmp_path: Path) -> None:
    files = package()
    files[f"{TRUTH}.gz"] = gzip.compress(files.pop(TRUTH).encode())[:-9]
    assert checked(tmp_path, files, "X1").status == "skip"


def test_what_an_oracle_scores_by_may_be_seen(tmp_path: Path) -> None:
    files = package() | {"problem/data/breast/more.bin": TEXT}
    files["task.yaml"] = "instances: [{name: breast, reference: {kind: oracle}}]\n"
    assert checked(tmp_path, files, "X1").status == "skip"


def test_inputs_that_the_references_repeat_are_no_answers(tmp_path: Path) -> None:
    assert checked(tmp_path, package(), "X1").status == "pass"


# -- X2 --------------------------------------------------------------------------------------


def test_rows_of_the_test_table_among_the_training_rows_are_counted(tmp_path: Path) -> None:
    files = package()
    rows = files[TEST].splitlines()[1:4]
    files["problem/data/breast/train.csv"] += "".join(f"x{row},0.5\n" for row in rows)
    (finding,) = checked(tmp_path, files, "X2").findings
    assert (finding.file, finding.line, finding.message) == (TEST, 2, "3 of 40 samples stand in train.csv, too")


def test_rows_of_arrays_are_compared(tmp_path: Path) -> None:
    rows = np.random.default_rng(0).random((30, 4))
    files = package()
    for name, part in (("X_train", rows[:20]), ("X_test", rows[19:])):
        file = io.BytesIO()
        np.save(file, part)
        files[f"problem/data/breast/{name}.npy"] = file.getvalue()
    result = checked(tmp_path, files, "X2")
    assert [one.message for one in result.findings] == ["1 of 11 samples stand in X_train.npy, too"]


def test_rows_of_packed_tables_are_compared(tmp_path: Path) -> None:
    files = package()
    files["problem/data/breast/train.csv"] += f"x{files[TEST].splitlines()[1]},0.5\n"
    for name in (TEST, "problem/data/breast/train.csv"):
        files[f"{name}.gz"] = gzip.compress(files.pop(name).encode())
    (finding,) = checked(tmp_path, files, "X2").findings
    assert finding.message == "1 of 40 samples stand in train.csv.gz, too"


@pytest.mark.parametrize("values", ["low\n", "0\n"])
def test_rows_that_are_mostly_alike_tell_nothing(values: str, tmp_path: Path) -> None:
    files = package()
    files[TEST] = "sample_id,dose\n" + "".join(f"s{place},{values}" for place in range(40))
    files["problem/data/breast/train.csv"] = files[TEST]
    assert not checked(tmp_path, files, "X2").findings


# -- the others ------------------------------------------------------------------------------

ENTRY = "performance_entries"


def metric(**fields: Any) -> Callable[[Files], None]:
    return fact(lambda value: value[ENTRY][0]["metrics"][0].update(fields))


def scored(value: str) -> list[dict[str, str]]:
    return [{"value": value, "method": "the method"}]


def put(name: str, content: str = "x\n") -> Callable[[Files], None]:
    def change(files: Files) -> None:
        files[name] = content

    return change


HIGHER, LOWER = "higher_is_better", "lower_is_better"
BASELINES = ((HIGHER, "0.91"), (HIGHER, "0.86 +- 0.01"), (LOWER, "0.84"), (LOWER, "-1"), (HIGHER, "0.8501"))
NEAR_BOUNDS = (("Accuracy", "0.995"), ("AUROC", "99.2"), ("Pearson r", "0.99"), ("F1 score", "0.981"), ("MCC", "0.97"))
TELLING = (
    "s41467-022-30001-4.csv", "10.1038_s41586.csv", "arXiv_2101.txt", "cellseer_features.csv", "Cell-Seer.npy",
    "Supplementary_Table_3.csv", "SourceData_Fig2.csv", "2101.01234v2.txt",
)  # fmt: skip


def near(name: str, value: str) -> Callable[[Files], None]:
    return metric(name=name, metric_direction=HIGHER, sota_score=scored(value))


FAULTS: list[tuple[str, str, Callable[[Files], Any], str, str]] = [
    *(
        ("X4", "fail", metric(metric_direction=to, baseline_score={"value": base, "method": "b"}), METADATA, base)
        for to, base in BASELINES
    ),
    *(("X5", "warn", near(name, value), METADATA, "sota_score") for name, value in NEAR_BOUNDS),
    ("X8", "warn", lambda files: files.pop("licenses/deposit.txt"), "licenses", ""),
    ("X8", "warn", put("licenses/other.txt", ""), "licenses/other.txt", ""),
    ("X8", "warn", put("provenance.json", '{"sources": {"code": {}}}'), "provenance.json", ""),
    *(("X9", "fail", put(f"problem/data/breast/{name}"), f"problem/data/breast/{name}", "") for name in TELLING),
]


@pytest.mark.parametrize(("check", "status", "change", "file", "at"), FAULTS)
def test_a_fault_is_found_where_it_is(
    check: str, status: str, change: Callable[[Files], None], file: str, at: str, tmp_path: Path
) -> None:
    files = package()
    change(files)
    result = checked(tmp_path, files, check)
    assert (result.status, {one.file for one in result.findings}) == (status, {file})
    lines = str(files.get(file, "")).split("\n")
    assert all(
        at in lines[one.line - 1] or at in "".join(lines[one.line - 1 : one.line + 3]) for one in result.findings
    )


@pytest.mark.parametrize(
    "change",
    [
        metric(baseline_score={"value": "0.80", "method": "b"}),
        metric(name="RMSE", metric_direction="lower_is_better", sota_score=scored("0.01")),
        metric(name="Accuracy", sota_score=scored("0.9")),
        metric(name="A score of its own", sota_score=scored("0.999")),
        put("problem/data/breast/metal_oxides.csv"),
        put("problem/data/breast/planet_albedo_2022.05.csv"),
        put("problem/data/breast/supply_table.csv"),
    ],
)
def test_what_is_right_passes(change: Callable[[Files], None], tmp_path: Path) -> None:
    files = package()
    change(files)
    report = run_checks(written(tmp_path / "p", files), static=True, extended=True)
    assert [(one.id, one.findings, one.reason) for one in report.extended if one.findings or one.defect] == []


def test_a_doi_as_the_name_of_the_package_is_found(tmp_path: Path) -> None:
    path = written(tmp_path / "s41467-022-30001-4", package())
    assert [one.file for one in run_checks(path, extended=True, static=True).check("X9").findings] == ["."]


def test_more_than_50_gb_are_too_many(tmp_path: Path) -> None:
    path = written(tmp_path / "p", package())
    for size, status in ((11 << 30, "warn"), (60 << 30, "fail")):
        with (path / "problem/data/breast/large.bin").open("wb") as file:
            file.truncate(size)
        result = run_checks(path, chosen={"X10"}, extended=True).check("X10")
        assert (result.status, result.findings[0].file) == (status, "problem/data/breast/large.bin")


def test_they_are_beside_the_36_and_only_where_they_are_asked_for(tmp_path: Path) -> None:
    path = written(tmp_path / "p", fold())
    plain = run_checks(path, static=True)
    report = run_checks(path, static=True, extended=True)
    assert (plain.extended, plain.summary) == ((), report.summary)
    assert [one.id for one in report.extended] == list(EXTENDED_TITLES)
    assert {one.id for one in report.extended if one.reason == STATIC_ONLY} == RUN_CODE


@pytest.mark.parametrize("form", ["rich", "json", "junit", "sarif", "markdown", "github"])
def test_every_format_tells_them(form: str, tmp_path: Path) -> None:
    path = written(tmp_path / "p", package() | {"problem/data/breast/more.bin": TEXT})
    call = ["check", str(path), "--static", "--format", form]
    assert "X1" not in CliRunner().invoke(app, call).output
    result = CliRunner().invoke(app, [*call, "--extended"])
    assert result.exit_code == 1
    assert "X1" in result.output


def test_one_of_them_is_explained(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["check", "explain", "x9"])
    assert (result.exit_code, "Mend:" in result.output) == (0, True)
