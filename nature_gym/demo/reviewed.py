"""What a maintainer of the demo made of the drafts: each paper's reviewed task, over the sources that were acquired.

A draft has questions that only a reader of the paper answers (how the problem is told, what a column means). The demo's
answers are the specifications of :mod:`nature_gym.demo.tasks`; here one takes the place of its paper's draft, as if
somebody had edited ``task.yaml``, so that a later cut keeps it.
"""

from __future__ import annotations

import os
from pathlib import Path

import yaml

from nature_gym.acquisition.acquired import Acquisition, read_acquisition
from nature_gym.acquisition.stage import SOURCES
from nature_gym.acquisition.stage import STAGE as ACQUIRE
from nature_gym.cut.questions import CUT
from nature_gym.cut.stage import TASK
from nature_gym.demo.model import Entry
from nature_gym.demo.tasks import own_files, specification
from nature_gym.files import write_atomically
from nature_gym.records import PaperFolder

DEPOSIT = "deposit"
"""The folder, among the task's own files, of a deposit whose files were linked one by one."""


def review(entry: Entry, paper: PaperFolder, own: Path) -> bool:
    """Put the reviewed task in the place of the draft; whether that changed anything.

    ``own`` is a folder for files of the task's own (its metrics), which are written there.
    """
    told = specification(entry)
    for name, content in own_files(entry):
        _write(own / name, content)
    places = _places(read_acquisition(paper.path / ACQUIRE), paper, own)
    for source in told["sources"].values():
        source["path"] = _moved(source["path"], places)
    text = yaml.safe_dump(told, sort_keys=False, allow_unicode=True, width=110).encode()
    return _write(paper.path / CUT / TASK, text)


def _write(path: Path, content: bytes) -> bool:
    """Whether it had to be written: a file that is written again is newer, and what was made of it stale."""
    if path.is_file() and path.read_bytes() == content:
        return False
    write_atomically(path, content)
    return True


def _places(acquisition: Acquisition, paper: PaperFolder, own: Path) -> dict[str, str]:
    """Where a reviewed task's folders are, relative to the paper's cut: code, deposit, and the task's own files."""
    places = {"own": os.path.relpath(own, paper.path / CUT)}
    taken = [source for source in acquisition.sources if source.tree is not None]
    for source in taken:
        name = "code" if source.purpose == "code" else "deposit"
        places.setdefault(name, f"../{ACQUIRE}/{SOURCES}/{source.name}")
    if len(single := [source for source in taken if source.kind == "file"]) > 1:
        # A deposit of files that were linked one by one: brought together, as the reviewer would.
        for source in single:
            for path in sorted((paper.path / ACQUIRE / SOURCES / source.name).iterdir()):
                _write(own / DEPOSIT / path.name, path.read_bytes())
        places["deposit"] = os.path.relpath(own / DEPOSIT, paper.path / CUT)
    return places


def _moved(path: str, places: dict[str, str]) -> str:
    first, _, rest = path.partition("/")
    return "/".join(filter(None, (places[first], rest)))
