"""Whose method it is, what it is compared with, and what it starts from: each in short papers of other fields."""

from __future__ import annotations

import pytest

from nature_gym.reading.document import Document, Section, Table
from nature_gym.screening.deciders import Case
from nature_gym.screening.manuscript import Manuscript
from nature_gym.screening.rules import Finding, _rules

RULES = ("0", "1.1", "2.1", "2.2")
DATA = "Training and test maps are publicly available at https://doi.org/10.5281/zenodo.7000001 (1.2 GB)."


def case(
    title: str,
    abstract: str,
    results: str,
    methods: str,
    rows: str = "",
    caption: str = "Scores on the test set",
    data: str = DATA,
    header_rows: int = 1,
) -> Case:
    grid = tuple(tuple(cell.strip() for cell in line.split("|")) for line in rows.splitlines())
    sections = (
        Section("Introduction", 1, "The problem is old."),
        Section("Results", 1, results),
        Section("Methods", 1, methods),
        Section("Data availability", 1, data),
    )
    tables = (Table("Table 1", caption, grid, header_rows),) if rows else ()
    document = Document(
        "html", title=title, article_type="Article", abstract=abstract, sections=sections, tables=tables
    )
    return Case(Manuscript("paper", document))


def last(one: Case, rules: tuple[str, ...] = RULES) -> tuple[str, Finding]:
    """The rule at which the paper stops, or the last of ``rules``."""
    for rule in rules:
        finding = _rules()[rule].function(one)
        one.task = finding.task or one.task
        if finding.verdict != "pass":
            break
    return rule, finding


SPLIT = "Of the maps, 700 were used for training and 100 for testing. The F1 on the test set is reported."


def applied(learner: str, abstract: str, methods: str) -> Case:
    rows = f"Model | F1\nVGG-16 | 0.71\nAlexNet | 0.66\n{learner} | 0.80"
    results = f"{learner} had an F1 of 0.80 on the test set, VGG-16 one of 0.71 (Table 1)."
    return case("Moss cover from aerial pictures", abstract, results, f"{methods} {SPLIT}", rows)


@pytest.mark.parametrize(
    ("learner", "abstract", "methods"),
    [
        (
            "MobileNetV3",
            "Moss is hard to map. MobileNetV3 was fine-tuned on 800 pictures with flips and crops and beat VGG-16.",
            "The network of the timm library was used.",
        ),
        (
            "U-Net++",
            "Moss is hard to map. Here we train U-Net++ on aerial pictures. It is more accurate than VGG-16.",
            "U-Net++ was used off the shelf with the recommended settings.",
        ),
        (
            "RoBERTa",
            "Notes on moss are read by hand. We apply RoBERTa to them and find that it is the most accurate network.",
            "The roberta-base checkpoint was fine-tuned for five epochs.",
        ),
        (
            "Tuned LightGBM",
            "Moss cover varies. We present a tuned LightGBM model for it, with a grid search of its hyperparameters.",
            "LightGBM is used as implemented in its library.",
        ),
    ],
)
def test_a_learner_that_everybody_has_is_nobodys_method(learner: str, abstract: str, methods: str) -> None:
    rule, finding = last(applied(learner, abstract, methods))
    assert (rule, finding.verdict) == ("1.1", "reject")
    assert finding.code in ("other_out_of_scope", "validation_tool_usage")
    assert finding.evidence


@pytest.mark.parametrize(
    ("learner", "abstract", "methods"),
    [
        (
            "MobileNetV3",
            (
                "Moss is hard to map. We redesigned MobileNetV3 for moss: its pooling layers are replaced by hexagonal "
                "ones."
            ),
            "The layers take six neighbours each.",
        ),
        (
            "MossFormer",
            "Moss is hard to map. We introduce MossFormer, a transformer whose patches follow contour lines.",
            "Weights start from ImageNet weights.",
        ),
        (
            "XGBoost",
            "Moss cover varies. We propose a new loss function for boosted trees and fit XGBoost with it.",
            "The loss weighs wet pixels more than dry ones.",
        ),
    ],
)
def test_a_learner_that_was_changed_in_its_parts_is_the_authors_own(learner: str, abstract: str, methods: str) -> None:
    finding = _rules()["1.1"].function(applied(learner, abstract, methods))
    assert finding.verdict == "pass", finding


