"""Every test of the database runs on SQLite and on PostgreSQL."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from db.engine import make_engine, open_database
from tests.integration.db.corpus import Corpus


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("postgres_url"))
    return f"sqlite:///{tmp_path / 'database' / 'naturegym.db'}"


@pytest.fixture
def empty(address: str) -> Iterator[Engine]:
    """A database without tables."""
    engine = make_engine(address)
    yield engine
    engine.dispose()


@pytest.fixture
def engine(address: str) -> Iterator[Engine]:
    """A database with the tables of this program."""
    engine = open_database(address)
    yield engine
    engine.dispose()


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Corpus:
    """A home without papers. Nothing here loses power, so nothing waits for the disk."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
    return Corpus(tmp_path / "home")
