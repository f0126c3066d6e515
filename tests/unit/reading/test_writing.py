from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from nature_gym.reading.document import Document, Figure, Section, Table
from nature_gym.reading.writing import read_document, read_paper_file, table_csv, write_document

PNG = b"\x89PNG\r\n\x1a\nrest"
ROWS = (("Method", "R²"), ("Ours, best", '0.9 "so"'))
DOCUMENT = Document(
    source="html",
    title="A title",
    doi="10.5555/x",
    article_type="Article",
    abstract="Short.",
    sections=(
        Section("Results", 1, "It works.\n- one\n- two\n# not a heading"),
        Section("Data availability", 2, "Data are at https://zenodo.org/records/1."),
    ),
    tables=(
        Table("Table 1", "Scores", ROWS, 1, "In bold.", 0, bold=frozenset({(1, 1)})),
        Table("Table 2", "Elsewhere", (), section=0, missing=True),
    ),
    figures=(Figure("Fig. 1", "A plot.", image=PNG, section=1), Figure("Fig. 2", "Another.", "https://x.org/2.png")),
    problems=("shown as a picture: Table 2",),
)  # fmt: skip


def test_paper_json_is_what_others_rely_on(tmp_path: Path) -> None:
    write_document(DOCUMENT, tmp_path, "10.5555_x")
    assert json.loads((tmp_path / "paper.json").read_bytes()) == {
        "id": "10.5555_x",
        "doi": "10.5555/x",
        "title": "A title",
        "source": "html",
        "article_type": "article",
        "sections": [
            {"title": "Results", "level": 1, "characters": 37},
            {"title": "Data availability", "level": 2, "characters": 41},
        ],
        "availability": {"data": "Data are at https://zenodo.org/records/1.", "code": None},
        "links": [
            {
                "url": "https://zenodo.org/records/1",
                "host": "zenodo.org",
                "kind": "data",
                "section": "Data availability",
                "context": "Data are at https://zenodo.org/records/1.",
            }
        ],
        "tables": [
            {"label": "Table 1", "caption": "Scores", "rows": 2, "columns": 2, "file": "tables/1.csv"},
            {"label": "Table 2", "caption": "Elsewhere", "rows": 0, "columns": 0, "file": None},
        ],
        "figures": [
            {"label": "Fig. 1", "caption": "A plot.", "file": "figures/1.png"},
            {"label": "Fig. 2", "caption": "Another.", "file": None},
        ],
        "problems": ["shown as a picture: Table 2"],
    }
    assert (tmp_path / "figures/1.png").read_bytes() == PNG
    assert json.loads((tmp_path / "links.json").read_bytes())[0]["kind"] == "data"
    captions = json.loads((tmp_path / "figures/captions.json").read_bytes())
    assert captions[1] == {"label": "Fig. 2", "caption": "Another.", "file": None, "url": "https://x.org/2.png"}


def test_the_text_is_markdown_with_tables_where_they_stand(tmp_path: Path) -> None:
    write_document(DOCUMENT, tmp_path, "x")
    text = (tmp_path / "text.md").read_text(encoding="utf-8")
    assert text.startswith("# A title\n\n## Abstract\n\nShort.\n\n## Results\n\nIt works.\n\n- one\n- two\n\n\\# not")
    assert '| Method | R² |\n| --- | --- |\n| Ours, best | 0.9 "so" |' in text
    assert text.index("**Table 1.** Scores") < text.index("### Data availability") < text.index("**Fig. 1.** A plot.")


def test_what_was_written_reads_back(tmp_path: Path) -> None:
    told = write_document(DOCUMENT, tmp_path, "x")
    assert read_paper_file(tmp_path) == told
    figures = tuple(replace(figure, image=None) for figure in DOCUMENT.figures)
    assert read_document(tmp_path) == replace(DOCUMENT, figures=figures)


CELLS = st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\r\0"), max_size=6)


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=4))
def test_csv_holds_exactly_the_cells(rows: list[tuple[str, str]]) -> None:
    written = table_csv(Table("", "", tuple(rows)))
    assert [tuple(row) for row in csv.reader(io.StringIO(written, newline=""))] == rows
