"""Speaks to the evaluation service from inside an agent's box: submit, best score, time left.

One file for any Python from 3.8 on, without a package, so that it can be put into whatever workspace::

    import scoring_client
    print(scoring_client.submit()["aggregate_improvement"])

or ``python3 scoring_client.py submit`` (``best``, ``time``). Address and token are those of the environment.
"""

from __future__ import annotations

import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Callable, Dict, List, Optional  # noqa: UP035 -- for Python 3.8

Json = Dict[str, Any]  # noqa: UP006 -- for Python 3.8

MOST_TRIES = 60
"""How often one request is sent while a scoring runs, or while requests come too fast."""
ANSWER_SECONDS = 4 * 3600.0
"""A scoring may take an hour; the service answers when it is done."""
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # a proxy leads to the model, never here


class ScoringError(Exception):
    """The service refused. ``code`` is HTTP's, 0 where it cannot be reached; ``body`` what it said."""

    def __init__(self, code: int, body: Json) -> None:
        super().__init__("{}: {} {}".format(code, body.get("error", ""), body.get("hint", "")).strip())
        self.code = code
        self.body = body


def submit(wait: Callable[[float], None] = time.sleep) -> Json:
    """Hand in what lies in the folder of answers, and wait for its score. Raises ScoringError."""
    token = os.environ["EVAL_TOKEN"]
    for tried in range(MOST_TRIES):
        try:
            return _asked("/evaluate", {"eval_token": token})
        except ScoringError as error:
            if error.code not in (409, 429) or tried + 1 == MOST_TRIES:
                raise
            wait(min(60.0, float(error.body.get("retry_after") or 1.0)))
    raise AssertionError


def best() -> Json:
    """The best attempt so far. Raises ScoringError."""
    return _asked("/best_score?" + _query())


def time_left() -> float:
    """Seconds until the deadline. Raises ScoringError."""
    return float(_asked("/time_remaining?" + _query())["remaining_seconds"])


def _query() -> str:
    return urllib.parse.urlencode({"eval_token": os.environ["EVAL_TOKEN"]})


def _asked(path: str, body: Optional[Json] = None) -> Json:  # noqa: UP045 -- for Python 3.8
    request = urllib.request.Request(  # noqa: S310 -- the service's own address
        os.environ["EVAL_SERVICE_URL"].rstrip("/") + path,
        None if body is None else json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )
    try:
        with _DIRECT.open(request, timeout=ANSWER_SECONDS) as answer:
            found: Json = json.loads(answer.read())
            return found
    except urllib.error.HTTPError as error:
        with error:
            told = _told(error.read())
            if error.headers.get("Retry-After", "").isdigit():
                told["retry_after"] = int(error.headers["Retry-After"])
            raise ScoringError(error.code, told) from None
    except (OSError, ValueError) as error:
        raise ScoringError(0, {"error": "the service cannot be reached: {}".format(error)}) from None  # noqa: UP032


def _told(content: bytes) -> Json:
    try:
        found = json.loads(content)
    except ValueError:
        found = None
    return found if isinstance(found, dict) else {"error": content[:200].decode(errors="replace")}


def main(arguments: List[str]) -> int:  # noqa: UP006 -- for Python 3.8
    """Print what is asked for, as JSON; 0, or 1 where the service refused, or 2."""
    asked: Dict[str, Callable[[], Json]] = {  # noqa: UP006 -- for Python 3.8
        "submit": submit,
        "best": best,
        "time": lambda: {"remaining_seconds": time_left()},
    }
    if len(arguments) != 1 or arguments[0] not in asked:
        sys.stderr.write("usage: scoring_client.py submit | best | time\n")
        return 2
    try:
        found = asked[arguments[0]]()
    except ScoringError as error:
        sys.stdout.write(json.dumps({"code": error.code, **error.body}, indent=1) + "\n")
        return 1
    sys.stdout.write(json.dumps(found, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
