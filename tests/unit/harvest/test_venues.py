import datetime as dt
from pathlib import Path

import pytest

from nature_gym.errors import UsageError
from nature_gym.harvest.query import Query, queries
from nature_gym.harvest.venues import load_venues, shipped

TEN_JOURNALS = {
    "Nature Machine Intelligence": "2522-5839", "Nature Communications": "2041-1723", "Nature Methods": "1548-7091",
    "Nature Materials": "1476-1122", "Nature Biomedical Engineering": "2157-846X", "Nature Energy": "2058-7546",
    "Nature Biotechnology": "1087-0156", "Nature Computational Science": "2662-8457", "Nature Genetics": "1061-4036",
    "Nature Neuroscience": "1097-6256",
}  # fmt: skip


def test_the_ten_journals_are_shipped_with_their_issn() -> None:
    venues = load_venues("nature-family")
    assert {journal.name: journal.issn for journal in venues.journals} == TEN_JOURNALS
    assert (venues.first, venues.last) == (dt.date(2022, 1, 1), dt.date(2025, 12, 31))


def test_the_largest_journal_is_narrowed_down() -> None:
    searches = {journal.name: journal.search for journal in load_venues("nature-family").journals}
    assert [name for name, search in searches.items() if search] == ["Nature Communications"]


@pytest.mark.parametrize("name", shipped())
def test_every_shipped_list_can_be_read(name: str) -> None:
    assert load_venues(name).name == name


def test_another_corpus_is_a_new_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("name: mine\nfrom: 2020-01-01\nto: 2020-12-31\njournals: [{name: J, issn: 1234-567X}]\n")
    assert queries(load_venues(str(path)), dt.date(2020, 1, 1), dt.date(2020, 12, 31)) == [
        Query(("1234-567X",), dt.date(2020, 1, 1), dt.date(2020, 12, 31))
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name: [", "mine.yaml"),
        ("name: mine", "journals"),
        ("name: m\nfrom: 2020-01-01\nto: 2020-12-31\njournals: [{name: J, issn: '12'}]", "issn"),
        ("name: m\nfrom: x\nto: 2020-12-31\njournals: [{name: J, issn: 1234-567X}]", "from"),
    ],
)
def test_a_wrong_list_is_named_with_its_fault(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    with pytest.raises(UsageError, match=says):
        load_venues(str(path))


def test_an_unknown_list_names_those_that_are_shipped() -> None:
    with pytest.raises(UsageError) as caught:
        load_venues("nature")
    assert "nature-family" in caught.value.hint


def test_journals_with_the_same_search_are_asked_for_together() -> None:
    venues = load_venues("nature-family")
    asked = queries(venues, venues.first, venues.last)
    assert sorted(len(query.issns) for query in asked) == [1, 9]
    assert {issn for query in asked for issn in query.issns} == set(TEN_JOURNALS.values())
