"""Packages of others taken in: copied, their archives unpacked safely, and a ``task.yaml`` made as far as files tell.

The idea: a package in the published format has all that is needed to run, and little of what is needed to make it
again. What its files say goes into ``task.yaml``; what they do not say becomes a question there, and a task with
questions is not built until a person has answered them.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import tarfile
from pathlib import Path, PurePosixPath
from typing import Any

import yaml

from nature_gym.errors import UsageError
from nature_gym.files import Draft
from nature_gym.metrics.registry import resolve
from nature_gym.packaging.build import exchange
from nature_gym.packaging.faults import BuildError
from nature_gym.packaging.package import DATA, DOCKERFILE, METADATA, TRUTH, Metadata, Package, open_package
from nature_gym.packaging.specification import TaskSpecification

ARCHIVES = "problem/data_archives"
LARGEST_UNPACKED = 64 << 30
MOST_MEMBERS = 1_000_000
FORMATS = {"npy", "csv", "json", "npz", "fasta", "smi", "pdb", "h5ad", "txt"}
UNKNOWN = "See the package's own README."


def import_package(source: Path, folder: Path) -> Package:
    """Copy the package at ``source`` into ``folder`` under its own name, whole or not at all.

    Raises UsageError where there is none, or one of that name is there; BuildError for archives that are not safe.
    """
    package = open_package(source)
    target = folder / package.path.resolve().name
    if target.exists():
        raise UsageError(f"{target} is there already.", hint="Remove it first, or import into another folder.")
    with Draft(folder, target.name) as draft:
        shutil.copytree(package.path, draft.folder, dirs_exist_ok=True, symlinks=True, ignore=_links)
        taken = Package(draft.folder)
        for archive in sorted((draft.folder / ARCHIVES).glob("*.tar.gz")):
            unpack(archive, taken)
        if not (draft.folder / "task.yaml").exists():
            text = yaml.safe_dump(describe(Package(draft.folder)), sort_keys=False, allow_unicode=True, width=110)
            (draft.folder / "task.yaml").write_text(text, encoding="utf-8")
        draft.flush()
        exchange(draft.folder, target)
    return Package(target)


def _links(folder: str, names: list[str]) -> set[str]:
    """Links are not taken along: they could lead anywhere."""
    return {name for name in names if Path(folder, name).is_symlink()}


def unpack(archive: Path, package: Package) -> None:
    """Unpack an archive of data below ``problem/data``. Raises BuildError for members that would lie elsewhere."""
    known = {*package.instances(TRUTH), *package.instances(DATA)}
    stem = archive.name.removesuffix(".tar.gz")
    size = count = 0
    try:
        with tarfile.open(archive, "r|gz") as members:
            for member in members:
                if member.isdir():
                    continue
                parts = _place(member, known, stem)
                size, count = size + member.size, count + 1
                if size > LARGEST_UNPACKED or count > MOST_MEMBERS:
                    raise BuildError(f"{archive.name} unpacks to too much", hint="Unpack it by hand, if you trust it.")
                content = members.extractfile(member)
                path = package.path / DATA / PurePosixPath(*parts)
                path.parent.mkdir(parents=True, exist_ok=True)
                if content is not None:
                    with path.open("wb") as file:
                        shutil.copyfileobj(content, file)
    except (tarfile.TarError, OSError, EOFError) as error:
        raise BuildError(f"{archive.name} cannot be unpacked: {error}", hint="Fetch the archive again.") from error


def _place(member: tarfile.TarInfo, known: set[str], stem: str) -> list[str]:
    """Where a member goes below the data folder."""
    parts = [part for part in member.name.split("/") if part not in ("", ".")]
    if not member.isreg() or member.name.startswith("/") or ".." in parts or not parts:
        raise BuildError(f"an archive holds {member.name[:80]!r}, which is not a plain file inside it", hint="Refused.")
    while len(parts) > 1 and parts[0] in ("problem", "data") and parts[0] not in known:
        parts = parts[1:]
    return parts if parts[0] in known or not known else [stem, *parts]


# -- task.yaml -------------------------------------------------------------------------------


def describe(package: Package) -> dict[str, Any]:
    """The content of a ``task.yaml`` for a package. Raises BuildError where its metadata cannot be read."""
    try:
        metadata = Metadata.model_validate(package.raw_metadata)
    except ValueError as error:
        raise BuildError(
            f"{METADATA} cannot be read: {error}", hint="'naturegym package validate' lists it."
        ) from error
    sections = _sections(package.text("problem/README.md").content)
    answers = _answers(sections.get("5", ""))
    questions = ["Which files of other sources is the data made from? It is taken from the package as it is."]
    if not answers:
        questions.append("What has to be handed in? Section 5 of the README was not understood.")
        answers = [{"file": "predictions.csv", "format": "csv", "columns": [{"name": "value"}], "rows": "free"}]
    objective = sections.get("2", "").strip() or UNKNOWN
    instances = []
    for entry in metadata.performance_entries:
        files, hidden = _files(package, DATA, entry.dataset_name), _files(package, TRUTH, entry.dataset_name)
        if not files:
            raise BuildError(f"{entry.dataset_name} has no data below {DATA}", hint="Are its archives there?")
        metrics = []
        for metric in entry.metrics:
            name, question = _registered(metric.name)
            questions += [question] if question else []
            metrics.append(
                {
                    "name": metric.name,
                    "metric": name,
                    "primary": metric.is_primary,
                    "direction": metric.metric_direction,
                    "prediction": answers[0]["file"],
                    "reference": hidden[0] if hidden else "",
                    "place": metric.source_description or "",
                    "unit": metric.unit,
                    "anchor": [{"value": str(one.value), "method": one.method} for one in metric.sota_score],
                    "baseline": metric.baseline_score
                    and {"value": str(metric.baseline_score.value), "method": metric.baseline_score.method},
                }
            )
        instances.append(
            {
                "name": entry.dataset_name,
                "separability": "ambiguous",
                "files": [_made(name, DATA, entry.dataset_name, "development") for name in files],
                "reference": {
                    "kind": "label",
                    "files": [_made(name, TRUTH, entry.dataset_name, "answers") for name in hidden],
                },
                "answer": answers,
                "metrics": metrics,
            }
        )
    questions.append(
        "Which files are to learn from and which are inputs? How do the metrics pair answers with references?"
    )
    base = re.search(r"^FROM\s+(\S+)", package.text(DOCKERFILE).content, re.MULTILINE)
    task = {
        "format": 1,
        "id": f"imported-{hashlib.sha256(metadata.task_name.encode()).hexdigest()[:8]}",
        "name": metadata.task_name[:120],
        "domain": {
            "primary": metadata.domain_metadata.primary_domain,
            "sub": metadata.domain_metadata.sub_domain,
            "tags": metadata.domain_metadata.domain_tags,
        },
        "topology": metadata.workflow_topology,
        "paradigm": metadata.methodology_paradigm,
        "tooling": metadata.tooling_metadata and metadata.tooling_metadata.model_dump(mode="json"),
        "compute": {
            "cpu": metadata.compute_resource_requirements.cpu_compute.severity,
            "cpu_quantity": metadata.compute_resource_requirements.cpu_compute.quantity_text,
            "gpu": metadata.compute_resource_requirements.gpu_compute,
            "runtime": metadata.compute_resource_requirements.runtime,
        },
        "problem": {
            "background": sections.get("1", "").strip() or UNKNOWN,
            "objective": objective,
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
    TaskSpecification.model_validate(task)
    return task


def _files(package: Package, where: str, instance: str) -> list[str]:
    prefix = f"{where}/{instance}/"
    return sorted(name.removeprefix(prefix) for name in package.files if name.startswith(prefix))


def _made(name: str, where: str, instance: str, role: str) -> dict[str, str]:
    return {"file": name, "take": f"package/{where}/{instance}/{name}", "role": role}


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


def _answers(text: str) -> list[dict[str, Any]]:
    """The files that a table of section 5 names."""
    found: dict[str, dict[str, Any]] = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        name = re.fullmatch(r"`?(?:output/)?(?:\{?[\w.<>-]+\}?/)?([\w.-]+\.(\w+))`?", cells[0])
        if line.lstrip().startswith("|") and name and name[2].lower() in FORMATS:
            kind = name[2].lower()
            answer: dict[str, Any] = {"file": name[1], "format": kind, "rows": "free"}
            found[name[1]] = answer | ({"columns": [{"name": "value"}]} if kind == "csv" else {})
    return list(found.values())


def _pins(package: Package) -> list[str]:
    return sorted(set(re.findall(r"(?<![\w/])[A-Za-z0-9][\w.-]*==[\w.+!-]+", package.text(DOCKERFILE).content)))
