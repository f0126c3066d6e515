"""What every evaluator does: read an answer, validate it whole, and only then score it.

The idea: this module is the evaluator's code, tested here as any other, and its source is lifted into each package's
``evaluation/evaluator.py`` below the constants of the task. What is special to a task is data (``Contract``): no text
of a task ever becomes code. It needs numpy alone (h5py for HDF5), and never runs, imports or unpickles an answer.

An answer is written by whoever wants a high score. So links are refused (one could lead to the reference),
sizes are bounded, and whatever is wrong with an instance gives None for each of its metrics, never a number.
"""

from __future__ import annotations

import csv
import importlib.util
import json
import math
import os
import stat
import sys
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

Contract = Mapping[str, Any]
"""One instance: ``answers`` (file -> how it has to be), ``metrics``, ``scorer``."""

LARGEST_ANSWER = 8 << 30
LARGEST_TEXT = 2 << 30
FINITE_BLOCK = 1 << 22


class ValidationError(Exception):
    """An answer is not as the task asks for."""


def grade(
    contracts: Mapping[str, Contract],
    functions: Mapping[str, Callable[..., float]],
    output: Path,
    truth: Path,
) -> dict[str, dict[str, Any]]:
    """Score each instance: ``{instance: {metric: value, or None where "error" says why}}``.

    ``output`` holds a folder an instance with what was handed in, ``truth`` one with the references.
    """
    result: dict[str, dict[str, Any]] = {}
    for instance, contract in contracts.items():
        names = [use["name"] for use in contract["metrics"]]
        try:
            scores = score_instance(contract, functions, output / instance, truth / instance)
            result[instance] = dict(zip(names, scores, strict=True))
        except (ValidationError, ValueError) as error:
            result[instance] = {**dict.fromkeys(names), "error": " ".join(str(error).split())[:500]}
        except Exception as error:  # noqa: BLE001 -- an answer that breaks its scoring is no reason to score no other
            reason = f"the answer could not be scored ({type(error).__name__})"
            result[instance] = {**dict.fromkeys(names), "error": reason}
    return result


def score_instance(
    contract: Contract, functions: Mapping[str, Callable[..., float]], output: Path, truth: Path
) -> list[float]:
    """The values of an instance's metrics, in their order. Raises ValidationError, and ValueError as metrics do."""
    answers = {file: read_answer(output, file, form, truth) for file, form in contract["answers"].items()}
    scorer = load_scorer(truth, *contract["scorer"]) if contract["scorer"] else None
    values = []
    for use in contract["metrics"]:
        file, keys = use["prediction"]
        prediction = choose(answers[file], keys or contract["answers"][file]["keys"], file)
        reference = read_reference(truth, use, contract["answers"][file])
        if scorer is not None:
            reference, prediction = None, scorer(reference, prediction)
        elif use["missing"] == "drop":
            reference, prediction = without_missing(reference, prediction)
        value = float(functions[use["function"]](reference, prediction, **use["options"]))
        if not math.isfinite(value):
            raise ValidationError(f"{use['name']} is not a finite number for this answer")
        values.append(value)
    return values


# -- answers ---------------------------------------------------------------------------------


def read_answer(folder: Path, file: str, form: Mapping[str, Any], truth: Path) -> dict[str, Any]:
    """What was handed in as ``file``: its values by key, in the order of the reference's ids where it has ids.

    Raises ValidationError unless all of it is as ``form`` says.
    """
    path = plain_file(folder, file)
    wanted = [*form["keys"], *([form["id"]] if form["id"] else [])]
    try:
        values = read_values(path, form["format"], wanted, form["id"])
    except ValidationError:
        raise
    except Exception as error:
        raise ValidationError(f"{file} cannot be read as {form['format']} ({type(error).__name__})") from error
    if form["id"] and "ids" in values:
        values = in_order(values, reference_ids(truth, form), file)
    columns = {column["name"]: column for column in form["columns"]}
    for key, value in values.items():
        if key != "ids":
            values[key] = check_values(value, {**form, **columns.get(key, {})}, f"{file}: {key}" if key else file)
    return values


