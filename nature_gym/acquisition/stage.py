"""The acquire stage: a paper's code and data, as they are at their hosts, with an inventory.

What is taken lies in trees by content, which papers share; the stage's folder links to them::

    papers/<id>/acquire/
        acquired.json        sources with commits, licences, checksums, sizes, and what is wrong
        inventory.json       each file: format, size, digest, readability, structure
        sources/<name>       -> the tree of each source

The same sources give the same folder, whatever was interrupted on the way: no time, no order of arrival is in it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from nature_gym.acquisition.acquired import ACQUIRED, AcquiredFile, AcquiredSource, Acquisition, write_acquisition
from nature_gym.acquisition.archives import ArchiveError, LimitError, beside, is_archive, unpack
from nature_gym.acquisition.brought import brought, copy_brought
from nature_gym.acquisition.downloads import Budget, Downloader, OnBytes
from nature_gym.acquisition.faults import BudgetError
from nature_gym.acquisition.inspecting import Inspectors
from nature_gym.acquisition.inventory import Inventory, take_inventory, write_inventory
from nature_gym.acquisition.limits import Limits
from nature_gym.acquisition.plan import FORGES, Plan, Source, ask, by_weight, plan_of, screened
from nature_gym.acquisition.repositories import Checkout, Repositories, licence_file, pointers_in
from nature_gym.acquisition.trees import Trees, listed, shown_path
from nature_gym.config import Settings
from nature_gym.digests import digest_json
from nature_gym.errors import PaperError
from nature_gym.records import PaperFolder, Papers
from nature_gym.screening.record import SCREENING
from nature_gym.screening.stage import STAGE as SCREEN
from nature_gym.stages import Outcome
from nature_gym.store import Store

STAGE = "acquire"
RULES = "1"
SOURCES = "sources"

OnStep = Callable[[str], None]


class AcquireStage:
    """Takes what the plan names. One for all threads of a process; the run's byte budget is its own."""

    name = STAGE
    rules = RULES

    def __init__(
        self,
        settings: Settings,
        *,
        downloader: Downloader | None = None,
        on_bytes: OnBytes | None = None,
        on_step: OnStep = lambda _: None,
    ) -> None:
        """``on_bytes`` and ``on_step`` are told how far it is."""
        self._settings = settings
        self._downloader = downloader or Downloader(settings, on_bytes=on_bytes)
        self._repositories = Repositories(settings)
        self._trees = trees_of(settings)
        self._store = Store(settings.store)
        self._limits = Limits.of(settings)
        self._inspectors = Inspectors(settings.workers, settings.inspect_seconds)
        self.budget = Budget(settings.byte_budget)
        self._step = on_step

    def inputs(self, paper: PaperFolder) -> Any:
        """What screening found, and the limits. Raises PaperError where the paper did not pass."""
        screened(paper)
        record = paper.record(SCREEN)
        output = record.outputs.get(SCREENING) if record is not None else None
        return {
            "screening": output.digest if output else "",
            "limits": [asdict(self._limits), self._settings.paper_byte_budget, self._settings.repository_bytes],
            **({"brought": came} if (came := [folder.digest for folder in brought(paper)]) else {}),
        }

    def work(self, paper: PaperFolder, draft: Path) -> Outcome:
        """Take everything; raises PaperError where nothing could be had of what the paper names."""
        plan = plan_of(paper)
        if not plan.sources:
            raise PaperError("the paper names nothing that can be taken", hint="See 'naturegym screen --explain'.")
        budget = Budget(self._settings.paper_byte_budget, above=self.budget, paper=True)
        taken = [self._take(plan, source, budget) for source in plan.sources]
        acquisition = Acquisition(paper=paper.id, sources=tuple(taken), left_out=plan.left_out)
        if all(source.tree is None for source in taken):
            raise PaperError(f"nothing could be taken: {taken[0].problem}", hint="Look at the links of the paper.")
        inventory = self._inventory(acquisition)
        write_acquisition(acquisition, draft)
        write_inventory(inventory, draft)
        self._link(acquisition, draft)
        problems = acquisition.problems
        facts = {
            "sources": len(taken),
            "files": len(inventory.files),
            "bytes": sum(entry.size for entry in inventory.files),
            "unreadable": sum(1 for entry in inventory.files if not entry.readable),
        }
        return Outcome("incomplete" if problems else "acquired", "; ".join(problems)[:500], facts)

    def look(self, paper: PaperFolder) -> tuple[Plan, list[Source], dict[str, str]]:
        """What would be taken: the plan, its sources with their files as hosts list them now, and what is wrong."""
        plan = plan_of(paper)
        sources, wrong = [], {}
        for source in plan.sources:
            try:
                sources.append(ask(source, self._downloader))
            except PaperError as error:
                wrong[source.name] = error.message
        return plan, sources, wrong

    # -- sources -------------------------------------------------------------------------

    def _take(self, plan: Plan, source: Source, budget: Budget) -> AcquiredSource:
        """One source as a tree; what is wrong with it is kept, and the others go on."""
        self._step(source.name)
        try:
            if source.brought is not None:
                return self._take_brought(source, source.brought.folder)
            if source.kind == "repository":
                return self._take_repository(plan, source)
            return self._take_files(ask(source, self._downloader), budget)
        except PaperError as error:
            return _without(source, error.message)

    def _take_repository(self, plan: Plan, source: Source) -> AcquiredSource:
        reference = source.reference
        version = reference.version if reference is not None and reference.family in FORGES else None
        before = plan.published if version is None else None
        key = digest_json(["repository", RULES, source.url, version, str(before), asdict(self._limits)])
        known = self._trees.receipt(key)
        if known is not None:
            return AcquiredSource.model_validate(known["source"] | {"links": source.links})
        with self._trees.draft() as draft:
            checkout = self._repositories.take(
                source.url, draft / "files", before=before, version=version, scratch=draft
            )
            unpacked, problems = self._unpack_all(draft / "files")
            tree = self._trees.put(draft / "files")
        acquired = _of_checkout(source, checkout, tree, unpacked, problems)
        missing = [module for module in checkout.submodules if module.problem]
        if not missing:  # what is missing is asked for again
            self._trees.keep_receipt(key, {"tree": tree, "source": acquired.model_dump(mode="json")})
        return acquired

    def _take_brought(self, source: Source, folder: Path) -> AcquiredSource:
        """The folder that came with the paper as a tree of its own: what is unpacked in it leaves the paper's alone."""
        with self._trees.draft() as draft:
            copy_brought(folder, draft / "files")
            licence, pointers = licence_file(draft / "files"), tuple(pointers_in(draft / "files"))
            unpacked, problems = self._unpack_all(draft / "files")
            tree = self._trees.put(draft / "files")
        return AcquiredSource(
            name=source.name, kind=source.kind, purpose=source.purpose, url=source.url, links=source.links, tree=tree,
            licence_file=licence, lfs_pointers=pointers, unpacked=unpacked, notes=source.notes,
            problems=(*_without_content(pointers), *problems),
        )  # fmt: skip

    def _take_files(self, source: Source, budget: Budget) -> AcquiredSource:
        files, problems, notes = [], [], list(source.notes)
        for wanted in by_weight(source.files):
            try:
                got = self._downloader.get(wanted, budget)
            except BudgetError as error:
                problems.append(error.message)
                continue
            except PaperError as error:
                problems.append(error.message)
                continue
            notes += got.notes
            files.append(AcquiredFile(name=wanted.name, url=wanted.url, size=got.size, digest=got.digest,
                                      checksum=wanted.checksum))  # fmt: skip
        if not files:
            return _without(source, "; ".join(problems))
        files.sort(key=lambda file: file.name)
        tree, unpacked, wrong = self._tree_of(files)
        return AcquiredSource(
            name=source.name, kind=source.kind, purpose=source.purpose, url=source.url, links=source.links, tree=tree,
            files=tuple(files), licence=source.licence, unpacked=unpacked, notes=tuple(notes),
            problems=tuple(problems + wrong),
        )  # fmt: skip

    def _tree_of(self, files: list[AcquiredFile]) -> tuple[str, dict[str, str], list[str]]:
        """The files of a record, linked from the store, with its archives unpacked beside them."""
        key = digest_json(["files", RULES, [[file.name, file.digest] for file in files], asdict(self._limits)])
        known = self._trees.receipt(key)
        if known is not None:
            return known["tree"], known["unpacked"], known["problems"]
        with self._trees.draft() as draft:
            folder = draft / "files"
            folder.mkdir()
            for file in files:
                self._store.link(file.digest, folder / place_of(file.name))
            unpacked, problems = self._unpack_all(folder)
            tree = self._trees.put(folder)
        self._trees.keep_receipt(key, {"tree": tree, "unpacked": unpacked, "problems": problems})
        return tree, unpacked, problems

    def _unpack_all(self, folder: Path) -> tuple[dict[str, str], list[str]]:
        """Unpack each archive in ``folder`` beside itself; archive -> folder, and what could not be unpacked."""
        unpacked: dict[str, str] = {}
        problems = []
        for path in [path for path in listed(folder) if is_archive(path)]:
            target = beside(path)
            try:
                result = unpack(path, target, self._limits)
            except (ArchiveError, LimitError) as error:
                problems.append(error.message)
                continue
            unpacked[shown_path(path, folder)] = shown_path(target, folder)
            problems += result.notes
        return unpacked, problems

    # -- the folder ------------------------------------------------------------------------

    def _inventory(self, acquisition: Acquisition) -> Inventory:
        folders = {source.name: self._trees.path(source.tree) for source in acquisition.sources if source.tree}
        return take_inventory(folders, self._settings, inspectors=self._inspectors, on_step=self._step)

    def _link(self, acquisition: Acquisition, draft: Path) -> None:
        (draft / SOURCES).mkdir()
        for source in acquisition.sources:
            if source.tree is not None:
                place = draft / SOURCES / source.name
                place.symlink_to(os.path.relpath(self._trees.path(source.tree), place.parent))


