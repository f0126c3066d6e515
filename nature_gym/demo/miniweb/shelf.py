"""A bounded store of rendered bodies, so that each page is made once while it is in demand.

Bodies are made in a thread, because a PDF takes a second and the mini-web has one event loop;
requests that want the same body meanwhile wait for the same one.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable

from nature_gym.demo.miniweb.answers import Blob


class Shelf:
    """Bodies by key, the least recently used thrown out beyond ``limit`` bytes.

    To be used from one event loop.
    """

    def __init__(self, limit: int = 128 << 20) -> None:
        self._limit = limit
        self._bytes = 0
        self._kept: OrderedDict[Hashable, tuple[Blob, str]] = OrderedDict()
        self._making: dict[Hashable, asyncio.Future[tuple[Blob, str]]] = {}

    async def get(self, key: Hashable, make: Callable[[], bytes]) -> tuple[Blob, str]:
        """The body and its ETag; made by ``make`` in a thread where it is not at hand.

        What ``make`` raises is raised here, and nothing is kept.
        """
        if (kept := self._kept.get(key)) is not None:
            self._kept.move_to_end(key)
            return kept
        if (making := self._making.get(key)) is None:
            making = asyncio.ensure_future(asyncio.to_thread(_shelved, make))
            self._making[key] = making
            making.add_done_callback(lambda made: self._put(key, made))
        return await asyncio.shield(making)

    def _put(self, key: Hashable, made: asyncio.Future[tuple[Blob, str]]) -> None:
        del self._making[key]
        if made.cancelled() or made.exception() is not None:
            return
        self._kept[key] = made.result()
        self._bytes += len(made.result()[0].head)
        while self._bytes > self._limit and len(self._kept) > 1:
            _, (dropped, _) = self._kept.popitem(last=False)
            self._bytes -= len(dropped.head)


def _shelved(make: Callable[[], bytes]) -> tuple[Blob, str]:
    blob = Blob.of(make())
    return blob, f'"{blob.digest}"'
