"""Believable scores of a method and its baselines, and the tables that print them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nature_gym.demo.fates.kits import Metric
from nature_gym.demo.model import Table
from nature_gym.demo.words import Words


@dataclass(frozen=True, slots=True)
class Scores:
    """Values by (row, data set, metric name); rows are the baselines and then the method."""

    method: str
    baselines: tuple[str, ...]
    sets: tuple[str, ...]
    metrics: tuple[Metric, ...]
    values: Mapping[tuple[str, str, str], float]

    @classmethod
    def drawn(
        cls,
        words: Words,
        method: str,
        baselines: Sequence[str],
        sets: Sequence[str],
        metrics: Sequence[Metric],
        place: float,
    ) -> Scores:
        """Scores at random places between worst and best: baselines below 0.8, the method at ``place``."""
        values = {}
        for harder, name in enumerate(sets):
            for metric in metrics:
                for rank, row in enumerate((*baselines, method)):
                    step = 0.8 * rank / max(1, len(baselines) - 1)
                    at = place if row == method else step
                    at = at - 0.1 * harder + words.number(-20, 20) / 1000
                    value = metric.worst + at * (metric.best - metric.worst)
                    values[row, name, metric.name] = round(value, metric.decimals)
        return cls(method, tuple(baselines), tuple(sets), tuple(metrics), values)

    @property
    def rows(self) -> tuple[str, ...]:
        return (*self.baselines, self.method)

    @property
    def runner_up(self) -> str:
        """The best baseline in the first column."""
        return self.best_baseline(self.sets[0], self.metrics[0])

    def best_baseline(self, name: str, metric: Metric) -> str:
        return self._best(self.baselines, name, metric)

    def best(self, name: str, metric: Metric) -> str:
        return self._best(self.rows, name, metric)

    def printed(self, row: str, name: str, metric: Metric) -> str:
        return f"{self.values[row, name, metric.name]:.{metric.decimals}f}"

    def told(self, row: str, name: str, metric: Metric) -> str:
        """As :meth:`printed`, with the metric's unit: for running text."""
        return f"{self.printed(row, name, metric)}{metric.unit}"

    def _best(self, rows: Sequence[str], name: str, metric: Metric) -> str:
        sign = 1 if metric.direction == "higher_is_better" else -1
        return max(rows, key=lambda row: sign * self.values[row, name, metric.name])


def main_table(scores: Scores, caption: str, *, spread: Words | None = None, note: str = "") -> Table:
    """Methods by data sets and metrics, the best value of each column in bold.

    ``spread`` adds a standard deviation to each value.
    """
    columns = [(name, metric) for name in scores.sets for metric in scores.metrics]
    upper = [None if i % len(scores.metrics) else name for i, (name, _) in enumerate(columns)]
    rows = []
    for row in scores.rows:
        cells = [row]
        for name, metric in columns:
            text = scores.printed(row, name, metric)
            if spread is not None:
                deviation = abs(metric.best - metric.worst) * spread.number(12, 60) / 1000
                text += f" ± {deviation:.{metric.decimals}f}"
            cells.append(f"**{text}**" if scores.best(name, metric) == row else text)
        rows.append(tuple(cells))
    header = (("Method", *upper), ("", *(metric.name for _, metric in columns)))
    return Table(1, caption, header, tuple(rows), (f"Best values in bold.{f' {note}' if note else ''}",))


def ablation_table(words: Words, scores: Scores, parts: Sequence[str], name: str, metric: Metric) -> Table:
    """What is left without each part; the first part costs most, and all stay below the full method."""
    full, base = (scores.values[row, name, metric.name] for row in (scores.method, scores.runner_up))
    losses = [0.75 - 0.22 * rank + words.number(-4, 4) / 100 for rank in range(len(parts))]
    rows = [(f"{scores.method} (full)", f"**{full:.{metric.decimals}f}**")]
    rows += [
        (f"without {part}", f"{full + (base - full) * loss:.{metric.decimals}f}")
        for part, loss in zip(parts, losses, strict=True)
    ]
    return Table(2, f"Ablation on {name}", (("Model", metric.name),), tuple(rows))
