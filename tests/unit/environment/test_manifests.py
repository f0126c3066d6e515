from __future__ import annotations

import re
from pathlib import Path

import pytest

import nature_gym.environment
from nature_gym.environment.manifests import manifest, manifests
from nature_gym.errors import UsageError

SLIM = Path(nature_gym.environment.__file__).parent / "slim" / "requirements.txt"


def test_the_slim_manifest_is_its_requirements() -> None:
    pinned = dict(re.findall(r"^([a-z0-9._-]+)==([^ ;\\]+)", SLIM.read_text(), re.MULTILINE))
    assert manifest("naturegym-slim:v1").packages == pinned


def test_the_published_base_has_the_versions_of_its_recipe() -> None:
    base = manifest("naturebench-base:v3")
    told = {"numpy": "1.26.4", "torch": "2.6.0", "scikit-learn": "1.6.1", "rdkit": "2024.9.6", "anndata": "0.11.3"}
    assert told.items() <= base.packages.items()
    assert not base.complete
    assert base.brings("PyTorch-Lightning")
    assert not base.brings("scanpy")
    assert not base.dependencies.intersection(base.packages)


def test_an_unknown_base_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(UsageError) as caught:
        manifest("other:v1")
    assert all(name in caught.value.hint for name in manifests())
