"""Formulas in plain text, Typst and MathML."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from nature_gym.demo.typesetting.engine import compile_pdf
from nature_gym.demo.typesetting.mathematics import mathml, plain_math, typst_math
from nature_gym.demo.typesetting.tex import unknown

FORMULAS = {
    r"R^2": "R²",
    r"10^{-3}": "10⁻³",
    r"p<0.05": "p < 0.05",
    r"\alpha=-0.1": "α = −0.1",
    r"\hat{y}_i": "ŷ_i",
    r"\frac{a+b}{c}": "(a + b)/c",
    r"\sqrt{x}": "√x",
    r"\mathcal{L}=\frac{1}{N}\sum_{i=1}^N\log p_\theta(y_i\mid x_i)": "L = 1/N ∑_{i=1}^N log p_θ(y_i ∣ x_i)",
    r"\hat\theta=\arg\min_{\theta\in\Theta} \mathbf{W}x": "θ̂ = arg min_{θ∈Θ} Wx",
    r"\left\lVert x \right\rVert_2": "‖x‖₂",
    r"\text{RMSE} \le 0.5": "RMSE ≤ 0.5",
    r"\begin{cases}1 & x>0\\ 0 & \text{otherwise}\end{cases}": "1 x > 0; 0 otherwise",
    r"\begin{pmatrix}a & b\\c & d\end{pmatrix}": "a b; c d",
    r"f'(x), \; \operatorname{tr}(A) \times 5\%": "f′(x), tr(A) × 5%",
}


@pytest.mark.parametrize(("tex", "expected"), FORMULAS.items())
def test_a_formula_reads_as_plain_text(tex: str, expected: str) -> None:
    assert plain_math(tex) == expected
    assert not unknown(tex)


def test_typst_sets_every_formula_of_the_subset() -> None:
    document = "\n\n".join(f"$ {typst_math(tex)} $" for tex in FORMULAS)
    assert compile_pdf(document).startswith(b"%PDF")


def test_a_command_outside_the_subset_is_kept_as_written_and_told() -> None:
    assert unknown(r"x + \oiint{y}") == [r"\oiint"]
    assert plain_math(r"\oiint y") == r"\oiint y"
    assert 'raw("\\\\oiint")' in typst_math(r"\oiint y")


def test_mathml_is_well_formed_and_in_its_namespace() -> None:
    for tex in FORMULAS:
        etree.fromstring(mathml(tex))
        wrapped = f'<p xmlns:mml="http://www.w3.org/1998/Math/MathML">{mathml(tex, prefix="mml:", display=True)}</p>'
        tags = {element.tag for element in etree.fromstring(wrapped).iterdescendants()}
        assert all(str(tag).startswith("{http://www.w3.org/1998/Math/MathML}") for tag in tags)


@given(st.text(alphabet="abx12{}[]()_^\\&$'\"<>#;,/ |\n"))
def test_any_tex_gives_something_well_formed(tex: str) -> None:
    plain_math(tex)
    etree.fromstring(mathml(tex))


PIECES = [
    *"ab1{}[]()_^\\&$'\"<>#;,/ |*-=~@`!?%:.",
    *(r"\frac", r"\sqrt", r"\left(", r"\right)", r"\hat", r"\sum", r"\mathbf", r"\mathrm{ab}", r"\text{a b}", r"\min"),
    *(r"\begin{cases}", r"\end{cases}", r"\begin{pmatrix}", r"\end{pmatrix}", r"\\", r"\!", r"\,", r"\foo", r"\lVert"),
]


@given(st.lists(st.lists(st.sampled_from(PIECES), max_size=9).map("".join), min_size=1, max_size=6))
def test_any_tex_is_set_by_typst(formulas: list[str]) -> None:
    written = "\n\n".join(f"$ {typst_math(tex)} $" for tex in formulas)
    assert compile_pdf(written).startswith(b"%PDF")
    for tex in formulas:
        etree.fromstring(mathml(tex))
