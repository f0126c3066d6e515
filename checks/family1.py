"""Family 1: consistency. The same thing stands in several files; here it is compared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import PurePosixPath

from checks.documents import Section
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
    output_section,
    readme_instances,
    readme_metrics,
    readme_outputs,
)
from checks.following import Reading
from checks.model import Finding
from checks.package import DATA, DESCRIPTION, EVALUATOR, METADATA, README, CheckedPackage
from checks.registry import Skip, check
from checks.trees import Node, read_tree, undrawn, unseen
from checks.values import WILD, matching

DESCRIPTION_PARTS = (
    ("1. Directory Structure", r"director|structure|tree|layout"),
    ("2. Dataset Overview", r"overview|dataset"),
    ("3. File Formats & Schemas", r"format|schema"),
    ("4. Special Notes", r"note"),
)
MOST_TREE_FINDINGS = 100
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

    A score is looked up by its metric's name; another spelling is no score.

    Passes: "RMSE" in section 4, in metadata.json and in the evaluator's results.
    Fails: "Rmse" in metadata.json; a metric of the evaluator that metadata.json lacks; one that section 4 lacks.
    Mend: write the name that the evaluator gives.
    """
    facts = {fact.name: fact for fact in metadata_metrics(package)}
    if not facts:
        raise Skip(f"{METADATA} names no metrics (C0.3)")
    section = metrics_section(package.document(README))
    text = "\n".join(_lines(package, section)) if section else package.document(README).text
    texts = evaluator_texts(package)
    listed, line = evaluator_metrics(package)
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
    for name in listed:
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


def _lines(package: CheckedPackage, section: Section) -> list[str]:
    return package.document(README).lines[section.start - 1 : section.end - 1]


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
    lines = _lines(package, section)
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
    Fails: two primary metrics of an instance, or none; another one in the README.
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
    lines = _lines(package, section)
    if not given:
        given = [Named(name, README, number, column) for name, number, column in _first_mentions(lines, section, known)]
    said = {name for one in given for name in [_longest(one.name, known)] if name}
    for one in given:
        name = _longest(one.name, known)
        if name and name not in wanted:
            message = f"{name!r} is not primary in {METADATA}"
            hint = f"Primary there: {', '.join(sorted(wanted)) or 'none'}."
            yield Finding(file=README, line=one.line, column=one.column, text=one.name, message=message, hint=hint)
    for name in sorted(wanted - said):
        message = f"does not name {name!r}, which is primary in {METADATA}"
        yield Finding(file=README, line=section.start, text=section.title, message=message, hint="Name it here.")


def _longest(text: str, names: set[str]) -> str:
    return max((name for name in names if mentions(name, text) >= 0), key=len, default="")


def _first_mentions(lines: list[str], section: Section, names: set[str]) -> Iterator[tuple[str, int, int]]:
    """The metric that a free text names first: it is what the section is about."""
    for number, line in enumerate(lines[1:], section.start + 1):
        places = sorted((mentions(name, line), -len(name), name) for name in names if mentions(name, line) >= 0)
        if places:
            yield places[0][2], number, places[0][0] + 1
            return


# -- files -----------------------------------------------------------------------------------


@check("C1.6", reads=(README, EVALUATOR))
def output_files(package: CheckedPackage) -> Iterator[Finding]:
    """The output files, formats and structure in section 5 of README.md are what the evaluator reads.

    The evaluator is followed through its constants, joined paths, functions and loops, and never run.

    Passes: "output/{instance}/predictions.csv" and OUTPUT_DIR / instance / "predictions.csv".
    Fails: the README asks for predictions.npy, and predictions.csv is read; a column that the evaluator does not know.
    Mend: correct section 5, or the evaluator.
    """
    document = package.document(README)
    section = output_section(document)
    if section is None:
        raise Skip(f"{README} has no section 5 (C3.3)")
    asked = readme_outputs(package)
    read = _output_readings(package)
    if not asked:
        yield Finding(file=README, line=section.start, message="section 5 names no file", hint="Name it, with a path.")
        return
    if not read:
        texts = evaluator_texts(package)
        for one in asked:
            suffix = PurePosixPath(one.name).suffix
            if not any(one.name in text or (suffix and text.endswith(suffix)) for text in texts):
                message = f"{EVALUATOR} does not name {one.name}"
                yield Finding(file=README, line=one.line, column=one.column, text=one.name, message=message)
        return
    for one in asked:
        if not any(_same_name(one.name, name) for name in read):
            message = f"{EVALUATOR} does not read {one.name}"
            hint = f"It reads: {', '.join(sorted(_shown(name) for name in read)[:6])}."
            yield Finding(file=README, line=one.line, column=one.column, text=one.name, message=message, hint=hint)
    for name, reading in read.items():
        if not any(_same_name(one.name, name) for one in asked):
            message = f"section 5 of {README} does not ask for {_shown(name)}"
            hint = f"It asks for: {', '.join(one.name for one in asked[:6])}."
            yield Finding(
                file=EVALUATOR, line=reading.line, column=reading.column, text=_shown(name), message=message, hint=hint
            )
    yield from _structure(package, section)


