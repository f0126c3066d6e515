from __future__ import annotations

import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from nature_gym.demo.miniweb import repositories
from nature_gym.demo.miniweb.repositories import GitStore, archive, blob, history, resolve, run_git, tree, write_bare
from nature_gym.demo.model import Repository
from nature_gym.errors import InfrastructureError
from tests.unit.demo.miniweb.small_world import CSV, commit, repository


def content_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_equal_repositories_are_equal_byte_for_byte(tmp_path: Path) -> None:
    write_bare(repository("GraphNet"), tmp_path / "one")
    write_bare(repository("GraphNet"), tmp_path / "two")
    assert content_of(tmp_path / "one") == content_of(tmp_path / "two")


def test_commit_hashes_are_those_of_any_git_with_the_same_dates_and_authors(tmp_path: Path) -> None:
    made = replace(repository("one"), commits=(commit(1, "Begin", {"a.txt": b"a\n"}),))
    write_bare(made, tmp_path / "bare")
    # The hash of the commit that git itself makes from the same files.
    by_hand = tmp_path / "by hand"
    by_hand.mkdir()
    (by_hand / "a.txt").write_bytes(b"a\n")
    who = {"NAME": "A. Author", "EMAIL": "author@example.org", "DATE": "1646136000 +0000"}
    environment = repositories.git_environment() | {
        f"GIT_{r}_{k}": v for r in ("AUTHOR", "COMMITTER") for k, v in who.items()
    }
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Begin"]):
        subprocess.run(["git", *arguments], cwd=by_hand, env=environment, check=True)
    assert resolve(tmp_path / "bare", "main") == run_git("rev-parse", "HEAD", folder=by_hand / ".git").decode().strip()


def test_every_commit_holds_the_files_it_should(tmp_path: Path) -> None:
    made = repository("GraphNet")
    write_bare(made, tmp_path / "bare")
    newest, _, first = [sha for sha, _ in history(tmp_path / "bare", "main")]
    names = {entry.path: entry for entry in tree(tmp_path / "bare", newest) if entry.type == "blob"}
    assert set(names) == set(made.files)
    assert blob(tmp_path / "bare", newest, "data/a b.csv") == CSV
    assert names["run.sh"].mode == "100755"
    assert names['data/caf\u00e9 "q".txt'].mode == "100644"
    assert {entry.path for entry in tree(tmp_path / "bare", first)} == {"LICENSE", "README.md", "old.py"}
    assert run_git("fsck", "--strict", folder=tmp_path / "bare") == b""


def test_a_repository_is_made_once_by_many_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Path] = []

    def counted(made: Repository, folder: Path) -> None:
        calls.append(folder)
        write_bare(made, folder)

    monkeypatch.setattr(repositories, "write_bare", counted)
    store = GitStore(tmp_path / "cache")
    with ThreadPoolExecutor(8) as pool:
        paths = set(pool.map(store.path, [repository("GraphNet")] * 16))
    assert (len(paths), len(calls)) == (1, 1)


def test_stores_that_share_a_folder_find_each_other_s_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = GitStore(tmp_path).path(repository("GraphNet"))
    monkeypatch.setattr(repositories, "write_bare", lambda *made: pytest.fail("made again"))
    assert GitStore(tmp_path).path(repository("GraphNet")) == first


def test_a_store_that_comes_second_keeps_what_the_first_wrote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def overtaken(made: object, folder: Path) -> None:
        monkeypatch.setattr(repositories, "write_bare", write_bare)
        GitStore(tmp_path).path(repository("GraphNet"))
        write_bare(repository("GraphNet"), folder)

    monkeypatch.setattr(repositories, "write_bare", overtaken)
    path = GitStore(tmp_path).path(repository("GraphNet"))
    assert resolve(path, "main") is not None
    assert list(tmp_path.iterdir()) == [path], "no draft is left"


def test_nothing_is_left_of_a_repository_that_could_not_be_made(tmp_path: Path) -> None:
    broken = replace(repository("broken"), commits=(commit(1, "x", {"a//b": b""}),))
    with pytest.raises(InfrastructureError, match="fast-import failed"):
        GitStore(tmp_path).path(broken)
    assert list(tmp_path.iterdir()) == []


def test_changed_content_is_another_folder(tmp_path: Path) -> None:
    changed = replace(repository("GraphNet"), commits=repository("GraphNet").commits[:2])
    assert GitStore(tmp_path).path(repository("GraphNet")) != GitStore(tmp_path).path(changed)


@pytest.mark.parametrize("form", ["zip", "tar.gz"])
def test_equal_trees_make_equal_archives(tmp_path: Path, form: str) -> None:
    for name in ("one", "two"):
        write_bare(repository("GraphNet"), tmp_path / name)
    assert archive(tmp_path / "one", "main", form, "x") == archive(tmp_path / "two", "main", form, "x")


def test_what_is_not_there_is_told_from_a_git_that_fails(tmp_path: Path) -> None:
    folder = tmp_path / "bare"
    write_bare(repository("GraphNet"), folder)
    head = resolve(folder, "main")
    assert head is not None
    some = next(entry.path for entry in tree(folder, head) if entry.type == "blob")
    directory = next(entry.path for entry in tree(folder, head) if entry.type == "tree")
    assert blob(folder, head, some) is not None
    for path in ("no-such-file", directory, "", "../etc/passwd", "a\0b", "*"):
        assert blob(folder, head, path) is None
    for ref in ("no-such-branch", "", "a b", "-x", "main..main", "a\0b", "0" * 40):
        assert resolve(folder, ref) is None
    for pack in folder.glob("objects/pack/*"):
        pack.unlink()
    with pytest.raises(InfrastructureError, match="ls-tree failed"):
        blob(folder, head, some)
    (folder / "HEAD").unlink()
    with pytest.raises(InfrastructureError, match="rev-parse failed"):
        resolve(folder, "main")
