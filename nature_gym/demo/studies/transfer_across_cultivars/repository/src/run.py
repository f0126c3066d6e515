"""Trains one method on instrument A and predicts the three drifted batches.

    python -m src.run method=dapple
    python -m src.run method=knn,svm,rf       one after the other
"""
import os

import joblib
import numpy as np
import pandas as pd

from src.baselines.classic import PLAIN, coral, epo, plain
from src.conf import compose, multirun
from src.dapple import Dapple
from src.dataset import drift_axes, read


def main(cfg):
    method, name = cfg["method"], cfg["method"]["name"]
    _, x, y = read(cfg["data"]["train"], cfg)
    mean, spread = x.mean(axis=0), x.std(axis=0, ddof=1)
    x = (x - mean) / spread
    model = None
    if name.startswith("dapple"):
        stored = np.load(os.path.join(cfg["artifact_dir"], f"whitened_{name}.npz"))
        model = Dapple(method["align"], method["rounds"], method["blend"]).fit(stored["z"], stored["y"])
        joblib.dump(model, os.path.join(cfg["artifact_dir"], f"{name}.joblib"))
    out = os.path.join(cfg["output_dir"], name)
    os.makedirs(out, exist_ok=True)
    for test, path in cfg["data"]["tests"].items():
        ids, batch, _ = read(path, cfg)  # the labels stay unread
        batch = (batch - mean) / spread
        if model is not None:
            predicted = model.classes[model.adapt(batch @ stored["whitening"]).argmax(axis=1)]
        elif name in PLAIN:
            predicted = plain(name, x, y, batch, cfg["seed"])
        elif name == "coral":
            predicted = coral(x, y, batch, cfg["seed"], method["regularisation"])
        else:
            predicted = epo(x, y, batch, cfg["seed"], drift_axes(cfg), method["base"])
        pd.DataFrame({"sample_id": ids, "predicted": predicted}).to_csv(os.path.join(out, f"{test}.csv"), index=False)


if __name__ == "__main__":
    for argv in multirun():
        main(compose(argv))
