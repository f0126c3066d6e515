import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sklearn.ensemble import GradientBoostingRegressor, RandomForestRegressor

from panora.data import arrays, load_split, write_predictions
from panora.settings import load

cfg = load(sys.argv[1:])
train, test = load_split(cfg)
(X, y), (X_test, _) = arrays(train, cfg), arrays(test, cfg)

forest = RandomForestRegressor(n_estimators=300, min_samples_leaf=3, random_state=0).fit(X, y)
write_predictions(test, forest.predict(X_test), "random_forest", cfg)

boost = GradientBoostingRegressor(max_depth=2, learning_rate=0.05, n_estimators=100, random_state=0).fit(X, y)
write_predictions(test, boost.predict(X_test), "boosting", cfg)
