"""``naturegym sandbox``, as a user calls it."""

import json
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from nature_gym.sandbox.choosing import back_end


def called(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "nature_gym.cli.main", "sandbox", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(autouse=True)
def needs_bubblewrap() -> None:
    if reason := back_end("bubblewrap").missing():
        pytest.skip(reason)


def test_doctor_says_what_each_back_end_keeps() -> None:
    done = called("doctor", "--json")
    told = {one["name"]: one for one in json.loads(done.stdout)["back_ends"]}
    assert list(told) == ["docker", "bubblewrap", "process"]
    assert told["bubblewrap"]["isolation"]["network"] == "kept"
    assert told["process"]["isolation"]["network"].startswith("open")
    assert done.returncode == 0


def test_output_and_exit_code_are_the_commands() -> None:
    done = called("run", "--backend", "bubblewrap", "--", "sh", "-c", "echo out; echo err >&2; exit 7")
    assert (done.stdout, done.stderr, done.returncode) == ("out\n", "err\n", 7)


def test_time_that_is_over_ends_with_124() -> None:
    done = called("run", "--backend", "bubblewrap", "--seconds", "0.5", "--", "sleep", "600")
    assert (done.stderr, done.returncode) == ("The command was ended: timed out.\n", 124)


def test_mounts_variables_and_json(tmp_path: Path) -> None:
    options = ["--mount", f"{tmp_path}:/workspace:w", "--env", "A=b c"]
    done = called("run", "--backend", "bubblewrap", "--json", *options, "--", "sh", "-c", 'echo "$A" > a; cat a')
    told = json.loads(done.stdout)
    assert (told["stdout"], told["ended"], told["comparable"]) == ({"kept": "b c\n", "total": 4}, "exited", True)
    assert (tmp_path / "a").read_text() == "b c\n"


@pytest.mark.parametrize("option", [["--mount", "nowhere"], ["--env", "A"], ["--backend", "chroot"]])
def test_what_cannot_be_is_said(option: list[str]) -> None:
    done = called("run", *option, "--", "true")
    assert done.returncode == 2
    assert done.stdout == ""


def test_a_bare_process_is_not_comparable() -> None:
    assert not json.loads(called("run", "--backend", "process", "--json", "--", "true").stdout)["comparable"]


def test_an_image_is_unpacked_listed_used_and_removed(tmp_path: Path) -> None:
    archive = tmp_path / "root.tar"
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "sh").write_text("no program")
    with tarfile.open(archive, "w") as tar:
        tar.add(tmp_path / "bin", "bin")
    name = f"test-{tmp_path.name}"
    added = called("image", "add", name, str(archive), "--json")
    assert added.returncode == 0, added.stderr
    digest = json.loads(added.stdout)["digest"]
    try:
        listed = json.loads(called("image", "list", "--json").stdout)
        assert {"name": name, "digest": digest} in [{key: one[key] for key in ("name", "digest")} for one in listed]
    finally:
        assert called("image", "remove", name).returncode == 0
    assert called("image", "remove", name).returncode == 2
