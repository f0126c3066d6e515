"""Every demo paper that passes, from screening and acquisition to a draft whose split is the one its authors used.

What the authors used is worked out here from the paper's truth, apart from the code under test: rows of index files,
scikit-learn's own draws, joins by id, files by name.
"""

from __future__ import annotations

import csv
import io
import os
import random
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.model_selection import train_test_split
from typer.testing import CliRunner

from nature_gym.acquisition.acquired import read_acquisition
from nature_gym.acquisition.stage import SOURCES, AcquireStage, acquirable
from nature_gym.cli.main import app
from nature_gym.config import Settings, load_settings
from nature_gym.cut.questions import questions_of
from nature_gym.cut.scoring import known_metric
from nature_gym.cut.stage import NEW_DRAFT, CutStage, cuttable, named_sources
from nature_gym.demo.miniweb import Behaviour, MiniWeb
from nature_gym.demo.model import Entry, SettingTruth
from nature_gym.demo.typesetting import jats
from nature_gym.demo.world import build_world
from nature_gym.packaging.specification import Instance
from nature_gym.packaging.task_file import read_task
from nature_gym.reading.ingest import ingest
from nature_gym.records import PaperFolder, Papers
from nature_gym.screening.stage import ScreenStage
from nature_gym.splitting.result import split_task
from nature_gym.stages import Result, carry_out
from tests.faults import killed_after

pytestmark = pytest.mark.slow
KILLS = int(os.environ.get("KILLS") or 6)

PASSING = {entry.paper.id: entry for entry in build_world(0).entries if entry.truth.verdict == "passed"}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """A home in which every passing paper was read, screened, acquired and cut."""
    articles = tmp_path_factory.mktemp("articles")
    for entry in PASSING.values():
        (articles / f"{entry.paper.suffix}.xml").write_bytes(jats.article_xml(entry.paper))
    folder = tmp_path_factory.mktemp("home")
    with MiniWeb(build_world(0), behaviour=Behaviour(crawl_delay=0), git_cache=tmp_path_factory.mktemp("git")) as web:
        settings = load_settings(home=folder, database_url="", mirror=web.url, probes_per_second=10_000.0,
                                 requests_per_second=1_000.0)  # fmt: skip
        papers = Papers(settings.papers)
        for paper in [taken.id for taken in ingest([articles], papers)]:
            result = carry_out(ScreenStage(settings), papers[paper])
            assert (result.kind, result.verdict) == ("done", "passed"), (paper, result)
        for paper in acquirable(papers):
            assert carry_out(AcquireStage(settings), papers[paper]).kind == "done"
        for paper in cuttable(papers):
            result = carry_out(CutStage(), papers[paper])
            assert (result.kind, result.verdict) == ("done", "drafted"), (paper, result)
        yield settings


def test_every_passing_paper_gets_a_draft(home: Settings) -> None:
    assert set(cuttable(Papers(home.papers))) == set(PASSING)


@pytest.mark.parametrize("paper", sorted(PASSING))
def test_the_draft_splits_as_the_authors_did(paper: str, home: Settings, tmp_path: Path) -> None:
    entry, folder = PASSING[paper], Papers(home.papers)[paper]
    task = read_task(folder.path / "cut" / "task.yaml")
    made = split_task(folder.path / "cut" / "task.yaml", tmp_path / "made").folder
    truth = entry.truth.task
    assert truth is not None
    settings = [setting for setting in truth.settings if setting.accepted]
    assert len(task.instances) == len(settings)
    for setting in settings:
        instance = instance_of(setting, task.instances)
        compare(entry, setting, instance, made, folder)
        assert instance.reference.kind == truth.reference_kind
        assert {plain(metric.name) for metric in instance.metrics} == {plain(metric.name) for metric in truth.metrics}
        printed = {plain(name): value for name, value in setting.sota.items()}
        for metric in instance.metrics:
            assert [score.value for score in metric.anchor] == [printed[plain(metric.name)]]


def plain(name: str) -> str:
    """The registry's name, else as it is typed: the truth's ``R2`` is printed ``R²``, its ``Spearman`` with a sign."""
    typed = unicodedata.normalize("NFKC", name)
    known = known_metric(typed)
    return known[0] if known else typed


def instance_of(setting: SettingTruth, instances: tuple[Instance, ...]) -> Instance:
    """The instance with the setting's printed scores: no two settings have the same."""
    metric = next(iter(setting.sota))
    found = [
        one
        for one in instances
        for use in one.metrics
        if plain(use.name) == plain(metric) and setting.sota[metric] in [score.value for score in use.anchor]
    ]
    assert len(found) == 1, setting.name
    return found[0]


