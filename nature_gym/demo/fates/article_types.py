"""Papers that are no research articles, and one that was retracted: they go before level 1."""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import replace

from nature_gym.demo.fates.composing import Assignment, Press, compose, rejected, section
from nature_gym.demo.fates.computational import computational, with_repository
from nature_gym.demo.inline import plain
from nature_gym.demo.model import Entry, Page, Paper, Section, Truth

CLOSED = Press(2024, frozenset({"html"}), oa_status="closed")
BRONZE = Press(2023, frozenset({"html", "pdf"}), oa_status="bronze")
OLD = Press(2022, frozenset({"html", "pdf"}), "old", "bronze")


def short(  # noqa: PLR0913 -- the fields of a paper
    assignment: Assignment,
    code: str,
    venue: str,
    article_type: str,
    title: str,
    sections: list[Section],
    *,
    openalex_type: str = "article",
    press: Press = BRONZE,
    abstract: str = "",
    references: dict[str, tuple[str, str]] | None = None,
    authors: int = 2,
) -> Entry:
    """A text that is no research article; the page states its type."""
    paper = compose(
        assignment,
        venue=venue,
        title=title,
        abstract=abstract,
        sections=sections,
        references=references or {},
        article_type=article_type,
        openalex_type=openalex_type,
        press=press,
        authors=authors,
    )
    note = f"the page states the article type {article_type}; OpenAlex says {openalex_type}"
    return Entry(paper, Truth((rejected("0", f"article_type:{code}", note=note),)))


def news(assignment: Assignment) -> Entry:
    """A page of news on somebody's paper; OpenAlex calls it an article."""
    pick = assignment.words.pick
    return short(
        assignment,
        "news",
        "s42256",
        "News & Views",
        pick("A network that knows which way the wind blows", "Forecasting air quality, upstream first"),
        [
            section(
                "Main",
                "Whoever has lived downwind of a steelworks knows that the air of today was somebody else's air "
                "yesterday. Writing in this issue, a team of environmental scientists builds this knowledge into a "
                "graph network, whose edges turn with the wind [@wind].",
                pick(
                    "Earlier networks joined stations that are close on a map. The new one joins those that share an "
                    "air mass, and outperforms its forerunners on two regions by a margin that is hard to put down "
                    "to chance.",
                    "The idea is simple: neighbours in the atmosphere are not neighbours on a map. The authors "
                    "report that their model beats earlier ones in two regions.",
                ),
                "What remains open is how the model fares when fires or dust change the rules. But a forecast that "
                "knows where the air comes from is a good place to start.",
            )
        ],
        references={"wind": ("A graph network that follows the wind", "Nat. Mach. Intell.")},
    )


def editorial(assignment: Assignment) -> Entry:
    """Closed access; OpenAlex's type is enough."""
    pick = assignment.words.pick
    return short(
        assignment,
        "editorial",
        "s43588",
        "Editorial",
        pick("Share the split, not only the data", "Why we ask for test sets"),
        [
            section(
                "Main",
                "From this issue on we ask authors who report a comparison of models to deposit the exact division "
                "of their data into training and test parts, besides the data themselves.",
                "The reason is plain. Of the studies that we looked at for this editorial, nearly all shared data "
                "and most shared code, yet fewer than half could be evaluated by somebody else without a letter to "
                "the authors.",
                "A list of identifiers costs nothing. We hope that it will soon be as ordinary as a scale bar.",
            )
        ],
        openalex_type="editorial",
        press=CLOSED,
        authors=1,
    )


