"""What is in an answer: tables, arrays, sequences, JSON values.

Part of a program that stands by itself (:mod:`nature_gym.baseline.solver`).
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nature_gym.baseline.data import LARGEST_FILE, TO_ANSWER, TO_LEARN, Data, LimitError, NoAnswerError
from nature_gym.baseline.extent import Form, count_for, ids_for, keys_of, shape_for, unsaid
from nature_gym.baseline.values import GUESSED, STRATEGY, Values, number


def table_for(form: Form, data: Data, draw: random.Random) -> dict[str, list[Any]]:
    """The columns of a keyed or plain table, by their names."""
    columns = form["columns"]
    if not columns:
        raise unsaid(form, "columns", "the columns of {} are not said".format(form["file"]))
    keys, source = keys_of(form, data)
    form = {**form, "id": form["id"] or (keys[0] if keys else None)}
    if len(keys) > 1:
        ids = [str(one) for one in data.columns(source)[str(form["id"])]]
        count = len(ids)
    elif form["id"]:
        ids, source = ids_for(form, data)
        count = len(ids)
    else:
        ids, count = [], count_for(form, data)
    found: dict[str, list[Any]] = {}
    unknown: list[str] = []
    for column in columns:
        if column["name"] == form["id"]:
            found[column["name"]] = ids
            continue
        if len(keys) > 1 and column["name"] in keys:
            found[column["name"]] = list(data.columns(source)[column["name"]])
            continue
        values = Values(column, data.learned(column["name"]), draw)
        found[column["name"]] = values.many(count)
        if values.kind == "s" and not values.shown and not values.allowed:
            unknown.append(column["name"])
    told = pointed(form, data, source, unknown, count, draw)
    GUESSED.difference_update(told)
    found.update(told)
    if form["simplex"]:
        shares = [
            one["name"] for one in columns if one["name"] != form["id"] and isinstance(found[one["name"]][0], float)
        ]
        for row in range(count):
            total = math.fsum(found[name][row] for name in shares) or 1.0
            for name in shares:
                found[name][row] = found[name][row] / total
    return found


def pointed(
    form: Form, data: Data, source: str, names: Sequence[str], count: int, draw: random.Random
) -> dict[str, list[Any]]:
    """Columns of texts that nothing describes name things of another file: those that have ids of the same kind."""
    pool: list[str] = []
    for name in data.ranked()[::-1] if names else ():
        columns = data.columns(name)
        if name != source and not pool and form["id"] in columns and not re.search("train", name):
            pool = [str(one) for one in columns[form["id"]]]
    if len(pool) < len(names) or not names:
        return {}
    rows = [pool[: len(names)] if STRATEGY == "constant" else draw.sample(pool, len(names)) for _ in range(count)]
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


def array_for(form: Form, data: Data, draw: random.Random) -> Any:
    """An array of the shape and dtype that are asked for."""
    import numpy as np

    shape = shape_for(form, data)
    try:
        dtype = np.dtype(form["dtype"] or "float64")
    except TypeError:
        raise NoAnswerError("{!r} is no dtype".format(form["dtype"])) from None
    if math.prod(shape) * dtype.itemsize > 8 * LARGEST_FILE:
        raise NoAnswerError("{} would take more than 8 GiB".format(form["file"]))
    values = Values({**form, "dtype": dtype.name}, shown_for(form, data, shape), draw)
    generator = np.random.default_rng(draw.randrange(1 << 32))
    low, high = values.bounds()
    if STRATEGY != "constant" and not values.allowed and not form["simplex"]:
        rows = rows_like(form, data, shape, dtype, values, generator)
        if rows is not None:
            return rows
    if STRATEGY == "constant":
        array = np.full(shape, values.constant())
    elif values.shown or values.allowed:
        array = generator.choice(np.asarray(values.shown[:100_000] or values.allowed), size=shape)
    elif dtype.kind in "iu":
        array = generator.integers(math.ceil(low), math.floor(high) + 1, size=shape)
    else:
        array = generator.uniform(low, high, size=shape)
    if form["simplex"]:
        array = np.abs(array) + 1e-9
        array = array / array.sum(axis=-1, keepdims=True)
    return array.astype(dtype)


def shown_for(form: Form, data: Data, shape: tuple[int, ...]) -> list[Any]:
    """Numbers of the data that are of the kind of an answer: arrays of labels named like it, or like a target."""
    import numpy as np

    stem = re.sub(r"predictions?|pred|answers?|output|test|_|-", "", Path(form["file"]).stem.lower())
    names = {one for one in (stem, form.get("name", ""), "y", "label", "labels", "target", "targets") if one}
    for file in data.ranked()[::-1]:
        if TO_ANSWER.search(file) and not TO_LEARN.search(file):
            continue
        own = re.sub(r"train(?:ing)?|dev|_|-", "", Path(file).stem.lower())
        for key, values in data.columns(file).items():
            if (key.lower() in names or (key == "" and own in names)) and len(values):
                array = np.asarray(values)
                if array.dtype.kind in "fiub" and array.ndim <= len(shape):
                    array = array.reshape(-1)[:100_000]
                    return [one for one in array.tolist() if number(one) is not None]
                shown = [number(one) for one in list(values)[:100_000]]
                if array.ndim == 1 and None not in shown:
                    return shown
    return []


def rows_like(form: Form, data: Data, shape: tuple[int, ...], dtype: Any, values: Values, generator: Any) -> Any:
    """Rows drawn from an array of the data whose rows have the shape of the answer's; None where there is none."""
    import numpy as np

    if len(shape) < 2 or math.prod(shape[1:]) < 2:
        return None
    for name in data.ranked(form["follows"])[::-1]:
        for array in data.columns(name).values():
            if (
                getattr(array, "ndim", 0) >= len(shape)
                and array.shape[-len(shape) + 1 :] == shape[1:]
                and array.dtype.kind == dtype.kind
            ):
                pool = np.asarray(array).reshape((-1, *shape[1:]))
                pool = pool[np.isfinite(pool.reshape(len(pool), -1)).all(axis=1)] if dtype.kind == "f" else pool
                if len(pool):
                    rows = pool[generator.integers(len(pool), size=shape[0])]
                    return (
                        np.clip(rows, values.least, values.most).astype(dtype)
                        if values.least is not None or values.most is not None
                        else rows.astype(dtype)
                    )
    return None


