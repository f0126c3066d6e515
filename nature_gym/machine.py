"""What this machine offers: found out by trying it, not by looking for a program's name.

Each examination is a function that takes the settings and gives one :class:`Finding`. ``absent`` is
a fact with advice; ``broken`` is what no command can do without.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Literal

from nature_gym.config import Settings, config_path, unknown_variables

NEEDED_BYTES = 2 * 10**9
"""Below this much free disk a demo run is at risk."""
TIMEOUT = 10.0


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the doctor's report."""

    what: str
    state: Literal["works", "absent", "broken"]
    detail: str
    advice: str = ""

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def examine(settings: Settings, *more: Callable[[Settings], Finding]) -> list[Finding]:
    """Every finding on this machine, in the order in which they matter, and those of ``more`` examinations."""
    examinations: tuple[Callable[[Settings], Finding], ...] = (
        python, git, home, disk, settings_file, docker_engine, bubblewrap, prefect_api, openalex_key,
        github_token, contact,
    )  # fmt: skip
    return [examination(settings) for examination in (*examinations, *more)]


def python(_: Settings) -> Finding:
    """The interpreter that runs us; older ones do not get this far."""
    return Finding("Python", "works", f"{sys.version.split()[0]} at {sys.executable}")


def git(_: Settings) -> Finding:
    """Git, which fetches authors' repositories."""
    version = _first_line("git", "--version")
    if version is None:
        return Finding("git", "broken", "not found", "Install it: apt-get install git")
    return Finding("git", "works", version)


def home(settings: Settings) -> Finding:
    """The home folder, by writing to it."""
    probe = settings.home / f".doctor.{os.getpid()}"
    try:
        settings.home.mkdir(parents=True, exist_ok=True)
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        return Finding(
            "home folder", "broken", f"{settings.home}: {error.strerror}", "Point NATUREGYM_HOME at a folder of yours."
        )
    return Finding("home folder", "works", str(settings.home))


def disk(settings: Settings) -> Finding:
    """Free disk under the home folder."""
    folder = next(path for path in (settings.home, *settings.home.parents) if path.exists())
    free = shutil.disk_usage(folder).free
    detail = f"{free / 1e9:.1f} GB free at {folder}"
    if free < NEEDED_BYTES:
        return Finding("disk", "broken", detail, "Free some space, or point NATUREGYM_HOME at a larger disk.")
    return Finding("disk", "works", detail)


def settings_file(_: Settings) -> Finding:
    """The settings file, and variables that look like settings but are none."""
    strangers = unknown_variables()
    if strangers:
        return Finding(
            "settings", "absent", "no setting reads " + ", ".join(strangers), "'naturegym settings' lists them all."
        )
    path = config_path()
    return Finding("settings", "works", f"read from {path}" if path.is_file() else "defaults and variables")


def docker_engine(_: Settings) -> Finding:
    """A Docker engine (or Podman's socket) behind docker-py."""
    import docker
    from docker.errors import DockerException

    try:
        client = docker.from_env(timeout=int(TIMEOUT))
        version = client.version()
    except (DockerException, OSError) as error:
        return Finding(
            "Docker",
            "absent",
            f"no engine answers ({_short(error)})",
            "Optional. Install it (apt-get install docker.io) and start it, or set DOCKER_HOST; without it, "
            "sandboxes use bubblewrap.",
        )
    return Finding("Docker", "works", f"engine {version.get('Version', '?')}")


def bubblewrap(_: Settings) -> Finding:
    """Bubblewrap, by running a program in it without network."""
    if shutil.which("bwrap") is None:
        return Finding("bubblewrap", "absent", "not found", "Install it: apt-get install bubblewrap")
    argv = ["bwrap", "--ro-bind", "/", "/", "--unshare-all", "--die-with-parent", "true"]
    try:
        done = subprocess.run(argv, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    except subprocess.TimeoutExpired:
        return Finding(
            "bubblewrap", "absent", f"did not answer in {TIMEOUT:.0f} s", "Try it by hand: " + " ".join(argv)
        )
    if done.returncode:
        return Finding(
            "bubblewrap",
            "absent",
            f"cannot make a sandbox here: {done.stderr.strip()}",
            "Most often the kernel forbids user namespaces: sysctl kernel.unprivileged_userns_clone=1",
        )
    return Finding("bubblewrap", "works", _first_line("bwrap", "--version") or "")


def prefect_api(settings: Settings) -> Finding:
    """The Prefect API that flows would report to."""
    if not settings.prefect_api_url:
        return Finding("Prefect API", "works", "a local server of ours is started where a flow needs one")
    if not _is_healthy(settings.prefect_api_url):
        return Finding(
            "Prefect API",
            "broken",
            f"{settings.prefect_api_url} does not answer",
            "Start that server, or unset NATUREGYM_PREFECT_API_URL to use a local one.",
        )
    return Finding("Prefect API", "works", f"{settings.prefect_api_url} answers")


def openalex_key(settings: Settings) -> Finding:
    """The key that OpenAlex asks for."""
    if settings.openalex_key or settings.mirror:
        return Finding("OpenAlex key", "works", "set" if settings.openalex_key else "not needed with a mirror")
    return Finding(
        "OpenAlex key",
        "absent",
        "not set",
        "Harvesting needs one: make it at openalex.org, set NATUREGYM_OPENALEX_KEY.",
    )


def github_token(settings: Settings) -> Finding:
    """The token that lifts GitHub's limit of 60 requests an hour."""
    if settings.github_token or settings.mirror:
        return Finding("GitHub token", "works", "set" if settings.github_token else "not needed with a mirror")
    return Finding(
        "GitHub token", "absent", "not set", "Optional: NATUREGYM_GITHUB_TOKEN allows 5,000 requests an hour."
    )


def contact(settings: Settings) -> Finding:
    """The contact address in our User-Agent, which polite programs send."""
    if settings.contact or settings.mirror:
        return Finding("contact", "works", settings.contact or "not needed with a mirror")
    return Finding("contact", "absent", "not set", "Set NATUREGYM_CONTACT to an address where services can reach you.")


def _first_line(*argv: str) -> str | None:
    if shutil.which(argv[0]) is None:
        return None
    try:
        done = subprocess.run(argv, capture_output=True, text=True, timeout=TIMEOUT, check=True)
    except (subprocess.SubprocessError, OSError):
        return None
    return done.stdout.partition("\n")[0].strip()


def _is_healthy(api_url: str) -> bool:
    import requests

    try:
        return requests.get(f"{api_url}/health", timeout=TIMEOUT).ok
    except requests.RequestException:
        return False


def _short(error: Exception) -> str:
    return str(error).partition("\n")[0][:160]
