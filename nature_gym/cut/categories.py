"""A category for every file: would any method for this task need it, or only the paper's own?

The one idea: what programs do with a file weighs most (who writes it, and who else reads it), words of documents and
names weigh less, and the sum decides. The evidence is kept with its weight, so that a verdict can be explained.
"""

from __future__ import annotations

import math
import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from nature_gym.cut.contents import content_evidence, is_prose
from nature_gym.cut.core import RUN_ROLES, SHARED_ROLES, Role, Roles, is_of_others, role_of_name, squeezed, words_of
from nature_gym.cut.graph import Graph, Site, Unit, normalised
from nature_gym.cut.names import CATEGORIES, KEPT, TRUST, A, Category, E, I, N, O, P, Weights, in_runs, name_evidence
from nature_gym.cut.tree import Entry, Tree, kind_of, known_suffix

MAX_EVIDENCE = 8


@dataclass(frozen=True, slots=True)
class Evidence:
    """One reason: where it stands (``line`` 0: the path itself) and what it says."""

    file: str
    line: int
    what: str
    weights: tuple[tuple[Category, float], ...] = ()

    def weight(self, category: Category) -> float:
        return dict(self.weights).get(category, 0.0)


@dataclass(slots=True)
class Verdict:
    """A file's category with its reasons, the weightiest first."""

    path: str
    category: Category
    confidence: float
    evidence: list[Evidence] = field(default_factory=list)

    @property
    def kept(self) -> bool:
        return self.category in KEPT


_NO_DATA = {"document", "environment"}


def judge(tree: Tree, graph: Graph, roles: Roles, method: str | None = None) -> list[Verdict]:
    """A verdict for every file that is not the authors' code, and for code of others that any method would need."""
    reader = _Reader(graph, roles)
    documents = read_documents(tree)
    name = squeezed(method or "")
    tests = _folders_of_tests(tree)
    notes = _notes(tree)
    releases = sorted({match[1] for entry in tree.entries if entry.is_code and (match := _RELEASE.match(entry.path))})
    trained = {entry.folder: entry.path for entry in tree.of_kind("weights") if entry.folder}
    own: dict[str, list[Evidence]] = {}
    for entry in tree.data:
        evidence = [Evidence(entry.path, 0, what, tuple(weights.items())) for what, weights in name_evidence(entry)]
        if entry.kind not in _NO_DATA:
            evidence += [
                Evidence(
                    entry.path,
                    int(entry.kind not in {"array", "weights"}),
                    f"it begins with {what}",
                    tuple(weights.items()),
                )
                for what, weights in content_evidence(entry)
            ]
            if len(name) >= 4 and name in squeezed(entry.name):
                evidence.append(Evidence(entry.path, 0, f"it bears the method's name, {method}", ((O, 1.0), (A, 0.5))))
            beside = trained.get(entry.folder)
            if beside and entry.kind not in {"weights", "picture"} and not _AMONG_DATA.search(entry.folder):
                evidence.append(Evidence(beside, 0, f"{beside}, a trained model, lies beside it", ((O, 1.2),)))
            if other := next((each for each in releases if entry.path.startswith(f"{each}/")), None):
                what = f"it lies in {other}, named for a release, with that release's programs"
                evidence.append(Evidence(entry.path, 0, what, ((E, 1.8),)))
            if test := next((each for each in tests if entry.path.startswith(each)), None):
                evidence.append(Evidence(entry.path, 0, f"tests of the programs lie in {test}", ((N, 3.0),)))
            used = reader.evidence(entry)
            if any(site.action == "write" for site, sure in graph.touching.get(entry.path, ()) if sure > 0.6):
                evidence = list(map(_of_own_making, evidence))
            evidence += documents.evidence(entry)
            evidence += used
            if entry.path in notes and not used:
                evidence.append(
                    Evidence(entry.path, 1, "it begins with sentences, and no program reads it", ((N, 2.0),))
                )
            if known_suffix(entry.name) and (source := _made_from(tree, entry)):
                evidence.append(Evidence(source, 0, "it is named for what it was made from", ((A, 1.6), (P, 1.2))))
            if 0 < entry.size <= len("\r\n") and not entry.suffix:
                evidence.append(Evidence(entry.path, 0, "there is nothing in it", ((N, 4.0),)))
        own[entry.path] = evidence
    _follow_neighbours(tree, own)
    verdicts = [verdict(path, evidence) for path, evidence in own.items()]
    others = [*_code_of_others(tree), *_leftovers(tree, graph, {each.path for each in verdicts if each.kept})]
    return sorted([*verdicts, *others], key=lambda each: each.path)


