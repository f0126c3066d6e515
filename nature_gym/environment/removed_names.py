"""What libraries had once and have no more: names, methods of tables and arrays, arguments.

Of the libraries' release notes; a test looks at the libraries that are installed.
"""

from __future__ import annotations

from dataclasses import dataclass

from packaging.version import InvalidVersion, Version


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


def _each(prefix: str, distribution: str, since: str, names: str, back: str | None = None) -> dict[str, Gone]:
    """A row of the table: names, each alone or as ``old=new``."""
    pairs = (name.partition("=") for name in names.split())
    return {f"{prefix}.{old}": Gone(distribution, since, new, back) for old, _, new in pairs}


def _methods(distribution: str, since: str, names: str) -> dict[str, Gone]:
    """A row of what has no module before it."""
    return {name.removeprefix("."): gone for name, gone in _each("", distribution, since, names).items()}


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
        "cast=numpy.asarray source who lookfor byte_bounds safe_eval recfromcsv=numpy.genfromtxt "
        "recfromtxt=numpy.genfromtxt add_docstring add_newdoc cfloat=numpy.complex128 clongfloat=numpy.clongdouble "
        "singlecomplex=numpy.complex64 longfloat=numpy.longdouble longcomplex=numpy.clongdouble NZERO PZERO "
        "DataSource deprecate compat disp=print fastCopyAndTranspose issctype issubclass_=issubclass "
        "issubsctype=numpy.issubdtype maximum_sctype obj2sctype sctype2char set_numeric_ops set_string_function "
        "geterrobj=numpy.errstate seterrobj=numpy.errstate nbytes tracemalloc_domain",
    ),
    **_each("numpy", "numpy", "2.4", "trapz=numpy.trapezoid in1d=numpy.isin"),
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
    **_each("sklearn.metrics", "scikit-learn", "1.2", "plot_det_curve=sklearn.metrics.DetCurveDisplay"),
    **_each(
        "sklearn.metrics", "scikit-learn", "0.23",
        "calinski_harabaz_score=sklearn.metrics.calinski_harabasz_score",
    ),
    **_each("sklearn.metrics", "scikit-learn", "0.24", "classification=sklearn.metrics ranking=sklearn.metrics"),
    **_each("sklearn.utils", "scikit-learn", "0.24", "testing safe_indexing mocking"),
    **_each("sklearn.utils.metaestimators", "scikit-learn", "1.3", "if_delegate_has_method"),
    **_each("sklearn.neighbors", "scikit-learn", "0.24", "base=sklearn.neighbors"),
    **_each("sklearn.svm", "scikit-learn", "0.24", "classes=sklearn.svm"),
    **_each("sklearn.tree", "scikit-learn", "0.24", "tree=sklearn.tree"),
    **_each("sklearn.linear_model", "scikit-learn", "0.24", "logistic=sklearn.linear_model"),
    **_each("sklearn.linear_model", "scikit-learn", "0.21", "RandomizedLasso RandomizedLogisticRegression"),
    **_each("sklearn.decomposition", "scikit-learn", "0.20", "RandomizedPCA=sklearn.decomposition.PCA"),
    **_each("sklearn", "scikit-learn", "0.19", "lda=sklearn.discriminant_analysis qda=sklearn.discriminant_analysis"),
    **_each("sklearn", "scikit-learn", "0.17", "hmm=hmmlearn"),
    **_each("sklearn.inspection", "scikit-learn", "1.2", "plot_partial_dependence"),
    **_each("sklearn.covariance", "scikit-learn", "0.22", "GraphLasso=sklearn.covariance.GraphicalLasso"),
    **_each("sklearn.mixture", "scikit-learn", "0.20", "GMM=sklearn.mixture.GaussianMixture"),
    **_each("sklearn.manifold", "scikit-learn", "0.24", "t_sne=sklearn.manifold"),
    **_each("sklearn.ensemble", "scikit-learn", "0.24", "forest=sklearn.ensemble bagging=sklearn.ensemble"),
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
METHODS: dict[str, dict[str, Gone]] = {
    "table": _methods(
        "pandas", "2.0",
        "append=pandas.concat iteritems=items lookup=loc mad tshift=shift slice_shift=shift "
        "is_monotonic=is_monotonic_increasing",
    )
    | _methods(
        "pandas", "1.0",
        "ix=loc as_matrix=to_numpy get_value=at set_value=at convert_objects=infer_objects get_values=to_numpy "
        "clip_lower=clip clip_upper=clip compound reindex_axis=reindex as_blocks blocks from_items get_dtype_counts "
        "get_ftype_counts ftypes to_panel to_dense",
    ),
    "array": _methods("numpy", "2.0", "ptp=numpy.ptp itemset newbyteorder=view")
    | _methods("numpy", "2.3", "tostring=tobytes"),
}  # fmt: skip
"""What tables (frames and series) and arrays have no more, by the kind of value."""
PLAIN_METHODS: dict[str, tuple[str, Gone]] = {
    "iteritems": ("pandas", METHODS["table"]["iteritems"]),
    "as_matrix": ("pandas", METHODS["table"]["as_matrix"]),
    "ix": ("pandas", METHODS["table"]["ix"]),
    "get_feature_names": ("sklearn", Gone("scikit-learn", "1.2", "get_feature_names_out")),
}
"""Methods that nothing else of Python 3 has: known by their name alone, in files that import the library."""
ARGUMENTS: dict[str, dict[str, Gone]] = {
    "sklearn.metrics.mean_squared_error": _methods("scikit-learn", "1.6", "squared=root_mean_squared_error"),
    "sklearn.metrics.mean_squared_log_error": _methods("scikit-learn", "1.6", "squared=root_mean_squared_log_error"),
    "sklearn.metrics.log_loss": _methods("scikit-learn", "1.5", "eps"),
    "sklearn.preprocessing.OneHotEncoder": _methods("scikit-learn", "1.4", "sparse=sparse_output"),
    "sklearn.linear_model.LinearRegression": _methods("scikit-learn", "1.2", "normalize=StandardScaler"),
    "sklearn.cluster.AgglomerativeClustering": _methods("scikit-learn", "1.4", "affinity=metric"),
    "sklearn.ensemble.AdaBoostClassifier": _methods("scikit-learn", "1.4", "base_estimator=estimator"),
    "sklearn.ensemble.BaggingClassifier": _methods("scikit-learn", "1.4", "base_estimator=estimator"),
    "pandas.read_csv": _methods(
        "pandas", "2.0", "squeeze error_bad_lines=on_bad_lines warn_bad_lines=on_bad_lines prefix mangle_dupe_cols"
    ),
    "numpy.histogram": _methods("numpy", "1.24", "normed=density"),
}
"""Arguments by name that a function takes no more."""
