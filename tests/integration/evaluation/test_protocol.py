from __future__ import annotations

import contextlib
import http.client
import json
import os
import string
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nature_gym.evaluation.desk import Desk
from nature_gym.evaluation.intake import AnswerLimits
from nature_gym.evaluation.listening import Listening, on_loopback, on_socket
from nature_gym.evaluation.service import make_app
from tests.integration.evaluation.conftest import EVALUATOR, TRUTH, OpenDesk, Workspace
from tests.integration.evaluation.protocol_client import Client, OverSocket

WAITS = EVALUATOR.replace(
    "    result = {}\n",
    """    result = {}
    while Path(os.environ["OUTPUT_DIR"], "wait").exists() and not Path("/answers/go").exists():
        pass
""",
)


@contextlib.contextmanager
def over_loopback(desk: Desk) -> Iterator[Client]:
    with (
        Listening(make_app(desk), on_loopback(0)) as service,
        Client(http.client.HTTPConnection("127.0.0.1", service.port), desk.token) as client,
    ):
        yield client


@pytest.fixture(params=["port", "socket"])
def served(request: pytest.FixtureRequest, open_desk: OpenDesk, tmp_path: Path) -> Iterator[tuple[Client, Desk]]:
    desk = open_desk(WAITS, budget=3600.0, answers=AnswerLimits(size=10_000, files=20))
    with_socket = request.param == "socket"
    place = Path(os.path.relpath(tmp_path / "s"))
    with Listening(make_app(desk), on_socket(place) if with_socket else on_loopback(0)) as service:
        connection = OverSocket(place) if with_socket else http.client.HTTPConnection("127.0.0.1", service.port)
        with Client(connection, desk.token) as client:
            yield client, desk


def test_the_published_protocol(served: tuple[Client, Desk], workspace: Workspace) -> None:
    client, _ = served
    assert client.health().code == 200
    workspace.answer(a=[1, 0, 0, 0], b=TRUTH)
    first = client.evaluate()
    assert first.code == 200
    assert first.body == {
        "attempt": 1,
        "raw_scores": {"a": {"Score": 0.5}, "b": {"Score": 1.0}},
        "per_instance_improvement": {"a": 0.0, "b": 1.0},
        "aggregate_improvement": 0.5,
        "best_aggregate_improvement": 0.5,
        "best_attempt": 1,
    }
    workspace.answer(a=[0, 0, 0, 0], b=[0, 0, 0, 0])
    second = client.evaluate().body
    assert (second["attempt"], second["aggregate_improvement"], second["best_attempt"]) == (2, -0.5, 1)
    assert client.best_score().body["best_aggregate_improvement"] == 0.5
    clock = client.time_remaining().body
    assert set(clock) == {
        "elapsed_seconds", "remaining_seconds", "timeout_seconds", "is_paused", "total_paused_seconds",
    }  # fmt: skip
    assert clock["timeout_seconds"] == 3600
    assert clock["elapsed_seconds"] + clock["remaining_seconds"] == pytest.approx(3600)
    assert clock["is_paused"] is False
    assert clock["total_paused_seconds"] > 0


def test_the_published_errors(served: tuple[Client, Desk], workspace: Workspace) -> None:
    client, desk = served
    refused = [
        (client.evaluate("another"), 401), (client.best_score("another"), 401), (client.time_remaining("x"), 401),
        (client.evaluate(), 400), (client.ask("POST", "/evaluate", b"no json"), 400),
        (client.ask("POST", "/evaluate", b"[]"), 400), (client.ask("POST", "/evaluate", b"{}"), 401),
        (client.ask("POST", "/evaluate", b'{"eval_token": ["' + b"x" * 100_000 + b'"]}'), 413),
        (client.ask("GET", "/evaluate"), 405), (client.ask("POST", "/register", b"{}"), 404),
        (client.ask("POST", "/time_remaining", b"{}"), 405),
    ]  # fmt: skip
    (workspace.folder / "output" / "big").write_bytes(b"x" * 20_000)
    refused.append((client.evaluate(), 413))
    for answer, code in refused:
        assert answer.code == code
        assert isinstance(answer.body["error"], str)
        assert str(desk.trial.folder.parent) not in json.dumps(answer.body)
    assert desk.standing().attempts == 2  # of the two answers that were refused


def test_a_second_submission_while_one_is_scored_gets_409_and_the_clock_stands(
    served: tuple[Client, Desk], workspace: Workspace
) -> None:
    client, desk = served
    workspace.answer(a=TRUTH, b=TRUTH)
    (workspace.folder / "output" / "wait").touch()
    results = []
    thread = threading.Thread(target=lambda: results.append(desk.evaluate(desk.token)))
    thread.start()
    while desk.standing().scoring is None:
        thread.join(0.01)
    assert client.evaluate().code == 409
    before, after = client.time_remaining().body, client.time_remaining().body
    assert before["is_paused"] is after["is_paused"] is True
    assert after["elapsed_seconds"] == pytest.approx(before["elapsed_seconds"], abs=1e-3)
    assert after["total_paused_seconds"] > before["total_paused_seconds"]
    (desk.trial.folder / "scoring" / "go").touch()
    thread.join()
    assert results[0]["aggregate_improvement"] == 1.0
    assert desk.standing().attempts == 1


def test_after_the_deadline_nothing_is_taken(
    open_desk: OpenDesk, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = open_desk(budget=100.0)
    workspace.answer(a=TRUTH, b=TRUTH)
    began = desk.standing().opening.opened
    monkeypatch.setattr(desk, "_now", lambda: began + 101.0)
    with over_loopback(desk) as client:
        assert client.evaluate().code == 410
        assert client.time_remaining().body["remaining_seconds"] == 0
        assert client.best_score().code == 200
    assert desk.standing().attempts == 0


def test_too_fast_says_how_long_to_wait(open_desk: OpenDesk, workspace: Workspace) -> None:
    desk = open_desk(submissions_per_minute=1)
    workspace.answer(a=TRUTH, b=TRUTH)
    with over_loopback(desk) as client:
        assert client.evaluate().code == 200
        answer = client.evaluate()
    assert answer.code == 429
    assert 1 <= int(answer.headers["retry-after"]) <= 60


def test_an_evaluators_fault_is_500_and_tells_nothing_of_it(open_desk: OpenDesk, workspace: Workspace) -> None:
    desk = open_desk(EVALUATOR.replace("    result = {}\n", "    result = {}\n    raise ValueError('secret place')\n"))
    workspace.answer(a=TRUTH, b=TRUTH)
    with over_loopback(desk) as client:
        answer = client.evaluate()
    assert answer.code == 500
    assert "secret" not in json.dumps(answer.body)
    desk.flush()
    assert "secret place" in (desk.trial.folder / "attempts" / "1" / "attempt.json").read_text()


NAMES = st.text(string.ascii_letters + string.digits + "_-./%?&=", max_size=40)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    st.sampled_from(["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]),
    st.one_of(st.sampled_from(["evaluate", "best_score?eval_token=", "time_remaining", "health"]), NAMES),
    st.one_of(
        st.binary(max_size=300), st.dictionaries(st.text(), st.text()).map(lambda value: json.dumps(value).encode())
    ),
)
def test_whatever_is_asked_gets_json_and_no_fault(
    served: tuple[Client, Desk], method: str, path: str, body: bytes
) -> None:
    client, desk = served
    answer = client.ask(method, f"/{path}", body)
    assert answer.code in (200, 400, 401, 404, 405, 413)
    assert answer.code == 200 or answer.body["error"]
    assert desk.standing().attempts == 0
