"""Sweeps in a process of its own, which tests kill: every trial submits once, and takes a moment.

python driver.py HOME PACKAGES SECONDS
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))


def main(home: Path, packages: Path, seconds: float) -> int:
    from db.engine import open_database
    from db.trials import Trials
    from nature_gym.packaging.package import Package
    from nature_gym.sandbox.choosing import chosen_sandbox
    from nature_gym.store import Store
    from nature_gym.sweeping import room
    from nature_gym.sweeping.folders import TrialFolders
    from nature_gym.sweeping.plan import Conditions, by_name, planned, trials_of
    from nature_gym.sweeping.slots import Slots
    from nature_gym.sweeping.spec import Policy
    from nature_gym.sweeping.sweep import Sweep
    from nature_gym.sweeping.trial_run import Ground
    from nature_gym.sweeping.watching import Watch
    from tests.integration.sweeping.conftest import Script

    room.sweep()
    sandbox = chosen_sandbox("bubblewrap")
    found = by_name(Package(path) for path in packages.iterdir())
    agents = {name: Script(f"submit([1, 0, 1, {name == 'a':d}])\nimport time\ntime.sleep({seconds})", name)
              for name in ("a", "b")}  # fmt: skip
    folders = TrialFolders(home)
    trials = trials_of(list(found.values()), agents, [0, 1], Conditions(60.0, policy=Policy(scoring_seconds=30.0)))
    engine = open_database(f"sqlite:///{home / 'naturegym.db'}")
    ground = Ground(sandbox, Trials(engine), Store(home / "store"), Watch())
    sweep = Sweep(planned(trials, folders), found, agents, folders, ground, Slots(home, cpus=2))
    lock = threading.Lock()

    def work() -> None:
        while True:
            with lock:
                if sweep.is_over:
                    return
                job = sweep.next()
            if job is None:
                threading.Event().wait(0.05)
                continue
            ended = sweep.carry_out(job)
            with lock:
                sweep.ended(ended)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    engine.dispose()
    return int(sweep.counts["infra_error"] > 0)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3])))
