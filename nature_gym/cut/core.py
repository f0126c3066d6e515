"""What programs are for, and which of them are the paper's core algorithm.

The one idea: a program's role is told by its name, and by what it calls where the name is silent; the core is where
something is trained or fitted, a model or a loss is defined, or the method's own name stands, with what is named for
baselines and evaluation set apart.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from nature_gym.cut.graph import Graph, Unit
from nature_gym.cut.python_units import ClassUnit, Module, Scope
from nature_gym.cut.shell import Commands
from nature_gym.cut.tree import Tree
from nature_gym.cut.values import Project

Role = Literal[
    "download", "split", "make", "prepare", "encode", "train", "baseline", "evaluate", "predict", "draw", "other"
]
"""``make``: it makes or converts data for everybody; ``prepare``: it could be for everybody or for the method alone."""

_WORDS: tuple[tuple[Role, str], ...] = (
    ("baseline", "baseline baselines competitor competitors sota"),
    ("download", "download downloader fetch crawl crawler scrape scraper"),
    ("split", "split splits splitting splitter kfold partition partitions folds crossval"),
    (
        "draw",
        """
        plot plots plotting plotter figure figures fig figs visualize visualise visualization visualisation
        visualizer draw viz vis
        """,
    ),
    (
        "evaluate",
        """
        evaluate evaluation eval evaluator score scores scoring metric metrics analysis analyze analyse analyses
        summary summarize summarise stats statistics table tables
        report reports benchmark weights coefficients losses results bootstrap significance roc
        """,
    ),
    ("predict", "predict prediction predictions predictor inference infer sample sampling"),
    ("train", "train training trainer finetune finetuning fit pretrain pretraining"),
    (
        "encode",
        """
        feature features featurize featurise featurizer featurization encode encoder encoding encodings embed
        embedding embeddings augment augmentation tokenize tokenizer representation fingerprint fingerprints
        descriptors
        """,
    ),
    (
        "prepare",
        """
        prepare preparation prep preprocess preprocessing preprocessor process processing data dataloader loader
        """,
    ),
    (
        "make",
        """
        make create build generate generator simulate simulation simulator convert converter conversion clean cleaning
        remove normalize normalise normalization rename aggregate
        filter filtering parse parser extract extraction collect curate merge dataset datasets format reformat combine
        subset
        """,
    ),
)
_ROLE_OF: dict[str, Role] = {word: role for role, words in _WORDS for word in words.split()}
_ORDER: list[Role] = [role for role, _ in _WORDS]
SHARED_ROLES: frozenset[Role] = frozenset({"baseline", "evaluate", "draw"})
RUN_ROLES: frozenset[Role] = frozenset({"train", "baseline", "evaluate", "predict", "draw"})

_BASES = """
    Module LightningModule Model Layer MessagePassing BaseEstimator ClassifierMixin RegressorMixin TransformerMixin
    PreTrainedModel Block HybridBlock Chain RegressorBase GaussianProcessRegressor ExactGP BaseModel _Loss Estimator
    """
_MODEL_BASES = frozenset(_BASES.split())
"""Last names of the classes whose subclasses are models, layers or losses."""
_SCALERS = re.compile(
    r"(scaler|encoder|imputer|normali[sz]er|pca|vectori[sz]er|tokenizer|le|lb|enc|ss|sc|mms|tsne|umap|binarizer)\w*$",
    re.IGNORECASE,
)
_TRAINING = {
    "backward",
    "fit_generator",
    "train_on_batch",
    "apply_gradients",
    "minimize",
    "partial_fit",
    "fit_transform_model",
}
_TRAINING_FULL = {
    "lightgbm.train",
    "xgboost.train",
    "tensorflow.GradientTape",
    "jax.grad",
    "jax.value_and_grad",
    "catboost.train",
    "optuna.create_study",
}


OTHERS = frozenset({"external", "third_party", "thirdparty", "vendor", "vendored", "simulator", "simulators"})
"""Folders that hold programs of other work."""


def is_of_others(path: str) -> bool:
    """Whether a program lies in a folder for other people's work."""
    return any(part.lower() in OTHERS for part in path.split("/")[:-1])


