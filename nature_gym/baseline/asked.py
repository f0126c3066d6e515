"""What section 5 of a README asks for: files, and of each its format, shape, dtype, columns, ids and limits.

The idea: every team writes this section another way (a table, a list, a sentence), so each fact is looked for on its
own, in the words that are about one file; a fact that is not said stays unsaid.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import PurePosixPath
from typing import Any

LONGEST_SECTION = 200_000
SUFFIXES = {
    ".npy": "npy", ".npz": "npz", ".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".json": "json", ".jsonl": "jsonl",
    ".h5ad": "h5ad", ".h5": "h5ad", ".hdf5": "h5ad", ".fasta": "fasta",
    ".fa": "fasta", ".faa": "fasta", ".fna": "fasta",
    ".smi": "smi", ".smiles": "smi", ".pdb": "pdb", ".txt": "txt", ".png": "png",
}  # fmt: skip
"""Formats that can be written, by the suffixes of files."""
_OTHERS = (
    "sdf",
    "cif",
    "mmcif",
    "parquet",
    "pkl",
    "pickle",
    "pt",
    "mtx",
    "xyz",
    "nii",
    "tif",
    "tiff",
    "zip",
    "mat",
    "jpg",
)
_FILE = re.compile(
    r"[\w{}<>*./-]{0,120}[\w}>*]\.(?:" + "|".join([*(one[1:] for one in SUFFIXES), *_OTHERS]) + r")\b(?!\s*\()"
)
_NUMBER = r"[-+−]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?"
_RANGE = re.compile(
    rf"(?:from|between)\s+({_NUMBER})\s+(?:to|and)\s+({_NUMBER})|[\[(]\s*({_NUMBER})\s*,\s*({_NUMBER})\s*\]",
    re.IGNORECASE,
)
_LEAST = re.compile(rf"(?:at least|no less than|minimum(?: of)?|>=|≥)\s*({_NUMBER})", re.IGNORECASE)
_MOST = re.compile(rf"(?:at most|no more than|up to|maximum(?: of)?|<=|≤)\s*({_NUMBER})", re.IGNORECASE)
_SHAPE = re.compile(r"\(\s*([\w ]+(?:\s*[,×x]\s*[\w ]+)*)\s*,?\s*\)")
_SHAPE_AFTER = re.compile(r"shape\W{0,4}(?:of\s+)?[`*]*[\[(]\s*([^)\]]{1,60})[\])]", re.IGNORECASE)
_DTYPE = re.compile(
    r"\b(u?int(?:8|16|32|64)|float(?:16|32|64)|bool(?:ean)?|complex(?:64|128)|double|integers?|int|float|str(?:ing)?)\b",
    re.IGNORECASE,
)
_COUNT = re.compile(
    rf"(?:exactly\s+)?({_NUMBER})\s+(?:rows|lines|records|sequences|entries|samples|designs|objects|structures|molecules|points|items|strings)",
    re.IGNORECASE,
)
_FREE = re.compile(r"any number|as many|up to \d|at most \d[\d,]* (?:rows|lines|designs|seq)", re.IGNORECASE)
_PER = re.compile(r"\bone (?:row|line|entry|record|sequence|value|prediction|number|label|object|key)\b", re.IGNORECASE)
_LENGTH = re.compile(
    rf"length\s+(?:is\s+|of\s+)?(?:between\s+|from\s+)?({_NUMBER})(?:\s*(?:and|to|-|–)\s*({_NUMBER}))?", re.IGNORECASE
)
_ID = re.compile(
    r"(?:^|_|\b)(?:ids?|identifiers?|names?|index|key|accession|barcodes?|cell)(?:$|_|\b)|\w+Id$|\w+ID$", re.IGNORECASE
)
_HEADING_CELL = re.compile(r"columns?|keys?|fields?|arrays?|column name|field name|key name|variable", re.IGNORECASE)
_DTYPES = {
    "double": "float64",
    "float": "float64",
    "int": "int64",
    "integer": "int64",
    "integers": "int64",
    "boolean": "bool",
    "str": "string",
}


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table, or a key of an object or an archive. ``values`` are the only ones that there may be."""

    name: str
    dtype: str = ""
    least: float | None = None
    most: float | None = None
    values: tuple[str, ...] = ()
    shape: tuple[str | int, ...] = ()
    line: int = 1


