"""Files from hosts into the store: resumed where they broke off, checked against what the host says of them.

A download in the making lies under a name of its address, so that whoever comes next goes on where it ended: with a
Range that counts only while the host's validator is the same. What is complete is checked (length, checksum), moved
into the store, and remembered by a receipt; a receipt with the same checksum spares the next paper the download, and
without a checksum the host is asked whether the file is still the same.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import orjson
import requests
import urllib3
from pydantic import BaseModel, ConfigDict, ValidationError

from nature_gym.acquisition.faults import BudgetError, ChecksumError, RunBudgetError
from nature_gym.config import Settings
from nature_gym.digests import digest_bytes
from nature_gym.errors import InfrastructureError
from nature_gym.files import exclusive, to_json, write_atomically
from nature_gym.hosting import clouds
from nature_gym.store import Store
from nature_gym.web.addresses import asked_at, brief
from nature_gym.web.bodies import pieces
from nature_gym.web.faults import (
    AGAIN,
    HostError,
    NoAccessError,
    NotThereError,
    RedirectLoopError,
    WrongAnswerError,
    WrongTypeError,
)
from nature_gym.web.fetcher import ABSENT, MOST_HOPS, REDIRECTS, REFUSED
from nature_gym.web.hosts import Hosts
from nature_gym.web.kinds import is_html
from nature_gym.web.outward import OutwardSessions, PrivateAddressError, refuse_private
from nature_gym.web.patience import ATTEMPTS, PASSING, asked_to_wait, pause
from nature_gym.web.session import unreachable

BLOCK = 1 << 18
SPARE_BYTES = 1 << 30
"""So much of the disk is left free."""
_MOST_JSON = 50 << 20
_STALL_SECONDS = 300.0
_STALL_BYTES = 1 << 20
"""A download that brings less than this in :data:`_STALL_SECONDS` is broken off, and goes on later."""

OnBytes = Callable[[str, int, int | None], None]
"""Told the file's name, how many bytes of it are here, and how many it has (None where that is unknown)."""


class Budget:
    """What may still be downloaded. Safe for threads."""

    def __init__(self, most: int, *, above: Budget | None = None, paper: bool = False) -> None:
        """``above`` is the run's, of which the paper's is a part."""
        self._left = most
        self.most = most
        self._above = above
        self._paper = paper
        self._lock = threading.Lock()

    @property
    def taken(self) -> int:
        """How many bytes came."""
        return self.most - self._left

    def check(self, size: int, name: str) -> None:
        """Raise BudgetError or RunBudgetError where ``size`` more bytes are too many."""
        if self._above is not None:
            self._above.check(size, name)
        if size <= self._left:
            return
        if self._paper:
            raise BudgetError(
                f"{name} ({size:,} bytes) is more than what is left of the paper's {self.most:,}",
                hint="Raise paper_byte_budget if it is worth it.",
            )
        raise RunBudgetError(
            f"{name} ({size:,} bytes) is more than what is left of this run's {self.most:,}",
            hint="Run the same command again: it goes on from here. byte_budget says how much a run takes.",
        )

    def take(self, size: int, name: str) -> None:
        """Count bytes that came. Raises as :meth:`check` does."""
        self.check(size, name)
        with self._lock:
            self._left -= size
        if self._above is not None:
            self._above.take(size, name)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A file at a host, and what the host says of it; ``checksum`` as ``md5:...`` or ``sha256:...``."""

    name: str
    url: str
    size: int | None = None
    checksum: str | None = None


class Receipt(BaseModel):
    """A download that is in the store, or (``digest`` None) on its way there."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: str
    digest: str | None = None
    size: int | None = None
    checksum: str | None = None
    validator: str = ""
    """The strong ETag, or the date of the last change."""
    before: tuple[str, ...] = ()
    """What was at the address at earlier times, by digest."""

    @property
    def condition(self) -> dict[str, str]:
        if not self.validator:
            return {}
        return {"If-None-Match" if self.validator.startswith('"') else "If-Modified-Since": self.validator}


@dataclass(frozen=True, slots=True)
class Downloaded:
    """What came: its place in the store, how many bytes had to be sent for it, and what there is to say."""

    digest: str
    size: int
    transferred: int = 0
    notes: tuple[str, ...] = ()


