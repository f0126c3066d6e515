"""What typesets papers for the mini-web: an interface, and the real one behind it.

The typesetting modules are imported when the first page is asked for, so that a server starts
at once; tests hand in a press of their own.
"""

from __future__ import annotations

from typing import Any, Protocol

from nature_gym.demo.model import Figure, Paper


class Press(Protocol):
    """Turns papers into what their hosts serve."""

    def article_page(self, paper: Paper) -> bytes:
        """The article's HTML page."""
        ...

    def table_page(self, paper: Paper, number: int) -> bytes:
        """The page of one full table."""
        ...

    def figure_page(self, paper: Paper, number: int) -> bytes:
        """The page of one full figure."""
        ...

    def figure_svg(self, figure: Figure) -> bytes:
        """The figure itself, as SVG."""
        ...

    def figure_png(self, figure: Figure) -> bytes:
        """The figure itself, as PNG."""
        ...

    def article_pdf(self, paper: Paper) -> bytes:
        """The article's PDF."""
        ...

    def article_xml(self, paper: Paper) -> bytes:
        """The article in JATS."""
        ...

    def work(self, paper: Paper) -> dict[str, Any]:
        """OpenAlex's record."""
        ...

    def europepmc_result(self, paper: Paper) -> dict[str, Any]:
        """Europe PMC's search result."""
        ...


class JournalPress:
    """The demo's own typesetting."""

    def article_page(self, paper: Paper) -> bytes:
        """The article's HTML page."""
        from nature_gym.demo.typesetting import html

        return html.article_page(paper)

    def table_page(self, paper: Paper, number: int) -> bytes:
        """The page of one full table."""
        from nature_gym.demo.typesetting import html

        return html.table_page(paper, number)

    def figure_page(self, paper: Paper, number: int) -> bytes:
        """The page of one full figure."""
        from nature_gym.demo.typesetting import html

        return html.figure_page(paper, number)

    def figure_svg(self, figure: Figure) -> bytes:
        """The figure itself, as SVG."""
        from nature_gym.demo.typesetting import drawing

        return drawing.figure_svg(figure)

    def figure_png(self, figure: Figure) -> bytes:
        """The figure itself, as PNG."""
        from nature_gym.demo.typesetting import drawing

        return drawing.figure_png(figure)

    def article_pdf(self, paper: Paper) -> bytes:
        """The article's PDF."""
        from nature_gym.demo.typesetting import pdf

        return pdf.article_pdf(paper)

    def article_xml(self, paper: Paper) -> bytes:
        """The article in JATS."""
        from nature_gym.demo.typesetting import jats

        return jats.article_xml(paper)

    def work(self, paper: Paper) -> dict[str, Any]:
        """OpenAlex's record."""
        from nature_gym.demo.typesetting import openalex

        return dict(openalex.work(paper))

    def europepmc_result(self, paper: Paper) -> dict[str, Any]:
        """Europe PMC's search result."""
        from nature_gym.demo.typesetting import openalex

        return dict(openalex.europepmc_result(paper))
