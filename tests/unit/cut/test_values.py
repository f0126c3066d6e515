from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.cut.configs import Setting, Settings
from nature_gym.cut.python_units import Module, parse_module
from nature_gym.cut.values import MAX_VALUES, Evaluator, Project, join, limited


def project(
    settings: Settings | None = None, given: dict[str, dict[str, list[str]]] | None = None, **files: str
) -> Project:
    modules = [parse_module(name.replace("__", "/") + ".py", text) for name, text in files.items()]
    return Project(modules, settings or Settings(), given or {})


def values_of(found: Project, module: int = 0) -> set[str]:
    """What the argument of ``open`` in a module can be."""
    evaluator = Evaluator(found)
    result: set[str] = set()
    for scope in found.modules[module].scopes:
        for call in scope.calls:
            if isinstance(call.func, ast.Name) and call.func.id == "open":
                result |= evaluator.path(call.args[0], scope)
    return result


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("open('a.csv')", {"a.csv"}),
        ("D = 'data'\nopen(D + '/a.csv')", {"data/a.csv"}),
        ("import os\nopen(os.path.join('data', 'a.csv'))", {"data/a.csv"}),
        ("from os import path as p\nopen(p.join('data', 'a.csv'))", {"data/a.csv"}),
        ("from os.path import join as j\nopen(j('d', 'a'))", {"d/a"}),
        ("from pathlib import Path\nopen(Path('data') / 'a.csv')", {"data/a.csv"}),
        ("from pathlib import Path\nopen(Path(__file__).parent.parent / 'a.csv')", {"//a.csv"}),
        ("from pathlib import Path\nopen(Path(__file__).resolve().parents[1] / 'a')", {"//a"}),
        ("import os\nH = os.path.dirname(os.path.abspath(__file__))\nopen(os.path.join(H, 'a'))", {"//src/a"}),
        ("for k in ['x', 'y']:\n    open(f'{k}.csv')", {"x.csv", "y.csv"}),
        ("for k in range(3):\n    open('f_%d.csv' % k)", {"f_0.csv", "f_1.csv", "f_2.csv"}),
        ("open('%s/%s.csv' % ('a', 'b'))", {"a/b.csv"}),
        ("open('{}/{}.csv'.format('a', 'b'))", {"a/b.csv"}),
        ("open('{d}/{n}.csv'.format(n='b', d='a'))", {"a/b.csv"}),
        ("open('{0}/{0}.csv'.format('a'))", {"a/a.csv"}),
        ("open(f'data/{unknown}/fold_{k}.npz')", {"data/*/fold_*.npz"}),
        ("P = {'a': 'x.csv', 'b': 'y.csv'}\nopen(P['b'])", {"y.csv"}),
        ("P = {'a': 'x.csv', 'b': 'y.csv'}\nfor v in P.values():\n    open(v)", {"x.csv", "y.csv"}),
        ("for n, p in [('a', 'x'), ('b', 'y')]:\n    open(p)", {"x", "y"}),
        ("for n, p in zip('ab', ['x', 'y']):\n    open(p)", {"x", "y"}),
        ("for i, p in enumerate(['x', 'y']):\n    open(p)", {"x", "y"}),
        ("open('a' if z else 'b')", {"a", "b"}),
        ("d = 'x'\nd += '/y'\nopen(d)", {"x", "x/y"}),
        ("a, b = 'x', 'y'\nopen(b)", {"y"}),
        ("if (p := 'q.csv'):\n    open(p)", {"q.csv"}),
        ("from pathlib import Path\nopen(Path('a.csv').with_suffix('.npy'))", {"a.npy"}),
        ("import os\nopen(os.environ.get('D', 'data') + '/a')", {"data/a"}),
        ("open('a-b.csv'.replace('-', '_'))", {"a_b.csv"}),
        ("open(unknown())", {"*"}),
        ("x = x + 'a'\nopen(x)", {"*a"}),
    ],
)
def test_a_path_is_worked_out(source: str, expected: set[str]) -> None:
    assert values_of(project(src__m=source)) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f(p):\n    open(p)\nf('a')\nf(p='b')", {"a", "b"}),
        ("def f(p='d'):\n    open(p)\nf()", {"d"}),
        ("def g(d):\n    return d + '/x'\nopen(g('a'))", {"a/x"}),
        ("class C:\n    D = 'data'\n    def f(self):\n        open(self.D + '/a')", {"data/a"}),
        (
            "class C:\n    def __init__(self, d):\n        self.d = d\n    def f(self):\n        open(self.d)\nC('q')",
            {"q"},
        ),
        ("class B:\n    D = 'data'\nclass C(B):\n    def f(self):\n        open(self.D)", {"data"}),
        (
            "class C:\n    @property\n    def p(self):\n        return 'z'\n    def f(self):\n        open(self.p)",
            {"z"},
        ),
        (
            (
                "import argparse\np = argparse.ArgumentParser()\np.add_argument('--in-dir', default='d')\n"
                "a = p.parse_args()\nopen(a.in_dir + '/x')"
            ),
            {"d/x"},
        ),
        (
            (
                "import argparse\np = argparse.ArgumentParser()\np.add_argument('--set', choices=['a', 'b'])\n"
                "o = p.parse_args()\nopen('%s.csv' % o.set)"
            ),
            {"a.csv", "b.csv"},
        ),
    ],
)
def test_a_path_is_followed_through_functions_classes_and_options(source: str, expected: set[str]) -> None:
    assert values_of(project(src__m=source)) == expected


