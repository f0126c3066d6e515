"""Packages as they lie on a disk: read, validated, compared and taken in, without anything of them being run."""

from __future__ import annotations

import io
import json
import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from checks.registry import chosen
from nature_gym.cli.problems import problems_of
from nature_gym.digests import digest_folder
from nature_gym.errors import UsageError
from nature_gym.packaging.build import build
from nature_gym.packaging.difference import difference
from nature_gym.packaging.faults import BuildError
from nature_gym.packaging.importer import import_package
from nature_gym.packaging.package import Package, open_package
from nature_gym.packaging.task_file import read_task
from tests.unit.packaging.conftest import WriteTask


@pytest.fixture
def package(write_task: WriteTask, tmp_path: Path) -> Package:
    return Package(build(write_task(), tmp_path / "packages").path)


def _metadata(change: Callable[[dict[str, object]], object]) -> Callable[[Path], None]:
    def spoil(path: Path) -> None:
        value = json.loads((path / "metadata.json").read_text())
        change(value)
        (path / "metadata.json").unlink()
        (path / "metadata.json").write_text(json.dumps(value))

    return spoil


@pytest.mark.parametrize(
    ("spoil", "file", "message"),
    [
        (lambda path: (path / "problem/README.md").unlink(), "problem/README.md", "is missing"),
        (lambda path: (path / "metadata.json").write_text("{"), "metadata.json", "no JSON"),
        (_metadata(lambda value: value.pop("domain_metadata")), "metadata.json", "domain_metadata"),
        (_metadata(lambda value: value.update(workflow_topology="loop")), "metadata.json", "workflow_topology"),
        (lambda path: shutil.rmtree(path / "evaluation/ground_truth/runs"), "evaluation/ground_truth", "no instance"),
        (lambda path: (path / "evaluation/evaluator.py").write_text("def"), "evaluation/evaluator.py", "not compile"),
        (
            lambda path: (path / "problem/README.md").write_text("# T\n\n## 1. Scientific Problem\n"),
            "problem/README.md", "has no section",
        ),
    ],
)  # fmt: skip
def test_what_is_not_of_the_format_is_told(
    spoil: Callable[[Path], object], file: str, message: str, package: Package
) -> None:
    asked = chosen(("C0", "C1"), ())
    assert problems_of(package.path, asked) == []
    spoil(package.path)
    problems = problems_of(package.path, asked)
    assert any(one["file"].startswith(file) and message in one["message"] for one in problems), problems


def test_the_evaluators_constants_are_read_and_not_run(package: Package) -> None:
    assert package.constants["INSTANCES"] == ["runs"]
    assert package.constants["METRIC_NAMES"] == ["RMSE", "R2"]
    path = package.path / "evaluation/evaluator.py"
    path.unlink()
    path.write_text("INSTANCES = ['a'] + __import__('os').abort()\nMETRIC_NAMES = ('x',)\n")
    assert Package(package.path).constants == {"METRIC_NAMES": ("x",)}


def test_a_package_is_found_in_the_folder_that_holds_it_alone(package: Package, tmp_path: Path) -> None:
    assert open_package(package.path.parent).path == package.path
    shutil.copytree(package.path, package.path.parent / "second")
    with pytest.raises(UsageError, match="no package"):
        open_package(package.path.parent)
    with pytest.raises(UsageError):
        open_package(tmp_path / "nowhere")


def test_differences_are_told_by_file_and_line(package: Package, tmp_path: Path) -> None:
    other = Package(tmp_path / "other")
    shutil.copytree(package.path, other.path)
    assert difference(package, other) == []
    text = package.text("problem/README.md").content.replace("Yields depend", "Yields hinge")
    (other.path / "problem/README.md").write_text(text)
    (other.path / "LICENSE").write_text("new")
    (other.path / "provenance.json").unlink()
    found = {one.file: one for one in difference(package, Package(other.path))}
    assert {name: one.kind for name, one in found.items()} == {
        "LICENSE": "added", "problem/README.md": "changed", "provenance.json": "removed",
    }  # fmt: skip
    assert "-Yields depend on conditions." in found["problem/README.md"].lines


def _published(package: Package, tmp_path: Path, members: dict[str, bytes] | None = None) -> Path:
    """The package as others publish theirs: data in an archive, no task.yaml."""
    path = tmp_path / "s41467-022-30001-4"
    shutil.copytree(package.path, path)
    (path / "task.yaml").unlink()
    (path / "problem/data_archives").mkdir()
    found = {
        f"data/{one.relative_to(path / 'problem/data')}": one.read_bytes()
        for one in (path / "problem/data/runs").iterdir()
    }
    with tarfile.open(path / "problem/data_archives/runs.tar.gz", "w:gz") as archive:
        for name, content in (members or found).items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    shutil.rmtree(path / "problem/data")
    return path


def test_a_published_package_is_taken_in_and_described(package: Package, tmp_path: Path) -> None:
    taken = import_package(_published(package, tmp_path), tmp_path / "taken")
    before, after = digest_folder(package.path / "problem/data"), digest_folder(taken.path / "problem/data")
    assert after == before
    task = read_task(taken.path / "task.yaml")
    assert task.name == package.name
    assert [use.metric for use in task.instances[0].metrics] == ["rmse", "r2"]
    assert task.instances[0].answer[0].file == "predictions.csv"
    assert "Yields depend on conditions." in task.problem.background
    with pytest.raises(BuildError, match="open questions"):
        build(taken.path / "task.yaml", tmp_path / "again")
    with pytest.raises(UsageError, match="there already"):
        import_package(tmp_path / "s41467-022-30001-4", tmp_path / "taken")


@pytest.mark.parametrize("name", ["../../../escaped.txt", "/escaped.txt", "runs/../../../../escaped.txt"])
def test_an_archive_that_leads_out_is_refused_and_nothing_stays(name: str, package: Package, tmp_path: Path) -> None:
    source = _published(package, tmp_path, {name: b"x"})
    with pytest.raises(BuildError, match="not a plain file"):
        import_package(source, tmp_path / "taken")
    assert not list(tmp_path.rglob("escaped.txt"))
    assert [path.name for path in (tmp_path / "taken").iterdir()] == [".lock"]


def test_links_in_a_package_and_its_archives_are_not_taken_along(package: Package, tmp_path: Path) -> None:
    source = _published(package, tmp_path)
    (source / "problem/secret").symlink_to("/etc/passwd")
    taken = import_package(source, tmp_path / "taken")
    assert not (taken.path / "problem/secret").exists()
    with tarfile.open(source / "problem/data_archives/more.tar.gz", "w:gz") as archive:
        member = tarfile.TarInfo("runs/link.csv")
        member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(member)
    with pytest.raises(BuildError, match="not a plain file"):
        import_package(source, tmp_path / "again")
