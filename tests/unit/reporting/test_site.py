"""The site as files: what is in it, that it is the same for the same records, that nothing of others lives in it."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from nature_gym.records import PaperFolder
from nature_gym.reporting import papers as papers_module
from nature_gym.reporting.packages import CheckRun
from nature_gym.reporting.site import Records, Site, write_report

from .homes import add_admission, add_error, add_package, add_paper, add_stage, add_trial, grow

HOSTILE = (
    "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'>{{ 1234*5678 }}"
    "\x1b]0;owned\x07\u202egnp.exe\u2028 javascript:alert(3)"
)


def records(home: Path, checks: tuple[CheckRun, ...] = ()) -> Records:
    return Records(home, home / "papers", home / "packages", checks)


def write(home: Path, out: str = "report", checks: tuple[CheckRun, ...] = ()) -> Site:
    return write_report(records(home, checks), home / out)


def data(site: Path, name: str) -> Any:
    text = (site / "data" / f"{name}.js").read_text()
    called = re.fullmatch(r'report\.take\("([^"]*)",(.*)\);\n', text, re.DOTALL)
    assert called is not None
    assert called[1] == name
    return json.loads(called[2])


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class Elements(HTMLParser):
    """All elements with their attributes, and the ids."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def hostile(home: Path) -> tuple[CheckRun, ...]:
    """A home in which everything that somebody else writes is hostile."""
    paper = add_paper(home, 1, title=HOSTILE, quote=HOSTILE, stopped="1.1", code="non_computational")
    add_error(home, paper, "acquire", HOSTILE, HOSTILE)
    add_paper(home, 2, title=HOSTILE, until="build", package="bad")
    folder = add_package(home, "bad", title=HOSTILE, domain=HOSTILE)
    (folder / "problem" / "<img src=x onerror=alert(4)>.md").write_text("x")
    add_admission(home, "bad", "repair", evidence=HOSTILE)
    add_trial(home, "bad", HOSTILE, 0, (0.1, None), text=HOSTILE, host=HOSTILE, domain=HOSTILE, reason=HOSTILE)
    add_trial(home, HOSTILE, "other", 0, (), status="agent_error", reason=HOSTILE, domain=HOSTILE)
    finding = {"file": HOSTILE, "line": 1, "text": HOSTILE, "message": HOSTILE, "hint": HOSTILE, "suppressed": ""}
    check = {"id": "C1.1", "title": "task name", "status": "fail", "reason": HOSTILE, "findings": [finding]}
    return (CheckRun(folder.resolve(), "2026-01-02T03:04:05", [check]),)


def test_the_same_records_give_the_same_bytes_also_from_what_was_kept_and_in_another_place(tmp_path: Path) -> None:
    for home in ("one", "two"):
        grow(tmp_path / home, papers=60, trials=12)
    first = contents(write(tmp_path / "one").out)
    assert contents(write(tmp_path / "one", "again").out) == first
    assert contents(write(tmp_path / "two").out) == first


def test_all_papers_and_trials_are_in_the_data_once_and_lead_to_what_they_rest_on(tmp_path: Path) -> None:
    grow(tmp_path, papers=130, trials=12)
    site = write(tmp_path).out
    about = data(site, "papers")
    rows = [row for chunk in range(about["chunks"]) for row in data(site, f"papers/{chunk}")]
    assert sorted(row[0] for row in rows) == sorted(path.name for path in (tmp_path / "papers").iterdir())
    assert [row[3] for row in rows] == sorted((row[3] for row in rows), reverse=True)
    for row in rows:
        assert data(site, f"paper-details/{row[-2]}")[row[-1]]["id"] == row[0]
    trials = data(site, "trials")
    assert sorted(row["id"] for row in trials) == sorted(path.name for path in (tmp_path / "trials").iterdir())
    assert all(data(site, f"trials/{row['id']}")["attempts"] for row in trials)
    counts = json.loads((site / "report.json").read_bytes())["counts"]
    assert (counts["papers"], counts["trials"], counts["agents"]) == (130, 12, 5)


def test_a_paper_that_did_not_change_is_not_read_again_and_one_that_did_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    papers = [add_paper(tmp_path, number) for number in range(5)]
    write(tmp_path)
    read: list[str] = []
    known = papers_module.paper_facts

    def facts(folder: PaperFolder) -> dict[str, Any]:
        read.append(folder.id)
        return known(folder)

    monkeypatch.setattr(papers_module, "paper_facts", facts)
    add_stage(tmp_path, papers[3], "screen", "rejected", facts={"stopped_at": "2.1", "code": "model_analysis"})
    site = write(tmp_path).out
    assert read == [papers[3]]
    assert "2.1 model analysis" in data(site, "papers")["words"]


def test_records_that_cannot_be_read_are_failures_and_the_rest_is_shown(tmp_path: Path) -> None:
    bad, fine = add_paper(tmp_path, 1), add_paper(tmp_path, 2)
    (tmp_path / "papers" / bad / "screen" / "record.json").write_text("{half")
    trial = add_trial(tmp_path, "task", "constant", 0, (0.1,))
    (tmp_path / "trials" / trial / "trial.json").write_text("[1]")
    (tmp_path / "trials" / trial / "trajectory.jsonl").write_bytes(
        b'{"kind": "text", "text": "x"}\n{torn\n\xff\xfe\n[]\n'
    )
    (tmp_path / "trials" / trial / "verdict.json").write_text("{}")
    site = write(tmp_path).out
    assert "screen: Unreadable" in (site / "failures.html").read_text()
    assert {row[0] for row in data(site, "papers/0")} == {bad, fine}
    assert [event["text"] for event in data(site, f"trials/{trial}")["events"]] == ["x"]


