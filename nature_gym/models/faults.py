"""What may come between a question and its answer. Nothing of it says anything about the paper."""

from __future__ import annotations

from nature_gym.errors import InfrastructureError


class ModelError(InfrastructureError):
    """No answer that can be used."""


class NoKeyError(ModelError):
    """The service wants a key, and there is none, or not this one."""


class CeilingError(ModelError):
    """Asking might cost more than was allowed, so it was not done."""


class ServiceError(ModelError):
    """The service did not answer, or answered with an error, however often it was asked."""


class RefusedError(ModelError):
    """The model declines to answer."""


class NonsenseError(ModelError):
    """The model answered, told what was wrong answered again, and still nothing of it can be used."""
