from __future__ import annotations

import pytest

from nature_gym.reading.availability import Availability, find_availability, matters_of_heading
from nature_gym.reading.document import Citation, Document, Figure, Link, Reference, Section
from nature_gym.reading.links import FoundLink, find_links
from nature_gym.reading.sentences import Sentences


def document(*sections: tuple[str, str], **more: object) -> Document:
    return Document(source="html", sections=tuple(Section(title, 1, text) for title, text in sections), **more)  # type: ignore[arg-type]


def only(*sections: tuple[str, str], **more: object) -> FoundLink:
    (link,) = find_links(document(*sections, **more))
    return link


@pytest.mark.parametrize(
    ("title", "text", "kind"),
    [
        ("Data availability", "The code is at https://github.com/lab/code.", "code"),
        ("Data availability", "Data are in the code repository, https://github.com/lab/code.", "code"),
        ("Data availability", "The test sequences are at https://github.com/lab/testbed.", "data"),
        ("Data and code availability", "Data and code are at https://github.com/lab/both.", "code"),
        ("Code availability", "The data set is at https://doi.org/10.5281/zenodo.1.", "data"),
        ("Code availability", "All scripts are archived at https://doi.org/10.5281/zenodo.1.", "code"),
        ("Code availability", "Archived at https://doi.org/10.5281/zenodo.1.", "code"),
        ("Data availability", "Archived at https://doi.org/10.5281/zenodo.1.", "data"),
        ("Code availability", "Data analysis code is at https://osf.io/abcde.", "code"),
        ("Data availability", "Counts are under accession codes GSE12345.", "data"),
        ("Data availability", "Everything is at https://portal.example.org/x.", "data"),
        ("Methods", "We thank https://portal.example.org/x.", "other"),
        ("Methods", "Images were downloaded from https://portal.example.org/x.", "data"),
        ("Methods", "See https://arxiv.org/abs/2001.00001.", "reference"),
        ("Results", "Licensed under https://creativecommons.org/licenses/by/4.0/.", "other"),
        ("Data availability", "Weights are at https://huggingface.co/datasets/lab/x.", "data"),
    ],
)
def test_the_kind_of_a_link(title: str, text: str, kind: str) -> None:
    assert only((title, text)).kind == kind


def test_a_list_of_links_goes_on_as_it_began() -> None:
    text = (
        "Data are at https://zenodo.org/records/1, https://zenodo.org/records/2 and https://a.example.org/3, "
        "and code at https://zenodo.org/records/4."
    )
    assert [link.kind for link in find_links(document(("Data and code availability", text)))] == [
        "data",
        "data",
        "data",
        "code",
    ]


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("GEO GSE12345", "https://www.ncbi.nlm.nih.gov/geo/query/acc.cgi?acc=GSE12345"),
        ("under PRJNA12345.", "https://www.ncbi.nlm.nih.gov/bioproject/PRJNA12345"),
        ("ENA (PRJEB12345)", "https://www.ebi.ac.uk/ena/browser/view/PRJEB12345"),
        ("runs SRP123456", "https://www.ncbi.nlm.nih.gov/sra/SRP123456"),
        ("E-MTAB-1234", "https://www.ebi.ac.uk/biostudies/arrayexpress/studies/E-MTAB-1234"),
        ("map EMD-12345", "https://www.ebi.ac.uk/emdb/EMD-12345"),
        ("dbGaP phs000424.v8.p2", "https://www.ncbi.nlm.nih.gov/projects/gap/cgi-bin/study.cgi?study_id=phs000424.v8.p2"),
        ("EGAS00001000001", "https://ega-archive.org/studies/EGAS00001000001"),
        ("the PDB under 6XYZ", "https://www.rcsb.org/structure/6XYZ"),
        ("UniProt entry P0A7B8", "https://www.uniprot.org/uniprotkb/P0A7B8"),
    ],
)  # fmt: skip
def test_accessions_lead_to_their_records(text: str, url: str) -> None:
    link = only(("Data availability", f"Data are in {text}"))
    assert (link.url, link.kind) == (url, "data")


@pytest.mark.parametrize("text", ["a 6XYZ sample", "in 2021 at 300K", "vitamin P0A7B8 was", "PGSE12345x"])
def test_what_only_looks_like_an_accession_is_none(text: str) -> None:
    assert find_links(document(("Methods", text))) == []


def test_each_address_comes_once_from_where_it_tells_most() -> None:
    found = document(
        ("Introduction", "An example is https://github.com/lab/Code.git."),
        ("Code availability", "The code is at https://github.com/lab/code."),
        ("References", "1. Lab. https://github.com/lab/code"),
    )
    (link,) = find_links(found)
    assert link.section == "Code availability"
    assert link.context == "The code is at https://github.com/lab/code."


