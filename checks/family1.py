"""C1.1 to C1.5: names and directions. The same thing stands in several files; here it is compared."""

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
    evaluator_instances,
    evaluator_metrics,
    evaluator_texts,
    mentions,
    metadata_instances,
    metadata_metrics,
    metrics_section,
    readme_instances,
    readme_metrics,
)
from checks.model import Finding
from checks.package import DATA, DESCRIPTION, EVALUATOR, METADATA, README, CheckedPackage
from checks.registry import Skip, check
from checks.returned import given_metrics
from checks.sections import DESCRIPTION_PARTS

NAME_LINE = re.compile(r"\s*(?:[-*+]\s+)?(?:\*\*|__)?Name(?:\*\*|__)?\s*:")
NEAR = 40
"""A metric that is named further behind in a line is mentioned, not what the line is about."""


# -- names -----------------------------------------------------------------------------------


@check("C1.1", reads=(README, METADATA))
def task_name(package: CheckedPackage) -> Iterator[Finding]:
    """The task's name is the same in README.md and metadata.json.

    The README's first heading is the name; white space aside, both are equal.

    Passes: "# Optical coatings" and "task_name": "Optical coatings".
    Warns: another wording, another case, no first heading.
    Mend: correct task_name, or the heading.
    """
    heading = next((one for one in package.document(README).headings if one.level == 1), None)
    name = " ".join(str(package.metadata.get("task_name", "")).split())
    if heading is None:
        yield Finding(file=README, message="has no first heading", hint=f"Begin with '# {name}'.", level="warn")
    elif " ".join(heading.text.split()) != name:
        message = f"is called {name!r} in {METADATA}"
        hint = "Call it the same in both."
        yield Finding(
            file=README, line=heading.line, column=3, text=heading.text, message=message, hint=hint, level="warn"
        )


@check("C1.2", reads=(README, DESCRIPTION, METADATA, EVALUATOR))
def instance_names(package: CheckedPackage) -> Iterator[Finding]:
    """The instances have the same names in README.md, data_description.md, metadata.json, evaluator.py and folders.

    Compared with the folders of problem/data: the INSTANCES of the README's template, the data sets of metadata.json,
    the evaluator's own list (one that lists its folder instead has none to compare), and words of the description.

    Passes: INSTANCES = ["a", "b"] beside problem/data/a and problem/data/b.
    Fails: "dataset_name": "A" beside problem/data/a; an instance that the evaluator leaves out.
    Mend: write the name of the folder, case included.
    """
    folders = package.instances(DATA)
    if not folders:
        raise Skip(f"{DATA} has no instance folders (C0.2)")
    in_readme, line = readme_instances(package)
    if line:
        yield from _compared(in_readme, folders, README, line)
    in_metadata = metadata_instances(package)
    yield from _compared(in_metadata, folders, METADATA, at(package, ("performance_entries",))[0])
    names, line = evaluator_instances(package)
    if names:
        where = evaluator_texts(package)
        given = [Named(name, EVALUATOR, *where.get(name, (line, 1))) for name in names]
        yield from _compared(given, folders, EVALUATOR, line)
    yield from _in_description(package, folders)


def _compared(given: list[Named], folders: list[str], file: str, line: int) -> Iterator[Finding]:
    seen: set[str] = set()
    for one in given:
        if one.name not in folders:
            near = next((folder for folder in folders if folder.casefold() == one.name.casefold()), "")
            hint = f"The folder is {near!r}." if near else f"There are: {', '.join(folders[:8])}."
            message = f"{one.name!r} is no folder of {DATA}"
            yield Finding(file=file, line=one.line, column=one.column, text=one.name, message=message, hint=hint)
        elif one.name in seen:
            yield Finding(file=file, line=one.line, column=one.column, text=one.name, message="stands twice")
        seen.add(one.name)
    for name in folders:
        if name not in seen:
            yield Finding(file=file, line=line, text=name, message=f"lacks the instance {name!r}", hint="Add it.")


