"""OpenAlex's works of a world: facts to filter on, a filter language, stable order.

A query is answered from a list of positions that is computed once per filter; pages are slices
of it. A cursor names the last work that was given, so it stays right however often it is used.
"""

from __future__ import annotations

import base64
import binascii
import datetime as dt
import hashlib
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from nature_gym.demo.miniweb.press import Press
from nature_gym.demo.model import Paper, World

_WORD = re.compile(r"\w+")
_PHRASE = re.compile(r'"([^"]*)"|(\S+)')
_OR = re.compile(r"\s+OR\s+|\|")
MOST_VALUES = 100
MOST_DIGITS = 30


class QueryProblem(Exception):  # noqa: N818 -- it is the client's mistake, told in OpenAlex's words
    """A request that OpenAlex refuses, with the status, error and message it answers."""

    def __init__(self, status: int, error: str, message: str) -> None:
        super().__init__(message)
        self.status, self.error, self.message = status, error, message


def bad_parameter(message: str) -> QueryProblem:
    """The refusal of a query that does not make sense."""
    return QueryProblem(400, "Invalid query parameters error.", message)


@dataclass(frozen=True, slots=True)
class Facts:
    """What filters ask of a work; taken from its record, so that both say the same."""

    id: str
    doi: str
    date: str
    updated: str
    type: str
    language: str
    oa_status: str
    is_oa: bool
    retracted: bool
    cited: int
    issns: frozenset[str]
    source: str
    topics: frozenset[str]
    primary_topic: str
    title: str
    abstract: str


def short_id(value: str) -> str:
    """``https://openalex.org/W1`` and ``w1`` as ``W1``."""
    return value.rsplit("/", 1)[-1].upper()


def bare_doi(value: str) -> str:
    """A DOI without its resolver, in lower case."""
    value = value.lower().removeprefix("doi:")
    return re.sub(r"^(https?://)?((dx\.)?doi\.org/)", "", value)


def facts_of(work: Mapping[str, Any]) -> Facts:
    """The facts in an OpenAlex record; what it lacks is empty."""
    source = (work.get("primary_location") or {}).get("source") or {}
    access = work.get("open_access") or {}
    index: Mapping[str, Sequence[int]] = work.get("abstract_inverted_index") or {}
    placed = sorted((place, word) for word, places in index.items() for place in places)
    return Facts(
        id=short_id(work["id"]),
        doi=bare_doi(work.get("doi") or ""),
        date=work.get("publication_date") or "",
        updated=work.get("updated_date") or "",
        type=work.get("type") or "",
        language=work.get("language") or "",
        oa_status=access.get("oa_status") or "",
        is_oa=bool(access.get("is_oa")),
        retracted=bool(work.get("is_retracted")),
        cited=work.get("cited_by_count") or 0,
        issns=frozenset([*(source.get("issn") or ()), *filter(None, [source.get("issn_l")])]),
        source=short_id(source.get("id") or ""),
        topics=frozenset(short_id(topic["id"]) for topic in work.get("topics") or ()),
        primary_topic=short_id((work.get("primary_topic") or {}).get("id") or ""),
        title=(work.get("title") or "").lower(),
        abstract=" ".join(word for _, word in placed).lower(),
    )


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") else word


def found(query: str, text: str) -> bool:
    """OpenAlex's search, roughly: all words (plurals count as one), "phrases", ``OR``."""
    words = {_stem(word) for word in _WORD.findall(text)}

    def has(phrase: str, word: str) -> bool:
        if phrase:
            return phrase in text
        return all(_stem(part) in words for part in _WORD.findall(word) if part != "and")

    return any(
        all(has(phrase, word) for phrase, word in _PHRASE.findall(one.lower())) for one in _OR.split(query.strip("() "))
    )


def _flag(value: str) -> bool:
    if value.lower() not in {"true", "false"}:
        raise bad_parameter(f"Value for boolean filter must be true or false: not {value}.")
    return value.lower() == "true"


def _number(value: str, actual: int) -> bool:
    if len(value) > MOST_DIGITS:
        raise bad_parameter("Value for numeric filter is out of range.")
    sign, digits = (value[0], value[1:]) if value[:1] in {">", "<"} else ("", value)
    low, dash, high = digits.partition("-")
    if not low.isdecimal() or (dash and not high.isdecimal()):
        raise bad_parameter(f"Value for numeric filter must be a number or a range: not {value}.")
    if dash:
        return int(low) <= actual <= int(high)
    return actual > int(low) if sign == ">" else actual < int(low) if sign == "<" else actual == int(low)


