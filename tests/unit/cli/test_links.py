from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from typer.testing import CliRunner

from nature_gym.cli.links import app
from tests.unit.screening.links_host import LinksHost, page

FIELDS = {"url", "status", "http_code", "final_url", "size_bytes", "size_source", "notes"}


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[LinksHost]:
    host = LinksHost()
    host.pages["/x.org/a.zip"] = page(200, b"x" * 2000, "application/zip")
    monkeypatch.setenv("NATUREGYM_MIRROR", host.url)
    yield host
    host.close()


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 0, result.output
    return result.stdout


def test_probe_tells_of_each_link_in_order(host: LinksHost) -> None:
    there, gone = json.loads(run("probe", "https://x.org/a.zip", "https://x.org/gone", "--json"))
    assert set(there) >= FIELDS
    assert (there["url"], there["status"], there["http_code"], there["size_bytes"], there["size_source"]) == (
        "https://x.org/a.zip", "accessible", 200, 2000, "content_length",
    )  # fmt: skip
    assert (gone["status"], gone["http_code"], gone["size_source"]) == ("not_found", 404, "none")


def test_links_are_remembered_until_asked_again(host: LinksHost) -> None:
    run("probe", "https://x.org/a.zip")
    run("probe", "https://x.org/a.zip")
    assert len(host.asked) == 1
    run("probe", "https://x.org/a.zip", "--again")
    assert len(host.asked) == 2
    host.asked.clear()
    looks = json.loads(run("history", "https://x.org/a.zip", "https://x.org/b", "--json"))
    assert [len(looks[url]) for url in looks] == [2, 0]
    assert host.asked == []


def test_text_shows_status_size_and_age(host: LinksHost) -> None:
    told = run("probe", "https://x.org/a.zip")
    assert "accessible" in told
    assert "2,000 bytes" in told
    assert "just now" in told
    assert "never looked at" in run("history", "https://x.org/b")
