"""MathML as TeX: enough of it that a formula can be read and searched, for texts that carry no TeX of their own."""

from __future__ import annotations

from lxml import etree

from nature_gym.reading.text import squeeze

_SIGNS = {
    "−": "-", "±": r"\pm ", "×": r"\times ", "·": r"\cdot ", "≤": r"\leq ", "≥": r"\geq ", "≈": r"\approx ",
    "∼": r"\sim ", "∑": r"\sum ", "∏": r"\prod ", "∫": r"\int ", "∞": r"\infty ", "∂": r"\partial ", "∇": r"\nabla ",
    "∈": r"\in ", "→": r"\to ", "≠": r"\neq ", "…": r"\ldots ", "\u2061": "", "\u2062": "", "\u2063": "", "%": r"\%",
    "{": r"\{", "}": r"\}",
}  # fmt: skip
_DEEPEST = 100


def tex_of(element: etree._Element) -> str:
    """The formula in ``element`` as TeX."""
    return squeeze(_tex(element, 0))


def _tex(element: etree._Element, depth: int) -> str:  # noqa: C901, PLR0911, PLR0912 -- one case for each element
    if depth > _DEEPEST or not isinstance(element.tag, str):
        return ""
    name = etree.QName(element).localname
    if name in {"mi", "mn", "mo", "ms"}:
        text = (element.text or "").strip()
        return "".join(_SIGNS.get(character, character) for character in text)
    if name == "mtext":
        return f"\\text{{{element.text}}}" if element.text and element.text.strip() else " "
    if name == "mspace":
        return " "
    if name == "semantics":
        return _tex(element[0], depth + 1) if len(element) else ""
    if name in {"annotation", "annotation-xml", "mphantom"}:
        return ""
    parts = [_tex(child, depth + 1) for child in element]
    match name, parts:
        case "mfrac", [top, bottom]:
            return f"\\frac{{{top}}}{{{bottom}}}"
        case "msqrt", _:
            return f"\\sqrt{{{''.join(parts)}}}"
        case "mroot", [base, index]:
            return f"\\sqrt[{index}]{{{base}}}"
        case "msup" | "mover", [base, upper]:
            return f"{_group(base)}^{{{upper}}}"
        case "msub" | "munder", [base, lower]:
            return f"{_group(base)}_{{{lower}}}"
        case "msubsup" | "munderover", [base, lower, upper]:
            return f"{_group(base)}_{{{lower}}}^{{{upper}}}"
        case "mtr", _:
            return " & ".join(parts) + r" \\ "
        case "mtable", _:
            return f"\\begin{{matrix}}{''.join(parts)}\\end{{matrix}}"
        case "mfenced", _:
            separator = (element.get("separators") or ",")[:1]
            return f"{element.get('open', '(')}{separator.join(parts)}{element.get('close', ')')}"
    return "".join(parts)


def _group(base: str) -> str:
    return base if len(base) <= 1 or base.startswith("\\") else f"{{{base}}}"
