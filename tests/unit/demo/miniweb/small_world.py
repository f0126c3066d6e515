"""A world of a few papers for tests of the mini-web, and a press that prints them plainly."""

from __future__ import annotations

import datetime as dt
import hashlib
from typing import Any

from nature_gym.demo.model import (
    Author,
    Commit,
    Deposit,
    DepositFile,
    Entry,
    Figure,
    Indexing,
    Page,
    Paper,
    Paragraph,
    Repository,
    Section,
    Table,
    Truth,
    World,
)
from nature_gym.demo.venues import VENUES, suffix

CSV = b"x,y\n" + b"".join(b"%d,%d\n" % (n, n * n) for n in range(2000))
TERABYTE = 10**12


def paper(number: int, **changes: Any) -> Paper:
    """Paper ``number`` of a small world; years from 2020 on, journals in turn; OpenAlex once held number 3 twice."""
    venue = list(VENUES.values())[number % len(VENUES)]
    published = dt.date(2020 + number % 5, 1 + number % 12, 1 + number % 28)
    facts: dict[str, Any] = {
        "suffix": suffix(venue.suffix_code, published.year, number),
        "venue": venue,
        "title": f"Learning *structure* number {number} with graph networks",
        "article_type": "Article",
        "published": published,
        "authors": (Author("Mei", "Ng", "Calder University"),),
        "abstract": f"We propose a method for problem {number} & measure it.",
        "sections": (Section("Methods", 1, (Paragraph(f"Text of paper {number}."),)),),
        "openalex_id": f"W{4_000_000_000 + number}",
        "tables": (Table(1, "Results", (("Method", "Score"),), (("Ours", "**0.9**"),)),),
        "figures": (Figure(1, "Curve", "lines"),),
        "pmcid": f"PMC{9_000_000 + number}" if number % 2 else None,
        "formats": frozenset({"html", "pdf", "xml"} if number % 2 else {"html", "pdf"}),
        "indexing": Indexing(former_ids=("W8000000003",) if number == 3 else ()),
    }
    return Paper(**{**facts, **changes})


def commit(day: int, message: str, files: dict[str, bytes], removed: tuple[str, ...] = ()) -> Commit:
    """A commit on a day of March 2022."""
    return Commit(dt.datetime(2022, 3, day, 12, tzinfo=dt.UTC), message, files, removed)


def repository(name: str, **changes: Any) -> Repository:
    """A repository with three commits and awkward file names."""
    facts: dict[str, Any] = {
        "owner": "Calder-Lab",
        "name": name,
        "commits": (
            commit(1, "Begin", {"README.md": b"# Begin\n", "old.py": b"pass\n", "LICENSE": b"MIT License\n"}),
            commit(
                5, "Add data", {"data/a b.csv": CSV, 'data/caf\u00e9 "q".txt': b"x\n", "run.sh": b"#!/bin/sh\ntrue\n"}
            ),
            commit(9, "Tidy up", {"README.md": b"# Done\n"}, ("old.py",)),
        ),
        "description": "Code & data",
    }
    return Repository(**{**facts, **changes})


def deposits() -> tuple[Deposit, ...]:
    """Records at three hosts: open, restricted, gone, in versions, and too large to make."""
    data = DepositFile("data set.csv", CSV)
    return (
        Deposit("zenodo.org", "7000001", "Data", (data,), dt.date(2023, 1, 2), concept="7000000", version="v1"),
        Deposit(
            "zenodo.org",
            "7000009",
            "Data",
            (data, DepositFile("huge.tar", b"head", declared_size=TERABYTE)),
            dt.date(2023, 5, 2),
            concept="7000000",
            version="v2",
        ),
        Deposit("zenodo.org", "7000020", "Secret", (data,), state="restricted"),
        Deposit("zenodo.org", "7000030", "Withdrawn", (data,), state="gone"),
        Deposit("zenodo.org", "7000040", "Wrong sum", (DepositFile("a.bin", b"abc", md5="0" * 32),)),
        Deposit("figshare.com", "2100001", "Figures of it", (DepositFile("made.npy", lambda: b"\x93NUMPY"),)),
        Deposit("figshare.com", "2100002", "Hidden", (data,), state="restricted"),
        Deposit("figshare.com", "2100003", "Gone", (data,), state="gone"),
        Deposit(
            "huggingface.co", "calder/tiny", "Tiny", (DepositFile("README.md", b"# T\n"), DepositFile("d.zip", b"PK"))
        ),
        Deposit("huggingface.co", "calder/gated", "Gated", (DepositFile("d.parquet", b"PAR1"),), state="restricted"),
        Deposit(
            "huggingface.co", "models/calder/net", "Net", (DepositFile("w.safetensors", b"", declared_size=5 << 30),)
        ),
    )


