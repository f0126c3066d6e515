"""The evaluator of a package: its constants from the task and the data, its code from tested functions alone.

The idea: every text of a task goes through :func:`literal` into a Python constant, so that none can become code.
Everything else in ``evaluator.py`` is source that is tested here: the registry's metrics, and
:mod:`nature_gym.packaging.grading`. The one exception is said so in the task: its own metrics file, which is read,
checked to do nothing but import and define, and taken as it is.
"""

from __future__ import annotations

import ast
import functools
import inspect
import keyword
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nature_gym.errors import UsageError
from nature_gym.metrics import source
from nature_gym.metrics.registry import resolve
from nature_gym.packaging import grading
from nature_gym.packaging.faults import BuildError
from nature_gym.packaging.measure import Measured
from nature_gym.packaging.specification import Answer, Instance, MetricUse, TaskSpecification
from nature_gym.packaging.templates import render
from nature_gym.syntax import tree_of

OWN = "task:"
KEYED = ("csv", "json", "npz", "h5ad")
"""Formats in which an answer has columns or keys."""
WITH_IDS = ("csv", "json", "fasta")
WHOLE_INPUT = ("multitarget", "ranking", "distribution")
"""Families that look after missing values themselves, or have rows that do not pair."""


@dataclass(frozen=True, slots=True)
class InstanceData:
    """What was measured of an instance: its visible files and its references, by path below its folder."""

    visible: Mapping[str, Measured]
    hidden: Mapping[str, Measured]


def contracts_of(task: TaskSpecification, data: Mapping[str, InstanceData]) -> dict[str, dict[str, Any]]:
    """The contract of each instance. Raises BuildError where the task does not fit the data."""
    return {instance.name: contract(instance, data[instance.name]) for instance in task.instances}


def evaluator_source(
    task: TaskSpecification, contracts: Mapping[str, dict[str, Any]], metrics_file: Path | None
) -> str:
    """The text of ``evaluation/evaluator.py``. Raises BuildError for a metric that cannot be taken."""
    uses = [use for instance in task.instances for use in instance.metrics]
    merged = _Merged()
    merged.add(source.take({use.metric for use in uses if not use.metric.startswith(OWN)}))
    for name in sorted({use.metric.removeprefix(OWN) for use in uses if use.metric.startswith(OWN)}):
        if metrics_file is None:
            raise BuildError(f"metric task:{name} needs a metrics_file", hint="Name the task's own file with metrics.")
        merged.add(source.take_file(metrics_file, name))
    metrics = "\n\n".join(merged.definitions.values())
    before = set(merged.definitions)
    merged.add(_grading(frozenset(_kinds(contracts))))
    merged.add(source.Source(("import json", "import os", "from pathlib import Path", "from typing import Any"), ""))
    own = "\n\n".join(text for name, text in merged.definitions.items() if name not in before)
    names = {instance.name: [use.name for use in instance.metrics] for instance in task.instances}
    same = len({tuple(one) for one in names.values()}) == 1
    return render(
        "package/evaluator.py.j2",
        imports="\n".join(merged.import_lines()),
        instances=literal([instance.name for instance in task.instances]),
        metric_names=literal(next(iter(names.values())) if same else names),
        contracts=literal(contracts),
        metrics=metrics,
        functions=_functions({_function(use.metric) for use in uses}),
        grading=own,
    )


def _functions(names: Iterable[str]) -> str:
    """A mapping of names to functions, as source; the names are those of functions that were taken."""
    return "{" + ", ".join(f"{literal(name)}: {name}" for name in sorted(names)) + "}"


def _function(metric: str) -> str:
    name = metric.removeprefix(OWN) if metric.startswith(OWN) else resolve(metric)[0].name
    if not name.isidentifier() or keyword.iskeyword(name):
        raise BuildError(f"{metric!r} names no function", hint="A metric of the task's own is 'task:<function>'.")
    return name


# -- contracts -------------------------------------------------------------------------------


