"""The process that serves the deployments. Started by :class:`flows.worker.LocalWorker`, never by hand.

It registers them, says so on its standard output, and starts each run as a process of its own. It ends when its
standard input does: whoever started it is gone then, however that came.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Sequence

import orjson
from prefect.deployments.runner import RunnerDeployment
from prefect.runner import Runner

from flows.deployments import made
from flows.environment import prefect_folder
from flows.server_api import ServerApi
from flows.worker import ANOTHER, STATE
from nature_gym.config import Settings, load_settings
from nature_gym.files import Held, exclusive, is_held, write_json

RUNS_AT_ONCE = 4
_STOP_SECONDS = 10.0


def main() -> int:
    """Serve until told to stop."""
    settings = load_settings()
    held = _alone(settings)
    if held is None:
        return ANOTHER
    threading.Thread(target=_end_with_standard_input, name="starter", daemon=True).start()
    with ServerApi(settings) as api:
        api.sweep()
        api.sweep_served()
    asyncio.run(_serve(made()))
    held.release()
    return 0


def _alone(settings: Settings) -> Held | None:
    """Become the worker of the home; None where there is one."""
    folder = prefect_folder(settings)
    path = folder / STATE
    with exclusive(folder / "worker.lock"):
        if is_held(path):
            return None
        write_json(path, {"pid": os.getpid()})
        return Held(path)


async def _serve(deployments: Sequence[RunnerDeployment]) -> None:
    # Not paused at the end: with the server gone nothing is scheduled, and another process may take over at once.
    runner = Runner(name="naturegym", limit=RUNS_AT_ONCE, pause_on_shutdown=False)
    names = {}
    for deployment in deployments:
        names[deployment.name] = str(await runner.aadd_deployment(deployment))
    sys.stdout.buffer.write(orjson.dumps({"deployments": names}) + b"\n")
    sys.stdout.flush()
    os.dup2(2, 1)  # what runs print goes into the log
    await runner.start()


def _end_with_standard_input() -> None:
    while os.read(0, 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    threading.Event().wait(_STOP_SECONDS)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main())
