"""Ctrl-C and SIGTERM: a long command ends within some seconds, whatever is under way, and says how to go on."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

import pytest

from nature_gym.cli.stopping import PATIENCE_SECONDS

STUCK = """
import signal, sys, threading, time
from concurrent.futures import ThreadPoolExecutor
from nature_gym.cli.output import complain
from nature_gym.cli.stopping import resumable
from nature_gym.errors import NatureGymError

how = sys.argv[1]
try:
    with resumable("fetch", as_json=True):
        if how == "captured":  # as Prefect does while a flow runs
            signal.signal(signal.SIGTERM, lambda *_: None)
        with ThreadPoolExecutor(1) as pool:
            if how != "idle":
                pool.submit(time.sleep, 600)
            print("ready", flush=True)
            threading.Event().wait()
except NatureGymError as error:
    complain(error, as_json=True)
    sys.exit(error.exit_code)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("how", ["idle", "waiting", "captured"])
def test_it_ends_soon_with_the_same_words_whatever_is_under_way(how: str, number: signal.Signals) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", STUCK, how], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    began = time.monotonic()
    process.send_signal(number)
    printed, complaints = process.communicate(timeout=PATIENCE_SECONDS + 20)
    took = time.monotonic() - began
    assert process.returncode == 130
    assert json.loads(printed)["error"] == "fetch was stopped"
    assert "goes on where" in complaints
    assert "Traceback" not in complaints
    # Ending at once is for those that are idle; the others get their seconds, and not many more.
    assert took < PATIENCE_SECONDS + 3


def test_what_is_not_stopped_ends_as_ever_and_leaves_signals_as_they_were() -> None:
    from nature_gym.cli.stopping import resumable

    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    with resumable("fetch", as_json=False):
        pass
    with pytest.raises(ZeroDivisionError), resumable("fetch", as_json=False):
        raise ZeroDivisionError
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before
    assert signal.set_wakeup_fd(-1) == -1
