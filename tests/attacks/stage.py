"""Attacks played in a real trial: the box with its bridge, the service, the way out, the evaluator in its own sandbox.

The idea: many attacks that do not disturb each other share one trial, a *scene*; an attack that ends its trial has one
of its own. The attacks know everything that could be known (paths on the host, tokens of others), so nothing is safe
only by being unknown. What they got is judged here, outside.
"""

from __future__ import annotations

import codecs
import json
import os
import secrets
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import pytest

from db.engine import open_database
from db.trials import Trials
from nature_gym.agents.events import Event
from nature_gym.agents.interface import Launch, View
from nature_gym.agents.streams.plain import read_plain
from nature_gym.evaluation import egress, service
from nature_gym.evaluation.intake import AnswerLimits
from nature_gym.evaluation.refusals import FILE, Refusals
from nature_gym.evaluation.state import Opening
from nature_gym.evaluation.tokens import token_digest, token_of
from nature_gym.evaluation.trial import Trial
from nature_gym.packaging.package import Package
from nature_gym.sandbox.docker import Docker, default_image, engine
from nature_gym.sandbox.interface import Sandbox
from nature_gym.store import Store
from nature_gym.sweeping import trial_run
from nature_gym.sweeping.folders import TrialFolder, TrialFolders
from nature_gym.sweeping.spec import Policy, TrialSpec
from nature_gym.sweeping.trial_run import Ground, run_trial
from nature_gym.sweeping.watching import Watch

INSIDE = Path(__file__).parent / "inside"
MIB = 1 << 20
TRUTH = [1, 0, 1, 1]
KEY, PAPER = "host-key-5f1d0c77ab", "quokka-10.1038-s41586"
"""A key of this machine, and what a paper is called: words that nothing inside may tell."""
LISTED, UNLISTED = "127.0.0.77", "127.0.0.78"
ANSWER_BYTES, ANSWER_FILES, SCORING_MEMORY, LOG_BYTES = 16 * MIB, 200, 256 * MIB, 64 << 10
EVALUATOR = """
import csv, json, os, pickle, time, zipfile
from pathlib import Path

INSTANCES = ["a"]
TRUTH = Path(__file__).parent / "ground_truth"


def read(folder):
    if (folder / "answer.pkl").exists():  # no careful evaluator does that
        with open(folder / "answer.pkl", "rb") as file:
            return pickle.load(file)
    if (folder / "answer.npy").exists():
        import numpy
        return numpy.load(folder / "answer.npy", allow_pickle=False).tolist()
    if (folder / "answer.zip").exists():
        with zipfile.ZipFile(folder / "answer.zip") as archive:
            return json.loads(archive.read("answer.json"))
    with open(folder / "answer.json") as file:
        return json.load(file)


def run_evaluation():
    answer = read(Path(os.environ["OUTPUT_DIR"]) / "a")
    with open(TRUTH / "a" / "answer.json") as file:
        truth = json.load(file)
    if isinstance(answer, dict):
        time.sleep(answer.get("wait", 0))
        if "result" in answer:
            return answer["result"]
        if "score" in answer:
            return {"a": {"Score": answer["score"]}}
        if "error" in answer:
            return {"a": {"Score": None, "error": answer["error"]}}
        answer = answer["answer"]
    return {"a": {"Score": sum(one == other for one, other in zip(answer, truth)) / len(truth)}}
"""
METADATA = {
    "task_name": PAPER,
    "performance_entries": [{
        "dataset_name": "a",
        "metrics": [{
            "name": "Score", "is_primary": True, "metric_direction": "higher_is_better",
            "sota_score": [{"value": "0.5", "method": PAPER}],
        }],
    }],
}  # fmt: skip


@dataclass(frozen=True)
class Scene:
    """The conditions of one trial. Seconds and bytes."""

    budget: float = 100.0
    memory: int = 1 << 30
    disk: int = 256 * MIB
    processes: int = 200
    per_minute: int = 10_000


