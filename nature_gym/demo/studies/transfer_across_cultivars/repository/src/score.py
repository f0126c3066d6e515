"""outputs/*/*.csv -> outputs/scores.csv: macro-averaged F1 and accuracy of each method on each batch."""
import glob
import os

import pandas as pd
from sklearn.metrics import accuracy_score, f1_score

from src.conf import compose


def main(cfg):
    rows = []
    for folder in sorted(glob.glob(os.path.join(cfg["output_dir"], "*", ""))):
        for test, path in cfg["data"]["tests"].items():
            truth = pd.read_csv(path).set_index("sample_id")["cultivar"]
            guess = pd.read_csv(os.path.join(folder, f"{test}.csv")).set_index("sample_id")["predicted"].loc[truth.index]
            rows.append({
                "method": os.path.basename(os.path.dirname(folder)), "test": test,
                "macro_f1": f1_score(truth, guess, average="macro"), "accuracy": accuracy_score(truth, guess),
            })
    table = pd.DataFrame(rows)
    table.round(4).to_csv(os.path.join(cfg["output_dir"], "scores.csv"), index=False)
    print(table.pivot(index="method", columns="test", values="macro_f1").round(3).to_string())
    print(table.pivot(index="method", columns="test", values="accuracy").round(3).to_string())


if __name__ == "__main__":
    main(compose())
