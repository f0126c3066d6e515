"""Baselines: the raw trajectory, KDE, GMM (order by BIC), and KDE with Boltzmann reweighting."""
import numpy as np
from sklearn.mixture import GaussianMixture
from sklearn.neighbors import KernelDensity

from external.muller_brown import energy


def md(x, kT, rng, n):
    return x[rng.choice(len(x), size=n, replace=len(x) < n)]


def _kde(x):
    return KernelDensity(bandwidth=len(x) ** (-1 / 6) * float(x.std(axis=0).mean())).fit(x)


def _log_density(x, h, y, chunk=1000):
    """Up to a constant; a plain sum is ten times faster here than scikit-learn's tree."""
    out = np.empty(len(y))
    for i in range(0, len(y), chunk):
        sq = (y[i : i + chunk, :1] - x[:, 0]) ** 2 + (y[i : i + chunk, 1:] - x[:, 1]) ** 2
        least = sq.min(axis=1)
        out[i : i + chunk] = np.log(np.exp((least[:, None] - sq) / (2 * h * h)).sum(axis=1)) - least / (2 * h * h)
    return out


def kde(x, kT, rng, n):
    return _kde(x).sample(n, random_state=int(rng.integers(2**31)))


def gmm(x, kT, rng, n):
    seed = int(rng.integers(2**31))
    models = [GaussianMixture(k, random_state=seed).fit(x) for k in range(2, 11)]
    best = min(models, key=lambda m: m.bic(x))
    return best.sample(n)[0]


def kde_rw(x, kT, rng, n, n_draw=10000):
    model = _kde(x[::2])  # thinned by two for speed
    y = model.sample(n_draw, random_state=int(rng.integers(2**31)))
    lw = -energy(y) / kT - _log_density(x[::2], model.bandwidth, y)
    w = np.exp(lw - lw.max())
    w = np.minimum(w / w.sum(), 1 / np.sqrt(n_draw))  # the truncation that BREW uses, too
    return y[rng.choice(n_draw, size=n, p=w / w.sum())]


METHODS = {"md": md, "kde": kde, "gmm": gmm, "kde-rw": kde_rw}
