"""HTTP sessions of ours: time-outs, the mirror, and for services patience and turns as well.

Two kinds. :func:`make_session` is for clients of services that take a session (pyalex): each of its requests is
made in its host's turn, and again where trouble may pass. :func:`bare_session` makes one attempt,
and leaves turns and patience to :class:`nature_gym.web.fetcher.Fetcher`. What goes wrong comes out as
:class:`ComeBackLaterError` where the host named a time beyond our patience, and :class:`HostError` for everything else.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import requests
import urllib3
from requests.adapters import HTTPAdapter

from nature_gym import __version__
from nature_gym.config import Settings
from nature_gym.web.addresses import asked_at, brief, brief_addresses
from nature_gym.web.bodies import BODY_TIMEOUTS, bounded
from nature_gym.web.faults import HostError
from nature_gym.web.hosts import ComeBackLaterError, Hosts
from nature_gym.web.patience import ATTEMPTS, PASSING, asked_to_wait, pause

__all__ = [
    "ComeBackLaterError",
    "HostError",
    "bare_session",
    "make_hosts",
    "make_session",
    "session_with",
    "user_agent",
]

_CONNECTIONS = 64
MOST_BYTES = 64 << 20
"""No service's answer is longer: a page of 200 works has about 2 MB."""


class Adapter(HTTPAdapter):
    """Sends each request where the settings say, once; answers keep the address asked for."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        super().__init__(max_retries=0, pool_maxsize=_CONNECTIONS)

    def send(  # type: ignore[override]  # requests' own signature takes these six by keyword
        self,
        request: requests.PreparedRequest,
        stream: bool = False,
        timeout: float | tuple[float, float] | None = None,
        verify: bool | str = True,
        cert: Any = None,
        proxies: Mapping[str, str] | None = None,
    ) -> requests.Response:
        url = request.url or ""
        request.url = asked_at(self._settings, url)
        try:
            response = super().send(request, stream, timeout or self._settings.timeout, verify, cert, proxies)
        except requests.RequestException as error:
            raise unreachable(url, error) from error
        finally:
            request.url = url
        response.url = url
        return response


class PatientAdapter(Adapter):
    """Begins each request in its host's turn, and makes it again where trouble may pass; reads the whole answer.

    Services are made to be asked several things at once: a turn is for beginning, not for the answer.
    """

    def __init__(self, settings: Settings, hosts: Hosts) -> None:
        super().__init__(settings)
        self._hosts = hosts

    def send(self, request: requests.PreparedRequest, *arguments: Any, **options: Any) -> requests.Response:
        """The last attempt's answer, whatever it says; raises HostError where there was none."""
        url = request.url or ""
        host = urlsplit(url).netloc
        for attempt in range(ATTEMPTS + 1):
            if attempt:
                pause(attempt)
            trouble: HostError | None = None
            with self._hosts.turn(host):
                pass
            try:
                response = super().send(request, *arguments, **{**options, "stream": True})
                _read_whole(response, url, self._settings.timeout * BODY_TIMEOUTS)
            except HostError as error:
                trouble = error
                continue
            except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
                trouble = unreachable(url, error)
                continue
            if seconds := asked_to_wait(response.status_code, response.headers, time.time()):
                self._hosts.rest(host, seconds)
            if response.status_code not in PASSING:
                return response
        if trouble is not None:
            raise trouble
        return response


def _read_whole(response: requests.Response, url: str, patience: float) -> None:
    """Read the body, which then is the response's content. Raises HostError where there is no end of it."""
    too_large = HostError(
        f"{brief(url)} answers with more than {MOST_BYTES:,} bytes", hint="It is no answer of the service's."
    )
    try:
        body = b"".join(bounded(response, url, most=MOST_BYTES, patience=patience, too_large=too_large))
    except BaseException:
        response.close()  # what is left of it is nobody's, and the connection with it
        raise
    response._content = body  # noqa: SLF001 -- where requests keeps what it has read
    response._content_consumed = True  # type: ignore[attr-defined]  # noqa: SLF001


def make_session(settings: Settings, *, hosts: Hosts | None = None) -> requests.Session:
    """A session for one thread, patient and in turn."""
    return session_with(settings, PatientAdapter(settings, hosts or make_hosts(settings)))


def bare_session(settings: Settings) -> requests.Session:
    """A session whose user takes turns and makes repetitions."""
    return session_with(settings, Adapter(settings))


def make_hosts(settings: Settings) -> Hosts:
    """The turns of every host, as the settings have them."""
    return Hosts(settings.home / "web" / "hosts", settings.requests_per_second, settings.max_wait)


def user_agent(settings: Settings) -> str:
    """Who asks, and where to complain."""
    contact = f" (mailto:{settings.contact})" if settings.contact else ""
    return f"naturegym/{__version__}{contact}"


def unreachable(url: str, error: BaseException) -> HostError:
    """What a failed attempt is told as: the innermost reason, in one line; urllib3 wraps it several times."""
    while (inner := error.__cause__ or error.__context__) is not None:
        error = inner
    cause = brief_addresses((str(error) or type(error).__name__).partition("\n")[0])[:200]
    return HostError(
        f"{brief(url)} could not be fetched: {cause}",
        hint="Check the connection and run the same command again; it goes on where it stopped.",
    )


def session_with(settings: Settings, adapter: Adapter) -> requests.Session:
    """A session that sends everything by ``adapter``, and says who asks."""
    session = requests.Session()
    session.mount("https://", adapter)
    session.mount("http://", adapter)
    session.headers["User-Agent"] = user_agent(settings)
    if settings.mirror:
        session.trust_env = False  # a proxy of the environment must not stand between us and the mirror
    return session
