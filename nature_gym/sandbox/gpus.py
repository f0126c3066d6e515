"""The device files of NVIDIA's driver that a box with GPUs needs, and no others.

The idea: a GPU that was leased is shown by its own file; beside it stand the files that all GPUs share. What is not
there cannot be opened, whatever the environment says. The driver's libraries lie in this machine's ``/usr``, which a
box without an image sees; with an image of an engine, the engine's own runtime brings them.

Source: the driver's README, "Device files", and /proc/driver/nvidia/gpus/*/information, which names a GPU's number.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from nature_gym.errors import InfrastructureError

SHARED = ("nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", "nvidia-modeset")
NEEDED = ("nvidiactl", "nvidia-uvm")


def device_files(numbers: Sequence[int], dev: Path = Path("/dev")) -> list[Path]:
    """The files for these GPUs; none for none. Raises InfrastructureError where one that is needed is not there."""
    if not numbers:
        return []
    wanted = [dev / f"nvidia{number}" for number in sorted(set(numbers))]
    missing = [path for path in (*wanted, *(dev / name for name in NEEDED)) if not path.exists()]
    if missing:
        raise InfrastructureError(
            f"A GPU cannot be shown in a box: there is no {missing[0]}.",
            hint="See that the driver is loaded: nvidia-smi, nvidia-modprobe -u -c 0.",
        )
    return [*wanted, *(dev / name for name in SHARED if (dev / name).exists())]
