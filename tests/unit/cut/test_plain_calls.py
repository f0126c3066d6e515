from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.cut.plain_calls import looks_like_path, plain_touches


def test_r_is_read_by_its_calls() -> None:
    source = (
        'folder <- "results"\nx <- read.csv("data/a.csv")\ny <- readRDS(file.path(folder, "b.rds"))\n'
        'write.csv(x, "out/c.csv")\nggsave(paste0(folder, "/d.pdf"), g)\n# read.csv("no.csv")\n'
    )
    assert {(touch.action, touch.path, touch.line) for touch in plain_touches("a.R", source)} == {
        ("read", "data/a.csv", 2),
        ("read", "results/b.rds", 3),
        ("write", "out/c.csv", 4),
        ("write", "results/d.pdf", 5),
    }


@pytest.mark.parametrize(
    ("name", "line", "action", "path"),
    [
        ("a.m", "x = load('data/a.mat');", "read", "data/a.mat"),
        ("a.m", "load data/a.mat", "read", "data/a.mat"),
        ("a.m", "save('out/b.mat', 'x')", "write", "out/b.mat"),
        ("a.m", "t = readtable(fullfile('data', name, 't.csv'));", "read", "data/*/t.csv"),
        ("a.m", "csvwrite(['out/' name '.csv'], x)", "write", "out/*.csv"),
        ("a.jl", 'df = CSV.read("data/a.csv", DataFrame)', "read", "data/a.csv"),
        ("a.jl", 'CSV.write(joinpath("out", "b.csv"), df)', "write", "out/b.csv"),
        ("a.cpp", 'std::ifstream in("data/a.txt");', "read", "data/a.txt"),
        ("a.cpp", 'ofstream out("out/b.txt");', "write", "out/b.txt"),
    ],
)
def test_other_languages_are_read_by_their_calls(name: str, line: str, action: str, path: str) -> None:
    assert [(touch.action, touch.path) for touch in plain_touches(name, line)] == [(action, path)]


def test_comments_and_languages_that_nobody_knows_say_nothing() -> None:
    assert plain_touches("a.m", "% load('data/a.mat')") == []
    assert plain_touches("a.unknown", "load('data/a.mat')") == []


def test_what_cannot_be_a_path_is_none() -> None:
    assert looks_like_path("data/a.csv")
    assert looks_like_path("a.csv")
    for text in ("", "https://x/a.csv", "-x/y", "a b\nc/d", "word", "/dev/null", "../.."):
        assert not looks_like_path(text)


@given(st.sampled_from(["a.R", "a.m", "a.jl", "a.cpp"]), st.text(max_size=200))
def test_any_text_is_read_without_trouble(name: str, text: str) -> None:
    assert all(0 < touch.line <= len(text.splitlines()) for touch in plain_touches(name, text))


def test_a_path_of_r_is_put_together_before_it_is_used_and_over_lines() -> None:
    source = (
        'base <- "results"\nfile <- file.path(base, "a.tsv")\nwrite_tsv(x, file)\n'
        'y <- readr::read_tsv(file.path("data",\n                               "b.tsv"))\n'
    )
    touches = {(touch.action, touch.path, touch.line) for touch in plain_touches("a.R", source)}
    assert ("read", "data/b.tsv", 4) in touches
    assert ("write", "results/a.tsv", 3) in touches
