from __future__ import annotations

import gzip
import os
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
import pytest

from nature_gym.config import Settings, load_settings
from nature_gym.demo.miniweb import write_snapshot
from nature_gym.demo.venues import VENUES
from nature_gym.demo.world import build_world
from nature_gym.errors import UsageError
from nature_gym.harvest import snapshot as module
from nature_gym.harvest.parts import Judge, PartReport, marked_lines, read_part
from nature_gym.harvest.query import queries
from nature_gym.harvest.snapshot import SnapshotReport, find_parts, read_snapshot
from nature_gym.harvest.venues import VenueList, load_venues
from nature_gym.records import Papers
from tests.faults import killed_after
from tests.unit.demo.miniweb.small_world import paper
from tests.unit.harvest.conftest import Outside

REAL = Path(os.environ.get("NATUREGYM_REAL_INPUTS", Path(__file__).parents[4] / "shared" / "real")) / "openalex"
VENUES_OF_DEMO = VenueList.model_validate(
    {
        "name": "all",
        "from": "2020-01-01",
        "to": "2025-12-31",
        "journals": [{"name": venue.name, "issn": venue.issn_l} for venue in VENUES.values()],
    }
)


@pytest.fixture
def settings() -> Settings:
    return load_settings(workers=2)


def read(settings: Settings, folder: Path, venues: VenueList = VENUES_OF_DEMO, **options: Any) -> SnapshotReport:
    return read_snapshot(settings, venues, venues.first, venues.last, folder, **options)


def write(outside: Outside, folder: Path, part_size: int = 7) -> Path:
    write_snapshot(outside.world(), folder, press=outside.edition, part_size=part_size)
    return folder


def verdicts(settings: Settings) -> dict[str, str]:
    records = [folder.record("harvest") for folder in Papers(settings.papers)]
    return {record.paper: record.verdict for record in records if record}


