"""Settings files: dotted keys and their values, so that ``cfg.data.train`` in a program leads to a path.

The one idea: a program rarely says which file its settings come from, but the keys it asks for are telling. Every
suffix of a dotted key is kept, and a chain of keys in a program means all values that end with it.
"""

from __future__ import annotations

import configparser
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson
import yaml

from nature_gym.cut.tree import MAX_CONFIG_BYTES, Tree, counted

MAX_TOTAL_BYTES = 4_000_000
MAX_VALUES = 20_000
MAX_DEPTH = 12
MAX_SUFFIX = 4
MAX_ALIASES = 50
"""A YAML file with more aliases than this is not expanded: it may be built to explode."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One value: the file in which it stands, its keys from the top, and the value as text."""

    file: str
    keys: tuple[str, ...]
    value: str


@dataclass(slots=True)
class Settings:
    """All settings of a folder by the ends of their keys."""

    all: list[Setting] = field(default_factory=list)
    by_suffix: dict[tuple[str, ...], list[Setting]] = field(default_factory=dict)
    below: dict[tuple[str, ...], list[Setting]] = field(default_factory=dict)
    """Values one step below the node that a chain of keys leads to."""

    def add(self, setting: Setting) -> None:
        self.all.append(setting)
        keys = setting.keys
        for length in range(1, min(MAX_SUFFIX, len(keys)) + 1):
            self.by_suffix.setdefault(keys[-length:], []).append(setting)
            if len(keys) > length:
                self.below.setdefault(keys[-length - 1 : -1], []).append(setting)

    def lookup(self, chain: tuple[str, ...]) -> list[str]:
        """The values that a chain of keys can mean; the longest end of it that is known decides."""
        for length in range(min(MAX_SUFFIX, len(chain)), 0, -1):
            if found := self.by_suffix.get(chain[-length:]):
                return [setting.value for setting in found]
        return []

    def children(self, chain: tuple[str, ...]) -> list[str]:
        """The values right below the node that ``chain`` leads to."""
        for length in range(min(MAX_SUFFIX, len(chain)), 0, -1):
            if found := self.below.get(chain[-length:]):
                return [setting.value for setting in found]
        return []


def read_settings(tree: Tree) -> Settings:
    """The settings of all YAML, JSON, TOML and INI files that are settings; what cannot be read is a warning."""
    settings = Settings()
    unread: list[str] = []
    left = MAX_TOTAL_BYTES
    for entry in tree.of_kind("config"):
        suffix = entry.suffix
        if suffix not in _READERS or len(settings.all) > MAX_VALUES:
            continue
        text = tree.text(entry.path, MAX_CONFIG_BYTES)
        if text is None or len(text) > left:
            continue
        left -= len(text)
        try:
            value = _READERS[suffix](text)
        except (ValueError, yaml.YAMLError, configparser.Error, RecursionError, TypeError, AttributeError):
            unread.append(entry.path)
            continue
        for keys, leaf in _leaves(value, ()):
            settings.add(Setting(entry.path, keys, leaf))
            if len(settings.all) > MAX_VALUES:
                break
    if unread:
        tree.warnings.append(f"settings that cannot be parsed (templates?): {counted(unread)}")
    return settings


def _leaves(value: Any, keys: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    if len(keys) > MAX_DEPTH:
        return
    if isinstance(value, dict):
        for key, child in value.items():
            yield from _leaves(child, (*keys, str(key)))
    elif isinstance(value, list):
        for child in value[:50]:
            yield from _leaves(child, keys)
    elif isinstance(value, str | int) and not isinstance(value, bool) and keys:
        yield keys, str(value)[:400]


if TYPE_CHECKING:
    _Safe = yaml.SafeLoader
else:  # the same in C where it was built: ten times as fast
    _Safe = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Safe):
    """Safe, and lenient with tags of others: their content is taken as it stands."""


def _untagged(loader: yaml.SafeLoader, _suffix: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return loader.construct_scalar(node) if isinstance(node, yaml.ScalarNode) else None


_Loader.add_multi_constructor("", _untagged)


def _yaml(text: str) -> Any:
    if text.count("*") > MAX_ALIASES and text.count("&") > MAX_ALIASES // 10:
        raise ValueError("too many aliases")
    if len(text) > 200_000:
        raise ValueError("too long for a settings file")
    documents = list(yaml.load_all(text, Loader=_Loader))
    return documents[0] if len(documents) == 1 else {str(number): each for number, each in enumerate(documents)}


def _ini(text: str) -> Any:
    parser = configparser.ConfigParser(interpolation=None, strict=False, allow_no_value=True)
    parser.read_string(text)
    return {name: dict(parser[name]) for name in parser.sections()}


_READERS = {
    ".yaml": _yaml,
    ".yml": _yaml,
    ".json": orjson.loads,
    ".toml": tomllib.loads,
    ".ini": _ini,
    ".cfg": _ini,
    ".conf": _ini,
}
