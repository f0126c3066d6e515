"""``naturegym ui`` as a process, and its pages in a real browser. Its worker has tests of its own."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from flows.server import running_server

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from nature_gym.config import Settings

    from .conftest import Command

CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class Ui:
    """``naturegym ui --json`` in the foreground of its own process, without a worker."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "nature_gym.cli.main", "ui", "--json", "--no-work", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def line(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line: dict[str, Any] = orjson.loads(self.process.stdout.readline() or self.process.communicate()[1])
        return line

    def end(self, number: signal.Signals | None) -> tuple[int, str]:
        if number is not None:
            self.process.send_signal(number)
        errors = self.process.communicate(timeout=20)[1].decode()
        return self.process.returncode, errors


@pytest.fixture
def ui(settings: Settings) -> Iterator[Callable[..., Ui]]:
    started: list[Ui] = []

    def start(*arguments: str) -> Ui:
        started.append(Ui(*arguments))
        return started[-1]

    yield start
    for one in started:
        one.process.kill()
        one.process.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_says_where_it_is_and_ends_when_told(
    settings: Settings, ui: Callable[..., Ui], number: signal.Signals
) -> None:
    running = ui("--port", "0")
    line = running.line()
    assert (line["already_running"], line["api_url"]) == (False, line["url"] + "/api")
    assert running_server(settings) is not None
    code, errors = running.end(number)
    assert (code, errors.splitlines()[-1]) == (0, "Stopped.")
    assert running_server(settings) is None


def test_a_second_one_keeps_the_first_ones_server_and_it_ends_with_the_last(
    settings: Settings, ui: Callable[..., Ui]
) -> None:
    first, second = ui("--port", "0"), None
    url = first.line()["url"]
    second, third = ui("--port", "4301"), ui("--port", "0")
    assert third.line()["already_running"] is True
    assert "listens" not in third.end(signal.SIGINT)[1], "any port will do for --port 0"
    line = second.line()
    assert (line["url"], line["already_running"]) == (url, True)
    code, errors = first.end(signal.SIGINT)
    assert (code, errors.splitlines()[-1]) == (0, "Left; another command still uses the server, and ends it.")
    assert running_server(settings) is not None
    code, errors = second.end(signal.SIGINT)
    assert code == 0
    assert f"This home's server listens at {url} already" in errors
    assert running_server(settings) is None


def test_a_port_that_is_taken_is_told_with_what_to_do(settings: Settings, ui: Callable[..., Ui]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        code, errors = ui("--port", str(other.getsockname()[1])).end(None)
    assert code == 3
    assert "is taken by another program" in errors
    assert "--port 0" in errors


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed (Debian: apt-get install chromium)")
def test_pages_show_a_run_and_nothing_leaves_this_machine(
    settings: Settings,
    ui: Callable[..., Ui],
    make_papers: Callable[..., list[str]],
    command: Callable[..., Command],
    tmp_path: Path,
) -> None:
    from playwright.sync_api import expect, sync_playwright

    make_papers("10.1_a", "10.1_b-error")
    url = ui("--port", "0").line()["url"]
    end = command("singly").end()
    asked: list[str] = []
    blocked: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.on("request", lambda request: asked.append(request.url))
        page.on("requestfailed", lambda request: blocked.append(request.url) if request.failure == "csp" else None)
        page.on("websocket", lambda websocket: asked.append(websocket.url.replace("ws://", "http://")))
        for name, path, words in (
            ("dashboard", "/v2/dashboard", "Flow Runs"),
            ("runs", "/v2/runs", "singly all papers"),
            ("run", f"/v2/runs/flow-run/{end['run']['flow_run']}", "1 done, 1 could not be worked on"),
            ("artifacts", "/v2/artifacts", "singly-progress"),
            ("blocks", "/v2/blocks/catalog", "Slack"),
            ("old run", f"/runs/flow-run/{end['run']['flow_run']}", "singly all papers"),
        ):
            page.goto(url + path)
            expect(page.locator("body"), f"{name} at {path}").to_contain_text(words, timeout=60_000)
            page.screenshot(path=tmp_path / f"{name}.png")
        browser.close()
    # Chromium also tells of what the server's policy kept it from asking.
    outside = [one for one in asked if not one.startswith((url, "data:", "blob:"))]
    assert sorted(outside) == sorted(blocked)
    assert not [one for one in outside if "amplitude" in one or "prefect.io" in one]
    assert os.listdir(tmp_path)  # noqa: PTH208
