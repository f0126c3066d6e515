"""The rule before all others: only research that still stands is screened.

A work is retracted where OpenAlex, the page's notice or the title says so. What kind of article it is, the page
knows better than OpenAlex, which files most of what a journal prints as ``article``; so a page that names a kind is
believed, and OpenAlex's type is asked where it does not or says something more particular.
"""

from __future__ import annotations

import re

from nature_gym.reading.article_types import article_kind
from nature_gym.screening.deciders import Case
from nature_gym.screening.decisions import ARTICLE_TYPES, BEFORE, Evidence
from nature_gym.screening.rules import Finding, rule

_OPENALEX = {
    "review": "review",
    "editorial": "editorial",
    "erratum": "correction",
    "retraction": "retraction",
    "letter": "correspondence",
    "news": "news",
    "peer-review": "comment",
    "paratext": "editorial",
    "supplementary-materials": "correction",
}
"""OpenAlex's types that are no research. A ``letter`` may be: it is believed only where the page names no kind."""
_UNSURE = frozenset({"letter", "review"})
_RETRACTED_TITLE = re.compile(r"^\W*(?:retracted(?: article)?|withdrawn)\b\W*", re.IGNORECASE)


@rule(BEFORE, version="1")
def research_that_stands(case: Case) -> Finding:
    """Retracted works and articles that are no research go."""
    document, work = case.manuscript.document, case.manuscript.work
    notice = document.metadata.get("retracted", "")
    kind = article_kind(document)
    typed = work.article_type.casefold() if work is not None else ""
    if kind != "retraction" and (
        notice or _RETRACTED_TITLE.match(document.title) or (work is not None and work.retracted)
    ):
        seen = f"the page says: {notice}" if notice else ""
        if not seen:
            by_title = _RETRACTED_TITLE.match(document.title)
            seen = f"the title reads: {document.title}" if by_title else "OpenAlex marks the work as retracted"
        return Finding("reject", "The work was retracted.", "retracted", (Evidence(quote=seen),))
    stated = document.article_type or kind
    told = f"the page states the article type {stated or 'nothing'}; OpenAlex says {typed or 'nothing'}"
    if kind == "other":
        return Finding("reject", f"No research article: {stated}.", "article_type:news", (Evidence(quote=told),))
    if kind in ARTICLE_TYPES:
        return _no_research(kind, told)
    by_record = _OPENALEX.get(typed)
    if by_record and (kind != "article" or typed not in _UNSURE):
        return _no_research(by_record, told)
    return Finding("pass", "A research article, not retracted.", evidence=(Evidence(quote=told),))


def _no_research(kind: str, told: str) -> Finding:
    return Finding(
        "reject", f"No research article: {kind.replace('_', ' ')}.", f"article_type:{kind}", (Evidence(quote=told),)
    )
