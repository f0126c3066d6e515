#!/usr/bin/env python
"""python run.py model=panora [key=value ...]"""
import json
import pickle
import sys

from panora import PanoraRegressor
from panora.data import FEATURES, arrays, load_split, write_predictions
from panora.settings import ROOT, load

cfg = load(sys.argv[1:])
train, test = load_split(cfg)
X, y = arrays(train, cfg)
X_test, _ = arrays(test, cfg)

with open(ROOT / cfg.paths.knots) as f:
    knots = json.load(f)

model = PanoraRegressor(
    [knots[name] for name in FEATURES],
    {k: cfg.model[k] for k in ("length_scale", "main", "pair", "linear", "ridge")},
    warp=cfg.model.warp,
    folds=cfg.cv.folds,
    seed=cfg.cv.seed,
).fit(X, y)

ckpt = ROOT / cfg.paths.checkpoints / f"{cfg.model.name}.pkl"
ckpt.parent.mkdir(exist_ok=True)
with open(ckpt, "wb") as f:
    pickle.dump({"alpha": model.alpha_.astype("float32"), "values": tuple(map(float, model.values_)),
                 "ridge": float(model.ridge_), "mu": float(model.mu_), "mean": model.mean_, "sd": model.sd_}, f)

write_predictions(test, model.predict(X_test), cfg.model.name, cfg)
with open(ROOT / cfg.paths.results / f"log_{cfg.model.name}.txt", "w") as f:
    print("length scale, main, pair, linear:", *model.values_, file=f)
    print("ridge:", model.ridge_, file=f)
    print("cv rmse: %.2f" % model.cv_mse_ ** 0.5, file=f)
