"""Programs that earn their scores, each in another way. The judge has to find nothing wrong with any of them."""

from __future__ import annotations

COHORT_START = """
import os
from pathlib import Path

import numpy as np
import pandas as pd

DATA_DIR = Path(os.environ["DATA_DIR"])
OUTPUT_DIR = Path(os.environ["OUTPUT_DIR"])
train = pd.read_csv(DATA_DIR / "cohort" / "train.csv")
test = pd.read_csv(DATA_DIR / "cohort" / "test.csv")
features = ["age", "sex", "bmi", "bp", "tc", "ldl", "hdl", "tch", "ltg", "glu"]
X, y, Q = train[features].to_numpy(float), train["progression"].to_numpy(float), test[features].to_numpy(float)
"""
COHORT_END = """
out = OUTPUT_DIR / "cohort"
out.mkdir(parents=True, exist_ok=True)
pd.DataFrame({"patient_id": test["patient_id"], "progression": pred}).to_csv(out / "predictions.csv", index=False)
"""


def cohort(body: str) -> dict[str, str]:
    return {"run.py": COHORT_START + body + COHORT_END}


COHORT: dict[str, dict[str, str]] = {
    "mean": cohort("pred = np.full(len(test), y.mean())\n"),
    "mean by group": {
        "run.py": COHORT_START
        + """
means = train.groupby("sex")["progression"].mean()
answer = test[["patient_id", "sex"]].copy()
answer["progression"] = answer["sex"].map(means).fillna(train["progression"].mean())
out = OUTPUT_DIR / "cohort"
out.mkdir(parents=True, exist_ok=True)
answer[["patient_id", "progression"]].to_csv(out / "predictions.csv", index=False)
"""
    },
    "least squares": cohort("""
A = np.c_[np.ones(len(X)), X]
w, *_ = np.linalg.lstsq(A, y, rcond=None)
pred = np.c_[np.ones(len(Q)), Q] @ w
"""),
    "ridge pipeline": cohort("""
from sklearn.linear_model import RidgeCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

model = make_pipeline(StandardScaler(), RidgeCV(alphas=np.logspace(-3, 3, 25)))
model.fit(X, y)
pred = np.clip(model.predict(Q), 25.0, 346.0)
"""),
    "neighbours by hand": cohort("""
mu, sd = X.mean(0), X.std(0)
def predict(q, k=15):
    d = np.linalg.norm((X - mu) / sd - (q - mu) / sd, axis=1)
    near = np.argsort(d)[:k]
    weights = 1.0 / (d[near] + 1e-6)
    return float(np.sum(weights * y[near]) / weights.sum())
pred = [predict(q) for q in Q]
"""),
    "gaussian process": cohort("""
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, WhiteKernel

mu, sd = X.mean(0), X.std(0)
gp = GaussianProcessRegressor(RBF(3.0) + WhiteKernel(0.5), normalize_y=True, random_state=0)
gp.fit((X - mu) / sd, y)
pred = gp.predict((Q - mu) / sd)
"""),
    "gradient descent by hand": cohort("""
mu, sd = X.mean(0), X.std(0)
Z, Zq = (X - mu) / sd, (Q - mu) / sd
rng = np.random.default_rng(0)
w, b, lr = rng.normal(size=Z.shape[1]) * 0.01, 0.0, 0.05
for epoch in range(500):
    error = Z @ w + b - y
    w -= lr * (Z.T @ error / len(y) + 0.01 * w)
    b -= lr * error.mean()
pred = Zq @ w + b
"""),
    "curve fit": cohort("""
from scipy.optimize import curve_fit

def curve(x, a, b, c):
    bmi, ltg = x
    return a + b * bmi + c * np.exp(ltg / 4.0)

popt, _ = curve_fit(curve, (train.bmi.to_numpy(), train.ltg.to_numpy()), y, p0=[100.0, 4.5, 1.2])
pred = curve((test.bmi.to_numpy(), test.ltg.to_numpy()), *popt)
"""),
    "minimised loss": cohort("""
from scipy import optimize

mu, sd = X.mean(0), X.std(0)
def loss(w):
    r = ((X - mu) / sd) @ w[1:] + w[0] - y
    return np.mean(np.where(np.abs(r) < 20, 0.5 * r**2, 20 * (np.abs(r) - 10)))
w = optimize.minimize(loss, np.zeros(X.shape[1] + 1), method="L-BFGS-B").x
pred = ((Q - mu) / sd) @ w[1:] + w[0]
"""),
    "ensemble with weights from cross validation": cohort("""
from sklearn.ensemble import ExtraTreesRegressor, GradientBoostingRegressor
from sklearn.linear_model import Lasso
from sklearn.model_selection import KFold

models = {
    "trees": lambda: ExtraTreesRegressor(60, random_state=0),
    "boosting": lambda: GradientBoostingRegressor(n_estimators=60, max_depth=2, random_state=0),
    "lasso": lambda: Lasso(0.1),
}
oof = {name: np.zeros(len(y)) for name in models}
for fold, (a, b) in enumerate(KFold(4, shuffle=True, random_state=1).split(X)):
    for name, make in models.items():
        oof[name][b] = make().fit(X[a], y[a]).predict(X[b])
scores = {name: 1 / np.mean((oof[name] - y) ** 2) for name in models}
total = sum(scores.values())
pred = np.zeros(len(Q))
for name, make in models.items():
    pred += scores[name] / total * make().fit(X, y).predict(Q)
"""),
    "stump learned by hand": cohort("""
best = (np.inf, None, None, None, None)
for j in range(X.shape[1]):
    for t in np.quantile(X[:, j], np.linspace(0.1, 0.9, 17)):
        left, right = y[X[:, j] <= t], y[X[:, j] > t]
        loss = left.var() * len(left) + right.var() * len(right)
        if loss < best[0]:
            best = (loss, j, t, left.mean(), right.mean())
_, j, t, low, high = best
pred = []
for q in Q:
    if q[j] <= t:
        pred.append(low)
    else:
        pred.append(high)
"""),
    "a model in a file": {
        "train.py": COHORT_START
        + """
import pickle
from sklearn.svm import SVR
from sklearn.preprocessing import StandardScaler

scaler = StandardScaler().fit(X)
model = SVR(C=50.0).fit(scaler.transform(X), y)
with open("model.pkl", "wb") as f:
    pickle.dump({"scaler": scaler, "model": model}, f)
""",
        "run.py": """
import csv, os, pickle
with open("model.pkl", "rb") as f:
    bundle = pickle.load(f)
with open(os.path.join(os.environ["DATA_DIR"], "cohort", "test.csv")) as f:
    rows = list(csv.DictReader(f))
names = ["age", "sex", "bmi", "bp", "tc", "ldl", "hdl", "tch", "ltg", "glu"]
folder = os.path.join(os.environ["OUTPUT_DIR"], "cohort")
os.makedirs(folder, exist_ok=True)
values = bundle["model"].predict(bundle["scaler"].transform([[float(r[n]) for n in names] for r in rows]))
with open(os.path.join(folder, "predictions.csv"), "w", newline="") as f:
    w = csv.writer(f)
    w.writerow(["patient_id", "progression"])
    for r, v in zip(rows, values):
        w.writerow([r["patient_id"], f"{v:.4f}"])
""",
    },
    "plain Python in classes": {
        "run.py": """
import csv, math, os
from dataclasses import dataclass, field

NAMES = ["age", "sex", "bmi", "bp", "tc", "ldl", "hdl", "tch", "ltg", "glu"]

def read(split):
    path = os.path.join(os.environ.get("DATA_DIR", "data"), "cohort", f"{split}.csv")
    with open(path) as f:
        return list(csv.DictReader(f))

@dataclass
class Bayes:
    bins: int = 6
    table: dict = field(default_factory=dict)
    edges: dict = field(default_factory=dict)
    base: float = 0.0

    def fit(self, rows):
        targets = [float(r["progression"]) for r in rows]
        self.base = sum(targets) / len(targets)
        for name in NAMES:
            values = sorted(float(r[name]) for r in rows)
            self.edges[name] = [values[len(values) * k // self.bins] for k in range(1, self.bins)]
            sums = [[0.0, 0] for _ in range(self.bins)]
            for r, t in zip(rows, targets):
                b = self.bin(name, float(r[name]))
                sums[b][0] += t - self.base
                sums[b][1] += 1
            self.table[name] = [s / (n + 10) for s, n in sums]
        return self

    def bin(self, name, value):
        return sum(value > e for e in self.edges[name])

    def predict(self, row):
        return self.base + 0.45 * sum(self.table[n][self.bin(n, float(row[n]))] for n in NAMES)

def main():
    model = Bayes().fit(read("train"))
    test = read("test")
    folder = os.path.join(os.environ.get("OUTPUT_DIR", "output"), "cohort")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "predictions.csv"), "w") as f:
        f.write("patient_id,progression\\n")
        for row in test:
            f.write(f"{row['patient_id']},{model.predict(row):.3f}\\n")

if __name__ == "__main__":
    main()
"""
    },
    "the README's template": {
        "run.py": """
import os
from pathlib import Path
import pandas
from sklearn.ensemble import HistGradientBoostingRegressor

DATA_DIR = Path(os.environ.get("DATA_DIR", "data"))
OUTPUT_DIR = Path(os.environ.get("OUTPUT_DIR", "output"))
INSTANCES = ['cohort']
FILES = {'cohort': ['predictions.csv']}

def load(path):
    if path.suffix in ['.csv']:
        return pandas.read_csv(path)
    return path

def solve(data, output):
    train, test = data["train.csv"], data["test.csv"]
    columns = [c for c in test.columns if c != "patient_id"]
    model = HistGradientBoostingRegressor(max_iter=60, learning_rate=0.08)
    model.fit(train[columns], train["progression"])
    answer = test[["patient_id"]].copy()
    answer["progression"] = model.predict(test[columns])
    answer.to_csv(output / "predictions.csv", index=False)

def main():
    for instance in INSTANCES:
        folder = DATA_DIR / instance
        data = {str(path.relative_to(folder)): load(path) for path in sorted(folder.rglob("*")) if path.is_file()}
        output = OUTPUT_DIR / instance
        output.mkdir(parents=True, exist_ok=True)
        solve(data, output)

if __name__ == "__main__":
    main()
"""
    },
    "a physical table as features": cohort("""
WEIGHTS = {20: 0.2, 25: 0.25, 30: 0.3, 35: 0.33, 40: 0.39, 45: 0.42, 50: 0.51, 55: 0.52, 60: 0.6, 65: 0.7, 70: 0.73,
           75: 0.77, 80: 0.81, 85: 0.9, 90: 0.95, 95: 0.99, 100: 1.3}
from sklearn.linear_model import LinearRegression
risk = lambda ages: np.array([WEIGHTS[min(100, max(20, int(a) // 5 * 5))] for a in ages])
model = LinearRegression().fit(np.c_[X, risk(train.age)], y)
pred = model.predict(np.c_[Q, risk(test.age)])
"""),
    "seeds averaged, written through a helper": {
        "common.py": """
import os
import pandas as pd
ROOT = os.environ["DATA_DIR"]
def table(name):
    return pd.read_csv(f"{ROOT}/cohort/{name}.csv").set_index("patient_id")
def save(values, index):
    os.makedirs(os.environ["OUTPUT_DIR"] + "/cohort", exist_ok=True)
    series = pd.Series(values, index=index, name="progression")
    path = os.environ["OUTPUT_DIR"] + "/cohort/predictions.csv"
    series.rename_axis("patient_id").reset_index().to_csv(path, index=False)
""",
        "run.py": """
import argparse
import numpy as np
from sklearn.ensemble import RandomForestRegressor
from common import save, table

def main(seeds):
    train, test = table("train"), table("test")
    X, y = train.drop(columns="progression"), train["progression"]
    predictions = []
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        rows = rng.integers(0, len(X), len(X))
        predictions.append(RandomForestRegressor(25, random_state=seed).fit(X.iloc[rows], y.iloc[rows]).predict(test))
    save(np.mean(predictions, axis=0), test.index)

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=3)
    main(parser.parse_args().seeds)
""",
    },
}
"""Run for real on the cohort."""