def _output_readings(package: CheckedPackage) -> dict[str, Reading]:
    """The files that the evaluator needs below the output folder, by name: where each is read, or else asked for."""
    found: dict[str, Reading] = {}
    for one in package.followed.readings:
        name = PurePosixPath(one.place).name
        needed = one.place.startswith("output/") and one.verb in ("read", "test") and not one.optional
        if needed and "." in name and (name not in found or (one.verb, found[name].verb) == ("read", "test")):
            found[name] = one
    return found


def _same_name(asked: str, read: str) -> bool:
    """Whether a name of the README and one of the evaluator mean the same file; place holders are any name."""

    def pattern(name: str) -> str:
        parts = re.split(rf"\{{[^}}]*\}}|<[^>]*>|\*|{WILD}+", name)
        return r"[^/]+".join(map(re.escape, parts))

    return bool(re.fullmatch(pattern(asked), read) or re.fullmatch(pattern(read), asked))


def _shown(name: str) -> str:
    return name.replace(WILD, "*")


def _structure(package: CheckedPackage, section: Section) -> Iterator[Finding]:
    """Columns and keys that section 5 has in tables: the evaluator knows each of them by name."""
    document = package.document(README)
    texts = evaluator_texts(package)
    folded = {text.casefold(): text for text in texts}
    of_columns = False
    for row in document.rows:
        if not section.holds(row.line) or not row.cells:
            continue
        if row.heading:
            of_columns = bool(
                re.fullmatch(r"columns?|keys?|fields?|column name|field name", row.cells[0], re.IGNORECASE)
            )
        elif of_columns and re.fullmatch(r"\w[\w .-]*", row.cells[0]) and not re.search(r"\.\.|…", row.cells[0]):
            name = row.cells[0]
            if name in texts or any(mentions(name, text) >= 0 for text in texts):
                continue
            near = folded.get(name.casefold(), "")
            column = max(document.lines[row.line - 1].find(name), 0) + 1
            yield Finding(
                file=README, line=row.line, column=column, text=name,
                message=f"{EVALUATOR} knows no column or key {name!r}",
                hint=f"It reads {near!r}." if near else "Call it as the evaluator does.",
                level="fail" if near else "warn",
            )  # fmt: skip


@check("C1.7", reads=(EVALUATOR,))
def references_read(package: CheckedPackage) -> Iterator[Finding]:
    """Every ground-truth path that the evaluator reads exists and is not empty.

    Paths are followed through constants, os.path, pathlib, functions and loops over INSTANCES; what is read only where
    it exists is optional.

    Passes: np.load(GT / instance / "labels.npy") with labels.npy in each instance.
    Fails: evaluation/ground_truth/b/labels.npy is missing, or has no bytes.
    Mend: add the file, or correct the path.
    """
    readings = [one for one in package.followed.readings if one.place.startswith("evaluation/")]
    seen: set[str] = set()
    found = False
    for one in readings:
        found = True
        if one.optional or one.verb not in ("read", "list") or one.place in seen:
            continue
        seen.add(one.place)
        names = list(matching(one.place, package.entries))
        if not names:
            yield Finding(
                file=EVALUATOR, line=one.line, column=one.column, text=_shown(one.place),
                message=f"{_shown(one.place)} is read, and missing",
                hint="Add it, or correct the path.",
            )  # fmt: skip
        for name in names[:1000]:
            entry = package.entries[name]
            empty = not package.children.get(name) if entry.kind == "folder" else entry.size == 0
            if empty and entry.kind in ("file", "folder") and not name.endswith("__init__.py"):
                yield Finding(file=name, text=name, message=f"is empty, and read in line {one.line} of the evaluator")
    if not found:
        message = "no ground-truth path could be followed"
        yield Finding(file=EVALUATOR, message=message, hint="Is any read?", level="warn")


