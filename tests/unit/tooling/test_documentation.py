"""What is there can be found: in the README, in the reference, in the list of decisions."""

from __future__ import annotations

import importlib.util
import re
import subprocess
from pathlib import Path
from types import ModuleType

import yaml

CHECKOUT = Path(__file__).resolve().parents[3]
DOCS = CHECKOUT / "docs"


def _hook() -> ModuleType:
    specification = importlib.util.spec_from_file_location("docs_tables", CHECKOUT / ".tools/docs_tables.py")
    assert specification
    assert specification.loader
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_the_readme_opens_with_the_two_commands() -> None:
    opening = (CHECKOUT / "README.md").read_text()[:300]
    assert re.findall(r"^\$ (make \w+)", opening, flags=re.MULTILINE) == ["make demo", "make test"]


def test_every_folder_that_the_readme_names_holds_something() -> None:
    folders = re.findall(r"`(\w+/)`", (CHECKOUT / "README.md").read_text().partition("## Layout")[2])
    tracked = subprocess.run(["git", "ls-files"], cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout
    assert "flows/" in folders
    assert [folder for folder in folders if f"\n{folder}" not in tracked] == []


def test_every_room_of_the_library_is_in_the_reference() -> None:
    said = set(
        re.findall(r"^::: (\S+)", "".join(page.read_text() for page in DOCS.glob("reference/*.md")), re.MULTILINE)
    )
    rooms = {
        f"nature_gym.{path.stem}"
        for path in (CHECKOUT / "nature_gym").iterdir()
        if (path.suffix == ".py" or (path / "__init__.py").exists())
        and path.stem not in ("__init__", "__main__", "cli")
    }
    assert rooms - said == set()
    assert {"flows", "checks", "db"} - said == set()


def test_every_decision_is_listed() -> None:
    decisions = sorted(path.name for path in DOCS.glob("decisions/0*.md"))
    assert re.findall(r"\]\((0.*?\.md)\)", (DOCS / "decisions/index.md").read_text()) == decisions
    navigation = yaml.safe_load((CHECKOUT / "mkdocs.yml").read_text())["nav"]
    listed = next(entry["Decisions"] for entry in navigation if "Decisions" in entry)
    assert listed == ["decisions/index.md", *(f"decisions/{name}" for name in decisions)]


def test_every_dependency_has_its_reason() -> None:
    project = (CHECKOUT / "pyproject.toml").read_text()
    block = re.search(r"^dependencies = \[(.*?)^\]", project, flags=re.MULTILINE | re.DOTALL)
    assert block
    named = set(re.findall(r'"([\w-]+)', block.group(1)))
    reasons = (DOCS / "decisions/0002-dependencies.md").read_text()
    table = {name.strip() for row in re.findall(r"^\| ([\w, -]+) \|", reasons, re.MULTILINE) for name in row.split(",")}
    assert named - table == set()


def test_pages_are_made_from_the_commands_and_settings() -> None:
    made = _hook().on_page_markdown("<!-- commands -->\n<!-- settings -->")
    assert "## `naturegym paper show`" in made
    assert "$ naturegym demo world --serve" in made
    assert "| `workers` | `NATUREGYM_WORKERS` |" in made
    assert "<!--" not in made


def test_examples_of_make_name_targets_that_exist() -> None:
    makefile = (CHECKOUT / "Makefile").read_text()
    targets = set(re.search(r"^\.PHONY: (.*)", makefile, flags=re.MULTILINE).group(1).split())  # type: ignore[union-attr]
    pages = [CHECKOUT / "README.md", *DOCS.rglob("*.md")]
    named = {name for page in pages for name in re.findall(r"`make ([a-z]+)", page.read_text())}
    assert named - targets == set()
