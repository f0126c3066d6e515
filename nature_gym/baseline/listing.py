"""Columns and keys that section 5 names: in a table, a list, a shown header, or a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nature_gym.baseline.layout import Line, Table, bare, facet_of, is_upright, labelled, tables_of, unfenced
from nature_gym.baseline.phrases import Shape, dtype_in, limits_in, shape_in, values_in

KEYED = ("csv", "tsv", "npz", "json", "jsonl", "h5ad")
_HEADING = re.compile(
    r"(?:columns?|keys?|fields?|arrays?|column name|field name|key name|array name|variable|name|header|entry)",
    re.IGNORECASE,
)
_ID = re.compile(
    r"(?:^|_|\b)(?:ids?|identifiers?|names?|index|key|accession|barcodes?|cell)(?:$|_|\b)|\w+Id$|\w+ID$", re.IGNORECASE
)
_NAME = r"[A-Za-z_][\w .%/-]{0,60}"
_ITEM = re.compile(
    rf"^\s*(?:[-*+•]|\d+[.)])\s+(?:(?:column|key|field|array)\s+)?[*`_\"]*({_NAME}?)[*`_\"]*\s*[:(–—,-]+\s*(.*)$",
    re.IGNORECASE,
)
_FILE_LIKE = re.compile(r"[\w{}<>*-]+\.[a-z0-9]{2,5}")
_PLACED = re.compile(
    r"\b(obsm|obs|layers|varm|uns)\s*"
    r"(?:\[\s*[\"'`]+([\w.-]+)[\"'`]+\s*\]|\.(\w+)|\s+(?:column|key|field)\s+[`\"']([\w.-]+)[`\"'])"
)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table, or a key of an object or an archive. ``values`` are the only ones that there may be."""

    name: str
    dtype: str = ""
    least: float | None = None
    most: float | None = None
    values: tuple[str, ...] = ()
    shape: Shape = ()
    line: int = 1


def columns_of(own: Sequence[Line], kind: str) -> list[Column]:
    """The columns or keys of a file, from the lines about it."""
    found = list(_tabled(own))
    if found or kind not in KEYED:
        return found
    if kind == "h5ad":
        return list(_placed(own))
    text = "\n".join(line for _, line in own)
    labels = labelled(own)
    if kind in ("csv", "tsv"):
        return _shown_header(own) or _listed(own) or _said(own, text, labels)
    listed = _listed(own)
    if not listed:
        said = labels.get("keys", "")
        pattern = r"(?:keys?|arrays?|fields?)[^\n.]{0,40}?((?:`\w+`(?:[^\n`.]{0,60}))+)"
        names = re.findall(r"`(\w+)`", said) or [
            one for match in re.finditer(pattern, text, re.IGNORECASE) for one in re.findall(r"`(\w+)`", match[1])
        ]
        values = labels.get("values", "")
        listed = [
            _column(one, _clause(said or text, one), _line_of(own, one), _clause_of_values(values, one) or None)
            for one in dict.fromkeys(names)
        ]
    if not listed and kind == "npz":
        listed = [
            _column(one[1], one[2], _line_of(own, one[1]))
            for one in re.finditer(r"`(\w+)`\s*[(:–-]+\s*([^;`\n]*)", text)
            if not facet_of(one[1])
        ]
    return listed


def unshown(own: Sequence[Line], kind: str) -> list[Column]:
    """Columns of a list that the header which is shown lacks: one of the two is wrong."""
    shown = {one.name for one in _shown_header(own)} if kind in ("csv", "tsv") else set()
    return [one for one in _listed(own) if shown and one.name not in shown]


def id_of(columns: Sequence[Column], prose: str, kind: str) -> str | None:
    """The column of ids: the one that the words call so, else the first one with such a name."""
    names = [column.name for column in columns]
    match = re.search(r"[Ee]ach id of `?([^`\n]+?)`? stands", prose)
    if match and match[1] in names:
        return match[1]
    if kind not in ("csv", "tsv", "json", "jsonl") or len(columns) < 2:
        return None
    return next((name for name in names[:2] if _ID.search(name)), None)


def _column(name: str, words: str, line: int, values: str | None = None) -> Column:
    about = words if values is None else values
    shape = shape_in(words) if re.search(r"shape|\(", words) else ()
    return Column(name, dtype_in(words), *limits_in(about), values_in(about, labelled=True), shape, line)


def _tabled(own: Sequence[Line]) -> Iterator[Column]:
    """The rows of a table whose first column has names of columns or keys."""
    for table in tables_of(own):
        if not _HEADING.fullmatch(table.titles[0]) or is_upright(table):
            continue
        for number, cells in table.rows:
            name = bare(cells[0])
            if re.fullmatch(r"[^\s|][^|]{0,100}", name) and not re.search(r"\.\.\.|…", name):
                values = _cell(table, cells, r"values?|range|constraints?|allowed|description|meaning|content|notes?")
                marked = _cell(table, cells, r"values?|allowed|range|constraints?") or values
                shape = shape_in(_cell(table, cells, "shape"), labelled=True)
                kind = bare(_cell(table, cells, r"type|dtype|format"))
                yield Column(
                    name, dtype_in(kind), *limits_in(bare(values), labelled=marked == values),
                    values_in(marked, labelled=True), shape, number,
                )  # fmt: skip


