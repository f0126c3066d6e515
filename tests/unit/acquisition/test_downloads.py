"""Downloads go on where they broke off, are what their host says, and keep to their budget."""

from __future__ import annotations

import errno
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nature_gym.acquisition import downloads
from nature_gym.acquisition.downloads import Budget, Downloader, Wanted
from nature_gym.acquisition.faults import BudgetError, ChecksumError, RunBudgetError
from nature_gym.config import Settings, load_settings
from nature_gym.digests import digest_bytes
from nature_gym.errors import InfrastructureError
from nature_gym.store import Store
from nature_gym.web.faults import HostError, NoAccessError, NotThereError, WrongTypeError
from tests.faults import instructions_of, killed_after
from tests.unit.acquisition.hosts import Host, serve

BODY = bytes(range(256)) * 4000
URL = "https://example.org/data.bin"
PLACE = "/example.org/data.bin"
MD5 = f"md5:{hashlib.md5(BODY).hexdigest()}"
KNOWN = Wanted("data.bin", URL, len(BODY), MD5)


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    monkeypatch.setattr(downloads, "pause", lambda attempt: None)
    with serve() as host:
        host.files[PLACE] = BODY
        host.etags[PLACE] = '"one"'
        yield host


@pytest.fixture
def own(host: Host, tmp_path: Path) -> Settings:
    return load_settings(home=tmp_path / "home", mirror=host.url, probes_per_second=10_000.0)


def get(own: Settings, wanted: Wanted = KNOWN, most: int = 10**9) -> downloads.Downloaded:
    return Downloader(own).get(wanted, Budget(most, paper=True))


def test_a_file_is_in_the_store_and_asked_for_once(own: Settings, host: Host) -> None:
    first, again = get(own), get(own)
    assert first.digest == again.digest == digest_bytes(BODY)
    assert (first.transferred, again.transferred) == (len(BODY), 0)
    assert Store(own.store).read(first.digest) == BODY
    assert len(host.seen) == 1


def test_what_breaks_off_goes_on_where_it_ended(own: Settings, host: Host) -> None:
    host.breaks = [300_000, 300_000]
    got = get(own)
    assert got.digest == digest_bytes(BODY)
    assert got.transferred <= len(BODY)
    starts = [int(asked[6:-1]) for _, asked in host.seen if asked]
    assert len(starts) == 2
    assert 0 < starts[0] < starts[1]


def test_a_host_without_ranges_begins_anew(own: Settings, host: Host) -> None:
    host.breaks, host.ranges = [300_000], False
    assert get(own).digest == digest_bytes(BODY)


def test_a_file_that_changes_while_it_is_fetched_is_never_two_halves(own: Settings, host: Host) -> None:
    other = BODY[::-1]
    downloader = Downloader(own)
    host.breaks = [300_000]

    def change(name: str, done: int, total: int | None) -> None:
        host.files[PLACE], host.etags[PLACE] = other, '"two"'

    downloader.on_bytes = change
    got = downloader.get(Wanted("data.bin", URL), Budget(10**9))
    assert got.digest == digest_bytes(other)


def test_a_wrong_checksum_is_tried_again_and_told(own: Settings, host: Host) -> None:
    wanted = Wanted("data.bin", URL, len(BODY), "md5:" + "0" * 32)
    with pytest.raises(ChecksumError, match="has the checksum md5:"):
        get(own, wanted)
    assert len(host.seen) == 2
    assert digest_bytes(BODY) not in Store(own.store)


@pytest.mark.parametrize("said", [len(BODY) - 1, len(BODY) + 1])
def test_another_length_than_the_host_says_is_refused(own: Settings, host: Host, said: int) -> None:
    with pytest.raises(ChecksumError, match="bytes"):
        get(own, Wanted("data.bin", URL, said, None))


def test_what_changed_upstream_is_told(own: Settings, host: Host) -> None:
    plain = Wanted("data.bin", URL)
    first = get(own, plain)
    assert get(own, plain).transferred == 0
    host.files[PLACE], host.etags[PLACE] = b"new", '"two"'
    changed = get(own, plain)
    assert changed.digest == digest_bytes(b"new")
    assert first.digest in changed.notes[0]


@pytest.mark.parametrize(
    ("status", "error"), [(404, NotThereError), (410, NotThereError), (403, NoAccessError), (500, HostError)]
)
def test_refusals_are_told_apart(own: Settings, host: Host, status: int, error: type[Exception]) -> None:
    host.statuses[PLACE] = status
    with pytest.raises(error):
        get(own)


def test_a_page_is_no_file(own: Settings, host: Host) -> None:
    host.files[PLACE], host.types[PLACE] = b"<!doctype html><title>Sign in</title>", "text/html"
    with pytest.raises(WrongTypeError, match="is a page"):
        get(own, Wanted("data.bin", URL))


def test_budgets_stop_before_anything_is_asked_for(own: Settings, host: Host) -> None:
    with pytest.raises(BudgetError, match="paper"):
        get(own, most=1000)
    with pytest.raises(RunBudgetError, match="run"):
        Downloader(own).get(KNOWN, Budget(10**9, above=Budget(1000), paper=True))
    assert not host.seen


def test_a_file_of_unknown_size_is_stopped_by_its_header(own: Settings, host: Host) -> None:
    with pytest.raises(BudgetError):
        get(own, Wanted("data.bin", URL), most=1000)
    assert not list((own.store / "sha256").rglob("*"))


def test_an_empty_file_is_a_file(own: Settings, host: Host) -> None:
    host.files[PLACE] = b""
    assert get(own, Wanted("data.bin", URL, 0)).digest == digest_bytes(b"")


def test_a_full_disk_is_ours_and_the_next_run_goes_on(
    own: Settings, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(Budget):
        def take(self, size: int, name: str) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        Downloader(own).get(KNOWN, Full(10**9))
    assert get(own).digest == digest_bytes(BODY)


def test_a_disk_that_will_not_do_is_told_before(own: Settings, host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    usage: Any = lambda path: type("Usage", (), {"free": 10})  # noqa: E731
    monkeypatch.setattr("shutil.disk_usage", usage)
    with pytest.raises(InfrastructureError, match="10 bytes free"):
        get(own)


def test_addresses_inside_private_networks_are_not_asked(tmp_path: Path) -> None:
    own = load_settings(home=tmp_path / "home")
    with pytest.raises(HostError, match="private network"):
        get(own, Wanted("x", "http://127.0.0.1:9/x"))


def test_killed_at_any_moment_the_next_run_ends_the_same(own: Settings, host: Host, tmp_path: Path) -> None:
    def work() -> None:
        get(own)

    total = instructions_of(lambda: get(own.model_copy(update={"home": tmp_path / "measured"})), limit=1 << 22)
    for part in range(1, 8):
        home = own.model_copy(update={"home": tmp_path / f"killed{part}"})
        killed_after(max(1, total * part // 8), lambda home=home: get(home))  # type: ignore[misc]
        assert get(home).digest == digest_bytes(BODY)
        assert not list(Store(home.store).damaged())
        assert not list((home.store / "downloads").rglob("*.part"))
