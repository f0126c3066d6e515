"""Transfer-matrix simulator for thin-film stacks at normal incidence.

Port of the characteristic-matrix recipe in Macleod, "Thin-Film Optical Filters" (5th ed., chapter 2).
Layers alternate TiO2 / SiO2, the first layer touches the air, the last one the BK7 substrate.
"""
import os

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
WAVELENGTHS = np.arange(450.0, 901.0, 10.0)  # nm
N_LAYERS = 6
D_MIN, D_MAX = 15.0, 120.0  # nm, what the coater can deposit


def refractive_index(material):
    """Tabulated index on the simulator's grid (see simulator/nk/SOURCE.txt)."""
    table = np.loadtxt(os.path.join(HERE, "nk", material + ".csv"), delimiter=",", skiprows=1)
    return np.interp(WAVELENGTHS, table[:, 0], table[:, 1])


N_TIO2 = refractive_index("TiO2")
N_SIO2 = refractive_index("SiO2")
N_BK7 = refractive_index("BK7")
PHASE = 2 * np.pi / WAVELENGTHS
INDEX = [N_TIO2 if j % 2 == 0 else N_SIO2 for j in range(N_LAYERS)]


def reflectance(thickness):
    """thickness: (batch, layers) in nm -> reflectance (batch, wavelengths)."""
    d = np.atleast_2d(np.asarray(thickness, dtype=float))
    # [B, C] = product of layer matrices times [1, n_substrate]; start at the substrate.
    # Without absorption cos and n sin are real, and real arithmetic is twice as fast.
    br, bi = np.ones((d.shape[0], WAVELENGTHS.size)), 0.0
    cr, ci = br * N_BK7, 0.0
    for j in range(d.shape[1] - 1, -1, -1):
        n = INDEX[j]
        delta = d[:, j : j + 1] * (n * PHASE)
        cos, sin = np.cos(delta), np.sin(delta)
        over, times = sin / n, sin * n
        br, bi, cr, ci = cos * br - over * ci, cos * bi + over * cr, cos * cr - times * bi, cos * ci + times * br
    return ((br - cr) ** 2 + (bi - ci) ** 2) / ((br + cr) ** 2 + (bi + ci) ** 2)


def band_error(spectrum, target):
    """Mean absolute deviation from the wanted reflectance inside the bands of one target."""
    total, count = 0.0, 0
    for band in target["bands"]:
        inside = (WAVELENGTHS >= band["from_nm"]) & (WAVELENGTHS <= band["to_nm"])
        total = total + np.abs(spectrum[..., inside] - band["reflectance"]).sum(axis=-1)
        count += int(inside.sum())
    return total / count


class Counter:
    """Counts simulator calls, so that every method gets the same budget."""

    def __init__(self, target, budget):
        self.target, self.budget, self.calls = target, budget, 0

    @property
    def left(self):
        return self.budget - self.calls

    def __call__(self, thickness):
        d = np.atleast_2d(thickness)
        self.calls += d.shape[0]
        return band_error(reflectance(np.clip(d, D_MIN, D_MAX)), self.target)
