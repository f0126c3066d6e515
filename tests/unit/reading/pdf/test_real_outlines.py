"""Headings of real articles, and their levels, as their pages show them: where they lie beside the project.

What is expected was compared with each page by eye. Statements are held against the library's plain text.
"""

from __future__ import annotations

import re
import unicodedata
from importlib import import_module
from typing import Any

import pytest

from tests.unit.reading.pdf.test_real_pdfs import REAL, read, statement

pymupdf: Any = import_module("pymupdf")
pytestmark = pytest.mark.skipif(not REAL.is_dir(), reason="the real articles are not at hand")

OUTLINES = {
    "10.1038_ncomms13940": """
        #
        # Results
        ## Theory
        ## Floquet–Weyl points induced by circularly polarized light
        ## Steering Floquet–Weyl points
        ## Strain
        # Discussion
        # Methods
        ## Units of field amplitudes
        ## Floquet TDDFT
        ## Computational details
        # Code availability
        # Data availability
        # References
        # Acknowledgements
        # Author contributions
        # Additional information
    """,
    "10.1038_s41467-020-20427-2": """
        #
        # Results
        ## 4G-HDNNP
        ## Overview of test systems
        ## A benchmark for organic molecules
        ## Metal clusters: Ag₃
        ## NaCl cluster ions
        ## Au₂ cluster on MgO(001)
        # Discussion
        # Methods
        ## Neural network potentials
        ## DFT calculations
        # Data availability
        # Code availability
        # References
        # Acknowledgements
        # Author contributions
        # Funding
        # Competing interests
        # Additional information
    """,
    "10.1038_s41467-021-24992-y": """
        #
        # Results
        ## Joint estimation of ITH and mutational processes with CloneSig
        ## Performance for subclonal reconstruction
        ## Performance for signature activity deconvolution
        ## Pan-cancer overview of signature changes
        # Discussion
        ## Improved ITH and signature detection in WES
        ## Limits of CloneSig
        ## Clinical relevance of signature variations
        # Methods
        ## CloneSig model
        ## Parameter estimation
        ## Test of mutational signature changes
        ## Simulations
        ### Default simulations
        ### Simulations for comparison with other ITH and signature methods
        ### Simulations without signature change between clones
        ### Simulations to assess the separating power of CloneSig
        ### Simulations to assess the sensitivity of the statistical test
        ## Evaluation metrics
        ### Metrics evaluating the subclonal decomposition
        ### Metrics evaluating the identification of mutational signatures
        ## Implementation
        ## Construction of a curated list of signatures associated with each cancer type
        ## Quantification of signature changes
        ## Survival analysis
        ## Data collection and processing
        ### TCGA cohort
        ### PCAWG cohort
        ### DREAM simulated cohort
        ### PhylogicSim500 and SimClone1000
        # Reporting summary
        # Data availability
        # Code availability
        # Box 1 | Probabilistic graphical model for CloneSig
        # References
        # Acknowledgements
        # Author contributions
        # Competing interests
        # Additional information
    """,
    "10.1038_s41467-023-41333-3": """
        #
        # Results
        ## Coverage of biodiversity and ecosystem services in current protected areas
        ## Protection of global mangrove priority areas for biodiversity and ecosystem services
        ## Expanding protection by adding to the current protected area system
        ## The efficiency of including ecosystem services
        # Discussion
        # Methods
        ## Study area
        ## Mangrove biodiversity
        ## Conservation features
        ## Ecosystem services
        ### Coastal protection
        ### Carbon storage
        ### Fisheries benefits
        ## Existing protected areas
        ## Spatial prioritisation
        # Reporting summary
        # Data availability
        # Code availability
        # References
        # Acknowledgements
        # Author contributions
        # Competing interests
        # Additional information
    """,
    "10.1038_s41524-024-01332-4": """
        #
        # Results
        ## The CACE architecture
        ### Atomic graph
        ### Edge basis
        ### Atom-centered basis (A-basis)
        ### Symmetrized basis (B-basis)
        ### Message passing
        ### Readout and output
        ## Bulk water
        ## Small molecules: ethanol and 3BPA
        ## 25-element high-entropy alloys
        # Discussion
        # Methods
        ## Bulk water
        ## Small molecules
        ## 25-element high-entropy alloys
        # Data availability
        # Code availability
        # References
        # Acknowledgements
        # Author contributions
        # Competing interests
        # Additional information
    """,
    "10.1038_s41560-025-01768-y": """
        #
        # Planned green H₂ capacity
        # Cost of capital
        # Levelized cost of exported green H₂
        # Discussion
        # Methods
        ## Sample
        ## Estimating the cost of capital
        ## Modelling the LCOH
        # Data availability
        # Code availability
        # References
        # Acknowledgements
        # Author contributions
        # Funding
        # Competing interests
        # Additional information
    """,
    "10.1038_s41586-021-03819-2": """
        #
        # The AlphaFold network
        # Evoformer
        # End-to-end structure prediction
        # Training with labelled and unlabelled data
        # Interpreting the neural network
        # MSA depth and cross-chain contacts
        # Related work
        # Discussion
        # Online content
        # References
        # Methods
        ## Full algorithm details
        ## IPA
        ## Inputs and data sources
        ## Training regimen
        ## Inference regimen
        ## Metrics
        ## Test set of recent PDB sequences
        # Reporting summary
        # Data availability
        # Code availability
        # Acknowledgements
        # Author contributions
        # Competing interests
        # Additional information
        # Reporting Summary
    """,
    "10.1038_s41597-022-01156-1": """
        # Background & Summary
        # Methods
        ## Buildings
        ## PV system
        ## Measurement of household and heat pump load
        ## Measurement of photovoltaic power generation
        ## Measurements in the district heating grid
        ## Weather data
        ## Data processing
        # Data Records
        # Technical Validation
        ## Data gaps
        ## Internal consistency of power and energy
        ## Annual consumption
        ## Daily consumption and temperatures
        ## Internal consistency of current, voltage and power factor
        ## Compliance with manufacturer data
        ## Household load curve
        ## Heat pump load curve
        # Usage Notes
        # Code availability
        # References
        # Acknowledgements
        # Author contributions
        # Funding
        # Competing interests
        # Additional information
    """,
    "10.1038_s41598-021-89144-0": """
        #
        # Results and discussion
        # References
        # Acknowledgements
        # Author contributions
        # Competing interests
        # Additional information
    """,
    "10.1038_s42005-025-01956-y": """
        #
        # Results
        # Conclusion
        # Methods
        # Data availability
        # Code availability
        # References
        # Acknowledgements
        # Author contributions
        # Competing interests
        # Additional information
    """,
    "10.1038_s44184-022-00020-9": """
        # Introduction
        # Results
        ## Study population
        ## Therapist timing is dynamic
        ## Therapist speech is responsive
        ## Therapists are consistent between sessions
        ## Clinical relevance: Diagnoses and symptom severity
        # Discussion
        # Methods
        ## Study design
        ## Dataset
        ## Phase 1: Feature generation
        ### Pronouns
        ### Time orientation
        ### Emotional polarity
        ### Therapist tactics
        ### Paralinguistic style
        ## Phase 2: Feature implementation
        ### Temporal aggregation and granularity
        ### Therapist speech changes
        ### Evaluating therapist speech responsiveness
        ## Phase 3: Measuring clinical relevance
        # Reporting summary
        # Data availability
        # Code availability
        # References
        # Acknowledgements
        # Author contributions
        # Competing interests
        # Additional information
    """,
}
"""A sign for each level before each heading; a bare one stands for what comes before the first."""


