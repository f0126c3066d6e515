"""The first page's own things: title, authors, dates, abstract, affiliations, kind of article, DOI, journal.

The one idea: each is known by how it is set against the running text (larger, another font, across both columns,
small at the foot), with the file's metadata as a second witness.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from nature_gym.reading.pdf.layout import Styles, half, sorted_lines
from nature_gym.reading.pdf.page import Line, Page
from nature_gym.reading.pdf.wording import Hyphens, finished, letters, line_text
from nature_gym.reading.text import squeeze

ARTICLE_TYPES = (
    "Article", "Letter", "Review", "Review Article", "Perspective", "Comment", "Editorial", "News & Views",
    "News and Views", "Correspondence", "Matters Arising", "Author Correction", "Publisher Correction", "Correction",
    "Retraction Note", "Retraction", "Data Descriptor", "Analysis", "Resource", "Protocol", "Technical Report",
    "Brief Communication", "Author Reply", "Reply", "Research Briefing", "Registered Report", "Research Highlight",
    "Corrigendum", "Erratum", "Addendum", "Editorial Expression of Concern", "Letters", "Articles", "Feature",
    "News", "News Feature", "Obituary", "Books & Arts", "Book Review", "Outlook", "Q&A", "Research Highlights",
    "Report", "Guidelines", "Case Study", "Brief Report", "Expression of Concern", "Comment & Opinion", "Opinion",
    "Essay", "Method", "Consensus Statement", "Primer", "World View", "Career Column", "Review article",
    "Stage 2 Registered Report",
)  # fmt: skip
_TYPES = {name.casefold(): name for name in ARTICLE_TYPES}
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_MONTH = {name[:3].casefold(): index for index, name in enumerate(_MONTHS, 1)}
_DATE = re.compile(
    r"\b(Received|Revised|Accepted|Published(?:\s+online)?)\s*:?\s*(\d{1,2})\s+([A-Z][a-z]{2,8})\.?\s+((?:19|20)\d{2})"
)
_NO_DATE = re.compile(r"\bPublished(?:\s+online)?\s*:?\s*xx xx xxxx", re.IGNORECASE)
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>|]+", re.IGNORECASE)
_JOURNAL = re.compile(
    r"\b(nature (?:[a-z]+ ){0,2}?(?:machine intelligence|communications|methods|materials|biomedical engineering|"
    r"energy|biotechnology|computational science|genetics|neuroscience|medicine|physics|chemistry|climate change|"
    r"geoscience|"
    r"astronomy|photonics|nanotechnology|immunology|microbiology|metabolism|aging|cancer|plants|food|water|catalysis|"
    r"electronics|sustainability|synthesis|chemical biology|cell biology|ecology & evolution|human behaviour|protocols|"
    r"structural & molecular biology|mental health|cardiovascular research|chemical engineering|cities|"
    r"reviews [a-z ]+?)|"
    r"npj [a-z]+(?: [a-z]+){0,4}|scientific reports|scientific data|"
    r"communications (?:biology|chemistry|physics|materials|medicine|earth & environment|engineering|psychology))\b",
    re.IGNORECASE,
)
_NOISE = re.compile(
    r"^\W*(?:open(?: access)?|check for updates|www\.nature\.com\S*|(?:doi:\s*)?(?:https?://doi\.org/)?10\.\d{4,9}/\S+|"
    r"retracted article|published in partnership with.*)\W*$",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Front:
    """What the first page tells of the article, and the lines that told it."""

    title: str = ""
    authors: tuple[str, ...] = ()
    abstract: list[Line] = field(default_factory=list)
    article_type: str = ""
    doi: str | None = None
    journal: str = ""
    dates: dict[str, str] = field(default_factory=dict)
    affiliations: str = ""
    used: set[int] = field(default_factory=set)

    def use(self, lines: Iterable[Line]) -> None:
        self.used.update(map(id, lines))


def read_front(
    page: Page, taken: Sequence[Line], styles: Styles, metadata: Mapping[str, str], hyphens: Hyphens
) -> Front:
    """What stands on the first page before the text; ``taken`` are the running heads of all pages."""
    front = Front()
    heads = [*page.lines, *taken]
    _find_journal(front, heads, metadata)
    _find_type(front, page.lines, taken)
    _find_doi(front, page, heads, metadata)
    front.use(line for line in page.lines if _NOISE.match(line.plain.strip()) or _is_imprint(line, front))
    title = _title_lines(page, styles, front, metadata)
    front.use(title)
    front.title = finished(_joined(title, hyphens)).text or squeeze(metadata.get("title", ""))
    floor = max((line.y1 for line in title), default=0.0)
    _find_affiliations(front, page, styles, floor)
    rest = [line for line in page.lines if id(line) not in front.used and line.y0 > floor - 3 and title]
    for line in rest:
        if dates_in(line.plain) and _DATE.sub("", line.plain).strip(" |;,.") == "":
            front.dates.update(dates_in(line.plain))
            front.use([line])
    rest = [line for line in rest if id(line) not in front.used]
    front.abstract = _abstract_lines(rest, styles)
    front.use(front.abstract)
    if title:
        _find_authors(front, rest, styles)
    end = max((line.y1 for line in front.abstract), default=0.0)
    front.use(line for line in rest if line.y1 < end and sum(map(str.isalpha, line.plain)) < 3)
    return front


def _is_imprint(line: Line, front: Front) -> bool:
    """The journal's name alone, or with the DOI."""
    key = _key(line.plain)
    own = _key(front.journal)
    return own != "" and (
        key in {own, f"{own}article"}
        or (key.startswith(own) and front.doi is not None and front.doi in line.plain.casefold())
    )


