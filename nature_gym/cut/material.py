"""What a task can be made of: the data files of all sources that any method would need, with what is in them.

The one idea: programs say what a file is for, and data that were deposited elsewhere are named in programs by the
place where they are expected. So a deposited file is judged by the path of that name that the programs read.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nature_gym.acquisition.inventory import Entry, Inventory
from nature_gym.cut.categories import Verdict
from nature_gym.cut.core import words_of
from nature_gym.cut.folder import Cut, cut_folder
from nature_gym.cut.graph import Site
from nature_gym.cut.names import Category

DEVELOPMENT = frozenset({"train", "training", "dev", "development", "trn", "tr", "fit", "calibration"})
VALIDATION = frozenset({"val", "valid", "validation", "tuning"})
EVALUATION = frozenset({"test", "testing", "tst", "ts", "heldout", "holdout", "eval", "evaluation"})
_NO_DATA = frozenset({"text", "markdown", "html", "pdf", "png", "jpeg", "gif", "svg", "xml", "yaml", "toml"})
_LISTS = frozenset({"idx", "index", "indices", "ids", "split", "splits", "fold", "folds"})


@dataclass(frozen=True, slots=True)
class Piece:
    """A data file. ``path`` is as ``task.yaml`` names it: the source, then the path in it."""

    path: str
    format: str
    size: int
    digest: str
    category: Category
    confidence: float
    structure: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return posixpath.basename(self.path)

    @property
    def inner(self) -> str:
        return self.path.partition("/")[2]

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the file's name, without its suffixes."""
        return tuple(words_of(self.name.partition(".")[0]))

    @property
    def columns(self) -> tuple[str, ...]:
        """A table's columns; none for others."""
        return tuple(str(column["name"]) for column in self.structure.get("columns", ()) if isinstance(column, dict))

    @property
    def kinds(self) -> dict[str, str]:
        """Column -> its type, as the inventory found it."""
        found = self.structure.get("columns", ())
        return {str(column["name"]): str(column.get("kind", "")) for column in found if isinstance(column, dict)}

    @property
    def arrays(self) -> dict[str, tuple[int, ...]]:
        """Key -> shape; a single array has the key ''."""
        if isinstance(shape := self.structure.get("shape"), list):
            return {"": tuple(shape)}
        return {key: tuple(one.get("shape", ())) for key, one in self.heads.items()}

    @property
    def heads(self) -> dict[str, Mapping[str, Any]]:
        """Key -> shape and dtype, of the arrays of an archive or of an HDF5 file, whose keys are paths: ``train/x``."""
        found = self.structure.get("datasets" if self.format == "hdf5" else "arrays", {})
        return {key.strip("/"): one for key, one in found.items()} if isinstance(found, dict) else {}

    @property
    def fields(self) -> tuple[str, ...]:
        """The columns or keys."""
        return self.columns or tuple(key for key in self.arrays if key)

    @property
    def rows(self) -> int | None:
        """Rows of a table, or of the first axis that most arrays share."""
        if self.columns:
            rows = self.structure.get("rows")
            return int(rows) if isinstance(rows, int) else None
        first = [shape[0] for shape in self.arrays.values() if shape]
        return max(set(first), key=lambda size: (first.count(size), size)) if first else None

    @property
    def lists(self) -> bool:
        """Whether it lists rows or ids of another file, as its name says."""
        return bool(_LISTS & set(words_of(self.inner)))

    @property
    def side(self) -> str:
        """``development``, ``validation`` or ``evaluation`` by its name or, failing that, its folders; '' for none."""
        for words in (self.words, words_of(posixpath.dirname(self.inner))):
            sides = [side for word in words if (side := side_of(word))]
            if sides:
                return sides[-1]
        return ""

    @property
    def stem(self) -> frozenset[str]:
        """What its name says beside the side."""
        return frozenset(word for word in self.words if not side_of(word))


def side_of(word: str) -> str:
    """The side that a word means; '' for none."""
    word = word.lower()
    if word in DEVELOPMENT:
        return "development"
    if word in VALIDATION:
        return "validation"
    return "evaluation" if word in EVALUATION else ""


@dataclass(slots=True)
class Material:
    """The data files that are kept, what the method put out, and the cuts of the sources, by name."""

    pieces: list[Piece]
    outputs: list[Piece]
    cuts: dict[str, Cut]
    texts: list[Piece] = field(default_factory=list)
    """Kept files of plain text: lists of rows or ids among them."""

    @property
    def programs(self) -> list[tuple[str, Cut]]:
        """The sources with programs, those with most first."""
        found = [(name, cut) for name, cut in self.cuts.items() if cut.project.modules]
        return sorted(found, key=lambda each: -len(each[1].project.modules))

    def sites(self, piece: Piece) -> list[Site]:
        """Where programs touch it: by its path in its own source, else by its name."""
        source = piece.path.partition("/")[0]
        if cut := self.cuts.get(source):
            found = [site for site, sure in cut.graph.touching.get(piece.inner, ()) if sure > 0.3]
            if found:
                return found
        return [site for _, cut in self.programs for site in cut.graph.unmatched if _names(site.pattern, piece.name)]


def gather(sources: Mapping[str, Path], inventory: Inventory, *, method: str | None = None) -> Material:
    """The material of ``sources`` (name -> folder), of which ``inventory`` has each file under ``<name>/``."""
    cuts = {name: cut_folder(folder, method=method) for name, folder in sources.items()}
    entries = {entry.path: entry for entry in inventory.files}
    material = Material([], [], cuts)
    seen: set[str] = set()
    with_programs = {name for name, _ in material.programs}
    for source in sorted(cuts, key=lambda name: name not in with_programs):
        for verdict in cuts[source].files:
            entry = entries.get(f"{source}/{verdict.path}")
            if entry is None or entry.size == 0 or not entry.readable:
                continue
            piece = _piece(entry, verdict if source in with_programs else _judged(verdict, material))
            if entry.digest in seen and source not in with_programs:
                continue
            seen.add(entry.digest)
            _sort(piece, material)
    return material


def _sort(piece: Piece, material: Material) -> None:
    if piece.category in ("algorithm_output", "algorithm_preprocessing_output"):
        if piece.fields or piece.arrays:
            material.outputs.append(piece)
    elif piece.category == "irrelevant":
        return
    elif piece.format in _NO_DATA:
        material.texts.append(piece)
    elif piece.format not in ("python", "shell", "notebook"):
        material.pieces.append(piece)


def _piece(entry: Entry, verdict: Verdict) -> Piece:
    return Piece(
        entry.path, entry.format, entry.size, entry.digest, verdict.category, verdict.confidence, entry.structure
    )


def _judged(verdict: Verdict, material: Material) -> Verdict:
    """A file without programs beside it, by what programs elsewhere say of a path of its name."""
    name = posixpath.basename(verdict.path)
    said = [
        each for _, cut in material.programs for each in cut.patterns if _names(each.path, name)
    ]  # fmt: skip
    best = max(said, key=lambda each: (each.kept, each.confidence), default=verdict)
    return Verdict(verdict.path, best.category, best.confidence, best.evidence)


def _names(pattern: str, name: str) -> bool:
    """Whether a path that programs name ends in this name."""
    return posixpath.basename(pattern) == name