def verdict(path: str, evidence: Iterable[Evidence]) -> Verdict:
    """The category with the greatest sum; the confidence is its share of all (a softmax)."""
    found = list(evidence)
    sums = {category: sum(each.weight(category) for each in found) for category in CATEGORIES}
    best = max(CATEGORIES, key=lambda category: sums[category])
    share = 1 / sum(math.exp(sums[category] - sums[best]) for category in CATEGORIES)
    reasons = sorted(
        (each for each in found if each.weight(best) > 0), key=lambda each: (-each.weight(best), each.line == 0)
    )
    return Verdict(path, best, round(min(share, 0.99), 3), list(dict.fromkeys(reasons))[:MAX_EVIDENCE] or found[:1])


# -- what programs do with it ------------------------------------------------------------


_RELEASE = re.compile(r"((?:[^/]+/)*?[A-Za-z][\w.]*-v?\d+\.\d[\w.]*)/")
"""A folder named for a release: ``libsvm-3.21``."""
_AMONG_DATA = re.compile(r"data", re.IGNORECASE)
"""Beside data, weights are one file among many."""
MAX_NOTES = 4
"""More texts than this in one folder are a collection to work on."""


def _notes(tree: Tree) -> set[str]:
    """Short texts of a person for a reader, as far as they are single ones."""
    found: dict[str, list[str]] = {}
    for entry in tree.data:
        if is_prose(entry):
            found.setdefault(entry.folder, []).append(entry.path)
    return {path for paths in found.values() if len(paths) <= MAX_NOTES for path in paths}


_DRAWN = re.compile(r"(savefig|ggsave|imsave|svg|pdf|png|write_image)\(")


_TESTS = re.compile(r"(^|/)(tests|unit_?tests?)/|(^|/)test/(.*/)?test_[^/]*$|(^|/)conftest\.py$", re.IGNORECASE)
"""Tests of the programs themselves. ``test.py`` and ``test/`` often hold the evaluation of a model, and are none."""


def _folders_of_tests(tree: Tree) -> list[str]:
    """Folders ``test/`` that hold programs which test the others; what lies in ``tests/`` its name tells."""
    found = (re.match(r"((?:.*/)?test/)(?:.*/)?test_[^/]*$", entry.path) for entry in tree.entries if entry.is_code)
    return sorted({match[1] for match in found if match})


def _made_from(tree: Tree, entry: Entry) -> str | None:
    """``x.txt`` for ``x.txt.h5``: the file beside, of another format, whose whole name this one goes on from."""
    source, _, suffix = entry.path.rpartition(".")
    beside = tree.by_path.get(source)
    return source if beside and known_suffix(source) and kind_of(f"x.{suffix}", b"") in {"array", "table"} else None


def _of_own_making(evidence: Evidence) -> Evidence:
    """What the folder's programs write is not from other work: a vocabulary is then an encoding of the method."""
    return replace(evidence, weights=tuple((A, 0.8 * w) if c == E else (c, w) for c, w in evidence.weights))


def _is_model(entry: Entry) -> bool:
    if entry.kind == "weights":
        return True
    words = {each.rstrip("s") for each in words_of(entry.path)}
    return entry.suffix in {".pt", ".h5", ".hdf5", ".pkl", ".pickle"} and bool(words & {"model", "network"})


def _of_a_model(evidence: Evidence) -> Evidence:
    """That a model is read does not say that it was there before: runs read their own models, too."""
    weights = dict(evidence.weights)
    read = weights.get(I, 0.0) + weights.get(P, 0.0)
    if weights.get(O, 0.0) > read:
        return evidence
    return Evidence(evidence.file, evidence.line, evidence.what, ((O, 0.3 * read), (E, 0.3 * read), (I, 0.1 * read)))


