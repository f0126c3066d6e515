"""What a Dockerfile says of the environment: its base image, and what it installs with pip, each with its line."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

_INSTALL = re.compile(r"(?:^|[\s;&|(])(?:python[\d.]*\s+-m\s+|uv\s+)?pip[\d.]*\s+install\b(.*)", re.DOTALL)
_NAME = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)(\[[^\]]*\])?\s*(?:(===?|~=|>=|<=|!=|<|>)\s*(.*))?$")
WITH_VALUE = {
    "-i", "--index-url", "--extra-index-url", "-f", "--find-links", "-r", "--requirement", "-c", "--constraint",
    "--target", "-t", "--prefix", "--timeout", "--retries", "--trusted-host", "--platform", "--python-version",
    "--no-binary", "--only-binary", "--root", "--src", "--cache-dir",
}  # fmt: skip
CONDA = re.compile(r"(?:^|[\s;&|])(?:conda|mamba|micromamba)\s+install\b(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Requirement:
    """A package to install: ``version`` is that of ``name==version``, '' where it is not pinned."""

    name: str
    version: str
    text: str
    line: int

    @property
    def key(self) -> str:
        """The name as installers compare it."""
        return normalised(self.name)


@dataclass(frozen=True, slots=True)
class Dockerfile:
    """A Dockerfile, as far as the environment goes. ``other`` are requirements that are no names: URLs, files."""

    base: str
    base_line: int
    requirements: tuple[Requirement, ...]
    other: tuple[Requirement, ...]


def normalised(name: str) -> str:
    """A distribution's name as installers compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def read_dockerfile(text: str) -> Dockerfile:
    """Read one; what is not understood is left out."""
    base, base_line = "", 1
    named: list[Requirement] = []
    other: list[Requirement] = []
    arguments: dict[str, str] = {}
    for line, instruction in _instructions(text):
        word, _, rest = instruction.partition(" ")
        match word.upper():
            case "ARG":
                key, _, value = rest.strip().partition("=")
                arguments[key.strip()] = value.strip().strip("\"'")
            case "FROM":
                words = [one for one in rest.split() if not one.startswith("--")]
                base, base_line = _filled(words[0] if words else "", arguments), line
            case "RUN":
                for requirement in _installed(rest, text, line):
                    (named if _NAME.match(requirement.text) else other).append(requirement)
    return Dockerfile(base, base_line, tuple(named), tuple(other))


def _filled(text: str, arguments: dict[str, str]) -> str:
    return re.sub(r"\$\{?(\w+)(?::-([^}]*))?\}?", lambda m: arguments.get(m[1]) or m[2] or "", text)


def _instructions(text: str) -> Iterator[tuple[int, str]]:
    """(line of its beginning, instruction on one line) with comments left out."""
    parts: list[str] = []
    start = 1
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("#"):
            continue
        if not parts:
            start = number
        stripped = line.rstrip()
        if stripped.endswith("\\"):
            parts.append(stripped[:-1])
            continue
        parts.append(stripped)
        whole = " ".join(parts).strip()
        parts = []
        if whole:
            yield start, whole
    if whole := " ".join(parts).strip():
        yield start, whole


def _installed(command: str, text: str, line: int) -> Iterator[Requirement]:
    if command.lstrip().startswith("["):  # the form of a list of words
        command = " ".join(re.findall(r'"((?:[^"\\]|\\.)*)"', command))
    for part in re.split(r"&&|\|\||;|\n", command):
        match = _INSTALL.search(part)
        conda = CONDA.search(part)
        if match is None and conda is None:
            continue
        try:
            words = shlex.split((match or conda)[1])  # type: ignore[index] # one of them is there
        except ValueError:
            words = (match or conda)[1].split()  # type: ignore[index]
        skip = False
        for word in words:
            if skip:
                skip = False
            elif word.startswith("-"):
                skip = word in WITH_VALUE or (conda is not None and word in ("-c", "--channel", "-n", "--name"))
            else:
                yield _requirement(word, text, line, conda=match is None)


def _requirement(word: str, text: str, line: int, *, conda: bool) -> Requirement:
    place = text.split("\n")
    at = next((number for number in range(line, len(place) + 1) if word in place[number - 1]), line)
    if conda and (match := re.fullmatch(r"(?:[\w.-]+::)?([\w.-]+)=([\w.]+)(?:=.*)?", word)):
        return Requirement(match[1], match[2], f"{match[1]}=={match[2]}", at)
    match = _NAME.match(word)
    if match is None:
        return Requirement(word, "", word, at)
    pinned = match[3] in ("==", "===") and "," not in (match[4] or "") and "*" not in (match[4] or "")
    return Requirement(match[1], match[4].strip() if pinned else "", word, at)
