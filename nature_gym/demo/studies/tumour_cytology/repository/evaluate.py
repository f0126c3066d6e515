"""F1 (malignant), AUROC and Brier score of everything in results/."""
import argparse
import glob
import os

import pandas as pd
from sklearn.metrics import brier_score_loss, f1_score, roc_auc_score

from logit_committee.io import load_table

ap = argparse.ArgumentParser()
ap.add_argument("--results", default="results")
ap.add_argument("--out", default="results/table2.csv")
args = ap.parse_args()

ids, _, y = load_table("test")
predictions = {}
base = pd.read_csv(os.path.join(args.results, "baseline_predictions.csv")).set_index("case_id").loc[ids]
for column in base:
    predictions[column] = base[column].to_numpy()
for path in sorted(glob.glob(os.path.join(args.results, "predictions_*.csv"))):
    name = os.path.basename(path)[len("predictions_"):-len(".csv")]
    predictions[name] = pd.read_csv(path).set_index("case_id").loc[ids, "probability"].to_numpy()

rows = []
for name, p in predictions.items():
    rows.append(dict(method=name, f1=f1_score(y, p >= 0.5), auroc=roc_auc_score(y, p), brier=brier_score_loss(y, p)))
table = pd.DataFrame(rows).round(4)
table.to_csv(args.out, index=False)
print(table.to_string(index=False))
