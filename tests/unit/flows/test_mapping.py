"""The parts of mapping that need no server. They import Prefect, so its environment comes first."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flows.environment import apply
from nature_gym.config import Settings, load_settings
from nature_gym.errors import UsageError
from nature_gym.stages import Result

apply(load_settings())

from flows.artifacts import artifact_key  # noqa: E402
from flows.mapping import LARGEST_CHUNK, REAL_WORK_SECONDS, SMALLEST_CHUNK, conclude, name_of, split, title  # noqa: E402
from flows.task_runners import task_runner  # noqa: E402


@given(st.integers(0, 600), st.floats(0, REAL_WORK_SECONDS, exclude_max=True), st.integers(1, 64))
def test_cheap_papers_go_in_chunks_in_order_none_lost(count: int, seconds: float, workers: int) -> None:
    papers = [f"p{number}" for number in range(count)]
    chunks = split(papers, seconds, workers)
    assert list(itertools.chain.from_iterable(chunks)) == papers
    assert all(SMALLEST_CHUNK <= len(chunk) <= LARGEST_CHUNK for chunk in chunks[:-1])


def test_real_work_goes_paper_by_paper() -> None:
    assert split(["a", "b"], REAL_WORK_SECONDS, 1) == [["a"], ["b"]]


def test_a_small_corpus_is_shared_among_the_workers() -> None:
    assert [len(chunk) for chunk in split([str(number) for number in range(40)], 0.0, 2)] == [20, 20]


def test_names_say_what_a_task_run_does() -> None:
    assert title("read", ["10.1_a"]) == "read 10.1_a"
    assert title("read", ["10.1_a", "10.1_b"]) == "read 2 papers from 10.1_a"


@pytest.mark.parametrize(
    ("results", "state", "message"),
    [
        ([Result("a", "done", "rejected", "no data")], "COMPLETED", "rejected: no data"),
        ([Result("a", "failed", "PaperError", "truncated")], "FAILED", "PaperError: truncated"),
        ([Result("a", "error", "OSError", "disk")], "FAILED", "OSError: disk"),
        ([Result("a", "done"), Result("b", "failed")], "COMPLETED", "1 done, 1 failed"),
        ([Result("a", "done"), Result("b", "error", "E", "x")], "FAILED", "1 done, 1 error; first: b: E: x"),
    ],
)
def test_a_task_run_is_red_for_our_faults_and_for_a_paper_of_its_own(
    results: list[Result], state: str, message: str
) -> None:
    concluded = conclude(results)
    assert (concluded.type.value, concluded.message) == (state, message)


def test_a_stage_without_a_place_of_its_own_is_refused() -> None:
    with pytest.raises(TypeError, match="at the top of a module"):
        name_of(lambda settings: None)  # type: ignore[arg-type,return-value]


@pytest.mark.parametrize("kind", ["dask", "ray"])
def test_a_task_runner_that_is_missing_is_told_with_the_command_that_adds_it(
    kind: Literal["dask", "ray"], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=kind) as caught:
        task_runner(Settings(home=Path("unused"), task_runner=kind))
    assert f"`make {kind}`" in caught.value.hint


def test_threads_are_as_many_as_the_workers() -> None:
    assert task_runner(Settings(home=Path("unused"), workers=3))._max_workers == 3  # type: ignore[attr-defined]


def test_keys_of_artifacts_are_what_prefect_accepts() -> None:
    assert artifact_key("Screen: level 2") == "screen-level-2"
