"""Slots: as many as there are, given back by whoever dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from nature_gym.sweeping.slots import Lease, Slots

HOLDER = """
import sys, signal
from pathlib import Path
from nature_gym.sweeping.slots import Slots
lease = Slots(Path(sys.argv[1]), cpus=1, gpus=[3]).take(gpu=True)
print(lease, flush=True)
signal.pause()
"""


def taken(lease: Lease | str) -> Lease:
    assert isinstance(lease, Lease)
    return lease


def test_as_many_leases_as_slots(tmp_path: Path) -> None:
    slots = Slots(tmp_path, cpus=2)
    first, second = taken(slots.take()), taken(slots.take())
    assert {first.cpus, second.cpus} == {(0,), (1,)}
    assert slots.take() == "cpu"
    first.release()
    first.release()
    assert taken(slots.take()).cpus == first.cpus


def test_a_gpu_is_one_trials_and_one_that_waits_for_it_holds_no_cpu(tmp_path: Path) -> None:
    slots = Slots(tmp_path, cpus=3, gpus=[5])
    assert taken(slots.take(gpu=True)).gpus == (5,)
    assert slots.take(gpu=True) == "gpu"
    assert taken(slots.take()).gpus == ()
    assert taken(slots.take()).gpus == ()


def test_a_machine_without_gpus_gives_a_lease_of_none(tmp_path: Path) -> None:
    assert taken(Slots(tmp_path, cpus=1).take(gpu=True)).gpus == ()


def test_what_a_killed_process_held_is_free(tmp_path: Path) -> None:
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE)
    assert holder.stdout is not None
    assert b"gpus=(3,)" in holder.stdout.readline()
    slots = Slots(tmp_path, cpus=1, gpus=[3])
    assert slots.take() == "cpu"
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    holder.stdout.close()
    assert taken(slots.take(gpu=True)).gpus == (3,)
