"""What is seen at a link without taking it: does it answer, to whom, how large is it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from pydantic import AwareDatetime, BaseModel, ConfigDict

Status = Literal["accessible", "requires_auth", "redirect_to_auth", "not_found", "error"]

SizeSource = Literal["content_length", "api", "text", "none"]


class Probe(BaseModel):
    """One link, seen once.

    ``size_bytes`` is what a download would bring (a record's or a repository's files together), None where unknown;
    ``size_source`` says how it is known. ``files`` names files and sizes where a host's API lists them.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: str
    status: Status
    http_code: int | None = None
    final_url: str | None = None
    size_bytes: int | None = None
    size_source: SizeSource = "none"
    notes: tuple[str, ...] = ()
    media_type: str = ""
    files: tuple[tuple[str, int | None], ...] = ()
    """(name, bytes) of each file of a record or repository, as far as its host tells."""
    holding: str | None = None
    """What the file belongs to (``zenodo:123``): a file and the record that holds it are counted once."""
    at: AwareDatetime | None = None


class Prober(Protocol):
    """Looks at links."""

    def probe(self, urls: Sequence[str]) -> list[Probe]:
        """What is seen at each of ``urls``, in their order. Never raises for what a link does."""
        ...
