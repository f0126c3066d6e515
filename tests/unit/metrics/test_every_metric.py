"""What holds for every metric there is: range, perfect value, order of samples, refusals, its own example."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nature_gym.metrics.entry import DIRECTIONS, HIGHER, Metric
from nature_gym.metrics.registry import FAMILIES, metrics, missing_packages

Pair = tuple[Any, Any]
EVERY = metrics()
NAMES = sorted(EVERY)


def value_of(metric: Metric, reference: Any, prediction: Any, parameters: dict[str, Any]) -> float | None:
    """The metric's value, or None where it refuses the inputs with a sentence."""
    try:
        return metric.function(reference, prediction, **parameters)
    except ValueError as error:
        sentence = str(error)
    assert len(sentence) > 15
    assert not sentence[0].isupper()
    return None


# --- Inputs of each kind, small and full of ties -------------------------------------------------------

NUMBERS = st.one_of(st.integers(-4, 4).map(float), st.floats(-1e6, 1e6))


def vectors(values: st.SearchStrategy[Any], other: st.SearchStrategy[Any] | None = None) -> st.SearchStrategy[Pair]:
    return st.integers(1, 9).flatmap(
        lambda n: st.tuples(
            st.lists(values, min_size=n, max_size=n),
            st.lists(values if other is None else other, min_size=n, max_size=n),
        )
    )


@st.composite
def probabilities(draw: st.DrawFn, classes: int = 3) -> Pair:
    count = draw(st.integers(1, 9))
    truth = draw(st.lists(st.integers(0, classes - 1), min_size=count, max_size=count))
    weights = draw(
        st.lists(st.lists(st.integers(0, 5), min_size=classes, max_size=classes), min_size=count, max_size=count)
    )
    rows = np.array(weights, float) + 1e-3 * (np.sum(weights, axis=1, keepdims=True) == 0)
    return truth, (rows / rows.sum(axis=1, keepdims=True)).tolist()


@st.composite
def grids(draw: st.DrawFn, values: st.SearchStrategy[Any], other: st.SearchStrategy[Any] | None = None) -> Pair:
    rows, columns = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    tables = [
        draw(st.lists(st.lists(kind, min_size=columns, max_size=columns), min_size=rows, max_size=rows))
        for kind in (values, values if other is None else other)
    ]
    return tables[0], tables[1]


@st.composite
def embeddings(draw: st.DrawFn) -> Pair:
    count = draw(st.integers(4, 12))
    return (
        draw(st.lists(st.integers(0, 2), min_size=count, max_size=count)),
        draw(st.lists(st.lists(st.integers(-3, 3).map(float), min_size=2, max_size=2), min_size=count, max_size=count)),
    )


@st.composite
def structures(draw: st.DrawFn) -> Pair:
    count = draw(st.integers(3, 10))
    point = st.lists(st.integers(-6, 6).map(float), min_size=3, max_size=3)
    rows = st.lists(point, min_size=count, max_size=count)
    return draw(rows), draw(rows)


@st.composite
def boxes(draw: st.DrawFn) -> Pair:
    def box() -> list[float]:
        x, y, width, height = (draw(st.integers(*bounds)) for bounds in ((0, 9), (0, 9), (1, 9), (1, 9)))
        return [x, y, x + width, y + height]

    truth = [[draw(st.integers(0, 1)), draw(st.integers(0, 1)), *box()] for _ in range(draw(st.integers(1, 5)))]
    given_boxes = [
        [draw(st.integers(0, 1)), draw(st.integers(0, 1)), draw(st.integers(0, 3)) / 3, *box()]
        for _ in range(draw(st.integers(0, 6)))
    ]
    return truth, given_boxes


@st.composite
def survivals(draw: st.DrawFn) -> Pair:
    count = draw(st.integers(2, 9))
    rows = [[draw(st.integers(1, 6)), draw(st.integers(0, 1))] for _ in range(count)]
    return rows, draw(st.lists(st.integers(-3, 3).map(float), min_size=count, max_size=count))


