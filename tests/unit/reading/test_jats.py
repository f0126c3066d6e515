from __future__ import annotations

from urllib.parse import unquote

import pytest

from nature_gym.errors import PaperError
from nature_gym.reading.availability import find_availability
from nature_gym.reading.document import ABSTRACT, Document
from nature_gym.reading.jats import LIMIT, read_jats
from nature_gym.reading.links import find_links
from nature_gym.reading.refusals import NoArticleError, UnreadableError

FRONT = (
    "<front><journal-meta><journal-title-group><journal-title>J</journal-title></journal-title-group></journal-meta>"
    '<article-meta><article-id pub-id-type="doi">10.1038/s1-X</article-id><article-categories>'
    '<subj-group subj-group-type="heading"><subject>Article</subject></subj-group></article-categories>'
    "<title-group><article-title>A <italic>title</italic></article-title></title-group>"
    '<contrib-group><contrib contrib-type="author"><name><surname>Björk</surname><given-names>Zoë</given-names></name>'
    '</contrib><contrib contrib-type="editor"><name><surname>E</surname></name></contrib></contrib-group>'
    '<pub-date pub-type="ppub"><year>2024</year></pub-date>'
    '<pub-date pub-type="epub"><day>5</day><month>6</month><year>2023</year></pub-date>'
    '<abstract abstract-type="graphical"><p>Picture.</p></abstract><abstract><sec><title>Aim</title><p>Learn.</p></sec>'
    '<sec sec-type="kwd-group"><p>words</p></sec></abstract></article-meta></front>'
)
ROOT = '<article xmlns:mml="http://www.w3.org/1998/Math/MathML" xmlns:xlink="http://www.w3.org/1999/xlink">'


def article(body: str, back: str = "", floats: str = "") -> Document:
    return read_jats(f"{ROOT}{FRONT}<body>{body}</body><back>{back}</back>{floats}</article>".encode())


def text(markup: str) -> str:
    return article(f"<sec><title>S</title><p>{markup}</p></sec>").sections[0].text


TEX = "<tex-math>\\begin{document}$$x_i$$\\end{document}</tex-math>"
MATHML = "<mml:math><mml:msup><mml:mi>x</mml:mi><mml:mn>2</mml:mn></mml:msup></mml:math>"


@pytest.mark.parametrize(
    ("markup", "read"),
    [
        ("R<sup>2</sup> of 10<sup>&#x02212;3</sup> m s<sup>&#8211;1</sup>", "R² of 10⁻³ m s⁻¹"),
        ('so<sup><xref ref-type="bibr" rid="CR1">1</xref>,<xref ref-type="bibr" rid="CR3">3</xref></sup>.', "so."),
        ('so [<xref ref-type="bibr" rid="b1">1</xref>].', "so."),
        ('Fig. <xref ref-type="fig" rid="Fig1">1</xref>', "Fig. 1"),
        (f"<inline-formula><alternatives>{TEX}{MATHML}</alternatives></inline-formula>", "$x_i$"),
        (f"<inline-formula>{MATHML}</inline-formula>", "$x^{2}$"),
        ("<inline-formula><inline-graphic/></inline-formula>0.05", "[formula]0.05"),
        ("a&nbsp;b &alpha; &unknown;c", "a b α c"),
        ("a<break/>b", "a b"),
    ],
)  # fmt: skip
def test_running_text(markup: str, read: str) -> None:
    assert text(markup) == read


def test_what_the_article_is() -> None:
    document = article("<sec><title>S</title><p>Text.</p></sec>")
    assert (document.title, document.doi, document.journal) == ("A title", "10.1038/s1-x", "J")
    assert (document.article_type, document.published, document.authors) == ("Article", "2023-06-05", ("Zoë Björk",))
    assert document.abstract == "Aim: Learn."


def test_sections_nest_and_those_without_titles_do_not_count() -> None:
    document = article(
        "<sec><title>Results</title><sec><title>First</title><p>a</p></sec><sec><p>b</p></sec></sec>",
        "<ack><p>Thanks.</p></ack><notes notes-type='data-availability'><p>In GEO.</p></notes>"
        "<notes><sec><title>Competing interests</title><p>None.</p></sec></notes>",
    )
    assert [(section.title, section.level, section.text) for section in document.sections] == [
        ("Results", 1, ""),
        ("First", 2, "a\nb"),
        ("Acknowledgements", 1, "Thanks."),
        ("Data availability", 1, "In GEO."),
        ("Competing interests", 1, "None."),
    ]


