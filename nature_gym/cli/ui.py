"""``naturegym ui``: a local Prefect server in the foreground, and a worker for what is scheduled. Works offline."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer

from nature_gym.cli.output import JsonOption, console, emit_json
from nature_gym.cli.output import settings as load
from nature_gym.errors import InfrastructureError, UsageError

if TYPE_CHECKING:
    from types import FrameType

    from flows.server import LocalServer
    from flows.worker import LocalWorker

_LOOK_SECONDS = 0.5


def ui(
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 for any that is free.")] = 4200,
    host: Annotated[
        str, typer.Option(help="Address to listen on. Whoever reaches it may do everything there.")
    ] = "127.0.0.1",
    work: Annotated[
        bool, typer.Option("--work/--no-work", help="Offer the deployments and run them, or show runs alone.")
    ] = True,
    open_browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Start a local Prefect server and a worker; Ctrl-C ends both.

    It shows the runs of this home, past and present, and runs the corpus refresh every week, the checks every night,
    and on demand check-package, calibrate and sweep; nothing is run while it is not up. It needs no network itself.
    Where the home has a server already (a run's, or another 'naturegym ui'), that one is kept open instead. With
    --json, one line says where it is, once it answers and the deployments are there.

    Example:  naturegym ui --port 4300
    """
    settings = load()
    if settings.prefect_api_url:
        raise UsageError(
            f"runs are reported to {settings.prefect_api_url}, so a local server would not show them",
            hint="Open that server's own page, or unset NATUREGYM_PREFECT_API_URL.",
        )
    from flows.launch import local_server, sweep
    from flows.worker import LocalWorker

    err = console(stderr=True)
    signal.signal(signal.SIGTERM, _interrupt)
    with local_server(settings, host=host, port=port, say=err.print) as server:
        worker = LocalWorker(settings, server.api_url, err.print) if work else None
        try:
            sweep(settings, server.api_url)
            if not server.started and not _is_at(server.url, host, port):
                err.print(
                    f"This home's server listens at {server.url} already; --port and --host count for one that is "
                    "started anew, once the commands that use this one have ended."
                )
            if worker is not None:
                err.print("Registering the deployments, and starting a worker (some seconds)")
                worker.start()
            _tell(server, worker, as_json=as_json)
            if open_browser:
                typer.launch(server.url)
            _wait(server, worker)
        except KeyboardInterrupt:
            if worker is not None:
                worker.stop()
            gone = server.stop()
            err.print("Stopped." if gone else "Left; another command still uses the server, and ends it.")
        finally:
            if worker is not None:
                worker.stop()


def _is_at(url: str, host: str, port: int) -> bool:
    """Whether the server is where it was asked to be; any port will do for 0."""
    parts = urlsplit(url)
    return parts.hostname == host and port in {0, parts.port}


def _tell(server: LocalServer, worker: LocalWorker | None, *, as_json: bool) -> None:
    offered = worker.deployments if worker is not None else {}
    if as_json:
        place = {"url": server.url, "api_url": server.api_url, "pid": server.pid, "log": str(server.log)}
        place |= {"already_running": not server.started, "deployments": offered}
        emit_json(place | {"worker": worker.pid if worker is not None else None}, line=True)
        return
    found = "The Prefect UI is at" if server.started else "A Prefect server of this home is already running at"
    console().print(f"{found} {server.url}  (Ctrl-C to leave)")
    if offered:
        console().print(f"Deployments: {', '.join(offered)}  ({server.url}/v2/deployments)")
    elif worker is not None:
        console().print("Another 'naturegym ui' of this home runs what is scheduled.")


def _wait(server: LocalServer, worker: LocalWorker | None) -> None:
    while not server.lost.wait(_LOOK_SECONDS):
        if worker is not None:
            worker.look()
    raise InfrastructureError("the Prefect server died, and starting it again failed", hint=f"See {server.log}.")


def _interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 -- as signal.signal calls it
    raise KeyboardInterrupt
