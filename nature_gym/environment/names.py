"""The names of distributions and of the modules that they bring, where the two differ.

``import_names.json`` is the one source: module (dotted where several distributions share a package) -> distributions
that bring it, the one to choose first. It is kept by hand, for the sciences, and compared in the tests with what
installed distributions say of themselves. A module that is not in it is taken for a distribution of its own name,
and whoever reads the choice is told that this was assumed.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from packaging.utils import canonicalize_name


def distributions_of(module: str) -> tuple[str, ...]:
    """The canonical names of distributions that bring a dotted module, the one to choose first; none if not known."""
    return _table().get(package_of(module), ())


def package_of(module: str) -> str:
    """The part of a dotted module that stands for its distribution: mostly the first, ``google.protobuf`` in others."""
    parts = module.split(".")
    prefixes = (".".join(parts[:length]) for length in range(min(len(parts), 4), 0, -1))
    return next((prefix for prefix in prefixes if prefix in _table()), parts[0])


def assumed(module: str) -> str:
    """The distribution to ask for where none is known: that of the same name."""
    return canonicalize_name(module.partition(".")[0])


def is_known(module: str) -> bool:
    """Whether a module is known to come from a distribution."""
    return bool(distributions_of(module))


def module_of(distribution: str) -> str:
    """The module by which a distribution is imported; that of the same name where it is not known."""
    plain = canonicalize_name(distribution)
    return _modules().get(plain, plain.replace("-", "_"))


@cache
def _table() -> dict[str, tuple[str, ...]]:
    text = files("nature_gym.environment").joinpath("import_names.json").read_text("utf-8")
    return {module: tuple(names) for module, names in json.loads(text).items()}


@cache
def _modules() -> dict[str, str]:
    """Distribution -> module; of several the one that is named like it, or the first."""
    found: dict[str, str] = {}
    for module, names in _table().items():
        for name in names:
            if name not in found or canonicalize_name(module) == name:
                found[name] = module
    return found
