"""Why a text cannot be read: each a word that stands as the verdict on the paper's record."""

from __future__ import annotations

import re

from nature_gym.errors import PaperError
from nature_gym.reading.document import Document

MEBIBYTE = 1 << 20


class NoArticleError(PaperError):
    """What was fetched is no article: empty, a captcha, an error page, another kind of file."""


class NoFullTextError(PaperError):
    """The page shows no more than the abstract: the rest is for subscribers."""


class UnreadableError(PaperError):
    """The file is an article's, and so damaged or so large that it cannot be read."""


def refuse_size(content: bytes, limit: int, what: str) -> None:
    """Raise UnreadableError for content larger than any article of its kind, NoArticleError for none at all."""
    if not content.strip():
        raise NoArticleError(f"the {what} is empty", hint="Fetch it again; nothing was sent.")
    if len(content) > limit:
        raise UnreadableError(
            f"the {what} has {len(content) / MEBIBYTE:,.0f} MB, more than the {limit // MEBIBYTE} MB that one may have",
            hint="Look at what was fetched: an article's page has well below 5 MB.",
        )


_TELLING = re.compile(
    r"abstract|(?:materials and )?methods?|(?:experimental )?results?|discussion|references|bibliography|"
    r"(?:data|code) (?:and code )?availability|availability of|acknowledge?ments?|competing interests|"
    r"author contributions?|supplementary",
    re.IGNORECASE,
)
_USUAL = re.compile(r"introduction|background|related work|conclusions?|main|limitations|figures|tables", re.IGNORECASE)
_SAID_BY_ARTICLES = ("citation_", "prism.", "dc.type")


def refuse_other_page(document: Document) -> None:
    """Raise NoArticleError for a page that has nothing of an article: it says of itself that it is one, or looks so.

    Said: a DOI, or metadata of the kinds that only articles have. Looked like: references, or the headings of articles.
    """
    titles = [section.title for section in document.sections if section.title and section.text]
    looks = sum(2 if _TELLING.match(title) else 1 for title in titles if _TELLING.match(title) or _USUAL.match(title))
    says = document.doi or any(name.startswith(_SAID_BY_ARTICLES) for name in document.metadata)
    if not says and not document.references and looks < 2:
        raise NoArticleError(
            "the page holds text, and nothing that makes it an article: no DOI, no references, none of its headings",
            hint="Look at what the file is.",
        )
