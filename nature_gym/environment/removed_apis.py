"""Uses of what libraries had once and have no more, in the versions that were chosen.

The one idea: names are followed from the import that binds them (``import numpy as np`` ... ``np.float``), and looked
up in a table of what went, with the version without it. Methods of data frames are known by their name alone, in
files that import pandas: few names are that plain. What a program does if the attribute is missing (``try`` with an
``except AttributeError``) is its own affair.

The table is of the libraries' release notes; a test looks at the libraries that are installed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from packaging.version import InvalidVersion, Version

from nature_gym.environment.imports import parsed


@dataclass(frozen=True, slots=True)
class Gone:
    """A name that is there no more from ``since`` of ``distribution`` on (and again from ``back`` on)."""

    distribution: str
    since: str
    instead: str
    back: str | None = None

    def is_gone(self, version: str) -> bool:
        """Whether it is missing in ``version``."""
        try:
            there = Version(version)
            return there >= Version(self.since) and (self.back is None or there < Version(self.back))
        except InvalidVersion:
            return False


@dataclass(frozen=True, slots=True)
class Use:
    """One use, where it stands."""

    file: str
    line: int
    name: str
    gone: Gone
    version: str

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}"

    @property
    def told(self) -> str:
        instead = f"; {self.gone.instead} is there" if self.gone.instead else ""
        return f"{self.name} went in {self.gone.distribution} {self.gone.since}, and here is {self.version}{instead}"


def _each(prefix: str, distribution: str, since: str, names: str, back: str | None = None) -> dict[str, Gone]:
    """A row of the table: names, each alone or as ``old=new``."""
    pairs = (name.partition("=") for name in names.split())
    return {f"{prefix}.{old}": Gone(distribution, since, new, back) for old, _, new in pairs}


TABLE: dict[str, Gone] = {
    **_each("numpy", "numpy", "1.24", "float=float int=int object=object complex=complex str=str unicode=str"),
    **_each("numpy", "numpy", "1.24", "bool=bool long=int", back="2.0"),
    **_each("numpy", "numpy", "1.23", "asscalar=ndarray.item"),
    **_each("numpy", "numpy", "1.18", "rank=numpy.ndim"),
    **_each(
        "numpy", "numpy", "2.0",
        "float_=numpy.float64 complex_=numpy.complex128 infty=numpy.inf Inf=numpy.inf Infinity=numpy.inf "
        "NaN=numpy.nan NAN=numpy.nan PINF=numpy.inf NINF=-numpy.inf string_=numpy.bytes_ unicode_=numpy.str_ "
        "product=numpy.prod cumproduct=numpy.cumprod sometrue=numpy.any alltrue=numpy.all round_=numpy.round "
        "asfarray=numpy.asarray find_common_type=numpy.result_type msort=numpy.sort mat=numpy.asmatrix sctypes "
        "cast=numpy.asarray source who lookfor byte_bounds safe_eval recfromcsv=numpy.genfromtxt",
    ),
    **_each("scipy.misc", "scipy", "1.2", "imread=imageio.v2.imread imsave=imageio.imwrite toimage imshow"),
    **_each("scipy.misc", "scipy", "1.3", "imresize=skimage.transform.resize"),
    **_each(
        "scipy.misc", "scipy", "1.3",
        "logsumexp=scipy.special.logsumexp comb=scipy.special.comb factorial=scipy.special.factorial",
    ),
    **_each("scipy.misc", "scipy", "1.12", "derivative face=scipy.datasets.face ascent=scipy.datasets.ascent"),
    **_each(
        "scipy.integrate", "scipy", "1.14",
        "simps=scipy.integrate.simpson trapz=scipy.integrate.trapezoid "
        "cumtrapz=scipy.integrate.cumulative_trapezoid",
    ),
    **_each("scipy.stats", "scipy", "1.12", "binom_test=scipy.stats.binomtest"),
    **_each("scipy.stats", "scipy", "1.9", "median_absolute_deviation=scipy.stats.median_abs_deviation"),
    **_each("scipy.linalg", "scipy", "1.9", "pinv2=scipy.linalg.pinv"),
    **_each("scipy.linalg", "scipy", "1.13", "tri=numpy.tri triu=numpy.triu tril=numpy.tril"),
    **_each(
        "scipy.signal", "scipy", "1.13",
        "gaussian=scipy.signal.windows.gaussian hann=scipy.signal.windows.hann "
        "hamming=scipy.signal.windows.hamming blackman=scipy.signal.windows.blackman "
        "kaiser=scipy.signal.windows.kaiser",
    ),
    **_each(
        "pandas", "pandas", "2.0",
        "Int64Index=pandas.Index Float64Index=pandas.Index UInt64Index=pandas.Index np=numpy "
        "datetime=datetime.datetime Panel=xarray",
    ),
    **_each(
        "pandas", "pandas", "0.23",
        "rolling_mean=DataFrame.rolling rolling_std=DataFrame.rolling ewma=DataFrame.ewm scatter_matrix",
    ),
    **_each("sklearn", "scikit-learn", "0.20", "cross_validation=sklearn.model_selection"),
    **_each("sklearn", "scikit-learn", "0.20", "grid_search=sklearn.model_selection"),
    **_each("sklearn", "scikit-learn", "0.20", "learning_curve=sklearn.model_selection"),
    **_each("sklearn.externals", "scikit-learn", "0.23", "joblib=joblib six=six"),
    **_each("sklearn.preprocessing", "scikit-learn", "0.22", "Imputer=sklearn.impute.SimpleImputer"),
    **_each("sklearn.datasets", "scikit-learn", "0.22", "fetch_mldata=sklearn.datasets.fetch_openml"),
    **_each("sklearn.datasets", "scikit-learn", "0.24", "samples_generator=sklearn.datasets"),
    **_each("sklearn.datasets", "scikit-learn", "1.2", "load_boston=sklearn.datasets.fetch_openml"),
    **_each("sklearn.utils", "scikit-learn", "0.23", "linear_assignment_=scipy.optimize.linear_sum_assignment"),
    **_each("sklearn.metrics", "scikit-learn", "0.23", "jaccard_similarity_score=sklearn.metrics.jaccard_score"),
    **_each("sklearn.metrics", "scikit-learn", "0.24", "scorer=sklearn.metrics"),
    **_each(
        "sklearn.metrics", "scikit-learn", "1.2",
        "plot_confusion_matrix=sklearn.metrics.ConfusionMatrixDisplay plot_roc_curve=sklearn.metrics.RocCurveDisplay "
        "plot_precision_recall_curve=sklearn.metrics.PrecisionRecallDisplay",
    ),
    **_each("sklearn.mixture", "scikit-learn", "0.20", "GMM=sklearn.mixture.GaussianMixture"),
    **_each("sklearn.manifold", "scikit-learn", "0.24", "t_sne=sklearn.manifold"),
    **_each("sklearn.ensemble", "scikit-learn", "0.24", "forest=sklearn.ensemble"),
    **_each(
        "networkx", "networkx", "3.0",
        "from_numpy_matrix=networkx.from_numpy_array to_numpy_matrix=networkx.to_numpy_array "
        "from_scipy_sparse_matrix=networkx.from_scipy_sparse_array "
        "to_scipy_sparse_matrix=networkx.to_scipy_sparse_array read_gpickle write_gpickle info OrderedGraph",
    ),
    **_each("networkx", "networkx", "2.4", "connected_component_subgraphs=networkx.connected_components"),
    **_each("matplotlib.cm", "matplotlib", "3.9", "get_cmap=matplotlib.colormaps"),
    **_each("matplotlib.pyplot", "matplotlib", "3.0", "hold"),
    **_each("PIL.Image", "pillow", "10.0", "ANTIALIAS=PIL.Image.LANCZOS LINEAR=PIL.Image.BILINEAR"),
    **_each(
        "skimage.measure", "scikit-image", "0.18",
        "compare_ssim=skimage.metrics.structural_similarity compare_psnr=skimage.metrics.peak_signal_noise_ratio "
        "compare_mse=skimage.metrics.mean_squared_error",
    ),
    **_each("Bio", "biopython", "1.78", "Alphabet"),
    **_each(
        "tensorflow", "tensorflow", "2.0",
        "placeholder=tensorflow.compat.v1.placeholder Session=tensorflow.compat.v1.Session contrib "
        "get_variable=tensorflow.compat.v1.get_variable app=absl.app flags=absl.flags "
        "variable_scope=tensorflow.compat.v1.variable_scope "
        "global_variables_initializer=tensorflow.compat.v1.global_variables_initializer",
    ),
    **_each("torch", "torch", "1.8", "rfft=torch.fft.rfft irfft=torch.fft.irfft ifft=torch.fft.ifft"),
    **_each("torch", "torch", "2.0", "symeig=torch.linalg.eigh _six"),
    **_each(
        "collections", "python", "3.10",
        "Iterable=collections.abc.Iterable Mapping=collections.abc.Mapping Sequence=collections.abc.Sequence "
        "Callable=collections.abc.Callable MutableMapping=collections.abc.MutableMapping "
        "Iterator=collections.abc.Iterator Hashable=collections.abc.Hashable Sized=collections.abc.Sized "
        "Set=collections.abc.Set",
    ),
    **_each("time", "python", "3.8", "clock=time.perf_counter"),
    **_each("fractions", "python", "3.9", "gcd=math.gcd"),
    **_each("inspect", "python", "3.11", "getargspec=inspect.getfullargspec"),
    **_each("asyncio", "python", "3.11", "coroutine"),
}  # fmt: skip
"""Dotted name -> what became of it."""
FRAME_METHODS = {
    "iteritems": Gone("pandas", "2.0", "items"),
    "as_matrix": Gone("pandas", "1.0", "to_numpy"),
    "ix": Gone("pandas", "1.0", "loc or iloc"),
}
"""Methods of pandas' frames and series that nothing else of Python 3 has."""
_FORGIVING = {"AttributeError", "ImportError", "ModuleNotFoundError", "Exception", "BaseException"}


