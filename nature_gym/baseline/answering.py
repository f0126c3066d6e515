"""Writes the answers of a baseline: one writer a format, and the entry point.

Reads DATA_DIR, writes OUTPUT_DIR. What it cannot tell it says, and ends with 3; the files of other instances are
written all the same. INSTANCES and FORMS are filled in by :mod:`nature_gym.baseline.solver`.
"""

from __future__ import annotations

import csv
import json
import math
import os
import random
import re
import sys
import zlib
from pathlib import Path
from typing import Any

from nature_gym.baseline.content import array_for, json_for, sequences_for, table_for
from nature_gym.baseline.data import LARGEST_FILE, TO_ANSWER, Data, LimitError, NoAnswerError, NoDataError
from nature_gym.baseline.extent import Form, count_for, unsaid
from nature_gym.baseline.values import GUESSED, STRATEGY, Values, number

DATA_DIR = Path(os.environ.get("DATA_DIR", "data"))
OUTPUT_DIR = Path(os.environ.get("OUTPUT_DIR", "output"))

RESIDUES = "ALA ARG ASN ASP CYS GLN GLU GLY HIS ILE LEU LYS MET PHE PRO SER THR TRP TYR VAL"
INSTANCES: list[str] = []
FORMS: list[Form] = []


def write_table(path: Path, form: Form, data: Data, draw: random.Random) -> None:
    """A table with a heading."""
    found = table_for(form, data, draw)
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, delimiter="\t" if form["format"] == "tsv" else ",", lineterminator="\n")
        rows.writerow(found)
        rows.writerows(zip(*found.values(), strict=False))


def write_npy(path: Path, form: Form, data: Data, draw: random.Random) -> None:
    """One array."""
    import numpy as np

    np.save(path, array_for(form, data, draw))


def write_npz(path: Path, form: Form, data: Data, draw: random.Random) -> None:
    """An array a key."""
    import numpy as np

    keys = form["columns"]
    if not keys:
        raise unsaid(form, "arrays", "the arrays of {} are not named".format(form["file"]))
    made: dict[str, Any] = {}
    for key in keys:
        own = {**form, **{name: value for name, value in key.items() if value not in (None, "", (), [])}}
        own["rows"] = own["shape"][0] if own["shape"] and isinstance(own["shape"][0], int) else form["rows"]
        made[key["name"]] = array_for(own, data, draw)
    np.savez(path, **made)


def write_json(path: Path, form: Form, data: Data, draw: random.Random) -> None:
    """A value."""
    path.write_text(json.dumps(json_for(form, data, draw), indent=1), encoding="utf-8")


