"""The files of a folder as far as the cut needs them: path, size, kind, first bytes.

The one idea: a folder of authors is hostile input. The walk has limits, follows no link, opens regular files only and
reads no more than their first bytes; whatever it passes over is a warning.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Literal

from nature_gym.errors import UsageError

Kind = Literal[
    "python", "notebook", "shell", "make", "snakemake", "r", "code", "document", "environment", "config",
    "picture", "page", "log", "weights", "table", "array", "text", "plain", "archive", "binary", "other",
]  # fmt: skip

MAX_FILES = 200_000
MAX_DEPTH = 40
MAX_SOURCE_BYTES = 2_000_000
"""Programs longer than this are data in disguise (or generated); they are not parsed."""
MAX_CONFIG_BYTES = 1_000_000
HEAD_BYTES = 512
MAX_NAMED = 5
"""How many paths a warning names before it only counts."""

SKIPPED_FOLDERS = {".git", ".hg", ".svn", "__pycache__", "node_modules", ".ipynb_checkpoints", ".venv", "__MACOSX"}
"""Not the authors' files: version control, caches, installed packages."""

_SUFFIXES: dict[Kind, str] = {
    "python": ".py .pyw .pyx .pyi",
    "notebook": ".ipynb",
    "shell": ".sh .bash .zsh .sbatch .slurm .pbs .bat .cmd .ps1 .csh .ksh .lsf .qsub .job",
    "make": ".mk .mak",
    "snakemake": ".smk",
    "r": ".r .rmd .qmd .rnw",
    "code": """
    .c .cc .cpp .cxx .h .hpp .cu .cuh .java .js .mjs .ts .tsx .jsx .go .rs .rb .pl .pm .jl .m .scala .kt .swift .f
    .f90 .f95 .for .lua .php .cs .do .sas .sql .nf .wdl .cwl .vue .css .scss .less .proto .cmake .el .hs .ml .nb
    .stan .jags .bugs .mlx .asm .s .pxd .i .swg .tcl .awk .sed .vim .nix .groovy .gradle .g4 .ebnf
    """,
    "document": """
    .md .rst .markdown .tex .bib .bst .cls .sty .docx .doc .odt .rtf .pptx .ppt .key .pages .adoc .org .license .bbl
    .aux .epub .rd
    """,
    "config": """
    .yaml .yml .toml .ini .cfg .conf .gin .hydra .properties .libsonnet .jsonnet .prototxt .env .ncl .mdp .in
    """,
    "picture": """
    .png .jpg .jpeg .gif .bmp .webp .svg .eps .ico .ppm .pgm .ps .ai .psd .drawio .mp4 .avi .mov .webm .tif .tiff
    .pdf
    """,
    "page": ".html .htm .xhtml .ejs .woff .woff2 .ttf .otf .eot .map",
    "log": ".log .out .err .tfevents .stdout .stderr .wandb .prof .trace",
    "weights": """
    .pth .ckpt .pb .onnx .safetensors .tflite .caffemodel .keras .params .mar .engine .joblib .pdparams  .meta
    .weights .model .cbm .bin .gguf
    """,
    "table": """
    .csv .tsv .xlsx .xls .parquet .feather .tab .arrow .ods .jsonl .ndjson .json .dta .sav .sas7bdat .por .arff
    .libsvm .svm .psv .rds .rda .rdata .sqlite .db .bed .bedgraph .vcf .gff .gff3 .gtf .maf .sif .json5
    """,
    "array": """
    .npy .npz .h5 .hdf5 .h5ad .h5mu .loom .zarr .mat .pkl .pickle .pt .nc .nc4 .grib .grb .nii .mha .mhd .nrrd .dcm
    .dicom .edf .fif .set .fdt .bdf .wav .mp3 .flac .ogg .h5py .msgpack .lmdb .mdb .tfrecord .tfrecords .dill .p .bw
    .bigwig .bam .sam .cram .mgf .mzml .mzxml .raw .las .laz .ply .pcd .obj .stl .off .rec .cnt .gdf .vhdr .vmrk
    .eeg
    """,
    "text": """
    .txt .dat .data .fasta .fa .faa .fna .fastq .fq .pdb .cif .mmcif .sdf .mol .mol2 .smi .smiles .xyz .extxyz .pqr
    .aln .a3m .sto .hmm .newick .nwk .tree .edges .edgelist .gml .graphml .gexf .net .mtx .obo .owl .ttl .nt .nq
    .rdf .xml .conll .conllu .iob .ann .srt .vtt .geojson .shp .shx .dbf .prj .gpkg .kml .inp .gro .top .psf .dcd
    .xtc .trr .lst .list .names .vocab .dic .dict .cub .poscar .contcar .vasp .cube .label .labels .split .idx .ids
     .gmt .gct  .n3 .tpr .itp .rst7 .prmtop .chk .fchk  .w2v .vec .emb .embeddings .feat .content
    .cites .seq .pssm .ss2
    """,
    "binary": ".jar .whl .egg .exe .so .dll .dylib .pyd .a .lib .mexa64 .mexw64 .mexmaci64 .wasm",
    "archive": ".zip .tar .tgz .gz .bz2 .xz .7z .rar .zst .tbz2 .txz .lz4 .z",
}  # fmt: skip
_KIND_OF: dict[str, Kind] = {suffix: kind for kind, suffixes in _SUFFIXES.items() for suffix in suffixes.split()}
_COMPRESSED = {".gz", ".bz2", ".xz", ".zst", ".zip", ".lz4", ".z"}