def contract(instance: Instance, data: InstanceData) -> dict[str, Any]:
    """What the evaluator has to know of an instance, as plain values. Raises BuildError."""
    answers = {answer.file: answer for answer in instance.answer}
    uses = []
    for use in instance.metrics:
        try:
            uses.append(_use(use, instance, answers, data))
        except BuildError as error:
            raise BuildError(f"{instance.name}: {use.name}: {error.message}", hint=error.hint) from error
    scorer: list[str] | None = None
    if instance.reference.scorer is not None:
        file, _, function = instance.reference.scorer.rpartition(":")
        if file not in data.hidden or not function.isidentifier():
            raise BuildError(
                f"{instance.name}: there is no scorer {instance.reference.scorer!r} among the references",
                hint="Write it as <file>:<function>, and make the file among reference.files.",
            )
        scorer = [file, function]
    return {
        "answers": {
            file: _form(answer, [use for use in uses if use["prediction"][0] == file], data, instance.name)
            for file, answer in answers.items()
        },
        "metrics": uses,
        "scorer": scorer,
    }


def _use(use: MetricUse, instance: Instance, answers: Mapping[str, Answer], data: InstanceData) -> dict[str, Any]:
    columns = {file: [column.name for column in answer.columns] for file, answer in answers.items()}
    file, keys = _selected(use.prediction, columns, "answer")
    answer = answers[file]
    dtypes = {column.name: column.dtype for column in answer.columns}
    options, family = _options(use)
    reference: list[Any] | None = None
    if use.reference:
        known = {name: [column.name for column in measured.columns] for name, measured in data.hidden.items()}
        name, wanted = _selected(use.reference, known, "reference")
        has_ids = answer.id is not None and (answer.id in known[name] or name == answer.ids_of)
        if not wanted and data.hidden[name].kind in ("csv", "tsv"):
            wanted = [column for column in known[name] if column != answer.id]
        reference = [name, wanted, has_ids and bool(wanted)]
    elif family and resolve(use.metric)[0].reference and instance.reference.scorer is None:
        raise BuildError(f"{use.metric} compares with a reference, and none is named", hint="Name a reference file.")
    chosen = keys or [column for column in columns[file] if column != answer.id]
    return {
        "name": use.name,
        "function": _function(use.metric),
        "prediction": [file, keys],
        "reference": reference,
        "options": options,
        "missing": "drop" if reference and family and family not in WHOLE_INPUT else "pass",
        "text": bool(chosen) and all(dtypes[name] == "string" for name in chosen) and answer.format in KEYED,
    }


def _selected(selection: str, known: Mapping[str, list[str]], what: str) -> tuple[str, list[str]]:
    """The file and the columns that ``file:column,column`` names; names may themselves hold colons and commas."""
    for file in sorted(known, key=len, reverse=True):
        if selection == file:
            return file, []
        if selection.startswith(f"{file}:"):
            rest = selection[len(file) + 1 :]
            keys = [rest] if rest in known[file] else [part.strip() for part in rest.split(",")]
            if missing := [key for key in keys if key not in known[file]]:
                columns = ", ".join(known[file][:12])
                raise BuildError(f"{file} has no column {missing[0]!r}", hint=f"It has: {columns}.")
            return file, keys
    raise BuildError(
        f"{selection!r} names no file of the {what}", hint=f"There are: {', '.join(sorted(known)) or 'none'}."
    )


def _options(use: MetricUse) -> tuple[dict[str, Any], str]:
    """The parameters of a metric, those that its name gives included, and its family ('' for the task's own)."""
    given = {name: list(value) if isinstance(value, tuple) else value for name, value in use.options.items()}
    if use.metric.startswith(OWN):
        return given, ""
    try:
        metric, named = resolve(use.metric)
    except UsageError as error:
        raise BuildError(error.message, hint=error.hint) from error
    if metric.direction != use.direction:
        raise BuildError(f"{metric.name} is {metric.direction}, not {use.direction}", hint="Correct the direction.")
    if unknown := sorted(given.keys() - metric.parameters.keys()):
        takes = ", ".join(metric.parameters) or "none"
        raise BuildError(f"{metric.name} has no parameter {unknown[0]!r}", hint=f"Its parameters: {takes}.")
    return {**named, **given}, metric.family


