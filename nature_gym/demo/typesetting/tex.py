r"""The subset of TeX mathematics that the demo's papers use, read into a tree.

The one idea: nearly every command of the subset is either a Unicode character or a call with
braces for arguments, so a few tables hold what is known of TeX. :mod:`.mathematics` writes
the tree in other notations.
"""

from __future__ import annotations

import re
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
    ",": "thin", ":": "med", ";": "thick", " ": "space", "quad": "quad", "qquad": "wide", "!": "",
}  # fmt: skip
"""Command -> the space's name; a negative one prints nothing."""

FUNCTIONS = _names("log ln exp sin cos tan sinh cosh tanh arcsin arccos arctan arg det dim ker tr Pr deg")
LIMIT_FUNCTIONS = _names("min max sup inf lim argmin argmax")
"""Functions whose subscript stands below them in displays."""

ALPHABETS = _names("mathbf boldsymbol bm mathrm mathcal mathbb mathit mathsf mathfrak")
ACCENTS = _names("hat widehat tilde widetilde bar overline vec dot ddot")
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
    """Room between symbols, by name."""

    name: str


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

_PIECE = re.compile(r"\\[A-Za-z]+\*?|\\.|\d+(?:[.]\d+)?|\s+|.", re.DOTALL)
_GRIDS = _names("cases aligned align matrix pmatrix bmatrix vmatrix array split gathered")


class _Reader:
    def __init__(self, tex: str) -> None:
        self.pieces = _PIECE.findall(tex)
        self.at = 0

    def peek(self) -> str:
        return self.pieces[self.at] if self.at < len(self.pieces) else ""

    def take(self) -> str:
        piece = self.peek()
        self.at += 1
        return piece

    def skip_space(self) -> None:
        while self.peek().isspace():
            self.at += 1

    def row(self, *stops: str) -> Tree:
        """Trees up to one of the stop pieces (which stays) or the end."""
        found: list[Tree] = []
        while (piece := self.peek()) and piece not in stops:
            if piece.isspace():
                self.at += 1
            elif piece in {"_", "^", "'"}:
                base = found.pop() if found else Row(())
                found.append(self.scripts(base))
            else:
                for tree in self.atom():
                    _append(found, tree)
        return found[0] if len(found) == 1 else Row(tuple(found))

    def scripts(self, base: Tree) -> Tree:
        below: Tree | None = None
        above: Tree | None = None
        while (piece := self.peek()) in {"_", "^", "'"}:
            self.at += 1
            match piece:
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
            piece = self.pieces[self.at]
            self.pieces[self.at : self.at + 1] = [piece[0], piece[1:]]
        atoms = list(self.atom()) if self.peek() else []
        return atoms[0] if atoms else Row(())

    def atom(self) -> Iterator[Tree]:
        piece = self.take()
        if piece == "{":
            yield self.row("}")
            self.take()
        elif piece[0] == "\\":
            yield from self.command(piece[1:])
        elif piece[0].isdigit():
            yield Number(piece)
        elif piece == "~":
            yield Space("space")
        else:
            yield Symbol({"-": "−", "*": "∗"}.get(piece, piece))

    def command(self, name: str) -> Iterator[Tree]:
        if name in _IGNORED:
            return
        if name in SPACES:
            yield Space(SPACES[name])
        elif name in SYMBOLS:
            yield Symbol(SYMBOLS[name])
        elif name in FUNCTIONS or name in LIMIT_FUNCTIONS:
            yield Function(name, limits=name in LIMIT_FUNCTIONS)
        elif name in TEXTS:
            yield self.words(name)
        else:
            yield self.call(name)

    def call(self, name: str) -> Tree:
        """A command that takes arguments."""
        if name in ALPHABETS:
            return Alphabet(name, self.argument())
        if name in ACCENTS:
            return Accent(name, self.argument())
        if name in {"frac", "dfrac", "tfrac"}:
            return Fraction(self.argument(), self.argument())
        calls = {"sqrt": self.root, "left": self.fenced, "begin": self.grid}
        return calls[name]() if name in calls else Unknown("\\" + name)

    def words(self, name: str) -> Tree:
        self.skip_space()
        if self.take() != "{":
            return Unknown("\\" + name)
        depth = 1
        found: list[str] = []
        while piece := self.take():
            depth += {"{": 1, "}": -1}.get(piece, 0)
            if not depth:
                break
            found.append(SYMBOLS.get(piece[1:], piece) if piece[0] == "\\" else piece)
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
        piece = self.take()
        if piece == ".":
            return ""
        return SYMBOLS.get(piece[1:], piece[1:]) if piece[:1] == "\\" else piece

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
            piece = self.take()
            if piece == "&":
                continue
            rows.append(tuple(cells))
            cells = []
            if piece != "\\\\":
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
        while (piece := self.take()) not in {"}", ""}:
            found.append(piece)
        return "".join(found)


def _append(found: list[Tree], tree: Tree) -> None:
    r"""Add a tree to a row; ``\arg\min`` is one function."""
    if isinstance(tree, Function) and tree.limits and found and found[-1] == Function("arg"):
        found[-1] = Function(f"arg {tree.name}", limits=True)
    else:
        found.append(tree)


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
