"""Arrays on disk: npy, npz and HDF5, cut along their first axis, key by key, in blocks."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import numpy.typing as npt

from nature_gym.splitting.faults import SplitError
from nature_gym.splitting.lines import Mask

BLOCK = 64 << 20
_NPY, _NPZ, _HDF5 = (".npy",), (".npz",), (".h5", ".hdf5", ".h5ad", ".loom", ".hdf")
SUFFIXES = (*_NPY, *_NPZ, *_HDF5)


def is_array_file(path: Path) -> bool:
    """Whether a file holds arrays that can be split by rows, by its name."""
    return path.suffix.lower() in SUFFIXES


class Arrays:
    """The arrays of a file by key; an ``.npy`` has one, called ``array``. Objects (pickles) are refused."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.suffix = path.suffix.lower()

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Key -> shape."""
        if self.suffix in _HDF5:
            with self._hdf5() as file:
                return {name: tuple(data.shape) for name, data in _datasets(file)}
        return {key: tuple(array.shape) for key, array in self._numpy()}

    @property
    def rows(self) -> int:
        """The length of the first axis that most arrays share: the samples. Raises SplitError where there is none."""
        lengths = [shape[0] for shape in self.shapes().values() if shape]
        if not lengths:
            raise SplitError(f"{self.path.name} holds no array with rows", hint="Look at the file.")
        return max(set(lengths), key=lambda length: (lengths.count(length), length))

    def array(self, key: str) -> npt.NDArray[Any]:
        """One array, whole. Raises SplitError where there is none of that name."""
        shapes = self.shapes()
        if key not in shapes:
            raise SplitError(
                f"{self.path.name} has no key {key!r}", hint=f"Its keys: {', '.join(sorted(shapes)[:12])}."
            )
        if self.suffix in _HDF5:
            with self._hdf5() as file:
                return np.asarray(file[key][()])
        return next(np.asarray(array) for name, array in self._numpy() if name == key)

    def write(self, keep: Mask | None, names: Mapping[str, str], target: Path) -> int:
        """Write the arrays ``names`` (new key -> key) to ``target``, with the rows that are kept; how many those are.

        Arrays whose first axis is not the samples are written whole.
        """
        rows = self.rows
        missing = sorted(set(names.values()) - set(self.shapes()))
        if missing:
            raise SplitError(f"{self.path.name} has no key {missing[0]!r}", hint=f"Keys: {', '.join(self.shapes())}.")
        suffix = target.suffix.lower()
        if suffix in _HDF5 and self.suffix in _HDF5:
            self._write_hdf5(keep, names, target, rows)
        elif suffix in _NPY:
            if len(names) != 1:
                raise SplitError(
                    f"{target.name} can hold one array, not {len(names)}", hint="Keep one key, or write .npz."
                )
            _save(target, self.array(next(iter(names.values()))), keep, rows)
        elif suffix in _NPZ:
            self._write_npz(keep, names, target, rows)
        else:
            raise SplitError(f"arrays cannot be written as {target.name}", hint="Use .npy, .npz or .h5.")
        return rows if keep is None else int(keep.sum())

    def _write_npz(self, keep: Mask | None, names: Mapping[str, str], target: Path, rows: int) -> None:
        """As numpy does it, with the same date for every member: equal arrays, equal bytes."""
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as archive:
            for name, key in names.items():
                member = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
                member.compress_type = zipfile.ZIP_DEFLATED
                member.external_attr = 0o644 << 16
                with archive.open(member, "w", force_zip64=True) as file:
                    array = _cut(self.array(key), keep, rows)
                    np.lib.format.write_array(file, array, allow_pickle=False)

    def _write_hdf5(self, keep: Mask | None, names: Mapping[str, str], target: Path, rows: int) -> None:
        with self._hdf5() as file, h5py.File(target, "w", libver="latest", track_order=True) as out:
            for name, key in names.items():
                data = file[key]
                if keep is None or data.shape[:1] != (rows,):
                    file.copy(data, out, name=name)
                    continue
                chosen = np.flatnonzero(keep)
                made = out.create_dataset(
                    name, (len(chosen), *data.shape[1:]), data.dtype, compression=data.compression, track_times=False
                )
                for key_, value in data.attrs.items():
                    made.attrs[key_] = value
                each = max(1, BLOCK // max(1, data.dtype.itemsize * int(np.prod(data.shape[1:], dtype=np.int64))))
                for start in range(0, len(chosen), each):
                    rows_here = chosen[start : start + each]
                    block = data[rows_here[0] : rows_here[-1] + 1]
                    made[start : start + len(rows_here)] = block[rows_here - rows_here[0]]

    def _numpy(self) -> Iterator[tuple[str, npt.NDArray[Any]]]:
        try:
            if self.suffix in _NPY:
                yield "array", np.load(self.path, mmap_mode="r", allow_pickle=False)
                return
            with np.load(self.path, allow_pickle=False) as archive:
                for key in archive.files:
                    yield key, archive[key]
        except (OSError, ValueError, zipfile.BadZipFile, EOFError) as error:
            raise SplitError(f"{self.path.name} cannot be read as arrays: {error}", hint="Look at the file.") from error

    def _hdf5(self) -> h5py.File:
        try:
            return h5py.File(self.path, "r")
        except OSError as error:
            raise SplitError(f"{self.path.name} cannot be read as HDF5: {error}", hint="Look at the file.") from error


def _datasets(file: h5py.File) -> list[tuple[str, h5py.Dataset]]:
    """Every data set by its path; links to other files are not followed."""
    found: list[tuple[str, h5py.Dataset]] = []

    def visit(name: str, item: object) -> None:
        if isinstance(item, h5py.Dataset):
            found.append((name, item))

    visitor: Callable[[str, object], None] = visit
    file.visititems(visitor)
    return found


def _cut(array: npt.NDArray[Any], keep: Mask | None, rows: int) -> npt.NDArray[Any]:
    return array[keep] if keep is not None and array.shape[:1] == (rows,) else array


def _save(target: Path, array: npt.NDArray[Any], keep: Mask | None, rows: int) -> None:
    with target.open("wb") as file:
        np.lib.format.write_array(file, np.ascontiguousarray(_cut(array, keep, rows)), allow_pickle=False)


def names_of(keys: Sequence[str]) -> dict[str, str]:
    """Keys under their own names."""
    return {key: key for key in keys}
