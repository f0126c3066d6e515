"""Code and data that came with a paper: whoever ingests an article may put ``repository/`` and ``data/`` beside it.

The one idea: what is here already is not asked of a host. A folder that came stands for every link of its purpose, so
that a paper can go all the way on a machine without network, and from a repository that is not public yet.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from nature_gym.acquisition.trees import listed
from nature_gym.digests import digest_json
from nature_gym.records import PaperFolder

FETCH = "fetch"
FOLDERS: dict[Literal["code", "data"], str] = {"code": "repository", "data": "data"}


@dataclass(frozen=True, slots=True)
class Brought:
    """A folder beside an article. ``digest`` is of its files' names and contents, ``size`` in bytes of all of them."""

    purpose: Literal["code", "data"]
    folder: Path
    digest: str
    size: int


def brought(paper: PaperFolder) -> tuple[Brought, ...]:
    """What came with the paper, code first."""
    published = paper.published(FETCH)
    if published is None or published.record.status != "done":
        return ()
    found = []
    for purpose, top in FOLDERS.items():
        inside = {name: made for name, made in published.record.outputs.items() if name.startswith(f"{top}/")}
        if inside:
            digest = digest_json({name: made.digest for name, made in inside.items()})
            size = sum(made.size for made in inside.values())
            found.append(Brought(purpose, published.folder / top, digest, size))
    return tuple(found)


def copy_brought(folder: Path, target: Path) -> None:
    """Copy the files of ``folder``, version control aside, to ``target``, which is new.

    A link that stays inside becomes its file.
    """
    inside = folder.resolve()
    target.mkdir()
    for path in [*listed(folder), *_links(folder)]:
        name = path.relative_to(folder)
        if ".git" in name.parts or not path.resolve().is_relative_to(inside) or not path.is_file():
            continue
        place = target / name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place)


def _links(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_symlink())