def test_of_a_long_trajectory_the_beginning_and_the_end_are_shown_and_the_rest_is_counted(tmp_path: Path) -> None:
    trial = add_trial(tmp_path, "task", "constant", 0, (0.1,))
    told = data(write(tmp_path).out, f"trials/{trial}")
    assert (len(told["events"]), told["left_out"]) == (100, 30)
    assert [told["events"][at]["time"] for at in (0, 59, 60, 99)] == [0.0, 59.0, 90.0, 129.0]


def test_a_trajectory_without_end_is_read_in_part(tmp_path: Path) -> None:
    trial = add_trial(tmp_path, "task", "constant", 0, (0.1,))
    line = json.dumps({"kind": "text", "text": "x" * 1000, "time": 1.0}) + "\n"
    last = json.dumps({"kind": "result", "text": "the end", "time": 2.0}) + "\n"
    (tmp_path / "trials" / trial / "trajectory.jsonl").write_text(line * 4000 + last)
    site = write(tmp_path).out
    told = data(site, f"trials/{trial}")
    assert (len(told["events"]), told["left_out"], told["events"][-1]["text"]) == (100, -1, "the end")
    assert (site / "data" / "trials" / f"{trial}.js").stat().st_size < 200_000


def test_an_empty_home_says_what_is_missing_and_which_command_fills_it(tmp_path: Path) -> None:
    site = write(tmp_path).out
    for name, command in (
        ("index.html", "naturegym demo"), ("papers.html", "naturegym harvest"), ("packages.html", "naturegym build"),
        ("leaderboard.html", "naturegym sweep"), ("trials.html", "naturegym sweep"),
    ):  # fmt: skip
        assert f"<code>{command}" in (site / name).read_text(), name


def test_nothing_of_others_becomes_markup_script_or_an_address(tmp_path: Path) -> None:
    site = write(tmp_path, checks=hostile(tmp_path)).out
    pages = [path for path in site.rglob("*.html") if path.parent.name != "cuts"]
    assert len(pages) == 7
    for path in pages:
        text = path.read_text(encoding="utf-8")
        assert not set(text) & set("\x1b\x07\u202e\u2028"), path
        assert "7006652" not in text, path
        for tag, attributes in Elements(text).found:
            assert tag != "img", path
            assert not [name for name in attributes if name.startswith("on") or name == "style"], path
            if tag == "script":
                assert re.fullmatch(r"(\.\./)?(data/)?[a-z0-9/]+\.js", attributes["src"] or ""), path
            if "href" in attributes:
                assert re.match(r"#|(\.\./)?[a-z0-9/_.-]+\.(html|css|svg)(#|$)", attributes["href"] or ""), attributes
    for path in (site / "data").rglob("*.js"):
        assert not set(path.read_text(encoding="utf-8")) & set("<>&\x1b\x07\u202e\u2028"), path


def test_every_page_forbids_all_but_its_own_files(tmp_path: Path) -> None:
    site = write(tmp_path, checks=hostile(tmp_path)).out
    for path in site.rglob("*.html"):
        found = [one for tag, one in Elements(path.read_text()).found if tag == "meta" and "http-equiv" in one]
        policy = dict(part.strip().split(" ", 1) for part in (found[0]["content"] or "").split(";"))
        assert policy["default-src"] == "'none'", path
        assert policy["script-src"] == "'self'", path


def test_what_only_we_may_know_and_where_it_was_made_stand_nowhere(tmp_path: Path) -> None:
    grow(tmp_path, papers=30, trials=5)
    for name, content in contents(write(tmp_path).out).items():
        assert b"a-secret-digest" not in content, name
        assert str(tmp_path).encode() not in content, name


def test_links_within_the_site_lead_to_files_that_are_there(tmp_path: Path) -> None:
    grow(tmp_path, papers=60, trials=12)
    site = write(tmp_path).out
    for path in site.rglob("*.html"):
        for _, attributes in Elements(path.read_text()).found:
            for name in ("href", "src"):
                address = attributes.get(name) or ""
                if address and not address.startswith(("#", "https:")):
                    assert (path.parent / address.partition("#")[0]).resolve().is_file(), (path, address)


def test_ids_are_given_once_a_page_and_headings_do_not_skip_a_level(tmp_path: Path) -> None:
    grow(tmp_path, papers=60, trials=12)
    for path in write(tmp_path).out.rglob("*.html"):
        elements = Elements(path.read_text()).found
        ids = [one["id"] for _, one in elements if "id" in one]
        assert len(ids) == len(set(ids)), path
        levels = [int(tag[1]) for tag, _ in elements if re.fullmatch(r"h[1-6]", tag)]
        assert levels[0] == 1, path
        assert levels.count(1) == 1, path
        assert all(after - before <= 1 for before, after in pairwise(levels)), path


def test_the_newest_checks_and_the_admission_stand_on_a_packages_page(tmp_path: Path) -> None:
    folder = add_package(tmp_path, "task-1")
    add_admission(tmp_path, "task-1", "repair", evidence="the floor is high")
    check = {"id": "C2.1", "title": "no paper", "status": "fail", "reason": "", "findings": [
        {
            "file": "problem/README.md", "line": 7, "message": "names the paper", "text": "Nature",
            "hint": "Take it out.",
        },
    ]}  # fmt: skip
    old = CheckRun(folder.resolve(), "2026-01-01T00:00:00", [{**check, "status": "pass", "findings": []}])
    new = CheckRun(folder.resolve(), "2026-01-02T00:00:00", [check])
    site = write(tmp_path, checks=(new, old)).out
    page = (site / "packages" / "task-1.html").read_text()
    for words in ("problem/README.md:7", "names the paper", "Take it out.", "the floor is high", "2026-01-02 00:00"):
        assert words in page
    assert "C2.1 no paper" in (site / "failures.html").read_text()
