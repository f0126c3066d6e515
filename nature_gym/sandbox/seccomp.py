"""System calls that no command in a box needs and that make the kernel's surface wide, refused by a filter of our own.

The idea: a classic BPF program in the shape that the kernel takes (``struct sock_filter``), built here from names and
numbers, so that nothing has to be installed. It lets through what it does not name. A refused call fails with EPERM,
which programs are used to; ``clone3`` with ENOSYS, because its flags lie in memory where a filter cannot read them,
and the C library then falls back to ``clone``, whose flags it can read. A call of another machine's numbering
(32-bit on 64-bit) ends the process: its numbers mean other calls.

Sources: seccomp(2), bpf(4); numbers from the kernel's arch/x86/entry/syscalls/syscall_64.tbl and
include/uapi/asm-generic/unistd.h.
"""

from __future__ import annotations

import errno
import platform
import struct

ALLOW = 0x7FFF0000
KILL = 0x80000000
ERRNO = 0x00050000

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENT_0, _ARGUMENT_1 = 0, 4, 16, 24
_NUMBERED_FOR_X32 = 0x40000000

_NEW_NAMESPACES = 0x7E020000
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET."""
_NEW_TIME_NAMESPACE = 0x80
"""Of unshare alone: in clone these bits are the signal at exit."""
_TYPED_INPUT = (0x5412, 0x541C)
"""ioctls TIOCSTI and TIOCLINUX: input put into somebody's terminal."""
_SOCKETS = (1, 2, 10, 16)
"""AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. AF_VSOCK, for one, is not held by a network namespace."""

# name: (x86_64, aarch64); None where the machine has no such call.
_REFUSED: dict[str, tuple[int | None, int | None]] = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "syslog": (103, 116),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    "fanotify_init": (300, 262),
}
_OTHERS = {"clone": (56, 220), "clone3": (435, 435), "unshare": (272, 97), "ioctl": (16, 29), "socket": (41, 198)}
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}


def program(machine: str = "") -> bytes | None:
    """The filter for ``machine`` (as ``uname -m`` says it; this one if empty), or None where we know no numbers."""
    machine = machine or platform.machine()
    if machine not in _MACHINES:
        return None
    column, architecture = _MACHINES[machine]
    number = {name: numbers[column] for name, numbers in _OTHERS.items()}
    lines = [
        _line(_LOAD, _ARCHITECTURE),
        _line(_EQUAL, architecture, jump=1),
        _line(_RETURN, KILL),
        _line(_LOAD, _NUMBER),
    ]
    if machine == "x86_64":
        lines += [_line(_AT_LEAST, _NUMBERED_FOR_X32, skip=1), _line(_RETURN, ERRNO | errno.ENOSYS)]
    lines += [_line(_EQUAL, number["clone3"], skip=1), _line(_RETURN, ERRNO | errno.ENOSYS)]
    for refused in (numbers[column] for numbers in _REFUSED.values()):
        if refused is not None:
            lines += [_line(_EQUAL, refused, skip=1), _line(_RETURN, ERRNO | errno.EPERM)]
    lines += _where(number["clone"], _ARGUMENT_0, [_line(_ANY_BIT, _NEW_NAMESPACES, skip=1)], errno.EPERM)
    namespaces = _NEW_NAMESPACES | _NEW_TIME_NAMESPACE
    lines += _where(number["unshare"], _ARGUMENT_0, [_line(_ANY_BIT, namespaces, skip=1)], errno.EPERM)
    for request in _TYPED_INPUT:
        lines += _where(number["ioctl"], _ARGUMENT_1, [_line(_EQUAL, request, skip=1)], errno.EPERM)
    # Each known family jumps over what is left of the list and over the refusal.
    known = [_line(_EQUAL, family, jump=len(_SOCKETS) - place) for place, family in enumerate(_SOCKETS)]
    lines += _where(number["socket"], _ARGUMENT_0, known, errno.EAFNOSUPPORT)
    lines.append(_line(_RETURN, ALLOW))
    return b"".join(lines)


def _where(number: int, argument: int, tests: list[bytes], error: int) -> list[bytes]:
    """For one call: look at an argument; ``tests`` jump over the refusal, or fall into it. Then the number again."""
    body = [_line(_LOAD, argument), *tests, _line(_RETURN, ERRNO | error), _line(_LOAD, _NUMBER)]
    return [_line(_EQUAL, number, skip=len(body)), *body]


def _line(code: int, value: int, *, jump: int = 0, skip: int = 0) -> bytes:
    """One instruction; ``jump`` lines are left out if its test holds, ``skip`` if it does not."""
    return struct.pack("=HBBI", code, jump, skip, value)
