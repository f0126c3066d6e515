"""What base images bring: names and versions of their packages, one JSON file an image.

``complete`` manifests name every package. Others name those that the image's own recipe pins; the rest that came with
them stands under ``dependencies``, without versions, since they were chosen on the day when the image was built.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from packaging.utils import canonicalize_name

from nature_gym.errors import UsageError


@dataclass(frozen=True)
class Manifest:
    """One image: ``packages`` is canonical name -> version, ``dependencies`` are canonical names."""

    image: str
    python: str
    source: str
    complete: bool
    packages: dict[str, str]
    dependencies: frozenset[str]

    def brings(self, name: str) -> bool:
        """Whether a distribution is in the image, in whatever version."""
        plain = canonicalize_name(name)
        return plain in self.packages or plain in self.dependencies


@cache
def manifests() -> dict[str, Manifest]:
    """All manifests by the name of their image."""
    found = (
        _manifest(json.loads(path.read_text("utf-8")))
        for path in files("nature_gym.environment.manifests").iterdir()
        if path.name.endswith(".json")
    )
    return {one.image: one for one in sorted(found, key=lambda one: one.image)}


def manifest(image: str) -> Manifest:
    """The manifest of an image. Raises UsageError where there is none."""
    known = manifests()
    if image not in known:
        raise UsageError(f"There is no manifest of {image}.", hint=f"Known bases: {', '.join(known)}.")
    return known[image]


def _manifest(value: dict[str, Any]) -> Manifest:
    return Manifest(
        image=value["image"],
        python=value["python"],
        source=value["source"],
        complete=value["complete"],
        packages={canonicalize_name(name): version for name, version in value["packages"].items()},
        dependencies=frozenset(canonicalize_name(name) for name in value["dependencies"]),
    )
