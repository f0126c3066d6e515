"""Progress on standard error: a bar a step where somebody watches, a line now and then where nobody does."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from nature_gym.cli.output import console
from nature_gym.errors import NatureGymError

if TYPE_CHECKING:
    from rich.console import RenderableType

Tell = Callable[[str, int, int], None]
"""Step, how much of it is done, and how much there is (0: not known yet)."""
LOOK_SECONDS = 0.5
LINE_SECONDS = 10.0
"""Seconds between two lines of a step, in a log that somebody reads later."""


@contextlib.contextmanager
def progress_bars() -> Iterator[Tell]:
    """Show progress for as long as the block runs."""
    if not sys.stderr.isatty():
        yield _lines()
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description:<16}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console(stderr=True)) as bars:
        rows: dict[str, TaskID] = {}

        def tell(step: str, done: int, total: int) -> None:
            for row in rows.values():
                bars.stop_task(row)
            if step not in rows:
                rows[step] = bars.add_task(step, total=total or None)
            bars.update(rows[step], completed=done, total=total or None)

        yield tell


@contextlib.contextmanager
def live_view(look: Callable[[], RenderableType], *, transient: bool) -> Iterator[None]:
    """Show what ``look`` gives on standard error, looked at in a thread for as long as the block runs.

    ``transient``: it goes when the block ends.
    """
    from rich.live import Live

    over = threading.Event()

    def follow(live: Live) -> None:
        while not over.wait(LOOK_SECONDS):
            with contextlib.suppress(NatureGymError):  # the next look may succeed
                live.update(look(), refresh=True)

    with Live(look(), console=console(stderr=True), auto_refresh=False, transient=transient) as live:
        thread = threading.Thread(target=follow, args=(live,), name="live-view", daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()


def _lines(clock: Callable[[], float] = time.monotonic) -> Tell:
    """A line where a step begins, one where it is through, and one every ten seconds in between."""
    last: dict[str, tuple[float, int]] = {}

    def tell(step: str, done: int, total: int) -> None:
        when, said = last.get(step, (-LINE_SECONDS, -1))
        finished = bool(total) and done >= total
        if done == said or not (finished or clock() - when >= LINE_SECONDS):
            return
        last[step] = (clock(), done)
        sys.stderr.write(f"{step}: {done:,} of {total:,}\n" if total else f"{step} ...\n")
        sys.stderr.flush()

    return tell
