"""The authors' files of a study, as they lie in its package.

A name that begins with ``dot_`` stands for one that begins with a dot: a real ``.gitignore``
inside this checkout would hide the checkpoints and results that a study has to show.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable


@cache
def _walk(package: str, folder: str) -> tuple[tuple[str, bytes], ...]:
    found: list[tuple[str, bytes]] = []

    def visit(place: Traversable, path: str) -> None:
        for child in sorted(place.iterdir(), key=lambda item: item.name):
            if child.name == "__pycache__":
                continue
            name = f".{child.name[4:]}" if child.name.startswith("dot_") else child.name
            if child.is_dir():
                visit(child, f"{path}{name}/")
            else:
                found.append((f"{path}{name}", child.read_bytes()))

    visit(files(package).joinpath(folder), "")
    return tuple(found)


def author_files(package: str, folder: str = "repository") -> dict[str, bytes]:
    """Path in the authors' repository -> content, for ``folder`` of the study ``package``."""
    return dict(_walk(package, folder))
