"""The errors that a user can meet, each with what to do about it.

Whatever is raised on purpose in this project is a :class:`NatureGymError`; the command line
prints its message and hint and ends with its exit code. Anything else that reaches the
top is a defect of ours, and is printed as one.
"""

from __future__ import annotations


class NatureGymError(Exception):
    """Something went wrong that we can name.

    ``hint`` is one sentence that says what to do. ``exit_code`` is what a command ends with:
    1 findings, 2 usage, 3 infrastructure, 130 stopped by the user.
    """

    exit_code = 3

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(NatureGymError):
    """The request itself cannot be met: an unknown id, a value out of range, a missing file."""

    exit_code = 2


class FindingsError(NatureGymError):
    """The work was done, and what was looked at is not in order."""

    exit_code = 1


class InfrastructureError(NatureGymError):
    """Disk, network, database, server or sandbox failed; the paper is not to blame.

    Recorded as ``error``, which is neither a rejection nor a score of zero, and tried again.
    """


class StoppedError(NatureGymError):
    """Somebody asked the command to stop, by Ctrl-C or SIGTERM, and it did."""

    exit_code = 130


class PaperError(NatureGymError):
    """This paper's input is unusable (truncated, encrypted, withdrawn, in another shape).

    Recorded on the paper with the step at which it was met; the batch goes on, and a re-run
    does not try again until the input changes.
    """

    exit_code = 1
