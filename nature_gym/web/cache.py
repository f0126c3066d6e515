"""The disk cache: what an address answered, once and for all until somebody asks for it anew.

The body lies in the content-addressed store; beside it a small file says what the host said of it, validators
included. That file is written last, whole, so that an entry is there or it is not, whatever
happened in between; and what is there is complete.
"""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from nature_gym.digests import digest_bytes
from nature_gym.files import to_json, write_atomically
from nature_gym.store import Store

KEPT_HEADERS = ("etag", "last-modified", "content-type", "content-disposition", "content-language")


class Entry(BaseModel):
    """What an address answered. A 404 or 410 is an answer, too: it has no digest, and is believed for a day only."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: str
    final_url: str
    status: int
    kind: str = ""
    """What it was asked for, and found to be; asked for as another kind, it is looked at anew."""
    media_type: str = ""
    digest: str | None = None
    size: int = 0
    headers: dict[str, str] = {}
    when: dt.datetime
    """When the host last said so."""

    @property
    def validators(self) -> dict[str, str]:
        """Headers that ask a host whether this is still what it would send."""
        if self.final_url != self.url:
            return {}  # they are the last host's, and it is the first that would be asked
        asked = {"If-None-Match": self.headers.get("etag"), "If-Modified-Since": self.headers.get("last-modified")}
        return {name: value for name, value in asked.items() if value}


class Cache:
    """The entries below ``folder``. Holds no state."""

    def __init__(self, folder: Path, store: Store) -> None:
        self._folder = folder
        self._store = store

    def path(self, url: str) -> Path:
        """Where the entry of ``url`` is, or would be."""
        name = digest_bytes(url.encode()).removeprefix("sha256:")
        return self._folder / name[:2] / f"{name[2:]}.json"

    def get(self, url: str) -> Entry | None:
        """The entry of ``url``, where it is whole: a damaged one, or one whose body is gone, is as good as none."""
        try:
            entry = Entry.model_validate_json(self.path(url).read_bytes())
        except (FileNotFoundError, ValidationError):
            return None
        if entry.url != url or (entry.digest is not None and entry.digest not in self._store):
            return None
        return entry

    def put(self, entry: Entry) -> None:
        """Keep an entry, in the place of what was there."""
        write_atomically(self.path(entry.url), to_json(entry.model_dump(mode="json")))
