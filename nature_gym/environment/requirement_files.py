"""What authors say that their code needs: requirement files, read and never run.

The one idea: all forms end as one: a distribution, a specifier of PEP 440 (empty for any version), and where it was
said. What is no plain requirement (addresses, options, other channels' own packages) is counted and left.
"""

from __future__ import annotations

import ast
import configparser
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import yaml
from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from nature_gym.syntax import tree_of

LARGEST = 1 << 20
MOST = 2_000
"""Requirements of one file."""
CONDA_NAMES = {
    "matplotlib-base": "matplotlib", "opencv": "opencv-python-headless", "py-opencv": "opencv-python-headless",
    "py-xgboost": "xgboost", "pytables": "tables", "pytorch": "torch", "pytorch-gpu": "torch",
    "seaborn-base": "seaborn", "tensorflow-gpu": "tensorflow", "graph-tool-base": "graph-tool",
    "pyg": "torch-geometric", "python-igraph": "igraph", "fair-esm": "fair-esm",
}  # fmt: skip
"""Packages of conda's channels whose distribution has another name."""
NO_PACKAGES = {"cudatoolkit", "cudnn", "pip", "python", "setuptools", "wheel"}
"""What requirement files name and no task has to add."""


@dataclass(frozen=True, slots=True)
class Declared:
    """One requirement of the authors: canonical ``name``, ``specifier``, and the file that says so."""

    name: str
    specifier: str
    file: str


def is_requirement_file(path: str) -> bool:
    """Whether a path is named like a file of requirements."""
    name = PurePosixPath(path).name.lower()
    if name in ("pyproject.toml", "setup.cfg", "setup.py", "pipfile"):
        return True
    in_folder = PurePosixPath(path).parent.name.lower() == "requirements"
    plain = name.endswith((".txt", ".in")) and (name.startswith("requirement") or in_folder)
    return plain or (name.startswith(("environment", "env", "conda")) and name.endswith((".yml", ".yaml")))


def declared(files: Mapping[str, str]) -> tuple[Declared, ...]:
    """What ``files`` (path -> text) require, in the order of paths; a file that cannot be read says nothing."""
    found: list[Declared] = []
    for path, text in sorted(files.items(), key=lambda one: (one[0].count("/"), one[0])):
        if len(text) > LARGEST:
            continue
        for count, one in enumerate(_of(path, text)):
            if count >= MOST:
                break
            if one.name not in NO_PACKAGES:
                found.append(one)
    return tuple(dict.fromkeys(found))


def _of(path: str, text: str) -> Iterator[Declared]:
    name = PurePosixPath(path).name.lower()
    try:
        if name in ("pyproject.toml", "pipfile"):
            yield from _toml(path, tomllib.loads(text))
        elif name == "setup.cfg":
            parser = configparser.ConfigParser(interpolation=None, strict=False)
            parser.read_string(text)
            yield from _plain(path, parser.get("options", "install_requires", fallback="").splitlines())
        elif name == "setup.py":
            yield from _plain(path, _install_requires(text))
        elif name.endswith((".yml", ".yaml")):
            yield from _conda(path, text)
        else:
            yield from _plain(path, text.replace("\\\n", " ").splitlines())
    except (ValueError, SyntaxError, RecursionError, MemoryError, configparser.Error, yaml.YAMLError):
        return


def _plain(path: str, lines: Iterable[str]) -> Iterator[Declared]:
    """Requirements as pip reads them, one a line; hashes and options behind them go."""
    for line in lines:
        bare = re.split(r"\s#|^#|\s--", line.strip(), maxsplit=1)[0].strip()
        if not bare or bare.startswith("-"):
            continue
        try:
            one = Requirement(bare)
        except InvalidRequirement:
            continue
        if one.url is None and (one.marker is None or _applies(one)):
            yield Declared(canonicalize_name(one.name), str(one.specifier), path)


def _applies(one: Requirement) -> bool:
    """Whether a requirement holds on Python 3.11 under Linux, without extras."""
    surroundings = {
        "python_version": "3.11", "python_full_version": "3.11.0", "sys_platform": "linux", "os_name": "posix",
        "platform_system": "Linux", "platform_machine": "x86_64", "implementation_name": "cpython",
        "platform_python_implementation": "CPython", "extra": "",
    }  # fmt: skip
    return one.marker is None or one.marker.evaluate(surroundings)


