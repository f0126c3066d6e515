"""From the cut to a draft of ``task.yaml``: what files and programs show, joined with what the paper says.

The one idea: a draft never pretends. Whatever does not follow from evidence stands in ``questions``, and a task with
questions is not built; every split of the draft has been carried out once before it is written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from nature_gym.cut.core import words_of
from nature_gym.cut.material import Material, Piece
from nature_gym.cut.partings import SMALL_TABLE, Parting, Search, Side, find_partings, without_side
from nature_gym.cut.questions import LONGEST, Question
from nature_gym.cut.scoring import answer_of, metrics_of
from nature_gym.digests import digest_bytes
from nature_gym.errors import FindingsError
from nature_gym.packaging.specification import TaskSpecification
from nature_gym.screening.task import Setting, TaskTuple
from nature_gym.splitting.faults import SplitError
from nature_gym.splitting.preview import preview_task
from nature_gym.splitting.tables import Table

_DICTIONARY = frozenset({"dictionary", "codebook", "variables", "metadata", "schema", "glossary"})
_SAMPLING = re.compile(r"sampl|generat|distribution", re.IGNORECASE)
_OWN = re.compile(r"\b(we|our|ours|here|this (?:paper|work|study|article)|herein)\b", re.IGNORECASE)
_MANY_QUESTIONS = 200
_MOST_RESOURCES = 40
_COMMON = frozenset(
    [
        "the",
        "a",
        "an",
        "of",
        "and",
        "or",
        "in",
        "on",
        "at",
        "to",
        "for",
        "with",
        "from",
        "by",
        "data",
        "set",
        "sets",
        "dataset",
        "test",
        "part",
        "all",
    ]
)


@dataclass(frozen=True, slots=True)
class Told:
    """What is known beside the data: the sources as ``task.yaml`` names them, and the paper."""

    sources: Mapping[str, dict[str, Any]]
    task: TaskTuple = field(default_factory=TaskTuple)
    paper: Mapping[str, Any] = field(default_factory=dict)
    abstract: str = ""
    topics: tuple[str, ...] = ()


@dataclass(slots=True)
class Draft:
    """A task, and what is to be settled in it."""

    task: TaskSpecification
    questions: list[Question]


class NothingToDraftError(FindingsError):
    """The data show no way in which a setting parts."""


def draft_task(material: Material, told: Told, folders: Mapping[str, Path], root: Path) -> Draft:
    """The draft. ``folders`` are the sources' by name; ``root`` is where ``task.yaml`` is to lie.

    Raises NothingToDraftError where no setting's data are found.
    """

    def file(path: str) -> Path:
        source, _, inner = path.partition("/")
        return folders[source] / inner

    search = Search(material, file, bool(_SAMPLING.search(_kind_of_task(told.task))))
    partings = find_partings(search)
    if not partings:
        raise NothingToDraftError(
            "no file, list, column or program shows how development and evaluation data part",
            hint="'naturegym cut FOLDER' lists what was found; write the task.yaml by hand.",
        )
    questions: list[Question] = []
    chosen = pair(partings, [setting for setting in told.task.settings if setting.accepted], material, questions)
    writer = _Writer(material, told, file, questions)
    names = _names([setting.name if setting else _title(parting) for parting, setting, _ in chosen], told.task)
    instances = [
        writer.instance(name, parting, setting, extra)
        for name, (parting, setting, extra) in zip(names, chosen, strict=True)
    ]
    writer.ask_of_rest(partings, [extra for *_, extra in chosen if extra])
    value = {**_frame(told, chosen, questions), "instances": instances}
    task = TaskSpecification.model_validate(value)
    _try(task, root, questions)
    questions = list(dict.fromkeys(questions))
    return Draft(task.model_copy(update={"questions": tuple(_asked(questions))}), questions)


def _kind_of_task(task: TaskTuple) -> str:
    return " ".join([task.task_type, *(metric.name for metric in task.metrics)])


def _asked(questions: list[Question]) -> list[str]:
    return [str(question)[:LONGEST] for question in questions[:_MANY_QUESTIONS]]


def _try(task: TaskSpecification, root: Path, questions: list[Question]) -> None:
    """Carry every operation out once; what cannot be is a question."""
    found = preview_task(task, root, rows=0)
    questions += [
        Question(f"split {split.instance}/{split.split}", "it cannot be carried out", (split.error,))
        for split in found.splits
        if split.error
    ]
    questions += [
        Question(f"file {one.instance}/{one.file}", "it cannot be made", (one.error,))
        for one in found.files
        if one.error
    ]


def _left(names: Sequence[str], steps: Sequence[dict[str, Any]]) -> list[str]:
    """The columns or keys that ``steps`` leave."""
    left = list(names)
    for step in steps:
        left = [name for name in left if name in step.get("keep", left) and name not in step.get("drop", ())]
    return left


# -- settings and partings -------------------------------------------------------------------

Chosen = tuple[Parting, Setting | None, Piece | None]


def pair(
    partings: list[Parting], settings: list[Setting], material: Material, questions: list[Question]
) -> list[Chosen]:
    """Each accepted setting with its parting and, where it has one, the file of inputs that is its own."""
    if not settings:
        return [(parting, None, None) for parting in partings]
    if len(settings) == 1 and len(partings) == 1:
        return [(partings[0], settings[0], None)]
    if len(partings) == 1:
        return _of_one(partings[0], settings, material, questions)
    rare = _distinctive([_words(setting.name) for setting in settings])
    scores = sorted(
        (
            (_likeness(setting.name, rare[s], parting), -s, -p)
            for s, setting in enumerate(settings)
            for p, parting in enumerate(partings)
        ),
        reverse=True,
    )
    taken: dict[int, int] = {}
    for score, s, p in scores:
        if score > 0 and -s not in taken and -p not in taken.values():
            taken[-s] = -p
    left = [p for p in range(len(partings)) if p not in taken.values()]
    for s, setting in enumerate(settings):
        if s not in taken and left:
            taken[s] = left.pop(0)
            questions.append(
                Question(
                    f"setting {setting.name}", "are these its data? No name says so", tuple(partings[taken[s]].evidence)
                )
            )
        elif s not in taken:
            questions.append(Question(f"setting {setting.name}", "which data are its own? None are left for it"))
    questions += [
        Question(
            f"data of {_title(partings[p])}", "no setting is named for them; are they one?", tuple(partings[p].evidence)
        )
        for p in left
    ]
    return [(partings[taken[s]], setting, None) for s, setting in enumerate(settings) if s in taken]


def _likeness(name: str, rare: frozenset[str], parting: Parting) -> float:
    """What a setting's name and a parting's words have in common; words run together in a file's name count, too."""
    squeezed = "".join(words_of(name))
    together = sum(len(word) > 3 and word in squeezed for word in parting.words - _words(name))
    return len(rare & parting.words) + together + 0.1 * len(_words(name) & parting.words)


