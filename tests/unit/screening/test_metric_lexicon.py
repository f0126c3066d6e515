"""Names of metrics: one key for all spellings, the direction, and what costs apart from what is good."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.screening.metric_lexicon import mentions, metric_kind, metric_name

UP, DOWN = "higher_is_better", "lower_is_better"


@pytest.mark.parametrize(
    ("heading", "key", "direction"),
    [
        ("AUROC", "auroc", UP),
        ("ROC-AUC (macro)", "auroc", UP),
        ("AUPRC", "auprc", UP),
        ("Macro F1", "macro f1", UP),
        ("F1-score", "f1", UP),
        ("Top-5 acc. (%)", "top-k accuracy", UP),
        ("R²", "r2", UP),
        ("Spearman’s ρ", "spearman", UP),
        ("RMSE (kcal mol⁻¹)", "rmse", DOWN),
        ("Energy MAE", "mae", DOWN),
        ("Mean absolute error", "mae", DOWN),
        ("1-Wasserstein", "wasserstein", DOWN),
        ("HD95 (mm)", "hausdorff", DOWN),
        ("mIoU", "iou", UP),
        ("TM-score", "tm-score", UP),
        ("Brier score", "brier", DOWN),
        ("nDCG@10", "ndcg", UP),
        ("NLL", "negative log-likelihood", DOWN),
        ("Spectral error", "error", DOWN),
    ],
)
def test_headings_are_known_with_their_direction(heading: str, key: str, direction: str) -> None:
    kind = metric_kind(heading)
    assert kind is not None
    assert (kind.key, kind.direction, kind.nature) == (key, direction, "quality")


@pytest.mark.parametrize("heading", ["Latency (ms)", "Memory (GB)", "GFLOPs", "Inference time", "# params", "Speed-up"])
def test_costs_are_no_quality(heading: str) -> None:
    kind = metric_kind(heading)
    assert kind is not None
    assert kind.nature == "efficiency"


@pytest.mark.parametrize(
    "heading",
    [
        "Species",
        "Fold change",
        "P",
        "Hazard ratio",
        "Efficiency (%)",
        "Fill factor (%)",
        "Number",
        "Method",
        "Yield (%)",
    ],
)
def test_other_columns_are_no_metrics(heading: str) -> None:
    assert metric_kind(heading) is None


def test_an_arrow_tells_the_direction() -> None:
    assert metric_kind("Match score ↓").direction == DOWN  # type: ignore[union-attr]
    assert metric_kind("Error ↑").direction == UP  # type: ignore[union-attr]


def test_names_lose_units_and_marks() -> None:
    assert metric_name("RMSE (points) ↓") == "RMSE"
    assert metric_name("F1 (malignant)*") == "F1"


def test_acronyms_in_prose_need_their_capitals() -> None:
    assert [kind.key for _, kind in mentions("The mAP on the map is far above the FAR.")] == [
        "average precision",
        "false rate",
    ]


@given(st.text(max_size=300))
def test_no_text_is_too_strange(text: str) -> None:
    metric_kind(text)
    assert all(0 <= place < len(text) for place, _ in mentions(text))
