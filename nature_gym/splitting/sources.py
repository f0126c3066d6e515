"""The files that the paths of ``task.yaml`` name: always below their source's folder, links out of it refused."""

from __future__ import annotations

import glob
import re
from collections.abc import Mapping
from pathlib import Path

from nature_gym.packaging.specification import Source
from nature_gym.splitting.faults import SplitError

_GLOB = re.compile(r"[*?\[]")


class Sources:
    """The sources of a task; their paths are relative to ``root``, the folder of ``task.yaml``."""

    def __init__(self, root: Path, sources: Mapping[str, Source]) -> None:
        self._roots = {name: (root / source.path).resolve() for name, source in sources.items()}

    def file(self, path: str) -> Path:
        """The one file that ``path`` names. Raises SplitError where there is none, or where it leads out."""
        source, _, inner = path.partition("/")
        root = self._roots[source]
        if root.is_file() and inner == root.name:
            return root
        found = root / inner
        real = found.resolve()
        if not real.is_relative_to(root):
            raise SplitError(f"{path} leads out of its source", hint="A link in the source points elsewhere.")
        if not real.is_file():
            near = _near(root, inner)
            raise SplitError(
                f"there is no file {path}", hint=f"Near it: {', '.join(near)}." if near else f"Looked below {root}."
            )
        return real

    def files(self, pattern: str) -> list[tuple[str, Path]]:
        """(path below the pattern's fixed part, file) of all files that ``pattern`` matches, sorted.

        Raises SplitError where it matches none.
        """
        if not _GLOB.search(pattern):
            path = self.file(pattern)
            return [(path.name, path)]
        source, _, inner = pattern.partition("/")
        root = self._roots[source]
        fixed = "/".join(_fixed(inner))
        found = [
            (path.relative_to(root / fixed).as_posix(), path.resolve())
            for path in sorted(root.glob(inner))
            if path.is_file() and path.resolve().is_relative_to(root)
        ]
        if not found:
            raise SplitError(f"no file matches {pattern}", hint=f"Looked below {root}.")
        return found


def _fixed(pattern: str) -> list[str]:
    """The folders before the first one with a wildcard."""
    parts: list[str] = []
    for part in pattern.split("/")[:-1]:
        if _GLOB.search(part):
            break
        parts.append(part)
    return parts


def _near(root: Path, inner: str) -> list[str]:
    """Files of the same name elsewhere, or of the same ending beside it."""
    name = inner.rpartition("/")[2]
    same = [path.relative_to(root).as_posix() for path in root.rglob(glob.escape(name))][:3]
    return same or [path.name for path in sorted((root / inner).parent.glob(f"*{Path(name).suffix}"))[:3]]
