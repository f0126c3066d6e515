"""Notebooks as one program: code cells in order, without what is not Python.

The one idea: a line that is not Python (a magic, a shell command) is replaced by one that is and as long, so that lines
keep their numbers; a shell command stays as a string in a call, for whoever reads commands.
"""

from __future__ import annotations

import re
from typing import Any

import orjson

_MAGIC = re.compile(r"^(\s*)([%!?]|.*\?\s*$)")
_SHELL_CELL = re.compile(r"^\s*%%(bash|sh|script|system|cmd)\b")
_OTHER_CELL = re.compile(r"^\s*%%(?!time|timeit|capture|prun|memit)\w+")
_ASSIGNED = re.compile(r"^(\s*)([\w, ]+)=\s*[!%]")
MAX_CELLS = 5_000


def notebook_source(text: str) -> tuple[str, tuple[int, ...]]:
    """The Python of a notebook, and the line at which each code cell begins.

    Raises ValueError where it is no notebook.
    """
    lines: list[str] = []
    starts: list[int] = []
    for cell in _cells(orjson.loads(text)):
        starts.append(len(lines) + 1)
        lines.extend(_python(cell))
    return "\n".join(lines) + "\n", tuple(starts)


def notebook_commands(text: str) -> list[tuple[int, str]]:
    """The shell commands of a notebook with their lines in :func:`notebook_source`."""
    found: list[tuple[int, str]] = []
    number = 0
    for cell in _cells(orjson.loads(text)):
        shell = bool(cell) and bool(_SHELL_CELL.match(cell[0]))
        for place, line in enumerate(cell):
            number += 1
            stripped = line.strip()
            if (shell and place) or stripped.startswith(("!", "%run ", "%sx ")):
                command = stripped.removeprefix("%sx").lstrip("!")
                found.append((number, f"python {command[5:]}" if command.startswith("%run ") else command))
    return found


def _cells(notebook: Any) -> list[list[str]]:
    if not isinstance(notebook, dict):
        raise ValueError("not a notebook")  # noqa: TRY004 -- content of a file, not a wrong call
    sheets = notebook.get("worksheets")
    cells = notebook.get("cells")
    if cells is None and isinstance(sheets, list):
        cells = [cell for sheet in sheets if isinstance(sheet, dict) for cell in sheet.get("cells") or ()]
    found: list[list[str]] = []
    for cell in (cells if isinstance(cells, list) else [])[:MAX_CELLS]:
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        source = cell.get("source", cell.get("input", ""))
        text = "".join(map(str, source)) if isinstance(source, list) else str(source)
        found.append(text.splitlines())
    return found


def _python(cell: list[str]) -> list[str]:
    first = next((line for line in cell if line.strip()), "")
    if _OTHER_CELL.match(first):
        return ["pass"] * len(cell)
    return [_line(line) for line in cell]


def _line(line: str) -> str:
    if assigned := _ASSIGNED.match(line):
        return f"{assigned[1]}{assigned[2]}= None"
    if (magic := _MAGIC.match(line)) and not line.lstrip().startswith("#"):
        return f"{magic[1]}pass"
    return line
