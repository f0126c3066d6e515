import numpy as np

TEMPERATURES = ("cold", "warm", "hot")


def trajectory(t, folder="data"):
    """All frames of all walkers, (n, 2), and kT."""
    with np.load(f"{folder}/trajectories_{t}.npz") as z:
        return z["xy"].reshape(-1, 2).astype(float), float(z["kT"])


def reference(t, folder="data"):
    with np.load(f"{folder}/reference_{t}.npz") as z:
        return z["xy"].astype(float)
