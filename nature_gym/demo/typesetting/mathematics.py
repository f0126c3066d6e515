r"""Formulas written as plain text, for Typst and as MathML, from the TeX of the papers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from html import escape

from markupsafe import Markup

from nature_gym.demo.typesetting.tex import (
    Accent,
    Alphabet,
    Fenced,
    Fraction,
    Function,
    Grid,
    Number,
    Root,
    Row,
    Script,
    Space,
    Symbol,
    Tree,
    Unknown,
    Words,
    parse,
)

_OPERATORS = frozenset("∑∏∫⋃⋂")

# -- plain text --------------------------------------------------------------------

_SUPERSCRIPTS = str.maketrans("0123456789+-−–=()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾")
_SUBSCRIPTS = str.maketrans("0123456789+-−–=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎")


def raised(text: str) -> str:
    """``text`` in superscript characters, if Unicode has all of them; else as it is."""
    return text.translate(_SUPERSCRIPTS) if all(ord(character) in _SUPERSCRIPTS for character in text) else text


def lowered(text: str) -> str:
    """``text`` in subscript characters, if Unicode has all of them; else as it is."""
    return text.translate(_SUBSCRIPTS) if all(ord(character) in _SUBSCRIPTS for character in text) else text


_SPACED = frozenset("=≤≥≠≈∼≃≡∝≅≪≫∈∉∋⊂⊆⊃→←↔↦⇒⇐⇔+−×±∓÷∪∩⊙⊕⊗∖∧∨<>∣")
_MARKS = {
    "hat": "\u0302", "widehat": "\u0302", "tilde": "\u0303", "widetilde": "\u0303", "bar": "\u0304",
    "overline": "\u0304", "vec": "\u20d7", "dot": "\u0307", "ddot": "\u0308",
}  # fmt: skip


def plain_math(tex: str) -> str:
    r"""A formula as one would type it.

    >>> plain_math(r"\hat{y} = \frac{1}{N}\sum_{i=1}^{N} x_i")
    'ŷ = 1/N ∑_{i=1}^N x_i'
    >>> plain_math(r"R^2 > 10^{-3}")
    'R² > 10⁻³'
    """
    return re.sub(r" +", " ", _plain(parse(tex))).strip()


def _plain(tree: Tree) -> str:  # noqa: C901, PLR0911 -- one line for each kind of tree
    match tree:
        case Symbol(text):
            return f" {text} " if text in _SPACED else f"{text} " if text == "," else text
        case Number(text) | Words(text):
            return text
        case Space(name):
            return " " if name else ""
        case Unknown(text):
            return f" {text} "
        case Function(name):
            return name
        case Row(children):
            return _plain_row(children)
        case Script(base, below, above):
            return _plain(base) + _plain_script("_", below) + _plain_script("^", above)
        case Fraction(over, under):
            return f"{_grouped(over)}/{_grouped(under)}"
        case Root(body):
            return f"√{_grouped(body)}"
        case Accent(name, body):
            return unicodedata.normalize("NFC", _plain(body) + _MARKS[name])
        case Alphabet(_, body):
            return _plain(body)
        case Fenced(left, right, body):
            return f"{left}{_plain(body).strip()}{right}"
        case Grid(_, rows):
            return "; ".join(" ".join(_plain(cell).strip() for cell in row) for row in rows)


def _plain_row(children: Sequence[Tree]) -> str:
    """A row; where two names would run together, or round a sum, there is a space."""
    text = ""
    previous: Tree | None = None
    for child in children:
        piece = _plain(child)
        if previous is None or (isinstance(previous, Symbol) and previous.text in _SPACED | set("(")):
            # A sign here is not an operation: "−1", "= −1".
            piece = re.sub(r"^ ([−+±∼]) $", r"\1", piece)
        elif (_stands_apart(previous) or _stands_apart(child)) and not _is_call(previous, piece):
            text += " "
        text += piece
        previous = child
    return text


def _is_call(tree: Tree, following: str) -> bool:
    """A function and its argument in brackets."""
    return isinstance(tree.base if isinstance(tree, Script) else tree, Function | Words) and following[:1] in {"(", "["}


def _stands_apart(tree: Tree) -> bool:
    base = tree.base if isinstance(tree, Script) else tree
    return isinstance(base, Function | Words | Fraction) or (isinstance(base, Symbol) and base.text in _OPERATORS)


def _plain_script(mark: str, tree: Tree | None) -> str:
    if tree is None:
        return ""
    if tree == Symbol("′"):
        return "′"
    text = _plain(tree)
    text = text.strip() if isinstance(tree, Words) else text.replace(" ", "")
    script = raised(text) if mark == "^" else lowered(text)
    return script if script != text else mark + (text if len(text) == 1 else f"{{{text}}}")


def _grouped(tree: Tree) -> str:
    text = _plain(tree).strip()
    compound = isinstance(tree, Fraction) or (isinstance(tree, Row) and len(tree.children) > 1)
    return f"({text})" if compound else text


# -- Typst -------------------------------------------------------------------------

_TYPST_ALPHABETS = {
    "mathbf": "bold(upright({}))", "boldsymbol": "bold({})", "bm": "bold({})", "mathrm": "upright({})",
    "mathcal": "cal({})", "mathbb": "bb({})", "mathit": "italic({})", "mathsf": "sans({})", "mathfrak": "frak({})",
}  # fmt: skip
_TYPST_ACCENTS = {
    "hat": "hat", "widehat": "hat", "tilde": "tilde", "widetilde": "tilde", "bar": "macron", "overline": "overline",
    "vec": "arrow", "dot": "dot", "ddot": "dot.double",
}  # fmt: skip
_TYPST_FENCES = {"cases": "{", "pmatrix": "(", "bmatrix": "[", "vmatrix": "|"}
_TYPST_SPECIAL = re.compile(r"[\\#$\"_^&/'@~()\[\]{},;:]")


def typst_math(tex: str) -> str:
    r"""The inside of a Typst equation.

    >>> typst_math(r"\frac{a_i}{2}")
    'frac(a_(i), 2)'
    """
    return _typst(parse(tex))


def _typst(tree: Tree) -> str:  # noqa: C901, PLR0911 -- one line for each kind of tree
    match tree:
        case Symbol(text):
            return f'class("normal", {text})' if text in "|‖" else _typst_character(text)
        case Number(text):
            return text
        case Words(text):
            return typst_string(text)
        case Space(name):
            return name
        case Unknown(text):
            return f"#raw({typst_string(text)})"
        case Function(name, limits):
            return f"op({typst_string(name)}{', limits: #true' if limits else ''})"
        case Row(children):
            return " ".join(map(_typst, children))
        case Script(base, below, above):
            return _typst_base(base) + _typst_script("_", below) + _typst_script("^", above)
        case Fraction(over, under):
            return f"frac({_typst_argument(over)}, {_typst_argument(under)})"
        case Root(body, index):
            name, degree = ("sqrt", "") if index is None else ("root", _typst_argument(index) + ", ")
            return f"{name}({degree}{_typst_argument(body)})"
        case Accent(name, body):
            return f"{_TYPST_ACCENTS[name]}({_typst_argument(body)})"
        case Alphabet(name, body):
            return _TYPST_ALPHABETS[name].format(_typst_word(body) or '""')
        case Fenced(left, right, body):
            return f"lr({_typst_character(left)} {_typst(body)} {_typst_character(right)})"
        case Grid(name, rows):
            return _typst_grid(name, rows)


def _typst_character(text: str) -> str:
    return _TYPST_SPECIAL.sub(r"\\\g<0>", text)


def _typst_argument(tree: Tree) -> str:
    """What a function of Typst takes, where TeX may have nothing."""
    return _typst(tree).strip() or '""'


def _typst_base(base: Tree) -> str:
    """What a script hangs on: one term, and something even where TeX has nothing."""
    text = _typst(base)
    return f"lr({text})" if isinstance(base, Row) and text.strip() else text.strip() or '""'


def _typst_script(mark: str, tree: Tree | None) -> str:
    return "" if tree is None else f"{mark}({_typst(tree)})"


def _typst_word(tree: Tree) -> str:
    """Letters in a row are a word in an upright alphabet."""
    if isinstance(tree, Row) and all(isinstance(child, Symbol) and child.text.isalpha() for child in tree.children):
        return typst_string(_plain(tree))
    return _typst(tree)


def _typst_grid(name: str, rows: Sequence[Sequence[Tree]]) -> str:
    lines = [[_typst(cell) for cell in row] for row in rows]
    if name == "cases":
        return f"cases({', '.join(' & '.join(line) for line in lines)})"
    if name in {"matrix", "array", *_TYPST_FENCES}:
        fence = typst_string(_TYPST_FENCES[name]) if name in _TYPST_FENCES else "#none"
        return f"mat(delim: {fence}, {'; '.join(', '.join(line) for line in lines)})"
    return " \\ ".join(" & ".join(line) for line in lines)


def typst_string(text: str) -> str:
    """``text`` as a string of Typst, which prints exactly that."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'