@st.composite
def curves(draw: st.DrawFn) -> Pair:
    count = draw(st.integers(2, 9))
    rows = [[1, 1], [8, 0], *([draw(st.integers(1, 9)), draw(st.integers(0, 1))] for _ in range(count))]
    return rows, [sorted((draw(st.integers(0, 4)) / 4 for _ in range(3)), reverse=True) for _ in rows]


@st.composite
def images(draw: st.DrawFn) -> Pair:
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    shape = (draw(st.integers(11, 14)), draw(st.integers(11, 14)))
    one = random.random(shape)
    return one, one if draw(st.booleans()) else random.random(shape)


LABELS = vectors(st.integers(0, 3))
BINARY = vectors(st.integers(0, 1))
SCORED = vectors(st.integers(0, 1), NUMBERS)
REAL = vectors(NUMBERS)
RELEVANT = grids(st.integers(0, 3).map(float), NUMBERS)
CLOUDS = st.tuples(
    *[st.lists(st.lists(st.integers(-3, 3).map(float), min_size=2, max_size=2), min_size=2, max_size=8)] * 2
)
TEXTS = vectors(st.one_of(st.text("ab .,-1", max_size=12), st.text(max_size=6)))
COUNTS = grids(st.integers(0, 4).map(float))

KINDS: dict[str, st.SearchStrategy[Pair]] = {
    **dict.fromkeys(["precision", "recall", "specificity", "f1_binary"], BINARY),
    **dict.fromkeys(["roc_auc", "average_precision", "pr_auc_trapezoid", "enrichment_factor", "bedroc"], SCORED),
    **dict.fromkeys(
        ["roc_auc_macro", "log_loss", "brier_multiclass", "top_k_accuracy", "expected_calibration_error"],
        probabilities(),
    ),
    "brier": probabilities(2),
    "relative_l2": grids(NUMBERS),
    **dict.fromkeys(["silhouette", "graph_connectivity", "ilisi", "clisi"], embeddings()),
    **dict.fromkeys(["dice", "iou", "hausdorff95"], grids(st.integers(0, 1))),
    **dict.fromkeys(
        ["mean_dice", "mean_iou", "panoptic_quality", "instance_f1", "instance_average_precision"],
        grids(st.integers(0, 3)),
    ),
    **dict.fromkeys(["psnr", "ssim"], images()),
    "sequence_recovery": vectors(st.text("ACDE", min_size=4, max_size=4)),
    "perplexity": vectors(st.integers(0, 1), st.floats(-50, 0)),
    **dict.fromkeys(["mmd", "frechet_distance"], CLOUDS),
    **dict.fromkeys(["kl_divergence", "js_divergence", "js_distance"], COUNTS),
    "concordance_index": survivals(),
    "integrated_brier": curves(),
    "success_rate": BINARY,
    **dict.fromkeys(["best_value", "lowest_value"], REAL),
    "simple_regret": st.tuples(NUMBERS, st.lists(NUMBERS, min_size=1, max_size=5)),
    "hypervolume": st.tuples(
        st.just([1.0, 1.0]), st.lists(st.lists(st.floats(-2, 2), min_size=2, max_size=2), min_size=1, max_size=8)
    ),
}
BY_FAMILY: dict[str, st.SearchStrategy[Pair]] = {
    "classification": LABELS,
    "regression": REAL,
    "multitarget": grids(st.one_of(st.integers(0, 1).map(float), st.just(math.nan)), NUMBERS),
    "ranking": RELEVANT,
    "clustering": LABELS,
    "detection": boxes(),
    "structure": structures(),
    "text": TEXTS,
    "molecules": vectors(st.one_of(st.sampled_from(["CCO", "c1ccccc1", "C1CC", "N"]), st.text("CNOc1()=", max_size=8))),
    "distribution": st.tuples(*[st.lists(NUMBERS, min_size=1, max_size=8)] * 2),
}
PARAMETERS: dict[str, dict[str, Any]] = {
    "ndcg": {"k": 3},
    "top_k_accuracy": {"k": 2},
    "graph_connectivity": {"k": 2},
    "ilisi": {"perplexity": 1.5},
    "clisi": {"perplexity": 1.5},
    "enrichment_factor": {"fraction": 0.3},
    "integrated_brier": {"times": [2.0, 3.0, 5.5]},
    "mmd": {"bandwidth": 1.0},
    "ssim": {"data_range": 1.0},
}
APART = {"ms_ssim", "contact_precision"}
"""These need inputs of a size or shape that is tried in their own tests."""


