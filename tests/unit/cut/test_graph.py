from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.cut.trees import graph_of, grow, touched


@pytest.mark.parametrize(
    ("line", "action", "path"),
    [
        ("import pandas as pd; pd.read_csv('d/a.csv')", "read", "d/a.csv"),
        ("import pandas as pd; pd.DataFrame().to_csv('d/a.csv')", "write", "d/a.csv"),
        ("import numpy as np; np.load('d/a.npy')", "read", "d/a.npy"),
        ("import numpy; numpy.savez('d/a.npz', x=1)", "write", "d/a.npz"),
        ("import numpy as np; np.save('d/a', x)", "write", "d/a.npy"),
        ("import numpy as np; np.save('d/a_1.5', x)", "write", "d/a_1.5.npy"),
        ("import numpy as np; np.savez_compressed('d/a', x=x)", "write", "d/a.npz"),
        ("import torch; torch.save(m, 'd/a.pt')", "write", "d/a.pt"),
        ("import torch; torch.load(f='d/a.pt')", "read", "d/a.pt"),
        ("import joblib; joblib.dump(m, 'd/a.pkl')", "write", "d/a.pkl"),
        ("import pickle; pickle.dump(m, open('d/a.pkl', 'wb'))", "write", "d/a.pkl"),
        ("import json\nwith open('d/a.json', 'w') as f: json.dump({}, f)", "write", "d/a.json"),
        ("import h5py; h5py.File('d/a.h5', 'w')", "write", "d/a.h5"),
        ("import h5py; h5py.File('d/a.h5')", "read", "d/a.h5"),
        ("from pathlib import Path; Path('d/a.txt').read_text()", "read", "d/a.txt"),
        ("from pathlib import Path; Path('d/a.txt').write_text('')", "write", "d/a.txt"),
        ("from pathlib import Path; Path('d/a.txt').open('w')", "write", "d/a.txt"),
        ("import matplotlib.pyplot as plt; plt.savefig('d/a.png')", "write", "d/a.png"),
        ("import shutil; shutil.copy('d/a.csv', 'e')", "copy", "d/a.csv"),
        ("import os; os.remove('d/a.csv')", "delete", "d/a.csv"),
        ("import glob; glob.glob('d/a*.csv')", "list", "d/a*.csv"),
        ("from urllib.request import urlretrieve; urlretrieve('http://x', 'd/a.zip')", "download", "d/a.zip"),
        ("model.save_weights('d/a.h5')", "write", "d/a.h5"),
        ("from PIL import Image; Image.open('d/a.jpg')", "read", "d/a.jpg"),
        ("import scanpy as sc; sc.read_h5ad('d/a.h5ad')", "read", "d/a.h5ad"),
    ],
)
def test_a_call_of_a_library_is_known(tmp_path: Path, line: str, action: str, path: str) -> None:
    assert path in touched(graph_of(grow(tmp_path, {"m.py": line})), action)


def test_a_loader_for_everybody_does_not_tie_everything_to_everybody(tmp_path: Path) -> None:
    graph = graph_of(
        grow(
            tmp_path,
            {
                "lib.py": "import pandas as pd\ndef load(name):\n    return pd.read_csv(f'data/{name}.csv')\n",
                "a.py": "from lib import load\nload('one')\n",
                "b.py": "from lib import load\nload('two')\n",
                "data/one.csv": "x",
                "data/two.csv": "x",
            },
        )
    )
    readers = {path: {site.unit.file for site, _ in found} for path, found in graph.touching.items()}
    assert readers == {"data/one.csv": {"a.py"}, "data/two.csv": {"b.py"}}


def test_a_pattern_with_unknown_parts_means_the_files_that_fit(tmp_path: Path) -> None:
    graph = graph_of(
        grow(
            tmp_path,
            {
                "m.py": "import numpy as np\nnp.load(f'data/{d}/fold_{k}.npz')\n",
                "data/a/fold_1.npz": "x",
                "data/a/other.npz": "x",
                "data/b/c/fold_2.npz": "x",
            },
        )
    )
    assert set(graph.touching) == {"data/a/fold_1.npz", "data/b/c/fold_2.npz"}


def test_a_path_is_looked_for_from_the_root_beside_the_program_and_by_its_end(tmp_path: Path) -> None:
    files = {
        "src/m.py": "open('data/a.csv')\nopen('../top.csv')\nopen('/home/me/project/data/sub/b.csv')\n",
        "src/data/a.csv": "x",
        "top.csv": "x",
        "data/sub/b.csv": "x",
    }
    assert set(graph_of(grow(tmp_path, files)).touching) == {"src/data/a.csv", "top.csv", "data/sub/b.csv"}


def test_a_folder_that_is_listed_means_all_in_it(tmp_path: Path) -> None:
    files = {"m.py": "import os\nfor f in os.listdir('data/x'):\n    pass\n", "data/x/a.csv": "x", "data/y/b.csv": "x"}
    assert set(graph_of(grow(tmp_path, files)).touching) == {"data/x/a.csv"}


def test_a_suffix_alone_means_nothing(tmp_path: Path) -> None:
    files = {"m.py": "import numpy as np\nnp.save(name + '.npy', x)\n", "a.npy": "x"}
    assert graph_of(grow(tmp_path, files)).touching == {}


def test_options_given_in_a_readme_lead_to_files(tmp_path: Path) -> None:
    source = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--data')\nopen(p.parse_args().data)\n"
    files = {"m.py": source, "README.md": "```\n$ python m.py --data input/set.csv\n```\n", "input/set.csv": "x"}
    assert set(graph_of(grow(tmp_path, files)).touching) == {"input/set.csv"}


def test_python_2_is_read_line_by_line(tmp_path: Path) -> None:
    files = {"old.py": "import pandas as pd\nprint 'x'\nd = pd.read_csv('data/a.csv')\nopen('out.txt', 'w')\n"}
    graph = graph_of(grow(tmp_path, files))
    assert touched(graph, "read") == {"data/a.csv"}
    assert touched(graph, "write") == {"out.txt"}
    assert {site.line for site in graph.sites} == {3, 4}


@pytest.mark.parametrize("start", ["D:\\\\work\\\\", "...\\\\", "C:/me/"])
def test_a_path_of_another_machine_is_known_by_its_end(tmp_path: Path, start: str) -> None:
    grow(tmp_path, {"a.py": f'open("{start}Class\\\\off_glove.txt", "w")', "out/Class/off_glove.txt": "x"})
    assert [site.action for site, _ in graph_of(tmp_path).touching["out/Class/off_glove.txt"]] == ["write"]


def test_an_option_of_a_readme_is_one_of_many(tmp_path: Path) -> None:
    source = "import sys\nopen('data/' + sys.argv[1] + '_vocab.txt', 'w')"
    grow(tmp_path, {"a.py": source, "README.md": "```\npython a.py r8\n```\n"})
    grow(tmp_path, {"data/r8_vocab.txt": "x", "data/mr_vocab.txt": "x"})
    sure = {path: max(sure for _, sure in found) for path, found in graph_of(tmp_path).touching.items()}
    assert sure["data/r8_vocab.txt"] == 1.0 > sure["data/mr_vocab.txt"] > 0.5
