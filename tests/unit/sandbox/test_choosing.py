from pathlib import Path, PurePosixPath

import pytest

from nature_gym.errors import InfrastructureError, UsageError
from nature_gym.sandbox import choosing
from nature_gym.sandbox.bubblewrap import Bubblewrap
from nature_gym.sandbox.docker import Docker
from nature_gym.sandbox.interface import Mount
from nature_gym.sandbox.process import Process, _Places


@pytest.fixture(autouse=True)
def nothing_to_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "_swept", lambda _: None)


def works(monkeypatch: pytest.MonkeyPatch, *, docker: str, bubblewrap: str, image: str = "") -> None:
    monkeypatch.setattr(Docker, "missing", lambda _: docker)
    monkeypatch.setattr(Docker, "lacks", lambda *_: image)
    monkeypatch.setattr(Bubblewrap, "missing", lambda _: bubblewrap)


def test_docker_is_chosen_where_it_works(monkeypatch: pytest.MonkeyPatch) -> None:
    works(monkeypatch, docker="", bubblewrap="")
    assert choosing.chosen_sandbox("auto").name == "docker"
    assert choosing.chosen_sandbox("bubblewrap").name == "bubblewrap"


def test_else_bubblewrap(monkeypatch: pytest.MonkeyPatch) -> None:
    works(monkeypatch, docker="No engine.", bubblewrap="")
    assert choosing.chosen_sandbox("auto").name == "bubblewrap"
    works(monkeypatch, docker="", image="No image.", bubblewrap="")
    assert choosing.chosen_sandbox("auto").name == "bubblewrap"


def test_never_a_bare_process_unless_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    works(monkeypatch, docker="No engine.", bubblewrap="No bwrap.")
    with pytest.raises(InfrastructureError, match=r"No engine.*No bwrap"):
        choosing.chosen_sandbox("auto")
    assert choosing.chosen_sandbox("process").name == "process"
    assert not Process().isolation().comparable


def test_another_name_is_refused() -> None:
    with pytest.raises(UsageError, match="chroot"):
        choosing.chosen_sandbox("chroot")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/task", "/here/t"),
        ("/task/a b", "/here/t/a b"),
        ("cat /task/in/x >/task/y", "cat /here/i/x >/here/t/y"),
        ("A=/task:/task/in", "A=/here/t:/here/i"),
        ("/tasks /task-1 /task.x /a/task ./task", "/tasks /task-1 /task.x /a/task ./task"),
    ],
)
def test_a_bare_process_finds_mounts_where_they_are(text: str, expected: str) -> None:
    mounts = [Mount(Path("/here/t"), PurePosixPath("/task")), Mount(Path("/here/i"), PurePosixPath("/task/in"))]
    assert _Places(mounts).put(text) == expected
