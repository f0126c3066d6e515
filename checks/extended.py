"""Beyond the 36, under ``--extended``: what a reader of a package would stumble over. X1 and X2 are in checks.seen.

They warn where taste may differ, and fail where the task gives itself away. Those that have to run code (X3, X6, X7)
are in checks.dynamic.again.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from checks.facts import MetricFact, at, metadata_metrics
from checks.language.names import method_names, name_pattern
from checks.model import Finding, Level
from checks.package import DATA, METADATA, CheckedPackage, loads
from checks.registry import Skip, check
from nature_gym.errors import NatureGymError
from nature_gym.metrics.entry import HIGHER, Metric
from nature_gym.metrics.registry import resolve
from nature_gym.scoring.gap import AnchorError, anchor_value
from nature_gym.scoring.printed import UnreadableScoreError, read_score

NEAR_BOUND = 0.02
LARGE, TOO_LARGE = 10 << 30, 50 * 10**9
LICENCES = re.compile(r"(?:licen[cs]e|notice|copying)", re.IGNORECASE)
PAPER_IN_NAME = re.compile(
    r"s4\d{4}-\d{3}-\d{5}-[\dxw]|10\.\d{4,9}[_/-]|arxiv|(?<!\d)2[0-6](?:0[1-9]|1[0-2])\.\d{4,5}(?!\d)|"
    r"(?<![a-z])et[_ -]al(?![a-z])|(?<![a-z])(?:pmid|pmc)[_-]?\d{5,}|"
    r"(?<![a-z])(?:supp(?:lementary)?[_ -]?(?:table|data|fig\w*)|source[_ -]?data[_ -]?fig)",
    re.IGNORECASE,
)
MOST_NAMES = 50


@check("X4", reads=(METADATA,))
def baselines(package: CheckedPackage) -> Iterator[Finding]:
    """No baseline that metadata.json lists is better than the anchor.

    A task whose baseline already beats the paper's result measures nothing, or has its scores mixed up.

    Passes: RMSE, lower is better, anchor 0.85 and baseline 1.2.
    Fails: accuracy, anchor 0.85 and baseline 0.91.
    Mend: see in the paper which is which.
    """
    facts = metadata_metrics(package)
    listed = [fact for fact in facts if isinstance(fact.entry.get("baseline_score"), dict)]
    if not listed:
        raise Skip(f"{METADATA} lists no baselines")
    for fact in listed:
        anchor = _anchor(fact)
        try:
            baseline = read_score(fact.entry["baseline_score"].get("value"), fact.direction).value
        except UnreadableScoreError:
            continue  # a baseline need not be a number
        if anchor is not None and (baseline > anchor if fact.direction == HIGHER else baseline < anchor):
            line, column = at(package, (*fact.path, "baseline_score", "value"))
            message = f"{fact.instance}: {fact.name}: the baseline {baseline:g} is better than the anchor {anchor:g}"
            yield Finding(file=METADATA, line=line, column=column, text=f"{baseline:g}", message=message)


@check("X5", reads=(METADATA,))
def room_above(package: CheckedPackage) -> Iterator[Finding]:
    """The anchor leaves room: it is not within 2 % of the best value that the metric can have.

    Where hardly anything can be gained, scores tell chance from chance. Looked at where the metric is known by its
    name and its range is closed; percentages count as such.

    Passes: accuracy 0.85; RMSE 0.01, for an error has no scale of its own.
    Warns: accuracy 0.995; AUROC 99.2.
    Mend: another metric or data set of the paper, or say why it is hard all the same.
    """
    facts = metadata_metrics(package)
    known = [(fact, metric) for fact in facts if (metric := _metric(fact.name)) is not None]
    if not known:
        raise Skip("no metric is known by its name")
    for fact, metric in known:
        best, worst = (metric.high, metric.low) if fact.direction == HIGHER else (metric.low, metric.high)
        anchor = _anchor(fact)
        if anchor is None or math.isinf(best) or math.isinf(worst):
            continue
        scale = 100.0 if abs(anchor) > max(abs(best), abs(worst)) and abs(anchor) <= 100 else 1.0
        if abs(best * scale - anchor) <= NEAR_BOUND * abs(best - worst) * scale:
            line, column = at(package, (*fact.path, "sota_score"))
            message = f"{fact.instance}: {fact.name}: the anchor {anchor:g} is within 2 % of {best * scale:g}"
            yield Finding(
                file=METADATA, line=line, column=column, text=f"{anchor:g}", message=message, level="warn",
                hint="Little can be gained.",
            )  # fmt: skip


@check("X8")
def licences(package: CheckedPackage) -> Iterator[Finding]:
    """There is a licence notice for what the package holds: one a source.

    Data and code of others are passed on under their terms. Where provenance.json names sources, each has its notice in
    licenses/; else there is at least one.

    Passes: licenses/deposit.txt for the source "deposit".
    Warns: no notice at all; a source without one; an empty one.
    Mend: add the notice of the source to licenses/.
    """
    folder = list(package.below("licenses"))
    anywhere = [name for name in package.files if LICENCES.search(PurePosixPath(name).name)]
    if not folder and not anywhere:
        yield Finding(file="licenses", message="there is no licence notice", hint="Add one a source.", level="warn")
    for name in folder:
        if not package.files[name]:
            yield Finding(file=name, message="is empty", hint="Say the licence and its terms.", level="warn")
    for source in sorted(_sources(package)):
        if folder and not any(PurePosixPath(name).stem == source for name in folder):
            message = f"the source {source!r} has no notice in licenses/"
            yield Finding(file="provenance.json", text=source, message=message, hint="Add it.", level="warn")


@check("X9")
def names_of_files(package: CheckedPackage) -> Iterator[Finding]:
    """No name of a folder or file that an agent sees gives the paper or its method away.

    A DOI's suffix as the task's id, "Supplementary_Table_3.csv", or the method's name in a path say where to look.

    Passes: demo-48a07731; problem/data/a/train.csv.
    Fails: s41467-022-30001-4; problem/data/a/cellseer_features.csv of the method CellSeer.
    Mend: rename it, here and in the documents.
    """
    # Names that stand in their own spelling alone are words of the language as well: a path tells nothing by them.
    patterns = [name_pattern(name, exact=False) for name, exact in method_names(package).items() if not exact]
    own = package.path.resolve().name
    told = 0
    for name in ("", *(one for one in package.entries if one.startswith("problem/"))):
        text = name.rpartition("/")[2] or own
        spaced = re.sub(r"[_.-]+", " ", text)
        match = PAPER_IN_NAME.search(text)
        hit = match[0] if match else next((found[0] for one in patterns if (found := one.search(spaced))), "")
        if hit:
            what = "the paper" if match else "the method"
            file = name or "."
            yield Finding(file=file, text=hit, message=f"the name {text!r} gives {what} away", hint="Rename it.")
            told += 1
            if told >= MOST_NAMES:
                return


@check("X10")
def size(package: CheckedPackage) -> Iterator[Finding]:
    """The package is of a size that can be handed around: at most 50 GB, better 10.

    Passes: 200 MB.
    Fails: more than 50 GB.
    Warns: more than 10 GiB, with the largest file named.
    Mend: leave out what the task does not need.
    """
    total = sum(package.files.values())
    if total > LARGE:
        largest = max(package.files, key=lambda name: package.files[name])
        message = f"the package has {total / 1e9:.1f} GB; {largest} alone {package.files[largest] / 1e9:.1f} GB"
        level: Level = "fail" if total > TOO_LARGE else "warn"
        yield Finding(file=largest, message=message, hint=f"Is all of {DATA} needed?", level=level)


def _anchor(fact: MetricFact) -> float | None:
    try:
        return anchor_value(fact.entry.get("sota_score"), fact.direction)
    except (AnchorError, NatureGymError, ValueError):
        return None


def _metric(name: str) -> Metric | None:
    try:
        return resolve(name)[0]
    except NatureGymError:
        return None


def _sources(package: CheckedPackage) -> set[str]:
    value: Any = loads(package.text("provenance.json").content)
    sources = value.get("sources") if isinstance(value, dict) else None
    return {name for name in sources if isinstance(name, str)} if isinstance(sources, dict) else set()
