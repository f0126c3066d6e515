"""Bodies of answers, in the pieces in which they come.

Whoever counts bytes or seconds looks after each piece. Where a whole block has to be full first, a host that sends a
byte a minute is waited for between two looks for ever.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import requests

from nature_gym.web.addresses import brief
from nature_gym.web.faults import AGAIN, HostError

PIECE = 1 << 16
BODY_TIMEOUTS = 20
"""A body that takes longer than this many time-outs is given up: some hosts send a byte a minute, for ever."""


def pieces(response: requests.Response, most: int = PIECE) -> Iterator[bytes]:
    """What has come of the body, unpacked, each time that something has; no piece is longer than ``most``."""
    while piece := response.raw.read1(most, decode_content=True):
        yield piece


def bounded(
    response: requests.Response, url: str, *, most: int, patience: float, too_large: Exception
) -> Iterator[bytes]:
    """The body in pieces; raises ``too_large`` beyond ``most`` bytes, HostError after ``patience`` seconds."""
    size = 0
    began = time.monotonic()
    for piece in pieces(response):
        size += len(piece)
        if size > most:
            raise too_large
        if time.monotonic() - began > patience:
            raise HostError(f"{brief(url)} sends too slowly: {size:,} bytes in {patience:,.0f} s", hint=AGAIN)
        yield piece
