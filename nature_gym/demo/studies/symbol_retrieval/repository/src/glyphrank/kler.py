"""KLER: kernel label-embedding retrieval."""
import numpy as np

from glyphrank.landmarks import unit


class KLER:
    """Ridge regression from a landmark kernel to centred label codes; cosine ranking of the codes.

    landmarks : rows of the training images (None: every training image)
    """

    def __init__(self, landmarks, width=0.2, ridge=1e-3, normalise=True):
        self.landmarks, self.width, self.ridge, self.normalise = landmarks, width, ridge, normalise

    def _features(self, X):
        d2 = np.maximum(2 - 2 * unit(X) @ self.L_.T, 0)
        return np.exp(-d2 / self.width)

    def fit(self, X, y):
        self.L_ = unit(X)[self.landmarks]
        classes = np.unique(y)
        codes = (y[:, None] == classes).astype(float) - 1 / len(classes)
        F, G = self._features(X), self._features(X[self.landmarks])
        # regularised in the norm of the kernel's space (eq. 2)
        A = F.T @ F + self.ridge * len(X) * G + 1e-9 * np.eye(len(G))
        self.B_ = np.linalg.solve(A, F.T @ codes)
        return self

    def embed(self, X):
        E = self._features(X) @ self.B_
        return E / np.linalg.norm(E, axis=1, keepdims=True) if self.normalise else E

    def rank(self, queries, gallery, depth=10):
        Q, G = self.embed(queries), self.embed(gallery)
        d2 = ((Q[:, None] - G[None]) ** 2).sum(-1)
        return np.argsort(d2, axis=1, kind="stable")[:, :depth]
