"""Fits models to one target, by cross-validation, and blends them.

Runs inside a box. The idea: a handful of unlike models (linear, additive, kernel, trees) are judged on the same folds;
the blend is chosen greedily on predictions that no model made of rows it had seen (Caruana et al., ICML 2004,
doi 10.1145/1015330.1015432). What answers is the mean of the models that the folds made: a seed draws the folds, so
the spread over seeds shows how much the choice of rows matters.
"""

from __future__ import annotations

import os
import sys
import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nature_gym.agents.solvers.tables import Array

Make = Callable[[int], Any]
Score = Callable[[Array], float]
"""Of predictions: higher is better."""
BLEND_STEPS = 25
MOST_ROWS = 200_000
SMALL = 4_000
TINY = 700


@dataclass(slots=True)
class Fitted:
    """Models of one target. ``predict`` gives values (rows,), or probabilities (rows, classes) where there are classes.

    ``scores``: name -> cross-validated score, higher is better, the best first; ``blend`` is one of them.
    """

    classes: Array | None
    scores: dict[str, float] = field(default_factory=dict)
    models: dict[str, list[Any]] = field(default_factory=dict)
    weights: dict[str, float] = field(default_factory=dict)
    held_out: Array | None = None
    """The blend's predictions of the training rows, each by models that had not seen it."""

    def predict(self, name: str, inputs: Array) -> Array:
        """Predictions of a model, or of the blend."""
        if name == "blend":
            return sum(weight * self.predict(one, inputs) for one, weight in self.weights.items())
        return np.mean([_values(one, inputs, self.classes) for one in self.models[name]], axis=0)


def fit(inputs: Array, target: Array, classes: Array | None, score_of: Callable[[Array], Score], seed: int,
        seconds: float) -> Fitted:  # fmt: skip
    """Fit what fits into ``seconds``. ``target`` is floats, or indices of ``classes``.

    ``score_of`` makes a score from the true values. The first model is always fitted.
    """
    began = time.monotonic()
    generator = np.random.default_rng(seed)
    if len(inputs) > MOST_ROWS:
        chosen = np.sort(generator.choice(len(inputs), MOST_ROWS, replace=False))
        inputs, target = inputs[chosen], target[chosen]
    score = score_of(target)
    fitted, guesses = Fitted(classes), dict[str, Array]()
    parts = folds(target, classes, seed)
    for name, make in makers(len(inputs), inputs.shape[1], classes).items():
        if fitted.models and time.monotonic() - began > 0.6 * seconds:
            break
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # convergence and rank: the score says what came of it
                guesses[name], fitted.models[name] = _out_of_fold(make, inputs, target, classes, parts, seed)
        except (ValueError, np.linalg.LinAlgError) as error:
            sys.stderr.write(f"{name}: {error}\n")
            guesses.pop(name, None)
            continue
        fitted.scores[name] = score(guesses[name])
    fitted.weights = blend(guesses, score)
    fitted.held_out = sum(weight * guesses[name] for name, weight in fitted.weights.items())
    fitted.scores["blend"] = score(fitted.held_out)
    fitted.scores = dict(sorted(fitted.scores.items(), key=lambda one: -one[1]))
    return fitted


def blend(guesses: Mapping[str, Array], score: Score) -> dict[str, float]:
    """Weights of models, by adding one after another (with repetition) as long as the score rises."""
    chosen: list[str] = []
    total: Array = 0.0
    best = -np.inf
    for _ in range(BLEND_STEPS):
        tried = {name: score((total + one) / (len(chosen) + 1)) for name, one in guesses.items()}
        name = max(tried, key=lambda one: tried[one])
        if tried[name] <= best + 1e-12:
            break
        best = tried[name]
        chosen.append(name)
        total = total + guesses[name]
    return {name: chosen.count(name) / len(chosen) for name in dict.fromkeys(chosen)}


def folds(target: Array, classes: Array | None, seed: int) -> list[tuple[Array, Array]]:
    """Rows to fit and rows to predict, each row predicted once."""
    from sklearn.model_selection import KFold, StratifiedKFold

    count = 5 if len(target) < 20_000 else 3
    if classes is not None and np.bincount(target).min() >= count:
        return list(StratifiedKFold(count, shuffle=True, random_state=seed).split(target, target))
    return list(KFold(min(count, len(target)), shuffle=True, random_state=seed).split(target))


def _out_of_fold(
    make: Make, inputs: Array, target: Array, classes: Array | None, parts: list[tuple[Array, Array]], seed: int
) -> tuple[Array, list[Any]]:
    """Predictions of each row by the model that had not seen it, and the models."""
    found = np.zeros(len(target) if classes is None else (len(target), len(classes)))
    models = []
    for into, out in parts:
        models.append(make(seed).fit(inputs[into], target[into]))
        found[out] = _values(models[-1], inputs[out], classes)
    if not np.isfinite(found).all():
        raise ValueError("predictions that are no numbers")
    return found, models


