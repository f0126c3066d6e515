"""``naturegym links``: what is seen at addresses of code and data."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Annotated

import typer

from nature_gym.cli.output import JsonOption, emit, shown
from nature_gym.cli.output import settings as load

if TYPE_CHECKING:
    from rich.console import Console

    from nature_gym.screening.probes import Probe

app = typer.Typer(no_args_is_help=True, help="Look at links to code and data: are they there, for whom, how large.")


@app.command()
def probe(
    urls: Annotated[list[str], typer.Argument(help="Addresses.")],
    again: Annotated[bool, typer.Option("--again", help="Look again, however lately it was looked at.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Look at links without taking what is there: at most 64 KB each, one request a host at a time.

    What was seen in the last days (probe_max_age) is shown again, with its date; errors are never remembered.
    Bare DOIs and accessions will do, too.

    Example:  naturegym links probe https://zenodo.org/records/1234567 https://github.com/owner/name
    """
    from nature_gym.screening.probing import WebProber

    probes = WebProber(load(), max_age=0.0 if again else None).probe(urls)

    def text(out: Console) -> None:
        for seen in probes:
            _print(out, seen)

    emit([seen.model_dump(mode="json") for seen in probes], as_json=as_json, text=text)


@app.command()
def history(
    urls: Annotated[list[str], typer.Argument(help="Addresses.")],
    as_json: JsonOption = False,
) -> None:
    """Show what was seen at links before, and when; nobody is asked.

    Example:  naturegym links history https://zenodo.org/records/1234567
    """
    from nature_gym.screening.probe_history import ProbeHistory
    from nature_gym.screening.probing import history_folder

    kept = ProbeHistory(history_folder(load()))
    looks = {url: kept.looks(url) for url in urls}

    def text(out: Console) -> None:
        for url, probes in looks.items():
            out.print(shown(url) if probes else f"{shown(url)}  [dim]never looked at[/]")
            for seen in probes:
                _print(out, seen)

    value = {url: [seen.model_dump(mode="json") for seen in probes] for url, probes in looks.items()}
    emit(value, as_json=as_json, text=text)


def _age(at: dt.datetime) -> str:
    hours = (dt.datetime.now(dt.UTC) - at).total_seconds() / 3600
    return "just now" if hours < 1 else f"{hours:.0f} h ago" if hours < 48 else f"{hours / 24:.0f} days ago"


_COLOURS = {"accessible": "green", "error": "yellow"}


def _print(out: Console, seen: Probe) -> None:
    size = f"{seen.size_bytes:,} bytes" if seen.size_bytes is not None else ""
    code = str(seen.http_code or "")
    when = f"{seen.at:%Y-%m-%d %H:%M}, {_age(seen.at)}" if seen.at else ""
    colour = _COLOURS.get(seen.status, "red")
    out.print(f"[{colour}]{seen.status:<16}[/] {code:>3}  {shown(seen.url)}  {size}  [dim]{when}[/]")
    if seen.final_url and seen.final_url != seen.url:
        out.print(f"    leads to {shown(seen.final_url)}")
    for note in seen.notes:
        out.print(f"    {shown(note)}")
