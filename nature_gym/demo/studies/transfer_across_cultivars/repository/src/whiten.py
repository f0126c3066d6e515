"""Step 1 of DAPPLE: the drift-aware metric, and instrument A's training wines in it.

    python -m src.whiten method=dapple        ->  artifacts/whitened_dapple.npz
"""
import os

import numpy as np

from src.conf import compose, multirun
from src.dataset import drift_axes, read


def drift_aware_whitening(x, y, axes, drift_penalty, shrinkage):
    """W with W W' = (shrunken within-class covariance + penalty * A'A)^-1"""
    within = x - np.stack([x[y == c].mean(axis=0) for c in y])
    cov = within.T @ within / (len(x) - len(np.unique(y)))
    cov = (1 - shrinkage) * cov + shrinkage * np.trace(cov) / len(cov) * np.eye(len(cov))
    value, vector = np.linalg.eigh(cov + drift_penalty * axes.T @ axes)
    return vector / np.sqrt(value) @ vector.T


def main(cfg):
    method = cfg["method"]
    _, x, y = read(cfg["data"]["train"], cfg)
    mean, spread = x.mean(axis=0), x.std(axis=0, ddof=1)
    x = (x - mean) / spread
    w = drift_aware_whitening(x, y, drift_axes(cfg), method["drift_penalty"], method["shrinkage"])
    os.makedirs(cfg["artifact_dir"], exist_ok=True)
    np.savez_compressed(
        os.path.join(cfg["artifact_dir"], f"whitened_{method['name']}.npz"),
        z=x @ w, y=y.astype("U"), mean=mean, spread=spread, whitening=w,
    )


if __name__ == "__main__":
    for argv in multirun():
        main(compose(argv))
