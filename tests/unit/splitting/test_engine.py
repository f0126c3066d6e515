"""Whole tasks carried out: both sides, every row accounted for, whole or not at all."""

from __future__ import annotations

import errno
import io
import os
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest
import yaml

from nature_gym.digests import digest_file, digest_folder
from nature_gym.errors import InfrastructureError, UsageError
from nature_gym.splitting import members
from nature_gym.splitting.engine import carry_out_task
from nature_gym.splitting.faults import SplitError
from nature_gym.splitting.result import split_task
from nature_gym.splitting.sources import folder_digest
from tests.faults import instructions_of, killed_after
from tests.unit.splitting.conftest import TaskOf, document

TABLE = "id,age,y\n" + "".join(f"p{n},{n},{n % 7}\n" for n in range(40))
SPLIT = {"kind": "expression", "of": "data/all.csv", "parts": {"train": "age < 30", "test": "age >= 30"}}
FILES: list[dict[str, Any]] = [
    {"file": "train.csv", "take": "data/all.csv", "part": "main/train", "role": "development"},
    {"file": "test.csv", "take": "data/all.csv", "part": "main/test", "steps": [{"drop": ["y"]}], "role": "inputs"},
]
ANSWERS: list[dict[str, Any]] = [
    {"file": "y.csv", "take": "data/all.csv", "part": "main/test", "steps": [{"keep": ["id", "y"]}], "role": "answers"}
]
TASK: dict[str, Any] = {"splits": {"main": SPLIT}, "files": FILES, "reference": {"kind": "label", "files": ANSWERS}}


@pytest.fixture(autouse=True)
def table(data: Path) -> None:
    (data / "all.csv").write_text(TABLE)


def made(steps: list[Any] | None = None, **fields: Any) -> dict[str, Any]:
    return {"files": [{"file": "out.csv", "take": "data/all.csv", "steps": steps or [], "role": "inputs", **fields}]}


def test_each_side_gets_its_rows_and_each_file_a_line_of_provenance(tmp_path: Path, task_of: TaskOf) -> None:
    result = carry_out_task(task_of(**TASK), tmp_path, tmp_path / "out")
    lines = TABLE.splitlines(keepends=True)
    assert (tmp_path / "out/problem/data/main/train.csv").read_text() == "".join(lines[:31])
    assert (tmp_path / "out/problem/data/main/test.csv").read_text().splitlines()[:2] == ["id,age", "p30,30"]
    assert (tmp_path / "out/evaluation/ground_truth/main/y.csv").read_text().splitlines()[:2] == ["id,y", "p30,2"]
    assert [(file.rows_in, file.rows_out) for file in result.files] == [(40, 30), (40, 10), (40, 10)]
    assert {file.source_digest for file in result.files} == {digest_file(tmp_path / "data/all.csv")}
    assert result.files[2].operations == ("part main/test", "keep: ['id', 'y']")
    assert [counts.counts for counts in result.splits] == [{"train": 30, "test": 10, "": 0}]


def test_what_is_compared_with_is_never_visible(tmp_path: Path, task_of: TaskOf) -> None:
    result = carry_out_task(task_of(**TASK), tmp_path, tmp_path / "out")
    hidden = {file.file for file in result.files if file.file.startswith("evaluation/ground_truth/")}
    assert hidden == {"evaluation/ground_truth/main/y.csv"}
    for path in (tmp_path / "out/problem").rglob("*.csv"):
        assert "y" not in path.read_text().splitlines()[0].split(",") or path.name == "train.csv"
    with pytest.raises(ValueError, match="role answers belong under reference"):
        task_of(splits={"main": SPLIT}, files=[{**FILES[0], "role": "answers"}])
    with pytest.raises(ValueError, match="role inputs belong under files"):
        task_of(**{**TASK, "reference": {"kind": "label", "files": [{**ANSWERS[0], "role": "inputs"}]}})


