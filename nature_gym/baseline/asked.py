"""What section 5 of a README asks for: files, and of each its format, shape, dtype, columns, ids and limits.

The idea: every team writes this section another way (a table, a list, a sentence), so each fact is looked for on its
own: behind its label (:mod:`~nature_gym.baseline.layout`), else in the words that are about one file. A fact that is
not said stays unsaid; one that is said, and not understood here, is named in ``unread``.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from nature_gym.baseline.layout import Line, Table, bare, cells_of, facet_of, labelled, laid_out, tables_of, unfenced
from nature_gym.baseline.listing import Column, columns_of, id_of, unshown
from nature_gym.baseline.phrases import (
    Shape,
    dtype_in,
    each_in,
    length_in,
    letters_in,
    limits_in,
    naming_in,
    rows_in,
    shape_in,
    sizes_in,
    values_in,
)
from nature_gym.syntax import tree_of

LONGEST_SECTION = 200_000
SUFFIXES = {
    ".npy": "npy", ".npz": "npz", ".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".json": "json", ".jsonl": "jsonl",
    ".h5ad": "h5ad", ".h5": "h5ad", ".hdf5": "h5ad", ".fasta": "fasta",
    ".fa": "fasta", ".faa": "fasta", ".fna": "fasta",
    ".smi": "smi", ".smiles": "smi", ".pdb": "pdb", ".txt": "txt", ".png": "png",
}  # fmt: skip
"""Formats that can be written, by the suffixes of files."""
_OTHERS = (
    "sdf", "cif", "mmcif", "parquet", "pkl", "pickle", "pt", "mtx", "xyz", "nii", "tif", "tiff", "zip", "mat", "jpg",
    "gz",
)  # fmt: skip
_FILE = re.compile(
    r"[\w{}<>*./-]{0,120}[\w}>*]\.(?:" + "|".join([*(one[1:] for one in SUFFIXES), *_OTHERS]) + r")\b(?!\s*\()"
)
_FREE = re.compile(r"any number|as many|up to \d|at most \d[\d,]* (?:rows|lines|designs|seq)", re.IGNORECASE)
_STANDS_FOR_INSTANCE = re.compile(
    r"outputs?|app|workspace|(?-i:[A-Z])|instance(?:_name)?|\$?\{?OUTPUT_DIR\}?|[{<]\w*(?:instance|dataset|task|name)\w*[}>]",
    re.IGNORECASE,
)
_SAYS = {
    "shape": re.compile(
        r"\bshape|dimension|\d-?D\b|\bone (?:value|number|entry|element|row)|[\w)]\s?[×x]\s?[\w(]"
        r"|same (?:size|shape|length)",
        re.IGNORECASE,
    ),
    "columns": re.compile(r"\bcolumns?\b|\bheader\b|\bfields?\b", re.IGNORECASE),
    "keys": re.compile(r"\bobjects?\b|dict|mapping|\blists?\b|\bkeys?\b|\barrays?\b|→|->", re.IGNORECASE),
    "arrays": re.compile(r"\bkeys?\b|`\w+`|\bnamed\b", re.IGNORECASE),
    "count": re.compile(r"\bone\b[^.\n]{0,30}\b(?:per|for|a)\b|\beach\b|\bevery\b|\bper\b", re.IGNORECASE),
}  # fmt: skip
"""Words by which a section says a fact, whether or not it is understood here."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A file that is asked for; ``line`` is that of the README that names it.

    ``shape`` has a word for an axis whose length is not said; ``sizes`` are lengths of such words that are said
    elsewhere: (word, length, instance or ''). ``rows`` is the count of rows, records or lines. ``follows`` are files of
    the data that the words about it name. ``length`` bounds sequences; ``each`` where an answer is as long as what it
    answers. ``naming`` is how records are counted. ``free`` where no count is asked for. ``simplex`` where rows sum to
    1. ``example`` is the JSON that the section shows. ``instance`` where only one has to write it. ``unread`` are facts
    that the section says in words that are not understood here; ``unshown`` are columns that a list names and the
    header that is shown lacks.
    """

    file: str
    line: int
    format: str
    shape: Shape = ()
    rows: int | None = None
    dtype: str = ""
    least: float | None = None
    most: float | None = None
    values: tuple[str, ...] = ()
    columns: tuple[Column, ...] = ()
    id: str | None = None
    follows: tuple[str, ...] = ()
    length: tuple[int, int] | None = None
    letters: str = ""
    free: bool = False
    simplex: bool = False
    example: Any = None
    instance: str = ""
    sizes: tuple[tuple[str, int, str], ...] = ()
    each: bool = False
    naming: tuple[str, str] | None = None
    unread: tuple[str, ...] = ()
    unshown: tuple[Column, ...] = ()

    def as_form(self) -> dict[str, Any]:
        """As the solver has it: plain values."""
        return {**asdict(self), "unshown": (), "columns": [asdict(one) for one in self.columns]}


@dataclass(frozen=True, slots=True)
class _Named:
    """A file to be written: its name, the line that names it, and the instance where it is of one alone."""

    name: str
    line: int
    instance: str = ""


def asked_files(readme: str) -> list[Asked]:
    """What section 5 of a README asks for, in its order; nothing where there is no such section or it names no file."""
    start, lines = _section(readme, r"output format|^5[.)]?\s")
    whole = "\n".join(lines)
    instances = tuple(instances_of(readme))
    sizes = (*sizes_in(whole, instances), *_tabled_sizes(readme, instances))
    laid = laid_out(lines)
    named = list(_named(laid, instances))
    names = list(dict.fromkeys(one.name for one in named))
    found = []
    for one in named:
        own = _about(laid, one.name, names) if len(names) > 1 else laid
        asked = _asked(one, start, own, laid)
        if len(names) > 1 and not (asked.shape or asked.columns or asked.example is not None):
            asked = _asked(one, start, own + _about_all(laid, names), laid)
        found.append(replace(asked, sizes=sizes))
    return found


def instances_of(readme: str) -> list[str]:
    """The INSTANCES of the README's template."""
    for block in re.findall(r"```(?:python|py)?[^\n]*\n(.*?)```", readme, re.DOTALL):
        try:
            tree = tree_of(block)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and any(
                isinstance(one, ast.Name) and one.id == "INSTANCES" for one in node.targets
            ):
                items = node.value.keys if isinstance(node.value, ast.Dict) else getattr(node.value, "elts", [])
                return [one.value for one in items if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return []


def _section(readme: str, pattern: str) -> tuple[int, list[str]]:
    """The line (from 1) behind a heading of the second level that matches, and the lines up to the next such."""
    lines = readme[: 20 * LONGEST_SECTION].split("\n")
    fenced = False
    start = 0
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        if fenced or not (match := re.match(r"#{1,2}\s+(.*)", line)):
            continue
        if start:
            return start + 1, lines[start : number - 1]
        if re.search(pattern, match[1], re.IGNORECASE):
            start = number
    return start + 1, lines[start:] if start else []


# -- files -----------------------------------------------------------------------------------


def _named(lines: Sequence[Line], instances: Sequence[str]) -> Iterator[_Named]:
    """The files to be written: those of a table of files, else those below output/ or called "File", else all others.

    Files of the data, which are named for their order or ids, are none of them.
    """
    tabled: dict[tuple[str, str], _Named] = {}
    for table in tables_of(lines):
        for one in _of_table(table, instances):
            tabled.setdefault((one.name, one.instance), one)
    below: dict[str, _Named] = {}
    others: dict[str, _Named] = {}
    for number, line in lines:
        label = labelled([(number, line)])
        for match in _FILE.finditer(line):
            name = _plain_name(match[0])
            head = line[: match.start()] + match[0]
            data = re.search(r"(?:data|DATA_DIR\}?)/[^\s`]*$", head) or re.search(
                r"(?:\b(?:of|in|from|to|with|by|as|matches|matching|follows?|following|see|like)\s+(?:the\s+)?[`*]*"
                r"|order of[^|.]{0,30})$",
                line[: match.start()],
            )
            if re.search(r"(?:outputs?|OUTPUT_DIR\}?)/(?:[^\s`/]+/)*[^\s`/]+$", head) or "file" in label:
                below.setdefault(name, _Named(name, number))
            elif not data:
                others.setdefault(name, _Named(name, number))
    yield from (tabled or below or others).values()


def _of_table(table: Table, instances: Sequence[str]) -> Iterator[_Named]:
    """The files of a table that has a column of them; with a column of instances, each is of one alone."""
    place = next(
        (
            number
            for number, title in enumerate(table.titles[:3])
            if re.search(r"file|path|output", title, re.IGNORECASE)
        ),
        None,
    )
    if place is None or re.search(r"input", table.titles[place], re.IGNORECASE):
        return
    by_instance = next(
        (
            number
            for number, title in enumerate(table.titles)
            if re.search(r"instance|dataset|task", title, re.IGNORECASE) and number != place
        ),
        None,
    )
    for number, cells in table.rows:
        own = bare(cells[by_instance]) if by_instance is not None and by_instance < len(cells) else ""
        for match in _FILE.finditer(cells[place] if place < len(cells) else ""):
            name = _plain_name(match[0])
            first, _, rest = name.partition("/")
            yield _Named(rest if rest and first == own else name, number, own if own in instances else "")


def _plain_name(text: str) -> str:
    """A file's path below the folder of an instance; a folder that stands for the instance goes."""
    parts = [part for part in PurePosixPath(text).parts if part not in (".", "/")]
    while parts[:-1] and _STANDS_FOR_INSTANCE.fullmatch(parts[0]):
        parts.pop(0)
    return "/".join(parts)


def _about(lines: Sequence[Line], name: str, names: Sequence[str]) -> list[Line]:
    """The lines about one of several files: from where it is named to where another is."""
    short = PurePosixPath(name).name
    others = [PurePosixPath(one).name for one in names if one != name]
    kept: list[Line] = []
    mine = fenced = False
    for number, line in lines:
        before = mine
        if name in line or (short in line and short not in others):
            mine = True
        elif any(one in line for one in others):
            mine = False
        if mine != before and fenced:  # a block of code that is cut stays one
            kept.append((number, "```"))
        fenced ^= line.lstrip().startswith("```")
        if mine:
            kept.append((number, line))
    return kept


def _about_all(lines: Sequence[Line], names: Sequence[str]) -> list[Line]:
    """The lines about all files: all lines where they have one name in several folders, else those that say so."""
    shorts = {PurePosixPath(one).name for one in names}
    if len(shorts) == 1:
        return list(lines)
    first = next((number for number, line in lines if any(one in line for one in shorts)), 0)
    return [
        (number, line)
        for number, line in unfenced(lines)
        if number < first
        or (re.search(r"\b(?:both|all|each|every)\b.{0,20}\b(?:files?|arrays?|tables?)\b", line, re.IGNORECASE))
    ]


# -- facts of a file -------------------------------------------------------------------------


def _asked(named: _Named, start: int, own: list[Line], section: list[Line]) -> Asked:
    suffix = PurePosixPath(named.name).suffix.lower()
    kind = SUFFIXES.get(suffix, suffix[1:])
    row = _row_of(section, named)
    labels = {**labelled(own), **row}
    columns = _row_columns(row, kind, named.line) or columns_of(own, kind)
    prose = "\n".join(text for _, text in own if not cells_of(text)) + "\n" + " ; ".join(row.values())
    words = re.sub(r"```.*?(?:```|$)|~~~.*?(?:~~~|$)", " ", _FILE.sub(" ", prose), flags=re.DOTALL)
    labels = {name: _FILE.sub(" ", text) for name, text in labels.items() if name != "file"}
    follows = tuple(
        dict.fromkeys(_plain_name(one[0]) for one in _FILE.finditer(prose) if _plain_name(one[0]) != named.name)
    )
    values = labels.get("values", "")
    plain = kind in ("npy", "npz", "h5ad", "json", "txt", "png")
    least, most = (limits_in(values, labelled=True) if values else limits_in(words)) if plain else (None, None)
    allowed = (values_in(values, labelled=True) or values_in(words)) if kind in ("npy", "json", "txt", "png") else ()
    shape: Shape = ()
    if kind in ("npy", "npz", "h5ad", "png"):
        shape = _shape_of(named, labels.get("shape", ""), words)
    if kind == "npy" and not shape and re.search(r"\b(?:one|1)[ -]?(?:dimensional|D)\b|\bvector\b", words):
        shape = ("n",)
    example = _example(own, kind) if kind in ("json", "jsonl") else None
    if example is None and kind == "json" and not columns:
        example = _pictured(
            " ".join(filter(None, (labels.get("structure"), labels.get("shape"), labels.get("format"), words)))
        )
    asked = Asked(
        file=named.name, line=start + named.line, format=kind, shape=shape,
        rows=_rows_of(labels.get("rows", ""), words),
        dtype=(dtype_in(labels.get("dtype", "")) or dtype_in(labels.get("format", "")) or dtype_in(words))
        if kind in ("npy", "npz", "h5ad", "txt", "json") else "",
        least=None if allowed else least, most=None if allowed else most, values=allowed,
        columns=tuple(replace(one, line=one.line + start) for one in columns), id=id_of(columns, prose, kind),
        follows=follows, length=length_in(words), letters=letters_in("\n".join(text for _, text in section)),
        free=bool(_FREE.search(words)),
        simplex=bool(re.search(r"sums? (?:up )?to (?:1|one)\b", words, re.IGNORECASE)), example=example,
        instance=named.instance, each=each_in(words), naming=naming_in(words),
        unshown=tuple(replace(one, line=one.line + start) for one in unshown(own, kind)),
    )  # fmt: skip
    shown = asked.shape[0] if asked.shape else None
    rows = asked.rows if asked.rows is not None else shown if isinstance(shown, int) else None
    return replace(asked, rows=rows, unread=tuple(_unread(asked, words)))


def _unread(asked: Asked, words: str) -> Iterator[str]:
    """Facts that the words say, in a manner that is not understood."""
    if asked.format in ("npy", "png") and not asked.shape and _SAYS["shape"].search(words):
        yield "shape"
    if asked.format in ("csv", "tsv", "jsonl") and not asked.columns and _SAYS["columns"].search(words):
        yield "columns"
    if asked.format == "json" and not asked.columns and asked.example is None and _SAYS["keys"].search(words):
        yield "keys"
    if asked.format == "npz" and not asked.columns and _SAYS["arrays"].search(words):
        yield "arrays"
    if asked.rows is None and _SAYS["count"].search(words):
        yield "count"


def _row_of(section: Sequence[Line], named: _Named) -> dict[str, str]:
    """What the row of a table of files says of this one, by what its headings are about."""
    short = PurePosixPath(named.name).name
    for table in tables_of(section):
        for number, cells in table.rows:
            if number == named.line and any(short in cell for cell in cells):
                titles = zip(table.titles, cells, strict=False)
                return {facet_of(title) or title: cell for title, cell in titles if facet_of(title) != "file"}
    cells = next((cells for number, line in section if number == named.line and (cells := cells_of(line))), ())
    return {str(place): cell for place, cell in enumerate(cells) if short not in cell}


def _row_columns(row: dict[str, str], kind: str, line: int) -> list[Column]:
    """The columns that the row of a table of files names."""
    if kind not in ("csv", "tsv", "npz", "jsonl") or not row:
        return []
    said = [text for text in row.values() if re.search(r"columns?|header|fields?|keys?|arrays?", text, re.IGNORECASE)]
    said += [text for name, text in row.items() if name in ("columns", "keys", "structure")]
    return [
        replace(one, line=line)
        for text in said[-1:]
        for one in columns_of(
            [(line, f"columns: {text}" if kind != "npz" else text), (line, f"- **Values**: {row.get('values', '')}")],
            kind,
        )
    ]


def _shape_of(named: _Named, label: str, words: str) -> Shape:
    """The shape, that of its instance where several are said."""
    if named.instance and label:
        own = re.search(rf"([(\[][^)\]]*[)\]])\W{{0,4}}(?:for|in)\s+[`*]*{re.escape(named.instance)}(?![\w-])", label)
        if own:
            return shape_in(own[1], labelled=True)
    return shape_in(label, labelled=True) or shape_in(words)


def _rows_of(label: str, words: str) -> int | None:
    if re.fullmatch(r"[\s`*]*(?:exactly\s+)?\d[\d,]*[\s`*.]*", label):
        return int(re.sub(r"\D", "", label))
    return 1 if re.search(r"\ba single (?:integer|number|float|value|line)\b", words) else rows_in(words)


def _tabled_sizes(readme: str, instances: Sequence[str]) -> Iterator[tuple[str, int, str]]:
    """Lengths by instance, from tables of the README that have a row an instance."""
    for table in tables_of(list(enumerate(readme[: 20 * LONGEST_SECTION].split("\n")))):
        for _, cells in table.rows:
            own = next((bare(cell) for cell in cells if bare(cell) in instances), "")
            for title, cell in zip(table.titles, cells, strict=False):
                if own and re.fullmatch(r"\d[\d,]*", bare(cell)):
                    yield title, int(bare(cell).replace(",", "")), own


def _example(own: Sequence[Line], kind: str) -> Any:
    """The JSON value that a block of code shows, comments and dots aside; None where there is none."""
    text = "\n".join(line for _, line in own)
    blocks = re.findall(r"```(?:json\w*)?[^\n]*\n(.*?)```", text, re.DOTALL)
    blocks += [one for one in re.findall(r"`([{\[][^`\n]{3,400}[}\]])`", text) if ":" in one or kind == "json"]
    for block in blocks:
        bare_ = re.sub(r"(?://|#)[^\n\"]*$", "", block, flags=re.MULTILINE)
        bare_ = re.sub(r",?\s*(?:\.\.\.|…)\s*,?", "", bare_)
        bare_ = re.sub(r"<[^>\n\"]*(?:float|number|score|prob)[^>\n\"]*>", "0.5", bare_)
        bare_ = re.sub(r"<[^>\n\"]*(?:str|text|name|label)[^>\n\"]*>", '"A"', bare_)
        bare_ = re.sub(r"<[^>\n\"]*>", "0", re.sub(r",(\s*[}\]])", r"\1", bare_))
        bare_ = re.sub(r"(?<=[:\[,])\s*(?:float|number)\b", " 0.5", bare_)
        bare_ = re.sub(r"(?<=[:\[,])\s*(?:int|integer)\b", " 0", bare_)
        bare_ = re.sub(r"(?<=[:\[,])\s*(?:str|string)\b", ' "A"', bare_)
        try:
            return json.loads(bare_)
        except (ValueError, RecursionError):
            continue
    return None


def _pictured(words: str) -> Any:
    """An example of the JSON value that words describe: an object by ids, or a list; None for another one."""
    plain = re.sub(r"[`*]", "", words)
    keyed = re.search(
        r"(?:object|dict\w*|map\w*|keyed|keys?)\b(.{0,80}?)(?:→|->|\bto\b|:|\bvalues?\b)\s*(.{0,60})",
        plain,
        re.IGNORECASE | re.DOTALL,
    )
    if keyed and re.search(r"\bids?\b|identifier|\bnames?\b|accession|\bkey(?:s|ed)?\b", keyed[0], re.IGNORECASE):
        return {"id_1": _like(keyed[2])}
    if re.search(r"\b(?:a|one|single|flat)?\s*(?:JSON )?(?:list|array) of\b", plain, re.IGNORECASE):
        match = re.search(r"(?:list|array) of\s+(.{0,60})", plain, re.IGNORECASE)
        inner = _like(match[1] if match else "")
        return [inner] if not isinstance(inner, dict) else None
    return None


def _like(words: str) -> Any:
    """A value of the kind that words describe."""
    match = re.search(
        r"\b(list|array|integers?|int|strings?|sequence|smiles|text|label|class|bool\w*|numbers?|float|probabilit\w*|score)\b",
        words,
        re.IGNORECASE,
    )
    kind = match[1].lower() if match else ""
    if kind in ("list", "array"):
        return [_like(words[match.end() :] if match else "")]
    if kind.startswith(("int",)):
        return 0
    if kind.startswith("bool"):
        return False
    return "A" if kind in ("string", "strings", "sequence", "smiles", "text", "label", "class") else 0.5
