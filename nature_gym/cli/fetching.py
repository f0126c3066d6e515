"""``naturegym fetch``: the papers' own files, as far as licences allow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from nature_gym.cli.output import JsonOption, emit, shown
from nature_gym.cli.output import settings as load
from nature_gym.cli.stopping import resumable

if TYPE_CHECKING:
    from rich.console import Console

    from flows.launch import Progress
    from nature_gym.config import Settings
    from nature_gym.records import PaperFolder

AT_ONCE = 8
"""Papers worked on at the same time, at least: they wait for hosts, not for processors."""


def fetch(
    papers: Annotated[
        list[str] | None, typer.Argument(help="Ids, DOIs or ends of ids; all harvested papers if none is given.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Ask hosts again whether what was fetched is still what they send.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Get the full text that licences allow: article page with tables and figures, PDF, or Europe PMC's XML.

    Hosts are asked one request at a time, at their own pace, as their robots.txt wants; several hosts at a time. What
    was fetched is never fetched again. Stopped by whatever, the same command goes on where it was.

    Example:  naturegym fetch
    Example:  naturegym fetch 10.1038/s42256-023-00601-4
    """
    settings = load()
    with resumable("fetch", as_json=as_json):
        if papers:
            _fetch_some(settings, papers, force=force, as_json=as_json)
        else:
            _fetch_all(settings, force=force, as_json=as_json)


def _fetch_some(settings: Settings, names: list[str], *, force: bool, as_json: bool) -> None:
    """Here and now, without a server."""
    from nature_gym.cli.named import named
    from nature_gym.cli.progress import progress_bars
    from nature_gym.errors import PaperError, UsageError
    from nature_gym.fulltext.stage import SOURCES, STAGE, FetchStage, is_ingested, read_harvest
    from nature_gym.records import Papers
    from nature_gym.stages import carry_out

    def check(folder: PaperFolder) -> None:
        try:
            read_harvest(folder)
        except PaperError as error:
            raise UsageError(f"{folder.id}: {error.message}", hint=error.hint) from error
        if is_ingested(folder) and not force:
            raise UsageError(f"{folder.id} was ingested", hint="--force fetches it in the place of your own files.")

    chosen = named(Papers(settings.papers), names, check)
    stage = FetchStage(settings, anew=force)
    told: list[dict[str, Any]] = []
    with progress_bars() as tell:
        for done, folder in enumerate(chosen.papers, start=1):
            result = carry_out(stage, folder, force=force)
            record = folder.record(STAGE) if result.kind != "error" else None
            files = sorted(name for name in record.outputs if name != SOURCES) if record else []
            told.append(
                {"id": folder.id, "kind": result.kind, "verdict": result.verdict, "reason": result.reason}
                | {"files": files, "facts": record.facts if record else {}}
            )
            tell(STAGE, done, len(chosen.papers))

    def text(out: Console) -> None:
        for one in told:
            out.print(f"{one['id']}: {one['verdict']}" + (f": {shown(one['reason'])}" if one["reason"] else ""))
            for name in one["files"]:
                out.print(f"  {shown(name)}")
        chosen.print_refused(out)

    refused = [{"id": one["name"], "kind": "refused", **one} for one in chosen.as_json()]
    emit([*told, *refused], as_json=as_json, text=text)
    if code := max(chosen.exit_code, *({"failed": 1, "error": 3}.get(one["kind"], 0) for one in told)):
        raise typer.Exit(code)


def _fetch_all(settings: Settings, *, force: bool, as_json: bool) -> None:
    from flows.launch import run_flow
    from nature_gym.cli.progress import progress_bars

    patient = settings.model_copy(update={"workers": max(settings.workers, AT_ONCE)})
    with progress_bars() as tell:

        def show(progress: Progress) -> None:
            tell(progress.stage, progress.done, progress.total)

        finished = run_flow("flows.fetch:fetch", patient, {"force": force}, show_progress=show)
    counts = finished.run.counts

    def text(out: Console) -> None:
        out.print(", ".join(f"{count:,} {kind}" for kind, count in counts.items()) or "nothing to fetch")
        if finished.warning:
            out.print(f"[yellow]{finished.warning}[/]")

    emit({"run": finished.run.id, "state": finished.state, "counts": counts}, as_json=as_json, text=text)
    if counts.get("error"):
        raise typer.Exit(3)
