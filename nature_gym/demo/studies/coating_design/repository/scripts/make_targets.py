#!/usr/bin/env python
"""Writes the three families of target specifications to data/targets/ (eight targets each)."""
import json
import os

import numpy as np

OUT = "data/targets"


def band(lo, hi, r):
    return {"from_nm": float(lo), "to_nm": float(hi), "reflectance": float(r)}


def antireflection(rng, k):
    lo = 450 + 10 * rng.integers(0, 12)
    return [band(lo, lo + 10 * rng.integers(18, 30), 0.0)]


def edge(rng, k):
    cut = 580 + 20 * k
    low, high = (0.0, 0.7) if k % 2 == 0 else (0.7, 0.0)
    return [band(max(450, cut - 130), cut - 40, low), band(cut + 40, min(900, cut + 130), high)]


def splitter(rng, k):
    lo = 450 + 10 * rng.integers(0, 14)
    return [band(lo, lo + 10 * rng.integers(20, 30), 0.1 * rng.integers(3, 7))]


if __name__ == "__main__":
    os.makedirs(OUT, exist_ok=True)
    rng = np.random.default_rng(7)
    for family in (antireflection, edge, splitter):
        targets = [
            {"name": f"{family.__name__}-{k + 1:02d}", "bands": family(rng, k)} for k in range(8)
        ]
        with open(os.path.join(OUT, family.__name__ + ".json"), "w") as f:
            json.dump({"family": family.__name__, "layers": 6, "targets": targets}, f, indent=1)
