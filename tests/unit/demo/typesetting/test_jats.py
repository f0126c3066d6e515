"""The JATS form, read back with an XML parser."""

from __future__ import annotations

import dataclasses

import pytest
from lxml import etree

from nature_gym.demo.model import Paper
from nature_gym.demo.typesetting.jats import article_type, article_xml


def read(paper: Paper) -> etree._Element:
    return etree.fromstring(article_xml(paper))


def text(element: etree._Element, path: str) -> str:
    found = element.find(path)
    assert found is not None, path
    return "".join(str(part) for part in found.itertext())


def test_front_matter_names_the_article(paper: Paper) -> None:
    root = read(paper)
    assert root.get("article-type") == "research-article"
    assert text(root, ".//article-id[@pub-id-type='doi']") == paper.doi
    assert text(root, ".//article-id[@pub-id-type='pmcid']") == "9900601"
    assert (
        text(root, ".//article-title")
        == "Learning in situ profiles of CO2 uptake with R2 > 0.9 & <script>alert(1)</script>"
    )
    assert text(root, ".//subj-group/subject") == "Article"
    assert [text(name, "surname") for name in root.iter("name")] == ["Björk", "O’Hara", "de la Cruz"]
    assert text(root, ".//abstract/p").startswith("Profiles are hard to predict.")


def test_sections_nest_by_level(paper: Paper) -> None:
    root = read(paper)
    assert [text(section, "title") for section in root.findall("body/sec")] == [
        "Introduction", "Results", "Discussion", "Methods",
    ]  # fmt: skip
    assert [text(section, "title") for section in root.findall("body/sec/sec")] == [
        "ProfNet wins on all settings", "Robustness", "Objective",
    ]  # fmt: skip
    assert text(root, "body/sec/sec/sec/title") == "Splits"


def test_tables_are_real_tables(paper: Paper) -> None:
    root = read(paper)
    wraps = root.findall(".//table-wrap")
    assert [text(wrap, "label") for wrap in wraps] == ["Table 1", "Table 2"]
    rows = [["".join(str(part) for part in cell.itertext()) for cell in row.iter("td")] for row in wraps[0].iter("tr")]
    assert rows[2:] == [
        ["Linear", "0.71", "1.2 × 10-3", "−0.05", "3.1"],
        ["Forest2", "0.85 ± 0.01", "0.9", "0.61", "2.2a"],
        ["ProfNet", "0.93 ± 0.01", "0.5", "0.88", "1.1"],
    ]
    assert [cell.get("colspan") for cell in next(wraps[0].iter("tr")).iter("th")] == [None, "2", "2"]
    assert text(wraps[0], "table-wrap-foot/p") == "aWithout 3 outliers & one <b>."


def test_every_reference_to_something_leads_to_it(paper: Paper) -> None:
    root = read(paper)
    identifiers = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(identifiers) == len(set(identifiers))
    assert {element.get("rid") for element in root.iter("xref")} <= set(identifiers)


def test_formulas_come_as_tex_and_mathml(paper: Paper) -> None:
    root = read(paper)
    formulas = root.findall(".//disp-formula")
    assert len(formulas) == 2
    tex = text(formulas[0], ".//tex-math")
    assert tex.startswith("\\documentclass[12pt]{minimal}")
    assert "\\begin{document}$$\\mathcal{L}" in tex
    assert formulas[0].find(".//{http://www.w3.org/1998/Math/MathML}math") is not None


def test_data_availability_is_found_where_each_age_puts_it(paper: Paper, old_paper: Paper) -> None:
    assert "zenodo.7654321" in text(read(paper), "back/sec[@sec-type='data-availability']/p")
    assert "zenodo.7654321" in text(read(old_paper), "back/notes[@notes-type='data-availability']/p")
    links = {element.get("{http://www.w3.org/1999/xlink}href") for element in read(paper).iter("ext-link")}
    assert {"https://github.com/bjork-lab/logit", "https://example.org/a_b?c=1&d=2"} <= links


def test_references_keep_their_identifiers(paper: Paper) -> None:
    references = read(paper).findall("back/ref-list/ref")
    assert len(references) == len(paper.references)
    assert text(references[0], ".//pub-id[@pub-id-type='doi']") == "10.5555/ref-1"


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ("Article", "research-article"),
        ("Review Article", "review-article"),
        ("News & Views", "news"),
        ("Editorial", "editorial"),
        ("Comment", "article-commentary"),
        ("Author Correction", "correction"),
        ("Retraction Note", "retraction"),
        ("Author Reply", "reply"),
    ],
)
def test_the_article_type_is_translated(paper: Paper, stated: str, expected: str) -> None:
    assert article_type(dataclasses.replace(paper, article_type=stated)) == expected
