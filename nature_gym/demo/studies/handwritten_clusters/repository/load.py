import configparser
import os

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))

settings = configparser.ConfigParser()
settings.read(os.path.join(HERE, "settings.ini"))


def here(path):
    return os.path.join(HERE, path)


def images():
    """n x 64 pixel values and sample ids; no labels"""
    with np.load(here(settings["data"]["file"])) as f:
        return f["images"].reshape(len(f["images"]), -1).astype(float), f["sample_id"]


def labels():
    with np.load(here(settings["data"]["file"])) as f:
        return f["labels"]
