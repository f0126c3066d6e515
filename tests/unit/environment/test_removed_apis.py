from __future__ import annotations

import importlib
import warnings
from importlib.metadata import PackageNotFoundError, version

import pytest

from nature_gym.environment.removed_apis import TABLE, removed_uses

VERSIONS = {"numpy": "1.26.4", "pandas": "2.2.3", "scikit-learn": "1.6.1", "python": "3.11", "scipy": "1.14.1"}


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import numpy as np\nnp.zeros(3, dtype=np.float)", ["numpy.float"]),
        ("from numpy import float_\n", []),
        ("import numpy\nnumpy.bool", ["numpy.bool"]),
        ("from sklearn.externals import joblib", ["sklearn.externals.joblib"]),
        ("import sklearn.cross_validation as cv", ["sklearn.cross_validation"]),
        ("import collections\nisinstance(1, collections.Iterable)", ["collections.Iterable"]),
        ("import pandas as pd\nfor a in pd.read_csv('x').iteritems(): pass", [".iteritems"]),
        ("for a in {}.iteritems(): pass", []),
        ("import numpy as np\ntry:\n    x = np.float\nexcept AttributeError:\n    x = float", []),
        ("class np: float = 1\nnp.float", []),
        ("from scipy.integrate import simps", ["scipy.integrate.simps"]),
    ],
)
def test_uses(source: str, names: list[str]) -> None:
    assert [use.name for use in removed_uses({"a.py": source}, VERSIONS)] == names


def test_the_version_decides() -> None:
    source = {"a.py": "import numpy as np\nnp.float_(1)\nnp.bool"}
    assert [use.name for use in removed_uses(source, {"numpy": "2.1"})] == ["numpy.float_"]
    assert [use.name for use in removed_uses(source, {"numpy": "1.20"})] == []
    assert [use.name for use in removed_uses(source, {})] == []


@pytest.mark.parametrize("name", sorted(TABLE))
def test_the_table_agrees_with_the_libraries_that_are_here(name: str) -> None:
    gone = TABLE[name]
    try:
        here = "3.11" if gone.distribution == "python" else version(gone.distribution)
    except PackageNotFoundError:
        pytest.skip(f"{gone.distribution} is not installed")
    if not gone.is_gone(here):
        pytest.skip(f"{gone.distribution} {here} has it still")
    parent, _, last = name.rpartition(".")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            assert not hasattr(importlib.import_module(parent), last)
        except ImportError:  # the parent went with it, or says at once what to do instead
            return
        with pytest.raises(ModuleNotFoundError):
            importlib.import_module(name)
