"""Facts in words of a README: numbers and their limits, allowed values, shapes, dtypes, counts.

Each function reads one fact from a text however people say it, and gives what stands for "not said" where it is not.
"""

from __future__ import annotations

import re

NUMBER = r"[-+−]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?"
_RANGE = re.compile(
    rf"(?:from|between)\s+({NUMBER})\s+(?:to|and)\s+({NUMBER})"
    rf"|[\[(]\s*({NUMBER})\s*,\s*({NUMBER})\s*\]"
    rf"|({NUMBER})\s*(?:<=?|≤|⩽)\s*\w+\s*(?:<=?|≤|⩽)\s*({NUMBER})",
    re.IGNORECASE,
)
_DASHED = re.compile(rf"(?<![\w.-])({NUMBER})\s*(?:–|—|-|\.\.\.?|…|to|through)\s*({NUMBER})(?![\w-])", re.IGNORECASE)
_COUNTED = re.compile(rf"\{{\s*({NUMBER})\s*,(?:[^}}]*,)?\s*(?:\.\.\.?|…)\s*,\s*({NUMBER})\s*\}}")
_LEAST = re.compile(
    rf"(?:at least|no less than|minimum(?: of)?|greater than|above|>=?|≥|⩾)\s*({NUMBER})", re.IGNORECASE
)
_MOST = re.compile(
    rf"(?:at most|no more than|up to|maximum(?: of)?|less than|below|<=?|≤|⩽)\s*({NUMBER})", re.IGNORECASE
)
_SHAPE = re.compile(r"\(\s*([\w ]+(?:\s*[,×x]\s*[\w ]+)*)\s*,?\s*\)")
_SHAPE_AFTER = re.compile(r"shape\W{0,4}(?:of\s+|is\s+)?[`*]*[\[(]\s*([^)\]]{1,60})[\])]", re.IGNORECASE)
_TIMES = re.compile(r"(?<![\w.])(\d+|[A-Za-z]\w{0,20})((?:\s*×\s*(?:\d+|[A-Za-z]\w{0,20}))+)(?!\w)")
_FLAT = re.compile(
    rf"(?:\b1-?D\b|one-dimensional|\bvector\b|\bflat\b)[^.;|]{{0,60}}?\b(?:of\s+)?(?:length\s+)?({NUMBER}|[NnMm]\w*)\b"
)
_DTYPE = re.compile(
    r"\b(u?int(?:8|16|32|64)|float(?:16|32|64)|bool(?:ean)?s?|complex(?:64|128)|double|integers?|int|floats?"
    r"|str(?:ings?)?|text(?! file))\b",
    re.IGNORECASE,
)
_COUNT = re.compile(
    rf"(?:exactly\s+)?({NUMBER})\s+(?:rows|lines|records|sequences|entries|samples|designs|objects|structures|molecules|points|items|strings)",
    re.IGNORECASE,
)
_PER = re.compile(r"\bone (?:row|line|entry|record|sequence|value|prediction|number|label|object|key)\b", re.IGNORECASE)
_LENGTH = re.compile(
    rf"length\s+(?:is\s+|of\s+)?(?:between\s+|from\s+)?({NUMBER})(?:\s*(?:and|to|-|–)\s*({NUMBER}))?", re.IGNORECASE
)
_EACH = re.compile(
    r"\b(?:one|an?)\s+\w*\s*(?:per|for each|for every|for|a)\s+(?:residue|nucleotide|position|base|amino acid|token|"
    r"character|letter|atom|site|pixel|frame|time ?(?:step|point))|"
    r"\b(?:as long as|same length as|length (?:equals|equal to|matches|of) (?:the|its|their|that))",
    re.IGNORECASE,
)
_NAMING = re.compile(r"\b([A-Za-z]\w*?[_-]?)(0+|0*1)\b[^\n|]{0,20}?\b\1(0*[12])\b")
_DTYPES = {
    "double": "float64",
    "float": "float64",
    "floats": "float64",
    "int": "int64",
    "integer": "int64",
    "integers": "int64",
    "boolean": "bool",
    "booleans": "bool",
    "bools": "bool",
    "str": "string",
    "strings": "string",
    "text": "string",
}
Shape = tuple[str | int, ...]


