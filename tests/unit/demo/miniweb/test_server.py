from __future__ import annotations

import socket

from nature_gym.demo.miniweb.server import _listen


def test_small_answers_do_not_wait_for_an_acknowledgement() -> None:
    # asyncio turns Nagle's algorithm off on sockets that say they are TCP, and on no others.
    with _listen(0) as listener:
        assert listener.proto == socket.IPPROTO_TCP
        assert listener.getsockname()[0] == "127.0.0.1"
