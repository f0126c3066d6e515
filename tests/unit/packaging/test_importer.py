"""Packages in the published format, in manners other than ours, are taken in; hostile ones are not."""

from __future__ import annotations

import errno
import io
import json
import os
import tarfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from nature_gym.digests import digest_folder
from nature_gym.errors import InfrastructureError
from nature_gym.packaging import importer
from nature_gym.packaging.build import build
from nature_gym.packaging.faults import BuildError
from nature_gym.packaging.importer import import_package
from nature_gym.packaging.outputs import described_answers
from nature_gym.packaging.package import Package
from nature_gym.packaging.specification import TaskSpecification
from nature_gym.packaging.task_file import read_task
from tests.unit.packaging.conftest import WriteTask

CSV = b"id,x\na,1.5\nb,2.5\n"
ANSWERS = b"id,x\na,7.25\nb,9.5\n"


def _metric(name: str = "RMSE", **more: Any) -> dict[str, Any]:
    return {
        "name": name, "is_primary": True, "metric_direction": "lower_is_better", "source_description": "Table 2",
        "unit": None, "sota_score": [{"value": "0.31 ± 0.02", "method": "Quizz"}], "baseline_score": None, **more,
    }  # fmt: skip


def _metadata(entries: dict[str, list[dict[str, Any]]], **more: Any) -> dict[str, Any]:
    return {
        "task_name": "Depth of snow from temperatures",
        "workflow_topology": "strict_single_step",
        "methodology_paradigm": "general_ml_application",
        "tooling_metadata": None,
        "domain_metadata": {"primary_domain": "Physics", "sub_domain": "Snow", "domain_tags": ["a", "b", "c"]},
        "compute_resource_requirements": {
            "cpu_compute": {"severity": "low", "quantity_text": ""}, "gpu_compute": "none", "runtime": "short",
        },
        "performance_entries": [{"dataset_name": name, "metrics": metrics} for name, metrics in entries.items()],
        **more,
    }  # fmt: skip


TABLE = "| File | Format | Shape | Dtype | Values |\n|---|---|---|---|---|\n| `predictions.csv` | csv | n | float | |\n"
EVALUATOR = (
    "import os\nINSTANCES = ['alps', 'andes']\nMETRIC_NAMES = ['RMSE']\n\ndef run_evaluation():\n    return {}\n"
)


@dataclass
class Odd:
    """A package by hand: files by path, and archives (name -> members)."""

    metadata: dict[str, Any]
    files: dict[str, bytes] = field(default_factory=dict)
    archives: dict[str, dict[str, bytes]] = field(default_factory=dict)
    output: str = TABLE
    evaluator: str = EVALUATOR
    dockerfile: str = "FROM naturebench-base:v3\nRUN pip install --no-cache-dir scanpy==1.9.8 \\\n    tmtools==0.2.0\n"

    def write(self, folder: Path) -> Path:
        readme = (
            "# Depth of snow from temperatures\n\n## 1. Scientific Problem\n\nSnow melts.\n\n## 2. Task Objective\n\n"
            "Predict.\n\n## 3. Dataset Information\n\nStations.\n\n## 4. Evaluation Metrics\n\n### Primary Metric\n\n"
            f"RMSE\n\n## 5. Output Format\n\n{self.output}\n\n## 6. Submission Guidelines\n\n### Entry Point\n"
        )
        texts = {
            "metadata.json": json.dumps(self.metadata).encode(), "problem/README.md": readme.encode(),
            "problem/data_description.md": b"# Data Description\n", "evaluation/evaluator.py": self.evaluator.encode(),
            "environment/Dockerfile.v3": self.dockerfile.encode(), "environment/packages.json": b"{}",
        }  # fmt: skip
        for name, content in (texts | self.files).items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        for name, members in self.archives.items():
            (folder / "problem/data_archives").mkdir(parents=True, exist_ok=True)
            with tarfile.open(folder / "problem/data_archives" / name, "w:gz") as archive:
                for member, content in members.items():
                    entry = tarfile.TarInfo(member)
                    entry.size = len(content)
                    archive.addfile(entry, io.BytesIO(content))
        return folder


def _truth(*instances: str) -> dict[str, bytes]:
    return {f"evaluation/ground_truth/{name}/y.csv": ANSWERS for name in instances}


