"""The leaderboard in numbers: standings, the heat map of domains, distributions, wins, and cost against match."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from nature_gym.errors import UsageError
from nature_gym.reporting.charts import bars, heat, scatter
from nature_gym.reporting.texts import plain
from nature_gym.scoring.board import Standing
from nature_gym.scoring.board_formats import BINS, GAPS, RATES
from nature_gym.sweeping.folders import TrialFolder
from nature_gym.sweeping.results import TrialBoard, trial_board


def board_of_trials(trials: Iterable[TrialFolder], domains: Mapping[str, str]) -> TrialBoard | None:
    """The board of the sweep's trials; None where there are none."""
    try:
        return trial_board(trials, domains)
    except UsageError:
        return None


def board_page(found: TrialBoard) -> dict[str, Any]:
    """All that the page shows."""
    standings = found.board.standings
    names = [standing.agent for standing in standings]
    domains = sorted({name for standing in standings for name in standing.domains})
    dollars = any(found.agents[name].cost > 0 for name in names)
    return {
        "rates": list(RATES.values()),
        "gaps": list(GAPS.values()),
        "rows": [_row(standing, found) for standing in standings],
        "agents": [plain(name, 60) for name in names],
        "domains": [
            {"name": plain(domain, 80), "cells": [_domain_cell(standing, domain) for standing in standings]}
            for domain in domains
        ],
        "bins": list(BINS.items()),
        "bars": bars([(plain(one.agent, 28), _bins(one)) for one in standings]),
        "bar_table": [(plain(one.agent, 60), list(_bins(one).values())) for one in standings],
        "wins": [
            (plain(one, 60), [_win(found.board.wins.get(one, {}).get(other)) for other in names]) for one in names
        ] if found.board.wins else [],
        "spent": "US dollars" if dollars else "hours",
        "scatter": scatter([_point(standing, found, dollars=dollars) for standing in standings]),
        "lines": [plain(line, 800) for line in found.lines()],
        "comparable": found.comparable,
        "judged": any(name != "none" for name in found.judges),
    }  # fmt: skip


def _row(standing: Standing, found: TrialBoard) -> dict[str, Any]:
    side, told = found.agents[standing.agent], standing.overall
    return {
        "rank": standing.rank,
        "agent": plain(standing.agent, 60),
        "tasks": len(found.tasks),
        "trials": len(side.outcomes),
        "missing": side.missing,
        "rates": [_rate(standing, name) for name in RATES],
        "gaps": [getattr(told, name) for name in GAPS],
        "invalid": told.invalid_count,
        "cost": side.cost,
        "hours": side.hours,
        "cost_per_match": side.cost / side.matched if side.matched else None,
        "hours_per_match": side.hours / side.matched if side.matched else None,
    }


def _rate(standing: Standing, name: str) -> dict[str, Any]:
    interval = standing.intervals.get(name)
    return {
        "value": getattr(standing.overall, name),
        "interval": f"{interval.low:.0f} to {interval.high:.0f}" if interval else "",
    }


def _domain_cell(standing: Standing, domain: str) -> dict[str, Any]:
    figures = standing.domains.get(domain)
    value = figures.match_sota if figures else None
    return {"value": value, "heat": heat(value), "tasks": figures.task_count if figures else 0}


def _bins(standing: Standing) -> dict[str, int]:
    return {name: standing.overall.distribution.get(name, 0) for name in BINS}


def _win(share: float | None) -> dict[str, Any]:
    value = None if share is None else 100.0 * share
    return {"value": value, "heat": heat(value)}


def _point(standing: Standing, found: TrialBoard, *, dollars: bool) -> tuple[str, float, float, float, float]:
    side, interval = found.agents[standing.agent], standing.intervals["match_sota"]
    spent = side.cost if dollars else side.hours
    return plain(standing.agent, 28), spent, standing.overall.match_sota, interval.low, interval.high
