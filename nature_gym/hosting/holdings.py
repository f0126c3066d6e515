"""What a host holds: a record or a repository, its files, and whether they are for everybody."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, Protocol
from urllib.parse import unquote, urlsplit

State = Literal["open", "restricted", "absent", "empty", "unknown"]


@dataclass(frozen=True, slots=True)
class Reference:
    """An address understood: the record or repository ``key`` at the host ``site``, and the file in it, if any."""

    family: str
    site: str
    key: str
    file: str | None = None
    version: str | None = None
    """Branch, tag, commit or version number that the address names."""

    @property
    def id(self) -> str:
        """The same for every address of the same record: a file and the record that holds it are counted once."""
        return f"{self.site}:{self.key}"


@dataclass(frozen=True, slots=True)
class Held:
    """A file: its size in bytes, its checksum as ``md5:...``, where it is to be had; None where that is not told."""

    name: str
    size: int | None = None
    checksum: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Holding:
    """What the host said. ``size`` is of all files together, or as the host tells it for a repository."""

    state: State
    files: tuple[Held, ...] = ()
    size: int | None = None
    status: int | None = None
    """The HTTP status of the answer."""
    url: str | None = None
    """Where people look at it."""
    title: str = ""
    licence: str | None = None
    version: str | None = None
    branch: str | None = None
    notes: tuple[str, ...] = ()
    stated: bool = False
    """Whether ``size`` is the host's own word, and not a sum over ``files``."""


class Api(Protocol):
    """Asks a host's interface."""

    def json(self, url: str) -> tuple[int, Any]:
        """Status and value of a JSON answer, redirects followed; the value is None where it is no JSON.

        Raises HostError where there is no answer.
        """
        ...


ABSENT = frozenset({404, 410})
REFUSED = frozenset({401, 402, 403, 451})


def refusal(status: int) -> Holding | None:
    """What a status that is no answer says; None for one that is."""
    if status in ABSENT:
        return Holding("absent", status=status)
    if status in REFUSED:
        return Holding("restricted", status=status)
    if status != 200:
        return Holding("unknown", status=status, notes=(f"the host's interface answers {status}",))
    return None


def strange(value: Any, *keys: str) -> Holding | None:
    """What an answer of another shape than the host's says: nothing; None for one that has one of ``keys``."""
    if isinstance(value, dict) and any(key in value for key in keys):
        return None
    return Holding("unknown", status=200, notes=("the host's interface answers with something of another shape",))


def total(files: Iterable[Held]) -> int | None:
    """The bytes of all files; None where one is not known."""
    sizes = [file.size for file in files]
    return sum(size for size in sizes if size is not None) if sizes and None not in sizes else None


def number(value: Any) -> int | None:
    """A size as hosts tell it: a whole number that is not negative, possibly as text."""
    if isinstance(value, str) and value.isdigit():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def text(value: Any) -> str | None:
    """A text that is not empty."""
    return value if isinstance(value, str) and value else None


def mappings(value: Any) -> list[dict[str, Any]]:
    """The objects in a list; hosts' answers change their shape."""
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def mapping(value: Any) -> dict[str, Any]:
    """An object; an empty one in the place of anything else."""
    return value if isinstance(value, dict) else {}


def split(url: str) -> tuple[str, list[str], str]:
    """(host without www, the path's segments unquoted, query) of an address; all empty where it is none."""
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return "", [], ""
    if parts.scheme not in ("http", "https"):
        return "", [], ""
    return host, [unquote(segment) for segment in parts.path.split("/") if segment], parts.query


def doi_of(url: str) -> str:
    """The DOI that a resolver's address names, in lower case; else empty."""
    host, segments, _ = split(url)
    return "/".join(segments).lower() if host in ("doi.org", "dx.doi.org") and len(segments) > 1 else ""
