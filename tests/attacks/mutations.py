"""What each defence is worth: taken out, the attacks against it win. Where two stand behind each other, both go.

    python -m pytest tests/attacks/test_mutations.py

A mutation is a change to our own code for one trial; it makes the attacks that it names win, in that trial.
"""

from __future__ import annotations

import dataclasses
import os
import shutil
import stat
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from nature_gym.agents.intake import Intake
from nature_gym.evaluation import desk, egress, improvement, intake, listening, service, sources
from nature_gym.evaluation.clock import Clock
from nature_gym.evaluation.desk import Pace
from nature_gym.evaluation.intake import Taken
from nature_gym.evaluation.refusals import Refusals
from nature_gym.judging import shown
from nature_gym.packaging.package import Package
from nature_gym.sandbox import bubblewrap, mounts, seccomp, watching
from nature_gym.sandbox.interface import Box, Limits, Mount
from nature_gym.sweeping import evidence, trial_run
from tests.attacks.stage import Change


@dataclass(frozen=True)
class Mutation:
    """``defence`` in words; ``change`` takes it out; ``attacks`` win then. Made under bubblewrap."""

    defence: str
    change: Change
    attacks: Sequence[str]


def _setting(target: object, name: str, value: object) -> Change:
    return lambda patch: patch.setattr(target, name, value)


def _both(*changes: Change) -> Change:
    def change(patch: pytest.MonkeyPatch) -> None:
        for one in changes:
            one(patch)

    return change


def _without_options(*left_out: str) -> Change:
    """Bubblewrap is asked for less."""

    def change(patch: pytest.MonkeyPatch) -> None:
        usual = bubblewrap._Tree._arguments

        def fewer(tree: Any, mounts: list[Mount]) -> tuple[list[dict[str, Any]], list[str]]:
            stages, arguments = usual(tree, mounts)
            return stages, [one for one in arguments if one not in left_out]

        patch.setattr(bubblewrap._Tree, "_arguments", fewer)

    return change


def _box(change_box: Callable[[Box, Package], Box]) -> Change:
    """The agent's box is another one."""

    def change(patch: pytest.MonkeyPatch) -> None:
        usual = trial_run._box

        def other(spec: Any, package: Package, *rest: Any) -> Box:
            return change_box(usual(spec, package, *rest), package)

        patch.setattr(trial_run, "_box", other)

    return change


def _whole_package(box: Box, package: Package) -> Box:
    kept = [one for one in box.mounts if one.source != package.path / "problem"]
    task = next(one for one in box.mounts if one not in kept)
    return dataclasses.replace(box, mounts=(*kept, Mount(package.path, task.target.parent)))


def _where_they_lie(box: Box, package: Package) -> Box:
    """The host's own folders at the host's own paths."""
    root = package.path.parents[1]
    return dataclasses.replace(box, mounts=(*box.mounts, Mount(root, PurePosixPath(root), writable=True)))


def _writable_task(box: Box, _: Package) -> Box:
    changed = tuple(dataclasses.replace(one, writable=True) for one in box.mounts)
    return dataclasses.replace(box, mounts=changed)


def _without_limits(box: Box, _: Package) -> Box:
    return dataclasses.replace(box, limits=Limits(seconds=box.limits.seconds, open_files=20_000))


def _host_environment(patch: pytest.MonkeyPatch) -> None:
    usual = mounts.environment
    patch.setattr(bubblewrap, "environment", lambda box, path: {**usual(box, path), "KEY": os.environ["MODEL_API_KEY"]})


def _no_overlays(patch: pytest.MonkeyPatch) -> None:
    usual = bubblewrap._staged

    def plain(stages: list[dict[str, Any]], source: Path, *, writable: bool = False, overlay: bool = False) -> str:
        return usual(stages, source, writable=writable)

    patch.setattr(bubblewrap, "_staged", plain)


def _copied_as_it_reads(workspace: Path, name: str, into: Path, limits: Any = None) -> Taken:
    """What a harness does that knows no threat: ``cp -rL``."""
    shutil.copytree(workspace / name, into, symlinks=False)
    for path in into.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return Taken({str(path.relative_to(into)): path.stat().st_size for path in into.rglob("*") if path.is_file()})


class _EverythingRegular:
    """``stat`` for whom everything but a folder is a plain file."""

    def __getattr__(self, name: str) -> Any:
        return getattr(stat, name)

    @staticmethod
    def S_ISREG(mode: int) -> bool:  # noqa: N802
        return not stat.S_ISDIR(mode)


def _no_answer_limits(patch: pytest.MonkeyPatch) -> None:
    from functools import partial

    from nature_gym.evaluation.intake import AnswerLimits
    from nature_gym.evaluation.trial import Trial

    patch.setattr(trial_run, "Trial", partial(Trial, answers=AnswerLimits(files=100_000, depth=1000)))


