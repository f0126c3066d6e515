"""A package is made by rule: the same bytes everywhere, whole or not at all, and nothing stale in it."""

from __future__ import annotations

import csv
import errno
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from checks.registry import chosen
from nature_gym.cli.problems import problems_of
from nature_gym.digests import digest_folder
from nature_gym.errors import InfrastructureError
from nature_gym.packaging import build as building
from nature_gym.packaging.build import build, exchange
from nature_gym.packaging.faults import BuildError, FirewallError
from nature_gym.packaging.package import REQUIRED, open_package
from nature_gym.packaging.task_file import TaskFileError
from tests.unit.packaging.conftest import TRAIN, WriteTask

LAYOUT = {*REQUIRED, "task.yaml", "provenance.json", "licenses/lab.txt", "problem/data/runs/train.csv",
          "problem/data/runs/test.csv", "evaluation/ground_truth/runs/yields.csv"}  # fmt: skip


def test_a_package_has_the_files_of_the_format_and_no_others(write_task: WriteTask, tmp_path: Path) -> None:
    built = build(write_task(), tmp_path / "out")
    package = open_package(built.path)
    assert set(package.files) == LAYOUT
    assert problems_of(package.path, chosen(("C0", "C1", "C2"), ())) == []
    assert set(built.changed) == LAYOUT


def test_time_zone_locale_and_order_on_disk_do_not_matter(write_task: WriteTask, tmp_path: Path) -> None:
    task = write_task(_with_folder, {f"lab/more/{name}.csv": TRAIN.encode() for name in "acb"})
    again = write_task(_with_folder, {f"lab/more/{name}.csv": TRAIN.encode() for name in "bca"})
    script = (
        "import sys; from pathlib import Path; from nature_gym.packaging.build import build; "
        "build(Path(sys.argv[1]), Path(sys.argv[2]))"
    )
    digests = []
    for place, zone, locale in ((task, "UTC", "C.UTF-8"), (again, "Asia/Kathmandu", "C")):
        out = tmp_path / zone.replace("/", "-")
        environment = {**os.environ, "TZ": zone, "LC_ALL": locale, "PYTHONHASHSEED": str(len(zone))}
        subprocess.run([sys.executable, "-c", script, place, out], check=True, env=environment)
        digests.append(digest_folder(out / "tiny-0001"))
    assert digests[0] == digests[1]
    assert "problem/data/runs/more/a.csv" in digests[0]


def _with_folder(task: dict[str, Any]) -> None:
    task["instances"][0]["files"].append({"file": "more/", "take": "lab/more/*.csv", "role": "resource"})


def test_one_word_changes_only_the_files_that_carry_it(write_task: WriteTask, tmp_path: Path) -> None:
    task = write_task()
    before = build(task, tmp_path)
    untouched = before.path / "evaluation/evaluator.py"
    mark = untouched.stat().st_ino, untouched.stat().st_mtime_ns
    task.write_text(task.read_text().replace("Yields depend", "Yields hinge"))
    after = build(task, tmp_path)
    assert after.changed == ("problem/README.md", "provenance.json", "task.yaml")
    assert "Yields hinge" in (after.path / "problem/README.md").read_text()
    assert (untouched.stat().st_ino, untouched.stat().st_mtime_ns) == mark


def test_nothing_stale_stays(write_task: WriteTask, tmp_path: Path) -> None:
    task = write_task(_with_folder, {"lab/more/a.csv": TRAIN.encode(), "lab/more/b.csv": TRAIN.encode()})
    built = build(task, tmp_path / "out")
    (task.parent / "lab/more/b.csv").unlink()
    (built.path / "problem/left-over.txt").write_text("from an editor")
    again = build(task, tmp_path / "out")
    assert again.removed == ("problem/data/runs/more/b.csv", "problem/left-over.txt")
    assert not (built.path / "problem/left-over.txt").exists()
    assert build(task, tmp_path / "out").changed == ()


@pytest.mark.parametrize(
    "change",
    [
        lambda task: task.update(questions=["Which split?"]),
        lambda task: task["problem"].update(objective="Beat ZubroNet."),
        lambda task: task["instances"][0]["metrics"][0].update(reference="yields.csv:nothing"),
        lambda task: task["instances"][0]["metrics"][0].update(metric="no such metric"),
        lambda task: task["instances"][0]["metrics"][1].update(direction="lower_is_better"),
        lambda task: task["instances"][0]["metrics"][0].update(options={"k": 3}),
        lambda task: task["instances"][0]["answer"][0].update(ids_of="elsewhere.csv"),
        lambda task: task.update(environment={"packages": ["numpy\nRUN true"]}),
        lambda task: task.update(environment={"base": "a\nRUN true"}),
    ],
)  # fmt: skip
def test_what_cannot_be_built_leaves_what_was_there(
    change: Callable[[dict[str, Any]], None], write_task: WriteTask, tmp_path: Path
) -> None:
    built = build(write_task(), tmp_path / "out")
    before = digest_folder(built.path)
    with pytest.raises((BuildError, TaskFileError)):
        build(write_task(change), tmp_path / "out")
    assert digest_folder(built.path) == before
    assert [path.name for path in (tmp_path / "out").iterdir() if path.name != ".lock"] == ["tiny-0001"]


