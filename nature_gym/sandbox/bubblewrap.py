"""Boxes by bubblewrap: no engine, no image, a tenth of a second.

The idea: bubblewrap makes the namespaces, drops every capability and sets our filter of system calls
(:mod:`~nature_gym.sandbox.seccomp`); before it, :mod:`~nature_gym.sandbox.launch` has put whatever shall be seen
under neutral names and has given up root; beside it, :mod:`~nature_gym.sandbox.keeping` watches.

What stays: the path of a *writable* mount on the host can be read in the mount table inside (a read-only folder's
cannot), so writable folders lie where their path says nothing; the kernel's version, the processor and the size of
the memory can be seen, as in any container.
"""

# ruff: noqa: S108 -- the paths in /tmp and /dev/shm are those of a box

from __future__ import annotations

import json
import math
import os
import random
import secrets
import select
import shutil
import subprocess
import sys
import sysconfig
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from nature_gym.errors import InfrastructureError, UsageError
from nature_gym.sandbox import folders, gpus, groups, launch, roots, seccomp, watching
from nature_gym.sandbox.interface import (
    WORKSPACE,
    Box,
    Ended,
    Isolation,
    Limits,
    Mount,
    Running,
    Sandbox,
    Stream,
)
from nature_gym.sandbox.keeping import Keeper
from nature_gym.sandbox.mounts import BOX_USER, checked, environment

