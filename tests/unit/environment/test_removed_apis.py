from __future__ import annotations

import importlib
import inspect
import warnings
from importlib.metadata import PackageNotFoundError, version

import pytest

from nature_gym.environment.removed_apis import removed_uses
from nature_gym.environment.removed_names import ARGUMENTS, METHODS, TABLE

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
        # A handler of any exception hides a failure, and does not make it one that is thought of.
        ("import numpy as np\ntry:\n    x = np.float\nexcept Exception:\n    x = None", ["numpy.float"]),
        ("import numpy as np\ntry:\n    x = np.float\nexcept:\n    x = None", ["numpy.float"]),
        ("import pandas as pd\npd.read_csv('x').append(1)", [".append"]),
        ("import pandas as pd\na = pd.DataFrame()\nfor b in range(3):\n    a = a.append(b)", [".append"]),
        ("import pandas as pd\na = None\na = pd.DataFrame()\na = a[a['x'] > 1].copy().append(a)", [".append"]),
        ("import pandas as pd\ns = pd.DataFrame({})['x']\ns.append(s)", [".append"]),
        ("from pandas import Series\nclass A:\n def f(self):\n  self.s = Series()\n  self.s.append(1)", [".append"]),
        ("import pandas as pd\ndef f(a):\n    return a.append(a)\nf(pd.read_csv('x'))", [".append"]),
        ("import pandas as pd\ndef f(a: pd.DataFrame):\n    return a.append(a)", [".append"]),
        ("import pandas as pd\ndef f():\n    return pd.read_csv('x')\nf().append(f())", [".append"]),
        ("import pandas as pd\nt = pd.DataFrame()\nfor k, g in t.groupby('x'):\n    g.append(g)", [".append"]),
        ("import pandas as pd\nm = pd.read_csv('x')['y'].mad()", [".mad"]),
        ("import numpy as np\na = np.array([1])\na.ptp()", []),  # numpy 1.26 has it
        # Lists that stand beside tables are lists.
        ("import pandas as pd\na = []\na.append(pd.DataFrame())", []),
        ("import pandas as pd\na = pd.read_csv('x')\na = a.values.tolist()\na.append(1)", []),
        ("import pandas as pd\na = []\na = pd.DataFrame(a)\na.append(1)", []),
        ("import pandas as pd\ndef f(a):\n    a.append(1)\nf([])\nf(pd.DataFrame())", []),
        ("import pandas as pd\nt = pd.DataFrame()\nt.loc[0, 'x'].append(1)", []),
        (
            "import pandas as pd\nt = pd.DataFrame()\nfor c in pd.read_csv('x', chunksize=3):\n    c.columns.append(1)",
            [],
        ),
        ("from sklearn.metrics import mean_squared_error as e\ne(1, 2, squared=False)", ["e(squared=)"]),
        (
            "from sklearn.feature_extraction.text import CountVectorizer as C\nC().get_feature_names()",
            [".get_feature_names"],
        ),
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


@pytest.mark.parametrize("side", sorted(METHODS))
def test_methods_that_went_are_not_there(side: str) -> None:
    pandas, numpy = pytest.importorskip("pandas"), pytest.importorskip("numpy")
    holders = [pandas.DataFrame, pandas.Series] if side == "table" else [numpy.ndarray]
    for name, gone in METHODS[side].items():
        if gone.is_gone(version(gone.distribution)):
            assert not any(hasattr(one, name) for one in holders), name


@pytest.mark.parametrize("function", sorted(ARGUMENTS))
def test_arguments_that_went_are_not_taken(function: str) -> None:
    module, _, name = function.rpartition(".")
    taken = inspect.signature(getattr(pytest.importorskip(module), name)).parameters
    for argument, gone in ARGUMENTS[function].items():
        if gone.is_gone(version(gone.distribution)):
            assert argument not in taken


def test_what_is_to_be_used_is_said() -> None:
    source = {"a.py": "import pandas as pd\npd.DataFrame().append(1)"}
    assert [use.gone.instead for use in removed_uses(source, VERSIONS)] == ["pandas.concat"]
    assert [use.line for use in removed_uses(source, VERSIONS)] == [2]
