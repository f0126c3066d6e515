"""The stage ``fetch``: a paper's own files, as far as licences allow, politely and once.

Sources are tried in order, best to read first: the article site's page with its table pages and PDF, Europe PMC's
JATS, a PDF elsewhere. The first that holds the text ends the search. What is the host's trouble (a time-out, a
captcha) stops the paper as an error that is tried again, so that a bad hour never makes a worse source
final; what is not there, or not open, leads on to the next source. The pictures of figures come along where they
can be had: nothing that goes wrong with one of them stops a paper::

    fetch/  article.html  tables/1.html  figures/1.png  article.pdf   (or article.xml, figures/1.jpg; or article.pdf)
            sources.json    for each file: where it came from, what it is, and when
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from nature_gym.config import Settings
from nature_gym.errors import PaperError
from nature_gym.files import to_json
from nature_gym.fulltext.access import ON_THE_SITE, is_article_page, page_kind, refusal
from nature_gym.fulltext.europepmc import BASE, find_pmcid, full_text_url
from nature_gym.fulltext.figures import Pictures, picture_ending, pictures_of_page, pictures_of_xml
from nature_gym.harvest.stage import STAGE as HARVEST
from nature_gym.harvest.stage import WORK
from nature_gym.harvest.works import Work
from nature_gym.records import PaperFolder, Papers
from nature_gym.stages import Outcome
from nature_gym.web.addresses import brief
from nature_gym.web.faults import (
    CaptchaError,
    HostError,
    NoAccessError,
    NotThereError,
    RobotsError,
    TooLargeError,
    WrongAnswerError,
    WrongTypeError,
)
from nature_gym.web.fetcher import Fetched, Fetcher
from nature_gym.web.hosts import ComeBackLaterError
from nature_gym.web.kinds import HTML, MEGABYTE, PDF, XML, Kind

STAGE = "fetch"
SOURCES = "sources.json"
SITE = str(Settings.model_fields["article_url"].default)
ARTICLE = HTML.narrowed("an article page", is_article_page)
TABLE = HTML.narrowed("a table page", lambda body: b"<table" in body or b"c-article-" in body)
PICTURE = Kind("a picture", "image/*", 30 * MEGABYTE, lambda _, body: picture_ending(body) is not None)
PICTURE_TROUBLES = (NoAccessError, NotThereError, RobotsError, TooLargeError, WrongTypeError, WrongAnswerError)
"""What is said of one picture alone, and not of its host."""
MOST_TABLES = 60

Source = Literal["html", "xml", "pdf"]

_FACTS = (
    "doi", "landing_page_url", "pdf_url", "pmcid", "is_oa", "oa_status", "licence", "retracted",
)  # fmt: skip
_SITE_PREFIXES = ("10.1038/",)
_SITE_SUFFIX = re.compile(r"s4\d{4}-\d{3}-\d{4,5}-[\dxyz]")


class FetchStage:
    """Fetches the files of one paper after the other; several threads may share it."""

    name = STAGE
    rules = "2"

    def __init__(self, settings: Settings, *, anew: bool = False) -> None:
        """With ``anew``, what is in the cache is asked for again (and only sent again where it changed)."""
        self._settings = settings
        self._fetcher = Fetcher(settings)
        self._max_age = 0.0 if anew else None

    def inputs(self, paper: PaperFolder) -> Any:
        """What OpenAlex says of where the text is, and of who may read it."""
        work = read_harvest(paper)
        return {name: getattr(work, name) for name in _FACTS}

    def work(self, paper: PaperFolder, draft: Path) -> Outcome:
        """Fetch; verdicts are ``done``, ``no_access``, ``not_found``.

        Raises HostError and ComeBackLaterError for troubles of hosts; TooLargeError or WrongTypeError where
        the only text there is cannot be taken.
        """
        work = read_harvest(paper)
        if (closed := refusal(work)) is not None:
            return Outcome("no_access", closed)
        search = _Search(self._settings, self._fetcher, work, draft, self._max_age)
        source = search.run()
        (draft / SOURCES).write_bytes(to_json({"source": source, "files": search.files, "problems": search.problems}))
        facts = {
            "source": source,
            "files": len(search.files),
            "bytes": sum(file["bytes"] for file in search.files),
            "tables": sum(file["file"].startswith("tables/") for file in search.files),
            "figures": sum(file["file"].startswith("figures/") for file in search.files),
        }
        if source is not None:
            return Outcome("done", "; ".join(search.problems), facts)
        return Outcome(search.verdict(), "; ".join(search.problems) or "no address leads to its text", facts)


def fetchable(papers: Papers) -> list[str]:
    """Ids of the papers whose harvest is done, those of each host spread evenly over the list.

    A host answers one request at a time; so whoever works on several papers at once gets them from different hosts.
    """
    by_host: dict[str, list[str]] = {}
    for paper in papers:
        try:
            work = read_harvest(paper)
        except PaperError:
            continue
        if is_ingested(paper):
            continue
        url = article_url(work) or (BASE if work.pmcid else work.pdf_url or "")
        by_host.setdefault(urlsplit(url).netloc, []).append(paper.id)
    placed = [
        ((position + 0.5) / len(ids), host, paper)
        for host, ids in by_host.items()
        for position, paper in enumerate(ids)
    ]
    return [paper for _, _, paper in sorted(placed)]


def is_ingested(paper: PaperFolder) -> bool:
    """Whether the paper's files are the user's own, which no fetch replaces unless it is told to."""
    record = paper.record(STAGE)
    return record is not None and record.verdict == "ingested"


def refetch_stage(settings: Settings) -> FetchStage:
    """The stage that asks hosts whether what is in the cache is still what they would send."""
    return FetchStage(settings, anew=True)


def read_harvest(paper: PaperFolder) -> Work:
    """The paper's work, from its harvest. Raises PaperError where it has none, or was withdrawn since."""
    publication = paper.published(HARVEST)
    if publication is None:
        raise PaperError("it was not harvested", hint="'naturegym harvest' comes first; 'naturegym ingest' needs none.")
    if publication.record.verdict != "done":
        raise PaperError(f"its harvest says: {publication.record.verdict}", hint="Such papers are not fetched.")
    return Work.model_validate_json((publication.folder / WORK).read_bytes())


