"""Protocols: which sentences tell how methods were evaluated, and which tell of something else."""

from __future__ import annotations

import pytest

from nature_gym.screening.protocols import is_cross_validated, protocol_mentions
from tests.unit.screening.papers import manuscript


def told(text: str) -> list[tuple[str, str]]:
    return [(one.protocol, one.role) for one in protocol_mentions(manuscript(methods=text))]


@pytest.mark.parametrize(
    "text",
    [
        "We use the predefined split of each data set into training, validation and test parts.",
        "Both come with a fixed split, which we use unchanged.",
        "The official test set of the benchmark was used.",
        "In both sets 240 catchments were set apart as a test set before any model was fitted.",
        "A single random split assigned 309 patients to development and 133 patients to the test.",
        "The cases were split a single time into a training table (70%) and a test table (30%).",
        "Even chromosomes were used for training and validation, odd ones as the fixed test set.",
        "Models were trained on records from 2010 to 2016 and tested on those from 2017 to 2019.",
        "Performance was measured on a held-out test set of 500 scans.",
        "Trajectories were generated once (seed 1979) and deposited.",
        "We followed the standard train/validation/test split provided by the benchmark.",
        "Models were trained on the 2010–2018 period and evaluated on 2019–2020.",
        "We held out 20% of the proteins for testing.",
        "The model was evaluated on targets released after the training cutoff.",
        "Patients were split into training (n = 500) and testing (n = 200) cohorts.",
        "A time-based split was used, with compounds after 2015 in the test set.",
    ],
)
def test_fixed_test_sets(text: str) -> None:
    assert told(text) == [("fixed_split", "core")]


@pytest.mark.parametrize(
    "text",
    [
        "We evaluate every method by five-fold cross-validation and report the mean over folds.",
        "Performance was estimated by 10-fold cross-validation on the whole of each data set.",
        "All results are means over five-fold cross-validation; there is no separate test set.",
        "Accuracy was assessed by leave-one-subject-out cross-validation.",
        "Data were divided into ten parts, each of which served as test set once.",
        "Model performance was assessed using nested 5-fold cross-validation with an inner loop for tuning.",
        "Ten-fold cross-validation was repeated five times with different random seeds.",
        "A stratified 5‑fold cross‑validation was performed to compare all models.",
    ],
)
def test_cross_validation_that_evaluates(text: str) -> None:
    assert told(text) == [("k_fold", "core")]


@pytest.mark.parametrize(
    "text",
    [
        "Hyperparameters were chosen by five-fold cross-validation within the training set.",
        "We compared with the lasso (penalty by five-fold cross-validation) and ridge regression.",
        "Margins were turned into probabilities by Platt scaling on five cross-validation folds of the training table.",
        "The number of trees was tuned by cross-validation on the development part.",
    ],
)
def test_cross_validation_among_training_data_evaluates_nothing(text: str) -> None:
    assert ("k_fold", "core") not in told(text)
    assert ("k_fold", "tuning") in told(text)


def test_side_experiments_are_known() -> None:
    assert told("As a side experiment we used five-fold cross-validation on twenty men.") == [("k_fold", "side")]
    assert told("Here a fixed test set would be meaningless, and we used five-fold cross-validation.")[0] == (
        "k_fold",
        "side",
    )


def test_random_splits_and_external_sets() -> None:
    assert told("Samples were randomly split into 80% for training and 20% for testing.") == [("random_split", "core")]
    assert told("An independent validation cohort from another hospital served for testing.") == [
        ("external_test", "core")
    ]
    repeated = protocol_mentions(manuscript(methods="Scores are averaged over ten random train/test splits."))
    assert [(one.protocol, one.repeated) for one in repeated] == [("random_split", True)]


@pytest.mark.parametrize(
    "text",
    [
        "The test was two-sided.",
        "RNA folds into a structure; the fold change was 2.5-fold.",
        "Records were left out by partial least squares, which does worse than models that leave records out.",
        "Cross sections were cut at random positions of the split mirror.",
    ],
)
def test_other_folds_splits_and_tests_are_no_protocols(text: str) -> None:
    assert told(text) == []


def test_what_others_did_is_not_our_protocol() -> None:
    paper = manuscript(methods="x", Introduction="Earlier work was evaluated by five-fold cross-validation.")
    assert protocol_mentions(paper) == ()


@pytest.mark.parametrize("label", ["Exercise (5-fold)", "Comparison by cross-validation", "LOSO (leave-one-out)"])
def test_labels_that_tell_of_folds(label: str) -> None:
    assert is_cross_validated(label)
    assert not is_cross_validated("Comparison on the test parts of FoldSet")