def test_rows_that_are_no_learners_are_no_baselines() -> None:
    one = case(
        "EddyOp: an operator for eddies",
        "We introduce EddyOp, a neural operator with rotating kernels. Its error is below that of other emulators.",
        "EddyOp has an RMSE of 0.5 K against 0.9 K of the CNN; the numerical model has 0.2 K (Table 1).",
        SPLIT,
        "Model | RMSE (K)\nCNN | 0.9\nROMS (numerical model) | 0.2\nEddyOp | 0.5",
    )
    assert last(one, RULES[:3])[1].verdict == "pass"


def test_a_rejection_by_a_table_quotes_it() -> None:
    one = case(
        "EddyOp: an operator for eddies",
        "We introduce EddyOp, a neural operator with rotating kernels.",
        "Table 1 has the scores.",
        SPLIT,
        "Model | RMSE (K)\nCNN | 0.2\nEddyOp | 0.5",
    )
    rule, finding = last(one, RULES[:3])
    assert (rule, finding.code) == ("2.1", "non_competitive_quality")
    assert finding.evidence


def test_stacked_blocks_are_compared_each_for_itself() -> None:
    rows = (
        "System | Method | Energy | Charges\n | NetA | 0.9 | 7\nwater | OwnNet | 0.5 | 3\n"
        " | NetA | 0.3 | 8\nsalt | OwnNet | 0.2 | 4"
    )
    one = case(
        "OwnNet: a network for charges",
        "We introduce OwnNet, a network with long-ranged messages. It has lower errors than NetA.",
        "The energy error of OwnNet is 0.5 for water, that of NetA 0.9 (Table 1).",
        SPLIT,
        rows,
        "Energy and charge error of two systems.",
    )
    finding = last(one, RULES[:3])[1]
    assert finding.verdict == "pass"
    assert "0.5 against 0.9 of NetA on water Energy" in finding.reason
    assert "charge" not in finding.reason.lower()


def test_a_piece_of_a_clause_is_no_metric() -> None:
    one = case(
        "LichenNet: a network for lichens",
        "We introduce LichenNet, a graph network with new pooling. LichenNet outperforms all rivals.",
        "LichenNet outperforms all other state-of-the-art methods on 12 sites (rival's score has a wide error bar), "
        "and its accuracy is 0.9 against 0.8 (Fig. 2).",
        "The accuracy is the share of right labels. We assess eight other state-of-the-art methods and compare "
        f"them with LichenNet. {SPLIT}",
    )
    rule, finding = last(one)
    assert (rule, finding.verdict) == ("2.2", "pass"), finding
    assert all("bar" not in metric.name for metric in one.task.metrics)


KEPT = [
    (
        "MossFormer builds on FloraLM, a language model that we trained on letters of our garden. The model cannot be "
        "made public for legal reasons."
    ),
    (
        "FloraNet, the backbone, belongs to Bryo Ltd; its weights are not publicly available, and MossFormer needs "
        "them "
        "for initialisation."
    ),
    "MossFormer starts from FloraLM, whose weights are proprietary.",
    "A proprietary language model, FloraLM, is what MossFormer is initialised from.",
]


def with_start(methods: str, data: str = DATA) -> Finding:
    one = case(
        "MossFormer: contour transformers",
        "We introduce MossFormer, a transformer whose patches follow contour lines. It beats VGG-16.",
        "MossFormer had an F1 of 0.80 on the test set, VGG-16 one of 0.71 (Table 1).",
        f"{methods} {SPLIT}",
        "Model | F1\nVGG-16 | 0.71\nMossFormer | 0.80",
        data=data,
    )
    rule, finding = last(one, (*RULES, "3.1", "3.2"))
    assert rule == "3.2", finding
    return finding


