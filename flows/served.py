"""The tie between a run that was started from Prefect's pages and the worker that started it.

The one idea: the worker holds a lock for as long as it lives, and the kernel frees it however it dies. A run that gets
that lock has lost its worker, and ends, so that no process goes on that nobody knows of.
"""

from __future__ import annotations

import fcntl
import os
import signal
import threading
from pathlib import Path

from prefect.runtime import deployment

from flows.environment import prefect_folder
from flows.worker import STATE
from nature_gym.config import load_settings
from nature_gym.files import is_held

_LAST_SECONDS = 10.0


def end_with_the_worker() -> None:
    """Let this process end when the worker of the home dies. Does nothing where no worker of ours started it."""
    path = prefect_folder(load_settings()) / STATE
    if deployment.get_id() and is_held(path):
        threading.Thread(target=_wait_for_its_end, args=(path,), name="worker-watch", daemon=True).start()


def _wait_for_its_end(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    fcntl.flock(descriptor, fcntl.LOCK_SH)
    os.close(descriptor)
    os.kill(os.getpid(), signal.SIGTERM)
    threading.Event().wait(_LAST_SECONDS)
    os._exit(1)
