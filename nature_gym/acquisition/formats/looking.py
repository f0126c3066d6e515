"""Looking into a file: its format, then what the looker of that format finds, and never an exception."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from nature_gym.acquisition.archive_members import Packing, form_of
from nature_gym.acquisition.formats import arrays, images, pickles, sequences, tables, texts
from nature_gym.acquisition.formats.detecting import detect
from nature_gym.acquisition.formats.source import Source, Structure, UnreadableError

_HEAD = 1 << 16
_PACKINGS: dict[str, Packing] = {"gz": "gz", "bz2": "bz2", "xz": "xz", "zst": "zst"}
LOOKS: dict[str, Callable[[Source], Structure]] = {
    "csv": tables.csv, "tsv": tables.csv, "parquet": tables.parquet, "feather": tables.feather, "json": texts.json,
    "notebook": texts.json, "jsonl": texts.jsonl, "xlsx": tables.xlsx, "npy": arrays.npy, "npz": arrays.npz,
    "hdf5": arrays.hdf5, "h5ad": arrays.hdf5, "loom": arrays.hdf5, "mat": arrays.mat, "netcdf": arrays.netcdf,
    "zarr": arrays.zarr, "safetensors": arrays.safetensors, "pickle": pickles.pickle, "pt": pickles.pt,
    "fasta": sequences.fasta, "fastq": sequences.fastq, "pdb": sequences.pdb, "cif": sequences.cif,
    "sdf": sequences.sdf, "mol2": sequences.mol2, "smi": sequences.smi, "xyz": sequences.xyz, "edges": texts.edges,
    "png": images.png, "jpeg": images.jpeg, "gif": images.gif, "bmp": images.bmp, "webp": images.webp,
    "tif": images.tif, "nii": images.nii, "dicom": images.dicom, "rds": pickles.rds, "zip": texts.zip_listing,
    "keras": texts.zip_listing, "document": texts.zip_listing,
}  # fmt: skip
_TEXT = frozenset({"text", "python", "r", "shell", "code", "yaml", "toml", "xml", "svg", "html"})


def look_into(path: Path) -> dict[str, Any]:
    """The fields of an inventory's entry that come from a file's content."""
    form, packing = "unknown", None
    try:
        source = _open(path)
        packing = source.packing
        form = detect(source)
        if form == "lfs_pointer":
            return _unreadable(form, packing, "a pointer to large-file storage, without its content")
        look = texts.text if form in _TEXT else LOOKS.get(form)
        structure = look(source) if look is not None else {}
    except UnreadableError as error:
        return _unreadable(form, packing, str(error))
    except RecursionError:
        return _unreadable(form, packing, "it is nested too deeply")
    except Exception as error:  # noqa: BLE001 -- readers raise whatever they like for files that are damaged
        return _unreadable(form, packing, f"{type(error).__name__}: {error}".partition("\n")[0][:300])
    return {"format": form, "packing": packing, "readable": True, "problem": "", "structure": structure}


def _unreadable(form: str, packing: str | None, problem: str) -> dict[str, Any]:
    clean = problem.encode("utf-8", "backslashreplace").decode()
    return {"format": form, "packing": packing, "readable": False, "problem": clean, "structure": {}}


def _open(path: Path) -> Source:
    packing = _PACKINGS.get(form_of(path) or "")
    if packing is None:
        with path.open("rb") as file:
            return Source(path, path.name, file.read(_HEAD))
    name = path.name[: -len(path.suffix)] if path.suffix.lower() in (f".{packing}", ".bz2", ".gz") else path.name
    packed = Source(path, name, b"", packing)
    try:
        head = packed.beginning(_HEAD)
    except Exception as error:
        raise UnreadableError(f"it cannot be unpacked: {type(error).__name__}: {error}") from error
    return Source(path, name, head, packing)
