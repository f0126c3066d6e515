"""The first program of a bubblewrap box: makes the mounts ready, gives up what rights it has, becomes ``bwrap``.

A file without imports from this project but its neighbour :mod:`~nature_gym.sandbox.supervise`, started as
``python -I -S launch.py SPECIFICATION`` with an empty environment: it runs before the box is there, as whoever started
us, and the less it is, the better.

It does so in a child; itself it stands over the box until that ends. For bubblewrap's first process asks the kernel
to die with its parent only when its mounts are made: whoever was killed in that moment left a box that nobody ended.
What is left without a parent comes to us, and is ended.

The idea: everything that shall be seen in the box is put under neutral names in ``/tmp`` of a mount namespace of this
process alone. A read-only folder goes there as an overlay, so that the mount table inside names ``/tmp/raw/3``
and not the folder on the host. Where root starts us, each mount's owner is mapped to ``BOX_USER``, and then this
process *is* that user: what runs in the box is nobody on the host, even if it should leave all its namespaces. Where
an ordinary user starts us, a user namespace gives the rights to mount, and the kernel lends none beyond that.

Another user namespace stands around every box, so that the limit on processes counts the box's alone.

The specification (JSON): ``parent``, ``uid`` (or null), ``stages`` [{name, source, writable, overlay}],
``limits`` {name: number}, ``cgroups`` [file], ``cpus`` [number], ``descriptors`` that ``bwrap`` reads, ``argv``,
``environment``. With ``place``, a folder,
only the stages are set there, for an engine to find, and that is all.
"""

# ruff: noqa: PTH102, PTH106, PTH112, PTH123, PTH211 -- as few modules as can be, so no pathlib

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import sys
from typing import Any, NoReturn

sys.path.append(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120 -- as few modules as can be

from supervise import PR_SET_PDEATHSIG, stood_over, take_charge  # type: ignore[import-not-found]

STAGE = b"/tmp"
AT_FDCWD, AT_EMPTY_PATH, AT_RECURSIVE, OPEN_TREE_CLONE, MOVE_FROM_DESCRIPTOR = -100, 0x1000, 0x8000, 1, 4
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_REC, MS_PRIVATE = 1, 2, 4, 0x4000, 0x40000
CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000
MOUNT_ATTR_RDONLY, MOUNT_ATTR_IDMAP = 1, 0x100000
OPEN_TREE, MOVE_MOUNT, MOUNT_SETATTR = 428, 429, 442  # the same on every machine
PR_SET_DUMPABLE = 4

libc = ctypes.CDLL(None, use_errno=True)


class MountAttributes(ctypes.Structure):
    """struct mount_attr of mount_setattr(2)."""

    _fields_ = [(name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "userns")]


def call(function: Any, *arguments: Any, about: str = "") -> int:
    """A system call by its function of the C library; OSError where it fails."""
    result: int = function(*arguments)
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), about)
    return result


def mount(kind: bytes, target: bytes, flags: int, options: bytes | None = None) -> None:
    """mount(2) of a file system that has no source of its own."""
    call(libc.mount, kind, target, kind, ctypes.c_ulong(flags), options, about=os.fsdecode(target))


def write(path: str, text: str) -> None:
    """All at once, as the files of /proc want it."""
    descriptor = os.open(path, os.O_WRONLY)
    os.write(descriptor, text.encode())
    os.close(descriptor)


def enter_user_namespace(flags: int = 0) -> None:
    """A user namespace in which we are whom we were, with the rights to mount in it if ``flags`` ask for that."""
    uid, gid = os.geteuid(), os.getegid()
    call(libc.unshare, CLONE_NEWUSER | flags, about="user namespace")
    write("/proc/self/setgroups", "deny")
    write("/proc/self/uid_map", f"{uid} {uid} 1")
    write("/proc/self/gid_map", f"{gid} {gid} 1")


def mapped_users(uid: int) -> int:
    """A user namespace that maps root to ``uid`` and everybody else to themselves, as a descriptor."""
    ready, go = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        try:
            call(libc.unshare, CLONE_NEWUSER)
            os.write(ready[1], b"1")
            os.read(go[0], 1)
        finally:
            os._exit(0)
    os.read(ready[0], 1)
    for kind in ("uid_map", "gid_map"):
        write(f"/proc/{child}/{kind}", f"0 {uid} 1\n1 1 65535")
    namespace = os.open(f"/proc/{child}/ns/user", os.O_RDONLY)
    os.write(go[1], b"1")
    os.waitpid(child, 0)
    for descriptor in (*ready, *go):
        os.close(descriptor)
    return namespace


def taken(source: str, users: int | None, *, writable: bool) -> tuple[int, bool]:
    """A mount of ``source`` that is nowhere yet, with its owner mapped where that can be had."""
    recursive = 0 if users is not None else AT_RECURSIVE
    flags = OPEN_TREE_CLONE | os.O_CLOEXEC | recursive
    tree = call(libc.syscall, OPEN_TREE, AT_FDCWD, os.fsencode(source), flags, about=source)
    mapped = False
    if users is not None:
        attributes = MountAttributes(set=MOUNT_ATTR_IDMAP | (0 if writable else MOUNT_ATTR_RDONLY), userns=users)
        size = ctypes.sizeof(attributes)
        mapped = libc.syscall(MOUNT_SETATTR, tree, b"", AT_EMPTY_PATH, ctypes.byref(attributes), size) == 0
    return tree, mapped