@pytest.mark.parametrize(
    "markup",
    [
        "<sec sec-type='data-availability'><title>Data Availability Statement</title><p>Counts are in GEO.</p></sec>",
        "<notes notes-type='data-availability'><p>Counts are in GEO.</p></notes>",
        "<fn-group><fn><p><bold>Data availability:</bold> Counts are in GEO.</p></fn></fn-group>",
        "<notes><p>Data availability. Counts are in GEO.</p></notes>",
    ],
)
def test_the_statement_on_data_is_found_wherever_it_stands(markup: str) -> None:
    assert find_availability(article("<sec><title>S</title><p>x</p></sec>", markup)).data == "Counts are in GEO."


def test_tables_with_spans_notes_and_citations() -> None:
    (table,) = article(
        '<sec><title>S</title><table-wrap><label>Table 1</label><caption><title>Scores</title><p>All.</p></caption>'
        '<table><thead><tr><th rowspan="2">M</th><th colspan="2">T</th></tr><tr><th>a</th><th>b</th></tr></thead>'
        '<tbody><tr><td>Ours<sup><xref ref-type="bibr" rid="CR2">2</xref></sup></td><td><bold>0.9</bold></td>'
        "<td>−1.2 × 10<sup>−3</sup></td></tr></tbody></table><table-wrap-foot><p>Notes.</p></table-wrap-foot>"
        "</table-wrap></sec>"
    ).tables  # fmt: skip
    assert table.rows == (("M", "T", "T"), ("M", "a", "b"), ("Ours", "0.9", "−1.2 × 10⁻³"))
    assert (table.label, table.caption, table.notes, table.header_rows) == ("Table 1", "Scores All.", "Notes.", 2)
    assert table.bold == {(2, 1)}


def test_a_table_that_is_a_picture_is_missing_and_said_to_be() -> None:
    document = article("<table-wrap><label>Table 3</label><graphic/></table-wrap>")
    assert document.tables[0].missing
    assert any("Table 3" in problem for problem in document.problems)


def test_floats_at_the_end_are_read() -> None:
    figure = "<floats-group><fig><label>Fig. 1</label><caption><p>C.</p></caption></fig></floats-group>"
    (read,) = article("<sec><title>S</title><p>x</p></sec>", floats=figure).figures
    assert (read.label, read.caption, read.section) == ("Fig. 1", "C.", None)


def test_supplementary_files_get_their_addresses() -> None:
    document = article(
        '<sec><title>Supplementary information</title><p><supplementary-material><media xlink:href="1_MOESM1_ESM.pdf">'
        "<caption><p>Tables</p></caption></media></supplementary-material></p></sec>"
    )
    (link,) = document.links
    assert link.url == "https://static-content.springer.com/esm/art%3A10.1038%2Fs1-X/MediaObjects/1_MOESM1_ESM.pdf"
    assert link.anchor == "Tables"


def test_links_without_a_scheme_lead_somewhere() -> None:
    document = article(
        '<p><ext-link xlink:href="10.5281/zenodo.1">a</ext-link><ext-link xlink:href="www.x.org">b</ext-link>'
        "<uri>https://y.org</uri></p>"
    )
    assert [link.url for link in document.links] == [
        "https://doi.org/10.5281/zenodo.1",
        "http://www.x.org",
        "https://y.org",
    ]


def test_references_in_parts_and_in_prose() -> None:
    document = article(
        "<sec><title>S</title><p>x</p></sec>",
        '<ref-list><ref id="CR1"><label>1.</label><element-citation><name><surname>A</surname>'
        "<given-names>B</given-names></name><article-title>T</article-title><source>J</source><year>2020</year><volume>7</volume><fpage>1</fpage>"
        '<pub-id pub-id-type="doi">10.5555/X</pub-id></element-citation></ref><ref id="CR2"><label>2.</label>'
        '<mixed-citation>C, D. <article-title>U</article-title>. <ext-link xlink:href="https://z.org">https://z.org</ext-link>'
        "</mixed-citation></ref></ref-list>",
    )
    first, second = document.references
    assert (first.number, first.doi) == (1, "10.5555/x")
    assert first.text.startswith("A B. T. J 7, 1 (2020)")
    assert (second.text, second.urls) == ("C, D. U. https://z.org", ("https://z.org",))


