"""What functions of the standard library give for what is known: joining paths, listing, counting. None is called."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any

from checks.values import UNKNOWN, WILD, Class, Filling, alternatives, either, join, named, put

MOST_ROUNDS = 300
Given = list[Any]
Keywords = dict[str, Any]


def sequence(value: Any) -> list[Any] | None:
    """What a loop over ``value`` goes through; None where that is not known."""
    if isinstance(value, list | tuple):
        return list(value)
    if isinstance(value, Class) and value.items:
        return list(value.items)
    return list(value) if isinstance(value, dict) else None


def environment(name: Any, default: Any) -> Any:
    """What an environment variable holds, by its name."""
    found = named(name) if isinstance(name, str) else UNKNOWN
    return found if found is not UNKNOWN else default


def _path(given: Given, _: Keywords) -> Any:
    return join(*given) if given else "."


def _same(given: Given, _: Keywords) -> Any:
    first = given[0] if given else ""
    return str(first) if isinstance(first, int | float) else first


def _of_path(part: Callable[[PurePosixPath], str]) -> Callable[[Given, Keywords], Any]:
    def found(given: Given, _: Keywords) -> Any:
        return either([part(PurePosixPath(one)) for one in alternatives(_first(given)) if isinstance(one, str)])

    return found


def _split(given: Given, _: Keywords) -> Any:
    path = _first(given)
    return (str(PurePosixPath(path).parent), PurePosixPath(path).name) if isinstance(path, str) else UNKNOWN


def _first(given: Given) -> Any:
    return given[0] if given else UNKNOWN


def _environment(given: Given, keywords: Keywords) -> Any:
    return environment(_first(given), given[1] if len(given) > 1 else keywords.get("default", UNKNOWN))


def _list(given: Given, _: Keywords) -> Any:
    if not given:
        return []
    found = sequence(given[0])
    return UNKNOWN if found is None else found


def _dict(given: Given, keywords: Keywords) -> Any:
    found: dict[Any, Any] = {}
    if given and isinstance(given[0], dict):
        found |= given[0]
    elif given:
        pairs = sequence(given[0])
        if pairs is None or not all(isinstance(one, list | tuple) and len(one) == 2 for one in pairs):
            return UNKNOWN
        for key, value in pairs:
            put(found, key, value)
    return found | keywords


def _from_keys(given: Given, _: Keywords) -> Any:
    keys = sequence(_first(given))
    value = given[1] if len(given) > 1 else None
    return UNKNOWN if keys is None else {key: value for key in keys if isinstance(key, str | int)}


def _range(given: Given, _: Keywords) -> Any:
    if 1 <= len(given) <= 2 and all(isinstance(one, int) and abs(one) <= MOST_ROUNDS for one in given):
        return list(range(*given))
    return UNKNOWN


def _enumerate(given: Given, _: Keywords) -> Any:
    found = sequence(_first(given))
    return UNKNOWN if found is None else list(enumerate(found))


def _zip(given: Given, _: Keywords) -> Any:
    """What is not known is taken for as long as what is."""
    columns = [sequence(one) for one in given]
    lengths = [len(column) for column in columns if column is not None]
    if not lengths:
        return UNKNOWN
    return list(zip(*(column or [UNKNOWN] * min(lengths) for column in columns), strict=False))


def _len(given: Given, _: Keywords) -> Any:
    known = bool(given) and isinstance(given[0], list | tuple | dict) and WILD not in given[0]
    return len(given[0]) if known else UNKNOWN


def _unknown(_: Given, __: Keywords) -> Any:
    return UNKNOWN


LIBRARY: dict[str, Callable[[Given, Keywords], Any]] = {
    **dict.fromkeys(
        ("os.path.join", "pathlib.Path", "pathlib.PurePath", "pathlib.PosixPath", "pathlib.PurePosixPath"), _path
    ),
    **{f"os.path.{name}": _same for name in ("abspath", "realpath", "normpath", "expanduser")},
    "os.fspath": _same,
    "str": _same,
    "os.path.dirname": _of_path(lambda path: str(path.parent)),
    "os.path.basename": _of_path(lambda path: path.name),
    "os.path.split": _split,
    "os.environ.get": _environment,
    "os.getenv": _environment,
    **dict.fromkeys(("list", "sorted", "tuple", "set", "frozenset", "reversed"), _list),
    "dict": _dict,
    "dict.fromkeys": _from_keys,
    "collections.defaultdict": lambda given, _: Filling(_first(given)),
    "collections.OrderedDict": _dict,
    "range": _range,
    "enumerate": _enumerate,
    "zip": _zip,
    "len": _len,
    **dict.fromkeys(
        ("isinstance", "print", "float", "int", "bool", "sum", "max", "min", "any", "all", "repr"), _unknown
    ),
}
"""By full name, that of a builtin without 'builtins.'."""
