r"""How a forbidden word may be written: one pattern of bytes for all the ways in which people and programs write it.

The idea: letters vary by case, accents by encoding (UTF-8 composed or not, UTF-16, Latin-1, ``\u00f8``, ``&oslash;``,
``%C3%B8``, or left out), and what stands between words by whatever joins words. A method's name is looked for inside
identifiers (``useSecretnetModel``) and parted by a hyphen (``secret-net``), too; a person's with initials. The longest
run of ASCII letters, the *needle*, stays in one piece in all of these but the parted one.
"""

from __future__ import annotations

import html.entities
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from nature_gym.packaging.sieve import needle_of

_SPLIT = re.compile(r"[^\w]+|_|(?<=[a-z])(?=[A-Z])")
GAP = rb"\x00{0,3}"
"""Between characters there may be the zeros of UTF-16 and UTF-32."""
JOINED = (
    rb"(?:[\s\-_.,:;/+\x00]|\xe2\x80[\x90-\x95]|\xc2[\xa0\xad]|%2[0DEFdef]|&#(?:x2[DEFdef]|4[567]|160);"
    rb"|&(?:sol|period|hyphen|nbsp|shy);|\\+(?:/|u20[01][0-9a-fA-F]|u00[aA][0dD])){0,6}"
)
"""Between words whatever joins words."""
FEWEST_INSIDE = 5
"""Shorter names are looked for between boundaries of words alone: they are pieces of many identifiers."""
FEWEST_PARTED = 6
_PLAIN = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th"}
_PARTED = rb"(?:(?:[-_]|\xc2\xad|\xe2\x80[\x90\x91])\x00{0,3}\s{0,3})?"
_SURNAME = 5


@dataclass(frozen=True, slots=True)
class Term:
    """A forbidden word; ``needle`` is the part of it that the sieve looks for, empty where it has none to look for.

    ``parted``: it may also be parted by a hyphen, which breaks the needle.
    """

    text: str
    why: str
    pattern: re.Pattern[bytes]
    needle: bytes
    parted: bool = False


def term(text: str, why: str, *, exact: bool = False, inside: bool = False) -> Term:
    """What finds ``text``: ``exact`` in its own spelling alone; ``inside`` identifiers and parted, too."""
    words = [word for word in (re.split(r"[\W_]+", text) if exact else _SPLIT.split(text)) if word]
    letters = sum(len(word) for word in words)
    parted = inside and not exact and len(words) == 1 and letters >= FEWEST_PARTED
    spelled = JOINED.join(_word(word, parted=parted) for word in words)
    before, after = rb"(?<![A-Za-z0-9])", GAP + rb"(?![A-Za-z0-9])"
    if inside and not exact and letters >= FEWEST_INSIDE:
        before = rb"(?:(?<![A-Za-z0-9])|(?-i:(?<=[a-z0-9])(?=[A-Z])))"
        after = GAP + rb"(?:(?![A-Za-z0-9])|(?-i:(?<=[a-z0-9])(?=[A-Z]))|(?=[vV]?[0-9]))"
    flags = re.DOTALL if exact else re.DOTALL | re.IGNORECASE
    return Term(text, why, re.compile(before + spelled + after, flags), needle_of(words), parted)


def _word(word: str, *, parted: bool) -> bytes:
    letters = [_character(character) for character in unicodedata.normalize("NFC", word)]
    if not parted:
        return GAP.join(letters)
    return b"".join(
        letter + (GAP + _PARTED if 2 <= place < len(letters) - 1 else GAP if place < len(letters) else b"")
        for place, letter in enumerate(letters, 1)
    )


def _character(character: str) -> bytes:
    """A character however it is encoded, in either case; that of ASCII is folded by the pattern's flag."""
    if character.isascii():
        return re.escape(character.encode())
    ways: set[bytes] = set()
    for one in {character, character.lower(), character.upper()}:
        if len(one) == 1:
            ways |= set(_ways(one))
    longest_first = sorted(ways, key=lambda way: (-len(way), way))
    return b"(?:" + b"|".join(longest_first) + b")"


