from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from nature_gym.demo.miniweb import Behaviour, make_app
from nature_gym.demo.miniweb.behaviour import FAULTS, chance
from tests.unit.demo.miniweb.conftest import Clock, Visitor
from tests.unit.demo.miniweb.small_world import PlainPress, paper, small_world

RUDE = "https://rude.example.org"


def test_a_host_that_does_not_exist_is_told_from_a_page_that_does_not(visit: Visitor) -> None:
    nowhere = visit("https://nowhere.example/x")
    assert (nowhere.status_code, nowhere.headers["x-demo"]) == (502, "no such host")
    missing = visit(f"{RUDE}/none")
    assert missing.status_code == 404
    assert "x-demo" not in missing.headers


def test_a_host_can_be_named_in_the_host_header_instead(visit: Visitor) -> None:
    assert (
        visit("https://zenodo.org/api/records/7000009").content
        == visit("/api/records/7000009", Host="zenodo.org").content
    )
    assert visit("/slow-not", Host="rude.example.org:443").status_code == 404


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("https://share.example.com/f?id=7&dl=1", b"file"),
        ("https://share.example.com/f?dl=1&id=7", b"file"),
        ("https://share.example.com/f?id=7&dl=0", b"<html>preview</html>"),
        ("https://www.nature.com/articles/special?from=x", b"a page of its own"),
    ],
)
def test_pages_are_found_by_their_address_whatever_the_order_of_its_query(
    visit: Visitor, address: str, body: bytes
) -> None:
    assert visit(address).content == body


def test_a_page_with_another_status_keeps_its_headers(visit: Visitor) -> None:
    answer = visit("https://share.example.com/login")
    assert (answer.status_code, answer.headers["location"]) == (302, "https://id.example.com/")


def test_a_page_with_a_declared_size_gives_length_and_parts(visit: Visitor) -> None:
    huge = "https://share.example.com/huge.bin"
    assert visit(huge, method="HEAD").headers["content-length"] == str(10**12)
    assert visit(huge, Range="bytes=0-65535").content == bytes(65536)


def test_a_flaky_page_fails_twice_and_then_works(visit: Visitor) -> None:
    assert [visit(f"{RUDE}/flaky").status_code for _ in range(4)] == [503, 503, 200, 200]


def test_a_limited_page_is_there_once_the_time_it_asks_for_has_gone_by(visit: Visitor, clock: Clock) -> None:
    first = visit(f"{RUDE}/limited")
    assert (first.status_code, first.headers["retry-after"]) == (429, "5")
    clock.now += 4.9
    assert visit(f"{RUDE}/limited").status_code == 429
    clock.now += 0.1
    assert visit(f"{RUDE}/limited").content == b"now"


def test_a_loop_redirects_to_itself(visit: Visitor) -> None:
    assert visit(f"{RUDE}/loop").headers["location"] == f"{RUDE}/loop"


@pytest.mark.parametrize("visit", [Behaviour(slow_seconds=0.01)], indirect=True)
def test_every_world_has_a_rude_host_that_lists_its_pages(visit: Visitor) -> None:
    listed = re.findall('href="([^"]*)"', visit(f"{RUDE}/").text)
    assert len(listed) > 12
    statuses = {address.rsplit("/", 1)[1]: visit(address, method="HEAD").status_code for address in listed}
    assert statuses["flaky"] == 503
    assert statuses["limited-for-hours"] == 429
    assert statuses["sign-in"] == statuses["data%20\u2728.csv"] == 200
    assert visit(f"{RUDE}/limited-for-hours").headers["retry-after"] == "36000"
    assert visit(f"{RUDE}/endless.html", method="HEAD").headers["content-length"] == "300000000"
    assert visit(f"{RUDE}/flaky").content.startswith(b"<!DOCTYPE"), "asked once so far"


def test_a_captcha_answers_200(visit: Visitor) -> None:
    answer = visit(f"{RUDE}/captcha")
    assert answer.status_code == 200
    assert "Verifying you are human" in answer.text


@pytest.mark.parametrize("visit", [Behaviour(budgets={"api.github.com": 1, "zenodo.org": 1})], indirect=True)
def test_budgets_of_other_hosts_end_in_their_own_way(visit: Visitor) -> None:
    repository = "https://api.github.com/repos/Calder-Lab/GraphNet"
    assert visit(repository).headers["x-ratelimit-remaining"] == "0"
    assert visit(repository).status_code == 403
    record = "https://zenodo.org/api/records/7000009"
    assert [visit(record).status_code, visit(record).status_code] == [200, 429]


def test_faults_are_drawn_from_the_address_and_the_count_alone() -> None:
    behaviour = Behaviour(seed=3, faults={"*": {"error": 0.2, "truncated": 0.1, "garbled": 0.1}})
    asked = [(f"/{page}", nth) for page in range(300) for nth in (1, 2)]
    drawn = {one: behaviour.fault("zenodo.org", *one) for one in asked}
    assert drawn == {one: behaviour.fault("zenodo.org", *one) for one in reversed(asked)}
    shares = {kind: sum(fault == kind for fault in drawn.values()) / len(asked) for kind in FAULTS}
    assert shares["error"] == pytest.approx(0.2, abs=0.06)
    assert shares["truncated"] == pytest.approx(0.1, abs=0.05)
    assert shares["timeout"] == shares["unavailable"] == 0
    other = Behaviour(seed=4, faults=behaviour.faults)
    assert drawn != {one: other.fault("zenodo.org", *one) for one in asked}


