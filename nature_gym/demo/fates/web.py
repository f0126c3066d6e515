"""What belongs to a paper on the web: repositories, deposits and pages of the usual kinds."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping

from nature_gym.demo.model import Commit, Deposit, DepositFile, Page, Repository

GB = 10**9
MB = 10**6

COMPRESSION = {".gz": 3, ".tgz": 3, ".zip": 3, ".zst": 3, ".bz2": 5, ".xz": 5, ".7z": 5, ".lz4": 2}
"""What a compressed size is multiplied by, as in the design's rule 3.6."""

MODEL_PY = '''"""{name}: the network."""

import torch
from torch import nn


class {name}(nn.Module):
    def __init__(self, width: int = 128, depth: int = 4, outputs: int = 1):
        super().__init__()
        layers = []
        for _ in range(depth):
            layers += [nn.LazyLinear(width), nn.GELU(), nn.LayerNorm(width)]
        self.body = nn.Sequential(*layers)
        self.head = nn.Linear(width, outputs)

    def forward(self, x):
        return self.head(self.body(x))
'''

TRAIN_PY = '''"""Train {name}; see the README for the data."""

import argparse
from pathlib import Path

import torch

from model import {name}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, default=Path("data"))
    parser.add_argument("--epochs", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    train = torch.load(args.data / "train.pt")
    model = {name}()
    optimiser = torch.optim.AdamW(model.parameters(), lr=3e-4)
    for _ in range(args.epochs):
        for x, y in train:
            optimiser.zero_grad()
            loss = torch.nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimiser.step()
    torch.save(model.state_dict(), "checkpoints/{name}.pt")


if __name__ == "__main__":
    main()
'''

EVALUATE_PY = '''"""Score {name} on the test part: one line for each metric."""

import argparse
from pathlib import Path

import torch

from metrics import METRICS
from model import {name}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, default=Path("data"))
    parser.add_argument("--checkpoint", type=Path, default=Path("checkpoints/{name}.pt"))
    args = parser.parse_args()
    model = {name}()
    model.load_state_dict(torch.load(args.checkpoint))
    model.eval()
    predicted, true = [], []
    with torch.no_grad():
        for x, y in torch.load(args.data / "test.pt"):
            predicted.append(model(x))
            true.append(y)
    predicted, true = torch.cat(predicted).numpy(), torch.cat(true).numpy()
    for label, score in METRICS.items():
        print(f"{{label}}\\t{{score(true, predicted):.4f}}")


if __name__ == "__main__":
    main()
'''

FORMULAS = {
    "Accuracy": "lambda t, p: sk.accuracy_score(t, p.argmax(1))",
    "Macro F1": 'lambda t, p: sk.f1_score(t, p.argmax(1), average="macro")',
    "F1": "lambda t, p: sk.f1_score(t, p > 0)",
    "MCC": "lambda t, p: sk.matthews_corrcoef(t, p > 0)",
    "AUROC": "lambda t, p: sk.roc_auc_score(t, p)",
    "AUPRC": "lambda t, p: sk.average_precision_score(t, p)",
    "MAE": "lambda t, p: np.abs(t - p).mean()",
    "MAPE": "lambda t, p: 100 * np.abs((t - p) / t).mean()",
    "RMSE": "lambda t, p: np.sqrt(((t - p) ** 2).mean())",
    "Spearman correlation": "lambda t, p: spearmanr(t, p)[0]",
    "Variance explained": "lambda t, p: sk.r2_score(t, p)",
    "Relative L2": "lambda t, p: np.linalg.norm(t - p) / np.linalg.norm(t)",
}
"""How the usual metrics are computed, by the first part of their name."""

METRICS_PY = '''"""The metrics of the paper, as functions of true and predicted values."""

import numpy as np
from scipy.stats import spearmanr
from sklearn import metrics as sk

METRICS = {{
{lines}
}}
'''

README = """# {name}

Code of *{title}*.

## Install

    pip install -r requirements.txt

## Data

{data}

## Run

    python train.py --data data
    python evaluate.py --data data --checkpoint checkpoints/{name}.pt
"""


