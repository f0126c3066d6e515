"""Arrays on disk: npy, npz and HDF5, cut along their first axis, key by key, in blocks.

One array is rows that come in blocks, from wherever; a writer takes such blocks, wherever to. So nothing is held in
memory but a block, and every format can be written from every other.
"""

from __future__ import annotations

import contextlib
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import h5py
import numpy as np
import numpy.typing as npt

from nature_gym.packaging.operations import TableForm
from nature_gym.splitting.categories import Categories, categories_of
from nature_gym.splitting.faults import SplitError
from nature_gym.splitting.lines import Mask

BLOCK = 32 << 20
_NPY, _NPZ, _HDF5 = (".npy",), (".npz",), (".h5", ".hdf5", ".h5ad", ".loom", ".hdf")
SUFFIXES = (*_NPY, *_NPZ, *_HDF5)
_LARGEST_TURNED = 2 << 30
"""An array in Fortran order inside an archive must be held whole; one of more bytes is refused."""

Array = npt.NDArray[Any]


def is_array_file(path: Path) -> bool:
    """Whether a file holds arrays that can be split by rows, by its name."""
    return path.suffix.lower() in SUFFIXES


@dataclass(frozen=True, slots=True)
class Head:
    """What is known of an array without reading it."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    @property
    def each(self) -> int:
        """How many rows make a block."""
        return int(max(1, BLOCK // max(1, self.dtype.itemsize * int(np.prod(self.shape[1:], dtype=np.int64)))))


class Arrays:
    """The arrays of a file by key; an ``.npy`` has one, called ``array``. Objects (pickles) are refused."""

    def __init__(self, path: Path, told: TableForm = TableForm()) -> None:  # noqa: B008 - it does not change
        self.path = path
        self.suffix = path.suffix.lower()
        self._told = told

    def heads(self) -> dict[str, Head]:
        """Key -> shape and dtype; of archives only the heads are read."""
        with self._readable():
            if self.suffix in _NPY:
                array = np.load(self.path, mmap_mode="r", allow_pickle=False)
                return {"array": Head(array.shape, array.dtype)}
            if self.suffix in _HDF5:
                with h5py.File(self.path, "r") as file:
                    return {name: Head(tuple(data.shape or ()), data.dtype) for name, data in _datasets(file)}
            with zipfile.ZipFile(self.path) as archive:
                found = {}
                for member in archive.namelist():
                    if member.endswith(".npy"):
                        with archive.open(member) as opened:
                            found[member.removesuffix(".npy")] = _npy_head(opened)[0]
                return found

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Key -> shape."""
        return {key: head.shape for key, head in self.heads().items()}

    def only_key(self) -> str:
        """The key of a file with one array. Raises SplitError where there are more."""
        keys = list(self.heads())
        if len(keys) != 1:
            raise SplitError(f"{self.path.name} holds {len(keys)} arrays", hint=f"Say which, by key: {_some(keys)}.")
        return keys[0]

    @property
    def rows(self) -> int:
        """The length of the first axis that most arrays share: the samples.

        Raises SplitError where there is none, or where two lengths are as frequent and nobody said which counts.
        """
        shapes = self.shapes()
        if self._told.rows_of is not None:
            self._check(self._told.rows_of, shapes)
            shapes = {"": shapes[self._told.rows_of]}
        lengths = Counter(shape[0] for shape in shapes.values() if shape).most_common(2)
        if not lengths:
            raise SplitError(f"{self.path.name} holds no array with rows", hint="Look at the file.")
        if len(lengths) > 1 and lengths[0][1] == lengths[1][1]:
            raise SplitError(
                f"{self.path.name} has as many arrays of {lengths[0][0]:,} rows as of {lengths[1][0]:,}",
                hint="Say under 'tables:' which array's rows count, by 'rows_of'.",
            )
        return lengths[0][0]

    @property
    def likely_rows(self) -> int | None:
        """The length of the first axis that most arrays share, the longest of several; None where there is none."""
        return self.rows_among(self.shapes())

    def rows_among(self, keys: Iterable[str]) -> int | None:
        """The length of the first axis that most of the arrays ``keys`` share, the longest of several."""
        shapes = self.shapes()
        lengths = Counter(shapes[key][0] for key in keys if shapes[key])
        return max(lengths, key=lambda length: (lengths[length], length)) if lengths else None

    def array(self, key: str) -> Array:
        """One array, whole. Raises SplitError where there is none of that name."""
        self._check(key, self.heads())
        with self._readable():
            if self.suffix in _NPY:
                return np.asarray(np.load(self.path, mmap_mode="r", allow_pickle=False))
            if self.suffix in _HDF5:
                with h5py.File(self.path, "r") as file:
                    return np.asarray(file[key][()])
            with np.load(self.path, allow_pickle=False) as archive:
                return np.asarray(archive[key])

    def texts(self, key: str) -> Iterator[list[str]]:
        """The values of an array with one axis, as texts, block by block."""
        head = self._column(key)
        with self._readable():
            for block in self._blocks(key, head):
                yield _texts(block.reshape(-1))

    def categories(self, key: str, *, as_text: bool = False) -> Categories:
        """The values of an array with one axis as categories, sorted as they are."""
        self._column(key)
        values = self.array(key).reshape(-1)
        if values.dtype.kind in "SO":
            values = np.array(_texts(values))
        return categories_of(values, as_text=as_text)

    def before(self, key: str, cut: str | float) -> Mask:
        """For each row whether its value in ``key`` is less than ``cut``; texts are compared as texts."""
        self._column(key)
        if isinstance(cut, str):
            return np.array([text < cut for block in self.texts(key) for text in block], dtype=bool)
        values = self.array(key).reshape(-1)
        if values.dtype.kind not in "iuf" or np.isnan(values.astype(np.float64)).any():
            raise SplitError(f"{self.path.name}: {key!r} holds other things than numbers", hint="Cut it by a text.")
        return np.asarray(values < cut)

    def write(self, keep: Mask | None, names: Mapping[str, str], target: Path) -> int:
        """Write the arrays ``names`` (new key -> key) to ``target``, with the rows that are kept; how many those are.

        Arrays whose first axis is not the samples are written whole. Raises SplitError where no array has rows.
        """
        heads = self.heads()
        for key in names.values():
            self._check(key, heads)
        if keep is not None and not any(heads[key].shape[:1] == (len(keep),) for key in names.values()):
            raise SplitError(f"none of {_some(list(names.values()))} has {len(keep):,} rows", hint="Keep another key.")
        if keep is not None and self.suffix in (".h5ad", ".loom"):
            raise SplitError(
                f"{self.path.name} cannot be cut by rows: its matrices are not plain arrays",
                hint="Take it whole, or split a table and arrays made of it.",
            )
        suffix = target.suffix.lower()
        with self._readable():
            if suffix in _HDF5:
                self._write_hdf5(keep, names, target, heads)
            elif suffix in _NPY and len(names) == 1:
                (key,) = names.values()
                with target.open("wb") as file:
                    self._write_npy(file, key, heads[key], keep)
            elif suffix in _NPY:
                raise SplitError(f"{target.name} can hold one array, not {len(names)}", hint="Keep one key.")
            elif suffix in _NPZ:
                with _npz(target) as archive:
                    for name, key in names.items():
                        with archive.open(_member(name), "w", force_zip64=True) as opened:
                            self._write_npy(opened, key, heads[key], keep)
            else:
                raise SplitError(f"arrays cannot be written as {target.name}", hint="Use .npy, .npz or .h5.")
        return (self.rows_among(names.values()) or 0) if keep is None else int(keep.sum())

    # -- blocks --------------------------------------------------------------------------------

    def _blocks(self, key: str, head: Head) -> Iterator[Array]:
        """The rows of an array with at least one axis, block by block."""
        if self.suffix in _NPZ:
            with zipfile.ZipFile(self.path) as archive, archive.open(f"{key}.npy") as opened:
                yield from _streamed(opened, self.path.name)
        elif self.suffix in _NPY:
            array = np.load(self.path, mmap_mode="r", allow_pickle=False)
            for start in range(0, head.shape[0], head.each):
                yield np.asarray(array[start : start + head.each])
        else:
            with h5py.File(self.path, "r") as file:
                for start in range(0, head.shape[0], head.each):
                    yield np.asarray(file[key][start : start + head.each])

    def _kept(self, key: str, head: Head, keep: Mask | None) -> Iterator[Array]:
        start = 0
        for block in self._blocks(key, head):
            yield block if keep is None else block[keep[start : start + len(block)]]
            start += len(block)

    def _write_npy(self, file: IO[bytes], key: str, head: Head, keep: Mask | None) -> None:
        if head.dtype.kind == "O":
            raise SplitError(f"{self.path.name}: {key!r} holds objects", hint="Write it as .h5, or take a CSV of it.")
        if not head.shape:
            np.lib.format.write_array(file, self.array(key), allow_pickle=False)
            return
        mask = keep if keep is not None and head.shape[0] == len(keep) else None
        count = head.shape[0] if mask is None else int(mask.sum())
        described = np.lib.format.dtype_to_descr(head.dtype)
        shape = (count, *head.shape[1:])
        np.lib.format.write_array_header_1_0(file, {"descr": described, "fortran_order": False, "shape": shape})
        for block in self._kept(key, head, mask):
            file.write(np.ascontiguousarray(block).tobytes())

    def _write_hdf5(self, keep: Mask | None, names: Mapping[str, str], target: Path, heads: Mapping[str, Head]) -> None:
        """Data sets with their attributes, chunks and filters; groups with theirs."""
        source = h5py.File(self.path, "r") if self.suffix in _HDF5 else None
        with contextlib.ExitStack() as stack:
            if source is not None:
                stack.enter_context(source)
            out = stack.enter_context(h5py.File(target, "w", track_order=True))
            for name, key in names.items():
                head = heads[key]
                mask = keep if keep is not None and head.shape[:1] == (len(keep),) else None
                data = source[key] if source is not None else None
                if source is not None and data is not None and mask is None:
                    source.copy(data, out, name=name)
                else:
                    self._write_dataset(out, name, key, head, mask, data)
                if source is not None:
                    _copy_group_attributes(source, key, out, name)

    def _write_dataset(
        self, out: h5py.File, name: str, key: str, head: Head, mask: Mask | None, data: h5py.Dataset | None
    ) -> None:
        if not head.shape:
            out.create_dataset(name, data=self.array(key), track_times=False)
            return
        count = head.shape[0] if mask is None else int(mask.sum())
        shape = (count, *head.shape[1:])
        options: dict[str, Any] = {}
        if data is not None and data.chunks is not None and all(shape):
            chunks = tuple(min(chunk, axis) for chunk, axis in zip(data.chunks, shape, strict=True))
            options = {"chunks": chunks, "compression": data.compression, "shuffle": data.shuffle}
            options["compression_opts"] = data.compression_opts
        dtype = data.dtype if data is not None else head.dtype
        if dtype.kind == "U":
            dtype = h5py.string_dtype()
        made = out.create_dataset(name, shape, dtype, track_times=False, **options)
        for attribute, value in data.attrs.items() if data is not None else ():
            if attribute != "DIMENSION_LIST":  # references to other data sets, which are other ones here
                made.attrs[attribute] = value
        start = 0
        for block in self._kept(key, head, mask):
            if len(block):
                made[start : start + len(block)] = block.astype(object) if block.dtype.kind == "U" else block
            start += len(block)

    # -- checks --------------------------------------------------------------------------------

    def _check(self, key: str, keys: Mapping[str, Any]) -> None:
        if key not in keys:
            raise SplitError(f"{self.path.name} has no key {key!r}", hint=f"Its keys: {_some(sorted(keys))}.")

    def _column(self, key: str) -> Head:
        heads = self.heads()
        self._check(key, heads)
        head = heads[key]
        if len(head.shape) != 1 and not (len(head.shape) == 2 and head.shape[1] == 1):
            raise SplitError(
                f"{self.path.name}: {key!r} has shape {head.shape}, not one value a row", hint="Another key?"
            )
        return head

    @contextlib.contextmanager
    def _readable(self) -> Iterator[None]:
        """What numpy, zip files and HDF5 raise for files that are not what their names say, in our words."""
        try:
            yield
        except (ValueError, zipfile.BadZipFile, EOFError, KeyError, RuntimeError, NotImplementedError) as error:
            raise SplitError(f"{self.path.name} cannot be read as arrays: {error}", hint="Look at the file.") from error
        except OSError as error:
            if error.errno is not None:
                raise
            raise SplitError(f"{self.path.name} cannot be read as HDF5: {error}", hint="Look at the file.") from error


