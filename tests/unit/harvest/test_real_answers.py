"""Whole answers of the real OpenAlex, as public repositories keep them, served again and taken in."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from nature_gym.config import load_settings
from nature_gym.harvest.intake import Intake
from nature_gym.harvest.openalex import OpenAlex
from nature_gym.harvest.stage import known_work
from nature_gym.records import Papers
from tests.unit.harvest.conftest import QUERY
from tests.unit.web.conftest import Answer, Host

REAL = Path(os.environ.get("NATUREGYM_REAL_INPUTS", Path(__file__).parents[4] / "shared" / "real"))
ANSWERS = sorted((REAL / "openalex" / "api_pages").glob("*.json"))


@pytest.fixture
def host() -> Iterator[Host]:
    host = Host()
    yield host
    host.close()


@pytest.mark.skipif(not ANSWERS, reason="the real answers are not here")
@pytest.mark.parametrize("path", ANSWERS, ids=lambda path: path.stem[:40])
def test_a_real_answer_is_a_page_and_its_works_are_taken_in(path: Path, host: Host) -> None:
    body = path.read_bytes()
    told = orjson.loads(body)
    host.answers = [Answer(headers={"Content-Type": "application/json"}, body=body)]
    settings = load_settings(mirror=host.url, requests_per_second=1000)
    papers = Papers(settings.papers)
    with OpenAlex(settings) as openalex, Intake(papers) as intake:
        page = next(openalex.pages(QUERY))
        assert page.count == told["meta"]["count"]
        assert len(page.records) == len(told["results"]) > 0
        taken = intake.take(page.records)
        assert {"new"} <= {one.kind for one in taken} <= {"new", "duplicate", "retracted"}
        assert {one.kind for one in intake.take(page.records)} <= {"unchanged", "duplicate", "retracted"}
    for record, one in zip(told["results"], taken, strict=True):
        work = known_work(papers[one.paper or ""]) if one.kind == "new" else None
        if work is not None:
            assert work.openalex_id == record["id"].rsplit("/", 1)[-1]
            assert bool(work.title) == bool(record.get("title") or record.get("display_name"))
            assert str(work.published or "") == (record.get("publication_date") or "")
            assert bool(work.abstract) == bool(record.get("abstract_inverted_index"))
