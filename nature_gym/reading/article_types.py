"""What kind of article a paper is, in one vocabulary, whatever its journal, its page or its file calls it.

Journals have dozens of names for their kinds of articles (``OriginalPaper``, ``research-article``, ``Brief
Communication``), and a page, an XML file and a PDF of the same paper state different ones. What later stages ask is
only whether a text is research, and if not, what it is; so each name leads to one of :data:`KINDS`.
"""

from __future__ import annotations

import re
from typing import Literal, get_args

from nature_gym.reading.document import Document

ArticleKind = Literal[
    "article", "review", "perspective", "comment", "editorial", "news", "correspondence", "author_reply", "correction",
    "retraction", "protocol", "other", "",
]  # fmt: skip
"""``article`` is research of every length, ``other`` none of these and no research; empty is not known."""

KINDS: tuple[ArticleKind, ...] = get_args(ArticleKind)

# First match wins, so what is rarer and more telling comes first: a "Reply to" is also correspondence, a
# "Review Commentary" a comment no more than a review, and the "Correction" of an "Article" no article.
_NAMES: tuple[tuple[ArticleKind, str], ...] = (
    ("retraction", r"retract|withdrawal"),
    ("correction", r"correct(?:ion|ed)|corrigend|errat|addend|amendment|expression of concern"),
    ("author_reply", r"\brepl(?:y|ies)\b|response to|author response"),
    ("correspondence", r"correspondence|matters arising|letters? to the editor|\bdiscussion\b|communications? arising"),
    ("protocol", r"protocol"),
    ("review", r"review(?!er)|\bprimer\b|meta analysis|roadmap|consensus statement|guidelines?|tutorial"),
    ("perspective", r"perspective|viewpoint|hypothesis|\bessay\b|outlook|progress"),
    ("editorial", r"editorial|introduction to|preface|foreword|from the editors?"),
    ("comment", r"comment|opinion|q&a|world view|career column|interview"),
    (
        "news",
        (
            r"\bnews\b|research (?:highlights?|briefing)|\bfeature\b|in brief|in this issue|announcement|press release"
            r"|calendar|meeting report|career"
        ),
    ),
    ("other", r"obituar|\bbooks?\b|product|abstract|index|table of contents|advert|thank you|fiction|poem"),
    (
        "article",
        (
            r"article|original|research|paper|letters?\b|resource|data descriptor|analysis|report|brief communication|"
            r"communication|method|technical|case study|dataset|software|registered"
        ),
    ),
)
_BY_NAME = tuple((kind, re.compile(names)) for kind, names in _NAMES)
_BOOK_REVIEW = re.compile(r"books?\b|product review|reviewers?\b")
_TITLES: tuple[tuple[ArticleKind, re.Pattern[str]], ...] = (
    ("retraction", re.compile(r"retraction(?: note)?(?: to)?\s*:", re.IGNORECASE)),
    (
        "correction",
        re.compile(
            r"(?:(?:author |publisher )?correction|corrigendum|erratum|addendum|editorial expression of concern)"
            r"(?: to)?\s*:",
            re.IGNORECASE,
        ),
    ),
    ("author_reply", re.compile(r"(?:author )?reply(?: to)?\s*:|reply to [“\"‘']", re.IGNORECASE)),
)
_METADATA = ("citation_article_type", "prism.section", "article-type", "dc.type")
_WORD = re.compile(r"[a-z&]+")
_HUMPS = re.compile(r"(?<=[a-z])(?=[A-Z])")


def kind_of(stated: str) -> ArticleKind:
    """The kind that a name means; empty where it means none that we know.

    >>> kind_of("OriginalPaper"), kind_of("Review Article"), kind_of("News & Views"), kind_of("Physics")
    ('article', 'review', 'news', '')
    """
    name = " ".join(_WORD.findall(_HUMPS.sub(" ", stated[:200]).casefold()))
    if not name:
        return ""
    if _BOOK_REVIEW.search(name):
        return "other"
    return next((kind for kind, names in _BY_NAME if names.search(name)), "")


def article_kind(document: Document) -> ArticleKind:
    """The kind of a paper: by a title that says that it corrects another, else by the first name that we know.

    An erratum is often filed as an article; what its title says is surer.
    """
    by_title = next((kind for kind, pattern in _TITLES if pattern.match(document.title.strip())), None)
    if by_title is not None:
        return by_title
    stated = (document.article_type, *(document.metadata.get(name, "") for name in _METADATA))
    return next((kind for kind in map(kind_of, stated) if kind), "")
