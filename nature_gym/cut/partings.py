"""How the data of a setting part: the sides, as files or as parts of splits that can be carried out again.

The one idea: each kind of evidence (pairs of files, tables of partitions, lists of rows, draws in programs, keys of
arrays, reference samples, simulators with targets) proposes partings, the plainest first, and the first kind that
proposes any is taken. What decides is what files say; programs that draw at random count where no file does.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from nature_gym.cut.core import is_of_others, words_of
from nature_gym.cut.declared import Declared, Operation
from nature_gym.cut.draws import Draw, find_draws, piece_of, strata_of
from nature_gym.cut.folder import Cut
from nature_gym.cut.material import Material, Piece, side_of
from nature_gym.cut.program_splits import find_declared, on_file, part_names
from nature_gym.cut.python_units import Scope
from nature_gym.cut.targets import Fields, find_fields
from nature_gym.cut.values import Project
from nature_gym.packaging.specification import Separability
from nature_gym.splitting.faults import SplitError
from nature_gym.splitting.row_numbers import row_numbers
from nature_gym.splitting.tables import Table

Kind = Literal["label", "oracle", "distribution"]
MOST_PARTINGS = 50
"""More files than this on one side are samples, of which each is no setting of its own."""
MOST_TABLES = 200
SMALL_TABLE = 64 << 20
"""A table larger than this is not read for the values of a column."""
_REFERENCE = frozenset({"reference", "references", "ref", "gt", "groundtruth", "truth", "equilibrium"})
_ANSWERS = frozenset({"y", "label", "labels", "target", "targets", "truth", "gt", "answers", "answer"})
_INPUTS = frozenset({"x", "input", "inputs", "features", "data", "images", "sequences"})
_TIMES = frozenset({"t", "time", "times", "duration", "durations", "futime"})
_EVENTS = frozenset({"e", "event", "events", "status", "censored", "delta", "death", "deaths"})
_FOLD = frozenset({"fold", "folds", "cv"})
_NUMBERED = re.compile(r"(?:^|[^a-z])(?:folds?|cv)[-_ ]?(\d{1,2})(?!\d)", re.IGNORECASE)
_GALLERY = frozenset({"gallery", "database", "corpus", "candidates", "documents", "library"})
_QUERY = frozenset({"query", "queries"})


@dataclass(frozen=True, slots=True)
class Side:
    """A file, or the rows of a part of it."""

    piece: Piece
    part: str | None = None
    name: str = ""
    """What the authors call it, where it has a name of its own."""
    keys: tuple[str, ...] = ()
    """The arrays of a file of several that are meant, where not all are."""


@dataclass(slots=True)
class Parting:
    """One setting's data, parted. ``words`` tell it from its fellows."""

    kind: Kind
    words: frozenset[str]
    separability: Separability
    development: list[Side]
    inputs: list[Side]
    answers: list[Side]
    fields: Fields
    evidence: list[str]
    splits: dict[str, Any] = field(default_factory=dict)
    joined: list[Piece] = field(default_factory=list)
    """Tables whose columns belong to the rows by the id."""
    questions: list[str] = field(default_factory=list)
    scorer: list[Piece] = field(default_factory=list)

    @property
    def pieces(self) -> set[str]:
        sides = [*self.development, *self.inputs, *self.answers]
        return {side.piece.path for side in sides} | {piece.path for piece in (*self.joined, *self.scorer)}


@dataclass(frozen=True, slots=True)
class Search:
    """What the finders look at. ``files`` gives the file of a piece; ``samples`` where the task asks for samples."""

    material: Material
    files: Callable[[str], Path]
    samples: bool


def find_partings(search: Search) -> list[Parting]:
    """The partings of the first kind of evidence that there is any of."""
    finders = (_of_pairs, _of_folds, _of_sided_keys, _of_tables, _of_lists, _of_references, _of_oracles, _of_draws,
               _of_programs, _of_keys)  # fmt: skip
    for finder in finders:
        if found := list(finder(search)):
            return found
    return []


# -- files for each side ---------------------------------------------------------------------


