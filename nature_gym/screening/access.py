"""Which parts of what a paper offers its task needs, and what is seen of them.

Of an availability statement only that counts which the task needs: photographs on request stand in no one's way where
the tables are public. Where the data came from in the first place is not where they lie now.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from nature_gym.screening.deciders import Case
from nature_gym.screening.probes import Probe
from nature_gym.screening.settings import BLOCKED, names_any
from nature_gym.screening.statements import Component, components

_ALL = re.compile(
    r"^(?:all|both|each|any|these|(?:the|our) (?:\w+ ){0,2}?(?:data|data ?sets?|materials?)\b|data\b|data ?sets?\b)",
    re.IGNORECASE,
)
"""Speaks of the data as a whole."""
_ON_REQUEST_HOSTS = ("zenodo", "figshare", "dataverse", "datadryad", "dryad", "osf", "mendeley", "4tu")
"""Hosts whose closed records are opened by those who deposited them, when asked."""
_DEVELOPMENT_FILE = re.compile(r"(?:^|[_\W])(?:train\w*|dev\w*|valid\w*|val)(?:[_\W\d]|$)", re.IGNORECASE)
_EVALUATION_FILE = re.compile(
    r"(?:^|[_\W])(?:test\w*|eval\w*|held_?out|hold_?out|quer(?:y|ies))(?:[_\W\d]|$)", re.IGNORECASE
)
_NO_DATA = re.compile(
    r"(?:^|/)(?:readme|licen[cs]e|notice|changelog|\.gitkeep|\.gitignore|__init__)|\.(?:py|md|r|sh|toml|cfg|"
    r"ya?ml|rst|ipynb)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Offer:
    """What the statements of a paper offer of its data, as far as the task needs it."""

    open: tuple[Component, ...]
    """Public data, or data within the paper."""
    blocked: tuple[Component, ...]
    """Data that the task needs and that cannot be had without asking."""
    withheld: tuple[Component, ...]
    """Data that are not given out at all."""
    doubtful: tuple[Component, ...]
    """On request, and perhaps needed: the statement does not tell."""
    everything: tuple[Component, ...]

    @property
    def urls(self) -> tuple[str, ...]:
        """The links to data that the task needs: where the data lie, not where they came from."""
        return tuple(dict.fromkeys(url for component in self.homes for url in component.urls))

    @property
    def homes(self) -> tuple[Component, ...]:
        """The open components that hold the data."""
        return tuple(one for one in self.open if not one.origin) or self.open


def offer_of(case: Case, names: Sequence[str] = ()) -> Offer:
    """What the paper offers. ``names`` are those of its data sets."""
    everything = components(case.manuscript)
    data = [one for one in everything if one.of_data and not one.not_needed]
    open_ = tuple(one for one in data if one.term in {"public", "in_paper"} and _holds_data(one, data))
    blocked, doubtful = [], []
    for one in data:
        if one.term in BLOCKED:
            match _needed(one, open_, names):
                case True:
                    blocked.append(one)
                case None:
                    doubtful.append(one)
                case False:
                    pass
    withheld = tuple(one for one in data if one.term == "withheld")
    return Offer(open_, tuple(blocked), withheld, tuple(doubtful), everything)


def _holds_data(one: Component, data: Iterable[Component]) -> bool:
    """Public code that merely deals with data ("source code and trained models") holds none, where others do."""
    if one.matters != {"code", "data"} or one.data_urls:
        return True
    plainly = any(other.term in {"public", "in_paper"} and other.matters == {"data"} and other.urls for other in data)
    return not (
        plainly and re.match(r"(?:source |all |the |our )*(?:codes?|scripts?|software)\b", one.clause, re.IGNORECASE)
    )


def _needed(one: Component, open_: Sequence[Component], names: Sequence[str]) -> bool | None:
    """Whether the task needs what is blocked; None where the statement does not tell."""
    if not _hold_more_than_figures(open_):
        return True
    if one.rest:
        return False
    named = [name for name in names if names_any(one.clause, [name])]
    if named:
        # Another data set may still be open; then the setting goes, not the paper.
        elsewhere = [name for name in names if name not in named]
        return not any(names_any(other.clause, elsewhere) or _ALL.match(other.clause) for other in open_)
    parts = one.parts & {"development", "evaluation", "reference"}
    if parts:
        return not any(parts <= other.parts for other in open_)
    if any(_ALL.match(other.clause) or names_any(other.clause, names) for other in open_):
        return False
    return None if _ALL.match(one.clause) else False


_BEHIND_FIGURES = re.compile(
    r"\bsource data\b|\bsupport(?:s|ing)? (?:the |our )?(?:\w+ )?(?:findings|results|conclusions)\b|"
    r"\b(?:needed|necessary|required) to (?:evaluate|assess|support) the\b|^the main data\b",
    re.IGNORECASE,
)


def _hold_more_than_figures(open_: Sequence[Component]) -> bool:
    """Whether anything open is more than the numbers behind figures, which come with most papers."""
    return any(one.term == "public" or not _BEHIND_FIGURES.search(one.clause) for one in open_)


# -- what is seen ----------------------------------------------------------------------


def code_of_refusal(probe: Probe, clause: str) -> str:
    """Why a link that wants a log-in or more cannot be had without interaction."""
    told = f"{clause} {' '.join(probe.notes)}"
    if re.search(r"\bagreement|\bDUA\b|\bNDA\b|\bterms of use\b", told, re.IGNORECASE):
        return "agreement_required"
    if re.search(r"\bon request\b|\bupon request\b|\brequested from\b", told, re.IGNORECASE):
        return "on_request"
    holder = f"{probe.holding or ''} {probe.url}".casefold()
    closed_record = probe.status == "requires_auth" and any(host in holder for host in _ON_REQUEST_HOSTS)
    return "on_request" if closed_record else "identity_required"


def statuses(urls: Iterable[str], probes: Mapping[str, Probe]) -> dict[str, list[Probe]]:
    """The probes of ``urls`` by status."""
    found: dict[str, list[Probe]] = {}
    for url in urls:
        if url in probes:
            found.setdefault(probes[url].status, []).append(probes[url])
    return found


def empty_files(probe: Probe, part: str) -> tuple[list[str], bool]:
    """(the empty data files of a ``development`` or ``evaluation`` part, whether all files of that part are empty)."""
    wanted, other = (
        (_DEVELOPMENT_FILE, _EVALUATION_FILE) if part == "development" else (_EVALUATION_FILE, _DEVELOPMENT_FILE)
    )
    files = [(name, size) for name, size in probe.files if size is not None and not _NO_DATA.search(name)]
    ours = [(name, size) for name, size in files if wanted.search(name) and not other.search(name)]
    empty = [name for name, size in ours if size == 0]
    return empty, bool(ours) and len(empty) == len(ours)


def all_empty(probe: Probe) -> bool:
    """Whether a record lists data files, none of which holds anything."""
    files = [size for name, size in probe.files if size is not None and not _NO_DATA.search(name)]
    return bool(files) and not any(files)


_FILE_NAME = re.compile(
    r"(?<![\w/.:-])[\w][\w.-]*\.(?:csv|tsv|txt|json|jsonl|npz|npy|h5|hdf5|h5ad|nc|mat|parquet|fasta|fa|mgf|star|"
    r"tif|tiff|zip|"
    r"tar|tgz|gz|pkl|pt|sdf|pdb|xlsx|bed|vcf|nwb|edf|zst|7z|xz|bz2)(?:\.(?:gz|xz|bz2|zst))?\b",
    re.IGNORECASE,
)


def missing_files(clauses: Iterable[str], probes: Iterable[Probe], *, beside: Iterable[str]) -> list[str]:
    """Files named in ``clauses`` that the records do not list, though they list others of those named ``beside``."""
    listed = {name.rpartition("/")[2].casefold() for probe in probes for name, _ in probe.files}
    if not listed or not any(name.casefold() in listed for clause in beside for name in _FILE_NAME.findall(clause)):
        return []
    named = dict.fromkeys(name for clause in clauses for name in _FILE_NAME.findall(clause))
    return [name for name in named if name.casefold() not in listed]
