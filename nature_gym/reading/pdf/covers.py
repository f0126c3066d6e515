"""Pages that repositories, publishers and networks put before an article or after it: not the authors' words.

They are told by what they say in fixed phrases, at the very beginning or end of a file only; two phrases of a kind are
asked for, so that an article that speaks of terms and conditions keeps its page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from nature_gym.reading.pdf.page import Page

_KINDS: tuple[tuple[str, re.Pattern[str], re.Pattern[str]], ...] = (
    (
        "a page of terms of use",
        re.compile(r"terms and conditions", re.IGNORECASE),
        re.compile(r"content, brought to you courtesy|users? (?:will|may) not:|you (?:agree|may not)|onlineservice@"),
    ),
    (
        "a repository's cover",
        re.compile(
            r"this is (?:a|an|the) (?:repository copy|author(?:'s|’s)? (?:accepted|final)"
            r"|accepted (?:manuscript|version)"
            r"|pre-?print|post-?print|version of the (?:article|following))|citation for (?:the )?published version"
            r"|link to published version|general rights|version: (?:accepted|published)|published version citable link",
            re.IGNORECASE,
        ),
        re.compile(r"copyright|rights|citable|repository|reuse|licen[cs]e|policy|deposited|please cite", re.IGNORECASE),
    ),
    (
        "a network's cover",
        re.compile(r"see discussions, stats,? and author profiles|researchgate\.net/publication", re.IGNORECASE),
        re.compile(r"citations?|reads|author|publication", re.IGNORECASE),
    ),
)
_OF_ARTICLES = re.compile(r"\b(?:Introduction|Results|Methods|Discussion|References|Abstract) [A-Z1]")
"""A heading of an article with text behind it."""
_MOST_LINES = 80
"""Lines of a cover; a page in two columns has more."""
_FEWEST_LEFT = 1
"""So many pages stay, whatever they say."""


def without_covers(pages: Sequence[Page]) -> tuple[list[Page], list[str]]:
    """The pages without covers at either end, and a sentence for each page that was left out."""
    kept, told = list(pages), []
    for end in (0, -1):
        while len(kept) > _FEWEST_LEFT and (kind := _cover(kept[end])) is not None:
            told.append(f"page {kept[end].number + 1} is {kind}, and was left out")
            del kept[end]
    return kept, told


def _cover(page: Page) -> str | None:
    """What kind of cover a page is; None for a page of the article."""
    if len(page.lines) > _MOST_LINES:
        return None
    text = " ".join(line.plain for line in page.lines)
    if _OF_ARTICLES.search(text):
        return None
    return next((kind for kind, one, other in _KINDS if one.search(text) and other.search(text)), None)
