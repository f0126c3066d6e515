"""Small papers for tests of screening: sections from words, tables from rows, links that answer as told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nature_gym.reading.document import Document, Section, Table
from nature_gym.screening.deciders import Case
from nature_gym.screening.manuscript import Manuscript
from nature_gym.screening.probes import Probe
from nature_gym.screening.task import TaskTuple

TABLE = Table(
    "Table 1",
    "Table 1 Comparison with earlier methods",
    (
        ("Method", "OpenSet", "OpenSet", "WildSet", "WildSet"),
        ("", "AUROC", "F1", "AUROC", "F1"),
        ("SVM", "0.81", "0.71", "0.70", "0.60"),
        ("ResNet", "0.85", "0.75", "0.74", "0.66"),
        ("NovelNet", "0.91", "0.83", "0.80", "0.71"),
    ),
    header_rows=2,
)
"""Two data sets, three methods."""


def manuscript(
    data: str = "", code: str = "", methods: str = "", tables: Sequence[Table] = (TABLE,), **more: str
) -> Manuscript:
    """A paper with statements on data and code, and with methods; ``more`` are further sections by heading."""
    told = {
        "Methods": methods,
        **{title.replace("_", " "): text for title, text in more.items()},
        "Data availability": data,
        "Code availability": code,
    }
    sections = tuple(Section(title, 1, text) for title, text in told.items() if text)
    return Manuscript("paper", Document("html", title="NovelNet: a network", sections=sections, tables=tuple(tables)))


class ToldProber:
    """Sees at links what it was told is there; elsewhere an open page."""

    def __init__(self, told: Mapping[str, Probe | str]) -> None:
        self.told = dict(told)
        self.asked: list[str] = []

    def probe(self, urls: Sequence[str]) -> list[Probe]:
        self.asked += urls
        return [self._one(url) for url in urls]

    def _one(self, url: str) -> Probe:
        seen = self.told.get(url, "accessible")
        return seen if isinstance(seen, Probe) else probe(url, status=seen)


def probe(url: str, **facts: Any) -> Probe:
    """What is seen at ``url``: an open page, unless told otherwise."""
    return Probe(**{"url": url, "status": "accessible", "media_type": "text/html", **facts})


def record(url: str, files: Iterable[tuple[str, int | None]], **facts: Any) -> Probe:
    """A record whose host lists ``files``."""
    listed = tuple(files)
    size = sum(size or 0 for _, size in listed)
    return probe(url, **{"files": listed, "size_bytes": size, "size_source": "api", "media_type": "", **facts})


def case(paper: Manuscript, told: Mapping[str, Probe | str] | None = None, method: str = "NovelNet") -> Case:
    """The paper under judgement; links are not probed where nothing is told of them."""
    return Case(paper, ToldProber(told) if told is not None else None, TaskTuple(method=method))
