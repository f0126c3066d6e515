"""The registry: every metric by its name or by any name that papers print.

Names are compared without case, dashes, spaces and other marks ("R²", "r^2" and "R2" are one), and a number
behind an at sign or in "top-5" is taken for the parameter k.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import inspect
import math
import re
import unicodedata
from functools import cache
from typing import Any

from nature_gym.errors import FindingsError, InfrastructureError, UsageError
from nature_gym.metrics.entry import Metric

FAMILIES = (
    "classification",
    "regression",
    "multitarget",
    "ranking",
    "clustering",
    "segmentation",
    "detection",
    "image",
    "structure",
    "text",
    "molecules",
    "distribution",
    "survival",
    "optimisation",
)


@cache
def metrics() -> dict[str, Metric]:
    """All metrics by name, in the order of families and of the modules."""
    found: dict[str, Metric] = {}
    for family in FAMILIES:
        for metric in importlib.import_module(f"nature_gym.metrics.{family}").METRICS:
            found[metric.name] = metric
    return found


def folded(name: str) -> str:
    """A name without what varies in print: case, dashes, spaces, primes, brackets; ² is 2."""
    plain = unicodedata.normalize("NFKC", name[:200]).casefold()
    return "".join(character for character in plain if character.isalnum())


@cache
def names() -> dict[str, Metric]:
    """Every metric by its folded name, title and aliases."""
    known: dict[str, Metric] = {}
    for metric in metrics().values():
        for name in (metric.name, metric.title, *metric.aliases):
            known.setdefault(folded(name), metric)
    return known


@cache
def _titles() -> dict[str, Metric]:
    """Every metric by its title to the letter, which tells MAP (of rankings) from mAP (of detections)."""
    return {metric.title: metric for metric in metrics().values()}


_AT = re.compile(r"(.{1,60}?)[ _]?@ ?([0-9]{1,6})")
_TOP = re.compile(r"top[ -]?([0-9]{1,6})\b(.{0,40})", re.IGNORECASE)


def resolve(name: str) -> tuple[Metric, dict[str, Any]]:
    """The metric that ``name`` means, and the parameters that the name itself gives ("NDCG@10": k is 10).

    Raises UsageError, with the names that come close, where there is none.
    """
    name = name.strip()
    known = names()
    if metric := _titles().get(name) or known.get(folded(name)):
        given = re.search(r"(?:@|top[ -]?)([0-9]{1,6})\b", name, re.IGNORECASE)
        return metric, {"k": int(given.group(1))} if given and "k" in metric.parameters else {}
    for pattern, rest, number in ((_AT, 1, 2), (_TOP, 2, 1)):
        if found := pattern.fullmatch(name):
            stem = folded(("top" if pattern is _TOP else "") + found.group(rest))
            for candidate in (f"{stem}k", f"{stem}atk", stem, stem.replace("top", "topk")):
                if (metric := known.get(candidate)) and "k" in metric.parameters:
                    return metric, {"k": int(found.group(number))}
    close = difflib.get_close_matches(folded(name), known, n=4, cutoff=0.6)
    hint = f"Is it {' or '.join(dict.fromkeys(known[one].name for one in close))}? " if close else ""
    raise UsageError(f"There is no metric {name[:80]!r}.", hint=hint + "'naturegym metrics list' names them all.")


def find(name: str) -> Metric:
    """The metric that ``name`` means; UsageError where there is none."""
    return resolve(name)[0]


def missing_packages(metric: Metric) -> list[str]:
    """Which of the packages that ``metric`` requires are not installed here."""
    return [name for name in metric.requires if importlib.util.find_spec(name) is None]


def compute(metric: Metric, reference: Any, prediction: Any, parameters: dict[str, Any] | None = None) -> float:
    """The value of ``metric``.

    Raises UsageError for parameters that it does not have, InfrastructureError where a package that it needs is
    not installed, FindingsError, with the metric's own sentence, for inputs that it cannot score.
    """
    given = parameters or {}
    if unknown := given.keys() - metric.parameters.keys():
        takes = ", ".join(metric.parameters) or "none"
        raise UsageError(f"{metric.name} has no parameter {min(unknown)}.", hint=f"Its parameters: {takes}.")
    signature = list(inspect.signature(metric.function).parameters.values())[2:]
    if wanting := [one.name for one in signature if one.default is one.empty and one.name not in given]:
        raise UsageError(f"{metric.name} needs {', '.join(wanting)}.", hint=f"'naturegym metrics show {metric.name}'.")
    if absent := missing_packages(metric):
        raise InfrastructureError(
            f"{metric.name} needs {', '.join(absent)}, which is not installed.",
            hint="Install it beside NatureGym; no other metric needs it.",
        )
    try:
        value = float(metric.function(reference, prediction, **given))
    except (ValueError, TypeError) as error:
        raise FindingsError(f"{metric.name}: {error}.", hint=f"'naturegym metrics show {metric.name}'.") from error
    if not math.isfinite(value):
        raise FindingsError(f"{metric.name}: the result is not a finite number.", hint="Look at the two inputs.")
    return value
