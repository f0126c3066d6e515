#!/usr/bin/env python
"""Benchmark preparation: wine.data (UCI) -> train.csv (instrument A) and three drifted test sets.

The 178 wines are split 50:50, stratified by cultivar, seed 42. The test half is then passed through
three drift states with fixed parameters. A drift state is a gain and an offset for each channel,
cross-talk between neighbouring channels, and noise, all in units of the channel's spread.
"""
import argparse
import os

import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split

STATES = {  # name: (gain spread, offset size along the two drift axes, cross-talk, noise)
    "b_after_service": (0.06, 0.8, 0.04, 0.15),
    "c_six_months": (0.12, 1.6, 0.08, 0.25),
    "d_other_laboratory": (0.20, 2.6, 0.14, 0.35),
}


def drift(x, axes, strength, rng):
    gain_spread, offset, talk, noise = strength
    n, p = x.shape
    gain = 1 + gain_spread * rng.standard_normal(p)
    mix = np.eye(p) + talk * (np.eye(p, k=1) + np.eye(p, k=-1)) * rng.uniform(0.5, 1.0, size=(p, p))
    # the offset moves from run to run along the two axes on which instruments of this type drift
    run = np.array([1.0, -0.7]) + 0.45 * rng.standard_normal((n, 2))
    return x * gain @ mix + offset * run @ axes + noise * rng.standard_normal(x.shape)


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--raw", default="data/raw/wine.data", help="see scripts/get_raw.sh")
    ap.add_argument("--axes", default="external/drift_axes.csv")
    ap.add_argument("--out", default="data")
    args = ap.parse_args()
    axes = pd.read_csv(args.axes, index_col="axis")
    channels = list(axes.columns)
    table = pd.read_csv(args.raw, names=["cultivar", *channels])
    axes = axes.to_numpy()
    # the source file is sorted by cultivar: ids are dealt out anew, or they would give the answer away
    ids = np.random.default_rng(178).permutation(len(table)) + 1
    table.insert(0, "sample_id", [f"W{i:03d}" for i in ids])
    table["cultivar"] = table.pop("cultivar").map({1: "barolo", 2: "grignolino", 3: "barbera"})
    train, test = train_test_split(table, test_size=0.5, random_state=42, stratify=table["cultivar"])
    os.makedirs(args.out, exist_ok=True)
    train.sort_values("sample_id").to_csv(os.path.join(args.out, "train.csv"), index=False)
    test = test.sort_values("sample_id").reset_index(drop=True)
    mean, spread = train[channels].mean().to_numpy(), train[channels].std().to_numpy()
    for k, (name, strength) in enumerate(STATES.items()):
        rng = np.random.default_rng(1000 + k)
        drifted = drift((test[channels].to_numpy() - mean) / spread, axes, strength, rng) * spread + mean
        out = test.copy()
        out[channels] = drifted.round(3)
        out.to_csv(os.path.join(args.out, f"test_{name}.csv"), index=False)
        print(name, out.shape)
