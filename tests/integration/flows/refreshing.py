"""A refresh as a process of its own, over a demo world that is served in the test's process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nature_gym.config import Settings


def pointed_at(url: str) -> dict[str, str]:
    """The settings of a run over the world that is served at ``url``; nobody minds being asked fast."""
    return {
        "NATUREGYM_MIRROR": url,
        "NATUREGYM_REQUESTS_PER_SECOND": "1000",
        "NATUREGYM_PROBES_PER_SECOND": "1000",
    }


class Refresh:
    """``naturegym refresh --json`` as a process, which tests kill and stop."""

    def __init__(self, environment: Mapping[str, str], *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "nature_gym.cli.main", "refresh", "--json", *arguments],
            env=os.environ | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def until_told(self, words: str) -> None:
        """Read its progress until a line has ``words``."""
        assert self.process.stderr is not None
        told = []
        for line in self.process.stderr:
            told.append(line.decode())
            if words in told[-1]:
                return
        raise AssertionError(f"the refresh ended before it told {words!r}: {told}")

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()

    def send(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def end(self) -> dict[str, Any]:
        out, errors = self.process.communicate(timeout=600)
        assert out, errors.decode()
        value: dict[str, Any] = orjson.loads(out)
        assert "error" not in value, value
        return value | {"code": self.process.returncode, "errors": errors.decode()}


def all_outputs(settings: Settings) -> dict[str, Any]:
    """What was published, by paper and stage: the name of the publication, so that one that is made again differs."""
    from nature_gym.records import Papers

    return {paper.id: paper.publications() for paper in Papers(settings.papers)}
