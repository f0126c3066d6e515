"""A small stand-in for Hydra: defaults list, groups, key=value overrides."""
import os
import sys

import yaml


def _read(path):
    with open(path) as f:
        return yaml.safe_load(f)


def compose(argv=None, root="configs"):
    argv = sys.argv[1:] if argv is None else argv
    cfg = _read(os.path.join(root, "config.yaml"))
    groups = {k: v for entry in cfg.pop("defaults") for k, v in entry.items()}
    overrides = dict(a.split("=", 1) for a in argv)
    for group, choice in groups.items():
        choice = overrides.pop(group, choice)
        cfg[group] = _read(os.path.join(root, group, f"{choice}.yaml"))
    for dotted, value in overrides.items():
        node = cfg
        *parents, last = dotted.split(".")
        for key in parents:
            node = node[key]
        node[last] = yaml.safe_load(value)
    return cfg


def multirun(argv=None):
    """method=a,b,c becomes three argument lists (Hydra calls it a sweep)."""
    argv = sys.argv[1:] if argv is None else argv
    choices = next((a.split("=", 1)[1].split(",") for a in argv if a.startswith("method=")), ["dapple"])
    rest = [a for a in argv if not a.startswith("method=")]
    return [[f"method={choice}", *rest] for choice in choices]
