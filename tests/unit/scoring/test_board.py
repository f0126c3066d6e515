"""A board of several agents, checked against the published definitions written out once more, and by hand."""

from __future__ import annotations

import csv
import io
import random
import statistics
from typing import Any

import pytest

from nature_gym.errors import FindingsError
from nature_gym.scoring.board import Board, board_of
from nature_gym.scoring.board_formats import FORMATS, tables
from nature_gym.scoring.leaderboard import Verdict
from nature_gym.scoring.results import Result

VERDICTS: list[Verdict] = ["valid", "valid", "invalid", "not_applicable", "unknown"]


def _published(rows: list[Result]) -> dict[str, Any]:
    """The figures as scoring.md words them, task by task."""
    n = len(rows)
    numeric = [row for row in rows if row.best_score is not None]
    good = sorted(row.best_score for row in numeric if row.judge_verdict == "valid" and row.best_score is not None)
    every = good + [-1.0] * (n - len(good))
    edges = [float("-inf"), -0.5, 0.0, 0.1, 0.5, float("inf")]
    bins = [0] * 5
    for gap in good:  # [-0.5, 0) and [0, 0.1] and (0.1, 0.5]: the ends go where the brackets say
        bins[
            0 if gap < edges[1] else 1 if gap < edges[2] else 2 if gap <= edges[3] else 3 if gap <= edges[4] else 4
        ] += 1
    rejected = sum(row.judge_verdict == "invalid" for row in numeric)
    return {
        "task_count": n,
        "scored_count": len(numeric),
        "valid_count": len(good),
        "invalid_count": rejected,
        "no_score_count": n - len(numeric),
        "score_rate": round(100 * len(numeric) / n, 6),
        "completion_rate": round(100 * len(good) / n, 6),
        "match_sota": round(100 * len([gap for gap in good if gap >= 0]) / n, 6),
        "surpass_sota": round(100 * len([gap for gap in good if gap > 0.1]) / n, 6),
        "mean_g_all": round(statistics.fmean(every), 6),
        "median_g_all": round(statistics.median(every), 6),
        "median_g_valid": round(statistics.median(good), 6) if good else None,
        "distribution": {
            "no_score": n - len(numeric),
            "invalid": rejected,
            "g_lt_minus_0_5": bins[0],
            "g_minus_0_5_to_0": bins[1],
            "g_0_to_0_1": bins[2],
            "g_0_1_to_0_5": bins[3],
            "g_gt_0_5": bins[4],
        },
    }


def _row(draw: random.Random, case: str) -> Result:
    score = draw.choice([None, draw.uniform(-2, 2), draw.choice([-0.5, 0.0, 0.1, 0.5, -1.0, 0.1000001])])
    return Result(case, "succeeded", score, draw.choice(VERDICTS))


def test_figures_agree_with_the_published_definitions_on_ten_thousand_tables() -> None:
    from nature_gym.scoring.leaderboard import figures

    draw = random.Random(20)
    for _ in range(10_000):
        rows = [_row(draw, f"task{place}") for place in range(draw.randint(1, 12))]
        expected = _published(rows)
        found = figures(row.counted for row in rows).as_dict()
        unknown = found.pop("unknown_count", 0)
        assert found["distribution"].pop("unknown", 0) == unknown
        assert found == expected
        assert sum(expected["distribution"].values()) + unknown == len(rows)


def _board() -> Board:
    one = [Result("a", "ok", 0.2, "valid"), Result("b", "ok", 0.0, "valid"), Result("c", "ok", None, "not_applicable")]
    other = [Result("a", "ok", 0.3, "valid"), Result("b", "ok", 0.9, "invalid"), Result("c", "ok", -0.4, "valid")]
    return board_of({"first | agent": one, "other_agent": other}, {"a": "Cells", "b": "Cells", "c": "Physics & more"})


def test_agents_are_ranked_and_held_against_each_other() -> None:
    told = _board().as_dict()
    assert [(agent["rank"], agent["agent"]) for agent in told["agents"]] == [(1, "first | agent"), (2, "other_agent")]
    # a: 0.2 < 0.3, b: 0 > -1 (invalid), c: -1 (no score) < -0.4
    assert told["win_rates"]["first | agent"] == {"other_agent": pytest.approx(1 / 3)}
    assert told["agents"][0]["domains"]["Cells"]["match_sota"] == 100.0
    interval = told["agents"][0]["intervals"]["match_sota"]
    assert interval["value"] == pytest.approx(200 / 3)
    assert interval["low"] <= interval["value"] <= interval["high"]


def test_one_agent_is_told_as_published() -> None:
    told = board_of({"one": [Result("a", "ok", 0.2, "valid")]}, {"a": "Cells"}).as_dict()
    assert told["overall"] == told["domains"]["Cells"]
    assert told["overall"]["surpass_sota"] == 100.0
    assert "unknown" not in told["overall"]["distribution"]


def test_agents_with_other_tasks_are_refused() -> None:
    one, other = [Result("a", "ok", 0.2, "valid")], [Result("b", "ok", 0.2, "valid")]
    with pytest.raises(FindingsError, match="same tasks"):
        board_of({"one": one, "other": other}, {})
    with pytest.raises(FindingsError, match="no task"):
        board_of({"one": []}, {})


def test_every_format_says_the_same() -> None:
    board = _board()
    rows = list(csv.DictReader(io.StringIO(FORMATS["csv"](board))))
    assert [(row["agent"], row["domain"], row["match_sota"]) for row in rows if row["domain"] == "all"] == [
        ("first | agent", "all", "66.666667"),
        ("other_agent", "all", "33.333333"),
    ]
    markdown, latex = FORMATS["markdown"](board), FORMATS["latex"](board)
    assert "| 1 | first \\| agent | 3 | 66.67 |" in markdown
    assert "other\\_agent" in latex
    assert "Physics \\& more" in latex
    assert [table.title.split(",")[0] for table in tables(board)] == [
        "Leaderboard",
        "Tasks by outcome",
        "Match / surpass by domain",
        "Larger g than",
    ]
