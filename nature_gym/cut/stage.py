"""Cutting as a stage in a paper's life: from what screening said and acquisition took to a draft of ``task.yaml``.

The one idea: what a person wrote is never written over. Where ``task.yaml`` is not what the last cut made, it stays,
and the new draft lies beside it::

    papers/<id>/cut/
        task.yaml           the draft, or what a person made of it
        task.draft.yaml     the new draft, where a person changed the last one
        questions.json      what is to be settled, with evidence
        report.json         the cut of each source, as ``naturegym cut FOLDER --json`` prints it
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nature_gym.acquisition.acquired import ACQUIRED, AcquiredSource, Acquisition, read_acquisition
from nature_gym.acquisition.inventory import INVENTORY, Entry, Inventory, read_inventory
from nature_gym.acquisition.plan import screened
from nature_gym.acquisition.stage import SOURCES
from nature_gym.acquisition.stage import STAGE as ACQUIRE
from nature_gym.cut.drafting import Draft, NothingToDraftError, Told, draft_task
from nature_gym.cut.material import Material, gather
from nature_gym.cut.questions import CUT, write_questions
from nature_gym.cut.report import report_of
from nature_gym.digests import digest_file
from nature_gym.errors import PaperError
from nature_gym.files import to_json
from nature_gym.harvest.stage import known_work
from nature_gym.harvest.works import Work
from nature_gym.packaging.task_file import write_task
from nature_gym.records import PaperFolder, Papers
from nature_gym.screening.manuscript import load_manuscript
from nature_gym.screening.record import SCREENING
from nature_gym.screening.stage import STAGE as SCREEN
from nature_gym.stages import Outcome

TASK = "task.yaml"
NEW_DRAFT = "task.draft.yaml"
REPORT = "report.json"


class CutStage:
    """Cuts a paper's sources, and drafts its task."""

    name = CUT
    rules = "2"

    def inputs(self, paper: PaperFolder) -> Any:
        """What screening and acquisition published. Raises PaperError where one of them is missing."""
        screened(paper)
        acquired, screening = paper.record(ACQUIRE), paper.record(SCREEN)
        if acquired is None or acquired.status != "done":
            raise PaperError("code and data were not acquired", hint=f"Run 'naturegym acquire {paper.id}'.")
        found = {name: acquired.outputs[name].digest for name in (ACQUIRED, INVENTORY) if name in acquired.outputs}
        told = screening.outputs.get(SCREENING) if screening is not None else None
        return {**found, "screening": told.digest if told else ""}

    def work(self, paper: PaperFolder, draft: Path) -> Outcome:
        """Cut and draft. Raises PaperError where the data show no way in which they part."""
        acquisition = read_acquisition(paper.path / ACQUIRE)
        sources = named_sources(acquisition)
        folders = {name: (paper.path / ACQUIRE / SOURCES / source.name).resolve() for name, source in sources.items()}
        screening = screened(paper)
        inventory = _renamed(read_inventory(paper.path / ACQUIRE), {one.name: name for name, one in sources.items()})
        material = gather(folders, inventory, method=screening.task.method or None)
        (draft / REPORT).write_bytes(to_json(reports(material)))
        told = Told(
            {name: _source(source, name) for name, source in sources.items()},
            screening.task,
            _paper(paper, acquisition),
            load_manuscript(paper).document.abstract,
        )
        try:
            made = draft_task(material, told, folders, paper.path / CUT)
        except NothingToDraftError as error:
            raise PaperError(error.message, hint=error.hint) from error
        edited = _edited(paper)
        write_task(draft / (NEW_DRAFT if edited else TASK), made.task)
        if edited:
            (draft / TASK).write_bytes(edited)
        write_questions(made.questions, draft)
        return Outcome("edited" if edited else "drafted", _sentence(made), _facts(made))


def _sentence(made: Draft) -> str:
    return f"{len(made.task.instances)} instance(s), {len(made.task.questions)} question(s)"


def _facts(made: Draft) -> dict[str, Any]:
    return {
        "task": made.task.id,
        "instances": {one.name: one.separability for one in made.task.instances},
        "questions": len(made.task.questions),
    }


def reports(material: Material) -> dict[str, Any]:
    """The cut of each source, by its name."""
    return {name: report_of(cut).model_dump(mode="json") for name, cut in material.cuts.items()}


def named_sources(acquisition: Acquisition) -> dict[str, AcquiredSource]:
    """The sources that there is something of, by the names that ``task.yaml`` has for them: code, data, data2..."""
    found: dict[str, AcquiredSource] = {}
    for source in acquisition.sources:
        if source.tree is not None:
            number = sum(name.rstrip("0123456789") == source.purpose for name in found) + 1
            found[source.purpose if number == 1 else f"{source.purpose}{number}"] = source
    return found


def _renamed(inventory: Inventory, names: dict[str, str]) -> Inventory:
    entries: list[Entry] = []
    for entry in inventory.files:
        source, _, inner = entry.path.partition("/")
        if source in names:
            entries.append(entry.model_copy(update={"path": f"{names[source]}/{inner}"}))
    return Inventory(files=tuple(entries))


def _source(source: AcquiredSource, name: str) -> dict[str, Any]:
    return {
        "path": f"../{ACQUIRE}/{SOURCES}/{source.name}",
        "kind": "repository" if source.kind == "repository" else "download",
        "url": source.url,
        "commit": source.commit,
        "licence": source.licence,
        "licence_file": f"{name}/{source.licence_file}" if source.licence_file else None,
    }


def _paper(paper: PaperFolder, acquisition: Acquisition) -> dict[str, Any]:
    document = load_manuscript(paper).document
    work = known_work(paper) or Work(id=paper.id)
    return {
        "id": paper.id,
        "doi": work.doi or document.doi,
        "title": document.title or work.title,
        "authors": list(work.authors or document.authors),
        "journal": work.venue or document.journal,
        "published": work.published,
        "repositories": [source.url for source in acquisition.sources if source.purpose == "code"],
    }


def _edited(paper: PaperFolder) -> bytes | None:
    """The ``task.yaml`` that a person changed since it was drafted; None where nobody did."""
    path = paper.path / CUT / TASK
    record = paper.record(CUT)
    if not path.is_file():
        return None
    last = record.outputs.get(TASK) if record is not None else None
    drafted = (
        last is not None and record is not None and record.verdict == "drafted" and last.digest == digest_file(path)
    )
    return None if drafted else path.read_bytes()


def cuttable(papers: Papers) -> list[str]:
    """Ids of the papers whose code and data were acquired."""
    return [paper.id for paper in papers if (record := paper.record(ACQUIRE)) and record.status == "done"]