BOTH = {"alps": [_metric()], "andes": [_metric()]}
ODD: dict[str, Odd] = {
    "an archive for each instance, bare inside": Odd(
        _metadata(BOTH), _truth("alps", "andes"),
        {"alps.tar.gz": {"train.csv": CSV}, "andes.tar.gz": {"./train.csv": CSV, "sub/more.csv": CSV}},
    ),
    "one archive with all of problem": Odd(
        _metadata(BOTH), _truth("alps", "andes"),
        {"data.tar.gz": {f"problem/data/{name}/train.csv": CSV for name in ("alps", "andes")}},
    ),
    "litter of desktops in the archive": Odd(
        _metadata(BOTH), _truth("alps", "andes"),
        {"all.tar.gz": {
            "alps/train.csv": CSV, "alps/._train.csv": b"\0", "andes/.DS_Store": b"\0", "andes/train.csv": CSV,
            "__MACOSX/alps/train.csv": b"\0",
        }},
    ),
    "data sets named in words": Odd(
        _metadata({"The Alps (2020)": [_metric()], "Andes": [_metric()]}),
        {**_truth("the_alps_2020", "andes"), "problem/data/the_alps_2020/train.csv": CSV,
         "problem/data/andes/train.csv": CSV},
    ),
    "metrics by instance, and every field of metadata": Odd(
        _metadata(
            {"alps": [_metric()], "andes": [_metric("Snow line error", unit="m", baseline_score={
                "value": 12.5, "method": "mean"}), _metric("MAE", is_primary=False)]},
            workflow_topology="multi_task_parallel", methodology_paradigm="domain_specific_tooling",
            tooling_metadata={"interaction_level": "level_2_cli_engine", "main_tools": [
                {"name": "snowmodel", "purpose": "runs", "interaction_type": "cli"}]},
            field_of_later_versions={"x": 1},
        ),
        {**_truth("alps", "andes"), "problem/data/alps/train.csv": CSV, "problem/data/andes/train.csv": CSV},
        evaluator="from pathlib import Path\nINSTANCES = ('alps', 'andes')\n"
        "METRIC_NAMES = {'alps': ['RMSE'], 'andes': ['Snow line error', 'MAE']}\n"
        "class Judge:\n    def run(self):\n        return {}\n\ndef run_evaluation():\n    return Judge().run()\n",
    ),
    "an oracle with shared files": Odd(
        _metadata({"alps": [_metric()]}),
        {"evaluation/shared/oracle.py": b"def score(x):\n    return x\n", "evaluation/shared/weights.npz": b"PK",
         "problem/data/alps/train.csv": CSV},
        output="- `output/{instance}/designs.npy`: one design a row.\n- `output/{instance}/log.json`\n",
    ),
    "hundreds of files in folders, names with signs": Odd(
        _metadata({"alps": [_metric()]}),
        {**_truth("alps"), **{f"problem/data/alps/images/{n // 50}/{n}.txt": b"%d" % n for n in range(120)},
         "problem/data/alps/notes [v1]*.csv": CSV},
    ),
    "a README of Windows with paths in a block": Odd(
        _metadata({"only": [_metric()]}), {**_truth("alps"), "problem/data/alps/train.csv": CSV},
        output="Write these:\r\n\r\n```\r\noutput/<instance>/depth.npy\r\n```\r\n",
    ),
}  # fmt: skip


def _taken(odd: Odd, tmp_path: Path) -> tuple[Package, TaskSpecification]:
    taken = import_package(odd.write(tmp_path / "case-0001"), tmp_path / "taken")
    return taken, read_task(taken.path / "task.yaml")


@pytest.mark.parametrize("name", ODD)
def test_a_package_in_another_manner_is_taken_in_and_described(name: str, tmp_path: Path) -> None:
    odd = ODD[name]
    taken, task = _taken(odd, tmp_path)
    there = {one for one in taken.files if one.startswith(("problem/data/", "evaluation/ground_truth/"))}
    assert not any("._" in one or "MACOSX" in one or "DS_Store" in one for one in there)
    assert len(task.instances) == len(odd.metadata["performance_entries"])
    assert task.questions
    for instance, entry in zip(task.instances, odd.metadata["performance_entries"], strict=True):
        assert entry["dataset_name"] in {instance.name, instance.title, "only"}
        assert [use.name for use in instance.metrics] == [metric["name"] for metric in entry["metrics"]]
        assert instance.metrics[0].anchor[0].value == "0.31 ± 0.02"
    assert task.environment.packages == ("scanpy==1.9.8", "tmtools==0.2.0")


