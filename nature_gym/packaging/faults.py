"""What can be in the way of a package."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from nature_gym.errors import InfrastructureError, PaperError

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)


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


@contextmanager
def written_below(folder: Path) -> Iterator[None]:
    """What a full disk refuses within is told with the folder that was written to, which the system leaves out.

    Raises InfrastructureError.
    """
    try:
        yield
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise InfrastructureError(
                f"{folder}: {error.strerror}", hint="Make room there, or name another folder; nothing was changed."
            ) from error
        raise
