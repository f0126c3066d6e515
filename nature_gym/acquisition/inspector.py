"""A process that looks into files: ``python -m nature_gym.acquisition.inspector``.

It answers each line, which names a file, with a line of what it found. Its memory is limited, it writes nothing, and it
ends when nobody writes to it any more.
"""

from __future__ import annotations

import os
import resource
import sys
import warnings
from pathlib import Path
from typing import Any

import orjson

from nature_gym.acquisition.formats.looking import look_into

MEMORY = 6 << 30
"""Of address space, of which libraries take much that they never touch."""


def main() -> None:
    """Look and answer until the end of the input."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    warnings.simplefilter("ignore")
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints is no answer
    answers.write(b"{}\n")
    answers.flush()
    for line in sys.stdin.buffer:
        path = Path(os.fsdecode(bytes.fromhex(orjson.loads(line)["path"])))
        answers.write(_answer(path))
        answers.flush()


def _answer(path: Path) -> bytes:
    found: dict[str, Any] = look_into(path)
    try:
        return orjson.dumps(found, option=orjson.OPT_APPEND_NEWLINE | orjson.OPT_NON_STR_KEYS)
    except (orjson.JSONEncodeError, TypeError, ValueError):
        found["structure"] = {}
        return orjson.dumps(found, option=orjson.OPT_APPEND_NEWLINE)


if __name__ == "__main__":
    main()
