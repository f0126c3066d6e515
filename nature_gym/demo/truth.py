"""The truth file of a demo world: what a careful reader says of every paper, as JSON and as CSV.

The JSON file holds everything and reads back into :class:`~nature_gym.demo.model.Truth`; the CSV holds the
four columns that comparing verdicts needs.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import orjson

from nature_gym.demo.model import (
    RULES,
    Entry,
    MetricTruth,
    RuleTruth,
    SettingTruth,
    TaskTruth,
    Truth,
    World,
)
from nature_gym.errors import UsageError
from nature_gym.screening.decisions import ARTICLE_TYPES, CODES

TRAPS: dict[str, str] = {
    "accession_only": "the data are named by accessions alone (GSE, PRJNA, EMD, PDB, UniProt)",
    "abstract_not_indexed": "OpenAlex has an empty abstract where the article has one",
    "accession_that_is_not_the_data": "an accession is named, and the data lie elsewhere",
    "availability_under_other_heading": "the availability statement has another heading than usual",
    "bare_doi": "the data link is a DOI without an address around it",
    "captcha_page": "a side link answers 200 with a captcha",
    "cell_count_suffix": '"500k" near "cells" is a count, not a size',
    "claims_of_others": "a new architecture is mentioned, and it is somebody else's",
    "closed_access": "only the abstract can be had",
    "cloud_folder": "a cloud folder is not a file",
    "code_link_in_data_section": "the code link stands in the data section",
    "commit_after_publication": "the newest commit came after publication and changes what the paper used",
    "compressed_size": "compressed sizes are multiplied before they are compared with the limit",
    "concept_doi": "the record's concept DOI leads to a newer version than the one used",
    "connection_cut": "a side link's connection is cut in the body: an error, and no reason to reject",
    "controlled_data_not_needed": "controlled access to data that the task does not need",
    "data_link_in_code_section": "the data link stands in the code section",
    "dot_git_suffix": "`.git` is a suffix to remove, not letters to strip",
    "doi_not_indexed": "OpenAlex's record has no DOI",
    "dropbox_dl0": "`dl=0` among other parameters asks for a preview, `dl=1` for the file",
    "erratum_as_article": "OpenAlex types a correction as an article",
    "file_and_record_once": "a file and the record that holds it are counted once",
    "flaky_link": "503 twice and then right is no reason to reject",
    "html_in_title": "OpenAlex's title holds HTML",
    "instructions_to_the_model": "the text addresses the model that reads it",
    "megabases": '"3 Mb" of a genome are megabases',
    "merged_work": "OpenAlex once held the work under another id, which redirects to the present one",
    "rate_limited_link": "429 with Retry-After, and then right, is no reason to reject",
    "redirect_loop": "a side link redirects to itself: an error, and no reason to reject",
    "reporting_summary": "the availability statement stands under Reporting summary",
    "request_beside_public": "a part that does not matter is on request, what matters is public",
    "retraction_not_indexed": "OpenAlex has not heard of a retraction that the article page states",
    "side_experiment_cross_validated": "core experiments have a fixed split, a side experiment is cross-validated",
    "side_experiment_remains": "core experiments are cross-validated, a side experiment is not",
    "sign_in_page_200": "a sign-in page answers 200",
    "slow_link": "the first byte of a link comes after seconds",
    "superscripts": "raised numbers that are no citations",
    "thousands_separator_size": '"1,500 GB" is 1500 GB',
    "trailing_punctuation": "a full stop or bracket follows an address and is no part of it",
}
"""The known traps of screening by name, and what each consists of."""


def truth_document(world: World) -> dict[str, Any]:
    """The truth of ``world`` as JSON-ready data: ``{"seed", "papers": {id: {...}}}``."""
    return {"seed": world.seed, "papers": {entry.paper.id: _record(entry) for entry in world.entries}}


def write_truth(world: World, path: Path) -> None:
    """Write the truth of ``world`` to ``path`` as JSON."""
    path.write_bytes(orjson.dumps(truth_document(world), option=orjson.OPT_INDENT_2) + b"\n")


def read_truth(path: Path) -> dict[str, Truth]:
    """Read what :func:`write_truth` wrote: paper id -> truth.

    Raises :class:`UsageError` where ``path`` is no truth file.
    """
    try:
        papers = orjson.loads(path.read_bytes())["papers"]
        return {paper: _truth(record) for paper, record in papers.items()}
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(
            f"{path} cannot be read as a truth file: {error!r}",
            hint="Write one with write_truth, or with the command that writes the demo world out.",
        ) from error


def write_truth_csv(world: World, path: Path) -> None:
    """Write ``id,verdict,stopped_at,code``, one paper a line; empty where a paper passes."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("id", "verdict", "stopped_at", "code"))
        for entry in world.entries:
            truth = entry.truth
            writer.writerow((entry.paper.id, truth.verdict, truth.stopped_at or "", truth.code or ""))


def follows_the_rules(truth: Truth) -> bool:
    """Whether the rules of ``truth`` come in order, stop at the first rejection, and use known codes."""
    names = [rule.rule for rule in truth.rules]
    *before, last = truth.rules
    if names == ["0"]:
        known = {"retracted", *(f"article_type:{kind}" for kind in ARTICLE_TYPES)}
        return last.verdict == "reject" and last.code in known
    if any(rule.verdict == "reject" for rule in before) or names != list(RULES[: len(names)]):
        return False
    if last.verdict == "reject":
        return last.code in CODES[last.rule]
    return len(names) == len(RULES) and truth.task is not None


def _record(entry: Entry) -> dict[str, Any]:
    truth = entry.truth
    return {
        "title": entry.paper.title,
        "verdict": truth.verdict,
        "stopped_at": truth.stopped_at,
        "code": truth.code,
        "traps": list(truth.traps),
        "rules": [asdict(rule) for rule in truth.rules],
        "task": asdict(truth.task) if truth.task else None,
        "repositories": [
            {"url": repository.url, "categories": [asdict(category) for category in repository.categories]}
            for repository in entry.repositories
        ],
    }


def _truth(record: Mapping[str, Any]) -> Truth:
    return Truth(
        rules=tuple(RuleTruth(**rule) for rule in record["rules"]),
        traps=tuple(record["traps"]),
        task=_task(record["task"]) if record["task"] else None,
    )


def _task(told: Mapping[str, Any]) -> TaskTruth:
    return TaskTruth(
        task_type=told["task_type"],
        domain=told["domain"],
        method=told["method"],
        variants=tuple(told["variants"]),
        baselines=tuple(told["baselines"]),
        reference_kind=told["reference_kind"],
        metrics=tuple(MetricTruth(**metric) for metric in told["metrics"]),
        settings=tuple(
            SettingTruth(**{**setting, **{key: tuple(setting[key]) for key in ("development", "evaluation")}})
            for setting in told["settings"]
        ),
    )