class _Reader:
    """Turns a file's sites into evidence."""

    def __init__(self, graph: Graph, roles: Roles) -> None:
        self.graph = graph
        self.roles = roles
        self.others = {path for path in roles.programs if roles.of_file.get(path) in SHARED_ROLES - {"draw"}}
        """Baselines and evaluation: what they read, any method may need."""
        self.methods = {path for path in roles.programs if roles.of_file.get(path) in {"train", "baseline"}}
        self.has_baselines = "baseline" in roles.of_file.values()
        self._serving: dict[str, bool] = {}
        self._before: dict[str, set[str]] = {}
        self._shared: dict[Unit, str | None] = {}
        self._written: dict[Unit, list[str]] = {}
        for path, touching in graph.touching.items():
            for unit in {site.unit for site, _ in touching if site.action == "write"}:
                self._written.setdefault(unit, []).append(path)

    def evidence(self, entry: Entry) -> list[Evidence]:
        touching = [pair for pair in self.graph.touching.get(entry.path, []) if pair[0].action != "delete"]
        if touching and all(_TESTS.search(site.unit.file) for site, _ in touching):
            site = touching[0][0]
            sure = 3.0 if _TESTS.search(entry.path) else 0.5
            return [Evidence(site.file, site.line, f"tests of the programs alone use it: {site.what}", ((N, sure),))]
        found = sites_evidence(touching, self)
        if entry.kind == "array" and (made := self._encodes(touching)):
            what = "a preparation writes it as arrays or objects, and only training and what follows read it"
            found.append(Evidence(made.file, made.line, what, ((A, 1.4),)))
        if (
            entry.kind == "array"
            and touching
            and all(site.action == "read" and self.role(site) == "evaluate" for site, _ in touching)
        ):
            site = touching[0][0]
            found.append(Evidence(site.file, site.line, "nothing writes it, and scores rest on it", ((E, 1.5),)))
        return [_of_a_model(each) for each in found] if _is_model(entry) else found

    def _encodes(self, touching: list[tuple[Site, float]]) -> Site | None:
        """The site by which a preparation writes what the method's own training alone reads, if it is so."""
        writing = [site for site, _ in touching if site.action == "write"]
        roles = {self.roles.of_file.get(path) for path in self.readers(touching) - {site.file for site in writing}}
        if "train" not in roles or not roles <= {"train", "predict", "prepare"} or self.has_baselines:
            return None
        return next((site for site in writing if self.role(site) in {"prepare", "encode", "other"}), None)

    def role(self, site: Site) -> Role:
        """What the unit that decided the path is for; where it does not say, what its programs are for."""
        if site.action == "write" and _DRAWN.match(site.what):
            return "draw"
        near = site.inner.file == site.unit.file
        order = (site.inner, site.unit) if near else (site.unit, site.inner)
        told = [role for role in map(self.roles.of_unit, order) if role != "other"]
        if told[:1] == ["baseline"] and (named := role_of_name(site.unit.name.rpartition(".")[2])) in _DATA_ROLES:
            return named  # preparing data is that, beside a baseline, too
        role: Role = told[0] if told else "other"
        if role == "other":
            roles = {self.roles.of_file.get(path, "other") for path in self.roles.reached_from(site.unit)}
            if roles and roles <= RUN_ROLES:
                return min(roles)
        return role

    def shared(self, unit: Unit) -> str | None:
        """A program beside the method's own that reads something of what a unit writes, if there is one."""
        if unit not in self._shared:
            written = self._written.get(unit, ())
            read = {program for path in written for program in self.readers(self.graph.touching[path]) & self.others}
            self._shared[unit] = min(read - {unit.file}, default=None)
        return self._shared[unit]

    def serves_one(self, unit: Unit) -> bool:
        """Whether what a program makes is read by one method alone, while others begin before it."""
        if unit.file not in self._serving:
            made = {path for each, paths in self._written.items() if each.file == unit.file for path in paths}
            readers = (self.readers(self.graph.touching[path]) & self.methods for path in made)
            methods = set().union(*readers) - {unit.file}
            self._serving[unit.file] = len(methods) == 1 and bool(self.begins_before(unit) - methods)
        return self._serving[unit.file]

    def begins_before(self, unit: Unit) -> set[str]:
        """Methods that read something else which a program makes, or out of which it makes what it does."""
        if unit.file not in self._before:
            touched = (touching for touching in self.graph.touching.values()
                       if any(site.unit.file == unit.file and sure > 0.6 for site, sure in touching))  # fmt: skip
            self._before[unit.file] = {
                path for touching in touched for path in self.readers(touching) & self.methods - {unit.file}
            }
        return self._before[unit.file]

    def readers(self, touching: list[tuple[Site, float]]) -> set[str]:
        return {path for site, _ in touching if site.action in {"read", "list", "copy"}
                for path in self.roles.reached_from(site.unit) if not path.lower().endswith("makefile")}  # fmt: skip


