import json
import os
from pathlib import Path

import pytest

from nature_gym.errors import InfrastructureError
from nature_gym.sandbox import folders


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(folders, "home", lambda: tmp_path)
    return tmp_path


def test_a_folder_is_abandoned_when_its_owner_is_gone() -> None:
    mine, theirs, reused = (folders.make("kind") for _ in range(3))
    for folder, owner in ((theirs, {"pid": 2**22 + 1, "start": "1"}), (reused, {"pid": os.getpid(), "start": "1"})):
        (folder / folders.OWNER).write_text(json.dumps(owner))
    assert {folder for folder, _ in folders.abandoned("kind")} == {theirs, reused}
    assert mine.exists()
    assert list(folders.abandoned("other")) == []


def test_the_process_that_holds_a_box_is_named_while_it_lives() -> None:
    folder = folders.make("kind")
    folders.sign(folder, os.getpid())
    owner = json.loads((folder / folders.OWNER).read_text()) | {"start": "1"}
    (folder / folders.OWNER).write_text(json.dumps(owner))
    assert list(folders.abandoned("kind")) == [(folder, os.getpid())]
    (folder / folders.OWNER).write_text(json.dumps(owner | {"holder_start": "1"}))
    assert list(folders.abandoned("kind")) == [(folder, None)]


def test_a_folder_without_an_owner_is_left_until_it_is_old(own_home: Path) -> None:
    folder = own_home / "kind-x"
    folder.mkdir()
    assert list(folders.abandoned("kind")) == []
    os.utime(folder, (0, 0))
    assert list(folders.abandoned("kind")) == [(folder, None)]


def test_whatever_rights_were_given_it_is_removed(own_home: Path) -> None:
    folder = folders.make("kind")
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "a" / "b" / "c").touch()
    (folder / "a" / "b").chmod(0)
    (folder / "a").chmod(0)
    folders.remove(folder)
    assert not folder.exists()


def test_what_a_link_points_to_is_not_removed(own_home: Path) -> None:
    (own_home / "kept").mkdir()
    (own_home / "kept" / "file").touch()
    folder = folders.make("kind")
    (folder / "link").symlink_to(own_home / "kept")
    folders.remove(folder)
    assert (own_home / "kept" / "file").exists()


def test_a_folder_in_which_something_is_mounted_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = folders.make("kind")
    monkeypatch.setattr(folders, "mounts_below", lambda _: [f"{folder}/m"])
    with pytest.raises(InfrastructureError, match="still mounted"):
        folders.remove(folder)
    assert folder.exists()


def test_mounts_are_found_where_they_are() -> None:
    assert any(place.startswith("/dev/") for place in folders.mounts_below(Path("/dev")))
    assert folders.mounts_below(Path("/no/such/place")) == []


def test_a_sweep_removes_what_killed_owners_left_of_one_kind() -> None:
    mine, theirs, other = folders.make("kind"), folders.make("kind"), folders.make("other")
    for folder in (theirs, other):
        (folder / folders.OWNER).write_text(json.dumps({"pid": 2**22 + 1, "start": "1"}))
        (folder / "left").mkdir()
    assert folders.sweep("kind") == 1
    assert mine.exists()
    assert other.exists()
    assert not theirs.exists()