def trees_of(settings: Settings) -> Trees:
    """The trees of a home."""
    return Trees(settings.home / "trees")


def acquirable(papers: Papers) -> list[str]:
    """Ids of the papers that passed screening."""
    return [
        paper.id
        for paper in papers
        if (record := paper.record(SCREEN)) and record.status == "done" and record.verdict == "passed"
    ]


def place_of(name: str) -> Path:
    """Where a file of a record belongs: hosts' names may hold folders, and whatever else.

    >>> place_of("a/../../b/x.csv").as_posix()
    'a/b/x.csv'
    """
    parts = [part for part in name.replace("\\", "/").replace("\0", "").split("/") if part not in ("", ".", "..")]
    return Path(*(_short(part) for part in parts)) if parts else Path("download")


def _short(part: str) -> str:
    """A name as file systems take it: at most 255 bytes, the ending kept."""
    raw = part.encode("utf-8", "surrogateescape")
    if len(raw) <= 255:
        return part
    suffix = "".join(Path(part).suffixes[-2:]).encode("utf-8", "surrogateescape")[-40:]
    mark = digest_json(part.encode("utf-8", "backslashreplace").decode())[7:15].encode()
    return (raw[: 240 - len(suffix)] + b"~" + mark + suffix).decode("utf-8", "ignore")


