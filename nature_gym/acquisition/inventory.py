"""The inventory: of each file its format, size, digest, whether it can be read, and what is in it.

Files are looked into by processes of their own (:mod:`nature_gym.acquisition.inspector`), with limits to time and
memory, because readers of formats are not made for files that were made to hurt. What was found is kept by the file's
digest; a file that is in ten papers is looked into once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from nature_gym.acquisition.inspecting import Inspectors
from nature_gym.acquisition.trees import listed, shown_path
from nature_gym.config import Settings
from nature_gym.digests import digest_file
from nature_gym.errors import InfrastructureError, UsageError
from nature_gym.files import to_json
from nature_gym.kept import Kept

INVENTORY = "inventory.json"
RULES = 1
"""Another number for another way of looking: what was found by an older one is forgotten."""
_BATCH = 500


class Entry(BaseModel):
    """One file. ``path`` begins with the source's name, where there are several sources."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: str
    size: int
    digest: str
    format: str
    packing: Annotated[str | None, Field(description="gz, bz2, xz or zst, where the file is packed.")] = None
    readable: bool = True
    problem: Annotated[str, Field(description="Why it is not readable.")] = ""
    structure: Annotated[dict[str, Any], Field(description="Columns, shapes, keys, counts: what its format has.")] = {}


class Inventory(BaseModel):
    """The files of a folder, or of a paper's sources, by path."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    files: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class _File:
    path: Path
    name: str
    size: int
    digest: str

    @property
    def key(self) -> str:
        """What a look depends on: the content, and by what name it is taken for what."""
        return f"{self.digest} {''.join(self.path.suffixes[-2:]).lower()[-40:]} {_special(self.path.name)}"


def _special(name: str) -> str:
    return name if name in (".zarray", ".zgroup", ".zattrs", "zarr.json", "Makefile", "Snakefile") else ""


def take_inventory(
    folders: Mapping[str, Path],
    settings: Settings,
    *,
    inspectors: Inspectors | None = None,
    on_step: Callable[[str], None] = lambda _: None,
) -> Inventory:
    """The inventory of ``folders``, by name; a name that is empty is left out of paths.

    ``inspectors`` look into what is new; without them, such are started, and stopped in the end. Raises OSError as the
    file system gives it.
    """
    files = [file for name, folder in folders.items() for file in _files(name, folder, settings.workers)]
    kept = Kept(settings.home / "inventory.db", RULES)
    found = kept.get({file.key for file in files})
    missing = {file.key: file for file in files if file.key not in found}
    on_step(f"inventory: {len(files):,} files, {len(missing):,} of them new")
    todo = list(missing.values())
    with ExitStack() as stack:
        if inspectors is None:
            own = Inspectors(min(settings.workers, len(todo)), settings.inspect_seconds)
            inspectors = stack.enter_context(own)
        for start in range(0, len(todo), _BATCH):
            batch = todo[start : start + _BATCH]
            looks = dict(zip((file.key for file in batch), inspectors.look([file.path for file in batch]), strict=True))
            kept.put({key: said for key, said in looks.items() if not said.pop("passing", False)})
            found |= looks
    entries = [
        Entry.model_validate({"path": file.name, "size": file.size, "digest": file.digest, **found[file.key]})
        for file in files
    ]
    return Inventory(files=tuple(sorted(entries, key=lambda entry: entry.path)))


def inventory_of(folder: Path, settings: Settings) -> Inventory:
    """The inventory of any folder, or of one file. Raises UsageError where there is none."""
    if not folder.exists():
        raise UsageError(f"there is no {folder}", hint="Give a folder, or a file.")
    return take_inventory({"": folder}, settings)


def _files(name: str, folder: Path, workers: int) -> list[_File]:
    if folder.is_file():
        return [_File(folder, folder.name, folder.stat().st_size, digest_file(folder))]
    folder = folder.resolve()
    paths = [path for path in listed(folder) if ".git" not in path.relative_to(folder).parts[:-1]]
    with ThreadPoolExecutor(workers) as pool:
        digests = pool.map(digest_file, paths)
        prefix = f"{name}/" if name else ""
        return [
            _File(path, prefix + shown_path(path, folder), path.stat().st_size, digest)
            for path, digest in zip(paths, digests, strict=True)
        ]


def write_inventory(inventory: Inventory, folder: Path) -> None:
    """Write it into ``folder``."""
    (folder / INVENTORY).write_bytes(to_json(inventory.model_dump(mode="json")))


def read_inventory(folder: Path) -> Inventory:
    """What :func:`write_inventory` wrote. Raises InfrastructureError where it cannot be read."""
    try:
        return Inventory.model_validate_json((folder / INVENTORY).read_bytes())
    except (OSError, ValidationError) as error:
        raise InfrastructureError(
            f"{folder / INVENTORY} cannot be read: {error}", hint="Acquire again: naturegym acquire --force."
        ) from error