@pytest.mark.parametrize(
    ("steps", "text"),
    [
        ([{"rows": "age < 2"}], "id,age,y\np0,0,0\np1,1,1\n"),
        ([{"matching": {"column": "id", "pattern": "^p3[89]$"}}], "id,age,y\np38,38,3\np39,39,4\n"),
        ([{"rows": "age < 1"}, {"rename": {"y": "Grüße"}}, {"keep": ["Grüße", "id"]}], "Grüße,id\n0,p0\n"),
        ([{"rows": "age < 3"}, {"join": {"table": "data/more.csv", "on": "id"}}, {"drop": ["age", "y"]}],
         "id,z\np0,z0\np1,z1\np2,z2\n"),
    ],
)  # fmt: skip
def test_steps_do_what_they_say(tmp_path: Path, data: Path, task_of: TaskOf, steps: list[Any], text: str) -> None:
    (data / "more.csv").write_text("id,z\n" + "".join(f"p{n},z{n}\n" for n in reversed(range(3))))
    carry_out_task(task_of(**made(steps)), tmp_path, tmp_path / "out")
    assert (tmp_path / "out/problem/data/main/out.csv").read_text() == text


def test_doubled_and_empty_headings_stay_as_they_are(tmp_path: Path, data: Path, task_of: TaskOf) -> None:
    (data / "all.csv").write_text("a,a,,b\n1,2,3,4\n")
    carry_out_task(task_of(**made([{"drop": ["b"]}])), tmp_path, tmp_path / "out")
    assert (tmp_path / "out/problem/data/main/out.csv").read_text() == "a,a,,b\n1,2,3,4\n".replace(",b", "").replace(
        ",4", ""
    )


@pytest.mark.parametrize("suffix", ["parquet", "jsonl", "json", "npz", "tsv"])
def test_tables_are_written_in_other_formats_with_types(tmp_path: Path, task_of: TaskOf, suffix: str) -> None:
    fields: dict[str, Any] = {"file": f"out.{suffix}", "steps": [{"rows": "age < 2"}, {"keep": ["id", "age"]}]}
    carry_out_task(task_of(**made(**fields)), tmp_path, tmp_path / "out")
    path = tmp_path / f"out/problem/data/main/out.{suffix}"
    if suffix == "parquet":
        import duckdb

        assert duckdb.execute(f"SELECT * FROM '{path}'").fetchall() == [("p0", 0), ("p1", 1)]
    elif suffix == "npz":
        with np.load(path) as arrays:
            assert arrays["age"].tolist() == [0, 1]
            assert arrays["id"].tolist() == ["p0", "p1"]
    elif suffix == "tsv":
        assert path.read_text() == "id\tage\np0\t0\np1\t1\n"
    else:
        lines = (
            orjson.loads(path.read_bytes())
            if suffix == "json"
            else [orjson.loads(x) for x in path.read_bytes().splitlines()]
        )
        assert lines == [{"id": "p0", "age": 0}, {"id": "p1", "age": 1}]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"steps": [{"drop": ["z"]}]}, "has no column 'z'"),
        ({"steps": [{"rows": "age > 100"}]}, "leaves no row"),
        ({"steps": [{"rename": {"age": "y"}}]}, "2 columns would be called 'y'"),
        ({"steps": [{"join": {"table": "data/few.csv", "on": "id"}}]}, "39 ids find no partner"),
        ({"steps": [{"join": {"table": "data/twice.csv", "on": "id"}}]}, "more than once"),
        ({"steps": [{"convert": "parquet"}]}, "is no name for parquet"),
        ({"take": "data/none.csv"}, "there is no file data/none.csv"),
        ({"take": "data/*.nothing", "file": "all/"}, "no file matches"),
        ({"take": "data/*.csv"}, "matches 3 files"),
        ({"take": "data/out-of-here.csv"}, "leads out of its source"),
        ({"file": "é" * 200 + ".csv"}, "cannot be a file"),
        ({"take": "data/note.xyz", "steps": [{"drop": ["a"]}], "file": "out.xyz"}, "has no rows that could be split"),
    ],
)
def test_what_goes_wrong_names_instance_file_and_what_to_do(
    tmp_path: Path, data: Path, task_of: TaskOf, fields: dict[str, Any], message: str
) -> None:
    (tmp_path / "secret.csv").write_text("a\n1\n")
    (data / "few.csv").write_text("id,z\np0,1\n")
    (data / "twice.csv").write_text("id,z\np0,1\np0,2\n")
    (data / "note.xyz").write_text("x")
    if "out-of-here" in fields.get("take", ""):
        (data / "out-of-here.csv").symlink_to(tmp_path / "secret.csv")
    with pytest.raises(SplitError, match=message) as caught:
        carry_out_task(task_of(**made(**fields)), tmp_path, tmp_path / "out")
    assert caught.value.message.startswith("main: ")
    assert caught.value.hint


