"""Tables of results are read whatever way round they are printed, and told from tables of other things."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.reading.document import Table
from nature_gym.screening.result_tables import ResultTable, number_in, read_result_table


def table(text: str, *, caption: str = "Comparison", head: int = 1) -> Table:
    rows = tuple(tuple(cell.strip() for cell in line.split("|")) for line in text.strip().splitlines())
    return Table("Table 1", caption, rows, head)


def read(made: Table, *own: str) -> ResultTable:
    found = read_result_table(made, own)
    assert found is not None
    return found


BY_ROW = """Method | AUROC | Brier score
            SVM | 0.81 | 0.20
            Graphium | 0.90 | 0.10"""


def test_methods_in_rows() -> None:
    found = read(table(BY_ROW), "Graphium")
    assert found.kind == "main"
    assert found.methods == ("SVM", "Graphium")
    assert found.metrics == ("AUROC", "Brier score")
    best = found.best("Brier score", "", found.methods)
    assert best is not None
    assert (best.method, best.text, best.number) == ("Graphium", "0.10", 0.10)


def test_methods_in_columns_and_metrics_in_rows() -> None:
    found = read(table("Metric | SVM | Graphium\nAUROC | 0.81 | 0.90\nBrier score | 0.20 | 0.10"), "Graphium")
    assert found.methods == ("SVM", "Graphium")
    assert found.metrics == ("AUROC", "Brier score")
    assert found.values("AUROC", "")[1].number == 0.90


def test_data_sets_over_metrics_and_metrics_over_data_sets() -> None:
    over = read(
        table(
            "Method | Lake | Lake | Sea | Sea\n | MAE | RMSE | MAE | RMSE\nLSTM | 1 | 2 | 3 | 4\nTide | 0 | 1 | 2 | 3",
            head=2,
        )
    )
    under = read(
        table(
            "Method | MAE | MAE | RMSE | RMSE\n | Lake | Sea | Lake | Sea\nLSTM | 1 | 3 | 2 | 4\nTide | 0 | 2 | 1 | 3",
            head=2,
        )
    )
    assert over.groups == under.groups == ("Lake", "Sea")
    assert (
        [entry.number for entry in over.values("MAE", "Sea")]
        == [entry.number for entry in under.values("MAE", "Sea")]
        == [3, 2]
    )


def test_a_column_of_data_sets_beside_the_methods() -> None:
    found = read(
        table("Dataset | Model | Accuracy\nLake | CNN | 0.7\nLake | Tide | 0.8\nSea | CNN | 0.6\nSea | Tide | 0.9"),
        "Tide",
    )
    assert found.methods == ("CNN", "Tide")
    assert found.groups == ("Lake", "Sea")


def test_a_row_that_spans_the_table_is_a_data_set() -> None:
    found = read(
        table("Model | Accuracy\nLake | Lake\nCNN | 0.7\nTide | 0.8\nSea | Sea\nCNN | 0.6\nTide | 0.9"), "Tide"
    )
    assert found.groups == ("Lake", "Sea")
    assert found.methods == ("CNN", "Tide")


def test_the_caption_alone_names_the_metric() -> None:
    rows = table(
        " | Lake | Sea\nCNN | 0.7 | 0.6\nTide | 0.5 | 0.4",
        caption="Mean absolute error of water levels on two data sets.",
    )
    found = read(rows, "Tide")
    assert (found.methods, found.groups) == (("CNN", "Tide"), ("Lake", "Sea"))
    turned = table(
        "Data set | CNN | Tide\nLake | 0.7 | 0.5\nSea | 0.6 | 0.4", caption="Mean absolute error of water levels."
    )
    found = read(turned, "Tide")
    assert (found.methods, found.groups) == (("CNN", "Tide"), ("Lake", "Sea"))


def test_a_short_heading_takes_its_name_from_the_caption() -> None:
    found = read(
        table(
            "Method | Error | Success\nSearch | 2 | 1/8\nScout | 1 | 8/8",
            caption="Mean band error (10⁻²) and success rate of two methods",
        )
    )
    assert found.metrics == ("Mean band error", "Success rate")


@pytest.mark.parametrize(
    ("rows", "caption", "kind"),
    [
        ("Model | AUROC\nTide (full) | 0.9\nwithout gates | 0.8\nw/o memory | 0.7", "What parts do", "ablation"),
        ("Variant | MAE\nTide | 1\nTide-small | 2", "Sizes", "ablation"),
        ("Method | MAE\nTide | 1\nCNN | 2", "Ablation study", "ablation"),
        ("Width | Accuracy\n16 | 0.5\n32 | 0.6", "Accuracy of Tide", "sensitivity"),
        ("Method | k = 5 | k = 10\n | ARI | ARI\nTide | 0.5 | 0.6", "Neighbours", "sensitivity"),
        ("Method | MAE\nTide | 1\nCNN | 2", "Errors in subgroups of patients", "subgroup"),
        ("Method | Latency (ms) | Memory (GB)\nTide | 1 | 2\nCNN | 2 | 3", "Cost", "cost"),
        ("Descriptors | MAE (eV)\nComposition | 0.5\nGeometry | 0.3", "The same forest", "factors"),
        ("Method | MAE\nTide | 1\nCNN | 2", "Comparison with earlier methods", "main"),
    ],
)
def test_what_a_table_is_for(rows: str, caption: str, kind: str) -> None:
    head = 2 if "k = 5" in rows else 1
    assert read(table(rows, caption=caption, head=head), "Tide").kind == kind


@pytest.mark.parametrize(
    "rows",
    [
        "Species | Fold change | P\nBlautia | 3.1 | 0.01\nDorea | 3.9 | 0.02",
        "Device | Voltage (V) | Efficiency (%)\nControl | 1.1 | 22.8\nTreated | 1.2 | 24.9",
        "Part | Malignant | Benign\nTraining | 148 | 250\nTest | 64 | 107",
        "Word | Meaning\nA | b\nC | d",
    ],
)
def test_tables_of_other_things_are_none_of_results(rows: str) -> None:
    assert read_result_table(table(rows)) is None


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        ("0.423 ± 0.065", 0.423), ("8/8", 1.0), ("1.2 × 10⁻³", 0.0012), ("1,234", 1234.0), ("−0.5", -0.5),
        ("83.2%", 83.2), ("2.4GB", 2.4), ("1.5e-3", 0.0015), (".85", 0.85), ("k = 6", None), ("–", None),
        ("2G-HDNNP", None), ("3D-CNN", None), ("n/a", None), ("", None),
    ],
)  # fmt: skip
def test_numbers_are_read_as_printed(cell: str, number: float | None) -> None:
    assert number_in(cell) == (pytest.approx(number) if number is not None else None)


CELLS = st.one_of(
    st.text(max_size=12), st.sampled_from(["AUROC", "MAE", "Method", "0.5", "0.5 ± 0.1", "–", "SVM", "w/o x"])
)


@given(
    st.integers(1, 6).flatmap(lambda width: st.lists(st.tuples(*[CELLS] * width), max_size=8)),
    st.text(max_size=60),
    st.integers(0, 3),
)
def test_no_grid_is_too_strange(rows: list[tuple[str, ...]], caption: str, head: int) -> None:
    found = read_result_table(Table("Table 1", caption, tuple(rows), min(head, len(rows))), ("SVM",))
    if found is not None:
        for entry in found.entries:
            assert rows[entry.row][entry.column].strip() == entry.text
            assert entry.metric in found.kinds
