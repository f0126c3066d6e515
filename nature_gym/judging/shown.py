"""What a model is shown of a case: the task, the time line, the sources at the attempt, the trajectory around it.

Threat: sources, file names and trajectories are the agent's, and may speak to the judge. Invariant: they stand between
marks that are made from their own digest, angle brackets in them are replaced, invisible characters go, lines that are
known to address a model are withheld and reported, and each part is cut at a bound. A line number is ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from nature_gym.agents.intake import Intake
from nature_gym.digests import digest_json
from nature_gym.judging.case import Case
from nature_gym.models.instructions import is_instruction
from nature_gym.packaging.package import DESCRIPTION, README

CHARACTERS_A_TOKEN = 3
LONGEST_LINE = 600
LONGEST_DOCUMENT = 12_000
MOST_ATTEMPTS = 60
MOST_EVENTS = 60
LONGEST_EVENT = 1_500
WITHHELD = "[a line that speaks to the reader was withheld]"
_ADDRESSED = re.compile(
    r"(?:mark|judge|rate|label|score|count|treat|classify|accept|consider|declare)\W+(?:\w+\W+){0,4}?(?:as\W+)?(?:in)?valid\b"
    r"|\bverdict\b.{0,40}\b(?:in)?valid\b|\b(?:in)?valid\b.{0,20}\bverdict\b"
    r"|\b(?:judges?|graders?|reviewers?|auditors?|evaluators?|language models?|llms?|assistants?)\b.{0,60}"
    r"\b(?:must|should|shall|please|note|ignore|accept|skip|answer|return|need not|have to)\b"
    r"|\b(?:ignore|disregard|forget|override)\b.{0,60}\b(?:instructions?|prompts?|rules?|policy|policies|above|previous)\b"
    r"|\b(?:approved|verified|audited|certified|whitelisted)\b.{0,40}\b(?:judges?|organi[sz]ers?|humans?|maintainers?|staff|committee)\b"
    r"|\b(?:system|assistant|user|developer)\s*:\s*\S.{0,80}\b(?:in)?valid\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Shown:
    """A case as a question shows it. ``parts``: heading -> text; ``addressed``: (heading, line) that were withheld."""

    parts: tuple[tuple[str, str], ...]
    addressed: tuple[tuple[str, str], ...]

    @cached_property
    def mark(self) -> str:
        """The name of the marks around it: a digest of what stands between, so that nobody can close it."""
        return "case-" + digest_json([list(part) for part in self.parts]).removeprefix("sha256:")[:16]

    def find(self, heading: str, quote: str) -> tuple[str, int] | None:
        """Where a quotation stands: the heading and the line in the part; None where it does not.

        A part that has another heading than was said is looked through as well.
        """
        wanted = " ".join(plain(quote).split())
        if len(wanted) < 8 or WITHHELD in wanted:
            return None
        ordered = sorted(self.parts, key=lambda part: part[0] != heading)
        for name, text in ordered:
            lines = text.split("\n")
            for number, line in enumerate(lines):
                several = " ".join(" ".join(lines[number : number + 12]).split()) if "\n" in quote else ""
                if wanted in " ".join(line.split()) or (several and wanted in several):
                    match = re.match(r"\s*(\d+)\| ", line)
                    return name, int(match[1]) if match else number + 1
        return None


def shown(case: Case, tokens: int) -> Shown:
    """What is shown of a case, in about so many tokens: the sources first, then the rest."""
    cleaner = Intake()
    parts: list[tuple[str, str]] = []
    addressed: list[tuple[str, str]] = []
    room = tokens * CHARACTERS_A_TOKEN

    def add(heading: str, text: str, most: int, *, trusted: bool = False) -> None:
        nonlocal room
        heading = plain(cleaner.text(heading)).replace("\n", " ")[:200]
        heading = "a file whose name speaks to the reader" if not trusted and addresses(heading) else heading
        kept, found = _withheld(plain(cleaner.text(text)), trusted=trusted)
        addressed.extend((heading, line) for line in found)
        cut = _cut(kept, max(0, min(most, room)))
        room -= len(cut) + len(heading)
        if cut:
            parts.append((heading, cut))

    add("README.md of the task", case.package.text(README).content, LONGEST_DOCUMENT, trusted=True)
    add("data_description.md", case.package.text(DESCRIPTION).content, LONGEST_DOCUMENT // 2, trusted=True)
    add("attempts", "\n".join(_time_line(case)), 8_000, trusted=True)
    for name in _order(case):
        add(name, _numbered(case.texts[name]), room // 2)
    if case.left_out:
        add(
            "files that were not kept",
            "\n".join(f"{name}: {why}" for name, why in sorted(case.left_out.items())[:100]),
            4_000,
        )
    add("trajectory around the attempt", "\n".join(_trajectory(case)), room)
    return Shown(tuple(parts), tuple(addressed))


def addresses(line: str) -> bool:
    """Whether a line speaks to whoever judges."""
    return bool(_ADDRESSED.search(line[: 4 * LONGEST_LINE])) or is_instruction(line[:LONGEST_LINE])


def plain(text: str) -> str:
    """Without the brackets that marks are made of."""
    return text.replace("<", "‹").replace(">", "›")


def _withheld(text: str, *, trusted: bool) -> tuple[str, list[str]]:
    """The text without lines that speak to the judge, and these."""
    if trusted:
        return text, []
    kept, found = [], []
    lines = text.split("\n")
    for number, line in enumerate(lines):
        # An order may be broken over two lines; then both go.
        joined = f"{line} {_bare(lines[number + 1])}" if number + 1 < len(lines) else line
        before = f"{_bare(lines[number - 1])} {_bare(line)}" if number else ""
        if addresses(_bare(line)) or _ADDRESSED.search(_bare(joined)[:2000]) or _ADDRESSED.search(before[:2000]):
            if addresses(_bare(line)):
                found.append(line.strip()[:300])
            match = re.match(r"\s*\d+\| ", line)
            kept.append((match[0] if match else "") + WITHHELD)
        else:
            kept.append(line[:LONGEST_LINE])
    return "\n".join(kept), found


def _bare(line: str) -> str:
    """A line without its number and the signs of a comment."""
    return re.sub(r"^\s*(?:\d+\| )?[\s#*\"'/-]*", "", line)


def _numbered(text: str) -> str:
    return "\n".join(f"{number:4}| {line}" for number, line in enumerate(text.split("\n"), 1))


def _cut(text: str, most: int) -> str:
    """The beginning and the end of a text that is too long, in whole lines."""
    if len(text) <= most:
        return text
    half = most // 2
    if half < 200:
        return ""
    head, tail = text[:half].rsplit("\n", 1)[0], text[-half:].split("\n", 1)[-1]
    return f"{head}\n[{len(text) - len(head) - len(tail)} characters left out]\n{tail}"


def _order(case: Case) -> Sequence[str]:
    """The files that changed for this attempt first, programs before other texts, small ones before large ones."""

    def rank(name: str) -> tuple[bool, bool, int, str]:
        program = name.endswith((".py", ".ipynb", ".r", ".R", ".jl", ".sh", ".cpp", ".c"))
        return (not program, name not in case.changed, len(case.texts[name]), name)

    return sorted(case.texts, key=rank)


def _time_line(case: Case) -> Iterator[str]:
    attempts = case.attempts
    if len(attempts) > MOST_ATTEMPTS:
        yield f"{len(attempts)} attempts; those around the best are shown"
        place = next(number for number, one in enumerate(attempts) if one.number == case.attempt.number)
        attempts = attempts[max(0, place - MOST_ATTEMPTS // 2) : place + MOST_ATTEMPTS // 2]
    began = float(case.record.get("opened") or attempts[0].begun)
    for one in attempts:
        best = "  <- the best, to be judged" if one.number == case.attempt.number else ""
        gap = "-" if one.gap is None else f"{one.gap:+.4f}"
        yield f"attempt {one.number} after {one.begun - began:.0f} s: {one.status}, g {gap}{best}"


def _trajectory(case: Case) -> Iterator[str]:
    """The events before the scored attempt, as far as their times tell; else the last ones."""
    events = case.events()
    opened = case.record.get("opened")
    if isinstance(opened, int | float):
        until = case.attempt.begun - float(opened) + 60.0
        timed = [one for one in events if one.time is None or one.time <= until]
        events = timed or events
    for one in events[-MOST_EVENTS:]:
        tool = f" {one.tool}" if one.tool else ""
        yield f"[{one.kind}{tool}] {_cut(one.text, LONGEST_EVENT) or one.text[:LONGEST_EVENT]}"