_WRITING = {"write", "download", "move"}


def sites_evidence(touching: list[tuple[Site, float]], reader: _Reader) -> list[Evidence]:
    """Evidence from the sites of one file (or pattern)."""
    writing = [(site, sure) for site, sure in touching if site.action in _WRITING]
    reading = [(site, sure) for site, sure in touching if site.action in {"read", "list", "copy"}]
    written = max((sure for _, sure in writing), default=0.0)
    reading = [(site, sure) for site, sure in reading if sure > 0.65 * written]  # a vaguer pattern means others
    programs = reader.readers(reading)
    roles = {reader.role(site) for site, _ in reading if site.action == "read"}
    use = _Use(programs, roles, programs & reader.methods)
    found: list[Evidence] = []
    for site, sure in writing:
        weights, why = _of_writer(reader.role(site), site, use, reader)
        found.append(_said(site, sure, weights, why))
    for site, sure in reading:
        weights, why = _of_reader(reader.role(site), site, written)
        found.append(_said(site, sure, weights, why))
    return _strongest(found)


@dataclass(frozen=True, slots=True)
class _Use:
    """Who reads a file: the programs, and what the reading units are for."""

    programs: set[str]
    roles: set[Role]
    methods: set[str]


def _said(site: Site, sure: float, weights: Weights, why: str) -> Evidence:
    verb = {"write": "writes", "read": "reads", "download": "downloads", "list": "lists", "copy": "copies"}.get(
        site.action, site.action
    )
    share = sure * TRUST["write" if site.action in _WRITING else "read"]
    return Evidence(
        site.file,
        site.line,
        f"{site.unit} {verb} it{why}: {site.what}",
        tuple((c, w * share) for c, w in weights.items()),
    )


_SHOWING = re.compile(r"(^|/)(demos?|examples?|tutorials?)/", re.IGNORECASE)
"""What a demonstration writes for itself is an input as often as an output."""
_DATA_ROLES: frozenset[Role] = frozenset({"split", "make", "prepare", "encode"})
_BY_WRITER: dict[Role, tuple[Weights, str]] = {
    "download": ({I: 1.5, P: 2.5, E: 0.5}, " (a download)"),
    "split": ({P: 4.0}, " (a split)"),
    "make": ({P: 3.0, A: 0.6}, " (it makes data)"),
    "encode": ({A: 3.0, P: 0.5}, " (an encoding)"),
    "prepare": ({P: 2.2, A: 1.0}, " (a preparation)"),
    "other": ({O: 1.5, P: 0.8, A: 0.6}, ""),
}


def _of_writer(role: Role, site: Site, use: _Use, reader: _Reader) -> tuple[Weights, str]:
    """What it says of a file that a unit of this role writes it, with these programs reading it."""
    if site.action == "download":
        return {I: 2.0, P: 2.3, E: 0.5}, ""
    if role in RUN_ROLES:
        return _of_run(role, site, use, reader)
    if role in {*_DATA_ROLES, "other"} and in_runs(site.pattern) and not use.roles & {"train", "baseline"}:
        return {O: 2.5, P: 1.0, A: 0.5}, ", among the results"
    if role == "other" and _SHOWING.search(site.file):
        return {I: 1.4, P: 1.0, O: 1.0}, " (a demonstration)"
    if role in {"make", "prepare", "encode", "other"} and (told := _of_preparation(role, site, use, reader)):
        return told
    return _BY_WRITER[role]


def _of_run(role: Role, site: Site, use: _Use, reader: _Reader) -> tuple[Weights, str]:
    """A run of the method or of another writes its output, or what its own training reads."""
    if role in {"train", "predict"} and "train" in use.roles and not use.roles & {"predict", "evaluate", "draw"}:
        return {A: 2.7, O: 2.4}, f" ({role}), and training reads it"
    if role == "train" and not use.roles and _before_training(site, reader.roles):
        return {A: 3.0, O: 1.5}, " before it trains"
    return {O: 4.0}, f" ({role})"


