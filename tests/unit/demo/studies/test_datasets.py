"""The shipped sets, read past scikit-learn, are the ones that scikit-learn loads."""

from __future__ import annotations

import io

import numpy as np
import pytest
from sklearn import datasets as shipped

from nature_gym.demo.studies import datasets
from nature_gym.errors import UsageError


@pytest.mark.parametrize("name", datasets.NAMES)
def test_a_set_is_the_one_that_scikit_learn_loads(name: str) -> None:
    ours = datasets.load(name)
    options = {"scaled": False} if name == "diabetes" else {}
    theirs = getattr(shipped, f"load_{name}")(**options)
    np.testing.assert_array_equal(ours.numbers(), theirs.data)
    np.testing.assert_array_equal(ours.answers().reshape(theirs.target.shape), theirs.target)
    assert len(ours.columns) == theirs.data.shape[1]


@pytest.mark.parametrize("name", datasets.NAMES)
def test_every_set_names_its_source_and_its_licence(name: str) -> None:
    notice = datasets.load(name).notice
    assert "CC BY 4.0" in notice or "states no licence" in notice
    assert "http" in notice or "Editions" in notice


def test_class_names_follow_the_targets() -> None:
    wisconsin = datasets.load("breast_cancer")
    assert wisconsin.class_names().count("malignant") == 212
    assert wisconsin.class_names().count("benign") == 357


def test_an_unknown_set_is_named_in_the_error() -> None:
    with pytest.raises(UsageError, match="'boston'") as caught:
        datasets.load("boston")
    assert "digits" in caught.value.hint


def test_npz_bytes_are_the_same_twice_and_numpy_reads_them() -> None:
    array = np.arange(6, dtype=np.uint8).reshape(2, 3)
    content = datasets.npz_bytes(images=array)
    assert content == datasets.npz_bytes(images=array.copy())
    with np.load(io.BytesIO(content)) as archive:
        np.testing.assert_array_equal(archive["images"], array)


def test_csv_cells_keep_their_published_text() -> None:
    diabetes = datasets.load("diabetes")
    content = datasets.csv_bytes(diabetes.columns, diabetes.rows[:1])
    assert content == b"age,sex,bmi,bp,tc,ldl,hdl,tch,ltg,glu\n59,2,32.1,101.0,157,93.2,38.0,4.0,4.8598,87\n"
