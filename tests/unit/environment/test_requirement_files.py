from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.environment.requirement_files import declared, is_requirement_file

PIP = """
numpy==1.19.5  # pinned
-r other.txt
--index-url x
scipy>=1,<2
"""
HASHES = """
a==1 \\
    --hash=sha256:00
b; python_version < '3'
c @ git+https://x/y
"""
CONDA = """
dependencies:
- python=3.7
- pytorch=1.8
- conda-forge::rdkit=2020.9.1=py37_0
- pip:
  - umap-learn==0.5
"""
POETRY = """
[tool.poetry.dependencies]
python = '^3.8'
torch = '^1.8.1'
x = '^0.2'
y = '~1.2'
z = {version = '*'}
"""
SETUP = """
from setuptools import setup
R = ['numpy==1.1']
raise SystemExit
setup(install_requires=R)
"""


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("requirements.txt", PIP, {"numpy": "==1.19.5", "scipy": "<2,>=1"}),
        ("requirements.txt", HASHES, {"a": "==1"}),
        ("environment.yml", CONDA, {"torch": "==1.8.*", "rdkit": "==2020.9.1", "umap-learn": "==0.5"}),
        ("pyproject.toml", "[project]\ndependencies = ['numpy>=1']\n", {"numpy": ">=1"}),
        ("pyproject.toml", POETRY, {"torch": "<2,>=1.8.1", "x": "<0.3,>=0.2", "y": "<1.3,>=1.2", "z": ""}),
        ("setup.cfg", "[options]\ninstall_requires =\n  numpy>1\n", {"numpy": ">1"}),
        ("setup.py", SETUP, {"numpy": "==1.1"}),
        ("Pipfile", "[packages]\nnumpy = '==1.2'\n", {"numpy": "==1.2"}),
        ("environment.yml", "a: &a [1]\ndependencies: [*a]\n", {}),
        ("requirements.txt", "numpy=1.2.3\n\x00", {}),
    ],
)
def test_each_form(path: str, text: str, expected: dict[str, str]) -> None:
    assert is_requirement_file(path)
    assert {one.name: one.specifier for one in declared({path: text})} == expected


@pytest.mark.parametrize(
    "name", ["requirements.txt", "environment.yml", "pyproject.toml", "setup.cfg", "setup.py", "Pipfile"]
)
@given(text=st.text(max_size=300))
def test_any_text_is_read(name: str, text: str) -> None:
    assert all(one.file == name and one.name for one in declared({name: text}))


@pytest.mark.parametrize("path", ["README.md", "src/data.txt", "ci.yml"])
def test_other_files_are_none(path: str) -> None:
    assert not is_requirement_file(path)