@dataclass(frozen=True, slots=True)
class Asked:
    """A file that is asked for; ``line`` is that of the README that names it.

    ``shape`` has a word for an axis whose length is not said. ``rows`` is the count of rows, records or lines.
    ``follows`` are files of the data that the words about it name. ``length`` bounds sequences. ``free`` where no
    count is asked for. ``simplex`` where rows sum to 1. ``example`` is the JSON that the section shows.
    """

    file: str
    line: int
    format: str
    shape: tuple[str | int, ...] = ()
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

    def as_form(self) -> dict[str, Any]:
        """As the solver has it: plain values."""
        return {**asdict(self), "columns": [asdict(one) for one in self.columns]}


def asked_files(readme: str) -> list[Asked]:
    """What section 5 of a README asks for, in its order; nothing where there is no such section or it names no file."""
    start, lines = _section(readme, r"output format|^5[.)]?\s")
    whole = "\n".join(lines)
    names = list(_named(lines))
    found = []
    for name, line in names:
        own = _about(lines, name, [one for one, _ in names]) if len(names) > 1 else list(enumerate(lines))
        found.append(_asked(name, start + line, own, whole))
    return found


def instances_of(readme: str) -> list[str]:
    """The INSTANCES of the README's template."""
    for block in re.findall(r"```(?:python|py)?[^\n]*\n(.*?)```", readme, re.DOTALL):
        try:
            tree = ast.parse(block)
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


def _cells(line: str) -> list[str]:
    """The cells of a row of a table; nothing for another line."""
    if "|" not in line or line.count("|") < 2:
        return []
    parts = re.split(r"(?<!\\)\|", line.strip().strip("|"))
    return [re.sub(r"[*`]+", "", part.replace("\\|", "|")).strip() for part in parts]


def _named(lines: Sequence[str]) -> Iterator[tuple[str, int]]:
    """The files to be written: those of a table of files, else those below output/, else all but files of the data."""
    tabled: dict[str, int] = {}
    below: dict[str, int] = {}
    others: dict[str, int] = {}
    of_files = before = False
    fenced = False
    for number, line in enumerate(lines):
        fenced ^= line.lstrip().startswith("```")
        cells = _cells(line)
        if cells and not before:
            of_files = bool(re.search(r"file|path|output", cells[0], re.IGNORECASE))
        elif cells and of_files:
            for match in _FILE.finditer(cells[0]):
                tabled.setdefault(_plain_name(match[0]), number)
        before = bool(cells)
        for match in _FILE.finditer(line):
            head = line[: match.start()] + match[0]
            where = below if re.search(r"(?:outputs?|OUTPUT_DIR\}?)/(?:[^\s`/]+/)*[^\s`/]+$", head) else others
            data = re.search(r"(?:data|DATA_DIR\}?)/[^\s`]*$", head) or re.search(
                r"(?:\b(?:of|in|from|to|with|by)\s+[`*]*|order of[^|.]{0,30})$", line[: match.start()]
            )
            if where is below or not data:
                where.setdefault(_plain_name(match[0]), number)
    found = tabled or below or others
    yield from found.items()


def _plain_name(text: str) -> str:
    """A file's path below the folder of an instance; a folder that stands for the instance goes."""
    parts = [part for part in PurePosixPath(text).parts if part not in (".", "/")]
    while parts[:-1] and re.fullmatch(
        r"outputs?|app|workspace|\$?\{?OUTPUT_DIR\}?|[{<]\w*(?:instance|dataset|task|name)\w*[}>]",
        parts[0],
        re.IGNORECASE,
    ):
        parts.pop(0)
    return "/".join(parts)


