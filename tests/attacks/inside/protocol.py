"""Register, reset, extend, pause, forge; submit for another trial, in a row, two at once, too late."""

# ruff: noqa: PTH104, PTH123 -- what runs inside a box speaks to the kernel, and prints

from __future__ import annotations

import hashlib
import os
import socket
import threading
import time
from typing import Any

from tests.attacks.inside.kit import EGRESS, KNOWN, RIGHT, SERVICE, ask, fresh, submit, unix


def forged_tokens() -> object:
    """Tokens that are none."""
    ours = os.environ["EVAL_TOKEN"]
    fresh(answer=RIGHT)
    forged: tuple[Any, ...] = (
        "", "x", ours[:-1], ours + "x", ours.upper(), hashlib.sha256(ours.encode()).hexdigest(), "' OR 1=1 --", "\0",
        "x" * 60_000, 0, True, [ours], {"$ne": None}, "\ud800",
    )  # fmt: skip
    return [repr(token)[:40] for token in forged if submit(token)[0] not in {400, 401}]


def no_token() -> object:
    """Requests without one."""
    bodies: tuple[Any, ...] = ({}, {"token": os.environ["EVAL_TOKEN"]}, [], "x", b"", b"eval_token=x")
    asked = [ask("POST", "/evaluate", body)[0] for body in bodies]
    asked += [ask("GET", path)[0] for path in ("/best_score", "/time_remaining", "/best_score?eval_token=")]
    return [code for code in asked if code not in {400, 401}]


def token_of_another_trial() -> object:
    """A token that is one, of a trial in the same database."""
    fresh(answer=RIGHT)
    codes = [submit(KNOWN["other_token"])[0]]
    paths = ("/best_score", "/time_remaining")
    codes += [ask("GET", f"{path}?eval_token={KNOWN['other_token']}")[0] for path in paths]
    return [code for code in codes if code != 401]


def routes_that_are_not_there() -> object:
    """The published harness registers, resets and pauses over the agent's own network."""
    names = (
        "register",
        "reset",
        "extend",
        "pause",
        "resume",
        "results",
        "finish",
        "shutdown",
        "admin",
        "trials",
        "set_time",
    )
    body = {"eval_token": os.environ["EVAL_TOKEN"], "timeout_seconds": 10**9, "task_name": "x", "seconds": 10**9}
    return [
        (method, name) for name in names for method in ("POST", "PUT", "GET", "DELETE")
        if ask(method, f"/{name}", body if method != "GET" else None)[0] < 400
    ]  # fmt: skip


def other_methods() -> object:
    """The routes that are there, asked in another way."""
    body = {"eval_token": os.environ["EVAL_TOKEN"]}
    asked = [(method, path) for method in ("PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
             for path in ("/evaluate", "/time_remaining", "/best_score", "/health")]  # fmt: skip
    asked += [("POST", "/time_remaining"), ("POST", "/best_score"), ("GET", "/evaluate")]
    found = [(method, path) for method, path in asked if ask(method, path, None if method == "GET" else body)[0] < 400]
    override = {"X-HTTP-Method-Override": "DELETE", "X-Original-URL": "/reset", "X-Forwarded-For": "127.0.0.1"}
    return [*found, *(["override"] if ask("POST", "/reset", body, override)[0] < 400 else [])]


def fields_that_are_not_asked_for() -> object:
    """A submission that brings its own score, number and budget."""
    fresh(answer=[0, 1, 0, 0])
    token = os.environ["EVAL_TOKEN"]
    before = ask("GET", f"/time_remaining?eval_token={token}")[1]
    ask("POST", "/evaluate", {
        "eval_token": token, "raw_scores": {"a": {"Score": 9.0}}, "aggregate_improvement": 9.0, "attempt": -5,
        "timeout_seconds": 10**9, "budget": 10**9, "paused": 10**9, "folder": KNOWN["record"],
        "output_dir": "/evaluation",
    })  # fmt: skip
    after = ask("GET", f"/time_remaining?eval_token={token}&timeout_seconds=999999")[1]
    best = ask("GET", f"/best_score?eval_token={token}")[1]["best_aggregate_improvement"]
    return {"after": after} if after["timeout_seconds"] != before["timeout_seconds"] or (best or 0) > 1.5 else None


def two_at_once() -> object:
    """A second answer while one is scored."""
    fresh(answer={"wait": 1.0, "answer": RIGHT})
    codes: list[int] = []
    threads = [threading.Thread(target=lambda: codes.append(submit()[0])) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    return codes if codes.count(200) != 1 or codes.count(409) != 3 else None


def too_fast() -> object:
    """As many as it takes."""
    fresh(answer=RIGHT)
    codes = [submit()[0] for _ in range(KNOWN["per_minute"] + 3)]
    return codes if 429 not in codes else None


def in_a_row_and_too_late() -> object:
    """Hold the clock by answers that take long to score, and go on when the time is up; signals are not heard."""
    import signal

    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD}:
        signal.signal(number, signal.SIG_IGN)
    fresh(answer={"wait": 0.5, "answer": RIGHT})
    codes = []
    until = time.monotonic() + 40
    while time.monotonic() < until:
        codes.append(submit()[0])
        time.sleep(0.05)
    return codes


def clock_of_the_machine() -> object:
    """Put the time back."""
    found = []
    try:
        time.clock_settime(time.CLOCK_REALTIME, time.time() - 3600)
        found.append("set")
    except OSError:
        pass
    return found


def sockets_replaced() -> object:
    """Put ourselves in the service's place, or change the bridge."""
    found = []
    for path in (SERVICE, EGRESS, "/run/bridge.py"):
        for attempt in (os.unlink, lambda one: os.rename(one, f"{one}.old"), lambda one: open(one, "ab").close()):
            try:
                attempt(path)
                found.append(path)
            except OSError:
                continue
    return found


def silent_connections() -> object:
    """Connections on which nothing is said, to use up what the service may open."""
    held: list[socket.socket] = []
    for path in (SERVICE, EGRESS):
        for _ in range(300):
            try:
                held.append(unix(path))
            except OSError:
                break
    time.sleep(0.5)
    still = sum(is_open(one) for one in held)
    return still if still > 2 * 64 + 16 else None


def is_open(one: socket.socket) -> bool:
    """Whether the other side has not hung up, whatever it said before."""
    one.setblocking(False)
    try:
        while one.recv(1000):
            pass
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def endless_request() -> object:
    """A body without end, and a head without end."""
    with unix(SERVICE) as one:
        one.sendall(b"POST /evaluate HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000000\r\n\r\n")
        sent = pushed(one, b"x" * 65536)
    with unix(SERVICE) as one:
        one.sendall(b"GET /health HTTP/1.1\r\n")
        heads = pushed(one, b"X-More: " + b"y" * 8000 + b"\r\n")
    return {"body": sent, "heads": heads} if max(sent, heads) > 16 << 20 else None


def pushed(one: socket.socket, piece: bytes) -> int:
    """How much is taken before the other side hangs up."""
    sent = 0
    one.settimeout(5)
    try:
        while sent < 32 << 20:
            sent += one.send(piece)
    except OSError:
        pass
    return sent
