import gzip
import threading
import time
from collections.abc import Iterator

import pytest

from nature_gym.config import Settings
from nature_gym.demo.miniweb.hosts.pages import CAPTCHA
from nature_gym.store import Store
from nature_gym.web.faults import (
    CaptchaError,
    HostError,
    NoAccessError,
    NotThereError,
    RedirectLoopError,
    RobotsError,
    TooLargeError,
    WrongAnswerError,
    WrongTypeError,
)
from nature_gym.web.fetcher import Fetcher
from nature_gym.web.hosts import ComeBackLaterError
from nature_gym.web.kinds import HTML, JSON, PDF, XML
from tests.faults import killed_after
from tests.unit.web.conftest import Answer, Asked, Host

PAGE = b"<!DOCTYPE html><html><title>A paper</title><p>Text</p></html>"
A_PAGE = Answer(headers={"Content-Type": "text/html; charset=utf-8", "ETag": '"1"'}, body=PAGE)
URL = "https://www.nature.com/articles/s1"
PATH = "/www.nature.com/articles/s1"


@pytest.fixture
def fetcher(settings: Settings, slept: list[float]) -> Iterator[Fetcher]:
    with Fetcher(settings) as fetcher:
        yield fetcher


def test_a_page_is_fetched_once_and_said_to_be_what_it_is(host: Host, settings: Settings, fetcher: Fetcher) -> None:
    host.pages[PATH] = A_PAGE
    fetched = fetcher.get(URL, HTML)
    assert (fetched.url, fetched.final_url, fetched.status) == (URL, URL, 200)
    assert (fetched.media_type, fetched.size, fetched.headers["etag"]) == ("text/html", len(PAGE), '"1"')
    assert not fetched.from_cache
    assert fetcher.read(fetched) == PAGE
    with Fetcher(settings) as another:
        again = another.get(URL + "#fragment", HTML)
        assert (again.digest, again.from_cache) == (fetched.digest, True)
    assert host.paths == [PATH]


def test_what_is_asked_for_anew_is_compared_by_its_validators(host: Host, fetcher: Fetcher) -> None:
    def page(asked: Asked) -> Answer:
        return Answer(304) if asked.headers.get("if-none-match") == '"1"' else A_PAGE

    host.pages[PATH] = page
    first = fetcher.get(URL, HTML)
    second = fetcher.get(URL, HTML, max_age=0)
    assert second.digest == first.digest
    assert second.when > first.when
    assert len(host.paths) == 2
    host.pages[PATH] = Answer(headers={"Content-Type": "text/html"}, body=PAGE + b"new")
    assert fetcher.get(URL, HTML, max_age=0).digest != first.digest
    assert fetcher.get(URL, HTML).size == len(PAGE) + 3


def test_a_body_that_the_store_has_lost_is_fetched_again(host: Host, settings: Settings, fetcher: Fetcher) -> None:
    host.pages[PATH] = A_PAGE
    fetched = fetcher.get(URL, HTML)
    Store(settings.store).path(fetched.digest).unlink()
    assert not fetcher.get(URL, HTML).from_cache


def test_redirects_are_followed_over_hosts_and_both_ends_are_kept(host: Host, fetcher: Fetcher) -> None:
    host.pages["/doi.org/10.5555/s1"] = Answer(302, {"Location": URL})
    host.pages[PATH] = A_PAGE
    fetched = fetcher.get("https://doi.org/10.5555/s1", HTML)
    assert (fetched.url, fetched.final_url) == ("https://doi.org/10.5555/s1", URL)
    assert fetcher.get("https://doi.org/10.5555/s1", HTML).from_cache
    assert fetcher.get(URL, HTML).from_cache
    assert host.paths == ["/doi.org/10.5555/s1", PATH]


def test_a_redirect_that_sets_a_cookie_and_comes_back_is_no_loop(host: Host, fetcher: Fetcher) -> None:
    def page(asked: Asked) -> Answer:
        if "seen=1" in asked.headers.get("cookie", ""):
            return A_PAGE
        return Answer(303, {"Location": URL, "Set-Cookie": "seen=1; Path=/"})

    host.pages[PATH] = page
    assert fetcher.get(URL, HTML).status == 200


@pytest.mark.parametrize("location", [URL, "ftp://a.org/x", "javascript:alert(1)"])
def test_a_redirect_to_nowhere_is_named(host: Host, fetcher: Fetcher, location: str) -> None:
    host.pages[PATH] = Answer(302, {"Location": location})
    with pytest.raises(RedirectLoopError, match="circles"):
        fetcher.get(URL, HTML)
    assert len(host.paths) <= 2


def test_an_endless_chain_of_redirects_is_named(host: Host, fetcher: Fetcher) -> None:
    for number in range(40):
        host.pages[f"/a.org/{number}"] = Answer(302, {"Location": f"/{number + 1}"})
    with pytest.raises(RedirectLoopError):
        fetcher.get("https://a.org/0", HTML)
    assert len(host.paths) < 20


