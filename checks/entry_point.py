"""C3.5: the template of run.py in section 6, read as the Python that it is and never run."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from checks.facts import entry_blocks
from checks.model import Finding, Level
from checks.package import README, CheckedPackage
from checks.registry import Skip, check

LOADS = re.compile(r"(?:load|read|open|imread|fromfile|genfromtxt|parse|File|iterdir|glob|rglob|listdir)")
TO_DO = re.compile(
    r"#.*(?:\bTODO\b|\bFIXME\b|\byour\b|\bimplement|\bload|\bread\b|place-?holder|\.\.\.)", re.IGNORECASE
)
PLACE_HOLDER = re.compile(
    r"\.\.\.|…|<|\bTODO\b|^(?:your|instance)[ _-](?:name|instance)s?(?:[ _-]here)?$", re.IGNORECASE
)


@check("C3.5", reads=(README,))
def entry_point(package: CheckedPackage) -> Iterator[Finding]:
    """Section 6 has a template with a filled INSTANCES list, and loads data.

    Where a comment leaves the loading to the reader, and DATA_DIR says from where, that is a matter of taste.

    Passes: INSTANCES = ["a", "b"] and a loop that reads DATA_DIR / instance / "train.csv".
    Fails: INSTANCES = []; INSTANCES = [...]; a template that is not Python, or neither reads nor uses DATA_DIR.
    Warns: "# TODO: load the data" below DATA_DIR, and nothing that does.
    Mend: write the instances, and how their data are read.
    """
    document = package.document(README)
    section = document.section(r"submission|^6\.\s")
    if section is None:
        raise Skip(f"{README} has no section 6 (C3.3)")
    blocks = [block for block in document.blocks if section.holds(block.line)]
    parsed = [(block, tree) for block, tree in entry_blocks(document) if section.holds(block.line)]
    if not parsed:
        message = "section 6 has no Python template" if not blocks else "the template is not Python"
        line = blocks[0].line if blocks else section.start
        yield Finding(file=README, line=line, text=section.title, message=message, hint="Write run.py there.")
        return
    first = parsed[0][0].line
    lists = [(block.line + node.lineno - 1, value) for block, tree in parsed for node, value in _instances(tree)]
    for line, value in lists:
        if not _is_filled(value):
            hint = "Write the name of each instance."
            yield Finding(file=README, line=line, text="INSTANCES", message="INSTANCES is not filled", hint=hint)
    if not lists:
        yield Finding(file=README, line=first, message="the template has no INSTANCES", hint="List the instances.")
    if not any(_loads(tree) for _, tree in parsed):
        left = next(((block, place) for block, _ in parsed if (place := _left_to_do(block.text)) >= 0), None)
        level: Level = "warn" if left else "fail"
        line = left[0].line + left[1] if left else first
        message, hint = "the template loads no data", "Show how data are read."
        yield Finding(file=README, line=line, message=message, hint=hint, level=level)


def _instances(tree: ast.Module) -> Iterator[tuple[ast.stmt, ast.expr]]:
    """Where INSTANCES is assigned, and what."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(one, ast.Name) and one.id == "INSTANCES" for one in targets):
                yield node, node.value


def _is_filled(value: ast.expr) -> bool:
    """Whether a list has the names of instances, and nothing that stands for them."""
    items = value.keys if isinstance(value, ast.Dict) else getattr(value, "elts", [])
    names = [one.value for one in items if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    named = all(re.search(r"\w", name) and not PLACE_HOLDER.search(name) for name in names)
    return bool(items) and len(names) == len(items) and named


def _loads(tree: ast.Module) -> bool:
    """Whether a template calls what reads; a function of its own reads by what is in it."""
    own = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if LOADS.match(name) and name not in own:
                return True
    return False


def _left_to_do(text: str) -> int:
    """The line, from 0, whose comment leaves the loading to the reader of a template with DATA_DIR; -1 where none."""
    if not re.search(r"data_?dir", text, re.IGNORECASE):
        return -1
    return next((number for number, line in enumerate(text.split("\n")) if TO_DO.search(line)), -1)
