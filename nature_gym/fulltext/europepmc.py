"""Europe PMC: whether it has a work's full text, and where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from nature_gym.config import Settings
from nature_gym.web.addresses import brief
from nature_gym.web.faults import AGAIN, WrongAnswerError
from nature_gym.web.fetcher import Fetcher

BASE = str(Settings.model_fields["europepmc_url"].default)


def full_text_url(pmcid: str) -> str:
    """Where the JATS of a PMCID is."""
    return f"{BASE}/{pmcid}/fullTextXML"


def find_pmcid(fetcher: Fetcher, doi: str, *, max_age: float | None = None) -> str | None:
    """The PMCID of a DOI; None where Europe PMC has no full text of it. Raises what the fetcher raises."""
    query = quote(f'DOI:"{doi}"', safe="")
    url = f"{BASE}/search?query={query}&format=json"
    answer = fetcher.json(url, max_age=max_age)
    for result in _results(answer, url):
        if str(result.get("doi", "")).lower() == doi.lower() and isinstance(result.get("pmcid"), str):
            return str(result["pmcid"])
    return None


def _results(answer: Any, url: str) -> list[Mapping[str, Any]]:
    try:
        results = answer["resultList"]["result"]
        return [result for result in results if isinstance(result, Mapping)]
    except (KeyError, TypeError, IndexError) as error:
        raise WrongAnswerError(f"{brief(url)} answers in another shape than Europe PMC does", hint=AGAIN) from error
