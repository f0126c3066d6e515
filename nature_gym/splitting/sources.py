"""The files that the paths of ``task.yaml`` name: always below their source's folder, links out of it refused."""

from __future__ import annotations

import glob
import re
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from nature_gym.digests import digest_file, digest_folder, digest_json
from nature_gym.packaging.operations import TableForm
from nature_gym.packaging.specification import Source
from nature_gym.splitting.faults import SplitError
from nature_gym.splitting.parts import Thing, open_thing
from nature_gym.splitting.tables import Table

_GLOB = re.compile(r"[*?\[]")


class Sources:
    """The sources of a task; their paths are relative to ``root``, the folder of ``task.yaml``.

    ``tables`` says of some paths how they are written. Each file is opened and digested once.
    """

    def __init__(
        self, root: Path, sources: Mapping[str, Source], tables: Mapping[str, TableForm] | None = None
    ) -> None:
        self._roots = {name: (root / source.path).resolve() for name, source in sources.items()}
        self._sources = sources
        self._digests: dict[Path, Future[str]] = {}
        self._digesting = ThreadPoolExecutor(1)
        self._things: dict[Path, Thing] = {}
        self._told = {self.file(path): form for path, form in (tables or {}).items()}

    def check(self) -> None:
        """Raises SplitError where a source is not there, or has another digest than ``task.yaml`` says.

        The digest of a folder is that of its files' names and digests, as :func:`folder_digest` makes it.
        """
        for name, source in self._sources.items():
            root = self._roots[name]
            if not root.exists():
                raise SplitError(f"source {name!r} is not there: {source.path}", hint="Fetch it, or correct its path.")
            if source.digest is None:
                continue
            found = digest_file(root) if root.is_file() else folder_digest(root)
            if found != source.digest:
                raise SplitError(
                    f"source {name!r} has changed: its digest is {found}, and should be {source.digest}",
                    hint="Fetch it again; or, where the change is right, write the new digest into task.yaml.",
                )

    def digest(self, path: Path) -> str:
        """The digest of a file, which does not change while a task is carried out."""
        self.digest_ahead(path)
        return self._digests[path].result()

    def digest_ahead(self, path: Path) -> None:
        """Begin with the digest of a file, while other things are done with it."""
        if path not in self._digests:
            self._digests[path] = self._digesting.submit(digest_file, path)

    def open(self, path: Path) -> Thing:
        """A file with rows. Raises SplitError for what has none."""
        if path not in self._things:
            self._things[path] = open_thing(path, self._told.get(path, TableForm()))
        return self._things[path]

    def table(self, path: str) -> Table:
        """The table that a path of ``task.yaml`` names. Raises SplitError where it is none."""
        thing = self.open(self.file(path))
        if not isinstance(thing, Table):
            raise SplitError(f"{path} is no table", hint="Only tables have columns.")
        return thing

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

    def files(self, pattern: str) -> list[tuple[str, str, Path]]:
        """(source's path, path below the pattern's fixed part, file) of all files that ``pattern`` matches, sorted.

        Raises SplitError where it matches none.
        """
        if not _GLOB.search(pattern):
            path = self.file(pattern)
            return [(pattern, pattern.rpartition("/")[2], path)]
        source, _, inner = pattern.partition("/")
        root = self._roots[source]
        fixed = "/".join(_fixed(inner))
        found = [
            (f"{source}/{path.relative_to(root).as_posix()}", path.relative_to(root / fixed).as_posix(), path.resolve())
            for path in sorted(root.glob(inner))
            if path.is_file() and path.resolve().is_relative_to(root)
        ]
        if not found:
            raise SplitError(f"no file matches {pattern}", hint=f"Looked below {root}.")
        return found


def folder_digest(folder: Path) -> str:
    """One digest of a folder's files, names and contents; links are left out."""
    return digest_json(digest_folder(folder))


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