def words_of(text: str) -> list[str]:
    """The words of a path or a name, in lower case: parted by case, digits and signs."""
    text = re.sub(r"log(?=\d|[12]p|P(?![a-z]))", "logarithm", text)
    return re.findall(r"[a-z]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text).lower())


_PREPARING = {"prepare", "preparation", "prep", "preprocess", "preprocessing", "process"}
_MAKING = {"make", "create", "convert", "build", "collect", "generate"}
_ANYWHERE: tuple[Role, ...] = ("baseline", "download", "split", "draw")


def role_of_name(text: str) -> Role:
    """What a name says of the part that bears it: a verb at its beginning, else the most telling word."""
    words = words_of(text)
    found = {_ROLE_OF[word] for word in words if word in _ROLE_OF}
    for role in _ANYWHERE:
        if role in found:
            return role
    if words and words[0] in _PREPARING:
        return "prepare"
    if words and words[0] in _MAKING and not found & {"evaluate", "predict", "encode"}:
        return "make"
    return next((role for role in _ORDER if role in found), "other")


@dataclass(frozen=True, slots=True)
class CorePart:
    """A unit that defines or trains the paper's algorithm."""

    file: str
    name: str
    line: int
    why: str
    weight: float


@dataclass(slots=True)
class Roles:
    """Roles of files, who reaches whom, and the core."""

    of_file: dict[str, Role] = field(default_factory=dict)
    programs: set[str] = field(default_factory=set)
    """Files that are started, not only imported."""
    reaching: dict[Unit, frozenset[str]] = field(default_factory=dict)
    """Unit -> the programs from which it can be reached."""
    core: list[CorePart] = field(default_factory=list)
    core_files: set[str] = field(default_factory=set)
    training: dict[str, list[int]] = field(default_factory=dict)
    """File -> lines on which something is trained."""

    def of_unit(self, unit: Unit) -> Role:
        """The function's own name decides, unless the file is set apart as a whole."""
        whole = self.of_file.get(unit.file, "other")
        if whole == "baseline":
            return whole
        own = role_of_name(unit.name.rpartition(".")[2]) if unit.name else "other"
        return own if own not in {"other", "baseline"} else whole

    def reached_from(self, unit: Unit) -> frozenset[str]:
        return self.reaching.get(unit, frozenset({unit.file}))


def find_roles(tree: Tree, project: Project, commands: Commands, graph: Graph, method: str | None) -> Roles:
    """Roles and core of a folder; ``method`` is the core algorithm's name where it is known."""
    roles = Roles()
    training = {module.path: _training_lines(module, project) for module in project.modules}
    for module in project.modules:
        roles.of_file[module.path] = _role_of_module(module, training[module.path], project)
    for entry in tree.entries:
        if entry.is_code and entry.path not in roles.of_file:
            roles.of_file[entry.path] = _role_of_path(entry.path)
    imported = _link_imports(project, graph)
    started = {command.program for command in commands.started}
    roles.programs = {
        module.path
        for module in project.modules
        if module.is_program or module.path in started or module.path not in imported
    }
    roles.programs |= {
        entry.path for entry in tree.entries if entry.is_code and entry.kind not in {"python", "notebook", "code"}
    }
    _reach(graph, roles)
    roles.training = training
    roles.core = _core(project, roles, training, method)
    roles.core_files = {part.file for part in roles.core if part.weight >= 2.5}
    _follow_the_core(project, roles)
    return roles


def _follow_the_core(project: Project, roles: Roles) -> None:
    """A program of no told role that imports the core runs it."""
    for module in project.modules:
        if module.path not in roles.programs or roles.of_file[module.path] != "other":
            continue
        found = (project.symbol(target, module) for target in [*module.imports.values(), *module.stars] if target)
        if any(each is not None and each[0].path in roles.core_files for each in found):
            roles.of_file[module.path] = "train"


def _role_of_path(path: str) -> Role:
    folder, _, name = path.rpartition("/")
    if role_of_name(folder) == "baseline" or role_of_name(name) == "baseline":
        return "baseline"
    own = role_of_name(name.rpartition(".")[0] or name)
    return own if own != "other" else role_of_name(folder.rpartition("/")[2])


def _role_of_module(module: Module, training: list[int], project: Project) -> Role:
    named = _role_of_path(module.path)
    if training and named not in {"baseline", "evaluate", "draw", "predict"}:
        return "train"
    if named != "other":
        return named
    calls = {project.full_name(call.func, scope).rpartition(".")[2] for scope in module.scopes for call in scope.calls}
    if calls & {"savefig", "ggsave"}:
        return "draw"
    if calls & {"train_test_split", "KFold", "StratifiedKFold", "GroupKFold"}:
        return "split"
    return "other"


def _training_lines(module: Module, project: Project) -> list[int]:
    """Lines on which something is trained: optimiser steps, gradients, ``fit`` of what is not a scaler."""
    found: list[int] = []
    for scope in module.scopes:
        for call in scope.calls:
            full = project.full_name(call.func, scope)
            name = full.rpartition(".")[2] or getattr(call.func, "attr", "")
            base = full.rpartition(".")[0].rpartition(".")[2]
            if name in _TRAINING or full in _TRAINING_FULL or (name == "fit" and not _SCALERS.search(base)) or (
                name == "step" and re.search(r"optim|opt$|^opt", base)
            ) or (name == "train" and base in {"trainer", "Trainer"}):  # fmt: skip
                found.append(call.lineno)
    return found


def _link_imports(project: Project, graph: Graph) -> set[str]:
    """Edges from each module to those it imports; returns the files that are imported."""
    imported: set[str] = set()
    for module in project.modules:
        targets = [*module.imports.values(), *module.stars]
        for target in targets:
            found = project.symbol(target, module) if target else None
            if found is not None and found[0] is not module:
                imported.add(found[0].path)
                graph.calls.setdefault(Unit(module.path), set()).add(Unit(found[0].path))
    return imported


def _reach(graph: Graph, roles: Roles) -> None:
    """For each unit the programs whose statements lead to it by calls and imports."""
    units = {site.unit for site in graph.sites} | {site.inner for site in graph.sites}
    inverse: dict[Unit, set[Unit]] = {}
    for caller, callees in graph.calls.items():
        for callee in callees:
            inverse.setdefault(callee, set()).add(caller)
    for unit in units:
        seen = {unit}
        pending = [unit]
        while pending and len(seen) < 5_000:
            for caller in inverse.get(pending.pop(), ()):
                if caller not in seen:
                    seen.add(caller)
                    pending.append(caller)
        roles.reaching[unit] = frozenset(each.file for each in seen if each.file in roles.programs) or frozenset(
            {unit.file}
        )


def _core(project: Project, roles: Roles, training: dict[str, list[int]], method: str | None) -> list[CorePart]:
    found: list[CorePart] = []
    names = _variants(method)
    for module in project.modules:
        if roles.of_file[module.path] == "baseline" or is_of_others(module.path):
            continue
        named = next((name for name in names if name in squeezed(module.path)), None)
        for unit in module.classes.values():
            part = _core_class(unit, names, named)
            found.extend([part] if part else [])
        trains = training[module.path]
        for scope in module.scopes:
            lines = [line for line in trains if _holds(scope, line, module)]
            if lines and roles.of_file[module.path] not in SHARED_ROLES:
                why = f"it trains: {module.line(lines[0])}"
                found.append(CorePart(module.path, scope.name or module.path, lines[0], why, 2.0 + bool(named)))
        found.extend(
            CorePart(module.path, function.name, function.line, f"it bears the method's name, {method}", 2.5)
            for function in module.functions.values()
            if any(name in squeezed(function.name) for name in names)
        )
    best = {(part.file, part.name): part for part in sorted(found, key=lambda part: part.weight)}
    return sorted(best.values(), key=lambda part: (-part.weight, part.file, part.line))[:100]


def _core_class(unit: ClassUnit, names: list[str], named: str | None) -> CorePart | None:
    if any(name in squeezed(unit.name) for name in names):
        return CorePart(unit.module.path, unit.name, unit.line, "a class that bears the method's name", 4.0)
    if any(base.rpartition(".")[2] in _MODEL_BASES for base in unit.bases):
        loss = "loss" in unit.name.lower()
        return CorePart(
            unit.module.path,
            unit.name,
            unit.line,
            f"a {'loss' if loss else 'model'} of their own: a subclass of {unit.bases[0]}",
            3.0 + bool(named),
        )
    if "fit" in unit.methods or "training_step" in unit.methods or {"forward", "predict"} <= unit.methods.keys():
        return CorePart(
            unit.module.path, unit.name, unit.line, "an estimator of their own: it has a fit", 3.0 + bool(named)
        )
    return None


def _holds(scope: Scope, line: int, module: Module) -> bool:
    """Whether a line is the scope's own, not one of a function in it."""
    holder = max(
        (each for each in module.scopes if any(call.lineno == line for call in each.calls)),
        key=lambda each: each.line,
        default=None,
    )
    return holder is scope


def _variants(method: str | None) -> list[str]:
    """How a method's name may stand in names of programs: without signs, or by its initials."""
    if not method:
        return []
    whole = squeezed(method)
    initials = "".join(word[0] for word in words_of(method)) if len(words_of(method)) > 2 else ""
    return [name for name in (whole, initials) if len(name) >= 3]


def squeezed(text: str) -> str:
    """Letters and digits alone, in lower case: as names are compared."""
    return re.sub(r"[^a-z0-9]", "", text.lower())
