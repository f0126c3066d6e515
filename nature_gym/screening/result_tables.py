"""Tables that compare methods: which rows are methods, which columns metrics, which groups of columns data sets.

A table is turned into entries (method, metric, group, value) whatever way round it is printed: methods in rows or in
columns, metrics in a heading, in the rows or in the caption only, data sets as groups of columns, as a column of
their own or as rows that span the table. What a table is for (the main comparison, an ablation, a sensitivity study, a
subgroup, cost) is told from caption and rows.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from nature_gym.metrics.entry import Direction
from nature_gym.reading.document import Table
from nature_gym.screening.metric_lexicon import MetricKind, folded, mentions, metric_kind, metric_name
from nature_gym.screening.task import Score

Kind = Literal["main", "ablation", "sensitivity", "subgroup", "cost", "factors"]
"""What a table compares. ``factors``: other things than methods (descriptors, devices, training data)."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One value: by which method, of which metric (as the table calls it), on which data, where in the grid."""

    method: str
    metric: str
    group: str
    """The data set or condition; empty where the table has one only."""
    text: str
    """As printed."""
    number: float
    bold: bool
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class ResultTable:
    """A table of results. ``kinds`` says what the lexicon knows of each metric by its name in the table."""

    label: str
    caption: str
    kind: Kind
    entries: tuple[Entry, ...]
    kinds: dict[str, MetricKind]

    @property
    def methods(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(entry.method for entry in self.entries))

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(entry.metric for entry in self.entries))

    @property
    def groups(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(entry.group for entry in self.entries))

    def direction(self, metric: str) -> Direction | None:
        return self.kinds[metric].direction

    def values(self, metric: str, group: str) -> tuple[Entry, ...]:
        """One column: the entries of ``metric`` on ``group``, in the order of the table."""
        return tuple(entry for entry in self.entries if entry.metric == metric and entry.group == group)

    def best(self, metric: str, group: str, methods: Iterable[str]) -> Entry | None:
        """The best entry among ``methods``; None where none has one or the direction is unknown."""
        wanted = set(methods)
        return best_of(
            [entry for entry in self.values(metric, group) if entry.method in wanted], self.direction(metric)
        )


def best_of(entries: Sequence[Entry], direction: Direction | None) -> Entry | None:
    """The best of ``entries`` (the first of equals)."""
    if not entries or direction is None:
        return None
    sign = 1 if direction == "higher_is_better" else -1
    return max(entries, key=lambda entry: sign * entry.number)


def score_of(entry: Entry, label: str) -> Score:
    """The entry as the task tuple keeps it."""
    return Score(metric=entry.metric, value=entry.text, method=entry.method, place=label)


# -- numbers -----------------------------------------------------------------------