@pytest.mark.parametrize("status", [404, 410])
def test_what_is_not_there_is_remembered_for_a_day(host: Host, fetcher: Fetcher, status: int) -> None:
    host.pages[PATH] = Answer(status)
    for _ in range(2):
        with pytest.raises(NotThereError, match=str(status)):
            fetcher.get(URL, HTML)
    assert host.paths == [PATH]
    host.pages[PATH] = A_PAGE
    assert fetcher.get(URL, HTML, max_age=0).status == 200


@pytest.mark.parametrize("status", [401, 402, 403, 451])
def test_what_is_closed_is_the_address_s_fault_and_not_asked_twice(host: Host, fetcher: Fetcher, status: int) -> None:
    host.answers = [Answer(status)]
    with pytest.raises(NoAccessError, match=str(status)):
        fetcher.get(URL, HTML)
    assert host.paths == [PATH]


@pytest.mark.parametrize(
    "trouble",
    [
        Answer(500), Answer(502), Answer(503), Answer(429), Answer(0),
        Answer(headers={"Content-Type": "text/html"}, body=PAGE, declared=len(PAGE) + 1),
        Answer(headers={"Content-Type": "text/html", "Content-Encoding": "gzip"}, body=b"no gzip at all"),
    ],
)  # fmt: skip
def test_passing_troubles_and_broken_bodies_are_tried_again_then_named(
    host: Host, fetcher: Fetcher, trouble: Answer
) -> None:
    host.answers = [trouble, trouble, A_PAGE]
    assert fetcher.read(fetcher.get(URL, HTML)) == PAGE
    assert len(host.paths) == 3
    host.answers = [trouble] * 9
    with pytest.raises(HostError, match=r"www\.nature\.com/articles/s2"):
        fetcher.get(URL.replace("s1", "s2"), HTML)
    assert len(host.paths) == 8


def test_a_host_that_does_not_answer_is_given_up(host: Host, settings: Settings, slept: list[float]) -> None:
    host.pages["/www.nature.com/robots.txt"] = Answer(404)
    with Fetcher(settings.model_copy(update={"timeout": 0.05})) as hasty:
        host.hold = 0.3
        with pytest.raises(HostError, match="timed out"):
            hasty.get(URL, HTML)


def test_a_host_that_drips_is_given_up_when_patience_ends(host: Host, settings: Settings, slept: list[float]) -> None:
    host.pages["/www.nature.com/articles/s1"] = Answer(body=PAGE * 400, drip=0.05)
    hasty = settings.model_copy(update={"timeout": 0.2})
    began = time.monotonic()
    with Fetcher(hasty) as fetcher, pytest.raises(HostError, match="sends too slowly"):
        fetcher.get(URL, HTML)
    assert time.monotonic() - began < 60


def test_a_captcha_is_named_and_not_asked_again(host: Host, fetcher: Fetcher) -> None:
    for number, status in enumerate((200, 403, 503)):
        host.answers = [Answer(status, {"Content-Type": "text/html"}, CAPTCHA)]
        with pytest.raises(CaptchaError):
            fetcher.get(f"https://a.org/{number}", HTML)
    assert len(host.paths) == 3


def test_a_sign_in_page_is_no_access(host: Host, fetcher: Fetcher) -> None:
    form = b"<html><title>Sign in</title><form><input type=password></form>"
    host.pages[PATH] = Answer(302, {"Location": "https://idp.nature.com/authorize?a=b"})
    host.pages["/idp.nature.com/authorize?a=b"] = Answer(headers={"Content-Type": "text/html"}, body=form)
    for kind in (HTML, PDF):
        with pytest.raises(NoAccessError, match="sign in"):
            fetcher.get(URL, kind)


@pytest.mark.parametrize(
    "page",
    [
        Answer(headers={"Content-Type": "text/html"}, body=PAGE, declared=300_000_000),
        Answer(headers={"Content-Type": "text/html"}, body=PAGE + b" " * 3_000_000),
        Answer(
            headers={"Content-Type": "text/html", "Content-Encoding": "gzip"},
            body=gzip.compress(PAGE + b" " * 30_000_000),
        ),
    ],
)
def test_a_page_stops_at_the_limit_stated_or_not_packed_or_not(
    host: Host, settings: Settings, fetcher: Fetcher, page: Answer
) -> None:
    host.pages[PATH] = page
    with pytest.raises(TooLargeError, match="bytes"):
        fetcher.get(URL, HTML, most_bytes=1_000_000)
    assert host.paths == [PATH]
    assert list((settings.store / "incoming").glob("*")) == []
    assert list(Store(settings.store).digests()) == []


