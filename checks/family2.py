"""Family 2: the information firewall over the two documents: the paper, the method's names, the evaluator's side.

Whole lines are looked at, code and tables included: an agent reads all of it. What is about words of a language, and
not about marks such as a DOI, is looked for in its context: "single-cell", "nature of the problem" and "cell line" are
no journals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from checks.model import Finding
from checks.package import DESCRIPTION, README, CheckedPackage, loads, read_bytes
from checks.registry import Skip, check

# ruff: noqa: E501 -- patterns are read more easily on one line
_JOURNALS = (
    r"Nature\s+(?:Communications|Methods|Biotechnology|Machine Intelligence|Genetics|Medicine|Physics|Chemistry|"
    r"Materials|Neuroscience|Energy|Climate Change|Computational Science|Biomedical Engineering|Portfolio)|"
    r"npj\s+[A-Z]\w+|Communications (?:Biology|Chemistry|Physics|Medicine|Materials)|Scientific (?:Reports|Data)|"
    r"Science Advances|Cell (?:Reports|Systems|Genomics)|Genome (?:Biology|Research)|Nucleic Acids Research|"
    r"PNAS|PLoS (?:One|Computational Biology|Biology)|bioRxiv|medRxiv|ChemRxiv|"
    r"Nat\.? (?:Commun|Methods|Biotechnol|Genet|Med|Phys|Chem|Mater|Mach)\b"
)
PAPER: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("a DOI", re.compile(r"(?:doi\.org/|doi:?\s*)?\b10\.\d{4,9}/[^\s)\]>\"'`|]+", re.IGNORECASE)),
    ("an arXiv id", re.compile(r"\barxiv\b[\s:./]*(?:abs/|pdf/)?(?:\d{4}\.\d{4,5}|[a-z-]+/\d{7})?", re.IGNORECASE)),
    ("a citation", re.compile(r"\bet\s+al\b\.?", re.IGNORECASE)),
    ("a citation", re.compile(r"\((?:e\.g\.,? |see )?[A-Z][\w'’-]+(?:\s(?:and|&)\s[A-Z][\w'’-]+)?,?\s(?:19|20)\d\d[a-z]?\)")),
    ("a citation", re.compile(r"\b[A-Z][\w'’-]+\s(?:and|&)\s[A-Z][\w'’-]+\s\((?:19|20)\d\d[a-z]?\)")),
    ("an attribution", re.compile(
        r"\b(?:proposed|introduced|described|reported|developed|presented|published|used|released|collected|provided)"
        r"\s+(?:by|in)\s+(?:the\s+)?(?:original\s+|source\s+|accompanying\s+)?"
        r"(?:authors?|paper|publication|article|manuscript|study|\[\d)", re.IGNORECASE)),
    ("an attribution", re.compile(r"\b(?:the|our|original)\s+authors?\b|\bauthors['’]\s", re.IGNORECASE)),
    ("an attribution", re.compile(
        r"\b(?:this|our|the\s+(?:original|accompanying|source|associated|corresponding|published))\s+"
        r"(?:paper|publication|article|manuscript|preprint)\b|\bour\s+(?:study|work|method|approach|model)\b|"
        r"\b(?:original|source|accompanying)\s+(?:study|paper|publication)\b", re.IGNORECASE)),
    ("an attribution", re.compile(
        r"\bin\s+(?:this|the)\s+(?:study|paper)\b|\bthis\s+study\b(?!\s+(?:area|site|cohort|population|group|region|design))|"
        r"\bthe\s+paper(?:['’]s\b|\s+(?:by|proposes|reports|presents|describes|introduces|shows|uses|used|states)\b)",
        re.IGNORECASE)),
    ("a journal", re.compile(_JOURNALS)),
    ("a journal", re.compile(
        r"\b(?:published|appeared|reported|paper|article)\s+in\s+(?:the\s+journal\s+)?\*?(?:Nature|Science|Cell|The Lancet|NEJM)\b"
        r"|\b(?:Nature|Science|Cell)\*?,?\s+(?:\d{1,4}\s*[,(:]|\(?(?:19|20)\d\d\b)")),
)  # fmt: skip
"""What of a paper may not be said, and what it is."""
_BRACKET = re.compile(
    r"(?P<before>[\w)\"'.,;:]*)(?P<space>\s?)\[(?P<inside>\d{1,3}(?:\s*[,–-]\s*\d{1,3})*)\](?!\s*[\[(:])"
)
_RANGES = {
    "in", "range", "ranges", "interval", "between", "within", "shape", "size", "sizes", "dimensions", "of", "to",
    "from", "bounds", "values", "indices", "columns", "rows", "channels", "list", "array", "axis", "e.g.", "like", "or",
}  # fmt: skip
_INDEXED = {"shape", "size", "indices", "columns", "rows", "channels", "list", "array", "axis"}
EVALUATION: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("a path of the evaluator's side", re.compile(r"(?<![\w/-])evaluation/(?=ground_truth|evaluator|shared|[`'\")\s.,;]|$)")),
    ("a path of the evaluator's side", re.compile(r"\bground_truth\b(?:/|`|\b)|\bevaluator\.py\b|\bscore\.json\b")),
    ("a set that the agent does not see", re.compile(
        r"\b(?:hidden|held[- ]?out|withheld|private|secret|blind(?:ed)?|unseen by the (?:agent|solver|participant)s?)\s+"
        r"(?:\w+\s+){0,2}?(?:sets?|data|labels?|answers?|splits?|targets?|references?|ground truth|files?|outcomes?|values?)\b",
        re.IGNORECASE)),
    ("a set that the agent does not see", re.compile(
        r"\b(?:labels?|answers?|targets?|values?|ground truth|references?)\b[^.|]{0,40}?\b(?:are|is|were|was|have been|kept|being)\s+"
        r"(?:hidden|withheld|held[- ]?out|held back|kept secret)\b", re.IGNORECASE)),
)  # fmt: skip


def _lines(package: CheckedPackage, file: str) -> Iterator[tuple[int, str]]:
    yield from enumerate(package.document(file).lines, 1)


# -- the paper -------------------------------------------------------------------------------


@check("C2.1", reads=(README,))
def no_paper_in_readme(package: CheckedPackage) -> Iterator[Finding]:
    """README.md does not refer to the paper: no DOI, arXiv id, citation, attribution or journal.

    An agent that knows the paper can look up how it was done. Journals' names count only in a bibliographic sense.

    Passes: "single-cell data", "the nature of the problem", "values in [0, 1]", "a case-control study".
    Fails: "10.1038/...", "Smith et al.", "as described in [12]", "published in Nature", "in this paper".
    Mend: say what is so, not who said it.
    """
    yield from _paper(package, README)


@check("C2.2", reads=(DESCRIPTION,))
def no_paper_in_description(package: CheckedPackage) -> Iterator[Finding]:
    """data_description.md does not refer to the paper: no DOI, arXiv id, citation, attribution or journal.

    The same as C2.1, for the other document that the agent reads.

    Passes: "cells of 12 donors"; "the column `paper_weight` in g".
    Fails: "data from the original publication", "GEO deposit of Smith et al. (2020)".
    Mend: describe the data; sources and licences stand in licenses/.
    """
    yield from _paper(package, DESCRIPTION)


def _paper(package: CheckedPackage, file: str) -> Iterator[Finding]:
    blocks = [(block.line, block.line + block.text.count("\n")) for block in package.document(file).blocks]
    for number, line in _lines(package, file):
        taken: list[tuple[int, int]] = []
        for what, pattern in PAPER:
            for match in pattern.finditer(line):
                if not any(start < match.end() and match.start() < end for start, end in taken):
                    taken.append(match.span())
                    yield _said(file, number, match.start(), match[0], what, "Take it out.")
        if not any(start <= number < end for start, end in blocks):
            yield from _brackets(file, number, line)


def _brackets(file: str, number: int, line: str) -> Iterator[Finding]:
    """Numbers in brackets behind a word are a citation; ranges, shapes and indices of arrays are none."""
    code = [match.span() for match in re.finditer(r"`[^`]*`", line)]
    for match in _BRACKET.finditer(line):
        at = match.start("inside") - 1
        inside = [int(one) for one in re.findall(r"\d+", match["inside"])]
        word = (match["before"] or "").strip("\"'(),;:").casefold()
        previous = word or (line[: match.start()].split() or [""])[-1].strip("*_,").casefold()
        index = not match["space"] and bool(word) and ("," in match["inside"] or 0 in inside) and not word.endswith(".")
        measure = previous in _RANGES and (len(inside) > 1 or previous in _INDEXED)
        if any(start <= at < end for start, end in code) or measure or index or inside[0] == 0:
            continue
        if not previous or not re.search(r"\w", previous) or "|" in previous:
            continue
        yield _said(file, number, at, line[at : match.end()], "a bibliographic bracket", "Take it out.")


def _said(file: str, line: int, column: int, text: str, what: str, hint: str) -> Finding:
    return Finding(file=file, line=line, column=column + 1, text=text.strip(), message=f"is {what}", hint=hint)


# -- the method ------------------------------------------------------------------------------


@check("C2.3", reads=(README,))
def no_method_in_readme(package: CheckedPackage) -> Iterator[Finding]:
    """README.md does not name the paper's method or its variants.

    Names come from task.yaml, filter_result.json in or beside the package, and --method-name. Case, hyphens and spaces
    aside, at the boundaries of words; a name that is a common word counts in its own spelling alone.

    Passes: "brewing" and "brew" where the method is called BREW, a common word.
    Fails: "Film-Scout" where it is called FilmScout.
    Mend: name the problem, not the method.
    """
    yield from _method(package, README)


@check("C2.4", reads=(DESCRIPTION,))
def no_method_in_description(package: CheckedPackage) -> Iterator[Finding]:
    """data_description.md does not name the paper's method or its variants.

    The same as C2.3, for the other document that the agent reads; names of files and columns in it, too.

    Passes: "library.npz".
    Fails: "filmscout_embeddings.npy" where the method is called FilmScout.
    Mend: rename the file or the column.
    """
    yield from _method(package, DESCRIPTION)


def _method(package: CheckedPackage, file: str) -> Iterator[Finding]:
    names = method_names(package)
    if not names:
        raise Skip("no name of the method is known: no task.yaml, no filter_result.json, no --method-name")
    patterns = [(name, name_pattern(name, exact=exact)) for name, exact in names.items()]
    for number, line in _lines(package, file):
        for name, pattern in patterns:
            for match in pattern.finditer(line):
                what = f"the method's name ({name})"
                yield _said(file, number, match.start(), match[0], what, "Name the problem, not the method.")


def method_names(package: CheckedPackage) -> dict[str, bool]:
    """The names that are known, and whether each counts in its own spelling alone."""
    found: dict[str, bool] = {name: _common(name) for name in package.method_names}
    task = _yaml(package.text("task.yaml").content)
    method = task.get("method") if isinstance(task, dict) else None
    if isinstance(method, dict):
        common = method.get("common_word") is True
        for name in (method.get("name"), *_texts(method.get("variants"))):
            if isinstance(name, str):
                found.setdefault(name, common)
    for place in (package.path / "filter_result.json", package.path.parent / "filter_result.json"):
        for name in _filtered(place):
            found.setdefault(name, _common(name))
    return {name: exact for name, exact in found.items() if len(re.sub(r"[\W_]", "", name)) >= 2}


def _texts(value: Any) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _yaml(text: str) -> Any:
    try:
        return yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 -- both are safe ones
    except (yaml.YAMLError, RecursionError, ValueError):
        return None


def _filtered(path: Path) -> Iterator[str]:
    """The method's names in a filter_result.json, under whichever of the usual keys."""
    try:
        value = loads(read_bytes(path, 4 << 20).decode("utf-8", errors="replace"))
    except OSError:
        return
    if not isinstance(value, dict):
        return
    for key in ("method_name", "method", "method_names", "methods"):
        one = value.get(key)
        if isinstance(one, dict):
            one = one.get("name")
        yield from [one] if isinstance(one, str) else _texts(one)


