"""What was seen at each link, and when: a small file a link, which outlives processes."""

from __future__ import annotations

import threading
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from nature_gym.digests import digest_bytes
from nature_gym.files import to_json, write_atomically
from nature_gym.screening.probes import Probe
from nature_gym.stages import Clock, now

MOST = 20
"""So many looks at a link are kept."""
_PROBES: TypeAdapter[list[Probe]] = TypeAdapter(list[Probe])


class ProbeHistory:
    """The looks at links, kept below ``folder``, oldest first."""

    def __init__(self, folder: Path, *, clock: Clock = now) -> None:
        self._folder = folder
        self._locks = tuple(threading.Lock() for _ in range(64))  # so that a slow disk holds up one link, not all
        self._clock = clock

    def looks(self, url: str) -> list[Probe]:
        """Everything that is kept of ``url``; what cannot be read is as if it had never been."""
        try:
            return _PROBES.validate_json(self._path(url).read_bytes())
        except (OSError, ValidationError):
            return []

    def latest(self, url: str, max_age: float) -> Probe | None:
        """The last look, if it is no older than ``max_age`` seconds; an ``error`` is no look at all."""
        looks = self.looks(url)
        if not looks or looks[-1].status == "error" or looks[-1].at is None:
            return None
        age = (self._clock() - looks[-1].at).total_seconds()
        return looks[-1] if 0 <= age < max_age else None

    def keep(self, probe: Probe) -> None:
        """Add a look."""
        path = self._path(probe.url)
        path.parent.mkdir(parents=True, exist_ok=True)
        with self._locks[hash(path) % len(self._locks)]:
            looks = [*self.looks(probe.url), probe][-MOST:]
            write_atomically(path, to_json([look.model_dump(mode="json") for look in looks]))

    def _path(self, url: str) -> Path:
        name = digest_bytes(url.encode(errors="surrogateescape")).partition(":")[2]
        return self._folder / name[:2] / f"{name[2:40]}.json"
