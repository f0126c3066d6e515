from __future__ import annotations

from importlib.metadata import packages_distributions

from packaging.utils import canonicalize_name

from nature_gym.environment.names import distributions_of, module_of, package_of


def test_installed_distributions_agree() -> None:
    compared = 0
    for module, names in packages_distributions().items():
        if known := distributions_of(module):
            compared += 1
            assert {canonicalize_name(name) for name in names}.intersection(known), module
    assert compared > 20


def test_namespaces_are_told_apart() -> None:
    assert package_of("google.protobuf.message") == "google.protobuf"
    assert distributions_of("google.cloud.storage.Client") == ("google-cloud-storage",)
    assert distributions_of("nowhere.at.all") == ()
    assert package_of("nowhere.at.all") == "nowhere"


def test_both_directions() -> None:
    assert module_of("scikit-learn") == "sklearn"
    assert module_of("Some-Thing") == "some_thing"
    assert module_of("matplotlib") == "matplotlib"
    assert module_of("opencv-python") == "cv2"
