import numpy as np

from simulator import tmm


def random_search(simulate, target, library, cfg, rng):
    cand = rng.uniform(tmm.D_MIN, tmm.D_MAX, size=(simulate.budget, tmm.N_LAYERS))
    val = simulate(cand)
    return cand[np.argmin(val)], float(val.min())
