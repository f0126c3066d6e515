"""``naturegym check`` as it is called."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from checks.corpus import changes, package_of, packages_in
from nature_gym.cli.main import app
from nature_gym.errors import UsageError
from tests.unit.checks.packages import cells, fold, written


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    written(tmp_path / "good", fold())
    files = cells()
    files["problem/README.md"] = str(files["problem/README.md"]).replace("# Drug", "# The drug", 1)
    written(tmp_path / "warned", files)
    return tmp_path


def call(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["check", *arguments])
    return result.exit_code, result.output


def test_a_clean_package_ends_with_0_and_the_counts(corpus: Path) -> None:
    code, output = call(str(corpus / "good"), "--static")
    assert code == 0
    assert output.rstrip().endswith("27 passed, 0 failed, 9 skipped")


def test_a_warning_ends_with_1_where_that_is_asked_for(corpus: Path) -> None:
    assert call(str(corpus / "warned"), "--static")[0] == 0
    code, output = call(str(corpus / "warned"), "--static", "--fail-on", "warn")
    assert code == 1
    assert "problem/README.md:1:3" in output
    assert call(str(corpus / "warned"), "--static", "--fail-on", "warn", "--ignore", "C1.1")[0] == 0


def test_a_corpus_is_checked_at_once_and_told_in_order(corpus: Path) -> None:
    code, output = call(str(corpus), "--static", "-j", "2", "--format", "json")
    assert code == 0
    assert [Path(one["package"]).name for one in json.loads(output)] == ["good", "warned"]


def test_what_is_not_selected_is_skipped_and_still_told(corpus: Path) -> None:
    _, output = call(str(corpus / "good"), "--select", "C2", "--ignore", "C2.3", "--json")
    checks = json.loads(output)["checks"]
    assert len(checks) == 36
    assert {one["id"] for one in checks if one["status"] == "pass"} == {"C2.1", "C2.2", "C2.4", "C2.5", "C2.6"}


def as_a_program(*arguments: str, output: str) -> tuple[int, str]:
    """The exit code and standard error of the command with its standard output handed to ``output``, a shell's end."""
    python = [sys.executable, "-m", "nature_gym.cli.main", "check", *arguments]
    line = f'{shlex.join(python)} {output}; echo "${{PIPESTATUS[0]}}" >&2'
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False, timeout=120)
    *said, code = done.stderr.rstrip().split("\n")
    return int(code), "\n".join(said)


@pytest.mark.parametrize("form", ["rich", "json", "sarif"])
def test_whoever_reads_the_first_line_alone_changes_no_exit_code(form: str, corpus: Path) -> None:
    many = [str(corpus / "good")] * (1 if form == "rich" else 20)
    assert as_a_program(*many, "--static", "--format", form, output="| head -1") == (0, "")
    (corpus / "good" / "evaluation/evaluator.py").write_text("def f(:\n")
    assert as_a_program(*many, "--static", "--format", form, output="| head -1") == (1, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("options", [["--json"], ["--format", "junit"], []])
def test_output_that_finds_no_room_is_told_in_a_sentence(options: list[str], corpus: Path) -> None:
    code, said = as_a_program(str(corpus / "good"), "--static", *options, output="> /dev/full")
    assert code == 3
    assert said.startswith("naturegym: No space left on device")
    assert "Traceback" not in said


@pytest.mark.parametrize("form", ["rich", "json", "junit", "sarif", "markdown", "github"])
def test_a_report_is_written_to_a_file(form: str, corpus: Path) -> None:
    output = corpus / "report"
    code, printed = call(str(corpus / "warned"), "--static", "--format", form, "--output", str(output))
    assert (code, printed) == (0, "")
    assert "README.md" in output.read_text()


def test_a_broken_package_ends_with_1(corpus: Path) -> None:
    (corpus / "good" / "evaluation/evaluator.py").write_text("def f(:\n")
    code, output = call(str(corpus / "good"), "--static")
    assert code == 1
    assert "evaluation/evaluator.py:1:" in output
    assert "evaluation/evaluator.py is not Python" in output


def test_what_is_no_package_or_no_check_is_a_usage_error(tmp_path: Path) -> None:
    for paths in ([tmp_path], [tmp_path / "none"]):
        with pytest.raises(UsageError):
            packages_in(paths)
    result = CliRunner().invoke(app, ["check", str(tmp_path), "--select", "C9"])
    assert isinstance(result.exception, UsageError)


def test_explain_tells_what_a_check_means() -> None:
    code, output = call("explain", "c1.8")
    assert code == 0
    assert "Mend:" in output
    assert "match both" in output
    assert json.loads(call("explain", "C1.8", "--json")[1])["id"] == "C1.8"


def test_suppress_takes_a_file_in_a_package(corpus: Path) -> None:
    path = corpus / "warned" / "problem/README.md"
    assert call("suppress", "C1.1", str(path), "--because", "it is so")[0] == 0
    assert package_of(path) == (corpus / "warned", "problem/README.md")
    assert call(str(corpus / "warned"), "--static", "--fail-on", "warn")[0] == 0


def test_watching_tells_the_package_that_changed(corpus: Path) -> None:
    packages = packages_in([corpus])
    target = corpus / "warned" / "problem/README.md"
    waits = iter((False, True))

    def wait() -> None:
        if next(waits):
            target.write_text("x")

    watched = changes(packages, wait=wait)
    assert next(watched) == corpus / "warned"