# -- MathML ------------------------------------------------------------------------

_MATHML_VARIANTS = {
    "mathbf": "bold", "boldsymbol": "bold-italic", "bm": "bold-italic", "mathrm": "normal", "mathcal": "script",
    "mathbb": "double-struck", "mathit": "italic", "mathsf": "sans-serif", "mathfrak": "fraktur",
}  # fmt: skip
_MATHML_ACCENTS = {
    "hat": "^", "widehat": "^", "tilde": "~", "widetilde": "~", "bar": "¯", "overline": "¯", "vec": "→",
    "dot": "˙", "ddot": "¨",
}  # fmt: skip
_MATHML_WIDTHS = {"thin": "0.17em", "med": "0.22em", "thick": "0.28em", "space": "0.25em", "quad": "1em", "wide": "2em"}


def mathml(tex: str, *, prefix: str = "", display: bool = False) -> Markup:
    """A ``math`` element; ``prefix`` is that of its namespace (``mml:`` in JATS).

    >>> str(mathml("x_i"))
    '<math><msub><mi>x</mi><mi>i</mi></msub></math>'
    """
    block = ' display="block"' if display else ""
    written = f"<math{block}>{_mathml(parse(tex))}</math>"
    return Markup(re.sub(r"<(/?)(?=[a-z])", rf"<\1{prefix}", written))  # noqa: S704 -- its texts are escaped


