"""What can be in the way of a package."""

from __future__ import annotations

from nature_gym.errors import PaperError


class BuildError(PaperError):
    """The task's specification does not fit its data, or names what there is not."""


class FirewallError(BuildError):
    """Something that the agent would see names the paper, its method, or holds the answers."""