def removed_uses(sources: Mapping[str, str], versions: Mapping[str, str]) -> Iterator[Use]:
    """Uses in ``sources`` (path -> text) of what is not in ``versions`` (distribution, or ``python`` -> version)."""
    for file, text in sorted(sources.items()):
        tree = parsed(text)
        if tree is None:
            continue
        seen: set[tuple[int, str]] = set()
        for line, name, gone in sorted(_gone_names(tree), key=lambda one: one[:2]):
            version = versions.get(gone.distribution)
            if version is not None and gone.is_gone(version) and (line, name) not in seen:
                seen.add((line, name))
                yield Use(file, line, name, gone, version)


def _gone_names(tree: ast.Module) -> Iterator[tuple[int, str, Gone]]:
    """Names of the table that a source uses, whatever the version."""
    bound = _bound(tree)
    frames = any(name.partition(".")[0] == "pandas" for name in bound.values())
    for node in _unguarded(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Attribute):
            dotted = _dotted(node, bound)
            names = [dotted] if dotted else []
            if frames and not dotted and node.attr in FRAME_METHODS:
                yield node.lineno, f".{node.attr}", FRAME_METHODS[node.attr]
        else:
            continue
        for name in names:
            if hit := _hit(name):
                yield node.lineno, hit, TABLE[hit]


