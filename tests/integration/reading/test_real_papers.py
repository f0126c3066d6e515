"""Real articles, where they are at hand: what a person sees in them is what is read.

The files are openly licensed and not part of the project; NATUREGYM_REAL names their folder, else
``../shared/real`` beside the checkout. What is expected was written down by looking at the files: titles,
headings, addresses and numbers.
"""

from __future__ import annotations

import functools
import os
import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from nature_gym.reading.availability import find_availability
from nature_gym.reading.document import Document, Table
from nature_gym.reading.html import read_html
from nature_gym.reading.ingest import ingest
from nature_gym.reading.jats import read_jats
from nature_gym.reading.links import find_links
from nature_gym.records import Papers, paper_id

REAL = Path(os.environ.get("NATUREGYM_REAL") or Path(__file__).resolve().parents[4] / "shared" / "real")
pytestmark = pytest.mark.skipif(not (REAL / "html").is_dir(), reason="the real articles are not at hand")

ESM = "https://static-content.springer.com/esm/art%3A10.1038%2F"
REQUEST = "available from the corresponding author upon reasonable request"


@dataclass(frozen=True)
class Expected:
    """What stands in one file. ``data`` and ``code`` begin and are contained as given; None: no statement."""

    title: str
    journal: str
    published: str
    authors: int
    main: tuple[str, ...]
    """Headings of the first level up to the end matter."""
    sections: int
    references: int
    figures: int
    data: str | None = None
    code: str | None = None
    links: dict[str, str] = field(default_factory=dict)
    """Address -> kind, or kinds, of links that matter."""
    tables: int = 0
    supplements: int = 0


IMRD = ("Introduction", "Results", "Discussion", "Methods")
HTML = {
    "10.1038_s41467-022-30729-2": Expected(
        "The timing of unprecedented hydrological drought under climate change",
        "Nature Communications", "2022-06-28", 16, IMRD, 28, 94, 4,
        "The minimum dataset generated in this study has been available in DataON",
        "All processed data and figures in this study were generated using Python.",
        {
            "https://dataon.kisti.re.kr/": "data",
            "https://doi.org/10.22711/idr/938": "data",
            "https://doi.org/10.5880/PIK.2020.004": "data",
            "https://github.com/yusuke61/tfe_scripts": "code",
            "https://doi.org/10.5281/zenodo.6488507": "code",
        },
        supplements=2,
    ),
    "10.1038_s41558-022-01584-2": Expected(
        "Widespread spring phenology effects on drought recovery of Northern Hemisphere ecosystems",
        "Nature Climate Change", "2023-01-19", 14,
        ("Main", "Drought recovery pattern", "Drivers of drought recovery", "Discussion", "Methods"), 27, 69, 13,
        "All gridded vegetation growth proxies and climate data are freely accessible",
        "All codes used to analyse data and create figures are available through the GitHub",
        {
            "https://osf.io/8xqy6/": "data",
            "https://www.globsnow.info/": "data",
            "https://github.com/leeyang1991/phenology-effects-on-drought-recovery": "code",
        },
        supplements=13,
    ),
    "10.1038_s41586-021-03819-2": Expected(
        "Highly accurate protein structure prediction with AlphaFold",
        "Nature", "2021-07-15", 34,
        ("Main", "The AlphaFold network", "Evoformer", "End-to-end structure prediction",
         "Training with labelled and unlabelled data", "Interpreting the neural network",
         "MSA depth and cross-chain contacts", "Related work", "Discussion", "Methods"), 29, 84, 5,
        "All input data are freely available from public sources.",
        "Source code for the AlphaFold model, trained weights and inference script are available",
        {
            "https://github.com/deepmind/alphafold": "code",
            "https://github.com/openmm/openmm": "code",
            "https://www.wwpdb.org/ftp/pdb-ftp-sites": "data",
            "https://bfd.mmseqs.com": "data",
            "https://doi.org/10.2210/pdb6Y4F/pdb": "data",
        },
        supplements=6,
    ),
    "10.1038_s43247-024-01295-w": Expected(
        "Hydrological drought forecasts using precipitation data depend on catchment properties and human activities",
        "Communications Earth & Environment", "2024-03-07", 3, IMRD, 26, 72, 5,
        "The historical and seasonal (re)forecasts from EFAS are accessible",
        "All codes used to conduct the analysis presented in this paper are available online",
        {"https://doi.org/10.4121/302cd0fd-59da-46e8-ac82-f98fad865751": "code data"},
        tables=1, supplements=2,
    ),
    "10.1038_srep01011": Expected(
        "Managing biological complexity across orthologs with a visual knowledgebase of documented biomolecular "
        "interactions",
        "Scientific Reports", "2012-12-20", 2, IMRD, 31, 20, 6,
        "The Cognoscente web application can be accessed at",
        None,
        {"http://vanburenlab.medicine.tamhsc.edu/cognoscente_downloads.shtml": "data"},
        tables=1, supplements=2,
    ),
}  # fmt: skip

