"""What an agent has to hand in, read out of section 5 of a README: its tables, lists and paths.

The idea: every style names the files in code or in a path below ``output/``; tables whose first heading is *Column*
belong to the file that was named last.
"""

from __future__ import annotations

import re
from typing import Any

FORMATS = {"npy", "csv", "json", "npz", "fasta", "smi", "pdb", "h5ad", "txt"}
_PATH = re.compile(
    r"`(?:/?output/)?(?:[{<]?[\w.-]+[}>]?/)?([\w.-]+\.(\w{2,5}))`|output/(?:[{<]?[\w.-]+[}>]?/)?([\w.-]+\.(\w{2,5}))"
)
_PLAIN = re.compile(r"(?:output/)?(?:[{<]?[\w.-]+[}>]?/)?([\w.-]+\.(\w{2,5}))")
_EACH_ID = re.compile(r"[Ee]ach id of `([^`]+)`")
DTYPES = {"float": "float", "float64": "float", "float32": "float", "number": "float", "int": "int", "int64": "int",
          "integer": "int", "string": "string", "str": "string", "bool": "bool", "boolean": "bool"}  # fmt: skip


def described_answers(text: str) -> list[dict[str, Any]]:
    """Each file that has to be handed in, as an answer of ``task.yaml``, in the order in which they are named."""
    found: dict[str, dict[str, Any]] = {}
    columns: dict[str, list[dict[str, Any]]] = {}
    last = ""
    heading: list[str] = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        is_row = line.lstrip().startswith("|")
        if not is_row:
            heading = []
        elif not heading:
            heading = [cell.casefold() for cell in cells]
        elif last and heading[0] in ("column", "field", "key") and not set(cells[0]) <= set(":- "):
            columns.setdefault(last, []).append(_column(heading, cells))
            continue
        for name, kind in _files(line, cells[0] if is_row else ""):
            last = name
            found.setdefault(name, {"file": name, "format": kind, "rows": "free"})
        if last and (match := _EACH_ID.search(line)):
            found[last]["id"] = match[1]
    for name, answer in found.items():
        if answer["format"] == "csv" or columns.get(name):
            answer["columns"] = columns.get(name) or [{"name": "value"}]
        if answer.get("id") not in {column["name"] for column in answer.get("columns", ())}:
            answer.pop("id", None)
    return list(found.values())


def _files(line: str, first: str) -> list[tuple[str, str]]:
    """The files that a line names: in code or as a path, or plainly in the first cell of a row."""
    named = [(match[1] or match[3], (match[2] or match[4]).lower()) for match in _PATH.finditer(line)]
    if first and not named and (plain := _PLAIN.fullmatch(first)):
        named = [(plain[1], plain[2].lower())]
    return [(name, kind) for name, kind in named if kind in FORMATS and name not in ("score.json", "README.md")]


def _column(heading: list[str], cells: list[str]) -> dict[str, Any]:
    by_name = dict(zip(heading, cells, strict=False))
    dtype = DTYPES.get(by_name.get("dtype", by_name.get("type", "")).strip("`").casefold(), "float")
    return {"name": cells[0].strip("`"), "dtype": dtype}
