"""What metadata.json, README.md and evaluator.py each say of instances, metrics and files, with the place.

The idea: several places of a package say the same thing, and every team writes them another way. Here each is read on
its own and as widely as people write it; whether they agree is for the checks.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from checks.documents import Block, Document, Section
from checks.package import DATA, EVALUATOR, METADATA, README, CheckedPackage
from nature_gym.syntax import tree_of

_BETTER = r"{0}(?: value\w*| score\w*)?(?: is| are|_is_)?[ _]?better|the {0}|\|\s*{0}\s*(?=\|)"
HIGHER = re.compile(_BETTER.format("(?:higher|larger|max)") + "|maximi[sz]|↑", re.IGNORECASE)
LOWER = re.compile(_BETTER.format("(?:lower|smaller|min)") + "|minimi[sz]|↓", re.IGNORECASE)
INSTANCE_LISTS = ("INSTANCES", "DATASETS", "INSTANCE_NAMES", "TASKS", "DATASET_NAMES")
METRIC_LISTS = ("METRIC_NAMES", "METRICS", "METRICS_BY_INSTANCE", "INSTANCE_METRICS")
NOT_METRICS = {
    "name", "definition", "direction", "range", "formula", "note", "notes", "description", "unit", "units", "type",
    "aggregation", "details", "interpretation", "computation", "baseline", "reference", "instances", "applies to",
}  # fmt: skip
FILE = re.compile(
    r"[\w{}<>*.-]{1,120}\.(?:npy|npz|csv|tsv|json|jsonl|h5ad|h5|hdf5|fasta|fa|smi|sdf|pdb|cif|txt|parquet|pkl|pt|mtx|xyz|nii|tif|tiff|png|zip|mat)(?:\.gz)?\b"
)


@dataclass(frozen=True, slots=True)
class Named:
    """A name that a file gives, and where."""

    name: str
    file: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class MetricFact:
    """A metric of an instance in metadata.json; ``path`` leads to its object there."""

    instance: str
    name: str
    primary: bool
    direction: str
    entry: dict[str, Any]
    path: tuple[str | int, ...]


def metadata_metrics(package: CheckedPackage) -> list[MetricFact]:
    """Every metric of every instance that metadata.json has, as far as it is well formed."""
    found = []
    for place, entry in enumerate(_list(package.metadata.get("performance_entries"))):
        for index, metric in enumerate(_list(entry.get("metrics"))):
            if isinstance(metric.get("name"), str):
                path = ("performance_entries", place, "metrics", index)
                instance, direction = str(entry.get("dataset_name", "")), str(metric.get("metric_direction", ""))
                found.append(
                    MetricFact(instance, metric["name"], metric.get("is_primary") is True, direction, metric, path)
                )
    return found


def metadata_instances(package: CheckedPackage) -> list[Named]:
    """The data sets of metadata.json."""
    found = []
    for place, entry in enumerate(_list(package.metadata.get("performance_entries"))):
        if isinstance(entry.get("dataset_name"), str):
            line, column = at(package, ("performance_entries", place, "dataset_name"))
            found.append(Named(entry["dataset_name"], METADATA, line, column))
    return found


def at(package: CheckedPackage, path: tuple[str | int, ...]) -> tuple[int, int]:
    """Line and column of a value of metadata.json, or of what it would stand in."""
    while path and path not in package.metadata_lines:
        path = path[:-1]
    return package.metadata_lines.get(path, (1, 1))


def _list(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


# -- README ----------------------------------------------------------------------------------


def entry_blocks(document: Document) -> Iterator[tuple[Block, ast.Module]]:
    """The blocks of code that are Python."""
    for block in document.blocks:
        if block.language.partition(" ")[0] in ("", "python", "py", "python3"):
            try:
                yield block, tree_of(block.text)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue


def readme_instances(package: CheckedPackage) -> tuple[list[Named], int]:
    """The INSTANCES that the README's template lists, and the line of the list; line 0 where there is none."""
    for block, tree in entry_blocks(package.document(README)):
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if any(isinstance(target, ast.Name) and target.id == "INSTANCES" for target in targets):
                    line = block.line + node.lineno - 1
                    items = node.value.keys if isinstance(node.value, ast.Dict) else getattr(node.value, "elts", [])
                    return [
                        Named(one.value, README, block.line + one.lineno - 1, one.col_offset + 1)
                        for one in items
                        if isinstance(one, ast.Constant) and isinstance(one.value, str)
                    ], line
    return [], 0


def metrics_section(document: Document) -> Section | None:
    """Section 4 of the README."""
    return document.section(r"evaluation metrics?|^4\.\s")


def readme_metrics(document: Document) -> list[Named]:
    """The metrics that section 4 names: after "Name", as bold words of lists, in tables that are of metrics."""
    section = metrics_section(document)
    if section is None:
        return []
    found = []
    for number in range(section.start, min(section.end, len(document.lines) + 1)):
        line = document.lines[number - 1]
        match = re.match(r"\s*(?:[-*+]\s+)?(?:\*\*|__)?Name(?:\*\*|__)?\s*:\s*(?:\*\*|__)?\s*(.+?)\s*$", line)
        match = match or re.match(r"\s*[-*+]\s+(?:\*\*|__)([^*]+?)(?:\*\*|__)", line)
        if match and (name := _metric_name(match[1])):
            found.append(Named(name, README, number, max(line.find(name), 0) + 1))
    found += _table_metrics(document, section)
    return found


