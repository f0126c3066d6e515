from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from nature_gym.demo.miniweb import Behaviour
from tests.unit.demo.miniweb.conftest import Clock, Visitor
from tests.unit.demo.miniweb.small_world import PlainPress, paper, small_world

WORKS = "https://api.openalex.org/works"


def found(visit: Visitor, filter_text: str, more: str = "") -> list[str]:
    answer = visit(f"{WORKS}?per-page=200&select=id&filter={quote(filter_text)}{more}")
    assert answer.status_code == 200, answer.text
    return [work["id"].removeprefix("https://openalex.org/") for work in answer.json()["results"]]


def ids(*numbers: int) -> set[str]:
    return {paper(number).openalex_id for number in numbers}


def test_a_page_has_the_shape_of_the_real_api(visit: Visitor) -> None:
    answer = visit(f"{WORKS}?per_page=3").json()
    assert list(answer) == ["meta", "results", "group_by"]
    assert answer["meta"] | {"db_response_time_ms": 0} == {
        "count": 15,
        "db_response_time_ms": 0,
        "page": 1,
        "per_page": 3,
        "groups_count": None,
    }
    assert len(answer["results"]) == 3
    assert answer["group_by"] == []


def test_the_newest_work_comes_first(visit: Visitor) -> None:
    dates = [work["publication_date"] for work in visit(f"{WORKS}?per-page=200").json()["results"]]
    assert dates == sorted(dates, reverse=True)


@pytest.mark.parametrize(
    ("filter_text", "numbers"),
    [
        ("primary_location.source.issn:2041-1723", {1, 11}),
        ("primary_location.source.issn:2041-1723|1548-7091", {1, 2, 11, 12}),
        ("primary_location.source.issn:!2041-1723", set(range(15)) - {1, 11}),
        ("from_publication_date:2024-01-01", {4, 9, 14}),
        ("from_publication_date:2023-04-04,to_publication_date:2023-04-04", {3}),
        ("type:review", {14}),
        ("type:article,is_retracted:false,publication_year:2024", {4, 9}),
        ("is_retracted:true", {14}),
        ("doi:https://doi.org/" + paper(5).doi.upper(), {5}),
        (f"doi:{paper(5).doi}|{paper(6).doi}", {5, 6}),
        ("openalex:W4000000007", {7}),
        ("ids.openalex:https://openalex.org/W4000000007|w4000000008", {7, 8}),
        ("default.search:problem 7", {7}),
        ('title_and_abstract.search:"problem 1"', {1, 10, 11, 12, 13, 14}),
        ("title_and_abstract.search:graph networks, title.search:number 3", {3}),
        ("abstract.search:networks", set()),
        ("topics.id:T12024", {4, 9, 14}),
        ("open_access.is_oa:false", {12}),
        ("cited_by_count:>12", {12, 13, 14}),
        ("cited_by_count:2-4", {1, 2, 3}),
    ],
)
def test_filters_find_what_they_name(visit: Visitor, filter_text: str, numbers: set[int]) -> None:
    assert set(found(visit, filter_text.replace(", ", ","))) == ids(*numbers)


def test_search_looks_at_titles_and_abstracts(visit: Visitor) -> None:
    assert set(found(visit, "type:article", "&search=network%20problem%203")) == ids(3)
    assert set(found(visit, "type:article", "&search=%22problem%203%22%20OR%20%22problem%204%22")) == ids(3, 4)


def test_works_updated_since_a_day_are_found(visit: Visitor) -> None:
    press = PlainPress()
    recent = {one.openalex_id for one in small_world().papers if press.work(one)["updated_date"] >= "2025-11-02"}
    assert 0 < len(recent) < 15
    assert set(found(visit, "from_updated_date:2025-11-02")) == recent


@pytest.mark.parametrize("size", [1, 4, 7, 200])
def test_a_cursor_leads_through_every_work_once_and_ends_with_an_empty_page(visit: Visitor, size: int) -> None:
    seen: list[str] = []
    cursor: str | None = "*"
    pages = 0
    while cursor is not None:
        answer = visit(f"{WORKS}?per-page={size}&select=id&cursor={quote(cursor)}").json()
        assert answer["meta"]["count"] == 15
        assert answer["meta"]["page"] is None
        seen += [work["id"] for work in answer["results"]]
        cursor = answer["meta"]["next_cursor"]
        pages += 1
    assert answer["results"] == []
    assert len(seen) == len(set(seen)) == 15
    assert pages == -(-15 // size) + 1


def test_a_cursor_that_was_kept_goes_on_at_the_same_place_in_another_page_size(visit: Visitor) -> None:
    everything = found(visit, "type:article")
    first = visit(f"{WORKS}?per-page=4&select=id&cursor=*&filter=type:article").json()
    kept = quote(first["meta"]["next_cursor"])
    for size in (2, 5):
        again = visit(f"{WORKS}?per-page={size}&select=id&cursor={kept}&filter=type:article").json()
        assert [work["id"][21:] for work in again["results"]] == everything[4 : 4 + size]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("filter=colour:red", "colour is not a valid field"),
        ("filter=type", "Filters must be in format key:value"),
        ("filter=from_publication_date:yesterday", "must be in format YYYY-MM-DD"),
        ("filter=is_retracted:maybe", "must be true or false"),
        ("filter=doi:" + "|".join(map(str, range(101))), "Maximum number of values exceeded"),
        ("per-page=201", "per-page parameter must be between 1 and 200"),
        ("select=id,primary_location.source", "only top-level fields"),
        ("select=colour", "colour is not a valid select field"),
        ("sort=colour:desc", "Cannot sort by colour"),
        ("colour=red", "colour is not a valid parameter"),
    ],
)
def test_a_query_that_makes_no_sense_is_refused_in_openalex_s_form(visit: Visitor, query: str, message: str) -> None:
    answer = visit(f"{WORKS}?{query}")
    assert answer.status_code == 400
    assert answer.json()["error"] == "Invalid query parameters error."
    assert message in answer.json()["message"]


