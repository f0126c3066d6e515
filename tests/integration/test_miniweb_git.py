"""Ordinary git clients against the mini-web."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import git
import pytest
import requests

from nature_gym.demo.miniweb import MiniWeb
from tests.unit.demo.miniweb.small_world import PlainPress, repository, small_world

REPOSITORY_ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}
FILES = repository("GraphNet").files


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MiniWeb]:
    with MiniWeb(small_world(), git_cache=tmp_path_factory.mktemp("git"), press=PlainPress()) as web:
        yield web


def run(*arguments: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *arguments], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False)


def clone(web: MiniWeb, target: Path, *options: str, name: str = "github.com/Calder-Lab/GraphNet") -> list[str]:
    """Clone, and give back the subjects of the commits that came."""
    done = run("-c", "protocol.version=2", "clone", "-q", *options, f"{web.url}/{name}", str(target))
    assert done.returncode == 0, done.stderr
    return run("log", "--format=%s", folder=target).stdout.splitlines()


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and ".git" not in path.relative_to(folder).parts
    }


@pytest.mark.parametrize(
    ("options", "subjects"),
    [
        ((), ["Tidy up", "Add data", "Begin"]),
        (("--depth", "1"), ["Tidy up"]),
        (("--shallow-since=2022-03-04",), ["Tidy up", "Add data"]),
        (("--filter=blob:none",), ["Tidy up", "Add data", "Begin"]),
        (("--single-branch", "--branch", "main", "--no-tags"), ["Tidy up", "Add data", "Begin"]),
    ],
)
def test_git_clones_as_much_as_it_asks_for(
    web: MiniWeb, tmp_path: Path, options: tuple[str, ...], subjects: list[str]
) -> None:
    assert clone(web, tmp_path / "clone", *options) == subjects
    assert files_of(tmp_path / "clone") == FILES


@pytest.mark.parametrize("version", ["0", "1", "2"])
def test_every_version_of_the_protocol_works(web: MiniWeb, tmp_path: Path, version: str) -> None:
    target = tmp_path / "clone"
    done = run(
        "-c", f"protocol.version={version}", "clone", "-q", f"{web.url}/github.com/Calder-Lab/GraphNet.git", str(target)
    )
    assert done.returncode == 0, done.stderr
    assert files_of(target) == FILES


def test_a_shallow_clone_can_be_deepened_and_one_commit_fetched_by_its_hash(web: MiniWeb, tmp_path: Path) -> None:
    clone(web, tmp_path / "clone", "--depth", "1")
    assert run("fetch", "-q", "--unshallow", folder=tmp_path / "clone").returncode == 0
    hashes = run("log", "--format=%H", folder=tmp_path / "clone").stdout.split()
    assert len(hashes) == 3
    assert run("init", "-q", str(tmp_path / "one")).returncode == 0
    url = f"{web.url}/github.com/Calder-Lab/GraphNet"
    fetched = run("fetch", "-q", "--depth", "1", url, hashes[1], folder=tmp_path / "one")
    assert fetched.returncode == 0, fetched.stderr
    assert run("rev-parse", "FETCH_HEAD", folder=tmp_path / "one").stdout.strip() == hashes[1]


def test_gitpython_clones_and_sees_dates_and_authors(web: MiniWeb, tmp_path: Path) -> None:
    url = f"{web.url}/github.com/Calder-Lab/GraphNet"
    with git.Repo.clone_from(url, tmp_path / "clone", depth=2) as cloned:
        commits = list(cloned.iter_commits())
        assert [commit.summary for commit in commits] == ["Tidy up", "Add data"]
        assert str(commits[0].author) == "A. Author"
        assert commits[0].committed_datetime == repository("GraphNet").commits[-1].date
        heads = str(git.cmd.Git().ls_remote(url))
        assert heads.split() == [commits[0].hexsha, "HEAD", commits[0].hexsha, "refs/heads/main"]


def test_gitlab_clones_too(web: MiniWeb, tmp_path: Path) -> None:
    assert clone(web, tmp_path / "clone", name="gitlab.com/Calder-Lab/lab-net.git") == ["Tidy up", "Add data", "Begin"]


def test_an_empty_repository_clones_to_an_empty_one(web: MiniWeb, tmp_path: Path) -> None:
    assert clone(web, tmp_path / "clone", name="github.com/Calder-Lab/void") == []
    assert files_of(tmp_path / "clone") == {}


@pytest.mark.parametrize(
    ("name", "said"), [("gone", "not found"), ("none", "not found"), ("secret", "could not read Username")]
)
def test_git_says_what_is_the_matter_with_a_repository(web: MiniWeb, tmp_path: Path, name: str, said: str) -> None:
    done = run("clone", f"{web.url}/github.com/Calder-Lab/{name}", str(tmp_path / "clone"))
    assert done.returncode != 0
    assert said in done.stderr


def test_pushing_is_refused(web: MiniWeb, tmp_path: Path) -> None:
    clone(web, tmp_path / "clone")
    done = run("push", "origin", "HEAD:refs/heads/new", folder=tmp_path / "clone")
    assert done.returncode != 0
    assert "403" in done.stderr


def test_many_clones_at_once_of_a_repository_that_is_not_made_yet(tmp_path: Path) -> None:
    with MiniWeb(small_world(), git_cache=tmp_path / "git", press=PlainPress()) as web, ThreadPoolExecutor(6) as pool:
        histories = list(pool.map(lambda number: clone(web, tmp_path / str(number)), range(6)))
    assert histories == [["Tidy up", "Add data", "Begin"]] * 6
    hashes = {run("rev-parse", "HEAD", folder=tmp_path / str(number)).stdout for number in range(6)}
    assert len(hashes) == 1


def test_a_folder_of_its_own_is_private_and_removed_in_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for _ in range(2):
        with MiniWeb(small_world(), press=PlainPress()) as web:
            assert clone(web, tmp_path / "clone") == ["Tidy up", "Add data", "Begin"]
            (folder,) = tmp_path.glob("naturegym-git-*")
            assert folder.stat().st_mode & 0o777 == 0o700
        assert not folder.exists()
        shutil.rmtree(tmp_path / "clone")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_told_to_stop_leaves_no_folder(tmp_path: Path, number: signal.Signals) -> None:
    code = (
        "from nature_gym.demo.miniweb import serve\n"
        "from tests.unit.demo.miniweb.small_world import PlainPress, small_world\n"
        "serve(small_world(), press=PlainPress(), on_ready=lambda url: print(url, flush=True))"
    )
    (tmp_path / "temporary").mkdir()
    environment = {**os.environ, "TMPDIR": str(tmp_path / "temporary"), "PYTHONPATH": str(REPOSITORY_ROOT)}
    with subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        assert run("clone", "-q", f"{url}/github.com/Calder-Lab/GraphNet", str(tmp_path / "clone")).returncode == 0
        assert len(list((tmp_path / "temporary").iterdir())) == 1
        process.send_signal(number)
        process.wait(timeout=20)
    assert list((tmp_path / "temporary").iterdir()) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another account")
def test_a_cache_of_another_account_is_served_all_the_same(tmp_path: Path) -> None:
    with MiniWeb(small_world(), git_cache=tmp_path / "git", press=PlainPress()) as web:
        clone(web, tmp_path / "first")
    for path in [tmp_path / "git", *(tmp_path / "git").rglob("*")]:
        os.chown(path, 12345, 12345)
    with MiniWeb(small_world(), git_cache=tmp_path / "git", press=PlainPress()) as web:
        assert clone(web, tmp_path / "second") == ["Tidy up", "Add data", "Begin"]


@pytest.mark.parametrize("fault", ["broken", "unwritable"])
def test_what_git_cannot_do_is_no_empty_repository(
    tmp_path: Path, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    cache = tmp_path / "git"
    if fault == "unwritable":
        cache.write_text("in the way")
    with MiniWeb(small_world(), git_cache=cache, press=PlainPress()) as web:
        if fault == "broken":
            clone(web, tmp_path / "clone")
            (folder,) = cache.iterdir()
            (folder / "HEAD").write_text("nonsense")
        refs = f"{web.url}/github.com/Calder-Lab/GraphNet/info/refs?service=git-upload-pack"
        assert requests.get(refs, timeout=10).status_code == 500
        assert requests.post(refs.partition("/info")[0] + "/git-upload-pack", b"0000", timeout=10).status_code == 500
        assert run("ls-remote", f"{web.url}/github.com/Calder-Lab/GraphNet").returncode != 0
    assert "Calder-Lab/GraphNet cannot be served by git" in caplog.text
