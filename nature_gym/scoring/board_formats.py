"""A leaderboard in print: as tables for people, Markdown and LaTeX (two decimals), and CSV (six)."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nature_gym.scoring.board import Board, Standing
    from nature_gym.scoring.leaderboard import Figures

RATES = {"score_rate": "SR %", "completion_rate": "CR %", "match_sota": "Match %", "surpass_sota": "Surpass %"}
GAPS = {"mean_g_all": "Mean g", "median_g_all": "Median g", "median_g_valid": "Median g (valid)"}
BINS = {
    "no_score": "no score",
    "invalid": "invalid",
    "unknown": "unknown",
    "g_lt_minus_0_5": "g < -0.5",
    "g_minus_0_5_to_0": "[-0.5, 0)",
    "g_0_to_0_1": "[0, 0.1]",
    "g_0_1_to_0_5": "(0.1, 0.5]",
    "g_gt_0_5": "> 0.5",
}
COUNTS = ("task_count", "scored_count", "valid_count", "invalid_count", "no_score_count", "unknown_count")


@dataclass(frozen=True, slots=True)
class Table:
    """``words`` are the columns that have no numbers."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: tuple[str, ...] = ("Agent",)


def tables(board: Board) -> list[Table]:
    """Standings, distributions, match by domain, wins of one over another; those that have something to say."""
    found = [_standings(board), _distribution(board)]
    domains = sorted({name for standing in board.standings for name in standing.domains})
    if domains:
        rows = tuple(
            (standing.agent, *(_match(standing.domains[name]) for name in domains)) for standing in board.standings
        )
        found.append(Table("Match / surpass by domain, % (tasks)", ("Agent", *domains), rows))
    if board.wins:
        order = [standing.agent for standing in board.standings]
        rows = tuple(
            (one, *("" if one == other else f"{100 * board.wins[one][other]:.0f}" for other in order)) for one in order
        )
        found.append(Table("Larger g than, % of tasks (equal counts half)", ("Agent", *order), rows))
    return found


def _standings(board: Board) -> Table:
    columns = ("Rank", "Agent", "Tasks", *RATES.values(), *GAPS.values())
    return Table("Leaderboard", columns, tuple(_standing(standing) for standing in board.standings))


def _standing(standing: Standing) -> tuple[str, ...]:
    told = standing.overall
    rates = [f"{getattr(told, name):.2f}{_spread(standing, name)}" for name in RATES]
    return (
        str(standing.rank),
        standing.agent,
        str(told.task_count),
        *rates,
        *(_gap(getattr(told, name)) for name in GAPS),
    )


def _spread(standing: Standing, name: str) -> str:
    interval = standing.intervals.get(name)
    return f" [{interval.low:.1f}, {interval.high:.1f}]" if interval else ""


def _gap(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.4f}"


def _match(found: Figures) -> str:
    return f"{found.match_sota:.2f} / {found.surpass_sota:.2f} ({found.task_count})"


def _distribution(board: Board) -> Table:
    shown = [name for name in BINS if name != "unknown" or any(s.overall.unknown_count for s in board.standings)]
    rows = tuple((s.agent, *(str(s.overall.distribution[name]) for name in shown)) for s in board.standings)
    return Table("Tasks by outcome", ("Agent", *(BINS[name] for name in shown)), rows)


def _markdown(board: Board) -> str:
    def lines(table: Table) -> Iterator[str]:
        yield f"### {table.title}\n"
        yield "| " + " | ".join(map(_cell, table.columns)) + " |"
        yield "|" + "|".join(" --- " if column in table.words else " ---: " for column in table.columns) + "|"
        yield from ("| " + " | ".join(map(_cell, row)) + " |" for row in table.rows)

    return "\n\n".join("\n".join(lines(table)) for table in tables(board)) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def _latex(board: Board) -> str:
    def lines(table: Table) -> Iterator[str]:
        yield f"% {table.title}"
        yield "\\begin{tabular}{" + "".join("l" if column in table.words else "r" for column in table.columns) + "}"
        yield "\\toprule"
        yield " & ".join(map(_escaped, table.columns)) + " \\\\"
        yield "\\midrule"
        yield from (" & ".join(map(_escaped, row)) + " \\\\" for row in table.rows)
        yield "\\bottomrule"
        yield "\\end{tabular}"

    return "\n\n".join("\n".join(lines(table)) for table in tables(board)) + "\n"


LATEX = {"\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "<": "$<$", ">": "$>$"} | {
    character: f"\\{character}" for character in "&%$#_{}"
}


def _escaped(text: str) -> str:
    return "".join(LATEX.get(character, character) for character in " ".join(text.split()))


def _csv(board: Board) -> str:
    """A row an agent and domain, the whole set as domain 'all'; percentages and gaps to six decimals."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["rank", "agent", "domain", *COUNTS, *RATES, *GAPS, *BINS])
    for standing in board.standings:
        for domain, found in {"all": standing.overall, **standing.domains}.items():
            counts = [getattr(found, name) for name in COUNTS]
            values = [getattr(found, name) for name in (*RATES, *GAPS)]
            table.writerow(
                [
                    standing.rank,
                    standing.agent,
                    domain,
                    *counts,
                    *("" if value is None else f"{value:.6f}" for value in values),
                    *(found.distribution[name] for name in BINS),
                ]
            )
    return text.getvalue()


FORMATS: Mapping[str, Callable[[Board], str]] = {"csv": _csv, "markdown": _markdown, "latex": _latex}
