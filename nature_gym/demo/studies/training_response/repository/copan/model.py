"""COPAN: coupled-panel Gaussian process.

One GP over (subject, response) pairs; a pair that was not measured is simply not there. Responses are coupled
twice: through the functions (B) and through what the inputs do not explain in the same subject (R).
"""
import numpy as np


def coupling(strength, q):
    return np.full((q, q), strength) + (1 - strength) * np.eye(q)


def kernel(a, b, length, linear):
    sq = ((a[:, None, :] - b[None]) ** 2).sum(axis=2)
    return (1 - linear) * np.exp(-sq / (2 * length**2)) + linear * (a @ b.T) / a.shape[1]


class Copan:
    def __init__(self, coupled=0.7, residual=0.4, noise=2.0, length=3.0, linear=0.5):
        self.options = dict(coupled=coupled, residual=residual, noise=noise, length=length, linear=linear)

    def fit(self, x, y):
        o, q = self.options, y.shape[1]
        self.centre, self.spread = np.nanmean(y, axis=0), np.nanstd(y, axis=0)
        z = (y - self.centre) / self.spread
        i, t = np.nonzero(~np.isnan(z))
        k = coupling(o["coupled"], q)[t][:, t] * kernel(x, x, o["length"], o["linear"])[np.ix_(i, i)]
        k += o["noise"] * coupling(o["residual"], q)[t][:, t] * (i[:, None] == i[None])
        self.x, self.i, self.t, self.q = x, i, t, q
        self.chol = np.linalg.cholesky(k)
        self.alpha = np.linalg.solve(self.chol.T, np.linalg.solve(self.chol, z[i, t]))
        self.log_evidence = float(
            -0.5 * z[i, t] @ self.alpha - np.log(np.diag(self.chol)).sum() - 0.5 * len(i) * np.log(2 * np.pi)
        )
        return self

    def predict(self, x):
        b = coupling(self.options["coupled"], self.q)
        k = kernel(x, self.x, self.options["length"], self.options["linear"])[:, self.i]
        z = np.stack([(k * b[c, self.t]) @ self.alpha for c in range(self.q)], axis=1)
        return z * self.spread + self.centre

    def save(self, path):
        np.savez_compressed(path, x=self.x, i=self.i, t=self.t, alpha=self.alpha, centre=self.centre,
                            spread=self.spread, **self.options)
