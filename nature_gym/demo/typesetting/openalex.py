"""What OpenAlex and Europe PMC tell of a paper, in the shapes of their answers."""

from __future__ import annotations

import datetime as dt
import hashlib
from typing import Any

from nature_gym.demo.inline import plain
from nature_gym.demo.model import Author, Paper
from nature_gym.demo.typesetting import edition
from nature_gym.demo.typesetting.topics import topics

_OA_WITH_PDF = frozenset({"gold", "hybrid", "bronze"})
_COUNTRIES = {
    "Norway": "NO", "UK": "GB", "Spain": "ES", "South Korea": "KR", "France": "FR", "Germany": "DE", "Japan": "JP",
    "USA": "US",
}  # fmt: skip


def work(paper: Paper, *, full: bool = True) -> dict[str, Any]:
    """OpenAlex's record of the paper; without ``full``, only the fields that a harvest reads."""
    retracted = paper.retracted and paper.indexing.knows_retraction
    title = paper.indexing.title or plain(paper.title)
    if retracted and not title.startswith("RETRACTED"):
        title = f"RETRACTED ARTICLE: {title}"
    number = _number(paper.suffix)
    location = _location(paper)
    found = topics(paper)
    record: dict[str, Any] = {
        "id": _address(paper.openalex_id),
        "doi": _doi(paper),
        "title": title,
        "display_name": title,
        "publication_year": paper.published.year,
        "publication_date": paper.published.isoformat(),
        "ids": _identifiers(paper, number),
        "language": "en",
        "primary_location": location,
        "type": paper.openalex_type,
        "open_access": _open_access(paper),
        "authorships": _authorships(paper),
        "cited_by_count": number % 173,
        "is_retracted": retracted,
        "primary_topic": found[0],
        "topics": found,
        "best_oa_location": _best_location(paper, location),
        "abstract_inverted_index": inverted(plain(paper.abstract)) if paper.indexing.has_abstract else {},
        "updated_date": _updated(paper, number),
        "created_date": (paper.published + dt.timedelta(days=3)).isoformat(),
    }
    return record | _rest(paper, number, location) if full else record


def inverted(text: str) -> dict[str, list[int]] | None:
    """An abstract as OpenAlex keeps it: each word with its places; ``None`` where there is none.

    >>> inverted("to be or not to be")
    {'to': [0, 4], 'be': [1, 5], 'or': [2], 'not': [3]}
    """
    places: dict[str, list[int]] = {}
    for place, word in enumerate(text.split()):
        places.setdefault(word, []).append(place)
    return places or None


def europepmc_result(paper: Paper) -> dict[str, Any]:
    """The paper's entry in the answer to a search at Europe PMC."""
    place = edition.edition(paper)
    number = _number(paper.suffix)
    is_open = paper.oa_status in {"gold", "hybrid"} and paper.pmcid is not None
    record: dict[str, Any] = {
        "id": _pmid(number),
        "source": "MED",
        "pmid": _pmid(number),
        "doi": paper.doi,
        "title": plain(paper.title).rstrip(".") + ".",
        "authorString": ", ".join(f"{author.family} {author.given[0]}" for author in paper.authors) + ".",
        "journalTitle": paper.venue.abbreviation.replace(".", ""),
        "issue": str(place.issue),
        "journalVolume": str(place.volume),
        "pubYear": str(paper.published.year),
        "journalIssn": paper.venue.issn_l,
        "pageInfo": place.pages.replace("–", "-"),
        "pubType": "journal article",
        "isOpenAccess": "Y" if is_open else "N",
        "inEPMC": "Y" if paper.pmcid else "N",
        "inPMC": "Y" if paper.pmcid else "N",
        "hasPDF": "Y" if paper.pmcid else "N",
        "hasBook": "N",
        "hasSuppl": "N",
        "citedByCount": number % 173,
        "hasReferences": "Y" if paper.references else "N",
        "hasTextMinedTerms": "Y",
        "hasDbCrossReferences": "N",
        "hasLabsLinks": "Y",
        "hasTMAccessionNumbers": "N",
        "firstIndexDate": (paper.published + dt.timedelta(days=2)).isoformat(),
        "firstPublicationDate": paper.published.isoformat(),
    }
    if paper.pmcid:
        record["pmcid"] = paper.pmcid
        record["fullTextIdList"] = {"fullTextId": [paper.pmcid]}
    return record


