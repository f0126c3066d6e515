"""What can be wrong with a split or an operation: the task's fault, or its data's."""

from __future__ import annotations

from nature_gym.errors import PaperError


class SplitError(PaperError):
    """The operations of a task cannot be carried out on its data, or lose or double rows."""
