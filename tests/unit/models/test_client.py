from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from nature_gym.config import Settings, load_settings
from nature_gym.errors import UsageError
from nature_gym.models.client import Client, Question, client_for
from nature_gym.models.faults import CeilingError, ModelError, NoKeyError, NonsenseError, RefusedError, ServiceError
from nature_gym.models.ledger import Ceilings, Ledger
from nature_gym.models.prices import UNLISTED, cost
from tests.model_server import Asked, Bad, ModelServer, Reply, Said, model_server

PROVIDERS: tuple[Literal["openai", "anthropic"], ...] = ("openai", "anthropic")
ROOT = Path(__file__).parents[3]


class Colour(BaseModel):
    name: str
    bright: bool = False


def question(paper: str = "p1", prompt: str = "Which colour?", **more: Any) -> Question[Colour]:
    return Question(paper, "Answer briefly.", prompt, Colour, more.get("check", lambda _: None))


def red(_: Asked) -> Reply:
    return {"name": "red", "bright": True}


def settings_for(server: ModelServer, home: Path, provider: str = "openai", **more: Any) -> Settings:
    return Settings(
        **{"home": home, "model_provider": provider, "model_url": server.url(provider), "model_price": "1/10", **more}
    )


@contextmanager
def asking(
    answer: Callable[[Asked], Reply], home: Path, provider: str = "openai", **more: Any
) -> Iterator[tuple[Client, ModelServer]]:
    with model_server(answer) as server:
        client = Client(settings_for(server, home, provider, **more))
        yield client, server
        client.ledger.close()


# -- answers ---------------------------------------------------------------------------------


@pytest.mark.parametrize("provider", PROVIDERS)
def test_an_answer_comes_by_either_protocol_with_what_it_took(provider: str, tmp_path: Path) -> None:
    with asking(red, tmp_path, provider, model_key="secret", model="m-1") as (client, server):
        answer, use = client.ask(question())
    assert answer == Colour(name="red", bright=True)
    assert (use.input_tokens, use.output_tokens, use.remembered) == (1000, 100, False)
    assert use.cost == pytest.approx(0.002)
    (asked,) = server.asked
    assert asked.path == {"openai": "/v1/chat/completions", "anthropic": "/v1/messages"}[provider]
    assert "Which colour?" in asked.text
    assert asked.body["model"] == "m-1"
    assert "secret" in (asked.headers.get("authorization", "") + asked.headers.get("x-api-key", ""))


def test_the_same_question_is_asked_once_whoever_asks_it_again(tmp_path: Path) -> None:
    with asking(red, tmp_path) as (client, server):
        first, paid = client.ask(question())
        second, use = Client(client.settings).ask(question())
    assert first == second
    assert len(server.asked) == 1
    assert (use.cost, use.remembered, use.prompt_digest) == (0.0, True, paid.prompt_digest)


@pytest.mark.parametrize(
    "change", [{"model": "m-2"}, {"model_answer_tokens": 77}], ids=["another model", "longer answers"]
)
def test_another_question_is_asked_anew(change: dict[str, Any], tmp_path: Path) -> None:
    with asking(red, tmp_path) as (client, server):
        client.ask(question())
        client.ask(question(prompt="Which else?"))
        other = Client(client.settings.model_copy(update=change))
        other.ask(question())
        other.ledger.close()
    assert len(server.asked) == 3


def test_a_remembered_answer_that_is_damaged_or_no_longer_good_enough_is_asked_for_again(tmp_path: Path) -> None:
    with asking(red, tmp_path) as (client, server):
        _, use = client.ask(question())
        client.memory.path(use.prompt_digest).write_bytes(b'{"question": ')
        client.ask(question())
        with pytest.raises(NonsenseError):
            client.ask(question(check=lambda _: "red is out of fashion"))
    assert len(server.asked) == 1 + 1 + 2


def test_an_answer_that_fails_the_check_is_told_why_and_asked_for_once_more(tmp_path: Path) -> None:
    def learns(asked: Asked) -> Reply:
        return {"name": "blue" if "not red" in asked.text else "red"}

    with asking(learns, tmp_path) as (client, server):
        answer, use = client.ask(question(check=lambda it: "not red, please" if it.name == "red" else None))
    assert answer.name == "blue"
    assert len(server.asked) == 2
    assert use.input_tokens == 2000
    assert use.cost == pytest.approx(0.004)


def test_an_answer_that_stays_wrong_is_not_remembered(tmp_path: Path) -> None:
    with asking(red, tmp_path) as (client, server):
        for _ in range(2):
            with pytest.raises(NonsenseError, match="no colour"):
                client.ask(question(check=lambda _: "no colour"))
    assert len(server.asked) == 4


# -- bad answers -----------------------------------------------------------------------------

