"""What may be wrong with what a paper offers, as it is kept on the paper's record."""

from __future__ import annotations

from nature_gym.errors import InfrastructureError, PaperError


class ChecksumError(PaperError):
    """What came is not what its host says that it holds."""


class BudgetError(PaperError):
    """The paper's data are more than may be downloaded for one paper."""


class RunBudgetError(InfrastructureError):
    """The run has downloaded all that it may; another run goes on."""


class RepositoryError(PaperError):
    """A repository that cannot be taken: its address, its size, what it holds."""
