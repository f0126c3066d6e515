from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from nature_gym.environment.image import ROOTS, SLIM
from nature_gym.errors import InfrastructureError, UsageError
from nature_gym.sandbox import choosing, docker
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


class Engine:
    """An engine with these images; it has gone away where there are None."""

    def __init__(self, images: list[str] | None) -> None:
        self.here = images

    @contextmanager
    def answer(self) -> Iterator[Engine]:
        if self.here is None:
            raise InfrastructureError("No Docker engine answers.", hint="Start one.")
        yield self

    def info(self) -> dict[str, Any]:
        return {"MemoryLimit": True}

    def images(self, name: str) -> list[str]:
        return [one for one in self.here or () if one == name]


def test_an_image_without_what_evaluators_import_is_not_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    """While the slim base is built, or a test has imported it, only what it stands on may be there."""
    fake = Engine([ROOTS[0]])
    sandbox = Docker()
    monkeypatch.setattr(docker, "engine", fake.answer)
    monkeypatch.setattr(Bubblewrap, "missing", lambda _: "")
    monkeypatch.setattr(choosing, "back_end", {"docker": sandbox, "bubblewrap": Bubblewrap()}.__getitem__)
    assert choosing.chosen_sandbox("auto").name == "bubblewrap"
    assert "naturegym env build" in sandbox.lacks("")
    assert sandbox.lacks(ROOTS[0]) == ""
    fake.here = [ROOTS[0], SLIM]
    assert choosing.chosen_sandbox("auto").name == "docker"


def test_an_engine_that_went_away_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = Engine([SLIM])
    sandbox = Docker()
    monkeypatch.setattr(docker, "engine", fake.answer)
    monkeypatch.setattr(Bubblewrap, "missing", lambda _: "")
    monkeypatch.setattr(choosing, "back_end", {"docker": sandbox, "bubblewrap": Bubblewrap()}.__getitem__)
    assert choosing.chosen_sandbox("auto").name == "docker"
    fake.here = None
    assert choosing.chosen_sandbox("auto").name == "bubblewrap"


def test_what_failed_once_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that was full for a moment does not lose its sandboxes for the life of a process."""
    fake, sandbox = Engine(None), Docker()
    monkeypatch.setattr(docker, "engine", fake.answer)
    assert sandbox.missing() != ""
    fake.here = []
    assert sandbox.missing() == ""
    answers = iter(["It does not start here.", ""])
    box = Bubblewrap()
    monkeypatch.setattr(box, "_tried", lambda: next(answers))
    assert box.missing() == "It does not start here."
    assert [box.missing(), box.missing()] == ["", ""]


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
