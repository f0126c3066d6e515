"""``naturegym acquire`` and ``naturegym inventory``: a paper's code and data, and what is in files."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nature_gym.cli.output import JsonOption, console, emit, shown
from nature_gym.cli.output import settings as load
from nature_gym.cli.stopping import resumable

if TYPE_CHECKING:
    from rich.console import Console

    from nature_gym.acquisition.downloads import OnBytes
    from nature_gym.acquisition.inventory import Inventory
    from nature_gym.acquisition.plan import Plan, Source
    from nature_gym.acquisition.stage import OnStep
    from nature_gym.config import Settings
    from nature_gym.records import PaperFolder

_SHOWN_FILES = 40


def acquire(
    papers: Annotated[
        list[str] | None, typer.Argument(help="Ids, DOIs or ends of ids; all that passed screening if none is given.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be taken and how large it is; take nothing.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Acquire again, also what is up to date.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Clone the code and download the data of papers that passed screening; unpack, and look into each file.

    Repositories are taken as they were when the paper was published. Downloads go on where they broke off and are
    checked against what their host says. Nothing of what comes is run. Budgets: byte_budget, paper_byte_budget.

    Example:  naturegym acquire 10.5555/s42256-023-00601-7 --dry-run
    Example:  naturegym acquire
    """
    settings = load()
    with resumable("acquire", as_json=as_json):
        if papers or dry_run:
            _acquire_some(settings, papers or [], dry_run=dry_run, force=force, as_json=as_json)
        else:
            _acquire_all(settings, force=force, as_json=as_json)


def _acquire_some(settings: Settings, names: list[str], *, dry_run: bool, force: bool, as_json: bool) -> None:
    """Here and now, without a server."""
    from nature_gym.acquisition.plan import screened
    from nature_gym.acquisition.stage import AcquireStage, acquirable
    from nature_gym.cli.named import named
    from nature_gym.errors import PaperError, UsageError
    from nature_gym.records import Papers

    def check(folder: PaperFolder) -> None:
        try:
            screened(folder)
        except PaperError as error:
            raise UsageError(f"{folder.id}: {error.message}", hint=error.hint) from error

    corpus = Papers(settings.papers)
    chosen = named(corpus, names or acquirable(corpus), check)
    with _bars() as (on_bytes, on_step):
        stage = AcquireStage(settings, on_bytes=on_bytes, on_step=on_step)
        told = [_planned(stage, folder) if dry_run else _acquired(stage, folder, force) for folder in chosen.papers]

    def text(out: Console) -> None:
        for one in told:
            _print_plan(out, one) if dry_run else _print_acquired(out, one)
        chosen.print_refused(out)

    refused = [{"id": one["name"], "kind": "refused", **one} for one in chosen.as_json()]
    value = [{key: entry for key, entry in one.items() if not key.startswith("_")} for one in told]
    emit([*value, *refused], as_json=as_json, text=text)
    codes = (3 if one.get("kind") == "error" else int(one.get("_failed", False)) for one in told)
    if code := max(chosen.exit_code, *codes, 0):
        raise typer.Exit(code)


def _planned(stage: Any, folder: PaperFolder) -> dict[str, Any]:
    plan, sources, wrong = stage.look(folder)
    return {
        "id": folder.id,
        "published": str(plan.published) if plan.published else None,
        "sources": [_source(source) for source in sources],
        "bytes": sum(source.size or 0 for source in sources),
        "left_out": plan.left_out,
        "wrong": wrong,
        "_plan": plan,
    }


def _source(source: Source) -> dict[str, Any]:
    return {
        "name": source.name,
        "kind": source.kind,
        "purpose": source.purpose,
        "url": source.url,
        "bytes": source.size,
        "files": [{"name": one.name, "bytes": one.size, "checksum": one.checksum} for one in source.files],
    }


def _print_plan(out: Console, one: dict[str, Any]) -> None:
    plan: Plan = one["_plan"]
    out.print(f"{shown(one['id'])}: {one['bytes']:,} bytes, as far as hosts tell")
    for source in one["sources"]:
        size = "size unknown" if source["bytes"] is None else f"{source['bytes']:,} bytes"
        out.print(f"  {source['kind']:<10} {shown(source['url'])}  {size}")
        for file in source["files"][:_SHOWN_FILES]:
            out.print(f"      {shown(file['name'])}  {'?' if file['bytes'] is None else format(file['bytes'], ',')}")
    for name, why in one["wrong"].items():
        out.print(f"  [red]not to be had[/] {shown(name)}: {shown(why)}")
    for link, why in plan.left_out.items():
        out.print(f"  [dim]left out {shown(link)}: {shown(why)}[/]")


