"""The method's names: where they are known from, and how they are found however they are written.

The idea: a name such as FilmScout is found as film-scout, FILM SCOUT and filmscout_v2, too; one that is also a word of
the language (Brew, Flow) only in its own spelling. Names come from the package, its paper's record, and the user.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from checks.package import CheckedPackage, loads, read_bytes

LARGEST = 16 << 20
_PAPER_ID = re.compile(r"[A-Za-z0-9][\w.-]{0,100}")
_FEWEST = 2
"""Letters and digits: a name of one says nothing."""


def method_names(package: CheckedPackage) -> dict[str, bool]:
    """The names that are known, and whether each counts in its own spelling alone."""
    found: dict[str, bool] = {name: _common(name) for name in package.method_names}
    task = _yaml(package.text("task.yaml").content)
    method = task.get("method") if isinstance(task, dict) else None
    if isinstance(method, dict):
        common = method.get("common_word") is True
        for name in (method.get("name"), *_texts(method.get("variants"))):
            if isinstance(name, str):
                found.setdefault(name, common)
    for name in (
        *_filtered(package.path / "filter_result.json"),
        *_filtered(package.path.parent / "filter_result.json"),
    ):
        found.setdefault(name, _common(name))
    for name in _of_record(package, task):
        found.setdefault(name, _common(name))
    return {name: exact for name, exact in found.items() if len(re.sub(r"[\W_]", "", name)) >= _FEWEST}


def paper_title(package: CheckedPackage) -> str:
    """The paper's title, where the package tells it; '' where not."""
    paper = _paper(package, _yaml(package.text("task.yaml").content))
    title = paper.get("title")
    return title if isinstance(title, str) else ""


def _paper(package: CheckedPackage, task: Any) -> dict[str, Any]:
    for source in (task, loads(package.text("provenance.json").content)):
        paper = source.get("paper") if isinstance(source, dict) else None
        if isinstance(paper, dict) and paper:
            return paper
    return {}


def _of_record(package: CheckedPackage, task: Any) -> Iterator[str]:
    """Names in the screening of the package's paper, where the papers' records lie beside the packages."""
    paper = _paper(package, task).get("id")
    if not isinstance(paper, str) or not _PAPER_ID.fullmatch(paper):
        return
    try:
        value = loads(
            read_bytes(package.path.parent.parent / "papers" / paper / "screening.json", LARGEST).decode(
                "utf-8", "replace"
            )
        )
    except OSError:
        return
    known = value.get("task") if isinstance(value, dict) else None
    if isinstance(known, dict):
        yield from (
            name for name in (known.get("method"), *_texts(known.get("variants"))) if isinstance(name, str) and name
        )


def _texts(value: Any) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _yaml(text: str) -> Any:
    try:
        return yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 -- both are safe ones
    except (yaml.YAMLError, RecursionError, ValueError):
        return None


def _filtered(path: Path) -> Iterator[str]:
    """The method's names in a filter_result.json, under whichever of the usual keys."""
    try:
        value = loads(read_bytes(path, LARGEST).decode("utf-8", errors="replace"))
    except OSError:
        return
    if not isinstance(value, dict):
        return
    for key in ("method_name", "method", "method_names", "methods"):
        one = value.get(key)
        if isinstance(one, dict):
            one = one.get("name")
        yield from [one] if isinstance(one, str) else _texts(one)


def _common(name: str) -> bool:
    """Whether a name is written as a word of the language is: letters in lower case, the first one aside."""
    return bool(re.fullmatch(r"[A-Z]?[a-z]+", name))


def name_pattern(name: str, *, exact: bool) -> re.Pattern[str]:
    """What finds a name in a text."""
    if exact:
        return re.compile(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])")
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+|[+*#]+", name)
    middle = r"[\s_\-‐-―.]*".join(map(re.escape, parts)) or re.escape(name)
    plain = rf"(?<![A-Za-z0-9])(?i:{middle})s?(?![A-Za-z0-9])"
    if sum(letter.isupper() for letter in name) < 2 or len(name) < 5:
        return re.compile(plain)
    return re.compile(rf"{plain}|(?<![A-Z]){re.escape(name)}(?![a-z])|(?<![A-Za-z]){re.escape(name)}")
