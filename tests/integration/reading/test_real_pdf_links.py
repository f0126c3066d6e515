"""Links and statements of real PDFs, where they are at hand: written down by looking at their pages."""

from __future__ import annotations

import functools
import os
from pathlib import Path

import pytest

from nature_gym.reading.availability import find_availability
from nature_gym.reading.document import Document
from nature_gym.reading.html import read_html
from nature_gym.reading.links import find_links
from nature_gym.reading.pdf import read_here

REAL = Path(os.environ.get("NATUREGYM_REAL") or Path(__file__).resolve().parents[4] / "shared" / "real") / "pdf"
pytestmark = pytest.mark.skipif(not REAL.is_dir(), reason="the real articles are not at hand")

LINKS = {
    "10.1038_ncomms13940": {
        "http://www.octopus-code.org": "code",
        "https://doi.org/10.17172/NOMAD/2016.11.07-1": "data",
    },
    "10.1038_s41467-020-20427-2": {
        "https://doi.org/10.24435/materialscloud:f3-yh": "data",
        "https://www.uni-goettingen.de/de/software/616512.html": "code",
        "http://scicore.unibas.ch/": "other",
    },
    "10.1038_s41467-021-24992-y": {
        "https://portal.gdc.cancer.gov": "data",
        "https://data.mendeley.com/datasets/by4gbgr9gd/1": "data",
        "https://github.com/judithabk6/clonesig": "code",
        "https://github.com/judithabk6/Clonesig_analysis": "code",
    },
    "10.1038_s41467-023-41333-3": {
        "https://www.globalmangrovewatch.org/": "data",
        "https://osf.io/ecs4p/": "data",
        "https://www.marineregions.org/sources.php#marbound": "data",
        "https://doi.org/10.5281/ZENODO.8272951": "code data",
        "https://github.com/AlviDab/SpatialPrioritisation_MangrovesEcosystemBenefits": "code",
    },
    "10.1038_s41524-024-01332-4": {
        "https://github.com/BingqingCheng/ab-initio-thermodynamics-of-water": "data",
        "http://www.sgdml.org/#datasets": "data",
        "https://archive.materialscloud.org/record/2023.57": "data",
        "https://github.com/BingqingCheng/cace": "code",
        "https://github.com/BingqingCheng/cacefit": "code",
    },
    "10.1038_s41560-025-01768-y": {
        "https://github.com/ClimateCompatibleGrowth/GeoH2": "code",
        "https://github.com/ClimateCompatibleGrowth/GeoNH3": "code",
    },
    "10.1038_s41586-021-03819-2": {
        "https://www.wwpdb.org/ftp/pdb-ftp-sites": "data",
        "https://bfd.mmseqs.com": "data",
        "https://github.com/deepmind/alphafold": "code",
        "https://github.com/soedinglab/MMseqs2": "code",
        "https://www.python.org/": "other",
        "https://www.scipy.org/": "other",
        "https://research.google.com/colaboratory": "other",
    },
    "10.1038_s41597-022-01156-1": {
        "https://doi.org/10.5281/zenodo.5642902": "data",
        "https://github.com/ISFH/WPuQ": "code",
    },
    "10.1038_s41598-021-89144-0": {"http://creativecommons.org/licenses/by/4.0/": "other"},
    "10.1038_s42005-025-01956-y": {
        "https://platform.openai.com/docs/models/gpt-4-and-gpt-4-turbo": "other",
        "https://github.com/KimGroup/HartreeFock_GPT": "code data",
    },
    "10.1038_s44184-022-00020-9": {"https://github.com/som-shahlab/psych-nlp": "code"},
}


@functools.cache
def read(name: str) -> Document:
    return read_here(REAL / f"{name}.pdf", figures=False)


def test_every_file_is_expected() -> None:
    assert {path.stem for path in REAL.iterdir()} == set(LINKS)


@pytest.mark.parametrize("name", LINKS)
def test_its_links(name: str) -> None:
    found = find_links(read(name))
    kinds = {link.url: " ".join(sorted(one.kind for one in found if one.url == link.url)) for link in found}
    assert {url: kinds.get(url) for url in LINKS[name]} == LINKS[name]
    assert not any("/reprints" in url for url in kinds)
    assert not any(url.endswith((")", "]", ".")) and url.count("(") < url.count(")") for url in kinds)


def test_the_records_of_a_descriptor_are_its_statement_on_data() -> None:
    found = find_availability(read("10.1038_s41597-022-01156-1"))
    assert (found.data or "").startswith("All data are available on the Zenodo platform.")
    assert (found.code or "").startswith("The code implementation was done in Python3.")


def test_what_a_pdf_cites_its_page_cites_too() -> None:
    page = read_html((REAL.parent / "html" / "10.1038_s41586-021-03819-2.html").read_bytes())
    whole = {link.url.casefold() for link in find_links(page)}
    printed = [link for link in find_links(read("10.1038_s41586-021-03819-2")) if link.kind == "reference"]
    assert len(printed) >= 5
    assert [link.url for link in printed if link.url.casefold() not in whole] == []
