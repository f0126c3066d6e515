"""nDCG@10 and MRR of all runs."""
from pathlib import Path

import numpy as np
import pandas as pd

from glyphrank import ROOT
from glyphrank.metrics import ndcg_at_10, reciprocal_rank
from glyphrank.runs import read_run
from glyphrank.split import parts

data = parts()
symbol = {i: s for part in ("gallery", "query") for i, s in zip(data[part].ids, data[part].y)}
in_gallery = pd.Series(data["gallery"].y).value_counts()

rows = []
for path in sorted((ROOT / "runs").glob("*.csv")):
    method, condition = path.stem.rsplit(".", 1)
    queries, ranked = read_run(path)
    hits = np.array([[symbol[g] == symbol[q] for g in line] for q, line in zip(queries, ranked)])
    nd = ndcg_at_10(hits, [in_gallery[symbol[q]] for q in queries])
    rows.append((method, condition, nd.mean(), reciprocal_rank(hits).mean()))
table = pd.DataFrame(rows, columns=["method", "condition", "ndcg10", "mrr"]).round(4)
Path(ROOT / "results").mkdir(exist_ok=True)
table.to_csv(ROOT / "results" / "retrieval.csv", index=False)
print(table.to_string(index=False))
