"""The link prober: is it there, for everybody, and how large, from at most 64 KB of it.

Links to records and repositories are put to their host's interface; the others are asked for their head, or for their
beginning. Hosts are asked side by side, each by one thread at a time, in the host's turn from the first byte of the
question to the last of the answer: so that there is never more than one request at a host, and never a thread that
waits behind another's. What was seen is kept with its date as soon as it is seen.

A captcha, and a refusal that is meant for programs alone, say nothing about who may have the data: they are errors, as
a host that cannot be reached is. Errors are not remembered, and never a reason to reject.
"""

from __future__ import annotations

import dataclasses
import queue
import re
import threading
import time
import zlib
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypedDict, Unpack
from urllib.parse import urldefrag, urljoin, urlsplit

import pydantic_core
import requests
import urllib3

from nature_gym import hosting
from nature_gym.config import Settings
from nature_gym.hosting import clouds
from nature_gym.hosting.holdings import Holding, Reference
from nature_gym.hosting.identity import asks_for_identity
from nature_gym.hosting.notices import said
from nature_gym.reading.addresses import doi_address
from nature_gym.reading.hosts import accessions_in
from nature_gym.screening.probe_history import ProbeHistory
from nature_gym.screening.probes import Probe, SizeSource, Status
from nature_gym.stages import Clock, now
from nature_gym.web.addresses import asked_at, brief
from nature_gym.web.faults import HostError
from nature_gym.web.fetcher import ABSENT, MOST_HOPS, REDIRECTS, REFUSED
from nature_gym.web.gates import gate, is_sign_in_address
from nature_gym.web.hosts import ComeBackLaterError, Hosts
from nature_gym.web.kinds import is_html
from nature_gym.web.outward import OutwardSessions, PrivateAddressError, refuse_private
from nature_gym.web.patience import PASSING, asked_to_wait, pause
from nature_gym.web.session import unreachable

MOST_BYTES = 64 * 1024
"""Never more of a body than this."""
_ATTEMPTS = 2
"""How often a question is put again where trouble may pass."""
_GIVEN_UP = 3
"""A host that could not be reached for so many links in a row is not asked for the others, for a while."""
_GIVEN_UP_FOR = 300.0
_MOST_THREADS = 64
_BODY_SECONDS = 20.0
_FILE = re.compile(r"\.[a-z0-9]{1,8}(?:\.[a-z0-9]{1,4})?$", re.IGNORECASE)
_PAGE = re.compile(r"\.(?:html?|php|aspx?|jsp|cgi|xhtml)$", re.IGNORECASE)
_TOTAL = re.compile(r"bytes (?:\d+-\d+|\*)/(\d+)")
_MISSING = re.compile(rb"<title[^>]*>\s*(?:404|page not found|not found|error 404)", re.IGNORECASE)
_TURNED_AWAY = re.compile(
    rb"errors\.edgesuite\.net|error code: 10\d\d|cf-error-details|_Incapsula_Resource|quota exceeded", re.IGNORECASE
)
"""What guards of sites say to programs, and hosts to too many visitors."""
_BARE_DOI = re.compile(r"(?:doi:\s*)?(10\.\d{4,9}/\S+)", re.IGNORECASE)
_FTP = re.compile(r"ftp://", re.IGNORECASE)


@dataclass(slots=True)
class _Quest:
    """One link on its way: where it is to be asked next, and what was seen so far."""

    url: str
    done: Callable[[Probe], None]
    at: str
    hops: int = 0
    notes: list[str] = field(default_factory=list)
    reference: Reference | None = None
    interface: bool = False
    """The next request is to an interface."""

    @property
    def lane(self) -> str:
        """The host that is asked next."""
        if self.interface and self.reference is not None:
            return hosting.interface(self.reference)
        return _host(self.at)

    def recognise(self) -> None:
        """Note what the address is known to name, and whether an interface tells of it."""
        self.reference = hosting.recognise(self.at)
        self.interface = self.reference is not None and self.reference.key.partition("/")[0] != "file"


class _Facts(TypedDict, total=False):
    """Fields of a probe."""

    http_code: int | None
    final_url: str | None
    size_bytes: int | None
    size_source: SizeSource
    files: tuple[tuple[str, int | None], ...]
    notes: tuple[str, ...]
    media_type: str


