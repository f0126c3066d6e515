import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.svm import SVC


class PlattSVM(ClassifierMixin, BaseEstimator):
    """RBF support vector machine with Platt scaling on cross-validated margins."""

    def __init__(self, C=1.0):
        self.C = C

    def fit(self, X, y):
        folds = StratifiedKFold(5, shuffle=True, random_state=0)
        margin = cross_val_predict(SVC(C=self.C), X, y, cv=folds, method="decision_function")
        self.platt_ = LogisticRegression(C=1e6).fit(margin[:, None], y)
        self.svm_ = SVC(C=self.C).fit(X, y)
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return self.platt_.predict_proba(self.svm_.decision_function(X)[:, None])
