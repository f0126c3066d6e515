"""Arrays: every format from every other, in blocks, without a pickle opened."""

from __future__ import annotations

import pickle
from pathlib import Path

import h5py
import numpy as np
import pytest

from nature_gym.packaging.operations import TableForm
from nature_gym.splitting import arrays as module
from nature_gym.splitting.arrays import Arrays, names_of
from nature_gym.splitting.faults import SplitError

KEEP = np.arange(100) % 3 == 0
X = np.random.default_rng(0).random((100, 4, 2))
NAMES = np.array([f"é{n}" for n in range(100)])


@pytest.fixture(params=["a.npz", "a.h5", "fortran.npz"])
def source(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(module, "BLOCK", 1000)  # so that there are many
    path = tmp_path / str(request.param)
    if path.suffix == ".npz":
        np.savez(path, X=np.asfortranarray(X) if "fortran" in path.name else X, names=NAMES, scale=np.float32(2.5))
    else:
        with h5py.File(path, "w") as file:
            file.create_dataset("X", data=X, compression="gzip", chunks=(10, 4, 2)).attrs["unit"] = "m"
            file.create_dataset("names", data=NAMES.astype(object), dtype=h5py.string_dtype())
            file["scale"] = np.float32(2.5)
            file.attrs["made"] = "by hand"
    return path


@pytest.mark.parametrize("target", ["b.npz", "b.h5"])
def test_rows_that_are_kept_are_those_of_the_mask(source: Path, target: str) -> None:
    arrays = Arrays(source)
    path = source.parent / target
    keys = ["X", "scale"] if source.suffix == ".h5" and target == "b.npz" else ["X", "names", "scale"]
    assert arrays.rows == 100
    assert arrays.write(KEEP, names_of(keys), path) == KEEP.sum()
    found = Arrays(path)
    assert np.array_equal(found.array("X"), X[KEEP])
    assert found.array("X").dtype == X.dtype
    assert found.array("scale") == np.float32(2.5)
    if "names" in keys:
        assert [text for block in found.texts("names") for text in block] == NAMES[KEEP].tolist()
    again = source.parent / f"again{path.suffix}"
    arrays.write(KEEP, names_of(keys), again)
    assert again.read_bytes() == path.read_bytes()


def test_hdf5_keeps_attributes_and_filters(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "a.h5", "w") as file:
        data = file.create_dataset("g/x", data=np.arange(100), compression="gzip", chunks=(10,))
        data.attrs["unit"] = "m"
        file["g"].attrs["kind"] = "group"
    Arrays(tmp_path / "a.h5").write(KEEP, names_of(["g/x"]), tmp_path / "b.h5")
    with h5py.File(tmp_path / "b.h5") as file:
        assert (file["g/x"].compression, file["g/x"].attrs["unit"], file["g"].attrs["kind"]) == ("gzip", "m", "group")


def test_one_array_becomes_an_npy(source: Path) -> None:
    Arrays(source).write(KEEP, {"array": "X"}, source.parent / "b.npy")
    assert np.array_equal(np.load(source.parent / "b.npy"), X[KEEP])
    with pytest.raises(SplitError, match="can hold one array"):
        Arrays(source).write(KEEP, names_of(["X", "scale"]), source.parent / "c.npy")


def test_a_large_npy_is_cut_without_being_held(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", X)
    assert Arrays(tmp_path / "a.npy").write(KEEP, {"array": "array"}, tmp_path / "b.npy") == KEEP.sum()
    assert np.array_equal(np.load(tmp_path / "b.npy"), X[KEEP])


def test_whose_rows_count_is_asked_where_it_is_not_plain(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", X_train=np.zeros((8, 2)), X_test=np.zeros((2, 2)))
    with pytest.raises(SplitError, match="as many arrays of"):
        _ = Arrays(tmp_path / "a.npz").rows
    assert Arrays(tmp_path / "a.npz", TableForm(rows_of="X_test")).rows == 2
    np.savez(tmp_path / "b.npz", X=np.zeros((8, 2)), y=np.zeros(8), names=np.zeros(2))
    assert Arrays(tmp_path / "b.npz").rows == 8


class Bomb:
    def __reduce__(self) -> tuple[object, tuple[Path]]:
        return (Path.touch, (Path("exploded"),))


@pytest.mark.parametrize("name", ["a.npy", "a.npz"])
def test_pickles_are_never_loaded(tmp_path: Path, name: str) -> None:
    (np.save if name == "a.npy" else np.savez)(tmp_path / name, np.array([Bomb()], dtype=object), allow_pickle=True)
    with pytest.raises(SplitError):
        Arrays(tmp_path / name).write(None, names_of(["array"]), tmp_path / "b.npz")
    (tmp_path / name).write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(SplitError):
        Arrays(tmp_path / name).heads()
    assert not Path("exploded").exists()


@pytest.mark.parametrize("name", ["a.npy", "a.npz", "a.h5"])
def test_what_is_no_array_is_the_files_fault(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"something else entirely")
    with pytest.raises(SplitError, match="cannot be read"):
        Arrays(tmp_path / name).heads()


def test_hdf5_that_points_into_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret.bin").write_bytes(b"12345678")
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file.create_dataset("x", (8,), "i1", external=[(str(tmp_path / "secret.bin"), 0, 8)])
        file["y"] = h5py.ExternalLink("other.h5", "/x")
    with pytest.raises(SplitError, match="in another file"):
        Arrays(tmp_path / "a.h5").heads()


def test_annotated_matrices_are_not_torn_apart(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "a.h5ad", "w") as file:
        file["obs/cell"] = np.arange(100)
        file["X/data"] = np.arange(7)
    with pytest.raises(SplitError, match="cannot be cut by rows"):
        Arrays(tmp_path / "a.h5ad").write(KEEP, names_of(["obs/cell", "X/data"]), tmp_path / "b.h5ad")


def test_shortened_archives_are_noticed(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", x=X)
    (tmp_path / "a.npz").write_bytes((tmp_path / "a.npz").read_bytes()[:3000])
    with pytest.raises(SplitError):
        Arrays(tmp_path / "a.npz").write(KEEP, names_of(["x"]), tmp_path / "b.npz")
