"""Joins subjects, panel and partition by subject_id."""
import numpy as np
import pandas as pd

INPUTS = ["age", "sex", "bmi", "bp", "tc", "hdl"]
TARGETS = ["progression", "ltg", "glu"]


def load(part, folder="data"):
    """-> ids, X (n, 6), Y (n, 3) with NaN where a response is missing."""
    table = (
        pd.read_csv(f"{folder}/panel.csv")
        .merge(pd.read_csv(f"{folder}/subjects.csv"), on="subject_id", validate="one_to_one")
        .merge(pd.read_csv(f"{folder}/partition.csv"), on="subject_id", validate="one_to_one")
    )
    table = table[table["part"] == part].sort_values("subject_id")
    return table["subject_id"].to_numpy(), table[INPUTS].to_numpy(float), table[TARGETS].to_numpy(float)
