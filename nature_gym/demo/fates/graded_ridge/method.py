"""Ridge regression on features and their products, with a penalty that grades the products."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def products(x: Array) -> tuple[Array, list[tuple[int, int]]]:
    """All products of two different columns, and which columns they come from."""
    pairs = [(i, j) for i in range(x.shape[1]) for j in range(i + 1, x.shape[1])]
    return np.stack([x[:, i] * x[:, j] for i, j in pairs], axis=1), pairs


def solve(x: Array, y: Array, penalties: Array) -> Array:
    """Weights that minimise the squared error plus the penalised squares of the weights."""
    return np.asarray(np.linalg.solve(x.T @ x + np.diag(penalties), x.T @ y))


class GradedRidge:
    """First a ridge on the features; then products, cheap where both of their features matter."""

    def __init__(self, penalty: float = 1.0, epsilon: float = 0.02) -> None:
        self.penalty = penalty
        self.epsilon = epsilon

    def fit(self, x: Array, y: Array) -> "GradedRidge":
        self.centre, self.scale = x.mean(axis=0), x.std(axis=0)
        self.offset = float(y.mean())
        z = (x - self.centre) / self.scale
        first = solve(z, y - self.offset, np.full(z.shape[1], self.penalty))
        crossed, pairs = products(z)
        strength = np.array([abs(first[i] * first[j]) for i, j in pairs])
        graded = self.penalty / (strength / strength.max() + self.epsilon)
        both = np.concatenate([z, crossed], axis=1)
        penalties = np.concatenate([np.full(z.shape[1], self.penalty), graded])
        self.weights = solve(both, y - self.offset, penalties)
        return self

    def predict(self, x: Array) -> Array:
        z = (x - self.centre) / self.scale
        return np.asarray(np.concatenate([z, products(z)[0]], axis=1) @ self.weights + self.offset)
