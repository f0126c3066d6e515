"""robots.txt: what a host asks programs to leave alone, and how long to wait between two requests."""

from __future__ import annotations

from protego import Protego

from nature_gym.web.addresses import brief
from nature_gym.web.faults import RobotsError

ROBOTS_PATH = "/robots.txt"
AGENT = "naturegym"
"""What a host calls us by in its rules."""


class Rules:
    """The wishes of one host. An empty file has none."""

    def __init__(self, text: bytes) -> None:
        self._rules = Protego.parse(text.decode("utf-8", errors="replace"))

    def check(self, url: str) -> float:
        """Seconds that the host wants between two requests (0: it does not say). Raises RobotsError."""
        if not self._rules.can_fetch(url, AGENT):
            raise RobotsError(
                f"robots.txt asks programs not to fetch {brief(url)}",
                hint="Ingest the paper from a folder if you have it.",
            )
        return float(self._rules.crawl_delay(AGENT) or 0.0)