def _of_methods(role: Role, site: Site, use: _Use, reader: _Reader) -> tuple[Weights, str] | None:
    """Where a folder has several methods: what many read is everybody's, what serves one alone is its own."""
    if len(use.methods) >= MANY:
        return {P: 4.2}, f", and {len(use.methods)} methods read it"
    if role != "other" and not use.programs and reader.serves_one(site.unit):
        return {A: 2.8, P: 1.0}, f", and what else {site.unit.file} makes is for one method"
    if role != "other" and len(use.methods) == 1 and (begin := reader.begins_before(site.unit) - use.methods):
        return {
            A: 3.0,
            P: 0.8,
        }, f", for {min(use.methods)} alone: {min(begin)} reads what else {site.unit.file} touches"
    return None


def _of_preparation(role: Role, site: Site, use: _Use, reader: _Reader) -> tuple[Weights, str] | None:
    """A preparation is everybody's where others read it, too, and the method's own where its programs alone do."""
    if told := _of_methods(role, site, use, reader):
        return told
    if others := use.programs & reader.others - {site.file}:
        given = role != "other" or any(reader.roles.of_file.get(path) == "baseline" for path in others)
        return ({P: 3.5} if given else {P: 1.5, O: 2.0}), f", and {min(others)} reads it, too"
    if role != "other" and (other := reader.shared(site.unit)):
        return {P: 3.2, A: 0.8}, f", and {other} reads what it writes"
    own = {path for path in use.programs if reader.roles.of_file.get(path) in {"train", "predict"}} - {site.file}
    rest = use.programs - own - {site.file}
    if role == "other" and (len(rest) >= MANY or (rest and not own and "train" not in use.roles)):
        return {P: 1.8, I: 0.6, O: 0.8, A: 0.4}, f", and {min(rest)} reads it"
    if own and role != "make" and (reader.others or role == "other"):
        return {A: 3.2, P: 0.8}, f", and of the methods only {min(own)} reads it"
    if role == "other" and "train" in use.roles:
        return {A: 2.6, P: 0.8, O: 0.8}, ", and training reads it"
    return None


MANY = 3
"""As many readers beyond the method's own programs make a file everybody's."""
_RESULTS = re.compile(r"\.(log|png|svg|pdf|ckpt|pth|yaml|yml|json)\b|result|predict|metric|score|log", re.IGNORECASE)


def _before_training(site: Site, roles: Roles) -> bool:
    """Whether a program's own statements write something (no result by its name) before the first that trains."""
    first = min(roles.training.get(site.unit.file, ()), default=0)
    return not site.unit.name and site.unit == site.inner and site.line < first and not _RESULTS.search(site.pattern)


_BY_READER: dict[Role, tuple[Weights, str]] = {
    "draw": ({O: 1.2, I: 0.4}, " (for a figure)"),
    "evaluate": ({O: 0.6, I: 0.8, P: 0.5, E: 0.4}, " (an evaluation)"),
    "baseline": ({I: 1.5, P: 1.0, E: 1.0}, " (a baseline)"),
    **{role: ({I: 1.8, E: 1.2, P: 0.3}, f" ({role})") for role in ("split", "make", "prepare", "encode", "download")},
}


def _of_reader(role: Role, site: Site, written: float) -> tuple[Weights, str]:
    """What it says of a file that a unit of this role reads it; less where a program of the folder writes it."""
    left = (1.0 - 0.8 * written) * (0.5 if site.action == "list" else 1.0)
    if site.is_model and site.action == "read":
        return {O: 1.9, E: 1.0}, " as a model"
    weights, why = _BY_READER.get(role, ({I: 1.4, P: 0.6, E: 0.9}, ""))
    return {category: weight * left for category, weight in weights.items()}, why


def _strongest(found: list[Evidence]) -> list[Evidence]:
    """Ten readers do not prove ten times as much: the weightiest of each kind counts, the next ones by halves."""
    found = sorted(dict.fromkeys(found), key=lambda each: -max((w for _, w in each.weights), default=0))
    kept: list[Evidence] = []
    seen: dict[Category, int] = {}
    for each in found[:40]:
        if not each.weights:
            continue
        main = max(each.weights, key=lambda pair: pair[1])[0]
        share = 0.35 ** seen.get(main, 0)
        seen[main] = seen.get(main, 0) + 1
        kept.append(Evidence(each.file, each.line, each.what, tuple((c, w * share) for c, w in each.weights)))
    return kept


# -- what documents say ------------------------------------------------------------------

