"""What stands around the problem and the evaluator: the image, its packages, licence notices, provenance."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name

from nature_gym.environment.imports import imports
from nature_gym.environment.manifests import Manifest, manifests
from nature_gym.environment.names import assumed, distributions_of, module_of, package_of
from nature_gym.packaging.faults import BuildError
from nature_gym.packaging.specification import Source, TaskSpecification
from nature_gym.packaging.templates import render
from nature_gym.splitting.engine import Made

IMAGE = re.compile(
    r"[a-z0-9][a-z0-9._/-]*(:[0-9]+/[a-z0-9._/-]+)?(:[A-Za-z0-9_][A-Za-z0-9_.-]*)?(@sha256:[0-9a-f]{64})?"
)
PIN = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)(\[[A-Za-z0-9,._-]+\])?==([A-Za-z0-9][A-Za-z0-9.+!_-]*)")
LARGEST_LICENCE = 200_000


@dataclass(frozen=True, slots=True)
class Surrounding:
    """The texts of ``environment/``: ``Dockerfile.v3``, and what ``packages.json`` holds."""

    dockerfile: str
    packages: dict[str, Any]


def environment(task: TaskSpecification, scripts: Mapping[str, str]) -> Surrounding:
    """The image of a task whose programs are ``scripts`` (path -> text).

    Packages that the base has in that very version are not added again. Where the base's manifest is known, raises
    BuildError for a package in another version than the base's, and for an import that neither satisfies; always for a
    base or a package that is not plainly named.
    """
    base = task.environment.base
    if not IMAGE.fullmatch(base):
        raise BuildError(f"{base!r} is no image", hint="Write it as name:tag.")
    known = manifests().get(base)
    added = []
    for package in sorted(task.environment.packages):
        match = PIN.fullmatch(package)
        if match is None:
            raise BuildError(f"{package!r} is no pinned package", hint="Write it as name==version.")
        there = known.packages.get(canonicalize_name(match[1])) if known else None
        if there is None:
            added.append(match)
        elif there != match[3]:
            raise BuildError(
                f"{base} has {match[1]} {there}, and the task asks for {match[3]}",
                hint="Take that package out of environment, or choose another base.",
            )
    brought = list(_brought(scripts, known, [match[1] for match in added]))
    listed = [{"pip": match[1], "import": module_of(match[1]), "version": match[3]} for match in added]
    return Surrounding(
        render("package/Dockerfile.j2", base=base, packages=[match[0] for match in added]),
        {"base_image": base, "from_base": brought, "task_packages": listed},
    )


def _brought(
    scripts: Mapping[str, str], base: Manifest | None, added: Iterable[str]
) -> Iterator[dict[str, str | None]]:
    """What the programs import from the base, with the version where it is known."""
    names = {canonicalize_name(name) for name in added}
    modules = {module_of(name) for name in names}
    seen = set()
    for one in imports(scripts).needed:
        package = package_of(one.module)
        candidates = distributions_of(one.module) or (assumed(one.module),)
        if package in seen or package in modules or names.intersection(candidates):
            continue
        seen.add(package)
        name = next((candidate for candidate in candidates if base is None or base.brings(candidate)), None)
        if name is None and base is not None:
            raise BuildError(
                f"{one.file}, line {one.line} imports {package}, which {base.image} does not have",
                hint=f"Add {candidates[0]} to environment; 'naturegym env resolve TASK_YAML' chooses versions.",
            )
        yield {"pip": name, "import": package, "version": base.packages.get(name or "") if base else None}


def licences(task: TaskSpecification, root: Path, made: Made) -> dict[str, str]:
    """One notice a source, by file name."""
    notices = {}
    for name, source in sorted(task.sources.items()):
        used = sorted(one.file for one in made.files if one.source.partition("/")[0] == name)
        text = _licence_text(source, task.sources, root)
        notices[f"{name}.txt"] = render("package/licence.txt.j2", name=name, source=source, used=used, text=text)
    return notices


def _licence_text(source: Source, sources: Mapping[str, Source], root: Path) -> str:
    if source.licence_file is None:
        return ""
    owner, _, inner = source.licence_file.partition("/")
    folder = (root / sources[owner].path).resolve() if owner in sources else root
    path = (folder / inner).resolve()
    if not path.is_relative_to(folder) or not path.is_file() or path.stat().st_size > LARGEST_LICENCE:
        raise BuildError(f"there is no licence {source.licence_file}", hint="Correct licence_file of that source.")
    return path.read_text(encoding="utf-8", errors="replace").rstrip()


def provenance(task: TaskSpecification, task_digest: str, made: Made) -> dict[str, Any]:
    """``provenance.json``: what every file was made from."""
    return {
        "format": 1,
        "task": task.id,
        "task_digest": task_digest,
        "release_domain": task.domain.release,
        "paper": task.paper.model_dump(mode="json"),
        "sources": {
            name: {
                "kind": source.kind, "url": source.url, "commit": source.commit,
                "digest": source.digest, "licence": source.licence,
            }
            for name, source in sorted(task.sources.items())
        },
        "files": [one.as_json() for one in sorted(made.files, key=lambda one: one.file)],
        "splits": [
            {
                "instance": one.instance, "split": one.split, "of": one.of,
                "counts": one.counts, "because": one.because,
            }
            for one in made.splits
        ],
    }  # fmt: skip
