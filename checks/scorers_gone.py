"""Scorers that are gone: promised by a document, or imported by the evaluator, and not in the package."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from checks.dockerfile import read_dockerfile
from checks.environment import image_of, is_local
from checks.model import Finding
from checks.package import DATA, DESCRIPTION, DOCKERFILE, EVALUATOR, README, CheckedPackage
from nature_gym.environment.imports import STANDARD, imports_of
from nature_gym.environment.names import assumed, distributions_of

PROMISED = re.compile(r"(?:\b(?:problem/)?data/(?P<folder>[^/\s`]+)/(?:[^\s`]+/)?|`)(?P<name>\w[\w.-]*\.py)\b")
"""A script below the data, or one that stands as code."""


def scorers_gone(package: CheckedPackage) -> Iterator[Finding]:
    """What C3.7 finds missing: scripts of the data, and modules of the evaluator."""
    yield from _promised(package)
    yield from _imported(package)


def _promised(package: CheckedPackage) -> Iterator[Finding]:
    """Scripts that the documents say lie in the data of each instance, or of one, and that do not."""
    folders = package.instances(DATA)
    for file in (README, DESCRIPTION):
        headings = {one.line for one in package.document(file).headings} if file == DESCRIPTION else set()
        for number, line in enumerate(package.document(file).lines, 1):
            for match in PROMISED.finditer(line):
                folder, name = match["folder"], match["name"]
                if folder is None and number not in headings:
                    continue
                owners = (
                    [folder] if folder in folders else folders if folder is None or not folder.isidentifier() else []
                )
                lacking = [
                    one
                    for one in owners
                    if not any(PurePosixPath(path).name == name for path in package.below(f"{DATA}/{one}"))
                ]
                if lacking and f"{DATA}/{name}" not in package.entries:
                    message = f"is said to be in the data, and {', '.join(map(repr, lacking[:3]))} has none"
                    yield Finding(
                        file=file, line=number, column=match.start("name") + 1, text=name, message=message,
                        hint=f"Add it to {DATA}/{lacking[0]}, or take it out.",
                    )  # fmt: skip


def _imported(package: CheckedPackage) -> Iterator[Finding]:
    """Modules that the evaluator wants from a folder of the package, and that are not there: gone, or renamed."""
    tree = package.code(EVALUATOR).tree
    paths = [one for one in package.followed.readings if re.search(r"\bpath\.(?:insert|append|extend)$", one.call)]
    if tree is None or not paths:
        return
    wanted = [one for one in imports_of(tree, EVALUATOR) if not one.optional and one.top not in STANDARD]
    beside = [name for name in package.below("evaluation") if name.endswith(".py") and name != EVALUATOR]
    named = {part for one in wanted for part in one.module.split(".")}
    unused = [name for name in beside if PurePosixPath(name).stem not in named | {"__init__"}]
    empty = not any(name.startswith(f"{one.place}/") for one in paths for name in beside)
    for one in wanted:
        if (unused or empty) and not is_local(package, EVALUATOR, one.module) and not _is_public(package, one.module):
            where = f"; {unused[0]} is imported by nothing" if unused else f"; {paths[0].place} has no module"
            yield Finding(
                file=EVALUATOR, line=max(one.line, 1), text=one.module,
                message=f"imports {one.module}, which is not in the package{where}",
                hint="Add it, or correct its name.",
            )  # fmt: skip


def _has(package: CheckedPackage, instance: str, name: str) -> bool:
    return any(PurePosixPath(path).name == name for path in package.below(f"{DATA}/{instance}"))


def _is_public(package: CheckedPackage, module: str) -> bool:
    """Whether the image or the Dockerfile brings a module."""
    docker = read_dockerfile(package.text(DOCKERFILE).content)
    image = image_of(docker.base)
    names = {*distributions_of(module), assumed(module)}
    return bool(names & {one.key for one in docker.requirements}) or (
        image is not None and any(map(image.brings, names))
    )
