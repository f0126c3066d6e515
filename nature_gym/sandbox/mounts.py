"""What every back end asks of a box before it starts a command, and gives to it: mounts, environment, user."""

# ruff: noqa: S108 -- /tmp is that of a box

from __future__ import annotations

from collections.abc import Sequence

from nature_gym.errors import UsageError
from nature_gym.sandbox.interface import Box, Mount

BOX_USER = 1_900_000_000
"""Who a box is on the host where root starts it: a number that nobody has (systemd's list of users leaves it free)."""
_RESERVED = ("/proc", "/dev", "/sys")


def checked(box: Box, argv: Sequence[str]) -> list[Mount]:
    """The box's mounts with the places they really come from, outer targets first. UsageError for what cannot be."""
    if not argv or any("\0" in part for part in argv):
        raise UsageError("A command needs a program, and no part of it may hold a null byte.", hint="Mend the command.")
    for name, value in box.environment.items():
        if not name or "=" in name or "\0" in name + value:
            raise UsageError(f"{name!r} cannot be a variable of the environment.", hint="Mend its name or value.")
    if not box.folder.is_absolute():
        raise UsageError(f"The folder {box.folder} is not absolute.", hint="Begin it with '/'.")
    mounts = []
    for mount in sorted(box.mounts, key=lambda mount: len(mount.target.parts)):
        target = mount.target
        if not target.is_absolute() or ".." in target.parts or str(target) == "/":
            raise UsageError(f"Nothing can be mounted at {target}.", hint="Name an absolute path below '/'.")
        if str(target).startswith(tuple(f"{place}/" for place in _RESERVED)) or str(target) in _RESERVED:
            raise UsageError(f"{target} is the kernel's.", hint="Mount it elsewhere.")
        try:
            source = mount.source.resolve(strict=True)
        except OSError as error:
            raise UsageError(f"{mount.source} cannot be mounted: {error.strerror}.", hint="See its path.") from error
        mounts.append(Mount(source, target, mount.writable))
    if len({mount.target for mount in mounts}) < len(mounts):
        raise UsageError("Two mounts have the same target.", hint="Give each one of its own.")
    return mounts


def environment(box: Box, path: str) -> dict[str, str]:
    """All that a command finds in its environment."""
    return {"PATH": path, "HOME": "/tmp", "LANG": "C.UTF-8", "TMPDIR": "/tmp", **box.environment}