def _of_pairs(search: Search) -> Iterator[Parting]:
    """Files of one form whose names say on which side they are: a training file with M test files makes M."""
    pieces = [piece for piece in search.material.pieces if piece.fields or piece.arrays]
    sided = {
        side: [piece for piece in pieces if piece.side == side and not piece.lists and not _is_answer(piece)]
        for side in ("development", "validation", "evaluation")
    }
    tested = sided["evaluation"] or sided["validation"]
    if len(tested) > MOST_PARTINGS:
        return  # these are samples of one set, and no sets
    for test in tested:
        train = _training_of(test, sided["development"])
        if train is None:
            continue
        more = [
            piece
            for piece in sided["validation"]
            if tested is not sided["validation"] and _alike(piece, test) and piece.stem == train.stem
        ]
        answers = [piece for piece in pieces if _is_answer(piece) and piece.side == test.side and _of_rows(piece, test)]
        learned = [
            piece for piece in pieces if _is_answer(piece) and piece.side == train.side and _of_rows(piece, train)
        ]
        fields = find_fields(train, search.material, unlabelled=_lacking(train, test))
        apart = bool(answers) or not set(fields.targets) <= set(test.fields)
        if apart and not answers:
            continue  # a test file without answers, whose answers are nowhere
        if answers:
            told = tuple(name for name in answers[0].fields if name != fields.id)
            fields = Fields(fields.id, told, True, ["answers in a file of their own"])
        yield Parting(
            "label",
            test.stem - train.stem if test.stem != train.stem else test.stem,
            "trivial" if apart else "simple",
            [Side(piece) for piece in (train, *learned, *more)],
            [Side(test)],
            [Side(piece) for piece in answers] or [Side(test)],
            fields,
            [f"{train.path} and {test.path} are files of one form, whose names say the side"],
        )


def _is_answer(piece: Piece) -> bool:
    return bool(_ANSWERS & set(piece.words)) and len(piece.fields) <= 3


def _of_rows(piece: Piece, other: Piece) -> bool:
    """Whether a file of answers belongs to a file of inputs: as many rows, and their names say the same otherwise."""
    return piece.path != other.path and piece.rows == other.rows and (piece.stem - _ANSWERS) == (other.stem - _INPUTS)


def _lacking(train: Piece, test: Piece) -> tuple[str, ...]:
    return test.fields if len(test.fields) < len(train.fields) else ()


def _training_of(test: Piece, candidates: list[Piece]) -> Piece | None:
    """The training file whose name says nothing that the test file's does not, and has most in common with it."""
    fitting = [
        piece for piece in candidates if _alike(piece, test) and (piece.stem <= test.stem or len(candidates) == 1)
    ]
    return max(fitting, key=lambda piece: (len(piece.stem & test.stem), piece.path), default=None)


def _alike(one: Piece, other: Piece) -> bool:
    if one.columns or other.columns:
        return bool(one.columns) and (set(other.columns) <= set(one.columns) or set(one.columns) <= set(other.columns))
    mine, others = one.arrays, other.arrays
    return bool(set(mine) & set(others)) and all(
        mine[key][1:] == others[key][1:] for key in set(mine) & set(others) if mine[key]
    )


def _of_folds(search: Search) -> Iterator[Parting]:
    """A file for each fold of one table, told by a number: the first is evaluated, and whether it is is asked."""
    groups: dict[tuple[str, frozenset[str]], dict[int, Piece]] = {}
    for piece in search.material.pieces:
        told = _NUMBERED.search(piece.name.partition(".")[0])
        if told is not None and not piece.side and len(piece.fields) > 2:
            groups.setdefault((piece.path.rpartition("/")[0], frozenset(piece.words)), {})[int(told[1])] = piece
    for (_, stem), found in groups.items():
        numbers = sorted(found)
        first, *others = (found[number] for number in numbers)
        whole = numbers == list(range(numbers[0], numbers[0] + len(numbers))) and numbers[0] in (0, 1)
        if len(others) < 2 or not whole or not all(_alike(first, other) for other in others):
            continue
        said = f"{first.path} and {len(others)} files like it are folds by their names"
        asked = "Which fold is evaluated? The draft has the first; the paper may print a mean over all"
        yield Parting("label", stem - _FOLD, "simple", [Side(piece) for piece in others], [Side(first)], [Side(first)],
                      find_fields(first, search.material), [said], questions=[asked])  # fmt: skip


