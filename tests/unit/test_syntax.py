"""Source as a tree: from several threads at once, with what cannot be read."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

from nature_gym import syntax
from nature_gym.syntax import tree_of

SOURCE = "\n".join(
    f"def f{n}(a, b=[{n}, (1, {{'k': [a for a in b if a]}})]):\n    return a + b * {n}" for n in range(300)
)


class Sleepy:
    """Its end lets another thread go on, as that of a file or a lock does."""

    def __init__(self) -> None:
        self.me = self

    def __del__(self) -> None:
        for _ in range(50):
            open("/dev/null").close()  # noqa: PTH123


@pytest.fixture
def often_collected() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(20)
    yield
    gc.set_threshold(*before)


def test_threads_that_parse_at_once_do_not_upset_each_other(often_collected: None) -> None:
    def work(number: int, below: int = 0) -> str:
        if below < number % 7:  # the count is of the whole stack: they differ in it
            return work(number, below + 1)
        for _ in range(20):
            Sleepy()
        return ast.dump(tree_of(SOURCE))

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(work, range(24)))) == 1


def test_a_thread_that_was_upset_by_anothers_tries_again(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [SystemError("AST constructor recursion depth mismatch (before=60, after=56)")] * 3
    real = ast.parse

    def upset(source: str, mode: str) -> ast.AST:
        if answers:
            raise answers.pop()
        return real(source, mode=mode)

    monkeypatch.setattr(syntax, "ast", SimpleNamespace(parse=upset))
    assert ast.unparse(tree_of("a + b", "eval")) == "a + b"
    assert not answers


@pytest.mark.parametrize(
    ("source", "error"),
    [("def", SyntaxError), ("a\0b", (SyntaxError, ValueError)), ("(" * 5_000, (SyntaxError, MemoryError))],
)
def test_what_is_no_source_is_refused_at_once(source: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        tree_of(source)
