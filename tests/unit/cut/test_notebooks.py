from __future__ import annotations

import ast

import orjson
import pytest

from nature_gym.cut.notebooks import notebook_commands, notebook_source


def notebook(*cells: str, kind: str = "code") -> str:
    return orjson.dumps(
        {"cells": [{"cell_type": kind, "source": cell.splitlines(keepends=True)} for cell in cells]}
    ).decode()


def test_cells_are_one_program_in_their_order_with_lines_kept() -> None:
    source, starts = notebook_source(notebook("a = 1\nb = 2", "%matplotlib inline\n!ls\nc = 3", "x = !ls\nd?"))
    assert starts == (1, 3, 6)
    assert source.splitlines()[4] == "c = 3"
    ast.parse(source)


def test_a_magic_inside_a_block_leaves_the_block_whole() -> None:
    source, _ = notebook_source(notebook("if x:\n    !ls\n    %cd y"))
    ast.parse(source)


def test_cells_in_other_languages_and_of_text_are_no_python() -> None:
    source, _ = notebook_source(notebook("%%bash\ncat <x", "%%R\nx <- 1"))
    ast.parse(source)
    assert notebook_source(notebook("# text", kind="markdown")) == ("\n", ())


def test_shell_commands_are_found_with_their_lines() -> None:
    found = notebook_commands(notebook("a = 1\n!python x.py --k 1", "%%bash\npython y.py", "%run z.py"))
    assert found == [(2, "python x.py --k 1"), (4, "python y.py"), (5, "python z.py")]


def test_the_old_format_is_read() -> None:
    old = orjson.dumps({"worksheets": [{"cells": [{"cell_type": "code", "input": "a = 1"}]}]}).decode()
    assert notebook_source(old)[0] == "a = 1\n"


@pytest.mark.parametrize("text", ["", "[]", "{", '{"cells": 3}', '{"cells": [1, {"cell_type": "code", "source": 5}]}'])
def test_what_is_no_notebook_is_an_error_or_empty(text: str) -> None:
    try:
        source, _ = notebook_source(text)
    except ValueError:
        return
    ast.parse(source)
