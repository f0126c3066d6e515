"""Runs are kept, and tell what changed, what is stale, and what may be calibrated."""

from __future__ import annotations

import datetime as dt
import itertools
import json
import os
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

import checks.history
from checks.history import History, changes
from checks.identity import package_digest
from checks.model import CheckResult, Finding, Report
from checks.package import CheckedPackage
from checks.registry import TITLES
from checks.running import NOT_SELECTED, run_checks
from nature_gym.cli.main import app
from nature_gym.errors import UsageError
from nature_gym.kept import Kept
from tests.unit.checks.packages import cells, written


@pytest.fixture
def history(tmp_path: Path) -> History:
    start = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    minutes = itertools.count()
    return History(tmp_path / "checks", clock=lambda: start + dt.timedelta(minutes=next(minutes)))


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return written(tmp_path / "packages" / "p.1", cells())


def report(path: Path, **statuses: str) -> Report:
    """A report in which all pass but those named, as C1_1="fail"; 'out' is not selected."""
    results = []
    for name, title in TITLES.items():
        status = statuses.get(name.replace(".", "_"), "pass")
        findings = (Finding(file="metadata.json", message=f"{name} is wrong"),) if status == "fail" else ()
        reason = NOT_SELECTED if status == "out" else ""
        results.append(
            CheckResult.model_validate(
                {"id": name, "title": title, "status": "skip" if reason else status, "reason": reason,
                 "findings": findings}
            )
        )  # fmt: skip
    return Report(package=str(path), checks=tuple(results))


# -- what a package is -----------------------------------------------------------------------


def test_every_edit_makes_another_digest_and_a_copy_does_not(package: Path, tmp_path: Path) -> None:
    digest = package_digest(CheckedPackage(package))
    copy = shutil.copytree(package, tmp_path / "copy")
    assert package_digest(CheckedPackage(copy)) == digest
    seen = {digest}
    for change in (
        lambda: (copy / "metadata.json").write_text("{}"),
        lambda: (copy / "problem/data/breast/new.csv").write_text(""),
        lambda: (copy / "problem/data/breast/new.csv").rename(copy / "problem/data/breast/newer.csv"),
        (copy / "problem/empty").mkdir,
        lambda: (copy / "problem/link").symlink_to("empty"),
        lambda: os.mkfifo(copy / "problem/pipe"),
    ):
        change()
        seen.add(package_digest(CheckedPackage(copy)))
    assert len(seen) == 7


def test_a_file_of_5_gb_is_known_by_size_and_time(package: Path) -> None:
    large = package / "problem/data/breast/large.bin"
    with large.open("wb") as file:
        file.truncate(5 << 30)
    digest = package_digest(CheckedPackage(package))
    os.utime(large, ns=(1, 1))
    assert package_digest(CheckedPackage(package)) != digest


