"""Whether what is read becomes a model."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.cut.trees import graph_of, grow


@pytest.mark.parametrize(
    ("program", "is_model"),
    [
        ("import torch\nnet.load_state_dict(torch.load('first.pt'))\n", True),
        ("import torch\nstate = torch.load('first.pt')\nnet.load_state_dict(state['model'])\n", True),
        ("import pickle\nwith open('first.pt', 'rb') as f:\n    clf = pickle.load(f)\nclf.predict(x)\n", True),
        ("import joblib\ndef go(x):\n    clf = joblib.load('first.pt')\n    return clf.predict_proba(x)\n", True),
        ("import torch\ndata = torch.load('first.pt')\nprint(data.shape)\n", False),
        ("import pandas as pd\nframe = pd.read_csv('first.pt')\nframe.eval('a + b')\n", False),
        ("import torch\ndata = torch.load('first.pt')\nnet.load_state_dict(torch.load('other.pt'))\n", False),
    ],
)
def test_what_is_handed_to_a_model_or_asked_to_predict_is_one(tmp_path: Path, program: str, *, is_model: bool) -> None:
    graph = graph_of(grow(tmp_path, {"run.py": program, "first.pt": "x", "other.pt": "x"}))
    found = [site for site, _ in graph.touching["first.pt"]]
    assert found
    assert {site.is_model for site in found} == {is_model}
