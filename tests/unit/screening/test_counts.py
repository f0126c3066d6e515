"""Numbers in text: what is a size of data, what counts samples, what is a length of a genome."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.screening.counts import bases_in, counts_in, sizes_in


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("The tracks that every method needs take 1,500 GB.", 1.5e12),
        ("The archive holds 1 500 GB of trajectories.", 1.5e12),
        ("Images of 2.5 TB were archived.", 2.5e12),
        ("The raw files take up 3.2 gigabytes.", 3.2e9),
        ("A 24-GB data set was deposited.", 24e9),
        ("The dataset (about 12 GiB) is at Zenodo.", 12e9),
        ("The download is 10–20 GB.", 20e9),
        ("The table has 82955 bytes.", 82955),
    ],
)
def test_sizes_of_data_are_read_with_their_thousands(text: str, size: float) -> None:
    assert [quantity.value for quantity in sizes_in(text)] == [size]


@pytest.mark.parametrize(
    "text",
    [
        "Models were trained on one GPU with 24 GB of memory.",
        "A workstation with 64 GB RAM was used.",
        "The line reached 35 MB s−1 and 10 GB/s.",
        "The reference genome has 487 Mb, of which a 3 Mb segment matters.",
        "Of the 500k cells 50,344 were kept.",
        "A contig of 3 Gb was assembled.",
        "Batches of 128 and B cells.",
    ],
)
def test_memory_speed_bases_and_counts_are_no_sizes(text: str) -> None:
    assert sizes_in(text) == []


def test_a_machine_and_its_data_in_one_sentence_are_told_apart() -> None:
    assert [one.value for one in sizes_in("A GPU with 24 GB of memory read 19.0 GB of files.")] == [19e9]
    assert [one.value for one in sizes_in("The machine had 64 GB RAM; the dataset is 12 GB.")] == [12e9]


def test_megabases_are_a_length() -> None:
    assert [one.value for one in bases_in("From a genome of 3 Mb we have 9,042 sequences.")] == [3e6]
    assert bases_in("A file of 3 Mb per second.") == []


def test_k_beside_cells_counts_cells() -> None:
    found = [(one.value, one.unit) for one in counts_in("500k cells, 1.2 million images and 44,389 recordings")]
    assert found == [(500_000, "cells"), (1_200_000, "images"), (44_389, "recordings")]


def test_what_counts_no_samples_is_left_out() -> None:
    assert counts_in("We trained for 200 epochs with 12 layers and 5 folds over 3 days.") == []


@given(st.integers(1, 10**6), st.sampled_from(["kB", "MB", "GB", "TB"]))
def test_a_size_with_thousands_is_the_size_without(number: int, unit: str) -> None:
    with_commas, without = sizes_in(f"The data take {number:,} {unit}."), sizes_in(f"The data take {number} {unit}.")
    assert [one.value for one in with_commas] == [one.value for one in without]
    assert with_commas[0].value >= number


@pytest.mark.parametrize("text", ["1,000" * 5_000, "1 000 " * 5_000, "9" * 30_000, "GB " * 10_000, "1 GB " * 4_000])
def test_long_runs_of_numbers_take_no_long_time(text: str) -> None:
    began = time.process_time()
    sizes_in(text[:20_000])
    counts_in(text)
    bases_in(f"genome {text}")
    assert time.process_time() - began < 5
