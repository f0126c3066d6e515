"""The way out of an agent's sandbox: a proxy that lets through to the hosts of a list, and writes down what was asked.

Threat: the agent asks for hosts that are not its provider's, for this machine or its neighbours by a name that
resolves to them, for a name that resolves otherwise the second time, by a raw address, with requests that never end,
with so many that the log fills a disk. Invariant: only ``CONNECT host:port`` to a host of the list is answered; the
name is resolved here, once, and the connection goes to the address that was looked at; loopback, private, link-local
and reserved addresses are refused; every request leaves one line in ``egress.jsonl``, up to a bound.

It listens on a Unix socket, which is mounted into the sandbox; the bridge there makes it ``http://127.0.0.1:PORT``.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import os
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

LARGEST_REQUEST = 8 << 10
"""Bytes of a CONNECT request with its headers."""
REQUEST_SECONDS = 10.0
CONNECT_SECONDS = 15.0
IDLE_SECONDS = 600.0
"""A model may think for minutes before it says a word."""
MOST_CONNECTIONS = 64
LARGEST_LOG = 8 << 20
BLOCK = 64 << 10
PORTS = (443,)

Verdict = Literal["connected", "refused", "failed"]
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]


@dataclass(frozen=True, slots=True)
class Allowed:
    """What may be reached: names, and ``*.name`` for all below a name; ports."""

    hosts: tuple[str, ...] = ()
    ports: tuple[int, ...] = PORTS

    def holds(self, host: str, port: int) -> bool:
        """Whether a host, as it was asked for, is on the list."""
        name = host.lower().rstrip(".")
        below = any(pattern.startswith("*.") and name.endswith(pattern[1:]) for pattern in self.hosts)
        return port in self.ports and (below or name in self.hosts)


@dataclass(slots=True)
class Request:
    """A line of the log. ``time`` in seconds since 1970; bytes as they went by, encrypted."""

    time: float
    host: str
    port: int
    verdict: Verdict
    reason: str = ""
    address: str = ""
    sent: int = 0
    received: int = 0
    seconds: float = field(default=0.0)


class RefusedError(Exception):
    """A request is not let through; ``status`` is the answer's."""

    def __init__(self, reason: str, status: int = 403) -> None:
        super().__init__(reason)
        self.status = status


def is_public(address: str) -> bool:
    """Whether an address belongs to the internet at large, seen through the forms that hide another in it."""
    parsed = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(parsed, ipaddress.IPv6Address):
        inner = parsed.ipv4_mapped or parsed.sixtofour or (parsed.teredo[1] if parsed.teredo else None)
        if inner is not None:
            return is_public(str(inner))
        if parsed in NAT64:
            return is_public(str(ipaddress.IPv4Address(int(parsed) & 0xFFFFFFFF)))
    return parsed.is_global and not parsed.is_multicast


NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


