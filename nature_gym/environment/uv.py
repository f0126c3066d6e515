"""uv as the resolver: requirements in, versions out, and its own words where there are none.

The one idea: what the base image brings is told to uv as it is: fixed versions that need nothing more and are as old
as can be. So a cap at a date bears on what is added alone, and nothing of the base is solved for again. Only wheels
are looked at: to read what a source distribution needs, its code would have to run. Where there is nothing but such,
:func:`solve` can be told to take one distribution as it comes: then its version is found, and what it needs is not.

The index is uv's own: its settings and ``UV_DEFAULT_INDEX`` hold.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import re
import subprocess
import tempfile
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from packaging.utils import canonicalize_name

from nature_gym.environment.manifests import Manifest
from nature_gym.errors import InfrastructureError

PLATFORM = "x86_64-manylinux_2_28"
TIMEOUT = 300
_LINE = re.compile(r"([A-Za-z0-9._-]+)==([^\s;#]+)[^#]*(?:#\s*via\s+(.*))?")
_UNREACHABLE = (
    "Failed to fetch",
    "error sending request",
    "Could not connect",
    "timed out",
    "No such file or directory",
)


@dataclass(frozen=True, slots=True)
class Chosen:
    """A version, and the distributions for whose sake it is there (none for what was asked for)."""

    name: str
    version: str
    via: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """There are no versions that fit, in uv's words."""

    why: str


def solve(
    requirements: Iterable[str],
    base: Manifest,
    as_of: dt.date | None = None,
    *,
    from_source: Collection[str] = (),
    settled: Mapping[str, str] | None = None,
) -> dict[str, Chosen] | Refused:
    """Versions of everything that ``requirements`` need, those in the base as they are there, by canonical name.

    ``as_of`` leaves out what was uploaded after the end of that day (UTC). Distributions that are taken
    ``from_source`` need nothing, as far as uv knows; all others have to be ``settled`` (name -> version) by then, so
    that no code of a source distribution is run to learn what it needs. Raises InfrastructureError where there is no
    index that answers.
    """
    with tempfile.TemporaryDirectory(prefix="naturegym-env-") as name:
        folder = Path(name)
        text = _settings(base, as_of, from_source, settled or {})
        folder.joinpath("uv.toml").write_text(text, encoding="utf-8")
        folder.joinpath("wanted.txt").write_text("".join(f"{one}\n" for one in requirements), encoding="utf-8")
        fixed = {**(settled or {}), **base.packages}
        pins = "".join(f"{one}=={version}\n" for one, version in fixed.items())
        folder.joinpath("base.txt").write_text(pins, encoding="utf-8")
        finished = _run(folder, base.python, [] if from_source else ["--no-build"])
    if finished.returncode:
        why = _words(finished.stderr)
        if any(sign in finished.stderr for sign in _UNREACHABLE):
            raise InfrastructureError(
                f"The package index does not answer: {why}", hint="uv asks the index that UV_DEFAULT_INDEX names."
            )
        return Refused(why)
    chosen: dict[str, Chosen] = {}
    for line in finished.stdout.splitlines():
        if match := _LINE.match(line):
            via = {
                canonicalize_name(one.strip()) for one in (match[3] or "").split(",") if not one.strip().startswith("-")
            }
            plain = canonicalize_name(match[1])
            chosen[plain] = Chosen(plain, match[2], tuple(sorted(filter(None, via))))
    return chosen


def _settings(base: Manifest, as_of: dt.date | None, from_source: Collection[str], settled: Mapping[str, str]) -> str:
    """uv.toml: what is in the base needs nothing and has no date."""
    lines = []
    if from_source:
        never = sorted({*base.packages, *settled} - {*from_source})
        lines.append(f"no-build-package = {json.dumps(never)}")
    if as_of is not None:
        lines.append(f"exclude-newer = {json.dumps((as_of + dt.timedelta(days=1)).isoformat() + 'T00:00:00Z')}")
        lines.append("[exclude-newer-package]")
        lines += [f"{json.dumps(name)} = false" for name in base.packages]
    for name, version in base.packages.items():
        lines += ["[[dependency-metadata]]", f"name = {json.dumps(name)}", f"version = {json.dumps(version)}"]
        lines.append("requires-dist = []")
    for name in sorted(from_source):
        lines += ["[[dependency-metadata]]", f"name = {json.dumps(name)}", "requires-dist = []"]
    return "\n".join(lines) + "\n"


def _run(folder: Path, python: str, more: list[str]) -> subprocess.CompletedProcess[str]:
    from uv import find_uv_bin

    command = [
        find_uv_bin(), "pip", "compile", "wanted.txt", "--constraints", "base.txt", "--python-version", python,
        "--python-platform", PLATFORM, *more, "--no-header", "--annotation-style", "line",
        "--no-emit-index-url", "--no-progress", "--color", "never", "--no-python-downloads",
    ]  # fmt: skip
    surroundings = {key: value for key, value in os.environ.items() if key not in ("UV_EXCLUDE_NEWER", "VIRTUAL_ENV")}
    try:
        return subprocess.run(
            command, cwd=folder, env=surroundings, capture_output=True, text=True, timeout=TIMEOUT, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise InfrastructureError(
            f"uv found no answer in {TIMEOUT} s.", hint="Try again; see that the index answers."
        ) from error
    except FileNotFoundError as error:
        raise InfrastructureError("uv is not there.", hint="Set the project up again: make runtime.") from error


def _words(text: str) -> str:
    """uv's complaint on one line, without its ornaments."""
    plain = re.sub(r"[│╰─▶×╭├]+|hint:", " ", text)
    words = " ".join(plain.split())
    return (
        words.removeprefix("error: No solution found when resolving dependencies")
        .lstrip(": ")
        .removeprefix("cause: ")[:1_500]
    )
