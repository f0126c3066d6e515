"""A ``task.yaml`` for a package that came without one, as far as its files tell.

The idea: a package in the published format has all that is needed to run, and little of what is needed to make it
again. What its files say goes into ``task.yaml``; what they do not say becomes a question there, and a task with
questions is not built until a person has answered them.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import ValidationError

from nature_gym.errors import UsageError
from nature_gym.metrics.registry import resolve
from nature_gym.packaging.faults import BuildError
from nature_gym.packaging.metadata import Metadata, MetricEntry, PerformanceEntry
from nature_gym.packaging.outputs import described_answers
from nature_gym.packaging.package import DATA, DOCKERFILE, METADATA, README, TRUTH, Package
from nature_gym.packaging.specification import TaskSpecification

SHARED = "evaluation/shared"
MOST_FILES = 50
"""Of an instance with more, folders are named, not files."""
_HINT = "'naturegym package validate' lists what is wrong."
MOST_TOLD = 3
UNKNOWN = "See the package's own README."
_NO_NAME = re.compile(r"[^A-Za-z0-9_.-]+")


def describe(package: Package) -> dict[str, Any]:
    """The content of a ``task.yaml`` for a package. Raises BuildError where its metadata cannot be read."""
    metadata = _metadata_of(package)
    sections = _sections(package.text(README).content)
    questions = ["Which files of other sources is the data made from? It is taken from the package as it is."]
    answers = described_answers(sections.get("5", ""))
    if not answers:
        questions.append("What has to be handed in? Section 5 of the README was not understood.")
        answers = [{"file": "predictions.csv", "format": "csv", "columns": [{"name": "value"}], "rows": "free"}]
    folders = _folders_of(package, metadata.performance_entries)
    instances = []
    types = _types_of(metadata.performance_entries)
    for entry in metadata.performance_entries:
        instance, asked = _instance(package, entry, folders[entry.dataset_name], answers)
        instances.append(instance | {"task_type": types[entry.dataset_name]})
        questions += [one for one in asked if one not in questions]
    unnamed = sorted({*package.instances(DATA)} - {*folders.values()})
    if unnamed:
        questions.append(f"What is {', '.join(unnamed[:8])}? metadata.json has no scores of it.")
    questions.append(
        "Which files are to learn from and which are inputs? How do the metrics pair answers with references?"
    )
    base = re.search(r"^FROM\s+(\S+)", package.text(DOCKERFILE).content, re.MULTILINE | re.IGNORECASE)
    task = {
        "format": 1,
        "id": f"imported-{hashlib.sha256(metadata.task_name.encode()).hexdigest()[:8]}",
        "name": metadata.task_name[:120],
        **_frame(metadata),
        "problem": {
            "background": sections.get("1", "").strip() or UNKNOWN,
            "objective": sections.get("2", "").strip() or UNKNOWN,
            "input": UNKNOWN,
            "output": UNKNOWN,
            "dataset": sections.get("3", "").strip(),
        },
        "method": {"name": next((one.method for one in metadata.performance_entries[0].metrics[0].sota_score), "")},
        "environment": {"base": base[1] if base else "naturebench-base:v3", "packages": _pins(package)},
        "sources": {"package": {"path": ".", "kind": "folder"}},
        "instances": instances,
        "questions": questions,
    }
    try:
        TaskSpecification.model_validate(task)
    except ValidationError as error:
        raise BuildError(f"no task.yaml can be made of it: {_sentence(error)}", hint=_HINT) from error
    return task


def _metadata_of(package: Package) -> Metadata:
    """``metadata.json`` as the format has it. Raises BuildError with a sentence where it is not so."""
    text = package.text(METADATA)
    if text.missing:
        raise BuildError(f"{METADATA} {text.missing}", hint="A package is taken in by what its metadata.json says.")
    if package.raw_metadata is None:
        raise BuildError(f"{METADATA} {_no_json(text.content)}", hint="Correct it, and import the package again.")
    try:
        return Metadata.model_validate(package.raw_metadata)
    except ValidationError as error:
        raise BuildError(f"{METADATA} is not as the format has it: {_sentence(error)}", hint=_HINT) from error
    except RecursionError:
        raise BuildError(f"{METADATA} is nested too deeply", hint=_HINT) from None


def _no_json(text: str) -> str:
    """Why a text is no JSON."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return f"is no JSON: line {error.lineno}: {error.msg}"
    except RecursionError:
        return "is nested too deeply"
    except ValueError as error:
        return f"is no JSON: {' '.join(str(error).split())[:120]}"
    return "holds null"


def _sentence(error: ValidationError) -> str:
    """The first things that are wrong, each with its place, and how many more there are."""
    problems = error.errors(include_url=False, include_input=False)
    told = [
        f"{'.'.join(map(str, one['loc'])) or 'it'}: {one['msg'].removeprefix('Value error, ')}"[:160]
        for one in problems[:MOST_TOLD]
    ]
    more = f"; and {len(problems) - MOST_TOLD} more" if len(problems) > MOST_TOLD else ""
    return "; ".join(told) + more


