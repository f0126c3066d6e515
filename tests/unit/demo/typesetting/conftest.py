"""A paper that uses everything a paper may hold, hostile text included."""

# ruff: noqa: E501

from __future__ import annotations

import dataclasses
import datetime as dt

import pytest

from nature_gym.demo.model import (
    Author,
    Bullets,
    Equation,
    Figure,
    Paper,
    Paragraph,
    Placement,
    Reference,
    Section,
    Series,
    Table,
)
from nature_gym.demo.venues import VENUES, suffix

LOREM = (
    "We treat the problem as supervised learning with a fixed evaluation, so that efficient classification of "
    "difficult profiles, their affinity and the workflow can be examined under identical conditions in every setting. "
    "The architecture separates the representation of individual measurements from the aggregation over neighbouring "
    "sites, which makes its contribution identifiable. "
)


def everything() -> Paper:
    """The paper; see the module."""
    return Paper(
        suffix=suffix("s42256", 2023, 601),
        venue=VENUES["s42256"],
        title="Learning *in situ* profiles of CO~2~ uptake with R^2^ > 0.9 & <script>alert(1)</script>",
        article_type="Article",
        published=dt.date(2023, 6, 15),
        authors=(
            Author("Zoë", "Björk", "Institute A & B, University of Norvale, Norvale, Norway"),
            Author("Łukasz", "O’Hara", "Department <C>, Calder University, Calder, UK"),
            Author("Mei", "de la Cruz", "Institute A & B, University of Norvale, Norvale, Norway", corresponding=True),
        ),
        abstract="Profiles are hard to predict. We present **ProfNet**, which reaches R^2^ = 0.93 at 10^-3^ m s^-1^ and "
        "$p<0.05$, and is 4.2 ± 0.1 points above the best baseline. " + LOREM,
        sections=(
            Section("Introduction", 1, (
                Paragraph("Fluxes matter[@1,2,3]. Earlier work [@5] used *k*-nearest neighbours. " + LOREM),
                Paragraph("A price of $5 and a rate of 3 * 4, a \"quoted\" <b>tag</b> & an ampersand; #hash, _under_. " + LOREM),
            )),
            Section("Results", 1, (Paragraph("Overview before the first heading. " + LOREM),)),
            Section("ProfNet wins on all settings", 2, (
                Paragraph("As [#table-1] and [#figure-1] show, ProfNet is best. " + LOREM),
                Placement("table", 1),
                Paragraph(LOREM * 2),
                Placement("figure", 1),
                Paragraph(LOREM * 2),
                Placement("table", 2),
            )),
            Section("Robustness", 2, (Paragraph(LOREM * 3), Placement("figure", 2), Placement("figure", 3))),
            Section("Discussion", 1, (Paragraph(LOREM * 3), Placement("figure", 4))),
            Section("Methods", 1, ()),
            Section("Objective", 2, (
                Paragraph("We minimise the loss over $\\theta\\in\\mathbb{R}^d$:"),
                Equation(r"\mathcal{L}(\theta)=-\frac{1}{N}\sum_{i=1}^{N}\log p_\theta(y_i\mid x_i)+\lambda\lVert\theta\rVert_2^2"),
                Paragraph("where $\\lambda$ is chosen once. Then"),
                Equation(r"\hat{\theta}=\arg\min_{\theta}\mathcal{L}(\theta)"),
                Bullets(("Hidden width 64 and *dropout* of 0.1.", "Learning rate 10^−3^, see [the guide](https://example.org/a_b?c=1&d=2).")),
            )),
            Section("Splits", 3, (Paragraph("A fixed random split with seed 13 is used. " + LOREM),)),
            Section("Data availability", 1, (
                Paragraph("The data are at [https://doi.org/10.5281/zenodo.7654321](https://doi.org/10.5281/zenodo.7654321) and GSE12345."),
            )),
            Section("Code availability", 1, (
                Paragraph("Code is at [https://github.com/bjork-lab/logit](https://github.com/bjork-lab/logit) (ref. [@6])."),
            )),
            Section("Acknowledgements", 1, (Paragraph("We thank A. Nonym."),)),
        ),
        openalex_id="W9000000601",
        tables=(
            Table(
                1,
                "Results on the test set. Best in bold.",
                (("Method", "Norvale", None, "Calder", None), ("", "R^2^", "RMSE", "R^2^", "RMSE")),
                (
                    ("Linear", "0.71", "1.2 × 10^-3^", "−0.05", "3.1"),
                    ("Forest[@2]", "0.85 ± 0.01", "0.9", "0.61", "2.2^a^"),
                    ("**ProfNet**", "**0.93 ± 0.01**", "**0.5**", "**0.88**", "**1.1**"),
                ),
                ("^a^Without 3 outliers & one <b>.",),
            ),
            Table(
                2,
                "All scores by fold",
                (("Dataset", *(f"Metric {i}" for i in range(1, 12))),),
                tuple((f"Set {row}", *(f"{0.5 + row / 50 + i / 100:.3f}" for i in range(11))) for row in range(1, 7)),
            ),
        ),
        figures=(
            Figure(1, "Scores of all methods. **a**, Bars are means.", "bars",
                   (Series("R^2^", (1, 2, 3), (0.71, 0.85, 0.93)), Series("Loss <x>", (1, 2, 3), (-0.1, 0.2, 0.1))), "Method", "Score"),
            Figure(2, "Learning curves.", "lines",
                   (Series("train", (1, 10, 20, 30), (1.5, 0.9, 0.6, 0.5)), Series("test", (1, 10, 20, 30), (1.6, 1.0, 0.8, 0.75))), "Epoch", "Loss"),
            Figure(3, "Predicted against measured. Each point is a site.", "points",
                   (Series("", tuple(i / 7 for i in range(60)), tuple(i / 7 + (i * 37 % 11 - 5) / 9 for i in range(60))),), "Measured", "Predicted"),
            Figure(4, "The pipeline.", "flow", steps=("Raw profiles", "Filter", "Encode", "Aggregate over sites", "Head", "Score & rank")),
        ),
        references=(
            Reference("Adams, A. & Brown, B.", "Fluxes of *CO~2~*", "Nat. Energy", 2019, doi="10.5555/ref-1"),
            Reference("Chen, C. et al.", "Forests for profiles", "Nat. Methods", 2020, doi="10.5555/ref-2"),
            Reference("Dufresne, D.", "On <tags> & entities", "Preprint", 2021, url="https://example.org/p?a=1&b=2"),
            Reference("Evans, E.", "No link", "Proc. Conf.", 2018),
            Reference("Fay, F.", "Neighbours", "J. Neighb.", 2017),
            Reference("Björk, Z.", "logit: code", "Zenodo", 2023, url="https://doi.org/10.5281/zenodo.7654399"),
        ),
        subjects=("Machine learning", "Climate & carbon"),
        pmcid="PMC9900601",
        formats=frozenset({"html", "pdf", "xml"}),
    )  # fmt: skip


@pytest.fixture(scope="session")
def paper() -> Paper:
    """The paper in the new template."""
    return everything()


@pytest.fixture(scope="session")
def old_paper() -> Paper:
    """The same paper in the old template, of a journal that numbers its articles."""
    return dataclasses.replace(
        everything(),
        template="old",
        venue=VENUES["s41467"],
        suffix=suffix("s41467", 2018, 6342),
        published=dt.date(2018, 9, 14),
    )
