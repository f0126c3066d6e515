"""What the prober makes of hosts that are rude, hostile, or merely odd."""

from __future__ import annotations

import datetime as dt
import gzip
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.config import Settings, load_settings
from nature_gym.screening import probing
from nature_gym.screening.probe_history import MOST, ProbeHistory
from nature_gym.screening.probes import Probe
from nature_gym.screening.probing import MOST_BYTES, WebProber, history_folder
from nature_gym.web import outward
from tests.unit.screening.links_host import LinksHost, Page, json_page, page

SIGN_IN = b'<html><title>Sign in</title><form><input type="password"></form></html>'
CAPTCHA = b'<html><title>Just a moment...</title><div class="cf-turnstile"></div></html>'


@pytest.fixture
def host() -> Iterator[LinksHost]:
    host = LinksHost()
    yield host
    host.close()


@pytest.fixture
def settings(host: LinksHost, tmp_path: Path) -> Settings:
    return load_settings(home=tmp_path / "home", mirror=host.url, probes_per_second=10_000, max_wait=1, timeout=3)


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probing, "pause", lambda _: None)


def look(settings: Settings, url: str) -> Probe:
    (seen,) = WebProber(settings).probe([url])
    return seen


# -- statuses ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (page(), "accessible"),
        (page(404), "not_found"),
        (page(410), "not_found"),
        (page(200, b"<html><title>Page not found</title></html>"), "not_found"),
        (page(401), "requires_auth"),
        (page(403), "requires_auth"),
        (page(200, SIGN_IN), "requires_auth"),
        (page(200, gzip.compress(SIGN_IN), Content_Encoding="gzip"), "requires_auth"),
        (page(200, CAPTCHA), "error"),
        (page(403, CAPTCHA), "error"),
        (page(403, b"<html>x</html>", cf_mitigated="challenge"), "error"),
        (page(403, b"<html>Access Denied https://errors.edgesuite.net/18.2</html>"), "error"),
        (page(500), "error"),
        (page(503), "error"),
        (page(418), "error"),
        (page(429, Retry_After="36000"), "error"),
        (page(302, b"", Location="/x.org/users/login?back=1"), "redirect_to_auth"),
        (page(302, b"", Location="https://accounts.google.com/ServiceLogin"), "redirect_to_auth"),
        (page(302, b"", Location="https://x.org/a"), "error"),
        (page(302, b"", Location="ftp://x.org/a"), "error"),
        (page(302, b"", Location="http://[bad/"), "error"),
    ],
)
def test_status_of_an_answer(host: LinksHost, settings: Settings, answer: Page, status: str) -> None:
    host.pages["/x.org/a"] = answer
    assert look(settings, "https://x.org/a").status == status


def test_a_redirect_that_only_sets_a_cookie_is_followed(host: LinksHost, settings: Settings) -> None:
    there = "https://idp.nature.com/authorize?response_type=cookie&redirect_uri=x"
    host.pages["/www.nature.com/a"] = page(303, b"", Location=there)
    host.pages["/idp.nature.com/authorize?response_type=cookie&redirect_uri=x"] = page(
        302, b"", Location="https://www.nature.com/a?error=cookies"
    )
    host.pages["/www.nature.com/a?error=cookies"] = page()
    seen = look(settings, "https://www.nature.com/a")
    assert (seen.status, seen.final_url) == ("accessible", "https://www.nature.com/a?error=cookies")


def test_trouble_that_passes_is_no_trouble(host: LinksHost, settings: Settings) -> None:
    answers = iter([page(503), page(500), page()])

    def flaky(to: BaseHTTPRequestHandler) -> None:
        next(answers)(to)

    host.pages["/x.org/a"] = flaky
    assert look(settings, "https://x.org/a").status == "accessible"
    assert len(host.asked) == 3


def test_a_head_that_finds_nothing_is_not_believed(host: LinksHost, settings: Settings) -> None:
    def answer(to: BaseHTTPRequestHandler) -> None:
        page(404 if to.command == "HEAD" else 200, b"x" * 10, "application/zip")(to)

    host.pages["/x.org/a.zip"] = answer
    seen = look(settings, "https://x.org/a.zip")
    assert (seen.status, seen.size_bytes) == ("accessible", 10)


# -- sizes ---------------------------------------------------------------------------------------