def _hit(name: str) -> str | None:
    """The entry of the table that a dotted name is, or lies in."""
    parts = name.split(".")
    prefixes = (".".join(parts[:length]) for length in range(2, len(parts) + 1))
    return next((prefix for prefix in prefixes if prefix in TABLE), None)


def _bound(tree: ast.Module) -> dict[str, str]:
    """Names that imports bind -> what they stand for."""
    bound: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                bound[alias.asname or top] = alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                bound[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return bound


def _dotted(node: ast.Attribute, bound: Mapping[str, str]) -> str | None:
    """The dotted name that an attribute stands for, where its root was imported."""
    parts = [node.attr]
    inner: ast.expr = node.value
    while isinstance(inner, ast.Attribute):
        parts.append(inner.attr)
        inner = inner.value
    if not isinstance(inner, ast.Name) or inner.id not in bound:
        return None
    return ".".join([bound[inner.id], *reversed(parts)])


def _unguarded(tree: ast.Module) -> Iterator[ast.AST]:
    """All nodes but those in a ``try`` that handles the lack of an attribute."""
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        yield node
        if isinstance(node, ast.Try) and any(_forgives(handler) for handler in node.handlers):
            todo += [*node.orelse, *node.finalbody]
        else:
            todo += ast.iter_child_nodes(node)


def _forgives(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(kind is None or (isinstance(kind, ast.Name) and kind.id in _FORGIVING) for kind in kinds)
