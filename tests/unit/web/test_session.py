import gzip
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

from nature_gym.config import Settings
from nature_gym.web.session import ComeBackLaterError, HostError, make_session
from tests.unit.web.conftest import Answer, Host


@pytest.fixture
def session(settings: Settings, slept: list[float]) -> Iterator[requests.Session]:
    with make_session(settings) as session:
        yield session


def test_a_request_goes_to_the_mirror_and_its_answer_keeps_the_real_address(
    host: Host, session: requests.Session
) -> None:
    answer = session.get("https://zenodo.org/api/records/7?a=b")
    assert host.paths == ["/zenodo.org/api/records/7?a=b"]
    assert answer.url == "https://zenodo.org/api/records/7?a=b"
    assert answer.text == "ok"


def test_a_redirect_to_another_real_host_goes_to_the_mirror_too(host: Host, session: requests.Session) -> None:
    host.answers = [
        Answer(302, {"Location": "https://www.nature.com/articles/s1"}),
        Answer(301, {"Location": "/articles/s2"}),
    ]
    answer = session.get("https://doi.org/10.5555/s1")
    assert host.paths == ["/doi.org/10.5555/s1", "/www.nature.com/articles/s1", "/www.nature.com/articles/s2"]
    assert answer.url == "https://www.nature.com/articles/s2"


def test_hosts_are_told_who_asks_and_where_to_complain(host: Host, session: requests.Session) -> None:
    session.get("https://zenodo.org/")
    agent = host.asked[0].headers["user-agent"]
    assert agent.startswith("naturegym/")
    assert "mailto:us@example.org" in agent


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504, 0])
def test_a_passing_trouble_is_asked_again(host: Host, session: requests.Session, status: int) -> None:
    host.answers = [Answer(status), Answer(status)]
    assert session.get("https://zenodo.org/").text == "ok"
    assert len(host.asked) == 3


def test_a_body_that_breaks_off_is_asked_for_again(host: Host, session: requests.Session) -> None:
    host.answers = [Answer(body=b"half", declared=8)]
    assert session.get("https://zenodo.org/").text == "ok"
    assert len(host.asked) == 2


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
def test_a_lasting_answer_is_not_asked_again(host: Host, session: requests.Session, status: int) -> None:
    host.answers = [Answer(status)]
    assert session.get("https://zenodo.org/").status_code == status
    assert len(host.asked) == 1


def test_a_trouble_that_stays_is_given_up_and_named(host: Host, session: requests.Session) -> None:
    host.answers = [Answer(0)] * 9
    with pytest.raises(HostError, match=r"https://zenodo\.org/ could not be fetched") as caught:
        session.get("https://zenodo.org/")
    assert caught.value.hint
    assert len(host.asked) == 5
    host.answers = [Answer(503)] * 9
    assert session.get("https://zenodo.org/").status_code == 503, "an answer is an answer: the caller sees it"


def test_a_short_retry_after_is_waited_for(host: Host, session: requests.Session, slept: list[float]) -> None:
    host.answers = [Answer(429, {"Retry-After": "5"})]
    assert session.get("https://zenodo.org/").text == "ok"
    assert max(slept) == pytest.approx(5, abs=1)


@pytest.mark.parametrize("status", [429, 503])
def test_a_long_retry_after_stops_and_says_when_to_come_back_to_everybody(
    host: Host, settings: Settings, session: requests.Session, status: int
) -> None:
    host.answers = [Answer(status, {"Retry-After": "36000"})]
    with pytest.raises(ComeBackLaterError, match=r"zenodo\.org asks to be left alone until 20") as caught:
        session.get("https://zenodo.org/")
    assert "again after 20" in caught.value.hint
    with make_session(settings) as another, pytest.raises(ComeBackLaterError):
        another.get("https://zenodo.org/other")
    assert len(host.asked) == 1, "nobody asks it again before that"
    assert session.get("https://github.com/").text == "ok", "other hosts are asked as before"


@pytest.mark.parametrize("asked", ["99999999999999999999", "1e300", "inf"])
def test_a_host_that_asks_for_ages_stops_like_one_that_asks_for_hours(
    host: Host, session: requests.Session, asked: str
) -> None:
    host.answers = [Answer(429, {"Retry-After": asked})]
    with pytest.raises(ComeBackLaterError, match=r"zenodo\.org asks to be left alone until 20"):
        session.get("https://zenodo.org/")


def test_an_answer_that_unpacks_to_more_than_any_has_is_given_up(
    host: Host, session: requests.Session, monkeypatch: pytest.MonkeyPatch, slept: list[float]
) -> None:
    monkeypatch.setattr("nature_gym.web.session.MOST_BYTES", 1_000_000)
    bomb = Answer(headers={"Content-Encoding": "gzip"}, body=gzip.compress(bytes(50_000_000)))
    host.answers = [bomb] * 9
    with pytest.raises(HostError, match="answers with more than 1,000,000 bytes"):
        session.get("https://zenodo.org/")


def test_the_body_is_read_whole_whatever_pieces_it_comes_in(host: Host, session: requests.Session) -> None:
    host.answers = [Answer(body=b"slowly", drip=0.01), Answer(body=b"x" * 300_000)]
    assert session.get("https://zenodo.org/a").text == "slowly"
    assert len(session.get("https://zenodo.org/b").content) == 300_000


def test_nobody_at_all_is_an_error_with_the_real_address(settings: Settings, slept: list[float]) -> None:
    silent = settings.model_copy(update={"mirror": "http://127.0.0.1:9"})
    with make_session(silent) as session, pytest.raises(HostError, match=r"https://zenodo\.org/x"):
        session.get("https://zenodo.org/x")


def test_several_things_are_asked_at_once_and_a_rest_is_for_all_that_come_after(
    host: Host, session: requests.Session, settings: Settings
) -> None:
    host.hold = 0.3
    with ThreadPoolExecutor(2) as pool:
        assert [one.status_code for one in pool.map(session.get, ["https://zenodo.org/1", "https://zenodo.org/2"])] == [
            200,
            200,
        ]
    assert max(asked.at_once for asked in host.asked) == 2
    host.hold = 0
    host.answers = [Answer(429, {"Retry-After": "36000"})]
    with pytest.raises(ComeBackLaterError):
        session.get("https://zenodo.org/3")
    with pytest.raises(ComeBackLaterError):
        make_session(settings).get("https://zenodo.org/3")
