"""wdbc.data -> data/train.csv, data/test.csv (70/30 within each diagnosis). Run once."""
import argparse
import csv
import os
import random

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "..", "data")

p = argparse.ArgumentParser()
p.add_argument("--raw", default=os.path.join(DATA, "raw", "wdbc.data"))
p.add_argument("--seed", type=int, default=4)
p.add_argument("--out", default=DATA)
a = p.parse_args()

features = [row["feature"] for row in csv.DictReader(open(os.path.join(DATA, "feature_dictionary.csv")))]
cases = [line.strip().split(",") for line in open(a.raw) if line.strip()]

rng = random.Random(a.seed)
test = set()
for diagnosis in ("B", "M"):
    members = [i for i, case in enumerate(cases) if case[1] == diagnosis]
    rng.shuffle(members)
    test.update(members[: round(0.3 * len(members))])

for name, keep in (("train", lambda i: i not in test), ("test", lambda i: i in test)):
    with open(os.path.join(a.out, name + ".csv"), "w", newline="") as f:
        w = csv.writer(f, lineterminator="\n")
        w.writerow(["case_id", "diagnosis"] + features)
        w.writerows(case for i, case in enumerate(cases) if keep(i))
