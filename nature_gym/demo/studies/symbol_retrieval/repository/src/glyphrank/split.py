"""Training images, gallery and queries."""
from dataclasses import dataclass

import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split

from glyphrank import ROOT

RANDOM_STATE = 2023


@dataclass
class Part:
    ids: np.ndarray
    X: np.ndarray
    y: np.ndarray


def load():
    df = pd.read_csv(ROOT / "data" / "symbols.csv")
    pixels = [c for c in df.columns if c.startswith("pixel_")]
    return df["sample_id"].to_numpy(), df[pixels].to_numpy(float), df["symbol"].to_numpy()


def parts():
    """half of the images to train on; of the other half, 70% gallery and 30% queries"""
    ids, X, y = load()
    rows = np.arange(len(y))
    train, rest = train_test_split(rows, test_size=0.5, random_state=RANDOM_STATE, stratify=y)
    gallery, query = train_test_split(rest, test_size=0.3, random_state=RANDOM_STATE, stratify=y[rest])
    return {name: Part(ids[i], X[i], y[i]) for name, i in (("train", train), ("gallery", gallery), ("query", query))}


def noisy_queries():
    """the query images with pen noise, in the order of the queries"""
    with np.load(ROOT / "data" / "noisy_queries.npz") as f:
        return f["sample_id"], f["images"].astype(float)
