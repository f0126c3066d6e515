"""The paper of a package, for a Reproduce pass: as somebody gives it, or as the home has it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nature_gym.errors import UsageError
from nature_gym.packaging.package import Package, loads
from nature_gym.records import Papers

MARKDOWN, PDF = "paper.md", "paper.pdf"


def paper_files(package: Package, papers: Papers, given: Path | None = None) -> Mapping[str, Path]:
    """The files of the paper by the names they get: paper.md, and paper.pdf where there is one.

    ``given`` is a Markdown or PDF file, or a folder with these; else the paper that provenance.json names is looked up.
    Raises UsageError where there is neither.
    """
    found = _given(given) if given is not None else _of_home(package, papers)
    if not found:
        raise UsageError(
            f"The paper of {package.path.name} is not here.",
            hint="Give it: --paper FILE, or a folder with paper.md and paper.pdf.",
        )
    return found


def _given(path: Path) -> dict[str, Path]:
    if path.is_dir():
        return {name: path / name for name in (MARKDOWN, PDF) if (path / name).is_file()}
    if not path.is_file():
        return {}
    return {PDF if path.suffix.lower() == ".pdf" else MARKDOWN: path}


def _of_home(package: Package, papers: Papers) -> dict[str, Path]:
    told: Any = loads(package.text("provenance.json").content)
    paper = told.get("paper") if isinstance(told, dict) else None
    name = paper.get("id") if isinstance(paper, dict) else None
    if not isinstance(name, str):
        return {}
    try:
        folder = papers[name]
    except UsageError:
        return {}
    files = {}
    for stage, file, shown in (("read", "text.md", MARKDOWN), ("fetch", "article.pdf", PDF)):
        published = folder.published(stage)
        if published is not None and (published.folder / file).is_file():
            files[shown] = (published.folder / file).resolve()
    return files
