from __future__ import annotations

import gc
import json
import shutil
from pathlib import Path

import docker
import pytest

from nature_gym.environment import image
from nature_gym.errors import InfrastructureError, UsageError

EXAMPLE = Path(__file__).resolve().parents[3] / "task_packages" / "examples" / "demo-d8158413"


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_no_engine_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nobody.sock")
    with pytest.raises(InfrastructureError), image.engine():
        pass
    gc.collect()  # docker-py forgets its socket when nobody answers


def test_both_forms_of_packages_json(tmp_path: Path) -> None:
    path = tmp_path / "packages.json"
    entry = {"pip": "numpy", "import": "numpy", "version": "1.26.4"}
    path.write_text(json.dumps({"from_base": True, "base_packages": [entry], "task_packages": []}))
    published = image.promised_in(path)
    path.write_text(json.dumps({"from_base": [entry], "task_packages": []}))
    assert image.promised_in(path) == published == [image.Promised("numpy", "numpy", "1.26.4")]
    path.write_text("[1]")
    with pytest.raises(UsageError):
        image.promised_in(path)


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_slim_base_and_a_package_on_it(docker_client: docker.DockerClient, tmp_path: Path) -> None:
    if not docker_client.images.list(image.ROOTS[0]) and shutil.which("mmdebstrap") is None:
        pytest.skip(f"neither {image.ROOTS[0]} nor mmdebstrap is here")
    base = image.build_base(docker_client)
    assert base.good, [one for one in base.tried if not one.good]
    package = tmp_path / "task"
    shutil.copytree(EXAMPLE / "environment", package / "environment")
    assert image.build_package(docker_client, package).good
    wrong = {"pip": "numpy", "import": "numpy", "version": "9.9"}
    absent = {"pip": "nowhere", "import": "nowhere_at_all", "version": "1"}
    (package / "environment" / "packages.json").write_text(
        json.dumps({"from_base": [wrong], "task_packages": [absent]})
    )
    tried = image.build_package(docker_client, package).tried
    assert [one.good for one in tried] == [False, False]
    assert "ModuleNotFoundError" in (tried[1].error or "")
