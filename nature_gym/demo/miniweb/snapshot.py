"""OpenAlex's bulk snapshot of a world: gzip JSON lines by day of update, a manifest, merged ids.

Equal worlds give equal files, byte for byte.
"""

from __future__ import annotations

import gzip
import io
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import orjson

from nature_gym.demo.miniweb.press import JournalPress, Press
from nature_gym.demo.miniweb.works import merged_ids
from nature_gym.demo.model import World


def _gzip(lines: Iterable[bytes]) -> bytes:
    packed = io.BytesIO()
    # No file name and no time in the header: they would differ from run to run.
    with gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0) as stream:
        for line in lines:
            stream.write(line)
            stream.write(b"\n")
    return packed.getvalue()


def write_snapshot(world: World, directory: Path, *, press: Press | None = None, part_size: int = 1000) -> Path:
    """Write the snapshot of a world's works below ``directory`` and give back the manifest's path.

    ``part_size`` is the most records in a file; the real parts hold about a gigabyte.
    """
    press = press or JournalPress()
    days: dict[str, list[bytes]] = defaultdict(list)
    for paper in world.papers:
        record = press.work(paper)
        days[str(record.get("updated_date") or "2026-01-01")[:10]].append(orjson.dumps(record))
    works = directory / "data" / "works"
    entries: list[dict[str, object]] = []
    for day, records in sorted(days.items()):
        folder = works / f"updated_date={day}"
        folder.mkdir(parents=True, exist_ok=True)
        for part, start in enumerate(range(0, len(records), part_size)):
            lines = records[start : start + part_size]
            packed = _gzip(lines)
            name = f"part_{part:03d}.gz"
            (folder / name).write_bytes(packed)
            entries.append(
                {
                    "url": f"s3://openalex/data/works/{folder.name}/{name}",
                    "meta": {"content_length": len(packed), "record_count": len(lines)},
                }
            )
    _write_merged(world, directory)
    return _write_manifest(works, entries)


def _write_manifest(works: Path, entries: list[dict[str, object]]) -> Path:
    metas = [entry["meta"] for entry in entries]
    totals = {
        name: sum(meta[name] for meta in metas if isinstance(meta, dict)) for name in ("content_length", "record_count")
    }
    works.mkdir(parents=True, exist_ok=True)
    manifest = works / "manifest"
    manifest.write_bytes(orjson.dumps({"entries": entries, "meta": totals}, option=orjson.OPT_INDENT_2))
    return manifest


def _write_merged(world: World, directory: Path) -> None:
    rows = [b"merge_date,id,merge_into_id"]
    rows += [f"2025-11-06,{old},{new}".encode() for old, new in sorted(merged_ids(world).items())]
    folder = directory / "data" / "merged_ids" / "works"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "2025-11-06.csv.gz").write_bytes(_gzip(rows))