def review(assignment: Assignment) -> Entry:
    """A review of a field of machine learning."""
    pick = assignment.words.pick
    return short(
        assignment,
        "review",
        "s41563",
        "Review Article",
        pick("Machine learning for the discovery of solid electrolytes", "Learning to find solid electrolytes"),
        [
            section(
                "Introduction",
                "Solid electrolytes promise batteries that neither leak nor burn. Finding one means finding a "
                "crystal through which lithium moves as if the crystal were a liquid, and the search has become a "
                "playground of machine learning [@search].",
            ),
            section(
                "From descriptors to graphs",
                "The first models ranked crystals by hand-made descriptors of the anion lattice [@lattice]. Graph "
                "networks came next, and with them the problem that conductivities are known for a few hundred "
                "compounds only [@few].",
                "We discuss three ways out: transfer from computed barriers, active learning, and potentials that "
                "are good enough to simulate diffusion directly.",
            ),
            section(
                "Outlook",
                "We expect that the distinction between screening and simulation will disappear. Benchmarks with "
                "fixed test sets would speed up the field more than another architecture.",
            ),
        ],
        abstract="Solid electrolytes are a test bed for machine learning in materials science. We review how the "
        "field moved from "
        "descriptors to graph networks and learned potentials, and what stands in the way of reliable predictions.",
        openalex_type="review",
        references={
            "search": ("Searching for superionic conductors", "J. Solid Ion."),
            "lattice": ("Anion lattices and lithium mobility", "J. Solid Ion."),
            "few": ("Learning from a few hundred conductivities", "Mater. Inform."),
        },
        press=Press(2024, frozenset({"html", "pdf"}), oa_status="closed"),
    )


def perspective(assignment: Assignment) -> Entry:
    """It proposes, but a checklist."""
    pick = assignment.words.pick
    return short(
        assignment,
        "perspective",
        "s41593",
        "Perspective",
        pick("What should a decoder be compared with?", "Comparing neural decoders fairly"),
        [
            section(
                "Main",
                "Papers on neural decoding compare a new decoder with an old one. We argue that the comparison that "
                "matters is another: that of the decoder with what its user could do without it.",
            ),
            section(
                "Three baselines that are rarely shown",
                "The first is a decoder trained on yesterday's data, the second a decoder that ignores the neurons "
                "and knows only the task, the third a switch [@switch]. Each of them has embarrassed a published "
                "result.",
            ),
            section(
                "Conclusion",
                "We propose that a decoder be reported with all three, and offer a checklist for doing so.",
            ),
        ],
        abstract="Neural decoders are compared with one another. We argue for three other baselines and propose a "
        "checklist.",
        references={"switch": ("The humble switch as a neural interface", "J. Neural Interf. Comput.")},
        press=BRONZE,
    )


def comment(assignment: Assignment) -> Entry:
    """A call on the community."""
    pick = assignment.words.pick
    return short(
        assignment,
        "comment",
        "s41560",
        "Comment",
        pick("Battery data need a common clock", "One clock for all battery data"),
        [
            section(
                "Main",
                "Two laboratories that cycle the same cell disagree about its age, because one counts cycles and the "
                "other charge. Models trained on the data of one are then tested on those of the other, and found "
                "wanting.",
                "We call on the community to report throughput, time and cycles together. It would take three "
                "columns in a file.",
            )
        ],
        press=BRONZE,
    )


def correction(assignment: Assignment) -> Entry:
    """It speaks of a model and a table, and corrects them."""
    return short(
        assignment,
        "correction",
        "s41467",
        "Author Correction",
        "Author Correction: Forecasting heavy rain with an advection-constrained network",
        [
            section(
                "Main",
                "In the version of this article initially published, the values of the column RMSE of Table 1 were "
                "given in mm per five minutes and not in mm per hour. The order of the methods is not affected. The "
                "error has been corrected in the HTML and PDF versions of the article.",
            )
        ],
        openalex_type="erratum",
        press=Press(2023, frozenset({"html", "pdf"})),
        authors=4,
    )


def retraction_notice(assignment: Assignment) -> Entry:
    """The notice, not the paper retracted."""
    return short(
        assignment,
        "retraction",
        "s41551",
        "Retraction Note",
        "Retraction Note: A sensor patch that predicts migraine attacks",
        [
            section(
                "Main",
                "The authors have retracted this article. After publication it was found that recordings of the same "
                "participants had been used for training and for testing, contrary to what the Methods state, and "
                "that the reported accuracy cannot be reproduced once they are separated. All authors agree with "
                "this retraction.",
            )
        ],
        openalex_type="retraction",
        authors=4,
    )