def test_a_files_size_comes_from_its_head_alone(host: LinksHost, settings: Settings) -> None:
    host.pages["/x.org/a.tar.gz"] = page(200, b"x" * 1000, "application/gzip")
    seen = look(settings, "https://x.org/a.tar.gz")
    assert (seen.size_bytes, seen.size_source) == (1000, "content_length")
    assert host.asked == [("HEAD", "/x.org/a.tar.gz")]


def test_the_whole_of_a_range_is_the_size(host: LinksHost, settings: Settings) -> None:
    host.pages["/x.org/get?id=7"] = page(206, b"abc", "application/zip", Content_Range="bytes 0-2/5000000000")
    assert look(settings, "https://x.org/get?id=7").size_bytes == 5_000_000_000


def test_an_empty_file_has_no_range(host: LinksHost, settings: Settings) -> None:
    host.pages["/x.org/get"] = page(416, b"", "text/csv", Content_Range="bytes */0")
    seen = look(settings, "https://x.org/get")
    assert (seen.status, seen.size_bytes) == ("accessible", 0)


def test_a_pages_length_is_no_size_even_under_a_files_name(host: LinksHost, settings: Settings) -> None:
    host.pages["/x.org/a.zip"] = page()
    seen = look(settings, "https://x.org/a.zip")
    assert (seen.status, seen.size_bytes, seen.size_source) == ("accessible", None, "none")
    assert "a page, not the file" in seen.notes[0]


def test_the_size_on_a_clouds_confirmation_page(host: LinksHost, settings: Settings) -> None:
    body = b"<html><title>Google Drive - Virus scan warning</title>a.zip (2.5G) is too large</html>"
    host.pages["/drive.google.com/uc?export=download&id=abc"] = page(200, body)
    seen = look(settings, "https://drive.google.com/file/d/abc/view?usp=sharing")
    assert (seen.status, seen.size_bytes, seen.size_source) == ("accessible", 2_500_000_000, "text")


# -- what is asked -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("link", "asked"),
    [
        ("10.1234/ABC.d", "/doi.org/10.1234/ABC.d"),
        ("doi:10.1234/abc", "/doi.org/10.1234/abc"),
        ("GSE152162", "/www.ncbi.nlm.nih.gov/geo/query/acc.cgi?acc=GSE152162"),
        ("EMD-28520", "/www.ebi.ac.uk/emdb/EMD-28520"),
        ("ftp://ftp.ebi.ac.uk/pub/data", "/ftp.ebi.ac.uk/pub/data"),
        ("https://x.org/a#part", "/x.org/a"),
        ("https://www.dropbox.com/s/k/a.zip?rlkey=1&dl=0&st=2", "/www.dropbox.com/s/k/a.zip?rlkey=1&st=2&dl=1"),
    ],
)
def test_where_a_link_leads(host: LinksHost, settings: Settings, link: str, asked: str) -> None:
    host.pages[asked] = page()
    seen = look(settings, link)
    assert (seen.url, seen.status) == (link, "accessible")
    assert set(host.paths()) == {asked}


def test_a_cloud_folder_is_no_file(host: LinksHost, settings: Settings) -> None:
    host.pages["/drive.google.com/drive/folders/1kL?usp=sharing"] = page()
    seen = look(settings, "https://drive.google.com/drive/folders/1kL?usp=sharing")
    assert (seen.status, seen.size_bytes) == ("accessible", None)
    assert "a Google Drive folder, not a file" in seen.notes


def test_controlled_data_want_a_name_whatever_the_page_shows(host: LinksHost, settings: Settings) -> None:
    host.pages["/ega-archive.org/studies/EGAS1"] = page()
    assert look(settings, "https://ega-archive.org/studies/EGAS1").status == "requires_auth"


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (b"Could not find a public or private accession", "not_found"),
        (b"is currently private and is scheduled to be released on Jan 1", "requires_auth"),
        (b"a series of 8 samples", "accessible"),
    ],
)
def test_archives_that_answer_everything_with_200(
    host: LinksHost, settings: Settings, words: bytes, status: str
) -> None:
    host.pages["/www.ncbi.nlm.nih.gov/geo/query/acc.cgi?acc=GSE7"] = page(200, b"<html>" + words + b"</html>")
    assert look(settings, "https://www.ncbi.nlm.nih.gov/geo/query/acc.cgi?acc=GSE7").status == status


# -- interfaces ----------------------------------------------------------------------------------


ZENODO, RECORD = "/zenodo.org/api/records/7", "https://zenodo.org/records/7"