def test_a_failure_at_any_file_leaves_the_package_before_whole(
    write_task: WriteTask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = write_task()
    built = build(task, tmp_path / "out")
    before = digest_folder(built.path)
    task.write_text(task.read_text().replace("Yields depend", "Yields hinge"))
    for files in range(12):
        written = iter(range(files))
        real = building._write

        def failing(*arguments: Any, written: Any = written, real: Any = real) -> None:
            if next(written, None) is None:
                raise OSError(28, "No space left on device")
            real(*arguments)

        with monkeypatch.context() as patch:
            patch.setattr(building, "_write", failing)
            if files < 8:
                with pytest.raises(InfrastructureError, match="No space"):
                    build(task, tmp_path / "out")
                assert digest_folder(built.path) == before
    build(task, tmp_path / "out")
    assert digest_folder(built.path) != before


def test_folders_change_places_also_without_the_system_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for swapped in (True, False):
        one, other = tmp_path / f"{swapped}1", tmp_path / f"{swapped}2"
        for folder in (one, other):
            folder.mkdir()
            (folder / "name").write_text(folder.name)
        if not swapped:
            monkeypatch.setattr(building, "_swapped", lambda *_: False)
        exchange(one, other)
        assert (one / "name").read_text() == other.name
        assert (other / "name").read_text() == one.name


def test_a_build_that_was_killed_leaves_nothing_for_the_next(write_task: WriteTask, tmp_path: Path) -> None:
    (tmp_path / "out" / ".tiny-0001.0123456789abcdef" / "problem").mkdir(parents=True)
    build(write_task(), tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [".lock", "tiny-0001"]


def test_the_build_names_file_and_place_of_what_the_firewall_finds(write_task: WriteTask, tmp_path: Path) -> None:
    task = write_task(files={"lab/train.csv": TRAIN.replace("t3,", "zubronet,").encode()})
    with pytest.raises(FirewallError, match=r"problem/data/runs/train.csv at byte \d+: 'zubronet'"):
        build(task, tmp_path / "out")


def test_provenance_says_where_each_file_comes_from(write_task: WriteTask, tmp_path: Path) -> None:
    built = build(write_task(), tmp_path)
    provenance = json.loads((built.path / "provenance.json").read_text())
    files = {one["file"]: one for one in provenance["files"]}
    assert files["evaluation/ground_truth/runs/yields.csv"]["source"] == "lab/test.csv"
    assert (files["problem/data/runs/test.csv"]["rows_in"], files["problem/data/runs/test.csv"]["rows_out"]) == (8, 8)


HOSTILE = [
    'quo"te',
    "apo'strophe",
    "{{ brace }}",
    "{% raw %}",
    "back`tick",
    '"""',
    "pi|pe",
    "\N{ROCKET}",
    "new\nline",
    "#",
]


@pytest.mark.slow
def test_300_columns_and_a_million_rows_of_hostile_names_are_rendered(write_task: WriteTask, tmp_path: Path) -> None:
    names = [*HOSTILE, *(f"c{place}" for place in range(300 - len(HOSTILE)))]
    wide = io.StringIO()
    writer = csv.writer(wide, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([n + place / 7 for place in range(300)] for n in range(30))
    long = "n,word\n" + "".join(f"{n},{HOSTILE[n % 7]!r}\n".replace('"', '""') for n in range(1_000_000))

    def with_both(task: dict[str, Any]) -> None:
        task["instances"][0]["files"] += [
            {"file": 'wi"de {x}.csv', "take": "lab/wide.csv", "role": "resource", "meaning": " ".join(HOSTILE)},
            {"file": "long.csv", "take": "lab/long.csv", "role": "resource"},
        ]
        task["instances"][0]["answer"][0]["meaning"] = "\n".join(HOSTILE)
        task["name"] = 'Yields "of" {{ reactions }} `here` \N{ROCKET}'

    task = write_task(with_both, {"lab/wide.csv": wide.getvalue().encode(), "lab/long.csv": long.encode()})
    package = open_package(build(task, tmp_path / "out").path)
    text = package.text("problem/data_description.md").content
    assert "| `long.csv` | 1,000,000 |" in text
    assert "`c0` to `c289` (290)" in text
    assert all(f"`{name}`" in text for name in ('quo"te', "apo'strophe", "{{ brace }}", "{% raw %}", "\N{ROCKET}"))
    assert problems_of(package.path, chosen(("C0", "C1"), ())) == []
    assert package.name == 'Yields "of" {{ reactions }} `here` \N{ROCKET}'


def test_a_full_disk_is_told_with_the_folder_and_what_was_there_stays(
    write_task: WriteTask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = build(write_task(), tmp_path / "out")
    before = digest_folder(built.path)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("nature_gym.packaging.build._write", full)
    with pytest.raises(InfrastructureError, match=f"{tmp_path / 'out'}: No space left"):
        build(write_task(), tmp_path / "out")
    assert digest_folder(built.path) == before
