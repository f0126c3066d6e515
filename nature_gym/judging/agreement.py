"""How often two judges say the same, and how much of that is more than chance: percent and Cohen's kappa.

Trials that one of the two has not judged, or where one of them failed, are left out and counted: an error agrees with
nobody.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from nature_gym.judging.verdict import Verdict, Word

DECIDED: tuple[Word, ...] = ("valid", "invalid")


@dataclass(frozen=True, slots=True)
class Agreement:
    """``both`` are the trials that both decided; ``left_out`` those where one of them failed.

    ``percent`` from 0 to 100; ``kappa`` at most 1, None where chance alone would agree on all: one word throughout.
    """

    judges: tuple[str, str]
    both: int
    same: int
    left_out: int
    percent: float | None
    kappa: float | None
    table: Mapping[str, int]


def kappa(pairs: Sequence[tuple[str, str]]) -> float | None:
    """Cohen's kappa, (p_o - p_e) / (1 - p_e); None where p_e is 1, or no pairs.

    Educational and Psychological Measurement 20, 37-46 (1960).
    """
    if not pairs:
        return None
    count = len(pairs)
    words = {word for pair in pairs for word in pair}
    observed = sum(one == other for one, other in pairs) / count
    expected = sum(
        sum(one == word for one, _ in pairs) * sum(other == word for _, other in pairs) for word in words
    ) / count**2  # fmt: skip
    return None if expected >= 1.0 else (observed - expected) / (1.0 - expected)


def agreements(verdicts: Mapping[str, Sequence[Verdict]]) -> list[Agreement]:
    """The agreement of every two judges over trials (id -> verdicts)."""
    said = {trial: {one.judge: one.verdict for one in several} for trial, several in verdicts.items()}
    judges = sorted({judge for several in said.values() for judge in several})
    found = []
    for first, second in combinations(judges, 2):
        pairs = [(one[first], one[second]) for one in said.values() if first in one and second in one]
        decided = [pair for pair in pairs if pair[0] in DECIDED and pair[1] in DECIDED]
        same = sum(one == other for one, other in decided)
        table = {f"{one}/{other}": decided.count((one, other)) for one in DECIDED for other in DECIDED}
        percent = 100.0 * same / len(decided) if decided else None
        found.append(
            Agreement(
                (first, second), len(decided), same, len(pairs) - len(decided), percent, kappa(decided), table
            )
        )  # fmt: skip
    return found