def _acquired(stage: Any, folder: PaperFolder, force: bool) -> dict[str, Any]:
    from nature_gym.acquisition.acquired import read_acquisition
    from nature_gym.acquisition.stage import STAGE
    from nature_gym.stages import carry_out

    result = carry_out(stage, folder, force=force)
    told: dict[str, Any] = {
        "id": folder.id, "kind": result.kind, "verdict": result.verdict, "reason": result.reason,
        "hint": "", "folder": "", "facts": {}, "sources": [], "left_out": {}, "_failed": result.is_failure,
    }  # fmt: skip
    error = folder.errors().get(STAGE) if result.kind == "error" else None
    if error is not None:
        return told | {"hint": error.hint}
    published = folder.published(STAGE)
    if published is None or published.record.status != "done":
        return told | {"hint": published.record.hint if published else ""}
    acquisition = read_acquisition(published.folder)
    return told | {
        "folder": str(folder.path / STAGE),
        "facts": published.record.facts,
        **acquisition.model_dump(mode="json", include={"sources", "left_out"}),
    }


def _print_acquired(out: Console, one: dict[str, Any]) -> None:
    reason = f": {shown(one['reason'])}" if one["reason"] else ""
    colour = {"acquired": "green", "incomplete": "yellow"}.get(one["verdict"], "red")
    out.print(f"{shown(one['id'])}: [{colour}]{shown(one['verdict'])}[/]{reason}")
    if one["hint"]:
        out.print(f"  {shown(one['hint'])}")
    for source in one["sources"]:
        what = f"commit {source['commit'][:12]} of {source['commit_date'][:10]}" if source["commit"] else ""
        what = what or f"{len(source['files'])} files"
        out.print(f"  {source['kind']:<10} {shown(source['name'])}  {what}")
        for problem in source["problems"]:
            out.print(f"      [yellow]{shown(problem)}[/]")
        for note in source["notes"]:
            out.print(f"      {shown(note)}")
    if one["facts"]:
        out.print(f"  {one['facts']['files']:,} files, {one['facts']['bytes']:,} bytes in {shown(one['folder'])}")


def _acquire_all(settings: Settings, *, force: bool, as_json: bool) -> None:
    from flows.launch import run_flow
    from nature_gym.cli.progress import progress_bars

    with progress_bars() as tell:
        finished = run_flow(
            "flows.acquire:acquire",
            settings,
            {"papers": None, "force": force},
            show_progress=lambda progress: tell(progress.stage, progress.done, progress.total),
        )
    counts = finished.run.counts

    def text(out: Console) -> None:
        out.print(", ".join(f"{count:,} {kind}" for kind, count in counts.items()) or "nothing to acquire")
        if finished.warning:
            out.print(f"[yellow]{finished.warning}[/]")

    emit({"run": finished.run.id, "state": finished.state, "counts": counts}, as_json=as_json, text=text)
    if counts.get("error"):
        raise typer.Exit(3)


@contextmanager
def _bars() -> Iterator[tuple[OnBytes | None, OnStep]]:
    """A bar a file with bytes and rate, where somebody watches; else a line a source."""
    if not sys.stderr.isatty():
        yield None, lambda step: print(step, file=sys.stderr, flush=True)  # noqa: T201 -- progress, not a result
        return
    from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn, TransferSpeedColumn

    columns = (TextColumn("{task.description:.40}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=console(stderr=True)) as bars:
        rows: dict[str, TaskID] = {}

        def on_bytes(name: str, done: int, total: int | None) -> None:
            if name not in rows:
                rows[name] = bars.add_task(shown(name), total=total)
            bars.update(rows[name], completed=done, total=total)

        yield on_bytes, lambda step: bars.console.print(shown(step))


def inventory(
    folder: Annotated[Path, typer.Argument(help="A folder, or a file.")],
    as_json: JsonOption = False,
) -> None:
    """Say of each file what it is and what is in it: format, size, digest, columns, shapes, counts.

    Nothing is loaded whole, run or unpickled. What was found is remembered by the file's digest.

    Example:  naturegym inventory my-repository/data --json
    """
    from nature_gym.acquisition.inventory import inventory_of

    found = inventory_of(folder, load())
    emit(found.model_dump(mode="json"), as_json=as_json, text=lambda out: _print_inventory(out, found))


def _print_inventory(out: Console, found: Inventory) -> None:
    from rich.table import Table

    table = Table("file", "format", "bytes", "what is in it", box=None, header_style="bold")
    table.columns[2].justify = "right"
    for entry in found.files:
        packed = f" ({entry.packing})" if entry.packing else ""
        what = _brief(entry.structure) if entry.readable else f"unreadable: {entry.problem}"
        table.add_row(
            shown(entry.path),
            entry.format + packed,
            f"{entry.size:,}",
            shown(what),
            style="" if entry.readable else "red",
        )
    out.print(table)


def _brief(structure: dict[str, Any]) -> str:
    """A structure in a line: numbers as they are, lists by their length and beginning."""
    parts = []
    for key, value in structure.items():
        if key in ("exact", "header", "delimiter"):
            continue
        if isinstance(value, dict):
            parts.append(f"{len(value)} {key}: {', '.join(list(value)[:4])}")
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            parts.append(f"{len(value)} {key}: {', '.join(str(one.get('name', '')) for one in value[:4])}")
        elif isinstance(value, list) and (not value or isinstance(value[0], str)):
            parts.append(f"{len(value)} {key}")
        else:
            parts.append(f"{key} {value}")
    return "; ".join(parts)[:200]