_SAID: tuple[tuple[str, Weights], ...] = (
    (r"\braw\b|\boriginal data|downloaded from|available (at|from)|\bdata ?sets? (is|are|used)\b", {I: 1.0}),
    (
        r"\btrain(ing)?[ -](set|data|split)|\btest[ -](set|data|split)|train/test|\bsplits?\b|\bfolds?\b",
        {P: 0.9, I: 0.3},
    ),
    (r"\bpre-?trained\b", {E: 0.6, O: 0.6}),
    (r"\bontology\b|\bvocabulary\b|provided by|taken from|\bthird[ -]party", {E: 1.0, O: 0.2}),
    (r"\bpre-?processed\b|\bprocessed\b", {P: 0.6, A: 0.5}),
    (r"\bfeatures?\b|\bembeddings?\b|\bencod", {A: 0.7}),
    (r"\bresults?\b|\bpredictions?\b|\boutputs?\b|\btrained (model|weights)|\bcheckpoints?\b|\blogs?\b", {O: 1.1}),
    (r"\bfigures?\b|will be (saved|written|stored)|generated by", {O: 1.1}),
    (r"!\[|<img", {N: 3.0}),
)
_SAYINGS = [(re.compile(pattern, re.IGNORECASE), weights) for pattern, weights in _SAID]


@dataclass(slots=True)
class Documents:
    """Lines of READMEs that name files or folders: name -> (document, line number, line)."""

    lines: dict[str, list[tuple[str, int, str]]] = field(default_factory=dict)

    def evidence(self, entry: Entry) -> list[Evidence]:
        """What the documents say of a file, or of the folder in which it lies."""
        found: list[Evidence] = []
        parts = entry.path.split("/")
        names = [
            (parts[-1], 1.0),
            *((f"{part}/", 0.6) for part in reversed(parts[:-1]) if len(part) > 3 or part.isdigit() is False),
        ]
        for name, share in names[:3]:
            for document, number, line in self.lines.get(name, ())[:3]:
                for pattern, weights in _SAYINGS:
                    if N in weights and (entry.kind != "picture" or name != parts[-1]):
                        continue
                    if pattern.search(line):
                        what = f"the document says of {name}: {line[:160]}"
                        found.append(
                            Evidence(
                                document,
                                number,
                                what,
                                tuple((c, w * share * TRUST["document"]) for c, w in weights.items()),
                            )
                        )
        return _strongest(found)


def read_documents(tree: Tree) -> Documents:
    """The lines of all documents that name something of the folder."""
    documents = Documents()
    for entry in tree.of_kind("document"):
        text = tree.text(entry.path, 500_000)
        if text is None:
            continue
        for number, line in enumerate(text.splitlines()[:5_000], 1):
            if len(line) > 2_000 or _COMMAND.match(line):
                continue
            for name in _names_in(line):
                held = documents.lines.setdefault(name, [])
                if len(held) < 10:
                    held.append((entry.path, number, line.strip()))
    return documents


_COMMAND = re.compile(
    r"\s*(?:[$>%!]\s*)?(?:CUDA_VISIBLE_DEVICES=\S+\s+)?(python[\d.]*|Rscript|bash|sh|\./\S+|java|matlab|julia)\s+\S"
)
"""A line that starts a program: what its arguments are is told by the program, not by the words beside them."""


def _names_in(line: str) -> set[str]:
    """The names of files (with a suffix) and folders (with a slash) that a line holds: the last of each path.

    What is said of ``data/logs`` is not said of ``data/``.
    """
    found: set[str] = set()
    for token in re.split(r"[^\w./-]+", line):
        path, slash, last = token.rstrip(".").rpartition("/")
        if "." in last.strip("."):
            found.add(last)
        elif slash and (folder := last or path.rpartition("/")[2]):
            found.add(f"{folder}/")
    return found


# -- neighbours and code of others -------------------------------------------------------


