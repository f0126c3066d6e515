"""Which of OpenAlex's topics a paper has: found by words in its subjects, its title, and then its abstract.

Subfields, fields and domains are OpenAlex's own; a subfield's number begins with its field's. Topics are invented.
"""

from __future__ import annotations

import re
from typing import Any

from nature_gym.demo.inline import plain
from nature_gym.demo.model import Paper

MOST_TOPICS = 3

_DOMAINS = {1: "Life Sciences", 2: "Social Sciences", 3: "Physical Sciences", 4: "Health Sciences"}
_FIELDS = {
    11: (1, "Agricultural and Biological Sciences"),
    13: (1, "Biochemistry, Genetics and Molecular Biology"),
    16: (3, "Chemistry"),
    17: (3, "Computer Science"),
    19: (3, "Earth and Planetary Sciences"),
    22: (3, "Engineering"),
    23: (3, "Environmental Science"),
    25: (3, "Materials Science"),
    26: (3, "Mathematics"),
    27: (4, "Medicine"),
    28: (1, "Neuroscience"),
    30: (1, "Pharmacology, Toxicology and Pharmaceutics"),
    31: (3, "Physics and Astronomy"),
}
_SUBFIELDS = {
    1110: "Plant Science",
    1303: "Biochemistry",
    1307: "Cell Biology",
    1311: "Genetics",
    1312: "Molecular Biology",
    1315: "Structural Biology",
    1602: "Analytical Chemistry",
    1605: "Organic Chemistry",
    1606: "Physical and Theoretical Chemistry",
    1702: "Artificial Intelligence",
    1706: "Computer Science Applications",
    1707: "Computer Vision and Pattern Recognition",
    1710: "Information Systems",
    1902: "Atmospheric Science",
    2204: "Biomedical Engineering",
    2208: "Electrical and Electronic Engineering",
    2307: "Health, Toxicology and Mutagenesis",
    2312: "Water Science and Technology",
    2504: "Electronic, Optical and Magnetic Materials",
    2505: "Materials Chemistry",
    2604: "Applied Mathematics",
    2613: "Statistics and Probability",
    2705: "Cardiology and Cardiovascular Medicine",
    2712: "Endocrinology, Diabetes and Metabolism",
    2713: "Epidemiology",
    2715: "Gastroenterology",
    2730: "Oncology",
    2805: "Cognitive Neuroscience",
    3004: "Pharmacology",
    3107: "Atomic and Molecular Physics, and Optics",
    3109: "Statistical and Nonlinear Physics",
}
_TOPICS = (
    ("Cancer Imaging and Histopathology", 2730, "cancer|tumou?r|gland|histolog|oncolog"),
    ("Cell Image Analysis Techniques", 1307, "cytolog|protein locali[sz]ation|cell shape"),
    (
        "Electrocardiography and Arrhythmia Monitoring",
        2705,
        "cardiovascular|cardiac|fibrillation|electrocardiogr|heart",
    ),
    ("Diabetes Progression and Management", 2712, "diabet|gluc"),
    ("Gut Microbiota and Inflammatory Disease", 2715, "microbio|bowel"),
    ("Neural Decoding and Brain-Computer Interfaces", 2805, "neural decod|motor control|seizure|neuron|depression"),
    ("RNA Structure and Function", 1312, r"\brna\b|riboswitch"),
    ("Single-Cell Transcriptomics", 1312, "transcriptom|single[- ]cell"),
    (
        "Gene Regulation and Cell Differentiation",
        1312,
        "gene regulat|regenerat|differentiat|controls|senescen|autophag",
    ),
    ("Genetic Variants and Complex Traits", 1311, "genetic varia|credible set"),
    ("Protein Function and Design", 1303, "protein|enzym|biocataly"),
    ("Cryo-Electron Microscopy", 1315, "cryo"),
    ("Mass Spectrometry and Metabolomics", 1602, "metabolom|analytical chem|spectr"),
    ("Computational Synthesis Planning", 1605, "cheminform|retrosynth|reaction|molecul"),
    ("Drug Interactions and Safety", 3004, "drug|pharmac|adverse"),
    ("Molecular Simulation and Sampling", 1606, "computational chem|molecular dynamics|cataly|oxidation"),
    ("Battery Ageing and Diagnosis", 2208, "batter|electrolyte"),
    ("Electronic Devices and Sensors", 2208, "electronic device|sensor|wearable"),
    ("Thin Films and Optical Coatings", 2504, "optical physics|thin film|coating|photodetect|solar cell"),
    (
        "Machine Learning in Materials Science",
        2505,
        "material|oxide|telluride|carbon|alloy|oxynitride|crystal|band[- ]gap",
    ),
    (
        "Precipitation Nowcasting and Weather Forecasting",
        1902,
        r"atmospher|weather|(?:heavy )?rain(?:fall)?\b|sea[- ]ice|nowcast",
    ),
    ("Hydrological Forecasting", 2312, "hydrolog|flood|river"),
    ("Air Quality Monitoring and Forecasting", 2307, "environmental monitor|air (quality|pollution)"),
    ("Plant Phenotyping and Crop Science", 1110, "plant|crop|cultivar|leaf|leaves"),
    ("Epidemiology of Chronic Disease", 2713, "epidemiolog|asthma|arthritis|preterm|cohort|risk of"),
    ("Wearable and Implanted Medical Devices", 2204, "biomedical eng"),
    (
        "Complex Networks and Dynamical Systems",
        3109,
        "network model|dynamical system|statistical physics|elastic network",
    ),
    ("Mathematical Modelling and Numerical Methods", 2604, "applied math|computational sci|numerical|solver"),
    ("Medical Image Segmentation Techniques", 1707, "image process|segment|image"),
    ("Information Retrieval and Databases", 1710, "information tech|database|retriev|search"),
    ("Statistical Methods and Inference", 2613, "statistic"),
    ("Scientific Computing and Data Analysis", 1706, "computational (bio|meth)"),
    ("Machine Learning and Algorithms", 1702, "machine learn|computer sci|learn|network|predict"),
)
"""Name, subfield, and what is found in texts on it; what is narrow comes before what is broad."""
_PATTERNS = tuple(re.compile(rf"\b(?:{words})", re.IGNORECASE) for *_, words in _TOPICS)
_BROAD = len(_TOPICS) - 1


def topics(paper: Paper) -> list[dict[str, Any]]:
    """One to three topics, the most telling first; never the same twice."""
    found = _in(". ".join(paper.subjects)) or _in(plain(paper.title)) or _in(plain(paper.abstract)) or [_BROAD]
    return [_told(index, place) for place, index in enumerate(found[:MOST_TOPICS])]


def _in(text: str) -> list[int]:
    return [index for index, pattern in enumerate(_PATTERNS) if text and pattern.search(text)]


def _told(index: int, place: int) -> dict[str, Any]:
    name, subfield, _ = _TOPICS[index]
    domain, field_name = _FIELDS[subfield // 100]
    return {
        "id": f"https://openalex.org/T{90_001 + index}",
        "display_name": name,
        "score": round(0.9991 - 0.0217 * place - 0.0003 * index, 4),
        "subfield": {"id": f"https://openalex.org/subfields/{subfield}", "display_name": _SUBFIELDS[subfield]},
        "field": {"id": f"https://openalex.org/fields/{subfield // 100}", "display_name": field_name},
        "domain": {"id": f"https://openalex.org/domains/{domain}", "display_name": _DOMAINS[domain]},
    }