def dates_in(text: str) -> dict[str, str]:
    """Dates of an article's history in a text: ``{"received": "2022-09-09"}``."""
    found: dict[str, str] = {}
    for what, day, month, year in _DATE.findall(text):
        number = _MONTH.get(month[:3].casefold())
        if number:
            found[what.split()[0].casefold()] = f"{year}-{number:02d}-{int(day):02d}"
    return found


def is_history(text: str) -> bool:
    """Whether a line gives nothing but such dates."""
    if "eceived" not in text and "ccepted" not in text and "ublished" not in text:
        return False
    return not _DATE.sub("", _NO_DATE.sub("", text)).strip(" |;,.")


def _joined(lines: Sequence[Line], hyphens: Hyphens) -> str:
    text = ""
    for line in lines:
        piece = line_text(line)
        text = hyphens.join(text.rstrip(), piece.lstrip()) if text else piece
    return text


def _find_journal(front: Front, lines: Sequence[Line], metadata: Mapping[str, str]) -> None:
    counts: Counter[str] = Counter()
    for text in (*(line.plain for line in lines if len(line.plain) < 160), metadata.get("subject", "")):
        for name in _JOURNAL.findall(text.replace("|", " ").replace("\xa0", " ")):
            counts[squeeze(name).casefold()] += 1
    if not counts and any(
        re.match(r"(?:\d+\s*\|)?\s*Nature\s*\|\s*Vol", squeeze(line.plain), re.IGNORECASE) for line in lines
    ):
        counts["nature"] = 1
    if counts:
        name = max(counts, key=lambda name: (counts[name], len(name)))
        front.journal = " ".join(word if word in {"npj", "&"} else word.capitalize() for word in name.split())


def _find_type(front: Front, lines: Sequence[Line], taken: Sequence[Line]) -> None:
    for line in (*lines, *taken):
        for piece in (line.plain, line.plain.split("  ")[0], re.split(r"\s+(?=https?:|\|)", line.plain)[0]):
            text = squeeze(re.sub(r"\s+(?:OPEN|Open access)$", "", piece.strip()))
            name = _TYPES.get(text.casefold())
            if name:
                front.article_type = name if text.isupper() else text
                front.use([line] if line in lines else [])
                return
    if any("nature research | reporting summary" in line.plain.casefold() for line in lines):
        return


