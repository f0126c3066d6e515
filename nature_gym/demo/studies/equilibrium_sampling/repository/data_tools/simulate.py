"""Makes the deposited data: short trajectories (what a method may see) and equilibrium references.

    python data_tools/simulate.py --out data

Trajectories: overdamped Langevin, 20 walkers, all started in the reactant basin; too short to
equilibrate at the lower temperatures. References: exact draws from the Boltzmann density on a fine grid.
"""
import argparse
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from external.muller_brown import BOX, energy, gradient  # noqa: E402

TEMPERATURES = {"cold": 15.0, "warm": 20.0, "hot": 30.0}
START = np.array([-0.558, 1.442])


def langevin(kT, rng, walkers=20, steps=1000, dt=2.0e-4, stride=10):
    x = START + 0.05 * rng.standard_normal((walkers, 2))
    frames = []
    for t in range(steps):
        x = x - dt * gradient(x) + np.sqrt(2 * kT * dt) * rng.standard_normal(x.shape)
        if (t + 1) % stride == 0:
            frames.append(x.copy())
    return np.stack(frames, axis=1)  # (walkers, frames, 2)


def exact(kT, rng, n, bins=1000):
    gx, gy = (np.linspace(lo, hi, bins) for lo, hi in BOX)
    grid = np.stack(np.meshgrid(gx, gy, indexing="ij"), axis=-1).reshape(-1, 2)
    e = energy(grid)
    p = np.exp(-(e - e.min()) / kT)
    pick = rng.choice(len(grid), size=n, p=p / p.sum())
    cell = np.array([gx[1] - gx[0], gy[1] - gy[0]])
    return grid[pick] + (rng.random((n, 2)) - 0.5) * cell


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--out", default="data")
    ap.add_argument("--n-reference", type=int, default=3000)
    ap.add_argument("--seed", type=int, default=1979)
    args = ap.parse_args()
    for k, (name, kT) in enumerate(TEMPERATURES.items()):
        rng = np.random.default_rng([args.seed, k])
        traj = langevin(kT, rng)
        np.savez_compressed(os.path.join(args.out, f"trajectories_{name}.npz"), xy=traj.astype(np.float32), kT=kT)
        ref = exact(kT, rng, args.n_reference)
        np.savez_compressed(os.path.join(args.out, f"reference_{name}.npz"), xy=ref.astype(np.float32), kT=kT)
        print(name, traj.shape, ref.shape)