@dataclass(frozen=True, slots=True)
class _Seen:
    """An answer, as far as it was read."""

    status: int
    url: str
    headers: Any
    body: bytes


class WebProber:
    """Looks at links. One for all threads of a process; other processes keep to the same turns."""

    def __init__(
        self,
        settings: Settings,
        *,
        hosts: Hosts | None = None,
        max_age: float | None = None,
        clock: Clock = now,
    ) -> None:
        """``max_age``: what was seen longer ago (in seconds) is looked at again; as the settings have it if None."""
        turns = settings.home / "web" / "hosts"
        self._asker = _Asker(settings, hosts or Hosts(turns, settings.probes_per_second, settings.max_wait))
        self._max_age = settings.probe_max_age if max_age is None else max_age
        self._history = ProbeHistory(history_folder(settings), clock=clock)
        self._clock = clock
        self._lanes = _Lanes(self._step)

    def probe(self, urls: Sequence[str]) -> list[Probe]:
        """What is seen at each of ``urls``, in their order; what was seen lately is remembered.

        Bare DOIs and accessions will do in the place of addresses.
        """
        found: dict[str, Probe] = {}
        arrived: queue.SimpleQueue[Probe] = queue.SimpleQueue()
        waiting = 0
        for url in dict.fromkeys(urls):
            known = self._history.latest(url, self._max_age)
            if known is not None:
                found[url] = known
                continue
            waiting += 1
            self._begin(_Quest(url, arrived.put, _address(url)))
        while waiting:
            probe = arrived.get()
            found[probe.url] = probe
            waiting -= 1
        return [found[url] for url in urls]

    # -- a quest's way -------------------------------------------------------------------

    def _begin(self, quest: _Quest) -> None:
        if not _host(quest.at):
            self._end(quest, "error", notes=("not an address of the web",))
            return
        if name := asks_for_identity(quest.at):
            quest.notes.append(f"{name} gives data only to people who have told who they are")
        quest.recognise()
        if shared := clouds.share(quest.at):
            if shared.what == "folder":
                quest.notes.append(f"a {shared.cloud} folder, not a file")
            else:
                quest.at = shared.url
        self._lanes.put(quest.lane, quest)

    def _step(self, quest: _Quest) -> None:
        """Ask once, and put the quest to rest, or into the lane of the host that it leads to."""
        try:
            if not quest.hops and (known := self._history.latest(quest.url, self._max_age)) is not None:
                quest.done(known)  # another paper's, seen while this one waited
            elif quest.interface and quest.reference is not None:
                self._ask_interface(quest, quest.reference)
            else:
                self._ask(quest)
        except (HostError, ComeBackLaterError) as error:
            self._end(quest, "error", notes=(error.message,))
        except Exception as error:  # noqa: BLE001 -- whatever a host answers, the other links go on
            self._end(quest, "error", notes=(f"the answer cannot be understood: {type(error).__name__}: {error}",))

    def _ask_interface(self, quest: _Quest, reference: Reference) -> None:
        quest.interface = False
        interface = _Interface(self._asker)
        try:
            holding = interface.look(reference)
        except (HostError, ComeBackLaterError) as error:
            holding = Holding("unknown", notes=(error.message,))
        quest.notes += holding.notes
        if holding.state == "unknown":
            if hosting.page_tells(reference):
                self._lanes.put(quest.lane, quest)
            else:
                self._end(quest, "error", http_code=holding.status)
            return
        if interface.cut and not holding.stated:
            quest.notes.append("it lists more files than were read")
            holding = dataclasses.replace(holding, files=(), size=hosting.whole_size(reference, interface))
        if holding.state == "open" and reference.file is not None and not holding.files:
            quest.at = _of_file(quest.at)
            self._lanes.put(quest.lane, quest)  # its repository is there; the file itself is still to be seen
            return
        self._end_with_holding(quest, reference, holding)

    def _end_with_holding(self, quest: _Quest, reference: Reference, holding: Holding) -> None:
        notes = list(quest.notes)
        status: Status = "accessible"
        files = holding.files
        size = holding.size
        if holding.state == "restricted":
            status = "requires_auth"
        elif holding.state == "absent":
            status = "not_found"
        elif holding.state == "empty":
            status = "not_found"
            notes.append("there, but empty")
        elif reference.file is not None:
            wanted = [file for file in files if file.name == reference.file]
            if not wanted:
                status = "not_found"
                notes.append(f"the record has no file {reference.file}")
            files, size = tuple(wanted), wanted[0].size if wanted else None
        self._end(
            quest,
            status,
            http_code=holding.status,
            final_url=holding.url or quest.at,
            size_bytes=size,
            size_source="api",
            files=tuple((file.name, file.size) for file in files),
            notes=tuple(notes),
        )

    def _ask(self, quest: _Quest) -> None:
        """Ask the address itself: for its head where it names a file, else for its beginning.

        A head that tells of no file is not believed: some hosts answer 404 or 405 to every question for a head.
        """
        names_file = _names_file(quest.at)
        seen = self._asker.ask("HEAD" if names_file else "GET", quest.at)
        tells = seen.status in REDIRECTS
        tells |= seen.status == 200 and not is_html(_media_type(seen), b"") and _length(seen) is not None
        if names_file and not tells:
            seen = self._asker.ask("GET", quest.at)
        if seen.status in REDIRECTS and (location := seen.headers.get("Location")):
            self._follow(quest, _joined(quest.at, location), seen.status)
            return
        self._judge(quest, seen)

    def _follow(self, quest: _Quest, to: str, status: int) -> None:
        quest.hops += 1
        if quest.hops > MOST_HOPS or not _host(to):
            self._end(quest, "error", final_url=to, notes=("redirected in circles, or nowhere",))
            return
        if is_sign_in_address(to) and not is_sign_in_address(quest.url):
            self._end(quest, "redirect_to_auth", http_code=status, final_url=to)
            return
        quest.at = to
        if quest.reference is None:
            quest.recognise()
        self._lanes.put(quest.lane, quest)

    def _judge(self, quest: _Quest, seen: _Seen) -> None:
        """What an answer that is no redirection says."""
        media_type = _media_type(seen)
        page = is_html(media_type, seen.body)
        status, note = _verdict(seen, page=page)
        if page and status == "accessible" and _names_file(quest.url):
            note = "a page, not the file that the address names"
        self._end(
            quest,
            status,
            http_code=200 if seen.status == 206 else seen.status,
            final_url=seen.url,
            size_bytes=clouds.confirmation(seen.body) if page else _length(seen),
            size_source="text" if page else "content_length",
            notes=(note,) if note else (),
            media_type=media_type,
        )

    def _end(self, quest: _Quest, status: Status, **facts: Unpack[_Facts]) -> None:
        """Keep what was seen, and hand it in."""
        notes = tuple(dict.fromkeys((*quest.notes, *facts.pop("notes", ()))))
        if status == "accessible" and asks_for_identity(quest.url):
            status = "requires_auth"
        if status != "accessible":
            facts["size_bytes"] = None
        source = facts.pop("size_source", "content_length")
        seen = {
            **facts,
            "url": quest.url,
            "status": status,
            "notes": notes,
            "size_source": "none" if facts.get("size_bytes") is None else source,
            "holding": quest.reference.id if quest.reference else None,
            "at": self._clock(),
        }
        probe = Probe.model_validate(seen)
        try:
            self._history.keep(probe)
        finally:
            quest.done(probe)