_DOCUMENT_NAMES = re.compile(
    r"(read[._-]?me|li(c|ci)en[cs]es?|copying|copyright|notice|authors?|contributors?|contributing|changelog|changes|history|news|citation|notes?|"
    r"code_of_conduct|codeowners|security|todo|acknowledge?ments?|disclaimer|credits|version|install|faq|third.?party.*licen.*)"
    r"([._-].{0,12})?(\.(md|rst|txt|cff|html|pdf|docx?|bib|org))?$",
    re.IGNORECASE,
)
_ENVIRONMENT_NAMES = re.compile(
    r"(pip[._-].*\.txt|session_?info.*|cname|.*md5(sums?)?(\.txt)?|.*sha256(sums?)?(\.txt)?|.*\.spdx|.*install.*\.txt|.*packages?\.txt|.*\.pyc|.*\.class|.*\.o|.*requirements?([._-].*)?\.(txt|in|lock|yml|yaml)|requirements?|.*environment.*\.(ya?ml|txt)|.*conda.*\.(ya?ml|txt)|.*_env\.ya?ml|env\.ya?ml|"
    r"pipfile(\.lock)?|poetry\.lock|uv\.lock|pdm\.lock|pixi\.(toml|lock)|.*\.lock|pyproject\.toml|setup\.(cfg|toml)|manifest\.in|tox\.ini|"
    r"pytest\.ini|mypy\.ini|noxfile\.py|.*dockerfile.*|docker-compose.*\.ya?ml|compose\.ya?ml|\..*|renv\.lock|description|namespace|"
    r"project\.toml|manifest\.toml|package(-lock)?\.json|tsconfig.*\.json|cargo\.toml|go\.(mod|sum)|.*\.rproj|.*\.iml|"
    r"mkdocs\.ya?ml|readthedocs\.ya?ml|codecov\.ya?ml|_config\.ya?ml|meta\.ya?ml|singularity.*|.*\.def|apt\.txt|runtime\.txt|postbuild|"
    r"cog\.ya?ml|.*\.code-workspace|procfile|thumbs\.db|desktop\.ini|py\.typed|top_level\.txt|dependency_links\.txt|"
    r"sources\.txt|pkg-info|entry_points\.txt|zip-safe|not-zip-safe|metadata|record|wheel|installer|.*\.swp|.*~)$",
    re.IGNORECASE,
)
_CODE_NAMES = re.compile(
    r"(gnu)?makefile|snakefile|cmakelists\.txt|jenkinsfile|justfile|rakefile|sconstruct|dvc\.ya?ml|configure",
    re.IGNORECASE,
)

CODE_KINDS: frozenset[Kind] = frozenset({"python", "notebook", "shell", "make", "snakemake", "r", "code"})


@dataclass(frozen=True, slots=True)
class Entry:
    """A regular file: ``path`` relative to the folder with ``/``, ``size`` in bytes, and its first bytes."""

    path: str
    size: int
    kind: Kind
    head: bytes = b""

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    @property
    def folder(self) -> str:
        return self.path.rpartition("/")[0]

    @property
    def suffix(self) -> str:
        return bare_suffix(self.name)

    @property
    def is_code(self) -> bool:
        return self.kind in CODE_KINDS

    @property
    def is_lfs_pointer(self) -> bool:
        return self.head.startswith(b"version https://git-lfs.github.com/spec/") or self.head.startswith(
            b"/annex/objects/"
        )


