"""Metrics and answers of a drafted instance: names of the paper to functions of the registry, and what is handed in.

The one idea: what the registry knows is taken from it; what it does not know becomes a metric of the task's own, with
a question, and never the nearest name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from nature_gym.cut.core import words_of
from nature_gym.cut.material import Material, Piece
from nature_gym.cut.partings import Parting, Side
from nature_gym.cut.questions import Question
from nature_gym.errors import UsageError
from nature_gym.metrics import registry
from nature_gym.screening.task import Metric, Score, Setting
from nature_gym.splitting.faults import SplitError
from nature_gym.splitting.tables import Table

_LOWER = frozenset(
    [
        "error",
        "loss",
        "distance",
        "divergence",
        "rmse",
        "mae",
        "mse",
        "deviation",
        "perplexity",
        "brier",
        "time",
        "cost",
        "fid",
    ]
)
_OF_CHANCES = frozenset({"roc_auc", "average_precision", "brier_score", "log_loss", "expected_calibration_error"})
_RANKED = re.compile(r"ndcg|mrr|reciprocal|recall_at|hit_rate|precision_at|average_precision_at|mean_average")
_SIGNS = str.maketrans({"’": "'", "–": "-", "—": "-", "−": "-"})
LONGEST_RANKING = 100
Made = dict[str, Any]
"""A part of ``task.yaml`` before it is checked."""
Files = Callable[[str], Path]


def known_metric(name: str) -> tuple[str, dict[str, Any]] | None:
    """The registry's name for a metric as a paper prints it, with the parameters that the name gives."""
    plain = name.translate(_SIGNS)
    for said in dict.fromkeys((name, plain, re.sub(r"'s\b", "", plain), re.sub(r"\s*[(\[].*", "", plain))):
        try:
            metric, given = registry.resolve(said)
        except UsageError:
            continue
        return metric.name, given
    return None


def metrics_of(
    told: Sequence[Metric], setting: Setting | None, method: str, material: Material, questions: list[Question]
) -> list[Made]:
    """The metrics of an instance, without what they compare; one of them is primary."""
    wanted = list(told) or _of_code(material)
    if not wanted:
        questions.append(Question("metrics", "by which metric is it scored? Nothing says one; RMSE stands here"))
        wanted = [Metric(name="RMSE")]
    first = next((number for number, metric in enumerate(wanted) if metric.primary), 0)
    found: list[Made] = []
    for number, metric in enumerate(wanted):
        known = known_metric(metric.name)
        name = known[0] if known else f"task:{'_'.join(words_of(metric.name)) or 'metric'}"
        if known is None:
            near = _near(metric.name, material)
            questions.append(
                Question(
                    f"metric {metric.name}", "the registry has none of this name; name one, or write metrics_file", near
                )
            )
        direction = metric.direction or (registry.find(name).direction if known else _guess(metric.name))
        found.append(
            {"name": metric.name, "metric": name, "primary": number == first, "direction": direction,
             "place": metric.place, **({"options": known[1]} if known and known[1] else {}),
             **_scores(metric.name, setting, method, direction)}
        )  # fmt: skip
    return found


def _of_code(material: Material) -> list[Metric]:
    """The metrics that programs compute, where the registry knows them."""
    found: dict[str, Metric] = {}
    for _, cut in material.programs:
        for code in cut.metrics_code:
            if known := known_metric(code.name.rpartition(".")[2]):
                found.setdefault(known[0], Metric(name=registry.find(known[0]).title, primary=not found))
    return list(found.values())[:4]


def _guess(name: str) -> str:
    return "lower_is_better" if _LOWER & set(words_of(name)) else "higher_is_better"


def _near(name: str, material: Material) -> tuple[str, ...]:
    wanted = set(words_of(name))
    return tuple(
        f"{code.file}:{code.line} computes {code.name}"
        for _, cut in material.programs
        for code in cut.metrics_code
        if wanted & set(words_of(code.name))
    )[:3]


