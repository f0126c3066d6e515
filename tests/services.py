"""Servers that some tests need: a private PostgreSQL, a Docker engine. Where one is missing, its tests are skipped."""

from __future__ import annotations

import gc
import os
import pwd
import re
import shutil
import socket
import subprocess
import tempfile
import uuid
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    import docker


def _postgres_programs() -> Path | None:
    """The folder of initdb and pg_ctl: on PATH, or the newest of Debian's, which are not."""
    found = shutil.which("initdb")
    if found:
        return Path(found).parent
    versions = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    return max(versions, key=lambda path: [int(part) for part in re.findall(r"\d+", path.parent.name)], default=None)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """A PostgreSQL of this session alone, on loopback, made fast by promising nothing; gives its base URL."""
    programs = _postgres_programs()
    if programs is None:
        pytest.skip("PostgreSQL's server programs are not installed (Debian: apt-get install postgresql)")
    account: str | None = None
    if os.geteuid() == 0:  # PostgreSQL refuses to run as root.
        account = "postgres"
        try:
            pwd.getpwnam(account)
        except KeyError:
            pytest.skip("running as root, and there is no account 'postgres' to run PostgreSQL as")
    # Not below pytest's own folder: that one is closed to other accounts, and its path may be too long for a socket.
    folder = Path(tempfile.mkdtemp(prefix="ng-pg-"))
    if account:
        shutil.chown(folder, account)

    def run(program: str, *arguments: str) -> None:
        done = subprocess.run(
            [programs / program, *arguments],
            user=account,
            cwd=folder,
            env={"PATH": os.defpath, "LC_ALL": "C.UTF-8", "TZ": "UTC"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
            check=False,
        )
        if done.returncode:
            log = folder / "log"
            said = log.read_text(errors="replace")[-2000:] if log.exists() else ""
            pytest.fail(f"{program} failed:\n{done.stderr}\n{said}", pytrace=False)

    data = str(folder / "data")
    port = _free_port()
    options = f"-h 127.0.0.1 -p {port} -k {folder} -c fsync=off -c synchronous_commit=off -c full_page_writes=off"
    try:
        run("initdb", "-D", data, "-U", "naturegym", "-A", "trust", "-E", "UTF8", "--no-sync")
        run("pg_ctl", "-D", data, "-l", str(folder / "log"), "-o", options, "-w", "-t", "60", "start")
        yield f"postgresql+psycopg://naturegym@127.0.0.1:{port}"
        run("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres_url(postgres_server: str) -> Iterator[str]:
    """SQLAlchemy's URL of an empty database of this test alone."""
    import psycopg

    name = f"test_{uuid.uuid4().hex}"
    server = postgres_server.replace("+psycopg", "")
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
    yield f"{postgres_server}/{name}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


@pytest.fixture(scope="session")
def docker_client() -> Iterator[docker.DockerClient]:
    """A client of the Docker engine that answers here."""
    import docker
    from docker.errors import DockerException

    reason = ""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # docker-py forgets its socket when nobody answers.
        try:
            client = docker.from_env(timeout=20)
            client.ping()
        except (DockerException, OSError) as error:
            reason = f"no Docker engine answers: {error}"
        gc.collect()
    if reason:
        pytest.skip(reason)
    yield client
    client.close()
