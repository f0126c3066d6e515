"""Drafts of tasks from small folders: each way in which data part, and what is asked where nothing says it."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import train_test_split

from nature_gym.acquisition.inventory import take_inventory
from nature_gym.config import load_settings
from nature_gym.cut.drafting import Draft, NothingToDraftError, Told, draft_task, pair
from nature_gym.cut.material import Material, Piece, gather
from nature_gym.cut.partings import Parting
from nature_gym.cut.questions import Question
from nature_gym.cut.targets import Fields
from nature_gym.packaging.task_file import write_task
from nature_gym.screening.task import Metric, Setting, TaskTuple
from nature_gym.splitting.result import split_task
from tests.unit.cut.trees import grow

TRAIN = "from sklearn.linear_model import Ridge\n"


def table(rows: int, seed: int = 0, *, first: int = 0, more: Mapping[str, list[str]] | None = None) -> str:
    """A table of ids, two inputs and an answer that is called price."""
    chance = random.Random(seed)
    lines = [["key_id", "size", "age", "price", *(more or {})]]
    for row in range(rows):
        numbers = [f"{chance.random():.4f}" for _ in range(3)]
        lines.append([f"r{first + row:03d}", *numbers, *(values[row] for values in (more or {}).values())])
    return "".join(",".join(line) + "\n" for line in lines)


def npy(values: npt.NDArray[Any]) -> bytes:
    file = io.BytesIO()
    np.save(file, values)
    return file.getvalue()


def drafted(tmp_path: Path, files: Mapping[str, str | bytes], task: TaskTuple | None = None) -> tuple[Draft, Path]:
    """The draft of a folder, and what its splits make."""
    folder = grow(tmp_path / "code", files)
    inventory = take_inventory({"code": folder}, load_settings(home=tmp_path / "home", database_url=""))
    material = gather({"code": folder}, inventory)
    told = Told({"code": {"path": "code", "licence": "MIT"}}, task or TaskTuple())
    draft = draft_task(material, told, {"code": folder}, tmp_path)
    write_task(tmp_path / "task.yaml", draft.task)
    return draft, split_task(tmp_path / "task.yaml", tmp_path / "made").folder


def ids(path: Path) -> list[str]:
    return [line.split(",")[0] for line in path.read_text().splitlines()[1:]]


def shown(made: Path, instance: str = "houses") -> Path:
    return made / "problem/data" / instance


USES = {
    "train.py": "import pandas as pd\n" + TRAIN + "df = pd.read_csv('data/houses.csv')\ny = df['price']\n"
    "model = Ridge().fit(df[['size', 'age']], y)\n",
}


def test_a_column_of_sides_splits_the_table(tmp_path: Path) -> None:
    sides = ["train"] * 6 + ["val"] * 2 + ["test"] * 4
    draft, made = drafted(tmp_path, {**USES, "data/houses.csv": table(12, more={"split": sides})})
    (instance,) = draft.task.instances
    assert instance.separability == "simple"
    assert ids(shown(made) / "train.csv") == [f"r{row:03d}" for row in range(6)]
    assert ids(shown(made) / "validation.csv") == ["r006", "r007"]
    assert ids(shown(made) / "test.csv") == [f"r{row:03d}" for row in range(8, 12)]
    assert "price" not in (shown(made) / "test.csv").read_text()
    answers = made / "evaluation/ground_truth/houses/answers.csv"
    assert answers.read_text().splitlines()[0] == "key_id,price"


@pytest.mark.parametrize("first", [0, 1])
def test_lists_of_rows_fit_the_table_of_as_many(tmp_path: Path, first: int) -> None:
    lists = {"train": range(8), "test": range(8, 12)}
    files = {f"data/{side}_idx.txt": "".join(f"{row + first}\n" for row in rows) for side, rows in lists.items()}
    other = "place,name\n" + "".join(f"{n},p{n}\n" for n in range(5))
    draft, made = drafted(tmp_path, {**USES, **files, "data/houses.csv": table(12), "data/a_places.csv": other})
    assert draft.task.instances[0].separability == "moderate"
    assert ids(shown(made) / "test.csv") == [f"r{row:03d}" for row in range(8, 12)]
    assert any(question.about == "file code/data/a_places.csv" for question in draft.questions)


def test_one_file_with_a_list_of_rows_for_each_side(tmp_path: Path) -> None:
    split = json.dumps({"train": [0, 2, 4, 6], "val": [1, 3], "test": [5, 7]})
    draft, made = drafted(tmp_path, {**USES, "data/split.json": split, "data/houses.csv": table(8)})
    assert ids(shown(made) / "test.csv") == ["r005", "r007"]
    assert ids(shown(made) / "validation.csv") == ["r001", "r003"]
    assert draft.task.instances[0].splits["sides"].kind == "index_file"


def test_lists_of_ids(tmp_path: Path) -> None:
    lists = {"data/train_ids.txt": "r000\nr003\nr004\n", "data/test_ids.txt": "r001\nr002\n"}
    draft, made = drafted(tmp_path, {**USES, **lists, "data/houses.csv": table(5)})
    assert draft.task.instances[0].splits["sides"].kind == "id_file"
    assert ids(shown(made) / "test.csv") == ["r001", "r002"]


def test_nested_draws_are_those_of_the_program(tmp_path: Path) -> None:
    program = (
        "import pandas as pd\nfrom sklearn.model_selection import train_test_split\n" + TRAIN + "SEED = 7\n"
        "def split_data():\n"
        "    df = pd.read_csv('data/houses.csv')\n"
        "    rest, test = train_test_split(df, test_size=0.2, random_state=SEED)\n"
        "    train, val = train_test_split(rest, test_size=1 / 4, random_state=SEED)\n"
        "    return train, val, test\n"
        "train, val, test = split_data()\ny = train['price']\nRidge().fit(train[['size', 'age']], y)\n"
    )
    _, made = drafted(tmp_path, {"run.py": program, "data/houses.csv": table(40)})
    rest, test = train_test_split(list(range(40)), test_size=0.2, random_state=7)
    train, val = train_test_split(rest, test_size=0.25, random_state=7)
    for name, rows in (("train", train), ("val", val), ("test", test)):
        assert sorted(ids(shown(made) / f"{name}.csv")) == sorted(f"r{row:03d}" for row in rows), name


def test_a_draw_without_a_seed_is_asked_about(tmp_path: Path) -> None:
    program = (
        "import pandas as pd\nfrom sklearn.model_selection import train_test_split\n" + TRAIN +
        "df = pd.read_csv('data/houses.csv')\ntrain, test = train_test_split(df, test_size=0.5)\n"
        "y = train['price']\nRidge().fit(train[['size']], y)\n"
    )  # fmt: skip
    draft, _ = drafted(tmp_path, {"run.py": program, "data/houses.csv": table(20)})
    assert draft.task.instances[0].separability == "ambiguous"
    assert any("no seed" in question.asks for question in draft.questions)
    assert len(draft.task.questions) == len(draft.questions)


def test_inputs_and_answers_in_files_of_their_own(tmp_path: Path) -> None:
    arrays = {f"data/X_{side}.npy": npy(np.full((rows, 3), rows, float)) for side, rows in (("train", 9), ("test", 4))}
    arrays |= {f"data/y_{side}.npy": npy(np.arange(rows, dtype=float)) for side, rows in (("train", 9), ("test", 4))}
    program = "import numpy as np\n" + TRAIN + "".join(f"{name[5:-4]} = np.load('{name}')\n" for name in arrays)
    draft, made = drafted(tmp_path, {**arrays, "train.py": program + "Ridge().fit(X_train, y_train)\n"})
    (instance,) = draft.task.instances
    assert {one.take for one in instance.files} == {f"code/data/{n}.npy" for n in ("X_train", "y_train", "X_test")}
    assert [one.take for one in instance.reference.files] == ["code/data/y_test.npy"]
    assert instance.answer[0].aligned_with == "X_test.npy"
    assert np.load(made / "evaluation/ground_truth" / instance.name / "answers.npy").tolist() == [0, 1, 2, 3]


def test_arrays_for_each_side_in_one_file(tmp_path: Path) -> None:
    file = io.BytesIO()
    sizes = {"train": 6, "test": 3}
    arrays: dict[str, Any] = {f"x_{side}": np.ones((rows, 2)) for side, rows in sizes.items()}
    arrays |= {f"y_{side}": np.arange(rows) for side, rows in sizes.items()}
    np.savez(file, **arrays)
    program = (
        "import numpy as np\n" + TRAIN + "d = np.load('data/rooms.npz')\nRidge().fit(d['x_train'], d['y_train'])\n"
    )
    _, made = drafted(tmp_path, {"train.py": program, "data/rooms.npz": file.getvalue()})
    assert set(np.load(shown(made, "rooms") / "train.npz")) == {"x_train", "y_train"}
    (inputs,) = [path for path in shown(made, "rooms").iterdir() if path.stem == "test"]
    found = np.load(inputs)
    assert (list(found) == ["x_test"]) if inputs.suffix == ".npz" else found.shape == (3, 2)
    assert np.load(made / "evaluation/ground_truth/rooms/answers.npy").tolist() == [0, 1, 2]


def hdf5(arrays: Mapping[str, npt.NDArray[Any]]) -> bytes:
    file = io.BytesIO()
    with h5py.File(file, "w") as out:
        for key, values in arrays.items():
            out[key] = values
    return file.getvalue()


def test_groups_of_an_hdf5_file_for_each_side_with_times_and_events(tmp_path: Path) -> None:
    sizes = {"train": 6, "test": 3}
    arrays: dict[str, Any] = {f"{side}/x": np.ones((rows, 2), "f4") for side, rows in sizes.items()}
    arrays |= {f"{side}/t": np.arange(rows, dtype="f4") + 1 for side, rows in sizes.items()}
    arrays |= {f"{side}/e": np.ones(rows, "i4") for side, rows in sizes.items()}
    arrays |= {"test/risk": np.ones(3)}
    program = "import h5py\n" + TRAIN + "d = h5py.File('data/heart.h5')\nRidge().fit(d['train/x'], d['train/t'])\n"
    task = TaskTuple(metrics=(Metric(name="C-index", direction="higher_is_better"),))
    draft, made = drafted(tmp_path, {"train.py": program, "data/heart.h5": hdf5(arrays)}, task)
    assert not [question for question in draft.task.questions if "cannot be made" in question]
    assert any("May test/risk of code/data/heart.h5 be shown?" in question for question in draft.task.questions)
    (instance,) = draft.task.instances
    assert instance.metrics[0].reference == "answers.h5:test/t,test/e"
    named = {one.file: [(field.name, field.role) for field in one.fields] for one in instance.files}
    assert named == {"train.h5": [("train/e", "TARGET"), ("train/t", "TARGET")], "test.h5": []}
    assert instance.answer[0].shape == ("n",)
    with h5py.File(shown(made, instance.name) / "test.h5") as file:
        assert set(file["test"]) == {"x", "risk"}
    with h5py.File(made / "evaluation/ground_truth" / instance.name / "answers.h5") as file:
        assert file["test/t"][()].tolist() == [1, 2, 3]


def test_files_of_folds_are_parted_with_a_question(tmp_path: Path) -> None:
    files = {f"data/houses_fold{n}.csv": table(4 + n, n, first=10 * n) for n in range(1, 4)}
    program = (
        "import pandas as pd\n"
        + TRAIN
        + (
            "for k in range(1, 4):\n    df = pd.read_csv(f'data/houses_fold{k}.csv')\n    y = df['price']\n"
            "    Ridge().fit(df[['size', 'age']], y)\n"
        )
    )
    draft, made = drafted(tmp_path, {**files, "train.py": program})
    (instance,) = draft.task.instances
    learned = [one.file for one in instance.files if one.role == "development"]
    assert sorted(len(ids(shown(made) / file)) for file in learned) == [6, 7]
    assert len(ids(made / "evaluation/ground_truth/houses/answers.csv")) == 5
    assert any("Which fold is evaluated?" in question for question in draft.task.questions)


def test_numbers_that_do_not_follow_on_another_are_no_folds(tmp_path: Path) -> None:
    files = {f"data/houses_fold{n}.csv": table(4, n) for n in (1, 7, 9)}
    program = "import pandas as pd\n" + TRAIN + "".join(f"df = pd.read_csv('{name}')\n" for name in files)
    try:
        draft, _ = drafted(tmp_path, {**files, "train.py": program + "Ridge().fit(df[['size']], df['price'])\n"})
    except NothingToDraftError:
        return
    assert not any("Which fold is evaluated?" in question for question in draft.task.questions)


def test_a_training_file_with_several_test_files_makes_several_instances(tmp_path: Path) -> None:
    files = {"data/train.csv": table(9), "data/test_north.csv": table(4, 1), "data/test_south.csv": table(5, 2)}
    program = "import pandas as pd\n" + TRAIN + "df = pd.read_csv('data/train.csv')\ny = df['price']\n"
    task = TaskTuple(
        metrics=(Metric(name="RMSE", primary=True, direction="lower_is_better", place="Table 1"),),
        settings=(Setting(name="The South", accepted=True), Setting(name="The North", accepted=True)),
    )
    draft, made = drafted(tmp_path, {**files, "train.py": program}, task)
    assert [one.name for one in draft.task.instances] == ["the-south", "the-north"]
    assert len(ids(shown(made, "the-south") / "test.csv")) == 5
    assert draft.task.instances[0].metrics[0].metric == "rmse"


def test_nothing_says_which_column_is_the_answer(tmp_path: Path) -> None:
    files = {"data/train.csv": table(9), "data/test.csv": table(4, 1)}
    draft, _ = drafted(tmp_path, {**files, "train.py": "import pandas as pd\ndf = pd.read_csv('data/train.csv')\n"})
    assert any(question.about.startswith("answer of") for question in draft.questions)


def test_an_id_that_several_rows_share_is_asked_about(tmp_path: Path) -> None:
    test = table(4, 1).replace("r001", "r000")
    draft, _ = drafted(tmp_path, {**USES, "data/houses_train.csv": table(9), "data/houses_test.csv": test})
    assert [question.asks for question in draft.questions if question.about == "id of houses"]


def test_many_files_of_one_side_are_samples_and_a_group_is_asked_about_once(tmp_path: Path) -> None:
    files = {f"data/parts/test_{number}.csv": table(2, number) for number in range(60)}
    sides = ["train"] * 6 + ["test"] * 2
    draft, _ = drafted(tmp_path, {**USES, **files, "data/houses.csv": table(8, more={"split": sides})})
    assert [one.name for one in draft.task.instances] == ["houses"]
    assert [question.about for question in draft.questions if question.about.startswith("file")] == [
        "files code/data/parts/*.csv (60)"
    ]


def test_data_that_do_not_part_are_no_task(tmp_path: Path) -> None:
    with pytest.raises(NothingToDraftError):
        drafted(tmp_path, {"README.md": "# Notes\n", "data/notes.csv": "a,b\n1,2\n"})


WORDS = st.sampled_from(["north", "south", "east", "west", "cold", "hot", "one", "two"])


@given(st.lists(WORDS, min_size=2, max_size=5, unique=True), st.randoms(use_true_random=False))
def test_settings_find_the_data_that_are_named_for_them(words: list[str], chance: random.Random) -> None:
    partings = [
        Parting("label", frozenset({word}), "trivial", [], [], [], Fields(None, (), True), [word]) for word in words
    ]
    settings = [Setting(name=f"Station {word.title()}", accepted=True) for word in words]
    chance.shuffle(settings)
    questions: list[Question] = []
    for parting, setting, extra in pair(partings, settings, Material([], [], {}), questions):
        assert setting is not None
        assert setting.name.split()[1].lower() in parting.words
        assert extra is None
    assert not questions


def test_a_setting_for_which_no_data_are_left_is_asked_about() -> None:
    sides = [Parting("label", frozenset({w}), "trivial", [], [], [], Fields(None, (), True), [w]) for w in ("x", "z")]
    settings = [Setting(name=name, accepted=True) for name in ("Town x", "Town z", "Town c")]
    questions: list[Question] = []
    assert len(pair(sides, settings, Material([], [], {}), questions)) == 2
    assert [question.about for question in questions] == ["setting Town c"]


@pytest.mark.parametrize(
    ("path", "side", "stem"),
    [
        ("code/data/train.csv", "development", set()),
        ("code/data/hills_valid.csv", "validation", {"hills"}),
        ("code/test/rivers.csv", "evaluation", {"rivers"}),
        ("code/data/latest.csv", "", {"latest"}),
    ],
)
def test_the_side_that_a_name_means(path: str, side: str, stem: set[str]) -> None:
    piece = Piece(path, "csv", 1, "d", "initial_state", 0.9)
    assert (piece.side, set(piece.stem)) == (side, stem)