def _form(answer: Answer, uses: list[dict[str, Any]], data: InstanceData, instance: str) -> dict[str, Any]:
    """How an answer has to be."""
    if answer.id is not None and answer.format not in WITH_IDS:
        raise BuildError(
            f"{instance}: {answer.file} has an id, and {answer.format} has no place for one",
            hint="Use csv, json or fasta, or follow the order of a visible file.",
        )
    if answer.id is not None and answer.ids_of not in data.hidden:
        raise BuildError(f"{instance}: ids_of of {answer.file} is no reference file", hint="Name one of them.")
    if answer.format == "csv" and not answer.columns:
        raise BuildError(f"{instance}: {answer.file} needs columns", hint="Say what columns the table has.")
    shape: list[Any] = list(answer.shape) or (["n"] if answer.format == "npy" else [])
    texts = answer.format in ("fasta", "smi", "txt")
    keys = [column.name for column in answer.columns if column.name != answer.id] if answer.format in KEYED else []
    return {
        "format": answer.format,
        "dtype": "string" if texts else "float64" if answer.format == "pdb" else answer.dtype,
        "shape": shape,
        "columns": [
            {
                "name": column.name,
                "dtype": column.dtype,
                "least": column.least,
                "most": column.most,
                "values": None if column.values is None else list(column.values),
                "missing_allowed": column.missing_allowed,
            }
            for column in answer.columns
            if column.name in keys and answer.format in ("csv", "json")
        ],
        "keys": keys,
        "id": answer.id,
        "ids_of": answer.ids_of if answer.id is not None else None,
        "rows": rows_of(answer, uses, data),
        "least": answer.least,
        "most": answer.most,
        "finite": answer.finite,
    }


def rows_of(answer: Answer, uses: list[dict[str, Any]], data: InstanceData) -> int | None:
    """How many rows an answer has to have; None where any number does, or its ids say it."""
    if isinstance(answer.rows, int):
        return answer.rows
    if answer.rows == "free" or answer.id is not None:
        return None
    if answer.aligned_with is not None:
        if answer.aligned_with not in data.visible:
            raise BuildError(
                f"{answer.file} is aligned with {answer.aligned_with}, which is no visible file",
                hint=f"There are: {', '.join(data.visible)}.",
            )
        return data.visible[answer.aligned_with].rows
    files = [use["reference"][0] for use in uses if use["reference"]]
    return data.hidden[files[0]].rows if files else None


# -- source ----------------------------------------------------------------------------------


def literal(value: Any, indent: int = 0) -> str:
    """A value of plain types as Python source: what ``ast.literal_eval`` reads back, short things on one line."""
    if isinstance(value, dict):
        parts = [f"{literal(key)}: {literal(entry, indent + 4)}" for key, entry in value.items()]
        opening, closing = "{", "}"
    elif isinstance(value, list):
        parts = [literal(entry, indent + 4) for entry in value]
        opening, closing = "[", "]"
    else:
        return repr(value)
    line = ", ".join(parts)
    if len(line) + indent < 90 and "\n" not in line:
        return f"{opening}{line}{closing}"
    inner = "".join(f"{' ' * (indent + 4)}{part},\n" for part in parts)
    return f"{opening}\n{inner}{' ' * indent}{closing}"


