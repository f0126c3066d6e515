"""The guides as a reader follows them: every command of a page is typed, in its order, and ends as the page says."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.documented import CHECKOUT, Shown, shown_in
from tests.end_to_end.conftest import Demo

NOT_TYPED = {
    "make demo": "test_demo.py runs the command behind it, test_set_up.py the set-up",
    "make test": "this is it",
    ".venv/bin/python -m pip install -e my-agent": "what it would install the test writes: none changes .venv",
}
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("whole demo"), pytest.mark.timeout(2700)]


@pytest.fixture
def reader(whole_demo: Demo, tmp_path: Path) -> dict[str, str]:
    """The environment of somebody who ran the demo, and works in a folder beside a checkout."""
    if whole_demo.told["not_measured"]:
        pytest.skip(whole_demo.told["not_measured"])
    user = tmp_path / "user"
    shutil.copytree(whole_demo.user, user, symlinks=True)
    work = tmp_path / "work"
    work.mkdir()
    (work / "task_packages").symlink_to(CHECKOUT / "task_packages")
    (work / ".venv").symlink_to(CHECKOUT / ".venv")
    papers = work / "papers"
    papers.mkdir()
    article = f"<h1>A paper</h1><h2>Results</h2><p>{'The line fits the points of each sample well. ' * 80}</p>"
    (papers / "paper.html").write_text(f"<html><body><article>{article}</article></body></html>")
    variables = {name: text for name, text in os.environ.items() if not name.startswith("NATUREGYM_")}
    return variables | {
        "HOME": str(user),
        "NATUREGYM_HOME": str(user / ".naturegym/demo"),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "BROWSER": "true",  # a program that is told the page, and opens nothing
        "PWD": str(work),
    }


def installed(folder: Path) -> str:
    """What an installation of the guide's agent leaves: its folder on the path, and its entry point."""
    place = folder / "my_agent-1.0.dist-info"
    place.mkdir()
    (place / "METADATA").write_text("Metadata-Version: 2.1\nName: my-agent\nVersion: 1.0\n")
    (place / "entry_points.txt").write_text("[naturegym.agents]\nmine = mine:KIND\n")
    return str(folder)


def script(shown: list[Shown]) -> str:
    """A shell's script that types all commands, and says of the first that ends otherwise which it is."""
    lines = []
    for one in shown:
        if one.text.split("#")[0].strip() not in NOT_TYPED:
            told = shlex.quote(f"{one.text}  -- ended with")
            lines += [one.text, f'ended=$?; [ $ended = {one.code} ] || {{ echo {told} "$ended"; exit 9; }}']
    return "\n".join(lines)


@pytest.mark.parametrize("page", ["quick-start", "maintainers-guide", "evaluators-guide", "agent-authors-guide"])
def test_a_guide_works_as_it_is_written(page: str, reader: dict[str, str]) -> None:
    work, shown = Path(reader["PWD"]), list(shown_in(CHECKOUT / "docs" / f"{page}.md"))
    for one in shown:
        if one.title:
            (work / one.title).parent.mkdir(parents=True, exist_ok=True)
            (work / one.title).write_text(one.text)
    if (work / "my-agent").is_dir():
        reader["PYTHONPATH"] = os.pathsep.join(
            [installed(work / "my-agent"), *filter(None, [reader.get("PYTHONPATH")])]
        )
    commands = [one for one in shown if not one.title]
    assert len(commands) > 5
    done = subprocess.run(
        ["bash", "-c", script(commands)], cwd=work, env=reader, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
