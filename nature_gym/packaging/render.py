"""The documents of a package: words from the task, numbers from the data, structure from the templates.

Every function here is pure: equal tasks and equal data give equal bytes, whatever the machine, the clock and the order
in which a disk lists its files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from nature_gym.metrics.registry import resolve
from nature_gym.packaging.drawn_tree import tree
from nature_gym.packaging.evaluator import OWN, InstanceData, literal, rows_of
from nature_gym.packaging.faults import BuildError
from nature_gym.packaging.markdown import code, headings
from nature_gym.packaging.measure import Column, Measured, number_text
from nature_gym.packaging.specification import Answer, FieldNote, Instance, MadeFile, MetricUse, TaskSpecification
from nature_gym.packaging.templates import render

Data = Mapping[str, InstanceData]
README_SECTIONS = (
    "1. Scientific Problem", "2. Task Objective", "3. Dataset Information", "4. Evaluation Metrics",
    "5. Output Format", "6. Submission Guidelines",
)  # fmt: skip
DESCRIPTION_SECTIONS = (
    "1. Directory Structure",
    "2. Dataset Overview",
    "3. File Formats & Schemas",
    "4. Special Notes",
)
DIRECTIONS = {"higher_is_better": "Higher is better.", "lower_is_better": "Lower is better."}
ROLES = {
    "development": "Development data, to learn from.",
    "inputs": "Evaluation inputs, for which answers are asked.",
    "resource": "An external resource.",
    "scorer": "The code that scores an answer, free to be used.",
}
KINDS = {
    "csv": "Comma-separated table with a heading.", "tsv": "Tab-separated table with a heading.",
    "parquet": "Parquet table.", "jsonl": "One JSON object a line.", "json": "JSON.",
    "npy": "One array, read by `numpy.load`.", "npz": "Arrays by key, read by `numpy.load`.",
    "h5": "HDF5.", "h5ad": "AnnData, which is HDF5.", "py": "Python source.", "txt": "Text.",
}  # fmt: skip
LOADERS = (
    ((".csv",), "pandas.read_csv(path)", "pandas"),
    ((".tsv", ".tab"), 'pandas.read_csv(path, sep="\\t")', "pandas"),
    ((".parquet", ".pq"), "pandas.read_parquet(path)", "pandas"),
    ((".npy", ".npz"), "numpy.load(path)", "numpy"),
    ((".json",), "json.loads(path.read_text())", "json"),
    ((".h5ad",), "anndata.read_h5ad(path)", "anndata"),
    ((".txt", ".smi", ".fasta"), "path.read_text()", ""),
)
MOST_FILES = 40
NUMBERED = re.compile(r"^(.*?)(\d+)$")


# -- README ----------------------------------------------------------------------------------


def readme(task: TaskSpecification, data: Data) -> str:
    """``problem/README.md``. Raises BuildError where a text of the task would change its sections."""
    types: dict[str, list[Instance]] = {}
    for instance in task.instances:
        types.setdefault(instance.task_type, []).append(instance)
    text = render(
        "package/README.md.j2",
        task=task,
        instances=[_instance(instance, data[instance.name]) for instance in task.instances],
        primary=_metrics(types, primary=True),
        other=_metrics(types, primary=False),
        answers=_answers(task, data),
        details=_details(task),
        run_py=run_py(task, data),
    )
    _check_sections(text, README_SECTIONS, task.name, "README.md")
    return _tidy(text)


def _instance(instance: Instance, data: InstanceData) -> dict[str, Any]:
    shown = [
        f"{code(file)}" + (f" ({measured.rows:,} rows)" if measured.rows is not None else "")
        for file, measured in data.visible.items()
    ]
    more = f", and {len(shown) - MOST_FILES:,} more" if len(shown) > MOST_FILES else ""
    return {
        "name": instance.name,
        "about": instance.title or instance.name,
        "description": instance.description,
        "files": ", ".join(shown[:MOST_FILES]) + more,
    }


def _metrics(types: Mapping[str, Sequence[Instance]], *, primary: bool) -> list[dict[str, str]]:
    """Each metric once, with the instances that it is for where it is not for all."""
    everything = [instance.name for instances in types.values() for instance in instances]
    found: dict[tuple[str, str, str], list[str]] = {}
    for instances in types.values():
        for instance in instances:
            for use in instance.metrics:
                if use.primary is primary:
                    found.setdefault((use.name, definition(use), use.direction), []).append(instance.name)
    return [
        {
            "name": name,
            "definition": text,
            "direction": DIRECTIONS[direction],
            "instances": "" if names == everything else f" ({', '.join(code(one) for one in names)})",
        }
        for (name, text, direction), names in found.items()
    ]


def definition(use: MetricUse) -> str:
    """What a metric is, in the task's words or the registry's, as one sentence."""
    text = use.definition
    if not text and not use.metric.startswith(OWN):
        metric, given = resolve(use.metric)
        parameters = {**given, **use.options}
        text = f"{metric.title}: {metric.formula}"
        if parameters:
            text += f" ({', '.join(f'{name} = {value}' for name, value in sorted(parameters.items()))})"
    text = " ".join((text or use.name).split())
    unit = f" In {use.unit}." if use.unit else ""
    return (text if text.endswith((".", "!", "?")) else f"{text}.") + unit


def _answers(task: TaskSpecification, data: Data) -> list[dict[str, str]]:
    """One line for each file to be written; instances that want the same share it."""
    lines: dict[tuple[str, ...], list[str]] = {}
    for instance in task.instances:
        for answer in instance.answer:
            uses = [
                {"reference": [use.reference.partition(":")[0]] if use.reference else None}
                for use in instance.metrics
                if use.prediction.startswith(answer.file)
            ]
            rows = _row_count(answer, uses, data[instance.name])
            row = (answer.file, answer.format, _shape(answer, rows), _dtype(answer), _values(answer))
            lines.setdefault(row, []).append(instance.name)
    shared = {row[0] for row, names in lines.items() if len(names) == len(task.instances)}
    return [
        {
            "file": row[0] if row[0] in shared else f"{name}/{row[0]}",
            "format": row[1],
            "shape": row[2],
            "dtype": row[3],
            "limits": row[4],
        }
        for row, names in lines.items()
        for name in (names[:1] if row[0] in shared else names)
    ]


def _row_count(answer: Answer, uses: list[dict[str, Any]], data: InstanceData) -> int | None:
    if answer.id is not None and answer.ids_of is not None and answer.ids_of in data.hidden:
        return data.hidden[answer.ids_of].rows
    return rows_of(answer, uses, data)


def _shape(answer: Answer, rows: int | None) -> str:
    count = f"{rows}" if rows is not None else "n"
    if answer.format == "csv":
        return f"{count} rows × {len(answer.columns)} columns"
    if answer.format in ("npy", "npz", "h5ad"):
        axes = [count if axis == "n" else str(axis) for axis in answer.shape or ("n",)]
        return f"({', '.join(axes)}{',' if len(axes) == 1 else ''})"
    if answer.format in ("fasta", "smi", "txt"):
        return f"{count} {'sequences' if answer.format == 'fasta' else 'lines'}"
    return f"{count} objects" if answer.id else "-"


def _dtype(answer: Answer) -> str:
    if answer.columns and answer.format in ("csv", "json"):
        return ", ".join(dict.fromkeys(column.dtype for column in answer.columns))
    return answer.dtype if answer.format in ("npy", "npz", "h5ad") else "text"


def _values(answer: Answer) -> str:
    numbers = answer.format in ("npy", "npz", "h5ad") or any(
        column.dtype in ("float", "int") for column in answer.columns if column.name != answer.id
    )
    limits = _limits(answer.least, answer.most)
    parts = [limits] if limits else []
    if numbers and answer.finite:
        parts.append("finite")
    if answer.columns and answer.format == "csv":
        parts.append("columns as below")
    return ", ".join(parts) or "as below"


def _limits(least: float | None, most: float | None) -> str:
    if least is not None and most is not None:
        return f"from {number_text(least)} to {number_text(most)}"
    if least is not None:
        return f"at least {number_text(least)}"
    return f"at most {number_text(most)}" if most is not None else ""


def _details(task: TaskSpecification) -> list[dict[str, Any]]:
    """What the lines above leave open: order, ids, columns, meaning; each once."""
    found: list[dict[str, Any]] = []
    for instance in task.instances:
        for answer in instance.answer:
            detail = {
                "file": answer.file,
                "text": _told(answer),
                "heading": "Column" if answer.format == "csv" else "Key",
                "columns": [
                    {
                        "name": column.name,
                        "dtype": column.dtype,
                        "limits": ", ".join(code(str(value)) for value in column.values)
                        if column.values is not None
                        else _limits(column.least, column.most),
                        "meaning": column.meaning + (" May be empty." if column.missing_allowed else ""),
                    }
                    for column in answer.columns
                ],
            }
            if detail not in found:
                found.append(detail)
    return found


def _told(answer: Answer) -> str:
    parts = [answer.meaning] if answer.meaning else []
    if answer.id is not None:
        parts.append(f"Each id of {code(answer.id)} stands exactly once, in any order; no other ids.")
    if answer.aligned_with is not None:
        parts.append(f"Entries follow the order of the rows of {code(answer.aligned_with)}.")
    if isinstance(answer.rows, int):
        parts.append(f"Exactly {answer.rows:,} rows.")
    return " ".join(parts) or "As in the table above."


def run_py(task: TaskSpecification, data: Data) -> str:
    """The template of an entry point."""
    suffixes = {PurePosixPath(file).suffix.lower() for instance in data.values() for file in instance.visible}
    loaders = [(names, call, module) for names, call, module in LOADERS if suffixes & set(names)]
    files = {instance.name: [answer.file for answer in instance.answer] for instance in task.instances}
    return render(
        "package/run.py.j2",
        imports=sorted({module for _, _, module in loaders if module}, key=lambda name: (name != "json", name)),
        instances=literal([instance.name for instance in task.instances]),
        files=literal(files),
        loaders=[(literal(list(names)), call) for names, call, _ in loaders],
    )


# -- data description ------------------------------------------------------------------------


@dataclass(slots=True)
class _Group:
    """Files that one description does for."""

    made: MadeFile
    title: str
    members: list[tuple[str, str, Measured]]


def data_description(task: TaskSpecification, data: Data) -> str:
    """``problem/data_description.md``. Raises BuildError where a text of the task would change its sections."""
    sizes = {
        f"data/{name}/{file}": measured.size for name, one in data.items() for file, measured in one.visible.items()
    }
    text = render(
        "package/data_description.md.j2",
        task=task,
        tree=tree(sizes),
        instances=[
            {
                "name": instance.name,
                "count": f"{len(data[instance.name].visible):,}",
                "size": _size(sum(one.size for one in data[instance.name].visible.values())),
            }
            for instance in task.instances
        ],
        groups=[_described(group, _targets(group, task, data)) for group in _groups(task, data)],
        notes=_notes(task),
    )
    _check_sections(text, DESCRIPTION_SECTIONS, "Data Description", "data_description.md")
    return _tidy(text)


def _groups(task: TaskSpecification, data: Data) -> list[_Group]:
    groups: dict[tuple[Any, ...], _Group] = {}
    for instance in task.instances:
        for file, measured in data[instance.name].visible.items():
            made = made_by(instance, file)
            title = f"{made.file}*{PurePosixPath(file).suffix}" if made.file.endswith("/") else file
            key = (title, made.role, made.meaning, made.fields, measured.schema)
            groups.setdefault(key, _Group(made, title, [])).members.append((instance.name, file, measured))
    return list(groups.values())


def made_by(instance: Instance, file: str) -> MadeFile:
    """The entry of the task that made a visible file."""
    fits = [
        made for made in instance.files if made.file == file or (made.file[-1] == "/" and file.startswith(made.file))
    ]
    if not fits:
        raise BuildError(f"{instance.name}: nothing in the task makes {file}", hint="See files of that instance.")
    return max(fits, key=lambda made: len(made.file))


def _targets(group: _Group, task: TaskSpecification, data: Data) -> set[str]:
    """What is asked for and not among the inputs, where files to learn from have it."""
    if group.made.role != "development":
        return set()
    instances = {instance for instance, _, _ in group.members}
    return {
        name
        for instance in task.instances
        if instance.name in instances
        for name in _asked_for(instance, data[instance.name])
    }


def _asked_for(instance: Instance, data: InstanceData) -> set[str]:
    """The columns of the answer, and those that it is compared with, but for ids and what the inputs have, too."""
    ids = {answer.id for answer in instance.answer}
    names = {column.name for answer in instance.answer for column in answer.columns}
    for use in instance.metrics:
        file, colon, columns = use.reference.partition(":")
        if colon and file in data.hidden:
            names |= {columns, *(one.strip() for one in columns.split(","))}
    shown = {
        column.name
        for file, measured in data.visible.items()
        if made_by(instance, file).role == "inputs"
        for column in measured.columns
    }
    return names - ids - shown


def _described(group: _Group, targets: set[str]) -> dict[str, Any]:
    measured = [member[2] for member in group.members]
    folder = group.made.file.endswith("/")
    by_instance: dict[str, list[tuple[str, Measured]]] = {}
    for instance, file, one in group.members:
        by_instance.setdefault(instance, []).append((file, one))
    files = []
    for instance, members in by_instance.items():
        together = folder and len(members) > 5
        for file, some in (
            [(f"{len(members):,} files", members)] if together else [(code(f), [(f, m)]) for f, m in members]
        ):
            rows = sum(one.rows or 0 for _, one in some) if all(one.rows is not None for _, one in some) else None
            files.append(
                {
                    "instance": instance,
                    "name": file,
                    "rows": "-" if rows is None else f"{rows:,}",
                    "size": _size(sum(one.size for _, one in some)),
                }
            )
    kind = measured[0].kind
    return {
        "title": group.title,
        "kind": KINDS.get(kind, f"{kind.upper()} file."),
        "role": f" {ROLES[group.made.role]}" if group.made.role in ROLES else "",
        "meaning": group.made.meaning,
        "files": files,
        "fields": _fields(group.made, measured, targets),
    }


def _fields(made: MadeFile, measured: Sequence[Measured], targets: set[str]) -> list[dict[str, str]]:
    """A line for each field; numbered fields of which nothing is said stand on one line.

    ``targets`` are what is asked for, and TARGET unless the task gives them another role.
    """
    notes = {note.name: note for note in made.fields}
    fields: list[dict[str, str]] = []
    for run in _runs(measured[0].columns, {*notes, *targets}):
        columns = [found for one in measured for name in run if (found := one.column(name.name)) is not None]
        note = notes.get(run[0].name)
        name = code(run[0].name) if len(run) == 1 else f"{code(run[0].name)} to {code(run[-1].name)} ({len(run):,})"
        shapes = list(dict.fromkeys(column.shape for column in columns if column.shape))
        fields.append(
            {
                "name": name or "(the array)",
                "role": _role(run[0].name, note, targets),
                "type": run[0].dtype + (f" {_shapes(shapes)}" if shapes else ""),
                "range": _range(columns),
                "missing": f"{missing:,}" if (missing := sum(column.missing for column in columns)) else "-",
                "meaning": (note.meaning + (f" ({note.unit})" if note.unit else "")).strip() if note else "",
            }
        )
    return fields


def _role(name: str, note: FieldNote | None, targets: set[str]) -> str:
    if note is not None and "role" in note.model_fields_set:
        return note.role
    return "TARGET" if name in targets else "INPUT"


def _runs(columns: Iterable[Column], apart: set[str]) -> list[list[Column]]:
    """Neighbours called x1, x2, ... of one type, together, but for those that stand ``apart``."""
    runs: list[list[Column]] = []
    for column in columns:
        found = NUMBERED.match(column.name)
        before = runs[-1][-1] if runs else None
        other = NUMBERED.match(before.name) if before else None
        if (
            found and other and before
            and found[1] == other[1] and int(found[2]) == int(other[2]) + 1
            and (column.dtype == before.dtype or {column.dtype, before.dtype} == {"int", "float"})
            and not column.shape and column.name not in apart and before.name not in apart
        ):  # fmt: skip
            runs[-1].append(column)
        else:
            runs.append([column])
    return [part for run in runs for part in ([run] if len(run) > 3 else [[column] for column in run])]


def _shapes(shapes: Sequence[tuple[int, ...]]) -> str:
    """Shapes of the same array in several files: an axis that differs is n."""
    if len({len(shape) for shape in shapes}) != 1:
        return ""
    axes = [str(axis[0]) if len(set(axis)) == 1 else "n" for axis in zip(*shapes, strict=True)]
    return f"({', '.join(axes)}{',' if len(axes) == 1 else ''})"


def _range(columns: Sequence[Column]) -> str:
    values = dict.fromkeys(value for column in columns for value in column.values)
    if values and all(column.values for column in columns):
        return ", ".join(code(value) for value in sorted(values)[:24])
    ends = [(float(column.low), float(column.high)) for column in columns if column.low and column.high]
    if not ends:
        return "-"
    low, high = min(end[0] for end in ends), max(end[1] for end in ends)
    return f"{number_text(low)} to {number_text(high)}"


def _notes(task: TaskSpecification) -> list[str]:
    notes = [
        f"{code(instance.name)} starts from what was learnt on {code(instance.depends_on)}."
        for instance in task.instances
        if instance.depends_on
    ]
    notes += task.problem.notes
    return notes or ["None."]


# -- metadata --------------------------------------------------------------------------------


def metadata(task: TaskSpecification) -> dict[str, Any]:
    """``metadata.json``."""
    return {
        "task_name": " ".join(task.name.split()),
        "workflow_topology": task.topology,
        "methodology_paradigm": task.paradigm,
        "tooling_metadata": None if task.tooling is None else task.tooling.model_dump(mode="json"),
        "domain_metadata": {
            "primary_domain": task.domain.primary,
            "sub_domain": task.domain.sub,
            "domain_tags": list(task.domain.tags),
        },
        "compute_resource_requirements": {
            "cpu_compute": {"severity": task.compute.cpu, "quantity_text": task.compute.cpu_quantity},
            "gpu_compute": task.compute.gpu,
            "runtime": task.compute.runtime,
        },
        "performance_entries": [
            {
                "dataset_name": instance.name,
                "metrics": [
                    {
                        "name": use.name,
                        "is_primary": use.primary,
                        "metric_direction": use.direction,
                        "source_description": use.place,
                        "unit": use.unit,
                        "sota_score": [{"value": one.value, "method": one.method} for one in use.anchor],
                        "baseline_score": None
                        if use.baseline is None
                        else {"value": use.baseline.value, "method": use.baseline.method},
                    }
                    for use in instance.metrics
                ],
            }
            for instance in task.instances
        ],
    }


# -- form ------------------------------------------------------------------------------------


def _size(count: int) -> str:
    """Bytes as people say them."""
    size = float(count)
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            return f"{size:.0f} {unit}" if unit == "bytes" or size >= 100 else f"{size:.1f} {unit}"
        size /= 1000
    raise AssertionError(count)


def _check_sections(text: str, sections: Sequence[str], title: str, file: str) -> None:
    """The document has its sections and no others, as a reader of Markdown sees it."""
    found = [name for level, name in headings(text) if level <= 2]
    if found[1:] != list(sections) or len(found) != len(sections) + 1:
        odd = next((name for name in found[1:] if name not in sections), title)
        raise BuildError(f"{file} would not have its sections: {odd[:60]!r}", hint="Simplify the texts of the task.")


def _tidy(text: str) -> str:
    """At most one empty line in a row outside of blocks of code, and one line end at the end."""
    lines: list[str] = []
    fence = ""
    for one in text.split("\n"):
        mark = re.match(r" {0,3}(`{3,}|~{3,})", one)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and not one.strip().strip(fence[0]):
            fence = ""
        if fence or one.strip() or (lines and lines[-1].strip()):
            lines.append(one)
    return "\n".join(lines).rstrip("\n") + "\n"
