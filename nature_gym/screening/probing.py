"""The link prober: is it there, for everybody, and how large, from at most 64 KB of it.

Links to records and repositories are put to their host's interface; the others are asked for their head, or for their
beginning. Hosts are asked side by side, each by one thread at a time: so that there is never more than one request at
a host, and never a thread that waits behind another's. What was seen is kept with its date.
"""

from __future__ import annotations

import ipaddress
import queue
import re
import socket
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypedDict, Unpack
from urllib.parse import urldefrag, urljoin, urlsplit

import orjson
import requests
import urllib3

from nature_gym import hosting
from nature_gym.config import Settings
from nature_gym.hosting import clouds
from nature_gym.hosting.holdings import Holding, Reference
from nature_gym.hosting.identity import asks_for_identity
from nature_gym.screening.probe_history import ProbeHistory
from nature_gym.screening.probes import Probe, SizeSource, Status
from nature_gym.stages import Clock, now
from nature_gym.web.addresses import asked_at, brief
from nature_gym.web.faults import HostError
from nature_gym.web.fetcher import ABSENT, MOST_HOPS, REDIRECTS, REFUSED
from nature_gym.web.gates import gate
from nature_gym.web.hosts import ComeBackLaterError, Hosts
from nature_gym.web.kinds import is_html
from nature_gym.web.patience import PASSING, asked_to_wait, pause
from nature_gym.web.session import bare_session, unreachable

