"""Kinds of articles, from the names that journals, pages, files and databases give them."""

from __future__ import annotations

import pytest

from nature_gym.demo.shallow import OTHER_TYPES
from nature_gym.reading.article_types import KINDS, ArticleKind, article_kind, kind_of
from nature_gym.reading.document import Document
from nature_gym.reading.pdf.front import ARTICLE_TYPES as PRINTED


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("article", "Article,ARTICLE,OriginalPaper,research-article,Original Article,Letter,Resource,Analysis"),
        ("article", "Data Descriptor,Brief Communication,Registered Report,Technical Report,brief-report,data-paper"),
        ("review", "Review,Review Article,ReviewPaper,review-article,systematic-review,Consensus Statement"),
        ("perspective", "Perspective,Hypothesis,Essay"),
        ("comment", "Comment,Commentary,article-commentary,Opinion,World View"),
        ("editorial", "Editorial,EditorialNotes"),
        ("news", "News,News & Views,Research Highlight,Research Briefing,News Feature"),
        ("correspondence", "Correspondence,Matters Arising,Brief Communications Arising"),
        ("author_reply", "Author Reply,reply,Reply to Matters Arising"),
        ("correction", "Author Correction,Publisher Correction,Corrigendum,Erratum,Addendum,correction"),
        ("retraction", "Retraction Note,retraction,Retracted Article"),
        ("protocol", "Protocol,Protocols,Study Protocol"),
        ("other", "Obituary,Book Review,Books & Arts,product-review"),
        ("", "Physics,Text,42,,  "),
    ],
)  # fmt: skip
def test_every_name_of_a_kind_leads_to_it(kind: ArticleKind, names: str) -> None:
    assert {name: kind_of(name) for name in names.split(",")} == dict.fromkeys(names.split(","), kind)


def test_the_demo_worlds_kinds_are_ours() -> None:
    assert {stated: kind_of(stated) for _, stated, _, _ in OTHER_TYPES} == {
        stated: code for code, stated, _, _ in OTHER_TYPES
    }


def test_every_kind_that_is_printed_on_a_page_is_known() -> None:
    assert {kind_of(name) for name in PRINTED} <= set(KINDS) - {""}


def test_a_title_that_corrects_is_surer_than_what_is_stated() -> None:
    for title, kind in (
        ("Author Correction: On trees", "correction"),
        ("Retraction Note to: On trees", "retraction"),
        ("Reply to: On trees", "author_reply"),
        ("Correction of lens errors", "article"),
        ("Reply networks in forests", "article"),
    ):
        assert article_kind(Document("html", title=title, article_type="Article")) == kind


def test_a_subject_that_is_no_kind_gives_way_to_what_the_file_says() -> None:
    metadata = {"article-type": "review-article"}
    assert article_kind(Document("xml", article_type="Neuroscience", metadata=metadata)) == "review"
    assert article_kind(Document("html", article_type="", metadata={"dc.type": "OriginalPaper"})) == "article"
    assert article_kind(Document("pdf")) == ""
