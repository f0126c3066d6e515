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
        ("Code availability", "Data analysis used Python v.3.6 (https://www.python.org/).", "other"),
        ("Code availability", "We analysed data with https://www.tensorflow.org/xla.", "other"),
        ("Code availability", "TM-align (https://lab.example.edu/TM-align/) was used.", "other"),
        ("Code availability", "The OCTOPUS code is available from http://octopus.example.org.", "code"),
        ("Code availability", "See https://cran.r-project.org/package=x.", "code"),
        ("Methods", "We used MATLAB (https://www.mathworks.com/products/matlab/).", "other"),
        ("Methods", "From https://www.mathworks.com/matlabcentral/fileexchange/1-x we took a function.", "code"),
        ("Methods", "Scores are on https://huggingface.co/spaces/lmsys/chatbot-arena-leaderboard.", "other"),
        ("Methods", "Deposited at https://github.com/.", "other"),
        ("Data availability", "Searched at https://zenodo.org/.", "other"),
        ("Methods", "Mice (https://www.jax.org/strain/012350) were bought.", "other"),
        ("Methods", "As in https://www.nature.com/articles/s41586-021-03819-2.", "reference"),
        ("Methods", "See https://www.nature.com/nature-research/editorial-policies.", "other"),
        ("Data Records", "All is at https://portal.example.org/x.", "data"),
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


def test_an_address_that_two_statements_name_is_kept_for_both() -> None:
    found = find_links(
        document(
            ("Data availability", "The data are at https://doi.org/10.4121/x."),
            ("Code availability", "All codes are at https://doi.org/10.4121/x."),
            ("Methods", "The data of https://doi.org/10.4121/x were used."),
        )
    )
    assert [(link.url, link.kind, link.section) for link in found] == [
        ("https://doi.org/10.4121/x", "data", "Data availability"),
        ("https://doi.org/10.4121/x", "code", "Code availability"),
    ]


@pytest.mark.parametrize("url", ["https://github.com/lab/both", "https://zenodo.org/records/7"])
def test_an_address_of_data_and_code_is_kept_for_both(url: str) -> None:
    found = find_links(document(("Data and code availability", f"Data and code are at {url}.")))
    assert [(link.url, link.kind) for link in found] == [(url, "code"), (url, "data")]
    again = find_links(document(("Data availability", f"The data are at {url}; the data are at {url}.")))
    assert [link.kind for link in again] == ["data"]


@pytest.mark.parametrize(
    "url",
    [
        "https://www.nature.com/reprints",
        "http://npg.nature.com/reprintsandpermissions/",
        "https://citation-needed.springer.com/v2/references/10.1038/s1?format=refman&flavour=references",
        "https://www.nature.com/articles/s1.ris",
    ],
)
def test_the_furniture_of_a_page_gives_no_links(url: str) -> None:
    assert find_links(document(("Additional information", f"Reprints are available at {url}"))) == []


def test_a_reference_gives_the_address_of_its_work_once_in_every_form() -> None:
    text = "Lab, A. On x. J. 1, 2 (2020)."
    doi = "https://doi.org/10.1000/x.1"
    pubmed = "https://www.ncbi.nlm.nih.gov/pubmed/1"
    scholar = "http://scholar.google.com/scholar_lookup?doi=10.1000%2Fx.1"
    written = {
        "page": Reference(1, text, "10.1000/x.1"),
        "page with its buttons": Reference(1, text, "10.1000/x.1", (pubmed, scholar, doi)),
        "file": Reference(1, f"{text} {doi}", "10.1000/x.1", (doi,)),
        "file with the publisher's page": Reference(1, text, "10.1000/x.1", ("https://www.nature.com/articles/x1",)),
    }
    for form, reference in written.items():
        links = (Link(scholar, "Google Scholar", 0, 0),)
        found = find_links(document(("References", f"1. {text}"), references=(reference,), links=links))
        assert [(link.url, link.kind, link.section) for link in found] == [(doi, "reference", "References")], form
        assert found[0].context == f"1. {reference.text}"


def test_a_reference_without_a_doi_gives_what_is_written_in_it() -> None:
    references = (
        Reference(1, "Air. https://who.example.org/a-(b)-c (2021).", urls=("https://www.ncbi.nlm.nih.gov/pubmed/1",)),
        Reference(2, "Lab. On x. J. 1, 2 (2020)."),
        Reference(3, "Lab. Code (v1). https://github.com/lab/code", "10.1000/x.2"),
    )
    found = find_links(document(("References", ""), references=references))
    assert [link.url for link in found] == [
        "https://who.example.org/a-(b)-c",
        "https://doi.org/10.1000/x.2",
        "https://github.com/lab/code",
    ]


def test_of_a_printed_reference_the_doi_is_read_with_what_stands_round_it() -> None:
    reference = Reference(1, "Lab. Data. 10.1000/x.3(2021). More", "10.1000/x.3(2021)")
    found = find_links(Document(source="pdf", sections=(Section("References", 1, ""),), references=(reference,)))
    assert [link.url for link in found] == ["https://doi.org/10.1000/x.3"]


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
        ("Data Records", {"data"}),
        ("Data record", {"data"}),
        ("Resource availability", {"data", "code"}),
        ("Materials availability", set()),
        ("Data, Materials, and Software Availability", {"data", "code"}),
        ("Data Availability Statement:", {"data"}),
        ("Web resources", {"data"}),
        ("Availability and implementation", {"code"}),
        ("Open Research", {"data", "code"}),
        ("Reporting summary", set()),
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


def test_a_descriptor_states_its_data_by_their_records() -> None:
    found = availability(
        ("Background & Summary", "Scripts to download data are available at https://github.com/lab/get."),
        ("Data Records", "Seven files are on the platform."),
        ("Code availability", "Scripts that restructure data are available at https://github.com/lab/x."),
    )
    assert found.data == "Seven files are on the platform."
    assert found.code == "Scripts that restructure data are available at https://github.com/lab/x."


def test_of_a_statement_in_parts_only_those_count_that_state_something() -> None:
    found = Document(
        source="html",
        sections=(
            Section("Resource availability", 1, ""),
            Section("Lead contact", 2, "Ask A. Lab."),
            Section("Materials availability", 2, "There are no reagents."),
            Section("Data and code availability", 2, "All is on GitHub."),
        ),
    )
    assert find_availability(found) == Availability("All is on GitHub.", "All is on GitHub.")


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
