"""Typst, run the same everywhere: its own fonts only, no dates, nothing read from the machine."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

import typst


def compile_pdf(source: str, inputs: Mapping[str, str] | None = None) -> bytes:
    """The document as a PDF."""
    return typst.compile(
        source.encode(), format="pdf", sys_inputs=dict(inputs or {}), ignore_system_fonts=True, pdf_tags=False
    )


def compile_pages(source: str, inputs: Mapping[str, str] | None = None, *, ppi: float) -> list[bytes]:
    """The document's pages as PNG."""
    compiled: object = typst.compile(
        source.encode(), format="png", ppi=ppi, sys_inputs=dict(inputs or {}), ignore_system_fonts=True
    )
    # Several pages come as a list, and one alone, whatever the annotation says.
    return compiled if isinstance(compiled, list) else [cast("bytes", compiled)]


def pdf_of_pictures(pictures: Sequence[bytes], *, width: str, height: str) -> bytes:
    """A PDF that holds one picture (PNG) a page and no text."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for index, picture in enumerate(pictures):
            (root / f"{index}.png").write_bytes(picture)
        pages = [f'#image("{index}.png", width: 100%)' for index in range(len(pictures))]
        setting = f"#set document(date: none)\n#set page(width: {width}, height: {height}, margin: 0pt)\n"
        main = root / "main.typ"
        main.write_text(setting + "\n#pagebreak()\n".join(pages), encoding="utf-8")
        return typst.compile(main, root=root, format="pdf", ignore_system_fonts=True, pdf_tags=False)
