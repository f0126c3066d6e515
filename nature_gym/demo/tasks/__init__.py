"""Tasks of the demo: for each demo paper that passes, the specification that a careful person would write.

Each paper's words stand in a YAML file beside this module; paper, method, anchors and baselines are filled in from the
paper's truth. :func:`write_task` lays a task out as on a disk: ``task.yaml``, and the sources that it names.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from importlib.resources import files as resources
from pathlib import Path
from typing import Any

import yaml

from nature_gym.demo.model import Entry, Repository, SettingTruth, TaskTruth

STUDIES = {
    "10.5555_s41551-023-01087-5": "cell_nuclei",
    "10.5555_s41467-022-34127-1": "diabetes_progression",
    "10.5555_s42256-024-00829-7": "digit_groups",
    "10.5555_s43588-025-00764-5": "symbol_search",
    "10.5555_s41467-023-38217-2": "thin_films",
    "10.5555_s43588-024-00612-4": "reaction_samples",
    "10.5555_s42256-022-00531-2": "wine_channels",
    "10.5555_s41551-025-01342-7": "lab_panel",
}
"""Paper id -> the file of its words; the others are papers with tables of measurements, one pair a setting."""
MEASURED = "measured_tables"
CITED = {"10.5555_s41467-022-34127-1": 0, "10.5555_s43588-024-00612-4": 0}
"""Which of its deposits a paper cites, where they are versions of one."""
PRINTED = {"8/8": "1.000", "3/8": "0.375", "6/8": "0.750", "4/8": "0.500", "1/8": "0.125"}
"""Counts that a paper prints, as the shares that its evaluator gives."""


def task_id(entry: Entry) -> str:
    """An id that tells nothing of the paper."""
    return f"demo-{hashlib.sha256(entry.paper.id.encode()).hexdigest()[:8]}"


def write_task(entry: Entry, folder: Path) -> Path:
    """Lay out the task of a paper that passes in ``folder``; the path of its ``task.yaml``."""
    for name, content in _sources(entry):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    path = folder / "task.yaml"
    text = yaml.safe_dump(specification(entry), sort_keys=False, allow_unicode=True, width=110)
    path.write_text(text, encoding="utf-8")
    return path


def specification(entry: Entry) -> dict[str, Any]:
    """The content of ``task.yaml``. Raises ValueError for a paper that does not pass."""
    truth = entry.truth.task
    if truth is None:
        raise ValueError(f"{entry.paper.id} is no paper with a task")
    settings = [setting for setting in truth.settings if setting.accepted]
    words = _words(entry, settings)
    return {
        "format": 1,
        "id": task_id(entry),
        **words,
        "paper": {
            "id": entry.paper.id,
            "doi": entry.paper.doi,
            "title": entry.paper.title,
            "authors": [f"{author.given} {author.family}" for author in entry.paper.authors],
            "journal": entry.paper.venue.name,
            "published": entry.paper.published,
            "repositories": [repository.url for repository in entry.repositories],
        },
        "method": {"name": truth.method, "variants": list(truth.variants), **words.get("method", {})},
        "instances": [
            {**instance, "metrics": [_scored(use, truth, setting) for use in instance["metrics"]]}
            for instance, setting in zip(words["instances"], settings, strict=True)
        ],
    }


def _words(entry: Entry, settings: list[SettingTruth]) -> dict[str, Any]:
    """The words of a task; those of a paper with tables of measurements are filled in for each of its settings."""
    text = resources(__name__).joinpath(f"{STUDIES.get(entry.story, MEASURED)}.yaml").read_text(encoding="utf-8")
    subject = re.search("prediction of (.+?) with", entry.paper.title)
    text = text.replace("SUBJECT", subject[1] if subject else "measurements")
    words: dict[str, Any] = yaml.safe_load(text)
    if entry.story not in STUDIES:
        words["domain"]["primary"] = entry.truth.task.domain if entry.truth.task else "Other"
        one = yaml.safe_dump(words["instances"][0])
        words["instances"] = [
            yaml.safe_load(one.replace("TITLE", setting.name).replace("SET", setting.name.lower()))
            for setting in settings
        ]
    return words


def _scored(use: dict[str, Any], truth: TaskTruth, setting: SettingTruth) -> dict[str, Any]:
    """A metric with the paper's scores."""
    name = use["name"]
    metric = next(metric for metric in truth.metrics if metric.name == name)
    anchor, baseline = setting.sota[name], setting.baseline.get(name)
    place = metric.place + (f" (printed as {anchor})" if anchor in PRINTED else "")
    return {
        "primary": metric.primary,
        "direction": metric.direction,
        "place": place,
        "anchor": [{"value": PRINTED.get(anchor, anchor), "method": truth.method}],
        "baseline": baseline and {"value": PRINTED.get(baseline, baseline), "method": "best listed baseline"},
        **use,
    }


def _sources(entry: Entry) -> Iterator[tuple[str, bytes]]:
    """The files of the sources: the repository as of publication, the deposit that is cited, files of the task."""
    for name, content in _as_published(entry.repositories[0], entry).items():
        yield f"code/{name}", content
    cited = CITED.get(entry.story)
    for place, deposit in enumerate(entry.deposits):
        if cited in (None, place):
            yield from ((f"deposit/{file.name}", file.read()) for file in deposit.files)
    for page in entry.pages:
        if page.url.endswith(".csv"):
            yield f"deposit/{page.url.rpartition('/')[2]}", page.body
    yield from ((f"own/{name}", content) for name, content in own_files(entry))


def own_files(entry: Entry) -> Iterator[tuple[str, bytes]]:
    """The files that a task brings itself, such as its metrics, by name."""
    own = resources(__name__).joinpath("own").joinpath(STUDIES.get(entry.story, MEASURED))
    if own.is_dir():
        for file in own.iterdir():
            if file.is_file():
                yield file.name, file.read_bytes()


def _as_published(repository: Repository, entry: Entry) -> dict[str, bytes]:
    """The tree at the last commit before the paper appeared."""
    tree: dict[str, bytes] = {}
    for commit in repository.commits:
        if commit.date.date() <= entry.paper.published:
            for path in commit.removed:
                tree.pop(path, None)
            tree.update(commit.files)
    return tree