def test_two_files_cannot_take_each_others_place(tmp_path: Path, data: Path, task_of: TaskOf) -> None:
    for folder in ("one", "two"):
        (data / folder).mkdir()
        (data / folder / "a.csv").write_text(folder)
    files = [{"file": "x/", "take": f"data/{folder}/*.csv", "role": "inputs"} for folder in ("one", "two")]
    files[1]["file"] = "x/"
    with pytest.raises(ValueError, match="more than once"):
        task_of(files=files)
    files[1] = {"file": "x/a.csv", "take": "data/two/a.csv", "role": "inputs"}
    with pytest.raises(SplitError, match="made twice"):
        carry_out_task(task_of(files=files), tmp_path, tmp_path / "out")
    assert (data / "one/a.csv").read_text() == "one"


def test_folders_of_files_keep_their_names_below_the_pattern(tmp_path: Path, data: Path, task_of: TaskOf) -> None:
    for name in ("x/ä/1.txt", "x/b/2.txt", "x/" + "n" * 250 + ".txt"):
        (data / name).parent.mkdir(parents=True, exist_ok=True)
        (data / name).write_text(name)
    files = [{"file": "texts/", "take": "data/x/**/*.txt", "role": "inputs"}]
    result = carry_out_task(task_of(files=files), tmp_path, tmp_path / "out")
    found = {file.file.removeprefix("problem/data/main/texts/") for file in result.files}
    assert found == {"ä/1.txt", "b/2.txt", "n" * 250 + ".txt"}


@pytest.mark.parametrize("kind", ["zip", "tar.gz"])
def test_a_member_is_taken_from_its_archive(tmp_path: Path, data: Path, task_of: TaskOf, kind: str) -> None:
    if kind == "zip":
        with zipfile.ZipFile(data / "a.zip", "w") as archive:
            archive.writestr("in/all.csv", TABLE)
    else:
        with tarfile.open(data / "a.tar.gz", "w:gz") as tar:
            entry = tarfile.TarInfo("./in/all.csv")
            entry.size = len(TABLE)
            tar.addfile(entry, io.BytesIO(TABLE.encode()))
            tar.addfile(tarfile.TarInfo("in/empty.csv"))
    steps = [{"member": "in/all.csv"}, {"rows": "age < 1"}]
    carry_out_task(task_of(**made(steps, take=f"data/a.{kind}")), tmp_path, tmp_path / "out")
    assert (tmp_path / "out/problem/data/main/out.csv").read_text() == "id,age,y\np0,0,0\n"
    with pytest.raises(SplitError, match=r"has no member 'all\.csv'"):
        carry_out_task(task_of(**made([{"member": "all.csv"}], take=f"data/a.{kind}")), tmp_path, tmp_path / "other")


