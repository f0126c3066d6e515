"""Answers spoiled in six ways, each from one that is right: what an evaluator has to refuse.

Missing, empty, of another format, with NaN and infinity, with half of the entries, with ids that nobody asked for. A
way that a format does not have (no numbers, no ids, a free count) is left out.
"""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Form = dict[str, Any]
KINDS = ("missing", "empty", "wrong format", "NaN and Inf", "wrong count", "misaligned ids")
MOST_FILES = 3
"""Of an instance that are spoiled, one at a time."""
UNKNOWN_ID = "nobody-asked-for-this"


class NotOfThisKind(Exception):  # noqa: N818 -- no error: the format has no such fault
    """The format cannot be spoiled in this way."""


def spoiled(
    right: Path, files: dict[str, list[tuple[str, Form]]], folder: Path
) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Copies of the answers ``right`` in ``folder``, spoiled: (name of the copy, way, instance -> spoiled file).

    ``files`` are the files of each instance with their forms.
    """
    most = min(MOST_FILES, max((len(one) for one in files.values()), default=0))
    for number in range(most):
        for kind in KINDS:
            name = f"{kind.replace(' ', '-')}-{number}"
            shutil.copytree(right, folder / name)
            done = {}
            for instance, own in files.items():
                if number < len(own):
                    file, form = own[number]
                    try:
                        spoil(folder / name / instance / file, form, kind)
                        done[instance] = file
                    except NotOfThisKind:
                        continue
            if done:
                yield name, kind, done
            else:
                shutil.rmtree(folder / name)


def spoil(path: Path, form: Form, kind: str) -> None:
    """Spoil a file in place. Raises NotOfThisKind."""
    if kind == "missing":
        path.unlink()
    elif kind == "empty":
        path.write_bytes(b"")
    elif kind == "wrong format":
        textual = form["format"] in ("csv", "tsv", "json", "jsonl", "fasta", "smi", "txt", "pdb")
        path.write_bytes(b"\x93\x00\xff\xfe\x00\x01" * 50 if textual else b"this is no such file\n" * 20)
    else:
        editor = EDITORS.get(form["format"])
        if editor is None:
            raise NotOfThisKind
        editor(path, form, kind)


def in_table(path: Path, form: Form, kind: str) -> None:
    """A table with a heading."""
    separator = "\t" if form["format"] == "tsv" else ","
    with path.open(encoding="utf-8", newline="") as file:
        heading, *rows = list(csv.reader(file, delimiter=separator))
    if kind == "NaN and Inf":
        numeric = [
            place for place, name in enumerate(heading) if name != form["id"] and rows and is_float(rows[0][place])
        ]
        if not numeric:
            raise NotOfThisKind
        for place in numeric:
            rows[0][place] = "nan"
            rows[-1][place] = "inf" if len(rows) > 1 else "nan"
    elif kind == "wrong count":
        rows = halved(rows, form)
    else:
        if form["id"] not in heading or not rows:
            raise NotOfThisKind
        key = heading.index(form["id"])
        for row in rows[: max(1, len(rows) // 2)]:
            row[key] = f"{UNKNOWN_ID}-{row[key]}"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=separator, lineterminator="\n").writerows([heading, *rows])


def halved(rows: list[Any], form: Form) -> list[Any]:
    """The first half of what has a count of its own."""
    if form["free"] or len(rows) < 2:
        raise NotOfThisKind
    return rows[: len(rows) // 2]


def is_float(cell: Any) -> bool:
    """Whether a cell is a number with or without a fraction."""
    try:
        float(cell)
    except (TypeError, ValueError):
        return False
    return True


def in_array(path: Path, form: Form, kind: str) -> None:
    """One array."""
    import numpy as np

    np.save(path, spoiled_array(np.load(path, allow_pickle=False), form, kind))


def in_archive(path: Path, form: Form, kind: str) -> None:
    """The arrays of an archive; those that can are all spoiled."""
    import numpy as np

    with np.load(path, allow_pickle=False) as archive:
        arrays = {name: archive[name] for name in archive.files}
    changed = False
    for name, array in arrays.items():
        try:
            arrays[name] = spoiled_array(array, form, kind)
            changed = True
        except NotOfThisKind:
            continue
    if not changed:
        raise NotOfThisKind
    np.savez(path, **arrays)


def spoiled_array(array: Any, form: Form, kind: str) -> Any:
    """An array with a NaN and an infinity, or with half of its rows."""
    import numpy as np

    if kind == "NaN and Inf" and array.dtype.kind == "f" and array.size:
        array = array.copy()
        array.reshape(-1)[0] = np.nan
        array.reshape(-1)[-1] = np.inf if array.size > 1 else np.nan
        return array
    if kind == "wrong count" and array.ndim and not form["free"] and len(array) > 1:
        return array[: len(array) // 2]
    raise NotOfThisKind


def in_json(path: Path, form: Form, kind: str) -> None:
    """A JSON value."""
    value = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(spoiled_value(value, form, kind)), encoding="utf-8")


def spoiled_value(value: Any, form: Form, kind: str) -> Any:
    """Every number NaN or infinite; half of the records, or of the keys that are ids; ids that nobody asked for."""
    if kind == "NaN and Inf":
        count = [0]
        changed = not_finite(value, count)
        if not count[0]:
            raise NotOfThisKind
        return changed
    keyed = bool(form["id"]) or (not form["columns"] and isinstance(form["example"], dict))
    if isinstance(value, dict) and len(value) == 1 and isinstance(next(iter(value.values())), list):
        return {key: spoiled_value(one, form, kind) for key, one in value.items()}
    if isinstance(value, dict) and keyed and kind == "wrong count":
        return dict(halved(list(value.items()), form))
    if isinstance(value, dict) and keyed and not (set(value) & set(form["example"] or ()) and form["id"] is None):
        return {f"{UNKNOWN_ID}-{key}": one for key, one in value.items()}
    if isinstance(value, list) and kind == "wrong count":
        return halved(value, form)
    if isinstance(value, list) and kind == "misaligned ids" and form["id"] and value and isinstance(value[0], dict):
        return [{**one, form["id"]: f"{UNKNOWN_ID}-{one.get(form['id'])}"} for one in value]
    if (
        isinstance(value, dict)
        and kind == "wrong count"
        and any(isinstance(one, list) and len(one) > 1 for one in value.values())
    ):
        return {key: one[: len(one) // 2] if isinstance(one, list) else one for key, one in value.items()}
    raise NotOfThisKind


def not_finite(value: Any, count: list[int]) -> Any:
    """The value with its fractions NaN and infinite by turns."""
    if isinstance(value, float):
        count[0] += 1
        return float("nan") if count[0] % 2 else float("inf")
    if isinstance(value, dict):
        return {key: not_finite(one, count) for key, one in value.items()}
    if isinstance(value, list):
        return [not_finite(one, count) for one in value]
    return value


def in_lines(path: Path, form: Form, kind: str) -> None:
    """Lines: of a text, of molecules, of objects."""
    lines = path.read_text(encoding="utf-8").splitlines()
    if form["format"] == "jsonl":
        records = spoiled_value([json.loads(line) for line in lines], form, kind)
        lines = [json.dumps(one) for one in records]
    elif kind == "wrong count":
        lines = halved(lines, form)
    elif kind == "NaN and Inf" and lines and is_float(lines[0]):
        lines[0] = "nan"
        lines[-1] = "inf" if len(lines) > 1 else "nan"
    else:
        raise NotOfThisKind
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def in_fasta(path: Path, form: Form, kind: str) -> None:
    """Records of sequences, two lines each as they were written."""
    lines = path.read_text(encoding="utf-8").splitlines()
    records = [lines[place : place + 2] for place in range(0, len(lines), 2)]
    if kind != "wrong count" or (form["rows"] is None and not form["follows"]):
        raise NotOfThisKind
    path.write_text("\n".join(line for one in halved(records, form) for line in one) + "\n", encoding="utf-8")


EDITORS: dict[str, Callable[[Path, Form, str], None]] = {
    "csv": in_table, "tsv": in_table, "npy": in_array, "npz": in_archive, "json": in_json, "jsonl": in_lines,
    "txt": in_lines, "smi": in_lines, "fasta": in_fasta,
}  # fmt: skip
