"""Papers whose records at OpenAlex are odd: one without a DOI, a mistyped erratum, an unnoticed retraction.

Other oddities (a merged work, HTML in a title, an empty abstract) hang on papers of the other modules.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from nature_gym.demo.fates.article_types import BRONZE, retraction_page, short
from nature_gym.demo.fates.composing import Assignment, Press, rejected, section
from nature_gym.demo.fates.computational import computational, with_repository
from nature_gym.demo.model import Entry, Indexing, Truth


def news_without_doi(assignment: Assignment) -> Entry:
    """A page of news that OpenAlex knows by its address alone."""
    pick = assignment.words.pick
    entry = short(
        assignment,
        "news",
        "s41587",
        "News",
        pick("Start-ups race to sell proteins designed on a laptop", "Protein designers leave the university"),
        [
            section(
                "Main",
                "Three companies that grew out of academic laboratories announced financing rounds within a month of "
                "each other this spring. All of them sell the same promise: enzymes whose sequences were proposed by "
                "a language model, and which nobody has found in nature.",
                "What they do not sell, so far, is a product. The first binder that was designed without a natural "
                "template entered the clinic last year, and its developers decline to say how many candidates were "
                "made and thrown away before it. “Ask for the denominator,” says one investor, who left two of the "
                "rounds.",
                "Contract laboratories are the early winners. They report that orders for synthetic genes of less "
                "than 1,200 bases have doubled, and that every third customer asks for a plate of variants and not "
                "for one protein.",
            )
        ],
        press=BRONZE,
        authors=1,
    )
    truth = replace(entry.truth, traps=("doi_not_indexed",))
    return replace(entry, paper=replace(entry.paper, indexing=Indexing(knows_doi=False)), truth=truth)


def erratum_as_article(assignment: Assignment) -> Entry:
    """A publisher's correction, which OpenAlex takes for an article."""
    entry = short(
        assignment,
        "correction",
        "s42256",
        "Publisher Correction",
        "Publisher Correction: An equivariant graph network for band-gap prediction",
        [
            section(
                "Main",
                "Owing to an error in production, the labels of the two panels of Fig. 3 were exchanged in the "
                "version of this article that was first published: the panel on the left shows layered compounds, "
                "the panel on the right all compounds. The caption, the text and the data deposited with the article "
                "were right from the beginning. The figure has been replaced in the HTML and PDF versions.",
            )
        ],
        press=Press(2024, frozenset({"html", "pdf"}), oa_status="bronze"),
        authors=5,
    )
    return replace(entry, truth=replace(entry.truth, traps=("erratum_as_article",)))


def retraction_unnoticed(assignment: Assignment) -> Entry:
    """Retracted after publication; the article page says so, OpenAlex does not yet."""
    draft = with_repository(
        computational(assignment, "retro", name=2, press=Press(2023, frozenset({"html", "pdf"}), oa_status="hybrid"))
    )
    paper = replace(draft.paper(), retracted=True, indexing=Indexing(knows_retraction=False))
    note = "the article page states the retraction; OpenAlex's record says is_retracted: false"
    truth = Truth((rejected("0", "retracted", note=note),), ("retraction_not_indexed",))
    reason = (
        "An audit of the training data found that 71 % of the test reactions occur among them, written with another "
        "order of atoms. All authors agree with this retraction."
    )
    return Entry(paper, truth, tuple(draft.repositories), tuple(draft.deposits), (retraction_page(paper, reason),))


FATES: tuple[Callable[[Assignment], Entry], ...] = (news_without_doi, erratum_as_article, retraction_unnoticed)
