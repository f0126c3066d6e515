"""The references handed in as answers: how each file that is asked for can be made from a package's ground truth.

The idea: nobody says how references map to answers, so each way that fits is an :class:`Option`, and those are tried;
one is *certain* where names leave no doubt (the same file, the same column, the only array of that shape).
"""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import run as baseline  # type: ignore[import-not-found] # the generated solver, which lies beside this file in a box

Form = dict[str, Any]
MOST_OPTIONS = 6
SHARE = re.compile(r"prob|score|confid|likelihood|logit", re.IGNORECASE)


MISSING = ("", "na", "nan", "none")


class NotToldError(Exception):
    """How the references become this answer is not told by their names and shapes; the text says what is missing."""


@dataclass
class Option:
    """One way to write a file: the function that does it, and whether there is no doubt."""

    write: Callable[[Path], None]
    certain: bool
    exact: bool = True
    """False where it is one of several right answers, or a part of the reference: it need not score perfectly."""


def copied(path: Path) -> Callable[[Path], None]:
    """Writes what a file holds."""

    def write(target: Path) -> None:
        shutil.copyfile(path, target)

    return write


def as_text(text: str) -> Callable[[Path], None]:
    """Writes a text."""

    def write(target: Path) -> None:
        target.write_text(text, encoding="utf-8")

    return write


def options_for(form: Form, file: str, data: Any, references: Any) -> list[Option]:
    """The ways to write ``file`` from ``references``, the likeliest first. Raises NotToldError where there is none."""
    found = list(same_file(form, file, references))
    if not found:
        maker = MAKERS.get(form["format"])
        found = list(maker(form, data, references)) if maker else list(same_suffix(file, references))
    if not found:
        raise NotToldError(f"nothing in the ground truth has the names or the shape of {file}")
    return found[:MOST_OPTIONS]


def same_file(form: Form, file: str, references: Any) -> Iterator[Option]:
    """A reference by the answer's own name that has all that is asked for."""
    for name, path in references.paths.items():
        if name == file or name.rpartition("/")[2] == Path(file).name:
            wanted = {one["name"] for one in form["columns"]}
            columns = references.columns(name) if wanted else {}
            if not wanted or wanted <= set(columns):
                yield Option(copied(path), certain=True)


def same_suffix(file: str, references: Any) -> Iterator[Option]:
    """The only reference in the answer's format."""
    paths = [path for name, path in references.paths.items() if Path(name).suffix == Path(file).suffix]
    if len(paths) == 1:
        yield Option(copied(paths[0]), certain=True)


# -- tables ----------------------------------------------------------------------------------


def columns_of(references: Any) -> dict[str, dict[str, Any]]:
    """The columns of each reference, as lists of one length."""
    found = {}
    for name in references.paths:
        columns = {
            key: list(value) for key, value in references.columns(name).items() if getattr(value, "ndim", 1) == 1
        }
        if columns:
            found[name] = columns
    return found


def table_columns(form: Form, references: Any) -> Iterator[tuple[dict[str, list[Any]], bool]]:
    """The columns of a table from those of the references, and whether there is no doubt."""
    asked = [one["name"] for one in form["columns"] if one["name"] != form["id"]]
    for columns in columns_of(references).values():
        key = (
            form["id"]
            if form["id"] in columns
            else next((one for one in ("<key>", "id") if form["id"] and one in columns), None)
        )
        if form["id"] and key is None:
            continue
        ids = [str(one) for one in columns[key]] if key else None
        own = {name: values for name, values in columns.items() if name != key}
        if {"<key>", "id"} & set(own) and key == "<key>":
            own.pop("id", None)
        for made, certain in assigned(asked, own):
            whole = made if ids is None else {form["id"]: ids, **made}
            yield {one["name"]: filled(whole[one["name"]]) for one in form["columns"]}, certain


def filled(cells: list[Any]) -> list[Any]:
    """Cells of a column, those without a value (which nobody scores) like one that has one."""
    known = next((one for one in cells if str(one).strip().lower() not in MISSING), 0.0)
    return [known if str(one).strip().lower() in MISSING else one for one in cells]