@pytest.mark.parametrize("name", [name for name in ODD if "oracle" not in name])
def test_with_its_questions_answered_the_same_data_are_built_again(name: str, tmp_path: Path) -> None:
    taken, task = _taken(ODD[name], tmp_path)
    answered = task.model_copy(update={"questions": ()}).model_dump(mode="json")
    answered["environment"]["packages"] = []
    for instance in answered["instances"]:
        instance["answer"] = [{"file": "predictions.csv", "format": "csv", "columns": [{"name": "x"}], "rows": "free"}]
        for use in instance["metrics"]:
            use |= {"metric": "rmse", "prediction": "predictions.csv:x", "reference": "y.csv:x"}
    path = taken.path / "answered.yaml"
    path.write_text(json.dumps(answered), encoding="utf-8")
    built = build(path, tmp_path / "again").path
    for side in ("problem/data", "evaluation/ground_truth"):
        assert digest_folder(built / side) == digest_folder(taken.path / side)
    before, after = (json.loads((one / "metadata.json").read_text()) for one in (taken.path, built))
    for before_one, after_one in zip(before["performance_entries"], after["performance_entries"], strict=True):
        assert [(one["name"], one["sota_score"]) for one in after_one["metrics"]] == [
            (one["name"], one["sota_score"]) for one in before_one["metrics"]
        ]
    assert after["workflow_topology"] == before["workflow_topology"]
    assert after["tooling_metadata"] == before["tooling_metadata"]


def test_an_oracles_shared_files_are_hidden_references(tmp_path: Path) -> None:
    _, task = _taken(ODD["an oracle with shared files"], tmp_path)
    (instance,) = task.instances
    assert instance.reference.kind == "oracle"
    assert {made.file for made in instance.reference.files} == {"shared/oracle.py", "shared/weights.npz"}
    assert [answer.file for answer in instance.answer] == ["designs.npy", "log.json"]
    assert any("scores an answer" in question for question in task.questions)


def test_a_package_of_ours_comes_back_as_it_was(write_task: WriteTask, tmp_path: Path) -> None:
    first = build(write_task(), tmp_path / "first").path
    (first / "task.yaml").unlink()
    task = read_task(import_package(first, tmp_path / "taken").path / "task.yaml")
    (answer,) = task.instances[0].answer
    assert (answer.file, answer.format) == ("predictions.csv", "csv")
    assert [(one.name, one.dtype) for one in answer.columns] == [("run", "string"), ("yield", "float")]
    assert [use.metric for use in task.instances[0].metrics] == ["rmse", "r2"]


# -- hostile -----------------------------------------------------------------------------------


def _member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "", size: int = 0) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.linkname, member.size = kind, link, size
    return member