def strategy_of(metric: Metric) -> st.SearchStrategy[Pair]:
    return KINDS[metric.name] if metric.name in KINDS else BY_FAMILY[metric.family]


def ready(name: str) -> Metric:
    metric = EVERY[name]
    if absent := missing_packages(metric):
        pytest.skip(f"{', '.join(absent)} is not installed")
    return metric


@pytest.mark.parametrize("name", sorted(set(NAMES) - APART))
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_value_is_finite_and_in_range(name: str, data: st.DataObject) -> None:
    metric = ready(name)
    reference, prediction = data.draw(strategy_of(metric))
    value = value_of(metric, reference, prediction, PARAMETERS.get(name, {}))
    if value is not None:
        assert isinstance(value, float)
        assert math.isfinite(value)
        assert metric.low - 1e-9 <= value <= metric.high + 1e-9


def one_hot(reference: Any, classes: int) -> Any:
    return np.eye(classes)[np.asarray(reference)].tolist()


PERFECT: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(
        ["roc_auc_macro", "log_loss", "brier_multiclass", "top_k_accuracy", "expected_calibration_error"],
        lambda r: one_hot(r, 3),
    ),
    "brier": lambda r: one_hot(r, 2),
    "perplexity": lambda r: [0.0] * len(r),
    "concordance_index": lambda r: [-row[0] + 0.5 * row[1] for row in r],
    "simple_regret": lambda r: [r],
    "success_rate": lambda r: [1] * len(r),
    "validity": lambda r: ["CCO"] * len(r),
    "uniqueness": lambda r: ["C" * length for length in range(1, 5)],
    "novelty": lambda r: ["C" * 30 + "[13CH3]"],
    **dict.fromkeys(["detection_map", "detection_map50"], lambda r: [[row[0], row[1], 1.0, *row[2:]] for row in r]),
    **dict.fromkeys(
        [
            "masked_roc_auc",
            "masked_average_precision",
            "masked_rmse",
            "masked_mae",
            "masked_r2",
            "masked_pearson",
            "masked_spearman",
        ],
        lambda r: np.nan_to_num(np.array(r), nan=7.0).tolist(),
    ),
}
HAVE_NO_SUCH = {
    "ilisi": "mixing of batches is not a likeness to the reference",
    "clisi": "likewise",
    "graph_connectivity": "likewise",
    "silhouette": "likewise",
    "precision_at_k": "its best depends on how many are relevant",
    "contact_precision": "likewise",
    "integrated_brier": "a step at the event, tried in its own test",
    "ms_ssim": "images of another size, tried in its own test",
}


@pytest.mark.parametrize(
    "name", [name for name in NAMES if EVERY[name].perfect is not None and name not in HAVE_NO_SUCH]
)
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_the_reference_itself_is_perfect(name: str, data: st.DataObject) -> None:
    metric = ready(name)
    reference, _ = data.draw(strategy_of(metric))
    prediction = PERFECT.get(name, lambda r: r)(reference)
    value = value_of(metric, reference, prediction, PARAMETERS.get(name, {}))
    nothing_to_find = name in ("precision", "recall", "f1_binary") and not any(reference)
    nothing_to_leave = name == "specificity" and all(reference)
    few_words = name == "bleu"  # no string of four words: 0
    if value is not None and not nothing_to_find and not nothing_to_leave and not (few_words and value == 0.0):
        assert value == pytest.approx(metric.perfect, abs=2e-6)