def put(tree: int, target: bytes, is_folder: bool) -> None:
    """Put a mount that is nowhere yet under its neutral name."""
    if is_folder:
        os.mkdir(target)
    else:
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o600))
    call(libc.syscall, MOVE_MOUNT, tree, b"", AT_FDCWD, target, MOVE_FROM_DESCRIPTOR, about=os.fsdecode(target))


def given_to(uid: int, folder: str) -> None:
    """Where a file system cannot map owners: the folder and what is in it becomes the box user's."""
    os.chown(folder, uid, uid, follow_symlinks=False)
    for _, folders, files, descriptor in os.fwalk(folder, follow_symlinks=False):
        for name in folders + files:
            os.chown(name, uid, uid, dir_fd=descriptor, follow_symlinks=False)


def overlaid(raw: bytes, empty: bytes, target: bytes) -> bool:
    """Show ``raw`` read-only at ``target`` through an overlay; False where the kernel does not do that."""
    os.mkdir(target)
    try:
        mount(b"overlay", target, MS_RDONLY | MS_NOSUID | MS_NODEV, b"lowerdir=" + raw + b":" + empty)
    except OSError:
        os.rmdir(target)
        return False
    return True


def set_stages(stages: list[dict[str, Any]], uid: int | None, place: bytes = STAGE) -> None:
    """Every source under its neutral name in ``place``: /tmp becomes a small file system of ours for that."""
    users = mapped_users(uid) if uid is not None else None
    trees = []
    for stage in stages:
        tree, mapped = taken(stage["source"], users, writable=stage["writable"])
        if uid is not None and stage["writable"] and not mapped:
            given_to(uid, stage["source"])
        trees.append((stage, tree, os.path.isdir(stage["source"])))
    if place == STAGE:
        call(libc.mount, None, b"/", None, ctypes.c_ulong(MS_REC | MS_PRIVATE), None)
        mount(b"tmpfs", STAGE, MS_NOSUID | MS_NODEV, b"mode=755,size=1m")
    os.mkdir(place + b"/raw")
    os.mkdir(place + b"/empty")
    for stage, tree, is_folder in trees:
        name = stage["name"].encode()
        target, raw = place + b"/" + name, place + b"/raw/" + name
        if not (stage["overlay"] and is_folder):
            put(tree, target, is_folder)
            continue
        put(tree, raw, is_folder)
        if not overlaid(raw, place + b"/empty", target):
            os.symlink(b"raw/" + name, target)


def become(uid: int) -> None:
    """From root to the box's user, for good."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    # A process that has changed its user may not write its own maps until it says that it has no secrets.
    libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)


def main() -> None:
    """Ends as ``bwrap``, or with 125 and one line that says why not."""
    with open(sys.argv[1], encoding="utf-8") as file:
        wanted = json.load(file)
    if "place" in wanted:
        try:
            set_stages(wanted["stages"], wanted["uid"], os.fsencode(wanted["place"]))
        except OSError as error:
            not_made(error)
        return
    heard = take_charge(libc, wanted["parent"])
    guard = os.getpid()
    box = os.fork()
    if box == 0:
        signal.pthread_sigmask(signal.SIG_SETMASK, set())
        become_bubblewrap(wanted, guard)
    os.closerange(0, 1 + max(2, *wanted["descriptors"]))  # the box's alone: who reads them waits for its end
    os._exit(stood_over(box, heard))


def become_bubblewrap(wanted: dict[str, Any], guard: int) -> NoReturn:
    """In the child of ``guard``: set everything up, and be ``bwrap``."""
    try:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        for tasks in wanted["cgroups"]:
            write(tasks, str(os.getpid()))
        if wanted["cpus"]:
            os.sched_setaffinity(0, wanted["cpus"])
        write("/proc/self/oom_score_adj", "1000")  # if the machine has no memory left, a box goes first
        uid = wanted["uid"]
        if uid is None:
            enter_user_namespace(CLONE_NEWNS)
            set_stages(wanted["stages"], None)
        else:
            call(libc.unshare, CLONE_NEWNS, about="mount namespace")
            set_stages(wanted["stages"], uid)
            become(uid)
            enter_user_namespace()
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)  # a change of user has cleared it
        if os.getppid() != guard:
            os._exit(125)
        for name, value in wanted["limits"].items():
            hard = resource.getrlimit(getattr(resource, name))[1]
            allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(getattr(resource, name), (allowed, allowed))
        for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, and the command would inherit that
            signal.signal(number, signal.SIG_DFL)
        os.umask(0o022)
        os.execve(wanted["argv"][0], wanted["argv"], wanted["environment"])  # noqa: S606
    except OSError as error:
        not_made(error)


def not_made(error: OSError) -> NoReturn:
    """Say why, where the box's errors are read."""
    os.write(2, f"box: {error}\n".encode())
    os._exit(125)


if __name__ == "__main__":
    main()