def plain_file(folder: Path, file: str) -> Path:
    """The path of ``file`` in ``folder``: a regular file of some size, reached through no link."""
    path = folder
    for part in ("", *file.split("/")):
        path = path / part
        if path.is_symlink():
            raise ValidationError(f"{file} is a link; write the file itself")
    try:
        status = path.lstat()
    except OSError:
        raise ValidationError(f"{file} is missing") from None
    if not stat.S_ISREG(status.st_mode):
        raise ValidationError(f"{file} is not a file")
    if status.st_size == 0:
        raise ValidationError(f"{file} is empty")
    if status.st_size > LARGEST_ANSWER:
        raise ValidationError(f"{file} is larger than {LARGEST_ANSWER >> 30} GiB")
    return path


def check_values(values: Any, form: Mapping[str, Any], what: str) -> Any:
    """``values`` in the type that is asked for. Raises ValidationError for type, shape, count, range, NaN."""
    if form["dtype"] == "any":
        return values
    array = typed(values, form["dtype"], what, missing=form.get("missing_allowed", False))
    rows = form["rows"]
    if array.ndim and rows is not None and array.shape[0] != rows:
        raise ValidationError(f"{what} has {array.shape[0]} rows, and {rows} are asked for")
    if array.size == 0:
        raise ValidationError(f"{what} is empty")
    if form["shape"] and form["format"] in ("npy", "npz", "h5ad"):
        check_shape(array, form["shape"], what)
    if form.get("values") is not None:
        allowed = set(form["values"])
        odd = next((one for one in np.unique(array).tolist() if one not in allowed), None)
        if odd is not None:
            raise ValidationError(f"{what} holds {odd!r}, which is none of the values that there may be")
    if array.dtype.kind in "fiu":
        check_numbers(array, form, what)
    return array


def typed(values: Any, dtype: str, what: str, *, missing: bool = False) -> Any:
    """An array of the kind that ``dtype`` names; cells of text are read."""
    kind = "f" if dtype.startswith("float") else "i" if dtype.startswith(("int", "uint")) else dtype[:1]
    if isinstance(values, list) and values and all(isinstance(value, str) for value in values):
        return typed_cells(values, kind, what, missing=missing)
    array = np.asarray(values)
    fits = {"f": "fiu", "i": "iu", "b": "b", "s": "U"}[kind]
    if array.dtype.kind not in fits:
        raise ValidationError(f"{what} holds {array.dtype.name}, and {dtype} is asked for")
    return array


def typed_cells(cells: list[str], kind: str, what: str, *, missing: bool) -> Any:
    """Cells of a text file as an array."""
    if kind == "s":
        return np.asarray(cells)
    if kind == "b":
        known = {"true": True, "1": True, "false": False, "0": False}
        truths = [known.get(cell.strip().lower()) for cell in cells]
        if None in truths:
            raise ValidationError(f"{what} holds {cells[truths.index(None)][:60]!r}, and true or false is asked for")
        return np.asarray(truths, dtype=bool)
    try:
        numbers = [float(cell) if cell.strip() or not missing else math.nan for cell in cells]
    except ValueError:
        odd = next(cell for cell in cells if not is_number(cell))
        raise ValidationError(f"{what} holds {odd[:60]!r}, which is not a number") from None
    array = np.asarray(numbers, dtype=np.float64)
    if kind == "i":
        if not np.isfinite(array).all() or (array != np.floor(array)).any():
            raise ValidationError(f"{what} holds a number that is not whole")
        return array.astype(np.int64)
    return array


def is_number(cell: str) -> bool:
    """Whether a cell is a number as Python reads one."""
    try:
        float(cell)
    except ValueError:
        return False
    return True


def check_shape(array: Any, shape: Sequence[Any], what: str) -> None:
    """Raises ValidationError unless the axes are as many and as long; an axis given by a letter is free."""
    fits = array.ndim == len(shape) and all(
        isinstance(wanted, str) or wanted == length for wanted, length in zip(shape, array.shape, strict=True)
    )
    if not fits:
        asked = ", ".join(str(one) for one in shape)
        raise ValidationError(f"{what} has shape {array.shape}, and ({asked}) is asked for")