def test_mercy_ends_the_faults_of_an_address() -> None:
    behaviour = Behaviour(faults={"*": {"error": 1.0}}, faults_in_a_row=2)
    assert [behaviour.fault("a.org", "/", nth) for nth in (1, 2, 3)] == ["error", "error", None]


def test_latencies_spread_around_their_mean() -> None:
    behaviour = Behaviour(latency={"*": 0.02, "slow.org": 1.0}, jitter=0.5)
    delays = [behaviour.delay("a.org", f"/{page}", 1) for page in range(500)]
    assert 0.01 <= min(delays) < 0.012
    assert 0.028 < max(delays) <= 0.03
    assert Behaviour(latency={"slow.org": 1.0}).delay("a.org", "/", 1) == 0


def test_chance_is_even() -> None:
    drawn = [chance("x", number) for number in range(2000)]
    assert sum(drawn) / 2000 == pytest.approx(0.5, abs=0.03)


@pytest.mark.parametrize("visit", [Behaviour(faults={"api.openalex.org": {"garbled": 1.0}})], indirect=True)
def test_garbled_json_has_another_shape_or_none(visit: Visitor) -> None:
    shapes: set[bool | None] = set()
    for page in range(1, 20):
        answer = visit(f"https://api.openalex.org/works?page={page}")
        assert answer.headers["content-type"] == "application/json"
        try:
            shapes.add("results" in answer.json())
        except json.JSONDecodeError:
            shapes.add(None)
    assert shapes == {False, None}


@pytest.mark.parametrize("visit", [Behaviour(faults={"www.nature.com": {"error": 1.0}})], indirect=True)
def test_a_fault_of_one_host_spares_the_others(visit: Visitor) -> None:
    assert visit(paper(1).url).status_code == 500
    assert visit("https://zenodo.org/api/records/7000009").status_code == 200


def test_the_log_tells_what_was_asked_and_can_be_cleared(tmp_path: Path, clock: Clock) -> None:
    app = make_app(small_world(), git_cache=tmp_path, press=PlainPress(), clock=clock)
    with TestClient(app) as client:
        for _ in range(3):
            client.get("/zenodo.org/api/records/7000030?x=1")
            clock.now += 0.4
        client.get("/doi.org/10.1/2")
        entries = client.get("/_demo/log", params={"host": "zenodo.org"}).json()
        assert [entry["began"] for entry in entries] == pytest.approx([0, 0.4, 0.8])
        assert (entries[0]["path"], entries[0]["query"], entries[0]["status"]) == ("/api/records/7000030", "x=1", 410)
        stats = client.get("/_demo/stats").json()
        assert stats["zenodo.org"] == {
            "requests": 3,
            "in_flight": 0,
            "most_at_once": 1,
            "most_in_a_second": 3,
            "statuses": {"410": 3},
        }
        settings = client.get("/_demo/settings").json()
        assert settings["page_cap"] == 200
        assert "rude.example.org" in settings["hosts"]
        client.post("/_demo/reset")
        assert client.get("/_demo/log").json() == []


def test_the_log_is_bounded(tmp_path: Path, clock: Clock) -> None:
    app = make_app(small_world(), behaviour=Behaviour(log_size=5), git_cache=tmp_path, press=PlainPress(), clock=clock)
    with TestClient(app) as client:
        for page in range(9):
            client.get(f"/doi.org/{page}")
    assert [seen.path for seen in app.state.log] == ["/4", "/5", "/6", "/7", "/8"]


def test_the_address_itself_lists_hosts_with_examples_that_work(visit: Visitor) -> None:
    page = visit("/")
    assert page.status_code == 200
    links = re.findall(r'href="/([^"]+)"', page.text)
    assert {"api.openalex.org", "www.nature.com", "github.com", "zenodo.org", "rude.example.org", "_demo"} <= {
        link.partition("/")[0] for link in links
    }
    for link in links:
        assert visit(link.replace("&amp;", "&")).status_code in {200, 302}, link


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "INVENTED"])
@pytest.mark.parametrize(
    "address",
    [
        "",
        "https://api.openalex.org/works",
        "https://api.openalex.org/works/W4000000007",
        paper(1).url,
        "https://www.nature.com/robots.txt",
        "https://doi.org/" + paper(1).doi,
        "https://www.ebi.ac.uk/europepmc/webservices/rest/search?query=x",
        "https://zenodo.org/api/records/7000009",
        "https://api.github.com/repos/Calder-Lab/GraphNet",
        "https://github.com/Calder-Lab/GraphNet",
        "https://github.com/Calder-Lab/GraphNet/info/refs?service=git-upload-pack",
        "https://rude.example.org/",
        "https://share.example.com/login",
        "_demo/log",
        "_demo/truth",
    ],
)
def test_what_is_to_be_read_takes_no_other_method(visit: Visitor, address: str, method: str) -> None:
    answer = visit(address, method=method)
    assert answer.status_code == 405
    assert {word.strip() for word in answer.headers["allow"].split(",")} == {"GET", "HEAD"}


@pytest.mark.parametrize("address", ["https://github.com/Calder-Lab/GraphNet/git-upload-pack", "_demo/reset"])
def test_what_is_to_be_posted_is_not_read(visit: Visitor, address: str) -> None:
    answer = visit(address)
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
    assert visit(address, method="POST").status_code in {204, 400}, "there is no packet in an empty request"
