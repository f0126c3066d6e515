"""The one HTTP session: time-outs, retries that know when to give up, pacing, and the mirror.

Everything that asks the web does so through :func:`make_session`. What goes wrong comes out as one of
two errors: :class:`ComeBackLaterError` where the host named a time beyond our patience, and
:class:`HostError` for everything else that retries did not mend. Both are infrastructure: no
paper is to blame for them.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from urllib3 import BaseHTTPResponse
from urllib3.util import Retry

from nature_gym import __version__
from nature_gym.config import Settings
from nature_gym.errors import InfrastructureError
from nature_gym.web.addresses import asked_at
from nature_gym.web.pacing import Pace, Paces

ATTEMPTS = 4
PASSING = (429, 500, 502, 503, 504)
"""Statuses that are worth asking again for."""


class HostError(InfrastructureError):
    """A host could not be reached, or answered with an error, however often it was asked."""


class ComeBackLaterError(InfrastructureError):
    """A host asked to be left alone for longer than ``max_wait``."""


class PatientRetry(Retry):
    """Retries that sit out a Retry-After of up to ``max_wait`` seconds and give up on a longer one."""

    max_wait: float = math.inf

    def new(self, **options: Any) -> PatientRetry:
        """urllib3 counts down by making new ones; ours keep their patience."""
        fresh = super().new(**options)
        fresh.max_wait = self.max_wait
        return fresh

    def get_retry_after(self, response: BaseHTTPResponse) -> float | None:
        """Seconds to wait, as the answer asks. Raises ComeBackLaterError beyond ``max_wait``."""
        seconds = super().get_retry_after(response)
        if seconds is not None and seconds > self.max_wait:
            when = dt.datetime.now().astimezone() + dt.timedelta(seconds=seconds)
            raise ComeBackLaterError(
                f"the host asks to wait {seconds:,.0f} s, longer than the {self.max_wait:,.0f} s allowed (max_wait)",
                hint=f"Run the same command again after {when:%Y-%m-%d %H:%M}; it goes on where it stopped.",
            )
        return seconds


class Adapter(HTTPAdapter):
    """Sends each request where the settings say, at the host's pace; answers keep the address asked for."""

    def __init__(self, settings: Settings, paces: Paces) -> None:
        self._settings = settings
        self._paces = paces
        retry = PatientRetry(
            ATTEMPTS,
            status_forcelist=PASSING,
            backoff_factor=0.5,
            backoff_jitter=0.5,
            raise_on_status=False,
            respect_retry_after_header=True,
            retry_after_max=10**9,  # urllib3 would cut a longer wait short, and ask again too early
        )
        retry.max_wait = settings.max_wait
        super().__init__(max_retries=retry)

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
        self._paces.of(urlsplit(url).netloc).wait()
        request.url = asked_at(self._settings, url)
        try:
            response = super().send(request, stream, timeout or self._settings.timeout, verify, cert, proxies)
        except requests.RequestException as error:
            raise HostError(
                f"{url} could not be fetched: {_cause(error)}",
                hint="Check the connection and run the same command again; it goes on where it stopped.",
            ) from error
        finally:
            request.url = url
        response.url = url
        return response


def make_session(settings: Settings, *, paces: Paces | None = None) -> requests.Session:
    """A session for one thread; give the same ``paces`` to sessions that share hosts."""
    session = requests.Session()
    adapter = Adapter(settings, paces or make_paces(settings))
    session.mount("https://", adapter)
    session.mount("http://", adapter)
    session.headers["User-Agent"] = user_agent(settings)
    if settings.mirror:
        session.trust_env = False  # a proxy of the environment must not stand between us and the mirror
    return session


def make_paces(settings: Settings) -> Paces:
    """The pace of every host, as the settings have it."""
    return Paces(lambda: Pace(settings.requests_per_second))


def user_agent(settings: Settings) -> str:
    """Who asks, and where to complain."""
    contact = f" (mailto:{settings.contact})" if settings.contact else ""
    return f"naturegym/{__version__}{contact}"


def _cause(error: BaseException) -> str:
    """The innermost reason, in one line: urllib3 wraps it several times."""
    while (inner := error.__cause__ or error.__context__) is not None:
        error = inner
    return (str(error) or type(error).__name__).partition("\n")[0][:200]
