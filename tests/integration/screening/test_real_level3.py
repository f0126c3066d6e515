"""Availability statements and protocols of real articles, where they are at hand, as a reader takes them.

The files are openly licensed and not part of the project; NATUREGYM_REAL names their folder, else ``../shared/real``
beside the checkout. What is expected was written down by reading each statement: which clauses offer what, under which
terms, with how many addresses.
"""

from __future__ import annotations

import functools
import os
from pathlib import Path

import pytest

from nature_gym.reading.document import Document
from nature_gym.reading.html import read_html
from nature_gym.reading.jats import read_jats
from nature_gym.reading.pdf import read_pdf
from nature_gym.screening.deciders import Case
from nature_gym.screening.manuscript import Manuscript
from nature_gym.screening.protocols import protocol_mentions
from nature_gym.screening.rules import RulesDecider
from nature_gym.screening.statements import components
from nature_gym.screening.task import TaskTuple

REAL = Path(os.environ.get("NATUREGYM_REAL") or Path(__file__).resolve().parents[4] / "shared" / "real")
pytestmark = pytest.mark.skipif(not (REAL / "html").is_dir(), reason="the real articles are not at hand")

Offered = tuple[str, int, str]
"""(term, addresses, words that the clause begins with)"""

DATA: dict[str, tuple[Offered, ...]] = {
    "html/10.1038_s41467-022-30729-2.html": (
        ("public", 2, "The minimum dataset generated in this study"),
        ("public", 2, "The original hydrological simulation results"),
    ),
    "html/10.1038_s41558-022-01584-2.html": (
        ("public", 1, "All gridded vegetation growth proxies and climate data"),
        ("public", 1, "the gridded contiguous SIF dataset"),
        ("public", 1, "the microwave-based VOD data"),
        ("public", 1, "the gridded monthly temperature"),
        ("public", 1, "the gridded monthly SWE data"),
        ("public", 1, "the SPEI data"),
        ("public", 1, "The world map of Köppen–Geiger"),
        ("public", 1, "The global vegetation map GLC 2000"),
        ("public", 1, "The gridded soil sand content data"),
        ("public", 1, "The shapefile of the world continents"),
        ("in_paper", 0, "Source data are provided with this paper"),
    ),
    "html/10.1038_s43247-024-01295-w.html": (
        ("public", 2, "The historical and seasonal (re)forecasts from EFAS"),
        ("public", 2, "ERA5 and SEAS5 data"),
        ("public", 1, "Other data generated"),
    ),
    "pdf/10.1038_ncomms13940.pdf": (("public", 1, "Data generated for this work have been deposited in the NoMaD"),),
    "pdf/10.1038_s41524-024-01332-4.pdf": (
        ("public", 1, "The water dataset is from"),
        ("public", 1, "MD17-ethanol is from"),
        ("public", 1, "BPA is from"),
        ("public", 1, "The HEA25 dataset"),
        ("public", 1, "The training scripts, trained CACE potentials"),
    ),
    "pdf/10.1038_s41560-025-01768-y.pdf": (
        ("in_paper", 0, "Techno-economic modelling data and assumptions"),
        ("on_request", 0, "The full numeric results of the modelling"),
    ),
    "pdf/10.1038_s42005-025-01956-y.pdf": (("public", 1, "The dataset during this study"),),
    "pdf/10.1038_s44184-022-00020-9.pdf": (
        ("on_request", 0, "The dataset is not publicly available due to patient privacy"),
        ("agreement", 0, "Additional requirements may be required"),
    ),
    "xml/10.1038_s41467-018-05656-w.xml": (("on_request", 0, "Data included in this manuscript"),),
    "xml/10.1038_s41467-018-06389-6.xml": (("on_request", 0, "The datasets generated during and/or analyzed"),),
    "xml/10.1038_s41467-018-07286-8.xml": (("on_request", 0, "The data that support the findings of this study"),),
    "xml/10.1038_s41467-018-08256-w.xml": (("public", 2, "Study data are available in BIDS format"),),
    "xml/10.1038_s41467-019-09345-0.xml": (
        ("on_request", 0, "All relevant data that support the findings"),
        ("in_paper", 0, "The source data underlying Fig. 4k"),
    ),
    "xml/10.1038_s41467-019-10418-3.xml": (
        ("public", 1, "The data underlying Figs. 3, 5"),
        ("on_request", 0, "Rest of the relevant data"),
    ),
    "xml/10.1038_s41467-019-10716-w.xml": (
        ("on_request", 0, "All data used in the present study"),
        ("in_paper", 0, "Source data are provided as Source Data files"),
    ),
    "xml/10.1038_s41598-018-31370-0.xml": (("public", 3, "The coordinates and structure factors"),),
    "xml/10.1038_s41598-018-33984-w.xml": (("in_paper", 0, "The database of the amino-acid sequences"),),
    "xml/10.1038_s41598-019-40688-2.xml": (),
    "xml/10.1038_s41598-025-00814-9.xml": (("on_request", 0, "The datasets generated during and/or analysed"),),
    "xml/10.1038_s41598-026-41640-x.xml": (("public", 2, "The datasets analyzed during the current study"),),
    "xml/10.1038_s42003-018-0264-7.xml": (("public", 1, "The datasets generated during and/or analysed"),),
    "xml/10.1038_srep39955.xml": (),
}