XML = {
    "10.1038_s41378-018-0027-0": Expected(
        "Flexible polyimide-based hybrid opto-electric neural interface with 16 channels of micro-LEDs and electrodes",
        "Microsystems & Nanoengineering", "2018-10-08", 7,
        ("Introduction", "Materials and methods", "Results and discussion", "Conclusions"), 19, 37, 8, supplements=1,
    ),
    "10.1038_s41398-018-0121-y": Expected(
        "Lateral habenula perturbation reduces default-mode network connectivity in a rat model of depression",
        "Translational Psychiatry", "2018-03-27", 16,
        ("Introduction", "Materials and methods", "Results", "Discussion"), 21, 70, 3, supplements=1,
    ),
    "10.1038_s41467-018-05656-w": Expected(
        "Neonatal brain injury causes cerebellar learning deficits and Purkinje cell dysfunction",
        "Nature Communications", "2018-08-13", 4, IMRD, 27, 75, 9,
        "Data included in this manuscript will be made available", None, supplements=2,
    ),
    "10.1038_s41467-018-06389-6": Expected(
        "Functional modulation of primary visual cortex by the superior colliculus in the mouse",
        "Nature Communications", "2018-09-25", 3, IMRD, 29, 70, 5,
        "The datasets generated during and/or analyzed during the current study are available",
        "All codes used for generation of the stimuli and analyses of the data are available",
        {"http://github.com/heimel/InVivoTools": "code"}, supplements=2,
    ),
    "10.1038_s41467-018-07286-8": Expected(
        "Optogenetic dissection of Rac1 and Cdc42 gradient shaping",
        "Nature Communications", "2018-11-16", 8, IMRD, 26, 69, 6,
        "The data that support the findings of this study and all custom codes used for analysis are",
        "The data that support the findings of this study and all custom codes used for analysis are", supplements=7,
    ),
    "10.1038_s41467-018-08256-w": Expected(
        "A brain-wide functional map of the serotonergic responses to acute stress and fluoxetine",
        "Nature Communications", "2019-01-21", 10, IMRD, 23, 33, 5,
        "Study data are available in BIDS format", None,
        {"https://doi.org/10.18112/openneuro.ds001541.v1.1.2": "data"}, supplements=2,
    ),
    "10.1038_s41467-019-09345-0": Expected(
        "Upconversion amplification through dielectric superlensing modulation",
        "Nature Communications", "2019-03-27", 13, IMRD, 24, 55, 4,
        "All relevant data that support the findings of this work are available", None, supplements=7,
    ),
    "10.1038_s41467-019-09980-7": Expected(
        "Near physiological spectral selectivity of cochlear optogenetics",
        "Nature Communications", "2019-04-29", 5, IMRD, 27, 45, 4,
        "Data generated and analyzed during the current study is available", "Analysis code—written in MATLAB 2016a",
        supplements=4,
    ),
    "10.1038_s41467-019-10418-3": Expected(
        "A shape-memory and spiral light-emitting device for precise multisite stimulation of nerve bundles",
        "Nature Communications", "2019-06-26", 15, IMRD, 33, 60, 7,
        "The data underlying Figs. 3, 5 and Supplementary Figs. 9–12 are provided", "Computer codes in MATLAB",
        {"https://doi.org/10.12751/g-node.52349d": "data"}, supplements=12,
    ),
    "10.1038_s41467-019-10716-w": Expected(
        "A striatal interneuron circuit for continuous target pursuit",
        "Nature Communications", "2019-06-20", 8, IMRD, 28, 63, 7,
        "All data used in the present study are available upon request.", "All Matlab codes used", supplements=7,
    ),
    "10.1038_s41598-018-26568-1": Expected(
        "Optogenetic auditory fMRI reveals the effects of visual cortical inputs on auditory midbrain response",
        "Scientific Reports", "2018-06-07", 7, ("Introduction", "Methods", "Results", "Discussion", "Conclusion"),
        26, 96, 4, tables=1, supplements=1,
    ),
    "10.1038_s41598-018-31370-0": Expected(
        "X-ray structure analysis of bacteriorhodopsin at 1.3 Å resolution",
        "Scientific Reports", "2018-09-03", 4, IMRD, 21, 56, 5,
        "The coordinates and structure factors have been deposited in the Protein Data Bank", None,
        {f"https://www.rcsb.org/structure/{one}": "data" for one in ("5ZIL", "5ZIM", "5ZIN")}, tables=1, supplements=1,
    ),
    "10.1038_s41598-018-33984-w": Expected(
        "Understanding Colour Tuning Rules and Predicting Absorption Wavelengths of Microbial Rhodopsins by "
        "Data-Driven Machine-Learning Approach",
        "Scientific Reports", "2018-10-22", 5, IMRD, 23, 33, 9,
        "The database of the amino-acid sequences and their wavelengths is provided",
        "Our program code of the group LASSO for wavelength prediction is available",
        {"http://www-als.ics.nitech.ac.jp/%7ekarasuyama/software/GrplassoSeq.zip": "code"}, supplements=4,
    ),
    "10.1038_s41598-019-40688-2": Expected(
        "Optogenetic study of the response interaction among multi-afferent inputs in the barrel cortex of rats",
        "Scientific Reports", "2019-03-08", 7, IMRD, 20, 46, 5,
        "The authors declare that any materials, data and associated protocols", None, supplements=1,
    ),
    "10.1038_s41598-019-42923-2": Expected(
        "Optical intrinsic signal imaging with optogenetics reveals functional cortico-cortical connectivity at the "
        "columnar level in living macaques",
        "Scientific Reports", "2019-04-23", 5, ("Introduction", "Result", "Discussion", "Methods"), 25, 33, 6,
        supplements=1,
    ),
    "10.1038_s41598-019-44964-z": Expected(
        "Frequency-dependent exacerbation of Alzheimer’s disease neuropathophysiology",
        "Scientific Reports", "2019-06-20", 15, IMRD, 30, 39, 4, supplements=1,
    ),
    "10.1038_s41598-021-89144-0": Expected(
        "High loading of trimethylglycine promotes aqueous solubility of poorly water-soluble cisplatin",
        "Scientific Reports", "2021-05-07", 8, ("Introduction", "Results and discussion"), 9, 28, 4,
        tables=1, supplements=1,
    ),
    "10.1038_s41598-021-92791-y": Expected(
        "Phytotoxic effects of invasive Ageratina adenophora on two native subtropical shrubs in Nepal",
        "Scientific Reports", "2021-07-01", 10,
        ("Introduction", "Results", "Discussion", "Materials and methods"), 20, 49, 4, tables=2,
    ),
    "10.1038_s41598-025-00814-9": Expected(
        "Assessment and forecasting of particulate matter emissions and structural health monitoring of buildings in "
        "Bangalore",
        "Scientific Reports", "2025-05-22", 3,
        ("Introduction", "Materials and methods", "Results and analysis", "Discussion", "Conclusions"), 33, 30, 6,
        "The datasets generated during and/or analysed during the current study are not publicly available", None,
        tables=10,
    ),
    "10.1038_s41598-026-41640-x": Expected(
        "The Arctic vegetation is more sensitive to heatwave-induced photosynthetic decline than other climate zones "
        "in Europe (2009–2017)",
        "Scientific Reports", "2026-03-04", 4,
        ("Introduction", "Materials and methods", "Results", "Discussion", "Conclusion"), 20, 53, 4,
        "The datasets analyzed during the current study are available in the GOSAT Data Archive Service", None,
        {"https://search.earthdata.nasa.gov/search": "data"}, tables=6,
    ),
    "10.1038_s42003-018-0264-7": Expected(
        "Optogenetic control of integrin-matrix interaction",
        "Communications Biology", "2019-01-08", 8, ("Introduction", "Results", "Methods"), 27, 38, 3,
        "The datasets generated during and/or analysed during the current study are available in the Figshare", None,
        {"https://figshare.com/s/fc63580c3f69355423cc": "data"}, supplements=5,
    ),
    "10.1038_srep39955": Expected(
        "Non-invasive, Focused Ultrasound-Facilitated Gene Delivery for Optogenetics",
        "Scientific Reports", "2017-01-06", 9, ("", "Results", "Discussion", "Methods"), 15, 17, 4, supplements=1,
    ),
}  # fmt: skip

