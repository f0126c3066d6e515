"""A package as it lies on a disk: ours, or anyone's in the published format. Read, never run.

The idea: what a package says of itself stands in several places (metadata, documents, evaluator, folders); here each is
read on its own, so that whoever compares them sees what each one says. The evaluator is read by its syntax tree.
"""

from __future__ import annotations

import ast
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from nature_gym.digests import regular_files
from nature_gym.errors import UsageError
from nature_gym.metrics.entry import Direction
from nature_gym.packaging.markdown import headings
from nature_gym.packaging.measure import tree
from nature_gym.packaging.render import DESCRIPTION_SECTIONS, README_SECTIONS
from nature_gym.packaging.specification import PrimaryDomain, Tooling

README, DESCRIPTION = "problem/README.md", "problem/data_description.md"
EVALUATOR, METADATA = "evaluation/evaluator.py", "metadata.json"
DOCKERFILE, PACKAGES = "environment/Dockerfile.v3", "environment/packages.json"
REQUIRED = (README, DESCRIPTION, EVALUATOR, METADATA, DOCKERFILE, PACKAGES)
DATA, TRUTH = "problem/data", "evaluation/ground_truth"
LARGEST_TEXT = 32 << 20


class _Form(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True)


class PrintedScore(_Form):
    """A score as printed, and whose it is."""

    value: str | float | int
    method: str = ""


class MetricEntry(_Form):
    """One metric of one data set."""

    name: Annotated[str, Field(min_length=1)]
    is_primary: bool
    metric_direction: Direction
    source_description: str | None = None
    unit: str | None = None
    sota_score: list[PrintedScore]
    baseline_score: PrintedScore | None = None


class PerformanceEntry(_Form):
    """The metrics of one instance."""

    dataset_name: Annotated[str, Field(min_length=1)]
    metrics: Annotated[list[MetricEntry], Field(min_length=1)]


class CpuCompute(_Form):
    """What of processors a solution takes."""

    severity: Literal["low", "medium", "high"]
    quantity_text: str = ""


class ComputeRequirements(_Form):
    """What a solution takes."""

    cpu_compute: CpuCompute
    gpu_compute: Literal["none", "low", "medium", "high"]
    runtime: Literal["short", "moderate", "long"]


class DomainMetadata(_Form):
    """Where the task belongs."""

    primary_domain: PrimaryDomain
    sub_domain: str
    domain_tags: Annotated[list[str], Field(min_length=3, max_length=5)]


class Metadata(_Form):
    """``metadata.json``."""

    task_name: Annotated[str, Field(min_length=1)]
    workflow_topology: Literal["strict_single_step", "serial_pipeline", "multi_task_parallel", "pretrain_finetune"]
    methodology_paradigm: Literal["domain_specific_tooling", "general_ml_application", "other"]
    tooling_metadata: Tooling | None = None
    domain_metadata: DomainMetadata
    compute_resource_requirements: ComputeRequirements
    performance_entries: Annotated[list[PerformanceEntry], Field(min_length=1)]

    @model_validator(mode="after")
    def _check(self) -> Metadata:
        names = [entry.dataset_name for entry in self.performance_entries]
        if len(set(names)) != len(names):
            raise ValueError("a dataset_name stands twice in performance_entries")
        return self


@dataclass(frozen=True, slots=True)
class Problem:
    """What is not in order: in which file, what."""

    file: str
    message: str

    def as_json(self) -> dict[str, str]:
        """As commands print it."""
        return {"file": self.file, "message": self.message}