def zenodo(**changes: Any) -> bytes:
    files = [{"key": "a.csv", "size": 10}, {"key": "b.csv", "size": 5}]
    return orjson.dumps({"id": 7, "metadata": {"access_right": "open"}, "files": files, **changes})


@pytest.mark.parametrize("body", [b'{"status": "ok", "data": []}', b"[]", b'{"id": 7, "fi', b"<html>hello</html>", b""])
def test_nonsense_of_an_interface_is_an_error_and_no_empty_record(
    host: LinksHost, settings: Settings, body: bytes
) -> None:
    host.pages[ZENODO] = json_page(body)
    host.pages["/zenodo.org/records/7"] = page()
    assert look(settings, RECORD).status == "error"
    assert host.paths() == [ZENODO] * 3
    host.pages[ZENODO] = json_page(zenodo())
    assert look(settings, RECORD).size_bytes == 15


@pytest.mark.parametrize(
    ("link", "body", "status", "size"),
    [
        (RECORD, zenodo(), "accessible", 15),
        (f"{RECORD}/files/b.csv?download=1", zenodo(), "accessible", 5),
        (f"{RECORD}/files/c.csv", zenodo(), "not_found", None),
        ("10.5281/zenodo.7", zenodo(), "accessible", 15),
        (RECORD, zenodo(metadata={"access_right": "restricted"}), "requires_auth", None),
        (RECORD, zenodo(files=[]), "not_found", None),
    ],
)
def test_a_record_by_its_interface(
    host: LinksHost, settings: Settings, link: str, body: bytes, status: str, size: int | None
) -> None:
    host.pages[ZENODO] = json_page(body)
    seen = look(settings, link)
    assert (seen.status, seen.size_bytes, seen.holding) == (status, size, "zenodo.org:7")


def test_a_list_that_is_too_long_is_not_summed(host: LinksHost, settings: Settings) -> None:
    files = [{"key": f"{number}.bin", "size": 1} for number in range(5000)]
    host.pages[ZENODO] = json_page(zenodo(files=files))
    seen = look(settings, RECORD)
    assert (seen.status, seen.size_bytes, seen.files) == ("accessible", None, ())
    assert "it lists more files than were read" in seen.notes


def test_where_the_list_is_too_long_the_hub_tells_the_whole(host: LinksHost, settings: Settings) -> None:
    siblings = [{"rfilename": f"{number}.bin", "size": 1} for number in range(5000)]
    base = "/huggingface.co/api/datasets/a/b"
    host.pages[f"{base}?blobs=true"] = json_page(orjson.dumps({"id": "a/b", "gated": False, "siblings": siblings}))
    host.pages[f"{base}?expand[]=usedStorage"] = json_page(b'{"id": "a/b", "usedStorage": 123456}')
    host.pages[f"{base}?expand%5B%5D=usedStorage"] = host.pages[f"{base}?expand[]=usedStorage"]
    assert look(settings, "https://huggingface.co/datasets/a/b").size_bytes == 123456


def test_github_by_its_page_where_its_interface_has_had_enough(host: LinksHost, settings: Settings) -> None:
    host.pages["/api.github.com/repos/a/b"] = json_page(b'{"message": "rate limit"}', 403)
    host.pages["/github.com/a/b"] = page()
    assert look(settings, "https://github.com/a/b").status == "accessible"
    assert look(settings, "https://github.com/a/gone").status == "not_found"


def test_a_file_of_a_repository_is_looked_at_itself(host: LinksHost, settings: Settings) -> None:
    host.pages["/api.github.com/repos/a/b"] = json_page(b'{"full_name": "a/b", "size": 100}')
    host.pages["/raw.githubusercontent.com/a/b/main/d.csv"] = page(200, b"1,2\n", "text/plain")
    assert look(settings, "https://github.com/a/b/blob/main/d.csv").size_bytes == 4
    assert look(settings, "https://github.com/a/b/blob/main/e.csv").status == "not_found"
    assert look(settings, "https://github.com/a/b.git").size_bytes == 100 * 1024


# -- hostile hosts -------------------------------------------------------------------------------


def test_an_endless_body_is_left_after_its_beginning(host: LinksHost, settings: Settings) -> None:
    sent = 0

    def endless(to: BaseHTTPRequestHandler) -> None:
        nonlocal sent
        to.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>")
        to.close_connection = True
        while sent < 1 << 30:
            sent += to.wfile.write(b"." * MOST_BYTES)

    host.pages["/x.org/a"] = endless
    assert look(settings, "https://x.org/a").status == "accessible"
    assert sent < 1 << 25  # what the kernel holds between two processes


