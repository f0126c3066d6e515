"""The inline markup: what it means, what stays text, and that nothing is lost."""

from __future__ import annotations

import datetime as dt
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.demo.inline import (
    Bold,
    Citation,
    CrossReference,
    Italic,
    Link,
    Math,
    Node,
    Subscript,
    Superscript,
    Text,
    escape,
    parse,
    plain,
    plain_text,
    ranges,
)
from nature_gym.demo.model import (
    Bullets,
    Equation,
    Figure,
    Paper,
    Paragraph,
    Placement,
    Section,
    Table,
)
from nature_gym.demo.venues import VENUES


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        ("a *b* c", (Text("a "), Italic((Text("b"),)), Text(" c"))),
        ("**b**", (Bold((Text("b"),)),)),
        ("***x***", (Bold((Italic((Text("x"),)),)),)),
        ("*a **b***", (Italic((Text("a "), Bold((Text("b"),)))),)),
        ("**a *b***", (Bold((Text("a "), Italic((Text("b"),)))),)),
        ("R^2^", (Text("R"), Superscript((Text("2"),)))),
        ("CO~2~", (Text("CO"), Subscript((Text("2"),)))),
        ("$x_i$", (Math("x_i"),)),
        ("[*a*](https://e.org/x_(y))", (Link((Italic((Text("a"),)),), "https://e.org/x_(y)"),)),
        ("known [@3,5–7].", (Text("known"), Citation((3, 5, 6, 7)), Text("."))),
        ("[#table-2] and [#figure-1]", (CrossReference("table", 2), Text(" and "), CrossReference("figure", 1))),
    ],
)
def test_markup_becomes_its_tree(text: str, nodes: tuple[Node, ...]) -> None:
    assert parse(text) == nodes


@pytest.mark.parametrize(
    "text",
    [
        "3 * 4 * 5", "**unclosed", "*unclosed", "~5 GB to ~10 GB", "2^a b^", "$5 and $6", "a^", "[a](b", "[a] (b)",
        "[note]", "[@x]", "[#section-2]", "](x)", "* a*", "$ x $", "a\\b", "^^", "~~", "snake_case_name",
    ],
)  # fmt: skip
def test_what_is_no_markup_is_text(text: str) -> None:
    assert parse(text) == (Text(text),)


def test_an_unclosed_marker_keeps_the_markup_inside_it() -> None:
    assert parse("**a *b* c") == (Text("**a "), Italic((Text("b"),)), Text(" c"))


@given(st.text())
def test_escaped_text_prints_itself(text: str) -> None:
    assert plain(escape(text)) == text
    assert parse(escape(text)) == ((Text(text),) if text else ())


@given(st.text(alphabet="ab *^~$[]()@#-1,\\_2"))
def test_every_text_is_read_and_keeps_its_letters(text: str) -> None:
    letters = [character for character in plain(text) if character in "ab"]
    if "](" not in text and "$" not in text:  # addresses go, and TeX has its own spacing
        assert letters == [character for character in text if character in "ab"]


_WORDS = st.text(alphabet="abc-.", min_size=1, max_size=6).map(Text)


def _spans(inner: st.SearchStrategy[tuple[Node, ...]]) -> st.SearchStrategy[Node]:
    return st.one_of(
        inner.map(Italic),
        inner.map(Bold),
        _WORDS.map(lambda word: Superscript((word,))),
        _WORDS.map(lambda word: Subscript((word,))),
        inner.map(lambda children: Link(children, "https://example.org/a?b=1")),
        st.sampled_from((Math("x_i"), Citation((1, 2)), CrossReference("table", 3))),
    )


def _apart(nodes: list[Node]) -> tuple[Node, ...]:
    """Nodes with a letter between, so that their markers do not run together."""
    found: list[Node] = [Text("w")]
    for node in nodes:
        found += [node, Text("w")]
    return tuple(found)