@pytest.mark.parametrize(("name", "outline"), OUTLINES.items(), ids=OUTLINES)
def test_all_headings_stand_in_their_order_with_their_levels(name: str, outline: str) -> None:
    found = [f"{'#' * section.level} {section.title}".rstrip() for section in read(name).sections]
    assert found == [line.strip() for line in outline.strip().splitlines()]


def letters_of(text: str) -> str:
    """Letters alone: what neither citations, nor scripts, nor hyphens, nor line ends change."""
    return re.sub(r"[^a-z]", "", unicodedata.normalize("NFKC", text).casefold())


@pytest.mark.parametrize("name", OUTLINES)
@pytest.mark.parametrize("what", ["Data", "Code"])
def test_availability_statements_say_what_the_pages_say(name: str, what: str) -> None:
    text = statement(read(name), what)
    with pymupdf.open(REAL / f"{name}.pdf") as document:
        pages = letters_of("".join(page.get_text() for page in document))
    sentences = [letters_of(sentence) for sentence in re.split(r"(?<=[.)])\s+(?=[A-Z])", text)]
    lost = [sentence for sentence in sentences if sentence not in pages]
    over_the_foot = {("10.1038_s41467-021-24992-y", "Data"): 1}
    assert len(lost) == over_the_foot.get((name, what), 0), lost
    assert not text or f"{what}availability{sentences[0][:40]}".casefold() in pages


def test_words_set_too_closely_are_told_apart() -> None:
    for name in OUTLINES:
        text = " ".join(section.text for section in read(name).sections if section.title != "References")
        prose = re.sub(r"\S*(?:[/_@]|\w\.\w)\S*", " ", text)
        assert not re.findall(r"[a-zA-Z]{27,}", prose)


def test_scripts_one_above_the_other_stand_on_their_letter() -> None:
    document = read("10.1038_s41467-020-20427-2")
    text = " ".join([*(section.text for section in document.sections), *(one.caption for one in document.figures)])
    assert {"Ag₃⁺", "Ag₃⁻", "Na₉Cl₈⁺", "Na₈Cl₈⁺", "C₁₀H₃⁺", "NH₃⁺"} <= set(re.findall(r"[A-Z]\w*[⁺⁻]", text))
    assert document.figures[5].caption.startswith("Optimized structure of the Na₉Cl₈⁺ cluster. Sodium atoms are")


def test_marks_of_where_not_to_break_are_no_hyphens() -> None:
    text = " ".join(section.text for section in read("10.1038_s41598-021-89144-0").sections)
    assert "K₂[PtCl₄] was used in H₂O" in text
    assert not re.search(r"(?<![\w\d])\s-[A-Za-z]", text)


def test_sentences_after_addresses_stand_apart() -> None:
    text = " ".join(section.text for section in read("10.1038_s41467-023-41333-3").sections)
    assert "sources.php#marbound. Source data are provided" in text
    assert "MangrovesEcosystemBenefits. The code is archived" in text
    addresses = {link.anchor for link in read("10.1038_s42005-025-01956-y").links}
    assert "https://platform.openai.com/docs/models/gpt-4-and-gpt-4-turbo" in addresses