@pytest.mark.parametrize("encoding", ["", "gzip"])
def test_never_more_than_the_limit_is_read_or_unpacked(encoding: str) -> None:
    whole = gzip.compress(b"\0" * (1 << 27)) if encoding else b"x" * (1 << 20)
    taken = 0

    class Raw:
        def read1(self, amount: int, decode_content: bool) -> bytes:
            nonlocal taken
            assert not decode_content
            block = whole[taken : taken + amount]
            taken += len(block)
            return block

    body = probing._beginning(SimpleNamespace(raw=Raw(), headers={"Content-Encoding": encoding}))  # type: ignore[arg-type]
    assert (len(body), taken <= MOST_BYTES) == (MOST_BYTES, True)


@pytest.mark.parametrize(("where", "status"), [("head", "error"), ("body", "accessible")])
def test_a_host_that_drips_is_left(
    host: LinksHost, settings: Settings, monkeypatch: pytest.MonkeyPatch, where: str, status: str
) -> None:
    monkeypatch.setattr(outward, "HEAD_SECONDS", 0.2)
    monkeypatch.setattr(probing, "_BODY_SECONDS", 0.2)
    over = threading.Event()

    def drip(to: BaseHTTPRequestHandler) -> None:
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
        to.wfile.write(head + (b"X-Long: " if where == "head" else b"\r\n<html>"))
        to.close_connection = True
        while not over.wait(0.02):
            to.wfile.write(b".")

    host.pages["/x.org/a"] = drip
    began = time.monotonic()
    try:
        assert look(settings, "https://x.org/a").status == status
    finally:
        over.set()
    assert time.monotonic() - began < 10


@pytest.mark.parametrize(
    "link",
    [
        "http://127.0.0.1:{port}/",
        "http://localhost:{port}/",
        "http://0x7f.1:{port}/",
        "http://2130706433:{port}/",
        "http://[::1]:{port}/",
        "http://[::ffff:127.0.0.1]:{port}/",
        "http://169.254.169.254/latest/meta-data",
        "http://10.0.0.1/",
        "file:///etc/passwd",
        "gopher://127.0.0.1:{port}/",
        "javascript:alert(1)",
        "http://x.org:99999999/",
        "https://",
        "",
    ],
)
def test_our_own_network_is_not_looked_at(host: LinksHost, tmp_path: Path, link: str) -> None:
    settings = load_settings(home=tmp_path / "home", probes_per_second=1000, timeout=2)
    assert look(settings, link.format(port=host.port)).status == "error"
    assert host.asked == []


def test_nor_behind_a_redirect(host: LinksHost, tmp_path: Path) -> None:
    settings = load_settings(home=tmp_path / "home", article_url=host.url, probes_per_second=1000, timeout=2)
    host.pages["/a"] = page(302, b"", Location=f"{host.url}/secret")
    host.pages["/secret"] = page()
    assert look(settings, "https://www.nature.com/a").status == "error"
    assert host.paths() == ["/a"]


def test_nor_behind_a_name_that_changes_its_address(
    host: LinksHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter(["93.184.215.14"])

    def resolve(name: object, port: object, *_: object, **__: object) -> list[Any]:
        address = next(answers, "127.0.0.1")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port or 0))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    settings = load_settings(home=tmp_path / "home", probes_per_second=1000, timeout=2)
    seen = look(settings, f"http://rebinding.example:{host.port}/")
    assert (seen.status, host.asked) == ("error", [])
    assert "inside a private network" in seen.notes[0]


@given(st.text(max_size=60) | st.from_regex(r"https?://[ -~]{0,40}", fullmatch=True))
def test_no_link_breaks_the_reading_of_addresses(link: str) -> None:
    at = probing._address(link)
    probing._host(at)
    probing._names_file(at)
    probing._joined("https://x.org/", link)


# -- hosts' peace --------------------------------------------------------------------------------


def test_one_request_at_a_host_at_a_time_whoever_asks(host: LinksHost, settings: Settings) -> None:
    def slow(to: BaseHTTPRequestHandler) -> None:
        threading.Event().wait(0.01)
        page()(to)

    links = [f"https://x.org/{number}" for number in range(24)]
    for link in links:
        host.pages[link.removeprefix("https:/")] = slow
    probers = [WebProber(settings), WebProber(settings)]
    threads = [
        threading.Thread(target=probers[number % 2].probe, args=(links[number * 6 : number * 6 + 6],))
        for number in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(host.asked), host.most_at_once) == (24, 1)