HOSTILE: dict[str, list[tarfile.TarInfo]] = {
    "a path upwards": [_member("alps/../../../../escaped")],
    "an absolute path": [_member("/tmp/escaped")],
    "a symbolic link": [_member("alps/x", tarfile.SYMTYPE, "/etc/passwd")],
    "a hard link": [_member("alps/x", tarfile.LNKTYPE, "metadata.json")],
    "a device": [_member("alps/x", tarfile.CHRTYPE)],
    "a FIFO": [_member("alps/x", tarfile.FIFOTYPE)],
    "a member twice": [_member("alps/x"), _member("alps/x")],
    "a file where a folder is": [_member("alps/x/y"), _member("alps/x")],
    "a name with a line feed": [_member("alps/x\ny")],
    "a name that is too long": [_member("alps/" + "x" * 300)],
    "a file that is there": [_member("alps/train.csv")],
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_archive_is_refused_and_nothing_stays(what: str, tmp_path: Path) -> None:
    odd = Odd(_metadata({"alps": [_metric()]}), {**_truth("alps"), "problem/data/alps/train.csv": CSV})
    source = odd.write(tmp_path / "case-0001")
    (source / "problem/data_archives").mkdir()
    with tarfile.open(source / "problem/data_archives/alps.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for member in HOSTILE[what]:
            archive.addfile(member, io.BytesIO(b""))
    with pytest.raises(BuildError, match=r"alps\.tar\.gz"):
        import_package(source, tmp_path / "taken")
    assert [path.name for path in (tmp_path / "taken").iterdir()] == [".lock"]


@pytest.mark.parametrize("content", [b"", b"no archive", b"\x1f\x8b\x08" + b"\0" * 40])
def test_what_is_no_archive_is_refused(content: bytes, tmp_path: Path) -> None:
    source = Odd(_metadata({"alps": [_metric()]}), _truth("alps")).write(tmp_path / "case-0001")
    (source / "problem/data_archives").mkdir()
    (source / "problem/data_archives/alps.tar.gz").write_bytes(content)
    with pytest.raises(BuildError):
        import_package(source, tmp_path / "taken")


@pytest.mark.parametrize(("limit", "most"), [("LARGEST_UNPACKED", 1000), ("MOST_MEMBERS", 3)])
def test_an_archive_that_unpacks_to_too_much_is_refused(
    limit: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importer, limit, most)
    members = {f"alps/{n}.txt": bytes(400) for n in range(4)}
    source = Odd(_metadata({"alps": [_metric()]}), _truth("alps"), {"a.tar.gz": members}).write(tmp_path / "case-0001")
    with pytest.raises(BuildError, match="too much"):
        import_package(source, tmp_path / "taken")


def test_what_is_no_plain_file_is_left_behind(tmp_path: Path) -> None:
    odd = Odd(_metadata({"alps": [_metric()]}), {**_truth("alps"), "problem/data/alps/train.csv": CSV})
    source = odd.write(tmp_path / "case-0001")
    os.mkfifo(source / "problem/data/alps/pipe")
    (source / "problem/data/alps/link.csv").symlink_to("/etc/passwd")
    taken = import_package(source, tmp_path / "taken")
    assert sorted(path.name for path in (taken.path / "problem/data/alps").iterdir()) == ["train.csv"]


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"alps": [_metric()], "elsewhere": [_metric()]}, "no data"),
        ({"Alps": [_metric()], "alps!": [_metric()]}, "two da"),
    ],
)
def test_data_sets_that_fit_no_folder_are_told(entries: dict[str, Any], message: str, tmp_path: Path) -> None:
    files = {**_truth("alps"), "problem/data/alps/train.csv": CSV, "problem/data/andes/train.csv": CSV}
    with pytest.raises(BuildError, match=message):
        import_package(Odd(_metadata(entries), files).write(tmp_path / "case-0001"), tmp_path / "taken")


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("| File | Format |\n|---|---|\n| predictions.npy | npy |", ["predictions.npy"]),
        ("Save `output/{instance}/a.csv` and `output/{instance}/b.json`.", ["a.csv", "b.json"]),
        ("1. `scores.h5ad`: AnnData\n2. `run.py` is yours, `score.json` is not", ["scores.h5ad"]),
        ("Nothing is said here.", []),
    ],
)
def test_what_has_to_be_handed_in_is_read_in_each_style(text: str, files: list[str]) -> None:
    assert [one["file"] for one in described_answers(text)] == files


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "metadata.json is missing"),
        (b"", "is no JSON: line 1"),
        (b'{"task_name": "x",\n', "is no JSON: line 2"),
        (b"\xff\xfe\0", "is no JSON: line 1"),
        (b"null", "holds null"),
        (b"[1, 2]", "is not as the format has it: it:"),
        (b"[" * 100_000, "is nested too deeply"),
        (b'{"a":' * 100_000, "is nested too deeply"),
        (b"{}", "task_name: Field required; .*; and [0-9]+ more"),
        (
            json.dumps(_metadata({"alps": [_metric()]}, task_name="T")).encode(),
            "no task.yaml can be made of it: name: ",
        ),
    ],
)
def test_metadata_that_cannot_be_read_are_refused_with_one_sentence(
    content: bytes | None, sentence: str, tmp_path: Path
) -> None:
    source = Odd(_metadata({"alps": [_metric()]}), {**_truth("alps"), "problem/data/alps/train.csv": CSV}).write(
        tmp_path / "case-0001"
    )
    (source / "metadata.json").unlink()
    if content is not None:
        (source / "metadata.json").write_bytes(content)
    with pytest.raises(BuildError, match=sentence) as caught:
        import_package(source, tmp_path / "taken")
    assert "\n" not in caught.value.message
    assert len(caught.value.message) < 700


def test_a_full_disk_is_told_with_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = Odd(_metadata({"alps": [_metric()]}), {**_truth("alps"), "problem/data/alps/train.csv": CSV}).write(
        tmp_path / "case-0001"
    )

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("nature_gym.packaging.importer.shutil.copyfileobj", full)
    with pytest.raises(InfrastructureError, match=f"{tmp_path / 'taken'}.*No space left"):
        import_package(source, tmp_path / "taken")
    assert [path.name for path in (tmp_path / "taken").iterdir()] == [".lock"]
