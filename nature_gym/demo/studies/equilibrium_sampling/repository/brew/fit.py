"""BREW: Boltzmann-reweighted expectation maximisation, round by round.

round 0     mixture fitted to the (biased) trajectory
round r     draw from mixture + broad defence, weight with exp(-U/kT)/q, truncate, refit
sampling    draw many, resample by weight

variants: brew (truncated weights, defence), brew-nodefence, brew-1 (a single round)
"""
import numpy as np

from brew.mixture import Mixture
from external.muller_brown import energy


def _defence(x, scale):
    return Mixture(np.ones(1), x.mean(axis=0)[None], np.cov(x.T)[None] * scale)


def _log_q(x, mix, broad, share):
    if share == 0:
        return mix.logpdf(x)
    return np.logaddexp(np.log1p(-share) + mix.logpdf(x), np.log(share) + broad.logpdf(x))


def _draw(n, mix, broad, share, rng):
    k = int(round(n * share))
    x = mix.sample(n - k, rng)
    return np.concatenate([x, broad.sample(k, rng)]) if k else x


def _weights(x, kT, log_q, truncate):
    lw = -energy(x) / kT - log_q
    w = np.exp(lw - lw.max())
    w = w / w.sum()
    if truncate:  # Ionides (2008): cap at sqrt(n) times the mean
        w = np.minimum(w, 1 / np.sqrt(len(w)))
        w = w / w.sum()
    return w


def initial_mixture(x, n_components, rng):
    mean = x[rng.choice(len(x), size=n_components, replace=False)]
    cov = np.repeat(np.cov(x.T)[None] * 0.2, n_components, axis=0)
    start = Mixture(np.full(n_components, 1 / n_components), mean, cov)
    return start.em(x, np.ones(len(x)), steps=25)


def brew_fit(x, kT, rng, n_components=16, rounds=10, n_draw=3000, share=0.15, scale=6.0):
    broad = _defence(x, scale)
    mix, log = initial_mixture(x, n_components, rng), []
    for _ in range(rounds):
        y = _draw(n_draw, mix, broad, share, rng)
        w = _weights(y, kT, _log_q(y, mix, broad, share), truncate=True)
        log.append(1 / (w**2).sum() / n_draw)
        mix = mix.em(y, w)
    return mix, broad, np.array(log)


def brew_sample(mix, broad, kT, rng, n=1500, n_draw=20000, share=0.15):
    y = _draw(n_draw, mix, broad, share, rng)
    w = _weights(y, kT, _log_q(y, mix, broad, share), truncate=False)
    order = np.argsort(y[:, 0] - y[:, 1])  # along the reaction coordinate: resampling is then stratified
    y, w = y[order], w[order]
    points = (np.arange(n) + rng.random()) / n  # systematic resampling
    return y[np.searchsorted(np.cumsum(w), points).clip(max=n_draw - 1)]