def write_arrays(arrays: Mapping[str, Array], target: Path) -> None:
    """Arrays in memory to ``target``: ``.npz`` each under its name; in ``.npy`` one axis for one, two for several."""
    if target.suffix.lower() in _NPZ:
        with _npz(target) as archive:
            for name, array in arrays.items():
                with archive.open(_member(name), "w", force_zip64=True) as file:
                    np.lib.format.write_array(file, np.ascontiguousarray(array), allow_pickle=False)
        return
    columns = list(arrays.values())
    with target.open("wb") as file:
        whole = columns[0] if len(columns) == 1 else np.stack(columns, axis=1)
        np.lib.format.write_array(file, np.ascontiguousarray(whole), allow_pickle=False)


def _npz(target: Path) -> zipfile.ZipFile:
    return zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, allowZip64=True, compresslevel=1)


def _member(name: str) -> zipfile.ZipInfo:
    """The same date for every member: equal arrays, equal bytes."""
    member = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
    member.compress_type = zipfile.ZIP_DEFLATED
    member.external_attr = 0o644 << 16
    return member


def _npy_head(file: IO[bytes]) -> tuple[Head, bool]:
    """(head, whether it is in Fortran order). Raises ValueError for what is no array, or has objects."""
    version = np.lib.format.read_magic(file)
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, fortran, dtype = read(file)
    if dtype.hasobject:
        raise ValueError("it holds pickled objects, which are never loaded")
    return Head(tuple(shape), dtype), fortran and len(shape) > 1


