"""What the functions of libraries do with what they are given, as far as it matters where answers come from.

Names are dotted, as imports give them, or methods' names alone. What is not listed passes everything on: its result
comes from all its arguments.
"""

from __future__ import annotations

import re

SHAPE_ATTRIBUTES = frozenset({"shape", "size", "ndim", "dtype", "dtypes", "index", "nbytes"})
SHAPE_CALLS = frozenset({
    "len", "type", "isinstance", "hasattr", "callable", "id", "range", "exists", "is_file", "is_dir", "zeros_like",
    "ones_like", "empty_like", "full_like", "nunique", "numel", "dim", "mkdir", "makedirs", "isfile", "isdir",
})  # fmt: skip
"""Results that tell of a size or a form and not of what is inside."""
ORDER = frozenset({"st_mtime", "st_ctime", "st_ino", "st_size", "st_mtime_ns", "getmtime", "getctime", "getsize"})
"""What tells of a file and not of what is in it."""
RANDOM = re.compile(
    r"(?:numpy\.random|random|secrets|jax\.random)\.|torch\.(?:rand\w*|normal|multinomial|bernoulli)$|os\.urandom$"
    r"|uuid\.uuid4$"
)
SEEDS = re.compile(r"\.(?:seed|set_state|getstate|setstate|get_state|manual_seed|PRNGKey)$")
MODELS = re.compile(
    r"^(?:sklearn|xgboost|lightgbm|catboost|statsmodels|torch|tensorflow|keras|jax|flax|umap|hdbscan|gpytorch|pyro|pymc"
    r"|prophet|hmmlearn|lifelines|implicit|surprise|optuna|skopt|cma|pygam|interpret|tabpfn|torch_geometric)\b"
)
SCALER = re.compile(r"(?:Scaler|Imputer|Encoder|Normalizer|Binarizer|Transformer|Vectorizer|Discretizer)$|^scale$")
FIT = frozenset({"fit", "fit_predict", "fit_transform", "partial_fit", "train", "fit_resample", "fit_generator"})
FITTERS = frozenset({
    "minimize", "minimize_scalar", "curve_fit", "least_squares", "lstsq", "polyfit", "differential_evolution",
    "dual_annealing", "basinhopping", "shgo", "root", "root_scalar", "fsolve", "brentq", "linprog", "milp", "nnls",
    "leastsq", "fmin", "fmin_l_bfgs_b", "fmin_bfgs", "linear_sum_assignment", "kmeans2", "kmeans", "linkage",
    "cross_val_predict", "eigh", "eig", "svd", "svds", "eigsh", "pinv", "solve", "cho_solve", "gaussian_kde",
    "interp1d", "griddata", "RBFInterpolator", "UnivariateSpline", "linregress", "theilslopes", "cdist", "cKDTree",
    "KDTree", "BallTree", "solve_ivp", "odeint", "affinity_propagation", "spectral_clustering", "dbscan", "pdist",
})  # fmt: skip
AGGREGATES = frozenset({
    "mean", "median", "groupby", "mode", "quantile", "percentile", "argmin", "argsort", "argpartition", "nanmean",
    "nanmedian", "average", "value_counts", "most_common", "bincount", "std", "var", "fmean", "nsmallest", "sum",
    "polyval", "interp", "convolve", "corrcoef", "cov", "cumsum", "min", "max", "histogram", "crosstab", "pivot_table",
})  # fmt: skip
DECODERS = frozenset({
    "b64decode", "a85decode", "b85decode", "b32decode", "fromhex", "unhexlify", "decompress", "frombuffer",
    "fromstring", "loads", "split", "splitlines", "literal_eval", "eval", "StringIO", "BytesIO", "genfromtxt",
    "decodebytes", "unpack", "iter_unpack",
})  # fmt: skip
MUTATORS = frozenset({
    "append", "extend", "insert", "add", "update", "setdefault", "fit", "partial_fit", "load_state_dict", "fill",
    "put", "itemset", "copy_", "appendleft", "push", "add_", "sub_", "setflags", "train", "write", "writerow",
    "writerows", "load_weights", "load_model", "set_params", "fill_diagonal", "scatter_", "index_put_", "setitem",
    "create_dataset", "fit_transform", "fit_predict", "rename", "drop", "fillna", "sort_values", "clip_", "insert_many",
})  # fmt: skip
DATASETS = re.compile(
    r"^sklearn\.datasets\.(?:load_|fetch_)|^(?:torchvision|torchtext|torchaudio|torch_geometric|keras|tensorflow\.keras)"
    r"\.datasets\.|^datasets\.load_dataset|^seaborn\.load_dataset|^statsmodels\.(?:api\.)?datasets\.|^openml\."
    r"|^kaggle|^vega_datasets|^tensorflow_datasets|^pydataset|^ucimlrepo\.|^scanpy\.datasets\.|^tdc\.|^Bio\.Entrez"
    r"|^nltk\.corpus\.|^wikipedia|^pubchempy|^chembl_webresource_client|^mp_api|^huggingface_hub\.|^gdown\."
)
NETWORK = re.compile(
    r"^(?:requests|httpx|aiohttp|urllib\.request|urllib3|http\.client|socket|ftplib|pycurl|wget|paramiko|websocket"
    r"|websockets|dns|telnetlib|asyncio\.open_connection)\b"
)
LANGUAGE_MODELS = re.compile(
    r"^(?:openai|anthropic|google\.generativeai|google\.genai|vertexai|cohere|mistralai|groq|together|litellm"
    r"|langchain\w*|llama_cpp|ollama|vllm|pydantic_ai|instructor|dspy|guidance|replicate|boto3|zhipuai|dashscope)\b"
    r"|^transformers\.(?:pipeline|AutoModelForCausalLM|AutoModelForSeq2SeqLM|TextGeneration\w*)"
)
MODEL_ADDRESS = re.compile(
    r"api\.openai\.com|api\.anthropic\.com|generativelanguage\.googleapis|/chat/completions|/v1/messages|/v1/completions"
    r"|api\.mistral\.ai|api\.deepseek\.com|openrouter\.ai|api\.groq\.com|api\.together|bedrock|:11434|/api/generate"
)
MODEL_PROGRAMS = re.compile(r"(?:^|[\s/\"'])(?:claude|codex|gemini|ollama|llm|aichat|opencode)(?=$|[\s\"'])")
"""Programs that ask a language model."""
RUNS = re.compile(r"^(?:subprocess\.\w+|os\.(?:system|popen|exec\w*|spawn\w*)|asyncio\.create_subprocess\w*)$")
READS = frozenset({
    "open", "read_text", "read_bytes", "read", "load", "loadtxt", "genfromtxt", "fromfile", "memmap", "loads",
    "read_csv", "read_table", "read_json", "read_parquet", "read_pickle", "read_excel", "read_feather", "read_hdf",
    "read_h5ad", "File", "loadmat", "imread", "scan_csv", "reader", "DictReader", "exec_module", "import_module",
    "spec_from_file_location", "copy", "copyfile", "copy2", "load_model", "load_state_dict", "joblib", "Booster",
    "fitz", "PdfReader", "read_fwf", "fromtxt", "getline", "getlines", "run_path", "popen", "system", "run",
    "check_output", "Popen", "check_call", "call", "input", "FileInput", "parse", "unpack_archive", "ZipFile",
})  # fmt: skip
WRITES_RECEIVER = frozenset({
    "to_csv", "to_json", "to_parquet", "to_pickle", "to_excel", "to_feather", "to_hdf", "write_csv", "write_parquet",
    "write_h5ad", "write_json", "tofile", "to_string", "write_ndjson", "save",
})  # fmt: skip
"""What the receiver holds is written to what the arguments name."""
WRITES_ARGUMENTS = frozenset(
    {"write", "writelines", "write_text", "write_bytes", "writerow", "writerows", "create_dataset"}
)
"""What the arguments hold is written to the receiver."""
WRITES_FIRST = frozenset({
    "json.dump", "pickle.dump", "joblib.dump", "yaml.dump", "yaml.safe_dump", "torch.save", "dill.dump", "shutil.copy",
    "shutil.copyfile", "shutil.copy2", "shutil.move", "os.rename", "os.replace", "os.link", "os.symlink",
})  # fmt: skip
"""The first argument is written to the second."""
WRITES_SECOND = frozenset({"numpy.save", "numpy.savez", "numpy.savez_compressed", "numpy.savetxt", "imageio.imwrite",
                           "imageio.imsave", "cv2.imwrite", "scipy.io.savemat", "skimage.io.imsave", "tifffile.imwrite",
                           "matplotlib.pyplot.imsave"})  # fmt: skip
"""What follows the first argument is written to it."""
TRUTH = re.compile(
    r"(?:^|/)ground[_-]?truth(?:/|$)|(?:^|/)evaluator\.py$|(?:^|/)evaluation/(?:shared|ground)|/proc/\d+/root"
)
PAPER = re.compile(r"(?:^|/)paper\.(?:md|pdf|txt|html|tex)$|^/task/paper", re.IGNORECASE)