ORDER_MATTERS = {
    "hypervolume",
    "simple_regret",
    "novelty",
    *(n for n, m in EVERY.items() if m.family in ("structure", "segmentation", "image", "multitarget")),
}


@pytest.mark.parametrize("name", sorted(set(NAMES) - APART - ORDER_MATTERS))
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_the_order_of_samples_does_not_matter(name: str, data: st.DataObject) -> None:
    metric = ready(name)
    reference, prediction = data.draw(strategy_of(metric))
    before = value_of(metric, reference, prediction, PARAMETERS.get(name, {}))
    if metric.family in ("distribution", "detection") and name not in ("kl_divergence", "js_divergence", "js_distance"):
        after = value_of(metric, reference[::-1], prediction, PARAMETERS.get(name, {}))
    else:
        order = data.draw(st.permutations(range(len(prediction))))
        turned = [[values[place] for place in order] for values in (reference, prediction)]
        after = value_of(metric, turned[0], turned[1], PARAMETERS.get(name, {}))
    if name in ("graph_connectivity", "ilisi", "clisi"):  # of equally near neighbours, the first are taken
        distances = np.linalg.norm(np.array(prediction)[:, None] - np.array(prediction)[None], axis=2)
        if any(len(set(row)) < len(row) for row in distances.round(9).tolist()):
            return
    if metric.family == "detection":  # of equally good boxes and objects, too
        return
    assert (before is None) == (after is None)
    if before is not None and after is not None:
        assert after == pytest.approx(before, rel=1e-6, abs=1e-6)


BAD = [math.nan, math.inf, -math.inf]


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("name", [n for n in NAMES if EVERY[n].family not in ("text", "molecules")])
def test_a_prediction_that_is_not_finite_is_refused(name: str, bad: float) -> None:
    metric = EVERY[name]
    example = metric.example
    spoilt = np.array(example.prediction, dtype=float)
    spoilt.reshape(-1)[0] = bad
    with pytest.raises(ValueError, match=r"finite|whole|mask|probabilit|labels|integer|instance|score|0 and 1"):
        metric.function(example.reference, spoilt, **example.parameters)


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_prediction_is_refused_or_scores_nothing(name: str) -> None:
    metric = ready(name)
    value = value_of(metric, metric.example.reference, [], dict(metric.example.parameters))
    assert value is None or (metric.family == "detection" and value == 0.0)


@pytest.mark.parametrize("name", [n for n in NAMES if EVERY[n].family not in ("molecules", "detection")])
def test_a_prediction_of_another_length_is_refused(name: str) -> None:
    metric = EVERY[name]
    example = metric.example
    free = {
        "simple_regret",
        "wasserstein",
        "energy_distance",
        "kolmogorov_smirnov",
        "mmd",
        "frechet_distance",
        "hypervolume",
    }
    if name in free or not metric.reference:
        return
    longer = [*example.prediction, example.prediction[0]]
    with pytest.raises(ValueError, match=r"\w{4,}"):
        metric.function(example.reference, longer, **example.parameters)


@pytest.mark.parametrize("name", NAMES)
def test_an_entry_is_complete(name: str) -> None:
    metric = EVERY[name]
    assert metric.family in FAMILIES
    assert metric.direction in DIRECTIONS
    assert metric.function.__doc__
    for text in (metric.title, metric.prediction, metric.formula, metric.source):
        assert text.strip() == text != ""
    if metric.perfect is not None:
        end = metric.high if metric.direction == HIGHER else metric.low
        assert metric.perfect == end


def test_every_metric_is_tried_on_inputs_of_its_kind() -> None:
    kinds = {metric.name for metric in EVERY.values() if metric.family in BY_FAMILY or metric.name in KINDS}
    assert set(NAMES) - kinds - APART == set()
