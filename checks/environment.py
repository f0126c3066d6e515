"""C0.5: whether the evaluator and the scripts of a package can run in the environment that it asks for.

The idea: an environment is a base image, whose packages a manifest in ``checks/images`` lists, and what the Dockerfile
adds. A manifest may be known in part only; then what it lacks is a matter of doubt, not of failure.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath

from checks.dockerfile import Dockerfile, Requirement, normalised, read_dockerfile
from checks.model import Finding, Level
from checks.package import DATA, DOCKERFILE, EVALUATOR, PACKAGES, CheckedPackage, loads
from checks.registry import check
from checks.removed_apis import removed_uses

IMAGES = Path(__file__).parent / "images"
MODULES = {
    "attr": "attrs", "bio": "biopython", "bs4": "beautifulsoup4", "community": "python-louvain",
    "cv2": "opencv-python", "dateutil": "python-dateutil", "fitz": "pymupdf", "git": "gitpython", "google": "protobuf",
    "mpl_toolkits": "matplotlib", "openbabel": "openbabel-wheel", "osgeo": "gdal", "pil": "pillow",
    "pkg_resources": "setuptools", "simtk": "openmm", "skbio": "scikit-bio", "skimage": "scikit-image",
    "sklearn": "scikit-learn", "sksurv": "scikit-survival", "umap": "umap-learn", "yaml": "pyyaml",
}  # fmt: skip
"""Modules that are not called as their distribution is."""
ALSO = {"opencv-python": ("opencv-python-headless", "opencv-contrib-python"), "tables": ("pytables",)}
VERSION = re.compile(
    r"v?(\d+!)?\d+(\.\d+)*([-_.]?(a|b|c|rc|alpha|beta|pre|preview)[-_.]?\d*)?"
    r"(-\d+|[-_.]?(post|rev|r)[-_.]?\d*)?([-_.]?dev[-_.]?\d*)?(\+[a-z0-9]+([-_.][a-z0-9]+)*)?",
    re.IGNORECASE,
)
"""Versions as PEP 440 has them."""
SCRIPTS = (DATA, "evaluation")
MOST_SCRIPTS = 500
SILENCERS = ("ImportError", "ModuleNotFoundError", "Exception", "BaseException")


@dataclass(frozen=True, slots=True)
class Image:
    """What is known of a base image; ``complete`` says that it holds nothing else."""

    name: str
    python: str
    packages: dict[str, str]
    complete: bool
    known: bool = True


@dataclass(frozen=True, slots=True)
class Imported:
    """A module that a script imports."""

    module: str
    line: int
    column: int
    optional: bool


@cache
def images() -> dict[str, Image]:
    """The images that a manifest is shipped of."""
    found = {}
    for path in sorted(IMAGES.glob("*.json")):
        value = json.loads(path.read_text(encoding="utf-8"))
        packages = {normalised(name): version for name, version in value["packages"].items()}
        packages |= {normalised(name): "" for name in value.get("brought", ()) if normalised(name) not in packages}
        found[value["image"]] = Image(value["image"], value["python"], packages, value["complete"])
    return found


def image_of(name: str) -> Image:
    """The image that a ``FROM`` means, its registry and digest aside; one that nothing is known of where it is none."""
    short = name.partition("@")[0].rpartition("/")[2]
    return images().get(short) or Image(name, "3.11", {}, complete=False, known=False)


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
    image = image_of(docker.base)
    if not docker.base:
        yield Finding(file=DOCKERFILE, message="has no FROM", hint="Begin with FROM and a base image.")
        return
    if not image.known:
        yield Finding(
            file=DOCKERFILE, line=docker.base_line, text=docker.base, level="warn",
            message=f"nothing is known of the base image {docker.base}", hint=f"Known: {', '.join(images())}.",
        )  # fmt: skip
    yield from _pins(docker, image)
    installed = {**image.packages, **{one.key: one.version for one in docker.requirements}, "python": image.python}
    scripts = list(_scripts(package))
    for name in scripts:
        yield from _imports(package, name, docker, image, installed)
        yield from _removed(package, name, installed)
    yield from _listed(package, docker, image)


def _pins(docker: Dockerfile, image: Image) -> Iterator[Finding]:
    seen: dict[str, Requirement] = {}
    for one in docker.requirements:
        base = image.packages.get(one.key)
        if one.key in seen and seen[one.key].version != one.version:
            yield _pin(one, f"{one.name} is pinned twice, differently", "Keep one of them.")
        elif one.version and not VERSION.fullmatch(one.version):
            yield _pin(one, f"{one.version!r} is no version", "Write it as name==1.2.3.")
        elif base and one.version and not _same(one.version, base):
            message = f"{one.name} {one.version} overrides {base} of the base image"
            yield _pin(one, message, f"Use {one.name} {base}, or another base.")
        elif base is not None and (not one.version or base):
            yield _pin(one, f"the base image has {one.name} {base}".rstrip(), "Leave it out.", "warn")
        elif not one.version:
            yield _pin(one, f"{one.name} has no pinned version", f"Write {one.name}==<version>.", "warn")
        seen[one.key] = one
    for one in docker.other:
        yield _pin(one, "is installed from a place that is no pinned package", "Pin a release.", "warn")


def _pin(one: Requirement, message: str, hint: str, level: Level = "fail") -> Finding:
    return Finding(file=DOCKERFILE, line=one.line, text=one.text, message=message, hint=hint, level=level)


def _same(one: str, other: str) -> bool:
    return _numbers(one) == _numbers(other)


def _numbers(version: str) -> tuple[int, ...]:
    numbers = [int(one) for one in re.findall(r"\d+", version.partition("+")[0])]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


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


def imports_of(tree: ast.Module) -> Iterator[Imported]:
    """Every import of a module of somebody else's; ``importlib.import_module`` with a plain name, too."""
    yield from _imports_in(tree.body, optional=False)


