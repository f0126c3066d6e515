"""What can be in the way of a package."""

from __future__ import annotations

from dataclasses import dataclass

from nature_gym.errors import PaperError


class BuildError(PaperError):
    """The task's specification does not fit its data, or names what there is not."""


class FirewallError(BuildError):
    """Something that the agent would see names the paper, its method, or holds the answers."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that must not be seen: what, in which file (with the member of an archive), at which byte."""

    file: str
    offset: int | None
    found: str
    why: str

    def __str__(self) -> str:
        place = f" at byte {self.offset:,}" if self.offset is not None else ""
        return f"{self.file}{place}: {self.found!r} ({self.why})"
