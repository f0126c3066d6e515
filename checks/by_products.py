"""C3.2: what a method left behind, and what editors and systems did, by the names that such files have."""

from __future__ import annotations

import re
from collections.abc import Iterator

from checks.model import Finding
from checks.package import DATA, DESCRIPTION, CheckedPackage
from checks.registry import check

FOLDERS = {
    "results", "result", "outputs", "output", "predictions", "prediction", "preds", "logs", "log", "checkpoints",
    "checkpoint", "ckpt", "ckpts", "wandb", "lightning_logs", "mlruns", "tensorboard", "saved_models", "figures",
}  # fmt: skip
CACHES = {
    "__pycache__", ".git", ".svn", ".hg", ".ipynb_checkpoints", ".vscode", ".idea", ".pytest_cache", ".mypy_cache",
    ".ruff_cache", ".cache", "node_modules", "__MACOSX", ".venv", ".dvc", ".tox", ".eggs",
}  # fmt: skip
BY_PRODUCTS = re.compile(
    r"(?:results?|outputs?|scores?)(?:[_-]?\d+)?\.\w+|results?[_-][\w-]+\.\w+|pred(?:iction)?s?(?:[_-][\w-]+)?\.\w+|"
    r".*\.log|nohup\.out|events\.out\.tfevents.*|slurm-\d+\.out|core(?:\.\d+)?|training_history\.\w+",
    re.IGNORECASE,
)
SYSTEM = re.compile(
    r"\.DS_Store|Thumbs\.db|desktop\.ini|\._.*|.*~|.*\.sw[op]|\.#.*|#.*#|.*\.py[co]|.*\.bak|.*\.orig|\.gitignore|\.gitattributes|\.nfs.*"
)
WEIGHTS = re.compile(
    r".*\.ckpt|(?:.*[_-])?(?:checkpoint|best|last|final|epoch\d*|model|weights)(?:[_-]?[\w-]*)?\.(?:pth?|pkl|h5|hdf5|bin|safetensors|joblib|onnx)",
    re.IGNORECASE,
)


@check("C3.2")
def by_products(package: CheckedPackage) -> Iterator[Finding]:
    """There is no by-product of the method in problem/data or evaluation, and no cache or editor's file anywhere.

    Results, outputs, predictions, logs and checkpoints of the authors tell the answer or how it was found. Weights of
    models that data_description.md declares as pretrained or external are excepted.

    Passes: problem/data/a/train.csv; esm2.pt, described as external pretrained weights.
    Fails: problem/data/a/predictions.csv, results/, best_model.pth, train.log, __pycache__, .git, .DS_Store.
    Warns: a folder of figures.
    Mend: remove it; 'naturegym check suppress' where it is the data itself.
    """
    told: set[str] = set()
    for name, entry in package.entries.items():
        folder = entry.kind == "folder"
        if name.rpartition("/")[0] in told:  # entries come in order: a folder before what is in it
            told |= {name} if folder else set()
            continue
        for finding in _by_product(package, name, folder=folder):
            told |= {name} if folder else set()
            yield finding


def is_litter(name: str, *, folder: bool) -> bool:
    """Whether a file or folder of that name is a cache, or what an editor or a system left: of use to no package."""
    return name in CACHES or (not folder and SYSTEM.fullmatch(name) is not None)


def _by_product(package: CheckedPackage, name: str, *, folder: bool) -> Iterator[Finding]:
    own = name.rpartition("/")[2]
    side = name.startswith((f"{DATA}/", "evaluation/"))
    if is_litter(own, folder=folder):
        yield Finding(file=name, text=own, message="is a cache, or a file of an editor or a system", hint="Remove it.")
    elif not side:
        return
    elif folder:
        if own.casefold() in FOLDERS and name.count("/") >= 3:  # an instance may be called anything
            message = f"is a folder of {own.casefold()}, a by-product of the method"
            yield Finding(
                file=name, text=own, message=message, hint="Remove it.",
                level="warn" if own.casefold() == "figures" else "fail",
            )  # fmt: skip
    elif BY_PRODUCTS.fullmatch(own):
        message = "looks like a by-product of the method"
        yield Finding(file=name, text=own, message=message, hint="Remove or rename it.")
    elif WEIGHTS.fullmatch(own) and not _declared(package, own):
        yield Finding(
            file=name, text=own, message="looks like a checkpoint of the method",
            hint=f"Remove it, or declare it in {DESCRIPTION} as external pretrained weights.",
        )  # fmt: skip


def _declared(package: CheckedPackage, name: str) -> bool:
    document = package.document(DESCRIPTION)
    for number, line in enumerate(document.lines, 1):
        if name in line:
            start = max((one.line for one in document.headings if one.line <= number), default=1)
            text = "\n".join(document.lines[start - 1 : document.end_of(number) - 1])
            if re.search(r"pre-?trained|external|foundation model|publicly available weights", text, re.IGNORECASE):
                return True
    return False