def _sources_through_links(patch: pytest.MonkeyPatch) -> None:
    class Following:
        def __getattr__(self, name: str) -> Any:
            return getattr(os, name)

        @staticmethod
        def stat(name: str, *, dir_fd: int, follow_symlinks: bool) -> os.stat_result:
            return os.stat(name, dir_fd=dir_fd)

    patch.setattr(sources, "os", Following())
    patch.setattr(sources, "_OPEN", os.O_RDONLY)


def _any_token(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(desk, "is_token", lambda given, digest: True)


def _no_deadline(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Clock, "is_over", lambda clock, now: False)
    patch.setattr(Clock, "remaining", lambda clock, now: 1000.0)
    patch.setattr(trial_run, "Limits", lambda **given: Limits(**{**given, "seconds": 30.0}))


def _as_many_connections_as_come(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(listening, "MOST_CONNECTIONS", 10_000)
    patch.setattr(egress, "MOST_CONNECTIONS", 10_000)


def _everything_out(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(egress.Allowed, "holds", lambda allowed, name, port: True)
    patch.setattr(
        egress.Egress.__init__, "__kwdefaults__", {"resolve": egress.resolve, "is_public": lambda address: True}
    )


def _processes_left(patch: pytest.MonkeyPatch) -> None:
    """The command is waited for, and what it started is not: no namespace of processes, no first process to end."""
    _without_options("--unshare-pid", "--die-with-parent")(patch)


def _nothing_bounded(patch: pytest.MonkeyPatch) -> None:
    from functools import partial

    patch.setattr(evidence.Streams.__init__, "__kwdefaults__", {"largest": 1 << 40})
    patch.setattr(egress, "LARGEST_LOG", 1 << 40)
    patch.setattr(service, "Refusals", partial(Refusals, largest=1 << 40))


def _digests_through_links(folder: Path, name: str) -> Any:
    return (folder / name).open("rb")


def _cleared_as_folders(path: Path) -> None:
    shutil.rmtree(path, ignore_errors=True)


def _as_printed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Intake, "text", lambda intake, text: text)
    patch.setattr(trial_run, "remove_secrets", lambda path, secrets: None)


def _judge_reads_all(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(shown, "_ADDRESSED", _Never())
    patch.setattr(shown, "is_instruction", lambda text: False)


class _Never:
    @staticmethod
    def search(text: str) -> None:
        return None


MUTATIONS: Mapping[str, Mutation] = {
    "whole package mounted": Mutation(
        "of a package, problem/ alone is mounted",
        _box(_whole_package),
        ("reading.truth_by_search", "reading.metadata_beside_the_task"),
    ),
    "host's folders mounted": Mutation(
        "nothing of the host is in the box but its mounts",
        _box(_where_they_lie),
        (
            "reading.truth_by_host_path",
            "reading.truth_by_link",
            "reading.metadata_by_host_path",
            "reading.keys_in_files",
            "reading.token_of_another_trial",
            "evidence.record_written_to",
        ),
    ),
    "paths shown": Mutation(
        "read-only folders are shown through overlays with neutral names", _no_overlays, ("reading.mount_table",)
    ),
    "task writable": Mutation("the task is read-only", _box(_writable_task), ("evidence.task_written_to",)),
    "environment passed on": Mutation(
        "no variable of the host is passed on", _host_environment, ("reading.environment_and_arguments",)
    ),
    "host's network": Mutation(
        "a network namespace with loopback alone",
        _without_options("--unshare-net"),
        ("network.loopback_of_the_host", "network.abstract_socket_of_the_host", "network.address_of_the_host"),
    ),
    "no filter of system calls": Mutation(
        "a filter of system calls of our own",
        _setting(seccomp, "program", lambda machine="": None),
        ("reading.keyring_of_the_kernel",),
    ),
    "namespaces of one's own": Mutation(
        "the filter, and bubblewrap's bar to further user namespaces",
        _both(_without_options("--disable-userns"), _setting(seccomp, "program", lambda machine="": None)),
        ("reading.namespace_of_our_own",),
    ),
    "everything out": Mutation(
        "the proxy's list of hosts, and its refusal of addresses that are not public",
        _everything_out,
        ("network.proxy_to_a_host_not_listed", "network.proxy_to_a_listed_name_that_is_this_machine"),
    ),
    "private addresses": Mutation(
        "the proxy refuses addresses that are not public",
        lambda patch: patch.setattr(
            egress.Egress.__init__, "__kwdefaults__", {"resolve": egress.resolve, "is_public": lambda address: True}
        ),
        ("network.proxy_to_a_listed_name_that_is_this_machine",),
    ),
    "any token": Mutation(
        "tokens are random, and compared", _any_token, ("protocol.forged_tokens", "protocol.token_of_another_trial")
    ),
    "no pace": Mutation("submissions a minute", _setting(Pace, "take", lambda pace, now: None), ("protocol.too_fast",)),
    "no deadline": Mutation(
        "the deadline: the box ends, and the desk refuses", _no_deadline, ("protocol.in_a_row_and_too_late",)
    ),
    "pauses without end": Mutation(
        "pauses add up to a share of the budget",
        _setting(Clock, "paused", lambda clock, now: max(0.0, now - clock.opened - 0.1)),
        ("protocol.in_a_row_and_too_late",),
    ),
    "copied as it reads": Mutation(
        "answers are copied by descriptor, and no link is followed",
        _setting(desk, "take_in", _copied_as_it_reads),
        (
            "answers.link_to_the_truth",
            "answers.folder_that_is_a_link",
            "answers.output_that_is_a_link",
            "answers.path_with_dots",
            "answers.hard_link",
            "answers.file_that_changes",
        ),
    ),
    "links raced": Mutation(
        "a file is opened without following a link, and looked at by its descriptor",
        _setting(desk, "take_in", _copied_as_it_reads),
        ("answers.file_that_becomes_a_link",),
    ),
    "all is a file": Mutation("regular files alone", _setting(intake, "stat", _EverythingRegular()), ("answers.pipe",)),
    "answers without limits": Mutation(
        "bounds on size, number and depth of an answer",
        _no_answer_limits,
        ("answers.sparse_file", "answers.huge_file", "answers.too_many_files", "answers.folders_without_end"),
    ),
    "names as they are": Mutation(
        "names that can be printed",
        _setting(intake, "_names", lambda folder, taken, limits: sorted(entry.name for entry in os.scandir(folder))),
        ("answers.name_that_commands_a_terminal",),
    ),
    "digests wait and follow": Mutation(
        "copies are read without following what an evaluator put in their place",
        _both(_setting(intake, "open_copy", _digests_through_links), _setting(desk, "clear_away", _cleared_as_folders)),
        ("answers.pickle_that_leaves_pipes_and_links",),
    ),
    "paths told": Mutation(
        "an evaluator's words are made plain",
        _setting(improvement, "plain_text", str),
        ("answers.words_that_tell_of_the_host",),
    ),
    "scores as they come": Mutation(
        "a score is a finite number",
        _setting(improvement, "_metrics", lambda instance, given: ({"Score": 1.0}, None)),
        ("answers.formula_in_a_table", "answers.number_that_is_none"),
    ),
    "sources through links": Mutation(
        "sources are kept without following a link", _sources_through_links, ("evidence.link_among_the_sources",)
    ),
    "as printed": Mutation(
        "what was printed is freed of escapes and secrets",
        _as_printed,
        ("evidence.escapes_for_a_terminal", "evidence.keys_into_the_log"),
    ),
    "judge reads all": Mutation(
        "lines that address a judge are withheld", _judge_reads_all, ("evidence.orders_for_a_judge",)
    ),
    "logs without end": Mutation(
        "bounds on streams and logs",
        _nothing_bounded,
        ("evidence.flood_of_the_log", "evidence.flood_of_the_way_out", "evidence.flood_of_refusals"),
    ),
    "silent connections held": Mutation(
        "connections at once", _as_many_connections_as_come, ("protocol.silent_connections",)
    ),
    "bodies without end": Mutation(
        "the size of a request's body",
        _both(_setting(service, "MOST_BODY", 1 << 40), _setting(service, "MOST_UNREAD", 1 << 40)),
        ("protocol.endless_request",),
    ),
    "no limits": Mutation(
        "limits on processes and open files",
        _box(_without_limits),
        ("exhausting.processes", "exhausting.open_files"),
    ),
    "memory without end": Mutation("a limit on memory", _box(_without_limits), ("exhausting.memory",)),
    "files in memory": Mutation(
        "limits on file systems in memory", _box(_without_limits), ("exhausting.memory_in_files",)
    ),
    "disk without end": Mutation("a limit on what is written", _box(_without_limits), ("exhausting.disk",)),
    "nameless files": Mutation(
        "files without a name are counted",
        _setting(watching, "nameless", lambda pids: 0),
        ("exhausting.files_without_a_name",),
    ),
    "one file without end": Mutation(
        "a limit on the size of one file", _box(_without_limits), ("exhausting.one_large_file",)
    ),
    "processes left": Mutation(
        "a namespace of processes, whose first one ends them all",
        _processes_left,
        ("exhausting.daemon_that_is_silent",),
    ),
}