def _date(value: str) -> str:
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}(T[\d:.]+Z?)?", value):
        raise bad_parameter(f"Value for date filter must be in format YYYY-MM-DD: not {value}.")
    try:
        dt.datetime.fromisoformat(value)
    except ValueError:
        raise bad_parameter(f"Value for date filter must be a day that there is: not {value}.") from None
    return value


FILTERS: dict[str, Callable[[Facts, str], bool]] = {
    "abstract.search": lambda facts, value: found(value, facts.abstract),
    "cited_by_count": lambda facts, value: _number(value, facts.cited),
    "default.search": lambda facts, value: found(value, f"{facts.title} {facts.abstract}"),
    "display_name.search": lambda facts, value: found(value, facts.title),
    "doi": lambda facts, value: bare_doi(value) == facts.doi,
    "from_publication_date": lambda facts, value: facts.date >= _date(value),
    "from_updated_date": lambda facts, value: facts.updated >= _date(value),
    "has_abstract": lambda facts, value: bool(facts.abstract) == _flag(value),
    "has_doi": lambda facts, value: bool(facts.doi) == _flag(value),
    "ids.openalex": lambda facts, value: short_id(value) == facts.id,
    "is_oa": lambda facts, value: facts.is_oa == _flag(value),
    "is_retracted": lambda facts, value: facts.retracted == _flag(value),
    "language": lambda facts, value: facts.language == value,
    "locations.source.issn": lambda facts, value: value in facts.issns,
    "oa_status": lambda facts, value: facts.oa_status == value,
    "open_access.is_oa": lambda facts, value: facts.is_oa == _flag(value),
    "open_access.oa_status": lambda facts, value: facts.oa_status == value,
    "openalex": lambda facts, value: short_id(value) == facts.id,
    "openalex_id": lambda facts, value: short_id(value) == facts.id,
    "primary_location.source.id": lambda facts, value: short_id(value) == facts.source,
    "primary_location.source.issn": lambda facts, value: value in facts.issns,
    "primary_topic.id": lambda facts, value: short_id(value) == facts.primary_topic,
    "publication_date": lambda facts, value: facts.date == _date(value),
    "publication_year": lambda facts, value: _number(value, int(facts.date[:4] or 0)),
    "title.search": lambda facts, value: found(value, facts.title),
    "title_and_abstract.search": lambda facts, value: found(value, f"{facts.title} {facts.abstract}"),
    "to_publication_date": lambda facts, value: facts.date <= _date(value),
    "to_updated_date": lambda facts, value: facts.updated <= _date(value),
    "topics.id": lambda facts, value: short_id(value) in facts.topics,
    "type": lambda facts, value: value.rsplit("/", 1)[-1] == facts.type,
}

_NO_WORK = facts_of({"id": ""})

SORTS: dict[str, Callable[[Facts], Any]] = {
    "cited_by_count": lambda facts: facts.cited,
    "publication_date": lambda facts: facts.date,
    "publication_year": lambda facts: facts.date[:4],
    "updated_date": lambda facts: facts.updated,
    "display_name": lambda facts: facts.title,
    "title": lambda facts: facts.title,
}


def parse_filter(text: str) -> list[tuple[str, list[str], bool]]:
    """``a:x|y,b:!z`` as [("a", ["x", "y"], False), ("b", ["z"], True)].

    Raises :class:`QueryProblem` in OpenAlex's words.
    """
    clauses = []
    for clause in filter(None, text.split(",")):
        name, colon, value = clause.partition(":")
        name = name.strip().replace("-", "_")
        if not colon or not value:
            raise bad_parameter(f"Invalid filter: {clause}. Filters must be in format key:value.")
        if name not in FILTERS:
            valid = ", ".join(sorted(FILTERS))
            raise bad_parameter(
                f"{name} is not a valid field. Valid fields are underscore or hyphenated versions of: {valid}."
            )
        negated = value.startswith("!")
        value = value.removeprefix("!")
        values = [value] if name.endswith(".search") else value.split("|")
        if len(values) > MOST_VALUES:
            raise bad_parameter(
                f"Maximum number of values exceeded for {name}. Decrease values to {MOST_VALUES} or below."
            )
        for one in values:
            FILTERS[name](_NO_WORK, one)  # what is wrong with a value is told whatever works there are
        clauses.append((name, values, negated))
    return clauses


def merged_ids(world: World) -> dict[str, str]:
    """Former id -> present id, of works that OpenAlex once held twice."""
    return {short_id(old): short_id(paper.openalex_id) for paper in world.papers for old in paper.indexing.former_ids}


@dataclass(frozen=True, slots=True)
class Selection:
    """The works that a query finds, in order, and where each of them stands."""

    positions: list[int]
    place: dict[str, int]


