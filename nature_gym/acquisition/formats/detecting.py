"""What a file is: by its first bytes where they tell, by its name for what is all text, else text or unknown."""

from __future__ import annotations

import re

from nature_gym.acquisition.formats.source import Source

MAGIC: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\x89HDF\r\n\x1a\n", "hdf5"), (0, b"PAR1", "parquet"), (0, b"ARROW1", "feather"), (0, b"FEA1", "feather"),
    (0, b"\x93NUMPY", "npy"), (0, b"CDF\x01", "netcdf"), (0, b"CDF\x02", "netcdf"), (0, b"CDF\x05", "netcdf"),
    (0, b"MATLAB 5.0 MAT-file", "mat"), (0, b"RDX2\n", "rds"), (0, b"RDX3\n", "rds"), (0, b"RDA3\n", "rds"),
    (0, b"RDA2\n", "rds"), (128, b"DICM", "dicom"), (344, b"n+1\0", "nii"), (344, b"ni1\0", "nii"),
    (4, b"n+2\0", "nii"),
    (0, b"\x89PNG\r\n\x1a\n", "png"), (0, b"\xff\xd8\xff", "jpeg"), (0, b"GIF87a", "gif"), (0, b"GIF89a", "gif"),
    (0, b"II*\0", "tif"), (0, b"MM\0*", "tif"), (0, b"II+\0", "tif"), (0, b"MM\0+", "tif"), (0, b"%PDF-", "pdf"),
    (0, b"7z\xbc\xaf\x27\x1c", "7z"), (0, b"Rar!\x1a\x07", "rar"), (257, b"ustar", "tar"),
    (0, b"SQLite format 3\0", "sqlite"),
    (0, b"\x7fELF", "binary"), (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "xls"), (0, b"BAM\1", "bam"),
    (0, b"{\\rtf", "rtf"),
    (0, b"OggS", "audio"), (0, b"fLaC", "audio"), (0, b"ID3", "audio"),
)  # fmt: skip
"""Place, bytes, format."""
_ZIP = b"PK\x03\x04"
_OF_ZIP = {
    ".npz": "npz", ".pt": "pt", ".pth": "pt", ".ckpt": "pt", ".bin": "pt", ".xlsx": "xlsx", ".docx": "document",
    ".pptx": "document", ".keras": "keras", ".whl": "zip", ".jar": "zip", ".odt": "document", ".zarr": "zarr",
}  # fmt: skip
_BY_NAME = {
    ".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".json": "json", ".geojson": "json", ".jsonl": "jsonl",
    ".ndjson": "jsonl", ".ipynb": "notebook", ".fasta": "fasta", ".fa": "fasta", ".fna": "fasta", ".faa": "fasta",
    ".ffn": "fasta", ".fas": "fasta", ".fastq": "fastq", ".fq": "fastq", ".pdb": "pdb", ".ent": "pdb", ".cif": "cif",
    ".mmcif": "cif", ".sdf": "sdf", ".mol": "sdf", ".mol2": "mol2", ".smi": "smi", ".smiles": "smi", ".ismi": "smi",
    ".edgelist": "edges", ".edges": "edges", ".ungraph": "edges", ".xyz": "xyz", ".svg": "svg", ".xml": "xml",
    ".yaml": "yaml", ".yml": "yaml", ".toml": "toml", ".ini": "text", ".cfg": "text", ".md": "text", ".rst": "text",
    ".py": "python", ".r": "r", ".sh": "shell", ".html": "html", ".htm": "html", ".log": "text", ".jl": "code",
    ".c": "code", ".cpp": "code", ".h": "code", ".java": "code", ".m": "code", ".rmd": "r", ".smk": "code",
}  # fmt: skip
"""Formats of text, by the name's ending."""
_PICKLED = {".pkl", ".pickle", ".p", ".joblib", ".pckl", ".sav", ".model"}
_PROTOCOL = re.compile(rb"\x80[\x02-\x05]")


def detect(source: Source) -> str:
    """The format: never more than a few looks at the first bytes."""
    head = source.head
    if source.name in (".zarray", ".zgroup", "zarr.json"):
        return "zarr"
    if head.startswith((_ZIP, b"PK\x05\x06")):
        return _OF_ZIP.get(source.suffix, "zip")
    if not head:
        return "empty"
    return _by_magic(source) or _by_structure(source) or (_text(source) if is_text(head) else _by_binary_name(source))