def check_numbers(array: Any, form: Mapping[str, Any], what: str) -> None:
    """Raises ValidationError for numbers that are not finite or out of range; goes through them in blocks."""
    flat = array.reshape(-1)
    missing = form.get("missing_allowed", False)
    for start in range(0, flat.size, FINITE_BLOCK):
        block = np.asarray(flat[start : start + FINITE_BLOCK])
        if block.dtype.kind == "f":
            wrong = np.isinf(block) if missing else ~np.isfinite(block)
            if form["finite"] and wrong.any():
                raise ValidationError(f"{what} holds {int(wrong.sum())} values that are not finite (NaN or infinite)")
        if form["least"] is not None and (block < form["least"]).any():
            raise ValidationError(f"{what} holds a value below {form['least']}")
        if form["most"] is not None and (block > form["most"]).any():
            raise ValidationError(f"{what} holds a value above {form['most']}")


def in_order(values: dict[str, Any], wanted: list[str], file: str) -> dict[str, Any]:
    """``values`` in the order of the ids ``wanted``. Raises ValidationError for missing, extra and doubled ids."""
    given = values["ids"]
    place = {name: row for row, name in enumerate(given)}
    if len(place) != len(given):
        raise ValidationError(f"{file} gives {len(given) - len(place)} ids more than once")
    if missing := [name for name in wanted if name not in place]:
        raise ValidationError(f"{file} lacks {len(missing)} ids, {missing[0][:60]!r} among them")
    if len(given) != len(wanted):
        known = set(wanted)
        extra = [name for name in given if name not in known]
        raise ValidationError(f"{file} has {len(extra)} ids that nobody asked for, {extra[0][:60]!r} among them")
    rows = [place[name] for name in wanted]
    return {key: [value[row] for row in rows] for key, value in values.items()}


# -- files -----------------------------------------------------------------------------------


def read_values(path: Path, kind: str, keys: Sequence[str] = (), id_key: str | None = None) -> dict[str, Any]:
    """A file's values by key, those of ``keys`` alone where any are given; a file without keys has the key ``""``.

    Ids stand under ``ids`` as texts. Nothing is unpickled. Raises ValidationError for what is missing in it.
    """
    if kind not in BINARY and path.stat().st_size > LARGEST_TEXT:
        raise ValidationError(f"{path.name} is larger than {LARGEST_TEXT >> 30} GiB")
    return READERS[kind](path, keys, id_key)


def read_array(path: Path, keys: Sequence[str], *_: object) -> dict[str, Any]:
    """The array of an ``.npy``, left on the disk."""
    array = np.load(path, mmap_mode="r", allow_pickle=False)
    if not isinstance(array, np.ndarray) or keys:
        raise ValidationError(f"{path.name} is not one array")
    return {"": array}


def read_archive(path: Path, keys: Sequence[str], *_: object) -> dict[str, Any]:
    """Arrays of an ``.npz``."""
    with zipfile.ZipFile(path) as archive:
        if sum(member.file_size for member in archive.infolist()) > LARGEST_ANSWER:
            raise ValidationError(f"{path.name} unpacks to more than {LARGEST_ANSWER >> 30} GiB")
    with np.load(path, allow_pickle=False) as arrays:
        for key in keys:
            if key not in arrays.files:
                raise ValidationError(f"{path.name} has no array {key!r}")
        return {key: arrays[key] for key in (keys or arrays.files)}


def read_hdf5(path: Path, keys: Sequence[str], *_: object) -> dict[str, Any]:
    """Data sets of an HDF5 file by their paths; links to other files are not followed."""
    import h5py

    values = {}
    with h5py.File(path, "r") as file:
        for key in keys:
            if not isinstance(file.get(key, getlink=True), h5py.HardLink) or not isinstance(file[key], h5py.Dataset):
                raise ValidationError(f"{path.name} has no data set {key!r}")
            if file[key].size * file[key].dtype.itemsize > LARGEST_ANSWER or file[key].external:
                raise ValidationError(f"{path.name}: {key} is too large, or lies in another file")
            array = file[key][()]
            values[key] = array.astype(str) if array.dtype.kind in "OS" else array
    return values


