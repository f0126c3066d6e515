"""Normal scores of the features: what the committee sees instead of raw measurements (eq. 1)."""
import os

import numpy as np
from scipy.special import ndtri

from logit_committee.io import DATA, load_table


def normal_scores(x, ref):
    s = np.sort(ref)
    r = (np.searchsorted(s, x, "left") + np.searchsorted(s, x, "right")) / 2
    return ndtri(np.clip((r + 0.5) / (len(s) + 1), 0.002, 0.998))


def squash(X, ref):
    return np.column_stack([normal_scores(X[:, j], ref[:, j]) for j in range(X.shape[1])])


if __name__ == "__main__":
    _, train, _ = load_table("train")
    _, test, _ = load_table("test")
    target = os.path.join(DATA, "processed", "normal_scores.npz")
    os.makedirs(os.path.dirname(target), exist_ok=True)
    np.savez_compressed(target, train=squash(train, train).astype("float32"), test=squash(test, train).astype("float32"))
    print("wrote", target)
