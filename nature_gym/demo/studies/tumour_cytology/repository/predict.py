"""Score a new table with a trained committee."""
import argparse

import numpy as np
import pandas as pd

from logit_committee.io import FEATURES, VIEWS, load_table
from logit_committee.kernels import member_kernel
from prepare_scores import squash


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--checkpoint", required=True)
    ap.add_argument("--table", required=True)
    ap.add_argument("--out", required=True)
    opt = ap.parse_args()
    ck = np.load(opt.checkpoint)
    gamma, _, mix = ck["hyper"]
    _, train, _ = load_table("train")
    table = pd.read_csv(opt.table)
    X, R = squash(table[FEATURES].to_numpy(float), train), squash(train, train)
    f = np.full(len(X), float(ck["bias"]))
    for name, alpha, b, w in zip(ck["views"], ck["alphas"], ck["intercepts"], ck["weights"]):
        cols = VIEWS[str(name)]
        f += w * (member_kernel(X[:, cols], R[:, cols], gamma, mix) @ alpha + b)
    table[["case_id"]].assign(probability=1 / (1 + np.exp(-f))).to_csv(opt.out, index=False)


if __name__ == "__main__":
    main()
