"""A process that reads parts of a snapshot: ``python -m nature_gym.harvest.part_worker``.

Its first line says for which corpus, each further one names a part; it answers each part with a line. It ends
when nobody writes to it any more, so that it never outlives its owner by more than a part.
"""

from __future__ import annotations

import datetime as dt
import sys
from pathlib import Path

import orjson

from nature_gym.errors import InfrastructureError
from nature_gym.harvest.intake import Intake
from nature_gym.harvest.parts import Judge, read_part
from nature_gym.harvest.query import Query
from nature_gym.records import Papers


def main() -> None:
    """Read and answer until the end of the input."""
    task = orjson.loads(sys.stdin.buffer.readline())
    judge = Judge([Query.from_json(query) for query in task["queries"]])
    since = dt.datetime.fromisoformat(task["since"]) if task["since"] else None
    with Intake(Papers(Path(task["papers"]))) as intake:
        for line in sys.stdin.buffer:
            try:
                report = read_part(Path(orjson.loads(line)["part"]), judge, intake, since)
                answer: dict[str, object] = {"report": report.as_json()}
            except InfrastructureError as error:
                answer = {"error": error.message}
            sys.stdout.buffer.write(orjson.dumps(answer, option=orjson.OPT_APPEND_NEWLINE))
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