def _find_doi(front: Front, page: Page, lines: Sequence[Line], metadata: Mapping[str, str]) -> None:
    counts: Counter[str] = Counter()
    texts = [line.plain for line in lines if len(line.plain) < 200]
    for text in (*texts, metadata.get("subject", ""), metadata.get("keywords", "")):
        for doi in _DOI.findall(text):
            counts[doi.rstrip(".,;)").casefold()] += 1
    for link in page.links:
        for doi in _DOI.findall(link.uri.split("&")[0]) if "doi" in link.uri else ():
            counts[doi.casefold()] += 1
    if counts:
        front.doi = counts.most_common(1)[0][0]


def _title_lines(page: Page, styles: Styles, front: Front, metadata: Mapping[str, str]) -> list[Line]:
    wanted = _key(metadata.get("title", ""))
    large = [
        line
        for line in page.lines
        if line.size > max(1.3 * styles.size, 11)
        and len(line.plain.strip()) > 2
        and id(line) not in front.used
        and _key(line.plain) not in {_key(front.journal), ""}
        and line.y0 < 0.6 * page.height
    ]
    groups: list[list[Line]] = []
    for line in sorted(large, key=lambda line: line.y0):
        last = groups[-1][-1] if groups else None
        if last and abs(last.size - line.size) < 0.8 and line.y0 - last.y1 < 1.1 * line.size and line.font == last.font:
            groups[-1].append(line)
        else:
            groups.append([line])
    if not groups:
        return []

    def rank(lines: list[Line]) -> tuple[bool, float]:
        key = _key("".join(line.plain for line in lines))
        return (bool(wanted) and len(key) > 8 and (key in wanted or wanted in key), lines[0].size * min(len(key), 40))

    return max(groups, key=rank)


def _key(text: str) -> str:
    return "".join(filter(str.isalnum, letters(re.sub(r"&[a-z]+;|<[^>]+>", "", text)).casefold()))


_HOME = re.compile(
    r"universit|institut|department|school of|laborator|college|hospital|academy|centre|center|e-?mail", re.IGNORECASE
)


def _find_affiliations(front: Front, page: Page, styles: Styles, floor: float) -> None:
    """Blocks in small letters at the foot that name institutions or give an address."""
    small = [
        line
        for line in page.lines
        if id(line) not in front.used and line.size < styles.size - 0.35 and line.y0 > max(floor, 0.45 * page.height)
    ]
    blocks: list[list[Line]] = []
    for line in sorted_lines(small):
        block = next(
            (
                one
                for one in reversed(blocks)
                if (line.y0 - one[-1].y1 < 0.6 * line.size and abs(line.x0 - one[0].x0) < 14)
                or line.block == one[-1].block
            ),
            None,
        )
        if block is None:
            blocks.append([line])
        else:
            block.append(line)
    found = [block for block in blocks if _is_home(block)]
    lines = [line for block in found for line in block]
    front.use(lines)
    front.affiliations = squeeze(" ".join(letters(line.plain) for line in lines))


def _is_home(block: Sequence[Line]) -> bool:
    """Whether a block names institutions after raised numbers, or gives an address to write to."""
    text = " ".join(line.plain for line in block)
    first = next((run for run in block[0].runs if run.text.strip()), block[0].runs[0])
    numbered = first.text.strip()[:1].isdigit() and first.size < 0.85 * block[0].size
    return bool(_HOME.search(text)) and (numbered or "@" in text or text.lstrip()[:1] in "✉*")


def _abstract_lines(rest: Sequence[Line], styles: Styles) -> list[Line]:
    """The longest block set in another way than the text: font, size, or across the columns."""
    ordered = sorted(rest, key=lambda line: (line.y0, line.x0))
    candidates: list[list[Line]] = []
    for _, group in groupby(ordered, key=lambda line: (line.font, half(line.size), round(line.x0 / 40))):
        lines = list(group)
        block = next((one for one in reversed(candidates[-5:]) if _continues(one, lines)), None)
        if block is None:
            candidates.append(lines)
        else:
            block += lines
    best: list[Line] = []
    for block in candidates:
        lines = block
        wide = max(line.width for line in lines) > 1.2 * styles.column
        plain = lines[0].font == styles.font and abs(lines[0].size - styles.size) < 0.45
        if plain and wide:
            lines = _wide_part(lines, styles)
        length = sum(len(line.plain) for line in lines)
        if (
            (wide or not plain)
            and lines[0].size > styles.size - 0.65
            and length > 150
            and len(lines) > 1
            and length > sum(len(line.plain) for line in best)
        ):
            best = lines
    return best or _short_abstract(candidates, styles)


