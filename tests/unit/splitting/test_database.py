"""The locked-in DuckDB: what its callers see of an interruption."""

from __future__ import annotations

import subprocess
import sys

import pytest

from nature_gym.splitting.database import locked_in

INTERRUPTED = """
import os, signal, sys, threading
from nature_gym.splitting.database import locked_in
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    with locked_in([]) as connection:
        threading.Timer(float(sys.argv[1]), os.kill, (os.getpid(), signal.SIGINT)).start()
        connection.execute("SELECT sum(sqrt(range)) FROM range(1000000000000)").fetchall()
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize("after", ["0.01", "0.03", "0.1", "0.4"])  # seconds; whichever thread has the scan by then
def test_ctrl_c_in_a_query_is_a_keyboard_interrupt(after: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, after], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout == "interrupted\n", done.stderr


def test_another_runtime_error_in_the_block_is_left_as_it_is() -> None:
    with pytest.raises(RuntimeError, match="something else"), locked_in([]):
        raise RuntimeError("something else")
