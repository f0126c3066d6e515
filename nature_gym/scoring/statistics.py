"""How sure a leaderboard's figures are: bootstrap intervals over tasks and seeds, and win rates between agents.

Percentile bootstrap (Efron and Tibshirani 1993, chapter 13). Tasks are drawn with replacement and, where an
agent has several seeds a task, seeds within each drawn task, so that both sources of chance are in the interval.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Statistic = Callable[[Floats], Floats]
"""From values of shape (draws, tasks) to one number a draw, shape (draws,)."""


AT_ONCE = 4_000_000
"""Numbers drawn at once, at most."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure with the ends of its confidence interval."""

    value: float
    low: float
    high: float
    level: float


def bootstrap(
    tasks: Sequence[Sequence[float]], statistic: Statistic, *, level: float = 0.95, draws: int = 10_000, seed: int = 0
) -> Interval:
    """The interval of ``statistic`` over ``tasks``, each of which has the values of one or more seeds.

    A drawn task counts the mean of its drawn seeds. The same ``seed`` gives the same interval. Raises ValueError
    without a task, or for one without a value, or for a level that is not between 0 and 1.
    """
    if not tasks or not all(len(values) for values in tasks):
        raise ValueError("every task needs a value, and there must be a task")
    if not 0.0 < level < 1.0:
        raise ValueError(f"the level is {level}, and must lie between 0 and 1")
    random = np.random.default_rng(seed)
    count = len(tasks)
    sizes = np.array([len(values) for values in tasks])
    given = np.zeros((count, int(sizes.max())))
    for row, values in zip(given, tasks, strict=True):
        row[: len(values)] = values
    means = given.sum(axis=1) / sizes
    if sizes.max() == 1:
        step = max(1, AT_ONCE // count)
        sizes_of_blocks = [min(step, draws - done) for done in range(0, draws, step)]
        found = np.concatenate([statistic(means[random.integers(count, size=(n, count))]) for n in sizes_of_blocks])
    else:
        found = np.concatenate([statistic(_drawn(given, sizes, random)) for _ in range(draws)])
    tail = 50.0 * (1.0 - level)
    low, high = np.percentile(found, [tail, 100.0 - tail])
    return Interval(float(statistic(means[None, :])[0]), float(low), float(high), level)


def _drawn(given: Floats, sizes: npt.NDArray[np.int64], random: np.random.Generator) -> Floats:
    """One draw of tasks and, in each, of seeds. Shape (1, tasks)."""
    tasks = random.integers(len(sizes), size=len(sizes))
    width = given.shape[1]
    seeds = (random.random((len(sizes), width)) * sizes[tasks][:, None]).astype(np.int64)
    kept = np.arange(width) < sizes[tasks][:, None]
    values = np.take_along_axis(given[tasks], seeds, axis=1)
    return np.asarray(((values * kept).sum(axis=1) / sizes[tasks])[None, :])


def mean(values: Floats) -> Floats:
    """The mean over tasks, for :func:`bootstrap`."""
    return np.asarray(values.mean(axis=1))


def median(values: Floats) -> Floats:
    """The median over tasks, for :func:`bootstrap`."""
    return np.asarray(np.median(values, axis=1))


def win_rate(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """The share of tasks on which ``one`` has the larger gap, equal ones counting half.

    Both map each task of the set to the gap that it counts. Raises ValueError unless they have the same tasks.
    """
    if one.keys() != other.keys() or not one:
        raise ValueError("the two agents must have a gap for the same tasks, and for one at least")
    points = sum(1.0 if one[task] > other[task] else 0.5 if one[task] == other[task] else 0.0 for task in one)
    return points / len(one)


def win_rates(agents: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """The win rate of each agent against each other one."""
    return {one: {other: win_rate(agents[one], agents[other]) for other in agents if other != one} for one in agents}


def cost_per_match(costs: Mapping[str, float], matched: Sequence[str]) -> float | None:
    """What an agent spent over all tasks (money, or hours) for each that it matched; None where it matched none."""
    return sum(costs.values()) / len(matched) if matched else None
