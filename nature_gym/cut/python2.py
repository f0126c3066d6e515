"""Programs in Python 2, rewritten so far that they can be parsed as Python 3. They are only read, so meaning may bend.

The one idea: what Python 3 does not take of old programs are a few statements and tokens, each with a form of the same
kind. They are put in their place token by token, and no line moves, so that evidence names the lines of the original.
"""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterator

Edit = tuple[tuple[int, int], tuple[int, int], str]
"""(from, to, new text); places are (line, column)."""

_NO_TOKENS = {tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_NO_STATEMENT = frozenset({"(", "=", ".", ",", ")", ":", "["})
"""What follows ``print`` and ``exec`` where they are names already."""


def as_python3(source: str) -> str | None:
    """The program with its old statements rewritten; None where its tokens make no sense, or nothing was old.

    >>> print(as_python3("try:\\n  print 'a', 0777\\nexcept E, e: raise F, 'b'\\n"))
    try:
      print( 'a', 0o777)
    except E as e: raise F( 'b')
    <BLANKLINE>
    """
    plain = "".join(_indented(line) for line in source.splitlines(keepends=True))
    edits: list[Edit] = []
    try:
        for statement in _statements(plain):
            edits += _of_statement(statement)
            edits += _of_tokens(statement)
    except (tokenize.TokenError, IndentationError, SyntaxError, ValueError):
        return None
    return _edited(plain, edits) if edits or plain != source else None


def _indented(line: str) -> str:
    """Tabs before a line's first word reach to the next eighth column, as they did."""
    body = line.lstrip(" \t")
    return line[: len(line) - len(body)].expandtabs(8) + body


def _statements(source: str) -> Iterator[list[tokenize.TokenInfo]]:
    """The tokens of each simple statement, and of each head of a block with its colon."""
    held: list[tokenize.TokenInfo] = []
    depth = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in _NO_TOKENS:
            continue
        depth += (token.string in _OPENING) - (token.string in _CLOSING)
        ends = token.type == tokenize.NEWLINE or (depth == 0 and token.string == ";")
        if not ends:
            held.append(token)
        is_head = token.string == ":" and depth == 0 and not any(one.string == "lambda" for one in held)
        if (ends or is_head) and held:
            yield held
            held = []
    if held:
        yield held


def _of_statement(tokens: list[tokenize.TokenInfo]) -> Iterator[Edit]:
    first, following = tokens[0], tokens[1:]
    if first.string in ("print", "exec") and not (following and following[0].string in _NO_STATEMENT):
        if not following:
            yield first.end, first.end, "()"
            return
        redirected = following[0].string == ">>"
        yield first.end, following[0].end if redirected else first.end, "("
        yield tokens[-1].end, tokens[-1].end, ")"
    elif first.string in ("except", "raise") and (comma := _outer_comma(following)) is not None:
        yield comma.start, comma.end, " as " if first.string == "except" else "("
        if first.string == "raise":
            yield tokens[-1].end, tokens[-1].end, ")"


def _outer_comma(tokens: list[tokenize.TokenInfo]) -> tokenize.TokenInfo | None:
    depth = 0
    for token in tokens:
        depth += (token.string in _OPENING) - (token.string in _CLOSING)
        if token.string == "," and depth == 0:
            return token
    return None


def _of_tokens(tokens: list[tokenize.TokenInfo]) -> Iterator[Edit]:
    quoted = False
    for number, token in enumerate(tokens):
        following = tokens[number + 1] if number + 1 < len(tokens) else None
        adjacent = following if following is not None and following.start == token.end else None
        if token.string == "`":
            quoted = not quoted
            yield token.start, token.end, "repr(" if quoted else ")"
        elif token.string == "lambda" and following is not None and following.string == "(":
            yield from _bare(tokens[number + 1 :])
        elif adjacent is None:
            continue
        elif token.string == "<" and adjacent.string == ">":
            yield token.start, adjacent.end, "!="
        elif token.type == tokenize.NUMBER and adjacent.type == tokenize.NUMBER and set(token.string) == {"0"}:
            yield token.start, adjacent.start, "0o"
        elif token.type == tokenize.NUMBER and adjacent.string in ("L", "l"):
            yield adjacent.start, adjacent.end, ""
        elif token.string.lower() == "ur" and adjacent.type == tokenize.STRING:
            yield token.start, token.end, "r"


def _bare(tokens: list[tokenize.TokenInfo]) -> Iterator[Edit]:
    """``lambda (a, b): ...`` without its parentheses."""
    depth = 0
    for number, token in enumerate(tokens):
        depth += (token.string == "(") - (token.string == ")")
        if depth == 0:
            if number + 1 < len(tokens) and tokens[number + 1].string == ":":
                yield tokens[0].start, tokens[0].end, " "
                yield token.start, token.end, " "
            return


def _edited(source: str, edits: list[Edit]) -> str:
    lines = source.splitlines(keepends=True)
    for start, end, text in sorted(edits, reverse=True):
        if start[0] != end[0]:
            continue
        line = lines[start[0] - 1]
        lines[start[0] - 1] = line[: start[1]] + text + line[end[1] :]
    return "".join(lines)