def _ways(character: str) -> Iterator[bytes]:
    """The patterns of one character beyond ASCII: as bytes, as escapes, and without what makes it more than ASCII."""
    code = ord(character)
    yield re.escape(character.encode())
    decomposed = unicodedata.normalize("NFD", character)
    yield re.escape(decomposed.encode())
    yield re.escape(quote(character).encode())
    yield rb"\\+u%04x" % code
    yield rb"&#(?:%d|x0*%x);" % (code, code)
    if name := html.entities.codepoint2name.get(code):
        yield b"&" + name.encode() + b";"
    if code < 0x100:
        yield re.escape(character.encode("latin-1"))
    elif code < 0x10000:
        yield re.escape(character.encode("utf-16-le"))
    base = _PLAIN.get(character.lower()) or decomposed[0]
    if base.isascii():
        yield base.encode() + (b"e?" if character.lower() in "äöü" else b"a?" if character.lower() == "å" else b"")


# -- persons -----------------------------------------------------------------------------------


def names_of(author: str) -> Iterator[str]:
    """A name as written, turned round, and as it is cited."""
    given, family = parts_of(author)
    if given:
        yield f"{' '.join(given)} {family}"
        yield f"{family} {' '.join(given)}"
        yield f"{family} et al"
        if len(given) > 1:
            yield f"{given[0]} {family}"


def parts_of(author: str) -> tuple[list[str], str]:
    """Given names and family name of "Ada Quill", "Ada M. van der Quill" or "Quill, Ada"."""
    if "," in author:
        family, _, rest = author.partition(",")
        return rest.replace(",", " ").split(), " ".join(family.split())
    *given, family = author.split() or [""]
    return given, family


def initialled(author: str, why: str) -> Term | None:
    """What finds an author by initials: "S. Grünwald", "S. K. Grünwald", "Grünwald, S."; None where that says little.

    The initial has a dot and the case of a name, so that "a brown fox" is nobody.
    """
    given, family = parts_of(author)
    if not given or not given[0][:1].isalpha() or len(family) < 3:
        return None
    words = [word for word in re.split(r"[\W_]+", family) if word]
    spelled = JOINED.join(_cased(word) for word in words)
    initial = _character(unicodedata.normalize("NFC", given[0])[0].upper())
    more = rb"(?:" + GAP + rb"[\s\-\x00]{0,4}[A-Z]" + GAP + rb"\.){0,3}"
    dotted = initial + GAP + rb"\."
    first = dotted + more + rb"[\s\x00]{0,4}" + spelled
    last = spelled + GAP + rb",?[\s\x00]{0,4}" + dotted
    pattern = rb"(?<![A-Za-z0-9])(?:" + first + rb"(?![A-Za-z0-9])|" + last + rb")"
    return Term(f"{given[0][0]}. {family}", why, re.compile(pattern, re.DOTALL), needle_of(words))


def _cased(word: str) -> bytes:
    """A word as a name is written: in its own case, or all in capitals."""
    own = GAP.join(_character(one) for one in unicodedata.normalize("NFC", word))
    return b"(?:" + own + b"|" + GAP.join(_character(one) for one in unicodedata.normalize("NFC", word).upper()) + b")"


def in_file_names(authors: Sequence[str], why: str) -> Iterator[Term]:
    """What finds a rare surname as a whole part of a file's name; a surname that is a word or a unit says nothing."""
    for author in authors:
        given, family = parts_of(author)
        if given and len(family) >= _SURNAME and family.casefold() not in ORDINARY:
            yield term(family, why)


