"""Masked scores: a missing response counts for nothing; targets weigh the same."""
import numpy as np
import pandas as pd
from scipy.stats import spearmanr


def masked_scores(y, pred, spread):
    """y, pred (n, targets) -> per-target NRMSE, NMAE and Spearman's rho, then their means over the targets."""
    rows = []
    for c in range(y.shape[1]):
        seen = ~np.isnan(y[:, c])
        e = (pred[seen, c] - y[seen, c]) / spread[c]
        rows.append([np.sqrt((e**2).mean()), np.abs(e).mean(), spearmanr(pred[seen, c], y[seen, c]).statistic])
    table = pd.DataFrame(rows, columns=["nrmse", "nmae", "spearman"])
    table.loc["mean"] = table.mean()
    return table
