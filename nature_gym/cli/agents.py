"""``naturegym agents``: who can be measured here, what each needs, and one tried to its end."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nature_gym.cli.output import JsonOption, emit, shown
from nature_gym.cli.output import settings as load

if TYPE_CHECKING:
    from rich.console import Console

    from nature_gym.agents.interface import Agent
    from nature_gym.agents.trying import Tried

app = typer.Typer(help="See who can be measured here, and try an agent.", no_args_is_help=True)

NameArgument = Annotated[str, typer.Argument(help="The agent, with its options: claude-code:MODEL.", metavar="NAME")]
SHOWN_EVENTS = 12
COMMAND = (
    'mkdir -p "$OUTPUT_DIR/line" && { echo id,y; tail -n +2 "$DATA_DIR/line/test.csv" | cut -d, -f1 | sed "s/$/,0/"; }'
    ' > "$OUTPUT_DIR/line/predictions.csv" && python3 /workspace/scoring_client.py submit'
)
"""What a stand-in for a model wants to be run: an answer of the right form, handed in."""


@app.command("list")
def list_agents(as_json: JsonOption = False) -> None:
    """List the agents: ours, and those of installed packages.

    Example:  naturegym agents list
    """
    from nature_gym.agents.registry import agent_kinds

    kinds = list(agent_kinds().values())

    def text(out: Console) -> None:
        from rich.table import Table

        table = Table("Agent", "What it is", "Options behind the colon")
        for one in kinds:
            table.add_row(shown(one.name), shown(one.summary), shown(one.options))
        out.print(table)

    found = [{"name": one.name, "summary": one.summary, "options": one.options} for one in kinds]
    emit({"agents": found}, as_json=as_json, text=text)


@app.command()
def show(name: NameArgument, as_json: JsonOption = False) -> None:
    """Show how an agent is started: its version, options, hosts, variables by name, and what it is told.

    Example:  naturegym agents show claude-code:claude-sonnet-4-5
    """
    from nature_gym.agents.interface import View
    from nature_gym.agents.prompt import prompt_for
    from nature_gym.agents.registry import agent_named

    agent = agent_named(name)
    view = View(0, 14_400.0, "TOKEN")
    launch, prompt = agent.launch(view), prompt_for(view)
    found = {
        "name": agent.name,
        "version": agent.version(),
        "missing": agent.missing(),
        "argv": ["PROMPT" if one == prompt else one for one in launch.argv],
        "variables": sorted(launch.environment),
        "hosts": list(launch.hosts),
        "files": sorted(launch.files),
        "mounts": [str(one.target) for one in launch.mounts],
        "prompt": prompt,
    }

    def text(out: Console) -> None:
        out.print(f"[bold]{shown(found['name'])}[/] {shown(found['version'])}")
        if found["missing"]:
            out.print(f"[yellow]It cannot run here:[/] {shown(found['missing'])}")
        for label in ("argv", "variables", "hosts", "files", "mounts"):
            values = found[label]
            out.print(f"{label:10} {shown(' '.join(map(str, values)) or 'none')}")
        out.print(f"\nWhat an agent is told:\n\n{shown(prompt)}")

    emit(found, as_json=as_json, text=text)


@app.command("test")
def try_out(
    name: NameArgument,
    seconds: Annotated[float, typer.Option("--budget", min=1, help="Seconds that it gets.")] = 120.0,
    backend: Annotated[
        str, typer.Option(help="Where it runs: auto, docker, bubblewrap or process. Default: the settings'.")
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """Try an agent on a tiny package, with a stand-in in the place of its model, and say what is missing.

    Nothing is paid and no key is used. Ends with 1 where it handed nothing in.

    Example:  naturegym agents test tabular
    Example:  naturegym agents test codex:gpt-5
    """
    from nature_gym.agents.events import totals
    from nature_gym.agents.registry import agent_named

    agent = agent_named(name)
    with tempfile.TemporaryDirectory(prefix="naturegym-") as folder:
        tried, asked = _tried(agent, Path(folder), seconds, backend or load().sandbox)
    best = tried.standing.best
    lacks = _lacking(agent, tried, asked)
    summed = totals(tried.events)
    found: dict[str, Any] = {
        "name": agent.name,
        "version": agent.version(),
        "works": not lacks,
        "lacks": lacks,
        "missing": agent.missing(),
        "ended": tried.outcome.ended.value,
        "code": tried.outcome.code,
        "seconds": round(tried.outcome.seconds, 2),
        "attempts": tried.standing.attempts,
        "best": best.gap if best else None,
        "events": summed.events,
        "tool_calls": summed.tool_calls,
        "input_tokens": summed.input_tokens,
        "output_tokens": summed.output_tokens,
        "cost": summed.cost,
    }

    def text(out: Console) -> None:
        out.print(f"[bold]{shown(agent.name)}[/] {shown(found['version'])}")
        for event in tried.events[-SHOWN_EVENTS:]:
            out.print(f"  {event.kind:12} {shown(event.tool)} {shown(event.text[:200].strip())}")
        scored = f"best g {best.gap:+.4f}" if best and best.gap is not None else "no score"
        out.print(
            f"{found['ended']} with {found['code']} after {found['seconds']} s: {found['attempts']} attempts, {scored}"
        )
        out.print(
            f"{summed.events} events, {summed.input_tokens:,} + {summed.output_tokens:,} tokens, "
            f"{summed.cost:.4f} dollars"
        )
        for one in lacks:
            out.print(f"[red]lacks[/] {shown(one)}")
        if found["missing"]:
            out.print(f"[yellow]Before it can be measured here:[/] {shown(found['missing'])}")
        elif not lacks:
            out.print("[green]works[/]")

    emit(found, as_json=as_json, text=text)
    if lacks:
        raise typer.Exit(1)


def _tried(agent: Agent, folder: Path, seconds: float, backend: str) -> tuple[Tried, int]:
    """The trial, and how often the stand-in was asked."""
    from db.engine import open_database
    from db.trials import Trials
    from nature_gym.agents.standing_in import StandIn
    from nature_gym.agents.tiny import write_tiny
    from nature_gym.agents.trying import try_agent
    from nature_gym.evaluation.listening import Listening, on_socket
    from nature_gym.sandbox.choosing import chosen_sandbox

    sandbox = chosen_sandbox(backend)
    package = write_tiny(folder / "package")
    trial = folder / "trial"
    trial.mkdir()
    model, socket = StandIn(COMMAND), folder / "model.sock"
    engine = open_database(f"sqlite:///{folder / 'state.db'}")
    try:
        with Listening(model.app(), on_socket(socket)):
            tried = try_agent(agent, package, trial, sandbox, Trials(engine), budget=seconds, model=socket)
    finally:
        engine.dispose()
    if model.web_tools:
        from nature_gym.errors import FindingsError

        raise FindingsError(
            f"{agent.name} offers its model tools for the web: {', '.join(sorted(model.web_tools))}",
            hint="Have its adapter take them away.",
        )
    return tried, model.asked


def _lacking(agent: Agent, tried: Tried, asked: int) -> list[str]:
    """What kept it from handing in."""
    found = []
    kinds = {one.kind for one in tried.events}
    if not tried.events:
        found.append("events: it printed nothing that its adapter could read")
    if tried.standing.attempts == 0:
        asks = bool(agent.launch(_view()).hosts)
        reason = "its model was never asked" if asks and not asked else "it handed nothing in"
        told = next((one.text.strip() for one in tried.events if one.kind == "error" and one.text.strip()), "")
        found.append(f"an attempt: {reason}" + (f" ({told[:300]})" if told else ""))
    elif tried.standing.best is None:
        found.append("a score: what it handed in could not be scored")
    if asked and not kinds & {"tool_call"}:
        found.append("a tool call: it did not run what its model wanted")
    return found


def _view() -> Any:
    from nature_gym.agents.interface import View

    return View(0, 1.0, "")
