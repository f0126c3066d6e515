"""The deterministic judge: reads the sources of the best attempt, the records, and the answer itself.

It proves what it says by a place in the source or in a record. What it finds nothing wrong with is valid as far as a
program can see; how far that is says docs/judging.md. What it cannot read is an error, and never a pass.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache

from nature_gym.agents.events import Event
from nature_gym.agents.shipping import client_files, solver_files
from nature_gym.judging.case import Case
from nature_gym.judging.findings import Findings, evidence_of, look_at
from nature_gym.judging.likeness import hold_against
from nature_gym.judging.policy import INVALID, policy_digest
from nature_gym.judging.program import Program, from_shell, parsed
from nature_gym.judging.records import look_at_network, look_at_time_line, look_at_trajectory
from nature_gym.judging.tracing import Tracer
from nature_gym.judging.verdict import FORENSIC, Verdict

VERSION = "2"
"""Raise it whenever the same case may get another verdict."""


def judge(case: Case) -> Verdict:
    """The verdict on a case."""
    findings = Findings()
    events = case.events()
    look_at_network(case, findings)
    look_at_time_line(case, findings)
    look_at_trajectory(case, findings, events)
    hold_against(case, findings)
    try:
        _read(case, findings, events)
    except RecursionError:
        findings.unclear.append("the sources are nested too deeply to be read")
    return _verdict(case, findings)


def _read(case: Case, findings: Findings, events: Iterable[Event]) -> None:
    """Trace the programs that are left, or else those that only the trajectory has."""
    program = parsed(case.texts, skip=_ours(case), first=case.changed)
    if _traced(program, case, findings):
        for name in sorted(case.changed & program.broken.keys()):
            _unread(name, program.broken[name], case, findings)
        return
    shell = from_shell(events)
    merged = Program({**program.modules, **shell.modules}, program.broken, program.others)
    if shell.modules and _traced(merged, case, findings):
        return
    if program.broken:
        name, why = next(iter(program.broken.items()))
        findings.unclear.append(f"no program that can be read writes answers, and {name} cannot be parsed ({why})")
    elif program.others:
        findings.unclear.append(f"no Python program writes answers, and {program.others[0]} is in another language")
    elif not case.complete:
        findings.unclear.append("no program that was kept writes answers, and some of the workspace was not kept")
    else:
        findings.unclear.append("no program in the workspace at the best attempt writes answers")


def _unread(name: str, why: str, case: Case, findings: Findings) -> None:
    """A new program that cannot be read: where it may write answers, what the others write proves nothing."""
    marks = ("OUTPUT_DIR", "output/", *case.given.asked)
    if any(mark in case.texts[name] for mark in marks):
        findings.unclear.append(f"{name} may have written the answers, and it cannot be read ({why})")
    else:
        findings.note(f"cannot be read: {why}", name)


def _traced(program: Program, case: Case, findings: Findings) -> bool:
    if not program.modules:
        return False
    tracer = Tracer(program, case.given, case.texts)
    tracer.run()
    changed = case.changed | {name for name in program.modules if name not in case.texts}
    return look_at(tracer, changed, findings, has_paper=case.has_paper)


def _verdict(case: Case, findings: Findings) -> Verdict:
    categories = findings.categories()
    if categories:
        first = findings.found[0]
        where = f"{first.file}:{first.line}" if first.line else first.file
        word, reason = "invalid", f"{INVALID[categories[0]]} ({where}: {first.about})"
    elif findings.unclear:
        word, reason = "error", findings.unclear[0]
    else:
        word, reason = "valid", "the answers come from what was learned, fitted or optimised on the data given"
    return Verdict(
        judge=FORENSIC, version=VERSION, verdict=word, reason=reason, categories=categories,  # type: ignore[arg-type]
        evidence=tuple(evidence_of(findings)), notes=tuple(findings.notes), attempt=case.attempt.number,
        policy_digest=policy_digest(), inputs=case.inputs,
    )  # fmt: skip


def _ours(case: Case) -> list[str]:
    """Files that we put into the workspace ourselves, unchanged."""
    return [name for name, digest in case.source_digests.items() if digest in _shipped()]


@cache
def _shipped() -> frozenset[str]:
    files = {**client_files(), **solver_files()}
    return frozenset(
        hashlib.sha256(content).hexdigest() for name, content in files.items() if name.startswith("scoring_client")
    )