ON_REQUEST = {
    "pdf/10.1038_s44184-022-00020-9.pdf": "may be available from the corresponding author on reasonable request",
    "xml/10.1038_s41467-018-05656-w.xml": "made available by the corresponding author based on reasonable request",
    "xml/10.1038_s41467-018-06389-6.xml": "available from the corresponding author on reasonable request",
    "xml/10.1038_s41467-018-07286-8.xml": "available from the corresponding author upon reasonable request",
    "xml/10.1038_s41467-019-09345-0.xml": "available from the corresponding author upon reasonable request",
    "xml/10.1038_s41467-019-09980-7.xml": "available from the corresponding author upon reasonable request",
    "xml/10.1038_s41467-019-10716-w.xml": "All data used in the present study are available upon request",
    "xml/10.1038_s41598-025-00814-9.xml": "not publicly available due to institutional norms",
}
"""Papers whose rule 3.1 would reject: the words that prove it."""

OFFERED = (
    "html/10.1038_s41467-022-30729-2.html",
    "html/10.1038_s41558-022-01584-2.html",
    "html/10.1038_s41586-021-03819-2.html",
    "html/10.1038_s43247-024-01295-w.html",
    "pdf/10.1038_ncomms13940.pdf",
    "pdf/10.1038_s41467-020-20427-2.pdf",
    "pdf/10.1038_s41467-021-24992-y.pdf",
    "pdf/10.1038_s41467-023-41333-3.pdf",
    "pdf/10.1038_s41524-024-01332-4.pdf",
    "pdf/10.1038_s42005-025-01956-y.pdf",
    "xml/10.1038_s41467-018-08256-w.xml",
    "xml/10.1038_s41598-018-31370-0.xml",
    "xml/10.1038_s41598-018-33984-w.xml",
    "xml/10.1038_s41598-026-41640-x.xml",
    "xml/10.1038_s42003-018-0264-7.xml",
)
"""Papers that offer what a task would need to everybody (CloneSig's restricted part and the mangroves' fishing layer
stand beside public data)."""

SILENT = (
    "xml/10.1038_s41378-018-0027-0.xml",
    "xml/10.1038_s41398-018-0121-y.xml",
    "xml/10.1038_s41598-018-26568-1.xml",
    "xml/10.1038_s41598-021-92791-y.xml",
    "xml/10.1038_srep39955.xml",
)
"""Papers that do not say where their data are."""


