"""Boxes by a Docker engine (Podman's socket too): an image of its own, limits that the kernel keeps.

The idea: one container a command, created, attached to, started, and removed; it has no network, no capabilities, a
root that cannot be written and a user that is nobody. What a container needs to be found again when its owner was
killed is in its labels.

What stays: the host's path of a writable mount can be read in the mount table inside, and where we are not root that
of every mount, so folders are mounted from where their path says nothing; writable mounts have no limit of the
kernel's, and are watched; where root starts a container, they are given to its user.
"""

# ruff: noqa: S108 -- the paths in /tmp are those of a box

from __future__ import annotations

import os
import platform
import socket
import threading
import time
import traceback
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from nature_gym.environment.image import ROOTS, SLIM
from nature_gym.errors import InfrastructureError, UsageError
from nature_gym.sandbox import neutral, watching
from nature_gym.sandbox.interface import (
    WORKSPACE,
    Box,
    Ended,
    Isolation,
    Mount,
    Outcome,
    Running,
    Sandbox,
    Stream,
)
from nature_gym.sandbox.keeping import Kept
from nature_gym.sandbox.mounts import BOX_USER, checked, environment

if TYPE_CHECKING:
    from docker.api.client import APIClient

LABEL = "naturegym.box"
OWNER = "naturegym.owner"
_TIMEOUT = 60
_LOOK_SECONDS = 0.2
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Docker(Sandbox):
    """The back end (:class:`~nature_gym.sandbox.interface.Sandbox`)."""

    name = "docker"

    def __init__(self) -> None:
        self._said: dict[str, Any] | None = None

    def missing(self) -> str:
        """Why it cannot be used here, or ''. An engine that has answered once is not asked again."""
        return self._looked_at[0]

    @property
    def _looked_at(self) -> tuple[str, dict[str, Any]]:
        """What is missing, and what the engine says of itself. A failure is not kept: the engine may be starting."""
        if self._said is None:
            try:
                with engine() as client:
                    self._said = dict(client.info())
            except InfrastructureError as error:
                return f"{error.message} {error.hint}", {}
        return "", self._said

    @property
    def _is_rootless(self) -> bool:
        options = " ".join(self._looked_at[1].get("SecurityOptions") or ())
        return "rootless" in options or "userns" in options

    def lacks(self, image: str) -> str:
        """Why code of others cannot be run here with that image ('' for the usual one), or ''.

        What the usual one stands on does not do: it has a Python and nothing that an evaluator imports. Looked at
        each time, because engines come and go, and images are built, while we run.
        """
        wanted = image or SLIM
        try:
            with engine() as client:
                if client.images(wanted):
                    return ""
        except InfrastructureError as error:
            return f"{error.message} {error.hint}"
        return f"There is no image {wanted!r} here." + ("" if image else " Build it with 'naturegym env build'.")

    def isolation(self) -> Isolation:
        """What it keeps from a command here, as the engine says of itself."""
        said = self._looked_at[1]
        guarded = any("seccomp" in option for option in said.get("SecurityOptions") or ())
        bounded = bool(said.get("MemoryLimit"))
        kind = "writable mount" if neutral.can_be_had() and not self._is_rootless else "mount"
        return Isolation(
            network="kept",
            files=f"partly: the host's path of a {kind} can be read in the mount table",
            processes="kept" if guarded else "partly: the engine filters no system calls",
            user="partly: the root of a container is you outside" if self._is_rootless else "kept",
            memory="kept" if bounded else "open: the engine cannot limit memory here",
            disk="partly: writable mounts are watched from outside, so for a moment the limit can be passed",
            comparable=guarded and bounded,
        )

    def start(self, box: Box, argv: Sequence[str], *, stdin: bytes = b"", stream: Stream | None = None) -> Running:
        """Start a command in a fresh container."""
        if reason := self.missing():
            raise InfrastructureError(reason, hint="'naturegym sandbox doctor' says what works here.")
        mounts = checked(box, argv)
        user = 0 if self._is_rootless else (os.geteuid() or BOX_USER)
        return _Container(box, mounts, argv, user=user, stdin=stdin, stream=stream)

    def sweep(self) -> int:
        """Remove containers whose owner, on this machine, is gone."""
        count = 0
        with engine() as client:
            for found in client.containers(all=True, filters={"label": LABEL}):
                if _is_abandoned(found["Labels"].get(OWNER, "")):
                    _removed(client, found["Id"])
                    count += 1
        return max(count, neutral.sweep())


@contextmanager
def engine() -> Iterator[APIClient]:
    """A client of the engine that DOCKER_HOST names, or of the usual one. InfrastructureError where none answers."""
    import docker
    from docker.errors import DockerException

    client = None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            try:
                client = docker.from_env(timeout=_TIMEOUT)
                client.ping()
            except (DockerException, OSError) as error:
                _forget_sockets(error)
                raise
    except (DockerException, OSError) as error:
        if client is not None:
            client.close()
        raise InfrastructureError(
            "No Docker engine answers.", hint="Start one (Debian: apt-get install docker.io); DOCKER_HOST names it."
        ) from error
    try:
        yield client.api
    except (DockerException, OSError) as error:
        raise InfrastructureError(f"The Docker engine fails: {error}", hint="See its log; then try again.") from error
    finally:
        client.close()