ALL = [("html", name) for name in HTML] + [("xml", name) for name in XML]


@functools.cache
def read(kind: str, name: str) -> Document:
    content = (REAL / kind / f"{name}.{kind}").read_bytes()
    return read_html(content) if kind == "html" else read_jats(content)


def expected(kind: str, name: str) -> Expected:
    return (HTML if kind == "html" else XML)[name]


def test_every_file_is_expected() -> None:
    for kind, known in (("html", HTML), ("xml", XML)):
        assert {path.stem for path in (REAL / kind).iterdir()} == set(known)


@pytest.mark.parametrize(("kind", "name"), ALL)
def test_what_the_article_is(kind: str, name: str) -> None:
    document, told = read(kind, name), expected(kind, name)
    assert document.title == told.title
    assert document.doi is not None
    assert paper_id(document.doi) == name
    assert document.journal == told.journal
    assert document.published == told.published
    assert len(document.authors) == told.authors
    assert document.article_type in {"Article", "research-article"}
    assert 400 < len(document.abstract) < 2_000


@pytest.mark.parametrize(("kind", "name"), ALL)
def test_its_headings(kind: str, name: str) -> None:
    document, told = read(kind, name), expected(kind, name)
    main = [section.title for section in document.sections if section.level == 1]
    assert tuple(main[: len(told.main)]) == told.main
    assert len(document.sections) == told.sections
    assert "References" in main
    titles = {section.title for section in document.sections}
    assert not titles & {"Rights and permissions", "About this article", "Comments", "Subjects", "Abstract"}


