#!/usr/bin/env python
"""Trains the surrogate on the encoded library and writes the checkpoint and its log."""
import json
import os

import numpy as np

from filmscout import config, data
from filmscout.surrogate import Surrogate

cfg = config.load()
thickness, spectra = data.load_library(cfg["paths"]["library"])
with np.load(cfg["paths"]["encoded"]) as z:
    features = z["features"].astype(float)
train, valid = data.split_library(len(thickness), cfg["library"]["n_validation"], cfg["library"]["split_seed"])
net = Surrogate.fit(features[train], spectra[train], seed=cfg["seed"], **cfg["surrogate"])
os.makedirs("checkpoints", exist_ok=True)
net.save(cfg["paths"]["checkpoint"])
mae = {
    "train_mae": float(np.abs(net.predict(thickness[train]) - spectra[train]).mean()),
    "validation_mae": float(np.abs(net.predict(thickness[valid]) - spectra[valid]).mean()),
}
os.makedirs(cfg["paths"]["results"], exist_ok=True)
with open(os.path.join(cfg["paths"]["results"], "surrogate_log.json"), "w") as f:
    json.dump({k: round(v, 4) for k, v in mae.items()}, f, indent=1)
print(mae)