_TREES = st.recursive(
    st.lists(_WORDS, min_size=1, max_size=1).map(tuple),
    lambda inner: st.lists(_spans(inner), min_size=1, max_size=3).map(_apart),
    max_leaves=8,
)


def _markup(nodes: tuple[Node, ...]) -> str:
    return "".join(map(_markup_of, nodes))


def _markup_of(node: Node) -> str:  # noqa: PLR0911 -- one line for each kind of node
    match node:
        case Text(text):
            return escape(text)
        case Italic(children):
            return f"*{_markup(children)}*"
        case Bold(children):
            return f"**{_markup(children)}**"
        case Superscript(children):
            return f"^{_markup(children)}^"
        case Subscript(children):
            return f"~{_markup(children)}~"
        case Math(tex):
            return f"${tex}$"
        case Link(children, url):
            return f"[{_markup(children)}]({url})"
        case Citation(numbers):
            return f"[@{','.join(map(str, numbers))}]"
        case CrossReference(what, number):
            return f"[#{what}-{number}]"


def _kinds(nodes: tuple[Node, ...], above: tuple[type, ...] = ()) -> bool:
    """Whether no span stands within a span of its own kind, which the language cannot say."""
    for node in nodes:
        if type(node) in above:
            return False
        if isinstance(node, Italic | Bold | Superscript | Subscript | Link) and not _kinds(
            node.children, (*above, type(node))
        ):
            return False
    return True


@given(_TREES.filter(_kinds))
def test_a_tree_survives_being_written_and_read(nodes: tuple[Node, ...]) -> None:
    assert parse(_markup(nodes)) == nodes


def test_reading_takes_linear_time() -> None:
    started = time.perf_counter()
    parse("[a *b ~c ^d " * 4000)
    assert time.perf_counter() - started < 5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("R^2^ of 10^-3^ and 10^−3^ m s^-1^", "R² of 10⁻³ and 10⁻³ m s⁻¹"),
        ("CO~2~, x~train~, 1^st^", "CO₂, xtrain, 1st"),
        ("see [the code](https://github.com/a/b) [@1,2] now", "see the code now"),
        ("as in [#table-2] and [#figure-10]", "as in Table 2 and Fig. 10"),
        ("with $R^2 = 0.9$ and $\\alpha_i$", "with R² = 0.9 and α_i"),
        (r"5\*3 \[sic\]", "5*3 [sic]"),
        ("0.93 ± 0.01", "0.93 ± 0.01"),
    ],
)
def test_plain_text_reads_like_the_printed_line(text: str, expected: str) -> None:
    assert plain(text) == expected


def test_citations_are_printed_as_ranges() -> None:
    assert ranges((1, 2, 4, 5, 6, 9)) == "1,2,4–6,9"


def test_a_papers_plain_text_holds_everything_in_order() -> None:
    paper = Paper(
        suffix="s42256-023-00001-1",
        venue=VENUES["s42256"],
        title="A *title*",
        article_type="Article",
        published=dt.date(2023, 1, 2),
        authors=(),
        abstract="The abstract.",
        sections=(
            Section(
                "Results",
                1,
                (
                    Paragraph("First [@1]."),
                    Placement("table", 1),
                    Bullets(("one", "two")),
                    Equation("x^2"),
                    Placement("figure", 1),
                ),
            ),
            Section("Code availability", 1, (Paragraph("None."),)),
        ),
        openalex_id="W1",
        tables=(Table(1, "Scores", (("a", None),), (("**1**", "2"),), ("note",)),),
        figures=(Figure(1, "A figure.", "lines"),),
    )
    assert plain_text(paper) == (
        "A title\n\nAbstract\n\nThe abstract.\n\nResults\n\nFirst.\n\nTable 1 | Scores\n\n• one\n• two\n\nx²\n\n"
        "Fig. 1 | A figure.\n\nCode availability\n\nNone.\n\nTable 1 | Scores\na\t\n1\t2\nnote\n"
    )