class _Asker:
    """Puts questions to hosts, each in its turn, and reads the beginnings of their answers."""

    def __init__(self, settings: Settings, hosts: Hosts) -> None:
        self._settings = settings
        self._hosts = hosts
        self._gap = 1 / settings.probes_per_second
        self._sessions = OutwardSessions(settings)
        self._unreached: dict[str, tuple[int, float]] = {}
        """Host -> links in a row for which it could not be reached, and when that was last."""

    def ask(self, method: str, url: str, accept: str = "*/*") -> _Seen:
        """One answer, asked for again where trouble may pass. Raises HostError, ComeBackLaterError."""
        host = _host(url)
        if not host:
            raise HostError(f"{brief(url)} is not an address of the web", hint="Check the link.")
        mapped = asked_at(self._settings, url) != url  # the settings say where it is asked
        if not mapped:
            refuse_private(url, urlsplit(url).hostname or "")
        self._refuse_unreached(host)
        trouble: HostError | None = None
        for attempt in range(_ATTEMPTS + 1):
            if attempt:
                pause(attempt)
            try:
                seen = self._attempt(method, url, accept, mapped=mapped)
            except PrivateAddressError:
                raise
            except HostError as error:
                trouble = error
                continue
            self._unreached.pop(host, None)
            if seen.status not in PASSING or attempt == _ATTEMPTS:
                return seen
        self._unreached[host] = (self._unreached.get(host, (0, 0.0))[0] + 1, time.monotonic())
        raise trouble or HostError(f"{brief(url)} could not be asked", hint="Probe again later.")

    def _attempt(self, method: str, url: str, accept: str, *, mapped: bool) -> _Seen:
        headers = {"Accept": accept, "Accept-Encoding": "identity"}
        if method == "GET" and accept == "*/*":
            headers["Range"] = f"bytes=0-{MOST_BYTES - 1}"
        if url.startswith("https://api.github.com/") and self._settings.github_token:
            headers["Authorization"] = f"Bearer {self._settings.github_token}"
        with self._hosts.turn(_host(url)) as turn:
            began = time.monotonic()
            try:
                session = self._sessions.get(public_only=not mapped)
                with session.request(method, url, headers=headers, stream=True, allow_redirects=False) as response:
                    turn.rest(asked_to_wait(response.status_code, response.headers, time.time()))
                    body = _beginning(response) if method == "GET" else b""
            except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
                raise unreachable(url, error) from error
            finally:
                if time.monotonic() - began < self._gap:
                    turn.rest(self._gap)  # counted from the answer: the question may have come late
            return _Seen(response.status_code, url, response.headers, body)

    def _refuse_unreached(self, host: str) -> None:
        links, when = self._unreached.get(host, (0, 0.0))
        if links >= _GIVEN_UP and time.monotonic() - when < _GIVEN_UP_FOR:
            raise HostError(f"{host} could not be reached for {links} links in a row", hint="Probe again later.")