def _cell(table: Table, cells: Sequence[str], pattern: str) -> str:
    titles = zip(cells, table.titles, strict=False)
    return next((cell for cell, title in titles if re.search(pattern, title, re.IGNORECASE)), "")


def _shown_header(own: Sequence[Line]) -> list[Column]:
    """The header of a table that is shown in a block of code."""
    fenced = False
    for place, (_, line) in enumerate(own):
        if line.lstrip().startswith("```"):
            fenced = not fenced
            if fenced and place + 1 < len(own):
                number, header = own[place + 1]
                parts = [one.strip() for one in re.split(r"[,\t]", header)]
                if len(parts) > 1 and all(re.fullmatch(r"[A-Za-z_][\w .()%/-]*", one) for one in parts):
                    return [_column(one, _about(own, one), number) for one in parts]
    return []


def _about(own: Sequence[Line], name: str) -> str:
    """What an item of a list says of a name."""
    for _, line in own:
        match = _ITEM.match(line)
        if match and match[1] == name:
            return match[2]
    return ""


NO_NAMES = re.compile(
    r"notes?|examples?|missing(?: values)?|remarks?|important|nan|encoding|delimiter|separator|index|precision|total|"
    r"one|each|all|the|a|no|instances?",
    re.IGNORECASE,
)
"""Words that begin an item of a list which is about no column."""


def _listed(own: Sequence[Line]) -> list[Column]:
    """The items of a list, each with a name in front; where some are marked as code or bold, those alone."""
    found: list[tuple[bool, Column]] = []
    for number, line in unfenced(own):
        match = _ITEM.match(line)
        if match is None:
            continue
        name = match[1].strip()
        marked = re.search(rf"[*`_\"]{re.escape(name)}[*`_\"]", line)
        plain = re.fullmatch(r"\w+", name)
        other = facet_of(name) or _FILE_LIKE.fullmatch(name) or NO_NAMES.fullmatch(name)
        if name and (marked or plain) and not other:
            found.append((bool(marked), _column(name, match[2], number)))
    return [one for marked_, one in found if marked_ or not any(other for other, _ in found)]


def _said(own: Sequence[Line], text: str, labels: dict[str, str]) -> list[Column]:
    """Columns in a sentence or behind a label: `a, b`; `a` and `b`; a, b."""
    for words in (labels.get("columns", ""), labels.get("structure", ""), text):
        match = re.search(r"(?:columns?|header|fields)[^\n`]{0,40}`([\w.][\w .,-]*,[\w .,-]+)`", words, re.IGNORECASE)
        if match is None and words != text:
            match = re.match(r"\s*[*`]*([\w.-]+(?:\s*,\s*[\w.-]+)+)[*`]*\s*(?:[.(]|$)", words)
        if match:
            names = [one.strip() for one in match[1].split(",") if one.strip()]
            return [_column(one, "", _line_of(own, one)) for one in names]
    rest = re.search(r"(?:columns?|header|fields)([^\n]*(?:\n\s*(?:[-*]|\d+[.)]) [^\n]*)*)", text, re.IGNORECASE)
    words = labels.get("columns", "") or (rest[1] if rest else "")
    names = [one for one in re.findall(r"`([A-Za-z_][\w .-]{0,60})`", words) if not _FILE_LIKE.fullmatch(one)]
    values = labels.get("values", "")
    return [
        _column(one, _clause(words, one), _line_of(own, one), _clause_of_values(values, one) or None)
        for one in dict.fromkeys(names)
    ]


def _placed(own: Sequence[Line]) -> Iterator[Column]:
    """The places of an AnnData object: obsm["X_emb"], obs.cell_type, obs column `label`."""
    seen = set()
    for number, line in unfenced(own):
        for match in _PLACED.finditer(line):
            name = f"{match[1]}/{match[2] or match[3] or match[4]}"
            if name not in seen:
                seen.add(name)
                rest = line[match.end() :]
                yield _column(name, rest.partition("obs")[0], number)


def _clause(text: str, name: str) -> str:
    at = text.find(f"`{name}`")
    return re.split(r"`\w+`|;|\n", text[at + len(name) + 2 :], maxsplit=1)[0] if at >= 0 else ""


def _clause_of_values(values: str, name: str) -> str:
    """What a text on values says of one column."""
    parts = re.split(r";|,\s+(?=[`\w]+ (?:in|is|from|between))", values)
    return next((one for one in parts if re.search(rf"\b{re.escape(name)}\b", one)), "")


def _line_of(own: Sequence[Line], word: str) -> int:
    """The line that has a word as code, else as a word."""
    for pattern in (rf"[`\"]{re.escape(word)}[`\"]", rf"(?<!\w){re.escape(word)}(?!\w)"):
        for number, line in own:
            if re.search(pattern, line):
                return number
    return 0
