"""Splits in programs, drafted and carried out: the rows are those that the program itself takes, run by its libraries.

Each case is a few lines of a program that are both read for the draft and run here.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from nature_gym.cut.folder import cut_folder
from nature_gym.packaging.operations import ByScaffold
from tests.unit.cut.test_drafting import drafted, ids, shown, table
from tests.unit.cut.trees import grow

ROWS = 60
HEAD = "import random\nimport numpy as np\nimport pandas as pd\nimport sklearn.model_selection as ms\n"
READ = "df = pd.read_csv('data/houses.csv')\n"
USE = "from sklearn.linear_model import Ridge\ny = df['price']\nRidge().fit(df[['size', 'age']], y)\n"
MORE = {
    "year": [str(2000 + row % 20) for row in range(ROWS)],
    "day": [f"2020-{1 + row % 12:02d}-{1 + row % 28:02d}" for row in range(ROWS)],
    "site": [f"s{row * 7 % 11}" for row in range(ROWS)],
    "kind": ["a" if row % 3 else "b" for row in range(ROWS)],
}
DRAWN = [
    (
        "order = np.random.RandomState(3).permutation(len(df))\nn = int(0.7 * len(df))\n"
        "train_idx, test_idx = order[:n], order[n:]\ntrain, test = df.iloc[train_idx], df.iloc[test_idx]\n"
    ),
    (
        "rng = np.random.default_rng(11)\norder = rng.permutation(df.shape[0])\n"
        "test = df.iloc[order[:13]]\ntrain = df.iloc[order[13:]]\n"
    ),
    (
        "np.random.seed(5)\norder = np.random.permutation(len(df))\n"
        "train = df.iloc[order[:-9]]\ntest = df.iloc[order[-9:]]\n"
    ),
    (
        "rows = np.arange(len(df))\nnp.random.seed(8)\nnp.random.shuffle(rows)\n"
        "train, test = df.iloc[rows[:45]], df.iloc[rows[45:]]\n"
    ),
    (
        "rows = list(range(len(df)))\nrandom.seed(2)\nrandom.shuffle(rows)\n"
        "train, test = df.iloc[rows[: len(df) * 3 // 4]], df.iloc[rows[len(df) * 3 // 4 :]]\n"
    ),
    (
        "rng = np.random.default_rng(4)\nrows = np.arange(len(df))\nrng.shuffle(rows)\n"
        "train, test = df.iloc[rows[:40]], df.iloc[rows[40:]]\n"
    ),
    "train = df.sample(frac=0.8, random_state=21)\ntest = df.drop(train.index)\n",
    "test = df.sample(n=17, random_state=1)\ntrain = df.drop(test.index)\n",
    (
        "gss = ms.GroupShuffleSplit(n_splits=1, test_size=0.3, random_state=6)\n"
        "a, b = next(gss.split(df, df['price'], groups=df['site']))\ntrain, test = df.iloc[a], df.iloc[b]\n"
    ),
    (
        "sss = ms.StratifiedShuffleSplit(n_splits=1, test_size=0.25, random_state=9)\n"
        "a, b = next(sss.split(df, df['kind']))\ntrain, test = df.iloc[a], df.iloc[b]\n"
    ),
    "a, b = next(ms.ShuffleSplit(1, test_size=12, random_state=9).split(df))\ntrain, test = df.iloc[a], df.iloc[b]\n",
    "a, b = next(ms.KFold(n_splits=5, shuffle=True, random_state=4).split(df))\ntrain, test = df.iloc[a], df.iloc[b]\n",
    "a, b = next(ms.StratifiedKFold(4).split(df, df['kind']))\ntrain, test = df.iloc[a], df.iloc[b]\n",
    "a, b = next(ms.GroupKFold(n_splits=3).split(df, groups=df['site']))\ntrain, test = df.iloc[a], df.iloc[b]\n",
    "a, b = next(ms.TimeSeriesSplit(4).split(df))\ntrain, test = df.iloc[a], df.iloc[b]\n",
    (
        "a, b = next(ms.TimeSeriesSplit(n_splits=3, test_size=9, gap=4).split(df))\n"
        "train, test = df.iloc[a], df.iloc[b]\n"
    ),
    "train = df[df['year'] < 2014]\ntest = df[df['year'] >= 2014]\n",
    "LAST = 2016\nmask = (df.year > LAST) | df['kind'].isin(['b'])\ntrain = df[~mask]\ntest = df.loc[mask]\n",
    "train = df[df['day'] < '2020-09-01']\ntest = df[df['day'] >= '2020-09-01']\n",
    "train = df[df['site'] != 's4']\ntest = df[df['site'] == 's4']\n",
    "train = df[df['year'].between(2001, 2010)]\ntest = df[df['year'] == 2012]\n",
]


@pytest.mark.parametrize("program", DRAWN)
def test_the_draft_has_the_rows_that_the_program_takes(tmp_path: Path, program: str) -> None:
    text = table(ROWS, more=MORE)
    draft, made = drafted(tmp_path, {"split.py": HEAD + READ + program + USE, "data/houses.csv": text})
    ran: dict[str, Any] = {}
    (tmp_path / "houses.csv").write_text(text)
    exec(HEAD + READ.replace("data/houses.csv", str(tmp_path / "houses.csv")) + program, ran)
    (instance,) = draft.task.instances
    assert (instance.separability, [q for q in draft.questions if "split.py" in q.asks]) == ("moderate", [])
    for name in ("train", "test"):
        frame: pd.DataFrame = ran[name]
        files = [one.file for one in instance.files if (one.role == "development") == (name == "train")]
        found = sorted(key for file in files for key in ids(shown(made) / file))
        assert found == sorted(frame["key_id"]), name


@pytest.mark.parametrize(
    ("program", "asked"),
    [
        ("order = np.random.permutation(len(df))\ntrain, test = df.iloc[order[:40]], df.iloc[order[40:]]\n", "no seed"),
        (("np.random.seed(1)\nz = np.random.rand(3)\norder = np.random.permutation(len(df))\n"
         "train, test = df.iloc[order[:40]], df.iloc[order[40:]]\n"), "not the first that is drawn"),
        (("order = np.random.RandomState(3).permutation(len(df))\nn = int(input())\n"
         "train, test = df.iloc[order[:n]], df.iloc[order[n:]]\n"), "how many rows"),
        ("for a, b in ms.KFold(5).split(df):\n    train, test = df.iloc[a], df.iloc[b]\n", "which fold"),
        ("k = ms.KFold(5, shuffle=True)\nfor i, (a, b) in enumerate(k.split(df)):\n    c = df.iloc[a]\n", "no seed"),
        ("for a, b in ms.TimeSeriesSplit(4).split(df):\n    c, d = df.iloc[a], df.iloc[b]\n", "the last"),
        ("a, b = next(ms.GroupKFold(3).split(df, groups=load()))\ntrain, test = df.iloc[a], df.iloc[b]\n", "group?"),
    ],
)  # fmt: skip
def test_what_cannot_be_repeated_is_asked(tmp_path: Path, program: str, asked: str) -> None:
    files = {"split.py": HEAD + READ + program + USE, "data/houses.csv": table(ROWS, more=MORE)}
    draft, _ = drafted(tmp_path, files)
    assert draft.task.instances[0].separability == "ambiguous"
    assert any(asked in question.asks and "split.py:" in question.asks for question in draft.questions)


MOLECULES = "name,smiles,price\n" + "".join(
    f"m{number},{'C' * (1 + number % 3)}{ring},{number}\n"
    for number, ring in enumerate(["c1ccccc1"] * 12 + ["C1CCCCC1"] * 4 + ["c1ccncc1"] * 2 + ["c1ccoc1"] * 2)
)


@pytest.mark.parametrize(
    ("program", "sizes", "asked"),
    [
        ("s = dc.splits.ScaffoldSplitter()\na, b, c = s.train_valid_test_split(d)\n", (0.8, 0.1, 0.1), False),
        ("a, b = dc.splits.ScaffoldSplitter().train_test_split(d, frac_train=0.6)\n", (0.6, 0.4), False),
        ("a, b, c = scaffold_split(df, 'smiles', (0.6, 0.25, 0.15))\n", (0.6, 0.25, 0.15), True),
        ("a, b, c = scaffold_split(df)\n", (0.8, 0.1, 0.1), True),
    ],
)
def test_a_split_by_scaffold_is_drafted_with_its_shares(
    tmp_path: Path, program: str, sizes: tuple[float, ...], asked: bool
) -> None:
    pytest.importorskip("rdkit", reason="scaffolds need RDKit")
    use = "from sklearn.linear_model import Ridge\ny = df['price']\nRidge().fit(df[['price']], y)\n"
    read = "import deepchem as dc\nimport pandas as pd\ndf = pd.read_csv('data/molecules.csv')\n"
    draft, made = drafted(tmp_path, {"split.py": read + program + use, "data/molecules.csv": MOLECULES})
    (instance,) = draft.task.instances
    (split,) = instance.splits.values()
    assert isinstance(split, ByScaffold)
    assert split.column == "smiles"
    assert tuple(split.sizes) == pytest.approx(sizes)
    questions = [question.asks for question in draft.questions if "split.py" in question.asks]
    assert any("largest scaffolds first" in question for question in questions) == asked
    inner = shown(made, instance.name)
    rows = [ids(path) for path in sorted(inner.iterdir())]
    assert sum(map(len, rows)) == 20
    assert set(ids(inner / "train.csv")) >= {f"m{number}" for number in range(12)}


def test_a_permutation_of_another_number_of_rows_is_not_of_the_file(tmp_path: Path) -> None:
    program = "order = np.random.RandomState(3).permutation(999)\ntrain, test = order[:500], order[500:]\n"
    files = {"split.py": HEAD + READ + program + USE, "data/houses.csv": table(ROWS)}
    draft, _ = drafted(tmp_path, files)
    assert draft.task.instances[0].splits == {}


def test_cut_tells_each_split_with_its_place_and_parameters(tmp_path: Path) -> None:
    files = {
        "split.py": HEAD + READ + DRAWN[0],
        "years.py": READ + next(one for one in DRAWN if "df['year'] >= 2014" in one),
        "data/houses.csv": table(ROWS, more=MORE),
    }
    found = {each.kind: each for each in cut_folder(grow(tmp_path, files)).splits}
    assert found["permutation"].parameters["random_state"] == 3
    assert found["permutation"].parameters["parts"] == ["train_idx", "test_idx"]
    assert (found["permutation"].evidence[0].file, found["permutation"].evidence[0].line) == ("split.py", 6)
    assert found["mask"].parameters["test"] == "df['year'] >= 2014"
