"""Which device files a box is shown: those of its lease, and nothing without one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import docker.types
import pytest

from nature_gym.errors import InfrastructureError
from nature_gym.sandbox import bubblewrap, gpus
from nature_gym.sandbox import docker as engine_boxes
from nature_gym.sandbox.interface import Box


@pytest.fixture
def dev(tmp_path: Path) -> Path:
    for name in ("nvidia0", "nvidia1", "nvidia2", "nvidiactl", "nvidia-uvm", "sda"):
        (tmp_path / name).touch()
    return tmp_path


def test_a_lease_shows_its_own_gpus_and_what_all_share(dev: Path) -> None:
    assert [path.name for path in gpus.device_files([2, 0], dev)] == ["nvidia0", "nvidia2", "nvidiactl", "nvidia-uvm"]
    assert gpus.device_files([], dev) == []


def test_a_gpu_that_is_not_there_is_told(dev: Path) -> None:
    with pytest.raises(InfrastructureError, match="nvidia7"):
        gpus.device_files([7], dev)
    (dev / "nvidia-uvm").unlink()
    with pytest.raises(InfrastructureError, match="nvidia-uvm"):
        gpus.device_files([0], dev)


def arguments(box: Box) -> list[str]:
    return bubblewrap._Tree(box, [], ["true"])._arguments([])[1]


def test_bubblewrap_binds_devices_of_the_lease_and_none_without_one(dev: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = gpus.device_files
    monkeypatch.setattr(gpus, "device_files", lambda numbers: real(numbers, dev))
    told = arguments(Box(gpus=(1,)))
    bound = [told[place + 1] for place, one in enumerate(told) if one == "--dev-bind"]
    assert bound == [str(dev / name) for name in ("nvidia1", "nvidiactl", "nvidia-uvm")]
    last = max(place for place, one in enumerate(told) if one == "--dev-bind")
    assert told.index("--dev") < last < told.index("--remount-ro")
    assert "--dev-bind" not in arguments(Box())
    assert not any("nvidia" in one for one in arguments(Box()))


class Asked(Exception):  # noqa: N818 -- it ends the call
    """What an engine was asked for."""


class Client:
    """Takes down the host configuration."""

    def create_host_config(self, **options: Any) -> None:
        raise Asked(options["device_requests"])


def asked_of_the_engine(box: Box) -> list[docker.types.DeviceRequest] | None:
    made = engine_boxes._Container.__new__(engine_boxes._Container)
    made._box, made._mounts, made._user = box, [], 1
    with pytest.raises(Asked) as told:
        made._created(Client())  # type: ignore[arg-type]
    found: list[docker.types.DeviceRequest] | None = told.value.args[0]
    return found


def test_docker_is_asked_for_the_devices_of_the_lease_and_for_none_without_one() -> None:
    (request,) = asked_of_the_engine(Box(image="x", gpus=(3, 1))) or []
    assert (request["DeviceIDs"], request["Capabilities"], request["Count"]) == (["3", "1"], [["gpu"]], 0)
    assert asked_of_the_engine(Box(image="x")) is None