def _about(lines: Sequence[str], name: str, names: Sequence[str]) -> list[tuple[int, str]]:
    """The lines about one of several files: from where it is named to where another is."""
    short = PurePosixPath(name).name
    others = [PurePosixPath(one).name for one in names if one != name]
    kept, mine = [], False
    for number, line in enumerate(lines):
        if name in line or (short in line and short not in others):
            mine = True
        elif any(one in line for one in others):
            mine = False
        if mine:
            kept.append((number, line))
    return kept


# -- facts of a file -------------------------------------------------------------------------


def _asked(name: str, line: int, own: list[tuple[int, str]], whole: str) -> Asked:
    suffix = PurePosixPath(name).suffix.lower()
    kind = SUFFIXES.get(suffix, suffix[1:])
    offset = line - next((number for number, text in own if PurePosixPath(name).name in text), 0)
    columns = tuple(replace(one, line=one.line + offset) for one in _columns(own, kind))
    row = _row_of(own, name)
    prose = "\n".join(text for _, text in own if not _cells(text)) + "\n" + row
    words = _FILE.sub(" ", prose)
    dtype = _dtype(words) if kind in ("npy", "npz", "h5ad", "txt", "json") else ""
    follows = tuple(dict.fromkeys(_plain_name(one[0]) for one in _FILE.finditer(prose) if _plain_name(one[0]) != name))
    least, most = _limits(words) if kind in ("npy", "npz", "h5ad", "json", "txt") else (None, None)
    asked = Asked(
        file=name, line=line, format=kind, shape=_shape(words) if kind in ("npy", "npz", "h5ad", "png") else (),
        rows=_rows(words), dtype=dtype, least=least, most=most, values=_values(words) if kind == "npy" else (),
        columns=columns, id=_id_of(columns, prose, kind), follows=follows,
        length=_length(words), letters=_letters(whole),
        free=bool(_FREE.search(words)),
        simplex=bool(re.search(r"sums? (?:up )?to (?:1|one)\b", words, re.IGNORECASE)), example=_example(own, kind),
    )  # fmt: skip
    shown = asked.shape[0] if asked.shape else None
    return replace(asked, rows=asked.rows if asked.rows is not None else shown if isinstance(shown, int) else None)


def _row_of(own: list[tuple[int, str]], name: str) -> str:
    """The row of the table of files that is of this one."""
    short = PurePosixPath(name).name
    return next((" ; ".join(cells) for _, line in own if (cells := _cells(line)) and short in cells[0]), "")


def _columns(own: list[tuple[int, str]], kind: str) -> list[Column]:
    """Columns or keys: of a table, of a list of bold or code words, of a header that is shown."""
    found = list(_tabled(own))
    if found or kind not in ("csv", "tsv", "npz", "json", "jsonl"):
        return found
    text = "\n".join(line for _, line in own)
    if kind in ("csv", "tsv"):
        shown = _shown_header(own)
        if shown:
            return shown
        match = re.search(r"(?:columns?|header|fields)[^\n`]{0,40}`([\w.][\w .,-]*,[\w .,-]+)`", text)
        if match:
            return [Column(one.strip(), line=_line_of(own, one.strip())) for one in match[1].split(",")]
        words = re.search(r"(?:columns?|header|fields)([^\n]*(?:\n\s*[-*] [^\n]*)*)", text, re.IGNORECASE)
        names = re.findall(r"`([A-Za-z_][\w .-]{0,60})`", words[1]) if words else []
        return [
            Column(one, _dtype(_clause(words[1], one)) if words else "", line=_line_of(own, one))
            for one in dict.fromkeys(names)
            if not _FILE.fullmatch(one)
        ]
    listed = re.findall(r"^\s*[-*+]\s+[*`]*([A-Za-z_]\w*)[*`]*\s*[:(–-]+\s*(.*)$", text, re.MULTILINE)
    if not listed and kind == "npz":
        listed = [(one, _clause(text, one)) for one in re.findall(r"(?:keys?|arrays?)[^\n.]{0,20}?`(\w+)`", text)]
    return [
        Column(name, _dtype(words), *_limits(words), _values(words), _shape(words), _line_of(own, name))
        for name, words in listed
    ]