def protocol(assignment: Assignment) -> Entry:
    """A procedure with an existing classifier."""
    pick = assignment.words.pick
    return short(
        assignment,
        "protocol",
        "s41592",
        "Protocol",
        pick("Annotating a single-cell atlas in four days", "A protocol for annotating single-cell atlases"),
        [
            section(
                "Introduction",
                "This protocol describes how a new single-cell atlas is annotated with an existing classifier, from "
                "counts to labels that two curators have signed. It needs no programming beyond the command line.",
            ),
            section(
                "Procedure",
                "1. Install the software and download the reference (timing: 30 min). 2. Filter cells with fewer "
                "than 500 genes (10 min). 3. Run the classifier with default settings (2 h). 4. Let two curators "
                "inspect all types with a confidence below 0.8 (3 d).",
            ),
            section(
                "Troubleshooting", "If step 3 ends with an error about gene names, convert them to Ensembl identifiers."
            ),
        ],
        abstract="We describe, step by step, how to annotate a new single-cell atlas with an existing classifier.",
        press=OLD,
    )


def correspondence(assignment: Assignment) -> Entry:
    """A letter on somebody's method."""
    pick = assignment.words.pick
    return short(
        assignment,
        "correspondence",
        "s41588",
        "Correspondence",
        pick("Credible sets are no gold standard", "On labels made of credible sets"),
        [
            section(
                "Main",
                "To the Editor — Listwise training on credible sets has been put forward as a way to prioritise "
                "regulatory variants. Credible sets, however, are themselves the output of a model, and a network "
                "trained on them learns the prior of that model along with the biology.",
                "Using simulated loci we find that a third of the reported gain disappears when the prior is "
                "changed. We suggest that experimentally validated loci be reported apart.",
            )
        ],
        openalex_type="letter",
        press=BRONZE,
    )


def author_reply(assignment: Assignment) -> Entry:
    """The answer to the letter."""
    return short(
        assignment,
        "author_reply",
        "s41588",
        "Author Reply",
        "Reply to: Credible sets are no gold standard",
        [
            section(
                "Main",
                "Replying to our critics, we agree that credible sets carry a prior. We have repeated our "
                "experiments on 212 loci with experimental validation, as they suggest; the order of methods is the "
                "same and the gain is smaller by a fifth.",
                "We have added these results to our repository.",
            )
        ],
        openalex_type="letter",
        press=BRONZE,
        authors=3,
    )


def retracted(assignment: Assignment) -> Entry:
    """A research article that would pass on its own and has been retracted."""
    draft = with_repository(
        computational(assignment, "ecg", name=2, press=Press(2022, frozenset({"html", "pdf"}), oa_status="hybrid"))
    )
    note = "OpenAlex and the article page mark the work as retracted"
    truth = Truth((rejected("0", "retracted", note=note),))
    paper = replace(draft.paper(), retracted=True)
    reason = (
        "Recordings of the same persons stand in the training and the test part, and the published accuracy is not "
        "reached when they are kept apart. All authors agree with this retraction."
    )
    return Entry(paper, truth, tuple(draft.repositories), tuple(draft.deposits), (retraction_page(paper, reason),))


def retraction_page(paper: Paper, reason: str) -> Page:
    """The notice to which the page of a retracted article links."""
    title = html.escape(f"Retraction Note: {plain(paper.title)}")
    body = (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="citation_article_type" content="Retraction Note"/></head>\n'
        f'<body><main><article><h1 class="c-article-title">{title}</h1>\n<div class="c-article-body">'
        f'<p>The authors have retracted this article (<a href="{paper.url}">{paper.doi}</a>). {reason}</p>'
        "</div></article></main></body></html>\n"
    )
    return Page(f"{paper.url}-retraction", body=body.encode())


FATES: tuple[Callable[[Assignment], Entry], ...] = (
    news,
    editorial,
    review,
    perspective,
    comment,
    correction,
    retraction_notice,
    protocol,
    correspondence,
    author_reply,
    retracted,
)
