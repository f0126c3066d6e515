"""Loading the nucleus tables."""
import os

import numpy as np
import pandas as pd

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA = os.path.join(ROOT, "data")

dictionary = pd.read_csv(os.path.join(DATA, "feature_dictionary.csv"))
FEATURES = list(dictionary["feature"])
VIEWS = {
    "mean": [i for i, v in enumerate(dictionary["view"]) if v == "mean"],
    "se": [i for i, v in enumerate(dictionary["view"]) if v == "se"],
    "worst": [i for i, v in enumerate(dictionary["view"]) if v == "worst"],
    "whole": list(range(len(dictionary))),
}


def load_table(which):
    """case ids, features (n, 30), labels (1 = malignant) or None"""
    df = pd.read_csv(os.path.join(DATA, "%s.csv" % which))
    y = None
    if "diagnosis" in df.columns:
        y = (df["diagnosis"] == "M").to_numpy().astype(int)
    return df["case_id"].to_numpy(), df[FEATURES].to_numpy(dtype=float), y
