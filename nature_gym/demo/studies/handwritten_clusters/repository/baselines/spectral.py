import os
import sys

import pandas as pd
from sklearn.cluster import SpectralClustering

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from load import here, images, settings

X, ids = images()
out = pd.DataFrame({"sample_id": ids})
for s in range(settings.getint("runs", "seeds")):
    model = SpectralClustering(settings.getint("data", "clusters"), affinity="nearest_neighbors",
                               n_neighbors=settings.getint("graph", "neighbours"), random_state=s,
                               n_init=settings.getint("runs", "restarts"))
    out["run%d" % s] = model.fit_predict(X)
out.to_csv(here("results/assign_spectral.csv"), index=False)