def author_repository(
    owner: str,
    name: str,
    *,
    title: str,
    method: str,
    published: dt.date,
    data: str,
    metrics: Iterable[str] = ("RMSE",),
    extra: Mapping[str, bytes] | None = None,
) -> Repository:
    """A small repository as authors leave it: README, network, training, evaluation.

    ``metrics`` are names as papers print them; those with an unusual formula are left out of the program.
    """
    fill = {"name": method, "title": title, "data": data}
    noon = dt.time(12, 0, tzinfo=dt.UTC)
    first = dt.datetime.combine(published - dt.timedelta(days=190), noon)
    last = dt.datetime.combine(published - dt.timedelta(days=25), noon)
    known = {name: FORMULAS[stem] for name in metrics if (stem := name.partition(" (")[0]) in FORMULAS} or {
        "RMSE": FORMULAS["RMSE"]
    }
    lines = "\n".join(f'    "{name}": {formula},' for name, formula in known.items())
    return Repository(
        owner,
        name,
        (
            Commit(
                first,
                "First version",
                {
                    "README.md": f"# {method}\n".encode(),
                    "model.py": MODEL_PY.format(**fill).encode(),
                    "train.py": TRAIN_PY.format(**fill).encode(),
                },
            ),
            Commit(
                last,
                "As submitted",
                {
                    "README.md": README.format(**fill).encode(),
                    "requirements.txt": b"torch==1.13.1\nnumpy==1.24.4\nscikit-learn==1.2.2\nscipy==1.10.1\n",
                    "evaluate.py": EVALUATE_PY.format(**fill).encode(),
                    "metrics.py": METRICS_PY.format(lines=lines).encode(),
                    "LICENSE": b"MIT License\n",
                    **(extra or {}),
                },
            ),
        ),
        description=title,
    )


def bare_repository(owner: str, name: str, *, state: str = "open") -> Repository:
    """A repository that is gone, private or empty (state), or holds no more than a README."""
    if state == "gone":
        return Repository(owner, name, (), state="gone")
    if state == "private":
        return Repository(owner, name, (), state="private")
    if state == "empty":
        return Repository(owner, name, (), state="empty", licence=None)
    when = dt.datetime(2022, 3, 1, 12, tzinfo=dt.UTC)
    return Repository(owner, name, (Commit(when, "Add README", {"README.md": f"# {name}\n".encode()}),))


def expanded(files: Iterable[DepositFile]) -> float:
    """Gigabytes of ``files`` with compressed ones multiplied as rule 3.6 says."""
    return (
        sum(
            file.size * next((factor for ending, factor in COMPRESSION.items() if file.name.endswith(ending)), 1)
            for file in files
        )
        / GB
    )


def tier(gigabytes: float) -> str:
    """``S`` below 1 GB, ``M`` up to 50 GB, ``L`` above."""
    return "S" if gigabytes < 1 else "M" if gigabytes <= 50 else "L"


def address(deposit: Deposit) -> str:
    """The address that papers print for a deposit."""
    match deposit.host:
        case "zenodo.org":
            return f"https://doi.org/10.5281/zenodo.{deposit.number}"
        case "figshare.com":
            return f"https://doi.org/10.6084/m9.figshare.{deposit.number}"
        case "huggingface.co":
            return f"https://huggingface.co/datasets/{deposit.number}"


def link(url: str) -> str:
    """A link printed as its own address."""
    return f"[{url}]({url})"


def _page(url: str, title: str, body: str, **options: object) -> Page:
    html = (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>\n'
        f"<body><main><h1>{title}</h1>\n{body}\n</main></body></html>\n"
    )
    return Page(url, body=html.encode(), **options)  # type: ignore[arg-type]


def landing_page(url: str, title: str, text: str, **options: object) -> Page:
    """An ordinary page about a data set, without files on it; ``options`` are fields of the page."""
    return _page(url, title, f"<p>{text}</p>", **options)


def sign_in_page(url: str, site: str) -> Page:
    """A page that answers 200 and shows nothing but a log-in form."""
    form = (
        '<p>You need an account to view this resource.</p>\n<form action="/login" method="post">'
        '<label>E-mail <input type="email" name="email"></label> '
        '<label>Password <input type="password" name="password"></label> <button type="submit">Sign in</button></form>'
    )
    return _page(url, f"Sign in – {site}", form)


def agreement_page(url: str, name: str) -> Page:
    """A form to be signed before anything can be had."""
    form = (
        f"<p>To obtain {name}, print the data use agreement, have it signed by a representative of your institution "
        f"and "
        'upload it here.</p>\n<form method="post" enctype="multipart/form-data"><input type="file" name="agreement">'
        '<label><input type="checkbox" name="accept"> I accept the terms of use</label>'
        '<button type="submit">Submit request</button></form>'
    )
    return _page(url, f"{name}: data use agreement", form)


def redirect(url: str, target: str) -> Page:
    """302 to ``target``."""
    return Page(url, status=302, headers={"location": target})


def missing(url: str) -> Page:
    """404, as a host says it."""
    return _page(url, "Page not found", "<p>The page you are looking for does not exist.</p>", status=404)
