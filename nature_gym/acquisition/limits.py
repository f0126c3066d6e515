"""How much an archive or a repository may grow to: settings, because somebody's largest data set is another's bomb."""

from __future__ import annotations

from dataclasses import dataclass

from nature_gym.config import Settings
from nature_gym.errors import PaperError


class LimitError(PaperError):
    """Something is larger, deeper or more than the settings allow."""


@dataclass(frozen=True, slots=True)
class Limits:
    """``depth``: archives within archives; ``files`` and ``bytes`` of all together; ``ratio`` of unpacked to packed."""

    depth: int = 4
    files: int = 100_000
    bytes: int = 200 * 10**9
    ratio: float = 200.0

    @classmethod
    def of(cls, settings: Settings) -> Limits:
        return cls(
            settings.archive_depth, settings.archive_files, settings.archive_bytes, float(settings.archive_ratio)
        )


UNSUSPICIOUS = 64 << 20
"""The ratio counts beyond so many bytes: a small file of zeros is no bomb."""


class Allowance:
    """What is left of the limits while one thing, with all that is nested in it, is unpacked."""

    def __init__(self, limits: Limits, name: str, packed: int) -> None:
        self.limits = limits
        self.files = 0
        self.bytes = 0
        self._name = name
        self._packed = packed

    def take_file(self, entry: str) -> None:
        """Count an entry. Raises LimitError."""
        self.files += 1
        if self.files > self.limits.files:
            raise LimitError(
                f"{self._name} holds more than {self.limits.files:,} entries (at {entry!r})",
                hint="Raise archive_files if that is to be expected.",
            )

    def take_bytes(self, count: int, entry: str) -> None:
        """Count bytes that an entry has grown to. Raises LimitError."""
        self.bytes += count
        if self.bytes > self.limits.bytes:
            raise LimitError(
                f"{self._name} unpacks to more than {self.limits.bytes:,} bytes (at {entry!r})",
                hint="Raise archive_bytes if that is to be expected.",
            )
        if self.bytes > UNSUSPICIOUS and self.bytes > self.limits.ratio * max(self._packed, 1):
            raise LimitError(
                f"{self._name} unpacks to more than {self.limits.ratio:g} times its size (at {entry!r})",
                hint="It is most likely an archive bomb; raise archive_ratio if not.",
            )