_INSIDE = 1000
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SETTINGS = (
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/mime.types",
    "/etc/ssl/certs",
)
_OWN_SETTINGS = {
    "passwd": f"root:x:0:0:root:/:/bin/sh\nuser:x:{_INSIDE}:{_INSIDE}:user:/tmp:/bin/sh\n",
    "group": f"root:x:0:\nuser:x:{_INSIDE}:\n",
    "hosts": "127.0.0.1 localhost box\n::1 localhost\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}
_HIDDEN = ("/proc/keys", "/proc/timer_list", "/proc/sched_debug")
_START_SECONDS = 30.0


class Bubblewrap(Sandbox):
    """The back end (:class:`~nature_gym.sandbox.interface.Sandbox`)."""

    name = "bubblewrap"

    def __init__(self) -> None:
        self._has_worked = False

    def missing(self) -> str:
        """Why it cannot be used here, or ''. What worked once is not tried again; what failed is.

        A try may fail because the machine is full at that moment, and a process that lives for days must not
        believe for good that there is no sandbox.
        """
        if self._has_worked:
            return ""
        reason = self._tried()
        self._has_worked = not reason
        return reason

    def lacks(self, image: str) -> str:
        """Why a box with that image ('' for none) cannot be made here, or ''."""
        if image:
            try:
                roots.root_named(image)
            except UsageError as error:
                return f"{error.message} {error.hint}"
        return ""

    def _tried(self) -> str:
        if not sys.platform.startswith("linux"):
            return "Bubblewrap is of Linux alone; use Docker here."
        if shutil.which("bwrap") is None:
            return "There is no 'bwrap' on the PATH; install the package 'bubblewrap'."
        try:
            outcome = self._started(Box(limits=Limits(seconds=20)), ["/usr/bin/true"]).wait()
        except (InfrastructureError, OSError) as error:
            return f"It does not start here ({error}); user namespaces may be switched off by the kernel's settings."
        return "" if outcome is not None and outcome.well else f"It starts a command, which fails: {outcome}."

    @cached_property
    def _has_groups(self) -> bool:
        """Whether a box can have a control group here, found by making one."""
        group = groups.made(f"try-{secrets.token_hex(6)}", Limits())
        if group is None:
            return False
        group.remove()
        return True

    def isolation(self) -> Isolation:
        """What it keeps from a command here."""
        return Isolation(
            network="kept",
            files="partly: the host's path of a writable mount can be read in the mount table",
            processes="kept" if seccomp.program() else "partly: there is no filter of system calls for this machine",
            user="kept",
            memory="kept" if self._has_groups else "partly: watched from outside, so for a moment it can be passed",
            disk="partly: watched from outside, so for a moment it can be passed",
            comparable=seccomp.program() is not None,
        )

    def start(self, box: Box, argv: Sequence[str], *, stdin: bytes = b"", stream: Stream | None = None) -> Running:
        """Start a command in a fresh box."""
        if reason := self.missing():
            raise InfrastructureError(reason, hint="'naturegym sandbox doctor' says what works here.")
        return self._started(box, argv, stdin=stdin, stream=stream)

    def sweep(self) -> int:
        """End boxes whose owner was killed, and remove their folders."""
        count = 0
        for folder, holder in folders.abandoned(self.name):
            if holder is not None:
                folders.end(holder)
            groups.left(folder.name).remove()
            folders.remove(folder)
            count += 1
        return count

    def _started(self, box: Box, argv: Sequence[str], *, stdin: bytes = b"", stream: Stream | None = None) -> Running:
        mounts = checked(box, argv)
        return Keeper(_Tree(box, mounts, argv), box.limits, name=box.label, stdin=stdin, stream=stream)


class _Tree:
    """One box (:class:`~nature_gym.sandbox.keeping.Tree`)."""

    def __init__(self, box: Box, mounts: list[Mount], argv: Sequence[str]) -> None:
        self._box = box
        self._limits = box.limits
        self._argv = list(argv)
        self._mounts = mounts
        self._root = roots.root_named(box.image) if box.image else None
        self._folder: Path | None = None
        self._group: groups.Group | None = None
        self._written: list[Path] = [mount.source for mount in mounts if mount.writable]
        self._before = 0
        self._status: int = -1
        self._line = b""
        self._exited = False
        self._guard: subprocess.Popen[bytes] | None = None
        self._first: int | None = None
        self._first_descriptor: int | None = None
        self._files_pace = watching.Pace(0.5)

    def begin(self) -> subprocess.Popen[bytes]:
        self._folder = folder = folders.make("bubblewrap")
        self._group = groups.made(folder.name, self._limits)
        mounts = list(self._mounts)
        if not any(mount.target == WORKSPACE for mount in mounts):
            (folder / "workspace").mkdir(mode=0o700)
            mounts.insert(0, Mount(folder / "workspace", WORKSPACE, writable=True))
            self._written.append(folder / "workspace")
        self._before = watching.written_to(self._written)
        status, status_end = os.pipe2(os.O_CLOEXEC)
        argument_end = filter_end = -1
        try:
            stages, arguments = self._arguments(mounts)
            filter_end = _in_memory(seccomp.program() or b"")
            arguments += ["--json-status-fd", str(status_end)]
            if seccomp.program():
                arguments += ["--seccomp", str(filter_end)]
            argument_end = _in_memory(b"\0".join(map(os.fsencode, arguments)) + b"\0")
            specification = folder / "specification.json"
            specification.write_text(
                json.dumps(self._specification(stages, argument_end, [status_end, argument_end, filter_end])),
                encoding="utf-8",
            )
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", launch.__file__, str(specification)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={},
                cwd="/",
                pass_fds=(status_end, argument_end, filter_end),
                start_new_session=True,
            )
        except BaseException:
            os.close(status)
            raise
        finally:
            for descriptor in (status_end, argument_end, filter_end):
                with suppress(OSError):
                    os.close(descriptor)
        self._status = status
        self._guard = process
        os.set_blocking(status, False)
        return process

    def under_way(self) -> None:
        give_up = time.monotonic() + _START_SECONDS
        while self._first is None:
            ready = select.select([self._status], [], [], max(0.0, give_up - time.monotonic()))[0]
            if not ready:
                raise InfrastructureError("Bubblewrap takes too long to start.", hint="See what the machine is doing.")
            if not self._heard():
                return
        assert self._folder is not None  # noqa: S101
        folders.sign(self._folder, self._first)
        with suppress(ProcessLookupError):
            self._first_descriptor = os.pidfd_open(self._first)

    def over(self) -> Ended | None:
        if self._first is None:
            return None
        now = time.monotonic()
        pids = watching.tree(self._first)
        inside = f"/proc/{self._first}/root"
        held = watching.used_of([f"{inside}/tmp", f"{inside}/dev/shm"])
        if self._group is None and watching.resident(pids) + held > self._limits.memory_bytes:
            return Ended.OUT_OF_MEMORY
        if self._files_pace.due(now):
            written = watching.written_to(self._written) - self._before + watching.nameless(pids)
            self._files_pace.looked(now)
            if written + held > self._limits.disk_bytes:
                return Ended.DISK_FULL
        return None

    def kill(self) -> None:
        if self._first_descriptor is not None:
            folders.await_end(self._first_descriptor)
        if self._guard is not None:
            self._guard.terminate()  # it ends what is on its way into the box, too
            with suppress(subprocess.TimeoutExpired):
                self._guard.wait(_START_SECONDS)

    def ending(self, code: int, stderr: bytes) -> tuple[Ended, int]:
        while self._heard():
            pass
        if code and self._group is not None and self._group.was_out_of_memory():
            return Ended.OUT_OF_MEMORY, code
        if not self._exited:
            return _not_started(code, stderr)
        if code == 128 + 25:  # SIGXFSZ: a file would have passed the limit
            return Ended.DISK_FULL, code
        return (Ended.SIGNALLED if 128 < code <= 192 else Ended.EXITED), code

    def close(self) -> None:
        if self._status >= 0:
            os.close(self._status)
        if self._first_descriptor is not None:
            os.close(self._first_descriptor)
        if self._group is not None:
            self._group.remove()
        if self._folder is not None:
            folders.remove(self._folder)

    def _heard(self) -> bool:
        """Take what bubblewrap says of itself; False when it has nothing to say, or no more."""
        try:
            piece = os.read(self._status, 1 << 16)
        except BlockingIOError:
            return False
        *lines, self._line = (self._line + piece).split(b"\n")
        for line in lines:
            with suppress(ValueError):
                said = json.loads(line)
                self._first = said.get("child-pid", self._first)
                self._exited = self._exited or "exit-code" in said
        return bool(piece)

    def _specification(self, stages: list[dict[str, Any]], arguments: int, descriptors: list[int]) -> dict[str, Any]:
        limits = self._limits
        return {
            "parent": os.getpid(),
            "uid": BOX_USER if _is_root_of_the_machine() else None,
            "stages": stages,
            "limits": {
                "RLIMIT_NPROC": limits.processes + 2,  # bubblewrap's own two
                "RLIMIT_NOFILE": limits.open_files,
                "RLIMIT_FSIZE": limits.disk_bytes,
                "RLIMIT_CORE": 0,
            },
            "cgroups": [] if self._group is None else self._group.entrances,
            "cpus": [] if self._group is not None else _some_processors(limits.cpus),
            "descriptors": descriptors,
            "argv": [shutil.which("bwrap"), "--args", str(arguments), "--", *self._argv],
            "environment": environment(self._box, _path() if self._root is None else self._root.path),
        }

    def _arguments(self, mounts: list[Mount]) -> tuple[list[dict[str, Any]], list[str]]:
        """What the launcher has to put ready, and what bubblewrap makes of it."""
        stages: list[dict[str, Any]] = []
        arguments = [
            *("--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup"),
            *("--uid", str(_INSIDE), "--gid", str(_INSIDE), "--hostname", "box"),
            *("--die-with-parent", "--new-session", "--disable-userns"),
        ]
        arguments += self._system(stages)
        size = str(min(self._limits.memory_bytes, self._limits.disk_bytes))
        arguments += ["--proc", "/proc", "--dev", "/dev"]
        for device in gpus.device_files(self._box.gpus):
            arguments += ["--dev-bind", str(device), str(device)]
        arguments += ["--size", size, "--tmpfs", "/dev/shm", "--size", size, "--tmpfs", "/tmp"]
        for place in _python_folders() if self._root is None else ():  # after /tmp, below which a Python may lie
            arguments += ["--ro-bind", _staged(stages, Path(place)), place]
        for hidden in filter(os.path.exists, _HIDDEN):
            arguments += ["--ro-bind", "/dev/null", hidden]
        for mount in mounts:
            source = _staged(stages, mount.source, writable=mount.writable, overlay=not mount.writable)
            arguments += ["--bind" if mount.writable else "--ro-bind", source, str(mount.target)]
        arguments += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", str(self._box.folder)]
        return stages, arguments

    def _system(self, stages: list[dict[str, Any]]) -> list[str]:
        """The image's files; or this machine's programs, where they lie on the host."""
        if self._root is not None:
            source = _staged(stages, self._root.folder)
            arguments = roots.shown(self._root.folder, source, [mount.target for mount in self._mounts])
            names = [one for one in _own_settings().iterdir() if (self._root.folder / "etc" / one.name).is_file()]
            for name in names:
                arguments += ["--ro-bind", _staged(stages, name), f"/etc/{name.name}"]
            return arguments
        arguments = []
        for place in filter(os.path.lexists, _SYSTEM):
            if Path(place).is_symlink():
                arguments += ["--symlink", str(Path(place).readlink()), place]
            else:
                arguments += ["--ro-bind", place, place]
        for place in filter(os.path.lexists, _SETTINGS):
            arguments += ["--ro-bind", place, place]
        for name in _own_settings().iterdir():
            arguments += ["--ro-bind", _staged(stages, name), f"/etc/{name.name}"]
        return arguments


