#!/usr/bin/env python
"""Draws random stacks and simulates their spectra: data/library.npz (seed fixed, see --seed)."""
import argparse
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from simulator import tmm  # noqa: E402

if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--n", type=int, default=1600)
    ap.add_argument("--seed", type=int, default=20210)
    ap.add_argument("--out", default="data/library.npz")
    args = ap.parse_args()
    rng = np.random.default_rng(args.seed)
    thickness = rng.uniform(tmm.D_MIN, tmm.D_MAX, size=(args.n, tmm.N_LAYERS)).round(1)
    np.savez_compressed(
        args.out,
        thickness_nm=thickness.astype(np.float32),
        reflectance=tmm.reflectance(thickness).astype(np.float16),
        wavelength_nm=tmm.WAVELENGTHS.astype(np.float32),
    )
    print("wrote", args.out, thickness.shape)
