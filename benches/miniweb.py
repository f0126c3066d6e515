"""How many requests the mini-web answers in a second on one core, with latencies and faults set.

The server runs in a process of its own, tied to one core; the client, tied to another where
there is one, keeps a number of connections busy. The limit is 500 requests a second on pages
that are at hand, with 20 ms of latency and some requests that fail; with ``n`` connections no
server can do more than ``n / latency``, which is printed beside it.

Run it: .venv/bin/python benches/miniweb.py [--seconds 3] [--connections 32] [--json FILE].
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from urllib.parse import urlsplit

from nature_gym.demo.miniweb import Behaviour, serve
from nature_gym.demo.model import Paper
from tests.unit.demo.miniweb.small_world import PlainPress, paper, small_world

LATENCY = 0.02
LIMIT = 500.0
PAPERS = 200


class HeavyPress(PlainPress):
    """Pages of the size that articles have."""

    def article_page(self, paper: Paper) -> bytes:
        return super().article_page(paper) + b"<p>text</p>\n" * 6000


@dataclass(frozen=True, slots=True)
class Case:
    """One kind of request: the addresses that are asked in turn."""

    name: str
    addresses: tuple[str, ...]


def cases() -> list[Case]:
    """What a run asks for most, and all of it mixed."""
    articles = tuple(f"/www.nature.com/articles/{paper(number).suffix}" for number in range(PAPERS))
    works = tuple(f"/api.openalex.org/works?per-page=25&page={page}" for page in range(1, 8))
    records = ("/zenodo.org/api/records/7000009", "/api.figshare.com/v2/articles/2100001")
    repositories = ("/api.github.com/repos/Calder-Lab/GraphNet/git/trees/main?recursive=1",)
    dois = tuple(f"/doi.org/{paper(number).doi}" for number in range(PAPERS))
    mixed = tuple(one for group in zip(articles, works * 40, records * 100, dois, strict=False) for one in group)
    return [
        Case("article pages (72 KB)", articles),
        Case("lists of works (25)", works),
        Case("records of deposits", records),
        Case("trees of a repository", repositories),
        Case("redirects of DOIs", dois),
        Case("mixed", mixed),
    ]


def pin(core: int) -> None:
    """Tie this process to one core, where the machine has that many."""
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[core % len(cores)]})


def run_server(told: Connection, folder: str) -> None:
    """Serve the bench's world on one core."""
    pin(0)
    behaviour = Behaviour(latency={"*": LATENCY}, jitter=0.5, faults={"*": {"error": 0.01, "unavailable": 0.01}})
    world = small_world(papers=PAPERS)
    serve(world, behaviour=behaviour, git_cache=Path(folder), press=HeavyPress(), on_ready=told.send)


async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, address: str) -> int:
    """One request on an open connection; gives back the status."""
    writer.write(f"GET {address} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    head = await reader.readuntil(b"\r\n\r\n")
    lower = head.lower()
    start = lower.index(b"content-length:") + len(b"content-length:")
    await reader.readexactly(int(lower[start : lower.index(b"\r\n", start)]))
    return int(head[9:12])


async def drive(
    url: str, addresses: Sequence[str], connections: int, seconds: float
) -> tuple[float, Counter[int], float]:
    """Requests a second, statuses, and the median time of a request."""
    parts = urlsplit(url)
    statuses: Counter[int] = Counter()
    times: list[float] = []
    began = time.perf_counter()

    async def one(offset: int) -> None:
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port, limit=1 << 20)
        place = offset
        while time.perf_counter() < began + seconds:
            asked = time.perf_counter()
            statuses[await ask(reader, writer, addresses[place % len(addresses)])] += 1
            times.append(time.perf_counter() - asked)
            place += connections
        writer.close()
        await writer.wait_closed()

    await asyncio.gather(*(one(offset) for offset in range(connections)))
    rate = statuses.total() / (time.perf_counter() - began)
    return rate, statuses, sorted(times)[len(times) // 2]


def measure(url: str, seconds: float, connections: int) -> list[dict[str, object]]:
    """Every case, after one round in which everything is made."""
    rows: list[dict[str, object]] = []
    for case in cases():
        asyncio.run(drive(url, case.addresses, connections, seconds / 3))
        rate, statuses, median = asyncio.run(drive(url, case.addresses, connections, seconds))
        rows.append(
            {
                "case": case.name,
                "requests_per_second": round(rate, 1),
                "median_ms": round(median * 1000, 1),
                "failed_on_purpose": round((statuses[500] + statuses[503]) / statuses.total(), 4),
            }
        )
    return rows


def main() -> int:
    """Measure and print; 1 where the limit is missed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--seconds", type=float, default=3.0, help="for each case")
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--json", type=Path, help="write the figures to this file, too")
    arguments = parser.parse_args()
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory(prefix="naturegym-bench-") as folder:
        here, there = context.Pipe()
        server = context.Process(target=run_server, args=(there, folder), daemon=True)
        server.start()
        pin(1)
        try:
            rows = measure(str(here.recv()), arguments.seconds, arguments.connections)
        finally:
            server.terminate()
            server.join()
    bound = arguments.connections / LATENCY
    out = sys.stdout.write
    out(f"{'':<24}{'requests/s':>12}{'median ms':>12}{'failed':>9}\n")
    for row in rows:
        out(
            f"{row['case']:<24}{row['requests_per_second']:>12.0f}{row['median_ms']:>12.1f}"
            f"{row['failed_on_purpose']:>9.1%}\n"
        )
    out(f"{arguments.connections} connections, {LATENCY * 1000:.0f} ms latency: no more than {bound:.0f} a second\n")
    slowest = min(float(str(row["requests_per_second"])) for row in rows)
    out(f"slowest case {slowest:.0f} a second; limit {LIMIT:.0f}: {'held' if slowest >= LIMIT else 'MISSED'}\n")
    if arguments.json:
        told = {"latency_seconds": LATENCY, "connections": arguments.connections, "limit": LIMIT, "cases": rows}
        arguments.json.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    return 0 if slowest >= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
