"""Leases, by the kernel and by PostgreSQL: one holder at a time, and none once the holder is dead."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from db.engine import make_engine
from db.leases import Leases, number_of

HOLDER = """
import sys
from pathlib import Path
from db.leases import Leases
with Leases(sys.argv[1], Path(sys.argv[2])).held("read 10.1_a") as mine:
    print(mine, flush=True)
    sys.stdin.read()
"""


class Holder:
    """Another process that holds the lease on ``read 10.1_a`` for as long as it lives."""

    def __init__(self, address: str, home: Path, repository: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", HOLDER, address, home],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=repository,
        )  # fmt: skip
        assert self.process.stdout is not None
        self.said = self.process.stdout.readline()

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def leases(address: str, tmp_path: Path) -> Iterator[Leases]:
    found = Leases(address, tmp_path)
    yield found
    found.close()


@pytest.fixture
def holder(address: str, tmp_path: Path, repository: Path) -> Iterator[Holder]:
    started = Holder(address, tmp_path, repository)
    yield started
    started.kill()


def test_what_one_process_holds_no_other_gets_and_others_are_free(leases: Leases, holder: Holder) -> None:
    assert holder.said == "True\n"
    with leases.held("read 10.1_a") as mine, leases.held("read 10.1_b") as other:
        assert (mine, other) == (False, True)


def test_a_killed_process_holds_nothing_and_whoever_waits_goes_on(leases: Leases, holder: Holder) -> None:
    threading.Timer(0.1, holder.process.kill).start()
    with leases.held("read 10.1_a", wait=True) as mine:
        assert mine


def test_a_process_that_is_only_stopped_still_holds_what_it_held(leases: Leases, holder: Holder) -> None:
    holder.process.send_signal(signal.SIGSTOP)
    with leases.held("read 10.1_a") as mine:
        assert not mine
    holder.process.send_signal(signal.SIGCONT)


def test_who_waits_may_give_up(leases: Leases, holder: Holder) -> None:
    answers = iter([False, True])
    with leases.held("read 10.1_a", wait=True, give_up=lambda: next(answers)) as mine:
        assert not mine


def test_threads_of_a_process_exclude_each_other_and_a_released_lease_is_free(leases: Leases) -> None:
    found: list[bool] = []

    def try_it() -> None:
        with leases.held("read 10.1_a") as mine:
            found.append(mine)

    with leases.held("read 10.1_a"):
        thread = threading.Thread(target=try_it)
        thread.start()
        thread.join()
    try_it()
    assert found == [False, True]


@pytest.mark.postgres
def test_a_connection_that_broke_is_made_anew(postgres_url: str, tmp_path: Path) -> None:
    leases = Leases(postgres_url, tmp_path)
    with leases.held("read 10.1_a") as mine:
        assert mine
        engine = make_engine(postgres_url)
        with engine.begin() as connection:
            connection.execute(
                text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                     " AND datname = current_database()")
            )  # fmt: skip
        engine.dispose()
    with leases.held("read 10.1_a") as mine:
        assert mine
    leases.close()


def test_numbers_are_of_62_bits_and_differ() -> None:
    numbers = {number_of(f"read 10.1_{place}") for place in range(1000)}
    assert len(numbers) == 1000
    assert all(0 <= number < 1 << 62 for number in numbers)
