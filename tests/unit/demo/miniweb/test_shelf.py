from __future__ import annotations

import asyncio
from functools import partial

import pytest

from nature_gym.demo.miniweb.shelf import Shelf


def test_what_many_want_at_once_is_made_once() -> None:
    made: list[int] = []

    def make() -> bytes:
        made.append(1)
        return b"body"

    async def ask() -> None:
        shelf = Shelf()
        got = await asyncio.gather(*(shelf.get("key", make) for _ in range(20)))
        assert {blob.head for blob, _ in got} == {b"body"}

    asyncio.run(ask())
    assert made == [1]


def test_what_was_not_used_for_longest_goes_first() -> None:
    made: list[str] = []

    def make(key: str) -> bytes:
        made.append(key)
        return bytes(100)

    async def ask() -> None:
        shelf = Shelf(limit=250)
        for key in ("a", "b", "a", "c", "a", "b"):
            await shelf.get(key, partial(make, key))

    asyncio.run(ask())
    assert made == ["a", "b", "c", "b"]


def test_a_failure_is_passed_on_and_not_kept() -> None:
    def fail() -> bytes:
        raise ValueError("no font")

    async def ask() -> None:
        shelf = Shelf()
        with pytest.raises(ValueError, match="no font"):
            await shelf.get("key", fail)
        assert (await shelf.get("key", lambda: b"body"))[0].head == b"body"

    asyncio.run(ask())
