"""A local Prefect server: started when the first user of a home needs it, gone with the last.

Three files in the home's Prefect folder say all there is to know, by locks that the kernel drops
when their holder dies, however it dies::

    server.lock   each user holds it shared; the server ends itself when nobody does
    server.json   address and process id; held by the server's process for as long as it lives
    server.log    what the server said since it was started

So a flow killed with -9 leaves no server behind, a second flow and ``naturegym ui`` share the first
one's server, and a dead server is never mistaken for a living one.
"""

from __future__ import annotations

import fcntl
import logging
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import BaseModel, ConfigDict, ValidationError

from flows.environment import make_prefect_folder, prefect_environment, prefect_folder
from nature_gym.config import Settings
from nature_gym.errors import InfrastructureError
from nature_gym.files import exclusive, is_held

LOCK = "server.lock"
STATE = "server.json"
LOG = "server.log"
PORT_TAKEN = 98
"""What the server's process ends with where it could not have the port."""

START_SECONDS = 120.0
STOP_SECONDS = 8.0
_POLL_SECONDS = 0.05
_WATCH_SECONDS = 0.5
_REVIVALS = 4

log = logging.getLogger(__name__)

Say = Callable[[str], None]


class ServerState(BaseModel):
    """What ``server.json`` says."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: str
    pid: int


def running_server(settings: Settings) -> ServerState | None:
    """The server of this home that lives now, healthy already or not."""
    path = prefect_folder(settings) / STATE
    if not is_held(path):
        return None
    try:
        return ServerState.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None


class LocalServer:
    """The use of a home's server, from :meth:`start` to :meth:`stop`; a context manager does both.

    ``started`` says whether this use started the server or joined one that ran already.
    """

    def __init__(self, settings: Settings, *, host: str = "127.0.0.1", port: int = 0, say: Say | None = None) -> None:
        self.settings = settings
        self.folder = prefect_folder(settings)
        self.started = False
        self._host = host
        self._port = port
        self._say: Say = say or (lambda _: None)
        self.lost = threading.Event()
        """Set where the server died and could not be started again."""
        self._leaving = threading.Event()
        self._watch: threading.Thread | None = None
        self._child: subprocess.Popen[bytes] | None = None
        self._use: int | None = None
        self._state: ServerState | None = None

    @property
    def url(self) -> str:
        """Address of the user interface; there is one once :meth:`start` has returned."""
        if self._state is None:
            raise RuntimeError("the server has not been started")
        return self._state.url

    @property
    def api_url(self) -> str:
        """Address of the API."""
        return f"{self.url}/api"

    @property
    def pid(self) -> int:
        """The server's process."""
        if self._state is None:
            raise RuntimeError("the server has not been started")
        return self._state.pid

    @property
    def log(self) -> Path:
        """File of what the server says."""
        return self.folder / LOG

    def __enter__(self) -> Self:
        try:
            self.start()
            self.wait_until_healthy()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    def start(self) -> None:
        """Join the home's server, or start one; return once its address is known, before it is healthy.

        Raises InfrastructureError where the port is taken, the folder cannot be written, or the
        server's process ends at once.
        """
        make_prefect_folder(self.settings)
        try:
            use = self._use = os.open(self.folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise InfrastructureError(
                f"Prefect's folder {self.folder} cannot be written: {error.strerror}",
                hint="Set NATUREGYM_HOME to a folder that you may write to.",
            ) from error
        with exclusive(self.folder / "starting.lock"):
            self._join(use)
            self._state = running_server(self.settings)
            if self._state is None:
                self._say("Starting a local Prefect server (the first start in a home makes its database: 10 to 20 s)")
                self._spawn()
                self.started = True

    def wait_until_healthy(self) -> None:
        """Return when the API answers. Raises InfrastructureError where it does not within two minutes."""
        deadline = time.monotonic() + START_SECONDS
        while not is_healthy(self.api_url):
            if self._child is not None and self._child.poll() is not None:
                raise self._did_not_start(f"its process ended with {self._child.returncode}")
            if self._child is None and not is_held(self.folder / STATE):
                raise self._did_not_start("it ended while it was starting")
            if time.monotonic() > deadline:
                raise self._did_not_start(f"it did not answer within {START_SECONDS:.0f} s")
            time.sleep(_POLL_SECONDS)
        if self._watch is None:
            self._watch = threading.Thread(target=self._keep_alive, name="prefect-server", daemon=True)
            self._watch.start()

    def is_alive(self) -> bool:
        """Whether the server's process lives."""
        return is_held(self.folder / STATE)

    def stop(self) -> bool:
        """End this use, and the server with it where it was the last; gives whether the server is gone.

        Asks with SIGTERM, and after some seconds ends the server's whole process group with SIGKILL.
        """
        if self._use is None:
            return True
        use, self._use = self._use, None
        self._leaving.set()
        if self._watch is not None:
            self._watch.join()
        try:
            try:
                fcntl.flock(use, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False  # somebody else uses it: the server goes with the last of them
            self._end()
            return True
        finally:
            os.close(use)

    def _keep_alive(self) -> None:
        """Start the server again where it died (killed, out of memory): at the same port, where flows look for it.

        Prefect's clients try again for some seconds, so a flow goes on.
        """
        for _ in range(_REVIVALS):
            while self.is_alive():
                if self._leaving.wait(_WATCH_SECONDS):
                    return
            if self._leaving.is_set():
                return
            log.warning("the Prefect server at %s died; starting it again", self.url)
            self._port = urllib.parse.urlsplit(self.url).port or 0
            try:
                with exclusive(self.folder / "starting.lock"):
                    if not self.is_alive():
                        self._spawn()
            except (InfrastructureError, OSError) as error:
                log.warning("%s", error)
                break
        self.lost.set()

    def _join(self, use: int) -> None:
        """Become a user; waits for a server that is just going."""
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                fcntl.flock(use, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise InfrastructureError(
                        "a Prefect server of this home is going down and does not finish",
                        hint=f"See {self.log}; end the process that {self.folder / STATE} names.",
                    ) from None
                time.sleep(_POLL_SECONDS)
            else:
                return

    def _spawn(self) -> None:
        environment = os.environ | prefect_environment(self.settings) | {"PYTHONPATH": python_path()}
        environment.pop("PREFECT_API_URL", None)
        command = [sys.executable, "-m", "flows.server_process", str(self.folder), self._host, str(self._port)]
        with self.log.open("ab" if self.started else "wb") as output:
            self._child = subprocess.Popen(
                command,
                env=environment,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,  # Ctrl-C is for us: the server lives on until what we did is recorded
            )
        deadline = time.monotonic() + START_SECONDS
        while True:
            state = running_server(self.settings)
            if state is not None and state.pid == self._child.pid:
                self._state = state
                return
            if self._child.poll() == PORT_TAKEN:
                raise InfrastructureError(
                    f"port {self._port} of {self._host} is taken by another program",
                    hint="Give another with --port, or --port 0 for any that is free.",
                )
            if self._child.poll() is not None:
                raise self._did_not_start(f"its process ended with {self._child.returncode}")
            if time.monotonic() > deadline:
                self._end()
                raise self._did_not_start("its process does nothing")
            time.sleep(_POLL_SECONDS / 5)

    def _end(self) -> None:
        state = running_server(self.settings)
        pid = state.pid if state else self._child.pid if self._child else None
        if pid is not None and not self._ended(0):
            _signal(pid, signal.SIGTERM)
            if not self._ended(STOP_SECONDS):
                _signal(pid, signal.SIGKILL, group=True)
                self._ended(STOP_SECONDS)
        self._child = None

    def _ended(self, seconds: float) -> bool:
        """Whether the server's process is gone within ``seconds``."""
        deadline = time.monotonic() + seconds
        while True:
            # A child of ours stays in the process table until we ask for its end.
            gone = self._child.poll() is not None if self._child else True
            if gone and not is_held(self.folder / STATE):
                return True
            if time.monotonic() >= deadline:
                return False
            time.sleep(_POLL_SECONDS / 5)

    def _did_not_start(self, why: str) -> InfrastructureError:
        try:
            lines = self.log.read_text(errors="replace").strip().splitlines()
        except OSError:
            lines = []
        last = f": {lines[-1].strip()}" if lines else ""
        return InfrastructureError(
            f"the local Prefect server did not start, {why}{last}",
            hint=f"See {self.log}. Setting NATUREGYM_PREFECT_API_URL uses a server that runs elsewhere.",
        )


def is_healthy(api_url: str, *, seconds: float = 5.0) -> bool:
    """Whether the API at ``api_url`` says that it works."""
    loopback = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    opener = loopback if "//127." in api_url or "//localhost" in api_url else urllib.request.build_opener()
    try:
        with opener.open(f"{api_url}/health", timeout=seconds) as answer:
            return bool(answer.status == 200)
    except (OSError, ValueError):
        return False


def wait_until_healthy(api_url: str, *, seconds: float) -> bool:
    """Whether the API at ``api_url`` answers within ``seconds``: a server that died is started again meanwhile."""
    deadline = time.monotonic() + seconds
    while not is_healthy(api_url):
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL_SECONDS)
    return True


def python_path() -> str:
    """Makes ``-m flows.server_process`` work where this code runs from, installed or not."""
    ours = str(Path(__file__).resolve().parent.parent)
    others = os.environ.get("PYTHONPATH")
    return f"{ours}{os.pathsep}{others}" if others else ours


def _signal(pid: int, number: signal.Signals, *, group: bool = False) -> None:
    with suppress(ProcessLookupError):  # it was quicker
        (os.killpg if group else os.kill)(pid, number)
