"""Real articles, where they lie beside the project; what is expected was written down by looking at their pages."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

from nature_gym.reading.document import Document
from nature_gym.reading.pdf import read_here

REAL = Path(os.environ.get("NATUREGYM_REAL") or Path(__file__).resolve().parents[5] / "shared" / "real") / "pdf"
Rows = list[list[str]]


@dataclass(frozen=True)
class Expected:
    """What a reader sees in one article."""

    title: str
    kind: str
    journal: str
    authors: tuple[int, str, str]
    """How many, the first, the last."""
    abstract: tuple[str, str]
    """Its first and last words."""
    sections: list[str]
    """The main headings."""
    below: list[str]
    """Some headings below them."""
    data: str
    """The beginning of the statement on data."""
    code: str
    references: int
    figures: int
    links: set[str] = field(default_factory=set)
    """Some addresses, complete."""
    tables: dict[str, Rows] = field(default_factory=dict)
    texts: tuple[str, ...] = ()
    """Sentences that run over lines, columns or scripts."""


END = ["References", "Acknowledgements", "Author contributions"]
PAPERS = {
    "10.1038_ncomms13940": Expected(
        "Creating stable Floquet–Weyl semimetals by laser-driving of 3D Dirac materials",
        "Article", "Nature Communications", (5, "Hannes Hübener", "Angel Rubio"),
        ("Tuning and stabilizing topological states", "anomalous magnetoresistance."),
        ["Results", "Discussion", "Methods", *END, "Additional information"],
        ["Theory", "Floquet–Weyl points induced by circularly polarized light", "Strain", "Computational details"],
        "Data generated for this work have been deposited in the NoMaD repository (DOI: "
        "http://dx.doi.org/10.17172/NOMAD/2016.11.07-1)",
        "The OCTOPUS code is available from http://www.octopus-code.org.", 57, 4,
        {"http://www.octopus-code.org", "http://dx.doi.org/10.17172/NOMAD/2016.11.07-1"},
        texts=(
            "Creating and controlling phases of matter is a central goal of condensed matter physics.",
            "2.068498 MV cm⁻¹",
            "four band models. For example, the splitting of degenerate Dirac bands",
        ),
    ),
    "10.1038_s41467-020-20427-2": Expected(
        "A fourth-generation high-dimensional neural network potential with accurate electrostatics including "
        "non-local charge transfer",
        "Article", "Nature Communications", (4, "Tsz Wai Ko", "Jörg Behler"),
        ("Machine learning potentials have become", "electronic structure calculations."),
        ["Results", "Discussion", "Methods", "Data availability", "Code availability", *END],
        ["4G-HDNNP", "A benchmark for organic molecules", "DFT calculations"],
        "The datasets used to train the NNPs presented in this paper have been published online. All data",
        "All DFT calculations were performed using FHI-aims (version 171221_1).", 68, 9,
        {"https://www.uni-goettingen.de/de/software/616512.html"},
        {
            "Table 1": [
                ["", "", "Energy", "Charges", "Forces"],
                ["", "2G-HDNNP", "0.684", "—", "0.095"],
                ["C₁₀H₂", "3G-HDNNP (unscaled)", "1.255", "19.72", "0.430"],
                ["", "3G-HDNNP (scaled)", "2.193", "10.76", "0.138"],
                ["", "4G-HDNNP", "0.463", "4.820", "0.032"],
                ["", "2G-HDNNP", "0.922", "—", "0.127"],
                ["C₁₀H₃⁺", "3G-HDNNP (unscaled)", "0.046", "17.82", "0.658"],
                ["", "3G-HDNNP (scaled)", "1.425", "17.72", "0.259"],
                ["", "4G-HDNNP", "0.176", "5.048", "0.042"],
            ]
        },
    ),
    "10.1038_s41467-021-24992-y": Expected(
        "CloneSig can jointly infer intra-tumor heterogeneity and mutational signature activity in bulk tumor "
        "sequencing data",
        "Article", "Nature Communications", (3, "Judith Abécassis", "Jean-Philippe Vert"),
        ("Systematic DNA sequencing of cancer samples", "coherent with previous studies."),
        ["Results", "Discussion", "Methods", "Data availability", "Code availability", *END],
        ["Joint estimation of ITH and mutational processes with CloneSig", "Simulations", "PCAWG cohort"],
        "The SNV and CNA data for the TCGA cohort are available from the GDC data portal "
        "https://portal.gdc.cancer.gov. For SNV",
        "CloneSig is available as a Python package at https://github.com/judithabk6/clonesig.", 75, 6,
        {
            "https://github.com/judithabk6/clonesig", "https://portal.gdc.cancer.gov", "https://dbgap.ncbi.nlm.nih.gov",
            "https://data.mendeley.com/datasets/by4gbgr9gd/1",
        },
        {
            "Table 1": [
                ["filename", "md5", "Synapse ID"],
                ["consensus.20170119.somatic.cna.icgc.public.tar.gz", "b16a44e5b52302136b2dfa2d2f4b2000", "syn8042988"],
                ["consensus.20170119.somatic.cna.tcga.public.tar.gz", "0d05a8ec9f07aed1c70c6ebbe1db9aad", "syn8042988"],
                ["consensus.20170217.purity.ploidy.txt.gz", "a3cf8c9d0521b23b31a57b0a35379d8e", "syn8272483"],
                [
                    "final_consensus_passonly.snv_mnv_indel.icgc.public.maf.gz",
                    "009b9f88ec10d07cf826174c3dea5b78",
                    "syn7364923",
                ],
                [
                    "final_consensus_passonly.snv_mnv_indel.tcga.controlled.maf.gz",
                    "a7f054a45e0ec4eab83cfe22b9adee73",
                    "syn7364923",
                ],
            ]
        },
    ),
    "10.1038_s41467-023-41333-3": Expected(
        "Priority areas to protect mangroves and maximise ecosystem services",
        "Article", "Nature Communications", (9, "Alvise Dabalà", "Anthony J. Richardson"),
        ("Anthropogenic activities threaten global biodiversity", "benefits to human wellbeing."),
        ["Results", "Discussion", "Methods", "Reporting summary", "Data availability", "Code availability", *END],
        ["Coverage of biodiversity and ecosystem services in current protected areas", "Ecosystem services"],
        "Datasets generated analysed during the current study are available online.",
        "Code to run the analysis in this study is currently available at: https://github.com/AlviDab/"
        "SpatialPrioritisation_MangrovesEcosystemBenefits",
        96, 4,
        {
            "https://www.globalmangrovewatch.org/", "https://osf.io/ecs4p/", "https://doi.org/10.5281/ZENODO.8272951",
            "https://doi.org/10.1016/j.ecss.2020.106975",
        },
        texts=("million fisher days year⁻¹",),
    ),
    "10.1038_s41524-024-01332-4": Expected(
        "Cartesian atomic cluster expansion for machine learning interatomic potentials",
        "Article", "npj Computational Materials", (1, "Bingqing Cheng", "Bingqing Cheng"),
        ("Machine learning interatomic potentials are revolutionizing", "25-element high-entropy alloys."),
        ["Results", "Discussion", "Methods", "Data availability", "Code availability", *END],
        ["The CACE architecture", "Bulk water", "25-element high-entropy alloys"],
        "The water dataset is from https://github.com/BingqingCheng/ab-initio-thermodynamics-of-water. MD17-ethanol is",
        "The CACE package is publicly available at https://github.com/BingqingCheng/cace.", 61, 5,
        {
            "https://github.com/BingqingCheng/cace", "http://www.sgdml.org/#datasets",
            "https://archive.materialscloud.org/record/2023.57",
        },
        {
            "Table 1": [
                ["", "BPNN", "DeepMD", "EANN", "linear ACE", "REANN", "NequIP", "MACE", "CACE", "CACE"],
                [
                    "", "6.35 Å", "6 Å", "6.2 Å", "5.5 Å", "6.2 Å, T = 3", "4.5 Å, T = 3", "6 Å", "5.5 Å, T = 0",
                    "5.5 Å, T = 1",
                ],
                ["E", "7.0", "6.3", "6.3", "5.196", "2.4", "2.8", "1.9", "3.49", "1.77"],
                ["F", "120", "92", "129", "99", "53.2", "45", "36.2", "79", "47"],
            ],
            "Table 2": [
                ["", "SchNet", "DimeNet", "sGDML", "PaiNN", "SphereNet", "NewtonNet", "GemNet-T", "NequIP", "CACE"],
                ["E", "3.5", "2.8", "3.0", "2.7", "", "2.6", "", "2.2", "2.37"],
                ["F", "16.9", "10.0", "14.3", "9.7", "9.0", "9.1", "3.7", "3.1", "7.0"],
                ["S ↑", "247", "26", "", "86", "33", "", "169", "300", "300"],
            ],
            "Table 3": [
                ["", "ACE", "sGDML", "GAP", "ANI-pretrained", "ANI-2x", "NequIP", "MACE", "CACE"],
                ["300 K, E", "7.1", "9.1", "22.8", "23.5", "38.6", "3.3", "3.0", "6.3"],
                ["300 K, F", "27.1", "46.2", "87.3", "42.8", "84.4", "10.8", "8.8", "21.4"],
                ["600 K, E", "24.0", "484.8", "61.4", "37.8", "54.5", "11.2", "9.7", "18.0"],
                ["600 K, F", "64.3", "439.2", "151.9", "71.7", "102.8", "26.4", "21.8", "45.2"],
                ["1200 K, E", "85.3", "774.5", "166.8", "76.8", "88.8", "38.5", "29.8", "58.0"],
                ["1200 K, F", "187.0", "711.1", "305.5", "129.6", "139.6", "76.2", "62.0", "113.8"],
            ],
            "Table 4": [
                ["", "AL 3B+NN", "PET", "CACE"],
                ["test, E", "10", "1.87", "5.28"],
                ["test, F", "190", "60.1", "111"],
                ["substitute, E", "24", "N.A.", "8.5"],
                ["substitute, F", "373", "N.A.", "124"],
                ["5000 K, E", "48", "152", "15.3"],
                ["5000 K, F", "290", "", "233"],
            ],
            "Table 5": [
                ["", "NequiIP 4.5 Å, T = 3", "MACE 6 Å", "CACE 5.5 Å, T = 1"],
                ["1536 atoms", "20 ps per h", "18 ps per h", "24 ps per h"],
                ["5184 atoms", "7 ps per h", "4.8 ps per h", "8 ps per h"],
                ["12,288 atoms", "3 ps per h", "2 ps per h", "3.5 ps per h"],
                ["24,000 atoms", "1.65 ps per h", "N.A.", "1.7 ps per h"],
            ],
        },
        ("F RMSE = 108 meV Å⁻¹.",),
    ),
    "10.1038_s41560-025-01768-y": Expected(
        "Mapping the cost competitiveness of African green hydrogen imports to Europe",
        "Article", "Nature Energy", (7, "Florian Egli", "Stephanie Hirmer"),
        ("Governments in many European countries", "competitive on the global stage."),
        ["Planned green H₂ capacity", "Cost of capital", "Discussion", "Methods", "Code availability"],
        ["Sample", "Estimating the cost of capital", "Modelling the LCOH"],
        "Techno-economic modelling data and assumptions are included and referenced in the Supplementary materials.",
        "The GeoH2 model is available via Github with a CC-BY-4.0 license at "
        "https://github.com/ClimateCompatibleGrowth/GeoH2.",
        69, 6,
        tables={
            "Table 1": [
                ["", "Private commercial", "Public de-risked"],
                [
                    "High general interest rate",
                    "Scenario 1: cash-constrained private",
                    "Scenario 2: cash-constrained de-risked",
                ],
                [
                    "Low general interest rate",
                    "Scenario 3: investment-friendly private",
                    "Scenario 4: investment-friendly de-risked",
                ],
            ]
        },
    ),
    "10.1038_s41586-021-03819-2": Expected(
        "Highly accurate protein structure prediction with AlphaFold",
        "Article", "Nature", (34, "John Jumper", "Demis Hassabis"),
        ("Proteins are essential to life", "the design of the deep learning algorithm."),
        ["The AlphaFold network", "Discussion", "References", "Methods", "Data availability", "Code availability"],
        ["Full algorithm details", "Inputs and data sources", "Test set of recent PDB sequences"],
        "All input data are freely available from public sources.",
        "Source code for the AlphaFold model, trained weights and inference script are available under an open-source "
        "license at https://github.com/deepmind/alphafold.",
        84, 5,
        {
            "https://github.com/deepmind/alphafold", "https://ftp.wwpdb.org/pub/pdb/derived_data/",
            "https://bfd.mmseqs.com",
            "https://github.com/schrodinger/pymol-open-source", "http://doi.org/10.2210/pdb6Y4F/pdb",
        },
    ),
    "10.1038_s41597-022-01156-1": Expected(
        "Dataset on electrical single-family house and heat pump load profiles in Germany",
        "Data Descriptor", "Scientific Data", (4, "Marlon Schlemminger", "Michael Knoop"),
        ("This paper describes a dataset", "distribution networks induced by heat pumps."),
        ["Background & Summary", "Methods", "Data Records", "Technical Validation", "Usage Notes", "Code availability"],
        ["Buildings", "PV system", "Data gaps", "Heat pump load curve"],
        "",
        "The code implementation was done in Python3.", 24, 8,
        {"https://github.com/ISFH/WPuQ"},
        {
            "Table 2": [
                [
                    "Name", "Orientation (0° = south)", "Tilt angle", "Nominal power in kW_{peak}", "Number of Modules",
                    "Inverter",
                ],
                ["East", "−83°", "10°", "19.5", "78", "Fronius Symo 20.0-3-M"],
                ["West", "97°", "10°", "19.5", "78", "Fronius Symo 20.0-3-M"],
                ["South", "−5°", "30°", "14.5", "58", "Fronius Symo 15.0-3-M"],
            ],
            "Table 5": [
                ["", "Percentile", "S", "P", "Q"],
                ["HOUSEHOLD", "0.05", "0.996", "0.992", "0.790"],
                ["HOUSEHOLD", "0.95", "1.017", "1.010", "1.188"],
                ["HEATPUMP", "0.05", "0.996", "0.992", "0.993"],
                ["HEATPUMP", "0.95", "1.007", "1.010", "1.008"],
                ["TRANSFORMER", "0.05", "0.999", "0.998", "0.998"],
                ["TRANSFORMER", "0.95", "1.011", "1.000", "1.017"],
            ],
        },
    ),
    "10.1038_s41598-021-89144-0": Expected(
        "High loading of trimethylglycine promotes aqueous solubility of poorly water-soluble cisplatin",
        "", "Scientific Reports", (8, "Riki Kadokawa", "Kosuke Kuroda"),
        ("Trimethylglycine (TMG) is a cheap", "as they dilute the other drugs."),
        ["Results and discussion", *END, "Competing interests", "Additional information"],
        [],
        "", "", 28, 4,
        {"https://doi.org/10.1038/s41598-021-89144-0"},
        {
            "Table 1": [
                ["", "Content (wt%)", "Solubility of cisplatin (wt%)"],
                ["TMG", "50", "1.7"],
                ["TMG", "25", "< 1.0"],
                ["TMG", "5", "< 1.0"],
                ["L-carnitine", "70", "1.4"],
                ["L-carnitine", "50", "1.0"],
                ["L-carnitine", "25", "< 1.0"],
                ["L-carnitine", "5", "< 1.0"],
                ["Water^{a}", "–", "0.15"],
            ]
        },
        ("¹⁹⁵Pt NMR",),
    ),
    "10.1038_s42005-025-01956-y": Expected(
        "Quantum many-body physics calculations with large language models",
        "Article", "Communications Physics", (8, "Haining Pan", "Eun-Ah Kim"),
        ("Large language models (LLMs) have demonstrated", "good results in both cases."),
        ["Results", "Conclusion", "Methods", "Data availability", "Code availability", *END],
        [],
        "The dataset during this study is available for download in the GitHub repository "
        "https://github.com/KimGroup/HartreeFock_GPT in the directories with the arXiv numbers.",
        "The code during this study is available for download in the GitHub repository "
        "https://github.com/KimGroup/HartreeFock_GPT in the Python file",
        33, 4,
        {"https://github.com/KimGroup/HartreeFock_GPT"},
    ),
    "10.1038_s44184-022-00020-9": Expected(
        "A computational approach to measure the linguistic characteristics of psychotherapy timing, responsiveness, "
        "and consistency",
        "Article", "npj Mental Health Research", (13, "Adam S. Miner", "Nigam H. Shah"),
        ("Although individual psychotherapy is generally effective", "behaviors of effective therapists."),
        ["Introduction", "Results", "Discussion", "Methods", "Data availability", "Code availability", *END],
        ["Therapist timing is dynamic", "Study design", "Therapist speech changes"],
        "The dataset is not publicly available due to patient privacy",
        "The code used in this study can be found at: https://github.com/som-shahlab/psych-nlp.", 110, 4,
        {"https://github.com/som-shahlab/psych-nlp"},
        {
            "Table 1": [
                ["Dataset", "", "", "N", "Min, 25%, Median, 75%, Max*"],
                ["", "Sites", "", "24", ""],
                ["", "Therapists", "", "78", ""],
                ["", "Patients", "", "98", ""],
                ["", "Session Duration in minutes", "", "", "13, 39, 47, 53, 69"],
                ["Patients", "", "", "98", ""],
                ["", "Gender", "", "", ""],
                ["", "", "Male", "13", ""],
                ["", "", "Female", "85", ""],
                ["", "Age", "", "", "18, 20, 21, 25, 52"],
                ["", "Session PHQ-9", "", "", "0, 3, 7, 9, 25"],
                ["", "", "Minimal (PHQ-9 < 5)", "35", ""],
                ["", "", "Mild (PHQ-9 ≥5, PHQ-9 < 10)", "32", ""],
                ["", "", "Moderate (PHQ-9 ≥10, PHQ-9 < 15)", "16", ""],
                ["", "", "Moderately Severe (PHQ-9 ≥15, PHQ-9 < 20)", "5", ""],
                ["", "", "Severe (PHQ-9 ≥20)", "2", ""],
                ["", "", "Missing", "10", ""],
                ["Therapists", "", "", "78", ""],
                ["", "Gender", "", "", ""],
                ["", "", "Male", "17", ""],
                ["", "", "Female", "61", ""],
                ["", "Age", "", "", "25, 34, 41, 51, 72"],
                ["", "Education", "", "", ""],
                ["", "", "MA", "4", ""],
                ["", "", "MS", "8", ""],
                ["", "", "MSW", "8", ""],
                ["", "", "Ed. D.", "2", ""],
                ["", "", "Ph.D.", "38", ""],
                ["", "", "Psy.D.", "15", ""],
                ["", "", "Other", "3", ""],
            ]
        },
        texts=("(t = 4.39, p = 1.15 ×10⁻⁵)", "was 16.78% [5.13%, 28.21%]"[4:]),
    ),
}  # fmt: skip

pytestmark = pytest.mark.skipif(not REAL.is_dir(), reason="the real articles are not at hand")
every_paper = pytest.mark.parametrize(("name", "expected"), PAPERS.items(), ids=PAPERS)


@cache
def read(name: str) -> Document:
    return read_here(REAL / f"{name}.pdf", figures=False)


def statement(document: Document, what: str) -> str:
    return next((section.text for section in document.sections if section.title == f"{what} availability"), "")


def test_every_file_that_lies_there_is_expected() -> None:
    assert {path.stem for path in REAL.glob("*.pdf")} == set(PAPERS)


@every_paper
def test_the_first_page_is_read_right(name: str, expected: Expected) -> None:
    document = read(name)
    assert document.title == expected.title
    assert document.article_type == expected.kind
    assert document.journal == expected.journal
    assert document.doi == name.replace("_", "/")
    assert (len(document.authors), document.authors[0], document.authors[-1]) == expected.authors
    assert document.abstract.startswith(expected.abstract[0])
    assert document.abstract.endswith(expected.abstract[1])


@every_paper
def test_main_headings_stand_in_their_order(name: str, expected: Expected) -> None:
    document = read(name)
    found = iter([section.title for section in document.sections if section.level == 1])
    assert all(title in found for title in expected.sections)


@every_paper
def test_headings_below_them_are_found(name: str, expected: Expected) -> None:
    assert set(expected.below) <= {section.title for section in read(name).sections}


@every_paper
def test_statements_on_data_and_code_are_whole(name: str, expected: Expected) -> None:
    document = read(name)
    for what, begins in (("Data", expected.data), ("Code", expected.code)):
        text = statement(document, what)
        assert text.startswith(begins) if begins else not text
        assert len(text) < 2_500


@every_paper
def test_links_are_complete(name: str, expected: Expected) -> None:
    assert {link.url for link in read(name).links} >= expected.links


@every_paper
def test_references_and_figures_are_all_there(name: str, expected: Expected) -> None:
    document = read(name)
    assert len(document.references) == expected.references
    assert [figure.label.split()[-1] for figure in document.figures] == [str(n + 1) for n in range(expected.figures)]


@every_paper
def test_tables_are_what_a_person_copied_out(name: str, expected: Expected) -> None:
    found = {table.label: [list(row) for row in table.rows] for table in read(name).tables}
    for label, rows in expected.tables.items():
        assert found[label] == rows
        assert next(table for table in read(name).tables if table.label == label).header_rows == 1


@every_paper
def test_sentences_survive_columns_lines_and_scripts(name: str, expected: Expected) -> None:
    text = " ".join(section.text for section in read(name).sections)
    assert [one for one in expected.texts if one not in text] == []


@every_paper
def test_nothing_of_running_heads_and_other_columns_is_in_the_text(name: str, expected: Expected) -> None:
    text = "\n".join(section.text for section in read(name).sections)
    assert "www.nature.com/naturecommunications" not in text
    assert "Content courtesy" not in text
    assert not any("\ue000" <= character <= "\uf8ff" for character in text)


@every_paper
@pytest.mark.slow
def test_every_figure_has_a_picture_that_is_no_page(name: str, expected: Expected) -> None:
    document = read_here(REAL / f"{name}.pdf")
    assert [figure.label for figure in document.figures if not figure.image] == []
    assert not [problem for problem in document.problems if "no picture" in problem]


def test_a_box_says_nothing_of_the_levels_of_headings_after_it() -> None:
    levels = {section.title: section.level for section in read("10.1038_s41467-021-24992-y").sections}
    assert levels["Performance for subclonal reconstruction"] == 2
    assert levels["Performance for signature activity deconvolution"] == 2
    assert levels["TCGA cohort"] == 3


def test_a_publishers_terms_are_no_part_of_the_article() -> None:
    document = read("10.1038_s41560-025-01768-y")
    assert "Terms and Conditions" not in {section.title for section in document.sections}
    assert document.problems == ("page 13 is a page of terms of use, and was left out",)