@dataclass
class Attacker:
    """The agent: it carries all attacks, and is told which ones to make."""

    known: dict[str, Any]
    name: str = "attacker"

    def missing(self) -> str:
        return ""

    def version(self) -> str:
        return "1"

    def launch(self, view: View) -> Launch:
        files = {f"attack/{path.name}": path.read_bytes().replace(b"from tests.attacks.inside.", b"from ")
                 for path in INSIDE.glob("*.py")}  # fmt: skip
        files["attack/known.json"] = json.dumps(self.known).encode()
        return Launch(["python3", "attack/run.py"], view.environment(), (LISTED,), files)

    def events(self, stdout: Path, stderr: Path) -> Iterator[Event]:
        return read_plain(stdout, stderr)


@dataclass
class Played:
    """What a trial's attacks got, and what it left. ``marked`` are processes of the box that outlived it."""

    trial: TrialFolder
    store: Store
    package: Package
    known: dict[str, Any]
    heard: list[str] = field(default_factory=list)
    marked: list[int] = field(default_factory=list)
    other_attempts: int = 0

    @cached_property
    def lines(self) -> dict[str, dict[str, Any]]:
        """What each attack said of itself, by name."""
        found = {}
        for line in self.read("stdout").splitlines():
            with suppress(ValueError):
                told = json.loads(line)
                if isinstance(told, dict) and "attack" in told:
                    if told.get("masked"):
                        told["loot"] = json.loads(codecs.decode(told["masked"], "rot13"))
                    found[told["attack"]] = told
        return found

    @cached_property
    def submissions(self) -> list[dict[str, Any]]:
        return self.jsonl("submissions.jsonl")

    @cached_property
    def trajectory(self) -> list[dict[str, Any]]:
        return self.jsonl("trajectory.jsonl")

    @cached_property
    def sources(self) -> dict[str, str]:
        """All texts of the workspace that were kept, by path."""
        found = {}
        for path in sorted(self.trial.path.glob("attempts/*/source.json")):
            for name, digest in json.loads(path.read_bytes())["files"].items():
                found[name] = (self.trial.path / "sources" / digest[:2] / digest).read_text(
                    encoding="utf-8", errors="replace"
                )
        return found

    def read(self, name: str) -> str:
        path = self.trial.path / name
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    def jsonl(self, name: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.read(name).splitlines()]


class Host:
    """This machine as an agent may want it: who listens here, and what was heard. Keys lie about."""

    def __init__(self, folder: Path) -> None:
        self.heard: list[str] = []
        self._stack = ExitStack()
        self.address = _own_address()
        self.loopback = self._listening(socket.AF_INET, ("127.0.0.1", 0))
        for address in (LISTED, UNLISTED):
            with suppress(OSError):  # an ordinary user may not listen there: then nobody answers
                self._listening(socket.AF_INET, (address, 443))
        self.abstract = f"attacks-{secrets.token_hex(6)}"
        self._listening(socket.AF_UNIX, f"\0{self.abstract}")
        self.datagrams = self._stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        self.datagrams.bind((self.address, 0))
        self.datagrams.setblocking(False)
        self.key_file = folder / "keys" / "key.py"
        self.key_file.parent.mkdir()
        self.key_file.write_text(f"KEY = {KEY!r}\n")

    def close(self) -> None:
        with suppress(BlockingIOError):
            while True:
                self.heard.append(self.datagrams.recv(1000).decode(errors="replace"))
        self._stack.close()

    def _listening(self, family: int, address: Any) -> int:
        listener = self._stack.enter_context(socket.socket(family, socket.SOCK_STREAM))
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(16)
        self._stack.callback(_end, listener)
        threading.Thread(target=self._answer, args=(listener, str(address)), daemon=True).start()
        return int(listener.getsockname()[1]) if family == socket.AF_INET else 0

    def _answer(self, listener: socket.socket, address: str) -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                with connection:
                    self.heard.append(address)
                    connection.sendall(b"HOST")


def _end(listener: socket.socket) -> None:
    """Wake whoever waits at it."""
    with suppress(OSError):
        listener.shutdown(socket.SHUT_RDWR)


