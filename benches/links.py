"""Probing links: 1,000 over 50 hosts with 200 ms of latency each, against the bound that politeness sets.

The bound: each host is asked one thing at a time and no more than ten in a second, and all hosts side by side, so
that no prober can be faster than the host with the most links. The limit is 1.5 times that. The mini-web's log
shows that no host saw more than its limit. A second case has no latency: there the ten a second are the bound.

Run it: .venv/bin/python benches/links.py [--links 1000] [--hosts 50] [--json FILE].
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path

import requests

from nature_gym.config import load_settings
from nature_gym.demo.miniweb import Behaviour, serve
from nature_gym.demo.model import Entry, Page, Truth, World
from nature_gym.screening.probing import WebProber
from tests.unit.demo.miniweb.small_world import paper

LIMIT = 1.5
PER_SECOND = 10.0


def links(count: int, hosts: int) -> tuple[Page, ...]:
    """Pages, files and large files in turn, spread evenly."""
    pages = []
    for number in range(count):
        base = f"https://host{number % hosts}.example.org"
        if number // hosts % 2:
            pages.append(Page(f"{base}/sets/{number}", body=b"<html><body><p>A data set.</p></body></html>" * 40))
        else:
            pages.append(Page(f"{base}/{number}.tar.gz", media_type="application/gzip", declared_size=10**9))
    return tuple(pages)


def run_server(told: Connection, folder: str, pages: tuple[Page, ...], latency: float) -> None:
    """Serve the links in a process of their own."""
    world = World(0, (Entry(paper(0), Truth(()), (), (), pages),))
    serve(world, behaviour=Behaviour(latency={"*": latency}), git_cache=Path(folder), on_ready=told.send)


def measure(count: int, hosts: int, latency: float) -> dict[str, object]:
    """One case, from links to answers."""
    pages = links(count, hosts)
    bound = -(-count // hosts) * max(latency, 1 / PER_SECOND) - max(0.0, 1 / PER_SECOND - latency)
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory(prefix="naturegym-bench-") as folder:
        here, there = context.Pipe()
        server = context.Process(target=run_server, args=(there, f"{folder}/git", pages, latency), daemon=True)
        server.start()
        try:
            url = str(here.recv())
            settings = load_settings(home=Path(folder) / "home", mirror=url, probes_per_second=PER_SECOND)
            urls = [page.url for page in pages]
            began = time.perf_counter()
            probes = WebProber(settings).probe(urls)
            took = time.perf_counter() - began
            stats = requests.get(f"{url}/_demo/stats", timeout=30).json()
        finally:
            server.terminate()
            server.join()
    if not all(probe.status == "accessible" for probe in probes):
        raise SystemExit("a link was not accessible: the figures mean nothing")
    asked = [figures for host, figures in stats.items() if host.startswith("host")]
    return {
        "links": count,
        "hosts": len(asked),
        "requests": sum(figures["requests"] for figures in asked),
        "latency_seconds": latency,
        "seconds": round(took, 2),
        "bound_seconds": round(bound, 2),
        "ratio": round(took / bound, 3),
        "most_at_once_at_a_host": max(figures["most_at_once"] for figures in asked),
        "most_in_a_second_at_a_host": max(figures["most_in_a_second"] for figures in asked),
    }


def main() -> int:
    """Measure and print; 1 where a limit is missed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--links", type=int, default=1000)
    parser.add_argument("--hosts", type=int, default=50)
    parser.add_argument("--json", type=Path, help="write the figures to this file, too")
    arguments = parser.parse_args()
    cases = [measure(arguments.links, arguments.hosts, latency) for latency in (0.2, 0.0)]
    out = sys.stdout.write
    for case in cases:
        out("  ".join(f"{name} {value}" for name, value in case.items()) + "\n")
    polite = all(
        case["most_at_once_at_a_host"] == 1 and int(str(case["most_in_a_second_at_a_host"])) <= PER_SECOND
        for case in cases
    )
    held = polite and float(str(cases[0]["ratio"])) <= LIMIT
    alone = arguments.links * 1.2 / 60
    out(f"one after the other, a second apart, it would be {alone:.0f} minutes\n")
    out(
        f"limit {LIMIT} times the bound, one request at a time, {PER_SECOND:.0f} a second: "
        f"{'held' if held else 'MISSED'}\n"
    )
    if arguments.json:
        arguments.json.write_text(json.dumps({"limit": LIMIT, "cases": cases}, indent=2) + "\n", encoding="utf-8")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
