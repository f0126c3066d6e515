"""The network, the host's loopback, other hosts through the proxy, names."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterable
from contextlib import suppress

from tests.attacks.inside.kit import EGRESS, KNOWN, unix


def heard(address: str, port: int) -> str:
    """What says somebody at an address."""
    with socket.create_connection((address, port), timeout=3) as one:
        return one.recv(100).decode()


def any_of(calls: Iterable[tuple[str, int]]) -> object:
    """What can be heard at some addresses."""
    found = []
    for address, port in calls:
        try:
            found.append(heard(address, port))
        except OSError:
            continue
    return found


def loopback_of_the_host() -> object:
    """A service that listens for the host alone."""
    names = ("127.0.0.1", "localhost", "::1", "0.0.0.0", "host.docker.internal", "172.17.0.1")
    return any_of((name, KNOWN["host_port"]) for name in names)


def address_of_the_host() -> object:
    """The host by its address in its own network, and a datagram there."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.sendto(KNOWN["datagram"].encode(), (KNOWN["host_address"], KNOWN["host_datagrams"]))
    return None


def abstract_socket_of_the_host() -> object:
    """Sockets without a path belong to the network, not to the files."""
    with socket.socket(socket.AF_UNIX) as one:
        one.settimeout(3)
        one.connect("\0" + KNOWN["abstract"])
        return one.recv(100).decode()


def raw_sockets() -> object:
    """Packets of our own making."""
    found = []
    for family, kind, protocol in ((socket.AF_PACKET, socket.SOCK_RAW, 3), (socket.AF_INET, socket.SOCK_RAW, 1)):
        try:
            socket.socket(family, kind, protocol).close()
            found.append(str(family))
        except OSError:
            continue
    return found


def names() -> object:
    """Resolve a name, by the resolver and by hand."""
    found: list[object] = []
    with suppress(OSError):
        found.append(socket.getaddrinfo("example.org", 443)[0][4])
    question = b"\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x07example\x03org\x00\x00\x01\x00\x01"
    for server in ("127.0.0.11", "127.0.0.53", "192.0.2.53"):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
            one.settimeout(0.3)
            try:
                one.sendto(question, (server, 53))
                found.append(one.recv(500).hex())
            except OSError:
                continue
    return found


def asked(request: bytes) -> bytes:
    """What the proxy answers, and whoever is behind it says."""
    with unix(EGRESS) as one:
        one.sendall(request)
        found = b""
        while len(found) < 4000:
            try:
                piece = one.recv(1000)
            except OSError:
                break
            if not piece or b"HOST" in piece:
                return found + piece
            found += piece
    return found


def connect(target: str, more: str = "") -> bytes:
    """A CONNECT."""
    return asked(f"CONNECT {target} HTTP/1.1\r\n{more}\r\n".encode())


def through(answers: Iterable[bytes]) -> object:
    """Those that got through."""
    return [answer.decode("latin-1") for answer in answers if b" 200 " in answer.split(b"\r\n")[0] or b"HOST" in answer]


def proxy_to_a_host_not_listed() -> object:
    """A host that answers, and is not on the list."""
    return through([connect(f"{KNOWN['unlisted']}:443")])


def proxy_to_a_listed_name_that_is_this_machine() -> object:
    """A host on the list whose address is the host's loopback."""
    return through([connect(f"{KNOWN['listed']}:443")])


def proxy_by_other_spellings() -> object:
    """Loopback and private addresses as they can be written."""
    targets = ("2130706433:443", "0x7f000001:443", "[::ffff:127.0.0.1]:443", "127.1:443", "localhost.:443", "[::1]:443",
               f"{KNOWN['listed']}@127.0.0.78:443", f"{KNOWN['listed']}.:22", "169.254.169.254:80", "10.0.0.1:443",
               f"{KNOWN['listed']}:{KNOWN['host_port']}")  # fmt: skip
    return through(connect(target) for target in targets)


def proxy_by_other_requests() -> object:
    """Plain requests, smuggled lines, a request that claims another host."""
    listed, port = KNOWN["unlisted"], KNOWN["host_port"]
    return through([
        asked(f"GET http://127.0.0.1:{port}/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()),
        asked(f"POST http://{listed}/ HTTP/1.1\r\nContent-Length: 1\r\n\r\nx".encode()),
        connect("example.org:443", f"Host: {listed}:443\r\nX-Forwarded-For: 127.0.0.1\r\n"),
        asked(f"CONNECT example.org:443\r\nCONNECT {listed}:443 HTTP/1.1\r\n\r\n".encode()),
        asked(b"\x05\x01\x00" + json.dumps(listed).encode() + b"\r\n\r\n"),
    ])  # fmt: skip
