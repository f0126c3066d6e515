"""The mini-web as a real server on a loopback port: connections, threads, processes, shutdown."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import requests

from nature_gym.demo.miniweb import Behaviour, MiniWeb
from nature_gym.errors import InfrastructureError
from tests.unit.demo.miniweb.small_world import PlainPress, paper, small_world

RECORD = "https://zenodo.org/api/records/7000009"
REPOSITORY_ROOT = Path(__file__).resolve().parents[2]


def running(tmp_path: Path, behaviour: Behaviour | None = None) -> MiniWeb:
    return MiniWeb(small_world(), behaviour=behaviour, git_cache=tmp_path / "git", press=PlainPress())


@pytest.fixture
def web(tmp_path: Path) -> Iterator[MiniWeb]:
    with running(tmp_path) as web:
        yield web


def test_the_environment_points_a_run_at_it(web: MiniWeb) -> None:
    assert web.environment() == {"NATUREGYM_MIRROR": web.url}
    assert requests.get(web.address(RECORD), timeout=10).json()["id"] == 7000009


def test_a_body_that_is_cut_is_seen_as_cut(web: MiniWeb) -> None:
    with pytest.raises(requests.exceptions.ChunkedEncodingError):
        requests.get(web.address("https://rude.example.org/reset"), timeout=10)


def test_truncated_bodies_end_before_their_length(tmp_path: Path) -> None:
    behaviour = Behaviour(faults={"www.nature.com": {"truncated": 1.0}})
    with running(tmp_path, behaviour) as web, pytest.raises(requests.exceptions.ChunkedEncodingError):
        requests.get(web.address(paper(1).url + ".pdf"), timeout=10)


def test_a_slow_page_lets_one_wait_for_its_first_byte(tmp_path: Path) -> None:
    with running(tmp_path, Behaviour(slow_seconds=0.3)) as web:
        assert requests.get(web.address("https://rude.example.org/slow"), timeout=10).content == b"late"
        (seen,) = web.log.entries("rude.example.org")
    assert seen.seconds >= 0.3


def test_a_request_that_hangs_ends_when_its_client_gives_up(tmp_path: Path) -> None:
    behaviour = Behaviour(faults={"zenodo.org": {"timeout": 1.0}}, hang_seconds=600)
    with running(tmp_path, behaviour) as web:
        with pytest.raises(requests.exceptions.ReadTimeout):
            requests.get(web.address(RECORD), timeout=0.2)
        deadline = time.monotonic() + 5
        while web.log.stats()["zenodo.org"].in_flight and time.monotonic() < deadline:
            requests.get(web.address("https://doi.org/x"), timeout=10)
        assert web.log.stats()["zenodo.org"].in_flight == 0


def test_the_same_faults_meet_the_same_requests_in_any_order(tmp_path: Path) -> None:
    behaviour = Behaviour(seed=5, faults={"*": {"error": 0.3, "unavailable": 0.2}})
    addresses = [f"https://doi.org/10.1/{number}" for number in range(60)]

    def statuses(order: list[str]) -> dict[str, int]:
        with running(tmp_path, behaviour) as web, ThreadPoolExecutor(8) as pool:
            answers = pool.map(lambda address: requests.get(web.address(address), timeout=10).status_code, order)
            return dict(zip(order, answers, strict=True))

    first = statuses(addresses)
    assert {404, 500, 503} == set(first.values())
    assert statuses(addresses[::-1]) == first


def test_the_log_tells_how_many_requests_a_host_had_at_once(tmp_path: Path) -> None:
    with running(tmp_path, Behaviour(latency={"zenodo.org": 0.3})) as web:
        with ThreadPoolExecutor(6) as pool:
            list(pool.map(lambda _: requests.get(web.address(RECORD), timeout=10), range(6)))
        requests.get(web.address("https://doi.org/x"), timeout=10)
        stats = web.log.stats()
    assert stats["zenodo.org"].most_at_once == 6
    assert stats["doi.org"].most_at_once == 1
    assert all(seen.seconds >= 0.3 for seen in web.log.entries("zenodo.org"))


def test_a_file_of_a_terabyte_is_streamed_without_being_made(web: MiniWeb) -> None:
    with requests.get(web.address("https://share.example.com/huge.bin"), stream=True, timeout=10) as answer:
        assert answer.headers["content-length"] == str(10**12)
        received = 0
        for piece in answer.iter_content(1 << 20):
            received += len(piece)
            if received > 20 << 20:
                break
    assert received > 20 << 20
    assert requests.get(web.address(RECORD), timeout=10).status_code == 200, "the server goes on"


def test_it_stops_at_once_whatever_is_going_on(tmp_path: Path) -> None:
    behaviour = Behaviour(faults={"zenodo.org": {"timeout": 1.0}}, hang_seconds=600)
    web = running(tmp_path, behaviour)
    with socket.socket() as connection:
        with web:
            connection.connect(("127.0.0.1", int(web.url.rsplit(":", 1)[1])))
            connection.sendall(b"GET /zenodo.org/api/records/1 HTTP/1.1\r\nHost: x\r\n\r\n")
            while not len(web.log):
                requests.get(web.address("https://doi.org/x"), timeout=10)
            began = time.monotonic()
        assert time.monotonic() - began < 10  # against 600 s of hanging; a second of it is grace
    assert not any(thread.name == "mini-web" for thread in threading.enumerate())


def test_a_port_that_is_taken_is_named(web: MiniWeb, tmp_path: Path) -> None:
    port = int(web.url.rsplit(":", 1)[1])
    with (
        pytest.raises(InfrastructureError, match=f"Port {port}") as problem,
        MiniWeb(small_world(), git_cache=tmp_path, press=PlainPress(), port=port),
    ):
        pass
    assert "another port" in problem.value.hint


SERVE = """
import sys
from nature_gym.demo.miniweb import serve
from tests.unit.demo.miniweb.small_world import PlainPress, small_world
serve(small_world(), press=PlainPress(), on_ready=lambda url: print(url, flush=True))
print("done", flush=True)
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_in_the_foreground_it_serves_until_it_is_interrupted(tmp_path: Path, how: signal.Signals) -> None:
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY_ROOT), "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", SERVE], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        assert requests.get(f"{url}/zenodo.org/api/records/7000009", timeout=10).status_code == 200
        process.send_signal(how)
        out, err = process.communicate(timeout=20)
    assert err == ""
    if how is signal.SIGINT:
        assert (process.returncode, out) == (0, "done\n")


def test_five_thousand_papers_are_served_with_three_seconds_of_work(tmp_path: Path) -> None:
    world = small_world(papers=5500)
    began = time.process_time()
    with MiniWeb(world, git_cache=tmp_path, press=PlainPress()) as web:
        answer = requests.get(web.address("https://api.openalex.org/works?per-page=200&cursor=*"), timeout=10)
        assert answer.json()["meta"]["count"] == 5503
        assert requests.get(web.address(paper(5000).url), timeout=10).status_code == 200
    assert time.process_time() - began < 3
