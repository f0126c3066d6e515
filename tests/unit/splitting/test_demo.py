"""Demo papers that pass: a task.yaml that says what the truth says of the split gives the generator's own rows."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.model_selection import train_test_split

from nature_gym.demo.model import Entry, SettingTruth
from nature_gym.demo.tasks import write_task
from nature_gym.demo.world import build_world
from nature_gym.packaging.specification import TaskSpecification
from nature_gym.splitting.engine import carry_out_task
from tests.unit.splitting.conftest import document

SETTINGS = [
    (entry, setting)
    for entry in build_world().entries
    if entry.truth.verdict == "passed" and entry.truth.task
    for setting in entry.truth.task.settings
    if setting.accepted
]
Rows = list[list[str]]


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The sources of each paper, as published."""
    root = tmp_path_factory.mktemp("papers")
    entries = {entry.paper.id: entry for entry, _ in SETTINGS}
    return {
        paper: write_task(entry, root / str(number)).parent for number, (paper, entry) in enumerate(entries.items())
    }


@pytest.mark.parametrize(("entry", "setting"), SETTINGS, ids=[setting.name for _, setting in SETTINGS])
def test_the_parts_are_the_papers_own(
    papers: Mapping[str, Path], tmp_path: Path, entry: Entry, setting: SettingTruth
) -> None:
    root = papers[entry.paper.id]
    instance, wanted = KINDS[str(setting.split["kind"])](root, setting)
    value = document(**instance)
    value["sources"] = {"code": {"path": str(root / "code")}, "deposit": {"path": str(root / "deposit")}}
    value["sources"] = {name: source for name, source in value["sources"].items() if Path(source["path"]).is_dir()}
    made = carry_out_task(TaskSpecification.model_validate(value), root, tmp_path)
    assert len(made.files) == len(wanted)
    for name, content in wanted.items():
        side = "evaluation/ground_truth" if name.startswith("answers") else "problem/data"
        assert read(tmp_path / side / "main" / name) == content, name


def read(path: Path) -> Any:
    if path.suffix == ".csv":
        return list(csv.reader(io.StringIO(path.read_text(encoding="utf-8"), newline="")))
    if path.suffix == ".npz":
        with np.load(path) as arrays:
            return {key: arrays[key].tolist() for key in arrays.files}
    return path.read_bytes()


def place(root: Path, name: object) -> str:
    """Where a file of the paper lies: ``code/...`` or ``deposit/...``."""
    return next(f"{source}/{name}" for source in ("code", "deposit") if (root / source / str(name)).is_file())


def table(root: Path, name: object) -> tuple[list[str], Rows]:
    head, *rows = read(root / place(root, name))
    return head, rows


def only(head: list[str], rows: Rows, columns: list[str]) -> Rows:
    places = [head.index(column) for column in columns]
    return [columns, *([row[at] for at in places] for row in rows)]


def sides(take: Mapping[str, str], part: Mapping[str, str | None], drop: list[str], keep: list[str]) -> dict[str, Any]:
    """Development whole, inputs without what is asked, answers with nothing else."""

    def made(file: str, which: str, role: str, steps: list[Any]) -> dict[str, Any]:
        return {"file": file, "take": take[which], "part": part.get(which), "steps": steps, "role": role}

    return {
        "files": [
            made("train.csv", "development", "development", []),
            made("inputs.csv", "evaluation", "inputs", [{"drop": drop}]),
        ],
        "reference": {"kind": "label", "files": [made("answers.csv", "evaluation", "answers", [{"keep": keep}])]},
    }


def files(root: Path, setting: SettingTruth) -> tuple[dict[str, Any], dict[str, Any]]:
    """One file for each side."""
    split = {"development": setting.development[0], "evaluation": setting.evaluation[0], **setting.split}
    take = {side: place(root, split[side]) for side in ("development", "evaluation")}
    if "target" not in split:  # nothing is cut: files as they are
        names = {side: f"{side}{Path(path).suffix}" for side, path in take.items()}
        instance = {
            "files": [{"file": names["development"], "take": take["development"], "role": "development"}],
            "reference": {
                "kind": "oracle",
                "files": [{"file": f"answers-{names['evaluation']}", "take": take["evaluation"], "role": "answers"}],
            },
        }
        return instance, {names["development"]: read(root / take["development"]),
                          f"answers-{names['evaluation']}": read(root / take["evaluation"])}  # fmt: skip
    head, rows = table(root, split["evaluation"])
    target, key = str(split["target"]), str(split["id"])
    wanted = {
        "train.csv": read(root / take["development"]),
        "inputs.csv": only(head, rows, [column for column in head if column != target]),
        "answers.csv": only(head, rows, [key, target]),
    }
    return sides(take, {}, [target], [key, target]), wanted


