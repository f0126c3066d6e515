"""Where everything in the world is found: by DOI, id, address. Built once, holds no content."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import parse_qsl, unquote, urlsplit

from nature_gym.demo.miniweb.rude import RUDE_PAGES
from nature_gym.demo.model import Deposit, Page, Paper, Repository, World

Address = tuple[str, str, tuple[tuple[str, str], ...]]


def address_of(host: str, path: str, query: Iterable[tuple[str, str]]) -> Address:
    """One form for addresses that mean the same: order of the query and a last slash do not matter."""
    return host.lower(), path.rstrip("/") or "/", tuple(sorted(query))


class Catalogue:
    """The indices of one world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.papers: dict[str, Paper] = {paper.suffix.lower(): paper for paper in world.papers}
        self.by_doi: dict[str, Paper] = {paper.doi.lower(): paper for paper in world.papers}
        self.by_pmcid: dict[str, Paper] = {paper.pmcid: paper for paper in world.papers if paper.pmcid}
        self.repositories: dict[tuple[str, str, str], Repository] = {}
        self.deposits: dict[tuple[str, str], Deposit] = {}
        self.newest: dict[str, Deposit] = {}
        """Zenodo's concept record -> its newest version."""
        self._pages: dict[Address, Page] = {}
        for entry in world.entries:
            for repository in entry.repositories:
                key = (repository.host, repository.owner.lower(), repository.name.lower())
                self.repositories.setdefault(key, repository)
            for deposit in entry.deposits:
                self._add_deposit(deposit)
            for page in entry.pages:
                self._add_page(page)
        for page in RUDE_PAGES:
            self._add_page(page)
        self.page_hosts: frozenset[str] = frozenset(address[0] for address in self._pages)
        self.git_hosts: frozenset[str] = frozenset(host for host, _, _ in self.repositories)

    def _add_page(self, page: Page) -> None:
        parts = urlsplit(page.url)
        query = parse_qsl(parts.query, keep_blank_values=True)
        self._pages.setdefault(address_of(parts.netloc, unquote(parts.path), query), page)

    def _add_deposit(self, deposit: Deposit) -> None:
        self.deposits.setdefault((deposit.host, deposit.number), deposit)
        if deposit.concept is not None:
            known = self.newest.get(deposit.concept)
            if known is None or (known.published, int(known.number)) < (deposit.published, int(deposit.number)):
                self.newest[deposit.concept] = deposit

    def repository(self, host: str, owner: str, name: str) -> Repository | None:
        """The repository at ``host/owner/name``, whatever its state. ``.git`` at the end is a suffix."""
        return self.repositories.get((host, owner.lower(), name.removesuffix(".git").lower()))

    def page(self, host: str, path: str, query: Iterable[tuple[str, str]]) -> Page | None:
        """The page at an address; one that was declared without a query answers for every query."""
        address = address_of(host, path, query)
        return self._pages.get(address) or self._pages.get((address[0], address[1], ()))
