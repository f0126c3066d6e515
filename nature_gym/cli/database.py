"""``naturegym db``: the database, which is an index of the record folders."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from nature_gym.cli.output import JsonOption, emit
from nature_gym.cli.output import settings as load

if TYPE_CHECKING:
    from rich.console import Console

app = typer.Typer(
    no_args_is_help=True,
    help="Look after the database: an index of the record folders, which it can always be made from again.",
)


@app.command()
def upgrade(as_json: JsonOption = False) -> None:
    """Bring the database's tables up to this version of the program, rows included; make them where there are none.

    Example:  naturegym db upgrade
    """
    from db import migrations
    from db.address import shown
    from db.engine import make_engine

    engine = make_engine(load().database)
    try:
        before, after = migrations.upgrade(engine)
    finally:
        engine.dispose()
    known = {"database": shown(engine.url), "from": before, "to": after, "changed": before != after}

    def text(out: Console) -> None:
        if before is None:
            out.print(f"{known['database']}: made, at revision {after}", markup=False)
        elif before == after:
            out.print(f"{known['database']}: already at revision {after}", markup=False)
        else:
            out.print(f"{known['database']}: from revision {before} to {after}", markup=False)

    emit(known, as_json=as_json, text=text)


@app.command()
def rebuild(as_json: JsonOption = False) -> None:
    """Make all rows anew from the record folders. Who reads meanwhile sees the old rows until the new are there.

    Example:  naturegym db rebuild
    """
    from dataclasses import asdict

    from db import index, migrations
    from db.address import shown
    from db.checks import refresh_checks
    from db.engine import make_engine
    from nature_gym.cli.progress import progress_bars
    from nature_gym.records import Papers

    settings = load()
    engine = make_engine(settings.database)
    try:
        migrations.upgrade(engine)
        with progress_bars() as tell:
            counts = index.rebuild(
                engine,
                Papers(settings.papers),
                settings.runs,
                progress=lambda done, total: tell("papers", done, total),
            )
        checks = refresh_checks(engine, settings.home / "checks")
    finally:
        engine.dispose()
    database = shown(engine.url)

    def text(out: Console) -> None:
        out.print(
            f"{database}: {counts.papers:,} papers, {counts.stages:,} stages and {counts.runs:,} runs "
            f"from {settings.home} in {counts.seconds:.1f} s; {checks:,} runs of checks",
            markup=False,
        )
        if counts.unreadable:
            out.print(
                f"{counts.unreadable:,} papers have a record that cannot be read: "
                "'naturegym paper list --status error' names them, 'naturegym paper show ID' says why.",
                markup=False,
            )

    emit(
        {"database": database, "home": str(settings.home), **asdict(counts), "checks": checks},
        as_json=as_json,
        text=text,
    )


@app.command()
def path(as_json: JsonOption = False) -> None:
    """Print the database's address, without its password; for SQLite, its file.

    Example:  sqlite3 "$(naturegym db path)" "select stage, verdict, count(*) from paper_stage group by 1, 2"
    """
    from pathlib import Path

    from db.address import SQLITE, parse, shown

    url = parse(load().database)
    file = str(Path(url.database or "").absolute()) if url.drivername == SQLITE else None
    emit(
        {"address": shown(url), "file": file, "exists": Path(file).is_file() if file else None},
        as_json=as_json,
        text=lambda out: out.print(file or shown(url), markup=False),
    )
