from __future__ import annotations

import pytest

from nature_gym.demo.miniweb import Behaviour
from tests.unit.demo.miniweb.conftest import Visitor
from tests.unit.demo.miniweb.small_world import PlainPress, paper, small_world

OPEN, CLOSED, PDF_ONLY = paper(1), small_world().papers[12], small_world().papers[13]
SEARCH = "https://www.ebi.ac.uk/europepmc/webservices/rest/search?format=json&query="


@pytest.mark.parametrize(
    ("part", "media_type", "body"),
    [
        ("", "text/html; charset=utf-8", b"<h1>Learning"),
        (".pdf", "application/pdf", b"%PDF"),
        ("/tables/1", "text/html; charset=utf-8", b"Table 1"),
        ("/figures/1", "text/html; charset=utf-8", b"Figure 1"),
        ("/figures/1.png", "image/png", b"PNG"),
        ("/figures/1.svg", "image/svg+xml", b"<svg>"),
    ],
)
def test_an_open_article_has_all_its_parts(visit: Visitor, part: str, media_type: str, body: bytes) -> None:
    answer = visit(OPEN.url + part)
    assert (answer.status_code, answer.headers["content-type"]) == (200, media_type)
    assert body in answer.content


@pytest.mark.parametrize("part", ["/tables/2", "/figures/0", "/tables/x", "/figures/1.gif", "/metrics"])
def test_a_part_that_the_article_has_not_is_a_404(visit: Visitor, part: str) -> None:
    assert visit(OPEN.url + part).status_code == 404


def test_a_closed_article_shows_its_abstract_and_where_to_sign_in(visit: Visitor, press: PlainPress) -> None:
    page = visit(CLOSED.url)
    assert page.status_code == 200
    assert "Access through your institution" in page.text
    assert "problem 12 &amp; measure it" in page.text
    assert "Text of paper" not in page.text
    for part in (".pdf", "/tables/1", "/figures/1"):
        assert visit(CLOSED.url + part).headers["location"] == CLOSED.url
    assert press.made == []


def test_an_open_article_without_a_page_offers_its_pdf(visit: Visitor) -> None:
    page = visit(PDF_ONLY.url)
    assert f"/articles/{PDF_ONLY.suffix}.pdf" in page.text
    assert "Access through" not in page.text
    assert visit(PDF_ONLY.url + ".pdf").status_code == 200


def test_a_page_that_the_client_has_is_not_sent_again(visit: Visitor, press: PlainPress) -> None:
    first = visit(OPEN.url)
    assert visit(OPEN.url, If_None_Match=first.headers["etag"]).status_code == 304
    assert visit(OPEN.url, If_None_Match=f'"other", W/{first.headers["etag"]}').status_code == 304
    assert visit(OPEN.url, If_None_Match='"other"').status_code == 200
    assert visit(OPEN.url, If_Modified_Since=first.headers["last-modified"]).status_code == 304
    assert visit(OPEN.url, If_Modified_Since="Mon, 01 Jan 2001 00:00:00 GMT").status_code == 200
    assert visit(OPEN.url, If_Modified_Since="no date").status_code == 200
    assert press.made == [f"page {OPEN.suffix}"], "rendered once, kept"


def test_robots_rules_have_a_delay_and_a_forbidden_path(visit: Visitor) -> None:
    text = visit("https://www.nature.com/robots.txt").text
    assert "Crawl-delay: 1\n" in text
    assert "Disallow: /search\n" in text


@pytest.mark.parametrize("visit", [Behaviour(robots=False)], indirect=True)
def test_robots_rules_can_be_missing(visit: Visitor) -> None:
    assert visit("https://www.nature.com/robots.txt").status_code == 404


@pytest.mark.parametrize(
    ("doi", "location"),
    [
        (OPEN.doi, OPEN.url),
        (OPEN.doi.upper(), OPEN.url),
        ("10.5281/zenodo.7000001", "https://zenodo.org/records/7000001"),
        ("10.5281/zenodo.7000000", "https://zenodo.org/records/7000000"),
        ("10.6084/m9.figshare.2100001.v1", "https://figshare.com/articles/dataset/_/2100001/1"),
    ],
)
@pytest.mark.parametrize("resolver", ["https://doi.org/", "https://dx.doi.org/"])
def test_dois_lead_to_articles_and_deposits(visit: Visitor, resolver: str, doi: str, location: str) -> None:
    answer = visit(resolver + doi)
    assert (answer.status_code, answer.headers["location"]) == (302, location)


@pytest.mark.parametrize("doi", ["10.5555/none", "10.5281/zenodo.1", "10.6084/m9.figshare.1"])
def test_an_unknown_doi_is_a_404(visit: Visitor, doi: str) -> None:
    assert visit(f"https://doi.org/{doi}").status_code == 404


def test_europe_pmc_finds_papers_with_a_pmcid_by_doi(visit: Visitor) -> None:
    answer = visit(f'{SEARCH}DOI:"{OPEN.doi}"').json()
    assert answer["hitCount"] == 1
    assert answer["resultList"]["result"][0]["pmcid"] == OPEN.pmcid
    assert visit(f'{SEARCH}DOI:"{paper(2).doi}"').json()["hitCount"] == 0


def test_europe_pmc_has_the_full_text_of_what_it_may(visit: Visitor) -> None:
    base = "https://www.ebi.ac.uk/europepmc/webservices/rest"
    answer = visit(f"{base}/{OPEN.pmcid}/fullTextXML")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/xml")
    assert visit(f"{base}/{PDF_ONLY.pmcid}/fullTextXML").status_code == 404
    assert visit(f"{base}/PMC1/fullTextXML").status_code == 404
