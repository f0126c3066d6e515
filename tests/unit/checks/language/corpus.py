"""The labelled sentences, read from their files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Labelled:
    """A sentence and what ``check`` has to say of it; ``method`` is the name that C2.3 looks for."""

    check: str
    label: str
    domain: str
    method: str
    text: str


def labelled(name: str) -> Iterator[Labelled]:
    check = label = domain = method = ""
    for line in Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines():
        if line.startswith("[C"):
            check, label, *rest = line.strip("[]").split()
            domain = " ".join(one for one in rest if "=" not in one)
            method = next((one.partition("=")[2] for one in rest if "=" in one), "")
        elif line and not line.startswith("#"):
            yield Labelled(check, label, domain, method, line)
