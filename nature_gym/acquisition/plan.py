"""What to take for a paper: the repositories that it names, and the data that screening saw, each once.

The links are those of the paper's statements; what was seen at them by screening says which lead to data, and hosts'
interfaces say what is there now. Sources of settings in main result tables come first, so that a budget that runs out
leaves what matters least. A source is one repository or one record, however many links lead to it. What came with the
paper stands for the links of its purpose.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from nature_gym import hosting
from nature_gym.acquisition.archives import SUFFIXES
from nature_gym.acquisition.brought import FOLDERS, Brought, brought
from nature_gym.acquisition.downloads import Wanted, name_at
from nature_gym.acquisition.faults import RepositoryError
from nature_gym.acquisition.repositories import check_url
from nature_gym.digests import digest_bytes
from nature_gym.errors import PaperError
from nature_gym.hosting import clouds
from nature_gym.hosting.holdings import Api, Held, Reference
from nature_gym.reading.links import FoundLink
from nature_gym.records import PaperFolder
from nature_gym.screening.manuscript import load_manuscript
from nature_gym.screening.probes import Probe
from nature_gym.screening.record import Screening, read_screening
from nature_gym.screening.stage import STAGE as SCREEN
from nature_gym.web.addresses import RESOLVERS

FORGES = ("github", "gitlab")
_OTHER_FORGES = re.compile(r"^(?:www\.)?(?:bitbucket\.org|codeberg\.org|gitee\.com|git\.[\w.-]+)$")

Kind = Literal["repository", "record", "file"]


@dataclass(frozen=True, slots=True)
class Source:
    """One thing to take. ``name`` is its folder's; ``links`` are the paper's addresses of it."""

    name: str
    kind: Kind
    url: str
    links: tuple[str, ...]
    purpose: Literal["code", "data"]
    reference: Reference | None = None
    size: int | None = None
    """Bytes, as screening saw them."""
    files: tuple[Wanted, ...] = ()
    """Of a record, once its host was asked."""
    licence: str | None = None
    notes: tuple[str, ...] = ()
    brought: Brought | None = None
    """The folder beside the article that is taken instead."""


@dataclass(frozen=True, slots=True)
class Plan:
    """``sources`` in the order in which they are taken; ``left_out`` are links, with why nothing is taken from them."""

    paper: str
    published: dt.date | None
    sources: tuple[Source, ...]
    left_out: dict[str, str] = field(default_factory=dict)


def screened(paper: PaperFolder) -> Screening:
    """What screening says of the paper. Raises PaperError where it did not pass."""
    published = paper.published(SCREEN)
    if published is None:
        raise PaperError("the paper was not screened yet", hint=f"Run 'naturegym screen {paper.id}'.")
    if published.record.status != "done" or published.record.verdict != "passed":
        reason = f" ({published.record.reason})" if published.record.reason else ""
        raise PaperError(f"the paper did not pass screening{reason}", hint="Only papers that pass are acquired.")
    return read_screening(published.folder)


def plan_of(paper: PaperFolder) -> Plan:
    """The plan, from what was read and screened; nobody is asked. Raises PaperError."""
    screening = screened(paper)
    manuscript = load_manuscript(paper)
    probes = {probe.url: probe for probe in screening.probes}
    left_out: dict[str, str] = {}
    found: dict[str, Source] = {}
    for link in _wanted_links(manuscript.links, probes, left_out):
        source = _source(link.url, link.kind, probes.get(link.url))
        if source is None:
            left_out[link.url] = "a page, not a file, a record or a repository"
            continue
        _add(found, source)
    for folder in brought(paper):
        _put_in_place(found, folder, left_out)
    work = manuscript.work
    published = work.published if work is not None else None
    names = [setting.name for setting in screening.task.settings if setting.accepted]
    return Plan(paper.id, published, tuple(_ordered(found.values(), names)), left_out)


def _put_in_place(found: dict[str, Source], folder: Brought, left_out: dict[str, str]) -> None:
    """Let a folder that came with the paper stand for the sources of its purpose, under the first one's address."""
    replaced = [source for source in found.values() if source.purpose == folder.purpose]
    for source in replaced:
        del found[source.name]
    top = FOLDERS[folder.purpose]
    first = replaced[0] if replaced else Source(top, _BROUGHT_KIND[folder.purpose], "", (), folder.purpose)
    left_out.update({link: f"{top}/ came with the paper" for source in replaced[1:] for link in source.links})
    note = f"taken from {top}/, which came with the paper; no host was asked"
    found[first.name] = Source(
        first.name, _BROUGHT_KIND[folder.purpose], first.url, first.links, folder.purpose, size=folder.size,
        notes=(note,), brought=folder,
    )  # fmt: skip


