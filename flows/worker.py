"""The worker of ``naturegym ui``: a process that runs what is scheduled, or asked for in Prefect's pages.

A home has one worker at most. It is started in a process group of its own with the runs that it starts, so that ending
it leaves none of them behind; where it dies, it is told, what it left is ended, and it is started again.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import orjson

from flows.environment import prefect_folder
from flows.server import python_path
from nature_gym.config import Settings
from nature_gym.errors import InfrastructureError
from nature_gym.files import is_held

LOG = "worker.log"
STATE = "worker.json"
"""In the home's Prefect folder; held by the worker's process for as long as it lives."""
ANOTHER = 97
"""What the process ends with where the home has a worker already."""
START_SECONDS = 180.0
STOP_SECONDS = 15.0
REVIVALS = 4


class LocalWorker:
    """The worker of a home whose server answers at ``api_url``."""

    def __init__(self, settings: Settings, api_url: str, say: Callable[[str], None]) -> None:
        self.log: Path = prefect_folder(settings) / LOG
        self.deployments: dict[str, str] = {}
        """Name -> id in Prefect; empty while another process of the home has the worker."""
        self._settings = settings
        self._api_url = api_url
        self._say = say
        self._process: subprocess.Popen[bytes] | None = None
        self._deaths = 0

    @property
    def pid(self) -> int | None:
        """Of its process, where it is ours."""
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Start it, unless the home has one; return once the deployments are registered.

        Raises InfrastructureError where it ends, or does not get so far.
        """
        environment = os.environ | {
            "PREFECT_API_URL": self._api_url,
            "PYTHONPATH": python_path(),
            # Runs that Prefect starts do not pass through our launch, which chooses by settings.
            "PREFECT_TASK_RUNNER_THREAD_POOL_MAX_WORKERS": str(self._settings.workers),
            "PREFECT_RUNNER_POLL_FREQUENCY": "2",
        }
        with self.log.open("ab") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "flows.serving"],
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=output,
                start_new_session=True,
            )
        line = self._first_line(self._process)
        if line:
            self.deployments = orjson.loads(line)["deployments"]
            return
        code = self._process.wait()
        self._close()
        if code != ANOTHER:
            raise InfrastructureError(f"the worker ended with {code} while it was starting", hint=f"See {self.log}.")

    def look(self) -> None:
        """Tell of its death, end what it left, and start it again; also where another process's worker ended.

        Raises InfrastructureError where it died too often.
        """
        if self._process is not None:
            code = self._process.poll()
            if code is None:
                return
            _end_group(self._process.pid, signal.SIGKILL)
            self._close()
            self._deaths += 1
            told = f"signal {-code}" if code < 0 else f"exit code {code}"
            if self._deaths > REVIVALS:
                raise InfrastructureError(f"the worker died again and again, with {told}", hint=f"See {self.log}.")
            self._say(f"The worker died ({told}) and is started again; see {self.log}")
        elif is_held(prefect_folder(self._settings) / STATE):
            return
        self.start()

    def stop(self) -> None:
        """End it, and the runs that it started: asked first, then by force."""
        if self._process is None:
            return
        process = self._process
        _end_group(process.pid, signal.SIGTERM, group=False)
        with suppress(subprocess.TimeoutExpired):
            process.wait(STOP_SECONDS)
        _end_group(process.pid, signal.SIGKILL)
        process.wait()
        self._close()

    def _first_line(self, process: subprocess.Popen[bytes]) -> bytes:
        output = process.stdout
        if output is None:
            raise RuntimeError("the worker was started without a pipe")
        deadline = time.monotonic() + START_SECONDS
        while not select.select([output], [], [], 0.2)[0]:
            if time.monotonic() > deadline:
                self.stop()
                raise InfrastructureError(
                    f"the worker was not ready within {START_SECONDS:.0f} s", hint=f"See {self.log}."
                )
        return output.readline()

    def _close(self) -> None:
        if self._process is not None:
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    stream.close()
        self._process = None
        self.deployments = {}


def _end_group(pid: int, number: signal.Signals, *, group: bool = True) -> None:
    with suppress(ProcessLookupError):
        (os.killpg if group else os.kill)(pid, number)