def dtype_in(words: str) -> str:
    """The first dtype that is named, as numpy calls it; 'string' for text; ''."""
    match = _DTYPE.search(words)
    kind = match[1].lower() if match else ""
    return _DTYPES.get(kind, kind)


def number_in(text: str) -> float:
    """A number with commas or a typographer's minus."""
    return float(text.replace(",", "").replace("−", "-"))


def limits_in(words: str, *, labelled: bool = False) -> tuple[float | None, float | None]:
    """The least and the most that a value may be. ``labelled`` words are about values alone: "0-1" counts there."""
    words = re.sub(
        r"shape\W{0,4}(?:of\s+|is\s+)?[`*]*[\[(][^)\]]*[\])]|length\s+[^,;.]*", " ", words, flags=re.IGNORECASE
    )
    plain = re.sub(r"[`*]", "", words)
    match = _RANGE.search(plain) or _COUNTED.search(plain)
    if match is None and labelled:
        match = _DASHED.search(re.sub(r"\([^)]*\)", " ", plain) if not plain.lstrip().startswith("(") else plain)
    if match:
        low, high = [one for one in match.groups() if one is not None][:2]
        return number_in(low), number_in(high)
    least, most = _LEAST.search(plain), _MOST.search(plain)
    low_end = number_in(least[1]) if least else None
    if low_end is None and re.search(r"non-?negative|\bpositive", plain, re.IGNORECASE):
        low_end = 0.0 if re.search(r"non-?negative", plain, re.IGNORECASE) else 1e-6
    if low_end is None and most is None and re.search(r"probabilit|\bin unit interval", plain, re.IGNORECASE):
        return 0.0, 1.0
    return low_end, number_in(most[1]) if most else None


def values_in(words: str, *, labelled: bool = False) -> tuple[str, ...]:
    """The only values that there may be: `a`, `b`; one of a, b; -1 or 1; 0 (no) or 1 (yes); binary."""
    quoted = re.findall(r"[`\"']([^`\"'\n]{1,60})[`\"']", words)
    rest = re.sub(
        r"[`\"'][^`\"'\n]{1,60}[`\"']|one of:?|\bor\b|\band\b|\beither\b", "", words.strip(), flags=re.IGNORECASE
    )
    if len(quoted) > 1 and re.fullmatch(r"[\s,|/;{}\[\]()]*", rest):
        return tuple(dict.fromkeys(quoted))
    one = r"[`\"'][^`\"'\n]{1,60}[`\"'][\s,/|]*(?:or|and)?[\s,/|]*"
    listed = re.search(rf"(?:one of|either|values? in|must be)[\s:{{\[(]*((?:{one}){{2,}})", words)
    if listed:
        return tuple(dict.fromkeys(re.findall(r"[`\"']([^`\"'\n]{1,60})[`\"']", listed[1])))
    plain = re.sub(r"[`*]", "", words)
    item = rf"{NUMBER}"
    several = rf"{item}(?:(?:\s*,\s*(?:or\s+|and\s+)?|\s+or\s+|\s*/\s*|\s*\|\s*){item})+"
    match = re.search(
        rf"(?:values? (?:are|is|in|must be)|one of|either)\s*:?\s*[{{(\[]?\s*({several})\s*[}})]?(?!\s*[\]\d])",
        plain,
        re.IGNORECASE,
    )
    match = match or re.search(rf"\{{\s*({several})\s*\}}", plain)
    if match is None and labelled:
        meant = re.sub(r"\s*(?:\([^)]*\)|(?:=|:)\s*[A-Za-z][\w -]*)", "", plain)
        kind = r"integers?|labels?|class(?:es)?(?: labels?| ind(?:ex|ices))?|binary|u?int\d*"
        meant = re.sub(rf"^\s*(?:{kind})\b[\s:,]*", "", meant, flags=re.IGNORECASE)
        match = re.match(rf"\s*({several})\s*(?:[.;,)]|$|\bonly\b|\bper\b|\bfor\b)", meant)
    else:
        match = match or re.fullmatch(rf"\s*({item}\s+or\s+{item})\s*", plain)
    if match:
        return tuple(re.findall(r"[-+]?\d+(?:\.\d+)?", match[1].replace("−", "-")))
    return ("0", "1") if labelled and re.match(r"\s*binary\b", plain, re.IGNORECASE) else ()


