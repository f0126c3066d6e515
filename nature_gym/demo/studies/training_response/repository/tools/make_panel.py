"""diabetes.tab.txt (Efron et al. 2004) -> data/subjects.csv and data/panel.csv

    curl -O https://www4.stat.ncsu.edu/~boos/var.select/diabetes.tab.txt
    python tools/make_panel.py diabetes.tab.txt

The panel is thinned as follow-up panels are in practice: progression is kept for 20 % of the subjects, the two
serum responses for 50 %, independently and at random (seed 2004). A missing value is an empty cell.
"""
import sys

import numpy as np
import pandas as pd

KEPT = {"progression": 0.20, "ltg": 0.50, "glu": 0.50}

if __name__ == "__main__":
    raw = pd.read_csv(sys.argv[1], sep="\t")
    raw.columns = ["age", "sex", "bmi", "bp", "tc", "ldl", "hdl", "tch", "ltg", "glu", "progression"]
    rng = np.random.default_rng(2004)
    raw.insert(0, "subject_id", [f"P{i:04d}" for i in 1000 + rng.permutation(len(raw))])
    raw.sort_values("subject_id")[["subject_id", "age", "sex", "bmi", "bp", "tc", "hdl"]].to_csv(
        "data/subjects.csv", index=False
    )
    panel = raw[["subject_id", *KEPT]].copy()
    for name, share in KEPT.items():
        panel.loc[rng.random(len(panel)) >= share, name] = np.nan
    panel = panel.dropna(how="all", subset=list(KEPT)).sample(frac=1, random_state=4)
    panel.insert(0, "record", np.arange(1, len(panel) + 1))
    panel.to_csv("data/panel.csv", index=False, float_format="%g")
    print(len(raw), "subjects,", len(panel), "records;", panel[list(KEPT)].notna().sum().to_dict())