def test_pages_by_number_end_at_ten_thousand_works(visit: Visitor) -> None:
    assert visit(f"{WORKS}?per-page=200&page=50").status_code == 200
    refused = visit(f"{WORKS}?per-page=200&page=51")
    assert refused.status_code == 400
    assert refused.json()["error"] == "Pagination error."
    assert "10,000" in refused.json()["message"]


def test_an_unreadable_cursor_is_refused(visit: Visitor) -> None:
    for cursor in ("nonsense", "W10=", "e30="):
        answer = visit(f"{WORKS}?cursor={quote(cursor)}")
        assert (answer.status_code, answer.json()["error"]) == (400, "Pagination error.")


@pytest.mark.parametrize("visit", [Behaviour(page_cap=100)], indirect=True)
def test_a_plan_with_smaller_pages_says_so_in_the_answer_only(visit: Visitor) -> None:
    assert visit(f"{WORKS}?per-page=200&cursor=*").json()["meta"]["per_page"] == 100


@pytest.mark.parametrize(
    "key", ["W4000000005", "https://openalex.org/W4000000005", f"doi:{paper(5).doi}", f"https://doi.org/{paper(5).doi}"]
)
def test_one_work_is_found_by_id_and_by_doi(visit: Visitor, key: str) -> None:
    assert visit(f"{WORKS}/{key}?select=id").json() == {"id": "https://openalex.org/W4000000005"}
    assert visit(f"{WORKS}/{quote(key, safe='')}").json()["title"] == paper(5).title


def test_a_merged_work_leads_to_the_present_one(visit: Visitor) -> None:
    answer = visit(f"{WORKS}/W8000000003")
    assert answer.status_code == 301
    assert answer.headers["location"] == "https://api.openalex.org/works/W4000000003"


def test_a_work_that_is_not_there_is_a_404(visit: Visitor) -> None:
    assert visit(f"{WORKS}/W1").status_code == 404
    assert visit(f"{WORKS}/https://doi.org/10.1000/none").status_code == 404


@pytest.mark.parametrize("visit", [Behaviour(api_keys=frozenset({"good"}))], indirect=True)
def test_where_a_key_is_asked_for_none_is_401_and_a_wrong_one_403(visit: Visitor) -> None:
    assert (visit(WORKS).status_code, visit(WORKS).json()["error"]) == (401, "API key required")
    assert visit(f"{WORKS}?api_key=bad").status_code == 403
    assert visit(f"{WORKS}?api_key=good").status_code == 200
    assert visit(WORKS, Authorization="Bearer good").status_code == 200


@pytest.mark.parametrize("visit", [Behaviour(updated_filter=False)], indirect=True)
def test_a_plan_without_update_filters_refuses_them(visit: Visitor) -> None:
    answer = visit(f"{WORKS}?filter=from_updated_date:2025-01-01")
    assert (answer.status_code, answer.json()["error"]) == (403, "Plan upgrade required")


@pytest.mark.parametrize("visit", [Behaviour(budgets={"api.openalex.org": 2}, budget_window=30)], indirect=True)
def test_the_budget_is_told_used_up_and_renewed(visit: Visitor, clock: Clock) -> None:
    told: list[dict[str, Any]] = [dict(visit(f"{WORKS}?page={page}").headers) for page in (1, 2)]
    assert [headers["x-ratelimit-remaining"] for headers in told] == ["1", "0"]
    assert told[0]["x-ratelimit-limit"] == "2"
    clock.now += 10
    refused = visit(WORKS)
    assert refused.status_code == 429
    assert refused.headers["retry-after"] == refused.headers["x-ratelimit-reset"] == "20"
    assert set(refused.json()) == {"error", "message"}
    clock.now += 20
    assert visit(WORKS).status_code == 200


@pytest.mark.parametrize(
    "filter_text",
    [
        "from_publication_date:2025-99-01",
        "to_publication_date:2025-02-30",
        "publication_date:0000-01-01",
        "from_updated_date:2025-01-01T99:00:00Z",
        "type:none-of-this,from_publication_date:2025-13-01",
        "type:none-of-this,cited_by_count:many",
        "cited_by_count:²",
        "publication_year:" + "9" * 5000,
        "type:none-of-this,is_retracted:perhaps",
    ],
)
def test_values_that_cannot_be_are_refused_whatever_works_there_are(visit: Visitor, filter_text: str) -> None:
    answer = visit(f"{WORKS}?filter={quote(filter_text)}")
    assert answer.status_code == 400
    assert set(answer.json()) == {"error", "message"}


@pytest.mark.parametrize("query", ["cursor=*&page=3", "page=1&cursor=*", "page=²", "per-page=²", "page=" + "9" * 5000])
def test_pages_that_cannot_be_are_refused(visit: Visitor, query: str) -> None:
    answer = visit(f"{WORKS}?{query}")
    assert answer.status_code == 400
    assert set(answer.json()) == {"error", "message"}