class Downloader:
    """Gets files and answers of interfaces, in hosts' turns. One for all threads of a process."""

    def __init__(self, settings: Settings, *, hosts: Hosts | None = None, on_bytes: OnBytes | None = None) -> None:
        self.store = Store(settings.store)
        self._settings = settings
        self._hosts = hosts or Hosts(settings.home / "web" / "hosts", settings.probes_per_second, settings.max_wait)
        self._folder = settings.store / "downloads"
        self._sessions = OutwardSessions(settings)
        self.on_bytes = on_bytes

    # -- interfaces ------------------------------------------------------------------

    def json(self, url: str) -> tuple[int, Any]:
        """An interface's answer, as :class:`nature_gym.hosting.Api` wants it. Raises HostError."""
        for attempt in range(ATTEMPTS + 1):
            if attempt:
                pause(attempt)
            try:
                with self._answer(url, {"Accept": "application/json"}) as (response, _):
                    if response.status_code in PASSING and attempt < ATTEMPTS:
                        continue
                    body = b"".join(_up_to(_patiently(response, url), _MOST_JSON))
            except urllib3.exceptions.HTTPError as error:
                trouble: HostError = unreachable(url, error)
            except PrivateAddressError:
                raise
            except HostError as error:
                trouble = error
            else:
                if len(body) > _MOST_JSON:
                    raise WrongAnswerError(f"{brief(url)} answers with more than {_MOST_JSON:,} bytes", hint=AGAIN)
                try:
                    return response.status_code, orjson.loads(body)
                except orjson.JSONDecodeError:
                    return response.status_code, None
        raise trouble

    # -- files -----------------------------------------------------------------------

    def get(self, wanted: Wanted, budget: Budget) -> Downloaded:
        """The file in the store.

        Raises NotThereError, NoAccessError, WrongTypeError, ChecksumError and BudgetError for what cannot be had;
        HostError, ComeBackLaterError, RunBudgetError and OSError for what may be had another time.
        """
        key = digest_bytes(f"{wanted.url}\n{wanted.checksum or ''}".encode()).partition(":")[2]
        place = self._folder / key[:2] / key[2:]
        with exclusive(place.with_suffix(".lock")):
            receipt = self._receipt(place, wanted)
            if (known := self._known(receipt, wanted)) is not None:
                return known
            if wanted.size is not None:
                budget.check(wanted.size, wanted.name)
                self._make_room(wanted.size)
            return self._fetch(wanted, place, receipt, budget)

    def _known(self, receipt: Receipt, wanted: Wanted) -> Downloaded | None:
        """What need not be asked for: the host's checksum says that it is still what we have."""
        if receipt.digest is None or receipt.digest not in self.store or receipt.size is None:
            return None
        return Downloaded(receipt.digest, receipt.size) if wanted.checksum else None

    def _fetch(self, wanted: Wanted, place: Path, receipt: Receipt, budget: Budget) -> Downloaded:
        """Attempts, each going on where the last one ended; a wrong checksum is tried once more from the start."""
        part = place.with_suffix(".part")
        sent, bad, attempt = 0, 0, 0
        while True:
            before = part.stat().st_size if part.exists() else 0
            try:
                got, receipt, same = self._attempt(wanted, place, receipt, budget)
                sent += got
                if same is not None:
                    return same
                digest, size, notes = self._accept(wanted, place, receipt)
                return Downloaded(digest, size, sent, notes)
            except ChecksumError:
                part.unlink(missing_ok=True)
                bad += 1
                if bad > 1:
                    raise
            except (PrivateAddressError, RedirectLoopError):
                raise
            except HostError:
                receipt = self._receipt(place, wanted)
                after = part.stat().st_size if part.exists() else 0
                attempt = 1 if after > before else attempt + 1  # what gets on is worth going on with
                if attempt > ATTEMPTS:
                    raise
                pause(attempt)

    def _attempt(
        self, wanted: Wanted, place: Path, receipt: Receipt, budget: Budget
    ) -> tuple[int, Receipt, Downloaded | None]:
        """One request. (Bytes that came, the receipt, and what the host says is still the same)."""
        part = place.with_suffix(".part")
        have = part.stat().st_size if part.exists() else 0
        if wanted.size is not None and have == wanted.size:
            return 0, receipt, None  # killed between the last byte and the store
        headers = {"Accept": "*/*", "Accept-Encoding": "identity"}
        stored = receipt.digest is not None and receipt.digest in self.store
        if have and receipt.validator and receipt.digest is None:
            headers |= {"Range": f"bytes={have}-", "If-Range": receipt.validator}
        elif stored:
            headers |= receipt.condition
        with self._answer(_file_address(wanted.url), headers) as (response, at):
            status = response.status_code
            if status == 304 and stored and receipt.digest and receipt.size is not None:
                return 0, receipt, Downloaded(receipt.digest, receipt.size)
            if status == 416:
                part.unlink(missing_ok=True)
                raise HostError(f"{brief(wanted.url)} is no longer as long as it was", hint=AGAIN)
            _check_status(wanted, response)
            if status != 206 or not _goes_on(response, have):
                part.unlink(missing_ok=True)
                have = 0
            receipt = Receipt(
                url=wanted.url,
                checksum=wanted.checksum,
                validator=_validator(response),
                before=receipt.before + ((receipt.digest,) if receipt.digest else ()),
            )
            write_atomically(place.with_suffix(".json"), to_json(receipt.model_dump(mode="json")))
            whole = _length(response, have)
            if whole is not None and wanted.size is None:
                budget.check(whole - have, wanted.name)
                self._make_room(whole - have)
            return self._write(wanted, response, (part, have, whole), (budget, at)), receipt, None

    def _write(
        self,
        wanted: Wanted,
        response: requests.Response,
        where: tuple[Path, int, int | None],
        checks: tuple[Budget, str],
    ) -> int:
        """The body behind what is there; how many bytes came."""
        part, have, whole = where
        budget, at = checks
        got = 0
        with part.open("ab") as file:
            try:
                for block in _patiently(response, wanted.url):
                    if not have and not got:
                        _refuse_page(wanted, response, block, at)
                    budget.take(len(block), wanted.name)
                    file.write(block)
                    got += len(block)
                    most = wanted.size if wanted.size is not None else whole
                    if most is not None and have + got > most:
                        file.truncate(0)
                        raise ChecksumError(f"{wanted.name} is longer than the {most:,} bytes that its host names")
                    if self.on_bytes is not None:
                        self.on_bytes(wanted.name, have + got, most)
            except (urllib3.exceptions.HTTPError, OSError) as error:
                if isinstance(error, OSError) and error.errno is not None and not isinstance(error, ConnectionError):
                    raise  # the disk, not the host
                raise unreachable(wanted.url, error) from error
        if whole is not None and have + got < whole:
            raise HostError(f"{brief(wanted.url)} breaks off after {have + got:,} of {whole:,} bytes", hint=AGAIN)
        return got

    def _accept(self, wanted: Wanted, place: Path, receipt: Receipt) -> tuple[str, int, tuple[str, ...]]:
        """Check what is complete, and move it into the store. Raises ChecksumError."""
        part = place.with_suffix(".part")
        part.touch()
        size = part.stat().st_size
        if wanted.size is not None and size != wanted.size:
            raise ChecksumError(
                f"{wanted.name} has {size:,} bytes, and its host says {wanted.size:,}",
                hint="The file changed at its host, or its record is wrong; look at it, and acquire again.",
            )
        if wanted.checksum is not None and (found := _checksum(part, wanted.checksum)) != wanted.checksum.lower():
            raise ChecksumError(
                f"{wanted.name} has the checksum {found}, and its host says {wanted.checksum}",
                hint="The file changed at its host, or its record is wrong; look at it, and acquire again.",
            )
        stored = self.store.adopt(part)
        notes: tuple[str, ...] = ()
        if receipt.before and receipt.before[-1] != stored.digest:
            notes = (f"{wanted.name} changed at its host: it was {receipt.before[-1]} before",)
        done = receipt.model_copy(update={"digest": stored.digest, "size": stored.size})
        write_atomically(place.with_suffix(".json"), to_json(done.model_dump(mode="json")))
        return stored.digest, stored.size, notes

    @staticmethod
    def _receipt(place: Path, wanted: Wanted) -> Receipt:
        """What is known of the download; one that cannot be read is as good as none."""
        try:
            return Receipt.model_validate_json(place.with_suffix(".json").read_bytes())
        except (FileNotFoundError, ValidationError):
            return Receipt(url=wanted.url, checksum=wanted.checksum)

    def _make_room(self, size: int) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(self._folder).free
        if free < size + SPARE_BYTES:
            raise InfrastructureError(
                f"the disk has {free:,} bytes free at {self._folder}, and {size:,} are to be downloaded",
                hint="Free some space, or point NATUREGYM_HOME at a larger disk; then run the same command again.",
            )

    # -- requests --------------------------------------------------------------------

    @contextmanager
    def _answer(self, url: str, headers: Mapping[str, str]) -> Iterator[tuple[requests.Response, str]]:
        """The answer to a request, redirects followed, each hop in its host's turn; and the address that gave it.

        The turn is for beginning: a download takes hours, and hinders nobody who asks for something small. Raises
        HostError where there is no answer, ComeBackLaterError.
        """
        at = urldefrag(url).url
        for _ in range(MOST_HOPS):
            parts = urlsplit(at)
            if parts.scheme not in ("http", "https") or not parts.hostname:
                break
            mapped = asked_at(self._settings, at) != at
            if not mapped:
                refuse_private(at, parts.hostname)
            own = dict(headers)
            if at.startswith("https://api.github.com/") and self._settings.github_token:
                own["Authorization"] = f"Bearer {self._settings.github_token}"
            session = self._sessions.get(public_only=not mapped)
            with self._hosts.turn(parts.netloc) as turn:
                try:
                    response = session.get(at, headers=own, stream=True, allow_redirects=False)
                except requests.RequestException as error:
                    raise unreachable(at, error) from error
                turn.rest(asked_to_wait(response.status_code, response.headers, time.time()))
            with response:
                location = response.headers.get("Location")
                if response.status_code not in REDIRECTS or not location:
                    yield response, at
                    return
                at = urldefrag(urljoin(at, location)).url
        raise RedirectLoopError(f"{brief(url)} is redirected in circles, or nowhere (last to {brief(at)})", hint=AGAIN)


