from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]


class Settings(dict):
    __getattr__ = dict.__getitem__


def _wrap(d):
    return Settings({k: _wrap(v) if isinstance(v, dict) else v for k, v in d.items()})


def load(overrides=()):
    """conf/config.yaml, the model's file, then key=value from the command line"""
    cfg = yaml.safe_load((ROOT / "conf" / "config.yaml").read_text())
    pairs = dict(o.split("=", 1) for o in overrides)
    model = pairs.pop("model", cfg["defaults"]["model"])
    cfg["model"] = yaml.safe_load((ROOT / "conf" / "model" / f"{model}.yaml").read_text())
    for key, value in pairs.items():
        node = cfg
        *parents, leaf = key.split(".")
        for p in parents:
            node = node[p]
        node[leaf] = yaml.safe_load(value)
    return _wrap(cfg)
