"""OpenAlex as the mini-web plays it, over works that a test can change between two harvests."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from nature_gym.config import Settings, load_settings
from nature_gym.demo.miniweb import Behaviour, MiniWeb
from nature_gym.demo.model import Entry, Paper, Truth, World
from nature_gym.demo.venues import VENUES
from nature_gym.harvest.query import Query
from tests.unit.demo.miniweb.small_world import PlainPress, paper

ISSNS = tuple(venue.issn_l for venue in VENUES.values())
QUERY = Query(ISSNS, dt.date(2020, 1, 1), dt.date(2025, 12, 31))


class Edition(PlainPress):
    """OpenAlex's records, with what a test changes in them: number of the paper -> fields."""

    def __init__(self) -> None:
        super().__init__()
        self.changes: dict[str, dict[str, Any]] = {}

    def change(self, number: int, **fields: Any) -> None:
        """As OpenAlex would: with a new date of update."""
        self.changes.setdefault(paper(number).openalex_id, {}).update({"updated_date": "2026-01-05T00:00:00"} | fields)

    def work(self, paper: Paper) -> dict[str, Any]:
        more: dict[str, Any] = {"best_oa_location": None, "authorships": []}
        return super().work(paper) | more | self.changes.get(paper.openalex_id, {})


class Outside:
    """The works that there are, and how OpenAlex behaves."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.papers: list[Paper] = [paper(number) for number in range(40)]
        self.edition = Edition()
        self.behaviour = Behaviour()

    def change(self, number: int, **fields: Any) -> None:
        self.edition.change(number, **fields)

    def world(self) -> World:
        return World(0, tuple(Entry(one, Truth(())) for one in self.papers))

    @contextmanager
    def open(self) -> Iterator[tuple[Settings, MiniWeb]]:
        """Serve it as it is now."""
        with MiniWeb(self.world(), behaviour=self.behaviour, press=self.edition, git_cache=self._folder) as web:
            yield load_settings(mirror=web.url, requests_per_second=10_000, max_wait=10, timeout=2), web


Open = Callable[[], AbstractContextManager[tuple[Settings, MiniWeb]]]


@pytest.fixture
def outside(tmp_path: Path) -> Outside:
    return Outside(tmp_path / "git")
