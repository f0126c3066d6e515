from __future__ import annotations

from pathlib import Path

import pytest

from nature_gym.packaging.faults import BuildError
from nature_gym.packaging.specification import Environment, TaskSpecification
from nature_gym.packaging.surroundings import Surrounding, environment
from nature_gym.packaging.task_file import read_task

EXAMPLE = Path(__file__).resolve().parents[3] / "task_packages" / "examples" / "demo-d8158413" / "task.yaml"


def made(script: str, *packages: str, base: str = "naturegym-slim:v1") -> Surrounding:
    task: TaskSpecification = read_task(EXAMPLE)
    return environment(
        task.model_copy(update={"environment": Environment(base=base, packages=packages)}), {"a.py": script}
    )


def test_what_the_base_has_is_named_with_its_version_and_not_added() -> None:
    found = made("import sklearn, os, lifelines", "lifelines==0.30.0", "numpy==1.26.4")
    assert found.packages["from_base"] == [{"pip": "scikit-learn", "import": "sklearn", "version": "1.6.1"}]
    assert found.packages["task_packages"] == [{"pip": "lifelines", "import": "lifelines", "version": "0.30.0"}]
    assert "lifelines==0.30.0" in found.dockerfile
    assert "numpy" not in found.dockerfile


@pytest.mark.parametrize(
    ("script", "package", "word"),
    [
        ("import numpy", "numpy==2.0.0", "1.26.4"),
        ("import torch", "lifelines==0.30.0", "torch"),
        ("", "numpy", "pinned"),
    ],
)
def test_a_pin_against_the_base_and_an_import_that_nothing_satisfies_stop_the_build(
    script: str, package: str, word: str
) -> None:
    with pytest.raises(BuildError, match=word):
        made(script, package)


def test_a_distribution_that_brings_the_module_satisfies_it_whatever_its_name() -> None:
    assert made("import cv2", "opencv-python==4.11.0.86").packages["from_base"] == []


def test_of_an_unknown_base_nothing_is_asked() -> None:
    found = made("import torch", base="elsewhere:v1")
    assert found.packages["from_base"] == [{"pip": "torch", "import": "torch", "version": None}]