def assigned(asked: list[str], own: dict[str, list[Any]]) -> Iterator[tuple[dict[str, list[Any]], bool]]:
    """Columns that are asked for, by those of a reference: of the same name, the only one, or shares from labels."""
    made = {name: own[name] for name in asked if name in own}
    folded = {key.casefold(): key for key in own}
    for name in asked:
        if name not in made and name.casefold() in folded:
            made[name] = own[folded[name.casefold()]]
    missing = [name for name in asked if name not in made]
    spare = [name for name, values in own.items() if not any(values is one for one in made.values())]
    if not missing:
        yield made, True
        return
    if len(missing) == 1 and len(spare) == 1 and not SHARE.search(missing[0]):
        yield {**made, missing[0]: own[spare[0]]}, len(own) == 1
        return
    labels = next(
        (own[name] for name in [*made, *spare] if name in own and 2 <= len(set(map(str, own[name]))) <= 200), None
    )
    if labels is None:
        return
    classes = sorted(set(map(str, labels)))
    if len(missing) == 1 and len(classes) == 2:
        for positive in classes[::-1]:
            yield {**made, missing[0]: [float(str(one) == positive) for one in labels]}, False
    of_class = {
        name: [one for one in classes if re.search(rf"(?:^|[^0-9A-Za-z]){re.escape(one)}$", name)] for name in missing
    }
    if all(len(ones) == 1 for ones in of_class.values()):
        yield (
            {**made, **{name: [float(str(one) == ones[0]) for one in labels] for name, ones in of_class.items()}},
            True,
        )


def tables(form: Form, _: Any, references: Any) -> Iterator[Option]:
    """Rows of a delimited file."""
    separator = "\t" if form["format"] == "tsv" else ","
    for made, certain in table_columns(form, references):

        def write(target: Path, made: dict[str, list[Any]] = made) -> None:
            with target.open("w", encoding="utf-8", newline="") as file:
                rows = csv.writer(file, delimiter=separator, lineterminator="\n")
                rows.writerow(made)
                rows.writerows(zip(*made.values(), strict=True))

        yield Option(write, certain)


# -- arrays ----------------------------------------------------------------------------------


def arrays_of(references: Any) -> list[tuple[str, str, Any]]:
    """Every array of the references (file, key, array); columns of numbers are arrays, too."""
    import numpy as np

    found = []
    for name in references.paths:
        for key, values in references.columns(name).items():
            array = values if hasattr(values, "dtype") else np.asarray(values)
            if array.dtype.kind == "U":
                try:
                    array = array.astype("float64")
                except ValueError:
                    continue
            if array.dtype.kind in "fiub":
                found.append((name, key, array))
    return found


def array_options(form: Form, data: Any, references: Any, key: str = "") -> Iterator[tuple[Any, bool, bool]]:
    """Arrays that answer: of the shape that is asked for, labels as shares of one, or rows of a larger sample."""
    import numpy as np

    try:
        shape = baseline.shape_for(form, data)
    except baseline.NoAnswerError:
        shape = tuple(form["shape"])
    dtype = np.dtype(form["dtype"] or "float64")
    stem = key or Path(form["file"]).stem
    arrays = arrays_of(references)
    fits = [one for one in arrays if one[2].shape == shape]
    named = [one for one in fits if stem in (one[1], Path(one[0]).stem)]
    ids = {"id", "ids", "index", "idx", "<key>"}
    chosen = named or [one for one in fits if one[1].casefold() not in ids] or fits
    for _, _, array in chosen:
        yield np.asarray(array).astype(dtype), len(chosen) == 1, True
    if len(shape) == 2:
        labels = [array for _, name, array in arrays if name.casefold() not in ids and are_classes(array, shape)]
        for array in labels:
            shares = np.eye(shape[1])[np.asarray(array).astype(int)].astype(dtype)
            yield shares, len(labels) == 1 and not chosen, True
        for _, _, array in arrays:
            if array.ndim == 2 and not fits and array.shape[1:] == shape[1:] and len(array):
                rows = np.random.default_rng(0).permutation(len(array))
                yield np.asarray(array)[np.resize(rows, shape[0])].astype(dtype), False, False


def are_classes(array: Any, shape: tuple[int, ...]) -> bool:
    """Whether an array (rows,) has whole numbers from 0 to below the columns of ``shape``."""
    if array.shape != shape[:1] or not array.size:
        return False
    return bool((array % 1 == 0).all()) and bool(array.min() >= 0) and bool(array.max() < shape[1])


def plain_arrays(form: Form, data: Any, references: Any) -> Iterator[Option]:
    """One array."""
    import numpy as np

    for array, certain, exact in array_options(form, data, references):

        def write(target: Path, array: Any = array) -> None:
            np.save(target, array)

        yield Option(write, certain, exact)


def archives(form: Form, data: Any, references: Any) -> Iterator[Option]:
    """The arrays of an archive, each by its name or its shape."""
    import numpy as np

    made: dict[str, Any] = {}
    certain = exact = True
    for key in form["columns"]:
        own = {**form, **{name: value for name, value in key.items() if value not in (None, "", (), [])}}
        own["rows"] = own["shape"][0] if own["shape"] and isinstance(own["shape"][0], int) else form["rows"]
        first = next(iter(array_options(own, data, references, key["name"])), None)
        if first is None:
            return
        twice = any(np.array_equal(first[0], one) for one in made.values())  # one reference for two keys
        made[key["name"]] = first[0]
        certain = certain and not twice
        certain, exact = certain and first[1], exact and first[2]
    if made:

        def write(target: Path) -> None:
            np.savez(target, **made)

        yield Option(write, certain, exact)


