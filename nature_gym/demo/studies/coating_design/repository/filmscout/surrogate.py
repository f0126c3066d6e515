"""The forward surrogate: phase features -> reflectance spectrum (tanh MLP)."""
import numpy as np
from sklearn.neural_network import MLPRegressor

from filmscout.encode import encode, encode_gradient


class Surrogate:
    def __init__(self, weights, biases):
        self.weights, self.biases = weights, biases

    @classmethod
    def fit(cls, features, spectra, hidden, alpha, max_iter, learning_rate, seed):
        net = MLPRegressor(
            hidden_layer_sizes=tuple(hidden), activation="tanh", alpha=alpha, max_iter=max_iter,
            learning_rate_init=learning_rate, batch_size=64, random_state=seed, tol=0.0, n_iter_no_change=max_iter,
        )
        net.fit(features, spectra)
        return cls(net.coefs_, net.intercepts_)

    def _forward(self, features):
        acts = [features]
        for w, b in zip(self.weights[:-1], self.biases[:-1]):
            acts.append(np.tanh(acts[-1] @ w + b))
        return acts, acts[-1] @ self.weights[-1] + self.biases[-1]

    def predict(self, thickness):
        return self._forward(encode(thickness))[1]

    def gradient(self, thickness, dloss_dspectrum):
        """d loss / d thickness; dloss_dspectrum is called with the predicted spectrum."""
        acts, out = self._forward(encode(thickness))
        g = dloss_dspectrum(out) @ self.weights[-1].T
        for w, a in zip(self.weights[-2::-1], acts[:0:-1]):
            g = (g * (1 - a**2)) @ w.T
        return encode_gradient(thickness, g)

    def save(self, path):
        arrays = {f"w{i}": w.astype(np.float32) for i, w in enumerate(self.weights)}
        arrays.update({f"b{i}": b.astype(np.float32) for i, b in enumerate(self.biases)})
        np.savez_compressed(path, **arrays)

    @classmethod
    def load(cls, path):
        with np.load(path) as z:
            n = len(z.files) // 2
            return cls([z[f"w{i}"].astype(float) for i in range(n)], [z[f"b{i}"].astype(float) for i in range(n)])
