"""A leaderboard: the figures of each agent over one set of tasks, ranked, and how sure they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from nature_gym.errors import FindingsError
from nature_gym.scoring.gap import matches, surpasses
from nature_gym.scoring.leaderboard import Figures, TaskResult, counted_gap, figures, figures_by, ranked
from nature_gym.scoring.results import Result
from nature_gym.scoring.statistics import Floats, Interval, bootstrap, mean, win_rates


@dataclass(frozen=True, slots=True)
class Standing:
    """One agent: its figures, by domain too, with 95 % intervals of match, surpass (percent) and the mean of g."""

    rank: int
    agent: str
    overall: Figures
    domains: Mapping[str, Figures]
    intervals: Mapping[str, Interval]


@dataclass(frozen=True, slots=True)
class Board:
    """Standings in the order of their ranks; ``wins`` is the share of tasks on which one has the larger g."""

    standings: Sequence[Standing]
    wins: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """For files: one agent's figures by themselves as published, several as a list with their ranks."""
        told = [
            {
                "overall": standing.overall.as_dict(),
                "domains": {name: found.as_dict() for name, found in standing.domains.items()},
                "intervals": {name: asdict(interval) for name, interval in standing.intervals.items()},
            }
            for standing in self.standings
        ]
        if len(told) == 1:
            return told[0]
        agents = [
            {"rank": standing.rank, "agent": standing.agent, **figures_of}
            for standing, figures_of in zip(self.standings, told, strict=True)
        ]
        return {"agents": agents, "win_rates": self.wins}


def board_of(tables: Mapping[str, Sequence[Result]], domains: Mapping[str, str]) -> Board:
    """The board of ``tables`` (agent -> its rows, the same tasks for each); ``domains`` maps tasks, and may be empty.

    Raises FindingsError where agents have other tasks, or there are none.
    """
    counted = {agent: [row.counted for row in rows] for agent, rows in tables.items()}
    sets = {frozenset(result.task for result in results) for results in counted.values()}
    if len(sets) != 1 or not all(sets):
        raise FindingsError(
            "The agents do not have the same tasks." if all(sets) else "A table has no task.",
            hint="Give each agent a row for every task of the set, with an empty best_score where there is none.",
        )
    overall = {agent: figures(results) for agent, results in counted.items()}
    standings = [
        Standing(
            rank,
            agent,
            overall[agent],
            figures_by(counted[agent], domains) if domains else {},
            intervals_of([[result] for result in counted[agent]]),
        )
        for rank, agent in ranked(overall)
    ]
    gaps = {agent: {result.task: counted_gap(result) for result in results} for agent, results in counted.items()}
    return Board(standings, win_rates(gaps) if len(gaps) > 1 else {})


def intervals_of(tasks: Sequence[Sequence[TaskResult]]) -> dict[str, Interval]:
    """The 95 % intervals of match, surpass (percent) and mean g over tasks, each with the results of its seeds."""
    gaps = [[counted_gap(result) for result in seeds] for seeds in tasks]
    valid = [[result.verdict == "valid" and result.gap is not None for result in seeds] for seeds in tasks]

    def those(line: Callable[[float], bool]) -> list[list[float]]:
        return [
            [float(ok and line(gap)) for ok, gap in zip(oks, found, strict=True)]
            for oks, found in zip(valid, gaps, strict=True)
        ]

    def share(values: Floats) -> Floats:
        return np.asarray(100.0 * values.mean(axis=1))

    over = {
        "match_sota": (those(matches), share),
        "surpass_sota": (those(surpasses), share),
        "mean_g_all": (gaps, mean),
    }
    return {name: bootstrap(values, statistic) for name, (values, statistic) in over.items()}