def pages() -> tuple[Page, ...]:
    """The pages of a rude host, and of a cloud share."""
    return (
        Page("https://rude.example.org/slow", body=b"late", behaviour="slow"),
        Page("https://rude.example.org/flaky", body=b"at last", behaviour="flaky"),
        Page("https://rude.example.org/limited", body=b"now", behaviour="limited", headers={"Retry-After": "5"}),
        Page("https://rude.example.org/reset", body=b"z" * 5000, behaviour="reset"),
        Page("https://rude.example.org/loop", behaviour="loop"),
        Page("https://rude.example.org/captcha", behaviour="captcha"),
        Page("https://share.example.com/f?id=7&dl=1", body=b"file", media_type="application/zip"),
        Page("https://share.example.com/f?id=7&dl=0", body=b"<html>preview</html>"),
        Page("https://share.example.com/login", status=302, headers={"Location": "https://id.example.com/"}),
        Page("https://share.example.com/huge.bin", media_type="application/octet-stream", declared_size=TERABYTE),
        Page("https://www.nature.com/articles/special", body=b"a page of its own"),
    )


def small_world(seed: int = 0, papers: int = 12) -> World:
    """Papers with everything that belongs to them hanging on the first."""
    repositories = (
        repository("GraphNet"),
        repository("gone", state="gone"),
        repository("secret", state="private"),
        repository("void", state="empty"),
        repository("lab-net", host="gitlab.com"),
    )
    entries = [Entry(paper(0), Truth(()), repositories, deposits(), pages())]
    entries += [Entry(paper(number), Truth(())) for number in range(1, papers)]
    entries += [
        Entry(paper(papers, oa_status="closed", licence=None), Truth(())),
        Entry(paper(papers + 1, formats=frozenset({"pdf"})), Truth(())),
        Entry(paper(papers + 2, retracted=True, openalex_type="review"), Truth(())),
    ]
    return World(seed, tuple(entries))


class PlainPress:
    """Prints the least that the hosts need; counts how often each thing was made."""

    def __init__(self) -> None:
        self.made: list[str] = []

    def _print(self, what: str, text: str) -> bytes:
        self.made.append(what)
        return text.encode()

    def article_page(self, paper: Paper) -> bytes:
        return self._print(f"page {paper.suffix}", f"<html><h1>{paper.title}</h1></html>")

    def table_page(self, paper: Paper, number: int) -> bytes:
        return self._print("table", f"<html>Table {number} of {paper.suffix}</html>")

    def figure_page(self, paper: Paper, number: int) -> bytes:
        return self._print("figure", f"<html>Figure {number} of {paper.suffix}</html>")

    def figure_svg(self, figure: Figure) -> bytes:
        return self._print("svg", f"<svg><!-- {figure.number} --></svg>")

    def figure_png(self, figure: Figure) -> bytes:
        return self._print("png", f"\x89PNG {figure.number}")

    def article_pdf(self, paper: Paper) -> bytes:
        return self._print("pdf", f"%PDF-1.7\n{paper.suffix}\n" + "." * 1000)

    def article_xml(self, paper: Paper) -> bytes:
        return self._print("xml", f"<article><title>{paper.title}</title></article>")

    def work(self, paper: Paper) -> dict[str, Any]:
        words = paper.abstract.split()
        day = hashlib.sha1(paper.suffix.encode()).digest()[0] % 3
        closed = paper.oa_status == "closed"
        return {
            "id": f"https://openalex.org/{paper.openalex_id}",
            "doi": f"https://doi.org/{paper.doi}",
            "title": paper.title,
            "display_name": paper.title,
            "publication_date": paper.published.isoformat(),
            "publication_year": paper.published.year,
            "type": paper.openalex_type,
            "language": "en",
            "is_retracted": paper.retracted,
            "ids": {"openalex": f"https://openalex.org/{paper.openalex_id}"},
            "open_access": {"is_oa": not closed, "oa_status": paper.oa_status, "oa_url": None},
            "primary_location": {
                "source": {
                    "id": f"https://openalex.org/{paper.venue.source_id}",
                    "issn_l": paper.venue.issn_l,
                    "issn": [paper.venue.issn_l],
                }
            },
            "topics": [{"id": f"https://openalex.org/T{10_000 + paper.published.year}", "score": 0.9}],
            "cited_by_count": paper.published.day,
            "abstract_inverted_index": {word: [place] for place, word in enumerate(words)},
            "updated_date": f"2025-11-0{day + 1}T00:00:00",
        }

    def europepmc_result(self, paper: Paper) -> dict[str, Any]:
        return {"id": paper.pmcid, "source": "PMC", "pmcid": paper.pmcid, "doi": paper.doi, "title": paper.title}
