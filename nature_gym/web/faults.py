"""What may go wrong with an address, and whose fault it is.

:class:`HostError` and what comes from it is infrastructure: the paper is not to blame, and it is tried again. The
others are about the address itself: it leads nowhere, or to something that cannot be used, today and tomorrow.
"""

from __future__ import annotations

from nature_gym.errors import InfrastructureError, PaperError

AGAIN = "Run the same command again; it goes on where it stopped."


class HostError(InfrastructureError):
    """A host could not be reached, or answered with an error, however often it was asked."""


class WrongAnswerError(HostError):
    """A host answered with something of another shape than it always does: broken JSON, a page of a proxy."""


class CaptchaError(HostError):
    """A host wants to see a person. Asking again at once makes it worse."""


class RedirectLoopError(HostError):
    """A host sends its visitors around in circles."""


class NotThereError(PaperError):
    """There is nothing at the address (404, 410)."""


class NoAccessError(PaperError):
    """The host shows this to those who sign in or pay (401, 402, 403, 451, a sign-in page)."""


class RobotsError(PaperError):
    """The host's robots.txt asks programs to stay away from this address."""


class TooLargeError(PaperError):
    """More bytes than we take for a thing of this kind."""


class WrongTypeError(PaperError):
    """The address leads to something of another kind than we need."""
