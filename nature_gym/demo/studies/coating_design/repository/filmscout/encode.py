"""FilmScout step 0: phase encoding of the library.

A layer acts on light through its phase thickness only, so the network sees cos and sin of
that phase at a few anchor wavelengths instead of nanometres.
"""
import os

import numpy as np

from filmscout import config, data
from simulator import tmm

ANCHORS = (480.0, 640.0, 850.0)  # nm


def wave_numbers():
    """(layers, anchors): phase per nanometre of layer."""
    idx = [int(np.argmin(np.abs(tmm.WAVELENGTHS - a))) for a in ANCHORS]
    return np.array([[4 * np.pi * n[i] / tmm.WAVELENGTHS[i] for i in idx] for n in tmm.INDEX])


def encode(thickness):
    """(batch, layers) -> (batch, layers * anchors * 2)"""
    phase = thickness[:, :, None] * wave_numbers()[None]
    return np.concatenate([np.cos(phase), np.sin(phase)], axis=2).reshape(len(thickness), -1)


def encode_gradient(thickness, upstream):
    """Chain rule through encode(): d loss / d features -> d loss / d thickness."""
    k = wave_numbers()
    phase = thickness[:, :, None] * k[None]
    jac = np.concatenate([-np.sin(phase) * k, np.cos(phase) * k], axis=2)
    return (upstream.reshape(jac.shape) * jac).sum(axis=2)


if __name__ == "__main__":
    cfg = config.load()
    thickness, _ = data.load_library(cfg["paths"]["library"])
    os.makedirs(os.path.dirname(cfg["paths"]["encoded"]), exist_ok=True)
    np.savez_compressed(cfg["paths"]["encoded"], features=encode(thickness).astype(np.float16))
    print("encoded", len(thickness), "designs ->", cfg["paths"]["encoded"])
