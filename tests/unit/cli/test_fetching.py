"""``naturegym fetch`` and ``read`` of papers by name, from a host that misbehaves in every way: what the user sees.

Each paper's trouble is named on its record and in what the command prints; the others go on.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from nature_gym.config import Settings, load_settings
from nature_gym.demo.miniweb.hosts.pages import CAPTCHA
from nature_gym.harvest.stage import HarvestStage
from nature_gym.harvest.works import Work
from nature_gym.records import PaperFolder, Papers
from nature_gym.stages import carry_out
from tests.unit.web.conftest import Answer, Host

COMMAND = Path(sys.executable).with_name("naturegym")
ENCRYPTED: int = pymupdf.PDF_ENCRYPT_AES_256  # type: ignore[attr-defined]
HTML = {"Content-Type": "text/html"}
PAGE = b"""<!DOCTYPE html><html><head><meta name="citation_title" content="A"></head><body>
<h1 class="c-article-title">A</h1><div class="c-article-body"><section data-title="Results"><div
class="c-article-section"><h2>Results</h2><div class="c-article-section__content"><p>WORDS</p></div></div>
</section></div></body></html>""".replace(
    b"WORDS", b"We measured how well each of the models does on what it has not seen. " * 40
)
GOOD = Answer(headers=HTML, body=PAGE)
ABSENT = Answer(404)


@pytest.fixture
def host() -> Iterator[Host]:
    host = Host()
    yield host
    host.close()


@pytest.fixture
def settings(host: Host, monkeypatch: pytest.MonkeyPatch) -> Settings:
    for name, value in (("MIRROR", host.url), ("REQUESTS_PER_SECOND", "10000"), ("TIMEOUT", "0.5"), ("MAX_WAIT", "8")):
        monkeypatch.setenv(f"NATUREGYM_{name}", value)
    return load_settings()


def path_of(number: int) -> str:
    return f"/www.nature.com/articles/s42256-024-{number:05}-1"


def harvested(settings: Settings, number: int, **facts: Any) -> PaperFolder:
    suffix = f"s42256-024-{number:05}-1"
    work = Work.model_validate(
        {"id": f"10.5555_{suffix}", "openalex_id": f"W{number}", "doi": f"10.5555/{suffix}", "is_oa": True}
        | {"oa_status": "gold"}
        | facts
    )
    folder = Papers(settings.papers)[work.id]
    carry_out(HarvestStage(work), folder)
    return folder


def naturegym(*argv: str) -> tuple[int, Any]:
    done = subprocess.run([COMMAND, *argv, "--json"], capture_output=True, text=True, check=False)
    return done.returncode, json.loads(done.stdout)


def encrypted_pdf() -> bytes:
    make: Callable[[], Any] = pymupdf.open
    document = make()
    document.new_page().insert_text((72, 72), "Secret")
    return bytes(document.tobytes(encryption=ENCRYPTED, owner_pw="a", user_pw="b"))


def hanging(_: object) -> Answer:
    time.sleep(1.5)
    return GOOD


def search(number: int) -> str:
    return (
        "/www.ebi.ac.uk/europepmc/webservices/rest/search?query=DOI%3A%2210.5555%2F"
        f"s42256-024-{number:05}-1%22&format=json"
    )


def answers() -> dict[str, tuple[Answer | Callable[..., Answer], str, str, str]]:
    """Name -> what the article's page answers, and the kind, verdict and words that come of it."""
    return {
        "500": (Answer(500), "error", "HostError", "answers 500"),
        "timeout": (hanging, "error", "HostError", "timed out"),
        "truncated": (Answer(headers=HTML, body=PAGE, declared=10**6), "error", "HostError", "could not be fetched"),
        "another page": (Answer(headers=HTML, body=b"<html>Hello</html>"), "error", "WrongAnswerError", "as it should"),
        "loop": (Answer(302, {"Location": "?again"}), "error", "RedirectLoopError", "circles"),
        "captcha": (Answer(headers=HTML, body=CAPTCHA), "error", "CaptchaError", "captcha"),
        "300 MB": (Answer(headers=HTML, declared=300_000_000), "failed", "TooLargeError", "300,000,000 bytes"),
    }


