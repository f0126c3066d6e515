"""What the agent does not see: paths of the evaluator, hidden and held-out sets.

The idea: "hidden", "private", "blind" and "withheld" are words of the sciences; they count only of what answers are
compared with. A part that the reader may set aside is the reader's own, and one whose inputs the reader has is told of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

# ruff: noqa: E501 -- patterns are read more easily on one line
_KEPT = (
    r"(?:sets?|data|labels?|answers?|splits?|targets?|references?|ground[\s-]truths?|files?|outcomes?|test|partition|portion|part|fold|folds|solutions?|samples?|examples?|instances?|evaluation|"
    r"patients?|donors?|subjects?|cohorts?|molecules|compounds|proteins|sequences|structures|images|scans|cells|cell\s+types?|edges|links|nodes|triples|queries|sites|regions|years?|period|materials|alloys|reactions|genes|species|documents|sentences|questions)"
)
_GRADERS = r"(?:(?:task\s+|challenge\s+|benchmark\s+)?organi[sz]ers?|graders?|evaluators?|grading\s+(?:server|system|side)|(?:scoring|evaluation)\s+(?:server|system|side)|benchmark|maintainers)\b"
_SIDE: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("a path of the evaluator's side", re.compile(r"(?<![\w/-])evaluation/(?=ground_truth|evaluator|shared|[`'\")\s.,;]|$)")),
    ("a path of the evaluator's side", re.compile(r"\bground_truth\b(?:/|`|\b)|\bevaluator\.py\b|\bscore\.json\b")),
    ("the evaluator's program", re.compile(r"\b(?:grading|scoring|evaluation|evaluator)\s+(?:scripts?|programs?|code|harness)\s+(?:compares?|reads?|loads?|checks?|opens?|uses?|has|holds)\b", re.IGNORECASE)),
    ("what the evaluator alone has", re.compile(
        rf"\bheld[\s-]?(?:out|back)\s+by\s+(?:the\s+|us\b|an?\s+)?{_GRADERS}|\bthe\s+{_GRADERS}\s+(?:alone|only|itself|themselves)?\s*(?:has|have|holds?|keeps?|retains?|possess(?:es)?|owns?|knows?|sees?)\b(?![^.;]{{0,30}}\b(?:years?|experience|been|no|not)\b)"
        rf"|\b(?:known|available|visible|accessible|revealed|shown|disclosed)\s+(?:only|solely|exclusively)\s+(?:to|for)\s+(?:the\s+)?{_GRADERS}"
        rf"|\b(?:only|alone)\s+the\s+{_GRADERS}\s+(?:can|could|may)\b|\bthe\s+{_GRADERS}\s+(?:alone\s+)?(?:can|may)\s+(?:read|see|access|open|know)\b|\b(?:stored|kept|held|located|resides?|lies?)\s+(?:\w+\s+)?(?:on|at|in)\s+(?:the\s+)?{_GRADERS}"
        rf"|\b(?:kept|retained|withheld|reserved|stored)\s+(?:\w+\s+)?(?:by|with)\s+(?:the\s+)?{_GRADERS}", re.IGNORECASE)),
    ("a set that the agent does not see", re.compile(
        rf"\bheld[\s-]?(?:out|back)\s+(?:\w+\s+){{0,2}}?{_KEPT}\b|\bhold-?out\s+(?:\w+\s+)?(?:sets?|data|labels?|split|test|samples)\b"
        r"|\b(?:hidden|withheld|concealed|undisclosed|unreleased|secret|sequestered)\s+(?:\w+\s+){0,2}?(?:sets?|data(?!\s+(?:bus|layer))|labels?|answers?|splits?|targets?|references?|ground[\s-]truths?|outcomes?|test|solutions?|evaluation|examples?|portion|partition|samples)\b"
        r"|\b(?:private|blind(?:ed)?)\s+(?:\w+\s+)?(?:test|evaluation|leaderboard|scoring|ground[\s-]truth|split)\b|\bunseen\s+by\s+the\s+(?:agent|solver|participant|model)s?\b|\bhidden\s+from\s+(?:you|the\s+(?:agent|solver|participant)s?)\b", re.IGNORECASE)),
    ("a set that the agent does not see", re.compile(
        r"\b(?:labels?|answers?|targets?|values?|ground[\s-]truths?|references?|outcomes?|solutions?|truth)\b[^.|;]{0,50}?\b(?:are|is|were|was|have\s+been|has\s+been|be|kept|being|remain|stay)\s+(?:\w+ly\s+)?"
        r"(?:(?:hidden|concealed)(?!\s+(?:by|behind|under|in|below|within|beneath)\b)|withheld|held[\s-]?(?:out|back)|kept\s+(?:secret|back|private|hidden|aside)|secret|undisclosed|not\s+(?:\w+\s+)?(?:released|disclosed|public|visible|revealed|shown|shared\s+with))\b", re.IGNORECASE)),
    ("a set that the agent does not see", re.compile(
        r"\b(?:labels?|answers?|targets?|values?|truth|data|samples|sets?|references?)\s+(?:that|which)\s+(?:you|the\s+(?:agent|solver|participant)s?|nobody)\s+(?:cannot|can't|can\s+not|do\s+not|don't|does\s+not|will\s+not|never|won't)\s+(?:see|know|have|get|access)\b"
        r"|\b(?:labels?|answers?|targets?|values?|truth|data|samples|sets?|references?|rows)\s+(?:(?:that|which)\s+)?(?:you|the\s+(?:agent|solver|participant)s?)\s+(?:have\s+not|haven't|has\s+not|were\s+not|weren't|are\s+not|aren't|will\s+not\s+be|is\s+not|was\s+not)\s+(?:been\s+)?(?:given|shown|provided\s+with|told|sent)\b"
        r"|\b(?:sets?|parts?|portions?|samples|data|rows|fraction|share|third|half|quarter)\s+(?:that|which)\s+(?:is|are|was|were|has\s+been|have\s+been)\s+(?:held\s+(?:back|out)|withheld|kept\s+(?:back|secret)|hidden(?!\s+(?:by|behind|under)\b))", re.IGNORECASE)),
)  # fmt: skip
_OWN = re.compile(
    r"\b(?:yourself|your\s+own|you\s+(?:may|can|could|might|wish|are\s+free)\b|of\s+(?:the\s+)?(?:training|development)\s+(?:data|set|samples|rows)|from\s+(?:the\s+)?(?:training|development|`?train)|for\s+(?:your|model)\s+(?:validation|selection)|by\s+you\b|double-?blind)",
    re.IGNORECASE,
)
_INFORMATION = re.compile(
    r"\b(?:income|addresses|names|identit\w+|birth|consent|treatment|medication|privacy|diagnos[ie]s\s+from\s+the\s+patient)\b",
    re.IGNORECASE,
)


_INPUTS = re.compile(
    r"\b(?:whose|their|its|the)\s+(?:\w+\s+)?(?:inputs?|features?|coordinates|covariates|predictors|profiles|spectra|images?|sequences|structures|measurements)\b"
    r"[^.;]{0,40}\b(?:are|is|lie|lies|stand|stands)\s+(?:given|provided|found|listed|stored|kept)?\s*in\s+`?[\w/{}-]+\.\w+",
    re.IGNORECASE,
)
"""Said of a part that is set aside: what the reader has of it."""


def evaluator_side(line: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, what) of each mention in a line."""
    taken: list[tuple[int, int]] = []
    own = bool(_OWN.search(line) or _INFORMATION.search(line))
    for what, pattern in _SIDE:
        for match in pattern.finditer(line):
            if what.startswith("a set") and (own or (match[0].lower().startswith("held") and _INPUTS.search(line))):
                continue
            if not any(start < match.end() and match.start() < end for start, end in taken):
                taken.append(match.span())
                yield match.start(), match.end(), what