def _table_metrics(document: Document, section: Section) -> Iterator[Named]:
    of_metrics = False
    for row in document.rows:
        if section.holds(row.line) and row.cells:
            if row.heading:
                of_metrics = bool(re.search(r"metric|^name$", row.cells[0], re.IGNORECASE))
            elif of_metrics and (name := _metric_name(row.cells[0])):
                yield Named(name, README, row.line, max(document.lines[row.line - 1].find(name), 0) + 1)


def _metric_name(text: str) -> str:
    name = re.sub(r"^[`*_]+|[`*_:.]+$", "", text.strip()).strip()
    return "" if name.casefold() in NOT_METRICS or len(name) > 80 else name


def mentions(name: str, text: str) -> int:
    """Where ``name`` stands in ``text`` as words of their own, case included; -1 where it does not."""
    match = re.search(rf"(?<![\w]){re.escape(name)}(?![\w])", text)
    return match.start() if match else -1


def output_section(document: Document) -> Section | None:
    """Section 5 of the README."""
    return document.section(r"output format|^5\.\s")


def readme_outputs(package: CheckedPackage) -> list[Named]:
    """The files that section 5 asks for, by their names; a place holder in a name stands as it is.

    From a table of files, else from paths below ``output/``, else whatever file it names that is no data file.
    """
    document = package.document(README)
    section = output_section(document)
    if section is None:
        return []
    tabled: dict[str, Named] = {}
    of_files = False
    for row in document.rows:
        if section.holds(row.line) and row.cells:
            if row.heading:
                of_files = bool(re.search(r"file|path|output", row.cells[0], re.IGNORECASE))
            for match in FILE.finditer(row.cells[0]) if of_files and not row.heading else ():
                tabled.setdefault(match[0], _named(document, match[0], row.line))
    below: dict[str, Named] = {}
    others: dict[str, Named] = {}
    data = {name.rpartition("/")[2] for name in package.below(DATA)}
    for number in range(section.start, min(section.end, len(document.lines) + 1)):
        line = document.lines[number - 1]
        for match in FILE.finditer(line):
            one = Named(match[0], README, number, match.start() + 1)
            if re.search(r"(?:outputs?|OUTPUT_DIR\}?)/(?:[^\s`/]+/)*$", line[: match.start()]):
                below.setdefault(match[0], one)
            elif match[0] not in data:
                others.setdefault(match[0], one)
    return list((tabled or below or others).values())


def _named(document: Document, name: str, line: int) -> Named:
    return Named(name, README, line, max(document.lines[line - 1].find(name), 0) + 1)


# -- evaluator -------------------------------------------------------------------------------


def constant_list(package: CheckedPackage, names: tuple[str, ...]) -> tuple[str, list[str], int]:
    """The first constant of those names that is a list of texts or a mapping from texts: (its name, them, its line)."""
    for name in names:
        value = package.followed.globals.get(name)
        found = _texts(value)
        if found:
            return name, found, _assigned(package, name)
    return "", [], 1


def evaluator_instances(package: CheckedPackage) -> tuple[list[str], int]:
    """The instances that the evaluator goes through; none where it lists a folder instead."""
    _, found, line = constant_list(package, INSTANCE_LISTS)
    return found, line


def evaluator_metrics(package: CheckedPackage) -> tuple[list[str], int]:
    """The metrics that the evaluator lists; none where it has no such list."""
    value: Any = None
    for name in METRIC_LISTS:
        value = package.followed.globals.get(name)
        if isinstance(value, dict) and value and all(isinstance(one, list | tuple | dict) for one in value.values()):
            inner = [name for one in value.values() for name in _texts(one)]
            if inner:
                return list(dict.fromkeys(inner)), _assigned(package, name)
        if found := _texts(value):
            return found, _assigned(package, name)
    return [], 1


def _texts(value: Any) -> list[str]:
    if isinstance(value, list | tuple) and value and all(isinstance(one, dict) for one in value):
        value = [one.get("name") for one in value]
    items = list(value) if isinstance(value, dict | list | tuple) else []
    return [str(one) for one in items] if items and all(isinstance(one, str) for one in items) else []


def _assigned(package: CheckedPackage, name: str) -> int:
    tree = package.code(EVALUATOR).tree
    for node in tree.body if tree else ():
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return node.lineno
    return 1


def evaluator_texts(package: CheckedPackage) -> dict[str, tuple[int, int]]:
    """Every text constant of the evaluator with its first place; names of keyword arguments count, too."""
    found: dict[str, tuple[int, int]] = {}
    for node in package.evaluator_nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.setdefault(node.value, (node.lineno, node.col_offset + 1))
        elif isinstance(node, ast.keyword) and node.arg:
            found.setdefault(node.arg, (node.value.lineno, node.value.col_offset + 1))
    return found


def evaluator_attributes(package: CheckedPackage) -> set[str]:
    """Every name that stands behind a dot in the evaluator: a table's column may be asked for so."""
    return {node.attr for node in package.evaluator_nodes if isinstance(node, ast.Attribute)}
