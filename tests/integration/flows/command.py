"""Runs one of the no-op flows as a process of its own, which tests kill, and which has imported no Prefect.

    python command.py FLOW [JSON parameters]

Prints a line of JSON for each step of progress, and one for the end or the error.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import orjson

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))


def say(**line: Any) -> None:
    sys.stdout.buffer.write(orjson.dumps(line, default=str, option=orjson.OPT_APPEND_NEWLINE))
    sys.stdout.buffer.flush()


def main() -> int:
    from flows.launch import Progress, run_flow
    from nature_gym.config import load_settings
    from nature_gym.errors import NatureGymError

    def show(progress: Progress) -> None:
        say(event="progress", done=progress.done, total=progress.total)

    parameters = orjson.loads(sys.argv[2]) if len(sys.argv) > 2 else {}
    flow = f"tests.integration.flows.noop:{sys.argv[1]}"
    try:
        end = run_flow(flow, load_settings(), parameters, show_progress=show)
    except NatureGymError as error:
        say(event="error", message=error.message, hint=error.hint)
        return error.exit_code
    except KeyboardInterrupt:
        say(event="interrupted")
        return 130
    say(event="end", state=end.state, recorded=end.recorded, warning=end.warning, run=end.run.model_dump(mode="json"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