def _common(name: str) -> bool:
    """Whether a name is written as a word of the language is: letters in lower case, the first one aside."""
    return bool(re.fullmatch(r"[A-Z]?[a-z]+", name))


def name_pattern(name: str, *, exact: bool) -> re.Pattern[str]:
    """What finds a name in a text."""
    if exact:
        return re.compile(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])")
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+|[+*#]+", name)
    middle = r"[\s_\-‐-―.]*".join(map(re.escape, parts)) or re.escape(name)
    return re.compile(rf"(?<![A-Za-z0-9]){middle}(?![A-Za-z0-9])", re.IGNORECASE)


# -- the evaluator's side --------------------------------------------------------------------


@check("C2.6", reads=(README, DESCRIPTION))
def nothing_of_the_evaluator(package: CheckedPackage) -> Iterator[Finding]:
    """Neither document mentions evaluation/, ground_truth/, or a hidden or held-out set on the evaluator's side.

    The agent is to solve the problem, not to look for its answers. "Ground truth" as a term is allowed.

    Passes: "ground truth labels come from two readers"; "a hidden layer"; "evaluation metrics".
    Fails: "compared with evaluation/ground_truth/a/labels.npy"; "scored on a hidden test set".
    Mend: say what has to be handed in and how it is scored, not against which file.
    """
    for file in (README, DESCRIPTION):
        for number, line in _lines(package, file):
            taken: list[tuple[int, int]] = []
            for what, pattern in EVALUATION:
                for match in pattern.finditer(line):
                    if not any(start < match.end() and match.start() < end for start, end in taken):
                        taken.append(match.span())
                        yield _said(file, number, match.start(), match[0], what, "Take it out.")