@dataclass
class Tree:
    """A folder's files, and what was passed over on the way."""

    root: Path
    entries: list[Entry] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @cached_property
    def by_path(self) -> dict[str, Entry]:
        return {entry.path: entry for entry in self.entries}

    @property
    def data(self) -> list[Entry]:
        """All files that are not programs, in order."""
        return [entry for entry in self.entries if not entry.is_code]

    def of_kind(self, *kinds: Kind) -> Iterator[Entry]:
        return (entry for entry in self.entries if entry.kind in kinds)

    def text(self, path: str, limit: int = MAX_SOURCE_BYTES) -> str | None:
        """The text of a file of at most ``limit`` bytes; None where it is longer, binary, or cannot be read."""
        entry = self.by_path.get(path)
        if entry is None or entry.size > limit or b"\0" in entry.head:
            return None
        content = _read(self.root / path, limit + 1)
        if content is None or len(content) > limit or b"\0" in content:
            return None
        return content.decode("utf-8", errors="replace").removeprefix("\ufeff")


def bare_suffix(name: str) -> str:
    """The suffix that tells the content: that before a compression's (``a.csv.gz`` is ``.csv``), in lower case."""
    path = PurePosixPath(name.lower())
    if path.suffix in _COMPRESSED and PurePosixPath(path.stem).suffix in _KIND_OF:
        return PurePosixPath(path.stem).suffix
    return path.suffix


def known_suffix(name: str) -> bool:
    """Whether a name ends with a suffix that tells a format or a compression."""
    stem, dot, suffix = name.lower().rpartition(".")
    return bool(stem and dot) and (f".{suffix}" in _KIND_OF or f".{suffix}" in _COMPRESSED)


def kind_of(path: str, head: bytes) -> Kind:
    """What a file is, by its name, and by its first bytes where the name says nothing."""
    name = path.rpartition("/")[2]
    if _CODE_NAMES.fullmatch(name):
        return "snakemake" if name.lower() == "snakefile" else "make" if "makefile" in name.lower() else "code"
    if _ENVIRONMENT_NAMES.fullmatch(name) or path.startswith((".github/", ".circleci/", ".idea/", ".vscode/")):
        return "environment"
    if _DOCUMENT_NAMES.fullmatch(name):
        return "document"
    if _CHECKPOINT.search(name):
        return "weights"
    if name.endswith(".index") and b"\0" in head:
        return "weights"  # of a checkpoint: the table of its tensors
    kind = _KIND_OF.get(bare_suffix(name))
    if kind in CODE_KINDS and b"\0" in head and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "other"
    if kind is not None:
        return _settings_or_table(path, head, kind)
    return _kind_by_content(name, head)


_CHECKPOINT = re.compile(
    r"\.data-\d+-of-\d+$|ckpt.*\.(index|meta)$|(^|[-_.])ckpt([-_.]|$)|^checkpoint$|^saved_model\.|"
    r"\.(pth?|ckpt)\.tar$|^model[._-](iter|epoch)[._-]?\d+$",
    re.IGNORECASE,
)
_RUN_EVENTS = re.compile(r"events\.out\.tfevents|\.o\d+$|\.e\d+$|slurm-\d+|nohup")
_SETTINGS_PATH = re.compile(
    r"(^|/)(conf|confs|config|configs|configuration|configurations|settings|hparams)(/|$)|config[^/]*\.json$|"
    r"(^|[/_-])(params|settings?|hparams|hyper_?param\w*|args)\.json$",
    re.IGNORECASE,
)


_SETTING_KEYS = re.compile(
    rb'"(lr|learning_rate|batch_size|epochs?|n_epochs|seed|random_seed|hidden\w*|dropout|optimizer|n_layers|num_layers|weight_decay|'
    rb'ridge|alpha|gamma|kernel|width|depth|activation|loss|patience|max_epochs|device|model_type|architectures|vocab_size)"\s*:'
)
_SCALAR_VALUE = re.compile(rb'"[\w.-]+"\s*:\s*(?:-?[\d.]+(?:[eE][+-]?\d+)?|true|false|null|"[^"]*")')


def _settings_or_table(path: str, head: bytes, kind: Kind) -> Kind:
    """JSON holds settings as often as data; where it lies, and how it begins, tells."""
    name = path.lower()
    if name.endswith(".json") and head.lstrip()[:1] == b"{":
        if _SETTINGS_PATH.search(path):
            return "config"
        if _SETTING_KEYS.search(head) and len(_SCALAR_VALUE.findall(head)) >= 3:
            return "config"
    if name.endswith((".py.txt", ".r.txt")):
        return "code"
    return kind