def _imports_in(body: list[ast.stmt], *, optional: bool) -> Iterator[Imported]:
    for node in body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Imported(alias.name, node.lineno, node.col_offset + 1, optional)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield Imported(node.module, node.lineno, node.col_offset + 1, optional)
        elif isinstance(node, ast.Try):
            silent = optional or any(_silences(handler) for handler in node.handlers)
            yield from _imports_in(node.body, optional=silent)
            for rest in (*(handler.body for handler in node.handlers), node.orelse, node.finalbody):
                # In a handler stands what to use instead; with neither of them there, the script fails all the same.
                yield from _imports_in(rest, optional=optional or silent)
        elif isinstance(node, ast.If):
            typing = "TYPE_CHECKING" in ast.dump(node.test)
            yield from _imports_in(node.body, optional=optional or typing)
            yield from _imports_in(node.orelse, optional=optional)
        else:
            yield from _calls(node)
            yield from _imports_in(list(_bodies(node)), optional=optional)


def _bodies(node: ast.stmt) -> Iterator[ast.stmt]:
    for field in ("body", "orelse"):
        yield from getattr(node, field, ())
    for case in getattr(node, "cases", ()):
        yield from case.body


def _calls(node: ast.stmt) -> Iterator[Imported]:
    if not isinstance(node, ast.Expr | ast.Assign | ast.Return):
        return
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.Constant):
            name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
            module = call.args[0].value
            if name in ("import_module", "__import__") and isinstance(module, str) and not module.startswith("."):
                yield Imported(module, call.lineno, call.col_offset + 1, optional=False)


def _silences(handler: ast.ExceptHandler) -> bool:
    names = {node.id for node in ast.walk(handler.type) if isinstance(node, ast.Name)} if handler.type else set()
    ends = any(isinstance(node, ast.Raise) for node in handler.body)
    return not ends and (handler.type is None or bool(names & set(SILENCERS)))


def _imports(
    package: CheckedPackage, name: str, docker: Dockerfile, image: Image, installed: dict[str, str]
) -> Iterator[Finding]:
    tree = package.code(name).tree
    listed = _from_base(package)
    for one in imports_of(tree) if tree else ():
        top = one.module.partition(".")[0]
        if one.optional or top in sys.stdlib_module_names or is_local(package, name, one.module):
            continue
        wanted = normalised(MODULES.get(top.lower(), top))
        if any(key in installed for key in (wanted, normalised(top), *ALSO.get(wanted, ()))):
            continue
        doubt = not image.known or (not image.complete and top in listed) or bool(docker.other)
        yield Finding(
            file=name, line=one.line, column=one.column, text=top, level="warn" if doubt else "fail",
            message=f"{top} is not known to be in {image.name}, and the Dockerfile does not add it"
            if doubt else f"{top} is neither in {image.name} nor in the Dockerfile",
            hint=f"Add {wanted}==<version> to {DOCKERFILE}.",
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


def _removed(package: CheckedPackage, name: str, installed: dict[str, str]) -> Iterator[Finding]:
    tree = package.code(name).tree
    seen = set()
    for one in removed_uses(tree) if tree else ():
        version = installed.get(one.distribution, "")
        place = (one.line, one.name)
        if version and _numbers(version) >= _numbers(one.since) and place not in seen:
            seen.add(place)
            yield Finding(
                file=name, line=one.line, column=one.column, text=one.name,
                message=f"{one.name} is gone since {one.distribution} {one.since}; here is {version}",
                hint=f"Use {one.instead}.",
            )  # fmt: skip


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


def _listed(package: CheckedPackage, docker: Dockerfile, image: Image) -> Iterator[Finding]:
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
    if image.complete:
        for name in sorted(_from_base(package)):
            wanted = normalised(MODULES.get(name.lower(), name))
            if wanted not in image.packages and normalised(name) not in image.packages:
                yield _differs(text.content, name, f"{name} is not in {image.name}")


def _differs(text: str, word: str, message: str) -> Finding:
    at = max(text.lower().find(f'"{word.lower()}'), 0)
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    return Finding(
        file=PACKAGES, line=line, column=column, text=word, message=message, level="warn",
        hint="packages.json is derived from the Dockerfile.",
    )  # fmt: skip