AT_ONCE = {"Retry-After": "0"}
BAD: dict[str, tuple[Reply, type[ModelError], int]] = {
    "too many requests": (Bad(429, b'{"error": {"message": "slow down"}}', AT_ONCE), ServiceError, 4),
    "a broken service": (Bad(500, b'{"error": {"message": "boom"}}', AT_ONCE), ServiceError, 4),
    "overloaded": (Bad(529, b"busy", AT_ONCE), ServiceError, 4),
    "an hour's wait": (Bad(429, b"{}", {"Retry-After": "3600"}), ServiceError, 1),
    "a wrong request": (Bad(400, b'{"error": {"message": "no such parameter"}}'), ServiceError, 1),
    "a wrong key": (Bad(401, b'{"error": {"message": "who are you"}}'), NoKeyError, 1),
    "a web page": (Bad(200, b"<html>Sign in</html>", {"Content-Type": "text/html"}), ModelError, 1),
    "nothing": (Bad(200, b""), ModelError, 1),
    "half of its JSON": (Bad(200, b'{"id": "x", "cho'), ModelError, 1),
    "a connection that breaks": (Bad(200, b'{"id": "x", "cho', cut=True), ModelError, 1),
    "another JSON": (Bad(200, b"[1, 2]"), ModelError, 1),
    "a null": (Bad(200, b"null"), ModelError, 1),
    "another schema": ({"colour": 3}, NonsenseError, 2),
    "words": (Said("It is red."), NonsenseError, 2),
    "an empty message": (Said(""), NonsenseError, 2),
    "a refusal": (Said("I cannot help with that.", stop="refusal"), RefusedError, 1),
    "broken arguments": (Said(arguments='{"name": "re'), NonsenseError, 2),
    "an answer cut by the limit": (Said(arguments='{"name": "re', stop="length"), NonsenseError, 2),
}


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("kind", BAD)
def test_a_bad_answer_is_an_error_that_says_so_and_never_an_answer(kind: str, provider: str, tmp_path: Path) -> None:
    reply, error, requests = BAD[kind]
    with asking(lambda _: reply, tmp_path, provider) as (client, server):
        with pytest.raises(error) as caught:
            client.ask(question())
        assert len(server.asked) == requests
    assert client.settings.model in caught.value.message
    assert caught.value.hint
    assert not list((tmp_path / "models" / "answers").rglob("*.json"))


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_service_that_says_nothing_is_given_up_and_counts_as_reserved(provider: str, tmp_path: Path) -> None:
    with asking(lambda _: Bad(hang=True), tmp_path, provider, model_timeout=0.2) as (client, _):
        with pytest.raises(ServiceError, match=r"did not answer within 0\.2 s"):
            client.ask(question())
        assert client.ledger.spent().tokens > client.settings.model_answer_tokens


def test_nobody_there_costs_nothing(tmp_path: Path) -> None:
    with model_server(red) as server:
        settings = settings_for(server, tmp_path)
    client = Client(settings)
    with pytest.raises(ServiceError):
        client.ask(question())
    assert client.ledger.spent().cost == 0
    client.ledger.close()


def test_trouble_that_passes_is_sat_out(tmp_path: Path) -> None:
    replies: list[Reply] = [Bad(503, b"{}", AT_ONCE), Bad(429, b"{}", AT_ONCE), {"name": "red"}]
    with asking(lambda _: replies.pop(0), tmp_path) as (client, server):
        assert client.ask(question())[0].name == "red"
        assert client.ledger.spent().tokens == 1100
    assert len(server.asked) == 3


# -- keys, places, prices --------------------------------------------------------------------


