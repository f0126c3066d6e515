"""All baselines of Table 2, standardised inputs, settings as in the Methods."""
import os
import sys

import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
from logit_committee.io import load_table

from platt_svm import PlattSVM

MODELS = {
    "naive_bayes": GaussianNB(),
    "knn": KNeighborsClassifier(n_neighbors=9),
    "random_forest": RandomForestClassifier(n_estimators=300, random_state=0),
    "logistic_regression": LogisticRegression(C=1.0, max_iter=5000),
    "svm": PlattSVM(C=1.0),
}

_, X, y = load_table("train")
ids, X_test, _ = load_table("test")
table = pd.DataFrame({"case_id": ids})
for name, model in MODELS.items():
    pipe = make_pipeline(StandardScaler(), model).fit(X, y)
    table[name] = pipe.predict_proba(X_test)[:, 1].round(6)
    print("done", name)
table.to_csv("results/baseline_predictions.csv", index=False)