def _of_sided_keys(search: Search) -> Iterator[Parting]:
    """One file with arrays for each side: ``x_train``, ``y_train``, ``x_test``, ``y_test``; or ``train/x``, ..."""
    for piece in search.material.pieces[:MOST_PARTINGS]:
        sides: dict[str, list[str]] = {}
        for key, shape in piece.arrays.items():
            if shape and not piece.lists and (side := _side_in(key)):
                sides.setdefault(side, []).append(key)
        tested = sides.get("evaluation") or sides.get("validation", [])
        answers = tuple(key for key in tested if _ANSWERS & set(words_of(key))) or _outcome(tested)
        inputs = tuple(key for key in tested if key not in answers)
        learned = tuple(key for key in piece.arrays if _side_in(key) and key not in tested)
        if learned and inputs and answers:
            said = f"{piece.path} has {', '.join((*learned, *inputs, *answers))}"
            named = [key for key in inputs if _INPUTS & set(words_of(key))]
            asked = [
                f"May {key} of {piece.path} be shown? By its name it is neither input nor answer."
                for key in inputs
                if named and key not in named
            ]
            yield Parting("label", piece.stem, "simple", [Side(piece, None, "development", learned)],
                          [Side(piece, None, "evaluation", inputs)], [Side(piece, None, "evaluation", answers)],
                          Fields(None, answers, True, [said]), [said], questions=asked)  # fmt: skip


def _outcome(keys: list[str]) -> tuple[str, ...]:
    """The arrays of a time and of whether something happened then, of survival data; none where one is missing."""
    times = [key for key in keys if _TIMES & set(words_of(key))]
    events = [key for key in keys if _EVENTS & set(words_of(key)) and key not in times]
    return (times[0], events[0]) if len(times) == len(events) == 1 else ()


# -- a column says the side ------------------------------------------------------------------


def _of_tables(search: Search) -> Iterator[Parting]:
    """A column with a value for each side: of the table itself, or of a table of partitions joined by id."""
    for piece in search.material.pieces[:MOST_TABLES]:
        for column, sides in _sided_columns(piece, search):
            if len(piece.columns) <= 3 and (key := next((name for name in piece.columns if name != column), None)):
                whole = [
                    other
                    for other in search.material.pieces
                    if other is not piece and key in other.columns and other.rows == piece.rows
                ]
                wider = whole or [
                    other for other in search.material.pieces if other is not piece and key in other.columns
                ]
                if wider:
                    yield _by_partition(piece, column, key, sides, wider, search)
                    return
            yield _by_own_column(piece, column, sides, search)
            return


def _sided_columns(piece: Piece, search: Search) -> Iterator[tuple[str, dict[str, list[str]]]]:
    """Columns of few values, of which some mean development and some evaluation: column -> side -> values."""
    if not piece.columns or piece.size > SMALL_TABLE or (piece.rows or 0) < 4:
        return
    for column in piece.columns[:200]:
        if not side_words(column) and (len(piece.columns) > 3 or piece.kinds.get(column) != "VARCHAR"):
            continue
        try:
            values = [str(value) for value in Table(search.files(piece.path)).categories(column, as_text=True).values]
        except SplitError:
            continue
        if not 2 <= len(values) <= 6:
            continue
        sides: dict[str, list[str]] = {}
        for value in values:
            if side := side_of(value.strip()):
                sides.setdefault(side, []).append(value)
        if "development" in sides and len(sides) > 1:
            yield column, sides


def side_words(column: str) -> bool:
    """Whether a column's name says that it parts rows."""
    return bool({"split", "fold", "set", "subset", "partition", "part", "train", "test"} & set(words_of(column)))


