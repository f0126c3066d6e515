"""Readers in child processes, kept for the next paper, and given up on when they crash or fall silent.

The one idea: a job goes to an idle reader or a new one; a reader that answers goes back to the shelf, one that crashes
or says nothing for :data:`PATIENCE` seconds is killed, and the paper is to blame, not the batch.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import orjson

from nature_gym.errors import InfrastructureError, PaperError
from nature_gym.reading.document import Citation, Document, Figure, Link, Reference, Section, Table
from nature_gym.reading.pdf.worker import DOCUMENT, PULSE, REFUSAL, receive
from nature_gym.reading.refusals import NoArticleError, UnreadableError

PATIENCE = 30.0
"""Seconds without a sign of life."""
LONGEST = 330.0
"""Seconds for one paper."""
PAPERS = 200
"""Papers that one child reads before a fresh one takes its place, so that what leaks is given back."""
_KINDS: dict[str, type[PaperError]] = {"NoArticleError": NoArticleError, "UnreadableError": UnreadableError}


class _LostError(Exception):
    """The child crashed or hung."""


class Reader:
    """One child process."""

    def __init__(self) -> None:
        self.jobs = 0
        self.channel, theirs = socket.socketpair()
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "LD_LIBRARY_PATH") if name in os.environ}
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "nature_gym.reading.pdf.worker"],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**kept, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                cwd="/",
            )
        except OSError as error:
            self.channel.close()
            raise InfrastructureError(
                f"no process to read PDFs could be started: {error}", hint="Free some memory and try again."
            ) from error
        finally:
            theirs.close()

    def ask(self, content: bytes | Path, *, figures: bool) -> Document:
        """Have one paper read. Raises PaperError for what it refuses, _LostError where it is lost."""
        self.jobs += 1
        path = str(content.resolve()) if isinstance(content, Path) else None
        body = b"" if isinstance(content, Path) else content
        head = orjson.dumps({"path": path, "figures": figures})
        deadline = time.monotonic() + LONGEST
        try:
            self.channel.settimeout(PATIENCE)
            self.channel.sendall(len(head).to_bytes(8, "big") + len(body).to_bytes(8, "big") + head)
            self.channel.sendall(body)
            while (kind := receive(self.channel, 1)) == PULSE:
                if time.monotonic() > deadline:
                    raise _LostError("took too long")
            sizes = receive(self.channel, 16)
            told = orjson.loads(receive(self.channel, int.from_bytes(sizes[:8], "big")))
            blobs = receive(self.channel, int.from_bytes(sizes[8:], "big"))
        except TimeoutError as error:
            raise _LostError(f"said nothing for {PATIENCE:.0f} seconds") from error
        except (EOFError, OSError, orjson.JSONDecodeError) as error:
            raise _LostError("crashed") from error
        if kind == DOCUMENT:
            return _document(told["document"], told["pictures"], blobs)
        if kind == REFUSAL:
            raise _KINDS.get(told["kind"], PaperError)(told["message"], hint=told["hint"])
        raise PaperError(
            f"the PDF could not be read: {told['message']}",
            hint="This is a defect of the reader: please report it, and supply the article as HTML or XML meanwhile.",
        )

    def close(self) -> None:
        """End the process."""
        with contextlib.suppress(OSError):
            self.channel.close()
        self.process.kill()
        self.process.wait()


_idle: list[Reader] = []
_lock = threading.Lock()


def read_supervised(content: bytes | Path, *, figures: bool) -> Document:
    """Read in a child. Where drawing figures costs the child its life, the text is read once more without."""
    try:
        return _read(content, figures=figures)
    except _LostError as lost:
        if figures:
            try:
                document = _read(content, figures=False)
            except _LostError:
                pass
            else:
                return _with_problem(document, f"no figures: the reader {lost} while it drew them")
        raise UnreadableError(
            f"the reader {lost} on this PDF", hint="Supply another copy, or the article as HTML or XML."
        ) from lost


def _read(content: bytes | Path, *, figures: bool) -> Document:
    reader = _take()
    try:
        document = reader.ask(content, figures=figures)
    except PaperError:
        _give_back(reader)
        raise
    except BaseException:
        reader.close()
        raise
    _give_back(reader)
    return document


def _take() -> Reader:
    with _lock:
        while _idle:
            reader = _idle.pop()
            if reader.process.poll() is None:
                return reader
            reader.close()
    return Reader()


def _give_back(reader: Reader) -> None:
    if reader.jobs >= PAPERS:
        reader.close()
        return
    with _lock:
        _idle.append(reader)


@atexit.register
def close_readers() -> None:
    """End all idle children."""
    with _lock:
        while _idle:
            _idle.pop().close()


def _forget() -> None:
    """After a fork: the parent's children are the parent's."""
    global _lock  # noqa: PLW0603 -- a lock that another thread held when the process was copied stays shut for ever
    _lock = threading.Lock()
    _idle.clear()


os.register_at_fork(after_in_child=_forget)


def _with_problem(document: Document, problem: str) -> Document:
    from dataclasses import replace

    return replace(document, problems=(*document.problems, problem))


def _document(told: dict[str, Any], lengths: list[int], blobs: bytes) -> Document:
    """The document that the child told of, built from plain values."""
    figures: list[Figure] = []
    at = 0
    for figure, length in zip(told.pop("figures"), lengths, strict=True):
        if length >= 0:
            figure["image"] = blobs[at : at + length]
            at += length
        figures.append(Figure(**figure))
    tables = [
        Table(**{**table, "rows": tuple(map(tuple, table["rows"])), "bold": frozenset(map(tuple, table["bold"]))})
        for table in told.pop("tables")
    ]
    references = [Reference(**{**one, "urls": tuple(one["urls"])}) for one in told.pop("references")]
    return Document(
        figures=tuple(figures),
        tables=tuple(tables),
        references=tuple(references),
        sections=tuple(Section(**one) for one in told.pop("sections")),
        links=tuple(Link(**one) for one in told.pop("links")),
        citations=tuple(Citation(**one) for one in told.pop("citations")),
        authors=tuple(told.pop("authors")),
        problems=tuple(told.pop("problems")),
        **told,
    )
