"""Neighbour lists on the unit sphere and scales. Only SNADE uses them."""
import argparse

import numpy as np

from load import here, images, settings


def neighbours(X, k, scale_rank):
    U = X / np.linalg.norm(X, axis=1, keepdims=True)
    d2 = np.maximum(2 - 2 * U @ U.T, 0)
    np.fill_diagonal(d2, np.inf)
    index = np.argsort(d2, axis=1, kind="stable")[:, :k]
    dist2 = np.take_along_axis(d2, index, axis=1)
    scale = np.sqrt(dist2[:, min(scale_rank, k) - 1])
    return index, dist2, scale


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("-k", "--neighbours", type=int, default=settings.getint("graph", "neighbours"))
    p.add_argument("--out", default=settings["graph"]["cache"])
    a = p.parse_args()
    X, _ = images()
    index, dist2, scale = neighbours(X, a.neighbours, settings.getint("graph", "scale_rank"))
    np.savez_compressed(here(a.out), index=index.astype("int16"), dist2=dist2.astype("float32"), scale=scale.astype("float32"))