def test_a_reference_is_a_reference_unless_its_repository_is_cited_for_code_or_data() -> None:
    references = (Reference(1, "Lab.", "10.5281/zenodo.7"), Reference(2, "Paper.", "10.1038/x"))
    text = "All code is archived."
    found = find_links(
        document(
            ("Code availability", text),
            ("References", "1. Lab. https://doi.org/10.5281/zenodo.7\n2. Paper. https://doi.org/10.1038/x"),
            references=references,
            citations=(Citation(1, 0, len(text)), Citation(2, 0, len(text))),
        )
    )
    assert [(link.url, link.host, link.kind, link.section) for link in found] == [
        ("https://doi.org/10.5281/zenodo.7", "zenodo.org", "code", "Code availability"),
        ("https://doi.org/10.1038/x", "doi.org", "reference", "References"),
    ]


def test_a_link_of_the_markup_wins_over_its_text() -> None:
    text = "Data are here."
    link = Link("https://example.org/data.zip", "here", 0, 9)
    assert only(("Data availability", text), links=(link,)).url == "https://example.org/data.zip"


def test_an_address_that_markup_holds_only_in_part_is_made_whole() -> None:
    text = "Data are at https://example.org/data/set.zip."
    link = Link("https://example.org/data/", "https://example.org/data/set.zip", 0, 12)
    assert only(("Data availability", text), links=(link,)).url == "https://example.org/data/set.zip"


def test_supplements_are_told_apart() -> None:
    url = "https://static-content.springer.com/esm/art%3A10.1038%2Fx/MediaObjects/1_MOESM1_ESM.pdf"
    link = Link(url, "Supplementary Information", 0, 0)
    assert only(("Supplementary information", "Supplementary Information"), links=(link,)).kind == "supplement"


def test_captions_are_searched_too() -> None:
    figure = Figure("Fig. 1", "Data from https://zenodo.org/records/9.", section=0)
    assert only(("Results", ""), figures=(figure,)).url == "https://zenodo.org/records/9"


def test_the_article_itself_is_no_link_of_it() -> None:
    assert find_links(document(("S", "accompanies this paper at 10.1038/s1-x."), doi="10.1038/s1-x")) == []


# -- availability ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "matters"),
    [
        ("Data availability", {"data"}),
        ("Code Availability Statement", {"code"}),
        ("Data and code availability", {"data", "code"}),
        ("Availability of data and materials", {"data"}),
        ("Data and materials availability", {"data"}),
        ("Availability of code", {"code"}),
        ("Software availability", {"code"}),
        ("Accession codes", {"data"}),
        ("Availability", {"data", "code"}),
        ("Data Sharing", {"data"}),
        ("Results", set()),
        ("Supplementary data availability", set()),
        ("Chromatin accessibility of data", set()),
        ("Bioavailability", set()),
    ],
)
def test_headings_on_availability(title: str, matters: set[str]) -> None:
    assert matters_of_heading(title) == matters


def availability(*sections: tuple[str, str]) -> Availability:
    return find_availability(document(*sections))


def test_a_statement_in_a_paragraph_with_its_name() -> None:
    found = availability(
        ("Methods", "We trained.\nData availability. Counts are in GEO.\nCode availability: On request.")
    )
    assert found == Availability("Counts are in GEO.", "On request.")


def test_code_that_the_statement_on_data_speaks_of() -> None:
    found = availability(("Data availability", "Data are in GEO. Code is available at https://github.com/a/b."))
    assert found.code == "Code is available at https://github.com/a/b."


def test_a_statement_under_reporting_summary_without_its_boilerplate() -> None:
    boilerplate = "Further information on research design is available in the Nature Research Reporting Summary."
    found = availability(("Reporting summary", f"{boilerplate} Recordings are available at https://x.org/y."))
    assert found.data == "Recordings are available at https://x.org/y."
    assert availability(("Reporting summary", boilerplate)) == Availability()


def test_a_statement_said_twice_is_told_once() -> None:
    text = "Data are available on request."
    assert availability(("Data availability", text), ("Data Availability Statement", text)).data == text


def test_subsections_belong_to_the_statement() -> None:
    found = Document(
        source="html",
        sections=(
            Section("Data and code availability", 1, ""),
            Section("Data", 2, "In GEO."),
            Section("Code", 2, "On GitHub."),
            Section("Ethics", 1, "Fine."),
        ),
    )
    assert find_availability(found) == Availability("In GEO.\nOn GitHub.", "In GEO.\nOn GitHub.")


def test_no_statement_is_none() -> None:
    assert availability(("Results", "It works.")) == Availability()


# -- sentences ---------------------------------------------------------------------


def test_sentences_end_at_full_stops_and_lines_alone() -> None:
    text = "See Fig. 2 and e.g. Smith et al. A value of 0.5 holds at x.org. It is (so). Next\nLine two."
    assert Sentences(text).all() == [
        "See Fig. 2 and e.g. Smith et al. A value of 0.5 holds at x.org.",
        "It is (so).",
        "Next",
        "Line two.",
    ]


def test_any_offset_lies_in_a_sentence() -> None:
    text = "One. Two.\n\nThree? Four"
    sentences = Sentences(text)
    for offset in range(len(text)):
        start, end = sentences.around(offset)
        assert 0 <= start <= offset <= max(end, offset)
