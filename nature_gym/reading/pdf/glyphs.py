"""Signs of one publisher's mathematics fonts, which stand under the codes and names of letters.

The one idea: these fonts keep the order of TeX's symbol fonts, and their files name glyphs ``C0``, ``C2`` after it. A
reader that trusts the names shows ``ð1 þ xÞ ¼ 2`` for ``(1 + x) = 2`` and loses every minus sign.
"""

from __future__ import annotations

import re

_SYMBOLS = ("AdvP4C4E74", "AdvMacMthSyN")
_LETTERS = ("AdvP4C4E51", "AdvP4C4E59")
_ENTRY = re.compile(r"/([A-Za-z]+\d*)|(\d+)")

_TEX = {
    0: "−", 1: "·", 2: "×", 3: "∗", 4: "÷", 6: "±", 7: "∓", 8: "⊕", 10: "⊗", 14: "∘", 15: "•", 17: "≡", 18: "⊆",
    20: "≤", 21: "≥", 24: "∼", 25: "≈", 28: "≪", 29: "≫", 138: "]",
}  # fmt: skip
_PRINTED = str.maketrans(
    {
        "ð": "(", "Þ": ")", "¼": "=", "þ": "+", "½": "[", "!": "→", "f": "{", "g": "}", "j": "|", "h": "⟨", "i": "⟩",
        "p": "√", "2": "∈", "1": "∞", "0": "′", "8": "∀", "9": "∃", "r": "∇",
    }
)  # fmt: skip
_PRINTED_LETTERS = str.maketrans({":": ".", ";": ",", "=": "/", "@": "∂"})


def is_signs(font: str) -> bool:
    """Whether a font is one of these."""
    return font[:4] in {"AdvP", "AdvM"} and font.startswith((*_SYMBOLS, *_LETTERS))


def sign_table(font: str, encoding: str) -> dict[int, str]:
    """What the font's codes print, from its encoding as it is written in the file.

    >>> sorted(sign_table("AdvMacMthSyN", "<</Differences[2/C0/C2 240/eth]>>").items())[:2]
    [(2, '−'), (3, '×')]
    """
    if not font.startswith(_SYMBOLS):
        return _PRINTED_LETTERS
    table = dict(_PRINTED)
    _, _, differences = encoding.partition("Differences[")
    code = 0
    for name, number in _ENTRY.findall(differences.partition("]")[0]):
        if number:
            code = int(number)
            continue
        if name[0] == "C" and name[1:].isdigit() and int(name[1:]) in _TEX:
            table[code] = _TEX[int(name[1:])]
        code += 1
    return table