def _in_description(package: CheckedPackage, folders: list[str]) -> Iterator[Finding]:
    document = package.document(DESCRIPTION)
    section = document.section(DESCRIPTION_PARTS[0][1])
    holder = re.search(r"[{<]\s*(?:instance|dataset|task)\w*\s*[}>]", document.text, re.IGNORECASE)
    for name in folders:
        if mentions(name, document.text) < 0 and not holder:
            line = section.start if section else 1
            message = f"does not name the instance {name!r}"
            yield Finding(file=DESCRIPTION, line=line, text=name, message=message, hint="Add it to the tree.")


@check("C1.3", reads=(README, METADATA, EVALUATOR))
def metric_names(package: CheckedPackage) -> Iterator[Finding]:
    """The metrics have the same names, case included, in README.md, metadata.json and evaluator.py.

    A score is looked up by its metric's name; another spelling is no score. What the evaluator returns counts, where
    it can be followed, and its lists.

    Passes: "RMSE" in section 4, in metadata.json and in the evaluator's results.
    Fails: "Rmse" in metadata.json; a metric of the evaluator that metadata.json lacks; one that section 4 lacks.
    Mend: write the name that the evaluator gives.
    """
    facts = {fact.name: fact for fact in metadata_metrics(package)}
    if not facts:
        raise Skip(f"{METADATA} names no metrics (C0.3)")
    section = metrics_section(package.document(README))
    text = "\n".join(package.document(README).within(section)) if section else package.document(README).text
    texts = evaluator_texts(package)
    listed, line = evaluator_metrics(package)
    results = given_metrics(package)
    for name, fact in facts.items():
        here, column = at(package, (*fact.path, "name"))
        if mentions(name, text) < 0:
            message, hint = (
                f"section 4 of {README} does not name the metric {name!r}",
                _near(name, readme_names(package)),
            )
            yield Finding(file=METADATA, line=here, column=column, text=name, message=message, hint=hint)
        if name not in (listed or texts):
            message = f"{EVALUATOR} has no metric {name!r}"
            hint = _near(name, [*listed, *texts])
            yield Finding(file=METADATA, line=here, column=column, text=name, message=message, hint=hint)
    for fact in metadata_metrics(package):
        given = results.get(fact.instance, results.get(""))
        if given and given.complete and fact.name not in given.all and fact.name in (listed or texts):
            here, column = at(package, (*fact.path, "name"))
            message = f"{EVALUATOR} gives no {fact.name!r} for {fact.instance!r}"
            hint = _near(fact.name, sorted(given.scores))
            yield Finding(file=METADATA, line=here, column=column, text=fact.name, message=message, hint=hint)
    for name in dict.fromkeys([*listed, *sorted(name for one in results.values() for name in one.scores)]):
        if name not in facts:
            where = texts.get(name, (line, 1))
            message = f"{METADATA} has no metric {name!r}"
            hint = _near(name, list(facts))
            yield Finding(file=EVALUATOR, line=where[0], column=where[1], text=name, message=message, hint=hint)
    for one in readme_metrics(package.document(README)):
        if not any(mentions(name, one.name) >= 0 for name in facts):
            message, hint = f"{METADATA} has no metric {one.name!r}", _near(one.name, list(facts))
            yield Finding(file=README, line=one.line, column=one.column, text=one.name, message=message, hint=hint)


def readme_names(package: CheckedPackage) -> list[str]:
    """The metrics' names in the README."""
    return [one.name for one in readme_metrics(package.document(README))]


def _near(name: str, others: list[str]) -> str:
    def folded(text: str) -> str:
        return re.sub(r"[\W_]", "", text).casefold()

    near = next((one for one in others if folded(one) == folded(name)), "")
    return f"It stands there as {near!r}." if near else "Use one name everywhere."


# -- metrics ---------------------------------------------------------------------------------


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
