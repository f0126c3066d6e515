import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import requests

from nature_gym.config import Settings, load_settings
from nature_gym.web.session import ComeBackLaterError, HostError, make_session

Answer = tuple[int, dict[str, str]]


class Host:
    """A host that gives the answers it was told to, one a request, and remembers what it was asked."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.asked: list[tuple[str, str]] = []
        host = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                host.asked.append((self.path, self.headers["User-Agent"]))
                status, headers = host.answers.pop(0) if host.answers else (200, {})
                if status == 0:
                    self.close_connection = True
                    return
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"ok")

            def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def host() -> Iterator[Host]:
    host = Host()
    yield host
    host.close()


@pytest.fixture
def settings(host: Host) -> Settings:
    return load_settings(mirror=host.url, requests_per_second=10_000, contact="us@example.org", max_wait=10, timeout=2)


@pytest.fixture
def session(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[requests.Session]:
    monkeypatch.setattr("time.sleep", lambda _: None)
    with make_session(settings) as session:
        yield session


def test_a_request_goes_to_the_mirror_and_its_answer_keeps_the_real_address(
    host: Host, session: requests.Session
) -> None:
    answer = session.get("https://zenodo.org/api/records/7?a=b")
    assert host.asked[0][0] == "/zenodo.org/api/records/7?a=b"
    assert answer.url == "https://zenodo.org/api/records/7?a=b"
    assert answer.text == "ok"


def test_a_redirect_to_another_real_host_goes_to_the_mirror_too(host: Host, session: requests.Session) -> None:
    host.answers = [(302, {"Location": "https://www.nature.com/articles/s1"}), (301, {"Location": "/articles/s2"})]
    answer = session.get("https://doi.org/10.5555/s1")
    assert [path for path, _ in host.asked] == [
        "/doi.org/10.5555/s1",
        "/www.nature.com/articles/s1",
        "/www.nature.com/articles/s2",
    ]
    assert answer.url == "https://www.nature.com/articles/s2"


def test_hosts_are_told_who_asks_and_where_to_complain(host: Host, session: requests.Session) -> None:
    session.get("https://zenodo.org/")
    assert host.asked[0][1].startswith("naturegym/")
    assert "mailto:us@example.org" in host.asked[0][1]


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504, 0])
def test_a_passing_trouble_is_asked_again(host: Host, session: requests.Session, status: int) -> None:
    host.answers = [(status, {}), (status, {})]
    assert session.get("https://zenodo.org/").text == "ok"
    assert len(host.asked) == 3


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
def test_a_lasting_answer_is_not_asked_again(host: Host, session: requests.Session, status: int) -> None:
    host.answers = [(status, {})]
    assert session.get("https://zenodo.org/").status_code == status
    assert len(host.asked) == 1


def test_a_trouble_that_stays_is_given_up_and_named(host: Host, session: requests.Session) -> None:
    host.answers = [(0, {})] * 9
    with pytest.raises(HostError, match=r"https://zenodo\.org/ could not be fetched") as caught:
        session.get("https://zenodo.org/")
    assert caught.value.hint
    assert len(host.asked) == 5
    host.answers = [(503, {})] * 9
    assert session.get("https://zenodo.org/").status_code == 503, "an answer is an answer: the caller sees it"


def test_a_short_retry_after_is_waited_for(host: Host, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("time.sleep", slept.append)
    host.answers = [(429, {"Retry-After": "5"})]
    with make_session(settings) as session:
        assert session.get("https://zenodo.org/").text == "ok"
    assert 5 in slept


def test_a_long_retry_after_stops_and_says_when_to_come_back(host: Host, session: requests.Session) -> None:
    host.answers = [(429, {"Retry-After": "36000"})]
    with pytest.raises(ComeBackLaterError, match="36,000 s") as caught:
        session.get("https://zenodo.org/")
    assert "again after 20" in caught.value.hint
    assert len(host.asked) == 1


def test_nobody_at_all_is_an_error_with_the_real_address(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    silent = settings.model_copy(update={"mirror": "http://127.0.0.1:9"})
    with make_session(silent) as session, pytest.raises(HostError, match=r"https://zenodo\.org/x"):
        session.get("https://zenodo.org/x")
