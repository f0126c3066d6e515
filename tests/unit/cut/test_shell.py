from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from nature_gym.cut.shell import read_commands
from nature_gym.cut.tree import walk
from tests.unit.cut.trees import graph_of, grow, touched


def test_a_script_starts_programs_with_options_from_its_variables_and_loops(tmp_path: Path) -> None:
    script = "D=data\nfor v in a b; do\n  python src/train.py --set $v --dir ${D}/x > logs/$v.txt\ndone\n"
    commands = read_commands(walk(grow(tmp_path, {"run.sh": script, "src/train.py": ""})))
    assert commands.given() == {"src/train.py": {"set": ["a", "b"], "dir": ["data/x"]}}
    assert {(touch.action, touch.path) for touch in commands.touched} == {
        ("write", "logs/a.txt"),
        ("write", "logs/b.txt"),
    }


def test_modules_makefiles_notebooks_and_readmes_start_programs_too(tmp_path: Path) -> None:
    files = {
        "pkg/run.py": "",
        "Makefile": "out.csv: data/in.csv\n\tpython -m pkg.run --k 1\n",
        "README.md": "Use `python pkg/run.py --k 2`.\n",
        "n.ipynb": '{"cells": [{"cell_type": "code", "source": ["!python pkg/run.py --k 3\\n", "x = 1"]}]}',
    }
    commands = read_commands(walk(grow(tmp_path, files)))
    assert sorted(commands.given()["pkg/run.py"]["k"]) == ["1", "2", "3"]
    assert ("read", "data/in.csv") in {(touch.action, touch.path) for touch in commands.touched}


def test_downloads_copies_and_deletions_are_told(tmp_path: Path) -> None:
    script = (
        "wget -O data/a.csv https://example.org/x\ncurl -L https://example.org/b.zip -o data/b.zip\n"
        "wget https://example.org/files/c.tar.gz?download=1\ncp data/a.csv out/\nrm -rf tmp/x.csv\n"
    )
    commands = read_commands(walk(grow(tmp_path, {"get.sh": script})))
    assert {(touch.action, touch.path) for touch in commands.touched} == {
        ("download", "data/a.csv"),
        ("download", "data/b.zip"),
        ("download", "c.tar.gz"),
        ("read", "data/a.csv"),
        ("delete", "tmp/x.csv"),
    }


def test_snakemake_says_what_goes_in_and_out(tmp_path: Path) -> None:
    rule = 'rule a:\n    input:\n        "data/{s}.csv"\n    output: "out/{s}.txt"\n    shell: "python x.py {input}"\n'
    touched = read_commands(walk(grow(tmp_path, {"Snakefile": rule}))).touched
    assert {(touch.action, touch.path) for touch in touched} >= {("read", "data/*.csv"), ("write", "out/*.txt")}


@given(st.text(max_size=200))
def test_any_script_is_read_without_trouble(text: str) -> None:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        root = grow(Path(folder), {"a.sh": text, "b.R": text, "Makefile": text, "README.md": text, "n.ipynb": text})
        assert read_commands(walk(root)) is not None


def test_a_command_of_elsewhere_writes_what_it_is_told_to_put_out(tmp_path: Path) -> None:
    grow(tmp_path, {"run.sh": "featurize -i data/a.sdf -o data/a.csv\n", "data/a.sdf": "x", "data/a.csv": "x"})
    assert touched(graph_of(tmp_path), "write") == {"data/a.csv"}
