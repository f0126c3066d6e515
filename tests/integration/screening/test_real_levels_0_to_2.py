"""Rules 0 to 2.2 on real articles, where they are at hand: what a reader of each paper would say, and what proves it.

The files are openly licensed and not part of the project; NATUREGYM_REAL names their folder, else ``../shared/real``
beside the checkout. What is expected was written down by reading the papers: most are laboratory work in which nothing
is learned, some use learning as a tool, and a few propose a method of it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from nature_gym.reading.document import Document
from nature_gym.reading.html import read_html
from nature_gym.reading.jats import read_jats
from nature_gym.screening.deciders import Case
from nature_gym.screening.decisions import Decision
from nature_gym.screening.manuscript import Manuscript
from nature_gym.screening.methods import methods_of
from nature_gym.screening.rules import RulesDecider

REAL = Path(os.environ.get("NATUREGYM_REAL") or Path(__file__).resolve().parents[4] / "shared" / "real")
pytestmark = pytest.mark.skipif(not (REAL / "html").is_dir(), reason="the real articles are not at hand")

LABORATORY = "non_computational"
OTHER = "other_out_of_scope"
TOOL = "validation_tool_usage"

REJECTED_AT_1_1 = {
    "html/10.1038_s41467-022-30729-2": (OTHER, "using multimodel hydrological simulations, we investigate the changes"),
    "html/10.1038_s41558-022-01584-2": (
        TOOL,
        "The random forest (RF) models were applied to attribute drought recovery",
    ),
    "html/10.1038_s43247-024-01295-w": (OTHER, "catchment properties in hydrological drought predictions"),
    "html/10.1038_srep01011": (OTHER, "building visualizations for queries of biomolecular interactions"),
    "xml/10.1038_s41378-018-0027-0": (LABORATORY, "The proposed device can be a useful mapping optogenetics tool"),
    "xml/10.1038_s41398-018-0121-y": (LABORATORY, "We combined optogenetics and functional magnetic resonance imaging"),
    "xml/10.1038_s41467-018-05656-w": (LABORATORY, "mouse model of neonatal brain injury"),
    "xml/10.1038_s41467-018-06389-6": (LABORATORY, "superior colliculus modulates responses in mouse V1"),
    "xml/10.1038_s41467-018-07286-8": (LABORATORY, "using a combination of optogenetics and micropatterning"),
    "xml/10.1038_s41467-018-08256-w": (LABORATORY, "combine optogenetics and fMRI"),
    "xml/10.1038_s41467-019-09345-0": (LABORATORY, "utilization of dielectric microbeads"),
    "xml/10.1038_s41467-019-09980-7": (LABORATORY, "multi-channel recordings in the inferior colliculus"),
    "xml/10.1038_s41467-019-10418-3": (LABORATORY, "implantable multisite optogenetic stimulation device"),
    "xml/10.1038_s41467-019-10716-w": (LABORATORY, "parvalbumin-positive fast-spiking interneurons"),
    "xml/10.1038_s41598-018-26568-1": (LABORATORY, "the present study combines auditory"),
    "xml/10.1038_s41598-018-31370-0": (LABORATORY, "accurate crystallographic analysis of bR"),
    "xml/10.1038_s41598-019-40688-2": (LABORATORY, "neural responses to optical stimulation"),
    "xml/10.1038_s41598-019-42923-2": (LABORATORY, "combining optical intrinsic signal imaging"),
    "xml/10.1038_s41598-019-44964-z": (LABORATORY, "calcium dyshomeostasis in transgenic mice"),
    "xml/10.1038_s41598-021-89144-0": (LABORATORY, "high solubility of TMG in water"),
    "xml/10.1038_s41598-021-92791-y": (LABORATORY, "phytotoxic effects of Ageratina adenophora were tested"),
    "xml/10.1038_s41598-025-00814-9": (TOOL, "The forecasting model used 80% of this cleaned data"),
    "xml/10.1038_s41598-026-41640-x": (OTHER, "the photosynthesis of Arctic terrestrial plants is more vulnerable"),
    "xml/10.1038_s42003-018-0264-7": (LABORATORY, "optogenetically regulated membrane receptor-ligand pair"),
    "xml/10.1038_srep39955": (LABORATORY, "ultrasound-based technique to introduce optogenetic channels"),
    "pdf/10.1038_ncomms13940": (LABORATORY, "first principles calculations"),
    "pdf/10.1038_s41467-023-41333-3": (OTHER, "including ecosystem services in protected area design"),
    "pdf/10.1038_s41560-025-01768-y": (OTHER, "Using geospatial levelized cost models"),
    "pdf/10.1038_s41597-022-01156-1": (OTHER, "describes a dataset of residential electricity"),
    "pdf/10.1038_s41598-021-89144-0": (LABORATORY, "high solubility of TMG in water"),
    "pdf/10.1038_s42005-025-01956-y": (OTHER, "with carefully designed prompts, LLMs can accurately carry out"),
    "pdf/10.1038_s44184-022-00020-9": (TOOL, "logistic regression models trained to classify diagnosis"),
}

METHODS = {
    "html/10.1038_s41586-021-03819-2": "AlphaFold",
    "pdf/10.1038_s41586-021-03819-2": "AlphaFold",
    "pdf/10.1038_s41467-020-20427-2": "4G-HDNNP",
    "pdf/10.1038_s41467-021-24992-y": "CloneSig",
    "pdf/10.1038_s41524-024-01332-4": "CACE",
}
"""Papers that propose a method of learning, with its name."""

PASSED_BY_QUALITY = {
    "html/10.1038_s41586-021-03819-2": "greatly outperforming other methods",
    "pdf/10.1038_s41586-021-03819-2": "greatly outperforming other methods",
    "pdf/10.1038_s41467-020-20427-2": "yields much improved energies",
    "pdf/10.1038_s41467-021-24992-y": "CloneSig outperforms current methods",
}
"""Of these, those that claim and show better quality; the sentence that says so stands in the abstract."""


def read(name: str) -> Document:
    path = next(REAL.glob(f"{name}.*"))
    if path.suffix == ".html":
        return read_html(path.read_bytes())
    if path.suffix == ".xml":
        return read_jats(path.read_bytes())
    from nature_gym.reading.pdf import read_pdf

    return read_pdf(path)


def screened(name: str) -> tuple[Manuscript, list[Decision]]:
    """The decisions up to the first that is no pass, or through 2.2."""
    case = Case(Manuscript(name, read(name)))
    decider = RulesDecider()
    for rule in ("0", "1.1", "2.1", "2.2"):
        answer = decider.decide(rule, case)
        case.task = answer.task or case.task
        case.decisions.append(answer.decision)
        if answer.decision.verdict != "pass":
            break
    return case.manuscript, case.decisions


@pytest.mark.parametrize("name", REJECTED_AT_1_1)
def test_papers_without_a_task_are_rejected_with_the_sentence_that_proves_it(name: str) -> None:
    code, proof = REJECTED_AT_1_1[name]
    _, decisions = screened(name)
    assert (decisions[-1].rule, decisions[-1].verdict, decisions[-1].code) == ("1.1", "reject", code)
    assert any(proof in evidence.quote for evidence in decisions[-1].evidence), decisions[-1].evidence


@pytest.mark.parametrize("name", METHODS)
def test_methods_of_learning_pass_1_1_and_are_named(name: str) -> None:
    manuscript, decisions = screened(name)
    assert decisions[1].rule == "1.1"
    assert decisions[1].verdict == "pass"
    assert methods_of(manuscript).name == METHODS[name]


@pytest.mark.parametrize("name", PASSED_BY_QUALITY)
def test_better_quality_by_a_program_passes_level_2(name: str) -> None:
    manuscript, decisions = screened(name)
    assert manuscript.locate(PASSED_BY_QUALITY[name]) is not None
    assert [(one.rule, one.verdict) for one in decisions[2:]] == [("2.1", "pass"), ("2.2", "pass")]


def test_a_potential_that_says_that_others_are_more_accurate_is_not_competitive() -> None:
    _, decisions = screened("pdf/10.1038_s41524-024-01332-4")
    assert (decisions[-1].rule, decisions[-1].code) == ("2.1", "non_competitive_quality")
    assert any("CACE is less accurate than NequIP or MACE" in evidence.quote for evidence in decisions[-1].evidence)


def test_a_model_that_is_compared_with_no_other_is_left_open() -> None:
    _, decisions = screened("xml/10.1038_s41598-018-33984-w")
    assert (decisions[-1].rule, decisions[-1].verdict) == ("2.1", "undecided")


def test_all_articles_at_hand_are_spoken_of() -> None:
    told = {*REJECTED_AT_1_1, *METHODS, "xml/10.1038_s41598-018-33984-w"}
    assert {
        f"{path.parent.name}/{path.stem}" for form in ("html", "xml", "pdf") for path in (REAL / form).iterdir()
    } == told
