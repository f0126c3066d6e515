"""The ledger: what models cost, written down before it is spent, so that no kill of the process loses a count.

A call is reserved with the most that it can cost, and settled with what it did. A call that was never settled (the
process died, the answer never came) counts as reserved. Each process that asks models keeps a file of its own::

    models/ledger/20261130T201500-4711-5f0c2a.open.jsonl     a run that goes on, or was killed
    models/ledger/20261129T090000-4242-88a1d9.done.jsonl     one that ended, and those before it that were killed

Ceilings are on everything that is open: a run goes on with the count of one that was killed, and runs at the same time
share what is allowed. A run that ends closes its file, and those of the dead.
"""

from __future__ import annotations

import atexit
import os
import secrets
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from nature_gym.files import Held, exclusive, flush_folder, is_held
from nature_gym.models.faults import CeilingError
from nature_gym.stages import Clock, now

_OPEN, _DONE = ".open.jsonl", ".done.jsonl"


@dataclass(frozen=True, slots=True)
class Ceilings:
    """The most that may be spent, in US dollars and tokens (in and out together)."""

    run_cost: float
    run_tokens: int
    paper_cost: float
    paper_tokens: int


@dataclass(slots=True)
class Spent:
    """What was spent: settled calls as settled, others as reserved."""

    cost: float = 0.0
    tokens: int = 0


@dataclass(slots=True)
class _Page:
    """What was read of one file so far: call -> (paper, cost, tokens)."""

    read: int = 0
    calls: dict[str, tuple[str, float, int]] = field(default_factory=dict)


class Ledger:
    """The ledger below ``folder``. Fit for threads; other processes may write at the same time."""

    def __init__(self, folder: Path, ceilings: Ceilings, *, clock: Clock = now) -> None:
        self._folder = folder
        self._ceilings = ceilings
        self._clock = clock
        self._pages: dict[Path, _Page] = {}
        self._own: Path | None = None
        self._held: Held | None = None
        self._threads = threading.Lock()

    def reserve(self, paper: str, model: str, *, cost: float, tokens: int) -> str:
        """Write down that a call may cost so much; its id.

        Raises CeilingError where that could be more than is allowed, OSError where it cannot be written.
        """
        with self._alone():
            self._check(paper, cost, tokens)
            call = secrets.token_hex(8)
            line = {"call": call, "at": self._clock().isoformat(), "paper": paper, "model": model}
            self._append({**line, "cost": cost, "tokens": tokens})
        return call

    def settle(self, call: str, *, cost: float, input_tokens: int, output_tokens: int) -> None:
        """Write down what a call came to."""
        with self._alone():
            line = {"call": call, "cost": cost, "tokens": input_tokens + output_tokens}
            self._append({**line, "input_tokens": input_tokens, "output_tokens": output_tokens})

    def spent(self, paper: str | None = None) -> Spent:
        """What open runs have spent, on one paper or altogether."""
        with self._alone():
            return self._spent(paper)

    def close(self) -> None:
        """End this run: its count, and that of runs that were killed before it, is settled for good."""
        with self._alone():
            if self._held is not None:
                self._held.release()
                self._held = self._own = None
                for path in self._folder.glob(f"*{_OPEN}"):
                    if not is_held(path):
                        path.rename(path.with_name(path.name.removesuffix(_OPEN) + _DONE))
                flush_folder(self._folder)
        atexit.unregister(self.close)

    def _alone(self) -> _Alone:
        return _Alone(self._threads, self._folder / ".lock")

    def _check(self, paper: str, cost: float, tokens: int) -> None:
        limits = self._ceilings
        run, one = self._spent(None), self._spent(paper)
        for what, spent, most_cost, most_tokens, settings in (
            ("this paper", one, limits.paper_cost, limits.paper_tokens, ("paper_cost_budget", "paper_token_budget")),
            ("this run", run, limits.run_cost, limits.run_tokens, ("cost_budget", "token_budget")),
        ):
            if spent.cost + cost > most_cost:
                raise CeilingError(
                    f"models have cost ${spent.cost:.4f} for {what}, the next question may cost ${cost:.4f} more, "
                    f"and ${most_cost:.4f} are allowed",
                    hint=f"Raise the setting {settings[0]}, or leave it to rules or people.",
                )
            if spent.tokens + tokens > most_tokens:
                raise CeilingError(
                    f"models have taken {spent.tokens:,} tokens for {what}, the next question may take {tokens:,} "
                    f"more, and {most_tokens:,} are allowed",
                    hint=f"Raise the setting {settings[1]}, or leave it to rules or people.",
                )

    def _spent(self, paper: str | None) -> Spent:
        found = Spent()
        for page in self._open_pages():
            for of, cost, tokens in page.calls.values():
                if paper is None or of == paper:
                    found.cost += cost
                    found.tokens += tokens
        return found

    def _open_pages(self) -> Iterator[_Page]:
        paths = set(self._folder.glob(f"*{_OPEN}"))
        for gone in self._pages.keys() - paths:
            del self._pages[gone]
        for path in sorted(paths):
            page = self._pages.setdefault(path, _Page())
            _read_on(path, page)
            yield page

    def _append(self, line: dict[str, object]) -> None:
        if self._own is None:
            name = f"{self._clock():%Y%m%dT%H%M%S}-{os.getpid()}-{secrets.token_hex(3)}{_OPEN}"
            self._own = self._folder / name
            self._own.touch()
            self._held = Held(self._own)
            flush_folder(self._folder)
            atexit.register(self.close)
        try:
            with self._own.open("ab") as file:
                file.write(orjson.dumps(line) + b"\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            self._own = None  # a line may stand there half: the next one begins a file of its own
            raise


class _Alone:
    """The only thread of this process, and the only process, that reads or writes the ledger."""

    def __init__(self, threads: threading.Lock, path: Path) -> None:
        self._threads = threads
        self._processes = exclusive(path)

    def __enter__(self) -> None:
        self._threads.acquire()
        try:
            self._processes.__enter__()
        except BaseException:
            self._threads.release()
            raise

    def __exit__(self, *error: object) -> None:
        try:
            self._processes.__exit__(None, None, None)
        finally:
            self._threads.release()


def _read_on(path: Path, page: _Page) -> None:
    """Take in whole lines that were written since; a line that a killed process left half is none."""
    with path.open("rb") as file:
        file.seek(page.read)
        new = file.read()
    whole = new.rfind(b"\n") + 1
    page.read += whole
    for text in new[:whole].splitlines():
        try:
            line = orjson.loads(text)
            call, cost, tokens = str(line["call"]), float(line["cost"]), int(line["tokens"])
        except (orjson.JSONDecodeError, KeyError, TypeError, ValueError):
            continue
        of = page.calls[call][0] if call in page.calls else str(line.get("paper", ""))
        page.calls[call] = (of, cost, tokens)
