"""The proxy of a trial, over real sockets: who gets through, who does not, and that each leaves a line."""

from __future__ import annotations

import json
import socket
import socketserver
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from nature_gym.evaluation import egress
from nature_gym.evaluation.egress import Allowed, Egress, is_public


class _Upper(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        for line in self.rfile:
            self.wfile.write(line.upper())


@pytest.fixture
def provider() -> Iterator[int]:
    """A host that answers, at its port on loopback."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Upper) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def _resolving(*addresses: str) -> egress.Resolve:
    async def resolve(_host: str, _port: int) -> Sequence[str]:
        return addresses

    return resolve


def _ask(path: Path, request: bytes) -> tuple[socket.socket, bytes]:
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(10)
    client.connect(str(path))
    client.sendall(request)
    answer = b""
    while b"\r\n\r\n" not in answer:
        block = client.recv(4096)
        if not block:
            break
        answer += block
    return client, answer


def _lines(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text().splitlines()]


def _connect(host: str, port: int) -> bytes:
    return f"CONNECT {host}:{port} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode()


def test_a_host_of_the_list_is_reached_and_written_down(tmp_path: Path, provider: int) -> None:
    allowed = Allowed(("api.provider.example",), (provider,))
    with Egress(tmp_path / "s", tmp_path / "log", allowed, resolve=_resolving("127.0.0.1"), is_public=lambda _: True):
        client, answer = _ask(tmp_path / "s", _connect("API.provider.example", provider))
        assert answer.startswith(b"HTTP/1.1 200")
        client.sendall(b"hello\n")
        assert client.recv(100) == b"HELLO\n"
        client.shutdown(socket.SHUT_WR)
        assert client.recv(100) == b""
        client.close()
    (line,) = _lines(tmp_path / "log")
    assert (line["host"], line["port"], line["verdict"]) == ("API.provider.example", provider, "connected")
    assert (line["sent"], line["received"]) == (6, 6)


@pytest.mark.parametrize(
    ("request_line", "status", "reason"),
    [
        (_connect("other.example", 443), b"403", "not on the list"),
        (_connect("api.provider.example.evil.example", 443), b"403", "not on the list"),
        (_connect("xapi.provider.example", 443), b"403", "not on the list"),
        (_connect("api.provider.example", 22), b"403", "not on the list"),
        (_connect("127.0.0.1", 443), b"403", "not on the list"),
        (b"GET http://api.provider.example/ HTTP/1.1\r\n\r\n", b"405", "only CONNECT"),
        (b"CONNECT api.provider.example HTTP/1.1\r\n\r\n", b"400", "no host and port"),
        (b"CONNECT api.provider.example:99999999 HTTP/1.1\r\n\r\n", b"400", "no host and port"),
        ("CONNECT \u0430pi.provider.example:443 HTTP/1.1\r\n\r\n".encode(), b"400", "not in ASCII"),
        (b"CONNECT api.provider.example:443 HTTP/1.1\r\nX: " + b"a" * 20_000 + b"\r\n\r\n", b"431", "too long"),
    ],
)
def test_what_is_not_let_through_is_told_and_written_down(
    tmp_path: Path, request_line: bytes, status: bytes, reason: str
) -> None:
    with Egress(tmp_path / "s", tmp_path / "log", Allowed(("api.provider.example",)), resolve=_resolving("9.9.9.9")):
        client, answer = _ask(tmp_path / "s", request_line)
        client.close()
    assert answer.split(b" ")[1] == status
    (line,) = _lines(tmp_path / "log")
    assert line["verdict"] == "refused"
    assert reason in line["reason"]


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.1.2.3", "169.254.169.254", "192.168.0.1", "100.64.0.1", "0.0.0.0", "224.0.0.1", "::1", "fe80::1",
     "fc00::1", "::ffff:10.0.0.1", "2002:7f00:1::", "64:ff9b::7f00:1", "fe80::1%eth0"],
)  # fmt: skip
def test_an_allowed_name_that_resolves_to_a_private_address_is_refused(tmp_path: Path, address: str) -> None:
    assert not is_public(address)
    allowed = Allowed(("api.provider.example",))
    with Egress(tmp_path / "s", tmp_path / "log", allowed, resolve=_resolving("9.9.9.9", address)):
        client, answer = _ask(tmp_path / "s", _connect("api.provider.example", 443))
        client.close()
    assert answer.startswith(b"HTTP/1.1 403")
    assert _lines(tmp_path / "log")[0]["reason"] == "the host's address is not a public one"


@pytest.mark.parametrize("address", ["9.9.9.9", "2620:fe::fe", "::ffff:9.9.9.9"])
def test_addresses_of_the_internet_are_public(address: str) -> None:
    assert is_public(address)


def test_names_below_a_name_are_those_and_not_itself() -> None:
    allowed = Allowed(("*.provider.example",))
    assert allowed.holds("a.provider.example.", 443)
    assert not allowed.holds("provider.example", 443)
    assert not allowed.holds("aprovider.example", 443)


def test_a_request_that_never_ends_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(egress, "REQUEST_SECONDS", 0.05)
    with Egress(tmp_path / "s", tmp_path / "log", Allowed()):
        client, answer = _ask(tmp_path / "s", b"CONNECT a")
        client.close()
    assert answer.startswith(b"HTTP/1.1 408")


def test_the_log_is_bounded_and_says_that_it_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(egress, "LARGEST_LOG", 600)
    with Egress(tmp_path / "s", tmp_path / "log", Allowed()):
        for _ in range(20):
            client, _answer = _ask(tmp_path / "s", _connect("other.example", 443))
            client.close()
    assert "the log is full" in _lines(tmp_path / "log")[-1]["reason"]
    assert (tmp_path / "log").stat().st_size < 900


def test_a_log_that_is_a_link_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "host").write_text("kept")
    (tmp_path / "log").symlink_to(tmp_path / "host")
    with Egress(tmp_path / "s", tmp_path / "log", Allowed()):
        client, _answer = _ask(tmp_path / "s", _connect("other.example", 443))
        client.close()
    assert (tmp_path / "host").read_text() == "kept"


def test_too_many_connections_at_once_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(egress, "MOST_CONNECTIONS", 1)
    with Egress(tmp_path / "s", tmp_path / "log", Allowed(("a.example",)), resolve=_resolving("10.0.0.1")):
        waiting = socket.socket(socket.AF_UNIX)
        waiting.connect(str(tmp_path / "s"))
        client, answer = _ask(tmp_path / "s", _connect("a.example", 443))
        waiting.close()
        client.close()
    assert answer.startswith(b"HTTP/1.1 429")


def test_connections_that_say_nothing_are_hung_up_on_before_they_pile_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(egress, "MOST_CONNECTIONS", 4)
    with Egress(tmp_path / "s", tmp_path / "log", Allowed()):
        silent = []
        for _ in range(12):
            one = socket.socket(socket.AF_UNIX)
            one.settimeout(5)
            one.connect(str(tmp_path / "s"))
            silent.append(one)
        answers = [one.recv(100) for one in silent[4:]]
        assert all(answer.startswith(b"HTTP/1.1 429") for answer in answers)
        for one in silent:
            one.close()
