"""What is known of hosts, DOI prefixes and accessions: tables that links are looked up in.

``either`` stands for hosts that keep code and data alike; what is said beside a link then decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Holding = Literal["code", "data", "either", "reference", "other", "unknown"]

HOSTS: dict[str, Holding] = {
    # code
    "github.com": "code", "gist.github.com": "code", "raw.githubusercontent.com": "code",
    "gitlab.com": "code", "bitbucket.org": "code", "codeocean.com": "code", "sourceforge.net": "code",
    "codeberg.org": "code", "gitee.com": "code", "cran.r-project.org": "code",
    "bioconductor.org": "code", "anaconda.org": "code", "hub.docker.com": "code", "colab.research.google.com": "code",
    "savannah.gnu.org": "code", "pypi.org": "code",
    "npmjs.com": "code", "crates.io": "code", "nanohub.org": "code", "modelscope.cn": "either",
    # code and data
    "zenodo.org": "either", "figshare.com": "either", "osf.io": "either", "huggingface.co": "either",
    "drive.google.com": "either", "docs.google.com": "either", "dropbox.com": "either", "onedrive.live.com": "either",
    "1drv.ms": "either", "sharepoint.com": "either", "box.com": "either", "pan.baidu.com": "either",
    "mega.nz": "either", "mega.co.nz": "either", "wetransfer.com": "either", "archive.org": "either",
    "softwareheritage.org": "code", "gin.g-node.org": "either", "amazonaws.com": "either",
    "storage.googleapis.com": "either", "cloud.google.com": "either", "icloud.com": "either", "nextcloud.com": "either",
    "ieee-dataport.org": "data", "scidb.cn": "data", "figshare.org": "either", "dataverse.org": "data",
    # data
    "datadryad.org": "data", "dryad.org": "data", "data.mendeley.com": "data", "dataverse.harvard.edu": "data",
    "physionet.org": "data", "kaggle.com": "data", "openneuro.org": "data", "synapse.org": "data",
    "rcsb.org": "data", "wwpdb.org": "data", "pdbe.org": "data", "emdataresource.org": "data", "uniprot.org": "data",
    "ega-archive.org": "data", "proteomexchange.org": "data", "massive.ucsd.edu": "data", "ngdc.cncb.ac.cn": "data",
    "bigd.big.ac.cn": "data", "db.cngb.org": "data", "ukbiobank.ac.uk": "data", "adni.loni.usc.edu": "data",
    "ida.loni.usc.edu": "data", "cancerimagingarchive.net": "data", "portal.gdc.cancer.gov": "data",
    "cbioportal.org": "data", "humancellatlas.org": "data", "cellxgene.cziscience.com": "data",
    "opendatalab.com": "data", "image-net.org": "data", "data.gov": "data", "pangaea.de": "data",
    "materialsproject.org": "data", "materialscloud.org": "data", "nomad-lab.eu": "data", "oqmd.org": "data",
    "ccdc.cam.ac.uk": "data", "crystallography.net": "data", "cds.climate.copernicus.eu": "data",
    "copernicus.eu": "data", "earthdata.nasa.gov": "data", "noaa.gov": "data", "usgs.gov": "data", "ecmwf.int": "data",
    "archive.ics.uci.edu": "data", "openml.org": "data", "moleculenet.org": "data", "quantum-machine.org": "data",
    "sgdp.org": "data", "gtexportal.org": "data", "encodeproject.org": "data", "1000genomes.org": "data",
    "ensembl.org": "data", "genome.ucsc.edu": "data", "bmrb.io": "data", "metabolomicsworkbench.org": "data",
    "allofus.nih.gov": "data", "icpsr.umich.edu": "data", "ukdataservice.ac.uk": "data", "data.4tu.nl": "data",
    "4tu.nl": "data", "easy.dans.knaw.nl": "data", "b2share.eudat.eu": "data", "radar-service.eu": "data",
    "dataon.kisti.re.kr": "data", "climatedataguide.ucar.edu": "data", "idr.openmicroscopy.org": "data",
    "brain-map.org": "data", "dandiarchive.org": "data", "crcns.org": "data", "humanconnectome.org": "data",
    # literature
    "arxiv.org": "reference", "biorxiv.org": "reference", "medrxiv.org": "reference", "chemrxiv.org": "reference",
    "pubmed.ncbi.nlm.nih.gov": "reference", "europepmc.org": "reference", "semanticscholar.org": "reference",
    "openreview.net": "reference", "aclanthology.org": "reference", "proceedings.mlr.press": "reference",
    "papers.nips.cc": "reference", "proceedings.neurips.cc": "reference", "openaccess.thecvf.com": "reference",
    "sciencedirect.com": "reference", "link.springer.com": "reference", "onlinelibrary.wiley.com": "reference",
    "ieeexplore.ieee.org": "reference", "dl.acm.org": "reference", "jstor.org": "reference", "science.org": "reference",
    "sciencemag.org": "reference", "cell.com": "reference", "pnas.org": "reference", "academic.oup.com": "reference",
    "journals.plos.org": "reference", "plos.org": "reference", "frontiersin.org": "reference", "mdpi.com": "reference",
    "acs.org": "reference", "rsc.org": "reference", "aps.org": "reference", "iop.org": "reference",
    "springernature.com": "other", "nature.com": "reference", "ssrn.com": "reference", "researchgate.net": "reference",
    "protocols.io": "other", "worldcat.org": "reference", "jmlr.org": "reference",
    # tools, their makers and their pages: what is used, not what a paper gives
    "python.org": "other", "scipy.org": "other", "numpy.org": "other", "pydata.org": "other", "matplotlib.org": "other",
    "scikit-learn.org": "other", "pytorch.org": "other", "tensorflow.org": "other", "keras.io": "other",
    "jupyter.org": "other", "anaconda.com": "other", "r-project.org": "other", "rstudio.com": "other",
    "posit.co": "other", "tidyverse.org": "other", "julialang.org": "other", "git-scm.com": "other",
    "mathworks.com": "other", "wolfram.com": "other", "originlab.com": "other", "graphpad.com": "other",
    "ibm.com": "other", "sas.com": "other", "stata.com": "other", "adobe.com": "other", "softonic.com": "other",
    "microsoft.com": "other", "apple.com": "other", "nvidia.com": "other", "intel.com": "other", "docker.com": "other",
    "openai.com": "other", "anthropic.com": "other", "deepmind.com": "other", "research.google.com": "other",
    "wandb.ai": "other", "paperswithcode.com": "other", "arcgis.com": "other", "esri.com": "other", "qgis.org": "other",
    "imagej.net": "other", "imagej.org": "other", "imagej.nih.gov": "other", "rsbweb.nih.gov": "other",
    "fiji.sc": "other", "napari.org": "other", "cellprofiler.org": "other", "bitplane.com": "other",
    "fsl.fmrib.ox.ac.uk": "other", "fmrib.ox.ac.uk": "other", "fil.ion.ucl.ac.uk": "other",
    "afni.nimh.nih.gov": "other", "freesurfer.net": "other", "surfer.nmr.mgh.harvard.edu": "other",
    "nipy.org": "other", "chronux.org": "other", "neuron.yale.edu": "other", "gaussian.com": "other",
    "schrodinger.com": "other", "vasp.at": "other", "quantum-espresso.org": "other", "lammps.org": "other",
    "gromacs.org": "other", "ambermd.org": "other", "pymol.org": "other", "openmm.org": "other", "rdkit.org": "other",
    "cgl.ucsf.edu": "other", "comsol.com": "other", "ansys.com": "other", "gurobi.com": "other",
    "thermofisher.com": "other", "illumina.com": "other", "10xgenomics.com": "other", "zeiss.com": "other",
    "leica-microsystems.com": "other", "nikon.com": "other", "sigmaaldrich.com": "other", "abcam.com": "other",
    "jax.org": "other", "addgene.org": "other", "antibodyregistry.org": "other", "scicrunch.org": "other",
    # neither
    "creativecommons.org": "other", "orcid.org": "other", "twitter.com": "other", "x.com": "other",
    "facebook.com": "other", "linkedin.com": "other", "youtube.com": "other", "wikipedia.org": "other",
    "opensource.org": "other", "gnu.org": "other", "apache.org": "other", "w3.org": "other",
    "clinicaltrials.gov": "other", "crossmark.crossref.org": "other", "s100.copyright.com": "other",
    "biorender.com": "other", "springer.com": "other", "scholar.google.com": "other", "adsabs.harvard.edu": "other",
}  # fmt: skip
"""Host (with all its subdomains, unless they stand here themselves) -> what it holds."""

PATHS: tuple[tuple[str, str, Holding], ...] = (
    ("huggingface.co", "/datasets/", "data"),
    ("huggingface.co", "/spaces/", "code"),
    ("huggingface.co", "/docs", "other"),
    ("huggingface.co", "/papers/", "reference"),
    ("kaggle.com", "/code/", "code"),
    ("mathworks.com", "/matlabcentral/fileexchange", "code"),
    ("hub.arcgis.com", "/", "data"),
    ("10xgenomics.com", "/datasets", "data"),
    ("10xgenomics.com", "/resources/datasets", "data"),
    ("nature.com", "/articles/", "reference"),
    ("nature.com", "/doifinder/", "reference"),
    ("nature.com", "/", "other"),
    ("ebi.ac.uk", "/Tools", "other"),
    ("ebi.ac.uk", "/about", "other"),
    ("research.google.com", "/drive/", "code"),
    ("ncbi.nlm.nih.gov", "/geo", "data"),
    ("ncbi.nlm.nih.gov", "/sra", "data"),
    ("ncbi.nlm.nih.gov", "/bioproject", "data"),
    ("ncbi.nlm.nih.gov", "/projects/gap", "data"),
    ("ncbi.nlm.nih.gov", "/gap", "data"),
    ("ncbi.nlm.nih.gov", "/nuccore", "data"),
    ("ncbi.nlm.nih.gov", "/genbank", "data"),
    ("ncbi.nlm.nih.gov", "/pmc", "reference"),
    ("ncbi.nlm.nih.gov", "/pubmed", "reference"),
    ("ebi.ac.uk", "/europepmc", "reference"),
    ("ebi.ac.uk", "/", "data"),
    ("proteinatlas.org", "/", "data"),
)
"""Hosts that hold different things below different paths."""

_BY_PATH: dict[str, list[tuple[str, Holding]]] = {}
for _host, _start, _kind in PATHS:
    _BY_PATH.setdefault(_host, []).append((_start, _kind))

DOI_HOSTS: tuple[tuple[str, str], ...] = (
    ("10.5281/zenodo.", "zenodo.org"),
    ("10.6084/m9.figshare.", "figshare.com"),
    ("10.25446/oxford", "figshare.com"),
    ("10.5061/dryad", "datadryad.org"),
    ("10.17632/", "data.mendeley.com"),
    ("10.7910/dvn", "dataverse.harvard.edu"),
    ("10.17605/osf.io", "osf.io"),
    ("10.24433/co", "codeocean.com"),
    ("10.57967/hf", "huggingface.co"),
    ("10.13026/", "physionet.org"),
    ("10.7303/syn", "synapse.org"),
    ("10.18112/openneuro", "openneuro.org"),
    ("10.12751/g-node", "gin.g-node.org"),
    ("10.4121/", "data.4tu.nl"),
    ("10.1594/pangaea", "pangaea.de"),
    ("10.24432/c", "archive.ics.uci.edu"),
    ("10.21227/", "ieee-dataport.org"),
    ("10.57760/sciencedb", "scidb.cn"),
    ("10.11922/sciencedb", "scidb.cn"),
    ("10.24435/materialscloud", "materialscloud.org"),
    ("10.17188/", "materialsproject.org"),
    ("10.2210/pdb", "rcsb.org"),
    ("10.7937/", "cancerimagingarchive.net"),
    ("10.48550/arxiv", "arxiv.org"),
    ("10.1101/", "biorxiv.org"),
    ("10.26434/chemrxiv", "chemrxiv.org"),
    ("10.34740/kaggle", "kaggle.com"),
    ("10.22002/", "data.caltech.edu"),
    ("10.5067/", "earthdata.nasa.gov"),
    ("10.24381/cds", "cds.climate.copernicus.eu"),
    ("10.6073/pasta", "edirepository.org"),
    ("10.15468/", "gbif.org"),
    ("10.3886/icpsr", "icpsr.umich.edu"),
    ("10.26037/yareta", "yareta.unige.ch"),
    ("10.11588/data", "heidata.uni-heidelberg.de"),
    ("10.14454/", "datacite.org"),
)
"""Prefix of a DOI -> the host of what it names."""

_BY_REGISTRANT: dict[str, list[tuple[str, str]]] = {}
for _prefix, _host in DOI_HOSTS:
    _BY_REGISTRANT.setdefault(_prefix.partition("/")[0], []).append((_prefix, _host))

LITERATURE_DOI = re.compile(
    r"10\.(?:1038|1126|1016|1073|1103|1021|1039|1002|1007|1093|1109|1145|1186|1371|3389|3390|1088|1063|1080|1111|1162|"
    r"1056|1001|1161|1200|1242|7554|12688|1101|48550|26434|1146|1089|1175|1177|1091|1017|2307)/",
    re.IGNORECASE,
)
"""DOIs of journals and proceedings."""


@dataclass(frozen=True, slots=True)
class Accession:
    """A repository that names its records by accessions.

    ``page`` is the address of a record, with ``{}`` for the accession. ``hints`` are how its accessions begin; where
    these could be anything, ``context`` must be in the same sentence, and ``hints`` are parts of that.
    """

    host: str
    pattern: re.Pattern[str]
    plain: re.Pattern[bytes]
    """The same, in any surroundings."""
    page: str
    hints: tuple[str, ...]
    context: re.Pattern[str] | None = None

    def may_be_in(self, little: bytes) -> bool:
        """Whether what a text has beside small letters may have an accession."""
        return bool(self.plain.search(little)) or not all(map(str.isupper, self.hints))

    def is_in(self, text: str) -> bool:
        """Whether a text has an accession, where no context is needed."""
        return any(self.pattern.match(text, at) for at in self.places(text))

    def places(self, text: str) -> Iterator[int]:
        """Where the hints occur."""
        for hint in self.hints:
            at = text.find(hint)
            while at >= 0:
                yield at
                at = text.find(hint, at + 1)


def _accession(pattern: str, page: str, hints: str, context: str | None = None) -> Accession:
    host = page.split("/")[2].removeprefix("www.")
    bounded = re.compile(rf"(?<![\w.-])(?:{pattern})(?!\w|-\d)")
    plain = re.compile(pattern.encode())
    return Accession(host, bounded, plain, page, tuple(hints.split()), re.compile(context) if context else None)


_NCBI = "https://www.ncbi.nlm.nih.gov"
_ENA = "https://www.ebi.ac.uk/ena/browser/view/{}"
_BIOSTUDIES = "https://www.ebi.ac.uk/biostudies"
_EXPRESS = f"{_BIOSTUDIES}/arrayexpress/studies"
ACCESSIONS: tuple[Accession, ...] = (
    _accession(r"GSE\d{2,7}", f"{_NCBI}/geo/query/acc.cgi?acc={{}}", "GSE"),
    _accession(r"GSM\d{4,9}", f"{_NCBI}/geo/query/acc.cgi?acc={{}}", "GSM"),
    _accession(r"PRJNA\d{3,9}", f"{_NCBI}/bioproject/{{}}", "PRJNA"),
    _accession(r"PRJ(?:EB|DB)\d{3,9}", _ENA, "PRJEB PRJDB"),
    _accession(r"SR[PRXSA]\d{5,9}", f"{_NCBI}/sra/{{}}", "SRP SRR SRX SRS SRA"),
    _accession(r"[ED]R[PRXSA]\d{5,9}", _ENA, "ERP ERR ERX ERS ERA DRP DRR DRX DRS DRA"),
    _accession(r"SAM(?:N|EA|D)\d{6,12}", f"{_NCBI}/biosample/{{}}", "SAMN SAMEA SAMD"),
    _accession(r"E-(?:MTAB|GEOD|MEXP|PROT|CURD|HCAD)-\d{1,7}", f"{_EXPRESS}/{{}}", "E-"),
    _accession(r"S-(?:BSST|BIAD|BIAS|SCDT)\d{1,7}", f"{_BIOSTUDIES}/studies/{{}}", "S-B S-S"),
    _accession(r"EMD-\d{4,5}", "https://www.ebi.ac.uk/emdb/{}", "EMD"),
    _accession(r"EMPIAR-\d{5}", "https://www.ebi.ac.uk/empiar/{}", "EMPIAR"),
    _accession(r"PXD\d{6}", "https://www.ebi.ac.uk/pride/archive/projects/{}", "PXD"),
    _accession(r"MTBLS\d{1,6}", "https://www.ebi.ac.uk/metabolights/{}", "MTBLS"),
    _accession(r"MSV\d{9}", "https://massive.ucsd.edu/ProteoSAFe/dataset.jsp?accession={}", "MSV"),
    _accession(r"phs\d{6}(?:\.v\d+\.p\d+)?", f"{_NCBI}/projects/gap/cgi-bin/study.cgi?study_id={{}}", "phs"),
    _accession(r"EGAS\d{11}", "https://ega-archive.org/studies/{}", "EGAS"),
    _accession(r"EGAD\d{11}", "https://ega-archive.org/datasets/{}", "EGAD"),
    _accession(r"EGAC\d{11}", "https://ega-archive.org/dacs/{}", "EGAC"),
    _accession(r"CRA\d{6}", "https://ngdc.cncb.ac.cn/gsa/browse/{}", "CRA"),
    _accession(r"HRA\d{6}", "https://ngdc.cncb.ac.cn/gsa-human/browse/{}", "HRA"),
    _accession(r"OMIX\d{6}", "https://ngdc.cncb.ac.cn/omix/release/{}", "OMIX"),
    _accession(r"CNP\d{7}", "https://db.cngb.org/search/project/{}", "CNP"),
    _accession(r"syn\d{6,9}", "https://www.synapse.org/#!Synapse:{}", "ynapse", r"[Ss]ynapse"),
    _accession(
        r"[1-9](?=\d?[A-Z])[A-Z0-9]{3}",
        "https://www.rcsb.org/structure/{}",
        "PDB RCSB Bank bank",
        r"\bPDB\b|Protein Data ?[Bb]ank|\bRCSB\b",
    ),
    _accession(
        r"[OPQ]\d[A-Z0-9]{3}\d|[A-NR-Z]\d(?:[A-Z][A-Z0-9]{2}\d){1,2}",
        "https://www.uniprot.org/uniprotkb/{}",
        "UniProt Swiss TrEMBL",
        r"UniProt|Swiss-?Prot|TrEMBL",
    ),
    _accession(
        r"[A-Z]{2}_?\d{6,9}(?:\.\d)?|[A-Z]\d{5}(?:\.\d)?", f"{_NCBI}/nuccore/{{}}", "GenBank", r"GenBank"
    ),
)  # fmt: skip


_SMALL = bytes(range(ord("a"), ord("z") + 1)) + b" \n,."
_HINTS = [
    (
        kind,
        tuple(hint.encode() for hint in kind.hints if hint.isupper()),
        tuple((hint.encode().translate(None, _SMALL), hint.encode()) for hint in kind.hints if not hint.isupper()),
    )
    for kind in ACCESSIONS
]


def accessions_in(text: str) -> list[Accession]:
    """The kinds of accessions that ``text`` holds, and may hold where that depends on the sentence."""
    # What has no small letters stands in little of the text, and as it stands in all of it.
    whole = text.encode("utf-8", "replace")
    little = whole.translate(None, _SMALL)
    is_in_little = little.__contains__
    hinted = [
        kind
        for kind, upper, mixed in _HINTS
        if any(map(is_in_little, upper)) or any(rest in little and hint in whole for rest, hint in mixed)
    ]
    return [kind for kind in hinted if kind.context or (kind.may_be_in(little) and kind.is_in(text))]


_OF_RECORDS = frozenset({
    "github.com", "gitlab.com", "bitbucket.org", "codeocean.com", "sourceforge.net", "zenodo.org", "figshare.com",
    "osf.io", "huggingface.co", "datadryad.org", "data.mendeley.com", "kaggle.com", "pypi.org", "cran.r-project.org",
    "colab.research.google.com", "drive.google.com", "dropbox.com", "hub.docker.com",
})  # fmt: skip
"""Hosts of others' records: their front pages hold nothing."""
_RANKING = re.compile(r"leader-?board", re.IGNORECASE)


def holding(host: str, path: str) -> Holding:
    """What ``host`` holds below ``path``.

    >>> holding("github.com", "/lab/code"), holding("github.com", "/")
    ('code', 'other')
    """
    if (host in _OF_RECORDS and not path.strip("/")) or _RANKING.search(path):
        return "other"
    names = [host]
    while rest := names[-1].partition(".")[2]:
        names.append(rest)
    for name in names:
        for start, kind in _BY_PATH.get(name, ()):
            if path.startswith(start):
                return kind
    for name in names:
        if name in HOSTS:
            return HOSTS[name]
    if host.startswith(("git.", "gitlab.", "github.")):
        return "code"
    if "dataverse" in host:
        return "data"
    return "unknown"


def doi_host(doi: str) -> str:
    """The host of what a DOI names, where its prefix tells; else an empty text."""
    folded = doi.casefold()
    known = _BY_REGISTRANT.get(folded.partition("/")[0], ())
    return next((host for prefix, host in known if folded.startswith(prefix)), "")