# -- parts of a work ---------------------------------------------------------------


def _address(identifier: str) -> str:
    return f"https://openalex.org/{identifier}"


def _number(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest()[:12], 16)


def _pmid(number: int) -> str:
    return str(90_000_000 + number % 9_000_000)


def _updated(paper: Paper, number: int) -> str:
    """Some weeks or months after publication, never later than a year, unless the paper says otherwise."""
    day = paper.indexing.updated or paper.published + dt.timedelta(days=10 + number % 350)
    return f"{day}T{number % 24:02d}:{number % 60:02d}:17.{number % 10**6:06d}"


def _doi(paper: Paper) -> str | None:
    return f"https://doi.org/{paper.doi}" if paper.indexing.knows_doi else None


def _identifiers(paper: Paper, number: int) -> dict[str, str]:
    found = {"openalex": _address(paper.openalex_id)}
    if doi := _doi(paper):
        found["doi"] = doi
    found["pmid"] = f"https://pubmed.ncbi.nlm.nih.gov/{_pmid(number)}"
    if paper.pmcid:
        found["pmcid"] = f"https://www.ncbi.nlm.nih.gov/pmc/articles/{paper.pmcid.removeprefix('PMC')}"
    return found


def _pdf_url(paper: Paper) -> str | None:
    return f"{paper.url}.pdf" if paper.oa_status in _OA_WITH_PDF and "pdf" in paper.formats else None


def _location(paper: Paper) -> dict[str, Any]:
    """The publisher's own copy."""
    return {
        "id": f"doi:{paper.doi}" if paper.indexing.knows_doi else f"pmid:{_pmid(_number(paper.suffix))}",
        "is_oa": paper.oa_status in _OA_WITH_PDF,
        "landing_page_url": _doi(paper) or paper.url,
        "pdf_url": _pdf_url(paper),
        "source": {
            "id": _address(paper.venue.source_id),
            "display_name": paper.venue.name,
            "issn_l": paper.venue.issn_l,
            "issn": [paper.venue.issn_l],
            "is_oa": paper.venue.suffix_code == "s41467",
            "is_in_doaj": paper.venue.suffix_code == "s41467",
            "is_core": True,
            "host_organization": "https://openalex.org/P900000001",
            "host_organization_name": "Nature Portfolio",
            "host_organization_lineage": ["https://openalex.org/P900000001"],
            "host_organization_lineage_names": ["Nature Portfolio"],
            "type": "journal",
        },
        "license": paper.licence if paper.oa_status in _OA_WITH_PDF else None,
        "license_id": f"https://openalex.org/licenses/{paper.licence}"
        if paper.licence and paper.oa_status in _OA_WITH_PDF
        else None,
        "version": "publishedVersion",
        "is_accepted": True,
        "is_published": True,
        "raw_source_name": paper.venue.name,
        "raw_type": "journal-article",
    }


def _repository_location(paper: Paper) -> dict[str, Any]:
    """The copy in PubMed Central, or in an invented university's repository."""
    in_pmc = paper.pmcid is not None
    page = (
        f"https://www.ncbi.nlm.nih.gov/pmc/articles/{str(paper.pmcid).removeprefix('PMC')}"
        if in_pmc
        else f"https://repository.example.edu/records/{paper.suffix}"
    )
    return {
        "id": f"pmh:oai:{'pubmedcentral.nih.gov' if in_pmc else 'repository.example.edu'}:{paper.suffix}",
        "is_oa": True,
        "landing_page_url": page,
        "pdf_url": None,
        "source": {
            "id": "https://openalex.org/S900000101" if in_pmc else "https://openalex.org/S900000102",
            "display_name": "PubMed Central" if in_pmc else "Institutional Repository of Norvale",
            "issn_l": None,
            "issn": None,
            "is_oa": True,
            "is_in_doaj": False,
            "is_core": False,
            "host_organization": None,
            "host_organization_name": None,
            "host_organization_lineage": [],
            "host_organization_lineage_names": [],
            "type": "repository",
        },
        "license": None,
        "license_id": None,
        "version": "acceptedVersion",
        "is_accepted": True,
        "is_published": False,
        "raw_source_name": None,
        "raw_type": "Text",
    }


