from __future__ import annotations

import re
from pathlib import Path

from lxml import html

from nature_gym.cut.drawing import MAX_GROUPS, page
from nature_gym.cut.folder import cut_folder
from tests.unit.cut.trees import grow

FILES = {
    "train.py": "import pandas as pd\npd.read_csv('data/a.csv')\nm.fit(x)\npd.DataFrame().to_csv('results/b.csv')\n",
    "data/a.csv": "x,y\n",
    "results/b.csv": "x\n",
    "data/<script>alert(1)<": "x",
}


def test_the_page_stands_alone_and_escapes_what_it_shows(tmp_path: Path) -> None:
    text = page(cut_folder(grow(tmp_path, FILES)), "<b>mine</b>")
    assert not re.search(r"(src|href)=|url\(|@import", text)
    assert "<script>alert" not in text
    assert "<b>mine" not in text
    assert html.fromstring(text).xpath("count(//table[@id='files']/tbody/tr)") == 3


def test_edges_run_between_files_and_programs_across_the_cut(tmp_path: Path) -> None:
    text = page(cut_folder(grow(tmp_path, FILES)), "mine")
    assert text.count('<path class="reads"') == 1
    assert text.count('<path class="writes"') == 1
    assert 'class="cut"' in text
    assert "train.py:4" in text


def test_many_files_are_drawn_in_few_groups(tmp_path: Path) -> None:
    files = {f"data/{number}/x.csv": "x" for number in range(300)}
    text = page(cut_folder(grow(tmp_path, files)), "mine")
    assert text.count("<rect") <= 2 * MAX_GROUPS
