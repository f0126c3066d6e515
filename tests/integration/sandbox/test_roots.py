"""Boxes of bubblewrap whose root is an image: it sees the image's files and none of this machine's."""

from __future__ import annotations

import re
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import docker
import pytest

from nature_gym.environment import image
from nature_gym.errors import UsageError
from nature_gym.sandbox import folders, roots
from nature_gym.sandbox.bubblewrap import Bubblewrap
from nature_gym.sandbox.interface import Box, Limits, Mount, Outcome
from tests.integration.sandbox.conftest import with_image

NAME = "small-root"
pytestmark = pytest.mark.xdist_group("unpacked roots")  # roots are the machine's, and ours is taken away at the end


@pytest.fixture(scope="module")
def sandbox() -> Bubblewrap:
    found = Bubblewrap()
    if reason := found.missing():
        pytest.skip(reason)
    return found


@pytest.fixture(scope="module")
def shell(sandbox: Bubblewrap, tmp_path_factory: pytest.TempPathFactory) -> Iterator[roots.Root]:
    """A root with a shell, the libraries that it wants, and a mark."""
    archive = tmp_path_factory.mktemp("root") / "root.tar"
    told = subprocess.run(["ldd", "/bin/sh"], capture_output=True, text=True, check=True).stdout
    files = {Path("/bin/sh"), *map(Path, re.findall(r"(?:^|\s)(/\S+)", told))}
    with tarfile.open(archive, "w") as tar:
        for path in files:
            tar.add(path.resolve(), path.relative_to("/"))
        mark = archive.with_name("mark")
        mark.write_text("of the image\n")
        tar.add(mark, "etc/mark")
        tar.add(mark, "opt/there/mark")
        tar.add(mark, "usr/mark")
    root = roots.add_archive(NAME, archive)
    yield root
    roots.remove(NAME)


def run(sandbox: Bubblewrap, script: str, *mounts: Mount) -> Outcome:
    box = Box(image=NAME, mounts=mounts, limits=Limits(seconds=60))
    return sandbox.run(box, ["/bin/sh", "-c", script])


def test_the_images_files_are_seen_and_not_this_machines(sandbox: Bubblewrap, shell: roots.Root) -> None:
    outcome = run(sandbox, "while read line; do echo $line; done </etc/mark; echo /usr/* /*; echo $PATH")
    assert outcome.well, outcome
    lines = outcome.stdout.text.splitlines()
    assert lines[0] == "of the image"
    assert "/usr/bin" not in lines[1] and "/home" not in lines[1] and "/etc" in lines[1]  # noqa: PT018 -- one line
    assert lines[2] == roots.PATH


def test_the_root_cannot_be_written_and_the_workspace_can(sandbox: Bubblewrap, shell: roots.Root) -> None:
    outcome = run(sandbox, "echo x >/etc/mark; echo x >/usr/new; echo x >/new; echo y >/workspace/new && echo written")
    assert outcome.stdout.text == "written\n"
    assert (shell.folder / "etc/mark").read_text() == "of the image\n"
    assert not (shell.folder / "usr/new").exists()


def test_mounts_have_room_where_the_image_has_no_place(sandbox: Bubblewrap, shell: roots.Root, tmp_path: Path) -> None:
    (tmp_path / "given").write_text("given\n")
    targets = [PurePosixPath("/task/problem"), PurePosixPath("/opt/agent/program")]
    script = "for f in /task/problem/given /opt/agent/program/given /opt/there/mark; do read x <$f; echo $x; done"
    outcome = run(sandbox, script, *(Mount(tmp_path, one) for one in targets))
    assert outcome.stdout.text == "given\ngiven\nof the image\n", outcome


def test_no_path_of_the_host_names_more_than_the_digest(sandbox: Bubblewrap, shell: roots.Root) -> None:
    outcome = run(sandbox, "while read line; do echo $line; done </proc/self/mountinfo")
    home = str(folders.home())
    told = [line for line in outcome.stdout.text.splitlines() if home.rpartition("/")[2] in line and NAME in line]
    assert told == []


def test_an_image_that_was_not_unpacked_is_told(sandbox: Bubblewrap) -> None:
    with pytest.raises(UsageError, match="no unpacked root"):
        sandbox.start(Box(image="nowhere:1"), ["true"])
    assert "image add nowhere:1" in sandbox.lacks("nowhere:1")


@pytest.mark.docker
def test_an_image_of_the_engine_has_its_python(sandbox: Bubblewrap, docker_client: docker.DockerClient) -> None:
    with_image(docker_client)
    name = next(one for one in (image.SLIM, *image.ROOTS) if docker_client.images.list(one))
    root = roots.add_image(name)
    assert root.digest == docker_client.images.get(name).id
    box = Box(image=name, limits=Limits(seconds=120))
    outcome = sandbox.run(box, ["python3", "-c", "import os, sys; print(sys.prefix, os.listdir('/'), os.getuid())"])
    assert outcome.well, outcome
    assert outcome.stdout.text.partition(" ")[0] in ("/usr", "/usr/local", "/opt/py311")
    assert "/.venv" not in outcome.stdout.text
