"""How much is to be answered: the ids, counts and shapes that a form leaves to the data.

Part of a program that stands by itself (:mod:`nature_gym.baseline.solver`).
"""

from __future__ import annotations

import collections
from pathlib import Path
from typing import Any

from nature_gym.baseline.data import TO_ANSWER, TO_LEARN, Data, LimitError, NoAnswerError, NoDataError, is_known

Form = dict[str, Any]
"""What is asked for, as :class:`nature_gym.baseline.asked.Asked` has it."""


def ids_for(form: Form, data: Data) -> tuple[list[str], str]:
    """The ids of a keyed answer, from the file of the data that has them."""
    wanted, rows = form["id"], form["rows"]
    others = {one["name"] for one in form["columns"]} - {wanted}
    best: tuple[int, list[str], str] | None = None
    for place, name in enumerate(data.ranked(form["follows"])):
        columns = data.columns(name)
        folded = {key.casefold(): key for key in columns}
        key = wanted if wanted in columns else folded.get(str(wanted).casefold())
        certain = key is not None
        if not certain:
            key = next((one for one in ("<key>", "id", "ids", "name", "index", "sample_id") if one in columns), None)
        if key is None or not len(columns[key]) or (not certain and getattr(columns[key], "ndim", 1) != 1):
            continue
        ids = [one.decode() if isinstance(one, bytes) else str(one) for one in list(columns[key])]
        points = 100 * certain - 5 * place - 10 * bool(others & set(columns)) + 20 * (len(ids) == rows)
        points += 60 * bool(TO_ANSWER.search(name)) - 40 * bool(TO_LEARN.search(name))
        points += 200 * any(one == name or one == name.rpartition("/")[2] for one in form["follows"])
        if len(set(ids)) == len(ids) and (best is None or points > best[0]):
            best = points, ids, name
    if best is None:
        raise untold(data, "no file of the data has the ids of {} in a column {!r}".format(form["file"], wanted))
    return best[1], best[2]


def keys_of(form: Form, data: Data) -> tuple[list[str], str]:
    """The columns of an answer that the file to be answered has, which tell its rows apart, and that file."""
    wanted = [one["name"] for one in form["columns"]]
    for name in data.ranked(form["follows"]):
        base = name.rpartition("/")[2]
        if (
            base not in form["follows"]
            and name not in form["follows"]
            and (not TO_ANSWER.search(base) or TO_LEARN.search(base))
        ):
            continue
        columns = data.columns(name)
        keys = [one for one in wanted if one in columns and not any("." in str(cell) for cell in columns[one][:50])]
        rows = list(zip(*(map(str, columns[one]) for one in keys), strict=False))
        if keys and rows and len(set(rows)) == len(rows) and (not form["id"] or form["id"] in keys):
            return keys, name
    return [], ""


def untold(data: Data, text: str) -> NoAnswerError:
    """The error for what the data do not tell, which may be because they cannot be read."""
    unread = [f"{name} cannot be read ({why})" for name, why in sorted(data.unreadable.items())[:3]]
    if unread:
        return NoDataError("; ".join([text, *unread]))
    strange = sorted(name for name in data.paths if not is_known(name))
    return LimitError(f"{text}; {strange[0]} is not read here") if strange else NoAnswerError(text)


def unsaid(form: Form, fact: str, text: str) -> NoAnswerError:
    """The error for a fact that is not said, or said in a way that is not understood."""
    if fact in form["unread"]:
        return LimitError(f"{text} in a way that is understood here")
    return NoAnswerError(text)


def length_of(word: str, form: Form, data: Data) -> int | None:
    """The length that a word of a shape is said to stand for, for this instance or for all."""
    for wanted in (data.folder.name, ""):
        for one, length, instance in form["sizes"]:
            if one.casefold() == word.casefold() and instance == wanted:
                return int(length)
    return None


def count_for(form: Form, data: Data) -> int:
    """How many entries an answer has that follows the order of the data, or has a count of its own."""
    if form["rows"] is not None:
        return int(form["rows"])
    for name in data.ranked(form["follows"]):
        base = name.rpartition("/")[2]
        if form["follows"] and not any(
            one in (name, base) or Path(one).stem == Path(base).stem for one in form["follows"]
        ):
            continue
        if not form["follows"] and not TO_ANSWER.search(base) and len(data.paths) > 1:
            continue
        lengths = [len(values) for values in data.columns(name).values() if getattr(values, "ndim", 1)]
        if lengths:
            return collections.Counter(lengths).most_common(1)[0][0]
    if form["free"]:
        return 1
    likely = {
        len(values)
        for name in data.paths
        if TO_ANSWER.search(name.rpartition("/")[2])
        for values in data.columns(name).values()
        if getattr(values, "ndim", 1)
    }
    if form["follows"] and len(likely) == 1:
        return likely.pop()
    text = "the number of entries of {} is not said, and no file of the data tells it".format(form["file"])
    if "count" in form["unread"] and not form["follows"]:
        raise LimitError(text)
    raise untold(data, text)


def shape_for(form: Form, data: Data) -> tuple[int, ...]:
    """The shape of an array, each word in it resolved."""
    shape = list(form["shape"])
    if not shape:
        if form["rows"] is None and not form["follows"]:
            raise unsaid(form, "shape", "the shape of {} is not said".format(form["file"]))
        return (count_for(form, data),)
    known: dict[str, int] = {}
    for name in data.ranked(form["follows"]):
        for values in data.columns(name).values():
            given = getattr(values, "shape", ())
            fits = len(given) == len(shape) and all(
                isinstance(one, str) or one == length for one, length in zip(shape, given, strict=False)
            )
            if fits and (TO_ANSWER.search(name) or form["follows"]):
                known = known or {
                    one: length for one, length in zip(shape, given, strict=False) if isinstance(one, str)
                }
    for place, one in enumerate(shape):
        if isinstance(one, str):
            shape[place] = length_of(one, form, data)
            if shape[place] is None:
                shape[place] = count_for(form, data) if place == 0 else known.get(one)
            if shape[place] is None:
                raise LimitError(
                    "the length {!r} of an axis of {} is not said, and no array of the data has that shape".format(
                        one, form["file"]
                    )
                )
    return tuple(shape)
