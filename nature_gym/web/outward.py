"""Connections to hosts that papers name: never into our own network, and never for ever.

Links come from strangers. A name may lead to an address of this machine, or to another one each time that it is looked
up, and a host may send its headers a byte a minute. So the address is looked at once more on the open connection,
before anything is asked, and a connection whose answer does not begin in time is cut.
"""

from __future__ import annotations

import ipaddress
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import requests
from requests.utils import get_environ_proxies, select_proxy
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

from nature_gym.config import Settings
from nature_gym.web.addresses import brief
from nature_gym.web.faults import HostError
from nature_gym.web.session import Adapter, session_with

HEAD_SECONDS = 30.0
"""A host has so long for the head of its answer, however it spreads it."""


class PrivateAddressError(HostError):
    """A link leads into a private network. It is not asked."""


def is_public(address: str) -> bool:
    """Whether an IP address belongs to the public internet.

    >>> [is_public(one) for one in ("93.184.215.14", "127.0.0.1", "169.254.169.254", "::ffff:10.0.0.1")]
    [True, False, False, False]
    """
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        found = found.ipv4_mapped or found.sixtofour or found
    return found.is_global and not found.is_multicast


def refuse_private(url: str, host: str) -> None:
    """Raise PrivateAddressError for a host inside a private network, HostError for a name that leads nowhere."""
    try:
        address: str | None = socket.inet_ntoa(socket.inet_aton(host))  # as browsers do: 0x7f.1 is 127.0.0.1
    except OSError:
        address = host if ":" in host else None
    if address is not None:
        found = {address}
    elif select_proxy(url, get_environ_proxies(url)):
        return  # the proxy looks names up, and knows which network it stands in
    else:
        try:
            found = {str(entry[4][0]) for entry in socket.getaddrinfo(host, None)}
        except (OSError, UnicodeError) as error:
            raise HostError(f"{brief(url)}: the host's name leads nowhere: {error}", hint="Check the link.") from error
    if not all(is_public(one) for one in found):
        raise PrivateAddressError(f"{brief(url)} is an address inside a private network", hint="It is not looked at.")


@contextmanager
def _cut_after(seconds: float, connection: HTTPConnection) -> Iterator[None]:
    late = threading.Event()

    def cut() -> None:
        late.set()
        try:
            if connection.sock is not None:
                connection.sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # it was closed in the meantime

    timer = threading.Timer(seconds, cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
    if late.is_set():  # what was read up to the cut looks like a whole head
        raise TimeoutError("the head of the answer comes too slowly")


class _Impatient(HTTPConnection):
    def getresponse(self) -> Any:
        with _cut_after(HEAD_SECONDS, self):
            return super().getresponse()


class _ImpatientTls(HTTPSConnection):
    def getresponse(self) -> Any:
        with _cut_after(HEAD_SECONDS, self):
            return super().getresponse()


def _checked(connection: socket.socket, host: str) -> socket.socket:
    """The open connection; raises PrivateAddressError where it leads into a private network."""
    address = str(connection.getpeername()[0])
    if not is_public(address):
        connection.close()
        raise PrivateAddressError(f"{host} leads to {address}, inside a private network", hint="It is not looked at.")
    return connection


class _Public(_Impatient):
    def _new_conn(self) -> socket.socket:
        return _checked(super()._new_conn(), self.host)


class _PublicTls(_ImpatientTls):
    def _new_conn(self) -> socket.socket:
        return _checked(super()._new_conn(), self.host)


def _pool(connection: type[HTTPConnection]) -> type[HTTPConnectionPool]:
    base = HTTPSConnectionPool if issubclass(connection, HTTPSConnection) else HTTPConnectionPool
    return type(f"{connection.__name__}Pool", (base,), {"ConnectionCls": connection})


_ANYWHERE: Mapping[str, Any] = {"http": _pool(_Impatient), "https": _pool(_ImpatientTls)}
_PUBLIC_ONLY: Mapping[str, Any] = {"http": _pool(_Public), "https": _pool(_PublicTls)}


class _OutwardAdapter(Adapter):
    def __init__(self, settings: Settings, pools: Mapping[str, Any]) -> None:
        self._pools = pools
        super().__init__(settings)

    def init_poolmanager(self, *arguments: Any, **options: Any) -> None:
        super().init_poolmanager(*arguments, **options)
        self.poolmanager.pool_classes_by_scheme = dict(self._pools)


def outward_session(settings: Settings, *, public_only: bool = True) -> requests.Session:
    """A session for links of strangers; its user takes turns and makes repetitions.

    ``public_only`` is False for addresses that the settings map elsewhere: a mirror may well be on this machine.
    """
    return session_with(settings, _OutwardAdapter(settings, _PUBLIC_ONLY if public_only else _ANYWHERE))


class OutwardSessions:
    """An outward session a thread, made when it is first asked for: sessions are not shared between threads."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._local = threading.local()

    def get(self, *, public_only: bool) -> requests.Session:
        """This thread's session; ``public_only`` as in :func:`outward_session`."""
        name = "public" if public_only else "mapped"
        session: requests.Session | None = getattr(self._local, name, None)
        if session is None:
            session = outward_session(self._settings, public_only=public_only)
            setattr(self._local, name, session)
        return session