def read_rows(path: Path, keys: Sequence[str], id_key: str | None) -> dict[str, Any]:
    """Columns of a delimited file with a heading, as texts."""
    delimiter = "," if path.suffix.lower() == ".csv" else "\t"
    csv.field_size_limit(1 << 20)
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file, delimiter=delimiter)
        heading = [name.strip() for name in next(reader, [])]
        if not heading:
            raise ValidationError(f"{path.name} has no heading")
        for key in keys:
            if heading.count(key) != 1:
                count = "no column" if key not in heading else "more than one column"
                raise ValidationError(f"{path.name} has {count} {key!r}")
        wanted = keys or heading
        places = [heading.index(key) for key in wanted]
        columns: list[list[str]] = [[] for _ in places]
        for number, row in enumerate(reader, 2):
            if not row:
                continue
            if len(row) != len(heading):
                raise ValidationError(f"{path.name}: line {number} has {len(row)} cells, not {len(heading)}")
            for column, place in zip(columns, places, strict=True):
                column.append(row[place])
    values: dict[str, Any] = dict(zip(wanted, columns, strict=True))
    if id_key:
        values["ids"] = [name.strip() for name in values.pop(id_key)]
    return values


def read_json(path: Path, keys: Sequence[str], id_key: str | None) -> dict[str, Any]:
    """Keys of a JSON object; records (a list of objects, or the first such list in an object) where there is an id."""
    value = json.loads(path.read_bytes(), parse_constant=refuse_constant)
    if id_key:
        records = value if isinstance(value, list) else next((one for one in value.values() if is_records(one)), None)
        if records is None and isinstance(value, dict) and all(isinstance(one, dict) for one in value.values()):
            records = [{id_key: name, **one} for name, one in value.items()]
        if records is None or not is_records(records):
            raise ValidationError(f"{path.name} holds no list of objects")
        for key in keys:
            if any(key not in record for record in records):
                raise ValidationError(f"{path.name} has an object without {key!r}")
        found: dict[str, Any] = {key: [record[key] for record in records] for key in keys if key != id_key}
        return {**found, "ids": [str(record[id_key]).strip() for record in records]}
    if not keys:
        return {"": value}
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            raise ValidationError(f"{path.name} has no key {key!r}")
    return {key: value[key] for key in keys}


def refuse_constant(name: str) -> float:
    """NaN and Infinity are not JSON."""
    raise ValidationError(f"the file holds {name}, which is not finite")


def is_records(value: Any) -> bool:
    """Whether a JSON value is a list of objects, not empty."""
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)


