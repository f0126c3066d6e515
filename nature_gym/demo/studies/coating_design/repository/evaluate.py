#!/usr/bin/env python
"""Scores stored designs with the simulator: mean band error and success rate per family."""
import argparse
import glob
import os

import numpy as np
import pandas as pd

from filmscout import config, data
from simulator import tmm

if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--designs", default="results/designs")
    ap.add_argument("--tolerance", type=float, default=0.03, help="band error that counts as success")
    args = ap.parse_args()
    cfg = config.load()
    families = data.load_targets(cfg["paths"]["targets"])
    rows, detail = [], []
    for path in sorted(glob.glob(os.path.join(args.designs, "*.csv"))):
        method = os.path.splitext(os.path.basename(path))[0]
        designs = pd.read_csv(path).set_index("target")
        layers = [c for c in designs.columns if c.startswith("d") and c.endswith("_nm")]
        for family, targets in families.items():
            errors = []
            for target in targets:
                d = np.clip(designs.loc[target["name"], layers].to_numpy(dtype=float), tmm.D_MIN, tmm.D_MAX)
                errors.append(float(tmm.band_error(tmm.reflectance(d), target)[0]))
                detail.append([method, family, target["name"], round(errors[-1], 5)])
            success = float(np.mean(np.array(errors) <= args.tolerance))
            rows.append([method, family, round(np.mean(errors), 5), round(np.std(errors), 5), success])
    out = pd.DataFrame(rows, columns=["method", "family", "mean_band_error", "sd", "success_rate"])
    out.to_csv("results/main.csv", index=False)
    pd.DataFrame(detail, columns=["method", "family", "target", "band_error"]).to_csv(
        "results/per_target.csv", index=False
    )
    print(out.pivot(index="method", columns="family", values="mean_band_error").round(4))
    print(out.pivot(index="method", columns="family", values="success_rate").round(3))