def _frame(metadata: Metadata) -> dict[str, Any]:
    """What metadata say in other words than a ``task.yaml``."""
    domain, compute = metadata.domain_metadata, metadata.compute_resource_requirements
    tooling = metadata.tooling_metadata
    return {
        "domain": {"primary": domain.primary_domain, "sub": domain.sub_domain, "tags": domain.domain_tags},
        "topology": metadata.workflow_topology,
        "paradigm": metadata.methodology_paradigm,
        "tooling": tooling.model_dump(mode="json") if tooling else None,
        "compute": {
            "cpu": compute.cpu_compute.severity,
            "cpu_quantity": compute.cpu_compute.quantity_text,
            "gpu": compute.gpu_compute,
            "runtime": compute.runtime,
        },
    }


def _folders_of(package: Package, entries: Sequence[PerformanceEntry]) -> dict[str, str]:
    """Data set -> its folder: by its name, or by its name's letters. Raises BuildError for one that has none."""
    there = package.instances(DATA)
    letters = {_letters(name): name for name in there}
    found = {}
    for entry in entries:
        name = entry.dataset_name
        folder = name if name in there else letters.get(_letters(name))
        if folder is None and len(entries) == len(there) == 1:
            folder = there[0]
        if folder is None or next(package.below(f"{DATA}/{folder}"), None) is None:
            raise BuildError(f"{name} has no data below {DATA}", hint="Are its archives there?")
        found[name] = folder
    if doubled := [folder for folder, count in Counter(found.values()).items() if count > 1]:
        raise BuildError(f"two data sets of {METADATA} are {doubled[0]}", hint="Name them as their folders are named.")
    return found


def _types_of(entries: Sequence[PerformanceEntry]) -> dict[str, str]:
    """Data set -> its task type: those with the same metrics are of one type."""
    seen: dict[tuple[tuple[str, bool], ...], str] = {}
    return {
        entry.dataset_name: seen.setdefault(
            tuple((metric.name, metric.is_primary) for metric in entry.metrics),
            f"type-{len(seen) + 1}" if seen else "main",
        )
        for entry in entries
    }


def _letters(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


def _instance(
    package: Package, entry: PerformanceEntry, folder: str, answers: list[dict[str, Any]]
) -> tuple[dict[str, Any], list[str]]:
    """An instance, and what has to be asked about it."""
    questions = []
    files = list(_made(package, f"{DATA}/{folder}", "development"))
    hidden = list(_made(package, f"{TRUTH}/{folder}", "answers"))
    shared = list(_made(package, SHARED, "scorer", "shared/"))
    if shared:
        questions.append(f"Which function of {SHARED} scores an answer ('scorer: <file>:<function>')?")
    if not hidden and not shared:
        questions.append(f"What are the answers of {folder} compared with? {TRUTH} has nothing of it.")
    metrics = []
    for metric in entry.metrics:
        name, question = _registered(metric.name)
        questions += [question] if question else []
        metrics.append(_metric(metric, name, answers[0]["file"], hidden[0]["file"] if hidden else ""))
    instance = {
        "name": _NO_NAME.sub("-", folder).strip("-.") or "instance",
        "title": entry.dataset_name if entry.dataset_name != folder else "",
        "separability": "ambiguous",
        "files": files,
        "reference": {"kind": "oracle" if shared else "label", "files": [*hidden, *shared]},
        "answer": answers,
        "metrics": metrics,
    }
    return instance, questions


def _metric(metric: MetricEntry, name: str, prediction: str, reference: str) -> dict[str, Any]:
    baseline = metric.baseline_score
    return {
        "name": metric.name,
        "metric": name,
        "primary": metric.is_primary,
        "direction": metric.metric_direction,
        "prediction": prediction,
        "reference": reference,
        "place": metric.source_description or "",
        "unit": metric.unit,
        "anchor": [{"value": str(one.value), "method": one.method} for one in metric.sota_score],
        "baseline": baseline and {"value": str(baseline.value), "method": baseline.method},
    }


def _made(package: Package, folder: str, role: str, below: str = "") -> Iterator[dict[str, str]]:
    """What lies in a folder of the package, as files to be made: each one, or by folders where they are many."""
    names = [name.removeprefix(f"{folder}/") for name in package.below(folder)]
    many = len(names) > MOST_FILES
    seen = set()
    for name in names:
        top, slash, _ = name.partition("/")
        if many and slash:
            if top not in seen:
                seen.add(top)
                yield {
                    "file": f"{below}{top}/",
                    "take": f"package/{folder}/{_literally(top)}/**/*",
                    "role": role,
                }
        else:
            yield {"file": f"{below}{name}", "take": f"package/{folder}/{_literally(name)}", "role": role}


def _literally(path: str) -> str:
    """A path that matches itself alone."""
    return re.sub(r"([*?\[])", r"[\1]", path)


def _registered(name: str) -> tuple[str, str]:
    """A metric's name in the registry, and the question where there is none."""
    try:
        return resolve(name)[0].name, ""
    except UsageError:
        function = re.sub(r"\W+", "_", name).strip("_").lower() or "metric"
        return f"task:{function}", f"Which function computes {name}? The registry has no metric of that name."


def _sections(text: str) -> dict[str, str]:
    """The texts of the numbered sections, by number."""
    parts = re.split(r"^##[ \t]+(\d)\.[^\n]*\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=False))


def _pins(package: Package) -> list[str]:
    pins = re.findall(r"(?<![\w/])[A-Za-z0-9][\w.-]*==[\w.+!-]+", package.text(DOCKERFILE).content)
    return sorted(set(pins))