def _clause(text: str, name: str) -> str:
    at = text.find(f"`{name}`")
    return re.split(r"`|;|\n", text[at + len(name) + 2 :], maxsplit=1)[0]


def _line_of(own: list[tuple[int, str]], word: str) -> int:
    return next((number for number, line in own if word in line), 0)


def _tabled(own: list[tuple[int, str]]) -> Iterator[Column]:
    heading: list[str] = []
    before = False
    for number, line in own:
        cells = _cells(line)
        if cells and not before:
            heading = [cell.casefold() for cell in cells] if _HEADING_CELL.fullmatch(cells[0]) else []
        elif cells and heading and not set("".join(cells)) <= set("-: "):
            name = cells[0]
            if re.fullmatch(r"[^\s|][^|]{0,100}", name) and not re.search(r"\.\.\.|…", name):
                kind = _cell(cells, heading, r"type|dtype|format")
                values = _cell(cells, heading, r"values?|range|constraints?|allowed|description|meaning")
                raw = line.split("|")
                marked = next(
                    (
                        raw[place + 1]
                        for place, one in enumerate(heading)
                        if re.search("values?|allowed", one) and place + 1 < len(raw)
                    ),
                    values,
                )
                shape = _shape(_cell(cells, heading, "shape"), bare=True)
                yield Column(name, _dtype(kind), *_limits(values), _values(marked), shape, number)
        before = bool(cells)


def _cell(cells: list[str], heading: list[str], pattern: str) -> str:
    return next((cell for cell, title in zip(cells, heading, strict=False) if re.search(pattern, title)), "")


def _shown_header(own: list[tuple[int, str]]) -> list[Column]:
    """The header of a table that is shown in a block of code."""
    fenced = False
    for place, (_, line) in enumerate(own):
        if line.lstrip().startswith("```"):
            fenced = not fenced
            if fenced and place + 1 < len(own):
                number, header = own[place + 1]
                parts = [one.strip() for one in re.split(r"[,\t]", header)]
                if len(parts) > 1 and all(re.fullmatch(r"[A-Za-z_][\w .()%/-]*", one) for one in parts):
                    return [Column(one, line=number) for one in parts]
    return []


def _id_of(columns: Sequence[Column], prose: str, kind: str) -> str | None:
    """The column of ids: the one that the words call so, else the first one with such a name."""
    names = [column.name for column in columns]
    match = re.search(r"[Ee]ach id of `?([^`\n]+?)`? stands", prose)
    if match and match[1] in names:
        return match[1]
    if kind not in ("csv", "tsv", "json", "jsonl") or len(columns) < 2:
        return None
    return next((name for name in names[:2] if _ID.search(name)), None)


def _dtype(words: str) -> str:
    match = _DTYPE.search(words)
    kind = match[1].lower() if match else ""
    return _DTYPES.get(kind, kind)


def _number(text: str) -> float:
    return float(text.replace(",", "").replace("−", "-"))


def _limits(words: str) -> tuple[float | None, float | None]:
    words = re.sub(r"shape\W{0,4}(?:of\s+)?[`*]*[\[(][^)\]]*[\])]|length\s+[^,;.]*", " ", words, flags=re.IGNORECASE)
    match = _RANGE.search(words)
    if match:
        low, high = (match[1], match[2]) if match[1] else (match[3], match[4])
        return _number(low), _number(high)
    least, most = _LEAST.search(words), _MOST.search(words)
    low_end = _number(least[1]) if least else None
    if low_end is None and re.search(r"non-?negative|positive", words, re.IGNORECASE):
        low_end = 0.0 if re.search(r"non-?negative", words, re.IGNORECASE) else 1e-6
    if low_end is None and most is None and re.search(r"probabilit", words, re.IGNORECASE):
        return 0.0, 1.0
    return low_end, _number(most[1]) if most else None


