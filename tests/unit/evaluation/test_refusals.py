from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from nature_gym.evaluation.refusals import FILE, Refusals


def lines(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / FILE).read_bytes().splitlines()]


def test_a_refusal_is_a_line_without_commands_for_a_terminal_and_cut_short(tmp_path: Path) -> None:
    Refusals(tmp_path, now=lambda: 5.0).add("GET", "/\x1b[31m\u202e" + "x" * 5000, 404, "there is no such path")
    (line,) = lines(tmp_path)
    assert (line["time"], line["method"], line["code"]) == (5.0, "GET", 404)
    assert line["path"] == ("/?[31m\\u202e" + "x" * 5000)[:200]


def test_the_file_is_bounded_also_by_what_an_earlier_service_wrote(tmp_path: Path) -> None:
    for _ in range(5):
        refusals = Refusals(tmp_path, largest=2000)
        for _ in range(100):
            refusals.add("POST", "/evaluate", 401, "the token is not known")
    assert (tmp_path / FILE).stat().st_size < 2300
    assert "full" in str(lines(tmp_path)[-1]["reason"])


def test_a_link_in_its_place_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("")
    (tmp_path / FILE).symlink_to(tmp_path / "other")
    with suppress(OSError):
        Refusals(tmp_path).add("GET", "/", 404, "")
    assert (tmp_path / "other").read_text() == ""