def _streamed(file: IO[bytes], name: str) -> Iterator[Array]:
    head, fortran = _npy_head(file)
    bytes_each = head.dtype.itemsize * int(np.prod(head.shape[1:], dtype=np.int64))
    if fortran:
        if bytes_each * head.shape[0] > _LARGEST_TURNED:
            raise SplitError(f"{name} holds a large array in Fortran order", hint="Save it as .npy first.")
        data = _exactly(file, bytes_each * head.shape[0])
        yield np.frombuffer(data, head.dtype).reshape(head.shape[::-1]).T
        return
    for start in range(0, head.shape[0], head.each):
        count = min(head.each, head.shape[0] - start)
        yield np.frombuffer(_exactly(file, bytes_each * count), head.dtype).reshape(count, *head.shape[1:])


def _exactly(file: IO[bytes], size: int) -> bytes:
    data = file.read(size)
    if len(data) != size:
        raise ValueError(f"it ends {size - len(data):,} bytes early")
    return data


def _datasets(file: h5py.File) -> list[tuple[str, h5py.Dataset]]:
    """Every data set by its path; links to other files are not followed."""
    found: list[tuple[str, h5py.Dataset]] = []

    def visit(name: str, item: object) -> None:
        if isinstance(item, h5py.Dataset):
            if item.external:
                raise ValueError(f"{name} lies in another file")
            if item.is_virtual:
                raise ValueError(f"{name} is put together from other files")
            found.append((name, item))

    file.visititems(visit)
    return found


def _copy_group_attributes(source: h5py.File, key: str, out: h5py.File, name: str) -> None:
    """The attributes of the groups that a data set lies in, where it keeps its place."""
    if name != key:
        return
    for place in ["/", *(key.rsplit("/", n)[0] for n in range(1, key.count("/") + 1))]:
        for attribute, value in source[place].attrs.items():
            out[place].attrs[attribute] = value


def _texts(values: Array) -> list[str]:
    return [value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value) for value in values.tolist()]


def names_of(keys: Sequence[str]) -> dict[str, str]:
    """Keys under their own names."""
    return {key: key for key in keys}


def _some(keys: Sequence[str]) -> str:
    return ", ".join(keys[:12]) + (", ..." if len(keys) > 12 else "")