@pytest.mark.parametrize("body", [b'{"hits": [', b"<html>Please reload.</html>", b""])
def test_wrong_json_is_tried_again_and_then_the_host_s_fault(host: Host, fetcher: Fetcher, body: bytes) -> None:
    host.answers = [Answer(body=body), Answer(body=b'{"hits": 3}')]
    assert fetcher.json("https://a.org/api") == {"hits": 3}
    host.answers = [Answer(body=body)] * 9
    with pytest.raises(WrongAnswerError, match="JSON"):
        fetcher.json("https://a.org/api2")
    assert fetcher.json("https://a.org/api") == {"hits": 3}


def test_a_pdf_is_known_by_its_bytes_and_a_page_in_its_place_is_refused(host: Host, fetcher: Fetcher) -> None:
    host.answers = [Answer(headers={"Content-Type": "application/octet-stream"}, body=b"\n%PDF-1.7 ...")]
    assert fetcher.get("https://a.org/1.pdf", PDF).size == 13
    landing = Answer(headers={"Content-Type": "text/html"}, body=PAGE + b"<p>text</p>" * 500)
    host.answers = [landing]
    with pytest.raises(WrongTypeError, match="not a PDF"):
        fetcher.get("https://a.org/2.pdf", PDF)
    host.answers = [Answer(headers={"Content-Type": "text/xml"}, body=PAGE), Answer(body=b"<?xml version='1.0'?><a/>")]
    assert fetcher.get("https://a.org/3.xml", XML).size == 25
    assert len(host.paths) == 4


def test_a_check_of_one_s_own_makes_other_content_a_fault(host: Host, fetcher: Fetcher) -> None:
    article = HTML.narrowed("an article", lambda body: b"A paper" in body)
    host.answers = [Answer(headers={"Content-Type": "text/html"}, body=b"<html>Gateway"), A_PAGE]
    assert fetcher.read(fetcher.get(URL, article)) == PAGE
    assert len(host.paths) == 2


def test_robots_are_asked_once_and_obeyed(host: Host, fetcher: Fetcher, slept: list[float]) -> None:
    rules = b"User-agent: *\nCrawl-delay: 3\nDisallow: /private/\n"
    host.pages["/a.org/robots.txt"] = Answer(headers={"Content-Type": "text/plain"}, body=rules)
    with pytest.raises(RobotsError, match=r"a\.org/private/x"):
        fetcher.get("https://a.org/private/x", JSON)
    host.pages["/a.org/1"] = host.pages["/a.org/2"] = Answer(body=b"1")
    fetcher.json("https://a.org/1")
    fetcher.json("https://a.org/2")
    assert [asked.path for asked in host.asked] == ["/a.org/robots.txt", "/a.org/1", "/a.org/2"]
    assert max(slept) == pytest.approx(3, abs=0.5)


def test_interfaces_for_programs_are_not_asked_for_robots(host: Host, fetcher: Fetcher) -> None:
    host.answers = [Answer(body=b"1")] * 2
    fetcher.json("https://zenodo.org/api/records/1")
    fetcher.json("https://doi.org/10.5555/1")
    assert len(host.asked) == 2


def test_a_long_rest_stops_and_the_next_run_does_not_ask_either(
    host: Host, settings: Settings, fetcher: Fetcher
) -> None:
    host.answers = [Answer(429, {"Retry-After": "36000"})]
    with pytest.raises(ComeBackLaterError, match=r"www\.nature\.com"):
        fetcher.get(URL, HTML)
    with Fetcher(settings) as another, pytest.raises(ComeBackLaterError):
        another.get(URL, HTML)
    assert host.paths == [PATH]


def test_threads_ask_a_host_one_at_a_time_and_the_same_page_once(host: Host, settings: Settings) -> None:
    host.pages["/a.org/same"] = A_PAGE
    for number in range(6):
        host.pages[f"/a.org/{number}"] = A_PAGE
    host.hold = 0.02
    with Fetcher(settings) as fetcher:
        addresses = ["same"] * 6 + [str(number) for number in range(6)]
        threads = [
            threading.Thread(target=fetcher.get, args=(f"https://a.org/{address}", HTML)) for address in addresses
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(host.paths) == sorted(["/a.org/same", *(f"/a.org/{number}" for number in range(6))])
    assert max(asked.at_once for asked in host.asked) == 1


def test_killed_at_any_moment_a_complete_page_is_not_fetched_twice(host: Host, settings: Settings) -> None:
    pages = [f"https://a.org/{number}" for number in range(3)]
    for number in range(3):
        host.pages[f"/a.org/{number}"] = A_PAGE

    def fetch() -> None:
        with Fetcher(settings) as fetcher:
            for page in pages:
                fetcher.get(page, HTML)

    kills = 0
    while killed_after(900 + 200 * kills, fetch):
        kills += 1
        whole = [page for page in pages if Fetcher(settings)._cache.get(page) is not None]
        before = len(host.paths)
        for page in whole:
            assert Fetcher(settings).read(Fetcher(settings).get(page, HTML)) == PAGE
        assert len(host.paths) == before
    assert kills > 3
    assert len(host.paths) <= 3 + kills
