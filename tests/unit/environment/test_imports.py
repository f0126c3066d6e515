from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.environment.imports import imports


def needed(sources: dict[str, str]) -> set[str]:
    return {one.module for one in imports(sources).needed}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import numpy as np, os.path", {"numpy"}),
        ("from sklearn.metrics import f1_score", {"sklearn.metrics.f1_score"}),
        ("from . import x\nfrom .y import z", set()),
        ("def f():\n    import torch", {"torch"}),
        ("import importlib\nimportlib.import_module('torch.nn')", {"torch.nn"}),
        ("try:\n    import cupy\nexcept ImportError:\n    cupy = None", set()),
        ("try:\n    import cupy\nexcept KeyError:\n    pass", {"cupy"}),
        ("try:\n    pass\nexcept ImportError:\n    pass\nelse:\n    import cupy", {"cupy"}),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import torch\nelse:\n    import numpy", {"numpy"}),
        ("import distutils, imp", set()),
        ("'import torch'", set()),
    ],
)
def test_what_a_source_needs(source: str, expected: set[str]) -> None:
    assert needed({"a.py": source}) == expected


def test_modules_beside_the_source_are_its_own() -> None:
    found = imports(
        {"run.py": "import lib, deep.inner, helper_far", "lib.py": "", "deep/inner.py": "", "x/helper_far.py": ""}
    )
    assert not found.needed
    assert found.local == ("deep", "helper_far", "lib")


def test_a_package_is_not_hidden_by_a_file_of_its_name_elsewhere() -> None:
    assert needed({"run.py": "import torch", "docs/torch.py": ""}) == {"torch"}
    assert needed({"docs/run.py": "import torch", "docs/torch.py": ""}) == set()


def test_what_is_no_python_is_named() -> None:
    found = imports({"old.py": "print 'x'", "good.py": "import numpy", "deep.py": "(" * 100_000})
    assert found.unreadable == ("deep.py", "old.py")
    assert [one.module for one in found.needed] == ["numpy"]


@given(st.dictionaries(st.text(min_size=1, max_size=20), st.text(max_size=200), max_size=4))
def test_any_text_is_read_or_named(sources: dict[str, str]) -> None:
    found = imports(sources)
    assert set(found.unreadable) <= set(sources)
