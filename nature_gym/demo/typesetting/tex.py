r"""The subset of TeX mathematics that the demo's papers use, read into a tree.

The tree is written as plain text (:func:`plain_math`), for Typst (:func:`typst_math`) and as
MathML (:func:`mathml`). The one idea: nearly every command of the subset is either a Unicode
character or a call with braces for arguments, so two tables hold what is known of TeX.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass


def _names(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


def _table(listed: str) -> dict[str, str]:
    return {name: character for name, _, character in (item.partition("=") for item in listed.split())}


SYMBOLS: dict[str, str] = _table(
    "alpha=α beta=β gamma=γ delta=δ epsilon=ϵ varepsilon=ε zeta=ζ eta=η theta=θ vartheta=ϑ iota=ι kappa=κ "
    "lambda=λ mu=μ nu=ν xi=ξ pi=π rho=ρ sigma=σ tau=τ upsilon=υ phi=ϕ varphi=φ chi=χ psi=ψ omega=ω "
    "Gamma=Γ Delta=Δ Theta=Θ Lambda=Λ Xi=Ξ Pi=Π Sigma=Σ Phi=Φ Psi=Ψ Omega=Ω "
    "sum=∑ prod=∏ int=∫ cup=∪ cap=∩ bigcup=⋃ bigcap=⋂ partial=∂ nabla=∇ infty=∞ ell=ℓ hbar=ℏ Re=ℜ Im=ℑ "
    "in=∈ notin=∉ ni=∋ subset=⊂ subseteq=⊆ supset=⊃ emptyset=∅ forall=∀ exists=∃ neg=¬ land=∧ lor=∨ "
    "le=≤ leq=≤ ge=≥ geq=≥ ne=≠ neq=≠ ll=≪ gg=≫ approx=≈ sim=∼ simeq=≃ equiv=≡ propto=∝ cong=≅ "
    "times=× cdot=⋅ pm=± mp=∓ div=÷ ast=∗ star=⋆ circ=∘ bullet=∙ odot=⊙ oplus=⊕ otimes=⊗ setminus=∖ "
    "to=→ rightarrow=→ leftarrow=← leftrightarrow=↔ mapsto=↦ Rightarrow=⇒ Leftarrow=⇐ Leftrightarrow=⇔ iff=⇔ "
    "langle=⟨ rangle=⟩ lfloor=⌊ rfloor=⌋ lceil=⌈ rceil=⌉ lVert=‖ rVert=‖ Vert=‖ lvert=| rvert=| vert=| "
    "mid=∣ parallel=∥ perp=⊥ top=⊤ bot=⊥ dots=… ldots=… cdots=⋯ vdots=⋮ ddots=⋱ prime=′ degree=° dagger=† "
    "colon=: lbrace={ rbrace=} %=% &=& #=# $=$ _=_ {={ }=} |=‖"
)
"""Command -> the character that it prints."""

SPACES: dict[str, str] = {
    ",": " ", ":": " ", ";": " ", " ": " ", "quad": " ", "qquad": "  ", "!": "",
}  # fmt: skip

FUNCTIONS = _names("log ln exp sin cos tan sinh cosh tanh arcsin arccos arctan arg det dim ker tr Pr deg")
LIMIT_FUNCTIONS = _names("min max sup inf lim argmin argmax")
"""Functions whose subscript stands below them in displays."""

ALPHABETS: dict[str, str] = {
    "mathbf": "bold", "boldsymbol": "bold-italic", "bm": "bold-italic", "mathrm": "upright", "mathcal": "script",
    "mathbb": "double-struck", "mathit": "italic", "mathsf": "sans", "mathfrak": "fraktur",
}  # fmt: skip
ACCENTS: dict[str, str] = {
    "hat": "\u0302", "widehat": "\u0302", "tilde": "\u0303", "widetilde": "\u0303", "bar": "\u0304",
    "overline": "\u0304", "vec": "\u20d7", "dot": "\u0307", "ddot": "\u0308",
}  # fmt: skip
TEXTS = frozenset(("text", "textrm", "textit", "textbf", "operatorname", "operatorname*"))
_IGNORED = _names("displaystyle textstyle limits nolimits bigl bigr Bigl Bigr big Big bigg Bigg biggl biggr nonumber")

# -- the tree ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Symbol:
    """A character that stands for itself."""

    text: str


@dataclass(frozen=True, slots=True)
class Number:
    """Digits, with a decimal point perhaps."""

    text: str


@dataclass(frozen=True, slots=True)
class Space:
    text: str


@dataclass(frozen=True, slots=True)
class Function:
    """A named function, printed upright."""

    name: str
    limits: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    """Text between mathematics."""

    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """Trees side by side."""

    children: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Script:
    """A base with a subscript or a superscript or both."""

    base: Tree
    below: Tree | None
    above: Tree | None


@dataclass(frozen=True, slots=True)
class Fraction:
    """One tree over another."""

    over: Tree
    under: Tree


@dataclass(frozen=True, slots=True)
class Root:
    """A square root, or another with its index."""

    body: Tree
    index: Tree | None


@dataclass(frozen=True, slots=True)
class Accent:
    """A hat, a bar and the like over a tree."""

    name: str
    body: Tree


@dataclass(frozen=True, slots=True)
class Alphabet:
    """``\\mathbf`` and its like."""

    name: str
    body: Tree


@dataclass(frozen=True, slots=True)
class Fenced:
    """``\\left( ... \\right)``; an empty delimiter prints nothing."""

    left: str
    right: str
    body: Tree


@dataclass(frozen=True, slots=True)
class Grid:
    """An environment of rows and cells: ``cases``, ``aligned``, ``pmatrix``..."""

    name: str
    rows: tuple[tuple[Tree, ...], ...]


@dataclass(frozen=True, slots=True)
class Unknown:
    """A command outside the subset, kept as written."""

    tex: str


Tree = (
    Symbol
    | Number
    | Space
    | Function
    | Words
    | Row
    | Script
    | Fraction
    | Root
    | Accent
    | Alphabet
    | Fenced
    | Grid
    | Unknown
)

# -- reading -----------------------------------------------------------------------

_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|\d+(?:[.]\d+)?|\s+|.", re.DOTALL)
_GRIDS = _names("cases aligned align matrix pmatrix bmatrix vmatrix array split gathered")


class _Reader:
    def __init__(self, tex: str) -> None:
        self.tokens = _TOKEN.findall(tex)
        self.at = 0

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.at += 1
        return token

    def skip_space(self) -> None:
        while self.peek().isspace():
            self.at += 1

    def row(self, *stops: str) -> Tree:
        """Trees up to one of the stop tokens (which stays) or the end."""
        found: list[Tree] = []
        while (token := self.peek()) and token not in stops:
            if token.isspace():
                self.at += 1
            elif token in {"_", "^", "'"}:
                base = found.pop() if found else Row(())
                found.append(self.scripts(base))
            else:
                found.extend(self.atom())
        return found[0] if len(found) == 1 else Row(tuple(found))

    def scripts(self, base: Tree) -> Tree:
        below: Tree | None = None
        above: Tree | None = None
        while (token := self.peek()) in {"_", "^", "'"}:
            self.at += 1
            match token:
                case "_":
                    below = self.argument()
                case "^":
                    above = self.argument()
                case _:
                    above = Symbol("′")
            if not self.peek().isspace():
                continue
            mark = self.at
            self.skip_space()
            if self.peek() not in {"_", "^"}:
                self.at = mark
        return Script(base, below, above)

    def argument(self) -> Tree:
        """A group in braces, or the next single thing."""
        self.skip_space()
        if self.peek() == "{":
            self.at += 1
            inner = self.row("}")
            self.take()
            return inner
        if len(self.peek()) > 1 and self.peek()[0].isdigit():
            token = self.tokens[self.at]
            self.tokens[self.at : self.at + 1] = [token[0], token[1:]]
        atoms = list(self.atom()) if self.peek() else []
        return atoms[0] if atoms else Row(())

    def atom(self) -> Iterator[Tree]:
        token = self.take()
        if token == "{":
            yield self.row("}")
            self.take()
        elif token[0] == "\\":
            yield from self.command(token[1:])
        elif token[0].isdigit():
            yield Number(token)
        else:
            yield Symbol({"-": "−", "*": "∗", "~": " "}.get(token, token))

    def command(self, name: str) -> Iterator[Tree]:
        plain_name = name.rstrip("*")
        if name in SPACES:
            yield Space(SPACES[name])
        elif plain_name in _IGNORED:
            return
        elif name in SYMBOLS:
            yield Symbol(SYMBOLS[name])
        elif name in FUNCTIONS or name in LIMIT_FUNCTIONS:
            yield Function(name, limits=name in LIMIT_FUNCTIONS)
        elif name in TEXTS:
            yield self.words(name)
        elif name in ALPHABETS:
            yield Alphabet(name, self.argument())
        elif name in ACCENTS:
            yield Accent(name, self.argument())
        elif name in {"frac", "dfrac", "tfrac"}:
            yield Fraction(self.argument(), self.argument())
        elif name == "sqrt":
            yield self.root()
        elif name == "left":
            yield self.fenced()
        elif name == "begin":
            yield self.grid()
        else:
            yield Unknown("\\" + name)

    def words(self, name: str) -> Tree:
        self.skip_space()
        if self.take() != "{":
            return Unknown("\\" + name)
        depth, found = 1, []
        while (token := self.take()) and depth:
            depth += (token == "{") - (token == "}")
            if depth:
                found.append(token[1:] if token[0] == "\\" and token[1:] in SYMBOLS else token)
            else:
                break
        text = "".join(found)
        return Function(text, limits=name.endswith("*")) if name.startswith("operatorname") else Words(text)

    def root(self) -> Tree:
        index = None
        if self.peek() == "[":
            self.at += 1
            index = self.row("]")
            self.take()
        return Root(self.argument(), index)

    def fenced(self) -> Tree:
        left = self.delimiter()
        body = self.row("\\right")
        self.take()
        return Fenced(left, self.delimiter(), body)

    def delimiter(self) -> str:
        self.skip_space()
        token = self.take()
        if token == ".":
            return ""
        return SYMBOLS.get(token[1:], token[1:]) if token[:1] == "\\" else token

    def grid(self) -> Tree:
        name = self.braced()
        if name.rstrip("*") not in _GRIDS:
            return Unknown(f"\\begin{{{name}}}")
        if name == "array":
            self.braced()
        rows: list[tuple[Tree, ...]] = []
        cells: list[Tree] = []
        while True:
            cells.append(self.row("&", "\\\\", "\\end"))
            token = self.take()
            if token == "&":
                continue
            rows.append(tuple(cells))
            cells = []
            if token != "\\\\":
                break
        self.braced()
        if len(rows) > 1 and rows[-1] == (Row(()),):
            rows.pop()
        return Grid(name.rstrip("*"), tuple(rows))

    def braced(self) -> str:
        """The raw text of a group in braces."""
        self.skip_space()
        if self.peek() != "{":
            return ""
        self.at += 1
        found = []
        while (token := self.take()) not in {"}", ""}:
            found.append(token)
        return "".join(found)


def parse(tex: str) -> Tree:
    """The tree of a formula. Nothing fails: what is not known becomes :class:`Unknown`."""
    reader = _Reader(tex)
    found: list[Tree] = []
    while reader.peek():
        found.append(reader.row())
        if stray := reader.take():
            found.append(Symbol(stray))
    return found[0] if len(found) == 1 else Row(tuple(found))


def unknown(tex: str) -> list[str]:
    """The commands of a formula that lie outside the subset."""
    return [tree.tex for tree in _walk(parse(tex)) if isinstance(tree, Unknown)]


def _walk(tree: Tree) -> Iterator[Tree]:
    yield tree
    for child in _children(tree):
        yield from _walk(child)


def _children(tree: Tree) -> Sequence[Tree]:
    match tree:
        case Row(children):
            return children
        case Script(base, below, above):
            return [part for part in (base, below, above) if part is not None]
        case Fraction(over, under):
            return (over, under)
        case Root(body, index):
            return (body,) if index is None else (body, index)
        case Accent(_, body) | Alphabet(_, body) | Fenced(_, _, body):
            return (body,)
        case Grid(_, rows):
            return [cell for row in rows for cell in row]
        case _:
            return ()


# -- as plain text -----------------------------------------------------------------

_SPACED = frozenset("=≤≥≠≈∼≃≡∝≅≪≫∈∉∋⊂⊆⊃→←↔↦⇒⇐⇔+−×±∓÷∪∩⊙⊕⊗∖∧∨<>∣")
_TIGHT_AFTER = frozenset("([{⟨|‖,=≤≥")


def plain_math(tex: str) -> str:
    r"""A formula as a reader would type it.

    >>> plain_math(r"\hat{y} = \frac{1}{N}\sum_{i=1}^{N} x_i")
    'ŷ = 1/N ∑_{i=1}^N x_i'
    """
    return re.sub(r" +", " ", _plain(parse(tex))).strip()


def _plain(tree: Tree) -> str:
    match tree:
        case Symbol(text):
            return f" {text} " if text in _SPACED else f"{text} " if text == "," else text
        case Number(text) | Space(text) | Words(text):
            return text
        case Unknown(text):
            return f" {text} "
        case Function(name):
            return name
        case Row(children):
            return _plain_row(children)
        case Script(base, below, above):
            return _plain(base) + _mark("_", below) + _mark("^", above)
        case Fraction(over, under):
            return f"{_grouped(over)}/{_grouped(under)}"
        case Root(body):
            return f"√{_grouped(body)}"
        case Accent(name, body):
            return _accented(_plain(body), ACCENTS[name])
        case Alphabet(_, body):
            return _plain(body)
        case Fenced(left, right, body):
            return f"{left}{_plain(body).strip()}{right}"
        case Grid(_, rows):
            return "; ".join(" ".join(_plain(cell).strip() for cell in row) for row in rows)


def _plain_row(children: Sequence[Tree]) -> str:
    """A row, with a space round large operators, fractions and names as the eye would see it."""
    text = ""
    for index, child in enumerate(children):
        piece = _plain(child)
        if (
            index
            and text
            and text[-1].isalnum()
            and piece[:1].isalpha()
            and (_is_wide(child) or _is_wide(children[index - 1]))
        ) or (index and _is_operator(children[index - 1])) or (_is_operator(child) and text):
            text += " "
        if not text.rstrip() and piece.startswith((" −", " +", " ±", " ∼")):
            piece = piece.strip()
        text += piece
    return text


def _is_wide(tree: Tree) -> bool:
    return isinstance(tree.base if isinstance(tree, Script) else tree, Function | Words | Fraction | Accent)


def _is_operator(tree: Tree) -> bool:
    base = tree.base if isinstance(tree, Script) else tree
    return isinstance(base, Symbol) and base.text in {"∑", "∏", "∫", "⋃", "⋂"}


def _mark(mark: str, tree: Tree | None) -> str:
    if tree is None:
        return ""
    if tree == Symbol("′"):
        return "′"
    text = _plain(tree).replace(" ", "") if not isinstance(tree, Words) else _plain(tree)
    return mark + (text if len(text) == 1 else f"{{{text}}}")


def _grouped(tree: Tree) -> str:
    text = _plain(tree).strip()
    return f"({text})" if isinstance(tree, Row) and len(tree.children) > 1 else text


def _accented(text: str, mark: str) -> str:
    return unicodedata.normalize("NFC", text + mark)
