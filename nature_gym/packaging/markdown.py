"""Texts from a task in Markdown of ours: they may be anything, and change nothing but their own place.

A document of a package has exactly the sections that its template has. So words that come from ``task.yaml`` lose what
would make a heading, open a block that nobody closes, or end a table's cell; all else in them stays as written.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt

_LINES = re.compile(r"\r\n|[\r\n\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff]")
_BLOCK = re.compile(r"#|>|[-+*=] |[-+*=_]{3}|[-+*=]$|~~~|```|    ")
"""What begins a block where it begins a line; a number with a dot only makes a list, which changes no heading."""
MOST_ROUNDS = 8


def line(text: str) -> str:
    """``text`` on one line, for a heading or a list's entry."""
    text = " ".join(_plain(text).split()).replace("<", "&lt;")
    return f"\\{text}" if _BLOCK.match(text) else text


def title(text: str) -> str:
    """``text`` as a heading that reads as it is written: nothing in it is code, emphasis, a link or HTML."""
    return re.sub(r"[\\`*#\[\]<]", r"\\\g<0>", " ".join(_plain(text).split()))


def cell(text: str) -> str:
    """``text`` as a cell of a table."""
    return " ".join(_plain(text).split()).replace("|", "\\|")


def code(text: str) -> str:
    """``text`` as code within a line, between as many backticks as it takes."""
    text = " ".join(_plain(text).split(" ")).replace("\n", " ")
    if not text.strip():
        return ""
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    space = " " if text.startswith(("`", " ")) or text.endswith(("`", " ")) else ""
    return f"{ticks}{space}{text}{space}{ticks}"


def fenced(text: str, language: str = "") -> str:
    """``text`` as a block of code."""
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence}{language}\n{text.rstrip(chr(10))}\n{fence}"


def prose(text: str) -> str:
    """``text`` as paragraphs, lists, tables and closed blocks of code; no headings, no HTML blocks."""
    lines = _plain(text).strip().split("\n")
    for _ in range(MOST_ROUNDS):
        mended = _mended(lines)
        if mended == lines:
            return "\n".join(lines)
        lines = mended
    return fenced("\n".join(lines))


def headings(document: str) -> list[tuple[int, str]]:
    """(level, text) of each heading, as readers of Markdown see them."""
    tokens = MarkdownIt("commonmark").enable("table").parse(document)
    return [
        (int(token.tag[1:]), tokens[place + 1].content)
        for place, token in enumerate(tokens)
        if token.type == "heading_open"
    ]


def _plain(text: str) -> str:
    """Line ends as one kind, and nothing that commands a terminal or cannot be written."""
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", _LINES.sub("\n", text))


def _mended(lines: list[str]) -> list[str]:
    """One round: the first heading, HTML block or open fence loses what makes it one."""
    for token in MarkdownIt("commonmark").enable("table").parse("\n".join(lines)):
        first, last = token.map or (0, 0)
        if token.type == "heading_open":
            place = first if token.markup.startswith("#") else last - 1
            return [*lines[:place], _escaped(lines[place], token.markup[0]), *lines[place + 1 :]]
        if token.type == "html_block":
            return [*lines[:first], *(one.replace("<", "&lt;") for one in lines[first:last]), *lines[last:]]
        if token.type == "fence":
            closing = lines[last - 1].lstrip(" >").rstrip()
            if last - first < 2 or not (closing.startswith(token.markup) and not closing.strip(token.markup[0])):
                indent = re.match(r"[ >]*", lines[first])
                return [*lines[:last], f"{indent[0] if indent else ''}{token.markup}", *lines[last:]]
    return lines


def _escaped(text: str, mark: str) -> str:
    return text.replace(mark, f"\\{mark}", 1)
