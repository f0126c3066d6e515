"""python main.py train | sample [--method brew] | score"""
import argparse
import json
import os

import numpy as np
import pandas as pd

from baselines.density import METHODS
from brew import brew_fit, brew_sample
from brew.mixture import Mixture
from data_tools.loader import TEMPERATURES, reference, trajectory
from metrics import jensen_shannon_profile, sliced_wasserstein

VARIANTS = {"brew": {}, "brew-nodefence": {"share": 0.0}, "brew-1": {"rounds": 1}}
SEED = 2024


def train(args):
    os.makedirs("checkpoints", exist_ok=True)
    log = {}
    for name, options in VARIANTS.items():
        for k, t in enumerate(TEMPERATURES):
            with np.load(f"prep/thinned_{t}.npz") as z:
                x, kT = z["xy"].astype(float), float(z["kT"])
            mix, broad, ess = brew_fit(x, kT, np.random.default_rng([SEED, k]), **options)
            np.savez(
                f"checkpoints/{name}_{t}.npz", weight=mix.weight, mean=mix.mean, cov=mix.cov,
                broad_mean=broad.mean, broad_cov=broad.cov, kT=kT, share=options.get("share", 0.15),
            )
            log[f"{name}/{t}"] = [round(float(e), 3) for e in ess]
    with open("results/training_log.json", "w") as f:
        json.dump(log, f, indent=1)


def sample(args):
    os.makedirs("results/samples", exist_ok=True)
    methods = [*METHODS, *VARIANTS] if args.method == "all" else [args.method]
    for method in methods:
        for k, t in enumerate(TEMPERATURES):
            draws = []
            for replicate in range(args.replicates):
                rng = np.random.default_rng([SEED, 100 + k, replicate])
                if method in VARIANTS:
                    with np.load(f"checkpoints/{method}_{t}.npz") as z:
                        mix = Mixture(z["weight"], z["mean"], z["cov"])
                        broad = Mixture(np.ones(1), z["broad_mean"], z["broad_cov"])
                        draws.append(brew_sample(mix, broad, float(z["kT"]), rng, n=args.n, share=float(z["share"])))
                else:
                    x, kT = trajectory(t)
                    draws.append(METHODS[method](x, kT, rng, args.n))
            np.savez_compressed(f"results/samples/{method}_{t}.npz", xy=np.stack(draws).astype(np.float32))


def score(args):
    rows = []
    for method in [*METHODS, *VARIANTS]:
        for t in TEMPERATURES:
            path = f"results/samples/{method}_{t}.npz"
            if not os.path.exists(path):
                continue
            ref = reference(t)
            with np.load(path) as z:
                draws = z["xy"].astype(float)
            sw = [sliced_wasserstein(xy, ref) for xy in draws]
            js = [jensen_shannon_profile(xy, ref) for xy in draws]
            rows.append([method, t, np.mean(sw), np.std(sw, ddof=1), np.mean(js), np.std(js, ddof=1)])
    table = pd.DataFrame(rows, columns=["method", "temperature", "sw", "sw_sd", "js", "js_sd"])
    table.round(5).to_csv("results/scores.csv", index=False)
    print((1e3 * table.pivot(index="method", columns="temperature", values=["sw", "js"])).round(1).to_string())


if __name__ == "__main__":
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("what", choices=["train", "sample", "score"])
    ap.add_argument("--method", default="all")
    ap.add_argument("--n", type=int, default=1500)
    ap.add_argument("--replicates", type=int, default=3)
    args = ap.parse_args()
    {"train": train, "sample": sample, "score": score}[args.what](args)
