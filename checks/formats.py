"""Reports in the formats that programs read: JSON, JUnit, SARIF, Markdown, annotations of GitHub's workflows."""

from __future__ import annotations

import xml.etree.ElementTree as ET  # only written here, never read
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import orjson

from checks.model import CheckResult, Finding, Report
from checks.registry import FAMILIES, checks, extended, family, title
from nature_gym import __version__

Format = Literal["rich", "json", "junit", "sarif", "markdown", "github"]
SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_SIGNS = "".join(map(chr, (*range(9), 11, 12, *range(14, 32))))
_FIT_FOR_XML = str.maketrans(dict.fromkeys([*_SIGNS, "\ufffe", "\uffff"], "\N{REPLACEMENT CHARACTER}"))


def written(reports: Sequence[Report], form: Format) -> str:
    """Reports in a format that is not for a terminal."""
    writers: dict[str, Callable[[Sequence[Report]], str]] = {
        "json": as_json,
        "junit": _junit,
        "sarif": _sarif,
        "markdown": _markdown,
        "github": _github,
    }
    return writers[form](reports)


def as_value(report: Report) -> dict[str, Any]:
    """A report as a JSON object."""
    return {
        "package": report.package,
        "summary": report.summary.model_dump(),
        "checks": [one.model_dump() for one in report.checks],
        **({"extended": [one.model_dump() for one in report.extended]} if report.extended else {}),
    }


def place(report: Report, finding: Finding) -> str:
    """``file:line:col``, the file by its path from here."""
    return f"{Path(report.package, finding.file)}:{finding.line}:{finding.column}"


def as_json(reports: Sequence[Report], more: Mapping[str, Mapping[str, Any]] = MappingProxyType({})) -> str:
    """Reports as JSON: an object, or a list of them where there are several; ``more`` adds to each, by its package."""
    values = [as_value(one) | dict(more.get(one.package, {})) for one in reports]
    value = values[0] if len(values) == 1 else values
    return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()


def _told(one: Finding) -> str:
    """A finding in one line."""
    text = f"{one.text!r}: " if one.text and one.text not in one.message else ""
    hint = f" -> {one.hint}" if one.hint else ""
    reason = f" (suppressed: {one.suppressed})" if one.suppressed else ""
    return f"{text}{one.message}{hint}{reason}"


def _junit(reports: Sequence[Report]) -> str:
    root = ET.Element("testsuites")
    for report in reports:
        counts = Counter(one.status for one in report.results)
        suite = ET.SubElement(
            root, "testsuite", name=_fit(report.package), tests=str(counts.total()), failures=str(counts["fail"]),
            errors="0", skipped=str(counts["skip"]), time=f"{sum(one.seconds for one in report.results):.3f}",
        )  # fmt: skip
        for one in report.results:
            case = ET.SubElement(
                suite, "testcase", classname=f"family{family(one.id)}", name=f"{one.id} {one.title}",
                time=f"{one.seconds:.3f}",
            )  # fmt: skip
            told = "\n".join(f"{place(report, found)}: {_told(found)}" for found in one.findings)
            if one.status == "skip":
                ET.SubElement(case, "skipped", message=_fit(one.reason))
            elif one.status == "fail":
                failure = ET.SubElement(case, "failure", message=f"{len(one.findings)} findings", type=one.id)
                failure.text = _fit(told)
            elif told:
                ET.SubElement(case, "system-out").text = _fit(told)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _fit(text: str) -> str:
    return text.translate(_FIT_FOR_XML)


def _sarif(reports: Sequence[Report]) -> str:
    beyond = any(report.extended for report in reports)
    known = checks() | (extended() if beyond else {})
    rules = [
        {
            "id": name,
            "name": title(name),
            "shortDescription": {"text": title(name)},
            "fullDescription": {"text": known[name].explanation},
        }
        for name in known
    ]
    places = {name: index for index, name in enumerate(known)}
    results = [
        {
            "ruleId": one.id,
            "ruleIndex": places[one.id],
            "level": "error" if found.level == "fail" else "warning",
            "message": {"text": _told(found)},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": _uri(Path(report.package, found.file))},
                        "region": {"startLine": found.line, "startColumn": found.column},
                    }
                }
            ],
            "suppressions": [{"kind": "external", "justification": found.suppressed}] if found.suppressed else [],
        }
        for report in reports
        for one in report.results
        for found in one.findings
    ]
    driver = {"name": "naturegym", "version": __version__, "rules": rules}
    value = {
        "$schema": SARIF_SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}],
    }
    return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()


def _uri(path: Path) -> str:
    from urllib.parse import quote

    return quote(path.as_posix())


def _markdown(reports: Sequence[Report]) -> str:
    lines = []
    for report in reports:
        lines += [f"# Checks of {_cell(report.package)}", "", str(report.summary), ""]
        for number, name in FAMILIES.items():
            ours = [one for one in report.results if family(one.id) == number]
            if not ours:
                continue
            lines += [f"## {name}", "", "| check | | result |", "|---|---|---|"]
            lines += [f"| {one.id} | {one.title} | {one.status}{_because(one)} |" for one in ours]
            found = [(one, finding) for one in ours for finding in one.findings]
            lines += ["", *(f"- `{_code(place(report, f))}` {one.id} {_cell(_told(f))}" for one, f in found)]
            lines += [""] if found else []
    return "\n".join(lines).rstrip("\n") + "\n"


def _because(one: CheckResult) -> str:
    return f": {_cell(one.reason)}" if one.reason else ""


def _visible(text: str) -> str:
    """Text in which every sign can be seen: none commands a terminal, or turns the direction of what follows."""
    return "".join(one if one.isprintable() or one in "\n\r\t" else "\N{REPLACEMENT CHARACTER}" for one in text)


def _cell(text: str) -> str:
    plain = " ".join(_visible(text).split())
    return "".join(f"\\{sign}" if sign in "\\`*_[]<>|#" else sign for sign in plain)


def _code(text: str) -> str:
    return " ".join(_visible(text).split()).replace("`", "'")


def _github(reports: Sequence[Report]) -> str:
    lines = [
        f"::{'error' if found.level == 'fail' else 'warning'} file={_property(str(Path(report.package, found.file)))},"
        f"line={found.line},col={found.column},title={one.id}::{_data(_told(found))}"
        for report in reports
        for one in report.results
        for found in one.findings
        if not found.suppressed
    ]
    return "".join(f"{line}\n" for line in lines)


def _data(text: str) -> str:
    return _visible(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
