"""C1.6 to C1.9: what documents and evaluator say of files, compared with each other and with the files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from checks.answer_keys import Taken, taken_by_evaluator
from checks.documents import Section
from checks.facts import evaluator_attributes, evaluator_texts, mentions, output_section, readme_outputs
from checks.following import Reading
from checks.model import Finding
from checks.package import DATA, DESCRIPTION, EVALUATOR, README, TRUTH, CheckedPackage
from checks.registry import Skip, check
from checks.sections import DESCRIPTION_PARTS, sections
from checks.trees import Node, read_tree, undrawn, unseen
from checks.values import WILD, matching
from nature_gym.baseline.asked import Asked, asked_files

MOST_TREE_FINDINGS = 100


@check("C1.6", reads=(README, EVALUATOR))
def output_files(package: CheckedPackage) -> Iterator[Finding]:
    """The output files, formats and structure in section 5 of README.md are what the evaluator reads.

    The evaluator is followed through its constants, joined paths, functions and loops, and never run. What it looks up
    in what it reads of an answer are its columns and keys; a tuple that a shape is compared with is its shape.

    Passes: "output/{instance}/predictions.csv" and OUTPUT_DIR / instance / "predictions.csv".
    Fails: the README asks for predictions.npy, and predictions.csv is read; a column that the evaluator does not know;
    archive["samples"] where section 5 has the key "x"; another shape; an .npy that is read with read_csv.
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
    yield from _formats(read)
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


READ_BY = {
    "numpy.load": {".npy", ".npz", ".pkl", ".pickle"},
    "read_h5ad": {".h5ad", ".h5", ".hdf5"},
    "read_parquet": {".parquet", ".pq"},
    "read_json": {".json", ".jsonl", ".ndjson"},
}
"""Suffixes of what a function can read, where these are few."""
TEXTS_ALONE = {"read_csv", "read_table", "loadtxt", "genfromtxt"}
NO_TEXTS = {".npy", ".npz", ".h5ad", ".h5", ".hdf5", ".parquet", ".pkl", ".pt", ".png", ".zip", ".mat", ".json"}


def _formats(read: dict[str, Reading]) -> Iterator[Finding]:
    """Files that the evaluator reads with what cannot read them."""
    for name, reading in read.items():
        suffix = PurePosixPath(name).suffix.lower()
        short = reading.call.rpartition(".")[2]
        accepted = READ_BY.get(reading.call) or READ_BY.get(short)
        if (accepted and suffix not in accepted) or (short in TEXTS_ALONE and suffix in NO_TEXTS):
            yield Finding(
                file=EVALUATOR, line=reading.line, column=reading.column, text=_shown(name),
                message=f"{_shown(name)} is read with {short}", hint="Read it by its format, or correct its name.",
            )  # fmt: skip


def _structure(package: CheckedPackage, section: Section) -> Iterator[Finding]:
    """Columns, keys and shapes of section 5: the evaluator looks these up in the answer, and no others."""
    document = package.document(README)
    asked = asked_files(package.text(README).content)
    taken = taken_by_evaluator(package)
    columns = {column.name.rpartition("/")[2]: column.line for one in asked for column in (*one.columns, *one.unshown)}
    texts = evaluator_texts(package)
    attributes = evaluator_attributes(package)
    folded = {text.casefold(): text for text in (*texts, *attributes)}
    unmet = [name for name in taken.answer if name not in columns]
    for name, line in columns.items():
        others_instead = bool(unmet) and len(unmet) < len(taken.answer)
        known = name in texts or name in attributes
        known = known or (not others_instead and any(mentions(name, text) >= 0 for text in texts))
        if known or not re.fullmatch(r"\w[\w .-]*", name) or re.search(r"\.\.|…", name) or not section.holds(line):
            continue
        near = folded.get(name.casefold(), "")
        sure = near or others_instead
        yield Finding(
            file=README, line=line, column=max(document.lines[line - 1].find(name), 0) + 1, text=name,
            message=f"{EVALUATOR} knows no column or key {name!r}",
            hint=f"It reads {near or ', '.join(unmet[:6])!r}." if sure else "Call it as the evaluator does.",
            level="fail" if sure else "warn",
        )  # fmt: skip
    said = columns.keys() | {key for one in asked for key in _shown_keys(one.example)}
    words = "\n".join(document.lines[section.start : section.end - 1])
    apart = bool(taken.answer and said) and not said & taken.answer.keys()
    if apart and (said & texts.keys() or not any(mentions(name, words) >= 0 for name in taken.answer)):
        name, (line, column) = next(iter(taken.answer.items()))
        yield Finding(
            file=EVALUATOR, line=line, column=column, text=name,
            message=f"{name!r} is looked up in the answer, and section 5 of {README} has no such column or key",
            hint=f"It has: {', '.join(sorted(said)[:6])}.",
        )  # fmt: skip
    yield from _shapes(asked, taken)


def _shown_keys(example: object, depth: int = 0) -> Iterator[str]:
    """The keys of the JSON value that a section shows, at every depth."""
    if isinstance(example, dict):
        yield from example
    inner = example.values() if isinstance(example, dict) else example if isinstance(example, list) else ()
    for one in list(inner)[:100] if depth < 5 else ():
        yield from _shown_keys(one, depth + 1)


def _shapes(asked: list[Asked], taken: Taken) -> Iterator[Finding]:
    """Shapes that the evaluator wants, and section 5 does not say."""
    said = {shape for one in asked for shape in (one.shape, *(column.shape for column in one.columns)) if shape}
    for wanted, (line, column) in taken.shapes.items():
        alike = [one for one in said if len(one) == len(wanted)]
        fits = any(all(isinstance(a, str) or a == b for a, b in zip(one, wanted, strict=True)) for one in alike)
        if alike and not fits:
            yield Finding(
                file=EVALUATOR, line=line, column=column, text=str(wanted),
                message=f"the answer is to have the shape {wanted}, and section 5 says {alike[0]}",
                hint="Make section 5 and the evaluator agree.",
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
        yield from _left_out(package, one)
        for name in names[:1000]:
            entry = package.entries[name]
            empty = not package.children.get(name) if entry.kind == "folder" else entry.size == 0
            if empty and entry.kind in ("file", "folder") and not name.endswith("__init__.py"):
                yield Finding(file=name, text=name, message=f"is empty, and read in line {one.line} of the evaluator")
    if not found:
        message = "no ground-truth path could be followed"
        yield Finding(file=EVALUATOR, message=message, hint="Is any read?", level="warn")


def _left_out(package: CheckedPackage, reading: Reading) -> Iterator[Finding]:
    """Instances whose folder has not what is listed of all of them: they would get no score, and nobody told."""
    match = re.fullmatch(rf"{TRUTH}/[*{WILD}]+/([^*?\[{WILD}]+)", reading.place)
    if match is None or reading.verb != "list":
        return
    for name in package.instances(TRUTH):
        if f"{TRUTH}/{name}/{match[1]}" not in package.entries:
            yield Finding(
                file=EVALUATOR, line=reading.line, column=reading.column, text=_shown(reading.place),
                message=f"instance {name!r} has no {match[1]}, and would be left out", hint="Add it.", level="warn",
            )  # fmt: skip


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
