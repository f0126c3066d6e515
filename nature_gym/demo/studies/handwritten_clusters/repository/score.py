"""The only place where labels are read."""
import argparse
import glob
import os

import numpy as np
import pandas as pd
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

from load import here, labels

p = argparse.ArgumentParser()
p.add_argument("--assignments", default=here("results"))
p.add_argument("--out", default=here("results/scores.csv"))
a = p.parse_args()
y = labels()


def matched_accuracy(y, z):
    table = pd.crosstab(z, y).to_numpy()
    rows, cols = linear_sum_assignment(-table)
    return table[rows, cols].sum() / len(y)


out = []
for path in sorted(glob.glob(os.path.join(a.assignments, "assign_*.csv"))):
    runs = pd.read_csv(path).drop(columns="sample_id")
    ari = [adjusted_rand_score(y, runs[c]) for c in runs]
    nmi = [normalized_mutual_info_score(y, runs[c]) for c in runs]
    acc = [matched_accuracy(y, runs[c]) for c in runs]
    out.append([os.path.basename(path)[7:-4]] + [f(v) for v in (ari, nmi, acc) for f in (np.mean, np.std)])
scores = pd.DataFrame(out, columns=["method", "ari", "ari_sd", "nmi", "nmi_sd", "acc", "acc_sd"]).round(4)
scores.to_csv(a.out, index=False)
print(scores.to_string(index=False))
