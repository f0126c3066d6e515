#!/usr/bin/env python
"""Runs one method (or all of them) on every target family and stores the designs.

    python run_search.py --method filmscout
    python run_search.py --method all
"""
import argparse
import os
import zlib

import numpy as np
import pandas as pd

from baselines.genetic import genetic_search
from baselines.inverse_network import inverse_network
from baselines.nearest import nearest_neighbour
from baselines.random_search import random_search
from filmscout import config, data
from filmscout.search import filmscout
from filmscout.surrogate import Surrogate
from simulator import tmm

BASELINES = {
    "random": random_search,
    "nearest": nearest_neighbour,
    "inverse-net": inverse_network,
    "genetic": genetic_search,
}
OURS = ("filmscout", "filmscout-norefine", "filmscout-nosurr")


def run(method, cfg):
    library = data.load_library(cfg["paths"]["library"])
    surrogate = Surrogate.load(cfg["paths"]["checkpoint"]) if method in OURS else None
    rows = []
    for family, targets in data.load_targets(cfg["paths"]["targets"]).items():
        for target in targets:
            rng = np.random.default_rng([cfg["seed"], zlib.crc32(target["name"].encode())])
            simulate = tmm.Counter(target, cfg["budget"])
            if method in OURS:
                design, _ = filmscout(simulate, target, library, surrogate, cfg["search"], rng, method)
            else:
                design, _ = BASELINES[method](simulate, target, library, cfg, rng)
            assert simulate.calls <= cfg["budget"], (method, target["name"], simulate.calls)
            rows.append([family, target["name"], simulate.calls, *np.round(design, 2)])
    columns = ["family", "target", "calls"] + [f"d{j + 1}_nm" for j in range(tmm.N_LAYERS)]
    os.makedirs(os.path.join(cfg["paths"]["results"], "designs"), exist_ok=True)
    pd.DataFrame(rows, columns=columns).to_csv(
        os.path.join(cfg["paths"]["results"], "designs", method + ".csv"), index=False
    )


if __name__ == "__main__":
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--method", default="filmscout", choices=["all", *OURS, *BASELINES])
    ap.add_argument("--budget", type=int)
    args = ap.parse_args()
    cfg = config.load()
    if args.budget:
        cfg["budget"] = args.budget
    for method in [*BASELINES, *OURS] if args.method == "all" else [args.method]:
        run(method, cfg)
        print("done:", method)
