"""The numbered sections that the two documents of a package have, and whether a document has them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from checks.model import Finding
from checks.package import CheckedPackage

DESCRIPTION_PARTS = (
    ("1. Directory Structure", r"director|structure|tree|layout"),
    ("2. Dataset Overview", r"overview|dataset"),
    ("3. File Formats & Schemas", r"format|schema"),
    ("4. Special Notes", r"note"),
)
README_PARTS = (
    ("1. Scientific Problem", r"problem|background"),
    ("2. Task Objective", r"objective|task"),
    ("3. Dataset Information", r"dataset|data"),
    ("4. Evaluation Metrics", r"metric|evaluation"),
    ("5. Output Format", r"output|format"),
    ("6. Submission Guidelines", r"submission|guideline"),
)


def sections(package: CheckedPackage, file: str, wanted: tuple[tuple[str, str], ...]) -> Iterator[Finding]:
    """Whether a document has the numbered sections ``wanted`` (title, pattern), in order, and no others."""
    document = package.document(file)
    found = [one for one in document.headings if one.level == 2]
    places: list[int] = []
    for number, (title, pattern) in enumerate(wanted, 1):
        ours = [
            place
            for place, one in enumerate(found)
            if re.match(rf"{number}[.)]?\s", one.text) and re.search(pattern, one.text, re.IGNORECASE)
        ]
        if not ours:
            near = next((one for one in found if re.match(rf"{number}[.)]?\s", one.text)), None)
            near = near or next((one for one in found if re.search(pattern, one.text, re.IGNORECASE)), None)
            line, text = (near.line, near.text) if near else (1, "")
            yield Finding(file=file, line=line, text=text, message=f"lacks the section '## {title}'", hint="Add it.")
        for place in ours[1:]:
            yield Finding(file=file, line=found[place].line, text=found[place].text, message="stands twice")
        places += ours[:1]
    for one, other in pairwise(places):
        if other < one:
            text = found[other].text
            yield Finding(file=file, line=found[other].line, text=text, message="is out of order", hint="Move it.")
    for place, heading in enumerate(found):
        if not re.match(rf"[1-{len(wanted)}][.)]?\s", heading.text) and place not in places:
            message = "is a section too many"
            yield Finding(file=file, line=heading.line, text=heading.text, message=message, level="warn")