def sequences_for(form: Form, data: Data, draw: random.Random) -> tuple[list[str], list[str]]:
    """Ids and sequences: those of the data where they fit, else of the letters that there are."""
    low, high = form["length"] or (8, 8)
    if form["each"] and not form["length"]:
        return alike(form, data, draw)
    ids: list[str] | None = None
    texts: list[str] | None = None
    for name in data.ranked(form["follows"]):
        columns = data.columns(name)
        if "sequence" in columns and (
            not form["length"] or all(low <= len(one) <= high for one in columns["sequence"])
        ):
            ids, texts = columns.get("id"), [str(one) for one in columns["sequence"]]
            break
    count = form["rows"]
    if count is None:
        count = len(texts) if texts else count_for(form, data)
    if texts and len(texts) == count:
        return ids or [str(one) for one in range(count)], texts
    letters = form["letters"] or "ACDEFGHIKLMNPQRSTVWY"
    if STRATEGY == "constant":
        made = [letters[0] * low] * count
    else:
        made = ["".join(draw.choice(letters) for _ in range(draw.randint(low, high))) for _ in range(count)]
    return named(form, count), made


def named(form: Form, count: int) -> list[str]:
    """The names of records that are counted, as they are said to be."""
    word, first = form["naming"] or ("design_", "0")
    return [f"{word}{int(first) + one:0{len(first)}d}" for one in range(count)]


def alike(form: Form, data: Data, draw: random.Random) -> tuple[list[str], list[str]]:
    """Ids and sequences that are as long as what they answer: the texts of the file that is followed."""
    letters = form["letters"] or "ACDEFGHIKLMNPQRSTVWY"
    for name in data.ranked(form["follows"]):
        columns = data.columns(name)
        texts = next((columns[one] for one in ("sequence", "structure", "") if one in columns), None)
        if texts is None or not all(isinstance(one, str) for one in texts):
            continue
        own = columns.get("id") or columns.get("<key>")
        ids = own if own and not form["naming"] else named(form, len(texts))
        if STRATEGY == "constant":
            return list(ids), [letters[0] * len(one) for one in texts]
        return list(ids), ["".join(draw.choice(letters) for _ in one) for one in texts]
    raise LimitError("what the sequences of {} are as long as is not understood here".format(form["file"]))


