"""The records, against the shape of the real services' answers."""

from __future__ import annotations

import dataclasses
import datetime as dt
import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.demo.inline import plain
from nature_gym.demo.model import Indexing, Paper
from nature_gym.demo.typesetting.openalex import europepmc_result, inverted, work


def test_the_record_names_the_paper(paper: Paper) -> None:
    record = work(paper)
    assert record["id"] == "https://openalex.org/W9000000601"
    assert record["doi"] == f"https://doi.org/{paper.doi}"
    assert record["title"] == record["display_name"] == plain(paper.title)
    assert record["publication_date"] == "2023-06-15"
    assert record["ids"]["pmcid"] == "https://www.ncbi.nlm.nih.gov/pmc/articles/9900601"
    source = record["primary_location"]["source"]
    assert (source["issn_l"], source["id"]) == ("2522-5839", "https://openalex.org/S900000001")
    assert [entry["author_position"] for entry in record["authorships"]] == ["first", "middle", "last"]


@pytest.mark.parametrize(
    ("status", "is_oa", "has_pdf", "best"),
    [
        ("gold", True, True, "publishedVersion"),
        ("bronze", True, True, "publishedVersion"),
        ("green", True, False, "acceptedVersion"),
        ("closed", False, False, None),
    ],
)
def test_open_access_is_told_consistently(paper: Paper, status: Any, is_oa: bool, has_pdf: bool, best: str) -> None:
    record = work(dataclasses.replace(paper, oa_status=status))
    assert record["open_access"]["oa_status"] == status
    assert record["open_access"]["is_oa"] is is_oa
    assert (record["primary_location"]["pdf_url"] is not None) is has_pdf
    assert (record["best_oa_location"] or {}).get("version") == best
    assert (record["open_access"]["oa_url"] is not None) is is_oa


@given(st.text())
def test_an_inverted_abstract_can_be_turned_back(text: str) -> None:
    index = inverted(text) or {}
    placed = {place: word for word, places in index.items() for place in places}
    assert [placed[place] for place in range(len(placed))] == text.split()


def test_an_empty_abstract_is_null(paper: Paper) -> None:
    assert work(dataclasses.replace(paper, abstract=""))["abstract_inverted_index"] is None


def test_a_retracted_paper_is_marked(paper: Paper) -> None:
    record = work(dataclasses.replace(paper, retracted=True))
    assert record["is_retracted"] is True
    assert record["title"].startswith("RETRACTED ARTICLE: ")


def test_a_short_record_is_part_of_the_whole(paper: Paper) -> None:
    whole, short = work(paper), work(paper, full=False)
    assert short.items() <= whole.items()
    assert len(short) < len(whole)


def test_records_are_json_and_the_same_each_time(paper: Paper) -> None:
    assert json.dumps(work(paper)) == json.dumps(work(dataclasses.replace(paper)))
    updated = dt.datetime.fromisoformat(work(paper)["updated_date"])
    assert updated.date() > paper.published


def test_europe_pmc_offers_full_text_only_of_what_it_holds(paper: Paper) -> None:
    assert europepmc_result(paper)["fullTextIdList"] == {"fullTextId": ["PMC9900601"]}
    without = europepmc_result(dataclasses.replace(paper, pmcid=None))
    assert without["inEPMC"] == "N"
    assert "pmcid" not in without


@pytest.fixture(scope="module")
def real_record() -> dict[str, Any]:
    """A journal article's record in today's schema; skips where the real inputs are absent."""
    folder = Path(os.environ.get("NATUREGYM_REAL_INPUTS", Path(__file__).parents[5] / "shared" / "real"))
    file = folder / "openalex" / "works_full.jsonl.gz"
    if not file.exists():
        pytest.skip("the real inputs are not here")
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            record: dict[str, Any] = json.loads(line)
            source = (record.get("primary_location") or {}).get("source") or {}
            if record["updated_date"] > "2026" and source.get("type") == "journal" and record["topics"]:
                return record
    pytest.skip("no record in today's schema")


def test_the_record_has_the_real_ones_fields(paper: Paper, real_record: dict[str, Any]) -> None:
    record = work(paper)
    assert set(record) <= set(real_record)
    assert set(real_record) - set(record) <= {"content_urls", "institutions", "grants"}
    for part in ("ids", "open_access", "biblio", "primary_topic", "has_content"):
        assert set(record[part]) <= set(real_record[part]) | {"pmid", "pmcid"}
    assert set(record["primary_location"]) == set(real_record["primary_location"])
    assert set(record["primary_location"]["source"]) <= set(real_record["primary_location"]["source"])
    assert set(record["authorships"][0]) <= set(real_record["authorships"][0])


def test_an_odd_record_differs_in_what_is_odd_alone(paper: Paper) -> None:
    usual = work(paper)
    title = "Learning <i>in vivo</i> &amp; in silico"

    def changed(indexing: Indexing) -> dict[str, object]:
        odd = work(dataclasses.replace(paper, retracted=True, indexing=indexing))
        return {field: odd[field] for field in usual if odd[field] != usual[field]}

    assert changed(Indexing(knows_retraction=False)) == {}
    assert set(changed(Indexing())) == {"title", "display_name", "is_retracted"}
    assert changed(Indexing(knows_retraction=False, title=title)) == {"title": title, "display_name": title}
    assert changed(Indexing(knows_retraction=False, has_abstract=False)) == {"abstract_inverted_index": {}}


def test_a_work_without_a_doi_is_found_by_its_address(paper: Paper) -> None:
    odd = dataclasses.replace(paper, indexing=Indexing(knows_doi=False))
    record = work(odd)
    assert record["doi"] is None
    assert "doi" not in record["ids"]
    assert record["primary_location"]["landing_page_url"] == paper.url
    assert paper.doi not in str({field: record[field] for field in record if field != "open_access"})
    assert odd.id == paper.openalex_id
