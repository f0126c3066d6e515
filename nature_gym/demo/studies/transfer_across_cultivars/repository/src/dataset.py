import pandas as pd


def read(path, cfg):
    """-> ids, X (channels), y"""
    table = pd.read_csv(path)
    label, key = cfg["data"]["label"], cfg["data"]["id"]
    channels = [c for c in table.columns if c not in (label, key)]
    return table[key].to_numpy(), table[channels].to_numpy(float), table[label].to_numpy()


def drift_axes(cfg):
    return pd.read_csv(cfg["external"]["drift_axes"], index_col="axis").to_numpy()