def _best_location(paper: Paper, location: dict[str, Any]) -> dict[str, Any] | None:
    if paper.oa_status in _OA_WITH_PDF:
        return location
    return _repository_location(paper) if paper.oa_status == "green" else None


def _open_access(paper: Paper) -> dict[str, Any]:
    url = _pdf_url(paper) or (paper.url if paper.oa_status in _OA_WITH_PDF else None)
    if paper.oa_status == "green":
        url = _repository_location(paper)["landing_page_url"]
    return {
        "is_oa": paper.oa_status != "closed",
        "oa_status": paper.oa_status,
        "oa_url": url,
        "any_repository_has_fulltext": paper.oa_status == "green" or paper.pmcid is not None,
    }


def _authorships(paper: Paper) -> list[dict[str, Any]]:
    last = len(paper.authors) - 1
    return [
        {
            "author_position": "first" if index == 0 else "last" if index == last else "middle",
            "author": {
                "id": _address(f"A{_number(f'{author.given} {author.family}') % 10**10}"),
                "display_name": f"{author.given} {author.family}",
                "orcid": edition.orcid(author) if index % 2 == 0 else None,
            },
            "institutions": [_institution(author)],
            "countries": [_country(author)],
            "is_corresponding": author.corresponding,
            "raw_author_name": f"{author.given} {author.family}",
            "raw_affiliation_strings": [author.affiliation],
            "affiliations": [
                {"raw_affiliation_string": author.affiliation, "institution_ids": [_institution(author)["id"]]}
            ],
        }
        for index, author in enumerate(paper.authors)
    ]


def _institution(author: Author) -> dict[str, Any]:
    parts = author.affiliation.split(", ")
    name = parts[1] if len(parts) > 2 else parts[0]
    identifier = _address(f"I{_number(name) % 10**9}")
    return {
        "id": identifier,
        "display_name": name,
        "ror": None,
        "country_code": _country(author),
        "type": "education",
        "lineage": [identifier],
    }


def _country(author: Author) -> str:
    return _COUNTRIES.get(author.affiliation.rsplit(", ", 1)[-1], "NO")


def _rest(paper: Paper, number: int, location: dict[str, Any]) -> dict[str, Any]:
    """Fields that a whole record has and a harvest does not read."""
    place = edition.edition(paper)
    locations = [location]
    if paper.pmcid or paper.oa_status == "green":
        locations.append(_repository_location(paper))
    cited = [_address(f"W{_number(reference.title) % 10**10}") for reference in paper.references]
    corresponding = [entry for entry in _authorships(paper) if entry["is_corresponding"]]
    return {
        "indexed_in": ["crossref", "pubmed"],
        "institutions_distinct_count": len(edition.affiliations(paper)),
        "countries_distinct_count": len({_country(author) for author in paper.authors}),
        "corresponding_author_ids": [entry["author"]["id"] for entry in corresponding],
        "corresponding_institution_ids": [entry["institutions"][0]["id"] for entry in corresponding],
        "apc_list": None,
        "apc_paid": None,
        "fwci": None,
        "has_fulltext": bool(paper.formats),
        "citation_normalized_percentile": None,
        "cited_by_percentile_year": None,
        "biblio": {
            "volume": str(place.volume),
            "issue": str(place.issue),
            "first_page": str(place.article_number or place.first_page),
            "last_page": str(place.article_number or place.last_page),
        },
        "is_paratext": False,
        "is_xpac": False,
        "keywords": [
            {
                "id": _address(f"keywords/{subject.lower().replace(' ', '-')}"),
                "display_name": subject,
                "score": round(0.4 + _number(subject) % 600 / 1000, 3),
            }
            for subject in paper.subjects
        ],
        "concepts": [],
        "mesh": [],
        "locations_count": len(locations),
        "locations": locations,
        "sustainable_development_goals": [],
        "awards": [],
        "funders": [],
        "has_content": {"pdf": "pdf" in paper.formats, "grobid_xml": False},
        "referenced_works_count": len(cited),
        "referenced_works": cited,
        "related_works": [_address(f"W{(number + step) % 10**10}") for step in (11, 101)],
        "counts_by_year": [{"year": paper.published.year + 1, "cited_by_count": number % 173}],
    }