_BROUGHT_KIND: dict[Literal["code", "data"], Kind] = {"code": "repository", "data": "record"}


def _wanted_links(
    links: Sequence[FoundLink], probes: dict[str, Probe], left_out: dict[str, str]
) -> Iterable[FoundLink]:
    """Links to code and to data: of the latter those that screening looked at, where it looked at any."""
    looked = any(link.url in probes for link in links if link.kind == "data")
    for link in links:
        if link.kind not in ("code", "data"):
            continue
        probe = probes.get(link.url)
        if probe is not None and probe.status not in ("accessible", "error"):
            left_out[link.url] = f"not open: {probe.status}"
        elif link.kind == "data" and probe is None and looked and not _is_forge(link.url):
            left_out[link.url] = "not needed: screening found the data at other links"
        else:
            yield link


def _is_forge(url: str) -> bool:
    reference = hosting.recognise(url)
    if reference is not None:
        return reference.family in FORGES and reference.file is None
    parts = urlsplit(url)
    segments = [segment for segment in parts.path.split("/") if segment]
    is_git = parts.path.endswith(".git") or bool(_OTHER_FORGES.match(parts.netloc.lower()))
    return is_git and len(segments) >= 2


def _source(url: str, kind: str, probe: Probe | None) -> Source | None:
    """What a link leads to; None where that is nothing to be taken."""
    purpose: Literal["code", "data"] = "code" if kind == "code" else "data"
    size = probe.size_bytes if probe is not None else None
    reference = hosting.recognise(url)
    if _is_forge(url):
        address = _repository_url(url, reference)
        return Source(_folder_name(address), "repository", address, (url,), purpose, reference, size)
    if reference is not None and reference.file is None:
        return Source(_record_name(reference), "record", url, (url,), purpose, reference, size)
    if reference is not None and reference.family not in FORGES:
        # One file of a record: it is taken as a part of the record, whose interface knows its checksum.
        return Source(_record_name(reference), "record", url, (url,), purpose, reference, size)
    if not _names_file(url, probe):
        return None
    wanted = (Wanted(name_at(url), url, size),)
    return Source(_folder_name(url), "file", url, (url,), purpose, reference, size, wanted)


_FILE = re.compile(r"\.[A-Za-z0-9]{1,10}$")
_PAGE = re.compile(r"\.(?:html?|php|aspx?|jsp|cgi|xhtml|org|com|net|edu)$", re.IGNORECASE)


def _names_file(url: str, probe: Probe | None) -> bool:
    """Whether a link leads to a file: screening saw one there, or its name is that of one."""
    share = clouds.share(url)
    if share is not None:
        return share.what == "file"
    if probe is not None and probe.media_type:
        return not probe.media_type.startswith("text/html")
    path = urlsplit(url).path
    return bool(_FILE.search(path)) and not _PAGE.search(path) and urlsplit(url).netloc not in RESOLVERS


def _repository_url(url: str, reference: Reference | None) -> str:
    if reference is not None:
        return f"https://{reference.site}/{reference.key}"
    parts = urlsplit(url)
    segments = [segment for segment in parts.path.split("/") if segment]
    deep = segments if parts.path.endswith(".git") else segments[:2]
    address = f"https://{parts.netloc}/{'/'.join(deep)}"
    try:
        return check_url(address)
    except RepositoryError:
        return url  # which is refused where it is taken, and told there


def _folder_name(url: str) -> str:
    """A folder's name by an address: readable, and never the same for two."""
    parts = urlsplit(url)
    path = parts.path.strip("/").removesuffix(".git")
    name = re.sub(r"[^A-Za-z0-9._-]+", "+", f"{parts.netloc.removeprefix('www.')}/{path}").strip("+.")
    if len(name) > 120 or parts.query:
        name = f"{name[:100]}+{digest_bytes(url.encode(errors='surrogateescape'))[7:15]}"
    return name