ORDINARY = frozenset(
    re.findall(
        r"\w+",
        """
        abbott abel acres alder amber angel apple april archer arrow autumn baker banks barber barker barley
        baron barrow bates bayes beach beaver becker bernoulli berry bessel birch bird bishop black blake block
        blood bloom board bogart bolton boltzmann booth borders boston bottom bower bowman brain branch brand
        bridge bridges brook brooks brown browning bruce brunner bunch burns bush butcher butler butter button
        canal cannon canon cantor cardinal carpenter carter cartwright cauchy chain chamber chambers champion
        chance chandler chapel chapman charles chase child church clark clarke clay clayton clear clerk climate
        close cloud coast coffee coleman collier conway cook cooper coral cotton coulomb court crane cross crown
        crystal current curry curtis cutter daily dalton daniel darwin david dawn deacon delta diamond diaz
        drake draper driver duffy duke early earth east eastman edison edwards einstein elder english ernst
        euler evans eve falcon faraday farmer farrell fermi fields fisher fleming fletcher flint flood flores
        flower flowers flynn ford forest forester forrest forster foster fourier fowler franklin freeman french
        friend frost fuller galois galton garden gardener gardner garland gates gauss gentle gibbs gilbert glass
        glover goddard golden goodman grace graham grain grant grass graves gravity green greene greenwood
        griffin ground grove groves guest hadamard hall halley hamilton hammer hardy harper harris harrison
        hastings hawking hawkins hayes heart heath heller henry hermite hertz hesse hilbert hills hobbs hoffman
        holland holly holmes honey horn horton house hubble huber hughes human hunter hyde icing irons island
        ivory jackson jacob jacobi james jensen jewel johns johnson jones jordan joule joyce judge kaiser kalman
        keller kelly kelvin kendall kennedy kepler kernel kiln king kings knight koenig kramer kruskal kuhn
        lagrange lake lambert lamp lance lane lang laplace large laurel lawrence laws leach leader leave
        lebesgue lewis light lincoln linear little lloyd locke london long lopez lorentz louis lovelace lucas
        lucky lynch maier major manning maple marker markov marsh marshall martin mason masters matrix matthews
        maxwell mayer mayor means mendel mercer merchant meyer michael miller mills minor monday monk moon moore
        morgan morris morse moses moss mountain mueller murray myers nation nature neumann newman newton
        nicholas nichols nobel noble noise north norton novak oakley ocean olive oliver olsen orange osborne
        owens oxford packard packer page paige painter palmer parker parks pascal patch paul peace pearce pearl
        pearson peers penny peoples pepper perez perry peters petersen phillips piper pitman planck plank plant
        platt poisson pollard pond poole porter posner post potter powell power powers prather price priest
        prince prior pryor quick rabbit radon rains ralph ramsey ranger raven rayleigh reader reese reeves
        reynolds rhodes rice richards richardson rider riemann ripley ritter river rivers robert roberts robin
        robinson rock rodriguez rogers roman root rose rosen rossi round rowan rowe royal ruler rush russell
        rutherford sailor saint sampson samuel sanchez sanders sands santos saturn sawyer schmidt schneider
        school schroeder schultz schwartz schwarz scott seals sears sellers sewell shade shaffer shannon sharp
        sharpe sheldon shell shepherd sheppard sherman shields shock shore short silver simmons simon simpson
        sinclair singer singh single skinner slater sloan small smart smith snell snyder song south sparks
        speaker spear spears spence spencer spring stable stack stanley stark starling station steel steele
        stein stephens sterling stern stevens stewart stirling stokes stone stones storm story stout strange
        street strong stuart student sullivan summer summers sunday swain swan sweeney sweet swift sylvester
        tanner taylor teller temple terry thatcher thomas thompson thomson thorn thorne thunder tiger todd tower
        townsend tracy travers travis trees troy truman turing turner tyler tyson underwood valentine valley
        vance vargas vaughn venn venus victor viola violet virgo volta wade wagner walker wallace waller walls
        walsh walter walters ward warden warner warren washington water waters watson watt watts weaver webb
        weber webster weeks weiner weiss welch wells welsh werner west weston wheat wheeler whitaker white
        whitney wiener wilcox wilcoxon wilder wiley wilkinson willis willow wilson window winds winkler winter
        winters wolf wolfe wolff wonder wood woods woodward wright yates young younger zimmer zimmerman
        """,
    )
)
"""Surnames that are words, places, units, methods' eponyms, or borne by so many that they tell of nobody."""