# -- others ----------------------------------------------------------------------------------


def values(form: Form, _: Any, references: Any) -> Iterator[Option]:
    """A JSON value: records by ids, or an object by its keys."""

    def as_json(value: Any) -> Any:
        if hasattr(value, "tolist"):
            return value.tolist()
        return [as_json(one) for one in value] if isinstance(value, list) else typed(value)

    if form["id"]:
        for made, certain in table_columns(form, references):
            records = [dict(zip(made, map(typed, row), strict=True)) for row in zip(*made.values(), strict=True)]
            value: Any = records
            if isinstance(form["example"], dict):
                value = {
                    str(one[form["id"]]): {key: two for key, two in one.items() if key != form["id"]} for one in records
                }
            yield Option(as_text(json.dumps(value)), certain)
        return
    names = [one["name"] for one in form["columns"]] or list(
        form["example"] if isinstance(form["example"], dict) else ()
    )
    for name, path in references.paths.items():
        if name.endswith(".json"):
            given = json.loads(path.read_bytes())
            if isinstance(given, dict) and names and set(names) <= set(given):
                value = {key: given[key] for key in names}
                yield Option(as_text(json.dumps(value)), certain=True)
            elif isinstance(given, dict) and not form["columns"] and len(references.paths) == 1:
                yield Option(copied(path), certain=False)
        columns = references.columns(name)
        if names and set(names) <= set(columns):
            value = {key: as_json(columns[key]) for key in names}
            yield Option(as_text(json.dumps(value)), certain=False)
        keyed = next((one for one in ("<key>", "id", "name", "sample_id") if one in columns), None)
        spare = [one for one in columns if one != keyed]
        if keyed and len(spare) == 1 and isinstance(form["example"], dict) and not form["columns"]:
            value = dict(zip(map(str, columns[keyed]), map(typed, columns[spare[0]]), strict=True))
            yield Option(as_text(json.dumps(value)), certain=True)


def typed(cell: Any) -> Any:
    """A cell of a table as a number where it is one."""
    if hasattr(cell, "item"):
        return cell.item()
    if not isinstance(cell, str):
        return cell
    for kind in (int, float):
        try:
            return kind(cell)
        except ValueError:
            continue
    return cell


def lines(form: Form, _: Any, references: Any) -> Iterator[Option]:
    """Sequences, molecules, lines: the only reference in the same format, or the only column that is so called."""
    yield from same_suffix(form["file"], references)
    for columns in columns_of(references).values():
        for key in ("sequence", "sequences", "seq", "smiles", "SMILES", "text"):
            if key in columns:
                ids = columns.get("id", range(len(columns[key])))
                if form["format"] == "fasta":
                    text = "".join(f">{one}\n{two}\n" for one, two in zip(ids, columns[key], strict=True))
                else:
                    text = "".join(f"{one}\n" for one in columns[key])
                yield Option(as_text(text), certain=True)


MAKERS: dict[str, Callable[[Form, Any, Any], Iterator[Option]]] = {
    "csv": tables, "tsv": tables, "npy": plain_arrays, "npz": archives, "json": values, "fasta": lines, "smi": lines,
    "txt": lines,
}  # fmt: skip


def write_truths(
    files: dict[str, list[tuple[str, Form]]], data_of: Callable[[str], Any], truth: Path, folder: Path
) -> dict[str, Any]:
    """Answers made from the references, one tree in ``folder`` for each way; what is certain, and what is not told."""
    made: dict[str, Any] = {"answers": {}, "not_told": {}}
    for instance, own in files.items():
        ways = []
        try:
            references = baseline.Data(truth / instance)
            for file, form in own:
                ways.append((file, options_for(form, file, data_of(instance), references)))
        except Exception as error:  # noqa: BLE001 -- references may be anything; what they are not is told
            told = (
                str(error)
                if isinstance(error, (NotToldError, baseline.NoAnswerError))
                else f"{type(error).__name__}: {error}"
            )
            made["not_told"][instance] = told[:300]
            continue
        for number in range(max((len(one) for _, one in ways), default=0)):
            name = f"truth-{number}"
            chosen = [(file, options[min(number, len(options) - 1)]) for file, options in ways]
            for file, option in chosen:
                target = folder / name / instance / file
                target.parent.mkdir(parents=True, exist_ok=True)
                option.write(target)
            facts = {"certain": all(one.certain for _, one in chosen), "exact": all(one.exact for _, one in chosen)}
            made["answers"].setdefault(name, {})[instance] = facts
    return made