def read_fasta(path: Path, *_: object) -> dict[str, Any]:
    """Sequences, and the first word of each heading as id."""
    ids: list[str] = []
    sequences: list[list[str]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith(">"):
            ids.append((line[1:].split() or [""])[0])
            sequences.append([])
        elif line.strip():
            if not sequences:
                raise ValidationError(f"{path.name} does not begin with '>'")
            sequences[-1].append(line.strip())
    if not ids:
        raise ValidationError(f"{path.name} holds no sequence")
    return {"": ["".join(parts) for parts in sequences], "ids": ids}


def read_atoms(path: Path, *_: object) -> dict[str, Any]:
    """Coordinates in ångström of the alpha carbons of the first model, shape (n, 3)."""
    atoms = []
    for line in path.read_text(encoding="ascii", errors="replace").splitlines():
        if line.startswith("ENDMDL"):
            break
        if line.startswith("ATOM") and line[12:16].strip() == "CA" and line[16:17] in (" ", "A"):
            atoms.append([float(line[start : start + 8]) for start in (30, 38, 46)])
    if not atoms:
        raise ValidationError(f"{path.name} holds no alpha carbon")
    return {"": np.asarray(atoms)}


def read_lines(path: Path, *_: object) -> dict[str, Any]:
    """Lines of a text."""
    return {"": path.read_text(encoding="utf-8").splitlines()}


def read_smiles(path: Path, *_: object) -> dict[str, Any]:
    """The first word of each line."""
    return {"": [(line.split() or [""])[0] for line in read_lines(path)[""]]}


READERS: Mapping[str, Callable[..., dict[str, Any]]] = {
    "csv": read_rows, "fasta": read_fasta, "h5ad": read_hdf5, "json": read_json, "npy": read_array,
    "npz": read_archive, "pdb": read_atoms, "smi": read_smiles, "tsv": read_rows, "txt": read_lines,
}  # fmt: skip
BINARY = ("npy", "npz", "h5ad")


# -- references ------------------------------------------------------------------------------


def file_kind(file: str) -> str:
    """How a file is read, by its name."""
    suffix = file.lower().rpartition(".")[2]
    return {"tab": "tsv", "fa": "fasta", "h5": "h5ad", "hdf5": "h5ad", "smiles": "smi"}.get(suffix, suffix)


def reference_ids(truth: Path, form: Mapping[str, Any]) -> list[str]:
    """The ids that an answer must have, in the reference's order."""
    file = form["ids_of"]
    ids: list[str] = read_values(truth / file, file_kind(file), [form["id"]], form["id"])["ids"]
    return ids


def read_reference(truth: Path, use: Mapping[str, Any], form: Mapping[str, Any]) -> Any:
    """What a metric compares with, in the order of the ids; None where it compares with nothing."""
    if use["reference"] is None:
        return None
    file, keys, has_ids = use["reference"]
    id_key = form["id"] if has_ids else None
    values = read_values(truth / file, file_kind(file), [*keys, *([id_key] if id_key and keys else [])], id_key)
    if has_ids and file != form["ids_of"]:
        values = in_order(values, reference_ids(truth, form), file)
    values.pop("ids", None)
    return choose({key: read_cells(value, text=use["text"]) for key, value in values.items()}, keys, file)


def read_cells(values: Any, *, text: bool) -> Any:
    """Cells of text as numbers where all are (a missing one as NaN), else as texts; arrays as they are."""
    if not isinstance(values, list) or not values or not all(isinstance(cell, str) for cell in values):
        return values
    missing = ("", "na", "nan")
    if text or not all(is_number(cell) or cell.strip().lower() in missing for cell in values):
        return np.asarray(values)
    return np.asarray([math.nan if cell.strip().lower() in missing else float(cell) for cell in values])


def choose(values: Mapping[str, Any], keys: Sequence[str], file: str) -> Any:
    """The values of one key as they are, those of several as columns."""
    if not keys:
        keys = [key for key in values if key != "ids"]
    chosen = [values[key] for key in keys]
    if len(chosen) == 1:
        return chosen[0]
    try:
        return np.stack([np.asarray(one) for one in chosen], axis=1)
    except ValueError:
        raise ValidationError(f"{file}: {', '.join(keys)} are not of one length") from None


def without_missing(reference: Any, prediction: Any) -> tuple[Any, Any]:
    """Both without the samples whose reference is missing (NaN in any column, or an empty text)."""
    array = reference if isinstance(reference, np.ndarray) else None
    if array is None or array.ndim == 0 or len(array) != len(prediction):
        return reference, prediction
    if array.dtype.kind == "U":
        known = array != ""
    elif array.dtype.kind == "f":
        known = ~np.isnan(array)
    else:
        return reference, prediction
    known = known.reshape(len(array), -1).all(axis=1)
    if known.all():
        return reference, prediction
    return array[known], np.asarray(prediction)[known]


def load_scorer(truth: Path, file: str, function: str) -> Callable[..., Any]:
    """The task's own scorer, ``function(reference, prediction)``; what it imports from beside it is its own, too."""
    path = (truth / file).resolve()
    sys.path.insert(0, str(path.parent))
    sys.dont_write_bytecode = True
    before = set(sys.modules)
    try:
        spec = importlib.util.spec_from_file_location(f"scorer_{truth.name}", path)
        if spec is None or spec.loader is None:
            raise FileNotFoundError(file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(path.parent))
        for name in set(sys.modules) - before:  # another instance may bring another module of the same name
            if str(getattr(sys.modules[name], "__file__", None) or "").startswith(f"{path.parent}{os.sep}"):
                del sys.modules[name]
    scorer: Callable[..., Any] = getattr(module, function)
    return scorer