def test_what_unpacks_without_end_and_links_are_refused(
    tmp_path: Path, data: Path, task_of: TaskOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(members, "ALWAYS", 1000)
    with zipfile.ZipFile(data / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.csv", b"0" * 1_000_000)
    with pytest.raises(SplitError, match="unpacks to more than"):
        carry_out_task(task_of(**made([{"member": "bomb.csv"}], take="data/a.zip")), tmp_path, tmp_path / "out")
    with tarfile.open(data / "a.tar", "w") as tar:
        link = tarfile.TarInfo("link.csv")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(link)
    with pytest.raises(SplitError, match="is no plain file"):
        carry_out_task(task_of(**made([{"member": "link.csv"}], take="data/a.tar")), tmp_path, tmp_path / "other")


def test_a_part_is_taken_of_files_with_the_same_rows_alone(tmp_path: Path, data: Path, task_of: TaskOf) -> None:
    np.save(data / "x.npy", np.arange(40))
    np.save(data / "short.npy", np.arange(39))
    files = [{"file": "x.npy", "take": "data/x.npy", "part": "main/test", "role": "inputs"}]
    carry_out_task(task_of(splits={"main": SPLIT}, files=files), tmp_path, tmp_path / "out")
    assert np.load(tmp_path / "out/problem/data/main/x.npy").tolist() == list(range(30, 40))
    files[0]["take"] = "data/short.npy"
    with pytest.raises(SplitError, match="39 rows, and what split 'main' splits has 40"):
        carry_out_task(task_of(splits={"main": SPLIT}, files=files), tmp_path, tmp_path / "other")


def test_a_source_that_changed_is_noticed(tmp_path: Path, data: Path, task_of: TaskOf) -> None:
    source = {"path": "data", "digest": folder_digest(data)}
    carry_out_task(task_of(source=source, **made()), tmp_path, tmp_path / "out")
    (data / "all.csv").write_text(TABLE.replace("p1,1,1", "p1,1,2"))
    with pytest.raises(SplitError, match="source 'data' has changed"):
        carry_out_task(task_of(source=source, **made()), tmp_path, tmp_path / "other")


def test_splits_of_themselves_and_of_nothing_are_mistakes_of_the_file(task_of: TaskOf) -> None:
    ring = {"a": {**SPLIT, "of": "b/train"}, "b": {**SPLIT, "of": "a/train"}}
    with pytest.raises(ValueError, match="is of itself"):
        task_of(splits=ring, files=made()["files"])
    with pytest.raises(ValueError, match="has no part 'valid'"):
        task_of(splits={"a": {**SPLIT, "of": "b/valid"}, "b": SPLIT}, files=made()["files"])


# -- whole or not at all -------------------------------------------------------------------------


@pytest.fixture
def task_file(tmp_path: Path) -> Path:
    path = tmp_path / "task.yaml"
    path.write_text(yaml.safe_dump(document(**TASK)))
    return path


def test_the_result_is_the_same_each_time(tmp_path: Path, task_file: Path) -> None:
    one, two = (split_task(task_file, tmp_path / name) for name in ("one", "two"))
    assert one.digest == two.digest
    assert digest_folder(one.folder.resolve()) == digest_folder(two.folder.resolve())
    lines = [orjson.loads(line) for line in (one.folder / "provenance.jsonl").read_bytes().splitlines()]
    assert [line["file"].rpartition("/")[2] for line in lines] == ["train.csv", "test.csv", "y.csv"]


def test_a_kill_at_any_moment_leaves_the_old_result_or_none_and_a_second_run_the_same(
    tmp_path: Path, task_file: Path
) -> None:
    """The moments are instructions of the splitting modules, drawn evenly over the whole of the work."""
    wanted = split_task(task_file, tmp_path / "wanted").digest
    scope = "nature_gym.splitting.engine"
    for name in ("result", "engine"):
        scope = f"nature_gym.splitting.{name}"
        total = instructions_of(lambda: split_task(task_file, tmp_path / "measured"), scope=scope)
        for moment in np.linspace(1, total, 8).astype(int).tolist():
            out = tmp_path / f"{name}-{moment}"
            assert killed_after(moment, lambda: split_task(task_file, out), scope=scope) or out.is_dir()  # noqa: B023
            assert not out.exists() or (out / "provenance.jsonl").is_file()
            assert split_task(task_file, out).digest == wanted
            assert len(list(tmp_path.glob(f".{out.name}.*"))) <= 2


def test_a_full_disk_is_ours_and_leaves_what_was_there(
    tmp_path: Path, task_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = split_task(task_file, tmp_path / "out").digest

    def full(*_: object, **__: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("nature_gym.splitting.engine.deal_rows", full)
    with pytest.raises((OSError, InfrastructureError)):
        split_task(task_file, tmp_path / "out")
    monkeypatch.undo()
    assert (tmp_path / "out/provenance.jsonl").is_file()
    assert split_task(task_file, tmp_path / "out").digest == before


def test_other_peoples_folders_are_not_replaced(tmp_path: Path, task_file: Path, data: Path) -> None:
    with pytest.raises(UsageError, match="holds other things"):
        split_task(task_file, data)
    assert (data / "all.csv").is_file()


def test_copies_do_not_change_their_source(tmp_path: Path, data: Path, task_of: TaskOf) -> None:
    result = carry_out_task(task_of(**made()), tmp_path, tmp_path / "out")
    assert result.files[0].digest == result.files[0].source_digest
    assert (data / "all.csv").read_text() == TABLE
