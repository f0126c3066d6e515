"""C0.5: whether the evaluator and the scripts of a package can run in the environment that it asks for.

The idea: an environment is a base image, whose packages a manifest lists (:mod:`nature_gym.environment.manifests`), and
what the Dockerfile adds. A manifest may be known in part only; then what it lacks is a matter of doubt, not of failure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from packaging.version import InvalidVersion, Version

from checks.dockerfile import Dockerfile, Requirement, normalised, read_dockerfile
from checks.model import Finding, Level
from checks.package import DATA, DOCKERFILE, EVALUATOR, PACKAGES, CheckedPackage, loads
from checks.registry import check
from nature_gym.environment.imports import STANDARD, imports_of
from nature_gym.environment.manifests import Manifest, manifests
from nature_gym.environment.names import assumed, distributions_of
from nature_gym.environment.removed_apis import removed_uses

SCRIPTS = (DATA, "evaluation")
MOST_SCRIPTS = 500


def image_of(name: str) -> Manifest | None:
    """The manifest of the image that a ``FROM`` means, its registry and digest aside; None where there is none."""
    return manifests().get(name.partition("@")[0].rpartition("/")[2])


@check("C0.5", reads=(DOCKERFILE, EVALUATOR))
def environment(package: CheckedPackage) -> Iterator[Finding]:
    """The environment is viable: what is imported is installed, in versions that fit.

    Every import of the evaluator, of scripts in problem/data and of scorers is met by the base image or the
    Dockerfile; imports in try/except ImportError are optional. Pins are versions, override nothing of the base, and
    names that the installed versions no longer have (np.float, DataFrame.append) are not used. Whether a registry has
    a version is not asked here: checks use no network.

    Passes: "RUN pip install --no-cache-dir scikit-bio==0.6.2" and "import skbio".
    Fails: "import skbio" without it; "pip install numpy==2.1.0" over numpy 1.26.4; np.float on numpy 1.26.
    Warns: a package without a version; one that the base has in that version; packages.json that says something else.
    Mend: add name==version to the Dockerfile, or use what the base has.
    """
    docker = read_dockerfile(package.text(DOCKERFILE).content)
    if not docker.base:
        yield Finding(file=DOCKERFILE, message="has no FROM", hint="Begin with FROM and a base image.")
        return
    image = image_of(docker.base)
    if image is None:
        yield Finding(
            file=DOCKERFILE, line=docker.base_line, text=docker.base, level="warn",
            message=f"nothing is known of the base image {docker.base}", hint=f"Known: {', '.join(manifests())}.",
        )  # fmt: skip
    yield from _pins(docker, image)
    added = {one.key: one.version for one in docker.requirements}
    versions = {**(image.packages if image else {}), **added, "python": image.python if image else ""}
    scripts = list(_scripts(package))
    for name in scripts:
        yield from _imports(package, name, docker, image)
    sources = {name: package.text(name).content for name in scripts}
    for use in removed_uses(sources, {name: version for name, version in versions.items() if version}):
        line = sources[use.file].split("\n")[use.line - 1]
        column = max(line.find(use.name.rpartition(".")[2]), 0) + 1
        hint = f"Use {use.gone.instead}." if use.gone.instead else "Do without it."
        yield Finding(file=use.file, line=use.line, column=column, text=use.name, message=use.told, hint=hint)
    yield from _listed(package, docker, image)


def _pins(docker: Dockerfile, image: Manifest | None) -> Iterator[Finding]:
    seen: dict[str, Requirement] = {}
    for one in docker.requirements:
        base = image.packages.get(one.key) if image else None
        brought = image is not None and image.brings(one.name)
        if one.key in seen and seen[one.key].version != one.version:
            yield _pin(one, f"{one.name} is pinned twice, differently", "Keep one of them.")
        elif one.version and not _is_version(one.version):
            yield _pin(one, f"{one.version!r} is no version", "Write it as name==1.2.3.")
        elif base and one.version and not _same(one.version, base):
            message = f"{one.name} {one.version} overrides {base} of the base image"
            yield _pin(one, message, f"Use {one.name} {base}, or another base.")
        elif brought and (base or not one.version):
            yield _pin(one, f"the base image has {one.name} {base or ''}".rstrip(), "Leave it out.", "warn")
        elif not one.version:
            yield _pin(one, f"{one.name} has no pinned version", f"Write {one.name}==<version>.", "warn")
        seen[one.key] = one
    for one in docker.other:
        yield _pin(one, "is installed from a place that is no pinned package", "Pin a release.", "warn")


def _pin(one: Requirement, message: str, hint: str, level: Level = "fail") -> Finding:
    return Finding(file=DOCKERFILE, line=one.line, text=one.text, message=message, hint=hint, level=level)


def _is_version(text: str) -> bool:
    try:
        Version(text)
    except InvalidVersion:
        return False
    return True


def _same(one: str, other: str) -> bool:
    return Version(one) == Version(other) if _is_version(one) and _is_version(other) else one == other


def _scripts(package: CheckedPackage) -> Iterator[str]:
    """The evaluator, and the other Python files of both sides that can be read."""
    count = 0
    for side in SCRIPTS:
        for name in package.below(side):
            if name.endswith(".py") and not package.missing(name):
                count += 1
                if count > MOST_SCRIPTS:
                    return
                yield name


def _imports(package: CheckedPackage, name: str, docker: Dockerfile, image: Manifest | None) -> Iterator[Finding]:
    tree = package.code(name).tree
    listed = _from_base(package)
    added = {one.key for one in docker.requirements}
    told: set[str] = set()
    for one in sorted(imports_of(tree, name)) if tree else ():
        top = one.top
        if one.optional or top in told or top in STANDARD or is_local(package, name, one.module):
            continue
        wanted = [*distributions_of(one.module), assumed(one.module)]
        if any(key in added or (image is not None and image.brings(key)) for key in wanted):
            continue
        told.add(top)
        doubt = image is None or (not image.complete and top in listed) or bool(docker.other)
        line = package.text(name).content.split("\n")[one.line - 1] if one.line else ""
        yield Finding(
            file=name, line=max(one.line, 1), column=len(line) - len(line.lstrip()) + 1, text=top,
            message=f"{top} is not known to be in {docker.base}, and the Dockerfile does not add it"
            if doubt else f"{top} is neither in {docker.base} nor in the Dockerfile",
            hint=f"Add {wanted[0]}==<version> to {DOCKERFILE}.", level="warn" if doubt else "fail",
        )  # fmt: skip


def is_local(package: CheckedPackage, script: str, module: str) -> bool:
    """Whether a module lies in the package: beside the script, above it, or elsewhere on its side."""
    top = module.partition(".")[0]
    side = "evaluation" if script.startswith("evaluation/") else DATA
    folder = PurePosixPath(script).parent
    while folder.is_relative_to(side):
        if f"{folder}/{top}.py" in package.entries or f"{folder}/{top}" in package.children:
            return True
        folder = folder.parent
    return any(one.endswith((f"/{top}.py", f"/{top}/__init__.py")) for one in package.below(side))


def _from_base(package: CheckedPackage) -> set[str]:
    value = loads(package.text(PACKAGES).content)
    listed = value.get("from_base") if isinstance(value, dict) else None
    if isinstance(listed, dict):
        listed = list(listed)
    found = set()
    for one in listed if isinstance(listed, list) else ():
        name = (one.get("import") or one.get("pip") or one.get("name")) if isinstance(one, dict) else one
        if isinstance(name, str):
            found.add(re.split(r"[=<>~\[ ]", name)[0])
    return found


def _listed(package: CheckedPackage, docker: Dockerfile, image: Manifest | None) -> Iterator[Finding]:
    """What packages.json says otherwise than the Dockerfile and the base."""
    text = package.text(PACKAGES)
    if text.missing:
        return  # told by C0.1
    value = loads(text.content)
    if not isinstance(value, dict):
        yield Finding(file=PACKAGES, message="is no JSON object", hint="Derive it from the Dockerfile.")
        return
    if value.get("base_image") != docker.base:
        yield _differs(text.content, str(value.get("base_image")), f"the Dockerfile is FROM {docker.base}")
    listed = value.get("task_packages")
    entries = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    there = {normalised(str(one.get("pip", ""))): str(one.get("version", "")) for one in entries}
    added = {one.key: one.version for one in docker.requirements}
    for name in sorted(there.keys() | added.keys()):
        if name not in added:
            yield _differs(text.content, name, f"{name} is not in the Dockerfile")
        elif name not in there:
            yield _differs(text.content, "task_packages", f"lacks {name}, which the Dockerfile adds")
        elif there[name].lstrip("=") != added[name]:
            yield _differs(text.content, name, f"says {name} {there[name]}, and the Dockerfile {added[name]}")
    if image is not None and image.complete:
        for name in sorted(_from_base(package)):
            if not any(map(image.brings, (*distributions_of(name), name))):
                yield _differs(text.content, name, f"{name} is not in {image.image}")


def _differs(text: str, word: str, message: str) -> Finding:
    at = max(text.lower().find(f'"{word.lower()}'), 0)
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    return Finding(
        file=PACKAGES, line=line, column=column, text=word, message=message, level="warn",
        hint="packages.json is derived from the Dockerfile.",
    )  # fmt: skip
