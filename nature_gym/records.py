"""Records: what is known of each paper, kept in folders that outlive processes and databases.

Each paper owns a folder. Each stage that worked on it owns one published folder inside, with the
stage's record and whatever it made::

    papers/<paper id>/
        harvest -> .harvest.<version>    record.json  work.json
        read    -> .read.<version>       record.json  text.md  links.json  tables/
        screen.error.json                a stage that could not be carried out, and why

A stage is *current* for a paper when its record stands for the digest of the inputs it would
have now, and for the version of the rules that would work on them now; then it is skipped. A
failure to carry a stage out (disk, network, a defect of ours) is kept beside what was last
published, and replaces nothing.
"""

from __future__ import annotations

import datetime as dt
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from pydantic import AwareDatetime, BaseModel, ConfigDict, ValidationError

from nature_gym.digests import digest_bytes
from nature_gym.errors import InfrastructureError, UsageError
from nature_gym.files import Draft, file_mark, published_version, to_json, write_atomically

RECORD = "record.json"
ERROR_SUFFIX = ".error.json"
_DOI_PREFIX = re.compile(r"^(https?://(dx\.)?doi\.org/|doi:\s*)", re.IGNORECASE)
_DOI = re.compile(r"10\.[0-9.]+/.+", re.DOTALL)
_SAFE = "._;()+:-"
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._;()+:%-]{0,199}")


class Output(BaseModel):
    """One file that a stage made, by digest."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    digest: str
    size: int


class StageRecord(BaseModel):
    """What a stage did for a paper.

    ``status`` is ``done``, or ``failed`` where the paper's own input was unusable. ``verdict`` is the
    stage's word for the outcome (``passed``, ``rejected``, ``no_access``...), ``reason`` one sentence.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    paper: str
    stage: str
    status: Literal["done", "failed"]
    verdict: str
    reason: str = ""
    hint: str = ""
    inputs: str
    """Digest of the inputs."""
    rules: str
    """Version of the rules that worked on them."""
    started: AwareDatetime
    finished: AwareDatetime
    outputs: dict[str, Output] = {}
    facts: dict[str, Any] = {}
    """Small facts that lists and funnels show; what is large goes into a file."""

    @property
    def seconds(self) -> float:
        """Never less than nothing, also where the clock was put back in between."""
        return max(0.0, (self.finished - self.started).total_seconds())


class StageError(BaseModel):
    """Why a stage could not be carried out. It will be tried again."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    paper: str
    stage: str
    error: str
    """Name of the error's class."""
    reason: str
    hint: str = ""
    at: AwareDatetime
    trace: str = ""
    """The traceback, where the error is not one that we know."""


@dataclass(frozen=True, slots=True)
class Publication:
    """A stage's record with the folder it stands in, which stays as it is until the stage has published twice more."""

    record: StageRecord
    folder: Path


def paper_id(doi: str | None, openalex_id: str | None = None) -> str:
    """A paper's id: its DOI in lower case with the first ``/`` as ``_``; the OpenAlex id where there is no DOI.

    What a folder's name should not hold is percent-encoded, so that different DOIs have different ids.

    >>> paper_id("https://doi.org/10.1038/S41467-022-30729-2")
    '10.1038_s41467-022-30729-2'
    >>> paper_id(None, "https://openalex.org/W2741809807")
    'W2741809807'
    """
    if doi:
        bare = _DOI_PREFIX.sub("", doi.strip())
        if not _DOI.fullmatch(bare):
            raise UsageError(f"{doi!r} is not a DOI", hint="A DOI begins with 10., a number and a slash.")
        candidate = quote(bare.lower().replace("/", "_", 1), safe=_SAFE)
    elif openalex_id:
        candidate = openalex_id.rsplit("/", 1)[-1]
    else:
        raise UsageError("a paper needs a DOI or an OpenAlex id", hint="Give either.")
    if not _ID.fullmatch(candidate):
        raise UsageError(f"{candidate!r} cannot be a paper id", hint="Ids are made from a DOI or an OpenAlex id.")
    return candidate


