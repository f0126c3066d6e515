"""Nearest neighbour: the library design whose stored spectrum fits the target best."""
import numpy as np

from simulator import tmm


def nearest_neighbour(simulate, target, library, cfg, rng):
    thickness, spectra = library
    best = int(np.argmin(tmm.band_error(spectra, target)))
    return thickness[best], float(simulate(thickness[best])[0])