_DRIVE = re.compile(r"https://drive\.google\.com/uc\?export=download&id=([\w-]+)")


def _file_address(url: str) -> str:
    """Where the file behind a shared link is; Google's address without the page that asks whether one is sure."""
    share = clouds.share(url)
    at = share.url if share is not None else url
    if match := _DRIVE.fullmatch(at):
        return f"https://drive.usercontent.google.com/download?id={match[1]}&export=download&confirm=t"
    return at


def _check_status(wanted: Wanted, response: requests.Response) -> None:
    status = response.status_code
    if status in (200, 206):
        return
    if status in ABSENT:
        raise NotThereError(f"{wanted.name} is not at {brief(wanted.url)} any more ({status})", hint="Look for it.")
    if status in REFUSED:
        raise NoAccessError(f"{wanted.name} at {brief(wanted.url)} is not open to us ({status})", hint="Ask for it.")
    raise HostError(f"{brief(wanted.url)} answers {status}", hint=AGAIN)


def _refuse_page(wanted: Wanted, response: requests.Response, head: bytes, at: str) -> None:
    """A page for people in the place of a file is no file. Raises WrongTypeError."""
    media_type = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    told = wanted.checksum is not None or wanted.size is not None
    if not told and is_html(media_type, head) and not wanted.name.lower().endswith((".html", ".htm")):
        raise WrongTypeError(f"{brief(at)} is a page, not the file {wanted.name}", hint="Look at the page.")