def _values(words: str) -> tuple[str, ...]:
    """The only values that there may be: `a`, `b`; one of a, b; -1 or 1."""
    quoted = re.findall(r"[`\"']([^`\"'\n]{1,60})[`\"']", words)
    if len(quoted) > 1 and re.fullmatch(
        r"[\s,|/;]*(?:or|and)?[\s,|/;]*",
        re.sub(r"[`\"'][^`\"'\n]{1,60}[`\"']|one of:?|\bor\b|\band\b", "", words.strip(), flags=re.IGNORECASE),
    ):
        return tuple(dict.fromkeys(quoted))
    match = re.search(
        rf"(?:values? (?:are|is|in|must be)|one of|either)\s*:?\s*[{{(\[]?\s*"
        rf"((?:{_NUMBER}(?:\s*,\s*|\s+or\s+|\s*/\s*))+(?:or\s+)?{_NUMBER})\s*[}})]?(?!\s*\])",
        words,
        re.IGNORECASE,
    )
    match = (
        match
        or re.search(rf"\{{\s*((?:{_NUMBER}\s*,\s*)+{_NUMBER})\s*\}}", words)
        or re.fullmatch(rf"\s*({_NUMBER}\s+or\s+{_NUMBER})\s*", words)
    )
    return tuple(re.findall(r"[-+−]?\d+(?:\.\d+)?", match[1].replace("−", "-"))) if match else ()


def _shape(words: str, *, bare: bool = False) -> tuple[str | int, ...]:
    match = _SHAPE_AFTER.search(words)
    inside = match[1] if match else next((one for one in _SHAPE.findall(words) if _is_shape(one)), "")
    inside = inside or (words if bare else "")
    parts = [part.strip(" `*") for part in re.split(r"[,×]|(?<=\w)\s*\bx\b\s*(?=\w)", inside)]
    axes = [int(part) if part.isdigit() else part for part in parts if part]
    return (
        tuple(axes)
        if all(isinstance(one, int) or re.fullmatch(r"[A-Za-z]\w*(?:[ _]\w+){0,4}", one) for one in axes)
        else ()
    )


def _is_shape(text: str) -> bool:
    parts = [part.strip() for part in re.split(r"[,×]|\bx\b", text)]
    return all(re.fullmatch(r"\d+|[A-Za-z]\w{0,20}", part) for part in parts if part) and (
        len(parts) > 1 or parts[0].isdigit() or len(parts[0]) < 3
    )


def _rows(words: str) -> int | None:
    match = re.search(rf"({_NUMBER})\s+(?:rows|lines|sequences|records|objects)\b", words) or (
        None if _PER.search(words) else _COUNT.search(words)
    )
    return int(_number(match[1])) if match and _number(match[1]).is_integer() else None


def _length(words: str) -> tuple[int, int] | None:
    match = _LENGTH.search(words)
    if not match:
        return None
    low = int(_number(match[1]))
    return low, int(_number(match[2])) if match[2] else low


def _letters(whole: str) -> str:
    """Which letters sequences are of."""
    if re.search(r"\bRNA\b", whole):
        return "ACGU"
    return "ACGT" if re.search(r"\bDNA\b|nucleotide|genom|promoter", whole, re.IGNORECASE) else "ACDEFGHIKLMNPQRSTVWY"


def _example(own: list[tuple[int, str]], kind: str) -> Any:
    """The JSON value that a block of code shows, comments and dots aside; None where there is none."""
    if kind not in ("json", "jsonl"):
        return None
    text = "\n".join(line for _, line in own)
    for block in re.findall(r"```(?:json\w*)?[^\n]*\n(.*?)```", text, re.DOTALL):
        bare = re.sub(r"(?://|#)[^\n\"]*$", "", block, flags=re.MULTILINE)
        bare = re.sub(r",?\s*(?:\.\.\.|…)\s*,?", "", bare)
        bare = re.sub(r"<[^>\n\"]*>", "0", re.sub(r",(\s*[}\]])", r"\1", bare))
        try:
            return json.loads(bare)
        except (ValueError, RecursionError):
            continue
    return None