class Package:
    """A package's folder. Nothing is held but what was asked for."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def text(self, name: str) -> str:
        """A text file of the package, '' where it is missing, a link, or too large to be one."""
        path = self.path / name
        if not path.is_file() or path.is_symlink() or path.stat().st_size > LARGEST_TEXT:
            return ""
        return path.read_text(encoding="utf-8", errors="replace")

    @cached_property
    def raw_metadata(self) -> Any:
        """``metadata.json`` as it is; None where it is no JSON."""
        try:
            return json.loads(self.text(METADATA))
        except (ValueError, RecursionError):
            return None

    @property
    def name(self) -> str:
        """The task's name, as metadata say it."""
        return str(self.raw_metadata.get("task_name", "")) if isinstance(self.raw_metadata, dict) else ""

    @cached_property
    def constants(self) -> dict[str, Any]:
        """The constants of the evaluator that are plain values: INSTANCES, METRIC_NAMES and so on."""
        found: dict[str, Any] = {}
        try:
            body = ast.parse(self.text(EVALUATOR)).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return found
        for node in body:
            target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
            value = getattr(node, "value", None)
            if isinstance(target, ast.Name) and isinstance(value, ast.expr):
                try:
                    found[target.id] = ast.literal_eval(value)
                except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
                    continue
        return found

    def instances(self, where: str = DATA) -> list[str]:
        """The instance folders below ``where``."""
        folder = self.path / where
        return sorted(path.name for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []

    @cached_property
    def files(self) -> dict[str, int]:
        """Each file with its size, links left out."""
        return {path.relative_to(self.path).as_posix(): path.stat().st_size for path in regular_files(self.path)}

    def tree(self) -> str:
        """Its files as a tree."""
        return tree({f"{self.path.name}/{name}": size for name, size in self.files.items()})

    def summary(self) -> dict[str, Any]:
        """What it is, for people and programs."""
        entries = self.raw_metadata.get("performance_entries", []) if isinstance(self.raw_metadata, dict) else []
        return {
            "package": str(self.path),
            "task_name": self.name,
            "instances": self.instances(),
            "metrics": [
                {"instance": entry.get("dataset_name"), **{key: metric.get(key) for key in (
                    "name", "is_primary", "metric_direction", "sota_score", "baseline_score")}}
                for entry in entries if isinstance(entry, dict)
                for metric in entry.get("metrics", ()) if isinstance(metric, dict)
            ],
            "files": len(self.files),
            "size": sum(self.files.values()),
        }  # fmt: skip


def open_package(path: Path) -> Package:
    """The package at ``path``, or the only one in that folder. Raises UsageError where there is none."""
    if _is_package(path):
        return Package(path)
    inside = [one for one in sorted(path.iterdir()) if _is_package(one)] if path.is_dir() else []
    if len(inside) == 1:
        return Package(inside[0])
    names = ", ".join(one.name for one in inside[:6])
    hint = f"There are several: {names}." if inside else "A package is a folder with problem/ and evaluation/ in it."
    raise UsageError(f"There is no package at {path}.", hint=hint)


def _is_package(path: Path) -> bool:
    return (path / "problem").is_dir() and ((path / "evaluation").is_dir() or (path / METADATA).is_file())


def validate(package: Package) -> list[Problem]:
    """Whether its files and structure are those of a package; what they say is for the checks."""
    problems = [Problem(name, "is missing") for name in REQUIRED if name not in package.files]
    problems += _metadata_problems(package)
    data, truth = package.instances(DATA), package.instances(TRUTH)
    if package.instances("problem/data_archives") or not data:
        problems.append(Problem(DATA, "has no instances; archives are unpacked by 'naturegym package import'"))
    elif data != truth:
        problems.append(Problem(TRUTH, f"has instances {truth}, and {DATA} has {data}"))
    for name, sections in ((README, README_SECTIONS), (DESCRIPTION, DESCRIPTION_SECTIONS)):
        text = package.text(name)
        found = [title for level, title in headings(text) if level == 2]
        if text and found != list(sections):
            odd = next((title for title in found if title not in sections), "")
            missing = next((title for title in sections if title not in found), "")
            problems.append(
                Problem(name, f"lacks section {missing!r}" if missing else f"has a section {odd!r} too many")
            )
    try:
        ast.parse(package.text(EVALUATOR))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        problems.append(Problem(EVALUATOR, f"is not Python: {error}"))
    return problems


def _metadata_problems(package: Package) -> list[Problem]:
    if METADATA not in package.files:
        return []
    try:
        Metadata.model_validate(package.raw_metadata)
    except ValidationError as error:
        return [
            Problem(METADATA, f"{'.'.join(map(str, fault['loc'])) or 'the file'}: {fault['msg']}")
            for fault in error.errors(include_url=False)
        ]
    return []
