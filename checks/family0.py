"""Family 0: files and structure. What is broken here is what other checks are skipped for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from checks.model import Finding
from checks.package import DATA, EVALUATOR, LONGEST_LINE, METADATA, TRUTH, CheckedPackage
from checks.registry import check
from checks.suppressions import FILE as SUPPRESSIONS
from checks.suppressions import suppressions_of
from nature_gym.errors import FindingsError
from nature_gym.packaging.package import REQUIRED, Metadata

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
MOST_ODD = 50


@check("C0.1")
def required_files(package: CheckedPackage) -> Iterator[Finding]:
    """The six required files exist, are texts, and nothing in the package is a link, a FIFO or a device.

    problem/README.md, problem/data_description.md, evaluation/evaluator.py, metadata.json, environment/Dockerfile.v3
    and environment/packages.json are what every reader of a package relies on. Links are not followed: they could lead
    anywhere, and a copy of the package would lack what they lead to.

    Passes: all six are UTF-8 texts that are not empty.
    Fails: evaluation/evaluator.py is missing; problem/README.md is a link; a file's name is not UTF-8; a file
    suppressions.json is no list of suppressions, none of which then counts.
    Mend: add the file, or put a copy in the place of the link.
    """
    for name in REQUIRED:
        text = package.text(name)
        if text.missing:
            yield Finding(file=name, message=f"{name} {text.missing}", hint="Every package has this file.")
        elif not text.content.strip():
            yield Finding(file=name, message=f"{name} is empty", hint="Write it, or render the package again.")
        elif REPLACEMENT in text.content or "\0" in text.content:
            at = next(place for place, sign in enumerate(text.content) if sign in (REPLACEMENT, "\0"))
            line = text.content.count("\n", 0, at) + 1
            column = at - text.content.rfind("\n", 0, at)
            yield Finding(
                file=name, line=line, column=column, message="is not UTF-8 text", hint="Save the file as UTF-8."
            )
        for number, written in enumerate(text.content.split("\n"), 1) if name.endswith(".md") else ():
            if len(written) > LONGEST_LINE:
                message = f"has a line of {len(written):,} characters, more than is looked at"
                yield Finding(file=name, line=number, message=message, hint="Break the line.")
    yield from _odd_entries(package)
    try:
        suppressions_of(package)
    except FindingsError as error:
        yield Finding(file=SUPPRESSIONS, message=error.message, hint=error.hint)


def _odd_entries(package: CheckedPackage) -> Iterator[Finding]:
    odd = 0
    for name, entry in package.entries.items():
        wrong = ""
        if entry.kind not in ("file", "folder") and name not in REQUIRED:
            wrong = f"is a {entry.kind}"
        elif not name.isprintable():
            wrong = "has a name that is not printable text"
        if wrong:
            odd += 1
            if odd > MOST_ODD:
                return
            yield Finding(file=name, message=wrong, hint="A package holds plain files and folders alone.")


@check("C0.2")
def instance_folders(package: CheckedPackage) -> Iterator[Finding]:
    """The instance folders under problem/data and evaluation/ground_truth are the same set.

    An instance without references cannot be scored, and references without data are of no instance.

    Passes: problem/data/a, problem/data/b; evaluation/ground_truth/a, evaluation/ground_truth/b.
    Fails: problem/data/c has no evaluation/ground_truth/c; a folder holds no file.
    Mend: add the folder that is missing, or remove the other one.
    """
    sides = {DATA: package.instances(DATA), TRUTH: package.instances(TRUTH)}
    for here, other in ((DATA, TRUTH), (TRUTH, DATA)):
        if not sides[here]:
            yield Finding(file=here, message="has no instance folders", hint="Each instance has a folder here.")
            continue
        for name in sides[here]:
            if sides[other] and name not in sides[other]:
                message = f"instance {name!r} has no folder in {other}"
                yield Finding(file=f"{here}/{name}", text=name, message=message, hint="Add it, or remove this one.")
            elif next(package.below(f"{here}/{name}"), None) is None:
                yield Finding(file=f"{here}/{name}", text=name, message="holds no file", hint="Put its files there.")


@check("C0.3")
def metadata(package: CheckedPackage) -> Iterator[Finding]:
    """metadata.json is valid and complete, types and vocabularies included.

    Task name, topology, paradigm, tools, domain, resources, and for each instance its metrics with direction and
    anchors. Scores are texts as printed ("95.5 ± 0.2"), so that no digit is lost.

    Passes: "gpu_compute": "none".
    Fails: "metric_direction": "up"; "is_primary": "true"; four missing fields; two entries of one data set; a key that
    stands twice.
    Warns: a score that is a number, not a text.
    Mend: correct the field that is named; 'naturegym build' writes the file from task.yaml.
    """
    text = package.text(METADATA)
    if text.missing:
        yield Finding(file=METADATA, message=f"{METADATA} {text.missing}", hint="Every package has this file.")
        return
    doubled: list[str] = []
    try:
        json.loads(text.content, object_pairs_hook=lambda pairs: _object(pairs, doubled))
    except json.JSONDecodeError as error:
        yield Finding(file=METADATA, line=error.lineno, column=error.colno, message=f"is no JSON: {error.msg}")
        return
    except RecursionError:
        yield Finding(file=METADATA, message="is nested too deeply")
        return
    for key in doubled:
        line = text.content.count("\n", 0, text.content.rfind(f'"{key}"')) + 1
        yield Finding(file=METADATA, line=line, text=key, message=f"the key {key!r} stands twice in one object")
    try:
        Metadata.model_validate_json(text.content, strict=True)  # "true" is no truth value, and "1" no number
    except ValidationError as error:
        for fault in error.errors(include_url=False):
            yield _fault(package, fault)
    yield from _numbers(package)


def _object(pairs: list[tuple[str, Any]], doubled: list[str]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        doubled += sorted({name for name in names if names.count(name) > 1})
    return found


def _fault(package: CheckedPackage, fault: Any) -> Finding:
    path = tuple(fault["loc"])
    known = path
    while known and known not in package.metadata_lines:
        known = known[:-1]
    line, column = package.metadata_lines.get(known, (1, 1))
    where = ".".join(map(str, path)) or "the file"
    given = fault.get("input")
    text = str(given) if isinstance(given, str | int | float) else ""
    return Finding(
        file=METADATA, line=line, column=column, text=text, message=f"{where}: {fault['msg']}",
        hint="'naturegym package validate' lists the fields and what they may be.",
    )  # fmt: skip


def _numbers(package: CheckedPackage) -> Iterator[Finding]:
    for path, (line, column) in package.metadata_lines.items():
        if path[-1:] == ("value",) and path[0] == "performance_entries":
            value: Any = package.metadata
            for key in path:
                value = value[key]
            if isinstance(value, int | float):
                yield Finding(
                    file=METADATA, line=line, column=column, text=str(value), level="warn",
                    message="a score is a number, not the text that was printed", hint=f'Write it as "{value}".',
                )  # fmt: skip


@check("C0.4")
def evaluator_compiles(package: CheckedPackage) -> Iterator[Finding]:
    """evaluation/evaluator.py is Python that compiles.

    It is parsed and compiled, never run.

    Passes: any module without a syntax error.
    Fails: "return" outside of a function; an indentation that does not fit.
    Mend: correct the line that is named.
    """
    text = package.text(EVALUATOR)
    if text.missing:
        yield Finding(file=EVALUATOR, message=f"{EVALUATOR} {text.missing}", hint="Every package has this file.")
        return
    code = package.code(EVALUATOR)
    if code.tree is None:
        lines = code.text.split("\n")
        shown = lines[code.line - 1].strip() if 0 < code.line <= len(lines) else ""
        yield Finding(
            file=EVALUATOR, line=max(code.line, 1), column=max(code.column, 1), text=shown,
            message=f"does not compile: {code.error}", hint="Correct this line.",
        )  # fmt: skip
