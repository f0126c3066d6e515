"""Family 3: benchmark design. Whether the task can be worked on, and is the task and nothing else."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from checks.documents import Document, Section
from checks.facts import FILE, Named, at, metadata_metrics, output_section, readme_outputs
from checks.model import Finding
from checks.package import DATA, DESCRIPTION, METADATA, README, CheckedPackage
from checks.registry import Skip, check
from checks.sections import DESCRIPTION_PARTS, README_PARTS, sections
from nature_gym.scoring.gap import AnchorError, anchor_value
from nature_gym.scoring.printed import UnreadableScoreError, read_score

PROMISE = re.compile(r"\b(?:training|development|train|labelled|labeled)\b", re.IGNORECASE)
OF_DEVELOPMENT = re.compile(
    r"(?:^|_|\b)(?:train(?:ing)?|dev(?:elopment)?|valid(?:ation)?|support)(?:$|_|\b)", re.IGNORECASE
)
SHARED = re.compile(r"pre-?trained|shared (?:by|across|between)|all instances", re.IGNORECASE)
SAYS_FORMAT = re.compile(
    r"\b(?:npy|npz|numpy|csv|tsv|comma|tab(?:bed|-?separated|-?delimited|s)|json|fasta|smiles?|pdb|h5ad|hdf5|parquet|text|format|arrays?)\b",
    re.IGNORECASE,
)
SAYS_SHAPE = re.compile(r"\(\s*[\w,×x* ]+,[\w,×x* ]*\)|[nN\d]\s*[×x]\s*\w|\b[Ss]hape\s*[:=]|\d-?D\b|one-dimensional")
SAYS_DTYPE = re.compile(r"float|double|\bu?int|bool|complex|string|\bdtype\s*[:=]", re.IGNORECASE)
SAYS_COLUMNS = re.compile(r"columns?\b|header|`[\w.]+,\s?[\w.]+", re.IGNORECASE)
HOW_PARTED = re.compile(r"\b(?:tab|comma|space|whitespace)[\s-]*(?:separated|delimited)\s+columns?", re.IGNORECASE)
"""Says how columns are written, and not which there are."""
SAYS_VALUES = re.compile(
    r"finite|range|between|from\b.{1,12}\bto\b|\bvalues?\s+(?:are|is|in|must|of)|NaN|non-negative|positive|integers?|"
    r"probabilit|≥|≤|>=|<=|\[0|one of|sum to|valid|allowed values|^[\s|*-]*values?\b[\s*:|]+\w|"
    r"\b\d+\s*(?:\([^)]*\)\s*)?or\s*\d",
    re.IGNORECASE | re.MULTILINE,
)


# -- data ------------------------------------------------------------------------------------


@check("C3.1", reads=(DESCRIPTION,))
def development_data(package: CheckedPackage) -> Iterator[Finding]:
    """Each instance has the development data that its description promises.

    Read from tables that have an instance and a file in one row, and from subsections of section 3 that describe a
    file as training or development data, which every instance then has; so is a file with a TARGET, or of development
    by its name, that some instances have. Pretrained models that several instances share are excepted.

    Passes: "### 3.1 `train.csv`", "Training data", and train.csv in each instance.
    Fails: a row "| b | train.csv |" and no train.csv in problem/data/b; an instance without the promised file.
    Mend: add the file, or say of which instances it is.
    """
    document = package.document(DESCRIPTION)
    folders = package.instances(DATA)
    if not folders:
        raise Skip(f"{DATA} has no instance folders (C0.2)")
    yield from _in_rows(package, folders)
    for heading in document.headings:
        names = [match[0] for match in FILE.finditer(heading.text)]
        section = Section(heading.text, heading.line, document.end_of(heading.line))
        text = "\n".join(document.lines[section.start : section.end - 1])
        restricted = any(cell in folders for row in document.rows if section.holds(row.line) for cell in row.cells)
        if heading.level < 3 or not names or restricted or not PROMISE.search(text) or SHARED.search(text):
            continue
        for name in names:
            for instance in folders:
                if not _has(package, instance, name) and not _mentions_some(text, folders):
                    message = f"is promised as development data, and instance {instance!r} has none"
                    yield Finding(file=DESCRIPTION, line=heading.line, text=name, message=message, hint="Add it.")
    yield from _targets(package, document, folders)


def _in_rows(package: CheckedPackage, folders: list[str]) -> Iterator[Finding]:
    """Files that stand in one row of a table with an instance which has them not; those to be written aside."""
    answers = output_section(package.document(README))
    for file in (DESCRIPTION, README):
        for row in package.document(file).rows:
            if file == README and answers is not None and answers.holds(row.line):
                continue
            instance = next((cell for cell in row.cells if cell in folders), "")
            for name in (match[0] for cell in row.cells if instance for match in FILE.finditer(cell)):
                if not row.heading and not _has(package, instance, name):
                    line = package.document(file).lines[row.line - 1]
                    message = f"instance {instance!r} has no {name}"
                    yield Finding(
                        file=file, line=row.line, column=max(line.find(name), 0) + 1, text=name, message=message,
                        hint=f"Add it to {DATA}/{instance}, or take it out.",
                    )  # fmt: skip


def _targets(package: CheckedPackage, document: Document, folders: list[str]) -> Iterator[Finding]:
    """Files with a TARGET, or of development by their name, that some instances have and others lack."""
    section = document.section(DESCRIPTION_PARTS[2][1])
    told: set[str] = set()
    for number, text in _passages(document, section) if section else ():
        if SHARED.search(text) or _mentions_some(text, folders) or re.search(r"\bonly\b|if present|optional", text):
            continue
        for name in dict.fromkeys(match[0] for match in FILE.finditer(text)):
            own = next((one for one in re.split(r"(?<=[.;])\s+", text) if name in one and "TARGET" in one), "")
            if name in told or not (own or OF_DEVELOPMENT.search(PurePosixPath(name).stem)):
                continue
            lacking = [one for one in folders if not _has(package, one, name)]
            if lacking and len(lacking) < len(folders):
                told.add(name)
                message = f"is described for each instance, and {lacking[0]!r} has none"
                column = max(document.lines[number - 1].find(name), 0) + 1
                yield Finding(
                    file=DESCRIPTION, line=number, column=column, text=name, message=message,
                    hint=f"Add it to {DATA}/{lacking[0]}, or say of which instances it is.",
                )  # fmt: skip


def _passages(document: Document, section: Section) -> Iterator[tuple[int, str]]:
    """Section 3 by what belongs together: a subsection with its heading; a line of what stands before any."""
    headings = [one for one in document.headings if section.holds(one.line) and one.level >= 3]
    first = headings[0].line if headings else section.end
    for number in range(section.start + 1, min(first, section.end)):
        if number <= len(document.lines):
            yield number, document.lines[number - 1]
    for one in headings:
        yield one.line, "\n".join(document.lines[one.line - 1 : document.end_of(one.line) - 1])


def _mentions_some(text: str, folders: list[str]) -> bool:
    """Whether a text names instances, so that it is about those alone."""
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for name in folders)


def _has(package: CheckedPackage, instance: str, name: str) -> bool:
    pattern = re.sub(r"\{[^}]*\}|<[^>]*>", "*", name)
    if f"{DATA}/{instance}/{name}" in package.files:
        return True
    return any(fnmatch.fnmatchcase(PurePosixPath(one).name, pattern) for one in package.below(f"{DATA}/{instance}"))


# -- README ----------------------------------------------------------------------------------


@check("C3.3", reads=(README,))
def readme_sections(package: CheckedPackage) -> Iterator[Finding]:
    """README.md has its six sections, Primary Metric and Entry Point among them.

    1. Scientific Problem, 2. Task Objective, 3. Dataset Information, 4. Evaluation Metrics, 5. Output Format,
    6. Submission Guidelines, in this order.

    Passes: six headings of the second level with these numbers.
    Fails: a section is missing, stands twice or in another place; no "### Entry Point".
    Mend: add the section.
    """
    yield from sections(package, README, README_PARTS)
    document = package.document(README)
    for title, parent in (("Primary Metric", 4), ("Entry Point", 6)):
        if not any(title.casefold() in one.text.casefold() for one in document.headings if one.level >= 3):
            above = next((one for one in document.headings if one.text.startswith(f"{parent}")), None)
            line, text = (above.line, above.text) if above else (1, "")
            message = f"lacks the section '### {title}'"
            yield Finding(file=README, line=line, text=text, message=message, hint=f"Add it to section {parent}.")


@check("C3.4", reads=(README,))
def output_format(package: CheckedPackage) -> Iterator[Finding]:
    """Section 5 gives path, file name and format, and where they apply shape, dtype and limits of values.

    An agent that has to guess the format is not measured by its science. Arrays have a shape and a dtype; tables have
    columns.

    Passes: "output/{instance}/predictions.npy | npy | (1500,) | float64 | finite".
    Fails: no path; an .npy without a shape or a dtype; a .csv without columns.
    Warns: no word on what values are allowed.
    Mend: a table File, Format, Shape, Dtype, Values.
    """
    document = package.document(README)
    section = output_section(document)
    if section is None:
        raise Skip(f"{README} has no section 5 (C3.3)")
    text = "\n".join(document.lines[section.start : section.end - 1])
    files = readme_outputs(package)
    lacks: list[tuple[str, str]] = []
    if not re.search(r"outputs?/|OUTPUT_DIR", text):
        lacks.append(("no path", "Say output/{instance}/<file>."))
    if not files:
        lacks.append(("no file name", "Name the file."))
    without = FILE.sub("", text)
    suffixes = {PurePosixPath(one.name).suffix for one in files}
    if files and not SAYS_FORMAT.search(without):
        lacks.append(("no format", "Say how the file is written."))
    for one in files:
        own = _about(document, section, one, files)
        if one.name.endswith(".npy") and not SAYS_SHAPE.search(own):
            lacks.append((f"no shape of {one.name}", "Say the shape of the array."))
        if one.name.endswith(".npy") and not SAYS_DTYPE.search(own):
            lacks.append((f"no dtype of {one.name}", "Say the type of the numbers."))
    if suffixes & {".csv", ".tsv"} and not SAYS_COLUMNS.search(HOW_PARTED.sub("", without)):
        lacks.append(("no columns", "Say the columns."))
    for what, hint in lacks:
        yield Finding(file=README, line=section.start, text=section.title, message=f"section 5 says {what}", hint=hint)
    if files and not SAYS_VALUES.search(without):
        message = "section 5 says nothing of the values that are allowed"
        yield Finding(
            file=README, line=section.start, text=section.title, message=message, hint="Say it.", level="warn"
        )


def _about(document: Document, section: Section, file: Named, files: list[Named]) -> str:
    """What section 5 says of one file: all of it where there is one, else up to where it names another."""
    lines = document.lines[section.start : section.end - 1]
    if len(files) > 1:
        others = [one.name for one in files if one.name != file.name]
        mine = False
        kept = []
        for line in lines:
            if file.name in line:
                mine = True
            elif any(name in line for name in others):
                mine = False
            if mine:
                kept.append(line)
        lines = kept
    return FILE.sub("", "\n".join(lines))


# -- anchors ---------------------------------------------------------------------


@check("C3.6", reads=(METADATA,))
def anchors(package: CheckedPackage) -> Iterator[Finding]:
    """Each metric of each instance has an anchor: a printed score that can be read, and is not zero.

    A score is told as its distance from the anchor, in parts of the anchor.

    Passes: "sota_score": [{"value": "95.5 ± 0.2", "method": "..."}].
    Fails: no sota_score; "n/a"; "0.0".
    Mend: take the value from the table of the paper that source_description names.
    """
    facts = metadata_metrics(package)
    if not facts:
        raise Skip(f"{METADATA} names no metrics (C0.3)")
    for fact in facts:
        printed = fact.entry.get("sota_score")
        where = (*fact.path, "sota_score")
        if not isinstance(printed, list) or not printed:
            line, column = at(package, where)
            message = f"{fact.instance}: {fact.name} has no anchor"
            yield Finding(file=METADATA, line=line, column=column, text=fact.name, message=message, hint="Add one.")
            continue
        wrong = [(place, one, why) for place, one in enumerate(printed) if (why := _unusable(one, fact.direction))]
        if not wrong:
            try:
                anchor_value(printed, fact.direction)
            except AnchorError as error:
                wrong = [(0, printed[0], error.message)]
        for place, one, why in wrong:
            line, column = at(package, (*where, place, "value"))
            text = str(one.get("value") if isinstance(one, dict) else one)
            message = f"{fact.instance}: {fact.name}: the anchor {why}"
            yield Finding(file=METADATA, line=line, column=column, text=text, message=message, hint="Correct it.")


def _unusable(printed: object, direction: str) -> str:
    value = printed.get("value") if isinstance(printed, dict) else printed
    if direction not in ("higher_is_better", "lower_is_better"):
        return "has no direction to be read by"
    try:
        read_score(value, direction)
    except UnreadableScoreError as error:
        return f"cannot be read: {error.message}"
    return ""
