"""Why a text cannot be read: each a word that stands as the verdict on the paper's record."""

from __future__ import annotations

from nature_gym.errors import PaperError

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