@functools.cache
def paper(name: str) -> Manuscript:
    path = REAL / name
    read: Document
    match path.suffix:
        case ".html":
            read = read_html(path.read_bytes())
        case ".xml":
            read = read_jats(path.read_bytes())
        case _:
            read = read_pdf(path, figures=False)
    return Manuscript(name, read)


@pytest.mark.parametrize("name", DATA)
def test_the_clauses_that_offer_data(name: str) -> None:
    found = [
        (one.term, len(one.urls), one.clause)
        for one in components(paper(name))
        if one.of_data and one.term != "unstated"
    ]
    assert [(term, urls) for term, urls, _ in found] == [(term, urls) for term, urls, _ in DATA[name]], found
    for (_, _, clause), (_, _, words) in zip(found, DATA[name], strict=True):
        assert clause.startswith(words)


@pytest.mark.parametrize("name", ON_REQUEST)
def test_data_on_request_are_rejected_with_the_sentence(name: str) -> None:
    decision = RulesDecider().decide("3.1", Case(paper(name))).decision
    assert (decision.verdict, decision.code) == ("reject", "on_request")
    assert any(ON_REQUEST[name] in evidence.quote for evidence in decision.evidence)


@pytest.mark.parametrize("name", OFFERED)
def test_data_for_everybody_pass(name: str) -> None:
    assert RulesDecider().decide("3.1", Case(paper(name))).decision.verdict == "pass"


@pytest.mark.parametrize("name", SILENT)
def test_papers_that_say_nothing_are_undecided(name: str) -> None:
    assert RulesDecider().decide("3.1", Case(paper(name))).decision.verdict == "undecided"


@pytest.mark.parametrize("name", [*OFFERED, *ON_REQUEST])
def test_nothing_that_a_reader_would_not_find_is_rejected_in_the_data(name: str) -> None:
    """None of these papers withholds training or test data, offers toys only, or used an unknown version."""
    case = Case(paper(name))
    for rule in ("3.2", "3.3", "3.4"):
        decision = RulesDecider().decide(rule, case).decision
        assert decision.verdict == "pass", (rule, decision.reason, decision.evidence)


def test_protocols_as_a_reader_finds_them() -> None:
    def told(name: str) -> set[tuple[str, str]]:
        return {(one.protocol, one.role) for one in protocol_mentions(paper(name))}

    hdnnp = told("pdf/10.1038_s41467-020-20427-2.pdf")
    assert ("fixed_split", "core") in hdnnp  # "the remaining 10% ... were used as an independent test set"
    lasso = told("xml/10.1038_s41598-018-33984-w.xml")
    assert lasso == {("k_fold", "tuning")}  # "chosen by the cross-validation procedure within the training set"
    assert ("fixed_split", "core") in told("html/10.1038_s41586-021-03819-2.html")  # CASP: "a blind test"
    assert ("k_fold", "core") not in told(
        "pdf/10.1038_s41467-021-24992-y.pdf"
    )  # coefficients over folds, no evaluation


def test_settings_of_an_interatomic_potential() -> None:
    """Energies and forces of the same structures are one setting; temperatures are test sets of their own."""
    case = Case(paper("pdf/10.1038_s41524-024-01332-4.pdf"), task=TaskTuple(method="CACE"))
    answer = RulesDecider().decide("3.5", case)
    assert answer.decision.verdict == "pass"
    assert answer.task is not None
    names = [setting.name for setting in answer.task.settings]
    assert [name for name in names if name.endswith(" K")][:3] == ["300 K", "600 K", "1200 K"]
    assert not any(name in {"E", "F", "300 K, E"} for name in names)


def test_hundreds_of_megabytes_to_gigabytes_in_a_data_descriptor() -> None:
    decision = RulesDecider().decide("3.6", Case(paper("pdf/10.1038_s41597-022-01156-1.pdf"))).decision
    assert decision.reason.startswith("tier M: 9.0 GB, confidence low")
    assert decision.evidence[0].quote.startswith("The size of each file varies between 110 MB and 9 GB")