def _scores(name: str, setting: Setting | None, method: str, direction: str) -> Made:
    if setting is None:
        return {}
    anchor = [{"value": one.value, "method": one.method or method} for one in setting.sota if one.metric == name]
    rivals = [one for one in setting.baseline if one.metric == name]
    best = _best(rivals, direction)
    return {
        "anchor": anchor,
        **({"baseline": {"value": best.value, "method": best.method or "baseline"}} if best else {}),
    }


def _best(scores: list[Score], direction: str) -> Score | None:
    def size(score: Score) -> float:
        found = re.search(r"[-−]?\d+(?:\.\d+)?", score.value.replace(",", ""))
        value = float(found[0].replace("−", "-")) if found else float("-inf")
        return value if direction == "higher_is_better" else -value

    return max(scores, key=size, default=None)


# -- what is handed in -----------------------------------------------------------------------


def answer_of(
    parting: Parting, metrics: list[Made], names: dict[str, str], files: Files, material: Material,
    questions: list[Question],
) -> Made:  # fmt: skip
    """The contract of the answer; ``metrics`` learn what of it they compare.

    ``names``: ``inputs`` and ``answers`` as the instance has them.
    """
    if parting.kind == "distribution":
        return _samples(parting, metrics, names, material, questions)
    if parting.kind == "oracle":
        return _designs(metrics, names, material, questions)
    side = parting.answers[-1]
    if len(parting.inputs) > 1 and any(_RANKED.search(metric["metric"]) for metric in metrics):
        return _ranking(parting, metrics, names)
    if parting.fields.id in side.piece.columns:
        return _columns(parting, side, metrics, names, files, questions)
    return _aligned(parting, side, metrics, names)


def _columns(
    parting: Parting, side: Side, metrics: list[Made], names: dict[str, str], files: Files, questions: list[Question]
) -> Made:
    targets, key, piece = parting.fields.targets, parting.fields.id, side.piece
    columns: list[Made] = [{"name": key, "dtype": "string"}]
    for target in targets:
        values = _values(piece, target, files)
        known = {"values": values} if values else {}
        columns.append(
            {"name": target, "dtype": "string" if piece.kinds.get(target) == "VARCHAR" else "float", **known}
        )
        if piece.kinds.get(target) == "VARCHAR" and not values:
            questions.append(Question(f"answer {target}", "is it free text, or one of many values?"))
    told = ",".join(targets)
    chances = [metric for metric in metrics if metric["metric"] in _OF_CHANCES or "brier" in metric["metric"]]
    for metric in metrics:
        metric |= {"prediction": f"predictions.csv:{told}", "reference": f"{names['answers']}:{told}"}
    if chances and len(targets) == 1:
        columns.insert(1, {"name": "probability", "dtype": "float", "least": 0, "most": 1})
        for metric in chances:
            metric["prediction"] = "predictions.csv:probability"
    values = next((column["values"] for column in columns if "values" in column), None)
    for metric in metrics:
        if values and len(values) == 2 and "positive" in _parameters(metric["metric"]):
            metric["options"] = {**metric.get("options", {}), "positive": values[-1]}
            asks = f"which class counts as positive: {values[0]} or {values[1]}?"
            questions.append(Question(f"metric {metric['name']}", asks))
    return {"file": "predictions.csv", "format": "csv", "id": key, "ids_of": names["answers"], "columns": columns}


def _parameters(name: str) -> Made:
    return {} if name.startswith("task:") else registry.find(name).parameters


def _values(piece: Piece, target: str, files: Files) -> list[str] | None:
    """The values of a column of words, where they are few."""
    if piece.kinds.get(target) != "VARCHAR" or piece.size > 64 << 20:
        return None
    try:
        values = sorted(str(value) for value in Table(files(piece.path)).categories(target, as_text=True).values)
    except SplitError:
        return None
    return values if 1 < len(values) <= 50 and len(values) < 0.2 * (piece.rows or 1) else None


