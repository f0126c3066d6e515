"""Repositories by their commits, over a real git behind the mini-web; hostile addresses and trees are refused."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest

from nature_gym.acquisition import repositories
from nature_gym.acquisition.faults import RepositoryError
from nature_gym.acquisition.repositories import Repositories, _is_ref, _modules, _resolve_links, check_url
from nature_gym.config import Settings, load_settings
from nature_gym.demo.miniweb import Behaviour, MiniWeb
from nature_gym.demo.model import Commit, Entry, Repository, World
from nature_gym.web.faults import HostError

LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 9\n"


def commit(day: int, files: dict[str, bytes]) -> Commit:
    return Commit(dt.datetime(2023, 1, day, 12, tzinfo=dt.UTC), f"day {day}", files)


CODE = Repository(
    "lab", "code",
    (
        commit(1, {"train.py": b"print(1)\r\n", "LICENSE": b"MIT", ".gitattributes": b"*.py eol=lf filter=evil\n"}),
        commit(9, {"train.py": b"print(2)\r\n", "data/big.bin": LFS, "n/" + "ü" * 100 + ".csv": b"a,b\n"}),
    ),
)  # fmt: skip
EMPTY = Repository("lab", "empty", (), state="empty")
GONE = Repository("lab", "gone", (commit(1, {"a": b"b"}),), state="gone")


def a_world() -> World:
    from nature_gym.demo.world import build_world

    paper = build_world(0).entries[0]
    return World(0, (Entry(paper.paper, paper.truth, repositories=(CODE, EMPTY, GONE)),))


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MiniWeb]:
    with MiniWeb(a_world(), behaviour=Behaviour(crawl_delay=0), git_cache=tmp_path_factory.mktemp("git")) as web:
        yield web


@pytest.fixture
def own(web: MiniWeb, tmp_path: Path) -> Settings:
    return load_settings(home=tmp_path / "home", mirror=web.url)


def test_the_newest_commit_not_after_a_day_is_taken(own: Settings, tmp_path: Path) -> None:
    taken = Repositories(own).take(CODE.url, tmp_path / "out", before=dt.date(2023, 1, 5), scratch=tmp_path / "s")
    assert taken.date.day == 1
    assert taken.licence_file == "LICENSE"
    assert (tmp_path / "out" / "train.py").read_bytes() == b"print(1)\r\n"
    assert not (tmp_path / "out" / ".git").exists()
    assert sorted(path.name for path in (tmp_path / "s").iterdir()) == []


def test_without_a_day_it_is_the_newest_and_pointers_are_told(own: Settings, tmp_path: Path) -> None:
    taken = Repositories(own).take(CODE.url, tmp_path / "out", scratch=tmp_path / "s")
    assert taken.date.day == 9
    assert taken.lfs_pointers == ("data/big.bin",)
    assert (taken.files, len(list((tmp_path / "out" / "n").iterdir()))) == (5, 1)


def test_where_all_commits_are_later_the_newest_is_taken_and_noted(own: Settings, tmp_path: Path) -> None:
    taken = Repositories(own).take(CODE.url, tmp_path / "out", before=dt.date(2020, 1, 1), scratch=tmp_path / "s")
    assert taken.date.day == 9
    assert "later than the publication" in taken.notes[0]


@pytest.mark.parametrize(("repository", "told"), [(EMPTY, "empty"), (GONE, "gone or private")])
def test_what_is_not_there_is_told(own: Settings, tmp_path: Path, repository: Repository, told: str) -> None:
    with pytest.raises(RepositoryError, match=told):
        Repositories(own).take(repository.url, tmp_path / "out", scratch=tmp_path / "s")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("version", [None, "main"])
def test_a_host_in_trouble_that_passes_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str | None
) -> None:
    waits: list[int] = []
    monkeypatch.setattr(repositories, "pause", waits.append)
    behaviour = Behaviour(crawl_delay=0, faults={"github.com": {"unavailable": 1.0}}, faults_in_a_row=1)
    with MiniWeb(a_world(), behaviour=behaviour, git_cache=tmp_path / "git") as web:
        own = load_settings(home=tmp_path / "home", mirror=web.url)
        taken = Repositories(own).take(CODE.url, tmp_path / "out", version=version, scratch=tmp_path / "s")
    assert taken.date.day == 9
    assert taken.notes == (), "the version is there, though its host was not at once"
    assert waits[:2] == [1, 2], "of what one fetch asks, each is refused once"


def test_trouble_that_does_not_pass_is_the_hosts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[int] = []
    monkeypatch.setattr(repositories, "pause", waits.append)
    behaviour = Behaviour(crawl_delay=0, faults={"github.com": {"unavailable": 1.0}})
    with MiniWeb(a_world(), behaviour=behaviour, git_cache=tmp_path / "git") as web:
        own = load_settings(home=tmp_path / "home", mirror=web.url)
        with pytest.raises(HostError, match="503"):
            Repositories(own).take(CODE.url, tmp_path / "out", version="main", scratch=tmp_path / "s")
    assert waits == [1, 2, 3, 4]


@pytest.mark.parametrize("limit", [{"repository_bytes": 20}, {"archive_files": 2}])
def test_limits_hold_before_anything_is_written(own: Settings, tmp_path: Path, limit: dict[str, int]) -> None:
    with pytest.raises(RepositoryError, match="more than the"):
        Repositories(own.model_copy(update=limit)).take(CODE.url, tmp_path / "out", scratch=tmp_path / "s")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "url",
    [
        "ext::sh -c 'touch x'", "file:///etc", "ssh://git@github.com/a/b", "git@github.com:a/b.git", "/srv/repo",
        "--upload-pack=touch x", "https://github.com/--option/x", "https://github.com/a/../../b", "https://u:p@host/a/b",
        "https://github.com/a/b?x=1", "https://github.com/a b/c", "https://host", "http://github.com/a/b",
        "https://github.com/%2e%2e/x", "https://[::1]/a/b", "https://github.com/a/b\n--x",
    ],
)  # fmt: skip
def test_addresses_that_do_more_than_name_a_repository_are_refused(url: str) -> None:
    with pytest.raises(RepositoryError):
        check_url(url)


def test_versions_that_git_would_take_for_more_are_refused() -> None:
    assert [_is_ref(one) for one in ("main", "v1.0", "feature/x", "-x", "a..b", "a b", "--upload-pack=x")] == [
        True, True, True, False, False, False, False,
    ]  # fmt: skip


def test_links_become_files_or_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "real").write_text("here")
    for name, to in {"d/up": "../real", "chain": "d/up", "out": "../x", "root": "/etc/passwd", "loop": "loop"}.items():
        (tmp_path / name).write_text(to)
    left = _resolve_links(tmp_path, ["chain", "d/up", "loop", "out", "root"])
    assert sorted(left) == ["loop", "out", "root"]
    assert (tmp_path / "chain").read_text() == (tmp_path / "d/up").read_text() == "here"
    assert not (tmp_path / "root").exists()


def test_submodules_are_told_with_their_addresses(tmp_path: Path) -> None:
    path = tmp_path / ".gitmodules"
    path.write_text('[submodule "lib"]\n\tpath = lib\n\turl = https://github.com/a/b\n')
    known, unknown = _modules(path, {"lib": "a" * 40, "other": "b" * 40})
    assert (known.url, known.problem) == ("https://github.com/a/b", "")
    assert "does not say" in unknown.problem
