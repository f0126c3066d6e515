"""Runs inside a box: listens on ports of its loopback and passes each connection on to a mounted Unix socket.

A box has no network. Programs that know only addresses (an agent, its HTTP client, a proxy setting) speak to
``127.0.0.1:PORT``; this file carries the bytes to the socket behind which the host listens, looks at none of them, and
ends with the exit code of the command that it runs. It is one file for any Python from 3.8 on, without a package, so
that it can be mounted into whatever image::

    box = Box(mounts=(bridge.mount(), Mount(service, PurePosixPath("/run/service.sock"))))
    sandbox.run(box, bridge.command(["agent", "--url", "http://127.0.0.1:8080"], {8080: "/run/service.sock"}))

Inside: ``python3 bridge.py PORT=SOCKET ... -- COMMAND ...``.
"""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Dict, List, Sequence  # noqa: UP035 -- for Python 3.8

if TYPE_CHECKING:
    from nature_gym.sandbox.interface import Mount

INSIDE = "/run/bridge.py"
_PIECE = 1 << 16
_WAITING = 128


def mount() -> Mount:
    """This file, where :func:`command` looks for it."""
    from pathlib import Path, PurePosixPath

    from nature_gym.sandbox.interface import Mount

    return Mount(Path(__file__), PurePosixPath(INSIDE))


def command(argv: Sequence[str], sockets: Dict[int, str]) -> List[str]:  # noqa: UP006 -- for Python 3.8
    """``argv``, run behind the bridge: each port of the loopback leads to the socket at that path in the box."""
    ports = ["{}={}".format(port, path) for port, path in sockets.items()]  # noqa: UP032 -- as the rest
    return ["python3", "-I", "-S", INSIDE, *ports, "--", *argv]


def carry(source: socket.socket, sink: socket.socket) -> None:
    """Bytes of one direction until their end, which is passed on, too."""
    try:
        while True:
            piece = source.recv(_PIECE)
            if not piece:
                break
            sink.sendall(piece)
    except OSError:
        pass  # one side is gone: then the other is told so
    for side, how in ((sink, socket.SHUT_WR), (source, socket.SHUT_RD)):
        try:
            side.shutdown(how)
        except OSError:
            continue


def connect(client: socket.socket, path: str) -> None:
    """One connection, both directions, to its end."""
    with client, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        try:
            server.connect(path)
        except OSError:
            return  # nobody listens: the client sees its connection closed
        back = threading.Thread(target=carry, args=(server, client), daemon=True)
        back.start()
        carry(client, server)
        back.join()


def listen(port: int, path: str) -> None:
    """Take connections to a port of the loopback from now on."""
    server = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind(("127.0.0.1", port))
    server.listen(_WAITING)

    def serve() -> None:
        while True:
            try:
                client, _ = server.accept()
                threading.Thread(target=connect, args=(client, path), daemon=True).start()
            except (OSError, RuntimeError):
                continue  # no descriptor or thread is free now: the box's own limit

    threading.Thread(target=serve, daemon=True).start()


def main(arguments: List[str]) -> int:  # noqa: UP006 -- for Python 3.8
    """Listen, run the command, and end as it does."""
    end = arguments.index("--")
    for line in arguments[:end]:
        port, _, path = line.partition("=")
        listen(int(port), path)
    try:
        running = subprocess.Popen(arguments[end + 1 :])
    except OSError as error:
        sys.stderr.write("{}: {}\n".format(arguments[end + 1], error.strerror))  # noqa: UP032
        return 126 if isinstance(error, PermissionError) else 127
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda told, _: running.send_signal(told))
    code = running.wait()
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