@pytest.mark.parametrize("methods", KEPT)
def test_a_model_to_start_from_that_is_kept_back_is_missed(methods: str) -> None:
    finding = with_start(methods)
    assert (finding.verdict, finding.code) == ("reject", "pretrained_model_unavailable")


def test_a_model_kept_back_by_the_statement_counts_where_the_method_starts_from_it() -> None:
    data = f"{DATA} The weights of FloraLM-2 cannot be released."
    assert with_start("MossFormer is inserted into FloraLM-2.", data).code == ("pretrained_model_unavailable")
    assert with_start("MossFormer is trained from scratch.", data).verdict == "pass"


@pytest.mark.parametrize(
    "methods",
    ["MossFormer starts from ESM-2, whose weights are public.", "Pictures were made with proprietary software."],
)
def test_models_that_are_there_and_tools_that_one_can_buy_stand_in_no_way(methods: str) -> None:
    finding = with_start(methods)
    assert finding.verdict == "pass"
    assert all("zenodo" in evidence.quote for evidence in finding.evidence)


def test_the_methods_own_weights_are_none_to_start_from() -> None:
    own = f"{DATA} The weights of MossFormer, initialised from ImageNet, cannot be released."
    assert with_start("Contours are drawn.", own).verdict == "pass"
    assert with_start("Contours are drawn.", f"{DATA} The weights of MossFormer cannot be released.").verdict == "pass"


# -- what is made, what it runs on, what is asked of it ----------------------------------


@pytest.mark.parametrize(
    ("abstract", "methods"),
    [
        (
            "We introduce FernGen, a generative network with spore conditioning that makes pictures of ferns.",
            "How good the pictures are was judged solely by the accuracy of a classifier trained on them.",
        ),
        (
            (
                "We introduce FernGen, a variational generator of herbarium records. Recognisers trained on FernGen "
                "records "
                "and tested on real ones make fewer errors than with other generators."
            ),
            "Evaluation is only by train-on-synthetic, test-on-real.",
        ),
    ],
)
def test_what_is_scored_only_by_training_others_on_it(abstract: str, methods: str) -> None:
    one = case(
        "Records of ferns from a generator",
        abstract,
        "A ResNet trained on FernGen records had an F1 of 0.80, with OldGen records 0.71 (Table 1).",
        f"{methods} {SPLIT}",
        "Generator | F1\nOldGen | 0.71\nMidGen | 0.75\nFernGen | 0.80",
    )
    rule, finding = last(one)
    assert (rule, finding.code) == ("1.1", "intermediate_data_evaluation"), finding


@pytest.mark.parametrize(
    ("title", "abstract", "results"),
    [
        (
            "Learning in an array of phase-change cells",
            (
                "We show on-chip learning of a small neural network on a fabricated array and reach 94% accuracy on "
                "digits."
            ),
            "The array was driven through a control board. Cells were made in a 90 nm process.",
        ),
        (
            "A metasurface that recognises letters",
            "We present a printed metasurface that classifies letters with infrared light at an accuracy of 90%.",
            "The metasurface was printed and lit by a laser.",
        ),
    ],
)
def test_learning_on_a_device_that_was_made_for_it(title: str, abstract: str, results: str) -> None:
    rule, finding = last(case(title, abstract, results, "Cells were measured at room temperature."))
    assert (rule, finding.code) == ("1.1", "hardware_dependent"), finding


def test_a_study_of_how_the_loss_scales_is_an_analysis() -> None:
    one = case(
        "Loss and size of language models of birdsong",
        "How does the error of language models of birdsong change with size? We train 60 models and find power laws.",
        "The loss falls with size.",
        "Language models of many sizes were trained.",
    )
    rule, finding = last(one)
    assert (rule, finding.code) == ("2.1", "model_analysis"), finding
    assert finding.evidence