class PaperFolder:
    """One paper's folder. Holds no state: what it says is read from the disk each time."""

    def __init__(self, papers: Path, paper: str) -> None:
        if not _ID.fullmatch(paper):
            raise UsageError(f"{paper!r} is not a paper id", hint="'naturegym paper list' shows the ids.")
        self.id = paper
        self.path = papers / paper

    def exists(self) -> bool:
        return self.path.is_dir()

    def draft(self, stage: str) -> Draft:
        """A folder for ``stage`` to work in; see :meth:`publish`."""
        return Draft(self.path, stage)

    def publish(self, draft: Draft, record: StageRecord) -> None:
        """Put the record into the draft, and the draft into place of what ``stage`` had published."""
        self.write_record(draft, record)
        draft.publish()
        self._error_path(record.stage).unlink(missing_ok=True)

    @staticmethod
    def write_record(draft: Draft, record: StageRecord) -> None:
        """Put the record into the draft."""
        # Nobody sees the draft yet, and publishing flushes all that is in it: a plain write will do.
        (draft.folder / RECORD).write_bytes(to_json(record.model_dump(mode="json")))

    def put_in_place(self, draft: Draft) -> None:
        """:meth:`publish` for a draft that has its record and was flushed; the folder is for the caller to flush."""
        draft.put_in_place()
        self._error_path(draft.name).unlink(missing_ok=True)

    def publication(self, stage: str) -> str | None:
        """Names what ``stage`` has published: another name at each publication, None before the first."""
        return published_version(self.path, stage)

    def publications(self) -> dict[str, str]:
        """Stage -> name of its publication, for all stages that have published."""
        return {
            entry.name: version
            for entry in _entries(self.path)
            if not entry.name.startswith(".") and (version := published_version(self.path, entry.name))
        }

    def mark(self) -> str:
        """A word for all that the folder shows: another one after each publication, error or removal.

        Opens no file, so that a whole corpus can be looked over for what changed. Raises FileNotFoundError
        where there is no folder.
        """
        parts = []
        with os.scandir(self.path) as entries:
            for entry in entries:
                if entry.name.startswith("."):
                    continue
                if entry.is_symlink():
                    parts.append(f"{entry.name}={os.readlink(entry)}")  # noqa: PTH115 -- 20,000 times at a look
                elif entry.name.endswith(ERROR_SUFFIX):
                    parts.append(f"{entry.name}={file_mark(entry.stat())}")
                elif entry.is_dir():  # a copied home: see published_version
                    with suppress(FileNotFoundError):
                        parts.append(f"{entry.name}={file_mark(Path(entry, RECORD).stat())}")
        return digest_bytes("\n".join(sorted(parts)).encode(errors="surrogateescape"))

    def published(self, stage: str) -> Publication | None:
        """What ``stage`` has published: its record and its folder, which belong together; None before the first time.

        Raises InfrastructureError for a record that cannot be read: somebody edited it, or the disk failed.
        """
        while (version := self.publication(stage)) is not None:
            folder = self.path / version
            try:
                return Publication(StageRecord.model_validate_json((folder / RECORD).read_bytes()), folder)
            except (OSError, ValidationError) as error:
                if version != self.publication(stage):
                    continue  # overtaken by two publications while we read; the newest is whole
                raise InfrastructureError(
                    f"the record {folder / RECORD} cannot be read: {_one_line(error)}",
                    hint=f"Remove {self.path / stage} and run the stage again.",
                ) from error
        return None

    def record(self, stage: str) -> StageRecord | None:
        """The record of ``stage``, or None where it has published nothing; see :meth:`published`."""
        publication = self.published(stage)
        return publication.record if publication else None

    def records(self) -> dict[str, StageRecord]:
        """Stage -> record, for all stages that have published, oldest first."""
        found = [record for stage in self.publications() if (record := self.record(stage))]
        return {record.stage: record for record in sorted(found, key=lambda record: record.finished)}

    def fail(self, error: StageError) -> None:
        """Keep why a stage could not be carried out. What it had published stays."""
        write_atomically(self._error_path(error.stage), to_json(error.model_dump(mode="json")))

    def has_error(self, stage: str) -> bool:
        """Whether the last attempt of ``stage`` could not be carried out."""
        return os.path.lexists(f"{self.path}/{stage}{ERROR_SUFFIX}")

    def errors(self) -> dict[str, StageError]:
        """Stage -> error, for all stages whose last attempt could not be carried out."""
        found = {}
        for path in _entries(self.path):
            if path.name.endswith(ERROR_SUFFIX) and not path.name.startswith("."):
                stage = path.name.removesuffix(ERROR_SUFFIX)
                found[stage] = self._read_error(stage, path)
        return found

    def _read_error(self, stage: str, path: Path) -> StageError:
        """The error kept at ``path``; one that cannot be read is an error all the same, and says so."""
        try:
            return StageError.model_validate_json(path.read_bytes())
        except (OSError, ValidationError) as error:
            return StageError(
                paper=self.id,
                stage=stage,
                error="Unreadable",
                reason=f"{path} cannot be read: {_one_line(error)}",
                hint="Run the stage again, which writes it anew.",
                at=dt.datetime.fromtimestamp(0, dt.UTC),
            )

    def _error_path(self, stage: str) -> Path:
        return self.path / f"{stage}{ERROR_SUFFIX}"


def _one_line(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False)[0]
        return f"{'.'.join(map(str, first['loc'])) or 'the file'}: {first['msg']}"
    return str(error)


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except FileNotFoundError:
        return []


class Papers:
    """All paper folders of a home."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def __getitem__(self, paper: str) -> PaperFolder:
        """The folder of ``paper``, which need not exist yet. Raises UsageError for what cannot be an id."""
        return PaperFolder(self.root, paper)

    def __iter__(self) -> Iterator[PaperFolder]:
        for path in _entries(self.root):
            if _ID.fullmatch(path.name) and path.is_dir():
                yield PaperFolder(self.root, path.name)

    def find(self, name: str) -> PaperFolder:
        """The paper that ``name`` means: an id, a DOI, or the end of an id where only one fits.

        Raises UsageError where none or several fit, with those that come near.
        """
        candidate = _DOI_PREFIX.sub("", name.strip())
        exactly = [candidate, candidate.lower()]
        if _DOI.fullmatch(candidate):
            with suppress(UsageError):
                exactly = [paper_id(candidate)]
        for exact in exactly:
            if _ID.fullmatch(exact) and self[exact].exists():
                return self[exact]
        ids = [path.name for path in _entries(self.root) if path.is_dir()]
        near = [paper for paper in ids if paper.endswith(candidate.lower())] if candidate else []
        if len(near) == 1:
            return self[near[0]]
        if near:
            raise UsageError(
                f"{name!r} means {len(near)} papers",
                hint="One of: " + ", ".join(near[:5]) + (", ..." if len(near) > 5 else ""),
            )
        raise UsageError(
            f"there is no paper {name!r} in {self.root}",
            hint="'naturegym paper list' shows the ids; NATUREGYM_HOME says which corpus is meant.",
        )