def _kind_by_content(name: str, head: bytes) -> Kind:
    if _RUN_EVENTS.search(name):
        return "log"
    if head.startswith(b"#!"):
        line = head.split(b"\n", 1)[0]
        return "python" if b"python" in line else "r" if b"Rscript" in line else "shell" if b"sh" in line else "code"
    magic: tuple[tuple[bytes, Kind], ...] = (
        (b"\x93NUMPY", "array"),
        (b"\x89HDF\r\n", "array"),
        (b"CDF", "array"),
        (b"PAR1", "table"),
        (b"PK\x03\x04", "archive"),
        (b"\x1f\x8b", "archive"),
        (b"BZh", "archive"),
        (b"\x89PNG", "picture"),
        (b"\xff\xd8\xff", "picture"),
        (b"%PDF", "picture"),
        (b"SQLite format 3", "table"),
        (b"\x80\x02", "array"),
        (b"\x80\x03", "array"),
        (b"\x80\x04", "array"),
        (b"\x7fELF", "binary"),
    )
    for start, kind in magic:
        if head.startswith(start):
            return kind
    return "other" if b"\0" in head or not head else "plain"


def _read(path: Path, limit: int) -> bytes | None:
    """The first ``limit`` bytes of a regular file; None for anything else, and where it cannot be read."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    with os.fdopen(descriptor, "rb") as file:
        try:
            return file.read(limit) if stat.S_ISREG(os.fstat(descriptor).st_mode) else None
        except OSError:
            return None


@dataclass(slots=True)
class _Passed:
    """What the walk passed over, by reason."""

    reasons: dict[str, list[str]] = field(default_factory=dict)

    def add(self, reason: str, path: str) -> None:
        self.reasons.setdefault(reason, []).append(path)

    def warnings(self) -> list[str]:
        return [f"{reason}: {counted(paths)}" for reason, paths in sorted(self.reasons.items())]


def counted(paths: list[str]) -> str:
    """The first few of ``paths``, and how many more there are."""
    named = ", ".join(paths[:MAX_NAMED])
    return named if len(paths) <= MAX_NAMED else f"{named} and {len(paths) - MAX_NAMED:,} more"


def walk(folder: Path) -> Tree:
    """All regular files below ``folder``, in the order of their paths.

    Raises UsageError where there is no such folder.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder", hint="Name a folder that holds a repository's code and data.")
    tree = Tree(folder)
    passed = _Passed()
    pending = [("", 0)]
    while pending:
        prefix, depth = pending.pop()
        for path, found in _children(folder, prefix, passed):
            if not stat.S_ISDIR(found.st_mode):
                _take(tree, path, found, passed)
            elif path.rpartition("/")[2] in SKIPPED_FOLDERS:
                continue
            elif depth >= MAX_DEPTH:
                passed.add(f"folders deeper than {MAX_DEPTH} are not looked into", path)
            else:
                pending.append((f"{path}/", depth + 1))
        if len(tree.entries) >= MAX_FILES:
            passed.add(f"the folder has more than {MAX_FILES:,} files; the rest is left out, from here on", prefix)
            break
    tree.entries.sort(key=lambda entry: entry.path)
    if pointers := [entry.path for entry in tree.entries if entry.is_lfs_pointer]:
        passed.add("LFS pointers without their content", pointers[0])
        passed.reasons["LFS pointers without their content"] = pointers
    for path in _submodules(tree):
        if not any(entry.path.startswith(f"{path}/") for entry in tree.entries):
            passed.add("submodules without their content", path)
    tree.warnings.extend(passed.warnings())
    return tree


def _submodules(tree: Tree) -> list[str]:
    """The paths at which the folder's git repository expects others."""
    text = tree.text(".gitmodules", MAX_CONFIG_BYTES) or ""
    return [match.strip("/") for match in re.findall(r"(?m)^\s*path\s*=\s*(\S+)", text)]


def _children(folder: Path, prefix: str, passed: _Passed) -> list[tuple[str, os.stat_result]]:
    found: list[tuple[str, os.stat_result]] = []
    try:
        with os.scandir(folder / prefix) as entries:
            found.extend((f"{prefix}{entry.name}", entry.stat(follow_symlinks=False)) for entry in entries)
    except OSError as error:
        passed.add(f"cannot be listed ({error.strerror})", prefix or ".")
    return sorted(found, key=lambda item: item[0])


def _take(tree: Tree, path: str, found: os.stat_result, passed: _Passed) -> None:
    if stat.S_ISLNK(found.st_mode):
        passed.add("links are not followed", path)
        return
    if not stat.S_ISREG(found.st_mode):
        passed.add("not a file (pipe, socket or device)", path)
        return
    head = _read(tree.root / path, HEAD_BYTES)
    if head is None:
        passed.add("cannot be read", path)
        head = b""
    tree.entries.append(Entry(path, found.st_size, kind_of(path, head), head))