def compare(entry: Entry, setting: SettingTruth, instance: Instance, made: Path, folder: PaperFolder) -> None:
    """Rows for rows by their ids or, where there are none, bytes of arrays."""
    expected = expected_rows(setting, folder)
    shown, hidden = made / "problem/data" / instance.name, made / "evaluation/ground_truth" / instance.name
    for role, ids in expected.items():
        base = hidden if role == "answers" else shown
        files = instance.reference.files if role == "answers" else instance.files
        paths = [base / one.file for one in files if role in (one.role, "answers") and one.role != "scorer"]
        found = sorted(key for path in paths for key in rows_of(path, setting))
        assert found == sorted(ids), (entry.paper.id, setting.name, role)
    targets = setting.split.get("target") or setting.split.get("targets")
    for one in instance.files:
        if one.role == "inputs" and targets:
            names = {targets} if isinstance(targets, str) else set(targets)  # type: ignore[call-overload]
            assert not names & set(fields_of(shown / one.file)), "answers are shown"


def rows_of(path: Path, setting: SettingTruth) -> list[str]:
    """The ids of a file's rows, or a mark for its whole content."""
    key = setting.split.get("id")
    if path.suffix == ".csv":
        return [row[str(key)] for row in csv.DictReader(io.StringIO(path.read_text()))]
    if path.suffix == ".json":
        return [path.read_text()]
    if path.suffix == ".npy":
        return [str(value) for value in np.load(path)]
    arrays = np.load(path)
    if key in arrays:
        return [str(value) for value in arrays[str(key)]]
    return [f"{name}:{arrays[name].tobytes()!r}" for name in sorted(arrays.files) if arrays[name].ndim]


def fields_of(path: Path) -> list[str]:
    if path.suffix == ".csv":
        return next(csv.reader(io.StringIO(path.read_text())))
    return list(np.load(path).files) if path.suffix == ".npz" else []


def source_file(name: str, folder: PaperFolder) -> Path:
    """A file of the truth's, wherever it was acquired."""
    found = [
        source / name for source in sorted((folder.path / "acquire" / SOURCES).iterdir()) if (source / name).is_file()
    ]
    assert found, name
    return found[0]


def expected_rows(setting: SettingTruth, folder: PaperFolder) -> dict[str, list[str]]:
    """Role of files -> the ids of their rows, as the truth has it."""
    split = setting.split
    match split["kind"]:
        case "files":
            return _by_files(setting, folder)
        case "index_files":
            ids = _ids(source_file(str(split["table"]), folder), str(split["id"]))
            rows = {side: _numbers(source_file(str(split[side]), folder)) for side in ("development", "evaluation")}
            return _sides([ids[row] for row in rows["development"]], [ids[row] for row in rows["evaluation"]])
        case "id_join":
            table = _table(source_file(str(split["index"]), folder))
            side = {row[str(split["id"])]: row[str(split["column"])] for row in table}
            parts = [
                [key for key, part in side.items() if part == split[name]] for name in ("development", "evaluation")
            ]
            return _sides(*parts)
        case "key":
            arrays = np.load(source_file(str(split["file"]), folder))
            return {
                "inputs": [str(one) for one in arrays["sample_id"]],
                "answers": [str(one) for one in arrays["labels"]],
            }
        case "random":
            return _by_chance(setting, folder)
    raise AssertionError(split["kind"])


def _by_files(setting: SettingTruth, folder: PaperFolder) -> dict[str, list[str]]:
    developed = [name for name in setting.development if name.endswith((".csv", ".npz")) and "*" not in name]
    resources = ("feature_dictionary", "drift_axes")
    train = [source_file(name, folder) for name in developed if not any(word in name for word in resources)]
    test = [source_file(name, folder) for name in setting.evaluation]
    found = {"development": [key for path in train for key in rows_of(path, setting)]}
    answers = [key for path in test for key in rows_of(path, setting)]
    if setting.split.get("reference") == "distribution":
        return {**found, "answers": answers}
    return {**found, "inputs": answers, "answers": answers}


def _by_chance(setting: SettingTruth, folder: PaperFolder) -> dict[str, list[str]]:
    split: Any = setting.split
    table = _table(source_file(split["table"], folder))
    strata = np.array([row[split["stratify"]] for row in table])
    parts = {"all": np.arange(len(table))}
    for step in split["steps"]:
        rows = parts[step["of"]]
        parts[step["train"]], parts[step["test"]] = train_test_split(
            rows, test_size=step["test_size"], random_state=split["seed"], stratify=strata[rows]
        )
    ids = {name: [table[row][split["id"]] for row in rows] for name, rows in parts.items()}
    found = {
        "development": ids["train"],
        "inputs": ids["gallery"] + ids["query"],
        "answers": ids["gallery"] + ids["query"],
    }
    if "queries" in split:
        noisy = np.load(source_file(split["queries"], folder))["sample_id"]
        assert sorted(map(str, noisy)) == sorted(ids["query"])
    return found