def _parts_of(sides: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Part -> values; what validates is for development where there is something else to evaluate on."""
    if "evaluation" in sides:
        return {side: list(values) for side, values in sides.items()}
    return {"development": sides["development"], "evaluation": sides["validation"]}


def _by_partition(
    piece: Piece, column: str, key: str, sides: dict[str, list[str]], tables: list[Piece], search: Search
) -> Parting:
    found = {table.path: find_fields(table, search.material) for table in tables}
    main = max(tables, key=lambda table: (found[table.path].sure, table.rows == piece.rows))
    split = {
        "kind": "column",
        "of": main.path,
        "table": piece.path,
        "id": key,
        "column": column,
        "parts": _parts_of(sides),
    }
    joined = [
        other
        for other in search.material.pieces
        if other not in (main, piece) and key in other.columns and (other.rows or 0) >= (main.rows or 0)
    ]
    fields = found[main.path]
    fields.id = key
    parting = _of_split(split, main, fields, f"{piece.path} says of each {key} in {column} on which side it is")
    parting.joined = joined
    return parting


def _by_own_column(piece: Piece, column: str, sides: dict[str, list[str]], search: Search) -> Parting:
    split = {"kind": "column", "of": piece.path, "column": column, "parts": _parts_of(sides)}
    fields = find_fields(piece, search.material)
    fields.targets = tuple(name for name in fields.targets if name != column)
    parting = _of_split(split, piece, fields, f"the column {column} of {piece.path} has a value for each side")
    parting.separability = "simple"
    return parting


def _of_split(split: dict[str, Any], piece: Piece, fields: Fields, evidence: str, name: str = "sides") -> Parting:
    parts = list(split["parts"])
    return Parting(
        "label",
        piece.stem,
        "moderate",
        [Side(piece, f"{name}/{part}", part) for part in parts if part != "evaluation"],
        [Side(piece, f"{name}/evaluation", "evaluation")],
        [Side(piece, f"{name}/evaluation", "evaluation")],
        fields,
        [evidence],
        {name: split},
    )


# -- lists of rows ---------------------------------------------------------------------------


def _of_lists(search: Search) -> Iterator[Parting]:
    """Files that list the rows, or the ids, of each side of a table whose row count fits."""
    groups: dict[frozenset[str], dict[str, tuple[Piece, str | None]]] = {}
    for piece in (*search.material.texts, *search.material.pieces):
        if not piece.lists:
            continue
        keys = [key for key in (*piece.arrays, *map(str, piece.structure.get("keys", ()))) if _side_in(key)]
        if keys:
            for key in keys:
                groups.setdefault(piece.stem | {piece.path}, {}).setdefault(_side_in(key), (piece, key))
        elif piece.side:
            groups.setdefault(piece.stem, {}).setdefault(piece.side, (piece, None))
    for sides in groups.values():
        if "development" in sides and len(sides) > 1:
            if "evaluation" not in sides:
                sides["evaluation"] = sides.pop("validation")
            for table in search.material.pieces[:MOST_TABLES]:
                if table.rows and not table.lists and (parting := _listed(sides, table, search)):
                    yield parting
                    break


def _side_in(key: str) -> str:
    return next(filter(None, map(side_of, reversed(words_of(key)))), "")


def without_side(key: str) -> str:
    """A key's words without those that say the side; the key itself where none does.

    >>> without_side("x_train"), without_side("test/y"), without_side("price")
    ('x', 'y', 'price')
    """
    return " ".join(word for word in words_of(key) if not side_of(word)) if _side_in(key) else key


def _listed(sides: dict[str, tuple[Piece, str | None]], table: Piece, search: Search) -> Parting | None:
    parts: dict[str, str] = {
        side: sides[side][0].path for side in ("development", "validation", "evaluation") if side in sides
    }
    keys = {side: key for side, (_, key) in sides.items() if key}
    split: dict[str, Any] = {"kind": "index_file", "of": table.path, "parts": parts, **({"key": keys} if keys else {})}
    fields = find_fields(table, search.material)
    try:
        numbers = {side: row_numbers(search.files(path), keys.get(side)) for side, path in parts.items()}
    except SplitError:
        if fields.id is None or not _ids_fit(parts, keys, table, fields.id, search):
            return None
        split |= {"kind": "id_file", "id": fields.id}
        split |= {"rest": "drop", "because": "No list names them."}
        return _of_split(split, table, fields, f"{', '.join(parts.values())} list ids of {table.path}")
    listed: Counter[int] = Counter(int(number) for rows in numbers.values() for number in rows)
    rows = table.rows or 0
    if not listed or max(listed.values()) > 1 or len(listed) > rows:
        return None
    first = 1 if min(listed) == 1 and max(listed) == rows else 0
    if max(listed) - first >= rows or (len(listed) < rows and len(listed) < 0.5 * rows):
        return None
    split |= {"first": first} if first else {}
    if len(listed) < rows:
        split |= {"rest": "drop", "because": "No list names them."}
    said = f"{', '.join(parts.values())} number rows, and {table.path} has {rows:,}"
    parting = _of_split(split, table, fields, said)
    if len(listed) < rows:
        parting.questions.append(f"{rows - len(listed):,} rows of {table.path} are in no list. Evidence: {said}.")
    return parting


def _ids_fit(parts: Mapping[str, str], keys: Mapping[str, str], table: Piece, key: str, search: Search) -> bool:
    if table.size > SMALL_TABLE or keys or not table.columns:
        return False
    known = {text for block in Table(search.files(table.path)).texts(key) for text in block}
    for path in parts.values():
        file = search.files(path)
        if file.suffix.lower() not in (".txt", ".lst", "") or file.stat().st_size > SMALL_TABLE:
            return False
        if not {line.strip() for line in file.read_text("utf-8-sig", "replace").splitlines() if line.strip()} <= known:
            return False
    return True


# -- samples to compare with -----------------------------------------------------------------


def _of_references(search: Search) -> Iterator[Parting]:
    """A file that is called the reference, beside one of the same keys and words with another first word."""
    pieces = [piece for piece in search.material.pieces if piece.arrays or piece.columns][:MOST_TABLES]
    for piece in pieces if search.samples else ():
        if not _REFERENCE & set(piece.words):
            continue
        stem = piece.stem - _REFERENCE
        given = [
            other
            for other in pieces
            if other is not piece
            and not _REFERENCE & set(other.words)
            and stem <= other.stem
            and _same_form(piece, other)
        ]
        if not given:
            continue
        keys = tuple(key for key, shape in piece.arrays.items() if shape and shape[0] == piece.rows and key)
        yield Parting(
            "distribution",
            stem,
            "trivial",
            [Side(other) for other in given],
            [],
            [Side(piece)],
            Fields(None, keys or piece.columns, True, []),
            [f"{piece.path} is the reference by its name, and {given[0].path} is of the same form"],
        )


def _same_form(one: Piece, other: Piece) -> bool:
    if one.columns:
        return one.columns == other.columns
    return set(one.arrays) == set(other.arrays) and all(
        shape[-1:] == other.arrays[key][-1:] for key, shape in one.arrays.items()
    )


# -- simulators ------------------------------------------------------------------------------


def _of_oracles(search: Search) -> Iterator[Parting]:
    """Programs of other work that the evaluation calls, with files that say what is wanted."""
    for source, cut in search.material.programs:
        given = [
            verdict
            for verdict in cut.files
            if verdict.kept and verdict.path.endswith(".py") and is_of_others(verdict.path)
        ]
        folders = {verdict.path.split("/")[0] for verdict in given}
        calling = [
            module
            for module in cut.project.modules
            if cut.roles.of_file.get(module.path) == "evaluate"
            and folders & {target.split(".")[0] for target in module.imports.values()}
        ]
        if not calling:
            continue
        wanted = [
            piece
            for piece in search.material.pieces
            if piece.format == "json" and {"targets", "target", "goals", "tasks", "specs"} & set(words_of(piece.inner))
        ]
        rest = [
            piece for piece in search.material.pieces if piece not in wanted and not _within(piece, source, folders)
        ]
        resource = [piece for piece in search.material.pieces if _within(piece, source, folders)]
        programs = [
            Piece(
                f"{source}/{verdict.path}",
                "python",
                cut.tree.by_path[verdict.path].size,
                "",
                verdict.category,
                verdict.confidence,
            )
            for verdict in given
            if cut.tree.by_path[verdict.path].size
        ]
        for piece in wanted[:MOST_PARTINGS]:
            yield Parting(
                "oracle",
                piece.stem,
                "trivial",
                [Side(other) for other in rest if other.arrays or other.columns],
                [Side(piece)],
                [Side(piece)],
                Fields(None, (), True, []),
                [f"{calling[0].path} scores with {', '.join(sorted(folders))}/, for what {piece.path} asks"],
                scorer=[*programs, *resource],
            )


def _within(piece: Piece, source: str, folders: set[str]) -> bool:
    return any(piece.path.startswith(f"{source}/{folder}/") for folder in folders)


# -- draws in programs -----------------------------------------------------------------------


def _of_draws(search: Search) -> Iterator[Parting]:
    """Seeded draws of rows, the most shared one: that of a program named for it, or that the evaluation reaches."""
    ranked: list[tuple[float, Draw, Piece, Project]] = []
    for _, cut in search.material.programs:
        for draw in find_draws(cut.project, _writers(cut)):
            piece = piece_of(draw, search.material)
            if piece is not None:
                ranked.append((_shared(draw.scope, cut) + draw.known, draw, piece, cut.project))
    if not ranked:
        return
    ranked.sort(key=lambda each: (-each[0], each[1].file, each[1].line))
    _, draw, piece, project = ranked[0]
    parting = _drawn(draw, piece, project, search.material)
    others = {(each.file, each.line) for _, each, *_ in ranked[1:]}
    if others:
        some = ", ".join(f"{file}:{line}" for file, line in sorted(others)[:4])
        parting.questions.append(f"Is the split that of {draw.file}:{draw.line}? Programs also split at {some}.")
    yield parting


def _writers(cut: Cut) -> set[str]:
    """The programs that wrote files which are kept: what they drew lies in these."""
    kept = {verdict.path for verdict in cut.files if verdict.kept}
    return {
        site.inner.file
        for path in kept
        for site, sure in cut.graph.touching.get(path, ())
        if site.action == "write" and sure > 0.5
    }


def _shared(scope: Scope, cut: Cut) -> float:
    """How much speaks for a split that all share: what its program is called, and what uses it."""
    file = scope.module.path
    words = {*words_of(file), *words_of(scope.short)}
    score = 2.0 * bool(words & {"split", "splits", "data", "dataset", "datasets", "load", "loader", "parts", "prepare"})
    reached = [cut.roles.of_file.get(path, "other") for path in _importers(file, cut)]
    score += len(set(reached) & {"evaluate", "baseline", "train", "predict"})
    return score - 3.0 * (cut.roles.of_file.get(file) == "baseline")


def _importers(path: str, cut: Cut) -> set[str]:
    dotted = path.removesuffix(".py").replace("/", ".")
    return {
        module.path
        for module in cut.project.modules
        for target in module.imports.values()
        if dotted.endswith((target.rpartition(".")[0] or "-", target))
    }


def _drawn(draw: Draw, piece: Piece, project: Project, material: Material) -> Parting:
    splits: dict[str, Any] = {}
    questions: list[str] = []
    names: dict[int, str] = {}
    for number, each in enumerate(draw.all):
        name = names[id(each)] = "drawn" if number == 0 else f"drawn{number + 1}"
        of = piece.path if each.of is None else f"{names[id(each.of[0])]}/{_part(each.of[0], each.of[1])}"
        strata = strata_of(each, piece, project)
        where = f"{each.file}:{each.line}"
        if strata is None:
            questions.append(f"{where}: in proportion to what are rows drawn? It is no column of {piece.path}.")
        if each.size is None:
            questions.append(f"{where}: how many rows are drawn? The program does not say it in numbers.")
        if each.seed is None and each.shuffle:
            questions.append(
                f"{where}: the draw has no seed, so the authors' split cannot be repeated; 0 stands for it."
            )
        splits[name] = {
            "kind": "random", "of": of, "parts": [_part(each, 0), _part(each, 1)], "seed": each.seed or 0,
            "size": each.size or 0.25, **({"stratify": list(strata)} if strata else {}),
            **({} if each.shuffle else {"shuffle": False}), **({"taken_in": "drawn"} if each.of is not None else {}),
        }  # fmt: skip
    development, inputs, answers = [], [], []
    for each, number in draw.leaves:
        name = each.parts[number]
        side = Side(piece, f"{names[id(each)]}/{_part(each, number)}", name)
        words = set(words_of(name))
        said = _side_in(name)
        if words & (_QUERY | _GALLERY):
            inputs.append(side)
            answers.append(side)
        elif said in ("development", "validation") or (not said and number == 0):
            development.append(side)
        else:
            inputs.append(side)
            answers.append(side)
    if not inputs:  # training and validation alone: the last part is what is evaluated
        side = development.pop()
        inputs, answers = [side], [side]
    fields = find_fields(piece, material)
    evidence = [f"{each.file}:{each.line} draws {each.parts[0]} and {each.parts[1]}" for each in draw.all]
    separability: Separability = "ambiguous" if questions else "moderate"
    return Parting("label", piece.stem, separability, development, inputs, answers, fields, evidence, splits,
                   questions=questions)  # fmt: skip


def _part(draw: Draw, number: int) -> str:
    name = re.sub(r"[^A-Za-z0-9_-]", "", draw.parts[number]).lstrip("_-") or f"part{number}"
    return name if draw.parts[0] != draw.parts[1] else f"{name}{number}"


def _of_programs(search: Search) -> Iterator[Parting]:
    """Splits of programs by permutations, samples, folds, groups and conditions, the most shared one."""
    ranked: list[tuple[float, Declared, Piece, Operation]] = []
    for _, cut in search.material.programs:
        for declared in find_declared(cut.project, _writers(cut)):
            found = on_file(declared, search.material)
            if found is not None:
                ranked.append((_shared(declared.scope, cut) - 0.5 * len(found[1].questions), declared, *found))
    if not ranked:
        return
    ranked.sort(key=lambda each: (-each[0], each[1].file, each[1].line))
    _, declared, piece, operation = ranked[0]
    where = f"{declared.file}:{declared.line}"
    names = part_names(declared)
    told_parts = [
        {"train": names[0], "test": names[1]}.get(part, part) for part in operation.parts or ("train", "test")
    ]
    split: dict[str, Any] = {"of": piece.path, "parts": told_parts} | operation.fields
    if isinstance(split["parts"], dict):  # conditions: rows that fulfil none are left out, as in the program
        split["parts"] = dict(zip(names, split["parts"].values(), strict=True))
        split |= {"rest": "drop", "because": f"The conditions of {where} leave them out."}
    questions = [f"{where}: {asked}." if not asked.endswith("?") else f"{where}: {asked}"
                 for asked in operation.questions]  # fmt: skip
    if others := sorted({f"{each.file}:{each.line}" for _, each, *_ in ranked[1:]} - {where}):
        questions.append(f"Is the split that of {where}? Programs also split at {', '.join(others[:4])}.")
    sides = [Side(piece, f"drawn/{name}", name) for name in told_parts if name != "gap"]
    first, second = sides[:-1], sides[-1]
    told = ", ".join(f"{key} = {value}" for key, value in declared.parameters.items() if value is not None)
    yield Parting(
        "label", piece.stem, "ambiguous" if questions else "moderate", first, [second], [second],
        find_fields(piece, search.material), [f"{where} parts rows: {told}"[:300]], {"drawn": split},
        questions=questions,
    )  # fmt: skip


# -- keys of one file ------------------------------------------------------------------------


def _of_keys(search: Search) -> Iterator[Parting]:
    """One file with inputs and answers beside one another, of which nothing is for development."""
    for piece in search.material.pieces[:MOST_PARTINGS]:
        if len(piece.fields) < 2 or not piece.rows:
            continue
        fields = find_fields(piece, search.material)
        if fields.sure and set(fields.targets) < set(piece.fields):
            said = f"{piece.path} holds inputs and {', '.join(fields.targets)} beside one another"
            yield Parting("label", piece.stem, "simple", [], [Side(piece)], [Side(piece)], fields, [said])
