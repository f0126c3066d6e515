"""``acquired.json``: what was taken for a paper, from where, and what is wrong with it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from nature_gym.errors import InfrastructureError
from nature_gym.files import to_json

ACQUIRED = "acquired.json"


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class AcquiredFile(_Model):
    """A file as it was downloaded."""

    name: str
    url: str
    size: int
    digest: str
    checksum: Annotated[str | None, Field(description="As its host names it; it was verified.")] = None


class AcquiredSource(_Model):
    """A repository, a record or a file. ``tree`` is None where nothing of it could be had."""

    name: str
    kind: Literal["repository", "record", "file"]
    purpose: Literal["code", "data"]
    url: str
    links: Annotated[tuple[str, ...], Field(description="The paper's addresses of it.")]
    tree: str | None = None
    commit: str | None = None
    commit_date: str | None = None
    licence: Annotated[str | None, Field(description="As the host names it.")] = None
    licence_file: str | None = None
    files: Annotated[tuple[AcquiredFile, ...], Field(description="Of a record.")] = ()
    unpacked: Annotated[dict[str, str], Field(description="Archive -> the folder that it was unpacked to.")] = {}
    submodules: Annotated[dict[str, str], Field(description="Path -> address@commit.")] = {}
    lfs_pointers: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def problem(self) -> str:
        return "; ".join(self.problems)


class Acquisition(_Model):
    """All sources of a paper, in the order in which they were taken."""

    paper: str
    sources: tuple[AcquiredSource, ...]
    left_out: Annotated[dict[str, str], Field(description="Links from which nothing was taken, and why.")] = {}

    @property
    def problems(self) -> list[str]:
        return [f"{source.name}: {problem}" for source in self.sources for problem in source.problems]


def write_acquisition(acquisition: Acquisition, folder: Path) -> None:
    """Write it into ``folder``."""
    (folder / ACQUIRED).write_bytes(to_json(acquisition.model_dump(mode="json")))


def read_acquisition(folder: Path) -> Acquisition:
    """What :func:`write_acquisition` wrote. Raises InfrastructureError where it cannot be read."""
    try:
        return Acquisition.model_validate_json((folder / ACQUIRED).read_bytes())
    except (OSError, ValidationError) as error:
        raise InfrastructureError(
            f"{folder / ACQUIRED} cannot be read: {error}", hint="Acquire again: naturegym acquire --force."
        ) from error