def _without(source: Source, problem: str) -> AcquiredSource:
    return AcquiredSource(
        name=source.name, kind=source.kind, purpose=source.purpose, url=source.url, links=source.links,
        problems=(problem,),
    )  # fmt: skip


def _without_content(pointers: Sequence[str]) -> list[str]:
    some = ", ".join(pointers[:3])
    return [f"{len(pointers):,} files are pointers to large-file storage: {some}"] if pointers else []


def _of_checkout(
    source: Source, checkout: Checkout, tree: str, unpacked: dict[str, str], problems: list[str]
) -> AcquiredSource:
    missing = [f"the submodule {module.path}: {module.problem}" for module in checkout.submodules if module.problem]
    missing += _without_content(checkout.lfs_pointers)
    return AcquiredSource(
        name=source.name, kind=source.kind, purpose=source.purpose, url=source.url, links=source.links, tree=tree,
        commit=checkout.commit, commit_date=checkout.date.isoformat(), licence_file=checkout.licence_file,
        submodules={module.path: f"{module.url}@{module.commit}" for module in checkout.submodules},
        lfs_pointers=checkout.lfs_pointers, unpacked=unpacked, notes=checkout.notes,
        problems=tuple(missing + problems),
    )  # fmt: skip


__all__ = ["ACQUIRED", "STAGE", "AcquireStage", "acquirable", "place_of", "trees_of"]