@check("C1.8", reads=(DESCRIPTION,))
def data_tree(package: CheckedPackage) -> Iterator[Finding]:
    """The tree in data_description.md and the files in problem/data match both ways.

    Placeholders ({instance}, *) stand for any name, '...' for more of the same folder, and a folder that is drawn
    without what is in it for all of that.

    Passes: each file is drawn, and nothing else.
    Fails: train.csv is drawn and not there; notes.txt is there and not drawn.
    Mend: 'naturegym package tree' prints the files as they are.
    """
    document = package.document(DESCRIPTION)
    section = document.section(DESCRIPTION_PARTS[0][1])
    block = next((one for one in document.blocks if section is None or section.holds(one.line)), None)
    if block is None:
        raise Skip(f"{DESCRIPTION} has no tree in a block of code (C1.9)")
    folders = package.instances(DATA)
    root = _rooted(read_tree(block.text, block.line, folders), folders)
    start = len(DATA) + 1
    missing = list(undrawn(root, (name[start:] for name in package.below(DATA))))
    for path, node in list(unseen(root))[:MOST_TREE_FINDINGS]:
        yield Finding(
            file=DESCRIPTION, line=node.line, column=node.column, text=path, message=f"{path} is not in {DATA}",
            hint="Take it out of the tree, or add the file.",
        )  # fmt: skip
    for name in missing[:MOST_TREE_FINDINGS]:
        message = f"{DATA}/{name} is not in the tree"
        yield Finding(file=DESCRIPTION, line=block.line, text=name, message=message, hint="Add it to the tree.")


def _rooted(root: Node, folders: list[str]) -> Node:
    """The tree without a first folder that is the package, the data folder by another name, or the like."""
    while len(root.named) == 1:
        (only,) = root.named.values()
        if not only.named or any(map(only.fits, folders)):
            break
        root, root.name = only, ""
    return root


@check("C1.9", reads=(DESCRIPTION,))
def description_sections(package: CheckedPackage) -> Iterator[Finding]:
    """data_description.md has its four numbered sections, the first with a block of code.

    1. Directory Structure, 2. Dataset Overview, 3. File Formats & Schemas, 4. Special Notes, in this order.

    Passes: four headings of the second level with these numbers.
    Fails: a section is missing, stands twice or in another place; no tree in the first.
    Mend: add the section; write "None." where there is nothing to say.
    """
    yield from sections(package, DESCRIPTION, DESCRIPTION_PARTS)
    document = package.document(DESCRIPTION)
    section = document.section(DESCRIPTION_PARTS[0][1])
    if section is not None and not any(section.holds(block.line) for block in document.blocks):
        message = "the first section has no block of code"
        yield Finding(file=DESCRIPTION, line=section.start, text=section.title, message=message, hint="Draw the tree.")


def sections(package: CheckedPackage, file: str, wanted: tuple[tuple[str, str], ...]) -> Iterator[Finding]:
    """Whether a document has the numbered sections ``wanted`` (title, pattern), in order, and no others."""
    document = package.document(file)
    found = [one for one in document.headings if one.level == 2]
    places: list[int] = []
    for number, (title, pattern) in enumerate(wanted, 1):
        ours = [
            place
            for place, one in enumerate(found)
            if re.match(rf"{number}[.)]?\s", one.text) and re.search(pattern, one.text, re.IGNORECASE)
        ]
        if not ours:
            near = next((one for one in found if re.match(rf"{number}[.)]?\s", one.text)), None)
            near = near or next((one for one in found if re.search(pattern, one.text, re.IGNORECASE)), None)
            line, text = (near.line, near.text) if near else (1, "")
            yield Finding(file=file, line=line, text=text, message=f"lacks the section '## {title}'", hint="Add it.")
        for place in ours[1:]:
            yield Finding(file=file, line=found[place].line, text=found[place].text, message="stands twice")
        places += ours[:1]
    for one, other in pairwise(places):
        if other < one:
            text = found[other].text
            yield Finding(file=file, line=found[other].line, text=text, message="is out of order", hint="Move it.")
    for place, heading in enumerate(found):
        if not re.match(rf"[1-{len(wanted)}][.)]?\s", heading.text) and place not in places:
            message = "is a section too many"
            yield Finding(file=file, line=heading.line, text=heading.text, message=message, level="warn")
