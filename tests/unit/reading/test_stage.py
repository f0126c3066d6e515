from __future__ import annotations

from pathlib import Path

from nature_gym.reading.document import Document
from nature_gym.reading.stage import Forms, read_forms

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)
FILLER = "<p>" + "Words that fill a paragraph as articles do. " * 12 + "</p>"
HEAD = '<meta name="citation_title" content="A title"><meta name="citation_doi" content="10.5555/s1-x">'


def read(folder: Path, figures: str, pictures: list[int]) -> Document:
    """A page with ``figures``, beside which lie ``pictures``."""
    body = f'<article><div class="c-article-body"><h2>Results</h2>{FILLER}{figures}</div></article>'
    (folder / "article.html").write_text(f"<!doctype html><html><head>{HEAD}</head><body>{body}</body></html>")
    files = {}
    for number in pictures:
        files[number] = folder / f"{number}.png"
        files[number].write_bytes(PNG)
    return read_forms(Forms({"html": folder / "article.html"}, pictures=files))


def figure(label: str) -> str:
    return f"<figure><figcaption>{label}: A plot.</figcaption><img src='/x.png'></figure>"


def test_figures_without_their_pictures_are_named_in_one_line(tmp_path: Path) -> None:
    document = read(tmp_path, figure("Fig. 1") + figure("Fig. 2") + figure("Extended Data Fig. 1"), [2])
    assert [one.image for one in document.figures] == [None, PNG, None]
    assert [one for one in document.problems if "picture" in one] == [
        "figures whose pictures are not here: Fig. 1, Extended Data Fig. 1"
    ]


def test_figures_with_their_pictures_are_no_problem(tmp_path: Path) -> None:
    document = read(tmp_path, figure("Fig. 1"), [1])
    assert document.figures[0].media_type == "image/png"
    assert not any("picture" in one for one in document.problems)


def test_of_many_figures_some_are_named_and_the_others_counted(tmp_path: Path) -> None:
    document = read(tmp_path, "".join(figure(f"Fig. {number}") for number in range(1, 41)), [])
    (problem,) = [one for one in document.problems if "picture" in one]
    assert problem.endswith("Fig. 30 and 10 more")