def shape_in(words: str, *, labelled: bool = False) -> Shape:
    """The axes of an array, a word for one whose length is not said. ``labelled`` words are about a shape alone."""
    plain = re.sub(r"\blen\((\w+)\)|(\w+)\.shape\[0\]", r"\1\2", re.sub(r"[`*]", "", words))
    match = _SHAPE_AFTER.search(plain)
    inside = match[1] if match else next((one for one in _SHAPE.findall(plain) if _is_shape(one)), "")
    times = _TIMES.search(plain)
    if not inside and times:
        inside = times[0]
    flat = _FLAT.search(plain)
    if not inside and flat:
        inside = flat[1].replace(",", "")
    axes = _axes(inside)
    if not axes and labelled:
        axes = _axes(re.split(r"[;:]|\bwhere\b|\bwith\b", plain.strip().strip("[]"))[0])
    return axes


def _axes(inside: str) -> Shape:
    parts = [part.strip(" `*") for part in re.split(r"[,×]|(?<=\w)\s*\bx\b\s*(?=\w)", inside)]
    axes = [int(part) if part.isdigit() else part for part in parts if part]
    fits = all(isinstance(one, int) or re.fullmatch(r"[A-Za-z]\w*(?:[ _]\w+){0,4}", one) for one in axes)
    return tuple(axes) if fits else ()


def _is_shape(text: str) -> bool:
    parts = [part.strip() for part in re.split(r"[,×]|\bx\b", text)]
    return all(re.fullmatch(r"\d+|[A-Za-z]\w{0,20}", part) for part in parts if part) and (
        len(parts) > 1 or parts[0].isdigit() or len(parts[0]) < 3 or bool(re.match(r"n_|num|len", parts[0]))
    )


def rows_in(words: str) -> int | None:
    """How many rows, records or lines are asked for."""
    match = re.search(rf"({NUMBER})\s+(?:rows|lines|sequences|records|objects)\b", words) or (
        None if _PER.search(words) else _COUNT.search(words)
    )
    return int(number_in(match[1])) if match and number_in(match[1]).is_integer() else None


def length_in(words: str) -> tuple[int, int] | None:
    """Within which limits the length of a sequence is."""
    match = _LENGTH.search(words)
    if not match:
        return None
    low = int(number_in(match[1]))
    return low, int(number_in(match[2])) if match[2] else low


def letters_in(whole: str) -> str:
    """Which letters sequences are of."""
    if re.search(r"\bRNA\b", whole):
        return "ACGU"
    return "ACGT" if re.search(r"\bDNA\b|nucleotide|genom|promoter", whole, re.IGNORECASE) else "ACDEFGHIKLMNPQRSTVWY"


def each_in(words: str) -> bool:
    """Whether an answer to one thing is as long as that thing."""
    return bool(_EACH.search(re.sub(r"[`*]", "", words)))


def naming_in(words: str) -> tuple[str, str] | None:
    """How records are called that are counted: ``design_0, design_1`` gives ("design_", "0")."""
    match = _NAMING.search(re.sub(r"[`*]", "", words))
    return (match[1], match[2]) if match and int(match[3]) == int(match[2]) + 1 else None


def sizes_in(words: str, names: tuple[str, ...]) -> tuple[tuple[str, int, str], ...]:
    """Lengths that words are said to stand for: (word, length, instance), '' for all instances.

    "n = 40"; "n_test = 10 for `liver` and 8 for `spleen`"; "n is 10 (liver), 8 (spleen)".
    """
    found: list[tuple[str, int, str]] = []
    plain = re.sub(r"[`*]", "", words)
    for match in re.finditer(rf"\b([A-Za-z]\w{{0,30}})\s*(?:=|is|:)\s*({NUMBER})\b(?!\.\d)", plain):
        number = number_in(match[2])
        if not number.is_integer() or number < 1:
            continue
        clause = re.split(r"\n|\.\s|;", plain[match.start(2) :], maxsplit=1)[0]
        own = [
            (match[1], int(number_in(one[1])), name)
            for one in re.finditer(rf"({NUMBER})\s*(?:for|in|on|\(|:)\s*(?:for |in )?([\w.-]+)", clause)
            for name in names
            if name in (one[2], one[2].rstrip(".,"))
        ]
        found += own or [(match[1], int(number), "")]
    return tuple(dict.fromkeys(found))
