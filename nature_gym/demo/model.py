"""What the demo world is made of: papers, their truth, and the hosts that serve them.

Everything here is plain, immutable data. The modules beside this one make it
(``studies``, ``fates``, ``shallow``), write it as a journal would (``typesetting``)
and serve it (``miniweb``); none of them holds state of its own.

**Inline markup.** All running text in a paper is written in one small language,
read by :mod:`nature_gym.demo.inline`:

===================  ====================================================
``*text*``           italic
``**text**``         bold
``^2^`` ``~i~``      superscript, subscript
``$x_i$``            mathematics, in TeX
``[text](url)``      a link
``[@3,5]``           citations of references 3 and 5 (numbers start at 1)
``[#table-2]``       a cross-reference, printed "Table 2"; also ``#figure-``
``\\*``               the character itself
===================  ====================================================

Addresses in texts are the real ones of the hosts (``https://github.com/...``). The
mini-web stands in for every host at once; see ``Settings.mirror``.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

# -- the paper ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph of running text, in inline markup."""

    text: str


@dataclass(frozen=True, slots=True)
class Bullets:
    """An unnumbered list; each item in inline markup."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Equation:
    """A displayed, numbered equation in TeX (the common subset of MathJax and Typst's mitex)."""

    tex: str


@dataclass(frozen=True, slots=True)
class Placement:
    """The place in the text where a float stands.

    ``what`` is ``"table"`` or ``"figure"``; ``number`` starts at 1.
    """

    what: Literal["table", "figure"]
    number: int


@dataclass(frozen=True, slots=True)
class Section:
    """A section; ``level`` 1 is a main heading, 2 and 3 stand below it."""

    title: str
    level: int
    blocks: tuple[Paragraph | Bullets | Equation | Placement, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A real table. Cells are inline markup (bold best values, ``±``, ``10^-3^``).

    ``header`` may have several rows; ``None`` continues the cell to its left
    (a column span). ``notes`` are the footnotes under the table.
    """

    number: int
    caption: str
    header: tuple[tuple[str | None, ...], ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Series:
    """One line or set of points or bars of a figure."""

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure that the typesetter draws from its numbers."""

    number: int
    caption: str
    kind: Literal["lines", "points", "bars", "flow"]
    series: tuple[Series, ...] = ()
    x_label: str = ""
    y_label: str = ""
    steps: tuple[str, ...] = ()
    """For ``kind="flow"``: the boxes of a pipeline, left to right."""


@dataclass(frozen=True, slots=True)
class Reference:
    """An entry of the reference list. ``url`` may be a data or code link."""

    authors: str
    title: str
    source: str
    year: int
    doi: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Author:
    """One of a paper's authors."""

    given: str
    family: str
    affiliation: str
    corresponding: bool = False


@dataclass(frozen=True, slots=True)
class Venue:
    """A journal: its OpenAlex source id, its ISSN-L and the short form used in citations."""

    name: str
    abbreviation: str
    issn_l: str
    source_id: str
    suffix_code: str
    """The journal's part of an article suffix: ``s42256`` in ``s42256-023-00601-4``."""


@dataclass(frozen=True, slots=True)
class Indexing:
    """Where OpenAlex's record of a paper is not what the paper itself would let one expect."""

    former_ids: tuple[str, ...] = ()
    """Ids under which OpenAlex held the work before it found that they were one: they lead to the present id."""
    knows_doi: bool = True
    title: str | None = None
    """OpenAlex's title where it keeps the publisher's HTML."""
    has_abstract: bool = True
    knows_retraction: bool = True
    updated: dt.date | None = None
    """When the record was last changed; None for some weeks or months after publication."""


@dataclass(frozen=True, slots=True)
class Paper:
    """One article, before it is typeset in any form.

    ``formats`` says which full texts the world serves: the article site (``html``),
    its PDF (``pdf``), Europe PMC (``xml``, which needs a ``pmcid``). ``template`` picks
    the article site's page design.
    """

    suffix: str
    venue: Venue
    title: str
    article_type: str
    published: dt.date
    authors: tuple[Author, ...]
    abstract: str
    sections: tuple[Section, ...]
    openalex_id: str
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    references: tuple[Reference, ...] = ()
    subjects: tuple[str, ...] = ()
    licence: str | None = "cc-by"
    oa_status: Literal["gold", "hybrid", "green", "bronze", "closed"] = "gold"
    retracted: bool = False
    pmcid: str | None = None
    formats: frozenset[str] = frozenset({"html", "pdf"})
    template: Literal["new", "old"] = "new"
    openalex_type: str = "article"
    """OpenAlex's ``type``; the article site may say otherwise in ``article_type``."""
    indexing: Indexing = Indexing()

    @property
    def doi(self) -> str:
        """10.5555 is the prefix that registration agencies keep for tests."""
        return f"10.5555/{self.suffix}"

    @property
    def id(self) -> str:
        """The paper's id everywhere in NatureGym: its DOI with ``/`` as ``_``, or OpenAlex's id if it knows no DOI."""
        return self.doi.replace("/", "_") if self.indexing.knows_doi else self.openalex_id

    @property
    def url(self) -> str:
        return f"https://www.nature.com/articles/{self.suffix}"


# -- the truth about it ------------------------------------------------------------

RULES = ("1.1", "2.1", "2.2", "3.1", "3.2", "3.3", "3.4", "3.5", "3.6")
"""The rules of the three levels, in the order in which they are asked."""


@dataclass(frozen=True, slots=True)
class RuleTruth:
    """What a careful reader says of one rule.

    ``rule`` is one of :data:`RULES` or ``"0"`` (article type and retraction). ``quote`` stands
    word for word in the paper's plain text (markup removed), or is empty where the
    evidence is an observation on a link, which ``note`` then tells.
    """

    rule: str
    verdict: Literal["pass", "reject"]
    code: str | None = None
    quote: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class MetricTruth:
    """A metric that the paper reports, and where."""

    name: str
    direction: Literal["higher_is_better", "lower_is_better"]
    primary: bool
    place: str
    """Where the paper prints it: ``Table 2``."""


@dataclass(frozen=True, slots=True)
class SettingTruth:
    """One evaluation setting: its data, its split, the paper's scores as printed."""

    name: str
    accepted: bool
    reason: str = ""
    development: tuple[str, ...] = ()
    """Paths in the repository or names of deposited files that make up D_dev."""
    evaluation: tuple[str, ...] = ()
    separability: str = ""
    """``trivial`` ... ``infeasible``, as in the design's cut page."""
    split: Mapping[str, object] = field(default_factory=dict)
    """Enough to repeat the split exactly: ``{"kind": "random", "seed": 13, "test_size": 0.2}``."""
    sota: Mapping[str, str] = field(default_factory=dict)
    """Metric name -> value as printed."""
    baseline: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TaskTruth:
    """The task tuple (A, D, M, S, B) of a paper that passes."""

    task_type: str
    domain: str
    method: str
    variants: tuple[str, ...]
    baselines: tuple[str, ...]
    reference_kind: Literal["label", "oracle", "distribution"]
    metrics: tuple[MetricTruth, ...]
    settings: tuple[SettingTruth, ...]


@dataclass(frozen=True, slots=True)
class Truth:
    """The expected fate of a paper: every rule up to the one that stops it."""

    rules: tuple[RuleTruth, ...]
    traps: tuple[str, ...] = ()
    """Names of the known traps of screening that this paper sets."""
    task: TaskTruth | None = None

    @property
    def verdict(self) -> Literal["passed", "rejected"]:
        return "rejected" if self.stopped_at else "passed"

    @property
    def stopped_at(self) -> str | None:
        return next((rule.rule for rule in self.rules if rule.verdict == "reject"), None)

    @property
    def code(self) -> str | None:
        return next((rule.code for rule in self.rules if rule.verdict == "reject"), None)


# -- code and data hosts -----------------------------------------------------------

Category = Literal[
    "initial_state",
    "data_preparation",
    "external_resource",
    "algorithm_preprocessing_output",
    "algorithm_output",
    "irrelevant",
    "code",
]


@dataclass(frozen=True, slots=True)
class CategoryTruth:
    """Files matching ``pattern`` (a glob on the path in the repository) are of ``category``."""

    pattern: str
    category: Category
    why: str


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit: the files it adds or replaces, and those that it removes."""

    date: dt.datetime
    message: str
    files: Mapping[str, bytes]
    removed: tuple[str, ...] = ()
    author: str = "A. Author"
    email: str = "author@example.org"


@dataclass(frozen=True, slots=True)
class Repository:
    """A git repository of authors. ``state`` other than ``open`` is what visitors meet."""

    owner: str
    name: str
    commits: tuple[Commit, ...]
    host: str = "github.com"
    description: str = ""
    licence: str | None = "MIT"
    default_branch: str = "main"
    state: Literal["open", "gone", "private", "empty"] = "open"
    categories: tuple[CategoryTruth, ...] = ()
    declared_kb: int | None = None
    """The size that the host's API tells, where it should not be the real one."""

    @property
    def url(self) -> str:
        return f"https://{self.host}/{self.owner}/{self.name}"

    @property
    def files(self) -> dict[str, bytes]:
        """The tree at the newest commit: path -> content."""
        tree: dict[str, bytes] = {}
        for commit in self.commits:
            for path in commit.removed:
                tree.pop(path, None)
            tree.update(commit.files)
        return tree


@dataclass(frozen=True, slots=True)
class DepositFile:
    """A file at a data host. ``declared_size`` (bytes) stands in for content too large to make."""

    name: str
    content: bytes | Callable[[], bytes] = b""
    declared_size: int | None = None
    md5: str | None = None
    """Only where the host is to tell a checksum that is wrong."""

    def read(self) -> bytes:
        return self.content if isinstance(self.content, bytes) else self.content()

    @property
    def size(self) -> int:
        return self.declared_size if self.declared_size is not None else len(self.read())


@dataclass(frozen=True, slots=True)
class Deposit:
    """A record at a data host.

    ``host``: ``zenodo.org``, ``figshare.com`` or ``huggingface.co`` have the response shapes of
    those services; a Hugging Face ``number`` is ``owner/name``. ``concept`` is Zenodo's
    concept record, which leads to the newest version.
    """

    host: Literal["zenodo.org", "figshare.com", "huggingface.co"]
    number: str
    title: str
    files: tuple[DepositFile, ...]
    published: dt.date = dt.date(2023, 1, 1)
    licence: str = "cc-by-4.0"
    state: Literal["open", "gone", "restricted"] = "open"
    concept: str | None = None
    version: str = "v1"


@dataclass(frozen=True, slots=True)
class Page:
    """Any other address: what it answers. ``headers`` may hold a ``location``.

    ``behaviour`` picks what the rude host does: ``slow`` (first byte after seconds), ``flaky``
    (503 twice, then right), ``limited`` (429 with Retry-After), ``reset`` (connection
    cut in the body), ``loop`` (redirects to itself), ``captcha`` (200 with a challenge).
    """

    url: str
    status: int = 200
    media_type: str = "text/html; charset=utf-8"
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    declared_size: int | None = None
    behaviour: Literal["plain", "slow", "flaky", "limited", "reset", "loop", "captcha"] = "plain"


# -- together ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entry:
    """A paper with its truth and everything on the web that belongs to it."""

    paper: Paper
    truth: Truth
    repositories: tuple[Repository, ...] = ()
    deposits: tuple[Deposit, ...] = ()
    pages: tuple[Page, ...] = ()
    retells: str = ""
    """Id of the paper whose story this one tells under other names; empty for a story of its own."""

    @property
    def story(self) -> str:
        """Id of the paper that first tells the story of this one."""
        return self.retells or self.paper.id


@dataclass(frozen=True, slots=True)
class World:
    """The demo world for one seed. Equal seeds and sizes give equal worlds, byte for byte."""

    seed: int
    entries: tuple[Entry, ...]

    @property
    def papers(self) -> tuple[Paper, ...]:
        return tuple(entry.paper for entry in self.entries)