def _path() -> str:
    return f"{sys.prefix}/bin:/usr/local/bin:/usr/bin:/bin"


def _python_folders() -> list[str]:
    """Where the Python that runs us and its packages lie, outer folders first, without what lies in /usr."""
    places = {sys.base_prefix, sys.prefix, *(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))}
    found: list[str] = []
    for place in sorted(places):
        if not any(PurePosixPath(place).is_relative_to(outer) for outer in ("/usr", *found)):
            found.append(place)
    return found


_settings_lock = threading.Lock()


def _own_settings() -> Path:
    """A folder with the few files of /etc that are ours, written once for all boxes."""
    folder = folders.home() / "etc"
    with _settings_lock:
        if not folder.is_dir():
            draft = folders.make("etc")
            (draft / folders.OWNER).unlink()
            for name, text in _OWN_SETTINGS.items():
                (draft / name).write_text(text, encoding="utf-8")
                (draft / name).chmod(0o644)
            with suppress(OSError):  # another process has been faster
                draft.rename(folder)
                return folder
            folders.remove(draft)
    return folder


def _staged(stages: list[dict[str, Any]], source: Path, *, writable: bool = False, overlay: bool = False) -> str:
    """Have the launcher put ``source`` ready; the name under which it will be found."""
    name = str(len(stages))
    stages.append({"name": name, "source": str(source), "writable": writable, "overlay": overlay})
    return f"/tmp/{name}"


