"""C3.7: the code that scores, beside the references or free to be used: whole, and nothing of the method."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from checks.following import Follower
from checks.likeness import Repository, passages
from checks.model import Finding, Level
from checks.package import DATA, EVALUATOR, TRUTH, CheckedPackage
from checks.registry import check
from checks.scorers_gone import scorers_gone
from checks.values import WILD, matching

TRAINING = {
    "backward": "a backward pass",
    "zero_grad": "a training step",
    "fit": "training",
    "fit_transform": "training",
    "partial_fit": "training",
    "train_step": "a training step",
}
COPIED, ALIKE = 0.8, 0.6
"""Parts of a function's code that stand in one of the repository: it is a copy, or may be one."""
HEADER = re.compile(
    r"copyright|spdx-license|licensed under|all rights reserved|@author|__author__|github\.com/|created by|"
    r"created on \w+ \w+ \d",
    re.IGNORECASE,
)


@check("C3.7", reads=(EVALUATOR,))
def scorers(package: CheckedPackage) -> Iterator[Finding]:
    """Scorers lie where they are needed, their imports and paths resolve, and they carry nothing of the method.

    Scripts beside the references and in problem/data are read: modules of the package that they import are there,
    files that they read relative to themselves exist, and no code trains a model. A script that a document promises in
    the data is there, and so is each module that the evaluator takes from a folder of the package. Headers of
    another code's authors and functions that nobody calls are signs of a copy. With --repository, the paper's code,
    each function of some length is compared with all of the repository's, names of variables aside; a package by
    itself does not hold the repository.

    Passes: ground_truth/a/scorer/tmm.py, imported by scorer/band_errors.py beside it.
    Fails: "from .missing import f"; loss.backward(), in evaluator.py as well; a file that the script reads and that is
    not there; "from hairpin import f" where shared/ has scorer.py alone; a function of which four fifths stand in the
    repository.
    Warns: "Copyright", "github.com" in a script's head; a class of torch.nn; .fit(); functions that nothing uses.
    Mend: write the scorer anew, with nothing but what scores.
    """
    scripts = [
        name for side in (TRUTH, "evaluation/shared", DATA) for name in package.below(side) if name.endswith(".py")
    ]
    sources = "\n".join(package.text(name).content for name in [*scripts, EVALUATOR])
    for name in scripts:
        code = package.code(name)
        if code.tree is None:
            yield Finding(file=name, line=code.line, column=code.column, message=f"is not Python: {code.error}")
            continue
        yield from _unresolved(package, name, code.tree)
        yield from _of_the_method(name, code.tree)
        yield from _copied(name, code.text, code.tree, sources)
    if (tree := package.code(EVALUATOR).tree) is not None:
        yield from (one for one in _of_the_method(EVALUATOR, tree) if one.level == "fail")
    yield from scorers_gone(package)
    yield from _like_the_repository(package, [*scripts, EVALUATOR])


def _like_the_repository(package: CheckedPackage, scripts: list[str]) -> Iterator[Finding]:
    if package.repository is None:
        return
    repository = Repository(package.repository)
    for name in scripts:
        for passage in passages(package.text(name).content, name):
            likeness = repository.nearest(passage)
            if likeness is None or likeness.share < ALIKE:
                continue
            other = likeness.other
            message = f"{likeness.share:.0%} of its code stands in {other.name} of {other.file}, line {other.line}"
            yield Finding(
                file=name, line=passage.line, text=passage.name, message=message,
                hint="Write it anew, from the definition of the metric.",
                level="fail" if likeness.share >= COPIED else "warn",
            )  # fmt: skip


def _unresolved(package: CheckedPackage, name: str, tree: ast.Module) -> Iterator[Finding]:
    folder = PurePosixPath(name).parent
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = folder
            for _ in range(node.level - 1):
                base = base.parent
            wanted = [node.module.replace(".", "/")] if node.module else [alias.name for alias in node.names]
            for one in wanted:
                if (
                    f"{base}/{one}.py" not in package.entries
                    and f"{base}/{one}" not in package.entries
                    and f"{base}/__init__.py" not in (package.entries if not node.module else ())
                ):
                    message = f"{'.' * node.level}{one.replace('/', '.')} is not in the package"
                    yield Finding(
                        file=name,
                        line=node.lineno,
                        column=node.col_offset + 1,
                        text=one,
                        message=message,
                        hint="Add the module.",
                    )
    for reading in Follower(tree, name, package.entries).follow().readings:
        own = reading.place.startswith(("evaluation/", "problem/"))
        concrete = WILD not in reading.place and PurePosixPath(reading.place).suffix
        if (
            own
            and concrete
            and reading.verb == "read"
            and not reading.optional
            and not list(matching(reading.place, package.entries))
        ):
            message = f"reads {reading.place}, which is not there"
            yield Finding(
                file=name,
                line=reading.line,
                column=reading.column,
                text=reading.place,
                message=message,
                hint="Add it, or correct the path.",
            )


def _of_the_method(name: str, tree: ast.Module) -> Iterator[Finding]:
    for node in ast.walk(tree):
        where = {"line": getattr(node, "lineno", 1), "column": getattr(node, "col_offset", 0) + 1}
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            holder = ast.unparse(node.func.value).casefold()[:80]
            word = node.func.attr
            if word in TRAINING or (word == "step" and re.search(r"optim|scheduler", holder)):
                message = f"{TRAINING.get(word, 'a training step')}, which belongs to a method, not to a scorer"
                # Neighbours and axes of a metric are fitted, too.
                level: Level = "warn" if TRAINING.get(word) == "training" else "fail"
                yield Finding(file=name, text=f"{word}()", message=message, hint="Take it out.", level=level, **where)  # type: ignore[arg-type] # line and column
        elif isinstance(node, ast.ClassDef) and any(
            ast.unparse(base).endswith(("nn.Module", "LightningModule", "keras.Model")) for base in node.bases
        ):
            message = "is a model; see that it is the oracle, and not the method"
            yield Finding(file=name, text=node.name, message=message, level="warn", **where)  # type: ignore[arg-type]


def _copied(name: str, text: str, tree: ast.Module, sources: str) -> Iterator[Finding]:
    for number, line in enumerate(text.split("\n")[:30], 1):
        if match := HEADER.search(line):
            message = "is a header of somebody else's code"
            yield Finding(
                file=name,
                line=number,
                column=match.start() + 1,
                text=match[0],
                message=message,
                hint="Write it anew.",
                level="warn",
            )
    if PurePosixPath(name).name == "__init__.py" or name.startswith(f"{DATA}/"):
        return
    for node in tree.body:
        if (
            isinstance(node, ast.FunctionDef)
            and len(re.findall(rf"\b{re.escape(node.name)}\b", sources)) == 1
            and node.name != "main"
        ):
            message = "is used by nothing in the package"
            yield Finding(
                file=name,
                line=node.lineno,
                column=node.col_offset + 1,
                text=node.name,
                message=message,
                hint="Take it out.",
                level="warn",
            )