def _mathml(tree: Tree) -> str:  # noqa: C901, PLR0911 -- one line for each kind of tree
    match tree:
        case Symbol(text):
            return _element("mi" if text.isalpha() or text == "∞" else "mo", escape(text))
        case Number(text):
            return _element("mn", text)
        case Words(text) | Unknown(text):
            return _element("mtext", escape(text).replace(" ", "\u00a0"))
        case Space(name):
            return f'<mspace width="{_MATHML_WIDTHS.get(name, "0")}"/>'
        case Function(name):
            return _element("mi", escape(name))
        case Row(children):
            return _element("mrow", "".join(map(_mathml, children)))
        case Script(base, below, above):
            return _mathml_script(base, below, above)
        case Fraction(over, under):
            return _element("mfrac", _mathml(over) + _mathml(under))
        case Root(body, index):
            return (
                _element("msqrt", _mathml(body)) if index is None else _element("mroot", _mathml(body) + _mathml(index))
            )
        case Accent(name, body):
            return f'<mover accent="true">{_mathml(body)}<mo>{_MATHML_ACCENTS[name]}</mo></mover>'
        case Alphabet(name, body):
            return _mathml_alphabet(_MATHML_VARIANTS[name], body)
        case Fenced(left, right, body):
            return _element("mrow", _fence(left) + _mathml(body) + _fence(right))
        case Grid(name, rows):
            return _mathml_grid(name, rows)


def _element(name: str, content: str) -> str:
    return f"<{name}>{content}</{name}>"


def _fence(delimiter: str) -> str:
    return f'<mo stretchy="true">{escape(delimiter)}</mo>' if delimiter else ""


def _mathml_script(base: Tree, below: Tree | None, above: Tree | None) -> str:
    over_and_under = (isinstance(base, Function) and base.limits) or (isinstance(base, Symbol) and base.text in "∑∏⋃⋂")
    kind = {(True, True): "munderover", (True, False): "munder", (False, True): "mover"}
    script = {(True, True): "msubsup", (True, False): "msub", (False, True): "msup"}
    parts = "".join(_mathml(part) for part in (base, below, above) if part is not None)
    return _element((kind if over_and_under else script)[below is not None, above is not None], parts)


def _mathml_alphabet(variant: str, body: Tree) -> str:
    if isinstance(body, Row) and variant == "normal":
        body = Symbol(_plain(body))
    return re.sub("<mi>", f'<mi mathvariant="{variant}">', _mathml(body))


def _mathml_grid(name: str, rows: Sequence[Sequence[Tree]]) -> str:
    lines = "".join(_element("mtr", "".join(_element("mtd", _mathml(cell)) for cell in row)) for row in rows)
    closing = {"(": ")", "[": "]", "|": "|"}
    fence = _TYPST_FENCES.get(name, "")
    return _element("mrow", _fence(fence) + _element("mtable", lines) + _fence(closing.get(fence, "")))