def _aligned(parting: Parting, side: Side, metrics: list[Made], names: dict[str, str]) -> Made:
    """An array in the order of the inputs."""
    targets = parting.fields.targets
    shapes = side.piece.arrays
    shape = shapes.get(targets[0], ()) if targets else shapes.get("", ())
    told = f":{','.join(targets)}" if side.piece.columns or len(targets) > 1 else ""
    for metric in metrics:
        metric |= {"prediction": "predictions.npy", "reference": f"{names['answers']}{told}"}
    wide: list[str | int] = ["n", *shape[1:]]
    if side.piece.columns and len(targets) > 1:
        wide = ["n", len(targets)]
    kind = _dtype(side.piece, targets)
    return {"file": "predictions.npy", "format": "npy", "dtype": kind, "shape": wide, "aligned_with": names["inputs"]}


def _dtype(piece: Piece, targets: tuple[str, ...]) -> str:
    if piece.columns:
        return "int64" if all(piece.kinds.get(name) in ("BIGINT", "INTEGER") for name in targets) else "float64"
    arrays = piece.heads
    told = arrays[targets[0]].get("dtype", "") if targets and targets[0] in arrays else piece.structure.get("dtype", "")
    return "int64" if re.search(r"[iu]\d", str(told)) else "float64"


def _ranking(parting: Parting, metrics: list[Made], names: dict[str, str]) -> Made:
    """The best of the gallery for each query, by id."""
    given = [int(metric.get("options", {}).get("k", 0)) for metric in metrics]
    length = min(max([*given, 1]), LONGEST_RANKING)
    key = parting.fields.id or "id"
    for metric in metrics:
        metric |= {"prediction": "ranking.csv", "reference": f"{names['answers']}:{','.join(parting.fields.targets)}"}
    columns = [{"name": key, "dtype": "string"}]
    columns += [{"name": f"rank_{number}", "dtype": "string"} for number in range(1, length + 1)]
    return {"file": "ranking.csv", "format": "csv", "id": key, "ids_of": names["answers"], "columns": columns}


def _samples(
    parting: Parting, metrics: list[Made], names: dict[str, str], material: Material, questions: list[Question]
) -> Made:
    """Samples of the form of the reference's, as many as the authors drew where their outputs show it."""
    piece = parting.answers[0].piece
    key = parting.fields.targets[0] if parting.fields.targets else ""
    shape = piece.arrays.get(key, ())
    drawn = sorted({
        found[-len(shape)]
        for other in material.outputs
        for name, found in other.arrays.items()
        if name == key and len(found) >= len(shape) > 1 and found[-len(shape) + 1 :] == shape[1:]
        and "samples" in words_of(other.inner)
    })  # fmt: skip
    rows: int | str = drawn[0] if len(drawn) == 1 else "as reference"
    said = tuple(f"the authors' own have {one:,}" for one in drawn)
    questions.append(Question("answer samples", f"how many samples are handed in? Drafted: {rows}", said))
    for metric in metrics:
        metric |= {"prediction": "samples.npy", "reference": f"{names['answers']}:{key}" if key else names["answers"]}
    return {"file": "samples.npy", "format": "npy", "dtype": "float64", "shape": ["n", *shape[1:]], "rows": rows}


def _designs(metrics: list[Made], names: dict[str, str], material: Material, questions: list[Question]) -> Made:
    """A table as the authors wrote their designs: the numbers of each target."""
    written = [
        piece
        for piece in material.outputs
        if piece.columns and {"designs", "design", "solutions"} & set(words_of(piece.inner))
    ]
    columns: list[Made] = [{"name": "name", "dtype": "string"}]
    for piece in written[:1]:
        columns += [{"name": name, "dtype": "float"} for name in piece.columns if piece.kinds.get(name) == "DOUBLE"]
    if len(columns) == 1:
        columns.append({"name": "value", "dtype": "float"})
    told = (f"{written[0].path} has {', '.join(written[0].columns[:12])}",) if written else ()
    questions.append(Question("answer designs", "which numbers make a design, and by which id do targets go?", told))
    for metric in metrics:
        metric |= {"prediction": "designs.csv", "reference": names["answers"]}
    return {"file": "designs.csv", "format": "csv", "id": "name", "ids_of": names["answers"], "columns": columns}