def _forget_sockets(error: BaseException | None) -> None:
    """Where nobody answers, docker-py leaves a socket in the frames of its error, open for as long as those live."""
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        error = error.__context__


class _Container(Kept):
    """A container under way."""

    def __init__(
        self, box: Box, mounts: list[Mount], argv: Sequence[str], *, user: int, stdin: bytes, stream: Stream | None
    ) -> None:
        super().__init__(box.limits, stdin=stdin, stream=stream)
        self._box = box
        self._mounts = mounts
        self._argv = list(argv)
        self._user = user
        self._stopping = threading.Event()
        self._drained = threading.Event()
        self._begin(f"container {box.label}")

    def _ask_to_stop(self) -> None:
        self._stopping.set()

    def _clear_up(self) -> None:
        """Nothing: the container is removed where it was made."""

    def _kept_to_its_end(self) -> Outcome:
        written = [mount.source for mount in self._mounts if mount.writable]
        before = watching.written_to(written)
        for folder in written:
            _let_write(folder, self._user)
        staged: Path | None = None
        if self._user and neutral.can_be_had() and any(not mount.writable for mount in self._mounts):
            staged, self._mounts = neutral.put(self._mounts, self._user)
        try:
            with engine() as client:
                return self._in_a_container(client, written, before)
        finally:
            if staged is not None:
                neutral.take_away(staged)

    def _in_a_container(self, client: APIClient, written: list[Path], before: int) -> Outcome:
        container = self._created(client)
        try:
            stdin = 1 if self._stdin else 0
            attached = client.attach_socket(container, {"stdin": stdin, "stdout": 1, "stderr": 1, "stream": 1})
            try:
                client.start(container)
                began = time.monotonic()
                self._started.set()
                reader = threading.Thread(target=self._read, args=(attached,), name="container output", daemon=True)
                reader.start()
                if self._stdin:
                    threading.Thread(target=self._write, args=(attached,), daemon=True).start()
                first = int(client.inspect_container(container)["State"]["Pid"])
                verdict = self._watched(written, before, began, first)
                if verdict is not None:
                    _killed(client, container)
                code = client.wait(container)["StatusCode"]
                seconds = time.monotonic() - began
                reader.join()
            finally:
                _closed(attached)
            ended, code = (verdict, 137) if verdict else _ending(client.inspect_container(container)["State"], code)
            return self._told(ended, code, seconds)
        finally:
            _removed(client, container)

    def _watched(self, written: list[Path], before: int, began: float, first: int) -> Ended | None:
        """Until it ends by itself (None), or has to be ended and why. ``first`` is its first process, 0 if gone."""
        pace = watching.Pace(0.5)
        deadline = began + self._box.limits.seconds
        while not self._drained.wait(max(0.0, min(_LOOK_SECONDS, deadline - time.monotonic()))):
            now = time.monotonic()
            if self._stopping.is_set():
                return Ended.STOPPED
            if now >= deadline:
                return Ended.TIMED_OUT
            if written and pace.due(now):
                # Files without a name are seen where we may look into its processes: as root, on the engine's machine.
                used = watching.written_to(written) - before + watching.nameless(watching.tree(first) if first else ())
                pace.looked(now)
                if used > self._box.limits.disk_bytes:
                    return Ended.DISK_FULL
        return None

    def _created(self, client: APIClient) -> str:
        image = self._box.image or default_image(client)
        import docker.types
        from docker.errors import ImageNotFound

        limits = self._box.limits
        scratch = f"rw,exec,nosuid,nodev,mode=0755,uid={self._user},gid={self._user}"
        size = min(limits.memory_bytes, limits.disk_bytes)
        tmpfs = {"/tmp": f"{scratch},size={size}"}
        if not any(mount.target == WORKSPACE for mount in self._mounts):
            tmpfs[str(WORKSPACE)] = f"{scratch},size={size}"
        host = client.create_host_config(
            binds={},
            mounts=[
                docker.types.Mount(str(one.target), str(one.source), "bind", read_only=not one.writable)
                for one in self._mounts
            ],
            tmpfs=tmpfs,
            device_requests=[
                docker.types.DeviceRequest(device_ids=[str(one) for one in self._box.gpus], capabilities=[["gpu"]])
            ]
            if self._box.gpus
            else None,
            network_mode="none",
            ipc_mode="private",
            read_only=True,
            cap_drop=["ALL"],
            security_opt=["no-new-privileges"],
            init=True,
            mem_limit=limits.memory_bytes,
            memswap_limit=limits.memory_bytes,
            nano_cpus=max(1, int(limits.cpus * 1e9)),
            pids_limit=limits.processes + 1,  # the first process is the engine's own
            shm_size=size,
            oom_score_adj=1000,
            ulimits=[
                docker.types.Ulimit(name=name, soft=value, hard=value)
                for name, value in {
                    "nofile": limits.open_files,
                    "fsize": limits.disk_bytes,
                    "core": 0,
                    "nproc": 1 << 16,  # not the limit, which is of all containers of a user; Podman wants one named
                }.items()
            ],
            log_config=docker.types.LogConfig(type="none"),
        )
        try:
            made = client.create_container(
                image,
                self._command(client, image),
                host_config=host,
                user=f"{self._user}:{self._user}",
                working_dir=str(self._box.folder),
                hostname="box",
                stdin_open=bool(self._stdin),
                labels={LABEL: "1", OWNER: _owner(), f"{LABEL}.for": self._box.label},
                entrypoint=[],
            )
        except ImageNotFound as error:
            raise UsageError(f"There is no image {image!r} here.", hint="Build or pull it first.") from error
        return str(made["Id"])

    def _command(self, client: APIClient, image: str) -> list[str]:
        """The command with all of its environment: neither the engine nor the image adds to it."""
        from docker.errors import ImageNotFound

        try:
            said = client.inspect_image(image)["Config"].get("Env") or ()  # type: ignore[no-untyped-call]
        except ImageNotFound as error:
            raise UsageError(f"There is no image {image!r} here.", hint="Build or pull it first.") from error
        path = dict(line.partition("=")[::2] for line in said).get("PATH", _PATH)
        variables = environment(self._box, path)
        return ["env", "-i", *(f"{name}={value}" for name, value in variables.items()), *self._argv]

    def _read(self, attached: Any) -> None:
        """Move the command's output until the engine has no more of it."""
        from docker.utils.socket import frames_iter

        names: Mapping[int, Literal["stdout", "stderr"]] = {1: "stdout", 2: "stderr"}
        try:
            for number, piece in frames_iter(attached, tty=False):  # type: ignore[no-untyped-call]
                self._take(names[number], piece)
        except (OSError, ValueError):
            pass  # the engine went away, or the socket was closed; the container's state tells which
        finally:
            self._drained.set()

    def _write(self, attached: Any) -> None:
        """Say what is to be said, for as long as somebody listens."""
        raw: socket.socket = getattr(attached, "_sock", attached)
        with suppress(OSError):
            raw.sendall(self._stdin)
            raw.shutdown(socket.SHUT_WR)


