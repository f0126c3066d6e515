"""Stopping a long command: at once, with a sentence that says how to go on, whatever is under way.

Ctrl-C and SIGTERM are an exception in the main thread, as ever; but threads that wait for a host, and the end of a
Prefect flow that waits for them, can take long. What this project writes survives a kill at any moment, so after
two seconds of good manners the process simply ends.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

from nature_gym.cli.output import complain
from nature_gym.errors import StoppedError

if TYPE_CHECKING:
    from types import FrameType

PATIENCE_SECONDS = 2.0
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextlib.contextmanager
def resumable(command: str, *, as_json: bool) -> Iterator[None]:
    """Stop what the block does within :data:`PATIENCE_SECONDS` of Ctrl-C or SIGTERM. Used in the main thread.

    Raises StoppedError; where the block does not end by then, prints the same and ends the process.
    """
    stopped = StoppedError(
        f"{command} was stopped", hint="Run the same command again: it goes on where this one was stopped."
    )
    hear, tell = os.pipe()
    os.set_blocking(tell, False)
    ending = threading.Event()

    def watch() -> None:
        # Whoever else handles the signal (Prefect does, while a flow runs): its number comes through the pipe.
        while number := os.read(hear, 1):
            if number[0] in _SIGNALS:
                break
        else:
            return
        if not ending.wait(PATIENCE_SECONDS):
            if sys.stderr.isatty():
                sys.stderr.write("\x1b[?25h")  # a progress bar may have hidden the cursor
            complain(stopped, as_json=as_json)
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(stopped.exit_code)

    before = {number: signal.signal(number, _interrupt) for number in _SIGNALS}
    woken = signal.set_wakeup_fd(tell, warn_on_full_buffer=False)
    watcher = threading.Thread(target=watch, name="stopping", daemon=True)
    watcher.start()
    try:
        yield
    except KeyboardInterrupt as error:
        raise stopped from error
    finally:
        ending.set()
        signal.set_wakeup_fd(woken)
        for number, handler in before.items():
            signal.signal(number, handler)
        os.close(tell)  # which ends the watcher
        watcher.join()
        os.close(hear)


def _interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 -- as signal.signal calls it
    raise KeyboardInterrupt
