import pytest

from nature_gym.demo.miniweb.hosts.articles import access_page, is_open
from nature_gym.demo.miniweb.press import JournalPress
from nature_gym.demo.world import build_world
from nature_gym.fulltext.access import page_kind, refusal
from nature_gym.harvest.works import Work

GATEWAY = b"<html><body><h1>Gateway</h1><p>Please reload this page.</p></body></html>"


@pytest.mark.parametrize(
    ("facts", "allowed"),
    [
        ({"is_oa": True, "oa_status": "gold"}, True),
        ({"is_oa": True, "oa_status": "green"}, True),
        ({"is_oa": True, "oa_status": "bronze"}, True),
        ({"is_oa": True}, True),
        ({"is_oa": False, "oa_status": "closed"}, False),
        ({}, False),
    ],
)
def test_only_open_access_is_fetched_and_a_refusal_says_why(facts: dict[str, object], allowed: bool) -> None:
    work = Work.model_validate({"id": "10.1_x", "openalex_id": "W1", **facts})
    said = refusal(work)
    assert (said is None) == allowed
    assert allowed or "open access" in str(said)


def test_every_page_of_the_demo_site_is_told_apart() -> None:
    press = JournalPress()
    for paper in build_world(shallow=20).papers:
        if is_open(paper) and "html" in paper.formats:
            assert page_kind(press.article_page(paper)) == "article", paper.id
        else:
            assert page_kind(access_page(paper)) == ("abstract" if is_open(paper) else "access"), paper.id


def test_a_proxy_s_page_is_no_article_page() -> None:
    assert page_kind(GATEWAY) == "other"
    assert page_kind(b"") == "other"