_NUMBER = re.compile(r"[-−–+]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.?\d+)")
_FRACTION = re.compile(r"(\d+)\s*/\s*(\d+)")
_POWER = re.compile(r"\s*(?:×|x|\\times|·)\s*10\s*\^?\{?([-−–⁻]?[\d⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
_E_POWER = re.compile(r"[eE]([-+]?\d{1,3})\b")
_SUPER = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−–", "0123456789---")
_DASH_ONLY = re.compile(r"[\s\-–—−./]*|n\.?/?a\.?|n\.?d\.?|nan|none", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_NAME_AFTER = re.compile(r"[a-z]{0,3}[A-DF-Z](?!B\b)|[a-z]{0,4}-[A-Za-z]")
_WORDS_BESIDE = 2
_LONGEST_CELL = 60


@functools.lru_cache(maxsize=16384)
def number_in(cell: str) -> float | None:
    """The value that a cell prints, without its spread; None where it is no value.

    >>> number_in("0.423 ± 0.065"), number_in("8/8"), number_in("1.2 × 10⁻³"), number_in("k = 6"), number_in("–")
    (0.423, 1.0, 0.0012, None, None)
    """
    text = cell.strip().lstrip("*~≈<>≤≥ ")
    if not text or len(text) > _LONGEST_CELL:
        return None
    match = _NUMBER.match(text)
    if match is None:
        return None
    if len(_LETTERS.findall(_E_POWER.sub("", text))) > _WORDS_BESIDE or _NAME_AFTER.match(text, match.end()):
        return None
    fraction = _FRACTION.fullmatch(text)
    if fraction:
        return int(fraction[1]) / int(fraction[2]) if int(fraction[2]) else None
    try:
        number = float(match[0].replace(",", "").translate(_SUPER))
    except ValueError:
        return None
    power = _POWER.match(text, match.end()) or _E_POWER.match(text, match.end())
    if power:
        exponent = int(power[1].translate(_SUPER))
        return number * 10.0**exponent if abs(exponent) <= _LARGEST_EXPONENT else None
    return number


def _is_blank(cell: str) -> bool:
    return _DASH_ONLY.fullmatch(cell.strip()) is not None


# -- the way round a table is printed ------------------------------------------------

METHOD_HEADING = re.compile(
    r"\b(?:methods?|models?|algorithms?|approach(?:es)?|architectures?|networks?|classifiers?|predictors?|baselines?"
    r"|techniques?|estimators?|regressors?|learners?|systems?|solvers?|tools?|decoders?|detectors?"
    r"|optimi[sz]ers?|polic(?:y|ies)"
    r"|agents?|potentials?|programs?|pipelines?|software)\b",
    re.IGNORECASE,
)
_VARIANT_HEADING = re.compile(
    r"\b(?:variants?|ablations?|configurations?|components?|modules?|removed)\b", re.IGNORECASE
)
_FACTOR_HEADING = re.compile(
    r"\b(?:descriptors?|features?|inputs?|sensors?|devices?|instruments?|labels?|annotations?|training (?:data"
    r"|images|sets?|samples)"
    r"|sources?|data (?:sources?|types?)|modalit(?:y|ies)|fingerprints?|representations?|fields?|scanners?"
    r"|chips?|rules?)\b",
    re.IGNORECASE,
)
_DATA_HEADING = re.compile(
    r"\b(?:data ?-?sets?|data|benchmarks?|tasks?|corpus|corpora|cohorts?|systems?|targets?|propert(?:y|ies)"
    r"|species|splits?|test sets?"
    r"|sites?|regions?|subsets?|domains?|organisms?|tissues?|materials?|molecules?)\b",
    re.IGNORECASE,
)
_ABLATION = re.compile(
    r"\bablat|\bwithout (?:each|one|its|a single|parts|any)|\b(?:role|contribution|effect|removal|importance"
    r"|value) of (?:the |each "
    r"|its |single |individual |our )*(?:parts?|components?|modules?|ingredients?|building blocks?|terms?"
    r"|elements?|design)"
    r"|\bleav(?:ing|e) out\b|\bvariants of\b|\bleft out\b|\btaken? (?:out|away)\b|\bcomponent(?:s|-wise)? analysis",
    re.IGNORECASE,
)
_SENSITIVITY = re.compile(
    r"\bsensitivity (?:to|of|analysis)|\bhyper-?parameters?\b|\bby (?:width|depth|number|size)\b"
    r"|\bas a function of\b|\bvarying\b|\bvaried\b"
    r"|\b(?:influence|effect|impact|choice) of (?:the )?(?:number|size|width|depth|hyper|learning|batch"
    r"|temperature|threshold|k\b)"
    r"|\bdifferent (?:numbers|sizes|values|widths|depths)\b|\bwith growing\b|\bnumber of (?:layers|neighbou?rs"
    r"|units|parameters)\b",
    re.IGNORECASE,
)
_SUBGROUP = re.compile(
    r"\bsub-?groups?\b|\bby (?:sex|gender|age|ethnicity|race|hospital|site|centre|center|country)\b"
    r"|\bstratified\b(?! split)|\bfairness\b",
    re.IGNORECASE,
)
_REMOVAL = re.compile(
    r"^\s*(?:\(?[a-z]\)\s*)?(?:without|w/?o\b|no\b|minus\b|less\b|[-−–+]\s*[A-Za-z]|remov|replac|drop|omit|only\b|w/\s)"
    r"|\bwithout\b|\bw/o\b|\bremoved\b|\bablated\b",
    re.IGNORECASE,
)
_SETTING_OF_KNOB = re.compile(r"^\s*[\w^{}\\$*]{1,12}\s*=\s*[\d.]+\s*$")
OURS = re.compile(
    r"\((?:ours|our (?:method|model|work)|proposed|this (?:work|study|paper))\)|^(?:ours|proposed|this work)\b"
    r"|\(ours\b",
    re.IGNORECASE,
)
_MARKS = re.compile(r"[*†‡§¶#^]+$|\s*\^?\{?[a-g]\}?$(?<=\s[a-g])")
_ASIDE = re.compile(r"\brefs?\b|\breference|\byear|\bsource", re.IGNORECASE)
_MANY_METRICS = 60
_LARGEST_EXPONENT = 99


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A table's parts: heading of each column (its levels, top to bottom), labels, body."""

    table: Table
    headings: tuple[tuple[str, ...], ...]
    labels: int
    """How many leading columns are labels."""
    body: tuple[tuple[int, tuple[str, ...]], ...]
    """(row in the table, cells)."""
    spans: dict[int, str]
    """Row in the table -> what the last row that spans it says."""


def _sheet(table: Table) -> _Sheet | None:
    rows = table.rows
    if not rows or len(rows[0]) < 2:
        return None
    head = table.header_rows or _guessed_head(rows)
    width = len(rows[0])
    headings = tuple(
        tuple(dict.fromkeys(text for row in rows[:head] if (text := row[column].strip()))) for column in range(width)
    )
    body: list[tuple[int, tuple[str, ...]]] = []
    spans: dict[int, str] = {}
    current = ""
    for at in range(head, len(rows)):
        row = rows[at]
        filled = {cell.strip() for cell in row if cell.strip()}
        if len(filled) == 1 and number_in(next(iter(filled))) is None:
            current = next(iter(filled))
            continue
        body.append((at, row))
        spans[at] = current
    labels = _label_columns(body, width)
    if not body or labels in (0, width):
        return None
    return _Sheet(table, headings, labels, tuple(body), spans)


def _guessed_head(rows: Sequence[Sequence[str]]) -> int:
    for at, row in enumerate(rows[:3]):
        if any(number_in(cell) is not None for cell in row[1:]):
            return at
    return min(1, len(rows) - 1)


def _label_columns(body: Sequence[tuple[int, tuple[str, ...]]], width: int) -> int:
    count = 0
    for column in range(width):
        cells = [row[column] for _, row in body if not _is_blank(row[column])]
        numbers = sum(1 for cell in cells if number_in(cell) is not None)
        if cells and numbers * 2 > len(cells) and column > 0:
            break
        count += 1
    return count


def read_result_table(table: Table, own: Sequence[str] = ()) -> ResultTable | None:
    """``table`` as a table of results; None where it compares nothing by a metric.

    ``own`` are names of the paper's own method, which help to tell where the methods stand.
    """
    sheet = _sheet(table)
    if sheet is None:
        return None
    entries = _metrics_in_headings(sheet, own) or _metrics_in_rows(sheet) or _metric_in_caption(sheet, own)
    if not entries:
        return None
    if len({entry.metric for entry in entries}) > _MANY_METRICS:
        return None
    entries, kinds = _named_by_caption(_apart(entries), table)
    made = ResultTable(table.label, table.caption, "main", tuple(entries), kinds)
    return replace(made, kind=_kind(sheet, made, own))


def _apart(entries: list[Entry]) -> list[Entry]:
    """Blocks of the same methods under one another are told apart where their own headings do not do so for all rows.

    A heading that stands beside one row of a block holds for the block; without any, the blocks are (1), (2) ...
    """
    seen: dict[tuple[str, int], int] = {}
    turns = []
    for entry in entries:
        key = (entry.method, entry.column)
        seen[key] = seen.get(key, 0) + 1
        turns.append(seen[key])
    blocks = set(seen.values())
    distinct = len({(entry.method, entry.metric, entry.group) for entry in entries})
    methods = {method for method, _ in seen}
    if len(blocks) != 1 or blocks == {1} or distinct == len(entries) or len(methods) < _FEWEST_IN_A_BLOCK:
        return entries
    headings: dict[tuple[int, int], str] = {}
    for entry, turn in zip(entries, turns, strict=True):
        headings[turn, entry.column] = max(headings.get((turn, entry.column), ""), entry.group, key=len)
    for column in {entry.column for entry in entries}:
        named = [headings[turn, column] for turn in range(1, max(blocks) + 1)]
        if len(set(named)) < len(named):
            headings |= {(turn, column): f"{one} ({turn})".strip() for turn, one in enumerate(named, 1)}
    return [replace(entry, group=headings[turn, entry.column]) for entry, turn in zip(entries, turns, strict=True)]


_FEWEST_IN_A_BLOCK = 2


def result_tables(tables: Iterable[Table], own: Sequence[str] = ()) -> tuple[ResultTable, ...]:
    """All tables of results among ``tables``, in their order."""
    return tuple(made for table in tables if (made := read_result_table(table, own)) is not None)


def _metrics_in_headings(sheet: _Sheet, own: Sequence[str]) -> list[Entry]:
    """Metrics stand over the columns; methods (and perhaps data sets) label the rows."""
    columns: dict[int, tuple[str, str]] = {}
    for column in range(sheet.labels, len(sheet.headings)):
        levels = sheet.headings[column]
        known = [level for level in levels if metric_kind(level)]
        if not known:
            continue
        metric = known[-1] if metric_kind(known[-1]) else known[0]
        group = " ".join(level for level in levels if level != metric and (level not in known or len(known) > 1))
        columns[column] = (metric_name(metric), group)
    if not columns:
        return []
    columns = _data_sets_beside(columns)
    if len(columns) < len(sheet.headings) - sheet.labels and len(columns) == 1 and _own_in_headings(sheet, own):
        return []
    method_column, group_columns = _method_column(sheet, own)
    entries = []
    last = ""
    for at, row in sheet.body:
        method = _method_name(row[method_column]) or last
        last = method
        above = " ".join(filter(None, (sheet.spans[at], *(row[column].strip() for column in group_columns))))
        for column, (metric, group) in columns.items():
            number = number_in(row[column])
            if number is not None and method:
                entries.append(
                    _entry(sheet, method, metric, " ".join(filter(None, (above, group))), at, column, number)
                )
    return entries


_QUALIFIER = re.compile(
    r"(?:macro|micro|weighted|mean|median|average|avg|balanced|overall|total|top|pixel|class|per|max|min|std|relative|"
    r"normali[sz]ed|absolute|root|local|global|train(?:ing)?|val(?:idation)?|test|adjusted|explained|cross|binary|multi|"
    r"first|second|energy|forces?|stress|charges?|image|voxel|instance|panoptic|semantic|mixed|best|worst|tm|lddt|r|"
    r"partial|spearman|pearson|kendall|cosine|dice|surface|volume|hausdorff|exact|soft|hard|strict|unbiased|raw|log)\b",
    re.IGNORECASE,
)
_PROPER = re.compile(r"[A-Z][\w-]*[A-Z0-9]|[A-Z]\w+[-–][A-Z]\w+|[a-z]+[A-Z]")


def _data_sets_beside(columns: dict[int, tuple[str, str]]) -> dict[int, tuple[str, str]]:
    """``DrugBank AUROC`` and ``KEGG AUROC`` over two columns: one metric on two data sets, not two metrics."""
    split: dict[int, tuple[str, str]] = {}
    for column, (metric, _) in columns.items():
        words = metric.split()
        for at in range(1, len(words)):
            first, rest = " ".join(words[:at]), " ".join(words[at:])
            kind = metric_kind(rest)
            if kind and not metric_kind(first) and kind == metric_kind(metric) and not _QUALIFIER.match(first):
                split[column] = (first, rest)
                break
    found = dict(columns)
    for metric in {rest for _, rest in split.values()}:
        named = {column: first for column, (first, rest) in split.items() if rest == metric}
        if len(set(named.values())) > 1 and any(_PROPER.search(first) for first in named.values()):
            for column, first in named.items():
                found[column] = (metric, " ".join(filter(None, (columns[column][1], first))))
    return found


def _own_in_headings(sheet: _Sheet, own: Sequence[str]) -> bool:
    heads = [" ".join(levels) for levels in sheet.headings[sheet.labels :]]
    return any(is_named(head, own) for head in heads)


def _method_column(sheet: _Sheet, own: Sequence[str]) -> tuple[int, tuple[int, ...]]:
    """Which label column names the methods, and which ones name data sets or conditions."""
    labels = range(sheet.labels)
    if sheet.labels == 1:
        return 0, ()

    def worth(column: int) -> tuple[int, int, int]:
        cells = [row[column] for _, row in sheet.body]
        heading = " ".join(sheet.headings[column])
        return (
            sum(1 for cell in cells if is_named(cell, own)) > 0,
            bool(METHOD_HEADING.search(heading))
            - bool(_DATA_HEADING.search(heading) and not METHOD_HEADING.search(heading)),
            len(set(cells)),
        )

    method = max(labels, key=worth)
    return method, tuple(
        column for column in labels if column != method and not _ASIDE.search(" ".join(sheet.headings[column]))
    )


def _metrics_in_rows(sheet: _Sheet) -> list[Entry]:
    """Metrics label the rows; methods stand over the columns."""
    column = next(
        (
            label
            for label in reversed(range(sheet.labels))
            if sum(1 for _, row in sheet.body if metric_kind(row[label])) * 2 > len(sheet.body)
        ),
        None,
    )
    if column is None:
        return []
    others = [label for label in range(sheet.labels) if label != column]
    entries = []
    for at, row in sheet.body:
        if not metric_kind(row[column]):
            continue
        above = " ".join(filter(None, (sheet.spans[at], *(row[label].strip() for label in others))))
        for place in range(sheet.labels, len(row)):
            number = number_in(row[place])
            levels = sheet.headings[place]
            if number is None or not levels:
                continue
            group = " ".join(filter(None, (above, *levels[:-1])))
            entries.append(_entry(sheet, _method_name(levels[-1]), metric_name(row[column]), group, at, place, number))
    return entries


def _metric_in_caption(sheet: _Sheet, own: Sequence[str]) -> list[Entry]:
    """The caption alone names the metric; methods are rows or columns, data sets the other."""
    named = [(place, kind) for place, kind in mentions(sheet.table.caption) if kind.nature != "unknown"]
    keys = {kind.key for _, kind in named}
    if len(keys) != 1 and not (len(keys) == 2 and "error" in keys):
        return []
    metric = phrase_at(sheet.table.caption, named[0][0]) or named[0][1].key
    method_column, group_columns = _method_column(sheet, own)
    heads = " ".join(" ".join(levels) for levels in sheet.headings[sheet.labels :])
    metric = _without_head(metric, heads)
    heading = " ".join(sheet.headings[method_column])
    in_columns = _own_in_headings(sheet, own) or (
        bool(_DATA_HEADING.search(heading))
        and not METHOD_HEADING.search(heading)
        and not _row_is_own(sheet, own, method_column)
    )
    entries = []
    for at, row in sheet.body:
        label = row[method_column].strip()
        for place in range(sheet.labels, len(row)):
            number = number_in(row[place])
            levels = sheet.headings[place]
            if number is None or not levels or not label:
                continue
            head = " ".join(levels)
            method, group = (head, label) if in_columns else (label, head)
            beside = [text for column in group_columns if number_in(text := row[column].strip()) is None]
            group = " ".join(filter(None, (sheet.spans[at], *beside, group)))
            entries.append(_entry(sheet, _method_name(method), metric_name(metric), group, at, place, number))
    return entries


def _without_head(metric: str, heads: str) -> str:
    """``Energy and charge error`` over the columns Energy and Charges: the error is not of the charge alone.

    >>> _without_head("charge error", "Energy Charges Forces"), _without_head("band error", "Clean Noisy")
    ('error', 'band error')
    """
    stems = {word[:_STEM] for word in re.findall(r"[a-z]{4,}", folded(heads))}
    kept = [word for word in metric.split() if metric_kind(word) or folded(word)[:_STEM] not in stems]
    return " ".join(kept) if metric_kind(" ".join(kept)) else metric


_STEM = 5


def _row_is_own(sheet: _Sheet, own: Sequence[str], column: int) -> bool:
    return any(is_named(row[column], own) for _, row in sheet.body)


def _entry(sheet: _Sheet, method: str, metric: str, group: str, row: int, column: int, number: float) -> Entry:
    text = sheet.table.rows[row][column].strip()
    bold = (row, column) in sheet.table.bold
    return Entry(method, metric, " ".join(group.split()), text, number, bold, row, column)


def _method_name(cell: str) -> str:
    return _MARKS.sub("", " ".join(cell.split())).strip()


def phrase_at(text: str, place: int) -> str:
    """The words of a metric in a sentence: from the start of its noun phrase up to a comma, a bracket or ``of``.

    >>> phrase_at("Mean band error (10⁻²) of two methods", 10)
    'Mean band error'
    """
    start = max(text.rfind(mark, 0, place) for mark in (".", ",", ";", ":", "(", ")")) + 1
    head = re.split(
        r"\b(?:and|of|the|in|with|by|for|on|an?|best|highest|lowest|better|higher|lower|its"
        r"|improves?|reach\w*|achiev\w*|to)\b",
        text[start:place],
    )[-1]
    tail = re.split(
        r"[(),.;:]|\s(?:of|in|on|for|by|and|with|between|from|at|across|obtained|reported|computed"
        r"|measured|calculated|predicted)\b",
        text[place:],
    )[0]
    return " ".join((head + tail).split())


def _named_by_caption(entries: list[Entry], table: Table) -> tuple[list[Entry], dict[str, MetricKind]]:
    """A short heading (``Error``) takes the longer name that the caption has for it (``mean band error``)."""
    kinds: dict[str, MetricKind] = {}
    names: dict[str, str] = {}
    caption = table.caption
    for metric in dict.fromkeys(entry.metric for entry in entries):
        kind = metric_kind(metric)
        name = metric
        groups = " ".join({entry.group for entry in entries if entry.metric == metric})
        if kind is not None and kind.key in {"error", "success rate", "score"} and " " not in metric:
            match = re.search(rf"\b{re.escape(metric)}\b", caption, re.IGNORECASE)
            longer = phrase_at(caption, match.start()) if match else ""
            longer = _without_head(longer, groups) if longer else ""
            name = longer[:1].upper() + longer[1:] if metric.lower() in longer.lower() else metric
        names[metric] = name
        found = metric_kind(name) or kind or MetricKind(folded(name), None, "unknown")
        kinds[name] = _directed(found, table)
    return [replace(entry, metric=names[entry.metric]) for entry in entries], kinds


_LOWER = re.compile(
    r"\blower (?:is|values? (?:is|are)|values?|errors?) (?:are )?better|\bthe lower the better|↓ ?(?:lower|better)?",
    re.IGNORECASE,
)


def _directed(kind: MetricKind, table: Table) -> MetricKind:
    """Caption and notes have the last word where the lexicon is not sure."""
    if kind.nature == "unknown" and _LOWER.search(f"{table.caption} {table.notes}"):
        return MetricKind(kind.key, "lower_is_better", kind.nature)
    return kind


# -- what a table is for -------------------------------------------------------------


def is_named(label: str, own: Sequence[str]) -> bool:
    """Whether a row's or column's label names one of ``own`` (``Graphium``, ``Graphium (ours)``, ``Graphium-L``)."""
    low = folded(label)
    return bool(OURS.search(label)) or any(_contains(low, name) for name in own)


def _contains(low: str, name: str) -> bool:
    wanted = folded(name)
    return bool(wanted) and re.search(rf"(?<![\w]){re.escape(wanted)}(?![a-z0-9])", low) is not None


def _kind(sheet: _Sheet, made: ResultTable, own: Sequence[str]) -> Kind:
    table = sheet.table
    labels = [row[0] for _, row in sheet.body]
    heading = " ".join(sheet.headings[0])
    removals = sum(1 for label in labels if _REMOVAL.search(label) and not OURS.search(label))
    knobs = [text for levels in sheet.headings[sheet.labels :] for text in levels if _SETTING_OF_KNOB.match(text)]
    numeric = sum(1 for label in labels if _NUMBER.fullmatch(label.strip()))
    own_rows = sum(1 for method in made.methods if is_named(method, own))
    if _ABLATION.search(table.caption) or removals * 2 >= len(labels) > 1:
        return "ablation"
    if (
        _SENSITIVITY.search(table.caption)
        or len(knobs) * 2 > len(sheet.headings) - sheet.labels
        or numeric * 2 > len(labels)
    ):
        return "sensitivity"
    if _SUBGROUP.search(table.caption):
        return "subgroup"
    if all(kind.nature == "efficiency" for kind in made.kinds.values()):
        return "cost"
    if own and own_rows == len(made.methods) and len(made.methods) > 1:
        return "ablation"
    if _VARIANT_HEADING.search(heading) and not METHOD_HEADING.search(heading):
        return "ablation"
    if _FACTOR_HEADING.search(heading) and not METHOD_HEADING.search(heading) and not own_rows:
        return "factors"
    return "main"
