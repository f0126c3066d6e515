"""FilmScout: proposal on the surrogate by gradients, refinement on the simulator by evolution.

variants
  filmscout            the full method
  filmscout-norefine   proposals only, the best one by the simulator
  filmscout-nosurr     starts from the library's nearest designs instead of the proposals
"""
import numpy as np

from simulator import tmm


def target_vector(target):
    """(wanted reflectance, weight) on the wavelength grid; weight 0 outside the bands."""
    want, weight = np.zeros_like(tmm.WAVELENGTHS), np.zeros_like(tmm.WAVELENGTHS)
    for band in target["bands"]:
        inside = (tmm.WAVELENGTHS >= band["from_nm"]) & (tmm.WAVELENGTHS <= band["to_nm"])
        want[inside], weight[inside] = band["reflectance"], 1.0
    return want, weight / weight.sum()


def propose(surrogate, target, starts, steps, lr):
    """Adam on a smooth version of the band error, many starts at once."""
    want, weight = target_vector(target)
    d, m, v = starts.copy(), np.zeros_like(starts), np.zeros_like(starts)

    def slope(out):
        err = out - want
        return weight * err / np.sqrt(err**2 + 1e-3)

    for t in range(1, steps + 1):
        g = surrogate.gradient(d, slope)
        m, v = 0.9 * m + 0.1 * g, 0.99 * v + 0.01 * g**2
        d = d - lr * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.99**t)) + 1e-8)
        d = np.clip(d, tmm.D_MIN, tmm.D_MAX)
    return d, (weight * np.abs(surrogate.predict(d) - want)).sum(axis=1)


def refine(simulate, start, value, budget, rng):
    """(1+1)-style evolution with a covariance that adapts to the successful steps."""
    best, best_value = start.copy(), value
    dim, sigma, cov = len(start), 4.0, np.eye(len(start))
    root = np.linalg.cholesky(cov)
    for _ in range(budget):
        step = root @ rng.standard_normal(dim)
        cand = np.clip(best + sigma * step, tmm.D_MIN, tmm.D_MAX)
        val = float(simulate(cand)[0])
        if val < best_value:
            best, best_value = cand, val
            sigma *= 1.35
            cov = 0.85 * cov + 0.15 * np.outer(step, step)
            root = np.linalg.cholesky(cov)
        else:
            sigma *= 0.93
        sigma = max(sigma, 0.02)
    return best, best_value


def filmscout(simulate, target, library, surrogate, cfg, rng, variant="filmscout"):
    thickness, spectra = library
    want, weight = target_vector(target)
    near = np.argsort((weight * np.abs(spectra - want)).sum(axis=1))
    n = cfg["n_starts"]
    if variant == "filmscout-nosurr":
        pool = thickness[near[: cfg["n_elite"]]]
    else:
        fresh = rng.uniform(tmm.D_MIN, tmm.D_MAX, size=(n - n // 2, tmm.N_LAYERS))
        starts = np.concatenate([thickness[near[: n // 2]], fresh])
        pool, guess = propose(surrogate, target, starts, cfg["adam_steps"], cfg["adam_lr"])
        pool = pool[np.argsort(guess)[: cfg["n_elite"]]]
        pool = np.concatenate([pool, thickness[near[: cfg["n_near"]]]])  # a guard against a wrong surrogate
    values = simulate(pool)
    if variant == "filmscout-norefine":
        return pool[np.argmin(values)], float(values.min())
    # successive halving over the elite: equal shares of what is left in each round
    alive = [(pool[i], float(values[i])) for i in np.argsort(values)[:4]]
    while alive:
        share = simulate.left // (2 * len(alive)) if len(alive) > 1 else simulate.left
        alive = sorted((refine(simulate, d, v, share, rng) for d, v in alive), key=lambda item: item[1])
        if len(alive) == 1:
            return alive[0]
        alive = alive[: len(alive) // 2]
