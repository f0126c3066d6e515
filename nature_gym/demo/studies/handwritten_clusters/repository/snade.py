"""Shared-neighbour affinity diffusion embedding."""
import argparse
import os

import numpy as np
import pandas as pd
from scipy.sparse import csr_matrix, diags
from scipy.sparse.linalg import eigsh
from sklearn.cluster import KMeans

from load import here, images, settings


class SNADE:
    def __init__(self, n_clusters, sharpening=1.0, local_scales=False, floor=1e-6):
        self.n_clusters = n_clusters
        self.sharpening = sharpening
        self.local_scales = local_scales
        self.floor = floor

    def affinity(self, index, dist2, scale):
        n, k = index.shape
        rows = np.repeat(np.arange(n), k)
        if self.local_scales:
            w = np.exp(-dist2 / (scale[:, None] * scale[index]))
        else:
            w = np.exp(-dist2 / np.median(scale) ** 2)                       # eq. (1)
        W = csr_matrix((w.ravel(), (rows, index.ravel())), shape=(n, n))
        W = W.maximum(W.T)
        if self.sharpening:
            N = csr_matrix((np.ones(n * k), (rows, index.ravel())), shape=(n, n))
            shared = (N @ N.T).multiply(W > 0) / k                           # eq. (2)
            W = W.multiply(shared.power(self.sharpening)) + self.floor * W
        return W.tocsr()

    def fit_transform(self, index, dist2, scale):
        W = self.affinity(index, dist2, scale)
        d = np.asarray(W.sum(axis=1)).ravel() ** -0.5
        S = diags(d) @ W @ diags(d)
        _, E = eigsh(S, k=self.n_clusters, which="LA", v0=np.ones(len(d)), tol=1e-9)
        return E / np.linalg.norm(E, axis=1, keepdims=True)                  # eq. (3)


VARIANTS = {
    "snade": dict(),
    "no_sharpening": dict(sharpening=0),
    "local_scales": dict(local_scales=True),
}

if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--variant", choices=sorted(VARIANTS), default="snade")
    p.add_argument("--graph", default=settings["graph"]["cache"])
    p.add_argument("--name", help="name of the assignment file, if not that of the variant")
    p.add_argument("--outdir", default="results")
    a = p.parse_args()

    clusters = settings.getint("data", "clusters")
    options = dict(sharpening=settings.getfloat("snade", "sharpening"), floor=settings.getfloat("snade", "floor"))
    options.update(VARIANTS[a.variant])
    _, ids = images()
    g = np.load(here(a.graph))
    E = SNADE(clusters, **options).fit_transform(g["index"].astype(int), g["dist2"].astype(float), g["scale"].astype(float))

    name = a.name or a.variant
    table = pd.DataFrame({"sample_id": ids})
    for seed in range(settings.getint("runs", "seeds")):
        km = KMeans(clusters, n_init=settings.getint("runs", "restarts"), random_state=seed).fit(E)
        table["run%d" % seed] = km.labels_
    table.to_csv(here(os.path.join(a.outdir, "assign_%s.csv" % name)), index=False)
    if name == "snade":
        np.save(here("embeddings/snade.npy"), E.astype("float16"))
        np.savez(here("checkpoints/centroids_snade.npz"), centroids=km.cluster_centers_.astype("float32"))
