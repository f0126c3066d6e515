"""DuckDB, locked in: it may touch the files that it was given, in bounded memory, and nothing else."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy.typing as npt

from nature_gym.errors import InfrastructureError, NatureGymError
from nature_gym.splitting.faults import SplitError

MEMORY = "700MB"
THREADS = 2


@contextlib.contextmanager
def locked_in(
    paths: Sequence[Path],
    scratch: Path | None = None,
    *,
    threads: int = THREADS,
    arrays: Mapping[str, Mapping[str, npt.NDArray[Any]]] | None = None,
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection with leave to touch ``paths``, and to spill into ``scratch``; ``arrays`` are tables to it.

    Extensions, the network and other files are out of reach, and the configuration cannot be changed back. Raises
    what :func:`explained` makes of DuckDB's errors.
    """
    config: dict[str, str | bool | int | float | list[str]] = {
        "threads": threads,
        "memory_limit": MEMORY,
        "preserve_insertion_order": True,
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        # Without it a thread of DuckDB's goes on to the end of its scan, whoever has pressed Ctrl-C.
        "scheduler_process_partial": True,
    }
    with duckdb.connect(config=config) as connection:
        connection.execute("SET enable_progress_bar = false")
        connection.execute(f"SET temp_directory = {literal(str(scratch) if scratch else '')}")
        if scratch is not None:
            connection.execute(f"SET allowed_directories = [{literal(str(scratch))}]")
        connection.execute(f"SET allowed_paths = [{', '.join(literal(str(path)) for path in paths)}]")
        for name, columns in (arrays or {}).items():
            connection.register(name, dict(columns))
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
        try:
            yield connection
        except duckdb.Error as error:
            raise explained(error, paths) from error
        except RuntimeError as error:
            # DuckDB takes Ctrl-C itself while a query runs, and tells of it so.
            if str(error) == "Query interrupted":
                raise KeyboardInterrupt from error
            raise


def explained(error: duckdb.Error, paths: Sequence[Path]) -> NatureGymError:
    """The disk's and the memory's fault is ours; anything else is the data's or the operation's."""
    text = " ".join(str(error).split())[:300]
    name = paths[0].name if paths else "DuckDB"
    if isinstance(error, duckdb.IOException | duckdb.OutOfMemoryException | duckdb.PermissionException):
        return InfrastructureError(f"{name}: {text}", hint="Is there room on the disk, and may the files be used?")
    return SplitError(f"{name}: {text}", hint="Look at the file, and at the operation's columns.")


def quoted(name: str) -> str:
    """A column's name in SQL."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text in SQL."""
    return "'" + text.replace("'", "''") + "'"