@pytest.mark.parametrize(("kind", "name"), ALL)
def test_its_availability_statements(kind: str, name: str) -> None:
    found, told = find_availability(read(kind, name)), expected(kind, name)
    for text, beginning in ((found.data, told.data), (found.code, told.code)):
        assert (text or "").startswith(beginning or "")
        assert (text is None) == (beginning is None)


@pytest.mark.parametrize(("kind", "name"), ALL)
def test_its_links(kind: str, name: str) -> None:
    found, told = find_links(read(kind, name)), expected(kind, name)
    kinds = {link.url: " ".join(sorted(one.kind for one in found if one.url == link.url)) for link in found}
    assert {url: kinds.get(url) for url in told.links} == told.links
    assert sum(link.kind == "supplement" for link in found) == told.supplements
    assert all(link.context for link in found if link.kind in {"code", "data"})


CITED = {
    # How many entries of the list of references name a DOI or an address of their work, counted in the files; three
    # of the pages cite a repository beside their statements, which is counted there.
    ("html", "10.1038_s41467-022-30729-2"): 74, ("html", "10.1038_s41558-022-01584-2"): 57,
    ("html", "10.1038_s41586-021-03819-2"): 70, ("html", "10.1038_s43247-024-01295-w"): 67,
    ("html", "10.1038_srep01011"): 17, ("xml", "10.1038_s41378-018-0027-0"): 30,
    ("xml", "10.1038_s41398-018-0121-y"): 70, ("xml", "10.1038_s41467-018-05656-w"): 69,
    ("xml", "10.1038_s41467-018-06389-6"): 67, ("xml", "10.1038_s41467-018-07286-8"): 68,
    ("xml", "10.1038_s41467-018-08256-w"): 32, ("xml", "10.1038_s41467-019-09345-0"): 55,
    ("xml", "10.1038_s41467-019-09980-7"): 41, ("xml", "10.1038_s41467-019-10418-3"): 54,
    ("xml", "10.1038_s41467-019-10716-w"): 53, ("xml", "10.1038_s41598-018-26568-1"): 89,
    ("xml", "10.1038_s41598-018-31370-0"): 56, ("xml", "10.1038_s41598-018-33984-w"): 29,
    ("xml", "10.1038_s41598-019-40688-2"): 44, ("xml", "10.1038_s41598-019-42923-2"): 30,
    ("xml", "10.1038_s41598-019-44964-z"): 36, ("xml", "10.1038_s41598-021-89144-0"): 0,
    ("xml", "10.1038_s41598-021-92791-y"): 32, ("xml", "10.1038_s41598-025-00814-9"): 10,
    ("xml", "10.1038_s41598-026-41640-x"): 44, ("xml", "10.1038_s42003-018-0264-7"): 35,
    ("xml", "10.1038_srep39955"): 3,
}  # fmt: skip