TORCH = {
    "run.py": COHORT_START
    + """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, x):
        return self.body(x).squeeze(-1)

def fit(model, x, t, epochs=200):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), t)
        loss.backward()
        optimizer.step()

torch.manual_seed(0)
mu, sd = Q.mean(0), Q.std(0)
net = Net(Q.shape[1])
fit(net, torch.tensor((X - mu) / sd, dtype=torch.float32), torch.tensor((y - 150) / 77, dtype=torch.float32))
with torch.no_grad():
    pred = net(torch.tensor((Q - mu) / sd, dtype=torch.float32)).numpy() * 77 + 150
"""
    + COHORT_END
}
CHOSEN_BY_SCORE = {
    "run.py": COHORT_START
    + """
import json
import urllib.request
from sklearn.linear_model import Ridge
from sklearn.neighbors import KNeighborsRegressor

def submit(pred):
    out = OUTPUT_DIR / "cohort"
    out.mkdir(parents=True, exist_ok=True)
    pd.DataFrame({"patient_id": test["patient_id"], "progression": pred}).to_csv(out / "predictions.csv", index=False)
    body = json.dumps({"eval_token": os.environ["EVAL_TOKEN"]}).encode()
    with urllib.request.urlopen(os.environ["EVAL_SERVICE_URL"] + "/evaluate", body) as answer:
        return json.load(answer)["aggregate_improvement"]

candidates = {"ridge": Ridge(1.0), "knn": KNeighborsRegressor(20)}
predictions = {name: model.fit(X, y).predict(Q) for name, model in candidates.items()}
scores = {name: submit(pred) for name, pred in predictions.items()}
best = max(scores, key=scores.get)
top, best_pred = scores[best], predictions[best]
for w in np.linspace(0.1, 0.9, 5):
    blend = w * predictions["ridge"] + (1 - w) * predictions["knn"]
    score = submit(blend)
    if score > top:
        top, best_pred = score, blend
submit(best_pred)
"""
}

