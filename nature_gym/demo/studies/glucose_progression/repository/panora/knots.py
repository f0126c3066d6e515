"""Quantile knots of every input on the development patients, for the warped scale of PANORA.

    python -m panora.knots
"""
import json
import sys

import numpy as np

from panora.data import FEATURES, load_split
from panora.settings import ROOT, load


def main():
    cfg = load(sys.argv[1:])
    train, _ = load_split(cfg)
    grid = np.linspace(0, 1, 11)
    knots = {f: np.unique(np.quantile(train[f], grid)).round(4).tolist() for f in FEATURES}
    target = ROOT / cfg.paths.knots
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(knots, indent=1) + "\n")


if __name__ == "__main__":
    main()
