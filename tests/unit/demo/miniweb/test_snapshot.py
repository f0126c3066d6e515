from __future__ import annotations

import gzip
import json
from pathlib import Path

from nature_gym.demo.miniweb import write_snapshot
from tests.unit.demo.miniweb.small_world import PlainPress, small_world


def test_the_snapshot_holds_every_work_below_its_day_and_a_manifest_that_adds_up(tmp_path: Path) -> None:
    world, press = small_world(), PlainPress()
    manifest = json.loads(write_snapshot(world, tmp_path, press=press, part_size=2).read_bytes())
    seen = {}
    for entry in manifest["entries"]:
        path = tmp_path / entry["url"].removeprefix("s3://openalex/")
        assert path.stat().st_size == entry["meta"]["content_length"]
        lines = gzip.decompress(path.read_bytes()).splitlines()
        assert len(lines) == entry["meta"]["record_count"] <= 2
        for record in map(json.loads, lines):
            assert path.parent.name == f"updated_date={record['updated_date'][:10]}"
            seen[record["id"]] = record
    assert seen == {work["id"]: work for work in map(press.work, world.papers)}
    assert manifest["meta"]["record_count"] == len(world.papers)
    assert {path.name for path in tmp_path.rglob("part_*.gz")} >= {"part_000.gz", "part_001.gz"}


def test_merged_works_are_listed_with_what_they_became(tmp_path: Path) -> None:
    write_snapshot(small_world(), tmp_path, press=PlainPress())
    (merged,) = (tmp_path / "data" / "merged_ids" / "works").iterdir()
    assert gzip.decompress(merged.read_bytes()).decode().splitlines() == [
        "merge_date,id,merge_into_id",
        "2025-11-06,W8000000003,W4000000003",
    ]


def test_equal_worlds_give_equal_snapshots(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_snapshot(small_world(), tmp_path / name, press=PlainPress())
    files = {name: sorted((tmp_path / name).rglob("*.*")) for name in ("one", "two")}
    assert [path.read_bytes() for path in files["one"]] == [path.read_bytes() for path in files["two"]]
    assert len(files["one"]) > 3