MOST_BYTES = 64 * 1024
"""Never more of a body than this."""
PER_SECOND = 10.0
"""Requests a second to one host."""
_ATTEMPTS = 2
_MOST_THREADS = 64
_BODY_SECONDS = 20.0
_FILE = re.compile(r"\.[a-z0-9]{1,8}(?:\.[a-z0-9]{1,4})?$", re.IGNORECASE)
_PAGE = re.compile(r"\.(?:html?|php|aspx?|jsp|cgi|xhtml)$", re.IGNORECASE)
_SIGN_IN = re.compile(
    r"(?:log|sign)-?in\b|/sso\b|/auth(?:orize|enticate)?\b|^https?://(?:login|accounts|idp|auth)\.", re.IGNORECASE
)
_TOTAL = re.compile(r"bytes \d+-\d+/(\d+)")
_MISSING = re.compile(rb"<title[^>]*>\s*(?:404|page not found|not found|error 404)", re.IGNORECASE)


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
        self._settings = settings
        self._hosts = hosts or Hosts(settings.home / "web" / "hosts", PER_SECOND, settings.max_wait)
        self._max_age = settings.probe_max_age if max_age is None else max_age
        self._history = ProbeHistory(history_folder(settings), clock=clock)
        self._clock = clock
        self._lanes = _Lanes(self._step)
        self._sessions = threading.local()

    def probe(self, urls: Sequence[str]) -> list[Probe]:
        """What is seen at each of ``urls``, in their order; what was seen lately is remembered."""
        found: dict[str, Probe] = {}
        arrived: queue.SimpleQueue[Probe] = queue.SimpleQueue()
        waiting = 0
        for url in dict.fromkeys(urls):
            known = self._history.latest(url, self._max_age)
            if known is not None:
                found[url] = known
                continue
            waiting += 1
            self._begin(_Quest(url, arrived.put, urldefrag(url).url))
        while waiting:
            probe = arrived.get()
            self._history.keep(probe)
            found[probe.url] = probe
            waiting -= 1
        return [found[url] for url in urls]

    # -- a quest's way -------------------------------------------------------------------

    def _begin(self, quest: _Quest) -> None:
        host = _host(quest.at)
        if not host:
            self._end(quest, "error", notes=("not an address of the web",))
            return
        if name := asks_for_identity(quest.at):
            quest.notes.append(f"{name} gives data only to people who have told who they are")
        quest.reference = hosting.recognise(quest.at)
        quest.interface = quest.reference is not None and quest.reference.key.partition("/")[0] != "file"
        if shared := clouds.share(quest.at):
            if shared.what == "folder":
                quest.notes.append(f"a {shared.cloud} folder, not a file")
            else:
                quest.at = shared.url
        self._lanes.put(_host(quest.at), quest)

    def _step(self, quest: _Quest) -> None:
        """Ask once, and put the quest to rest, or into the lane of the host that it leads to."""
        try:
            if quest.interface and quest.reference is not None:
                self._ask_interface(quest, quest.reference)
            else:
                self._ask(quest)
        except ComeBackLaterError as error:
            self._end(quest, "error", notes=(error.message,))
        except HostError as error:
            self._end(quest, "error", notes=(error.message,))
        except Exception as error:  # noqa: BLE001 -- whatever a host answers, the other links go on
            self._end(quest, "error", notes=(f"the answer cannot be understood: {type(error).__name__}: {error}",))

    def _ask_interface(self, quest: _Quest, reference: Reference) -> None:
        quest.interface = False
        holding = hosting.look(reference, self)
        quest.notes += holding.notes
        if holding.state == "unknown":
            self._lanes.put(_host(quest.at), quest)  # the interface cannot tell: the page may
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
        elif reference.file is not None and files:
            wanted = [file for file in files if file.name == reference.file]
            if not wanted:
                status = "not_found"
                notes.append(f"the record has no file {reference.file}")
            files, size = tuple(wanted), wanted[0].size if wanted else None
        elif reference.file is not None:
            size = None  # one file of a repository: the repository's size is not its
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
        """Ask the address itself: for its head where it names a file, else for its beginning."""
        path = urlsplit(quest.at).path
        names_file = bool(_FILE.search(path)) and not _PAGE.search(path)
        seen = self._request("HEAD" if names_file else "GET", quest.at)
        tells = seen.status in REDIRECTS or seen.status in ABSENT
        tells |= seen.status == 200 and not is_html(_media_type(seen), b"") and _length(seen) is not None
        if names_file and not tells:
            seen = self._request("GET", quest.at)
        if seen.status in REDIRECTS and (location := seen.headers.get("Location")):
            self._follow(quest, urldefrag(urljoin(quest.at, location)).url)
            return
        self._judge(quest, seen)

    def _follow(self, quest: _Quest, to: str) -> None:
        quest.hops += 1
        if quest.hops > MOST_HOPS or not _host(to):
            self._end(quest, "error", final_url=to, notes=("redirected in circles, or nowhere",))
            return
        if _SIGN_IN.search(to) and not _SIGN_IN.search(quest.url):
            self._end(quest, "redirect_to_auth", http_code=302, final_url=to)
            return
        quest.at = to
        if quest.reference is None and (reference := hosting.recognise(to)) is not None:
            quest.reference, quest.interface = reference, reference.key.partition("/")[0] != "file"
        self._lanes.put(_host(to), quest)

    def _judge(self, quest: _Quest, seen: _Seen) -> None:
        """What an answer that is no redirection says."""
        media_type = _media_type(seen)
        page = is_html(media_type, seen.body)
        stands = gate(seen.body, seen.url) if page else None
        status: Status = "accessible"
        notes: tuple[str, ...] = ()
        if stands == "captcha":
            status, notes = "error", ("a captcha stands in the way",)
        elif stands == "sign-in" or seen.status in REFUSED:
            status = "requires_auth"
        elif seen.status in ABSENT or (page and _MISSING.search(seen.body[:4096])):
            status = "not_found"
        elif seen.status not in (200, 203, 206):
            status, notes = "error", (f"the host answers {seen.status}",)
        self._end(
            quest,
            status,
            http_code=200 if seen.status == 206 else seen.status,
            final_url=seen.url,
            size_bytes=None if page else _length(seen),
            notes=notes,
            media_type=media_type,
        )

    def _end(self, quest: _Quest, status: Status, **facts: Unpack[_Facts]) -> None:
        """Hand in what was seen."""
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
        quest.done(Probe.model_validate(seen))

    # -- requests --------------------------------------------------------------------------

    def json(self, url: str) -> tuple[int, Any]:
        """An interface's answer, redirects followed; None for what is no JSON. Raises HostError where there is none."""
        at = url
        for _ in range(MOST_HOPS):
            seen = self._request("GET", at, most=16 * MOST_BYTES, accept="application/json")
            if seen.status in REDIRECTS and (location := seen.headers.get("Location")):
                at = urljoin(at, location)
                continue
            try:
                return seen.status, orjson.loads(seen.body)
            except orjson.JSONDecodeError:
                return (seen.status if seen.status != 200 else 502), None
        raise HostError(f"{brief(url)} is redirected in circles", hint="Nothing to do.")

    def _request(self, method: str, url: str, *, most: int = MOST_BYTES, accept: str = "*/*") -> _Seen:
        """One answer, in the host's turn, again where trouble may pass. Raises HostError, ComeBackLaterError."""
        self._refuse_private(url)
        headers = {"Accept": accept, "Accept-Encoding": "identity"}
        if method == "GET" and accept == "*/*":
            headers["Range"] = f"bytes=0-{most - 1}"
        if urlsplit(url).hostname == "api.github.com" and self._settings.github_token:
            headers["Authorization"] = f"Bearer {self._settings.github_token}"
        trouble: HostError | None = None
        for attempt in range(_ATTEMPTS + 1):
            if attempt:
                pause(attempt)
            with self._hosts.turn(urlsplit(url).netloc) as turn:
                try:
                    response = self._session().request(method, url, headers=headers, stream=True, allow_redirects=False)
                    with response:
                        turn.rest(asked_to_wait(response.status_code, response.headers, time.time()))
                        body = _beginning(response, most) if method == "GET" else b""
                except HostError as error:
                    trouble = error
                    continue
                except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
                    trouble = unreachable(url, error)
                    continue
            if response.status_code not in PASSING or attempt == _ATTEMPTS:
                return _Seen(response.status_code, url, response.headers, body)
        raise trouble or HostError(f"{brief(url)} could not be asked", hint="Probe again later.")

    def _session(self) -> requests.Session:
        session: requests.Session | None = getattr(self._sessions, "session", None)
        if session is None:
            session = self._sessions.session = bare_session(self._settings)
        return session

    def _refuse_private(self, url: str) -> None:
        """Papers name no addresses inside our network, unless they mean harm. Raises HostError for such."""
        if asked_at(self._settings, url) != url:
            return  # the settings say where it is asked
        host = urlsplit(url).hostname or ""
        try:
            found = {str(entry[4][0]) for entry in socket.getaddrinfo(host, None)}
        except (OSError, UnicodeError) as error:
            raise HostError(f"{brief(url)}: the host's name leads nowhere: {error}", hint="Check the link.") from error
        if any(not ipaddress.ip_address(address.partition("%")[0]).is_global for address in found):
            raise HostError(f"{brief(url)} is an address inside a private network", hint="It is not looked at.")


def history_folder(settings: Settings) -> Path:
    """Where looks at links are kept."""
    return settings.home / "web" / "probes"


def _beginning(response: requests.Response, most: int) -> bytes:
    """At most ``most`` bytes of the body, and no longer than is reasonable."""
    body = b""
    began = time.monotonic()
    while len(body) < most and time.monotonic() - began < _BODY_SECONDS:
        block = response.raw.read(min(8192, most - len(body)), decode_content=True)
        if not block:
            break
        body += block
    return body[:most]


def _host(url: str) -> str:
    try:
        parts = urlsplit(url)
        return parts.netloc.lower() if parts.scheme in ("http", "https") and parts.hostname else ""
    except ValueError:
        return ""


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
