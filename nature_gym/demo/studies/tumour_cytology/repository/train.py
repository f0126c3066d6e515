import argparse
import logging
import os

import numpy as np
import pandas as pd

from logit_committee import LogitCommittee, load_table, VIEWS

parser = argparse.ArgumentParser(description="train one variant of the committee")
parser.add_argument("--variant", choices=["committee", "uniform", "whole"], default="committee")
parser.add_argument("--gamma", type=float, default=0.6)
parser.add_argument("--lam", type=float, default=0.02)
parser.add_argument("--mix", type=float, default=0.1)
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--scores", default="data/processed/normal_scores.npz")
parser.add_argument("--outdir", default="results")
args = parser.parse_args()

os.makedirs("checkpoints", exist_ok=True)
os.makedirs(args.outdir, exist_ok=True)
logging.basicConfig(filename=os.path.join(args.outdir, "train_%s.log" % args.variant), filemode="w",
                    level=logging.INFO, format="%(message)s")

_, _, y = load_table("train")
test_ids, _, _ = load_table("test")
scores = np.load(args.scores)
X, X_test = scores["train"].astype(float), scores["test"].astype(float)

views = VIEWS if args.variant != "whole" else {"whole": VIEWS["whole"]}
model = LogitCommittee(views, gamma=args.gamma, lam=args.lam, mix=args.mix, seed=args.seed,
                       weights="uniform" if args.variant == "uniform" else "learned")
model.fit(X, y)
for name, w in zip(views, model.w_):
    logging.info("weight %-6s %.3f", name, w)
logging.info("bias          %.3f", model.b_)

model.save(os.path.join("checkpoints", args.variant + ".npz"))
pred = pd.DataFrame({"case_id": test_ids, "probability": model.predict_proba(X_test).round(6)})
pred.to_csv(os.path.join(args.outdir, "predictions_%s.csv" % args.variant), index=False)