class _Interface:
    """Asks a host's interface; of an answer that is too long, what its beginning says."""

    def __init__(self, asker: _Asker) -> None:
        self._asker = asker
        self.cut = False

    def look(self, reference: Reference) -> Holding:
        """What the interface says, asked again where the answer makes no sense."""
        for attempt in range(_ATTEMPTS + 1):
            if attempt:
                pause(attempt)
            holding = hosting.look(reference, self)
            if holding.state != "unknown" or holding.status != 200:
                break
        return holding

    def json(self, url: str) -> tuple[int, Any]:
        """An interface's answer, redirects followed; None for what is no JSON. Raises HostError where there is none."""
        at = url
        for _ in range(MOST_HOPS):
            seen = self._asker.ask("GET", at, "application/json")
            if seen.status in REDIRECTS and (location := seen.headers.get("Location")):
                at = _joined(at, location)
                continue
            cut = len(seen.body) >= MOST_BYTES
            self.cut |= cut
            try:
                return seen.status, pydantic_core.from_json(seen.body, allow_partial=cut)
            except ValueError:
                return seen.status, None
        raise HostError(f"{brief(url)} is redirected in circles", hint="Nothing to do.")


def history_folder(settings: Settings) -> Path:
    """Where looks at links are kept."""
    return settings.home / "web" / "probes"


def _beginning(response: requests.Response) -> bytes:
    """At most :data:`MOST_BYTES` of the body, as sent and as unpacked, and no longer than is reasonable."""
    body = b""
    began = time.monotonic()
    while len(body) < MOST_BYTES and time.monotonic() - began < _BODY_SECONDS:
        block = response.raw.read1(min(8192, MOST_BYTES - len(body)), decode_content=False)
        if not block:
            break
        body += block
    if "gzip" in response.headers.get("Content-Encoding", "").lower():  # though we asked for none
        try:
            return zlib.decompressobj(wbits=31).decompress(body, MOST_BYTES)
        except zlib.error:
            return b""
    return body


