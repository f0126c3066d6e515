from __future__ import annotations

import http.client
import socket
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from nature_gym.evaluation.listening import MOST_CONNECTIONS, Listening, on_loopback, on_socket


async def answer(_: Request) -> PlainTextResponse:
    return PlainTextResponse("here")


APP = Starlette(routes=[Route("/", answer)])


def connected(path: Path) -> socket.socket:
    one = socket.socket(socket.AF_UNIX)
    one.settimeout(10)
    one.connect(str(path))
    return one


def test_of_connections_that_say_nothing_a_bounded_number_is_held(tmp_path: Path) -> None:
    with Listening(APP, on_socket(tmp_path / "s")):
        held = [connected(tmp_path / "s") for _ in range(MOST_CONNECTIONS)]
        further = [connected(tmp_path / "s") for _ in range(20)]
        assert [_read(one) for one in further] == [b""] * 20
        held.pop().close()
        for _ in range(100):  # until the service has seen the end of that one
            with connected(tmp_path / "s") as one:
                one.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                if b"here" in _read(one):
                    break
        else:
            raise AssertionError("a place that became free was not given away")
        for one in (*held, *further):
            one.close()


def test_an_ordinary_client_is_answered_many_times_on_one_connection() -> None:
    with Listening(APP, on_loopback(0)) as service:
        client = http.client.HTTPConnection("127.0.0.1", service.port)
        for _ in range(3):
            client.request("GET", "/")
            assert client.getresponse().read() == b"here"
        client.close()


def _read(one: socket.socket) -> bytes:
    found = b""
    try:
        while piece := one.recv(1 << 16):
            found += piece
    except (ConnectionResetError, BrokenPipeError):
        return b""
    return found
