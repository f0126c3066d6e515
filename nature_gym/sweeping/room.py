"""The folder on the host that an agent writes to, and the sockets it speaks through.

Threat: a writable mount shows its path on the host inside the box. Invariant: that path is random and lies among the
boxes of this user (:mod:`nature_gym.sandbox.folders`), so it names neither package nor trial; and what a killed
process left of it is removed by the next one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from nature_gym.errors import InfrastructureError
from nature_gym.sandbox import folders

KIND = "room"


@dataclass(frozen=True, slots=True)
class Room:
    """``workspace`` is the agent's, everybody may write to it; ``service`` and ``egress`` are where sockets go."""

    workspace: Path
    service: Path
    egress: Path

    def put(self, name: str, content: bytes) -> None:
        """Put a file into the workspace. Raises InfrastructureError for a name that leads out of it."""
        parts = PurePosixPath(name).parts
        if not parts or ".." in parts or PurePosixPath(name).is_absolute():
            raise InfrastructureError(f"an adapter puts a file at {name!r}", hint="Its names are relative, no '..'.")
        place = self.workspace
        for part in parts[:-1]:
            place /= part
            place.mkdir(exist_ok=True)
            place.chmod(0o777)
        path = place / parts[-1]
        path.write_bytes(content)
        path.chmod(0o777 if content.startswith(b"#!") else 0o666)


@contextmanager
def furnished() -> Iterator[Room]:
    """A room whose workspace has an empty folder ``output`` in it, for as long as the block runs."""
    folder = folders.make(KIND)
    try:
        workspace, sockets = folder / "w", folder / "s"
        for one in (workspace, workspace / "output", sockets):
            one.mkdir()
            one.chmod(0o777)  # the box's user is not ours, and the folder above is closed to others
        yield Room(workspace, sockets / "service", sockets / "egress")
    finally:
        folders.remove(folder)


def sweep() -> int:
    """Remove the rooms of killed processes; how many."""
    left = [folder for folder, _ in folders.abandoned(KIND)]
    for folder in left:
        folders.remove(folder)
    return len(left)
