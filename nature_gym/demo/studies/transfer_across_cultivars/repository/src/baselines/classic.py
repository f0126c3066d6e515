"""Baselines: four classifiers without adaptation, CORAL, and EPO (projection, then SVM)."""
import numpy as np
from scipy.linalg import sqrtm
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

PLAIN = {
    "knn": lambda seed: KNeighborsClassifier(5),
    "svm": lambda seed: SVC(C=10, gamma="scale", random_state=seed),
    "rf": lambda seed: RandomForestClassifier(300, random_state=seed),
    "lda": lambda seed: LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto"),
}


def plain(name, x, y, batch, seed):
    return PLAIN[name](seed).fit(x, y).predict(batch)


def coral(x, y, batch, seed, regularisation=1.0):
    """Sun et al. 2016: re-colour the source with the covariance and mean of the batch, then train."""
    eye = regularisation * np.eye(x.shape[1])
    a, b = np.cov(x.T) + eye, np.cov(batch.T) + eye
    moved = (x - x.mean(0)) @ np.real(np.linalg.inv(sqrtm(a)) @ sqrtm(b)) + batch.mean(0)
    return plain("svm", moved, y, batch, seed)


def epo(x, y, batch, seed, axes, base="svm"):
    """Roger et al. 2003: external parameter orthogonalisation, then an ordinary classifier."""
    q, _ = np.linalg.qr(axes.T)
    p = np.eye(x.shape[1]) - q @ q.T
    return plain(base, x @ p, y, batch @ p, seed)