def _of_one(parting: Parting, settings: list[Setting], material: Material, questions: list[Question]) -> list[Chosen]:
    """Settings that share their data, but for a file that one of them is named for."""
    rare = _distinctive([_words(setting.name) for setting in settings])
    used = parting.pieces
    found: list[Chosen] = []
    for words, setting in zip(rare, settings, strict=True):
        own = [
            piece
            for piece in material.pieces
            if piece.path not in used and words & set(piece.words) and parting.fields.id in piece.fields
        ]
        found.append((parting, setting, own[0] if len(own) == 1 else None))
        if len(own) == 1:
            questions.append(
                Question(
                    f"setting {setting.name}", f"is {own[0].path} what this setting shows? Its name and its ids say so"
                )
            )
    shared = [setting for _, setting, own in found if own is None and setting is not None]
    questions += [
        Question(f"setting {one.name}", f"what are its own data? It has those of {shared[0].name}")
        for one in shared[1:]
    ]
    return found


def _words(name: str) -> frozenset[str]:
    return frozenset(words_of(name)) - _COMMON


def _distinctive(names: list[frozenset[str]]) -> list[frozenset[str]]:
    return [frozenset(word for word in words if sum(word in other for other in names) == 1) for words in names]


def _title(parting: Parting) -> str:
    return " ".join(sorted(parting.words)) or "main"


def _names(titles: Sequence[str], task: TaskTuple) -> list[str]:
    """Short names for instances, each once, without the method's."""
    found: list[str] = []
    banned = {word.lower() for name in (task.method, *task.variants) for word in re.findall(r"\w+", name)}
    for title in titles:
        words = [word for word in re.findall(r"[A-Za-z0-9]+", title) if word.lower() not in banned]
        name = "-".join(words).lower()[:48].strip("-") or "main"
        while name in found:
            name = f"{name[:60]}-{found.count(name) + len(found) + 1}"
        found.append(name)
    return found


# -- the frame -------------------------------------------------------------------------------