def _goes_on(response: requests.Response, have: int) -> bool:
    return response.headers.get("Content-Range", "").startswith(f"bytes {have}-")


def _validator(response: requests.Response) -> str:
    etag = str(response.headers.get("ETag", ""))
    return etag if etag.startswith('"') else str(response.headers.get("Last-Modified", ""))


def _length(response: requests.Response, have: int) -> int | None:
    declared = str(response.headers.get("Content-Length", ""))
    return have + int(declared) if declared.isdigit() and "Content-Encoding" not in response.headers else None


def _patiently(response: requests.Response, url: str) -> Iterator[bytes]:
    """The body; raises HostError where next to nothing comes for minutes."""
    since, got = time.monotonic(), 0
    for block in pieces(response, BLOCK):
        got += len(block)
        if got >= _STALL_BYTES:
            since, got = time.monotonic(), 0
        elif time.monotonic() - since > _STALL_SECONDS:
            raise HostError(f"{brief(url)} sends next to nothing", hint=AGAIN)
        yield block


def _up_to(blocks: Iterator[bytes], most: int) -> Iterator[bytes]:
    """Blocks until they are more than ``most`` bytes together."""
    size = 0
    for block in blocks:
        yield block
        size += len(block)
        if size > most:
            return


def _checksum(path: Path, like: str) -> str:
    """The checksum of a file by the method that ``like`` names. Raises ChecksumError for one that we do not know."""
    method, _, _ = like.partition(":")
    if method.lower() not in ("md5", "sha1", "sha256", "sha512"):
        raise ChecksumError(f"the host names a checksum that we do not know: {like}", hint="Tell us of it.")
    with path.open("rb") as file:
        return f"{method.lower()}:{hashlib.file_digest(file, method.lower()).hexdigest()}"


def name_at(url: str) -> str:
    """A file's name by its address.

    >>> name_at("https://example.org/a/train%20set.csv?download=1")
    'train set.csv'
    """
    share = clouds.share(url)
    path = urlsplit(share.url if share is not None else url).path
    return unquote(path.rstrip("/").rpartition("/")[2]).replace("/", "_") or "download"


__all__ = ["Budget", "Downloaded", "Downloader", "Wanted", "name_at"]