def _toml(path: str, value: dict[str, Any]) -> Iterator[Declared]:
    """PEP 621, Poetry and Pipenv."""
    yield from _plain(path, [line for line in _list(value, "project", "dependencies") if isinstance(line, str)])
    for table in (_table(value, "tool", "poetry", "dependencies"), _table(value, "packages")):
        for name, wish in table.items():
            version = wish.get("version", "") if isinstance(wish, dict) else wish
            if isinstance(version, str):
                yield Declared(canonicalize_name(name), _poetry(version), path)


def _table(value: Any, *keys: str) -> dict[str, Any]:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def _list(value: Any, *keys: str) -> list[Any]:
    inner = _table(value, *keys[:-1]).get(keys[-1])
    return inner if isinstance(inner, list) else []


def _poetry(wish: str) -> str:
    """A wish of Poetry as a specifier: ``^1.2`` is from 1.2 below 2, ``~1.2`` from 1.2 below 1.3."""
    parts = [_poetry_part(part.strip()) for part in wish.split(",")]
    return _specifier(",".join(filter(None, parts)))


def _poetry_part(part: str) -> str:
    if part in ("", "*"):
        return ""
    if part[0] in "^~" and not part.startswith("~="):
        try:
            release = list(Version(part[1:]).release)
        except InvalidVersion:
            return ""
        first = next((place for place, number in enumerate(release) if number), len(release) - 1)
        kept = first if part[0] == "^" else min(1, len(release) - 1)
        above = [*release[:kept], release[kept] + 1]
        return f">={part[1:]},<{'.'.join(map(str, above))}"
    return f"=={part}" if part[0].isdigit() else part


def _specifier(text: str) -> str:
    """``text`` where it is a specifier, else nothing."""
    try:
        return str(SpecifierSet(text))
    except InvalidSpecifier:
        return ""


def _install_requires(text: str) -> list[str]:
    """The literal list that a ``setup.py`` gives to ``setup``, directly or by a name."""
    tree = tree_of(text)
    lists = {
        target.id: node.value
        for node in ast.walk(tree) if isinstance(node, ast.Assign)
        for target in node.targets if isinstance(target, ast.Name)
    }  # fmt: skip
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        for keyword in node.keywords:
            if keyword.arg == "install_requires":
                value = lists.get(keyword.value.id) if isinstance(keyword.value, ast.Name) else keyword.value
                if isinstance(value, ast.List | ast.Tuple):
                    literals = [one.value for one in value.elts if isinstance(one, ast.Constant)]
                    return [one for one in literals if isinstance(one, str)]
    return []


def _conda(path: str, text: str) -> Iterator[Declared]:
    """An environment of conda: its own packages under their names here, and those of its pip part."""
    if sum(1 for event in yaml.parse(text, yaml.SafeLoader) if isinstance(event, yaml.AliasEvent)):
        return
    for entry in _list(yaml.safe_load(text), "dependencies"):
        if isinstance(entry, dict):
            yield from _plain(path, [line for line in _list(entry, "pip") if isinstance(line, str)])
        elif isinstance(entry, str):
            match = re.fullmatch(r"(?:[\w.-]+::)?([\w.-]+)\s*(.*)", entry.strip())
            if match:
                name = canonicalize_name(match[1])
                yield Declared(canonicalize_name(CONDA_NAMES.get(name, name)), _conda_version(match[2]), path)


def _conda_version(wish: str) -> str:
    """``=1.19`` is any 1.19, ``=1.19.2=build`` and ``==1.19.2`` are that one."""
    parts = [part for part in re.split(r"=+", wish.strip()) if part]
    if wish.startswith("="):
        exact = wish.startswith("==") or len(parts) > 1
        return _specifier(f"=={parts[0]}" if exact or not parts or "*" in parts[0] else f"=={parts[0]}.*")
    return _specifier(wish.split(" ", maxsplit=1)[0])