def article_url(work: Work) -> str | None:
    """The work's page on the article site; None where it is not known to be there.

    >>> article_url(Work(id="x", openalex_id="W1", doi="10.1038/srep01011"))
    'https://www.nature.com/articles/srep01011'
    """
    landing = work.landing_page_url or ""
    if landing.startswith(f"{SITE}/articles/"):
        return landing
    prefix, _, suffix = (work.doi or "").partition("/")
    if suffix and (f"{prefix}/" in _SITE_PREFIXES or _SITE_SUFFIX.fullmatch(suffix)):
        return f"{SITE}/articles/{suffix}"
    return None


class _Search:
    """The search for one paper's text: what was taken, and what was in the way."""

    def __init__(self, settings: Settings, fetcher: Fetcher, work: Work, draft: Path, max_age: float | None) -> None:
        self._settings = settings
        self._fetcher = fetcher
        self._work = work
        self._draft = draft
        self._max_age = max_age
        self.files: list[dict[str, Any]] = []
        self.problems: list[str] = []
        self._unusable: PaperError | None = None
        self._closed = False

    def run(self) -> Source | None:
        """Try the sources in turn; the kind of the one that holds the text, None where there is none."""
        return self._from_site() or self._from_europepmc() or self._from_pdf()

    def verdict(self) -> str:
        """What is said of a paper without text. Raises what made the text that there is unusable."""
        if self._unusable is not None:
            raise self._unusable
        return "no_access" if self._closed else "not_found"

    # -- the sources -----------------------------------------------------------------

    def _from_site(self) -> Source | None:
        url = article_url(self._work) or self._landing()
        if url is None or self._work.oa_status == "green":
            return None
        page = self._try(url, ARTICLE)
        if page is None:
            return None
        if urlsplit(page.final_url).hostname != urlsplit(SITE).hostname:
            self.problems.append(
                f"{brief(url)} leads to another site ({brief(page.final_url)}), whose pages are not read"
            )
            return None
        body = self._fetcher.read(page)
        kind = page_kind(body)
        if kind == "access":
            self._closed = True
            self.problems.append(f"{brief(page.final_url)} shows how to get access, not the text")
            return None
        base = page.final_url.partition("?")[0].rstrip("/")
        if kind == "abstract":
            self.problems.append(f"{brief(page.final_url)} holds the abstract alone")
            return "pdf" if self._take(f"{base}.pdf", PDF, "article.pdf") else None
        self._keep(page, "article.html")
        for number in table_numbers(body, base):
            self._take(f"{base}/tables/{number}", TABLE, f"tables/{number}.html")
        self._take(f"{base}.pdf", PDF, "article.pdf", needed=False)
        self._take_pictures(pictures_of_page(body, base))
        return "html"

    def _landing(self) -> str | None:
        """Where the DOI leads, for a work that the article site may or may not have."""
        if self._work.oa_status not in ON_THE_SITE or not self._work.doi:
            return None
        return f"https://doi.org/{self._work.doi}"

    def _from_europepmc(self) -> Source | None:
        pmcid = self._work.pmcid
        if pmcid is None and self._work.doi:
            pmcid = find_pmcid(self._fetcher, self._work.doi, max_age=self._max_age)
        if pmcid is None:
            return None
        if not self._take(full_text_url(pmcid), XML, "article.xml"):
            return None
        self._take_pictures(pictures_of_xml((self._draft / "article.xml").read_bytes(), pmcid))
        return "xml"

    def _from_pdf(self) -> Source | None:
        url = self._work.pdf_url
        if url is None or any(file["url"] == url for file in self.files):
            return None
        try:
            return "pdf" if self._take(url, PDF, "article.pdf") else None
        except ComeBackLaterError as error:
            if urlsplit(url).hostname == urlsplit(SITE).hostname:
                raise
            # One host among many: the others' papers go on.
            raise HostError(error.message, hint=error.hint) from error

    def _take_pictures(self, pictures: Pictures) -> None:
        """The figures' pictures, each from the first of its addresses that has it, as far as the paper's bytes go.

        A host in trouble is not asked for the next one; the text is what the paper is fetched for.
        """
        for number, addresses in pictures.items():
            for url in addresses:
                left = self._settings.paper_byte_budget - sum(file["bytes"] for file in self.files)
                if left <= 0:
                    self.problems.append("the pictures of figures are more than the bytes that one paper may have")
                    return
                try:
                    picture = self._fetcher.get(url, PICTURE, max_age=self._max_age, most_bytes=left)
                except PICTURE_TROUBLES as error:
                    trouble = error.message
                    continue
                except (HostError, ComeBackLaterError) as error:
                    self.problems.append(f"no pictures of figures from {number} on: {error.message}")
                    return
                with self._fetcher.store.path(picture.digest).open("rb") as file:
                    self._keep(picture, f"figures/{number}.{picture_ending(file.read(16))}")
                break
            else:
                self.problems.append(f"no picture of figure {number}: {trouble}")

    # -- one address -----------------------------------------------------------------

    def _try(self, url: str, kind: Kind) -> Fetched | None:
        """What is at an address; None where it is the address's fault that nothing can be had, which is noted."""
        most = min(kind.most_bytes, self._settings.paper_byte_budget)
        try:
            return self._fetcher.get(url, kind, max_age=self._max_age, most_bytes=most)
        except (NoAccessError, RobotsError) as error:
            self._closed = True
            self.problems.append(error.message)
        except NotThereError as error:
            self.problems.append(error.message)
        except (TooLargeError, WrongTypeError) as error:
            self._unusable = error
            self.problems.append(error.message)
        return None

    def _take(self, url: str, kind: Kind, name: str, *, needed: bool = True) -> bool:
        """Fetch an address and keep what is there as ``name``; whether it could be had.

        What is not needed does not stop the paper where a captcha stands in its way.
        """
        try:
            fetched = self._try(url, kind)
        except CaptchaError as error:
            if needed:
                raise
            self.problems.append(error.message)
            return False
        if fetched is None:
            return False
        self._keep(fetched, name)
        return True

    def _keep(self, fetched: Fetched, name: str) -> None:
        self._fetcher.store.link(fetched.digest, self._draft / name)
        self.files.append(
            {
                "file": name,
                "url": fetched.url,
                "final_url": fetched.final_url,
                "status": fetched.status,
                "media_type": fetched.media_type,
                "bytes": fetched.size,
                "digest": fetched.digest,
                "etag": fetched.headers.get("etag"),
                "when": fetched.when.isoformat(),
            }
        )


def table_numbers(page: bytes, base: str) -> list[int]:
    """Numbers of the table pages that an article page links to, in order.

    >>> table_numbers(b'<a href="/articles/s1/tables/2">Full size table</a>', "https://www.nature.com/articles/s1")
    [2]
    """
    path = re.escape(urlsplit(base).path.encode())
    found = {int(number) for number in re.findall(path + rb"/tables/(\d{1,3})\b", page)}
    return sorted(found)[:MOST_TABLES]
