import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sklearn.neighbors import KNeighborsRegressor

from panora.data import arrays, load_split, standardise, write_predictions
from panora.settings import load

cfg = load(sys.argv[1:])
train, test = load_split(cfg)
(X, y), (X_test, _) = arrays(train, cfg), arrays(test, cfg)
knn = KNeighborsRegressor(n_neighbors=15).fit(standardise(X, X), y)
write_predictions(test, knn.predict(standardise(X_test, X)), "knn", cfg)
