import os
import sys

import pandas as pd
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.decomposition import PCA
from sklearn.mixture import GaussianMixture

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from load import here, images, settings

k = settings.getint("data", "clusters")
seeds = range(settings.getint("runs", "seeds"))
restarts = settings.getint("runs", "restarts")
X, ids = images()
P = PCA(20, random_state=0).fit_transform(X)


def save(name, runs):
    table = pd.DataFrame({"sample_id": ids})
    for s, z in enumerate(runs):
        table["run%d" % s] = z
    table.to_csv(here("results/assign_%s.csv" % name), index=False)


save("kmeans", [KMeans(k, n_init=restarts, random_state=s).fit_predict(X) for s in seeds])
save("pca_kmeans", [KMeans(k, n_init=restarts, random_state=s).fit_predict(P) for s in seeds])
save("gmm", [GaussianMixture(k, covariance_type="tied", n_init=2, random_state=s).fit_predict(P) for s in seeds])
save("ward", [AgglomerativeClustering(k, linkage="ward").fit_predict(X)])
