"""Arrays and their containers: shapes and kinds, by headers and directories alone."""

from __future__ import annotations

import ast
import math
import re
import zipfile
from typing import IO, Any

import h5py
import orjson
import scipy.io

from nature_gym.acquisition.formats.source import MOST_NAMES, Source, Structure, UnreadableError, names
from nature_gym.acquisition.formats.texts import file_of
from nature_gym.syntax import tree_of

_MOST_HEADER = 1 << 20
_MOST_SAFETENSORS = 64 << 20
_MOST_OBJECTS = 2000
_HEADER = re.compile(r"\s*\{.*\}\s*", re.DOTALL)


def npy_header(stream: IO[bytes]) -> Structure:
    """Shape and dtype of an array as :func:`numpy.save` writes it; its header is a literal, and read as one."""
    magic = stream.read(8)
    if magic[:6] != b"\x93NUMPY":
        raise UnreadableError("no array of NumPy")
    length = int.from_bytes(stream.read(2 if magic[6] == 1 else 4), "little")
    if length > _MOST_HEADER:
        raise UnreadableError("its header is larger than any header")
    text = stream.read(length).decode("latin-1")
    if not _HEADER.fullmatch(text):
        raise UnreadableError("its header is damaged")
    header = ast.literal_eval(tree_of(text.strip(), "eval"))
    shape = [int(size) for size in header["shape"]]
    dtype = header["descr"]
    kind = dtype if isinstance(dtype, str) else names(field[0] for field in dtype)
    found: Structure = {"shape": shape, "dtype": kind}
    if isinstance(dtype, str) and "O" in dtype:
        found["pickled"] = True
    return found


def npy(source: Source) -> Structure:
    """Shape and dtype; an array that is shorter than its header says is unreadable."""
    with source.open() as stream:
        found = npy_header(stream)
        if source.packing is None and isinstance(found["dtype"], str) and not found.get("pickled"):
            needed = math.prod(found["shape"]) * _item_size(found["dtype"])
            if needed > source.size - stream.tell():
                raise UnreadableError(
                    f"it ends early: {needed:,} bytes are said, {source.size - stream.tell():,} there"
                )
    return found


def _item_size(dtype: str) -> int:
    match = re.search(r"(\d+)", dtype)
    return int(match[1]) * (4 if "U" in dtype else 1) if match else 1


def npz(source: Source) -> Structure:
    """Shape and dtype of each array."""
    arrays = {}
    with zipfile.ZipFile(file_of(source)) as archive:
        infos = archive.infolist()
        for info in infos[:MOST_NAMES]:
            with archive.open(info) as stream:
                arrays[names([info.filename.removesuffix(".npy")])[0]] = npy_header(stream)
    return {"arrays": arrays, "count": len(infos)}


def hdf5(source: Source) -> Structure:
    """Shape and dtype of each data set, by its path; the root's attributes. Links out of it are not followed."""
    found: dict[str, Any] = {}
    with h5py.File(file_of(source), "r", locking=False) as file:
        seen: set[int] = set()
        waiting: list[tuple[str, Any]] = [("", file)]
        looked = 0
        while waiting and looked < _MOST_OBJECTS:
            path, group = waiting.pop()
            for key in group:
                looked += 1
                if looked > _MOST_OBJECTS:
                    break
                if isinstance(group.get(key, getlink=True), h5py.ExternalLink):
                    found[f"{path}/{key}"] = {"link": "external"}
                    continue
                item = group.get(key)
                address = h5py.h5o.get_info(item.id).addr if item is not None else 0
                if isinstance(item, h5py.Group) and address not in seen:
                    seen.add(address)
                    waiting.append((f"{path}/{key}", item))
                elif isinstance(item, h5py.Dataset):
                    found[f"{path}/{key}"] = {"shape": list(item.shape or ()), "dtype": str(item.dtype)}
        attributes = names(file.attrs)
    listed = dict(sorted(found.items())[:MOST_NAMES])
    return {"datasets": listed, "count": len(found), "exact": looked < _MOST_OBJECTS, "attributes": attributes}


def mat(source: Source) -> Structure:
    """Variables with shapes and classes; files of version 7.3 are HDF5."""
    if source.head.startswith(b"\x89HDF") or source.head[512:520] == b"\x89HDF\r\n\x1a\n":
        return hdf5(source)
    found = scipy.io.whosmat(file_of(source), appendmat=False)
    return {
        "variables": {
            names([name])[0]: {"shape": [int(size) for size in shape], "dtype": kind}
            for name, shape, kind in found[:MOST_NAMES]
        },
        "count": len(found),
    }


def netcdf(source: Source) -> Structure:
    """Variables with shapes and kinds, dimensions; files of version 4 are HDF5."""
    if source.head.startswith(b"\x89HDF"):
        return hdf5(source)
    with scipy.io.netcdf_file(file_of(source), "r", mmap=source.packing is None) as file:
        variables = {
            names([name])[0]: {"shape": [int(size) for size in one.shape], "dtype": one.typecode()}
            for name, one in list(file.variables.items())[:MOST_NAMES]
        }
        dimensions = {names([name])[0]: size for name, size in list(file.dimensions.items())[:MOST_NAMES]}
    return {"variables": variables, "dimensions": dimensions}


def zarr(source: Source) -> Structure:
    """Shape, dtype and chunks of an array, by its own metadata; a group has none."""
    value = orjson.loads(source.beginning(_MOST_HEADER))
    if not isinstance(value, dict):
        raise UnreadableError("its metadata are of another shape")
    kind = value.get("node_type") or ("group" if source.name == ".zgroup" else "array")
    kept = ("shape", "dtype", "data_type", "chunks", "zarr_format")
    return {"node": kind, **{key: value[key] for key in kept if key in value}}


def safetensors(source: Source) -> Structure:
    """Tensors with shapes and dtypes: the header is JSON behind its length."""
    length = int.from_bytes(source.head[:8], "little")
    if not 2 <= length <= min(_MOST_SAFETENSORS, source.size if source.packing is None else _MOST_SAFETENSORS):
        raise UnreadableError("its header is damaged")
    value = orjson.loads(source.beginning(8 + length)[8:])
    tensors = {name: one for name, one in value.items() if name != "__metadata__"}
    end = max((one["data_offsets"][1] for one in tensors.values()), default=0)
    if source.packing is None and 8 + length + end > source.size:
        raise UnreadableError("it ends early")
    listed = list(tensors.items())[:MOST_NAMES]
    return {
        "tensors": {names([name])[0]: {"shape": one["shape"], "dtype": one["dtype"]} for name, one in listed},
        "count": len(tensors),
        "parameters": sum(math.prod(one["shape"]) for one in tensors.values()),
    }