def test_citations_are_noted_where_they_stood() -> None:
    document = article('<sec><title>S</title><p>Known<sup><xref ref-type="bibr" rid="CR7">7</xref></sup>.</p></sec>')
    (citation,) = document.citations
    assert (citation.number, citation.section, citation.offset) == (7, 0, 5)
    assert citation.section > ABSTRACT


def test_namespaces_and_wrappers_do_not_matter() -> None:
    wrapped = (
        '<pmc-articleset><article xmlns="https://jats.nlm.nih.gov/ns/archiving/1.3/"><front><article-meta><title-group>'
        "<article-title>T</article-title></title-group></article-meta></front><body><sec><title>S</title><p>x</p></sec>"
        "</body></article></pmc-articleset>"
    )
    document = read_jats(wrapped.encode())
    assert (document.title, document.sections[0].title) == ("T", "S")


@pytest.mark.parametrize(
    ("content", "kind", "words"),
    [
        (b"", NoArticleError, "empty"),
        (b"not xml at all", NoArticleError, "no XML"),
        (b"<html><body/></html>", NoArticleError, "no JATS"),
        (b"<article/>", UnreadableError, "neither"),
        (b"<article>" + b" " * LIMIT + b"x", UnreadableError, "MB"),
    ],
)
def test_what_is_no_article_is_refused_by_name(content: bytes, kind: type[PaperError], words: str) -> None:
    with pytest.raises(kind, match=words) as caught:
        read_jats(content)
    assert caught.value.hint


def test_a_file_that_breaks_off_is_read_as_far_as_it_goes_and_says_so() -> None:
    whole = f"{ROOT}{FRONT}<body><sec><title>S</title><p>First.</p><p>Second.</p></sec></body></article>".encode()
    document = read_jats(whole[: whole.index(b"Second")])
    assert document.sections[0].text == "First."
    assert any("broken at line" in problem for problem in document.problems)


def test_links_of_captions_have_a_place_where_there_are_no_sections() -> None:
    figure = (
        "<floats-group><fig><label>Fig. 1</label><caption><p>From "
        '<ext-link xlink:href="https://x.org/a">x</ext-link>.</p></caption></fig></floats-group>'
    )
    document = article("", floats=figure)
    assert document.sections == ()
    assert [link.section for link in document.links] == [ABSTRACT]


SICI = "10.1002/(sici)1097-0258(19980228)17:4<441::aid-sim782>3.0.co;2-n"


@pytest.mark.parametrize(
    "citation",
    [
        "<mixed-citation>A. On x. <pub-id pub-id-type='doi'>{}</pub-id></mixed-citation>",
        "<element-citation><source>X</source><pub-id pub-id-type='doi'>{}</pub-id></element-citation>",
        "<mixed-citation>A. On x. <ext-link ext-link-type='doi' xlink:href='{}'/></mixed-citation>",
        "<mixed-citation>A. On x. <ext-link ext-link-type='uri' xlink:href='https://doi.org/{}'>x</ext-link></mixed-citation>",
    ],
)  # fmt: skip
def test_dois_with_brackets_of_all_kinds_are_whole(citation: str) -> None:
    written = citation.format(SICI.upper().replace("<", "&lt;").replace(">", "&gt;"))
    document = article("<sec><title>S</title><p>X.</p></sec>", back=f"<ref-list><ref>{written}</ref></ref-list>")
    assert [one.doi for one in document.references] == [SICI]
    (link,) = find_links(document)
    assert unquote(link.url).lower() == f"https://doi.org/{SICI}"
    assert link.kind == "reference"


def test_other_authors_are_not_lost() -> None:
    document = article(
        "", back="<ref-list><ref><mixed-citation>Zhao S. <etal/>. On x.</mixed-citation></ref></ref-list>"
    )
    assert document.references[0].text == "Zhao S. et al. On x."
