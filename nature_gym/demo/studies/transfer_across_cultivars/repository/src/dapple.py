"""DAPPLE: Drift-Aware Precision and Prototype LEarning.

Source model: class prototypes of instrument A in a metric that discounts the known drift axes (whiten.py).
Adaptation: the unlabelled batch of a drifted instrument is re-centred, its soft assignments move the
prototypes, and so on for a few rounds.
"""
import numpy as np


class Dapple:
    def __init__(self, align=True, rounds=5, blend=0.4):
        self.align, self.rounds, self.blend = align, rounds, blend

    def fit(self, z, y):
        """The pretraining on instrument A."""
        self.classes = np.unique(y)
        self.log_prior = np.log([(y == c).mean() for c in self.classes])
        self.prototypes = np.stack([z[y == c].mean(axis=0) for c in self.classes])
        self.centre = z.mean(axis=0)
        return self

    def _soft(self, z, prototypes):
        score = self.log_prior - 0.5 * ((z[:, None, :] - prototypes[None]) ** 2).sum(axis=2)
        p = np.exp(score - score.max(axis=1, keepdims=True))
        return p / p.sum(axis=1, keepdims=True)

    def adapt(self, z):
        """Probabilities for a batch, after the prototypes followed it."""
        if self.align:
            z = z - z.mean(axis=0) + self.centre
        p = self._soft(z, self.prototypes)
        for _ in range(self.rounds):
            moved = p.T @ z / p.sum(axis=0)[:, None]
            p = self._soft(z, (1 - self.blend) * self.prototypes + self.blend * moved)
        return p
