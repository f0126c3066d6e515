"""Progress on standard error: a bar a step where somebody watches, a line a step where nobody does."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

from nature_gym.cli.output import console

Tell = Callable[[str, int, int], None]
"""Step, how much of it is done, and how much there is (0: not known yet)."""


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


def _lines() -> Tell:
    told: set[tuple[str, bool]] = set()

    def tell(step: str, done: int, total: int) -> None:
        finished = bool(total) and done >= total
        if (step, finished) not in told:
            told.add((step, finished))
            sys.stderr.write(f"{step}: {done} of {total}\n" if finished else f"{step} ...\n")
            sys.stderr.flush()

    return tell