def write_jsonl(path: Path, form: Form, data: Data, draw: random.Random) -> None:
    """An object a line."""
    found = table_for(form, data, draw)
    lines = [json.dumps(dict(zip(found, row, strict=False))) for row in zip(*found.values(), strict=False)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_fasta(path: Path, form: Form, data: Data, draw: random.Random) -> None:
    """Sequences."""
    ids, sequences = sequences_for(form, data, draw)
    path.write_text("".join(">{}\n{}\n".format(*one) for one in zip(ids, sequences, strict=False)), encoding="utf-8")


def write_smiles(path: Path, form: Form, data: Data, _: random.Random) -> None:
    """A molecule a line: those of the data, else chains of carbon."""
    shown = [str(one) for name in ("smiles", "SMILES") for one in data.learned(name)]
    shown += [
        one.split()[0]
        for name in data.ranked()
        if name.endswith((".smi", ".smiles"))
        for one in data.columns(name).get("", ())
    ]
    count = count_for(form, data)
    different = ["C" * (1 + one) for one in range(min(count, 60))]
    made = (list(dict.fromkeys(shown)) or different) if STRATEGY != "constant" else shown[:1] or different[:1]
    path.write_text("".join(f"{made[one % len(made)]}\n" for one in range(count)), encoding="utf-8")


def write_lines(path: Path, form: Form, data: Data, draw: random.Random) -> None:
    """A value a line."""
    plain = {**form, "dtype": form["dtype"] or "float64"}
    path.write_text(
        "".join(f"{one}\n" for one in Values(plain, [], draw).many(count_for(form, data))), encoding="utf-8"
    )


def write_pdb(path: Path, form: Form, data: Data, draw: random.Random) -> None:
    """The structure that is given, else a helix of alpha carbons."""
    given = next((data.paths[name] for name in data.ranked(form["follows"]) if name.endswith(".pdb")), None)
    if given is not None and given.stat().st_size < LARGEST_FILE:
        path.write_bytes(given.read_bytes())
        return
    _, sequences = sequences_for({**form, "rows": 1, "length": form["length"] or None}, data, draw)
    names = dict(zip("ARNDCQEGHILKMFPSTWYV", RESIDUES.split(), strict=True))
    lines = []
    for place, letter in enumerate(sequences[0], 1):
        turn = 1.745 * place
        where = (2.3 * math.cos(turn), 2.3 * math.sin(turn), 1.5 * place)
        lines.append(
            f"ATOM  {place:5d}  CA  {names.get(letter, 'GLY'):>3} A{place % 10_000:4d}    "
            + "".join(f"{one:8.3f}" for one in where)
            + "  1.00  0.00           C"
        )
    path.write_text("\n".join([*lines, "TER", "END"]) + "\n", encoding="ascii")


def write_hdf5(path: Path, form: Form, data: Data, draw: random.Random) -> None:
    """A matrix with names of rows and columns, as AnnData lays it out."""
    import h5py
    import numpy as np

    given = next((name for name in data.ranked(form["follows"]) if name.endswith(".h5ad")), None)
    ids = [str(one) for one in data.columns(given).get("<key>", ())] if given else []
    if not form["shape"] and ids:
        form = {**form, "shape": [len(ids), 2], "rows": len(ids)}
    array = array_for({**form, "dtype": "float32"} if form["dtype"] == "string" else form, data, draw)
    ids = ids if len(ids) == len(array) else [f"cell_{one}" for one in range(len(array))]
    with h5py.File(path, "w") as file:
        file.attrs.update({"encoding-type": "anndata", "encoding-version": "0.1.0"})
        place = file.create_dataset("X", data=array)
        place.attrs.update({"encoding-type": "array", "encoding-version": "0.2.0"})
        for side, names in (
            ("obs", ids),
            ("var", [f"feature_{one}" for one in range(array.shape[1] if array.ndim > 1 else 1)]),
        ):
            group = file.create_group(side)
            group.attrs.update(
                {
                    "encoding-type": "dataframe",
                    "encoding-version": "0.2.0",
                    "_index": "_index",
                    "column-order": np.array([], dtype="S1"),
                }
            )
            index = group.create_dataset("_index", data=names, dtype=h5py.string_dtype())
            index.attrs.update({"encoding-type": "string-array", "encoding-version": "0.2.0"})
        for column in form["columns"]:
            own = {**form, **column, "shape": column["shape"] or [len(array)], "file": form["file"]}
            shown = [str(one) for one in data.learned(column["name"].rpartition("/")[2])]
            if column["dtype"] == "string" or (shown and not all(number(one) is not None for one in shown)):
                texts = Values({**column, "dtype": "string"}, shown, draw).many(len(array))
                place = file["obs"].create_dataset(
                    column["name"].rpartition("/")[2], data=texts, dtype=h5py.string_dtype()
                )
                place.attrs.update({"encoding-type": "string-array", "encoding-version": "0.2.0"})
                continue
            one = array_for(own, data, draw)
            target = (
                "obs/{}".format(column["name"].rpartition("/")[2])
                if one.ndim == 1
                else "obsm/{}".format(column["name"].rpartition("/")[2])
            )
            file.create_dataset(target, data=one).attrs.update({"encoding-type": "array", "encoding-version": "0.2.0"})


def write_png(path: Path, form: Form, data: Data, draw: random.Random) -> None:
    """A grey image in the size of one of the data, without any library."""
    shape = [one for one in form["shape"] if isinstance(one, int)][:2]
    if len(shape) < 2:
        given = next((data.paths[name] for name in data.ranked(form["follows"]) if name.endswith(".png")), None)
        if given is None:
            raise NoAnswerError("the size of {} is not said, and the data have no image".format(form["file"]))
        head = given.read_bytes()[:24]
        shape = [int.from_bytes(head[20:24], "big"), int.from_bytes(head[16:20], "big")]
    height, width = shape
    values = Values({"least": 0, "most": 255, "values": form["values"], "dtype": "uint8"}, [], draw)
    rows = b"".join(b"\0" + bytes(values.many(width)) for _ in range(height))

    def chunk(kind: bytes, content: bytes) -> bytes:
        return len(content).to_bytes(4, "big") + kind + content + zlib.crc32(kind + content).to_bytes(4, "big")

    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([8, 0, 0, 0, 0])
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    )


