"""Ports of a box's loopback that lead to sockets of the host."""

import ast
import http.server
import socketserver
import threading
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

from nature_gym.sandbox import bridge
from nature_gym.sandbox.interface import Box, Limits, Mount, Outcome, Sandbox

SERVICE = "/run/service.sock"
FETCH = """
import sys, urllib.request
from concurrent.futures import ThreadPoolExecutor
def fetch(number):
    data = bytes([number]) * 1_000_000
    return urllib.request.urlopen('http://127.0.0.1:8080/', data=data, timeout=30).read() == data[::-1]
with ThreadPoolExecutor(8) as pool:
    print(sum(pool.map(fetch, range(20))))
"""


class Echo(http.server.BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))[::-1]
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing."""

    def address_string(self) -> str:
        return ""


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    request_queue_size = 64


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "s"
    with Server(str(path), Echo) as server:
        path.chmod(0o666)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield path
        server.shutdown()
        thread.join()


def run(sandbox: Sandbox, argv: list[str], service: Path) -> Outcome:
    box = Box(mounts=(bridge.mount(), Mount(service, PurePosixPath(SERVICE))), limits=Limits(seconds=60))
    return sandbox.run(box, bridge.command(argv, {8080: SERVICE}))


def test_requests_in_parallel_reach_the_service(isolating: Sandbox, service: Path) -> None:
    outcome = run(isolating, ["python3", "-c", FETCH], service)
    assert outcome.stdout.text == "20\n", outcome.stderr.text


@pytest.mark.parametrize("code", [0, 3, 137])
def test_the_exit_code_of_the_command_is_kept(isolating: Sandbox, service: Path, code: int) -> None:
    script = "kill -9 $$" if code == 137 else f"exit {code}"
    assert run(isolating, ["sh", "-c", script], service).code == code


def test_a_program_that_is_not_there_ends_with_127(isolating: Sandbox, service: Path) -> None:
    assert run(isolating, ["no-such-program"], service).code == 127


def test_a_service_that_is_gone_closes_the_connection(isolating: Sandbox, service: Path) -> None:
    service.unlink()
    service.touch()
    code = "import socket; s = socket.create_connection(('127.0.0.1', 8080)); print(s.recv(1))"
    assert run(isolating, ["python3", "-c", code], service).stdout.text == "b''\n"


def test_it_is_one_file_for_python_3_8() -> None:
    tree = ast.parse(Path(bridge.__file__).read_text(), feature_version=(3, 8))
    imported = {node.module for node in tree.body if isinstance(node, ast.ImportFrom)}
    assert imported == {"__future__", "typing"}
