"""What an agent did, in one form, whichever program it is: a line of JSON an event in ``trajectory.jsonl``.

Threat: an agent writes its own trajectory. Its texts are cut at a bound, and freed of terminal escapes and of secrets,
before they are written.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["system", "thought", "text", "tool_call", "tool_result", "error", "result"]


@dataclass(frozen=True, slots=True)
class Event:
    """One step. ``time`` in seconds since the agent began, None where its program does not tell; ``cost`` in dollars.

    ``tokens`` and ``cost`` are those of this step alone, so that they can be summed.
    """

    kind: Kind
    text: str
    time: float | None = None
    tool: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
