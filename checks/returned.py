"""The metrics that an evaluator gives for each instance, as its results have them.

The idea: whatever lists an evaluator has, a score is looked up in what ``run_evaluation`` returns, or a script writes
as JSON. That is followed as paths are; where a part of it is not known, nothing is said to be missing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from checks.facts import metadata_metrics
from checks.following import ENTRIES
from checks.package import DATA, CheckedPackage
from checks.values import UNKNOWN, WILD, alternatives

DEEPEST = 4
_BESIDE = re.compile(
    r"(?:error|warning|message|status|reason|note|detail|valid|missing|instance|dataset|name|file|path|traceback|"
    r"time|runtime|duration|version|ok|success|failed|extra|meta)|count|(?:^|_)(?:n|num|number|len|size|total)(?:_|$)",
    re.IGNORECASE,
)
"""What stands beside the scores of an instance and is none."""


@dataclass(slots=True)
class Given:
    """The keys of an instance's results: ``scores`` could be metrics, ``all`` are those of deeper levels as well."""

    scores: set[str] = field(default_factory=set)
    all: set[str] = field(default_factory=set)
    complete: bool = True


def given_metrics(package: CheckedPackage) -> dict[str, Given]:
    """What the evaluator gives, by instance; '' is any. Nothing where its results cannot be followed."""
    followed = package.followed
    results = [followed.returned.get(name) for name in ENTRIES]
    instances = set(package.instances(DATA)) | {one.instance for one in metadata_metrics(package)}
    for value in (results[0], *followed.dumped, *results[1:]):
        found: dict[str, Given] = {}
        _instances(value, instances, found, DEEPEST)
        if any(one.all for one in found.values()):
            return found
    return {}


def _instances(value: Any, instances: set[str], found: dict[str, Given], deep: int) -> None:
    """Look for the mapping from instances, in alternatives and in what is around it."""
    for one in alternatives(value):
        if not isinstance(one, dict) or not deep:
            continue
        ours = instances & {key for key in one if isinstance(key, str)}
        if not ours and WILD in one and any(isinstance(inner, dict) for inner in alternatives(one[WILD])):
            ours = {WILD}
        for name in sorted(ours):
            entry = found.setdefault("" if name == WILD else name, Given())
            for inner in alternatives(one[name]):
                _entry(inner, entry)
        if not ours:
            for inner in one.values():
                _instances(inner, instances, found, deep - 1)


def _entry(value: Any, entry: Given) -> None:
    if value is None:
        return
    if not isinstance(value, dict):
        entry.complete = False
        return
    for key, inner in value.items():
        if not isinstance(key, str) or WILD in key:
            entry.complete = False
            continue
        entry.all.add(key)
        kinds = alternatives(inner)
        if all(one is UNKNOWN or one is None or isinstance(one, float) for one in kinds) and not _BESIDE.search(key):
            entry.scores.add(key)
        for one in kinds:
            if isinstance(one, dict):
                _keys(one, entry, DEEPEST)


def _keys(value: dict[Any, Any], entry: Given, deep: int) -> None:
    for key, inner in value.items():
        if not isinstance(key, str) or WILD in key:
            entry.complete = False
        else:
            entry.all.add(key)
        for one in alternatives(inner):
            if isinstance(one, dict) and deep:
                _keys(one, entry, deep - 1)
