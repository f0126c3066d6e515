"""``naturegym sandbox``: where code of others runs here, and running one command there."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from nature_gym.cli.output import JsonOption, emit, shown

if TYPE_CHECKING:
    from rich.console import Console

    from nature_gym.sandbox.interface import Mount, Outcome, Sandbox

app = typer.Typer(help="Run code of others where it can do no harm.", no_args_is_help=True)

_BACK_ENDS = ("docker", "bubblewrap", "process")
_COLOURS = {"kept": "green", "partly": "yellow", "open": "red"}


@app.command()
def doctor(as_json: JsonOption = False) -> None:
    """Say which back ends work here, each tried by a command, and what each keeps from a command.

    Ends with 3 where neither Docker nor bubblewrap works.

    Example:  naturegym sandbox doctor
    """
    from nature_gym.sandbox.choosing import back_end

    found = [_examined(back_end(name)) for name in _BACK_ENDS]

    def text(out: Console) -> None:
        for one in found:
            state = "[yellow]absent[/]" if one["missing"] else "[green]works[/]"
            out.print(f"{state} [bold]{one['name']}[/] {shown(one['missing'])}")
            for what, how in (one["isolation"] or {}).items():
                if what == "comparable":
                    out.print(f"    scores made in it {'may' if how else 'may not'} stand beside others")
                else:
                    word, _, reason = str(how).partition(": ")
                    out.print(f"    {what:10} [{_COLOURS.get(word, 'white')}]{word}[/] {shown(reason)}")

    works = any(not one["missing"] for one in found if one["name"] != "process")
    emit({"works": works, "back_ends": found}, as_json=as_json, text=text)
    if not works:
        raise typer.Exit(3)


@app.command(context_settings={"allow_interspersed_args": False})
def run(  # noqa: PLR0913, PLR0917 -- each is an option of the command
    argv: Annotated[list[str], typer.Argument(metavar="-- COMMAND...", help="The command and its arguments.")],
    backend: Annotated[
        str, typer.Option("--backend", metavar="auto|docker|bubblewrap|process", help="Where it runs.")
    ] = "auto",
    image: Annotated[str, typer.Option("--image", help="The root file system; else the back end's usual one.")] = "",
    mounts: Annotated[
        list[str] | None, typer.Option("--mount", metavar="HERE:THERE[:w]", help="Show a folder or file; w: writable.")
    ] = None,
    variables: Annotated[
        list[str] | None, typer.Option("--env", metavar="NAME=VALUE", help="Set a variable of its environment.")
    ] = None,
    folder: Annotated[str, typer.Option("--folder", help="Where it starts.")] = "/workspace",
    seconds: Annotated[float, typer.Option("--seconds", min=0.1, help="How long it may run.")] = 3600.0,
    memory: Annotated[float, typer.Option("--memory", min=0.01, metavar="GIB", help="Memory in all.")] = 4.0,
    cpus: Annotated[float, typer.Option("--cpus", min=0.01, help="Processors, or a part of one.")] = 2.0,
    processes: Annotated[int, typer.Option("--processes", min=1, help="Processes and threads in all.")] = 512,
    disk: Annotated[float, typer.Option("--disk", min=0.001, metavar="GIB", help="What it writes in all.")] = 10.0,
    as_json: JsonOption = False,
) -> None:
    """Run one command as an agent would run: without network, host files and rights, within limits.

    Its output is passed on as it comes, and its exit code is this command's: 124 if its time was over, 137 if its
    memory, its disk or we ended it. With --json, one document says how it ended and what was kept of its output.

    Example:  naturegym sandbox run -- python3 -c 'print(1)'
    Example:  naturegym sandbox run --backend bubblewrap --mount ./answers:/answers --seconds 60 -- ls /answers
    """
    from nature_gym.sandbox.choosing import chosen_sandbox
    from nature_gym.sandbox.interface import Box, Limits

    box = Box(
        image=image,
        mounts=tuple(map(_mount, mounts or ())),
        environment=dict(map(_variable, variables or ())),
        folder=PurePosixPath(folder),
        limits=Limits(
            seconds=seconds,
            memory_bytes=int(memory * (1 << 30)),
            cpus=cpus,
            processes=processes,
            disk_bytes=int(disk * (1 << 30)),
        ),
        label="command line",
    )
    sandbox = chosen_sandbox(backend, image=image)
    running = sandbox.start(box, argv, stream=None if as_json else _passed_on)
    try:
        outcome = running.wait()
    except BaseException:
        running.stop()
        raise
    if outcome is None:
        raise typer.Exit(3)
    if as_json:
        emit(_told(sandbox, outcome), as_json=True, text=lambda _: None)
    elif outcome.ended not in {"exited", "signalled"}:
        typer.echo(f"The command was ended: {outcome.ended.replace('_', ' ')}.", err=True)
    raise typer.Exit(124 if outcome.ended == "timed_out" else outcome.code)


images = typer.Typer(help="Images unpacked for bubblewrap, once each, by digest.", no_args_is_help=True)
app.add_typer(images, name="image")


@images.command(name="add")
def add_image(
    name: Annotated[str, typer.Argument(help="The image's name: of the Docker engine, or for the archive.")],
    archive: Annotated[
        Path | None, typer.Argument(help="A root file system as a tar file ('docker export', mmdebstrap).")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Unpack an image, so that bubblewrap's boxes can have it as their root: --image NAME.

    Example:  naturegym sandbox image add naturegym-slim:v1
    Example:  naturegym sandbox image add bookworm root.tar
    """
    from nature_gym.sandbox import roots

    root = roots.add_archive(name, archive) if archive is not None else roots.add_image(name)
    emit(asdict(root), as_json=as_json, text=lambda out: out.print(f"{shown(root.name)} is here: {root.digest}"))