def test_a_digest_is_kept_only_for_the_file_as_it_is(package: Path, tmp_path: Path) -> None:
    kept = Kept(tmp_path / "kept.sqlite", 1)
    first = package_digest(CheckedPackage(package), kept)
    assert package_digest(CheckedPackage(package), kept) == first
    path = package / "problem/data/breast/train.csv"
    status = path.stat()
    path.write_bytes(path.read_bytes().replace(b"0.1", b"0.7"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert package_digest(CheckedPackage(package), kept) == package_digest(CheckedPackage(package)) != first


# -- runs ------------------------------------------------------------------------------------


def test_a_run_is_found_by_the_package_and_by_its_name(history: History, package: Path) -> None:
    kept = history.keep(report(package), "sha256:a")
    assert history.of(package) == history.named(str(package)) == history.named("p.1") == [kept]
    with pytest.raises(UsageError):
        history.named("p.2")


def test_packages_of_one_name_in_two_places_are_told_apart(history: History, package: Path, tmp_path: Path) -> None:
    other = written(tmp_path / "others" / "p.1", cells())
    history.keep(report(package), "sha256:a")
    history.keep(report(other), "sha256:b")
    assert [one.digest for one in history.of(other)] == ["sha256:b"]
    assert [one.digest for one in history.named("p.1")] == ["sha256:a", "sha256:b"]


def test_what_changed_between_two_runs(history: History, package: Path) -> None:
    before = history.keep(report(package, C1_1="fail", C2_1="out"), "sha256:a")
    after = history.keep(report(package, C1_2="fail", C2_1="fail"), "sha256:b")
    told = {one.check: (one.before, one.after, one.appeared, one.gone) for one in changes(before, after)}
    assert told == {
        "C1.1": ("fail", "pass", (), ("metadata.json: C1.1 is wrong",)),
        "C1.2": ("pass", "fail", ("metadata.json: C1.2 is wrong",), ()),
    }


def test_a_damaged_record_hides_no_other(history: History, package: Path) -> None:
    history.keep(report(package), "sha256:a")
    kept = history.keep(report(package), "sha256:b")
    first = min(history.root.rglob("*.json"))
    first.write_text("{")
    assert history.of(package) == [kept]


# -- stale -----------------------------------------------------------------------------------


def test_a_package_is_stale_until_all_was_looked_at_and_after_an_edit(
    history: History, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert history.is_stale(package)
    digest = history.digest(package)
    history.keep(report(package, C1_1="out"), digest)
    assert history.is_stale(package)
    history.keep(report(package, C1_2="out"), digest)
    assert not history.is_stale(package)
    monkeypatch.setattr(checks.history, "rules", lambda: "others")
    assert history.is_stale(package)
    monkeypatch.undo()
    (package / "metadata.json").write_text("{}")
    assert history.is_stale(package)


def test_static_checks_alone_are_enough_where_they_are_asked_for(history: History, package: Path) -> None:
    history.keep(run_checks(package, static=True), history.digest(package))
    assert history.is_stale(package)
    assert not history.is_stale(package, static=True)


# -- calibration -----------------------------------------------------------------------------


def test_a_package_is_admitted_when_all_checks_passed_on_this_very_state(history: History, package: Path) -> None:
    assert "no run" in history.admits_calibration("sha256:a")
    history.keep(report(package, C1_1="warn", C3_7="skip"), "sha256:a")
    assert history.admits_calibration("sha256:a") == ""
    assert "no run" in history.admits_calibration("sha256:b")


def test_a_failure_blocks_until_that_check_passes(history: History, package: Path) -> None:
    history.keep(report(package, C1_1="fail", C4_2="fail"), "sha256:a")
    assert history.admits_calibration("sha256:a") == "C1.1, C4.2 failed"
    only = {name.replace(".", "_"): "out" for name in TITLES if name != "C1.1"}
    history.keep(report(package, **only), "sha256:a")
    assert history.admits_calibration("sha256:a") == "C4.2 failed"


def test_checks_that_were_never_carried_out_block(
    history: History, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    history.keep(report(package, C4_2="out", C4_3="out"), "sha256:a")
    assert history.admits_calibration("sha256:a") == "not carried out: C4.2, C4.3"
    monkeypatch.setattr(checks.history, "rules", lambda: "others")
    assert "no run" in history.admits_calibration("sha256:a")


@pytest.mark.parametrize(
    "reason", ["no sandbox works here: none", "the evaluator imports x, which this sandbox has not"]
)
def test_what_this_machine_could_not_carry_out_blocks(reason: str, history: History, package: Path) -> None:
    whole = report(package)
    unable = [
        one.model_copy(update={"status": "skip", "reason": reason}) if one.id == "C4.4" else one for one in whole.checks
    ]
    history.keep(whole.model_copy(update={"checks": tuple(unable)}), "sha256:a")
    assert history.admits_calibration("sha256:a") == "not carried out: C4.4"


# -- the command -----------------------------------------------------------------------------


def test_every_call_of_the_command_is_kept_and_shown(package: Path) -> None:
    def call(*arguments: str) -> str:
        result = CliRunner().invoke(app, ["check", *arguments])
        assert result.exit_code in (0, 1), result.output
        return result.stdout

    call(str(package), "--static")
    (package / "problem/.DS_Store").write_text("x")
    call(str(package), "--static")
    runs = json.loads(call("history", "p.1", "--json"))
    assert [(one["failed"], one["edited"]) for one in runs] == [([], False), (["C3.2"], True)]
    assert [one["check"] for one in runs[1]["changes"]] == ["C3.2"]
    told = call("history", str(package))
    assert "C3.2  pass -> fail" in told
    assert "+ problem/.DS_Store" in told


def test_a_home_that_cannot_be_written_stops_no_check(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NATUREGYM_HOME", "/proc/nowhere")
    result = CliRunner().invoke(app, ["check", str(package), "--static", "--json"])
    assert result.exit_code == 0
    assert json.loads(result.stdout)["summary"]["failed"] == 0
    assert "not kept" in result.stderr