def _frame(told: Told, chosen: list[Chosen], questions: list[Question]) -> dict[str, Any]:
    task = told.task
    first = chosen[0][0]
    kind = task.task_type or {"label": "prediction", "oracle": "design", "distribution": "sampling"}[first.kind]
    targets = ", ".join(first.fields.targets[:5]) if first.kind == "label" else ""
    name = f"{kind.capitalize()} of {targets}" if targets else f"{kind.capitalize()} from measured data"
    questions.append(
        Question("name, domain and problem", "the words about the science are drafted; a person writes them")
    )
    used = sorted({path.partition("/")[0] for parting, *_ in chosen for path in parting.pieces} | set(told.sources))
    questions += [
        Question(f"source {source}", "under which licence is it? Nothing was found that says so")
        for source in used
        if not told.sources[source].get("licence") and not told.sources[source].get("licence_file")
    ]
    identity = str(told.paper.get("id") or "") or "|".join(sorted(str(one["path"]) for one in told.sources.values()))
    return {
        "id": f"task-{digest_bytes(identity.encode()).rpartition(':')[2][:8]}",
        "name": name[:120],
        "domain": {"primary": "Other", "sub": "to be named", "tags": _tags(kind, first)},
        "problem": {
            "background": _background(told) or "To be written: the scientific problem, without the method.",
            "objective": _objective(first),
            "input": _inputs(first),
            "output": _output(first),
        },
        "paper": dict(told.paper),
        "method": {"name": task.method, "variants": list(task.variants)},
        "sources": {source: dict(told.sources[source]) for source in used},
    }


_FORMS = {"label": "supervised", "oracle": "simulation", "distribution": "sampling"}


def _tags(kind: str, parting: Parting) -> list[str]:
    form = "tabular data" if any(side.piece.columns for side in parting.answers) else "arrays"
    found = dict.fromkeys([kind, _FORMS[parting.kind], form, "evaluation by files"])
    return list(found)[:4]


def _background(told: Told) -> str:
    """The abstract's first sentences, up to the one in which the authors speak of themselves or of their method."""
    names = [re.escape(name) for name in (told.task.method, *told.task.variants) if name]
    own = re.compile("|".join(names), re.IGNORECASE) if names else None
    kept: list[str] = []
    for sentence in re.split(r"(?<=[.!?])\s+", told.abstract.strip()):
        if _OWN.search(sentence) or (own and own.search(sentence)):
            break
        kept.append(sentence)
    return " ".join(kept)[:2_000].strip()


def _objective(parting: Parting) -> str:
    if parting.kind == "oracle":
        return "Find what comes closest to each target, as the simulator scores it."
    if parting.kind == "distribution":
        return "Draw samples from the distribution that the reference sample stands for."
    return f"Give {', '.join(parting.fields.targets)} for each row of the evaluation inputs."


def _inputs(parting: Parting) -> str:
    shown = "Data to learn from" if parting.development else "The inputs alone"
    return f"{shown}{', and the evaluation inputs without answers' if parting.development and parting.inputs else ''}."


def _output(parting: Parting) -> str:
    return {"label": "One answer for each row.", "oracle": "One design for each target.", "distribution": "Samples."}[
        parting.kind
    ]


# -- instances -------------------------------------------------------------------------------


