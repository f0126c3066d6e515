import json
import sys

import numpy as np

from glyphrank import ROOT
from glyphrank.kler import KLER
from glyphrank.runs import write_run
from glyphrank.split import noisy_queries, parts

with open(sys.argv[1]) as f:
    cfg = json.load(f)
name = cfg["name"]
data = parts()
train, gallery, query = data["train"], data["gallery"], data["query"]

if isinstance(cfg["landmarks"], dict):
    rng = np.random.RandomState(cfg["landmarks"]["seed"])
    rows = rng.permutation(len(train.y))[: cfg["landmarks"]["random"]]
else:
    rows = np.load(ROOT / cfg["landmarks"])

model = KLER(rows, cfg["width"], cfg["ridge"], cfg["normalise"]).fit(train.X, train.y)
(ROOT / "models").mkdir(exist_ok=True)
np.savez_compressed(ROOT / "models" / f"{name}.npz", coefficients=model.B_.astype("float32"), rows=rows.astype("int16"))

write_run(name, "clean", query.ids, gallery.ids, model.rank(query.X, gallery.X))
ids, X_noisy = noisy_queries()
write_run(name, "noisy", ids, gallery.ids, model.rank(X_noisy, gallery.X))
