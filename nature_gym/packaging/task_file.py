"""``task.yaml`` as a file: read with the line of everything in it, so that an error points at the line that is wrong.

The one idea: PyYAML tells for every node where it stands. The document is composed, not loaded: plain values are made
of its nodes here, with the place of each beside it, and pydantic's complaints, which name a path in the document, are
looked up there. Anchors are read, but a document that multiplies by them is refused.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import yaml
from pydantic import BaseModel, ValidationError

from nature_gym.errors import FindingsError, UsageError
from nature_gym.files import write_atomically
from nature_gym.packaging.objections import objections
from nature_gym.packaging.specification import TaskSpecification, json_schema

LARGEST = 4 << 20
MOST_VALUES = 200_000
_DEEPEST = 60
_MERGE = "tag:yaml.org,2002:merge"
_TAGS = {f"tag:yaml.org,2002:{name}" for name in ("map", "seq", "str", "int", "float", "bool", "null", "timestamp")}
SCHEMA_ADDRESS = "task.schema.json"

Place = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Complaint:
    """One thing that is wrong: where (a path such as ``instances.0.metrics``, line and column from 1) and what."""

    line: int
    column: int
    where: str
    what: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.where + ': ' if self.where else ''}{self.what}"


class TaskFileError(FindingsError):
    """A ``task.yaml`` that is none: all complaints at once."""

    def __init__(self, path: Path, complaints: Sequence[Complaint]) -> None:
        self.complaints = tuple(complaints)
        super().__init__(
            "\n".join(f"{path}: {complaint}" for complaint in self.complaints),
            hint="'naturegym task schema' prints what a task.yaml may hold.",
        )


def read_task(path: Path) -> TaskSpecification:
    """The task in ``path``. Raises TaskFileError with every complaint, and UsageError where there is no such file."""
    if not path.is_file():
        raise UsageError(f"There is no file {path}.", hint="Name a task.yaml.")
    if path.stat().st_size > LARGEST:
        raise TaskFileError(path, [Complaint(1, 1, "", f"the file has more than {LARGEST >> 20} MB")])
    try:
        value, places = _composed(path.read_bytes())
        task = TaskSpecification.model_validate(value)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        what = " ".join(filter(None, (error.context, error.problem)))
        raise TaskFileError(path, [Complaint(line, column, "", f"this is no YAML: {what}")]) from error
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise TaskFileError(path, [Complaint(1, 1, "", f"this is no YAML: {' '.join(str(error).split())}")]) from error
    except ValidationError as error:
        problems = [problem for problem in error.errors(include_url=False) if not _follows(problem)]
        found = sorted({_complaint(problem, value, places) for problem in problems}, key=_order)
        raise TaskFileError(path, found) from error
    wrong = [] if task.questions else [_objected(place, what, places) for place, what in objections(task, value)]
    if wrong:
        raise TaskFileError(path, sorted(wrong, key=_order))
    return task


def write_task(path: Path, task: TaskSpecification) -> None:
    """Write ``task`` to ``path``, atomically, with what differs from the defaults, in the order of the schema."""
    write_atomically(path, task_text(task).encode())


def task_text(task: TaskSpecification) -> str:
    """A task as the text of a ``task.yaml``; a first line tells editors of the schema."""
    value = task.model_dump(mode="json", exclude_defaults=True)
    value = {"format": task.format, **value}
    text = yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110)
    return f"# yaml-language-server: $schema={SCHEMA_ADDRESS}\n{text}"


def schema_text() -> bytes:
    """The published JSON Schema of ``task.yaml``, as a file."""
    import orjson

    return orjson.dumps(json_schema(), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


# -- reading -----------------------------------------------------------------------------------


def _composed(content: bytes) -> tuple[Any, dict[Place, tuple[int, int]]]:
    """(value, path -> line and column from 1) of a YAML document."""
    node = yaml.compose(content, Loader=yaml.SafeLoader)
    if node is None:
        raise yaml.MarkedYAMLError(problem="the file is empty")
    return _Reader().read(node)


class _Reader:
    """Makes values of nodes, with their places; refuses doubled keys and what multiplies by anchors."""

    def __init__(self) -> None:
        self._places: dict[Place, tuple[int, int]] = {}
        self._constructor = yaml.SafeLoader("")
        self._count = 0

    def read(self, node: yaml.Node) -> tuple[Any, dict[Place, tuple[int, int]]]:
        return self._value(node, ()), self._places

    def _value(self, node: yaml.Node, place: Place) -> Any:
        self._count += 1
        if self._count > MOST_VALUES or len(place) > _DEEPEST:
            raise yaml.MarkedYAMLError(problem="it holds too much, or itself", problem_mark=node.start_mark)
        if node.tag not in _TAGS:
            raise yaml.MarkedYAMLError(
                problem=f"there are no tags here, such as {node.tag}", problem_mark=node.start_mark
            )
        self._places.setdefault(place, (node.start_mark.line + 1, node.start_mark.column + 1))
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, place)
        if isinstance(node, yaml.SequenceNode):
            return [self._value(item, (*place, number)) for number, item in enumerate(node.value)]
        return self._constructor.construct_object(node)

    def _mapping(self, node: yaml.MappingNode, place: Place) -> dict[str, Any]:
        found: dict[str, Any] = {}
        merged: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if key_node.tag == _MERGE:
                several = value_node.value if isinstance(value_node, yaml.SequenceNode) else [value_node]
                for one in several:
                    merged |= {key: value for key, value in self._merged(one, place).items() if key not in merged}
                continue
            if not isinstance(key_node, yaml.ScalarNode):
                raise yaml.MarkedYAMLError(problem="a key is a word", problem_mark=key_node.start_mark)
            key = str(key_node.value)
            if key in found:
                raise yaml.MarkedYAMLError(problem=f"{key!r} stands here twice", problem_mark=key_node.start_mark)
            self._places[(*place, key)] = (key_node.start_mark.line + 1, key_node.start_mark.column + 1)
            found[key] = self._value(value_node, (*place, key))
        return {**merged, **found}

    def _merged(self, node: yaml.Node, place: Place) -> dict[str, Any]:
        """What ``<<`` takes over from another mapping."""
        value = self._value(node, place)
        if not isinstance(value, dict):
            raise yaml.MarkedYAMLError(problem="'<<' takes over a mapping", problem_mark=node.start_mark)
        return value


class _Dumper(yaml.SafeDumper):
    """Lists stand below their key, indented; nothing is written by reference."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002
        super().increase_indent(flow, False)

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
        return True


