"""What holds for every command there is, found by walking the command tree."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from nature_gym.cli.main import app

COMMAND = Path(sys.executable).with_name("naturegym")


def commands(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, command in sorted(group.commands.items()):
        here = (*path, name)
        if hasattr(command, "commands"):
            if command.invoke_without_command:
                yield here, command
            yield from commands(command, here)
        else:
            yield here, command


EVERY = dict(commands(typer.main.get_command(app)))
NAMES = [pytest.param(path, id=" ".join(path)) for path in EVERY]


@pytest.mark.parametrize("path", NAMES)
def test_a_command_has_help_with_an_example_and_json(path: tuple[str, ...]) -> None:
    result = CliRunner().invoke(app, [*path, "--help"], env={"COLUMNS": "200", "TERM": "dumb"})
    assert result.exit_code == 0
    assert f"Example:  naturegym {path[0]}" in result.output or f"naturegym {' '.join(path)}" in result.output
    assert "Example:" in result.output
    assert "--json" in result.output


@pytest.mark.parametrize("path", NAMES)
def test_a_command_and_each_of_its_options_says_what_it_is_for(path: tuple[str, ...]) -> None:
    command = EVERY[path]
    assert command.help
    assert [option.name for option in command.params if option.name != "help" and not option.help] == []


@pytest.mark.parametrize("path", NAMES)
def test_an_unknown_option_is_a_usage_error(path: tuple[str, ...]) -> None:
    assert CliRunner().invoke(app, [*path, "--no-such-option"]).exit_code == 2


def modules_loaded_by(*argv: str) -> set[str]:
    """The top-level modules that are in memory when the command has run."""
    program = (
        "import sys, contextlib, io\n"
        "from nature_gym.cli.main import main\n"
        f"sys.argv = ['naturegym', *{list(argv)!r}]\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
        "    main()\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


HEAVY = {"prefect", "sqlalchemy", "sqlmodel", "alembic", "numpy", "sklearn", "starlette", "uvicorn", "docker", "pyalex"}


def test_help_loads_nothing_heavy() -> None:
    assert modules_loaded_by("--help") & (HEAVY | {"pydantic", "requests"}) == set()


def test_showing_a_paper_loads_neither_prefect_nor_the_database(naturegym_home: Path) -> None:
    (naturegym_home / "papers" / "10.5555_a").mkdir(parents=True)
    assert modules_loaded_by("paper", "show", "10.5555_a") & HEAVY == set()


def processor_seconds(argv: list[str], runs: int = 5) -> float:
    """What the command costs at its best of several runs, in processor time: waiting for others is not its fault."""
    costs = []
    for _ in range(runs):
        process = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
        costs.append(usage.ru_utime + usage.ru_stime)
    return min(costs)


@pytest.mark.parametrize(("argv", "most"), [(["--help"], 0.4), (["paper", "show", "10.5555_a"], 0.6)])
def test_a_command_line_answers_at_once(naturegym_home: Path, argv: list[str], most: float) -> None:
    (naturegym_home / "papers" / "10.5555_a").mkdir(parents=True)
    assert processor_seconds([str(COMMAND), *argv]) < most
