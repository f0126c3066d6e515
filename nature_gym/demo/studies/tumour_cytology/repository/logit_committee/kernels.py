import numpy as np


def member_kernel(A, B, gamma, mix):
    """Linear part + Gaussian part, both per feature so that views of different width are comparable."""
    d = ((A ** 2).sum(1)[:, None] + (B ** 2).sum(1)[None, :] - 2 * A @ B.T) / A.shape[1]
    return mix * (A @ B.T) / A.shape[1] + np.exp(-gamma * np.maximum(d, 0))
