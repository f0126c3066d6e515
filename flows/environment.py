"""What Prefect shall do here, as environment variables: offline, quiet, inside our home.

Prefect reads its settings while it is imported, so :func:`apply` comes before the first import of
Prefect in a process. Variables are the one way that reaches every process alike: the flow's, the
server's, and the workers' of Dask and Ray.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from nature_gym.config import Settings
from nature_gym.errors import InfrastructureError

FOLDER = "prefect"

# The recorder's own sizes lose task runs in bursts and take seconds to show one; these do neither.
_RECORDER = {
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_BATCH_SIZE": "200",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_READ_BATCH_SIZE": "200",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_FLUSH_INTERVAL": "1",
    "PREFECT_SERVER_SERVICES_EVENT_PERSISTER_BATCH_SIZE": "200",
    "PREFECT_SERVER_SERVICES_EVENT_PERSISTER_READ_BATCH_SIZE": "200",
    "PREFECT_SERVER_SERVICES_EVENT_PERSISTER_FLUSH_INTERVAL": "1",
}

_OFFLINE = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
    "PREFECT_CLOUD_ENABLE_ORCHESTRATION_TELEMETRY": "false",
}

_QUIET = {
    # The command line tells what a person needs; everything else goes to the run's log in the UI.
    "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_TO_API_WHEN_MISSING_FLOW": "ignore",
    "PREFECT_SERVER_LOGGING_LEVEL": "WARNING",
    "PREFECT_TELEMETRY_ENABLE_RESOURCE_METRICS": "false",
}

_ROBUST = {
    # A flow without an API shall say so, not start a server of its own behind our back.
    "PREFECT_SERVER_ALLOW_EPHEMERAL_MODE": "false",
    # A server that died is noticed in seconds.
    "PREFECT_CLIENT_MAX_RETRIES": "3",
}

CONSTANT = _RECORDER | _OFFLINE | _QUIET | _ROBUST
"""What is the same for every home."""


def prefect_folder(settings: Settings) -> Path:
    """Where everything of Prefect's lies: its database, its user interface's files, the server's log."""
    return settings.home / FOLDER


def prefect_environment(settings: Settings, *, port: int | None = None, host: str = "127.0.0.1") -> dict[str, str]:
    """Every variable that Prefect needs for ``settings``; with ``port`` also what its server needs.

    The addresses of an API are left out: they are known when a server is found or started.
    """
    folder = prefect_folder(settings)
    environment = CONSTANT | {
        "PREFECT_HOME": str(folder),
        "PREFECT_PROFILES_PATH": str(folder / "profiles.toml"),
        "PREFECT_SERVER_DATABASE_CONNECTION_URL": f"sqlite+aiosqlite:///{folder / 'prefect.db'}",
        "PREFECT_SERVER_UI_STATIC_DIRECTORY": str(folder / "ui"),
    }
    return environment if port is None else environment | server_environment(host, port)


def server_environment(host: str, port: int) -> dict[str, str]:
    """What the server's own process needs besides, once it has its port."""
    return {
        "PREFECT_SERVER_API_HOST": host,
        "PREFECT_SERVER_API_PORT": str(port),
        # Relative to the page, so that it holds on any port, and through a forwarded one.
        "PREFECT_SERVER_UI_API_URL": "/api",
    }


def apply(settings: Settings) -> None:
    """Put :func:`prefect_environment` in force in this process. Comes before Prefect's first import.

    A second call, for whatever home, is fine; a first call after Prefect was imported is a defect.
    """
    environment = prefect_environment(settings)
    changed = sorted(name for name in CONSTANT if os.environ.get(name) != environment[name])
    if changed and "prefect" in sys.modules:
        raise RuntimeError(f"Prefect was imported before its environment was set: {', '.join(changed)}")
    make_prefect_folder(settings)
    os.environ.update(environment)


def make_prefect_folder(settings: Settings) -> Path:
    """The folder of :func:`prefect_folder`, made. Raises InfrastructureError where it cannot be."""
    folder = prefect_folder(settings)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InfrastructureError(
            f"Prefect's folder {folder} cannot be made: {error.strerror}",
            hint="Set NATUREGYM_HOME to a folder that you may write to.",
        ) from error
    return folder
