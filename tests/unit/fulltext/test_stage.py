"""Fetching the demo world's papers from the mini-web, and one paper from hosts that misbehave."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import orjson
import pytest

from nature_gym.config import Settings, load_settings
from nature_gym.demo.miniweb.hosts.pages import CAPTCHA
from nature_gym.fulltext.stage import FetchStage, article_url, fetchable, refetch_stage, table_numbers
from nature_gym.harvest.stage import HarvestStage
from nature_gym.harvest.works import Work
from nature_gym.records import PaperFolder, Papers
from nature_gym.stages import Result, carry_out
from tests.unit.web.conftest import Answer, Host

SUFFIX = "s42256-024-00001-1"
SITE = f"/www.nature.com/articles/{SUFFIX}"
PMC = "/www.ebi.ac.uk/europepmc/webservices/rest"
HEAD = (
    '<!DOCTYPE html><html><head><meta name="citation_title" content="A"></head><body><h1 class="c-article-title">A</h1>'
)
LINK = f'<a href="/articles/{SUFFIX}/tables/1">Full size table</a>'
HTML = {"Content-Type": "text/html"}
PAGE = Answer(headers=HTML | {"ETag": '"1"'}, body=f'{HEAD}<section data-title="Results">{LINK}</section>'.encode())
ABSTRACT = Answer(headers=HTML, body=f'{HEAD}<section data-title="Abstract">We...</section>'.encode())
ACCESS = Answer(headers=HTML, body=ABSTRACT.body + b"<h2>Access options</h2>Access through your institution")
TABLE = Answer(headers=HTML, body=b"<!DOCTYPE html><html><table><tr><td>0.9</td></tr></table></html>")
PDF = Answer(headers={"Content-Type": "application/pdf"}, body=b"%PDF-1.7 ... %%EOF")
XML = Answer(headers={"Content-Type": "application/xml"}, body=b"<?xml version='1.0'?><article/>")
ABSENT = Answer(404)


@pytest.fixture
def host() -> Iterator[Host]:
    host = Host()
    yield host
    host.close()


@pytest.fixture
def settings(host: Host) -> Settings:
    return load_settings(mirror=host.url, requests_per_second=10_000, max_wait=10, timeout=2)


@pytest.fixture(autouse=True)
def _nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)


Make = Callable[..., PaperFolder]


@pytest.fixture
def make(settings: Settings) -> Make:
    """Makes a paper as the harvest leaves it."""

    def paper(suffix: str = SUFFIX, **facts: Any) -> PaperFolder:
        facts = {"is_oa": True, "oa_status": "gold", "doi": f"10.5555/{suffix}"} | facts
        work = Work.model_validate({"id": f"10.5555_{suffix}", "openalex_id": "W1", **facts})
        folder = Papers(settings.papers)[work.id]
        assert carry_out(HarvestStage(work), folder).kind == "done"
        return folder

    return paper


def fetched(folder: PaperFolder) -> tuple[list[str], dict[str, Any]]:
    """Names of the files, and what sources.json says."""
    publication = folder.published("fetch")
    assert publication is not None
    sources = orjson.loads((publication.folder / "sources.json").read_bytes())
    return sorted(set(publication.record.outputs) - {"sources.json"}), sources


def test_the_article_page_comes_with_its_tables_and_its_pdf(host: Host, settings: Settings, make: Make) -> None:
    host.pages |= {SITE: PAGE, f"{SITE}/tables/1": TABLE, f"{SITE}.pdf": PDF}
    paper = make()
    assert carry_out(FetchStage(settings), paper) == Result(paper.id, "done", "done")
    files, sources = fetched(paper)
    assert files == ["article.html", "article.pdf", "tables/1.html"]
    assert sources["source"] == "html"
    first = sources["files"][0]
    assert first["url"] == first["final_url"] == f"https://www.nature.com/articles/{SUFFIX}"
    assert (first["file"], first["status"], first["bytes"]) == ("article.html", 200, len(PAGE.body))
    assert first["etag"] == '"1"'
    record = paper.record("fetch")
    assert record is not None
    assert record.outputs["article.html"].digest == first["digest"]
    assert record.facts == {"source": "html", "files": 3, "tables": 1, "figures": 0, "bytes": record.facts["bytes"]}
    article = paper.path / "fetch" / "article.html"
    assert article.read_bytes() == PAGE.body
    assert article.stat().st_nlink == 2, "the bytes are kept once"


def test_what_is_current_asks_nobody_and_by_force_hosts_are_asked_whether_it_changed(
    host: Host, settings: Settings, make: Make
) -> None:
    host.pages |= {SITE: PAGE, f"{SITE}/tables/1": TABLE, f"{SITE}.pdf": PDF}
    paper = make()
    stage = FetchStage(settings)
    carry_out(stage, paper)
    before = len(host.asked)
    assert carry_out(stage, paper).kind == "current"
    assert carry_out(stage, paper, force=True).kind == "done", "from the cache"
    assert len(host.asked) == before
    host.pages[SITE] = Answer(304)
    assert carry_out(refetch_stage(settings), paper, force=True).kind == "done"
    assert len(host.asked) == before + 3
    assert next(a for a in host.asked[before:] if a.path == SITE).headers["if-none-match"] == '"1"'


MEDIA = "media.springernature.com"
OBJECTS = f"springer-static/image/art%3A10.5555%2F{SUFFIX}/MediaObjects"
PNG = Answer(headers={"Content-Type": "image/webp"}, body=b"\x89PNG\r\n\x1a\n...")
PICTURED = Answer(
    headers=HTML,
    body=PAGE.body
    + b"".join(f'<img src="//{MEDIA}/lw685/{OBJECTS}/1_Fig{n}_HTML.png" alt="x">'.encode() for n in (1, 2, 3)),
)


def test_the_pictures_of_figures_come_along_in_full_size_where_that_can_be_had(
    host: Host, settings: Settings, make: Make
) -> None:
    host.pages |= {SITE: PICTURED, f"{SITE}/tables/1": TABLE, f"{SITE}.pdf": PDF}
    host.pages |= {
        f"/{MEDIA}/full/{OBJECTS}/1_Fig1_HTML.png": PNG,
        f"/{MEDIA}/full/{OBJECTS}/1_Fig2_HTML.png": Answer(headers=PNG.headers, declared=10**9),
        f"/{MEDIA}/lw685/{OBJECTS}/1_Fig2_HTML.png": Answer(body=b"\xff\xd8\xff..."),
    }
    paper = make()
    result = carry_out(FetchStage(settings), paper)
    files, sources = fetched(paper)
    assert files == ["article.html", "article.pdf", "figures/1.png", "figures/2.jpg", "tables/1.html"]
    assert "no picture of figure 3" in result.reason
    shown = {file["file"]: file["url"] for file in sources["files"]}
    assert shown["figures/1.png"] == f"https://{MEDIA}/full/{OBJECTS}/1_Fig1_HTML.png"
    assert "lw685" in shown["figures/2.jpg"]


@pytest.mark.parametrize(
    "trouble", [Answer(500), Answer(headers=HTML, body=CAPTCHA), Answer(429, {"Retry-After": "36000"})]
)
def test_a_host_of_pictures_in_trouble_stops_no_paper_and_is_not_asked_on(
    host: Host, settings: Settings, make: Make, trouble: Answer
) -> None:
    host.pages |= {SITE: PICTURED, f"{SITE}/tables/1": TABLE, f"{SITE}.pdf": PDF}
    host.pages |= {f"/{MEDIA}/full/{OBJECTS}/1_Fig{number}_HTML.png": trouble for number in (1, 2, 3)}
    paper = make()
    result = carry_out(FetchStage(settings), paper)
    assert (result.kind, result.verdict) == ("done", "done")
    assert "no pictures of figures from 1 on" in result.reason
    assert fetched(paper)[0] == ["article.html", "article.pdf", "tables/1.html"]
    assert not any("Fig2" in asked.path for asked in host.asked)


def test_pictures_stop_where_the_bytes_of_a_paper_do(host: Host, settings: Settings, make: Make) -> None:
    host.pages |= {SITE: PICTURED, f"{SITE}/tables/1": TABLE, f"{SITE}.pdf": PDF}
    host.pages |= {f"/{MEDIA}/full/{OBJECTS}/1_Fig{number}_HTML.png": PNG for number in (1, 2, 3)}
    most = sum(len(one.body) for one in (PICTURED, TABLE, PDF, PNG))
    paper = make()
    result = carry_out(FetchStage(settings.model_copy(update={"paper_byte_budget": most})), paper)
    assert "figures/1.png" in fetched(paper)[0]
    assert "figures/2.png" not in fetched(paper)[0]
    assert "more than the bytes" in result.reason


def test_the_pictures_of_jats_are_at_europe_pmc(host: Host, settings: Settings, make: Make) -> None:
    xml = Answer(body=b"<?xml version='1.0'?><article><graphic xlink:href='4_Fig1_HTML'/></article>")
    host.pages |= {f"{PMC}/PMC1/fullTextXML": xml, "/europepmc.org/articles/PMC1/bin/4_Fig1_HTML.jpg": PNG}
    paper = make(pmcid="PMC1", oa_status="green")
    carry_out(FetchStage(settings), paper)
    assert fetched(paper)[0] == ["article.xml", "figures/1.png"]


@pytest.mark.parametrize(
    ("facts", "pages", "expected"),
    [
        ({}, {SITE: ABSTRACT, f"{SITE}.pdf": PDF}, ("done", ["article.pdf"])),
        ({"pmcid": "PMC1"}, {SITE: ABSENT, f"{PMC}/PMC1/fullTextXML": XML}, ("done", ["article.xml"])),
        ({"pmcid": "PMC1"}, {SITE: ACCESS, f"{PMC}/PMC1/fullTextXML": XML}, ("done", ["article.xml"])),
        ({"pmcid": "PMC1", "oa_status": "green"}, {f"{PMC}/PMC1/fullTextXML": XML}, ("done", ["article.xml"])),
        (
            {"pdf_url": "https://repository.example.edu/1.pdf"},
            {SITE: ABSENT, "/repository.example.edu/1.pdf": PDF},
            ("done", ["article.pdf"]),
        ),
        ({}, {SITE: PAGE, f"{SITE}/tables/1": ABSENT, f"{SITE}.pdf": ABSENT}, ("done", ["article.html"])),
        (
            {},
            {SITE: PAGE, f"{SITE}/tables/1": ABSENT, f"{SITE}.pdf": Answer(headers=HTML, body=CAPTCHA)},
            ("done", ["article.html"]),
        ),
        ({}, {SITE: ACCESS}, ("no_access", [])),
        ({}, {SITE: Answer(403)}, ("no_access", [])),
        ({}, {SITE: Answer(302, {"Location": "https://idp.nature.com/authorize"})}, ("no_access", [])),
        ({}, {SITE: ABSENT}, ("not_found", [])),
    ],
)
def test_sources_are_tried_in_turn_until_one_holds_the_text(
    host: Host,
    settings: Settings,
    make: Make,
    facts: dict[str, Any],
    pages: dict[str, Answer],
    expected: tuple[str, list[str]],
) -> None:
    form = b"<html><title>Sign in</title><input type=password></html>"
    host.pages |= {"/idp.nature.com/authorize": Answer(headers=HTML, body=form)}
    nothing = b'{"hitCount": 0, "resultList": {"result": []}}'
    host.pages[f"{PMC}/search?query=DOI%3A%2210.5555%2F{SUFFIX}%22&format=json"] = Answer(body=nothing)
    host.pages |= pages
    paper = make(**facts)
    result = carry_out(FetchStage(settings), paper)
    assert (result.verdict, fetched(paper)[0]) == expected
    assert result.verdict == "done" or result.reason


def test_the_pmcid_is_searched_by_doi_where_it_is_not_known(host: Host, settings: Settings, make: Make) -> None:
    found = {
        "resultList": {"result": [{"doi": "10.5555/other", "pmcid": "PMC2"}, {"doi": f"10.5555/{SUFFIX.upper()}"}]}
    }
    found["resultList"]["result"][1]["pmcid"] = "PMC3"
    search = f"{PMC}/search?query=DOI%3A%2210.5555%2F{SUFFIX}%22&format=json"
    host.pages |= {SITE: ABSENT, search: Answer(body=orjson.dumps(found)), f"{PMC}/PMC3/fullTextXML": XML}
    paper = make()
    assert carry_out(FetchStage(settings), paper).verdict == "done"
    assert fetched(paper)[0] == ["article.xml"]


def test_a_work_elsewhere_is_found_by_its_doi_and_other_sites_pages_are_not_read(
    host: Host, settings: Settings, make: Make
) -> None:
    host.pages |= {
        "/doi.org/10.5555/x.1": Answer(302, {"Location": f"https://www.nature.com/articles/{SUFFIX}"}),
        "/doi.org/10.5555/x.2": Answer(302, {"Location": "https://journal.example.org/2"}),
        "/journal.example.org/2": PAGE,
        "/journal.example.org/2.pdf": PDF,
        SITE: PAGE,
        f"{SITE}/tables/1": TABLE,
        f"{SITE}.pdf": PDF,
    }
    host.pages[f"{PMC}/search?query=DOI%3A%2210.5555%2Fx.2%22&format=json"] = Answer(
        body=b'{"resultList": {"result": []}}'
    )
    stage = FetchStage(settings)
    here, elsewhere = make("x.1"), make("x.2", pdf_url="https://journal.example.org/2.pdf")
    assert carry_out(stage, here).verdict == carry_out(stage, elsewhere).verdict == "done"
    assert fetched(here)[0] == ["article.html", "article.pdf", "tables/1.html"]
    assert fetched(elsewhere)[0] == ["article.pdf"]


def test_what_is_closed_is_asked_for_nowhere(host: Host, settings: Settings, make: Make) -> None:
    result = carry_out(FetchStage(settings), make(is_oa=False, oa_status="closed", pmcid="PMC1"))
    assert (result.kind, result.verdict) == ("done", "no_access")
    assert host.asked == []


def test_what_was_withdrawn_or_not_harvested_is_not_fetched(host: Host, settings: Settings, make: Make) -> None:
    kept, gone = make(), make("s42256-024-00002-1", retracted=True)
    (settings.papers / "10.1_ingested").mkdir()
    assert fetchable(Papers(settings.papers)) == [kept.id]
    result = carry_out(FetchStage(settings), gone)
    assert (result.kind, result.reason) == ("failed", "its harvest says: withdrawn")
    assert host.asked == []


@pytest.mark.parametrize(
    ("trouble", "kind", "verdict"),
    [
        (Answer(500), "error", "HostError"),
        (Answer(0), "error", "HostError"),
        (Answer(headers=HTML, body=PAGE.body, declared=10**6), "error", "HostError"),
        (Answer(headers=HTML, body=b"<html><h1>Gateway</h1>Please reload.</html>"), "error", "WrongAnswerError"),
        (Answer(headers=HTML, body=CAPTCHA), "error", "CaptchaError"),
        (Answer(302, {"Location": f"https://www.nature.com/articles/{SUFFIX}"}), "error", "RedirectLoopError"),
        (Answer(429, {"Retry-After": "36000"}), "error", "ComeBackLaterError"),
        (Answer(headers=HTML, body=PAGE.body, declared=300_000_000), "failed", "TooLargeError"),
    ],
)
def test_each_trouble_is_named_on_the_paper_and_leaves_nothing_half_written(
    host: Host, settings: Settings, make: Make, trouble: Answer, kind: str, verdict: str
) -> None:
    search = f"{PMC}/search?query=DOI%3A%2210.5555%2F{SUFFIX}%22&format=json"
    host.pages |= {SITE: trouble, search: Answer(body=b'{"resultList": {"result": []}}')}
    paper = make()
    stage = FetchStage(settings)
    result = carry_out(stage, paper)
    assert (result.kind, result.verdict) == (kind, verdict)
    assert result.reason
    assert (kind == "error") == ("fetch" in paper.errors())
    if kind == "error":
        assert paper.publication("fetch") is None
        assert paper.errors()["fetch"].hint
        if verdict != "ComeBackLaterError":
            host.pages |= {SITE: PAGE, f"{SITE}/tables/1": TABLE, f"{SITE}.pdf": PDF}
            assert carry_out(stage, paper).verdict == "done", "and it is tried again"
            assert paper.errors() == {}


def test_one_host_among_many_that_is_closed_for_hours_does_not_stop_the_others(
    host: Host, settings: Settings, make: Make
) -> None:
    search = f"{PMC}/search?query=DOI%3A%2210.5555%2F{SUFFIX}%22&format=json"
    host.pages |= {SITE: ABSENT, search: Answer(body=b'{"resultList": {"result": []}}')}
    host.pages["/slow.example.edu/1.pdf"] = Answer(429, {"Retry-After": "36000"})
    result = carry_out(FetchStage(settings), make(pdf_url="https://slow.example.edu/1.pdf"))
    assert (result.kind, result.verdict) == ("error", "HostError")
    assert "until" in result.reason


def test_papers_of_different_hosts_are_spread_over_the_list(settings: Settings, make: Make) -> None:
    site = [make(f"s42256-024-{number:05}-1").id for number in range(6)]
    others = [make(f"x.{number}", pmcid=f"PMC{number}", oa_status="green").id for number in range(3)]
    order = fetchable(Papers(settings.papers))
    assert sorted(order) == sorted(site + others)
    assert [paper in others for paper in order] == [False, True, False] * 3


@pytest.mark.parametrize(
    ("doi", "landing", "expected"),
    [
        ("10.1038/srep01011", None, "https://www.nature.com/articles/srep01011"),
        (
            "10.5555/s42256-024-00001-1",
            "https://doi.org/10.5555/s42256-024-00001-1",
            f"https://www.nature.com/articles/{SUFFIX}",
        ),
        (None, "https://www.nature.com/articles/x", "https://www.nature.com/articles/x"),
        ("10.1101/2020.01.01", "https://doi.org/10.1101/2020.01.01", None),
        (None, None, None),
    ],
)
def test_the_article_s_page_is_known_from_doi_or_landing_page(
    doi: str | None, landing: str | None, expected: str | None
) -> None:
    work = Work.model_validate({"id": "x", "openalex_id": "W1", "doi": doi, "landing_page_url": landing})
    assert article_url(work) == expected


def test_only_this_article_s_tables_count_once_each_in_order() -> None:
    page = b'<a href="/articles/s1/tables/10"><a href="https://www.nature.com/articles/s1/tables/2#x"></a>'
    page += b'<a href="/articles/s1/tables/2"><a href="/articles/s9/tables/3"><a href="/articles/s1/figures/4">'
    assert table_numbers(page, "https://www.nature.com/articles/s1") == [2, 10]
