"""The child process that reads PDFs: ``python -m nature_gym.reading.pdf.worker``, on a socket as standard input.

**Threat.** The file is a stranger's, and the library that parses it is C: it may crash, hang, or take all memory.
**Invariant.** The child can open no more than a few files, write none, take no more memory than its limit, and says
nothing but frames on the socket; it gives data as JSON and pictures as bytes, never anything that the parent would
execute. After every page it gives a sign of life.
"""

from __future__ import annotations

import os
import resource
import socket
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson

from nature_gym.errors import PaperError

MEMORY = 4 << 30
"""Bytes of address space."""
PULSE, DOCUMENT, REFUSAL, DEFECT = b".", b"D", b"R", b"X"


def receive(channel: socket.socket, length: int) -> bytes:
    """Exactly ``length`` bytes; EOFError where the other side is gone."""
    parts: list[bytes] = []
    while length:
        part = channel.recv(min(length, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


def frame(kind: bytes, content: object, blobs: tuple[bytes, ...] = ()) -> bytes:
    """A kind, the lengths of what follows, JSON, and bytes."""
    head = orjson.dumps(content, default=_plain)
    size = sum(map(len, blobs))
    return b"".join([kind, len(head).to_bytes(8, "big"), size.to_bytes(8, "big"), head, *blobs])


def _plain(value: object) -> Any:
    if isinstance(value, frozenset):
        return sorted(value)
    raise TypeError(type(value).__name__)


def _limit() -> None:
    for what, amount in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, 64),
    ):
        _, hard = resource.getrlimit(what)
        amount = amount if hard == resource.RLIM_INFINITY else min(amount, hard)  # noqa: PLW2901 -- what is allowed
        resource.setrlimit(what, (amount, amount))


def answer(job: dict[str, Any], content: bytes, channel: socket.socket) -> bytes:
    """The frame that answers one job."""
    from nature_gym.reading.pdf import read_here

    try:
        document = read_here(
            Path(job["path"]) if job["path"] is not None else content,
            figures=job["figures"],
            pulse=lambda: channel.sendall(PULSE),
        )
    except PaperError as error:
        return frame(REFUSAL, {"kind": type(error).__name__, "message": error.message, "hint": error.hint})
    except MemoryError:
        return frame(
            REFUSAL, {"kind": "UnreadableError", "message": "the PDF takes more memory than a paper may", "hint": ""}
        )
    except Exception as error:  # noqa: BLE001 -- one paper's defect is told, and the next paper read
        return frame(DEFECT, {"message": f"{type(error).__name__}: {error}"})
    pictures = tuple(figure.image for figure in document.figures if figure.image is not None)
    lengths = [len(figure.image) if figure.image is not None else -1 for figure in document.figures]
    bare = replace(document, figures=tuple(replace(figure, image=None) for figure in document.figures))
    return frame(DOCUMENT, {"document": bare, "pictures": lengths}, pictures)


def serve(channel: socket.socket) -> None:
    """Answer jobs until the parent hangs up."""
    while True:
        try:
            head = receive(channel, 16)
            job = orjson.loads(receive(channel, int.from_bytes(head[:8], "big")))
            content = receive(channel, int.from_bytes(head[8:], "big"))
            channel.sendall(answer(job, content, channel))
        except (EOFError, OSError):
            return


def main() -> None:
    """Serve with limits set and nothing left to print to."""
    channel = socket.socket(fileno=os.dup(0))
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    # What is needed is imported before files can no longer be opened freely.
    from nature_gym.reading.pdf import warm_up

    warm_up()
    _limit()
    serve(channel)


if __name__ == "__main__":
    main()
    sys.exit(0)
