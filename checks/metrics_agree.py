"""C1.4 and C1.5: directions and the primary metric, as README.md and metadata.json have them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from checks.documents import Document, Section
from checks.facts import (
    HIGHER,
    LOWER,
    MetricFact,
    Named,
    at,
    mentions,
    metadata_metrics,
    metrics_section,
    readme_metrics,
)
from checks.model import Finding
from checks.package import METADATA, README, CheckedPackage
from checks.registry import Skip, check

NAME_LINE = re.compile(r"\s*(?:[-*+]\s+)?(?:\*\*|__)?Name(?:\*\*|__)?\s*:")
NEAR = 40
"""A metric that is named further behind in a line is mentioned, not what the line is about."""


@check("C1.4", reads=(README, METADATA))
def metric_directions(package: CheckedPackage) -> Iterator[Finding]:
    """Section 4 of README.md says of each metric the direction that metadata.json has.

    Looked for between the metric's name and the next one: "higher is better", "lower is better", their arrows and
    kin. Said once for all metrics, it counts for all.

    Passes: "**RMSE**: ... Lower is better." and "lower_is_better".
    Fails: "RMSE (higher is better)" and "lower_is_better"; no direction at all.
    Mend: say the direction in the definition; it is the metric's, not a matter of taste.
    """
    section = metrics_section(package.document(README))
    facts = {fact.name: fact for fact in metadata_metrics(package)}
    if section is None or not facts:
        raise Skip("there is no section 4 (C3.3), or no metric in metadata.json (C0.3)")
    lines = package.document(README).within(section)
    for name, fact in facts.items():
        if not any(mentions(name, line) >= 0 for line in lines):
            continue  # told by C1.3
        said = _directions(lines, name, [one for one in facts if one != name])
        wanted = fact.direction
        if not said:
            everywhere = {one for _, _, one, _ in _signs(lines)}
            if everywhere != {wanted}:
                place = next((number for number, line in enumerate(lines) if mentions(name, line) >= 0), 0)
                yield Finding(
                    file=README, line=section.start + place, text=name, message=f"no direction of {name!r} is said",
                    hint=f"Say '{wanted.partition('_')[0].capitalize()} is better.'",
                )  # fmt: skip
            continue
        if wanted and wanted not in {one for _, _, one, _ in said}:
            number, column, _, text = said[0]
            yield Finding(
                file=README, line=section.start + number, column=column + 1, text=text,
                message=f"{name!r} is {wanted} in {METADATA}", hint="Correct the one that is wrong.",
            )  # fmt: skip


def _signs(lines: list[str]) -> Iterator[tuple[int, int, str, str]]:
    """Each direction that is said: line, column, which, the words."""
    for number, line in enumerate(lines):
        for pattern, which in ((HIGHER, "higher_is_better"), (LOWER, "lower_is_better")):
            for match in pattern.finditer(line):
                yield number, match.start(), which, match[0]


def _directions(lines: list[str], name: str, others: list[str]) -> list[tuple[int, int, str, str]]:
    """The directions that are said of ``name``: on its lines, and on those behind up to the next metric or heading.

    A line is about the metric that it names first; where it names several and says several directions, each is said of
    the name before it.
    """
    words = "|".join(re.escape(one) for one in sorted([name, *others], key=len, reverse=True))
    pattern = re.compile(rf"(?<!\w)(?:{words})(?!\w)")
    found = []
    about = ""
    for number, line in enumerate(lines):
        named = [(match.start(), match[0]) for match in pattern.finditer(line)]
        signs = [(number, *one[1:]) for one in _signs([line])]
        if line.startswith("#") and not named:
            about = ""
        if named and (not about or named[0][0] < NEAR):
            about = named[0][1]
        for sign in signs:
            before = [one for place, one in named if place < sign[1]]
            if (before[-1] if len(signs) > 1 and before else about) == name:
                found.append(sign)
    return found


@check("C1.5", reads=(README, METADATA))
def primary_metric(package: CheckedPackage) -> Iterator[Finding]:
    """README.md names exactly one primary metric, one a task type, and metadata.json agrees.

    In metadata.json each instance has one metric with is_primary; section "Primary Metric" names those, and no other.

    Passes: "### Primary Metric" with "**Name**: RMSE", and "is_primary": true of RMSE in each entry.
    Fails: two primary metrics of an instance, or none; another one in the README; a second "**Name**" there.
    Mend: choose one; instances of one type share it.
    """
    facts = metadata_metrics(package)
    if not facts:
        raise Skip(f"{METADATA} names no metrics (C0.3)")
    for instance in dict.fromkeys(fact.instance for fact in facts):
        ours = [fact for fact in facts if fact.instance == instance]
        primaries = [fact for fact in ours if fact.primary]
        if len(primaries) != 1:
            fact = primaries[1] if len(primaries) > 1 else ours[0]
            line, column = at(package, (*fact.path, "is_primary"))
            message = f"{instance!r} has {len(primaries)} primary metrics"
            yield Finding(
                file=METADATA, line=line, column=column, text=fact.name, message=message, hint="It has exactly one."
            )
    yield from _readme_primary(package, facts)


def _readme_primary(package: CheckedPackage, facts: list[MetricFact]) -> Iterator[Finding]:
    document = package.document(README)
    section = document.section(r"primary metric")
    wanted = {fact.name for fact in facts if fact.primary}
    if section is None:
        line = section4.start if (section4 := metrics_section(document)) else 1
        yield Finding(file=README, line=line, message="has no section 'Primary Metric'", hint="Add it to section 4.")
        return
    known = {fact.name for fact in facts}
    given = [one for one in readme_metrics(document) if section.holds(one.line)]
    lines = package.document(README).within(section)
    if not given:
        given = [Named(name, README, number, column) for name, number, column in _first_mentions(lines, section, known)]
    said = {name for one in given for name in [_longest(one.name, known)] if name}
    for one in given:
        name = _longest(one.name, known)
        if name and name not in wanted:
            message = f"{name!r} is not primary in {METADATA}"
            hint = f"Primary there: {', '.join(sorted(wanted)) or 'none'}."
            yield Finding(file=README, line=one.line, column=one.column, text=one.name, message=message, hint=hint)
    yield from _too_many(document, [one for one in given if NAME_LINE.match(document.lines[one.line - 1])], known)
    for name in sorted(wanted - said):
        message = f"does not name {name!r}, which is primary in {METADATA}"
        yield Finding(file=README, line=section.start, text=section.title, message=message, hint="Name it here.")


def _too_many(document: Document, named: list[Named], known: set[str]) -> Iterator[Finding]:
    """Lines "Name: ..." beyond the first that name no metric, or the one that their part has named before."""
    seen: set[tuple[int, str]] = set()
    for one in named:
        name = _longest(one.name, known)
        here = (document.end_of(one.line), name)
        if seen and (not name or here in seen):
            message, hint = "a second primary metric is named", "Other metrics stand under Other Metrics."
            yield Finding(file=README, line=one.line, column=one.column, text=one.name, message=message, hint=hint)
        seen.add(here)


def _longest(text: str, names: set[str]) -> str:
    return max((name for name in names if mentions(name, text) >= 0), key=len, default="")


def _first_mentions(lines: list[str], section: Section, names: set[str]) -> Iterator[tuple[str, int, int]]:
    """The metric that a free text names first: it is what the section is about."""
    for number, line in enumerate(lines[1:], section.start + 1):
        places = sorted((mentions(name, line), -len(name), name) for name in names if mentions(name, line) >= 0)
        if places:
            yield places[0][2], number, places[0][0] + 1
            return