def _is_root_of_the_machine() -> bool:
    """Whether we are the root of all users, and may become anyone; the root of a container without that may not."""
    if os.geteuid() != 0:
        return False
    fields = Path("/proc/self/uid_map").read_text(encoding="ascii").split()
    return fields[:2] == ["0", "0"] and int(fields[2]) > BOX_USER


def _some_processors(count: float) -> list[int]:
    """Without a control group: as many processors as a box may use in all, drawn so that boxes are spread."""
    ours = sorted(os.sched_getaffinity(0))
    return random.sample(ours, min(len(ours), max(1, math.ceil(count))))


def _in_memory(content: bytes) -> int:
    descriptor = os.memfd_create("box")
    os.write(descriptor, content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _not_started(code: int, stderr: bytes) -> tuple[Ended, int]:
    """The command itself never ran: its program is not there (as a shell says it), or the box could not be made."""
    last = stderr.decode("utf-8", errors="replace").strip().rpartition("\n")[2]
    if last.startswith("bwrap: execvp "):
        return Ended.EXITED, 126 if last.endswith("Permission denied") else 127
    raise InfrastructureError(
        f"Bubblewrap could not make the box: {last or f'it ended with {code} and said nothing'}",
        hint="'naturegym sandbox doctor' says what works here.",
    )
