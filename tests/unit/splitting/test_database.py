"""The locked-in DuckDB: what its callers see of an interruption."""

from __future__ import annotations

import subprocess
import sys

import pytest

from nature_gym.splitting.database import locked_in

INTERRUPTED = """
import os, signal, threading
from nature_gym.splitting.database import locked_in
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    with locked_in([]) as connection:
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        connection.execute("SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b").fetchall()
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c_in_a_query_is_a_keyboard_interrupt() -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "interrupted\n", done.stderr


def test_another_runtime_error_in_the_block_is_left_as_it_is() -> None:
    with pytest.raises(RuntimeError, match="something else"), locked_in([]):
        raise RuntimeError("something else")