def test_hosts_are_asked_side_by_side(host: LinksHost, settings: Settings) -> None:
    both = threading.Barrier(2, timeout=5)

    def meet(to: BaseHTTPRequestHandler) -> None:
        both.wait()
        page()(to)

    host.pages |= {"/x.org/": meet, "/y.org/": meet}
    assert [seen.status for seen in WebProber(settings).probe(["https://x.org/", "https://y.org/"])] == (
        ["accessible"] * 2
    )


def test_a_dead_host_is_not_asked_for_every_link(host: LinksHost, settings: Settings) -> None:
    def dead(to: BaseHTTPRequestHandler) -> None:
        to.close_connection = True

    links = [f"https://dead.org/{number}" for number in range(10)]
    for link in links:
        host.pages[link.removeprefix("https:/")] = dead
    assert {seen.status for seen in WebProber(settings).probe(links)} == {"error"}
    assert len(set(host.paths())) == probing._GIVEN_UP


# -- memory --------------------------------------------------------------------------------------


def test_what_was_seen_is_believed_for_its_time_and_errors_never(host: LinksHost, settings: Settings) -> None:
    host.pages |= {"/x.org/a": page(), "/x.org/b": page(500)}
    links = ["https://x.org/a", "https://x.org/b"]
    WebProber(settings).probe(links)
    host.asked.clear()
    WebProber(settings).probe(links)
    assert set(host.paths()) == {"/x.org/b"}
    host.asked.clear()
    WebProber(settings, max_age=0).probe(["https://x.org/a"])
    later = dt.datetime.now(dt.UTC) + dt.timedelta(days=30)
    WebProber(settings, clock=lambda: later).probe(["https://x.org/a"])
    assert host.paths() == ["/x.org/a"] * 2
    assert len(ProbeHistory(history_folder(settings)).looks("https://x.org/a")) == 3


def test_an_interrupted_run_keeps_what_it_has_seen(host: LinksHost, settings: Settings) -> None:
    go_on, arrived = threading.Event(), threading.Event()

    def stuck(to: BaseHTTPRequestHandler) -> None:
        arrived.set()
        go_on.wait(5)
        page()(to)

    host.pages |= {"/x.org/a": page(), "/x.org/b": stuck}
    run = threading.Thread(target=WebProber(settings).probe, args=(["https://x.org/a", "https://x.org/b"],))
    run.start()
    try:
        assert arrived.wait(5)
        kept = ProbeHistory(history_folder(settings))
        assert kept.latest("https://x.org/a", 3600) is not None  # though the run is not over
        assert kept.looks("https://x.org/b") == []
    finally:
        go_on.set()
        run.join()


def test_two_papers_with_the_same_link_ask_once(host: LinksHost, settings: Settings) -> None:
    go_on, arrived = threading.Event(), threading.Event()

    def slow(to: BaseHTTPRequestHandler) -> None:
        arrived.set()
        go_on.wait(5)
        page()(to)

    host.pages["/x.org/a"] = slow
    prober = WebProber(settings)
    runs = [threading.Thread(target=prober.probe, args=(["https://x.org/a"],)) for _ in range(2)]
    runs[0].start()
    assert arrived.wait(5)
    runs[1].start()
    while len(prober._lanes._waiting["x.org"]) < 1:
        threading.Event().wait(0.005)
    go_on.set()
    for run in runs:
        run.join()
    assert host.paths() == ["/x.org/a"]


def test_history_is_bounded_and_survives_what_cannot_be_read(tmp_path: Path) -> None:
    kept = ProbeHistory(tmp_path)
    for number in range(MOST + 5):
        kept.keep(Probe(url="https://x.org/", status="accessible", http_code=number, at=dt.datetime.now(dt.UTC)))
    assert [seen.http_code for seen in kept.looks("https://x.org/")] == list(range(5, MOST + 5))
    (file,) = tmp_path.rglob("*.json")
    file.write_bytes(b"[{")
    assert kept.looks("https://x.org/") == []
    kept.keep(Probe(url="https://x.org/", status="not_found", at=dt.datetime.now(dt.UTC)))
    assert len(kept.looks("https://x.org/")) == 1