def _short_abstract(candidates: Sequence[Sequence[Line]], styles: Styles) -> list[Line]:
    """A sentence or two in another size than the text's, over all of it."""
    texts = [
        line.y0
        for lines in candidates
        for line in lines
        if line.font == styles.font and abs(line.size - styles.size) < 0.3
    ]
    short = [
        list(lines)
        for lines in candidates
        if sum(len(line.plain) for line in lines) > 40
        and 0.3 < abs(lines[0].size - styles.size) < 2
        and lines[0].size > 7.5
        and not lines[0].strong
        and lines[-1].plain.rstrip().endswith((".", "?"))
        and lines[-1].y0 < min(texts, default=1e9)
    ]
    return max(short, key=lambda lines: sum(len(line.plain) for line in lines), default=[])


def _wide_part(lines: Sequence[Line], styles: Styles) -> list[Line]:
    """The lines across the columns, with the last, shorter one right below them."""
    kept: list[Line] = []
    for line in lines:
        if line.width > 1.2 * styles.column:
            kept.append(line)
        elif kept:
            if line.y0 - kept[-1].y1 < 0.5 * line.size:
                kept.append(line)
            break
    return kept


def _continues(block: Sequence[Line], lines: Sequence[Line]) -> bool:
    last, first = block[-1], lines[0]
    return (
        abs(last.size - first.size) < 0.3
        and first.y0 - last.y1 < 1.2 * first.size
        and abs(min(line.x0 for line in block) - first.x0) < 20
        and last.font == first.font
    )


def _find_authors(front: Front, rest: Sequence[Line], styles: Styles) -> None:
    top = min((line.y0 for line in front.abstract), default=1e9)
    lines = [
        line
        for line in rest
        if id(line) not in front.used
        and line.y1 < top + 2
        and (line.size > 6.9 or not any(map(str.isalpha, line.plain)))
        and not (line.font == styles.font and half(line.size) == styles.size)
    ]
    block: list[Line] = []
    for line in _in_rows(lines):
        if block and line.y0 - max(one.y1 for one in block) > 2.2 * line.size:
            break
        if block and any(map(str.isalpha, line.plain)) and abs(line.size - block[0].size) > 1.2:
            continue
        block.append(line)
    front.use(lines if front.abstract else block)
    main = max((line.size for line in block), default=10.0)
    front.authors = names_in(" ".join(_without_raised(line, main) for line in block).replace("- ", "-"))


def _in_rows(lines: Sequence[Line]) -> list[Line]:
    """In reading order, where raised marks stand as lines of their own between names."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: (line.y0 + line.y1) / 2):
        middle = (line.y0 + line.y1) / 2
        if rows and any(one.y0 - 1 < middle < one.y1 + 1 for one in rows[-1]):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [line for row in rows for line in sorted(row, key=lambda line: line.x0)]


def _without_raised(line: Line, main: float) -> str:
    """The line's text with marks of affiliations, which end a name, as commas."""
    return "".join(letters(run.text) if run.size > 0.83 * main and "Pi" not in run.font else ", " for run in line.runs)


_NAME = re.compile(r"^[^\W\d_][^\d@:/]{1,60}$")


def names_in(text: str) -> tuple[str, ...]:
    """Names in a list of authors: ``A. One, B. Two & C. Three``."""
    text = re.sub(r"[✉✉*†‡§¶#]|\d+|\b(?:and|&)\b|&", lambda found: "," if found[0] in {"&", "and"} else " ", text)
    names = []
    for piece in text.split(","):
        name = squeeze(re.sub(r"[^\w\s.'’‘`‐-‑–-]", " ", piece)).strip(" .-") if piece.strip() else ""
        if _NAME.match(name) and " " in name and name[0].isupper():
            names.append(name)
    return tuple(names)
