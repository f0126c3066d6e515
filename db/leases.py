"""Leases: who works on a paper at a stage, so that several workers on one corpus never do the same work twice.

The one idea: a lease is a lock that its keeper drops when the holder dies, so it needs no clock and no cleaning up, and
a process that was only stopped for a while still has it. Where the index is PostgreSQL, the keeper is the database (an
advisory lock of a connection), for workers on several machines; with SQLite it is the kernel (a lock on a byte of one
file in the home), for those of this machine.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from db.address import SQLITE, parse
from db.engine import make_engine
from db.transactions import reported

FILE = "leases"
_LOOK_SECONDS = 0.25
_FLOCK = "hhqqi4x"
"""Linux's ``struct flock``: type, whence, start, length, process."""
_ALIVE = ("tcp_keepalives_idle = 30", "tcp_keepalives_interval = 10", "tcp_keepalives_count = 6")
"""PostgreSQL lets go of a machine that vanished after a minute and a half, and not after two hours."""


class _Keeper(Protocol):
    def take(self, number: int) -> bool: ...

    def release(self, number: int) -> None: ...

    def close(self) -> None: ...


class Leases:
    """The leases of a home, for all threads of a process."""

    def __init__(self, database: str, home: Path) -> None:
        sqlite = parse(database).drivername == SQLITE
        self._keeper: _Keeper = _Kernel(home / FILE) if sqlite else _Postgres(database)
        self._mine: set[int] = set()
        self._threads = threading.Lock()

    @contextmanager
    def held(self, unit: str, *, wait: bool = False, give_up: Callable[[], bool] = lambda: False) -> Iterator[bool]:
        """Hold the lease on ``unit`` while the block works; whether it could be had.

        With ``wait`` the block begins when it can, or when ``give_up`` says so. Raises InfrastructureError where the
        database does not answer.
        """
        number = number_of(unit)
        mine = self._take(number)
        pause = threading.Event()
        while wait and not mine and not give_up():
            pause.wait(_LOOK_SECONDS)
            mine = self._take(number)
        try:
            yield mine
        finally:
            if mine:
                with self._threads:
                    self._mine.discard(number)
                    self._keeper.release(number)

    def close(self) -> None:
        """Let go of everything."""
        self._keeper.close()

    def _take(self, number: int) -> bool:
        # To both keepers all threads of a process are one holder.
        with self._threads:
            if number in self._mine or not self._keeper.take(number):
                return False
            self._mine.add(number)
            return True


def number_of(unit: str) -> int:
    """The number by which keepers know a unit, of 62 bits."""
    return int.from_bytes(hashlib.sha256(f"lease {unit}".encode()).digest()[:8], "big") >> 2


class _Kernel:
    """Locks on single bytes of a file, far beyond its end. They belong to the open file, so a fork shares them."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)

    def take(self, number: int) -> bool:
        try:
            self._ask(fcntl.F_WRLCK, number)
        except BlockingIOError:
            return False
        return True

    def release(self, number: int) -> None:
        self._ask(fcntl.F_UNLCK, number)

    def close(self) -> None:
        os.close(self._descriptor)

    def _ask(self, kind: int, number: int) -> None:
        fcntl.fcntl(self._descriptor, fcntl.F_OFD_SETLK, struct.pack(_FLOCK, kind, os.SEEK_SET, number, 1, 0))


class _Postgres:
    """Advisory locks of one connection, which stays open as long as this process has leases."""

    def __init__(self, database: str) -> None:
        self._engine = make_engine(database)
        self._connection: Connection | None = None

    def take(self, number: int) -> bool:
        with reported(self._engine):
            try:
                return self._ask("pg_try_advisory_lock", number)
            except DBAPIError:
                self._drop()  # a server that was started again since: what was held there is free already
                return self._ask("pg_try_advisory_lock", number)

    def release(self, number: int) -> None:
        try:
            self._ask("pg_advisory_unlock", number)
        except DBAPIError:
            self._drop()

    def close(self) -> None:
        self._drop()
        self._engine.dispose()

    def _ask(self, function: str, number: int) -> bool:
        if self._connection is None:
            self._connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            for setting in _ALIVE:
                self._connection.exec_driver_sql(f"SET {setting}")
        return bool(self._connection.execute(text(f"SELECT {function}(:number)"), {"number": number}).scalar_one())

    def _drop(self) -> None:
        if self._connection is not None:
            with suppress(DBAPIError):
                self._connection.invalidate()
                self._connection.close()
            self._connection = None
