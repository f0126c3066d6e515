"""Pixel cosine, PCA and Zernike moments: rank by cosine distance."""
import numpy as np
from sklearn.decomposition import PCA

from glyphrank import ROOT
from glyphrank.landmarks import unit
from glyphrank.runs import write_run
from glyphrank.split import noisy_queries, parts

data = parts()
train, gallery, query = data["train"], data["gallery"], data["query"]
noisy_ids, noisy = noisy_queries()

pca = PCA(30, random_state=0).fit(train.X)
with np.load(ROOT / "external" / "zernike_8x8.npz") as f:
    basis = f["basis"]          # 64 x 28, cosine and sine parts up to order 6
methods = {
    "pixel_cosine": lambda X: X,
    "pca": pca.transform,
    "zernike": lambda X: X @ basis,
}
for name, embed in methods.items():
    G = unit(embed(gallery.X))
    for condition, ids, X in (("clean", query.ids, query.X), ("noisy", noisy_ids, noisy)):
        order = np.argsort(-(unit(embed(X)) @ G.T).round(9), axis=1, kind="stable")[:, :10]
        write_run(name, condition, ids, gallery.ids, order)
