"""What a page of the publisher says of its paper to machines: ``meta`` elements and JSON-LD."""

from __future__ import annotations

from nature_gym.demo.inline import plain
from nature_gym.demo.model import Author, Paper
from nature_gym.demo.typesetting import edition
from nature_gym.demo.typesetting.html_text import figure_address

LICENCES = {
    "cc-by": ("Attribution", "https://creativecommons.org/licenses/by/4.0/"),
    "cc-by-nc": ("Attribution-NonCommercial", "https://creativecommons.org/licenses/by-nc/4.0/"),
    "cc-by-nc-nd": ("Attribution-NonCommercial-NoDerivatives", "https://creativecommons.org/licenses/by-nc-nd/4.0/"),
}
"""Licence -> its name and address."""


def new_meta(paper: Paper) -> list[tuple[str, str]]:
    """The new design's ``meta`` elements."""
    place = edition.edition(paper)
    title = plain(paper.title)
    found = [
        ("journal_id", paper.venue.suffix_code.lstrip("s")),
        ("dc.title", title),
        ("dc.source", f"{paper.venue.name} {paper.published.year} {place.volume}:{place.issue}"),
        ("dc.format", "text/html"),
        ("dc.publisher", "Nature Publishing Group"),
        ("dc.date", paper.published.isoformat()),
        ("dc.type", "OriginalPaper"),
        ("dc.language", "En"),
        ("dc.copyright", f"{paper.published.year} The Author(s)"),
        ("dc.description", plain(paper.abstract)),
        ("prism.issn", paper.venue.issn_l),
        ("prism.publicationName", paper.venue.name),
        ("prism.publicationDate", paper.published.isoformat()),
        ("prism.volume", str(place.volume)),
        ("prism.number", str(place.issue)),
        ("prism.section", "OriginalPaper"),
        ("prism.startingPage", str(place.article_number or place.first_page)),
        ("prism.endingPage", "" if place.article_number else str(place.last_page)),
        ("prism.url", paper.url),
        ("prism.doi", f"doi:{paper.doi}"),
        ("citation_pdf_url", f"{paper.url}.pdf"),
        ("citation_fulltext_html_url", paper.url),
        ("citation_journal_title", paper.venue.name),
        ("citation_journal_abbrev", paper.venue.abbreviation.replace(".", "")),
        ("citation_publisher", "Nature Publishing Group"),
        ("citation_issn", paper.venue.issn_l),
        ("citation_title", title),
        ("citation_volume", str(place.volume)),
        ("citation_issue", str(place.issue)),
        ("citation_online_date", f"{paper.published:%Y/%m/%d}"),
        ("citation_firstpage", str(place.article_number or place.first_page)),
        ("citation_lastpage", "" if place.article_number else str(place.last_page)),
        ("citation_article_type", paper.article_type),
        ("citation_fulltext_world_readable", ""),
        ("citation_language", "en"),
        ("dc.identifier", f"doi:{paper.doi}"),
        ("DOI", paper.doi),
        ("citation_doi", paper.doi),
        ("description", plain(paper.abstract)),
    ]
    found += [("dc.creator", f"{author.family}, {author.given}") for author in paper.authors]
    found += [("dc.subject", subject) for subject in paper.subjects]
    for reference in paper.references:
        listed = {"citation_journal_title": reference.source, "citation_title": plain(reference.title)}
        listed |= {"citation_author": reference.authors, "citation_publication_date": str(reference.year)}
        listed |= {"citation_doi": reference.doi} if reference.doi else {}
        found.append(("citation_reference", "; ".join(f"{name}={value}" for name, value in listed.items())))
    for author in paper.authors:
        found += [
            ("citation_author", f"{author.family}, {author.given}"),
            ("citation_author_institution", author.affiliation),
        ]
    return found


def old_meta(paper: Paper) -> list[tuple[str, str]]:
    """The old design's ``meta`` elements, which say the article's type only as its section."""
    place = edition.edition(paper)
    title, year = plain(paper.title), paper.published.year
    found = [
        ("keywords", ""),
        ("description", plain(paper.abstract)),
        ("robots", "noarchive"),
        ("access", "Yes"),
        ("DC.publisher", "Nature Publishing Group"),
        ("DC.language", "en"),
        ("DC.rights", f"© {year} The Author(s)"),
        ("DC.title", title),
        ("DC.identifier", f"doi:{paper.doi}"),
        ("DC.date", paper.published.isoformat()),
        ("prism.copyright", f"© {year} The Author(s)"),
        ("prism.publicationDate", paper.published.isoformat()),
        ("prism.volume", str(place.volume)),
        ("prism.issue", ""),
        ("prism.section", paper.article_type),
        ("prism.publicationName", paper.venue.name),
        ("prism.issn", ""),
        ("prism.eIssn", paper.venue.issn_l),
        ("citation_publisher", "Nature Publishing Group"),
        ("citation_title", title),
        ("citation_date", paper.published.isoformat()),
        ("citation_volume", str(place.volume)),
        ("citation_firstpage", str(place.article_number or place.first_page)),
        ("citation_doi", f"doi:{paper.doi}"),
        ("citation_journal_title", paper.venue.name),
        ("citation_pdf_url", f"{paper.url}.pdf"),
        ("citation_fulltext_html_url", paper.url),
    ]
    found += [("DC.creator", full_name(author)) for author in paper.authors]
    found += [("citation_author", full_name(author)) for author in paper.authors]
    return found


def linked_data(paper: Paper) -> dict[str, object]:
    """The schema.org description of the article."""
    place = edition.edition(paper)
    entity: dict[str, object] = {
        "headline": plain(paper.title),
        "description": plain(paper.abstract),
        "datePublished": f"{paper.published}T00:00:00Z",
        "dateModified": f"{paper.published}T00:00:00Z",
        "pageStart": str(place.article_number or place.first_page),
        "sameAs": f"https://doi.org/{paper.doi}",
        "keywords": list(paper.subjects),
        "image": [f"https://www.nature.com{figure_address(paper, figure.number)}" for figure in paper.figures],
        "isPartOf": {
            "name": paper.venue.name,
            "issn": [paper.venue.issn_l],
            "volumeNumber": str(place.volume),
            "@type": ["Periodical", "PublicationVolume"],
        },
        "publisher": {"name": "Nature Publishing Group UK", "@type": "Organization"},
        "author": [
            {
                "name": full_name(author),
                "affiliation": [{"name": author.affiliation, "@type": "Organization"}],
                "@type": "Person",
            }
            for author in paper.authors
        ],
        "isAccessibleForFree": paper.oa_status != "closed",
        "@type": "ScholarlyArticle",
    }
    if paper.licence in LICENCES:
        entity["license"] = LICENCES[paper.licence][1]
    return {"mainEntity": entity, "@context": "https://schema.org", "@type": "WebPage"}


def full_name(author: Author) -> str:
    """Given name first."""
    return f"{author.given} {author.family}"