@pytest.mark.parametrize(("kind", "name"), ALL)
def test_links_of_its_references(kind: str, name: str) -> None:
    found = [link for link in find_links(read(kind, name)) if link.kind == "reference" and link.section == "References"]
    assert len(found) == CITED[kind, name]
    assert len({link.url for link in found}) == len(found)
    assert not any(re.search("scholar|pubmed|adsabs", link.host) for link in found)


def test_furniture_gives_no_links() -> None:
    for kind, name in ALL:
        urls = [link.url for link in find_links(read(kind, name))]
        assert not any(re.search(r"/reprints|\.ris$|format=refman", url) for url in urls)


@pytest.mark.parametrize(("kind", "name"), ALL)
def test_its_references_figures_and_tables(kind: str, name: str) -> None:
    document, told = read(kind, name), expected(kind, name)
    assert len(document.references) == told.references
    assert len(document.figures) == told.figures
    assert all(figure.caption and figure.label for figure in document.figures)
    assert len(document.tables) == told.tables
    if kind == "html":
        # This design shows tables on pages of their own, which are not here: they are missing, and said to be.
        assert all(table.missing for table in document.tables)
        assert bool(document.problems) == bool(document.tables)


def table(name: str, label: str) -> Table:
    return next(one for one in read("xml", name).tables if one.label == label)