@dataclass(slots=True)
class _Merged:
    """Several sources as one: imports together, each definition once."""

    imports: dict[str, tuple[str, str]] = field(default_factory=dict)
    definitions: dict[str, str] = field(default_factory=dict)

    def add(self, taken: source.Source) -> None:
        """Raises BuildError where two sources define different things under one name."""
        for node in tree_of("\n".join(taken.imports)).body:
            for alias in getattr(node, "names", ()):
                if isinstance(node, ast.ImportFrom):
                    self._import(alias.asname or alias.name, (node.module or "", alias.name))
                else:
                    self._import(alias.asname or alias.name.partition(".")[0], (alias.name, ""))
        lines = taken.definitions.splitlines()
        for node in tree_of(taken.definitions).body:
            first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))]) - 1
            text = "\n".join(lines[first : node.end_lineno]) + "\n"
            name = _defined(node)
            if self.definitions.setdefault(name, text) != text or name in self.imports:
                raise BuildError(f"{name} is defined twice, differently", hint="Rename it in the task's metrics file.")

    def _import(self, name: str, what: tuple[str, str]) -> None:
        if self.imports.setdefault(name, what) != what or name in self.definitions:
            raise BuildError(f"{name} is imported from two places", hint="Rename it in the task's metrics file.")

    def import_lines(self) -> list[str]:
        """Statements, those of the standard library first."""
        groups: tuple[list[str], list[str]] = ([], [])
        for module in sorted({module for module, _ in self.imports.values()}):
            lines = groups[module.partition(".")[0] not in sys.stdlib_module_names]
            own = sorted((original, name) for name, (origin, original) in self.imports.items() if origin == module)
            for original, name in own:
                if not original:
                    lines.append(f"import {module}" + ("" if name == module.partition(".")[0] else f" as {name}"))
            if single := [one if one == name else f"{one} as {name}" for one, name in own if one]:
                lines.append(f"from {module} import {', '.join(single)}")
        return [*groups[0], "", *groups[1]] if all(groups) else groups[0] + groups[1]


def _defined(node: ast.stmt) -> str:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    return target.id if isinstance(target, ast.Name) else ast.dump(node)


def _kinds(contracts: Mapping[str, dict[str, Any]]) -> set[str]:
    """How the files that an evaluator reads are to be read."""
    kinds = set()
    for one in contracts.values():
        for form in one["answers"].values():
            kinds |= {form["format"], *([grading.file_kind(form["ids_of"])] if form["ids_of"] else [])}
        kinds |= {grading.file_kind(use["reference"][0]) for use in one["metrics"] if use["reference"]}
    if unknown := sorted(kinds - grading.READERS.keys()):
        raise BuildError(
            f"no evaluator reads .{unknown[0]}", hint=f"Convert that file to one of: {', '.join(grading.READERS)}."
        )
    return kinds


@functools.cache
def _grading(kinds: frozenset[str]) -> source.Source:
    """The source of :mod:`nature_gym.packaging.grading` that grading files of ``kinds`` needs."""
    text = inspect.getsource(grading)
    lines = text.splitlines()
    nodes = {_defined(node): node for node in tree_of(text).body if not isinstance(node, ast.Import | ast.ImportFrom)}
    readers = {kind: grading.READERS[kind].__name__ for kind in sorted(kinds)}
    needed: set[str] = set()
    waiting = ["grade", *readers.values()]
    while waiting:
        name = waiting.pop()
        if name in nodes and name not in needed and name != "READERS":
            needed.add(name)
            waiting += {one.id for one in ast.walk(nodes[name]) if isinstance(one, ast.Name)}
    parts = [
        "\n".join(lines[node.lineno - 1 : node.end_lineno]) + "\n" for name, node in nodes.items() if name in needed
    ]
    table = ", ".join(f"{literal(kind)}: {name}" for kind, name in readers.items())
    parts.append(f"READERS = {{{table}}}\n")
    taken = source.Source((), "\n\n".join(parts))
    used = {one.id for one in ast.walk(tree_of(taken.definitions)) if isinstance(one, ast.Name)}
    return source.Source(tuple(_imports(text, used)), taken.definitions)


def _imports(text: str, used: set[str]) -> Iterable[str]:
    """The import statements at the top of a source whose names are used."""
    for node in tree_of(text).body:
        for alias in getattr(node, "names", ()):
            bound = alias.asname or alias.name.partition(".")[0]
            one = ast.alias(alias.name, alias.asname)
            if bound in used and isinstance(node, ast.Import):
                yield ast.unparse(ast.Import([one]))
            elif bound in used and isinstance(node, ast.ImportFrom):
                yield ast.unparse(ast.ImportFrom(node.module, [one], 0))