def _values(model: Any, inputs: Array, classes: Array | None) -> Array:
    """Predictions; probabilities with a column for every class, also for one that the model never saw."""
    if classes is None:
        return model.predict(inputs)
    found = np.zeros((len(inputs), len(classes)))
    found[:, np.asarray(model.classes_, int)] = model.predict_proba(inputs)
    return found


def makers(rows: int, width: int, classes: Array | None) -> dict[str, Make]:
    """Models that suit a table of this size, the cheap ones first."""
    found = _regressors(rows, width) if classes is None else _classifiers(rows, len(classes))
    return {name: make for name, make in found.items() if make is not None}


def jobs(rows: int) -> int:
    """Threads of a forest: one where starting them would take longer than the fit."""
    return 1 if rows < SMALL else len(os.sched_getaffinity(0))


def _scaled(*steps: Any) -> Any:
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), StandardScaler(), *steps)


def _regressors(rows: int, width: int) -> dict[str, Make | None]:
    from sklearn.compose import TransformedTargetRegressor
    from sklearn.ensemble import ExtraTreesRegressor, HistGradientBoostingRegressor
    from sklearn.gaussian_process import GaussianProcessRegressor, kernels
    from sklearn.linear_model import RidgeCV
    from sklearn.preprocessing import PolynomialFeatures, SplineTransformer, StandardScaler
    from sklearn.svm import SVR

    alphas = np.logspace(-3, 5, 25)

    def process(seed: int) -> Any:
        kernel = kernels.ConstantKernel(1.0) * kernels.RBF(np.full(width, 3.0), (0.3, 1e3)) + kernels.WhiteKernel(0.1)
        return _scaled(GaussianProcessRegressor(kernel, normalize_y=True, random_state=seed))

    def boosting(leaves: int) -> Make:
        return lambda seed: HistGradientBoostingRegressor(
            learning_rate=0.05, max_iter=300, max_leaf_nodes=leaves, min_samples_leaf=10 if rows < SMALL else 20,
            l2_regularization=1.0, random_state=seed,
        )  # fmt: skip

    def kernel(_: int) -> Any:
        return _scaled(TransformedTargetRegressor(SVR(C=5.0, epsilon=0.05), transformer=StandardScaler()))

    return {
        "ridge": lambda _: _scaled(RidgeCV(alphas)),
        "splines": (lambda _: _scaled(SplineTransformer(6, 3, extrapolation="linear"), RidgeCV(alphas)))
        if width <= 60 and rows <= 50_000 else None,
        "pairs": (lambda _: _scaled(PolynomialFeatures(2), StandardScaler(), RidgeCV(alphas)))
        if width <= 30 and rows <= 20_000 else None,
        "boosting": boosting(8 if rows < SMALL else 31),
        "trees": lambda seed: _scaled(
            ExtraTreesRegressor(300 if rows < 20_000 else 80, min_samples_leaf=2, max_features=0.5, n_jobs=jobs(rows),
                                random_state=seed)
        ),
        "kernel": kernel if rows <= SMALL else None,
        "process": process if rows <= TINY and width <= 40 else None,
        "deep boosting": boosting(31 if rows < SMALL else 127) if rows >= 1_000 else None,
    }  # fmt: skip


def _classifiers(rows: int, kinds: int) -> dict[str, Make | None]:
    from sklearn.calibration import CalibratedClassifierCV
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.svm import SVC

    def boosting(leaves: int) -> Make:
        return lambda seed: HistGradientBoostingClassifier(
            learning_rate=0.06 if kinds < 4 else 0.12,
            max_iter=200 if kinds < 4 else 60,
            max_leaf_nodes=leaves,
            l2_regularization=1.0,
            random_state=seed,
            early_stopping=rows > SMALL,
        )  # fmt: skip  -- a round is a tree a class

    return {
        "logistic": lambda _: _scaled(LogisticRegression(C=0.3, max_iter=500)),
        "discriminant": lambda _: _scaled(LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto")),
        "boosting": boosting(8 if rows < SMALL else 31),
        "trees": lambda seed: _scaled(
            ExtraTreesClassifier(300 if rows < 20_000 else 80, min_samples_leaf=2, n_jobs=jobs(rows), random_state=seed)
        ),
        "neighbours": (lambda _: _scaled(KNeighborsClassifier(5, weights="distance"))) if rows <= 50_000 else None,
        "kernel": (lambda _: CalibratedClassifierCV(_scaled(SVC(C=5.0)), ensemble=False, cv=3))
        if rows <= SMALL else None,
    }  # fmt: skip
