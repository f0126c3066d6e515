from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from nature_gym.agents import client
from nature_gym.agents.shipping import client_files


class Service:
    """Answers in the order that a test lays down, and keeps what it was asked."""

    def __init__(self) -> None:
        self.answers: list[tuple[int, dict[str, str], bytes]] = []
        self.asked: list[tuple[str, bytes]] = []
        service = self

        class Handler(BaseHTTPRequestHandler):
            def _answer(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                service.asked.append((f"{self.command} {self.path}", self.rfile.read(length)))
                code, headers, body = service.answers.pop(0)
                self.send_response(code)
                for name, value in {**headers, "Content-Length": str(len(body))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = _answer  # noqa: N815 -- names of the standard library

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- as the standard library has it
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def will(self, code: int, body: object, **headers: str) -> None:
        self.answers.append((code, headers, body if isinstance(body, bytes) else json.dumps(body).encode()))


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    found = Service()
    thread = threading.Thread(target=found.server.serve_forever, args=(0.01,))
    thread.start()
    monkeypatch.setenv("EVAL_SERVICE_URL", found.url + "/")
    monkeypatch.setenv("EVAL_TOKEN", "a token&more")
    yield found
    found.server.shutdown()
    thread.join()
    found.server.server_close()


def test_submitting_sends_the_token_and_gives_back_what_is_told(service: Service) -> None:
    service.will(200, {"attempt": 3, "aggregate_improvement": 0.25})
    assert client.submit() == {"attempt": 3, "aggregate_improvement": 0.25}
    assert service.asked == [("POST /evaluate", b'{"eval_token": "a token&more"}')]


def test_a_submission_waits_for_a_scoring_that_runs_and_for_the_pace(service: Service) -> None:
    service.will(409, {"error": "an answer is being scored"})
    service.will(429, {"error": "too fast"}, **{"Retry-After": "7"})
    service.will(200, {"attempt": 1})
    waits: list[float] = []
    assert client.submit(waits.append) == {"attempt": 1}
    assert waits == [1.0, 7.0]


@pytest.mark.parametrize("code", [400, 401, 410, 413, 500])
def test_a_refusal_is_told_and_not_tried_again(service: Service, code: int) -> None:
    service.will(code, {"error": "no", "hint": "do this", "raw_scores": {"a": None}})
    with pytest.raises(client.ScoringError, match="no do this") as told:
        client.submit(lambda _: pytest.fail("it waits"))
    assert (told.value.code, told.value.body["raw_scores"]) == (code, {"a": None})


def test_asking_for_best_and_time_quotes_the_token(service: Service) -> None:
    service.will(200, {"best_attempt": 2})
    service.will(200, {"remaining_seconds": 12.5})
    assert client.best() == {"best_attempt": 2}
    assert client.time_left() == 12.5
    assert [path for path, _ in service.asked] == [
        "GET /best_score?eval_token=a+token%26more", "GET /time_remaining?eval_token=a+token%26more",
    ]  # fmt: skip


def test_a_proxy_of_the_environment_is_not_asked(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    service.will(200, {"best_attempt": None})
    assert client.best() == {"best_attempt": None}


def test_a_service_that_is_away_or_talks_nonsense_is_an_error_with_code_0(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.will(200, b"<html>")
    with pytest.raises(client.ScoringError) as told:
        client.best()
    assert told.value.code == 0
    monkeypatch.setenv("EVAL_SERVICE_URL", "http://127.0.0.1:9")
    with pytest.raises(client.ScoringError, match="cannot be reached"):
        client.best()


def test_it_runs_as_a_file_alone(service: Service, tmp_path: Path) -> None:
    ((name, content),) = client_files().items()
    (tmp_path / name).write_bytes(content)
    environment = {"EVAL_SERVICE_URL": service.url, "EVAL_TOKEN": "t"}

    def run(*arguments: str) -> tuple[int, str]:
        argv = [sys.executable, "-I", "-S", str(tmp_path / name), *arguments]
        done = subprocess.run(argv, env=environment, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    service.will(200, {"attempt": 1})
    assert run("submit") == (0, '{\n "attempt": 1\n}\n')
    service.will(410, {"error": "over"})
    code, said = run("submit")
    assert (code, json.loads(said)) == (1, {"code": 410, "error": "over"})
    assert run("cheat") == (2, "")
