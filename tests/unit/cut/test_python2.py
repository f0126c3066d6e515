"""Programs of Python 2 are read as what they say, line for line."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.cut.folder import cut_folder
from nature_gym.cut.python2 import as_python3
from tests.unit.cut.trees import grow

OLD = [
    "print 'a', b,\n",
    "if x: print 'a'; print 'b' % c\n",
    "print >>log, 'a' 'b', c; print c\n",
    "for a in b:\n\tif a:\n                print a\n",
    "try:\n    f()\nexcept (A, B), e:\n    raise C, 'no'\n",
    "x = 0755 + 10L\n",
    "if a <> b: exec code in {}\n",
    "x = `a` + ur'b'\n",
    "m = max(d, key=lambda (a, b): a)\n",
    "print 'a' % (b,\n       'b'), \\\n  c\n",
]


@pytest.mark.parametrize("source", OLD)
def test_old_statements_are_parsed_on_their_own_lines(source: str) -> None:
    with pytest.raises(SyntaxError):
        ast.parse(source)
    rewritten = as_python3(source)
    assert rewritten is not None
    assert len(rewritten.splitlines()) == len(source.splitlines())
    ast.parse(rewritten)


@given(st.text(alphabet=st.sampled_from("printexc E,`<>0L'\"()[]:;=#\\\n\t a")))
def test_no_text_is_too_strange(source: str) -> None:
    rewritten = as_python3(source)
    assert rewritten is None or rewritten.count("\n") == source.count("\n")


def test_the_roles_and_sites_of_an_old_program_are_found(tmp_path: Path) -> None:
    program = (
        "import numpy as np\nfrom sklearn.linear_model import Ridge\n"
        "def main():\n    print 'loading'\n    d = np.load('data/rooms.npy')\n"
        "    model = Ridge().fit(d[:, 1:], d[:, 0])\n    np.save('out/rooms.npy', model.predict(d[:, 1:]))\n"
        "main()\n"
    )
    files = {"train.py": program, "data/rooms.npy": "x", "out/rooms.npy": "x", "broken.py": "print 'a' 'b\nx = (\n"}
    found = cut_folder(grow(tmp_path, files))
    verdicts = {one.path: one for one in found.files}
    assert verdicts["data/rooms.npy"].category == "initial_state"
    assert verdicts["out/rooms.npy"].category == "algorithm_output"
    assert [(one.file, one.line) for one in verdicts["out/rooms.npy"].evidence if one.line] == [("train.py", 7)]
    assert [warning for warning in found.tree.warnings if "broken.py" in warning]
    assert not [warning for warning in found.tree.warnings if "train.py" in warning]