@dataclass(slots=True)
class _Writer:
    material: Material
    told: Told
    file: Any
    questions: list[Question]
    given: set[str] = field(default_factory=set)

    def instance(self, name: str, parting: Parting, setting: Setting | None, extra: Piece | None) -> dict[str, Any]:
        """One instance; ``extra`` is shown in place of the last of the inputs."""
        taken: set[str] = set()
        made = [self._development(side, parting, taken) for side in parting.development]
        inputs = [self._input(side, parting, taken) for side in (parting.inputs[:-1] if extra else parting.inputs)]
        if extra is not None:
            inputs.append(self._input(Side(extra, None, "inputs"), parting, taken))
        answers = [self._answer(side, parting) for side in parting.answers]
        made += inputs + self._resources(parting, taken)
        metrics = metrics_of(self.told.task.metrics, setting, self.told.task.method, self.material, self.questions)
        names = {"inputs": inputs[-1]["file"] if inputs else "", "answers": answers[-1]["file"]}
        answer = answer_of(parting, metrics, names, self.file, self.material, self.questions)
        reference: dict[str, Any] = {"kind": parting.kind, "files": answers}
        if parting.kind == "oracle":
            reference |= self._oracle(parting)
        self._ask(name, parting)
        return {
            "name": name,
            "title": self._neutral(setting.name if setting else _title(parting)),
            "separability": parting.separability,
            "splits": parting.splits,
            "files": made,
            "reference": reference,
            "answer": [answer],
            "metrics": metrics,
        }

    def _neutral(self, title: str) -> str:
        for word in (self.told.task.method, *self.told.task.variants):
            title = re.sub(rf"\b{re.escape(word)}\b", "", title, flags=re.IGNORECASE) if word else title
        return " ".join(title.split())

    def _ask(self, name: str, parting: Parting) -> None:
        for question in parting.questions:
            self.questions.append(Question(f"split of {name}", question, tuple(parting.evidence)))
        if not parting.fields.sure:
            said = f"is {', '.join(parting.fields.targets) or 'nothing'} the answer?"
            self.questions.append(Question(f"answer of {name}", said, tuple(parting.fields.reasons[:4])))
        for piece in {side.piece.path: side.piece for side in parting.answers}.values():
            if parting.fields.id in piece.columns and not self._unique(piece, str(parting.fields.id)):
                asks = f"{parting.fields.id} does not tell the rows of {piece.path} apart; by what are answers matched?"
                self.questions.append(Question(f"id of {name}", asks))
        for side in (*parting.development, *parting.inputs):
            if side.piece.confidence < 0.6:
                asks = f"does any method need it? It was judged {side.piece.category} with {side.piece.confidence:.2f}"
                self.questions.append(Question(f"file {side.piece.path}", asks))

    def _unique(self, piece: Piece, column: str) -> bool:
        """Whether no two rows have the same value; of what is too large to be read for that, it is believed."""
        if piece.size > SMALL_TABLE:
            return True
        try:
            table = Table(self.file(piece.path))
            ((rows, values),) = table.select(f"count(*), count(DISTINCT {table.sql(column)})", typed=False)
        except SplitError:
            return False
        return bool(rows == values)

    # -- files ---------------------------------------------------------------------------

    def _made(self, side: Side, parting: Parting, name: str, role: str, steps: list[dict[str, Any]]) -> dict[str, Any]:
        self.given.add(side.piece.path)
        fields = self._fields(_left(side.piece.fields, steps), parting)
        return {
            "file": name, "take": side.piece.path, **({"part": side.part} if side.part else {}), "role": role,
            **({"steps": steps} if steps else {}), **({"fields": fields} if fields else {}),
        }  # fmt: skip

    def _fields(self, names: Sequence[str], parting: Parting) -> list[dict[str, Any]]:
        """What the file has of ids and answers; ``train/y`` is an answer where ``test/y`` is."""
        if parting.kind != "label":
            return []
        targets = {without_side(target) for target in parting.fields.targets}
        found = []
        for name in names:
            if name == parting.fields.id:
                found.append({"name": name, "role": "ID"})
            elif name in parting.fields.targets or without_side(name) in targets:
                found.append({"name": name, "role": "TARGET"})
        return found

    def _joins(self, piece: Piece, parting: Parting) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        have = set(piece.columns)
        for table in parting.joined:
            new = [column for column in table.columns if column not in have]
            if new:
                found.append({"join": {"table": table.path, "on": parting.fields.id, "columns": new}})
                have |= set(new)
                self.given.add(table.path)
        return found

    def _development(self, side: Side, parting: Parting, taken: set[str]) -> dict[str, Any]:
        name = _free(_file_name(side, "development"), taken)
        steps = [{"keep": list(side.keys)}] if side.keys else self._joins(side.piece, parting)
        return self._made(side, parting, name, "development", steps)

    def _input(self, side: Side, parting: Parting, taken: set[str]) -> dict[str, Any]:
        name = _free(_file_name(side, "inputs"), taken)
        if side.keys:
            return self._made(side, parting, name, "inputs", [{"keep": list(side.keys)}])
        steps = self._joins(side.piece, parting)
        if hidden := [one for one in parting.fields.targets if one in side.piece.fields]:
            steps.append({"drop": hidden})
        return self._made(side, parting, name, "inputs", steps)

    def _answer(self, side: Side, parting: Parting) -> dict[str, Any]:
        targets = [field for field in parting.fields.targets if field in side.piece.fields]
        key = [parting.fields.id] if parting.fields.id in side.piece.columns else []
        steps: list[dict[str, Any]] = []
        if targets and (side.piece.columns or parting.kind == "label" or len(targets) < len(side.piece.arrays)):
            steps = [{"keep": [*key, *targets]}]
        name = _file_name(side, "answers") if len(parting.answers) > 1 else f"answers{_suffix(side.piece)}"
        if len(targets) == 1 and _suffix(side.piece) == ".npz" and parting.kind == "label":
            name = "answers.npy"
        role = "statistics" if parting.kind == "distribution" else "answers"
        return self._made(side, parting, name, role, steps)

    def _resources(self, parting: Parting, taken: set[str]) -> list[dict[str, Any]]:
        """What comes from other work, dictionaries, and programs of others."""
        resources = [
            piece
            for piece in self.material.pieces
            if piece.path not in parting.pieces and _is_resource(piece) and parting.fields.id not in piece.fields
        ]
        found = [
            self._made(Side(piece), parting, _free(piece.name, taken), "resource", [])
            for piece in resources[:_MOST_RESOURCES]
        ]
        for piece in parting.scorer or self._programs()[:_MOST_RESOURCES]:
            role = "scorer" if parting.scorer else "resource"
            found.append(self._made(Side(piece), parting, _free(piece.inner, taken), role, []))
        return found

    def _programs(self) -> list[Piece]:
        """Programs of other work that lie among the authors'."""
        return [
            Piece(f"{source}/{verdict.path}", "python", cut.tree.by_path[verdict.path].size, "", verdict.category, 1.0)
            for source, cut in self.material.programs
            for verdict in cut.files
            if verdict.kept and verdict.path.endswith(".py") and cut.tree.by_path[verdict.path].size
        ]

    def _oracle(self, parting: Parting) -> dict[str, Any]:
        programs = [piece for piece in parting.scorer if piece.format == "python"]
        files = [self._made(Side(piece), parting, f"scorer/{piece.inner}", "scorer", []) for piece in parting.scorer]
        said = tuple(f"{piece.path} is kept" for piece in programs[:4])
        self.questions.append(
            Question("scorer", "which function scores a whole answer? Name it as <file>:<function>", said)
        )
        answers = [self._answer(side, parting) for side in parting.answers]
        return {"files": [*files, *answers], "shared": True}

    def ask_of_rest(self, partings: list[Parting], extras: list[Piece]) -> None:
        """One question for each group of kept files that no instance has: they are not shown unasked."""
        known = (
            {path for parting in partings for path in parting.pieces} | {piece.path for piece in extras} | self.given
        )
        listed = {
            path
            for parting in partings
            for split in parting.splits.values()
            for path in (split.get("table"), *(split["parts"].values() if isinstance(split["parts"], dict) else ()))
            if isinstance(path, str)
        }
        groups: dict[tuple[str, str, str], list[Piece]] = {}
        for piece in self.material.pieces:
            if piece.path not in known | listed:
                folder = piece.path.rpartition("/")[0]
                groups.setdefault((folder, _suffix(piece), piece.category), []).append(piece)
        for (folder, suffix, category), pieces in groups.items():
            first = pieces[0]
            about = f"file {first.path}" if len(pieces) == 1 else f"files {folder}/*{suffix} ({len(pieces):,})"
            asks = f"does a task need it? It is kept as {category} ({first.confidence:.2f}); no setting uses it"
            sites = tuple(f"{site.file}:{site.line} {site.action}s it" for site in self.material.sites(first)[:3])
            self.questions.append(Question(about, asks, sites))


def _is_resource(piece: Piece) -> bool:
    return piece.category == "external_resource" or bool(_DICTIONARY & set(piece.words))


def _suffix(piece: Piece) -> str:
    return (
        "".join(PurePosixPath(piece.name).suffixes[-2:])
        if piece.name.endswith(".gz")
        else PurePosixPath(piece.name).suffix
    )


_SIDES = {"development": "train", "evaluation": "test"}


def _file_name(side: Side, role: str) -> str:
    """A plain name: that of the part, or of the side; else the file's own."""
    plain = _SIDES.get(side.name or side.piece.side, side.name or side.piece.side)
    if side.name:
        return f"{re.sub(r'[^A-Za-z0-9_-]', '', plain) or role}{_suffix(side.piece)}"
    if side.piece.side and len(side.piece.stem) <= 6 and side.piece.columns:
        return f"{plain}{_suffix(side.piece)}"
    return side.piece.name


def _free(name: str, taken: set[str]) -> str:
    path = PurePosixPath(name)
    number = 2
    while name in taken:
        name = str(path.with_name(f"{path.stem}_{number}{path.suffix}"))
        number += 1
    taken.add(name)
    return name
