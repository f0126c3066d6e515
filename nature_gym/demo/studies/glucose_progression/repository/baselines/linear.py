import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sklearn.linear_model import LassoCV, LinearRegression

from panora.data import arrays, load_split, standardise, write_predictions
from panora.settings import load

cfg = load(sys.argv[1:])
train, test = load_split(cfg)
(X, y), (X_test, _) = arrays(train, cfg), arrays(test, cfg)
for name, model in (("ols", LinearRegression()), ("lasso", LassoCV(cv=5))):
    model.fit(standardise(X, X), y)
    write_predictions(test, model.predict(standardise(X_test, X)), name, cfg)