class Works:
    """The works of one world: facts to filter on, and their records as JSON. Safe for threads.

    Records are read once, when first asked for, and kept as bytes (7 KB a work), so that a page costs
    a millisecond and not the making of two hundred records.
    """

    def __init__(self, world: World, press: Press) -> None:
        self._papers: tuple[Paper, ...] = world.papers
        self._press = press
        self._facts: list[Facts] = []
        self._printed: list[bytes] = []
        self._position: dict[str, int] = {}
        self._selections: OrderedDict[tuple[str, str, str], Selection] = OrderedDict()
        self._lock = threading.Lock()
        self.fields: tuple[str, ...] = ()
        """What a record has at its top level."""
        self.former = merged_ids(world)

    @property
    def is_ready(self) -> bool:
        """Whether :meth:`prepare` has nothing left to do."""
        return len(self._facts) == len(self._papers)

    def prepare(self) -> list[Facts]:
        """The facts of all works. The first call reads every record (a second for 5,500 works)."""
        with self._lock:
            if not self.is_ready:
                self._read()
        return self._facts

    def _read(self) -> None:
        facts, printed = [], []
        for position, paper in enumerate(self._papers):
            record = self._press.work(paper)
            one = facts_of(record)
            facts.append(one)
            printed.append(orjson.dumps(record))
            self.fields = self.fields or tuple(record)
            self._position[one.id] = position
            if one.doi:
                self._position.setdefault(one.doi, position)
        self._printed, self._facts = printed, facts

    def find(self, key: str) -> int | None:
        """The position of the work with this id or DOI, in any of the forms OpenAlex takes."""
        self.prepare()
        is_id = re.fullmatch(r"(https?://openalex\.org/|openalex:)?[Ww]\d+", key)
        return self._position.get(short_id(key.removeprefix("openalex:")) if is_id else bare_doi(key))

    def printed(self, position: int, fields: Sequence[str] | None) -> orjson.Fragment:
        """The record of one work as JSON, whole or with some of its fields."""
        whole = self._printed[position]
        if fields is None:
            return orjson.Fragment(whole)
        record = orjson.loads(whole)
        return orjson.Fragment(orjson.dumps({field: record[field] for field in fields}))

    def select(self, filter_text: str, search: str, sort: str) -> Selection:
        """The works that match, newest first unless ``sort`` says otherwise. Raises :class:`QueryProblem`."""
        key = (filter_text, search, sort)
        if (known := self._selections.get(key)) is not None:
            return known
        clauses = parse_filter(filter_text)
        order = _order(sort)
        facts = self.prepare()
        chosen = [position for position, one in enumerate(facts) if _matches(one, clauses, search)]
        chosen.sort(key=lambda position: facts[position].id)
        for by, descending in reversed(order):
            chosen.sort(key=lambda position, by=by: by(facts[position]), reverse=descending)  # type: ignore[misc]
        selection = Selection(chosen, {facts[position].id: place for place, position in enumerate(chosen)})
        self._selections[key] = selection
        if len(self._selections) > 32:
            self._selections.popitem(last=False)
        return selection

    def cursor_after(self, selection: Selection, stop: int) -> str:
        """The cursor that goes on behind the first ``stop`` works of a selection."""
        facts = self._facts[selection.positions[stop - 1]]
        told = orjson.dumps([facts.date, f"https://openalex.org/{facts.id}"])
        return base64.urlsafe_b64encode(told).decode()

    def start_of(self, selection: Selection, cursor: str) -> int:
        """The place in a selection at which a cursor goes on. Raises :class:`QueryProblem`."""
        if cursor == "*":
            return 0
        try:
            told = orjson.loads(base64.urlsafe_b64decode(cursor.encode()))
            return selection.place[short_id(told[1])] + 1
        except (binascii.Error, ValueError, KeyError, IndexError, TypeError, AttributeError):
            raise QueryProblem(400, "Pagination error.", "Cursor value is invalid.") from None


def _matches(facts: Facts, clauses: list[tuple[str, list[str], bool]], search: str) -> bool:
    if search and not found(search, f"{facts.title} {facts.abstract}"):
        return False
    return all(any(FILTERS[name](facts, value) for value in values) != negated for name, values, negated in clauses)


def _order(sort: str) -> list[tuple[Callable[[Facts], Any], bool]]:
    order = []
    for term in filter(None, sort.split(",")):
        name, _, direction = term.partition(":")
        if name not in SORTS:
            raise bad_parameter(f"Cannot sort by {name}. Valid fields are: {', '.join(sorted(SORTS))}.")
        order.append((SORTS[name], direction == "desc"))
    return order or [(SORTS["publication_date"], True)]


def response_time(*parts: str) -> int:
    """A believable ``db_response_time_ms`` that is the same for the same query."""
    return 12 + hashlib.blake2b("\0".join(parts).encode(), digest_size=1).digest()[0] % 90
