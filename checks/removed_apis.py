"""Names that a version of a library no longer has, as far as they are met in scientific code.

Each is one that the library's own release notes list as removed in that version.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

REMOVED: dict[str, dict[str, tuple[str, str]]] = {
    "numpy": {
        **{f"numpy.{name}": ("1.24", f"{name} itself, or numpy.{name}_") for name in ("bool", "object", "str")},
        "numpy.int": ("1.24", "int"),
        "numpy.float": ("1.24", "float"),
        "numpy.complex": ("1.24", "complex"),
        "numpy.long": ("1.24", "int"),
        "numpy.unicode": ("1.24", "str"),
        "numpy.float_": ("2.0", "numpy.float64"),
        "numpy.complex_": ("2.0", "numpy.complex128"),
        "numpy.Inf": ("2.0", "numpy.inf"),
        "numpy.Infinity": ("2.0", "numpy.inf"),
        "numpy.NaN": ("2.0", "numpy.nan"),
        "numpy.NAN": ("2.0", "numpy.nan"),
        "numpy.unicode_": ("2.0", "numpy.str_"),
        "numpy.string_": ("2.0", "numpy.bytes_"),
        "numpy.product": ("2.0", "numpy.prod"),
        "numpy.cumproduct": ("2.0", "numpy.cumprod"),
        "numpy.sometrue": ("2.0", "numpy.any"),
        "numpy.alltrue": ("2.0", "numpy.all"),
        "numpy.asfarray": ("2.0", "numpy.asarray"),
        "numpy.cast": ("2.0", "numpy.asarray"),
        "numpy.mat": ("2.0", "numpy.asmatrix"),
        "numpy.find_common_type": ("2.0", "numpy.promote_types"),
        "numpy.round_": ("2.0", "numpy.round"),
        "numpy.issubclass_": ("2.0", "issubclass"),
    },
    "pandas": {
        "pandas.Int64Index": ("2.0", "pandas.Index"),
        "pandas.Float64Index": ("2.0", "pandas.Index"),
        "pandas.UInt64Index": ("2.0", "pandas.Index"),
        "pandas.Panel": ("1.0", "a MultiIndex"),
        "pandas.np": ("2.0", "numpy"),
        "pandas.datetime": ("2.0", "datetime"),
    },
    "scipy": {
        "scipy.misc.imread": ("1.2", "imageio.imread"),
        "scipy.misc.imresize": ("1.3", "PIL.Image.resize"),
        "scipy.misc.comb": ("1.3", "scipy.special.comb"),
        "scipy.misc.logsumexp": ("1.3", "scipy.special.logsumexp"),
        "scipy.integrate.simps": ("1.14", "scipy.integrate.simpson"),
        "scipy.integrate.trapz": ("1.14", "scipy.integrate.trapezoid"),
        "scipy.integrate.cumtrapz": ("1.14", "scipy.integrate.cumulative_trapezoid"),
        "scipy.stats.median_absolute_deviation": ("1.9", "scipy.stats.median_abs_deviation"),
        "scipy.interp": ("1.9", "numpy.interp"),
        "scipy.signal.hann": ("1.13", "scipy.signal.windows.hann"),
    },
    "scikit-learn": {
        "sklearn.externals.joblib": ("0.23", "joblib"),
        "sklearn.externals.six": ("0.23", "six"),
        "sklearn.cross_validation": ("0.20", "sklearn.model_selection"),
        "sklearn.grid_search": ("0.20", "sklearn.model_selection"),
        "sklearn.datasets.load_boston": ("1.2", "another data set"),
        "sklearn.metrics.plot_roc_curve": ("1.2", "RocCurveDisplay"),
        "sklearn.metrics.plot_confusion_matrix": ("1.2", "ConfusionMatrixDisplay"),
        "sklearn.preprocessing.Imputer": ("0.22", "sklearn.impute.SimpleImputer"),
    },
    "networkx": {
        "networkx.from_numpy_matrix": ("3.0", "networkx.from_numpy_array"),
        "networkx.to_numpy_matrix": ("3.0", "networkx.to_numpy_array"),
        "networkx.info": ("3.0", "print(graph)"),
    },
    "biopython": {"Bio.SubsMat": ("1.82", "Bio.Align.substitution_matrices"), "Bio.Alphabet": ("1.78", "no alphabet")},
    "python": {
        "collections.Mapping": ("3.10", "collections.abc.Mapping"),
        "collections.Iterable": ("3.10", "collections.abc.Iterable"),
        "collections.Sequence": ("3.10", "collections.abc.Sequence"),
        "collections.Callable": ("3.10", "collections.abc.Callable"),
        "inspect.getargspec": ("3.11", "inspect.getfullargspec"),
        "fractions.gcd": ("3.9", "math.gcd"),
        "time.clock": ("3.8", "time.perf_counter"),
        "imp": ("3.12", "importlib"),
        "distutils": ("3.12", "setuptools"),
    },
}
"""By distribution: name -> (first version without it, what to use)."""
FRAME_MAKERS = (
    "DataFrame",
    "read_csv",
    "read_table",
    "read_parquet",
    "read_excel",
    "read_json",
    "Series",
    "read_pickle",
)
FRAME_METHODS = {"append": "pandas.concat", "iteritems": "items", "mad": "a formula"}


@dataclass(frozen=True, slots=True)
class Used:
    """A name that is used and may be gone: of which distribution, since which version, what to use."""

    name: str
    distribution: str
    since: str
    instead: str
    line: int
    column: int


def removed_uses(tree: ast.Module) -> Iterator[Used]:
    """Every use of a name that some version no longer has; whether it is gone here, the versions tell."""
    names = _names(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            yield from _known(_dotted(node, names), node)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield from _known(f"{node.module}.{alias.name}", node)
            yield from _known(node.module, node)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield from _known(alias.name, node)
    yield from _frames(tree, names)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _dotted(node.func, names).endswith("metrics.mean_squared_error"):
            for keyword in node.keywords:
                if keyword.arg == "squared":
                    name = "mean_squared_error(squared=...)"
                    yield Used(name, "scikit-learn", "1.6", "root_mean_squared_error", node.lineno, node.col_offset + 1)


def _known(name: str, node: ast.expr | ast.stmt) -> Iterator[Used]:
    for distribution, gone in REMOVED.items():
        if name in gone:
            since, instead = gone[name]
            yield Used(name, distribution, since, instead, node.lineno, node.col_offset + 1)


def _names(tree: ast.Module) -> dict[str, str]:
    """What each imported name stands for."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                found[alias.asname or alias.name.partition(".")[0]] = (
                    alias.name if alias.asname else alias.name.partition(".")[0]
                )
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.update({alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names})
    return found


def _dotted(node: ast.expr, names: dict[str, str]) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in names:
        return ""
    return ".".join([names[node.id], *reversed(parts)])


def _frames(tree: ast.Module, names: dict[str, str]) -> Iterator[Used]:
    """Methods that frames had, called of a variable that was made as one."""
    frames = {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and _dotted(node.value.func, names).startswith("pandas.")
        and _dotted(node.value.func, names).rpartition(".")[2] in FRAME_MAKERS
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in FRAME_METHODS
            and (
                (isinstance(node.func.value, ast.Name) and node.func.value.id in frames)
                or any(keyword.arg == "ignore_index" for keyword in node.keywords)
            )
        ):
            name = f"DataFrame.{node.func.attr}"
            yield Used(name, "pandas", "2.0", FRAME_METHODS[node.func.attr], node.lineno, node.col_offset + 1)
