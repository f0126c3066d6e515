"""Texts of a task change nothing but their own place in a document."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from nature_gym.packaging.markdown import cell, code, fenced, headings, line, prose, title

pieces = st.sampled_from(
    ["#", "## ", "===", "---", "```", "~~~", "`", "|", "\n", "\n\n", "    ", "- ", "> ", "1. ", "<!--", "-->", "<pre>",
     "<script>", "</script>", "a", "b c", "\\", "\r", "\u2028", "\x00", "*", "[x]: y", "\t", "é", "😀"]
)  # fmt: skip
texts = st.lists(pieces, max_size=14).map("".join)


@settings(max_examples=300)
@given(texts)
def test_prose_holds_no_heading_and_ends_where_it_ends(text: str) -> None:
    document = f"# T\n\n## A\n\n{prose(text)}\n\n## B\n\nend\n"
    assert headings(document) == [(1, "T"), (2, "A"), (2, "B")]


@given(texts)
def test_a_line_is_a_line_of_its_own_list(text: str) -> None:
    document = f"## A\n\n- {line(text)}\n\n## B\n"
    assert headings(document) == [(2, "A"), (2, "B")]


@given(texts, texts)
def test_a_cell_stays_in_its_row(one: str, other: str) -> None:
    row = f"| a | b |\n|---|---|\n| {cell(one)} | {code(other) and cell(code(other))} |\n"
    tokens = MarkdownIt("commonmark").enable("table").parse(row)
    assert sum(token.type == "tr_open" for token in tokens) == 2
    assert sum(token.type == "td_open" for token in tokens) == 2


@given(texts.filter(lambda text: text.strip() and "\x00" not in text))
def test_a_block_of_code_holds_all_of_its_text(text: str) -> None:
    (token,) = MarkdownIt("commonmark").parse(fenced(text.replace("\r", "")))
    assert token.type == "fence"


def test_ordinary_markdown_stays_as_written() -> None:
    text = "A *word* and `code`.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```python\n# not a heading\n```"
    assert prose(text) == text


@pytest.mark.parametrize(
    "name", ["Yield of `x` runs", "a *b* c", "a <b> c", "[a](b)", "a \\ b", "Plain name", "# x", "C #", "``"]
)
def test_a_title_reads_as_it_is_written(name: str) -> None:
    tokens = MarkdownIt("commonmark").parse(f"# {title(name)}\n\ntext\n")
    (heading,) = [tokens[place + 1] for place, one in enumerate(tokens) if one.type == "heading_open"]
    assert "".join(child.content for child in heading.children or ()) == name
    assert {child.type for child in heading.children or ()} == {"text"}
