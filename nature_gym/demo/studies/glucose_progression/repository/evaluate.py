"""Tables 1 and 2: R2, RMSE and Spearman correlation on the test patients, with bootstrap errors."""
import sys

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from panora.data import load_split
from panora.settings import ROOT, load

cfg = load(sys.argv[1:])
_, test = load_split(cfg)
y = test[cfg.data.target].to_numpy(float)
results = ROOT / cfg.paths.results


def r2(y, p):
    return 1 - ((y - p) ** 2).sum() / ((y - y.mean()) ** 2).sum()


def rmse(y, p):
    return np.sqrt(((y - p) ** 2).mean())


preds = {}
for path in sorted(results.glob("pred_*.csv")):
    table = pd.read_csv(path).set_index(cfg.data.id).loc[test[cfg.data.id]]
    preds[path.stem[len("pred_"):]] = table["predicted"].to_numpy()

rng = np.random.RandomState(cfg.boot_seed)
samples = [rng.randint(0, len(y), len(y)) for _ in range(cfg.n_boot)]
rows, boots = [], {}
for name, p in preds.items():
    boots[name] = np.array([r2(y[s], p[s]) for s in samples])
    rows.append(dict(method=name, r2=r2(y, p), r2_se=boots[name].std(ddof=1), rmse=rmse(y, p),
                     spearman=spearmanr(y, p).statistic))
table1 = pd.DataFrame(rows).round(4)
table1.to_csv(results / "table1.csv", index=False)
print(table1.to_string(index=False))

if {"panora", "ols"} <= set(boots):
    worse = (boots["panora"] <= boots["ols"]).mean()
    gain = boots["panora"] - boots["ols"]
    print("gain over ols %.3f [%.3f, %.3f], share of resamples without gain %.4f"
          % (gain.mean(), *np.quantile(gain, [0.025, 0.975]), worse))

rows = []
for name, p in preds.items():
    row = dict(method=name)
    for label, code in (("group1", 1), ("group2", 2)):
        m = (test["sex"] == code).to_numpy()
        row[label + "_r2"], row[label + "_rmse"] = r2(y[m], p[m]), rmse(y[m], p[m])
    rows.append(row)
table2 = pd.DataFrame(rows).round(4)
table2.to_csv(results / "table2.csv", index=False)
pd.DataFrame(boots).round(4).iloc[:200].to_csv(results / "bootstrap_r2.csv", index=False)
