from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from nature_gym.reading.document import Document, Figure
from nature_gym.reading.refusals import UnreadableError
from nature_gym.reading.stage import Forms, read_forms

pymupdf: Any = import_module("pymupdf")

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


def pdf_with_figure(path: Path) -> None:
    """An article of one page with a picture and its caption."""
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 60), "A title of an article", fontsize=16)
    page.insert_textbox(pymupdf.Rect(72, 80, 520, 300), "Words that fill a paragraph as articles do. " * 30, fontsize=9)
    picture = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 300, 150))
    picture.clear_with(90)
    page.insert_image(pymupdf.Rect(100, 340, 400, 490), pixmap=picture)
    page.insert_text((72, 520), "Fig. 2 | A plot.", fontname="hebo", fontsize=8)
    document.save(path)


def with_pdf(folder: Path, figures: str, pictures: list[int]) -> Forms:
    read(folder, figures, pictures)
    files = {number: folder / f"{number}.png" for number in pictures}
    return Forms({"html": folder / "article.html", "pdf": folder / "article.pdf"}, pictures=files)


def test_a_pdf_gives_the_pictures_that_the_page_is_without(tmp_path: Path) -> None:
    forms = with_pdf(tmp_path, "".join(map(figure, ("Fig. 1", "Figure 2", "Extended Data Fig. 2"))), [1])
    pdf_with_figure(forms.articles["pdf"])
    document = read_forms(forms)
    first, second, third = document.figures
    assert (document.source, first.image, third.image) == ("html", PNG, None)
    assert (second.label, second.caption) == ("Figure 2", "A plot.")
    assert second.image
    assert second.media_type
    assert [one for one in document.problems if "picture" in one] == [
        "figures whose pictures are not here: Extended Data Fig. 2"
    ]


def test_the_pdf_is_read_only_where_a_picture_is_missing(tmp_path: Path) -> None:
    (tmp_path / "article.pdf").write_bytes(b"%PDF-1.7 and nothing more")
    whole = read_forms(with_pdf(tmp_path, figure("Fig. 1"), [1]))
    bare = read_forms(with_pdf(tmp_path, figure("Fig. 1"), []))
    asked = [[one for one in document.problems if "the pdf could not be read" in one] for document in (whole, bare)]
    assert list(map(len, asked)) == [0, 1]


def test_a_pdf_that_cannot_be_read_is_a_problem_of_the_paper(tmp_path: Path) -> None:
    forms = with_pdf(tmp_path, figure("Fig. 1"), [])
    document = read_forms(forms, {"pdf": UnreadableError("it is damaged", hint="Fetch it again.")})
    assert document.source == "html"
    assert "the pdf could not be read: it is damaged" in document.problems


def test_a_pdf_of_another_article_gives_no_pictures(tmp_path: Path) -> None:
    forms = with_pdf(tmp_path, figure("Fig. 1"), [])
    shown = (Figure("Fig. 1", "A plot.", image=PNG, media_type="image/png"),)
    other = Document("pdf", doi="10.5555/another", figures=shown)
    assert read_forms(forms, {"pdf": other}).figures[0].image is None
    same = Document("pdf", doi="10.5555/S1-X", figures=shown)
    assert read_forms(forms, {"pdf": same}).figures[0].image == PNG