def _sides(development: list[str], evaluation: list[str]) -> dict[str, list[str]]:
    return {"development": development, "inputs": evaluation, "answers": evaluation}


def _table(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text())))


def _ids(path: Path, key: str) -> list[str]:
    return [row[key] for row in _table(path)]


def _numbers(path: Path) -> list[int]:
    return [int(line) for line in path.read_text().split()]


def test_the_noisy_queries_are_shown_in_place_of_the_clean_ones(home: Settings) -> None:
    task = read_task(home.papers / "10.5555_s43588-025-00764-5" / "cut" / "task.yaml")
    takes = {one.name: [made.take for made in one.files if made.role == "inputs"] for one in task.instances}
    assert any("code/data/noisy_queries.npz" in found for found in takes.values())
    assert any("code/data/noisy_queries.npz" not in found for found in takes.values())


def test_a_draft_has_questions_with_evidence_and_they_go_when_they_are_settled(home: Settings) -> None:
    folder = Papers(home.papers)["10.5555_s43588-024-00612-4"]
    asked = questions_of(folder)
    assert {"metric Sliced Wasserstein distance", "answer samples"} <= {question.about for question in asked}
    assert any(question.evidence for question in asked)
    path = folder.path / "cut" / "task.yaml"
    task = read_task(path)
    assert len(task.questions) == len(asked)


def test_what_a_person_wrote_is_kept(home: Settings) -> None:
    folder = Papers(home.papers)["10.5555_s42256-024-00829-7"]
    path = folder.path / "cut" / "task.yaml"
    drafted = path.read_text()
    edited = drafted.replace("Clustering", "Grouping", 1) + "# by hand\n"
    path.write_text(edited)
    assert carry_out(CutStage(), folder).kind == "current"
    for _ in range(2):
        result = carry_out(CutStage(), folder, force=True)
        assert (result.kind, result.verdict) == ("done", "edited")
        assert path.read_text() == edited
        assert (path.parent / NEW_DRAFT).read_text() == drafted
    path.unlink()
    assert carry_out(CutStage(), folder, force=True).verdict == "drafted"
    assert path.read_text() == drafted


def test_the_same_inputs_give_the_same_draft(home: Settings) -> None:
    folder = Papers(home.papers)["10.5555_s42256-022-00531-2"]
    before = {path.name: path.read_bytes() for path in (folder.path / "cut").iterdir() if path.name != "record.json"}
    assert carry_out(CutStage(), folder).kind == "current"
    assert carry_out(CutStage(), folder, force=True).kind == "done"
    assert before == {
        path.name: path.read_bytes() for path in (folder.path / "cut").iterdir() if path.name != "record.json"
    }


def test_every_source_of_a_paper_gets_its_page(home: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paper = "10.5555_s42256-022-00531-2"
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setenv("NATUREGYM_HOME", str(home.home))
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["cut", paper, "--open"])
    assert done.exit_code == 0, done.output
    names = named_sources(read_acquisition(home.papers / paper / "acquire"))
    assert names
    assert {path.name for path in tmp_path.iterdir()} == {f"{paper}.{name}.cut.html" for name in names}
    assert len(opened) == len(names)


@pytest.mark.parametrize("scope", ["nature_gym.cut.stage", "nature_gym.records"])
def test_killed_at_any_moment_and_cut_again_the_draft_is_the_same(scope: str, home: Settings) -> None:
    folder = Papers(home.papers)["10.5555_s42256-022-00531-2"]

    def again() -> Result:
        return carry_out(CutStage(), folder, force=True)

    def left() -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in (folder.path / "cut").iterdir() if path.name != "record.json"}

    wanted = left()
    most = 256
    while killed_after(most, again, scope=scope):
        assert left() == wanted
        most *= 2
    chance = random.Random(7)
    kills = 0
    for _ in range(KILLS):
        kills += killed_after(chance.randint(1, most), again, scope=scope)
        assert left() == wanted, "what was there stays until the new is whole"
    assert kills >= KILLS // 3
    assert again().kind == "done"
    assert left() == wanted
    assert len(list(folder.path.glob(".cut.*"))) <= 2, "what the dead ones left is swept up"
