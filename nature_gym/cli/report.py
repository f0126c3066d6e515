"""``naturegym report``: what the records of this home tell, as a static site."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nature_gym.cli.output import JsonOption, emit, shown
from nature_gym.cli.output import settings as load

if TYPE_CHECKING:
    from rich.console import Console

    from nature_gym.config import Settings
    from nature_gym.reporting.packages import CheckRun
    from nature_gym.reporting.site import Site


def report(
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="DIR", help="Folder for it; else report/ in the home. A report there is replaced."
        ),
    ] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Write papers, packages, trials and the leaderboard as a static site, to look at or to publish.

    It is made from the records alone and loads nothing from elsewhere: open its index.html from the disk, or copy the
    folder to any web server. The same records give the same bytes. The site names papers: it is not for agents.

    Example:  naturegym report --out site --open
    """
    site = written(load(), out)
    page = site.out / "index.html"

    def text(console: Console) -> None:
        console.print(", ".join(f"{count:,} {kind}" for kind, count in site.counts.items()))
        console.print(f"{shown(page)}  [dim]{site.files:,} files, {site.size / 1e6:,.1f} MB[/]", soft_wrap=True)

    emit({"page": str(page), "counts": site.counts, "files": site.files, "size": site.size}, as_json=as_json, text=text)
    if open_page:
        import webbrowser

        webbrowser.open(page.as_uri())


def written(settings: Settings, out: Path | None = None) -> Site:
    """Write the report of a home to ``out``, with progress; see :func:`nature_gym.reporting.site.write_report`."""
    from nature_gym.cli.progress import progress_bars
    from nature_gym.reporting.site import Records, write_report

    place = (out or settings.home / "report").absolute()
    records = Records(settings.home, settings.papers, settings.packages, newest_checks(settings))
    with progress_bars() as progress:
        return write_report(records, place, tell=progress)


def newest_checks(settings: Settings) -> list[CheckRun]:
    """What the checks say of each package of the home: of every check the newest result on the state checked last."""
    from checks.history import history_of
    from nature_gym.reporting.packages import CheckRun

    history, found = history_of(settings.home), []
    for path in sorted(settings.packages.iterdir()) if settings.packages.is_dir() else ():
        runs = history.of(path) if path.is_dir() else []
        if not runs:
            continue
        last = runs[-1]
        results = {one.id: one for one in last.report.results}
        for run in runs:
            if (run.digest, run.rules) == (last.digest, last.rules):
                results |= run.looked()
        told = [one.model_dump(mode="json") for one in results.values()]
        found.append(CheckRun(path.resolve(), last.at.isoformat(), told))
    return found
