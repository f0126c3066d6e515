import itertools

import numpy as np

from panora.kernel import anova_kernel


class PanoraRegressor:
    """Kernel ridge regression with a pairwise ANOVA kernel (eq. 1 and 2).

    knots: list with the quantile knots of every input; grid: dict of lists of hyperparameters.
    """

    def __init__(self, knots, grid, warp=0.0, folds=5, seed=0):
        self.knots, self.grid, self.warp = knots, grid, warp
        self.folds, self.seed = folds, seed

    def _scale(self, X):
        return (X - self.mean_) / self.sd_

    def _warp(self, X):
        """blend of the standardised value and of its place between the quantile knots"""
        Z = self._scale(X)
        if not self.warp:
            return Z
        Q = np.column_stack(
            [np.interp(X[:, j], k, np.linspace(-1.7, 1.7, len(k))) for j, k in enumerate(self.knots)]
        )
        return (1 - self.warp) * Z + self.warp * Q

    def fit(self, X, y):
        self.mean_, self.sd_ = X.mean(0), X.std(0)
        Z, W = self._scale(X), self._warp(X)
        fold = np.random.RandomState(self.seed).permutation(len(y)) % self.folds
        best = (np.inf, None)
        names = ("length_scale", "main", "pair", "linear")
        for values in itertools.product(*(self.grid[n] for n in names)):
            K = anova_kernel(Z, Z, W, W, *values)
            for ridge in self.grid["ridge"]:
                loss = 0.0
                for f in range(self.folds):
                    a, b = fold != f, fold == f
                    mu = y[a].mean()
                    alpha = np.linalg.solve(K[np.ix_(a, a)] + ridge * np.eye(a.sum()), y[a] - mu)
                    loss += ((y[b] - mu - K[np.ix_(b, a)] @ alpha) ** 2).sum()
                if loss < best[0]:
                    best = (loss, values, ridge)
        self.cv_mse_, self.values_, self.ridge_ = best[0] / len(y), best[1], best[2]
        self.Z_, self.W_, self.mu_ = Z, W, y.mean()
        K = anova_kernel(Z, Z, W, W, *self.values_)
        self.alpha_ = np.linalg.solve(K + self.ridge_ * np.eye(len(y)), y - self.mu_)
        return self

    def predict(self, X):
        K = anova_kernel(self._scale(X), self.Z_, self._warp(X), self.W_, *self.values_)
        return self.mu_ + K @ self.alpha_