def _verdict(seen: _Seen, *, page: bool) -> tuple[Status, str]:
    """What an answer that is no redirection says of its address, and a note."""
    stands = gate(seen.body, seen.url) if page else None
    words = said(seen.url, seen.body) if page else None
    if stands == "captcha" or "cf-mitigated" in seen.headers:
        return "error", "a captcha stands in the way"
    if seen.status not in (200, 203, 206, *ABSENT) and _TURNED_AWAY.search(seen.body):
        return "error", f"the host turns programs away ({seen.status})"
    if stands == "sign-in" or seen.status in REFUSED or words == "restricted":
        return "requires_auth", ""
    if seen.status in ABSENT or words == "absent" or (page and _MISSING.search(seen.body[:4096])):
        return "not_found", ""
    if seen.status == 416 and _length(seen) is not None:
        return "accessible", ""  # an empty file has no beginning
    if seen.status not in (200, 203, 206):
        return "error", f"the host answers {seen.status}"
    return "accessible", ""


def _address(url: str) -> str:
    """Where to look for what a paper calls so: bare DOIs and accessions have addresses, and FTP servers answer HTTP."""
    url = url.strip()
    if doi := _BARE_DOI.fullmatch(url):
        return doi_address(doi[1])
    if _FTP.match(url):
        url = f"https://{url[6:]}"
    if "://" not in url and "/" not in url:
        for kind in accessions_in(url):
            if kind.context is None and kind.pattern.fullmatch(url):
                return kind.page.format(url)
    return _joined(url, "")


def _joined(at: str, to: str) -> str:
    """``to`` as seen from ``at``, without a fragment; as it stands where it is no address."""
    try:
        return urldefrag(urljoin(at, to)).url
    except ValueError:
        return to or at


def _of_file(url: str) -> str:
    """The address of a file itself, where ``url`` is that of the page around it at a place for git."""
    if match := re.match(r"https?://(?:www\.)?github\.com/([^/]+/[^/]+)/blob/(.+)", url):
        return f"https://raw.githubusercontent.com/{match[1]}/{match[2]}"
    return url.replace("/-/blob/", "/-/raw/", 1)


def _names_file(url: str) -> bool:
    """Whether the last part of an address is a file's name, and not a page's."""
    try:
        path = urlsplit(url).path
    except ValueError:
        return False
    return bool(_FILE.search(path)) and not _PAGE.search(path)


def _host(url: str) -> str:
    """The host of an address of the web, with its port where that is unusual; empty for anything else."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return ""
    return parts.hostname if port in (None, 80, 443) else f"{parts.hostname}:{port}"


def _media_type(seen: _Seen) -> str:
    return str(seen.headers.get("Content-Type", "")).partition(";")[0].strip().lower()


def _length(seen: _Seen) -> int | None:
    """How large the whole is, by the headers."""
    if match := _TOTAL.match(seen.headers.get("Content-Range", "")):
        return int(match[1])
    declared = str(seen.headers.get("Content-Length", ""))
    return int(declared) if declared.isdigit() and seen.status == 200 else None


class _Lanes:
    """One queue a host, each worked off by one thread at a time; threads go when their lane is empty."""

    def __init__(self, step: Callable[[_Quest], None]) -> None:
        self._step = step
        self._lock = threading.Lock()
        self._waiting: dict[str, deque[_Quest]] = defaultdict(deque)
        self._ready: deque[str] = deque()
        self._busy: set[str] = set()
        self._threads = 0

    def put(self, host: str, quest: _Quest) -> None:
        with self._lock:
            self._waiting[host].append(quest)
            if host in self._busy or host in self._ready:
                return
            self._ready.append(host)
            if self._threads < _MOST_THREADS:
                self._threads += 1
                threading.Thread(target=self._work, name="prober", daemon=True).start()

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._ready:
                    self._threads -= 1
                    return
                host = self._ready.popleft()
                self._busy.add(host)
                quest = self._waiting[host].popleft()
            try:
                self._step(quest)
            finally:
                with self._lock:
                    self._busy.discard(host)
                    if self._waiting[host]:
                        self._ready.append(host)
                    else:
                        del self._waiting[host]
