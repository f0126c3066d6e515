"""Loading of the design library and of the targets; train/validation split of the library."""
import glob
import json
import os

import numpy as np
from sklearn.model_selection import train_test_split


def load_library(path):
    with np.load(path) as z:
        return z["thickness_nm"].astype(float), z["reflectance"].astype(float)


def split_library(n, n_validation, seed):
    return train_test_split(np.arange(n), test_size=n_validation, random_state=seed)


def load_targets(folder):
    families = {}
    for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
        with open(path) as f:
            spec = json.load(f)
        families[spec["family"]] = spec["targets"]
    return families