async def resolve(host: str, port: int) -> Sequence[str]:
    """The addresses of a name, by this machine's resolver."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]


class Egress:
    """The proxy of one trial. Used as a context manager: it serves in a thread of its own between enter and exit."""

    def __init__(
        self,
        path: Path,
        log: Path,
        allowed: Allowed,
        *,
        resolve: Resolve = resolve,
        is_public: Callable[[str], bool] = is_public,
    ) -> None:
        """``path`` is the socket's, ``log`` the trial's ``egress.jsonl``."""
        self.path = path
        self._log = log
        self._allowed = allowed
        self._resolve = resolve
        self._is_public = is_public
        self._open = 0
        self._logged = log.stat().st_size if log.exists() else 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="egress", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _listen(self) -> None:
        self.path.unlink(missing_ok=True)
        self._server = await asyncio.start_unix_server(self._serve, self.path, limit=LARGEST_REQUEST)
        self.path.chmod(0o666)  # the sandbox's user is nobody; who may enter the folder decides

    async def _end(self) -> None:
        self._server.close()
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.path.unlink(missing_ok=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection: a request, an answer, and then bytes both ways until one side ends."""
        request = Request(time.time(), "", 0, "refused")
        began = time.monotonic()
        self._open += 1
        try:
            self._check_room()  # before anything is waited for, or silent connections would pile up
            request.host, request.port = await _asked(reader)
            await self._carry(request, reader, writer)
        except RefusedError as error:
            request.reason = str(error)
            await _answer(writer, error.status, str(error))
        except (OSError, asyncio.IncompleteReadError) as error:
            request.verdict, request.reason = "failed", type(error).__name__
        except asyncio.CancelledError:
            request.reason = "the trial ended"  # and this task with it: nobody waits for what it raises
        finally:
            self._open -= 1
            request.seconds = round(time.monotonic() - began, 3)
            self._write(request)
            writer.close()

    def _check_room(self) -> None:
        if self._open > MOST_CONNECTIONS:
            raise RefusedError("too many connections at once", 429)

    async def _carry(self, request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self._allowed.holds(request.host, request.port):
            raise RefusedError("this host is not on the list of those that may be reached")
        request.address = await self._public_address(request)
        try:
            opening = asyncio.open_connection(request.address, request.port)
            there, back = await asyncio.wait_for(opening, CONNECT_SECONDS)
        except (OSError, TimeoutError):
            request.verdict = "failed"
            raise RefusedError("the host does not answer", 502) from None
        request.verdict = "connected"
        try:
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            await asyncio.gather(_pipe(reader, back, request, "sent"), _pipe(there, writer, request, "received"))
        finally:
            back.close()

    async def _public_address(self, request: Request) -> str:
        """The address to connect to, which is the one that was looked at."""
        try:
            found = await asyncio.wait_for(self._resolve(request.host, request.port), CONNECT_SECONDS)
        except (OSError, TimeoutError, UnicodeError):
            request.verdict = "failed"
            raise RefusedError("the host's name cannot be resolved", 502) from None
        if not found or not all(map(self._is_public, found)):
            raise RefusedError("the host's address is not a public one")
        return found[0]

    def _write(self, request: Request) -> None:
        """Add a line to the log; past its bound only the last line says so."""
        line = json.dumps(asdict(request), ensure_ascii=True).encode() + b"\n"
        if self._logged > LARGEST_LOG:
            return
        self._logged += len(line)
        if self._logged > LARGEST_LOG:
            line = b'{"verdict": "refused", "reason": "the log is full; later requests are not in it"}\n'
        descriptor = os.open(self._log, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
        with os.fdopen(descriptor, "ab") as file:
            file.write(line)


async def _asked(reader: asyncio.StreamReader) -> tuple[str, int]:
    """The host and port of a CONNECT request. Raises RefusedError for anything else."""
    try:
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), REQUEST_SECONDS)
    except TimeoutError:
        raise RefusedError("the request was not complete in time", 408) from None
    except asyncio.LimitOverrunError:
        raise RefusedError("the request is too long", 431) from None
    words = head.split(b"\r\n", 1)[0].split(b" ")
    if len(words) != 3 or words[0] != b"CONNECT" or not words[2].startswith(b"HTTP/1."):
        raise RefusedError("only CONNECT is served here", 405)
    host, colon, port = words[1].rpartition(b":")
    if not colon or not port.isdigit() or len(port) > len("65535") or not host or len(host) > 253:
        raise RefusedError("the request names no host and port", 400)
    try:
        return host.decode("ascii").strip("[]"), int(port)
    except UnicodeDecodeError:
        raise RefusedError("the host's name is not in ASCII", 400) from None


async def _answer(writer: asyncio.StreamWriter, status: int, reason: str) -> None:
    body = json.dumps({"error": reason}).encode() + b"\n"
    head = f"HTTP/1.1 {status} Refused\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    with suppress(OSError):
        writer.write(head.encode() + b"Connection: close\r\n\r\n" + body)
        await asyncio.wait_for(writer.drain(), REQUEST_SECONDS)


async def _pipe(
    source: asyncio.StreamReader, sink: asyncio.StreamWriter, request: Request, way: Literal["sent", "received"]
) -> None:
    """Carry bytes until the source ends or is idle for too long, and count them in ``request``."""
    try:
        while block := await asyncio.wait_for(source.read(BLOCK), IDLE_SECONDS):
            setattr(request, way, getattr(request, way) + len(block))
            sink.write(block)
            await sink.drain()
    except (OSError, TimeoutError):
        pass
    finally:
        with suppress(OSError, RuntimeError):
            sink.write_eof() if sink.can_write_eof() else sink.close()
