"""Papers that pass, by the hundred: those of the detailed ones that do, told again under other names.

A retold paper has a DOI, repositories, deposits and pages of its own; words, data and scores are those of the paper it
retells. So what comes after screening has as much to do for it. The one idea: everything that belongs to an entry is
text or bytes somewhere in a tree of plain data, and names are replaced wherever they stand in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from nature_gym.demo.model import Entry
from nature_gym.demo.venues import suffix

INVENTED = ".example.org"
"""End of the hosts that are a paper's own; pages elsewhere are public, and retold papers lead to the same ones."""
_FIRST_SUFFIX, _FIRST_WORK, _FIRST_PMC = 70_000, 300_000_000, 980_000


def retell(entries: tuple[Entry, ...], count: int) -> Iterator[Entry]:
    """``count`` retold papers of ``entries`` in turn, the same ones first whatever the count."""
    for index in range(count):
        yield _retold(entries[index % len(entries)], index)


def _retold(entry: Entry, index: int) -> Entry:
    renaming = _Renaming(_names(entry, index))
    own = tuple(page for page in entry.pages if _invented(page.url))
    told: Entry = renaming.of(replace(entry, pages=own))
    indexing = replace(entry.paper.indexing, former_ids=())
    return replace(told, paper=replace(told.paper, indexing=indexing), retells=entry.story)


def _names(entry: Entry, index: int) -> dict[str, str]:
    """Old name -> new name, of all that must be there once."""
    paper = entry.paper
    names = {
        paper.suffix: suffix(paper.venue.suffix_code, paper.published.year, _FIRST_SUFFIX + index),
        paper.openalex_id: f"W9{_FIRST_WORK + index:09d}",
    }
    if paper.pmcid:
        names[paper.pmcid] = f"PMC9{_FIRST_PMC + index:06d}"
    for repository in entry.repositories:
        names[f"{repository.owner}"] = f"{repository.owner}-{index}"
    for deposit in entry.deposits:
        for number in filter(None, (deposit.number, deposit.concept)):
            if number.isdecimal():
                names[number] = f"{number}{index:04d}"
    for page in entry.pages:
        if _invented(page.url):
            host = urlsplit(page.url).netloc
            names[host] = host.removesuffix(INVENTED) + f"-{index}{INVENTED}"
    return names


def _invented(url: str) -> bool:
    return urlsplit(url).netloc.endswith(INVENTED)


class _Renaming:
    """Replaces names, as whole words, in a tree of dataclasses, tuples and mappings."""

    def __init__(self, names: Mapping[str, str]) -> None:
        longest_first = sorted(names, key=len, reverse=True)
        # After a dot, too (zenodo.123), but not where that makes a decimal of it.
        pattern = rf"(?<!\w)(?<!\d\.)(?:{'|'.join(map(re.escape, longest_first))})(?![\w])"
        self._names = names
        self._text = re.compile(pattern)
        self._bytes = re.compile(pattern.encode())

    def of(self, value: Any) -> Any:
        """``value`` under the new names; what has none of the old ones is given back as it is."""
        if isinstance(value, str):
            return self._text.sub(lambda match: self._names[match[0]], value)
        if isinstance(value, bytes):
            return self._of_bytes(value)
        if is_dataclass(value) and not isinstance(value, type):
            old = {field.name: getattr(value, field.name) for field in fields(value)}
            new = {name: self.of(part) for name, part in old.items()}
            changed = {name: part for name, part in new.items() if part is not old[name]}
            return replace(value, **changed) if changed else value
        if isinstance(value, tuple):
            parts = tuple(map(self.of, value))
            return value if all(map(_same, parts, value)) else parts
        if isinstance(value, Mapping):
            return {self.of(key): self.of(part) for key, part in value.items()}
        if callable(value):  # content that is made when it is asked for
            return partial(self._made, value)
        return value

    def _of_bytes(self, content: bytes) -> bytes:
        if b"\0" in content:  # no text, where a name would stand by chance
            return content
        return self._bytes.sub(lambda match: self._names[match[0].decode()].encode(), content)

    def _made(self, make: Callable[[], bytes]) -> bytes:
        return self._of_bytes(make())


def _same(one: object, other: object) -> bool:
    return one is other
