"""The logit committee: kernel logistic members, cross-fitted logits, positive weights."""
import numpy as np
from scipy.optimize import minimize

from .kernels import member_kernel


def fit_member(K, y, lam, max_iter=50, tol=1e-8):
    """Kernel logistic regression by iteratively reweighted least squares (eq. 2)."""
    n = len(y)
    a, b = np.zeros(n), 0.0
    for _ in range(max_iter):
        f = K @ a + b
        p = 1 / (1 + np.exp(-f))
        w = np.maximum(p * (1 - p), 1e-6)
        z = f + (y - p) / w
        A = np.zeros((n + 1, n + 1))
        A[:n, :n] = K + lam * np.diag(1 / w)
        A[:n, n] = A[n, :n] = 1
        sol = np.linalg.solve(A, np.append(z, 0))
        step = np.abs(sol[:n] - a).max()
        a, b = sol[:n], sol[n]
        if step < tol:
            break
    return a, b


class LogitCommittee:
    """
    views   : dict name -> list of columns, one member per view
    weights : 'learned' (eq. 3) or 'uniform'
    """

    def __init__(self, views, gamma=0.6, lam=0.02, mix=0.1, folds=5, ridge=0.01, weights="learned", seed=0):
        self.views = views
        self.gamma, self.lam, self.mix = gamma, lam, mix
        self.folds, self.ridge = folds, ridge
        self.weights, self.seed = weights, seed

    def _kernel(self, A, B, cols):
        return member_kernel(A[:, cols], B[:, cols], self.gamma, self.mix)

    def _cross_fitted_logits(self, X, y):
        rng = np.random.RandomState(self.seed)
        fold = np.empty(len(y), int)
        for c in (0, 1):
            idx = np.flatnonzero(y == c)
            fold[rng.permutation(idx)] = np.arange(len(idx)) % self.folds
        out = np.zeros((len(y), len(self.views)))
        for k, cols in enumerate(self.views.values()):
            for f in range(self.folds):
                tr, va = fold != f, fold == f
                a, b = fit_member(self._kernel(X[tr], X[tr], cols), y[tr], self.lam)
                out[va, k] = self._kernel(X[va], X[tr], cols) @ a + b
        return out

    def fit(self, X, y):
        F = self._cross_fitted_logits(X, y)
        m = F.shape[1]
        sign = 2 * y - 1

        def loss(t):
            w = np.exp(t[:m]) if self.weights == "learned" else np.full(m, np.exp(t[0]))
            margin = sign * (F @ w + t[-1])
            return np.logaddexp(0, -margin).mean() + self.ridge * (w ** 2).sum()

        t = minimize(loss, np.append(np.full(m, -1.5), 0.0), method="BFGS").x
        self.w_ = np.exp(t[:m]) if self.weights == "learned" else np.full(m, np.exp(t[0]))
        self.b_ = t[-1]
        self.X_ = X
        self.members_ = [fit_member(self._kernel(X, X, c), y, self.lam) for c in self.views.values()]
        return self

    def decision_function(self, X):
        F = np.column_stack(
            [self._kernel(X, self.X_, c) @ a + b for c, (a, b) in zip(self.views.values(), self.members_)]
        )
        return F @ self.w_ + self.b_

    def predict_proba(self, X):
        return 1 / (1 + np.exp(-self.decision_function(X)))

    def save(self, path):
        np.savez_compressed(
            path,
            weights=self.w_, bias=self.b_, hyper=np.array([self.gamma, self.lam, self.mix]),
            alphas=np.array([a for a, _ in self.members_], dtype=np.float32),
            intercepts=np.array([b for _, b in self.members_]), views=np.array(list(self.views)),
        )
