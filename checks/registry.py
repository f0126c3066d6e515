"""Which checks there are, and how a function becomes one of them.

A check is written as::

    @check("C0.4", reads=(EVALUATOR,))
    def evaluator_compiles(package: CheckedPackage) -> Iterator[Finding]:
        '''evaluation/evaluator.py is Python that compiles.

        Why, in a paragraph.

        Passes: ...
        Fails: ...
        Mend: ...
        '''

Where one of the files that it ``reads`` is missing or broken, the check is skipped for that reason, and the others go
on. It raises :class:`Skip` where there is nothing for it to look at. Its status is the worst of its findings' levels.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from checks.model import Finding
from nature_gym.errors import UsageError

if TYPE_CHECKING:
    from checks.package import CheckedPackage

Look = Callable[["CheckedPackage"], Iterator[Finding]]

FAMILIES = {
    0: "Files and structure",
    1: "Consistency",
    2: "Information firewall",
    3: "Benchmark design",
    4: "Dynamic",
    5: "Beyond the 36",
}
BEYOND = 5
TITLES = {
    "C0.1": "the six required files",
    "C0.2": "instance folders",
    "C0.3": "metadata.json",
    "C0.4": "evaluator compiles",
    "C0.5": "environment",
    "C1.1": "task name",
    "C1.2": "instance names",
    "C1.3": "metric names",
    "C1.4": "metric directions",
    "C1.5": "primary metric",
    "C1.6": "output files",
    "C1.7": "references that are read",
    "C1.8": "tree of the data",
    "C1.9": "sections of data_description.md",
    "C2.1": "no paper in README.md",
    "C2.2": "no paper in data_description.md",
    "C2.3": "no method name in README.md",
    "C2.4": "no method name in data_description.md",
    "C2.5": "no guidance on the method",
    "C2.6": "nothing of the evaluator's side",
    "C3.1": "development data",
    "C3.2": "no by-products",
    "C3.3": "sections of README.md",
    "C3.4": "output format",
    "C3.5": "entry point",
    "C3.6": "anchors",
    "C3.7": "scorers",
    "C4.1": "baseline can be made",
    "C4.2": "baseline runs",
    "C4.3": "baseline's files",
    "C4.4": "evaluator runs",
    "C4.5": "result is whole",
    "C4.6": "scores are plausible",
    "C4.7": "entry point fits",
    "C4.8": "truth scores perfectly",
    "C4.9": "malformed answers",
}
"""All 36, in the order in which they are told."""
EXTENDED_TITLES = {
    "X1": "no hidden values in sight",
    "X2": "no sample twice",
    "X3": "trivial solver is no match",
    "X4": "baselines below the anchor",
    "X5": "room above the anchor",
    "X6": "evaluator is deterministic",
    "X7": "evaluator's time and memory",
    "X8": "licence notices",
    "X9": "names give nothing away",
    "X10": "size on the disk",
}
"""Those beyond the 36, which are asked for by --extended."""
RUN_CODE = frozenset({"X3", "X6", "X7"})
"""Those of them that need a sandbox, as family 4 does."""
MODULES: dict[str, str] = {
    name: module
    for module, names in {
        "family0": "C0.1 C0.2 C0.3 C0.4",
        "environment": "C0.5",
        "family1": "C1.1 C1.2 C1.3",
        "metrics_agree": "C1.4 C1.5",
        "files_agree": "C1.6 C1.7 C1.8 C1.9",
        "family2": "C2.1 C2.2 C2.3 C2.4 C2.5 C2.6",
        "family3": "C3.1 C3.3 C3.4 C3.6",
        "by_products": "C3.2",
        "entry_point": "C3.5",
        "scorers": "C3.7",
        "family4": "C4.1 C4.2 C4.3 C4.7",
        "dynamic.scores": "C4.4 C4.5 C4.6",
        "dynamic.handed_in": "C4.8 C4.9",
        "seen": "X1 X2",
        "dynamic.again": "X3 X6 X7",
        "extended": "X4 X5 X8 X9 X10",
    }.items()
    for name in names.split()
}
"""Which module has a check; loaded when the check is asked for."""
DYNAMIC = 4


class Skip(Exception):  # noqa: N818 -- no error: nothing to look at
    """Raised by a check that has nothing to look at; the text says why."""


@dataclass(frozen=True, slots=True)
class Check:
    """One check: ``look`` yields findings, ``reads`` are the files without which it is skipped."""

    id: str
    look: Look
    reads: tuple[str, ...]

    @property
    def title(self) -> str:
        """What it is about, in a few words."""
        return title(self.id)

    @property
    def explanation(self) -> str:
        """What it means, why, what passes and fails, how to mend it."""
        return inspect.cleandoc(self.look.__doc__ or "")


_CHECKS: dict[str, Check] = {}


def check(name: str, *, reads: tuple[str, ...] = ()) -> Callable[[Look], Look]:
    """Make a function the check ``name``."""

    def register(look: Look) -> Look:
        _CHECKS[name] = Check(name, look, reads)
        return look

    return register


def checks() -> dict[str, Check]:
    """Every check by its id, in order."""
    return {name: one_check(name) for name in TITLES}


def extended() -> dict[str, Check]:
    """Every check beyond the 36 by its id, in order."""
    return {name: one_check(name) for name in EXTENDED_TITLES}


def title(name: str) -> str:
    """What a check is about, in a few words."""
    return TITLES[name] if name in TITLES else EXTENDED_TITLES[name]


def known(name: str) -> str | None:
    """The id that ``name`` means, whatever its case; None where there is none."""
    return next((one for one in (*TITLES, *EXTENDED_TITLES) if one.casefold() == name.casefold()), None)


@cache
def one_check(name: str) -> Check:
    """A check by its id; its module is loaded for it."""
    importlib.import_module(f"checks.{MODULES[name]}")
    return _CHECKS[name]


def family(name: str) -> int:
    """The family of a check's id."""
    return BEYOND if name.startswith("X") else int(name[1])


def is_dynamic(name: str) -> bool:
    """Whether a check runs code of the package, which is done in a sandbox alone."""
    return family(name) == DYNAMIC or name in RUN_CODE


def chosen(select: tuple[str, ...], ignore: tuple[str, ...]) -> set[str]:
    """The ids that begin with a word of ``select`` (all where none is given) and with none of ``ignore``.

    Raises UsageError for a word that no id begins with.
    """
    for word in (*select, *ignore):
        if not any(_begins(name, word) for name in (*TITLES, *EXTENDED_TITLES)):
            raise UsageError(
                f"There is no check {word!r}.", hint="Ids are C0.1 to C4.9, X1 to X10; C2 and X mean whole families."
            )
    return {
        name
        for name in (*TITLES, *EXTENDED_TITLES)
        if (not select or any(_begins(name, word) for word in select))
        and not any(_begins(name, word) for word in ignore)
    }


def _begins(name: str, word: str) -> bool:
    families = name[0] if name in EXTENDED_TITLES else name.partition(".")[0]
    return word.casefold() in (name.casefold(), families.casefold())