# -- complaints --------------------------------------------------------------------------------


def _order(complaint: Complaint) -> tuple[int, int, str]:
    return complaint.line, complaint.column, complaint.what


def _follows(problem: Any) -> bool:
    """Whether a list is only called too short because what stands in it is wrong."""
    return problem["type"] == "too_short" and bool(problem["input"])


def _complaint(problem: Any, value: Any, places: Mapping[Place, tuple[int, int]]) -> Complaint:
    place = _in_document(problem["loc"], value)
    what = _WORDS.get(problem["type"], "{msg}").format(
        msg=problem["msg"].removeprefix("Value error, "), **_context(problem)
    )
    if problem["type"] == "extra_forbidden":
        what += _nearest(place, problem["loc"])
    return _objected(place, what, places)


def _objected(place: Place, what: str, places: Mapping[Place, tuple[int, int]]) -> Complaint:
    line, column = next(places[place[:end]] for end in range(len(place), -1, -1) if place[:end] in places)
    return Complaint(line, column, ".".join(map(str, place)), what)


def _context(problem: Any) -> dict[str, Any]:
    return {"name": problem["loc"][-1] if problem["loc"] else "", **problem.get("ctx", {})}


_WORDS = {
    "missing": "{name!r} is needed and missing",
    "extra_forbidden": "there is no field {name!r} here",
    "literal_error": "it is one of {expected}",
    "union_tag_invalid": "{tag!r} is none of {expected_tags}",
    "string_unicode": "it holds half of a character (a lone surrogate)",
    "string_pattern_mismatch": "it does not look like {pattern}",
}


def _in_document(loc: Sequence[str | int], value: Any) -> Place:
    """A path of pydantic's without what is not in the document: names of alternatives and of types."""
    found: list[str | int] = []
    for step in loc:
        if isinstance(value, Mapping) and step in value:
            value = value[str(step)]
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            continue
        found.append(step)
    return tuple(found)


def _nearest(place: Place, loc: Sequence[str | int]) -> str:
    """What is allowed in the place of an unknown field, the likeliest first."""
    fields = _fields(TaskSpecification, loc[:-1])
    if not fields:
        return ""
    near = difflib.get_close_matches(str(place[-1]) if place else "", fields, n=1)
    return f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(fields)}"


def _fields(model: type[BaseModel], loc: Sequence[str | int]) -> list[str]:
    """The fields of the model that a path of pydantic's leads to; none where it is not found."""
    reached: list[type[BaseModel]] = [model]
    for step in loc:
        inner = [other for each in reached for other in _reached(each, step)]
        reached = inner or reached
    return sorted({name for each in reached[:1] for name in each.model_fields})


def _reached(model: type[BaseModel], step: str | int) -> list[type[BaseModel]]:
    field = model.model_fields.get(str(step))
    if field is None:
        return []
    return _models(field.annotation)


def _models(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for argument in get_args(annotation) for model in _models(argument)]