def _by_magic(source: Source) -> str | None:
    head = source.head
    for place, magic, form in MAGIC:
        if head[place : place + len(magic)] == magic:
            return _refined(source, form)
    if head[:4] == b"RIFF":
        return {b"WEBP": "webp", b"WAVE": "audio", b"AVI ": "video"}.get(head[8:12])
    if head[4:8] == b"ftyp":
        return "video"
    return None


def _by_structure(source: Source) -> str | None:
    """Formats whose first bytes are numbers."""
    head = source.head
    if head[:2] == b"BM" and int.from_bytes(head[2:6], "little") == source.size:
        return "bmp"
    if source.suffix == ".safetensors" or (head[8:10] == b'{"' and 2 < int.from_bytes(head[:8], "little") < 1 << 30):
        return "safetensors"
    if _PROTOCOL.match(head) or (source.suffix in _PICKLED and is_text(head)):
        return "pt" if source.suffix in (".pt", ".pth", ".ckpt") else "pickle"
    if source.suffix in (".rds", ".rda", ".rdata") and head[:2] in (b"X\n", b"A\n", b"B\n"):
        return "rds"
    return None


def _refined(source: Source, form: str) -> str:
    if form == "hdf5":
        return {".h5ad": "h5ad", ".loom": "loom", ".mat": "mat", ".nc": "netcdf", ".nc4": "netcdf"}.get(
            source.suffix, "hdf5"
        )
    return form


def _by_binary_name(source: Source) -> str:
    """What a name claims of a file whose bytes do not confirm it: it is then looked into, and found unreadable."""
    claims = {
        ".parquet": "parquet", ".feather": "feather", ".npy": "npy", ".npz": "npz", ".h5": "hdf5", ".hdf5": "hdf5",
        ".h5ad": "h5ad", ".loom": "loom", ".mat": "mat", ".nc": "netcdf", ".pt": "pt", ".pth": "pt", ".png": "png",
        ".jpg": "jpeg", ".jpeg": "jpeg", ".tif": "tif", ".tiff": "tif", ".nii": "nii", ".dcm": "dicom", ".rds": "rds",
        ".zip": "zip", ".xlsx": "xlsx", ".pkl": "pickle", ".pickle": "pickle", ".joblib": "pickle", ".csv": "csv",
        ".tsv": "tsv", ".json": "json",
    }  # fmt: skip
    return claims.get(source.suffix, "unknown")


def _text(source: Source) -> str:
    named = _BY_NAME.get(source.suffix)
    start = source.head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"version https://git-lfs.github.com/spec/v1"):
        return "lfs_pointer"
    if start[:15].lower().startswith((b"<!doctype html", b"<html")):
        return "html"
    if named is not None:
        return named
    return _by_content(start)


def _by_content(start: bytes) -> str:
    """Text of no known name: what its first lines look like."""
    if start.startswith(b">") and re.match(rb">[^\n]*\n[A-Za-z*\-\n\r]+", start):
        return "fasta"
    if re.match(rb"@[^\n]+\n[ACGTNacgtn.]+\r?\n\+", start):
        return "fastq"
    if start.startswith((b"HEADER    ", b"ATOM      ", b"CRYST1")):
        return "pdb"
    if start.startswith(b"data_") and b"\n_" in start:
        return "cif"
    if b"@<TRIPOS>MOLECULE" in start:
        return "mol2"
    lines = [line for line in start.split(b"\n")[:-1][:50] if line.strip() and not line.startswith(b"#")]
    if len(lines) > 4 and all(re.fullmatch(rb"\s*\d+[ \t,]+\d+(?:[ \t,]+-?[\d.eE+-]+)?\s*", line) for line in lines):
        return "edges"
    for mark, form in ((b"\t", "tsv"), (b",", "csv")):
        counts = {line.count(mark) for line in lines}
        if len(lines) > 2 and len(counts) == 1 and counts.pop() > 0:
            return form
    return "text"


def is_text(head: bytes) -> bool:
    """Whether bytes are text, in UTF-8, UTF-16 with its mark, or one of the encodings of a byte a letter."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    if b"\0" in head:
        return False
    control = sum(head.count(bytes([code])) for code in (*range(1, 7), *range(14, 27)))
    if not control:
        return True  # in whichever encoding: of so many bytes of anything else, some would be
    if control > len(head) // 200:
        return False
    try:
        head.decode()
    except UnicodeDecodeError as error:
        return error.start >= len(head) - 3  # cut in the middle of a letter
    return True
