"""Settings by data set: accepted and rejected with reasons, told apart by data and not by variants."""

from __future__ import annotations

import dataclasses

from nature_gym.reading.document import Table
from nature_gym.screening.settings import core_experiments, dataset_names, names_any
from nature_gym.screening.statements import components
from nature_gym.screening.task import Setting
from tests.unit.screening.papers import TABLE, manuscript

FIXED = "We use the predefined split of each data set into training and test parts."
FOLDS = "We evaluate every method by five-fold cross-validation and report means over folds."


def settings(methods: str, data: str = "", tables: tuple[Table, ...] = (TABLE,)) -> dict[str, Setting]:
    paper = manuscript(data or "Data are at https://doi.org/10.5281/zenodo.1.", "", methods, tables)
    found = core_experiments(paper, components(paper), "NovelNet").settings
    return {one.name: one for one in found}


def test_each_data_set_of_the_main_table_is_a_setting_with_its_scores() -> None:
    found = settings(FIXED)
    assert list(found) == ["OpenSet", "WildSet"]
    assert all(one.accepted and one.protocol == "fixed_split" for one in found.values())
    assert [(one.metric, one.value, one.method, one.place) for one in found["OpenSet"].sota] == [
        ("AUROC", "0.91", "NovelNet", "Table 1"),
        ("F1", "0.83", "NovelNet", "Table 1"),
    ]
    assert [one.value for one in found["WildSet"].baseline] == ["0.74", "0.66"]


def test_all_by_folds_is_rejected_with_the_reason() -> None:
    found = settings(FOLDS)
    assert not any(one.accepted for one in found.values())
    assert all(one.reason.startswith("invalid_eval_method") for one in found.values())


def test_a_data_set_by_folds_beside_one_with_a_test_set() -> None:
    found = settings("OpenSet comes with a fixed split. WildSet was evaluated by five-fold cross-validation.")
    assert found["OpenSet"].accepted
    assert not found["WildSet"].accepted
    assert found["WildSet"].protocol == "k_fold"


def test_a_column_that_says_folds_is_by_folds() -> None:
    header = ("Method", "Cohort (test part)", "Cohort (test part)", "Exercise (5-fold)", "Exercise (5-fold)")
    table = dataclasses.replace(TABLE, rows=(header, *TABLE.rows[1:]))
    found = settings("Subjects were divided once into training and test parts.", tables=(table,))
    assert {name: one.accepted for name, one in found.items()} == {
        "Cohort (test part)": True,
        "Exercise (5-fold)": False,
    }


def test_a_caption_that_says_folds_speaks_for_its_table() -> None:
    table = dataclasses.replace(TABLE, caption="Table 1 Comparison by cross-validation")
    assert {one.protocol for one in settings("Models were trained.", tables=(table,)).values()} == {"k_fold"}


def test_results_by_folds_and_on_an_independent_test_in_one_table_are_no_rejection() -> None:
    caption = "Table 1 Agreement between measured and predicted values by " + "one group of features or another, "
    table = dataclasses.replace(
        TABLE,
        caption=caption + "in fivefold cross-validation and on the independent test set",
        rows=(("Method", "AUROC", "F1"), *((row[0], row[1], row[2]) for row in TABLE.rows[-2:])),
        header_rows=1,
    )
    said = "It was stable, with 0.91 both in cross-validation and on the independent test of OpenSet."
    (found,) = settings(said, tables=(table,)).values()
    assert (found.accepted, found.protocol) == (True, "fixed_split")
    assert "fivefold" in found.name
    assert "independent" not in found.name


def test_a_data_set_on_request_is_rejected_and_the_other_stays() -> None:
    found = settings(
        FIXED,
        "OpenSet is at https://doi.org/10.5281/zenodo.1. WildSet is available from the authors on request.",
    )
    assert found["OpenSet"].accepted
    assert found["WildSet"].reason.startswith("on_request")


def test_ablations_and_sensitivity_studies_are_no_settings() -> None:
    ablation = Table(
        "Table 2",
        "Table 2 Ablation on ThirdSet",
        (("Model", "AUROC"), ("NovelNet (full)", "0.91"), ("without gates", "0.88"), ("without loss", "0.86")),
        header_rows=1,
    )
    knobs = Table(
        "Table 3",
        "Table 3 Sensitivity to the number of neighbours k",
        (("Method", "k = 6", "k = 10"), ("", "ARI", "ARI"), ("SVM", "0.7", "0.8"), ("NovelNet", "0.8", "0.9")),
        header_rows=2,
    )
    assert list(settings(FIXED, tables=(TABLE, ablation, knobs))) == ["OpenSet", "WildSet"]


def test_the_same_data_in_two_tables_are_one_setting() -> None:
    second = dataclasses.replace(TABLE, label="Table 4")
    found = settings(FIXED, tables=(TABLE, second))
    assert list(found) == ["OpenSet", "WildSet"]
    assert {one.place for one in found["OpenSet"].sota} == {"Table 1", "Table 4"}


def test_several_targets_of_one_model_are_one_setting() -> None:
    header = ("Method", "Band gap", "Band gap", "Bulk modulus", "Bulk modulus")
    table = dataclasses.replace(
        TABLE, rows=(header, *TABLE.rows[1:]), caption="Table 1 Errors for two properties of the test crystals"
    )
    found = settings(FIXED, tables=(table,))
    assert len(found) == 1


def test_columns_over_all_data_sets_are_no_data_set() -> None:
    header = ("Method", "OpenSet", "OpenSet", "Average", "Average")
    table = dataclasses.replace(TABLE, rows=(header, *TABLE.rows[1:]))
    assert list(settings(FIXED, tables=(table,))) == ["OpenSet"]


def test_without_a_word_on_test_data_nothing_is_accepted() -> None:
    found = settings("We trained NovelNet for a week.")
    assert {one.protocol for one in found.values()} == {"unknown"}
    assert not any(one.accepted for one in found.values())


def test_names_are_whole_words() -> None:
    assert names_any("We used OpenSet.", ["OpenSet"])
    assert not names_any("We used OpenSet-2.", ["OpenSet"])
    assert not names_any("We used ReOpenSet.", ["OpenSet"])
    assert dataset_names(()) == ()
