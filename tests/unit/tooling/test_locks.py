"""The locks say exactly what is installed, and name no host."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[3]
LOCKS = sorted((CHECKOUT / "requirements").glob("*.txt"))


def _pinned(lock: Path) -> dict[str, set[str]]:
    """Package to its versions: more than one where Pythons differ."""
    pins: dict[str, set[str]] = {}
    for name, version in re.findall(r"^([\w.-]+)==([^ ;\\]+)", lock.read_text(), flags=re.MULTILINE):
        pins.setdefault(name, set()).add(version)
    return pins


def _named(requirements: list[str]) -> set[str]:
    names = [re.match(r"[\w.-]+", requirement) for requirement in requirements]
    return {re.sub(r"[-_.]+", "-", name.group()).lower() for name in names if name}


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_a_lock_names_no_host_and_hashes_every_package(lock: Path) -> None:
    text = lock.read_text()
    assert "://" not in text
    assert "--index" not in text
    entries = re.split(r"\n(?=\w)", text.strip())
    assert [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry] == []


def test_whatever_the_project_names_is_locked() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())
    runtime = _pinned(CHECKOUT / "requirements/runtime.txt")
    dev = _pinned(CHECKOUT / "requirements/dev.txt")
    assert _named(project["project"]["dependencies"]) - runtime.keys() == set()
    extras = project["project"]["optional-dependencies"]
    groups = project["dependency-groups"]
    wanted = _named([*extras["postgres"], *extras["dask"], *groups["dev"], *groups["docs"]])
    assert wanted - dev.keys() == set()


def test_developers_get_the_versions_that_users_get() -> None:
    runtime = _pinned(CHECKOUT / "requirements/runtime.txt")
    dev = _pinned(CHECKOUT / "requirements/dev.txt")
    assert {name: dev.get(name) for name in runtime} == runtime


@pytest.mark.parametrize("extra", ["postgres", "dask", "ray"])
def test_the_lock_of_an_extra_holds_what_it_adds_at_versions_that_fit_all_others(extra: str) -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())
    pins = {name: _pinned(CHECKOUT / f"requirements/{name}.txt") for name in ("runtime", "dev", "dask", "ray", extra)}
    runtime = pins["runtime"]
    added = pins[extra]
    assert _named(project["project"]["optional-dependencies"][extra]) - runtime.keys() - added.keys() == set()
    assert added.keys() & runtime.keys() == set()
    for other in pins.values():
        both = added.keys() & other.keys()
        assert {name: added[name] for name in both} == {name: other[name] for name in both}


def test_the_set_up_knows_the_pip_that_lies_beside_the_locks() -> None:
    wheels = [path.name for path in (CHECKOUT / "requirements/bootstrap").glob("*.whl")]
    assert len(wheels) == 1
    assert f'"requirements/bootstrap/{wheels[0]}"' in (CHECKOUT / ".tools/set_up.py").read_text()