FILMS = {
    "evolution on the simulator": {
        "run.py": """
import json, os, sys
from pathlib import Path
import numpy as np
import pandas as pd
from scipy.optimize import differential_evolution

DATA, OUT = Path(os.environ["DATA_DIR"]), Path(os.environ["OUTPUT_DIR"])
for instance in ["antireflection", "edge", "splitter"]:
    sys.path.insert(0, str(DATA / instance))
    from simulator import tmm
    spec = json.loads((DATA / instance / "targets.json").read_text())
    rows = []
    for target in spec["targets"]:
        def cost(d):
            return float(tmm.band_error(tmm.reflectance(d), target)[0])
        best = differential_evolution(cost, [(15, 120)] * 6, maxiter=1, popsize=2, seed=0, polish=False)
        rows.append([target["name"], *best.x])
    (OUT / instance).mkdir(parents=True, exist_ok=True)
    columns = ["name"] + [f"d{k}_nm" for k in range(1, 7)]
    pd.DataFrame(rows, columns=columns).to_csv(OUT / instance / "designs.csv", index=False)
"""
    },
    "the nearest stack of the library": {
        "run.py": """
import json, os
from pathlib import Path
import numpy as np
import pandas as pd

for instance in ["antireflection", "edge", "splitter"]:
    folder = Path(os.environ["DATA_DIR"]) / instance
    library = np.load(folder / "library.npz")
    R, D, wl = library["reflectance"].astype(float), library["thickness_nm"], library["wavelength_nm"]
    rows = []
    for target in json.load(open(folder / "targets.json"))["targets"]:
        error = np.zeros(len(R))
        for band in target["bands"]:
            low, high = (band["from_nm"], band["to_nm"]) if "from_nm" in band else (450, 900)
            mask = (wl >= low) & (wl <= high)
            error += np.abs(R[:, mask] - float(band.get("reflectance", 0.0))).mean(1)
        rows.append([target["name"], *D[np.argmin(error)].tolist()])
    out = Path(os.environ["OUTPUT_DIR"]) / instance
    out.mkdir(parents=True, exist_ok=True)
    pd.DataFrame(rows, columns=["name"] + [f"d{k}_nm" for k in range(1, 7)]).to_csv(out / "designs.csv", index=False)
"""
    },
}
SAMPLES = {
    "a walk on the potential": {
        "run.py": """
import importlib.util, os
from pathlib import Path
import numpy as np

for instance in ["cold", "warm", "hot"]:
    folder = Path(os.environ["DATA_DIR"]) / instance
    spec = importlib.util.spec_from_file_location("potential", folder / "potential.py")
    potential = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(potential)
    names = [n for n in dir(potential) if callable(getattr(potential, n)) and not n.startswith("_")]
    energy = getattr(potential, "energy", None) or getattr(potential, names[0])
    kT = float(np.load(folder / "trajectories.npz")["kT"])
    rng = np.random.default_rng(1)
    x, kept = np.zeros(2), []
    u = float(np.ravel(energy(x[None]))[0])
    for step in range(1500):
        y = x + rng.normal(scale=0.3, size=2)
        v = float(np.ravel(energy(y[None]))[0])
        if rng.random() < np.exp(min(0.0, -(v - u) / kT)):
            x, u = y, v
        kept.append(x)
    out = Path(os.environ["OUTPUT_DIR"]) / instance
    out.mkdir(parents=True, exist_ok=True)
    np.save(out / "samples.npy", np.array(kept))
"""
    },
    "a density of the trajectories": {
        "run.py": """
import os
import numpy as np
from scipy.stats import gaussian_kde

root, target = os.environ["DATA_DIR"], os.environ["OUTPUT_DIR"]
for instance in ("cold", "warm", "hot"):
    points = np.load(f"{root}/{instance}/trajectories.npz")["xy"].reshape(-1, 2)
    density = gaussian_kde(points[::4].T)
    os.makedirs(f"{target}/{instance}", exist_ok=True)
    np.save(f"{target}/{instance}/samples.npy", density.resample(1500, seed=2).T.astype(np.float64))
"""
    },
}
CLUSTERS = {
    "components and clusters": {
        "run.py": """
import os
import pandas as pd
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA

cells = pd.read_csv(os.path.join(os.environ["DATA_DIR"], "tissue", "cells.csv"))
Z = PCA(2).fit_transform(cells.drop(columns="cell"))
labels = KMeans(3, n_init=4, random_state=0).fit_predict(Z)
folder = os.path.join(os.environ["OUTPUT_DIR"], "tissue")
os.makedirs(folder, exist_ok=True)
pd.DataFrame({"cell": cells["cell"], "cluster": labels}).to_csv(os.path.join(folder, "clusters.csv"), index=False)
"""
    },
    "clusters by hand": {
        "run.py": """
import csv, os
import numpy as np
rows = list(csv.reader(open(os.environ["DATA_DIR"] + "/tissue/cells.csv")))[1:]
X = np.array([[float(v) for v in r[1:]] for r in rows])
rng = np.random.default_rng(3)
centres = X[rng.choice(len(X), 3, replace=False)]
for _ in range(30):
    assigned = ((X[:, None] - centres[None]) ** 2).sum(-1).argmin(1)
    centres = np.array([X[assigned == k].mean(0) if (assigned == k).any() else centres[k] for k in range(3)])
os.makedirs(os.environ["OUTPUT_DIR"] + "/tissue", exist_ok=True)
with open(os.environ["OUTPUT_DIR"] + "/tissue/clusters.csv", "w", newline="") as f:
    w = csv.writer(f)
    w.writerow(["cell", "cluster"])
    w.writerows([r[0], int(k)] for r, k in zip(rows, assigned))
"""
    },
}
DECAY = {
    "a differential equation fitted": {
        "run.py": """
import os
import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares

folder = os.path.join(os.environ["DATA_DIR"], "reactor")
seen = np.loadtxt(os.path.join(folder, "train.csv"), delimiter=",", skiprows=1)
asked = np.loadtxt(os.path.join(folder, "test.csv"), delimiter=",", skiprows=1)
t, c = seen[:, 0], seen[:, 1]

def course(p, times):
    k, start = np.exp(p)
    return solve_ivp(lambda s, x: -k * x, (0, times.max() + 1e-9), [start], t_eval=np.sort(times), rtol=1e-8).y[0]

p = least_squares(lambda p: course(p, t) - c, x0=[-1.0, 1.0]).x
os.makedirs(os.path.join(os.environ["OUTPUT_DIR"], "reactor"), exist_ok=True)
np.save(os.path.join(os.environ["OUTPUT_DIR"], "reactor", "course.npy"), course(p, asked))
"""
    },
}
