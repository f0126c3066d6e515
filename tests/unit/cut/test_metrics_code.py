from __future__ import annotations

from pathlib import Path

from nature_gym.cut.folder import cut_folder
from tests.unit.cut.trees import grow


def test_metrics_are_found_by_their_names_and_by_their_libraries(tmp_path: Path) -> None:
    source = (
        "from sklearn.metrics import roc_auc_score as auc\nfrom scipy.stats import spearmanr\n"
        "def mean_dice(a, b):\n    pass\ndef load(x):\n    pass\nauc(y, p)\nspearmanr(y, p)\n"
    )
    found = cut_folder(grow(tmp_path, {"m.py": source})).metrics_code
    assert {(each.file, each.name, each.line) for each in found} == {
        ("m.py", "mean_dice", 3),
        ("m.py", "roc_auc_score", 7),
        ("m.py", "spearmanr", 8),
    }
