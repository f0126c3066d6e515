"""Farthest-point landmarks among the training images, for the kernel of KLER."""
import numpy as np

from glyphrank import ROOT
from glyphrank.split import parts

M = 400


def unit(X):
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def farthest_points(U, m, start=0):
    chosen = [start]
    d = 2 - 2 * U @ U[start]
    for _ in range(m - 1):
        nxt = int(np.argmax(d))
        chosen.append(nxt)
        d = np.minimum(d, 2 - 2 * U @ U[nxt])
    return np.array(chosen)


def main():
    train = parts()["train"]
    rows = farthest_points(unit(train.X), M)
    (ROOT / "cache").mkdir(exist_ok=True)
    np.save(ROOT / "cache" / "landmarks.npy", rows.astype("int32"))


if __name__ == "__main__":
    main()
