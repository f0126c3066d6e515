"""C1.1 to C1.3: names. The same thing stands in several files; here it is compared."""

from __future__ import annotations

import re
from collections.abc import Iterator

from checks.facts import (
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


@check("C1.1", reads=(README, METADATA))
def task_name(package: CheckedPackage) -> Iterator[Finding]:
    """The task's name is the same in README.md and metadata.json.

    The README's first heading is the name; white space and the marks of code aside, both are equal.

    Passes: "# Optical coatings" and "task_name": "Optical coatings".
    Warns: another wording, another case, no first heading.
    Mend: correct task_name, or the heading.
    """
    heading = next((one for one in package.document(README).headings if one.level == 1), None)
    name = " ".join(str(package.metadata.get("task_name", "")).split())
    if heading is None:
        yield Finding(file=README, message="has no first heading", hint=f"Begin with '# {name}'.", level="warn")
    elif " ".join(heading.text.split()) not in (name, name.replace("`", "")):  # a heading is read without its marks
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