def test_a_constant_of_another_module_is_found_by_every_way_of_importing() -> None:
    paths = "DATA = 'data'"
    for line in ("from paths import DATA as D", "import paths\nD = paths.DATA", "from paths import *\nD = DATA"):
        assert values_of(project(m=f"{line}\nopen(D + '/a')", paths=paths)) == {"data/a"}
    relative = project(pkg__m="from .paths import DATA\nopen(DATA)", pkg__paths=paths)
    assert values_of(relative) == {"data"}


def test_settings_are_found_by_their_keys() -> None:
    settings = Settings()
    settings.add(Setting("c.yaml", ("data", "train"), "data/train.csv"))
    settings.add(Setting("c.yaml", ("other", "train"), "no.csv"))
    for asked in ("cfg.data.train", "cfg['data']['train']", "cfg.get('data').get('train')", "cfg.data['train']"):
        assert values_of(project(settings, m=f"open({asked})")) == {"data/train.csv"}


def test_what_a_command_gives_is_added_to_an_options_default_and_stands_for_others() -> None:
    source = (
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('--d', default='x')\nopen(p.parse_args().d)"
    )
    assert values_of(project(given={"m.py": {"d": ["y"]}}, m=source)) == {"x", "y", "*"}
    assert values_of(project(given={"m.py": {"d": ["a/y.csv"]}}, m=source.replace("'x'", "'1'"))) == {"1", "a/y.csv"}


def test_too_many_values_become_a_pattern_of_their_folder() -> None:
    assert limited(f"data/{n}.csv" for n in range(MAX_VALUES + 1)) == {"data/*.csv"}


def test_joining_keeps_the_root_and_starts_anew_at_an_absolute_part() -> None:
    assert join("//src", "a") == "//src/a"
    assert join("a", "/b") == "/b"
    assert join("a/", "", "b") == "a/b"


@given(st.lists(st.sampled_from(["f", "g", "h"]), min_size=1, max_size=6))
def test_functions_that_call_each_other_in_circles_come_to_an_end(chain: list[str]) -> None:
    source = "\n".join(
        f"def {a}(p):\n    return {b}(p + 'x')" for a, b in zip(chain, chain[1:] + chain[:1], strict=True)
    )
    assert values_of(project(m=f"{source}\nopen({chain[0]}('a'))"))


def test_a_value_built_to_explode_is_given_up_on() -> None:
    lines = ["a0 = 'x' if q else 'y'", *(f"a{n} = a{n - 1} + a{n - 1} + a{n - 1}" for n in range(1, 40)), "open(a39)"]
    found = project(m="\n".join(lines))
    assert len(values_of(found)) <= MAX_VALUES


@given(st.text(max_size=80))
def test_any_source_that_parses_is_evaluated_without_trouble(text: str) -> None:
    try:
        module: Module = parse_module("m.py", f"open(({text}))")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    assert values_of(Project([module], Settings()))
