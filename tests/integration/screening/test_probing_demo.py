"""Every link of the demo world, looked at once: its status and size are what the world says of its hosts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from nature_gym.config import Settings, load_settings
from nature_gym.demo.miniweb import Behaviour, MiniWeb
from nature_gym.demo.miniweb.rude import RUDE_PAGES
from nature_gym.demo.model import Deposit, Page, Repository, World
from nature_gym.demo.world import build_world
from nature_gym.screening.probes import Probe
from nature_gym.screening.probing import WebProber

Look = tuple[dict[str, Probe], MiniWeb, Settings]
IDENTITY = ("/projects/gap/",)


@pytest.fixture(scope="module")
def world() -> World:
    return build_world(0)


@pytest.fixture(scope="module")
def seen(world: World, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Look]:
    folder = tmp_path_factory.mktemp("probing")
    behaviour = Behaviour(slow_seconds=0.1, retry_after=0.1)
    with MiniWeb(world, behaviour=behaviour, git_cache=folder / "git") as web:
        settings = load_settings(home=folder / "home", mirror=web.url, probes_per_second=1000, timeout=5)
        urls = [*map(str, expected(world))]
        yield dict(zip(urls, WebProber(settings).probe(urls), strict=True)), web, settings


def expected(world: World) -> dict[str, tuple[str, int | None]]:
    """Address -> (status, bytes or None where they are not told), from the world and nothing else."""
    told: dict[str, tuple[str, int | None]] = {}
    for entry in world.entries:
        for repository in entry.repositories:
            told[repository.url] = of_repository(repository)
        for deposit in entry.deposits:
            told[address(deposit)] = of_deposit(deposit)
    rude = [page for page in RUDE_PAGES if "hours" not in page.url]  # that one would silence the whole host, rightly
    for page in (*(page for entry in world.entries for page in entry.pages), *rude):
        told[page.url] = of_page(page)
    return told


def address(deposit: Deposit) -> str:
    return {
        "zenodo.org": f"https://doi.org/10.5281/zenodo.{deposit.number}",
        "figshare.com": f"https://doi.org/10.6084/m9.figshare.{deposit.number}",
        "huggingface.co": f"https://huggingface.co/datasets/{deposit.number}",
    }[deposit.host]


def of_repository(repository: Repository) -> tuple[str, int | None]:
    return ("accessible" if repository.state == "open" and repository.files else "not_found"), None


def of_deposit(deposit: Deposit) -> tuple[str, int | None]:
    if deposit.state != "open":
        return {"restricted": "requires_auth", "gone": "not_found"}[deposit.state], None
    return "accessible", sum(file.size for file in deposit.files)


def of_page(page: Page) -> tuple[str, int | None]:
    location = {name.lower(): value for name, value in page.headers.items()}.get("location", "")
    title = page.body[:300].lower()
    if "sign-in" in location or "login" in location or any(part in page.url for part in IDENTITY):
        return "redirect_to_auth", None
    if b"<title>sign in" in title or page.status in (401, 403) or "auth.nih.gov" in page.url:
        return "requires_auth", None
    if page.behaviour in ("loop", "captcha") or page.headers.get("retry-after") == "36000" or page.status >= 500:
        return "error", None
    if page.behaviour == "reset" and "html" in page.media_type:
        return "error", None
    if page.status in (404, 410):
        return "not_found", None
    size = None if "html" in page.media_type else page.declared_size or len(page.body)
    return "accessible", size


def test_every_status_is_as_the_world_says(world: World, seen: Look) -> None:
    probes, _, _ = seen
    want = {url: status for url, (status, _) in expected(world).items()}
    got = {url: probe.status for url, probe in probes.items()}
    assert {url: (got[url], probes[url].notes) for url in got if got[url] != want[url]} == {}
    assert len(set(got.values())) == 5


def test_sizes_are_those_of_files_and_never_of_pages(world: World, seen: Look) -> None:
    probes, _, _ = seen
    want = {url: size for url, (_, size) in expected(world).items() if size is not None}
    assert {url: (probes[url].size_bytes, size) for url, size in want.items() if probes[url].size_bytes != size} == {}
    assert all(probe.size_bytes is None for probe in probes.values() if "html" in probe.media_type)


def test_no_host_ever_had_two_requests_at_once(seen: Look) -> None:
    _, web, _ = seen
    assert {host: figures.most_at_once for host, figures in web.log.stats().items() if figures.most_at_once > 1} == {}
    assert len(web.log.stats()) > 20


def test_papers_prove_their_fate_on_links(world: World, seen: Look) -> None:
    """Where the truth's evidence is an observation on a link, some link of that paper bears it out."""
    probes, _, _ = seen
    for entry in world.entries:
        last = entry.truth.rules[-1] if entry.truth.rules else None
        if last is None or last.verdict != "reject" or last.quote or not last.rule.startswith("3."):
            continue
        urls = [*(one.url for one in entry.repositories), *map(address, entry.deposits), *(p.url for p in entry.pages)]
        told = {probes[url].status for url in urls} - {"accessible", "error"}
        empty = any(size == 0 for url in urls for _, size in probes[url].files)
        assert told or empty or last.code in ("size_unknown", "too_large", "data_anomaly"), last


def test_what_was_seen_is_remembered(seen: Look) -> None:
    probes, web, settings = seen
    lasting = [url for url, probe in probes.items() if probe.status != "error"]
    before = len(web.log)
    again = WebProber(settings).probe(lasting)
    assert [one.at for one in again] == [probes[url].at for url in lasting]
    assert len(web.log) == before
