"""What every test gets: a home of its own, a clean environment, and no network but loopback."""

from __future__ import annotations

import os
import signal
import socket
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

pytest_plugins = ["tests.services"]

# A busy machine is no defect of ours: time limits are pytest's, in pyproject.toml, and what has to be fast is measured
# by benches. A build machine tries the same cases each time, a developer's others, so that both are of use.
hypothesis.settings.register_profile(
    "naturegym",
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
    derandomize="CI" in os.environ,
    max_examples=50 if "CI" in os.environ else 100,
)
hypothesis.settings.load_profile("naturegym")

REPOSITORY = Path(__file__).resolve().parent.parent
LOOPBACK = ("127.", "::1", "::ffff:127.", "localhost", "0.0.0.0", "::")

_attempts: list[str] = []
_guarded = False


class NetworkUsedError(OSError):
    """What code under test meets: a machine without a network. The test itself fails when it ends."""


def _is_local(host: object) -> bool:
    text = host.decode(errors="replace") if isinstance(host, bytes) else str(host)
    return host is None or text == "" or text.startswith(LOOPBACK)


def _guard(event: str, arguments: tuple[Any, ...]) -> None:
    """Audit hook: sees connections of any library in this process, also those made in C."""
    if not _guarded or not event.startswith("socket."):
        return
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        connection, address = arguments[0], arguments[1]
        if connection.family not in (socket.AF_INET, socket.AF_INET6) or not isinstance(address, tuple):
            return
        host = address[0]
    elif event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyname_ex"):
        host = arguments[0]
    else:
        return
    if not _is_local(host):
        _attempts.append(f"{event} {host}")
        raise NetworkUsedError(f"a test may not leave this machine: {event} {host}")


def pytest_configure(config: pytest.Config) -> None:
    """Before anything of ours or of Prefect is imported: nothing of the developer's own settings counts."""
    for name in [name for name in os.environ if name.startswith(("NATUREGYM_", "PREFECT_"))]:
        del os.environ[name]
    home = tempfile.TemporaryDirectory(prefix="naturegym-tests-")
    config.add_cleanup(home.cleanup)
    os.environ |= {
        "NATUREGYM_HOME": f"{home.name}/naturegym",
        "PREFECT_HOME": f"{home.name}/prefect",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
    }
    sys.addaudithook(_guard)
    # A shell starts what runs in its background with Ctrl-C switched off, and so would be the commands under test.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What shares a server runs in one worker, so that the server is started once."""
    for item in items:
        if item.get_closest_marker("postgres") or "postgres_url" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.postgres)
            item.add_marker(pytest.mark.xdist_group("postgres"))
    if hasattr(config, "workerinput"):
        for item in items:
            _name_group(item)


def _name_group(item: pytest.Item) -> None:
    """pytest-xdist 3.8 tells groups by the ends of names, which it sets where pytest 9.2 no longer reads them."""
    group = item.get_closest_marker("xdist_group")
    if group is not None and not item.nodeid.endswith(ending := f"@{group.args[0]}"):
        item._id = type(item.id)(path=item.id.path, names=(f"{item.id.rest}{ending}",))


@pytest.fixture(autouse=True)
def _no_network() -> Iterator[None]:
    global _guarded  # noqa: PLW0603 - an audit hook cannot be taken away, only told to look aside
    _attempts.clear()
    _guarded = True
    try:
        yield
    finally:
        _guarded = False
    if _attempts:
        pytest.fail(f"the test left this machine: {', '.join(_attempts)}", pytrace=False)


@pytest.fixture(autouse=True)
def naturegym_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home folder of this test alone (not made yet); the working directory is the test's too."""
    for name in [name for name in os.environ if name.startswith("NATUREGYM_")]:
        monkeypatch.delenv(name)
    home = tmp_path / "naturegym-home"
    monkeypatch.setenv("NATUREGYM_HOME", str(home))
    monkeypatch.chdir(tmp_path)
    return home


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of this checkout."""
    return REPOSITORY
