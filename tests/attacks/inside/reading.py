"""Ground truth, metadata, anchors; whose paper it is; keys of others."""

# ruff: noqa: PTH116, PTH118, PTH208 -- what runs inside a box speaks to the kernel, and prints

from __future__ import annotations

import ctypes
import os
import socket
import sys
from pathlib import Path

from tests.attacks.inside.kit import EGRESS, KNOWN, SERVICE, ask, text_of, unix


def reachable(path: str) -> list[str]:
    """Ways to a path of the host."""
    return [path, f"/proc/1/root{path}", f"/proc/{os.getppid()}/root{path}", f"/proc/self/cwd/../../..{path}"]


def truth_by_search() -> object:
    """Look through every folder that is neither the system's nor Python's."""
    kept_out = {"proc", "sys", "usr", "lib", "lib64", "bin", "sbin", "dev"}
    python = (sys.prefix, sys.base_prefix)
    found = []
    for top in set(os.listdir("/")) - kept_out:
        for folder, below, files in os.walk(f"/{top}"):
            if folder in python or folder == "/workspace/attack":
                below.clear()
                continue
            found += [f"{folder}/{name}" for name in files if name in {"evaluator.py", "metadata.json", "answer.json"}]
            found += [folder] if folder.endswith("ground_truth") else []
    return found


def truth_by_host_path() -> object:
    """Open it where it lies on the host."""
    return text_of(*reachable(KNOWN["truth"]), *reachable(KNOWN["evaluator"]))


def truth_by_link() -> object:
    """Read it through a link of our own."""
    link = Path("/workspace/truth-link")
    link.symlink_to(KNOWN["truth"])
    return text_of(str(link))


def metadata_beside_the_task() -> object:
    """Climb out of the folder that is mounted."""
    place = "/task/problem"
    names = ("metadata.json", "task.yaml", "provenance.json", "evaluation/evaluator.py")
    return text_of(*(f"{place}/../{name}" for name in names), *(f"{place}/data/../../{name}" for name in names))


def metadata_by_host_path() -> object:
    """Open the anchors where they lie on the host."""
    return text_of(*reachable(KNOWN["metadata"]))


def anchors_by_service() -> object:
    """Ask the service for more than it tells."""
    paths = ("/metadata", "/anchors", "/results", "/trial", "/openapi.json", "/docs", "/debug", "/../metadata.json",
             "/%2e%2e/metadata.json", "/static/../../metadata.json", "//evaluation/ground_truth")  # fmt: skip
    return [path for path in paths if ask("GET", path)[0] < 300]


def processes_of_others() -> object:
    """Find the evaluator, or anything of the host, among the processes."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        line = text_of(f"/proc/{pid}/cmdline")
        if "host.py" in line or "pytest" in line or "evaluator.py" in line:
            found.append(line)
    return found


def memory_of_the_first_process() -> object:
    """Look into the memory of whoever started us, from outside of it: of the host's first process."""
    with Path("/proc/kcore").open("rb") as file:
        return file.read(16).hex()


def mount_table() -> object:
    """Where mounts come from."""
    return text_of("/proc/self/mountinfo", "/proc/mounts", "/proc/1/mountinfo", "/etc/mtab", "/proc/self/mountstats")


def names_of_the_machine() -> object:
    """Host names, identities, search domains."""
    return repr(os.uname()) + socket.gethostname() + text_of(
        "/etc/hostname", "/etc/hosts", "/etc/resolv.conf", "/etc/machine-id", "/proc/sys/kernel/hostname",
        "/proc/sys/kernel/domainname", "/etc/passwd", "/etc/group", "/proc/self/cgroup", "/proc/1/cgroup",
    )  # fmt: skip


def environment_and_arguments() -> object:
    """Every variable and argument of every process."""
    found = [repr(dict(os.environ))]
    names = ("environ", "cmdline", "status", "comm", "sched")
    found += [text_of(*(f"/proc/{pid}/{name}" for name in names)) for pid in filter(str.isdigit, os.listdir("/proc"))]
    return "\n".join(found)


def names_owners_and_times() -> object:
    """What the task's files tell beside their content."""
    found = []
    for folder, _, files in os.walk("/task"):
        for name in [".", *files]:
            path = os.path.join(folder, name)
            attributes = {one: os.getxattr(path, one) for one in os.listxattr(path)}
            found.append(f"{path} {os.stat(path)} {attributes}")
    return "\n".join(found)


def name_of_the_peer() -> object:
    """What the kernel says of the other end of the sockets."""
    found = [text_of("/proc/net/unix", "/proc/self/net/unix")]
    for path in (SERVICE, EGRESS):
        with unix(path) as one:
            found.append(f"{one.getpeername()!r} {one.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)!r}")
    return "\n".join(found)


def keys_in_files() -> object:
    """Where keys are kept."""
    return text_of(
        "/root/.netrc", "/root/.ssh/id_rsa", "/root/.docker/config.json", "/etc/shadow", "/proc/keys",
        *reachable(KNOWN["key_file"]),
    )  # fmt: skip


def token_of_another_trial() -> object:
    """Read it where the neighbour's service keeps it."""
    return text_of(*reachable(KNOWN["other_token_file"]), *reachable(KNOWN["database"]))


def rooms_of_others() -> object:
    """Boxes of this user lie side by side on the host."""
    found = []
    for place in ("/var/tmp", "/proc/1/root/var/tmp", "/workspace/..", "/run/.."):
        found += [name for name in os.listdir(place) if name.startswith("boxes-")]
    return found


def keyring_of_the_kernel() -> object:
    """Keys that the kernel keeps for its users."""
    number = {"x86_64": 248, "aarch64": 217}[os.uname().machine]
    made = ctypes.CDLL(None, use_errno=True).syscall(number, b"user", b"mine", b"x", 1, -3)
    return made if made > 0 else None


def namespace_of_our_own() -> object:
    """A user namespace gives rights to attack the kernel with."""
    libc = ctypes.CDLL(None, use_errno=True)
    return "made" if libc.unshare(0x10000000) == 0 else None


def rights_by_program() -> object:
    """Programs that give rights away, and a root that can be written to."""
    status = text_of("/proc/self/status")
    rights = [line for line in status.splitlines() if line.startswith(("CapEff", "CapBnd", "CapPrm", "NoNewPrivs"))]
    wrong = [line for line in rights if not line.endswith(("0000000000000000", "NoNewPrivs:\t1"))]
    return [*wrong, "root"] if os.geteuid() == 0 else wrong


def engine_of_containers() -> object:
    """Whoever speaks to the engine is root."""
    names = ("docker.sock", "podman/podman.sock", "containerd/containerd.sock")
    return [path for name in names for path in (f"/run/{name}", f"/var/run/{name}") if Path(path).exists()]
