"""Direct inverse network: spectrum -> thickness, trained on the whole library, no search.

Outside its bands a target leaves the spectrum open; there the nearest library spectrum is filled in.
"""
import numpy as np
from sklearn.neural_network import MLPRegressor

from filmscout.search import target_vector
from simulator import tmm

_NET = {}


def inverse_network(simulate, target, library, cfg, rng):
    thickness, spectra = library
    if "net" not in _NET:
        net = MLPRegressor(hidden_layer_sizes=(96, 96), activation="tanh", alpha=1e-3, max_iter=120, random_state=0)
        scaled = (thickness - tmm.D_MIN) / (tmm.D_MAX - tmm.D_MIN)
        _NET["net"] = net.fit(spectra, scaled)
    want, weight = target_vector(target)
    near = spectra[int(np.argmin(tmm.band_error(spectra, target)))]
    guess = _NET["net"].predict(np.where(weight > 0, want, near)[None])[0]
    design = np.clip(tmm.D_MIN + guess * (tmm.D_MAX - tmm.D_MIN), tmm.D_MIN, tmm.D_MAX)
    return design, float(simulate(design)[0])