def _record_name(reference: Reference) -> str:
    version = f"+v{reference.version}" if reference.version and reference.version.isdigit() else ""
    return re.sub(r"[^A-Za-z0-9._+-]+", "+", f"{reference.site}+{reference.key}{version}")[:150]


def _add(found: dict[str, Source], source: Source) -> None:
    """Add a source, or its link to the same one that another link led to; a whole record stands for its files."""
    known = found.get(source.name)
    if known is None:
        found[source.name] = source
        return
    whole = source if known.reference is not None and known.reference.file is not None else known
    if known.reference is not None and source.reference is not None and _both_files(known, source):
        whole = Source(
            known.name, known.kind, known.url, known.links, known.purpose,
            Reference(known.reference.family, known.reference.site, known.reference.key, None, known.reference.version),
        )  # fmt: skip
    sizes = [one.size for one in (known, source) if one.size is not None]
    found[source.name] = Source(
        whole.name, whole.kind, whole.url, tuple(dict.fromkeys((*known.links, *source.links))),
        "code" if "code" in (known.purpose, source.purpose) else "data", whole.reference, max(sizes, default=None),
        whole.files,
    )  # fmt: skip


def _both_files(one: Source, other: Source) -> bool:
    first, second = one.reference, other.reference
    return bool(first and second and first.file and second.file and first.file != second.file)


def _ordered(sources: Iterable[Source], names: Sequence[str]) -> list[Source]:
    """Code first, which is small and says what the data are for; then what settings name; then the small."""
    plain = [re.sub(r"[^a-z0-9]", "", name.casefold()) for name in names]

    def rank(source: Source) -> tuple[int, int, int]:
        told = re.sub(r"[^a-z0-9]", "", " ".join((source.name, *source.links)).casefold())
        named = any(name and name in told for name in plain)
        return (source.purpose != "code", not named, source.size or 0)

    return sorted(sources, key=rank)


def ask(source: Source, api: Api) -> Source:
    """A record with its files, as its host lists them now. Raises PaperError where there is nothing to be had.

    Raises HostError where the host cannot be asked.
    """
    if source.brought is not None or source.kind != "record" or source.reference is None:
        return source
    reference = source.reference
    if reference.key.startswith("file/"):
        return Source(
            source.name, "file", source.url, source.links, source.purpose, reference, source.size,
            (Wanted(name_at(source.url), source.url, source.size),),
        )  # fmt: skip
    holding = hosting.look(reference, api)
    if holding.state in ("restricted", "absent", "empty"):
        raise PaperError(
            f"{reference.id} is {'there, but empty' if holding.state == 'empty' else holding.state}",
            hint="Screen the paper again: what was seen there has changed.",
        )
    files = tuple(_wanted(held) for held in holding.files if held.url and _is_wanted(held, reference))
    if not files:
        raise PaperError(f"{reference.id} lists no files that can be taken", hint="Look at its page.")
    return Source(
        source.name, "record", holding.url or source.url, source.links, source.purpose, reference,
        holding.size or source.size, files, holding.licence, holding.notes,
    )  # fmt: skip


def _is_wanted(held: Held, reference: Reference) -> bool:
    return reference.file is None or held.name == reference.file


def _wanted(held: Held) -> Wanted:
    return Wanted(held.name, held.url or "", held.size, held.checksum)


def by_weight(files: Iterable[Wanted], names: Sequence[str] = ()) -> list[Wanted]:
    """Files of a record in the order in which they are taken: those that settings name first, archives last."""
    plain = [re.sub(r"[^a-z0-9]", "", name.casefold()) for name in names]

    def rank(wanted: Wanted) -> tuple[bool, bool, int, str]:
        told = re.sub(r"[^a-z0-9]", "", wanted.name.casefold())
        named = any(name and name in told for name in plain)
        return (not named, wanted.name.lower().endswith(SUFFIXES), wanted.size or 0, wanted.name)

    return sorted(files, key=rank)