WRITERS = {
    "csv": write_table,
    "tsv": write_table,
    "npy": write_npy,
    "npz": write_npz,
    "json": write_json,
    "jsonl": write_jsonl,
    "fasta": write_fasta,
    "smi": write_smiles,
    "txt": write_lines,
    "pdb": write_pdb,
    "h5ad": write_hdf5,
    "png": write_png,
}


def files_of(form: Form, instance: str, data: Data) -> list[str]:
    """The names of the files that a form means for an instance: a place holder stands for it, or for each input."""
    name = form["file"]
    if form["instance"] and form["instance"] != instance:
        return []
    first, _, rest = name.partition("/")
    if first in INSTANCES and rest:
        return [rest] if first == instance else []
    name = re.sub(r"[{<]\w*(?:instance|dataset|task)\w*[}>]", instance, name)
    if re.search(r"[{<*]", name):
        suffix = Path(name).suffix
        inputs = [
            Path(one).stem
            for one in data.ranked(form["follows"])
            if TO_ANSWER.search(one) and Path(one).suffix == suffix
        ]
        inputs = inputs or [Path(one).stem for one in data.paths if Path(one).suffix == suffix and "/" in one]
        if not inputs:
            raise LimitError(f"what the place holder in {name} stands for is not told by the data")
        return [re.sub(r"[{<]\w*[}>]|\*", one, name) for one in inputs]
    return [name]


def solve(instance: str) -> None:
    """Write the files of an instance."""
    data = Data(DATA_DIR / instance)
    draw = random.Random(f"{instance} {STRATEGY}")
    if not any(files_of(form, instance, data) for form in FORMS):
        raise LimitError("which file is asked for is not understood here")
    for form in FORMS:
        for name in files_of(form, instance, data):
            if form["format"] not in WRITERS:
                raise LimitError(f"no file {name} can be made: its format is not known here")
            path = OUTPUT_DIR / instance / name
            path.parent.mkdir(parents=True, exist_ok=True)
            WRITERS[form["format"]](path, form, data, draw)


def main() -> None:
    """Write what can be told, and say what cannot."""
    open_questions: dict[str, str] = {}
    for instance in INSTANCES:
        GUESSED.clear()
        try:
            solve(instance)
        except NoAnswerError as reason:
            open_questions[instance] = str(reason)
            kind = "data" if isinstance(reason, NoDataError) else "limit" if isinstance(reason, LimitError) else "open"
            sys.stderr.write(f"{instance}: {kind}: {reason}\n")
        if GUESSED:
            sys.stderr.write("{}: guess: {}\n".format(instance, ", ".join(sorted(GUESSED))[:200]))
    if open_questions:
        sys.exit(3)


if __name__ == "__main__":
    main()
