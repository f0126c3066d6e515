"""The pages behind accessions that papers name: EMDB, PDB, UniProt, ENA, at their hosts' addresses.

Each shows what such a page shows at first sight (title, organism, method, a few numbers), links
to its files, and states no size.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

from nature_gym.demo.model import Page


@dataclass(frozen=True, slots=True)
class DensityMap:
    """An entry of the EMDB."""

    number: int
    title: str
    organism: str
    resolution: float
    fitted: str
    """The PDB entry of the model that was fitted."""


def emdb_page(entry: DensityMap) -> Page:
    """An EMDB entry."""
    accession = f"EMD-{entry.number}"
    facts = (
        ("Sample", entry.title),
        ("Source organism", entry.organism),
        ("Method", "single particle reconstruction"),
        ("Resolution", f"{entry.resolution:.1f} Å (FSC 0.143)"),
        ("Fitted model", f'<a href="https://www.rcsb.org/structure/{entry.fitted}">{entry.fitted}</a>'),
        ("Map", f"emd_{entry.number}.map.gz"),
    )
    return _entry(f"https://www.ebi.ac.uk/emdb/{accession}", f"{accession} - EMDB", accession, entry.title, facts)


def pdb_page(entry: DensityMap) -> Page:
    """The PDB entry of the model in a map."""
    code = entry.fitted
    facts = (
        ("Method", "ELECTRON MICROSCOPY"),
        ("Resolution", f"{entry.resolution:.2f} Å"),
        ("Organism", entry.organism),
        ("EMDB", f'<a href="https://www.ebi.ac.uk/emdb/EMD-{entry.number}">EMD-{entry.number}</a>'),
        (
            "Download",
            " ".join(
                f'<a href="https://files.rcsb.org/download/{code}.{end}">{code}.{end}</a>' for end in ("cif", "pdb")
            ),
        ),
    )
    return _entry(f"https://www.rcsb.org/structure/{code}", f"RCSB PDB - {code}", code, entry.title, facts)


def uniprot_page(accession: str, name: str, gene: str, organism: str, length: int) -> Page:
    """A UniProtKB entry."""
    facts = (
        ("Protein", name),
        ("Gene", gene),
        ("Status", "UniProtKB reviewed (Swiss-Prot)"),
        ("Organism", organism),
        ("Amino acids", str(length)),
        ("Sequence", f'<a href="https://rest.uniprot.org/uniprotkb/{accession}.fasta">FASTA</a>'),
    )
    url = f"https://www.uniprot.org/uniprotkb/{accession}"
    return _entry(url, f"{accession} | UniProtKB | UniProt", accession, name, facts)


def ena_page(accession: str, title: str, organism: str, runs: int, instrument: str) -> Page:
    """A project in the European Nucleotide Archive."""
    report = f"https://www.ebi.ac.uk/ena/portal/api/filereport?accession={accession}&amp;result=read_run"
    facts = (
        ("Organism", organism),
        ("Instrument", instrument),
        ("Runs", str(runs)),
        ("Library strategy", "WGS"),
        ("Read files", f'<a href="{report}">report</a>'),
    )
    return _entry(
        f"https://www.ebi.ac.uk/ena/browser/view/{accession}", f"Project: {accession}", accession, title, facts
    )


def _entry(url: str, window: str, accession: str, title: str, facts: Sequence[tuple[str, str]]) -> Page:
    """A page with a title and a table of facts, whose values may hold links."""
    rows = "\n".join(f'<tr><th scope="row">{name}</th><td>{value}</td></tr>' for name, value in facts)
    body = (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{window}</title></head>\n'
        f"<body><main><h1>{accession}</h1>\n<h2>{html.escape(title)}</h2>\n"
        f"<table>\n{rows}\n</table>\n</main></body></html>\n"
    )
    return Page(url, body=body.encode())
