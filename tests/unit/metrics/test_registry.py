"""Names: as papers print them, and what comes close to one that is unknown."""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.errors import FindingsError, InfrastructureError, UsageError
from nature_gym.metrics.entry import Metric
from nature_gym.metrics.registry import FAMILIES, compute, find, folded, metrics, missing_packages, names, resolve

PRINTED = {
    "R²": "r2",
    "R^2": "r2",
    "r-squared": "r2",
    "AUROC": "roc_auc",
    "ROC-AUC": "roc_auc",
    "roc auc": "roc_auc",
    "AUPRC": "average_precision",
    "PCC": "pearson",
    "Pearson’s r": "pearson",
    "Spearman ρ": "spearman",
    "F1-score (macro)": "f1_macro",
    "Macro-F1": "f1_macro",
    "F1": "f1_binary",
    "Matthews Correlation Coefficient": "matthews",
    "Cohen's κ": "cohen_kappa",
    "RMSE": "rmse",
    "relative L2": "relative_l2",
    "mIoU": "mean_iou",
    "Dice": "dice",
    "HD95": "hausdorff95",
    "TM-score": "tm_score",
    "GDT_TS": "gdt_ts",
    "lDDT": "lddt",
    "C-index": "concordance_index",
    "MAP": "mean_average_precision",
    "mAP": "detection_map",
    "EMD": "wasserstein",
    "PPL": "perplexity",
    "MS-SSIM": "ms_ssim",
}
LISTED = set(
    re.findall(
        r"\w+",
        """
accuracy balanced_accuracy precision recall f1_micro f1_macro f1_weighted f1_binary roc_auc average_precision
matthews cohen_kappa log_loss brier top_k_accuracy expected_calibration_error mse rmse mae mape r2 pearson
spearman kendall concordance relative_l2 nrmse max_error ndcg mean_average_precision mean_reciprocal_rank
hit_at_k recall_at_k enrichment_factor bedroc adjusted_rand normalized_mutual_information
adjusted_mutual_information homogeneity completeness v_measure silhouette fowlkes_mallows graph_connectivity
ilisi clisi dice iou hausdorff95 panoptic_quality detection_map psnr ssim ms_ssim rmsd tm_score gdt_ts lddt
contact_precision exact_match edit_distance bleu rouge_l perplexity validity uniqueness novelty tanimoto
wasserstein mmd kl_divergence js_divergence kolmogorov_smirnov energy_distance concordance_index
integrated_brier masked_roc_auc masked_rmse success_rate best_value hypervolume
        """,
    )
)


@pytest.mark.parametrize(("printed", "name"), PRINTED.items())
def test_a_metric_is_found_by_what_papers_call_it(printed: str, name: str) -> None:
    assert find(printed).name == name


def test_every_metric_of_the_design_is_there() -> None:
    assert LISTED - metrics().keys() == set()


def test_no_name_means_two_metrics() -> None:
    meant: dict[str, set[str]] = {}
    for metric in metrics().values():
        for name in (metric.name, metric.title, *metric.aliases):
            meant.setdefault(folded(name), set()).add(metric.name)
    shared = {name: found for name, found in meant.items() if len(found) > 1}
    assert shared == {"map": {"mean_average_precision", "detection_map"}}  # told apart by case


@pytest.mark.parametrize(
    ("printed", "name", "k"),
    [
        ("NDCG@10", "ndcg", 10),
        ("nDCG@5", "ndcg", 5),
        ("Hits@1", "hit_at_k", 1),
        ("Hit@3", "hit_at_k", 3),
        ("R@20", "recall_at_k", 20),
        ("Precision@5", "precision_at_k", 5),
        ("top-3 accuracy", "top_k_accuracy", 3),
        ("Top-5 Accuracy", "top_k_accuracy", 5),
        ("acc@2", "top_k_accuracy", 2),
    ],
)
def test_a_name_may_give_the_rank(printed: str, name: str, k: int) -> None:
    metric, parameters = resolve(printed)
    assert (metric.name, parameters) == (name, {"k": k})


@pytest.mark.parametrize(
    ("printed", "close"), [("AUROCC", "roc_auc"), ("sperman", "spearman"), ("acuracy", "accuracy"), ("rmsee", "rmse")]
)
def test_an_unknown_name_gets_what_comes_close(printed: str, close: str) -> None:
    with pytest.raises(UsageError) as refusal:
        find(printed)
    assert close in refusal.value.hint


@given(st.text(max_size=80))
def test_any_name_is_found_or_refused(printed: str) -> None:
    try:
        found = find(printed)
    except UsageError:
        assert folded(printed) not in names()
    else:
        assert found.name in metrics()


@given(st.sampled_from(sorted(names())), st.sampled_from([str.upper, str.lower, str.title]))
def test_case_does_not_matter(name: str, cased: Any) -> None:
    assert names()[folded(cased(name))] == names()[name]


def test_every_public_function_of_a_family_is_registered() -> None:
    for family in FAMILIES:
        module = importlib.import_module(f"nature_gym.metrics.{family}")
        public = {
            name
            for name, function in inspect.getmembers(module, inspect.isfunction)
            if function.__module__ == module.__name__ and not name.startswith("_")
        }
        assert public == {metric.name for metric in module.METRICS}


def test_every_module_of_metrics_is_a_family_or_known_not_to_be() -> None:
    folder = Path(inspect.getfile(find)).parent
    others = {"__init__", "entry", "inputs", "registry", "source", "tables", "trial"}
    assert {path.stem for path in folder.glob("*.py")} - others == set(FAMILIES)


def test_computing_says_whose_fault_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="no parameter q"):
        compute(find("ndcg"), [0, 1], [1.0, 2.0], {"q": 1})
    with pytest.raises(UsageError, match="needs times"):
        compute(find("IBS"), [[1, 1]], [[0.5]])
    with pytest.raises(FindingsError, match="rmse: the prediction has shape"):
        compute(find("RMSE"), [1.0, 2.0], [1.0])
    with pytest.raises(FindingsError, match="ndcg"):
        compute(find("ndcg"), [0, 1], [1.0, 2.0], {"k": "ten"})
    nowhere = Metric(
        function=find("RMSE").function,
        title="t",
        perfect=None,
        reference="r",
        prediction="p",
        formula="f",
        source="s",
        requires=("no_such_package",),
        example=find("RMSE").example,
    )
    assert missing_packages(nowhere) == ["no_such_package"]
    with pytest.raises(InfrastructureError, match="no_such_package"):
        compute(nowhere, [1.0], [1.0])


def test_a_function_that_gives_no_number_is_found_out() -> None:
    def broken(reference: Any, prediction: Any) -> float:
        return float("nan")

    whole = find("RMSE")
    metric = Metric(
        function=broken,
        title="t",
        perfect=None,
        reference="r",
        prediction="p",
        formula="f",
        source="s",
        example=whole.example,
    )
    with pytest.raises(FindingsError, match="not a finite number"):
        compute(metric, [1.0], [1.0])