@pytest.mark.slow
def test_each_trouble_is_named_on_its_paper_and_the_others_are_fetched(host: Host, settings: Settings) -> None:
    good = [harvested(settings, 1), harvested(settings, 99)]
    host.pages |= {path_of(1): GOOD, path_of(99): GOOD, f"{path_of(1)}.pdf": ABSENT, f"{path_of(99)}.pdf": ABSENT}
    troubled = {}
    for number, (name, (answer, *_)) in enumerate(answers().items(), start=2):
        troubled[name] = harvested(settings, number)
        host.pages |= {path_of(number): answer, f"{path_of(number)}?again": Answer(302, {"Location": "?again"})}
        host.pages[search(number)] = Answer(body=b'{"resultList": {"result": []}}')
    wrong_json = harvested(settings, 50, oa_status="green")
    host.pages[search(50)] = Answer(body=b"<html>not JSON</html>")
    encrypted = harvested(settings, 51, oa_status="green", pdf_url="https://repository.example.edu/1.pdf")
    host.pages |= {search(51): Answer(body=b'{"resultList": {"result": []}}')}
    host.pages["/repository.example.edu/1.pdf"] = Answer(body=encrypted_pdf())

    papers = [good[0], *troubled.values(), wrong_json, encrypted, good[1]]
    code, told = naturegym("fetch", *(paper.id for paper in papers), "10.5555/never-heard-of")
    assert code == 3
    came = {one.get("id"): one for one in told}
    for name, (_, kind, verdict, says) in answers().items():
        one = came[troubled[name].id]
        assert (name, one["kind"], one["verdict"]) == (name, kind, verdict)
        assert says in one["reason"], (name, one["reason"])
        error, record = troubled[name].errors().get("fetch"), troubled[name].record("fetch")
        kept = error.reason if error else record.reason if record else ""
        assert says in kept, "on the paper's record as well"
    assert came[wrong_json.id]["verdict"] == "WrongAnswerError"
    assert [came[paper.id]["verdict"] for paper in (*good, encrypted)] == ["done"] * 3
    assert told[-1]["kind"] == "refused"
    assert "never-heard-of" in told[-1]["reason"]

    code, told = naturegym("read", encrypted.id)
    assert code == 1
    record = encrypted.record("read")
    assert record is not None
    assert "encrypted" in record.reason
    assert naturegym("read", good[1].id)[0] == 0


@pytest.mark.slow
def test_a_retry_after_of_five_seconds_is_waited_for_and_one_of_ten_hours_is_not(
    host: Host, settings: Settings
) -> None:
    paper, other = harvested(settings, 1), harvested(settings, 2)
    host.pages |= {f"{path_of(1)}.pdf": ABSENT, path_of(2): Answer(429, {"Retry-After": "36000"})}
    asked: list[float] = []

    def limited(_: object) -> Answer:
        asked.append(time.monotonic())
        return Answer(429, {"Retry-After": "5"}) if len(asked) == 1 else GOOD

    host.pages[path_of(1)] = limited
    code, told = naturegym("fetch", paper.id)
    assert (code, told[0]["verdict"]) == (0, "done")
    assert len(asked) == 2
    assert 5 <= asked[1] - asked[0] < 15
    code, told = naturegym("fetch", other.id)
    assert (code, told[0]["verdict"]) == (3, "ComeBackLaterError")
    assert "to be left alone until" in told[0]["reason"]


def test_names_that_mean_nothing_stop_nothing_but_themselves(host: Host, settings: Settings) -> None:
    paper, closed = harvested(settings, 1), harvested(settings, 2, is_oa=False, oa_status="closed")
    gone = harvested(settings, 3, retracted=True)
    host.pages |= {path_of(1): GOOD, f"{path_of(1)}.pdf": ABSENT}
    code, told = naturegym("fetch", "10.5555/nothing", paper.id, gone.id, closed.id, paper.id)
    assert code == 2
    assert [one["kind"] for one in told] == ["done", "done", "refused", "refused"]
    assert {one["name"] for one in told[2:]} == {"10.5555/nothing", gone.id}
    assert all(one["reason"] and one["hint"] for one in told[2:])
    code, told = naturegym("fetch", "10.5555/nothing", "10.5555/nor-this")
    assert (code, told["exit_code"]) == (2, 2)
    assert "nor can the other 1" in told["error"]
    assert naturegym("fetch", paper.id)[0] == 0