def _own_address() -> str:
    """An address of this machine that is not its loopback, where it has one. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        try:
            address = [line.split() for line in Path("/proc/net/fib_trie").read_text().splitlines()]
            local = [address[n - 1][1] for n, words in enumerate(address) if words[:2] == ["/32", "host"]]
            found = next(one for one in local if not one.startswith("127."))
            one.bind((found, 0))
        except (OSError, StopIteration, IndexError):
            return "127.0.0.1"
        return found


def make_package(folder: Path) -> Package:
    for path, text in {
        "problem/README.md": "# Task\n",
        "problem/data/a/x.json": "[1, 2, 3, 4]",
        "evaluation/evaluator.py": EVALUATOR,
        "evaluation/ground_truth/a/answer.json": json.dumps(TRUTH),
        "metadata.json": json.dumps(METADATA),
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return Package(folder)


Change = Callable[[pytest.MonkeyPatch], None]


def play(root: Path, sandbox: Sandbox, scene: Scene, attacks: Sequence[str], *changes: Change) -> Played:
    """Play ``attacks`` in one trial below ``root``, after ``changes`` to our own code."""
    home = root / f"{PAPER}-home"
    package = make_package(root / "packages" / PAPER)
    policy = Policy(
        backend=sandbox.name, cpus=2.0, memory=scene.memory, disk=scene.disk, processes=scene.processes,
        scoring_seconds=20.0, submissions_per_minute=scene.per_minute,
    )  # fmt: skip
    image = _image(sandbox)
    spec = TrialSpec(PAPER, "sha256:0", "attacker", 0, budget=scene.budget, image=image, policy=policy)
    folders = TrialFolders(home)
    folder = folders.begin(spec)
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        engine = open_database(f"sqlite:///{home / 'naturegym.db'}")
        stack.callback(engine.dispose)
        host = Host(root)
        stack.callback(host.close)
        state = Trials(engine)
        other = home / "trials" / "other"
        other.mkdir()
        other_token = token_of(other)
        state.open(Opening("other", token_digest(other_token), 0.0, 1e12))
        known = {
            "attacks": list(attacks), "truth": str(package.path / "evaluation/ground_truth/a/answer.json"),
            "evaluator": str(package.path / "evaluation/evaluator.py"), "metadata": str(package.path / "metadata.json"),
            "record": str(folder), "key_file": str(host.key_file), "other_token_file": str(other / "token"),
            "other_token": other_token, "database": str(home / "naturegym.db"), "host_port": host.loopback,
            "host_address": host.address, "host_datagrams": host.datagrams.getsockname()[1],
            "datagram": secrets.token_hex(8), "abstract": host.abstract, "listed": LISTED, "unlisted": UNLISTED,
            "per_minute": scene.per_minute, "answer_bytes": ANSWER_BYTES, "answer_files": ANSWER_FILES,
            "scoring_memory": SCORING_MEMORY, "memory": scene.memory, "disk": scene.disk, "processes": scene.processes,
            "mark": f"mark-{secrets.token_hex(8)}", "host_pids": [os.getpid(), os.getppid()],
        }  # fmt: skip
        _make_small(patch)
        for change in changes:
            change(patch)
        ground = Ground(sandbox, state, Store(home / "store"), Watch())
        run_trial(spec, package, Attacker(known), folder, ground)
        marked = _marked(known["mark"])
        for pid in marked:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        attempts = state.standing("other").attempts
    found = folders.get(spec.id)
    assert found is not None
    return Played(found, ground.store, package, known, host.heard, marked, attempts)


def _image(sandbox: Sandbox) -> str:
    """An image is named where an engine makes boxes: the evaluator's Python is then the image's, too."""
    if not isinstance(sandbox, Docker):
        return ""
    with engine() as client:
        return default_image(client)


def _make_small(patch: pytest.MonkeyPatch) -> None:
    """Bounds that are reached in seconds, a key in our environment, and no waiting for a disk."""
    limits = AnswerLimits(size=ANSWER_BYTES, files=ANSWER_FILES)
    patch.setenv("MODEL_API_KEY", KEY)
    patch.setattr(trial_run, "Trial", partial(Trial, answers=limits, scoring_memory=SCORING_MEMORY))
    patch.setattr(egress, "LARGEST_LOG", LOG_BYTES)
    patch.setattr(service, "Refusals", partial(Refusals, largest=LOG_BYTES))
    patch.setattr(os, "fsync", lambda _: None)


def _marked(mark: str) -> list[int]:
    """Processes of this machine with the mark among their arguments, apart from those that end in this moment."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if mark.encode() in path.read_bytes():
                found.append(int(path.parent.name))
    return found


REFUSED = FILE
