import datetime as dt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.errors import NatureGymError, PaperError
from nature_gym.harvest.works import Work, abstract, read_work

RECORD: dict[str, Any] = {
    "id": "https://openalex.org/W4300000001",
    "doi": "https://doi.org/10.5555/S41467-022-30001-4",
    "title": "Learning <i>E. coli</i> growth &amp;  more",
    "publication_date": "2022-06-01",
    "type": "article",
    "is_retracted": False,
    "language": "en",
    "primary_location": {
        "source": {"id": "https://openalex.org/S1", "display_name": "Nature Communications", "issn_l": "2041-1723"},
        "license": "cc-by",
        "pdf_url": None,
        "landing_page_url": "https://doi.org/10.5555/s41467-022-30001-4",
    },
    "best_oa_location": {"pdf_url": "https://www.nature.com/articles/s41467-022-30001-4.pdf", "license": "cc-by"},
    "open_access": {"oa_status": "gold", "is_oa": True},
    "ids": {"pmid": "https://pubmed.ncbi.nlm.nih.gov/123", "pmcid": "https://www.ncbi.nlm.nih.gov/pmc/articles/8765"},
    "authorships": [{"author": {"display_name": "Amara Björk"}}, {"author": None}, {}],
    "topics": [{"display_name": "Machine learning"}],
    "abstract_inverted_index": {"learn": [1], "We": [0]},
    "cited_by_count": 3,
    "updated_date": "2024-01-01T00:00:00",
}


def test_the_fields_that_we_use_are_read() -> None:
    work = read_work(RECORD)
    assert work == Work(
        id="10.5555_s41467-022-30001-4",
        openalex_id="W4300000001",
        doi="10.5555/s41467-022-30001-4",
        title="Learning E. coli growth & more",
        abstract="We learn",
        authors=("Amara Björk",),
        venue="Nature Communications",
        issn_l="2041-1723",
        published=dt.date(2022, 6, 1),
        article_type="article",
        language="en",
        licence="cc-by",
        oa_status="gold",
        is_oa=True,
        landing_page_url="https://doi.org/10.5555/s41467-022-30001-4",
        pdf_url="https://www.nature.com/articles/s41467-022-30001-4.pdf",
        pmid="123",
        pmcid="PMC8765",
        topics=("Machine learning",),
        cited_by_count=3,
        updated="2024-01-01T00:00:00",
    )


def test_a_work_without_a_doi_goes_by_its_openalex_id() -> None:
    assert read_work({**RECORD, "doi": None}).id == "W4300000001"


@pytest.mark.parametrize("record", [{}, {"id": None}, {"id": "https://openalex.org/A1"}, {"id": 7}, {"id": ""}])
def test_a_record_without_an_id_is_refused(record: dict[str, Any]) -> None:
    with pytest.raises(PaperError, match="without an OpenAlex id"):
        read_work(record)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12) | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@given(st.fixed_dictionaries({}, optional={name: anything for name in RECORD if name != "id"}))
def test_fields_of_another_shape_are_left_empty_and_never_end_the_batch(strange: dict[str, Any]) -> None:
    try:
        work = read_work({"id": "W1", **strange})
    except NatureGymError:
        return
    assert work.openalex_id == "W1"
    assert Work.model_validate_json(work.model_dump_json()) == work


@given(st.lists(st.text(alphabet="abc", min_size=1, max_size=3), max_size=20))
def test_an_abstract_is_put_together_again_from_its_inverted_index(words: list[str]) -> None:
    index: dict[str, list[int]] = {}
    for position, word in enumerate(words):
        index.setdefault(word, []).append(position)
    assert abstract(index) == " ".join(words)


@pytest.mark.parametrize("index", [None, [], "text", {"a": None}, {"a": ["x"]}, {"a": 3}])
def test_an_abstract_of_another_shape_is_empty(index: object) -> None:
    assert abstract(index) == ""
