"""Noisy queries: Gaussian grey-value noise, rounded and clipped. Same for every method."""
import numpy as np

from glyphrank import ROOT
from glyphrank.split import parts

SIGMA, SEED = 4.0, 11

if __name__ == "__main__":
    q = parts()["query"]
    noise = np.random.RandomState(SEED).normal(0, SIGMA, q.X.shape)
    images = np.clip(np.rint(q.X + noise), 0, 16).astype("uint8")
    np.savez_compressed(ROOT / "data" / "noisy_queries.npz", sample_id=q.ids.astype("U5"), images=images)