AQI = "10.1038_s41598-025-00814-9"
ARCTIC = "10.1038_s41598-026-41640-x"
TYPED = {
    # Copied out by hand, cell by cell; of large tables the part that a person can copy without mistakes.
    ("10.1038_s41598-018-26568-1", "Table 1", 1, 1): ["9 2 5 4"],
    ("10.1038_s41598-018-31370-0", "Table 1", 2, 1): ["1|6|4", "0.10|0.10|0.10"],
    ("10.1038_s41598-018-31370-0", "Table 1", 6, 1): [
        "50–1.29 (1.35–1.29)^{a}|50–1.25 (1.28–1.25)|50−1.27 (1.30–1.27)",
        "6.2 (94.4)|10.3 (308.7)|13.3 (433.1)",
        "13.4 (1.8)|21.6 (1.7)|22.3 (1.1)",
        "99.9 (99.7)|100.0 (100.0)|100.0 (100.0)",
        "5.6 (5.5)|33.5 (33.4)|81.5 (81.5)",
        "99.9 (48.6)|100.0 (50.2)|100.0 (51.0)",
    ],
    ("10.1038_s41598-021-89144-0", "Table 1", 1, 1): [
        "50 1.7", "25|< 1.0", "5|< 1.0", "70 1.4", "50 1.0", "25|< 1.0", "5|< 1.0", "– 0.15",
    ],
    ("10.1038_s41598-021-92791-y", "Table 1", 2, 1): [
        "3255.84 3255.84 3255.84", "2121.7 2129.41 2113.98", "1635.64 1635.64 1635.64", "1002.98 1018.41 995.27",
    ],
    ("10.1038_s41598-021-92791-y", "Table 2", 1, 1): [
        "05.13 ± 0.06 b|05.61 ± 0.10 a|18|− 4.04|0.001",
        "05.08 ± 0.15 a|04.25 ± 0.15 b|18|3.809|0.001",
        "00.29 ± 0.01 a|00.23 ± 0.01 b|18|7.163|< 0.001",
        "83.92 ± 3.79 a|73.07 ± 3.63 b|18|2.064|0.050",
    ],
    (AQI, "Table 3", 1, 1): [
        "230 341 126 136 235 148 61 0 0 0 0 0",
        "128 225 132 132 137 128 0 199 180 92 0 0 225",
        "132 217 130 126 137 106 132 140 108 132 88 132 217",
    ],
    (AQI, "Table 4", 1, 0): [
        "323 341", "256 225", "202 217", "160 139", "131 143", "114 139", "110 95", "119 117",
    ],
    (AQI, "Table 5", 2, 2): ["21 32", "30 28", "32 27"],
    (AQI, "Table 6", 2, 2): ["2875|Poor|3325|Good", "3202|Medium|3711|Good", "3450|Medium|4713|Excellent"],
    (AQI, "Table 7", 1, 1): ["> 4500|Excellent", "3500–4500|Good", "3000–3500|Medium", "< 3500|Poor"],
    (AQI, "Table 8", 2, 2): ["− 428", "− 345", "− 330"],
    (AQI, "Table 8", 2, 4): ["− 217", "− 178", "− 155"],
    (AQI, "Table 9", 1, 0): ["> − 200|Less than 10%", "− 200 to − 350|Uncertain", "< − 350|More than 90%"],
    (ARCTIC, "Table 2", 1, 3): ["363.59 419.63 397.43 9.02", "[formula]0.09 0.81 0.48 0.21", "0.00 0.83 0.41 0.20"],
    (ARCTIC, "Table 3", 5, 1): ["14.42 19.05 9.07 6.07 -"],
    (ARCTIC, "Table 5", 1, 2): ["10.563 6.827 2.498 3.021 6.996", "0.834 1.039 1.042 1.203 1.382"],
    (ARCTIC, "Table 6", 2, 2): ["0.78 0.89 0.88 0.79", "0.95 0.89 0.97 0.87", "0.89 0.92 0.88 0.60"],
}  # fmt: skip


@pytest.mark.parametrize(("place", "rows"), TYPED.items(), ids=lambda value: str(value)[:60])
def test_numbers_of_its_tables(place: tuple[str, str, int, int], rows: list[str]) -> None:
    name, label, first, column = place
    read_rows = table(name, label).rows
    for offset, typed in enumerate(rows):
        cells = typed.split("|") if "|" in typed or (len(rows[0].split()) == 2 and "−" in typed) else typed.split(" ")
        assert list(read_rows[first + offset][column : column + len(cells)]) == cells


def test_ten_tables_were_typed() -> None:
    assert len({place[:2] for place in TYPED}) >= 10


def test_scripts_survive_and_citations_go() -> None:
    text = {title.title: title.text for title in read("html", "10.1038_s41558-022-01584-2").sections}
    assert "R² ranged" in text["Drivers of drought recovery"] or "R² ranged" in text["Drought recovery pattern"]
    alphafold = read("html", "10.1038_s41586-021-03819-2")
    assert "N_{seq} × N_{res}" in "\n".join(section.text for section in alphafold.sections)
    introduction = read("html", "10.1038_s41467-022-30729-2").sections[0].text
    assert not any(mark in introduction for mark in ("¹", "²,", "^{", "[1]"))
    cells = read("xml", "10.1038_s42003-018-0264-7")
    assert any("9 × 10⁴" in section.text for section in cells.sections)


def test_code_that_only_a_reference_names_is_found_where_it_is_cited() -> None:
    links = find_links(read("html", "10.1038_s41467-022-30729-2"))
    zenodo = next(link for link in links if "zenodo" in link.url)
    assert (zenodo.kind, zenodo.host, zenodo.section) == ("code", "zenodo.org", "Code availability")


def test_all_are_ingested(tmp_path: Path) -> None:
    papers = Papers(tmp_path / "papers")
    taken = list(ingest([REAL / "html", REAL / "xml"], papers))
    assert {paper.id for paper in taken} == set(HTML) | set(XML)
    assert {paper.result.kind for paper in taken} == {"done"}
