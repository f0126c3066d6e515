import hashlib
import os
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nature_gym.errors import InfrastructureError, UsageError
from nature_gym.store import Store
from tests.faults import killed_after

CONTENT = [b"first block, ", b"second block"]
DIGEST = "sha256:" + hashlib.sha256(b"".join(CONTENT)).hexdigest()


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


def files_in(store: Store) -> list[str]:
    return sorted(path.relative_to(store.root).as_posix() for path in store.root.rglob("*") if path.is_file())


def test_bytes_come_back_under_their_digest(store: Store) -> None:
    stored = store.put(CONTENT)
    assert (stored.digest, stored.size) == (DIGEST, 25)
    assert store.read(DIGEST) == b"".join(CONTENT)
    assert DIGEST in store
    assert list(store.digests()) == [DIGEST]


def test_the_same_bytes_are_kept_once_and_cannot_be_written_over(store: Store) -> None:
    store.put(CONTENT)
    store.put_bytes(b"".join(CONTENT))
    assert len([name for name in files_in(store) if name != ".lock"]) == 1
    assert store.path(DIGEST).stat().st_mode & 0o222 == 0


def test_a_broken_download_leaves_nothing(store: Store) -> None:
    def blocks() -> Iterator[bytes]:
        yield b"some"
        raise TimeoutError("the host went silent")

    with pytest.raises(TimeoutError):
        store.put(blocks())
    assert files_in(store) == [".lock"]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(moment=st.integers(1, 380))
def test_a_kill_at_any_instruction_leaves_whole_files_only(
    tmp_path_factory: pytest.TempPathFactory, moment: int
) -> None:
    store = Store(tmp_path_factory.mktemp("store"))
    killed_after(moment, lambda: store.put(CONTENT))
    assert list(store.damaged()) == []
    store.sweep()
    store.put(CONTENT)
    assert [name for name in files_in(store) if name != ".lock"] == [
        store.path(DIGEST).relative_to(store.root).as_posix()
    ]


def test_a_sweep_spares_the_download_in_the_making(store: Store) -> None:
    def blocks() -> Iterator[bytes]:
        yield CONTENT[0]
        assert store.sweep() == 0
        yield CONTENT[1]

    assert store.put(blocks()).digest == DIGEST


def _put_many(root: Path) -> None:
    store = Store(root)
    for number in range(50):
        store.put_bytes(str(number).encode() * 1000)


def test_processes_that_store_the_same_bytes_do_not_disturb_each_other(store: Store) -> None:
    context = get_context("fork")
    processes = [context.Process(target=_put_many, args=(store.root,)) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0, 0]
    assert len(list(store.digests())) == 50
    assert list(store.damaged()) == []


def test_a_link_shares_the_stored_bytes(store: Store, tmp_path: Path) -> None:
    store.put(CONTENT)
    target = tmp_path / "paper" / "data.csv"
    store.link(DIGEST, target)
    assert target.stat().st_ino == store.path(DIGEST).stat().st_ino


def test_a_copy_stands_in_where_the_file_system_refuses_a_link(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(18, "Invalid cross-device link")

    store.put(CONTENT)
    monkeypatch.setattr(os, "link", refuse)
    store.link(DIGEST, tmp_path / "data.csv")
    assert (tmp_path / "data.csv").read_bytes() == b"".join(CONTENT)


def test_damage_is_found(store: Store) -> None:
    store.put(CONTENT)
    path = store.path(DIGEST)
    path.chmod(0o644)
    path.write_bytes(b"other")
    assert list(store.damaged()) == [DIGEST]


def test_what_the_store_lacks_is_named_with_what_to_do(store: Store, tmp_path: Path) -> None:
    with pytest.raises(InfrastructureError, match=DIGEST):
        store.read(DIGEST)
    with pytest.raises(InfrastructureError, match=DIGEST):
        store.link(DIGEST, tmp_path / "x")


@pytest.mark.parametrize("digest", ["", "sha256:", "sha256:../../etc/passwd", "md5:00", "sha256:" + "g" * 64])
def test_what_is_no_digest_opens_no_file(store: Store, digest: str) -> None:
    with pytest.raises(UsageError, match="is not a digest"):
        store.path(digest)