@images.command(name="list")
def list_images(as_json: JsonOption = False) -> None:
    """Name the images that are unpacked here.

    Example:  naturegym sandbox image list
    """
    from nature_gym.sandbox import roots

    found = roots.roots()

    def text(out: Console) -> None:
        for one in found:
            out.print(f"{shown(one.name)}  {one.digest}")
        if not found:
            out.print("No image is unpacked here; 'naturegym sandbox image add NAME' unpacks one.")

    emit([asdict(one) for one in found], as_json=as_json, text=text)


@images.command(name="remove")
def remove_image(
    name: Annotated[str, typer.Argument(help="The image's name or digest.")], as_json: JsonOption = False
) -> None:
    """Remove an unpacked image.

    Example:  naturegym sandbox image remove naturegym-slim:v1
    """
    from nature_gym.sandbox import roots

    root = roots.remove(name)
    emit(asdict(root), as_json=as_json, text=lambda out: out.print(f"{shown(root.name)} is removed."))


def _examined(sandbox: Sandbox) -> dict[str, Any]:
    missing = sandbox.missing()
    return {
        "name": sandbox.name,
        "missing": missing,
        "isolation": None if missing else asdict(sandbox.isolation()),
    }


def _passed_on(name: Literal["stdout", "stderr"], piece: bytes) -> None:
    stream = sys.stdout.buffer if name == "stdout" else sys.stderr.buffer
    stream.write(piece)
    stream.flush()


def _told(sandbox: Sandbox, outcome: Outcome) -> dict[str, Any]:
    return {
        "backend": sandbox.name,
        "comparable": sandbox.isolation().comparable,
        "ended": outcome.ended.value,
        "code": outcome.code,
        "seconds": outcome.seconds,
        "stdout": {"kept": outcome.stdout.text, "total": outcome.stdout.total},
        "stderr": {"kept": outcome.stderr.text, "total": outcome.stderr.total},
    }


def _mount(text: str) -> Mount:
    from nature_gym.errors import UsageError
    from nature_gym.sandbox.interface import Mount

    source, _, rest = text.partition(":")
    target, _, mode = rest.partition(":")
    if not source or not target or mode not in {"", "r", "w"}:
        raise UsageError(f"{text!r} names no mount.", hint="Write it as HERE:THERE, or HERE:THERE:w to write to it.")
    return Mount(Path(source), PurePosixPath(target), writable=mode == "w")


def _variable(text: str) -> tuple[str, str]:
    from nature_gym.errors import UsageError

    name, sign, value = text.partition("=")
    if not sign:
        raise UsageError(f"{text!r} sets no variable.", hint="Write it as NAME=VALUE.")
    return name, value