def json_for(form: Form, data: Data, draw: random.Random) -> Any:
    """A JSON value in the form of the example that is shown, or of the keys that are named."""
    example = form["example"]
    columns = form["columns"]
    if form["id"]:
        found = table_for(form, data, draw)
        records = [dict(zip(found, row, strict=False)) for row in zip(*found.values(), strict=False)]
        if isinstance(example, dict):
            held = next(
                (key for key, one in example.items() if isinstance(one, list) and one and isinstance(one[0], dict)),
                None,
            )
            if held is not None:
                return {held: records}
            return {
                str(one[form["id"]]): {key: value for key, value in one.items() if key != form["id"]} for one in records
            }
        return records
    if isinstance(example, dict) and example and not columns:
        return by_example(example, form, data, draw)
    if isinstance(example, list):
        plain = {
            "least": form["least"],
            "most": form["most"],
            "values": form["values"],
            "dtype": form["dtype"] or ("string" if example and isinstance(example[0], str) else "float64"),
        }
        return Values(plain, [], draw).many(count_for(form, data))
    if not columns:
        raise unsaid(form, "keys", "the keys of {} are not said".format(form["file"]))
    made: dict[str, Any] = {}
    for one in columns:
        held = example.get(one["name"]) if isinstance(example, dict) else None
        values = Values(one, data.learned(one["name"]) or ([held] if isinstance(held, str) else []), draw)
        if one["shape"]:
            made[one["name"]] = array_for({**form, **one, "file": form["file"]}, data, draw).tolist()
        elif isinstance(held, list):
            made[one["name"]] = values.many(len(held) if form["rows"] is None else form["rows"])
        else:
            made[one["name"]] = values.many(1)[0]
    return made


def by_example(example: dict[str, Any], form: Form, data: Data, draw: random.Random) -> dict[str, Any]:
    """An object whose keys are ids (as many as the data have) or stand as they are shown."""
    kinds = {type(one) for one in example.values()}
    as_ids = not any(key.isidentifier() and not re.search(r"\d|^id|sample|query", key) for key in example)
    keyed, source = None, ""
    if len(kinds) == 1 and as_ids:
        keyed, source = ids_for({**form, "id": "id"}, data)
    lengths = lengths_of(keyed, data.columns(source)) if keyed and list in kinds and form["each"] else {}
    made: dict[str, Any] = {}
    for key in keyed or example:
        shown = example.get(key, next(iter(example.values())))
        if key in lengths:
            shown = (shown or [0.5])[:1] * lengths[key]
        made[key] = like(shown, form, draw)
    return made


def lengths_of(ids: Sequence[str], columns: dict[str, Any]) -> dict[str, int]:
    """How long the texts or lists are that belong to ids; nothing where several columns could be meant."""
    found = [
        {key: len(one) for key, one in zip(ids, values, strict=False)}
        for values in columns.values()
        if len(values) == len(ids)
        and all(isinstance(one, str | list) for one in values)
        and [str(one) for one in values] != list(ids)
    ]
    named_ = [
        dict(zip(ids, map(len, columns[one]), strict=False)) for one in ("sequence", "structure") if one in columns
    ]
    return (named_ or (found if len(found) == 1 else []) or [{}])[0]


def like(shown: Any, form: Form, draw: random.Random) -> Any:
    """A value of the type of the one that is shown."""
    if isinstance(shown, dict):
        return {key: like(one, form, draw) for key, one in shown.items()}
    if isinstance(shown, list):
        return [like(one, form, draw) for one in shown]
    whole = isinstance(shown, int) and (not form["dtype"] or "int" in form["dtype"])
    dtype = (
        "bool" if isinstance(shown, bool) else "int64" if whole else "string" if isinstance(shown, str) else "float64"
    )
    values = Values(
        {**{one: form[one] for one in ("least", "most", "values", "file")}, "dtype": dtype},
        [shown] if dtype == "string" and shown != "A" else [],
        draw,
    )
    return values.many(1)[0]
