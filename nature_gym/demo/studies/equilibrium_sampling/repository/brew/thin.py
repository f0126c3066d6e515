"""Step 1 of BREW: thin the walkers, drop the burn-in -> prep/thinned_<T>.npz"""
import os

import numpy as np

TEMPERATURES = ("cold", "warm", "hot")


def thin(folder="data", out="prep", burn_in=20, every=2):
    os.makedirs(out, exist_ok=True)
    for t in TEMPERATURES:
        with np.load(f"{folder}/trajectories_{t}.npz") as z:
            xy, kT = z["xy"], float(z["kT"])
        kept = xy[:, burn_in::every].reshape(-1, 2)
        np.savez_compressed(os.path.join(out, f"thinned_{t}.npz"), xy=kept, kT=kT)


if __name__ == "__main__":
    thin()