def test_a_snapshot_is_taken_in_once_and_again_at_no_cost(
    settings: Settings, outside: Outside, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside.papers += [
        paper(50, openalex_type="editorial"), paper(51, retracted=True), paper(52, openalex_id="W9"),
    ]  # fmt: skip
    outside.edition.changes["W9"] = {"publication_date": "2010-01-01"}
    folder = write(outside, tmp_path / "snapshot")
    told: list[tuple[int, Sequence[str]]] = []
    report = read(settings, folder, on_part=lambda so_far, changed: told.append((so_far.read, changed)))
    assert {name: value for name, value in report.as_json().items() if name != "seconds"} == {
        "seen": 43,
        "kept": 40,
        "new": 40,
        "updated": 0,
        "unchanged": 0,
        "dropped": {"date": 1, "retracted": 1, "type": 1},
    }
    assert sum(len(changed) for _, changed in told) == 40
    assert report.read == report.parts == told[-1][0]
    monkeypatch.setattr(module, "read_part", lambda *_: pytest.fail("a part was read again"))
    again = read(settings, folder)
    assert (again.read, again.as_json()["new"], again.as_json()["unchanged"], again.seen) == (0, 0, 40, 43)
    assert again.dropped == report.dropped


def test_it_finds_the_same_papers_as_the_api(settings: Settings, tmp_path: Path) -> None:
    from nature_gym.demo.miniweb import MiniWeb
    from nature_gym.harvest.corpus import harvest_corpus

    world, venues = build_world(shallow=150), load_venues("nature-family")
    write_snapshot(world, tmp_path / "snapshot")
    report = read(settings, tmp_path / "snapshot", venues)
    assert report.seen == len(world.papers)
    assert report.seen == report.kept + report.dropped.total()
    assert report.dropped["search"] > 0
    with MiniWeb(world, git_cache=tmp_path / "git") as web:
        api = load_settings(home=tmp_path / "api", mirror=web.url, requests_per_second=10_000)
        harvest_corpus(api, venues, venues.first, venues.last)
    assert verdicts(settings) == verdicts(api)


def test_a_newer_snapshot_reads_what_is_new_and_closes_what_was_merged_or_retracted(
    settings: Settings, outside: Outside, tmp_path: Path
) -> None:
    import dataclasses

    folder = write(outside, tmp_path / "snapshot", part_size=1000)
    before = read(settings, folder)
    outside.papers.append(paper(50))
    outside.change(50)
    outside.change(1, cited_by_count=99)
    outside.change(2, is_retracted=True)
    gone = outside.papers.pop(3)
    position = outside.papers.index(paper(8))
    former = dataclasses.replace(paper(8).indexing, former_ids=(gone.openalex_id,))
    outside.papers[position] = paper(8, indexing=former)
    for part in find_parts(folder)[0]:
        part.path.unlink()
    report = read(settings, write(outside, folder, part_size=1000))
    assert (report.counts["new"], report.counts["updated"], report.counts["withdrawn"]) == (1, 2, 1)
    assert report.counts["merged"] == 1
    now = verdicts(settings)
    assert (now[paper(2).id], now[gone.id], now[paper(8).id]) == ("withdrawn", "merged", "done")
    assert before.read < report.parts + 1


@pytest.mark.parametrize("processes", [1, 2])
def test_several_processes_come_to_the_same(
    settings: Settings, outside: Outside, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: int
) -> None:
    monkeypatch.setattr(module, "WORTH_A_PROCESS", 1 if processes > 1 else 10**12)
    folder = write(outside, tmp_path / "snapshot")
    damaged = find_parts(folder)[0][0]
    whole = damaged.path.read_bytes()
    damaged.path.write_bytes(whole[: len(whole) // 2])
    report = read(settings, folder)
    lost = gzip.decompress(whole).count(b"\n")
    assert report.counts["new"] == len(verdicts(settings)) == 40 - lost
    assert [damaged.path.name in problem for problem in report.damaged] == [True]
    assert "breaks off" in report.damaged[0] or "damaged" in report.damaged[0]


def test_a_process_that_dies_is_an_error_with_what_to_do(
    settings: Settings, outside: Outside, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from nature_gym.errors import InfrastructureError

    monkeypatch.setattr(module, "WORTH_A_PROCESS", 1)
    monkeypatch.setattr("sys.executable", "/bin/true")
    with pytest.raises(InfrastructureError, match="died") as caught:
        read(settings, write(outside, tmp_path / "snapshot"))
    assert "same command" in caught.value.hint


def test_parts_that_the_manifest_promises_and_nobody_downloaded_are_named(
    settings: Settings, outside: Outside, tmp_path: Path
) -> None:
    folder = write(outside, tmp_path / "snapshot")
    parts, _ = find_parts(folder)
    parts[0].path.unlink()
    assert read(settings, folder).missing == [parts[0].name]
    assert [part.name for part in find_parts(folder / "data" / "works")[0]] == [part.name for part in parts[1:]]


@pytest.mark.parametrize("manifest", [None, b"{", b'{"entries": [{"address": 1}]}'])
def test_without_a_snapshot_it_says_what_one_is(settings: Settings, tmp_path: Path, manifest: bytes | None) -> None:
    if manifest is not None:
        (tmp_path / "manifest").write_bytes(manifest)
    with pytest.raises(UsageError, match=r"no snapshot|no manifest"):
        read(settings, tmp_path)


def test_killed_twenty_times_it_ends_like_an_undisturbed_one(
    settings: Settings, outside: Outside, tmp_path: Path
) -> None:
    outside.papers = outside.papers[:20]
    folder = write(outside, tmp_path / "snapshot", part_size=2)
    calm, rough = (settings.model_copy(update={"home": tmp_path / name}) for name in ("calm", "rough"))
    undisturbed = read(calm, folder)
    chance = random.Random(3)
    kills = sum(killed_after(chance.randrange(1, 4_000), lambda: read(rough, folder)) for _ in range(20))
    assert kills >= 15
    report = read(rough, folder)
    assert (report.seen, report.counts, report.dropped) == (20, undisturbed.counts, undisturbed.dropped)
    assert read(rough, folder).counts["unchanged"] == report.kept
    assert verdicts(rough) == verdicts(calm)


LINES = [b'{"a": 1}', b"", b'{"issn_l": "1234-5678", "x": 1}', b"[]", b'{"issn": ["9", "1234-5678"]}', b"", b"last"]


@pytest.mark.parametrize("end", [b"", b"\n", b"\n\n"])
@pytest.mark.parametrize("cut", range(0, 60, 7))
@pytest.mark.parametrize("unpacked", [1, 5, 1 << 20])
def test_lines_are_found_however_the_blocks_fall(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: bytes, cut: int, unpacked: int
) -> None:
    monkeypatch.setattr("nature_gym.harvest.parts._UNPACKED", unpacked)
    text = b"\n".join(LINES) + end
    path = tmp_path / "part_000.gz"
    path.write_bytes(gzip.compress(text[:cut]) + gzip.compress(text[cut:]))  # two streams, as some tools write
    report = PartReport()
    journal = VENUES_OF_DEMO.journals[0].model_copy(update={"issn": "1234-5678"})
    venues = VENUES_OF_DEMO.model_copy(update={"journals": (journal,)})
    mark = Judge(queries(venues, venues.first, venues.last)).mark
    assert list(marked_lines(path, mark, report)) == [LINES[2], LINES[4]]
    assert report.seen == 5


def test_lines_that_are_no_records_are_counted_and_stop_nothing(settings: Settings, tmp_path: Path) -> None:
    from nature_gym.harvest.intake import Intake

    issn = VENUES_OF_DEMO.journals[0].issn
    source = {"issn_l": issn, "issn": [issn]}
    good = {"id": "https://openalex.org/W1", "type": "article", "publication_date": "2022-01-01"}
    records: list[Any] = [
        {**good, "primary_location": {"source": source}},
        {**good, "id": None, "primary_location": {"source": source}},
        {**good, "id": "https://openalex.org/W2", "locations": [{"source": source}], "primary_location": None},
        {**good, "id": "https://openalex.org/W3", "primary_location": {"source": {"issn": [issn]}}},
        [{"issn_l": issn}],
    ]
    lines = [orjson.dumps(record) for record in records] + [b'{"issn_l":"' + issn.encode() + b'"']
    path = tmp_path / "part.gz"
    path.write_bytes(gzip.compress(b"\n".join(lines)))
    judge = Judge(queries(VENUES_OF_DEMO, VENUES_OF_DEMO.first, VENUES_OF_DEMO.last))
    with Intake(Papers(settings.papers)) as intake:
        report = read_part(path, judge, intake)
    assert report.seen == 6
    assert report.counts["new"] == 2
    assert +report.dropped == {"unreadable": 2, "venue": 2}


@pytest.mark.skipif(not REAL.is_dir(), reason="the real inputs are not here")
def test_real_records_load(settings: Settings, tmp_path: Path) -> None:
    works = tmp_path / "data" / "works" / "updated_date=2026-01-01"
    works.mkdir(parents=True)
    (works / "part_000.gz").symlink_to(REAL / "works_full.jsonl.gz")
    (works / "part_001.gz").write_bytes(gzip.compress((REAL / "works_partial.jsonl").read_bytes()))
    venues = load_venues("nature-family").model_copy(update={"first": VENUES_OF_DEMO.first})
    with gzip.open(REAL / "works_full.jsonl.gz") as file:
        records = [orjson.loads(line) for line in file]
    records += [orjson.loads(line) for line in (REAL / "works_partial.jsonl").read_bytes().splitlines()]
    report = read(settings, tmp_path, venues)
    assert report.seen == len(records) == 6577 + 315
    judge = Judge(queries(venues, venues.first, venues.last))
    ours = [record for record in records if isinstance(record, dict) and judge.query(record) is not None]
    assert report.seen - report.dropped["venue"] == len(ours) > 5
    assert 0 < len(verdicts(settings)) <= report.kept
    assert report.dropped["unreadable"] == 0
