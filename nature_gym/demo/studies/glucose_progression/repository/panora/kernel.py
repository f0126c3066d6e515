"""Functional ANOVA kernel: linear part, main effects, pairwise interactions."""
import numpy as np


def components(A, B, length_scale):
    """One radial kernel per input: list of (len(A), len(B)) arrays."""
    return [np.exp(-((A[:, [j]] - B[:, j][None]) ** 2) / (2 * length_scale ** 2)) for j in range(A.shape[1])]


def anova_kernel(A, B, WA, WB, length_scale, main, pair, linear):
    ks = components(WA, WB, length_scale)
    s1 = sum(ks)
    s2 = sum(k * k for k in ks)
    # Newton's identity: sum over pairs without looping over them
    return linear * (A @ B.T) + main * s1 + pair * (s1 * s1 - s2) / 2