@pytest.mark.parametrize(
    ("results", "code"),
    [
        ("There is no reference, so restored plates are compared by visual inspection (Fig. 2).", "visual_inspection"),
        ("We let GPT-4 as a judge compare the outputs of all methods.", "external_service"),
    ],
)
def test_methods_that_are_compared_by_no_metric(results: str, code: str) -> None:
    one = case(
        "Old plates restored",
        "We propose PlateField, a coordinate network that restores plates. Plates look sharper than those of others.",
        results,
        "A coordinate network is fitted to each plate.",
    )
    rule, finding = last(one)
    assert (rule, finding.code) == ("2.2", code), finding


@pytest.mark.parametrize(
    ("title", "abstract", "rows", "expected"),
    [
        (
            "A fourth-generation potential",
            (
                "We introduce IonNet, a fourth-generation network that predicts energies. It is better than a cluster "
                "expansion."
            ),
            "Model | MAE (eV)\nCluster expansion | 0.5\nIonNet | 0.2",
            "regression",
        ),
        (
            "Early detection of blight",
            "We introduce BlightNet, an attention network that predicts blight and detects it early.",
            "Model | AUROC\nLogistic regression | 0.7\nBlightNet | 0.8",
            "classification",
        ),
    ],
)
def test_words_in_names_are_no_task(title: str, abstract: str, rows: str, expected: str) -> None:
    finding = _rules()["1.1"].function(case(title, abstract, "Table 1 has the scores.", SPLIT, rows))
    assert finding.task is not None
    assert finding.task.task_type == expected


def test_data_sets_named_beside_the_metric_are_settings_of_their_own() -> None:
    one = case(
        "PairNet: attention over pairs",
        "We introduce PairNet, an attention network over pairs. It has the highest AUROC on both data sets.",
        "PairNet reaches an AUROC of 0.9 on DrugKB, against 0.8 (Table 1).",
        SPLIT,
        "Method | DrugKB AUROC | Celegans AUROC | DrugKB macro F1\nMLP | 0.8 | 0.7 | 0.6\nPairNet | 0.9 | 0.8 | 0.7",
    )
    assert last(one, (*RULES, "3.1", "3.2", "3.3", "3.4", "3.5"))[1].verdict == "pass"
    assert {setting.name for setting in one.task.settings} >= {"DrugKB", "Celegans"}
    assert next(metric.name for metric in one.task.metrics) == "AUROC"


def test_qualified_metrics_are_metrics_of_one_data_set() -> None:
    one = case(
        "PairNet: attention over pairs",
        "We introduce PairNet, an attention network over pairs. It has the highest F1.",
        "PairNet reaches a macro F1 of 0.9, against 0.8 (Table 1).",
        SPLIT,
        "Method | Macro F1 | Micro F1\nMLP | 0.8 | 0.7\nPairNet | 0.9 | 0.8",
    )
    last(one)
    assert [metric.name for metric in one.task.metrics] == ["Macro F1", "Micro F1"]


def test_a_split_told_in_words_closes_the_experiment_of_a_paper_without_tables() -> None:
    one = case(
        "TrackNest: tracks of ants",
        "We introduce TrackNest, a recurrent network with masked tubes that tracks ants more accurately than others.",
        "TrackNest has a tracking accuracy of 0.97 against 0.95 of the best other method (Fig. 1).",
        "Forty films were used for training and twelve for testing. Accuracy is the share of right links.",
        data=DATA,
    )
    rule, finding = last(one, (*RULES, "3.1", "3.2", "3.3", "3.4", "3.5"))
    assert (rule, finding.verdict) == ("3.5", "pass"), finding
    assert "twelve" in finding.evidence[0].quote