def _follow_neighbours(tree: Tree, own: dict[str, list[Evidence]]) -> None:
    """A file that no program names leans to what the files most like it are found to be.

    Most alike are files of the same name in a folder beside (``b/train.txt`` to ``a/train.txt``), and of the same
    folder with one word of the name exchanged (``r8_vocab.txt`` to ``mr_vocab.txt``); then all of the same suffix.
    """
    entries = [entry for entry in tree.data if entry.kind not in _NO_DATA]
    told = {entry.path for entry in entries if any(_is_told(each, entry) for each in own[entry.path])}
    known: dict[tuple[str, ...], list[Entry]] = {}
    for entry in entries:
        if entry.path in told:
            for key in _likenesses(entry):
                known.setdefault(key, []).append(entry)
    for entry in entries:
        if entry.path in told:
            continue
        for key in _likenesses(entry):
            if alike := known.get(key):
                share = TRUST["likeness"] * (0.6 if key[0] == "suffix" else 0.9)
                own[entry.path].append(Evidence(alike[0].path, 0, f"{alike[0].name}, like it, is used so",
                                                _mean([own[each.path] for each in alike[:50]], share)))  # fmt: skip
                break


def _is_told(evidence: Evidence, entry: Entry) -> bool:
    """Whether a program or document says something of a file, not only its own path and first lines."""
    return evidence.line > 0 and evidence.file != entry.path


def _likenesses(entry: Entry) -> Iterator[tuple[str, ...]]:
    """What a file has in common with those most like it, the closest first."""
    folders = entry.folder.split("/") if entry.folder else []
    for place in reversed(range(len(folders))):
        yield ("beside", *folders[:place], "*", *folders[place + 1 :], entry.name)
    words = re.split(r"([^A-Za-z0-9]+)", entry.name.removesuffix(entry.suffix))
    for place in range(0, len(words), 2) if 1 < len(words) < 20 else ():
        yield ("word", entry.folder, *words[:place], "*", *words[place + 1 :], entry.suffix)
    yield ("suffix", entry.folder, entry.suffix)


def _mean(evidence: list[list[Evidence]], share: float) -> tuple[tuple[Category, float], ...]:
    sums: Weights = {}
    for each in (each for found in evidence for each in found if each.line):
        for category, weight in each.weights:
            sums[category] = sums.get(category, 0.0) + share * weight / len(evidence)
    return tuple(sums.items())


def _code_of_others(tree: Tree) -> list[Verdict]:
    """Programs that the authors took from elsewhere: a simulator that every method is given."""
    found: list[Verdict] = []
    for entry in tree.entries:
        if entry.is_code and is_of_others(entry.path):
            what = f"a program of others, in {entry.folder}/"
            found.append(verdict(entry.path, [Evidence(entry.path, 0, what, ((E, 2.0),))]))
    return found


def _leftovers(tree: Tree, graph: Graph, kept: set[str]) -> list[Verdict]:
    """Notebooks that write nothing and look at nothing but what is dropped."""
    writing = {site.inner.file for site in graph.sites if site.action in {"write", "download", "move", "copy"}}
    looking: dict[str, set[str]] = {}
    for path, touching in graph.touching.items():
        if tree.by_path[path].kind in {*_NO_DATA, "config", "page"}:
            continue
        for site, _ in touching:
            looking.setdefault(site.unit.file, set()).add(path)
    found: list[Verdict] = []
    for entry in tree.of_kind("notebook"):
        seen = looking.get(entry.path, set())
        if seen and entry.path not in writing and not seen & kept:
            what = f"a notebook that writes nothing and looks at results alone: {min(seen)}"
            found.append(verdict(entry.path, [Evidence(entry.path, 0, what, ((N, 2.0),))]))
    return found


# -- what the folder lacks ---------------------------------------------------------------

MAX_PATTERNS = 2_000


def judge_patterns(tree: Tree, graph: Graph, roles: Roles) -> list[Verdict]:
    """The same for paths that programs read or write, and of which the folder has no file."""
    reader = _Reader(graph, roles)
    groups: dict[str, list[Site]] = {}
    for site in graph.unmatched:
        path = normalised(site.pattern)
        if path and not tree.by_path.get(path) and len(groups) < MAX_PATTERNS:
            groups.setdefault(path, []).append(site)
    found: list[Verdict] = []
    for path, sites in sorted(groups.items()):
        entry = Entry(path, 0, kind_of(path, b""))
        if entry.is_code or (not posixpath.splitext(path)[1] and not any(site.folder for site in sites)):
            continue
        evidence = [
            Evidence(sites[0].file, sites[0].line, what, tuple(weights.items()))
            for what, weights in name_evidence(entry)
        ]
        evidence += sites_evidence([(site, 1.0) for site in sites], reader)
        found.append(verdict(path, evidence))
    return found
