"""Both scores compare a sample with the reference sample of the same temperature; lower is better."""
import numpy as np


def sliced_wasserstein(x, y, n_projections=64, n_quantiles=400):
    """Mean over directions of the 1-Wasserstein distance of the projections (quantile form)."""
    angle = np.pi * (np.arange(n_projections) + 0.5) / n_projections
    directions = np.stack([np.cos(angle), np.sin(angle)])
    q = (np.arange(n_quantiles) + 0.5) / n_quantiles
    a, b = np.quantile(x @ directions, q, axis=0), np.quantile(y @ directions, q, axis=0)
    return float(np.abs(a - b).mean())


def jensen_shannon_profile(x, y, bins=40, lo=-2.0, hi=1.5):
    """Jensen-Shannon divergence (nats) of the marginal along x, from which the free-energy profile follows."""
    edges = np.linspace(lo, hi, bins + 1)
    p, q = (np.histogram(np.clip(s[:, 0], lo, hi), edges)[0] / len(s) for s in (x, y))
    m = (p + q) / 2

    def kl(u):
        inside = u > 0
        return float((u[inside] * np.log(u[inside] / m[inside])).sum())

    return (kl(p) + kl(q)) / 2
