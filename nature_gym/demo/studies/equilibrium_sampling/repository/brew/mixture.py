"""Gaussian mixture with full covariances, fitted to weighted samples by EM."""
import numpy as np


class Mixture:
    def __init__(self, weight, mean, cov):
        self.weight, self.mean, self.cov = weight, mean, cov

    def component_logpdf(self, x):
        out = np.empty((len(x), len(self.weight)))
        for k, (m, s) in enumerate(zip(self.mean, self.cov)):
            (p, q), (_, r) = s
            det = p * r - q * q
            dx, dy = x[:, 0] - m[0], x[:, 1] - m[1]
            out[:, k] = -0.5 * (r * dx * dx - 2 * q * dx * dy + p * dy * dy) / det - 0.5 * np.log(det) - np.log(2 * np.pi)
        return out

    def logpdf(self, x):
        lp = self.component_logpdf(x) + np.log(self.weight)
        top = lp.max(axis=1)
        return top + np.log(np.exp(lp - top[:, None]).sum(axis=1))

    def sample(self, n, rng):
        k = rng.choice(len(self.weight), size=n, p=self.weight)
        chol = np.linalg.cholesky(self.cov)
        return self.mean[k] + np.einsum("nij,nj->ni", chol[k], rng.standard_normal((n, 2)))

    def em(self, x, w, steps=6, floor=2e-3):
        w = w / w.sum()
        mix = self
        for _ in range(steps):
            lp = mix.component_logpdf(x) + np.log(mix.weight)
            resp = np.exp(lp - lp.max(axis=1, keepdims=True))
            resp = resp / resp.sum(axis=1, keepdims=True) * w[:, None]
            mass = resp.sum(axis=0) + 1e-9
            mean = resp.T @ x / mass[:, None]
            diff = x[:, None, :] - mean[None]
            cov = np.einsum("nk,nki,nkj->kij", resp, diff, diff) / mass[:, None, None] + floor * np.eye(2)
            weight = 0.98 * mass / mass.sum() + 0.02 / len(mass)  # no component starves
            mix = Mixture(weight / weight.sum(), mean, cov)
        return mix
