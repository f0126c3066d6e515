from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nature_gym.cut.folder import cut_folder
from nature_gym.demo.model import Repository
from nature_gym.demo.world import build_world
from tests.unit.cut.trees import grow
from tests.unit.demo.studies.authors import category_of


def demo_repositories() -> list[tuple[Repository, str]]:
    """The demo world's repositories of which it says what every file is, with the method's name."""
    return [
        (repository, entry.truth.task.method)
        for entry in build_world(0).entries
        if entry.truth.task
        for repository in entry.repositories
        if repository.categories
    ]


REPOSITORIES = demo_repositories()


@pytest.mark.parametrize("named", [True, False], ids=["method named", "method unknown"])
@pytest.mark.parametrize(("repository", "method"), REPOSITORIES, ids=[each.name for each, _ in REPOSITORIES])
def test_every_file_of_the_demo_repositories_is_judged_right(
    tmp_path: Path, repository: Repository, method: str, named: bool
) -> None:
    cut = cut_folder(grow(tmp_path, repository.files), method=method if named else None)
    found = {each.path: each.category for each in cut.files}
    expected = {path: category_of(repository, path) for path in repository.files}
    wrong = {
        path: (category, found.get(path))
        for path, category in expected.items()
        if found.get(path) != category and not (category == "code" and found.get(path) in {None, "irrelevant"})
    }
    assert wrong == {}


@pytest.mark.parametrize(("repository", "method"), REPOSITORIES, ids=[each.name for each, _ in REPOSITORIES])
def test_what_is_said_of_the_demo_repositories_is_true(tmp_path: Path, repository: Repository, method: str) -> None:
    """A line of code that is named as evidence is there, and touches files or names the file."""
    cut = cut_folder(grow(tmp_path, repository.files), method=method)
    touching = {path: {(site.file, site.line) for site, _ in found} for path, found in cut.graph.touching.items()}
    for verdict in cut.files:
        for each in verdict.evidence:
            assert each.file in repository.files
            if each.line and not each.file.endswith(".ipynb"):
                lines = repository.files[each.file].decode().splitlines()
                assert 0 < each.line <= len(lines)
                named = any(part in lines[each.line - 1] for part in verdict.path.split("/"))
                named = named or each.file == verdict.path  # its own first lines speak for themselves
                assert named or (each.file, each.line) in touching[verdict.path]


def test_the_demo_cores_are_found(tmp_path: Path) -> None:
    for repository, method in REPOSITORIES:
        cut = cut_folder(grow(tmp_path / repository.name, repository.files), method=method)
        assert cut.roles.core, repository.name
        assert not any("baseline" in part.file for part in cut.roles.core)


def test_a_hostile_folder_is_judged_within_bounds(tmp_path: Path) -> None:
    root = grow(
        tmp_path,
        {
            "deep.py": "x = " + "(" * 500 + ")" * 500,
            "chain.py": "x = " + "+".join(["1"] * 50_000),
            "unary.py": "x = " + "-" * 100_000 + "1",
            "nested.py": "".join(f"{' ' * level}if x:\n" for level in range(200)) + " " * 200 + "pass\n",
            "line.py": "x = '" + "a" * 300_000 + "'\n",
            "null.py": b"import os\0\n",
            "picture.py": b"\x89PNG\r\n\x1a\n\0\0",
            "latin.py": "open('caf\xe9.csv')\n".encode("latin-1"),
            "bad.ipynb": "{",
            "empty.ipynb": "",
            "deep.json": "[" * 100_000,
            "conf/deep.yaml": "[" * 5_000,
            "evil.pkl": b"cos\nsystem\n(S'touch PWNED'\ntR.",
            "bomb.zip": b"PK\x03\x04" + b"\0" * 100,
            "self.py": "from self import *\nimport self\nx = self.x\nopen(x)\n",
            "a.py": "from b import *\nopen(z)\n",
            "b.py": "from a import *\n",
            "loop.py": "class A(B):\n    pass\nclass B(A):\n    def f(self):\n        open(self.q)\n",
            "run.sh": "for a in " + "x " * 5_000 + "; do\npython a.py " + "$a" * 50 + "\ndone\n",
            f"{'n' * 250}.csv": "x",
            "na\u00efve \u03b1 'quote'.csv": "x",
        },
    )
    os.mkfifo(root / "pipe.py")
    (root / "loop").symlink_to(root)
    with (root / "huge.csv").open("wb") as file:
        file.truncate(1_000_000_000)
    cut = cut_folder(root)
    assert not (root / "PWNED").exists()
    assert {"evil.pkl", "huge.csv", "bomb.zip", f"{'n' * 250}.csv"} <= {each.path for each in cut.files}
    assert len({each.path for each in cut.files}) == len(cut.files)
    assert any("not Python 3" in each for each in cut.warnings)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    content=st.text(max_size=300),
    name=st.sampled_from(["a.py", "a.sh", "a.R", "Snakefile", "a.yaml", "README.md", "a.csv"]),
)
def test_any_content_is_judged_without_trouble(tmp_path: Path, content: str, name: str) -> None:
    cut = cut_folder(grow(tmp_path, {name: content.encode("utf-8", "replace"), "data/x.csv": "x"}))
    assert "data/x.csv" in {each.path for each in cut.files}


def test_the_same_folder_gives_the_same_cut(tmp_path: Path) -> None:
    repository, method = REPOSITORIES[0]
    grow(tmp_path, repository.files)
    first, second = (cut_folder(tmp_path, method=method) for _ in range(2))
    assert first.files == second.files
    assert first.patterns == second.patterns
