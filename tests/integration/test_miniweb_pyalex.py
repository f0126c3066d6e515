"""pyalex, the OpenAlex client of the project, against the mini-web."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyalex
import pyalex.api
import pytest
import requests
from requests.adapters import HTTPAdapter

from nature_gym.demo.miniweb import Behaviour, MiniWeb
from tests.unit.demo.miniweb.small_world import PlainPress, paper, small_world


class ToMirror(HTTPAdapter):
    """Sends every request to the mini-web instead of to its host."""

    def __init__(self, web: MiniWeb) -> None:
        super().__init__()
        self._web = web

    def send(self, request: requests.PreparedRequest, *arguments: Any, **named: Any) -> requests.Response:
        request.url = self._web.address(request.url or "")
        return super().send(request, *arguments, **named)


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MiniWeb]:
    behaviour = Behaviour(api_keys=frozenset({"good"}))
    with MiniWeb(small_world(papers=40), behaviour=behaviour, git_cache=tmp_path, press=PlainPress()) as web:
        sessions = []

        def session() -> requests.Session:
            made = requests.Session()
            made.mount("https://", ToMirror(web))
            sessions.append(made)
            return made

        monkeypatch.setattr(pyalex.api, "_get_requests_session", session)
        monkeypatch.setitem(pyalex.config, "api_key", "good")
        yield web
        for made in sessions:
            made.close()


def test_it_pages_through_a_filter_by_cursor(web: MiniWeb) -> None:
    query = pyalex.Works().filter(
        primary_location={"source": {"issn": "2041-1723|1548-7091"}},
        from_publication_date="2020-01-01",
        type="article",
        is_retracted=False,
    )
    assert query.count() == 9
    query = pyalex.Works().filter(type="article").select(["id", "doi", "title"])
    found = [work for page in query.paginate(per_page=7, n_max=None) for work in page]
    assert len({work["id"] for work in found}) == len(found) == 42
    assert set(found[0]) == {"id", "doi", "title"}


def test_it_gets_one_work_by_doi_and_its_abstract(web: MiniWeb) -> None:
    work = pyalex.Works()[f"https://doi.org/{paper(5).doi}"]
    assert work["title"] == paper(5).title
    assert work["abstract"] == paper(5).abstract


def test_it_follows_a_merged_work_and_gets_many_by_id(web: MiniWeb) -> None:
    assert pyalex.Works()["W4000000007"]["id"].endswith("W4000000007")
    many = pyalex.Works()[["W4000000007", "W4000000008"]]
    assert {work["id"][-1] for work in many} == {"7", "8"}


def test_it_searches_titles_and_abstracts(web: MiniWeb) -> None:
    found = pyalex.Works().search_filter(title_and_abstract="problem 17").get()
    assert [work["id"] for work in found] == ["https://openalex.org/W4000000017"]


def test_it_tells_of_a_wrong_query_and_of_a_missing_key(web: MiniWeb, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(pyalex.api.QueryError, match="colour is not a valid field"):
        pyalex.Works().filter(colour="red").get()
    monkeypatch.setitem(pyalex.config, "api_key", None)
    with pytest.raises(pyalex.api.QueryError, match="API key"):
        pyalex.Works().get()