def index_files(root: Path, setting: SettingTruth) -> tuple[dict[str, Any], dict[str, Any]]:
    """A list of row numbers for each side."""
    split = setting.split
    head, rows = table(root, split["table"])
    chosen = {side: [int(word) for word in (root / place(root, split[side])).read_text().split()]
              for side in ("development", "evaluation")}  # fmt: skip
    target, key = str(split["target"]), str(split["id"])
    take = dict.fromkeys(chosen, place(root, split["table"]))
    parts = {side: place(root, split[side]) for side in chosen}
    instance = sides(take, {side: f"main/{side}" for side in chosen}, [target], [key, target])
    instance["splits"] = {"main": {"kind": "index_file", "of": take["development"], "parts": parts}}
    test = [rows[row] for row in sorted(chosen["evaluation"])]
    return instance, {
        "train.csv": [head, *(rows[row] for row in sorted(chosen["development"]))],
        "inputs.csv": only(head, test, [column for column in head if column != target]),
        "answers.csv": only(head, test, [key, target]),
    }


def by_key(root: Path, setting: SettingTruth) -> tuple[dict[str, Any], dict[str, Any]]:
    """Inputs and answers under different keys of one archive."""
    split: Any = setting.split
    take = place(root, split["file"])
    arrays = read(root / take)
    inputs, answers = [*split["inputs"], split["id"]], [*split["targets"], split["id"]]
    instance = {
        "files": [{"file": "inputs.npz", "take": take, "steps": [{"keep": inputs}], "role": "inputs"}],
        "reference": {
            "kind": "label",
            "files": [{"file": "answers.npz", "take": take, "steps": [{"keep": answers}], "role": "answers"}],
        },
    }
    return instance, {
        "inputs.npz": {key: arrays[key] for key in inputs},
        "answers.npz": {key: arrays[key] for key in answers},
    }


def at_random(root: Path, setting: SettingTruth) -> tuple[dict[str, Any], dict[str, Any]]:
    """Two calls of ``train_test_split``, the second of what the first drew, in its order."""
    split: Any = setting.split
    head, rows = table(root, split["table"])
    label = np.array([row[head.index(split["stratify"])] for row in rows])
    train, rest = train_test_split(
        np.arange(len(rows)), test_size=split["steps"][0]["test_size"], random_state=split["seed"], stratify=label
    )
    gallery, query = train_test_split(
        rest, test_size=split["steps"][1]["test_size"], random_state=split["seed"], stratify=label[rest]
    )
    take = place(root, split["table"])
    common = {"kind": "random", "seed": split["seed"], "stratify": [split["stratify"]]}
    target = split["target"]
    hide = [{"drop": [target]}]
    instance = {
        "splits": {
            "first": {**common, "of": take, "parts": ["train", "rest"], "size": split["steps"][0]["test_size"]},
            "second": {**common, "of": "first/rest", "taken_in": "drawn", "parts": ["gallery", "query"],
                       "size": split["steps"][1]["test_size"]},
        },
        "files": [
            {"file": "train.csv", "take": take, "part": "first/train", "role": "development"},
            {"file": "gallery.csv", "take": take, "part": "second/gallery", "role": "development"},
            {"file": "inputs.csv", "take": take, "part": "second/query", "steps": hide, "role": "inputs"},
        ],
    }  # fmt: skip
    queries = [rows[row] for row in np.sort(query)]
    return instance, {
        "train.csv": [head, *(rows[row] for row in np.sort(train))],
        "gallery.csv": [head, *(rows[row] for row in np.sort(gallery))],
        "inputs.csv": only(head, queries, [column for column in head if column != target]),
    }


def id_join(root: Path, setting: SettingTruth) -> tuple[dict[str, Any], dict[str, Any]]:
    """A table of ids says who is on which side; inputs and answers are tables of their own."""
    split: Any = setting.split
    side = {row[0]: row[1] for row in only(*table(root, split["index"]), [split["id"], split["column"]])[1:]}
    inputs, answers = table(root, split["inputs"]), table(root, split["answers"])

    def of(found: tuple[list[str], Rows], part: str) -> Rows:
        return [found[0], *(row for row in found[1] if side.get(row[found[0].index(split["id"])]) == split[part])]

    common = {"kind": "column", "column": split["column"], "table": place(root, split["index"]), "id": split["id"],
              "parts": {"development": [split["development"]], "evaluation": [split["evaluation"]]},
              "rest": "drop", "because": "not in the partition"}  # fmt: skip
    take = {"inputs": place(root, split["inputs"]), "answers": place(root, split["answers"])}
    instance = {
        "splits": {name: {**common, "of": path} for name, path in take.items()},
        "files": [
            {"file": "train.csv", "take": take["inputs"], "part": "inputs/development", "role": "development"},
            {"file": "labels.csv", "take": take["answers"], "part": "answers/development", "role": "development"},
            {"file": "inputs.csv", "take": take["inputs"], "part": "inputs/evaluation", "role": "inputs"},
        ],
        "reference": {
            "kind": "label",
            "files": [
                {"file": "answers.csv", "take": take["answers"], "part": "answers/evaluation", "role": "answers"}
            ],
        },
    }
    return instance, {
        "train.csv": of(inputs, "development"),
        "labels.csv": of(answers, "development"),
        "inputs.csv": of(inputs, "evaluation"),
        "answers.csv": of(answers, "evaluation"),
    }


KINDS = {"files": files, "index_files": index_files, "key": by_key, "random": at_random, "id_join": id_join}
