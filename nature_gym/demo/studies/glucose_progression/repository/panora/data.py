import json

import numpy as np
import pandas as pd

from panora.settings import ROOT

FEATURES = ["age", "sex", "bmi", "bp", "tc", "ldl", "hdl", "tch", "ltg", "glu"]


def load_cohort(cfg):
    df = pd.read_csv(ROOT / cfg.data.table)
    ranges = json.loads((ROOT / cfg.data.ranges).read_text())
    for name in FEATURES:
        if name in ranges:
            low, high = ranges[name]
            df[name] = df[name].clip(low, high)
    return df


def load_split(cfg):
    """train and test patients (two data frames), by the row numbers in data/splits"""
    df = load_cohort(cfg)
    train = np.loadtxt(ROOT / cfg.data.train_index, dtype=int)
    test = np.loadtxt(ROOT / cfg.data.test_index, dtype=int)
    assert not set(train) & set(test)
    return df.iloc[train].reset_index(drop=True), df.iloc[test].reset_index(drop=True)


def arrays(df, cfg):
    return df[FEATURES].to_numpy(float), df[cfg.data.target].to_numpy(float)


def standardise(X, ref):
    return (X - ref.mean(0)) / ref.std(0)


def write_predictions(df, pred, name, cfg):
    out = ROOT / cfg.paths.results / f"pred_{name}.csv"
    out.parent.mkdir(exist_ok=True)
    pd.DataFrame({cfg.data.id: df[cfg.data.id], "predicted": np.round(pred, 3)}).to_csv(out, index=False)
