"""What stands around the problem and the evaluator: the image, its packages, licence notices, provenance."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from nature_gym.packaging.faults import BuildError
from nature_gym.packaging.specification import Source, TaskSpecification
from nature_gym.packaging.templates import render
from nature_gym.splitting.engine import Made

IMAGE = re.compile(
    r"[a-z0-9][a-z0-9._/-]*(:[0-9]+/[a-z0-9._/-]+)?(:[A-Za-z0-9_][A-Za-z0-9_.-]*)?(@sha256:[0-9a-f]{64})?"
)
PIN = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)(\[[A-Za-z0-9,._-]+\])?==([A-Za-z0-9][A-Za-z0-9.+!_-]*)")
IMPORTS = {
    "beautifulsoup4": "bs4", "biopython": "Bio", "opencv-python": "cv2", "opencv-python-headless": "cv2",
    "pillow": "PIL", "pyyaml": "yaml", "scikit-image": "skimage", "scikit-learn": "sklearn",
}  # fmt: skip
"""Distributions that are imported by another name than their own."""
LARGEST_LICENCE = 200_000


def dockerfile(task: TaskSpecification) -> str:
    """``environment/Dockerfile.v3``. Raises BuildError for a base or a package that is not plainly named."""
    environment = task.environment
    if not IMAGE.fullmatch(environment.base):
        raise BuildError(f"{environment.base!r} is no image", hint="Write it as name:tag.")
    for package in environment.packages:
        if not PIN.fullmatch(package):
            raise BuildError(f"{package!r} is no pinned package", hint="Write it as name==version.")
    return render("package/Dockerfile.j2", base=environment.base, packages=sorted(environment.packages))


def packages(task: TaskSpecification, scripts: Iterable[str]) -> dict[str, Any]:
    """``environment/packages.json``: what the image brings, and what the Dockerfile adds; ``scripts`` are sources."""
    added = []
    for package in sorted(task.environment.packages):
        name, _, version = package.partition("==")
        plain = name.partition("[")[0]
        known = IMPORTS.get(plain.lower(), plain.lower().replace("-", "_"))
        added.append({"pip": plain, "import": known, "version": version})
    brought = set().union(*(imported(script) for script in scripts)) - {entry["import"] for entry in added}
    return {"base_image": task.environment.base, "from_base": sorted(brought), "task_packages": added}


def imported(script: str) -> set[str]:
    """The packages beyond the standard library that a Python source imports; none where it is not Python."""
    try:
        tree = ast.parse(script)
    except (SyntaxError, ValueError, RecursionError):
        return set()
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names - sys.stdlib_module_names


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