@pytest.mark.parametrize(("provider", "variable"), [("openai", "OPENAI_API_KEY"), ("anthropic", "ANTHROPIC_API_KEY")])
def test_without_a_key_the_providers_own_service_is_not_asked(
    provider: Literal["openai", "anthropic"], variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(variable, raising=False)
    client = Client(Settings(home=tmp_path, model_provider=provider))
    with pytest.raises(NoKeyError) as caught:
        client.ask(question())
    assert variable in caught.value.hint
    assert not (tmp_path / "models").exists()


def test_the_mirror_stands_for_the_providers_service_but_not_for_one_that_was_named() -> None:
    mirrored = Settings(mirror="http://127.0.0.1:9")
    assert Client(mirrored).address == "http://127.0.0.1:9/api.anthropic.com"
    named = Settings(mirror="http://127.0.0.1:9", model_url="http://127.0.0.1:8/v1/")
    assert Client(named).address == "http://127.0.0.1:8/v1"


def test_no_more_questions_at_once_than_are_set_each_holding_a_turn(tmp_path: Path) -> None:
    held: list[int] = []
    lock = threading.Lock()

    @contextmanager
    def turn() -> Iterator[None]:
        with lock:
            held.append(1)
        yield

    both = threading.Barrier(2, timeout=30)

    def meets(_: Asked) -> Reply:
        both.wait()  # two at a time get through, and no third is there to break in
        return {"name": "red"}

    with model_server(meets) as server:
        client = Client(settings_for(server, tmp_path, model_concurrency=2), turn=turn)
        threads = [
            threading.Thread(target=client.ask, args=(question(prompt=f"colour {number}"),)) for number in range(6)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        client.ledger.close()
    assert server.most_at_once == 2
    assert len(held) == 6


def test_deciders_of_one_process_share_a_client() -> None:
    assert client_for(Settings(model="a")) is client_for(Settings(model="a"))
    assert client_for(Settings(model="a")) is not client_for(Settings(model="b"))


def test_prices_are_the_settings_the_lists_or_a_dear_ones() -> None:
    assert cost(Settings(model_price="3/15"), 1_000_000, 100_000) == pytest.approx(4.5)
    assert cost(Settings(model_price="0/0"), 10**6, 10**6) == 0
    listed = cost(Settings(model_provider="anthropic", model="claude-sonnet-5-5"), 1_000, 1_000)
    assert 0 < listed < 0.1
    assert cost(Settings(model="nobody-knows-it"), 10**6, 10**6) == sum(UNLISTED)
    with pytest.raises(UsageError, match="model_price"):
        load_settings(model_price="cheap")


# -- the ledger ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limits", "named"),
    [
        ({"cost_budget": 0.0415}, "cost_budget"),
        ({"paper_cost_budget": 0.0415}, "paper_cost_budget"),
        ({"token_budget": 4_500}, "token_budget"),
        ({"paper_token_budget": 4_500}, "paper_token_budget"),
    ],
)
def test_a_question_that_might_break_a_ceiling_is_not_asked(limits: dict[str, Any], named: str, tmp_path: Path) -> None:
    with asking(red, tmp_path, **limits) as (client, server):
        client.ask(question())
        with pytest.raises(CeilingError) as caught:
            client.ask(question(prompt="And what else?"))
        assert len(server.asked) == 1
    assert f"setting {named}," in caught.value.hint


def test_one_papers_ceiling_is_not_anothers(tmp_path: Path) -> None:
    with asking(red, tmp_path, paper_cost_budget=0.0415) as (client, _):
        client.ask(question("p1"))
        client.ask(question("p2", prompt="And what else?"))
        assert client.ledger.spent("p1").tokens == client.ledger.spent("p2").tokens == 1100


def ledger(folder: Path, run_cost: float = 1.0) -> Ledger:
    return Ledger(folder, Ceilings(run_cost, 10**6, run_cost, 10**6))


def test_what_was_reserved_and_never_settled_counts_in_full(tmp_path: Path) -> None:
    one = ledger(tmp_path)
    call = one.reserve("p", "m", cost=0.4, tokens=40)
    one.reserve("p", "m", cost=0.3, tokens=30)
    one.settle(call, cost=0.1, input_tokens=5, output_tokens=5)
    assert one.spent().tokens == 40
    assert one.spent().cost == pytest.approx(0.4)
    one.close()


def test_runs_at_the_same_time_share_what_is_allowed_and_a_new_run_begins_afresh(tmp_path: Path) -> None:
    one, other = ledger(tmp_path), ledger(tmp_path)
    one.reserve("p", "m", cost=0.7, tokens=1)
    with pytest.raises(CeilingError):
        other.reserve("q", "m", cost=0.4, tokens=1)
    one.close()
    other.reserve("q", "m", cost=0.4, tokens=1)
    other.close()


KILLED = """
import os, signal, sys
from pathlib import Path
from nature_gym.models.ledger import Ceilings, Ledger
ledger = Ledger(Path(sys.argv[1]), Ceilings(1.0, 10**6, 1.0, 10**6))
call = ledger.reserve("p", "m", cost=0.5, tokens=50)
ledger.settle(call, cost=0.2, input_tokens=10, output_tokens=10)
ledger.reserve("p", "m", cost=0.5, tokens=50)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_run_that_is_killed_loses_no_count_and_the_next_goes_on_with_it(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, tmp_path], cwd=ROOT, check=False)
    assert done.returncode == -signal.SIGKILL
    nxt = ledger(tmp_path)
    assert nxt.spent("p").tokens == 70
    assert nxt.spent().cost == pytest.approx(0.7)
    with pytest.raises(CeilingError):
        nxt.reserve("p", "m", cost=0.4, tokens=1)
    nxt.reserve("p", "m", cost=0.2, tokens=1)
    nxt.close()
    assert ledger(tmp_path).spent().cost == 0


def test_half_a_line_is_no_line(tmp_path: Path) -> None:
    (tmp_path / "20260101T000000-1-abc.open.jsonl").write_bytes(
        b'{"call":"a","paper":"p","cost":0.5,"tokens":5}\n{"call":"b","paper":"p","co'
    )
    assert ledger(tmp_path).spent().cost == pytest.approx(0.5)


def test_a_ledger_that_cannot_be_written_stops_the_question(tmp_path: Path) -> None:
    with asking(red, tmp_path) as (client, server):
        client.ask(question())
        folder = tmp_path / "models" / "ledger"
        for path in folder.glob("*.open.jsonl"):
            path.unlink()
            path.mkdir()
        with pytest.raises(OSError, match="directory"):
            client.ask(question(prompt="And what else?"))
        for path in folder.glob("*.open.jsonl"):
            path.rmdir()
        assert len(server.asked) == 1


def test_what_settings_name_a_key_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    from nature_gym.config import describe

    monkeypatch.setenv("NATUREGYM_MODEL_KEY", "sk-secret")
    assert "sk-secret" not in str(describe(load_settings()))
    assert os.environ["NATUREGYM_MODEL_KEY"] == "sk-secret"
