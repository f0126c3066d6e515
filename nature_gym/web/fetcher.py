"""Getting pages and files, politely and once: the one HTTP client for everything that is kept.

A fetch goes through: the cache, robots.txt, the host's turn, redirects one by one (each hop with all of
this again), the body streamed into the store up to a limit, a look at whether it is what was asked
for, and the cache entry, which is written last. What is interrupted at any of these leaves nothing behind but the
entries of pages that are complete.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self
from urllib.parse import urldefrag, urljoin, urlsplit

import orjson
import requests
import urllib3

from nature_gym.config import Settings
from nature_gym.errors import NatureGymError
from nature_gym.stages import Clock, now
from nature_gym.store import Store
from nature_gym.web.addresses import brief, is_service
from nature_gym.web.bodies import BODY_TIMEOUTS, bounded
from nature_gym.web.cache import KEPT_HEADERS, Cache, Entry
from nature_gym.web.faults import (
    AGAIN,
    CaptchaError,
    HostError,
    NoAccessError,
    NotThereError,
    RedirectLoopError,
    TooLargeError,
    WrongAnswerError,
    WrongTypeError,
)
from nature_gym.web.gates import gate
from nature_gym.web.hosts import Hosts
from nature_gym.web.kinds import JSON, TEXT, Kind, is_html
from nature_gym.web.patience import ATTEMPTS, PASSING, asked_to_wait, pause
from nature_gym.web.robots import ROBOTS_PATH, Rules
from nature_gym.web.session import bare_session, make_hosts, unreachable

MOST_HOPS = 12
ABSENT = frozenset({404, 410})
REFUSED = frozenset({401, 402, 403, 407, 451})
REDIRECTS = frozenset({301, 302, 303, 307, 308})
A_DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Fetched:
    """What came: ``digest`` names the body in the store; ``when`` the host last said that this is it."""

    url: str
    final_url: str
    status: int
    media_type: str
    digest: str
    size: int
    headers: Mapping[str, str]
    when: dt.datetime
    from_cache: bool


class _AgainError(Exception):
    """This attempt failed in a way that may pass."""

    def __init__(self, cause: HostError) -> None:
        super().__init__(str(cause))
        self.cause = cause


class Fetcher:
    """Gets what is at addresses. One for all threads of a process; other processes keep to the same turns."""

    def __init__(self, settings: Settings, *, hosts: Hosts | None = None, clock: Clock = now) -> None:
        self.store = Store(settings.store)
        self._settings = settings
        self._hosts = hosts or make_hosts(settings)
        self._session = bare_session(settings)
        self._cache = Cache(settings.home / "web" / "pages", self.store)
        self._clock = clock
        self._rules: dict[str, Rules] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._session.close()

    def get(self, url: str, kind: Kind, *, max_age: float | None = None, most_bytes: int | None = None) -> Fetched:
        """What is at ``url``, from the cache where it was fetched before.

        ``max_age`` in seconds: what is older is asked for again, with its validators (0: always); None takes it
        at any age. ``most_bytes`` narrows the kind's limit.

        Raises NotThereError, NoAccessError, RobotsError, TooLargeError and WrongTypeError, which are the
        address's fault; HostError (CaptchaError, RedirectLoopError, WrongAnswerError) and ComeBackLaterError,
        which are not.
        """
        limit = min(kind.most_bytes, most_bytes or kind.most_bytes)
        seen: set[tuple[str, str]] = set()
        hop = urldefrag(url).url
        for _ in range(MOST_HOPS):
            answer = self._hop(hop, kind, max_age, limit)
            if isinstance(answer, Fetched):
                return self._arrived(url, answer, kind)
            state = (hop, "; ".join(sorted(f"{cookie.name}={cookie.value}" for cookie in self._session.cookies)))
            if state in seen or urlsplit(answer).scheme not in ("http", "https"):
                break
            seen.add(state)
            hop = answer
        raise RedirectLoopError(f"{brief(url)} is redirected in circles, or nowhere (last to {brief(hop)})", hint=AGAIN)

    def json(self, url: str, *, max_age: float | None = None) -> Any:
        """The JSON value at ``url``; raises what :meth:`get` raises, WrongAnswerError for what is no JSON."""
        return orjson.loads(self.read(self.get(url, JSON, max_age=max_age)))

    def read(self, fetched: Fetched) -> bytes:
        """The body."""
        return self.store.read(fetched.digest)

    def _arrived(self, url: str, fetched: Fetched, kind: Kind) -> Fetched:
        """The answer to the first address of a chain of redirects, which is kept under that address, too."""
        if fetched.url == url:
            return fetched
        arrived = dataclasses.replace(fetched, url=url)
        if not fetched.from_cache or self._cache.get(url) is None:
            self._cache.put(_entry(arrived, kind))
        return arrived

    def _hop(self, url: str, kind: Kind, max_age: float | None, limit: int) -> Fetched | str:
        """What is at ``url``, or the address that it redirects to."""
        if (known := self._fresh(url, kind, max_age)) is not None:
            return _of(known, limit)
        gap = self._permitted(url)
        for attempt in range(ATTEMPTS + 1):
            if attempt:
                pause(attempt)
            try:
                return self._attempt(url, kind, max_age, limit, gap)
            except _AgainError as error:
                last = error.cause
        raise last

    def _fresh(self, url: str, kind: Kind, max_age: float | None) -> Entry | None:
        entry = self._cache.get(url)
        if entry is None or entry.kind not in ("", kind.name):
            return None
        limit = A_DAY if entry.digest is None and max_age is None else max_age
        age = (self._clock() - entry.when).total_seconds()
        return entry if limit is None or 0 <= age < limit else None

    def _permitted(self, url: str) -> float:
        """Seconds that the host wants between two requests; raises RobotsError where it wants none."""
        parts = urlsplit(url)
        if is_service(url) or parts.path == ROBOTS_PATH:
            return 0.0
        root = f"{parts.scheme}://{parts.netloc}"
        rules = self._rules.get(root)
        if rules is None:
            rules = self._rules[root] = self._read_rules(root)
        return rules.check(url)

    def _read_rules(self, root: str) -> Rules:
        try:
            fetched = self.get(root + ROBOTS_PATH, TEXT, max_age=A_DAY)
        except (NotThereError, NoAccessError, WrongTypeError, TooLargeError):
            return Rules(b"")  # a host that has no such file has no such wishes
        return Rules(self.read(fetched))

    def _attempt(self, url: str, kind: Kind, max_age: float | None, limit: int, gap: float) -> Fetched | str:
        with self._hosts.turn(urlsplit(url).netloc, gap=gap) as turn:
            if (known := self._fresh(url, kind, max_age)) is not None:
                return _of(known, limit)  # somebody else got it while we waited for our turn
            entry = self._cache.get(url)
            headers = {"Accept": kind.accept}
            if entry is not None and entry.kind == kind.name:
                headers |= entry.validators
            try:
                response = self._session.get(url, headers=headers, stream=True, allow_redirects=False)
            except HostError as error:
                raise _AgainError(error) from error
            with response:
                turn.rest(asked_to_wait(response.status_code, response.headers, time.time()))
                return self._judge(url, response, entry, kind, limit)

    def _judge(
        self, url: str, response: requests.Response, entry: Entry | None, kind: Kind, limit: int
    ) -> Fetched | str:
        status = response.status_code
        if status == 304 and entry is not None:
            renewed = entry.model_copy(update={"when": self._clock()})
            self._cache.put(renewed)
            return _of(renewed, limit, from_cache=False)
        if status in REDIRECTS and (location := response.headers.get("Location")):
            return urldefrag(urljoin(url, location)).url
        if status in ABSENT:
            self._cache.put(Entry(url=url, final_url=url, status=status, when=self._clock()))
            raise _absent(url, status)
        if status != 200:
            raise self._refusal(url, status, response)
        return self._take(url, response, kind, limit)

    def _refusal(self, url: str, status: int, response: requests.Response) -> Exception:
        """What a status that is no answer means."""
        if status in REFUSED or status in PASSING:
            try:
                head = next(self._blocks(url, response, 1 << 20), b"")
            except (_AgainError, TooLargeError):
                head = b""
            if gate(head, url) == "captcha":
                return CaptchaError(
                    f"{brief(url)} shows a captcha ({status})", hint="Wait some hours, then run it again."
                )
        if status in REFUSED:
            return NoAccessError(f"{brief(url)} is not open to us ({status})", hint="Ingest the paper if you have it.")
        trouble = HostError(f"{brief(url)} answers {status}", hint=AGAIN)
        return _AgainError(trouble) if status in PASSING else trouble

    def _take(self, url: str, response: requests.Response, kind: Kind, limit: int) -> Fetched:
        declared = response.headers.get("Content-Length", "")
        if declared.isdigit() and int(declared) > limit:
            raise _too_large(url, int(declared), limit)
        stored = self.store.put(self._blocks(url, response, limit))
        media_type = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        with self.store.path(stored.digest).open("rb") as file:
            self._inspect(url, media_type, file.read(-1 if kind.whole else 1 << 20), kind)
        fetched = Fetched(
            url=url,
            final_url=url,
            status=response.status_code,
            media_type=media_type,
            digest=stored.digest,
            size=stored.size,
            headers={name: response.headers[name] for name in KEPT_HEADERS if name in response.headers},
            when=self._clock(),
            from_cache=False,
        )
        self._cache.put(_entry(fetched, kind))
        return fetched

    def _blocks(self, url: str, response: requests.Response, limit: int) -> Iterator[bytes]:
        """The body as it comes; raises where it breaks off, drips, or passes the limit."""
        patience = self._settings.timeout * BODY_TIMEOUTS
        try:
            yield from bounded(response, url, most=limit, patience=patience, too_large=_too_large(url, None, limit))
        except urllib3.exceptions.HTTPError as error:
            raise _AgainError(unreachable(url, error)) from error

    @staticmethod
    def _inspect(url: str, media_type: str, body: bytes, kind: Kind) -> None:
        """Raise where the body is not what was asked for."""
        stands = gate(body, url) if is_html(media_type, body) else None
        if stands == "captcha":
            raise CaptchaError(
                f"{brief(url)} shows a captcha", hint="Wait some hours, then run the same command again."
            )
        if stands == "sign-in":
            raise NoAccessError(f"{brief(url)} asks to sign in", hint="Ingest the paper if you have it.")
        if kind.fits(media_type, body):
            return
        if kind.is_hiccup(body):
            raise _AgainError(
                WrongAnswerError(f"{brief(url)} does not answer with {kind.name}, as it should", hint=AGAIN)
            )
        raise WrongTypeError(
            f"{brief(url)} is {media_type or 'of no stated type'}, not {kind.name}", hint="Nothing to do."
        )


def _of(entry: Entry, limit: int, *, from_cache: bool = True) -> Fetched:
    """What a cache entry says, again."""
    if entry.digest is None:
        raise _absent(entry.url, entry.status)
    if entry.size > limit:
        raise _too_large(entry.url, entry.size, limit)
    return Fetched(
        entry.url, entry.final_url, entry.status, entry.media_type, entry.digest, entry.size, entry.headers,
        entry.when, from_cache,
    )  # fmt: skip


def _entry(fetched: Fetched, kind: Kind) -> Entry:
    return Entry(
        kind=kind.name,
        url=fetched.url,
        final_url=fetched.final_url,
        status=fetched.status,
        media_type=fetched.media_type,
        digest=fetched.digest,
        size=fetched.size,
        headers=dict(fetched.headers),
        when=fetched.when,
    )


def _absent(url: str, status: int) -> NatureGymError:
    return NotThereError(
        f"there is nothing at {brief(url)} ({status})", hint="Nothing to do, unless the address is wrong."
    )


def _too_large(url: str, size: int | None, limit: int) -> NatureGymError:
    told = f"{size:,} bytes" if size is not None else f"more than {limit:,} bytes"
    return TooLargeError(
        f"{brief(url)} has {told}; at most {limit:,} are taken", hint="Ingest the paper if you have it."
    )