def default_image(client: APIClient) -> str:
    """The image for a box that names none, where Docker is asked for by name: our slim base, or what it stands on."""
    for name in (SLIM, *ROOTS):
        if client.images(name):
            return name
    raise InfrastructureError(f"There is no image {SLIM} here.", hint="Build it with 'naturegym env build'.")


def _let_write(folder: Path, user: int) -> None:
    """Where root starts a container whose user is nobody, a writable mount becomes that user's."""
    if os.geteuid() == 0 and user:
        from nature_gym.sandbox.launch import given_to

        given_to(user, os.fspath(folder))


def _ending(state: Mapping[str, Any], code: int) -> tuple[Ended, int]:
    if state.get("OOMKilled") and code:
        return Ended.OUT_OF_MEMORY, code
    if code == 128 + 25:  # SIGXFSZ: a file would have passed the limit
        return Ended.DISK_FULL, code
    return (Ended.SIGNALLED if 128 < code <= 192 else Ended.EXITED), code


def _owner() -> str:
    """This process, for as long as this machine is up."""
    boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return f"{platform.node()}/{boot}/{os.getpid()}/{watching.started_at(os.getpid())}"


def _is_abandoned(owner: str) -> bool:
    """Whether the owner is of this machine, and gone. What other machines own is theirs to sweep."""
    mine, theirs = _owner().split("/"), owner.split("/")
    if len(theirs) != len(mine) or theirs[0] != mine[0]:
        return False
    return theirs[1] != mine[1] or watching.started_at(int(theirs[2])) != theirs[3]


def _killed(client: APIClient, container: str) -> None:
    from docker.errors import APIError

    with suppress(APIError):  # it ended in this moment
        client.kill(container)


def _removed(client: APIClient, container: str) -> None:
    from docker.errors import APIError, NotFound

    try:
        client.remove_container(container, v=True, force=True)
    except NotFound:
        pass
    except APIError as error:
        if error.status_code != 409:  # somebody else is removing it
            raise


def _closed(attached: Any) -> None:
    """All three layers that docker-py has put on one socket, the outermost first."""
    for layer in (getattr(attached, "_response", None), attached, getattr(attached, "_sock", None)):
        if layer is not None:
            with suppress(OSError, ValueError):  # closed already, by the one around it
                layer.close()
